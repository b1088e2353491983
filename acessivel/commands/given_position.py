# SPDX-License-Identifier: GPL-3.0-or-later
"""The position that an option gives, as a FEN."""

from __future__ import annotations

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.rules import chess960
from acessivel.rules.position import BadFenError, Position


def position_of(fen: str | None, variant: str = chess960.STANDARD) -> Position:
    """The position of a FEN, or the initial one without it. Raises UserError if the FEN is invalid."""
    try:
        return Position.start(fen, variant)
    except BadFenError as error:
        raise UserError(Message.of("bad_fen", fen=str(fen)[:100], reasons=error.reasons)) from error
