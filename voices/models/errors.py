# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong with a speech model: one exception with a kind for programs and the facts to tell."""

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
    "unreachable",  # address: offline, refused, or no web server
    "untrusted",  # address: its certificate is not valid here
    "timeout",  # address: it does not answer any more
    "http",  # address, status: it answers with an error
    "cut",  # address: the connection ended too early
    "bad_list",  # address: what it gives is no list of models
    "unknown",  # name: not in the list
    "no_language",  # language: the list has no model that fits
    "damaged",  # address: what came is not what the list says
    "unsafe",  # member: the archive holds what must not be unpacked
    "no_model",  # what was downloaded is broken, or holds no model
    "disk",  # folder: what the system refuses there is the OSError that caused it
    "busy",  # name: another program downloads it
    "not_installed",  # name
]


class ModelError(Exception):
    """A model that cannot be listed, fetched or removed; which `facts` there are, `Kind` says."""

    def __init__(self, kind: Kind, **facts: str) -> None:
        super().__init__(f"{kind} {facts}")
        self.kind: Kind = kind
        self.facts: Mapping[str, str] = facts


@contextlib.contextmanager
def disk(folder: Path) -> Iterator[None]:
    """What the disk refuses, as a ModelError that names the folder."""
    try:
        yield
    except OSError as error:
        raise ModelError("disk", folder=str(folder)) from error


def need_room(folder: Path, size: int) -> None:
    """Raise ModelError, as of a full disk, if a folder has no room for so many bytes."""
    with disk(folder):
        if shutil.disk_usage(folder).free < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
