# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of device errors and unexpected errors; what was said or typed is never logged."""

from __future__ import annotations

import logging
from pathlib import Path

import platformdirs

from acessivel.storage import private_files


def start() -> Path:
    """Log to a file of ours from now on, if it can be written; returns the file."""
    folder = platformdirs.user_log_path("acessivel")
    path = folder / "acessivel.log"
    try:
        private_files.make_folder(folder)
        private_files.make_file(path)
        private_files.restrict(path)
        logging.basicConfig(filename=path, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    except OSError:
        logging.basicConfig(handlers=[logging.NullHandler()])
    logging.raiseExceptions = False  # a full disk is reported to the user, not as a traceback
    return path
