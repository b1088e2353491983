# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program of somebody who is logged in at a fake server."""

import pytest

from acessivel.online import credentials
from support.program import QUIET, Running

KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
WORDS = ("--language", "en", "--convention", "letters")


def log_in(home, lichess, name):
    """Keep somebody's token where the program of this home looks for it."""
    home.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            patch.delenv(variable, raising=False)
        patch.setenv("HOME", str(home))
        patch.setenv(*next(iter(KEYRING.items())))
        assert credentials.keep(lichess.url, lichess.token(name)) == "file"


def online(home, lichess, *arguments, devices=QUIET, words=WORDS, **more):
    """The program in play, online."""
    options = (*devices, *words, "--server", lichess.url)
    return Running(home, "online", *arguments, *options, **{**KEYRING, **more})
