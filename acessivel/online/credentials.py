# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the token of each server is kept: in the system's keyring, else in a file that others cannot read."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import platformdirs

from acessivel.errors import UserError, reason
from acessivel.message import Message
from acessivel.storage import private_files

_LOG = logging.getLogger(__name__)
_SERVICE = "acessivel"
_PATIENCE_S = 60.0  # a keyring may ask for its password; nobody may be there to see that


def load(server: str) -> str:
    """The token for a server, "" if there is none."""
    return _in_keyring(lambda ring: ring.get_password(_SERVICE, server)) or _read().get(server, "")


def keep(server: str, token: str) -> Literal["keyring", "file"]:
    """Keep the token for a server; returns where. Raises UserError if it can be kept nowhere."""

    def kept(ring: Any) -> bool:
        ring.set_password(_SERVICE, server, token)
        return bool(ring.get_password(_SERVICE, server) == token)

    others = {other: one for other, one in _read().items() if other != server}
    if _in_keyring(kept):
        _write(others)
        return "keyring"
    _write({**others, server: token})
    return "file"


def forget(server: str) -> None:
    """Keep no token for a server any more. Raises UserError if the file cannot be changed."""
    _in_keyring(lambda ring: ring.delete_password(_SERVICE, server))
    others = {other: token for other, token in _read().items() if other != server}
    _write(others, "online_not_forgotten")


def _in_keyring(do: Callable[[Any], Any]) -> Any:
    """What comes of it; None where there is no keyring that does it."""
    done: list[Any] = []

    def work() -> None:
        try:
            import keyring  # noqa: PLC0415 - part of what is needed to play online

            done.append(do(keyring))
        except Exception as error:  # noqa: BLE001 - each keyring has errors of its own, and none is ours
            _LOG.info("no keyring: %s", type(error).__name__)

    thread = threading.Thread(target=work, name="keyring", daemon=True)
    thread.start()
    thread.join(_PATIENCE_S)
    return done[0] if done else None


def _file() -> Path:
    return platformdirs.user_data_path("acessivel") / "logins.json"


def _read() -> dict[str, str]:
    try:
        found = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    entries = found.items() if isinstance(found, dict) else ()
    return {server: token for server, token in entries if isinstance(token, str)}


def _write(tokens: dict[str, str], failed: str = "online_not_kept") -> None:
    """Replace the file at once; without a token there is none. Raises UserError if that has `failed`."""
    file = _file()
    new = file.with_suffix(".new")
    try:
        if not tokens:
            file.unlink(missing_ok=True)
            return
        private_files.make_folder(file.parent)
        new.unlink(missing_ok=True)
        private_files.make_file(new)
        new.write_text(json.dumps(tokens), "utf-8")
        new.replace(file)
    except OSError as error:
        why = reason(error, "writing")
        raise UserError(Message.of(failed, file=str(file), reason=why)) from error
