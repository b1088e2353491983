# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors that the user can mend: each with its sentence, and the system's reasons in words."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from acessivel.message import Message

# errno -> why a file cannot be read, and why it cannot be written.
_REASONS: Mapping[int, tuple[str, str]] = {
    errno.EACCES: ("reason_not_allowed", "reason_read_only"),
    errno.EPERM: ("reason_not_allowed", "reason_read_only"),
    errno.EISDIR: ("reason_folder", "reason_folder"),
    errno.ENOENT: ("reason_not_there", "reason_no_folder"),
    errno.ENOTDIR: ("reason_not_there", "reason_no_folder"),
    errno.EEXIST: ("reason_other", "reason_no_folder"),
    errno.EROFS: ("reason_other", "reason_read_only"),
    errno.ENOSPC: ("reason_other", "reason_full"),
    errno.EDQUOT: ("reason_other", "reason_full"),
    errno.EFBIG: ("reason_other", "reason_full"),
}
_OTHER = ("reason_other", "reason_other")


class UserError(Exception):
    """An error that the user can mend; the message says what to do."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


def reason(error: OSError, doing: Literal["reading", "writing"]) -> Message:
    """Why a file cannot be read or written, as part of a sentence."""
    reading, writing = _REASONS.get(error.errno or 0, _OTHER)
    return Message.of(reading if doing == "reading" else writing)


def is_full(error: Exception) -> bool:
    """Whether there was no room left to write."""
    return isinstance(error, OSError) and reason(error, "writing") == Message.of("reason_full")


def trace(error: BaseException) -> str:
    """Where an unexpected error arose, for the log: its kind and its calls, without its words.

    The words of an error can be those that somebody said or typed.
    """
    import traceback  # noqa: PLC0415 - most runs have no such error

    calls = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{calls}"


def cannot_read(error: OSError, source: str) -> UserError:
    """Say that a file cannot be read, and why."""
    return UserError(Message.of("cannot_read", file=source, reason=reason(error, "reading")))


def cannot_write(error: OSError, file: Path) -> UserError:
    """Say that a file cannot be written, and why."""
    return UserError(Message.of("cannot_write", file=str(file), reason=reason(error, "writing")))
