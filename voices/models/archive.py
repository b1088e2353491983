# SPDX-License-Identifier: GPL-3.0-or-later
"""Unpacks an untrusted archive into a folder of plain files; checks all of it before anything is written."""

from __future__ import annotations

import os
import re
import shutil
import stat
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from voices.models.errors import ModelError, disk, need_room

_MOST_FILES = 10_000
_TIMES = 20  # a model unpacks to two or three times its size
_ENCRYPTED = 0x1
_DEEPEST = 16  # folders; a model has three or four
_LONGEST = 400  # bytes of a path, to which that of our folder comes
_PART = re.compile(r'[^\x00-\x1f\x7f\\/:*?"<>|]{1,200}')

Member = tuple[ZipInfo, tuple[str, ...]]


def unpack(file: IO[bytes], size: int, goal: Path) -> None:
    """Unpack an archive of `size` bytes into a folder that is made for it.

    Everything is checked before anything is written. Raises ModelError: "unsafe" names the first member that
    must not be unpacked, "no_model" is an archive that is broken; part of it may then be in the folder.
    """
    with _broken(), ZipFile(file) as archive:
        members = plan(archive.infolist(), size)
        need_room(goal.parent, sum(info.file_size for info, _ in members))
        with disk(goal.parent):
            goal.mkdir()
            for info, parts in members:
                _write(archive, info, goal.joinpath(*parts))


def plan(infos: Sequence[ZipInfo], size: int) -> tuple[Member, ...]:
    """The members of an archive of `size` bytes, each with its path. Raises ModelError "unsafe"."""
    if len(infos) > _MOST_FILES:
        raise ModelError("unsafe", member=f"{len(infos)} > {_MOST_FILES}")
    members = tuple((info, _parts(info)) for info in infos)
    left = size * _TIMES
    for info, _ in members:
        left -= info.file_size
        if left < 0:
            raise ModelError("unsafe", member=info.filename)
    _check_places(members)
    return members


def _parts(info: ZipInfo) -> tuple[str, ...]:
    """Where a plain file or folder within the goal belongs. Raises ModelError "unsafe" for other members."""
    parts = tuple(info.orig_filename.removesuffix("/").split("/"))
    named = all(_PART.fullmatch(part) and part.isprintable() and part == part.rstrip(". ") for part in parts)
    placed = len(parts) <= _DEEPEST and len(info.orig_filename.encode(errors="replace")) <= _LONGEST
    plain = stat.S_IFMT(info.external_attr >> 16) in (0, stat.S_IFREG, stat.S_IFDIR)
    readable = not info.flag_bits & _ENCRYPTED and info.compress_type in (ZIP_STORED, ZIP_DEFLATED)
    if not (named and placed and plain and readable):
        raise ModelError("unsafe", member=info.filename)
    return parts


def _check_places(members: Iterable[Member]) -> None:
    """Raise ModelError "unsafe" if two members have one place, even if only ignoring capitals and accents."""
    files: set[tuple[str, ...]] = set()
    folders: set[tuple[str, ...]] = set()
    named: set[tuple[str, ...]] = set()
    for info, parts in members:
        place = tuple(unicodedata.normalize("NFC", part).casefold() for part in parts)
        above = {place[:depth] for depth in range(1, len(place))}
        if place in named or above & files or (place in folders and not info.is_dir()):
            raise ModelError("unsafe", member=info.filename)
        named.add(place)
        folders |= above
        (folders if info.is_dir() else files).add(place)


def _write(archive: ZipFile, info: ZipInfo, path: Path) -> None:
    """Write one member safely to disk; with the access rights of any new file, whatever the archive says."""
    if info.is_dir():
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(info) as packed, path.open("xb") as file:
        shutil.copyfileobj(packed, file)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _broken() -> Iterator[None]:
    """The exceptions of `zipfile` for a broken archive, turned into a ModelError."""
    try:
        yield
    except (
        BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        OSError,
    ) as error:
        raise ModelError("no_model") from error
