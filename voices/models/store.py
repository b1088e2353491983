# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of the speech models that this program has fetched: a model is there whole, or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import sys
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

from voices.models.archive import unpack
from voices.models.catalogue import Model, is_name
from voices.models.download import PATIENCE_S, Progress, download
from voices.models.errors import ModelError, disk
from voices.models.installed import is_model

if sys.platform != "win32":
    import fcntl

_HOPELESS = frozenset({"damaged", "unsafe", "no_model"})  # what has come is of no use


def installed(folder: Path) -> tuple[str, ...]:
    """The names of the models in the folder, sorted."""
    with disk(folder):
        found = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
        return tuple(name for name in found if is_name(name) and is_model(folder / name))


def install(model: Model, folder: Path, progress: Progress, timeout_s: float = PATIENCE_S) -> Path:
    """Download a model, check and unpack it; its folder. A model that is there already is left alone.

    An interrupted download stays as `NAME.MD5.part`, and goes on the next time: its content is what the
    list says it is, or it begins anew. ModelError, with nothing else left behind.
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
    """Take a model away, and what is left of a download of it; ModelError "not_installed"."""
    goal = folder / name
    if not is_name(name) or not (goal.exists() or goal.is_symlink() or any(folder.glob(_parts_of(name)))):
        raise ModelError("not_installed", name=name)
    _sweep(folder, name, None)
    with disk(folder):
        _destroy(goal)


def _fetch(model: Model, file: FileIO, progress: Progress, timeout_s: float) -> None:
    """The archive that the list promises; one that was begun another time and is wrong, once more."""
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
    """Unpack beside the goal, and put it there when it is whole."""
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
    """Take something out of sight at once, and then away, whatever it is; OSError."""
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
    """What a crash or an older list has left of a model, but for one part; ModelError."""
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
    """The file of a download for this program alone, made if need be; empty at the end, it is deleted.

    ModelError "busy" while another program has it.
    """
    with disk(part.parent):
        part.touch()
        file = FileIO(part, "r+")
    with file:
        _lock(file, name)
        try:
            yield file
        finally:
            with disk(part.parent):
                if not file.seek(0, 2):
                    file.close()
                    part.unlink(missing_ok=True)


def _lock(file: FileIO, name: str) -> None:
    if sys.platform == "win32":
        return  # two downloads at a time end in a wrong checksum
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise ModelError("busy", name=name) from error
    except OSError:
        return  # nor does every network's disk have locks
