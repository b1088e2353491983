# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong with a speech model: one exception, with a kind for programs and the facts to report."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

Kind = Literal[
    "insecure",  # address: neither HTTPS nor on this machine
    "unreachable",  # address: offline, refused, or not a web server
    "untrusted",  # address: its certificate is not valid here
    "timeout",  # address: it has stopped answering
    "http",  # address, status: it answers with an error
    "cut",  # address: the connection ended too early
    "bad_list",  # address: its content is no list of models
    "unknown",  # name: not in the list
    "no_language",  # language: the list has no suitable model
    "damaged",  # address: the download differs from what the list says
    "unsafe",  # member: the archive holds something that must not be unpacked
    "no_model",  # the download is broken, or holds no model
    "disk",  # folder: the OSError that caused it says why
    "busy",  # name: another program is downloading it
    "not_installed",  # name
]


class ModelError(Exception):
    """A model cannot be listed, downloaded or removed; `Kind` says which `facts` there are."""

    def __init__(self, kind: Kind, **facts: str) -> None:
        super().__init__(f"{kind} {facts}")
        self.kind: Kind = kind
        self.facts: Mapping[str, str] = facts


@contextlib.contextmanager
def disk(folder: Path) -> Iterator[None]:
    """Turn a disk error into a ModelError that names the folder."""
    try:
        yield
    except OSError as error:
        raise ModelError("disk", folder=str(folder)) from error


def need_room(folder: Path, size: int) -> None:
    """Raise ModelError, as of a full disk, if a folder has no room for so many bytes."""
    with disk(folder):
        if shutil.disk_usage(folder).free < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
