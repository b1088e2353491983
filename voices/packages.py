# SPDX-License-Identifier: GPL-3.0-or-later
"""Optional packages, which come with an extra and are loaded when they are used."""

from __future__ import annotations

import importlib
from typing import Any


class MissingPartError(Exception):
    """A package that is needed is not on this machine; `reason` is one sentence in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def load(package: str, extra: str) -> Any:
    """Load an optional package. Raises MissingPartError, which names it and the extra that installs it."""
    try:
        return importlib.import_module(package)
    # OSError: the Python package is there, but its C library is not.
    except (ImportError, OSError) as error:
        raise MissingPartError(
            f"The package {package} cannot be loaded ({error}): pip install 'acessivel[{extra}]'."
        ) from error
