# SPDX-License-Identifier: GPL-3.0-or-later
"""The languages that the program comes with, in the order of the tests' tables of expectations."""

import contextlib
import sys
from pathlib import Path

from voices.data import VARIABLE

LANGUAGES = ("pt", "en", "de", "es")

FOLDER = Path(__file__).parents[1] / "data/languages"  # Esperanto, from files alone


@contextlib.contextmanager
def one_more(monkeypatch, folder=FOLDER):
    """With the language of a folder as a fifth: all that is kept of the files is read anew, then and afterwards."""
    try:
        with monkeypatch.context() as changed:
            changed.setenv(VARIABLE, str(folder))
            _read_anew()
            yield
    finally:
        _read_anew()


def _read_anew():
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("acessivel", "voices", "braille"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
