# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of downloaded speech models: each is there completely, or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

from voices.file_lock import lock
from voices.models.archive import unpack
from voices.models.catalogue import Model, is_name
from voices.models.download import PATIENCE_S, Progress, download
from voices.models.errors import ModelError, disk
from voices.models.installed import is_model

_HOPELESS = frozenset({"damaged", "unsafe", "no_model"})  # the downloaded part is useless


def installed(folder: Path) -> tuple[str, ...]:
    """The names of the models in the folder, sorted."""
    with disk(folder):
        found = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
        return tuple(name for name in found if is_name(name) and is_model(folder / name))


def install(model: Model, folder: Path, progress: Progress, timeout_s: float = PATIENCE_S) -> Path:
    """Download, check and unpack a model; returns its folder. A model that is already there is left alone.

    An interrupted download stays as `NAME.MD5.part`, and is resumed the next time if its content matches the
    list, otherwise restarted. Raises ModelError, and leaves nothing else behind.
    """
    goal = folder / model.name
    part = folder / f"{model.name}.{model.md5}.part"
    with disk(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with _own(part, model.name) as file:
        try:
            if not is_model(goal):
                _sweep(folder, model.name, part)
                _fetch(model, file, progress, timeout_s)
                _unpack(file, model, goal)
        except ModelError as error:
            if error.kind in _HOPELESS:
                file.truncate(0)
            raise
        file.truncate(0)
    return goal


def remove(folder: Path, name: str) -> None:
    """Remove a model, and what is left of a download of it. Raises ModelError "not_installed"."""
    goal = folder / name
    if not is_name(name) or not (goal.exists() or goal.is_symlink() or any(folder.glob(_parts_of(name)))):
        raise ModelError("not_installed", name=name)
    _sweep(folder, name, None)
    with disk(folder):
        _destroy(goal)


def _fetch(model: Model, file: FileIO, progress: Progress, timeout_s: float) -> None:
    """The archive that the list promises; if a resumed download is wrong, it is downloaded once more."""
    while True:
        begun = file.seek(0, 2) > 0
        download(model.address, file, model.size, progress, timeout_s)
        if _md5(file) == model.md5:
            return
        if not begun:
            raise ModelError("damaged", address=model.address)
        file.truncate(0)


def _md5(file: FileIO) -> str:
    with disk(Path(file.name).parent):
        file.seek(0)
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _unpack(file: FileIO, model: Model, goal: Path) -> None:
    """Unpack next to the goal, and move it there when it is complete."""
    beside = goal.with_name(f".{model.name}.unpacking")
    try:
        unpack(file, model.size, beside)
        with disk(goal.parent):
            found = next(filter(is_model, (beside, *sorted(beside.iterdir()))), None)
            if found is None:
                raise ModelError("no_model")
            _destroy(goal)
            found.rename(goal)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _destroy(path: Path) -> None:
    """Take anything out of sight at once, and then delete it. Raises OSError."""
    away = path.with_name(f".{path.name}.removed")
    with contextlib.suppress(FileNotFoundError):
        path.rename(away)
    _delete(away)


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _sweep(folder: Path, name: str, part: Path | None) -> None:
    """Delete what a crash or an older list has left of a model, except one part. Raises ModelError."""
    with disk(folder):
        for left in folder.glob(_parts_of(name)):
            if left != part:
                with _own(left, name) as file:
                    file.truncate(0)
        for what in ("unpacking", "removed"):
            _delete(folder / f".{name}.{what}")


def _parts_of(name: str) -> str:
    return f"{name}.{'[0-9a-f]' * 32}.part"


@contextlib.contextmanager
def _own(part: Path, name: str) -> Iterator[FileIO]:
    """The file of a download for this program alone, created if need be; deleted if it is empty at the end.

    Raises ModelError "busy" while another program has it.
    """
    with disk(part.parent):
        part.touch()
        file = FileIO(part, "r+")
    with file:
        try:
            lock(file.fileno(), waits=False)  # two downloads at a time would end in a wrong checksum
        except BlockingIOError as error:
            raise ModelError("busy", name=name) from error
        try:
            yield file
        finally:
            with disk(part.parent):
                if not file.seek(0, 2):
                    file.close()
                    part.unlink(missing_ok=True)
