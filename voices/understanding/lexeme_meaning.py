# SPDX-License-Identifier: GPL-3.0-or-later
"""Lexemes one after the other -> the one meaning that they have together, if any."""

from __future__ import annotations

import re
from collections.abc import Callable

from voices.meaning import (
    Answer,
    Castling,
    Check,
    ColourNamed,
    Command,
    CommandName,
    Meaning,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Place,
    Side,
)
from voices.understanding.lexemes import SIGNS, Lexeme
from voices.words.lexicon import RANKS

_MOVE = (
    r"(?P<piece>p)?(?P<ofile>f)?(?P<orank>r)?(?P<capture>x)?(?P<tfile>f)(?P<trank>r)"
    r"(?:=?(?P<promotion>p)|(?P<ep>e))?(?P<check>[+#])?"
)
_DIGITS = r"[rd]{1,4}"
_PAWN_TAKES = r"(?P<ofile>f)(?P<capture>x)?(?P<tfile>f)(?P<check>[+#])?"
_CASTLING = r"(?P<side>c)(?P<check>[+#])?"
_PIECE = r"(?P<before>w)?(?P<piece>p)(?P<after>w)?"
_ANSWER = r"(?P<before>w)?(?P<answer>[yn])(?P<after>w)?"
_COMMAND = (
    r"(?P<command>!)(?P<before>w)?(?P<piece>p)?(?P<after>w)?(?P<file>f)?(?P<digits>[rd]{1,3}|N)?(?P<tail>~)?"
)
_HELP_ON = r"(?P<command>!)(?P<about>!)p?f?(?:[rd]{1,3}|N)?~?"
# What was said if a part is missing: a target without its file or rank, or nothing after "takes".
_PART = (
    r"(?P<piece>p)?(?P<ofile>f)?(?P<orank>r)?(?P<capture>x)?(?:(?P<tfile>f)|(?P<trank>r))"
    r"(?:=?(?P<promotion>p)|(?P<ep>e))?(?P<check>[+#])?"
)
_TAKES = r"(?P<piece>p)?(?P<ofile>f)?(?P<orank>r)?(?P<capture>x)(?P<ep>e)?(?P<check>[+#])?"
_CASTLES = r"(?P<side>k)(?P<check>[+#])?"
_GIVES_CHECK = r"(?P<piece>p)(?P<check>[+#])"
# The commands that can be about the pieces, or the clock, of one side, or be its own.
_OF_A_SIDE = frozenset(
    {
        CommandName.PIECES,
        CommandName.TOUCHED,
        CommandName.CLOCK,
        CommandName.RESIGN,
        CommandName.WEB_REVOKE,
        CommandName.WEB_CODE,
    }
)
_CHECKS = {None: Check.NONE, "check": Check.CHECK, "mate": Check.MATE}


def meaning_of(lexemes: tuple[Lexeme, ...], builders: Builders) -> Meaning | None:
    """The single meaning of a sequence of lexemes, or None if they make no sense together."""
    signs = "".join(lexeme.sign for lexeme in lexemes)
    if signs == SIGNS["count"] or re.fullmatch(_DIGITS, signs):
        return Number(int("".join(lexeme.value for lexeme in lexemes)))
    if signs == "w":
        return ColourNamed(lexemes[0].value)
    for pattern, build in builders:
        if found := re.fullmatch(pattern, signs):
            return build(
                {name: _value(lexemes, found.span(name)) for name, sign in found.groupdict().items() if sign}
            )
    return None


def _value(lexemes: tuple[Lexeme, ...], span: tuple[int, int]) -> str:
    """What some lexemes stand for: one, or the digits of a number."""
    return "".join(lexeme.value for lexeme in lexemes[slice(*span)])


def _move(said: dict[str, str]) -> Meaning | None:
    return MovePattern(
        Place(said["tfile"], said.get("trank")),
        _piece(said.get("piece")) if "trank" in said else Piece.PAWN,
        Place(said.get("ofile"), said.get("orank")),
        capture="capture" in said or "trank" not in said,
        promotion=_piece(said.get("promotion")),
        en_passant="ep" in said,
        check=_CHECKS[said.get("check")],
    )


def _part(said: dict[str, str]) -> Meaning | None:
    """An incomplete announcement; without a piece, it needs at least a file."""
    piece, promotion = _piece(said.get("piece")), _piece(said.get("promotion"))
    origin = Place(said.get("ofile"), said.get("orank"))
    if not piece and (not (origin.file or "tfile" in said) or (origin.rank and not origin.file)):
        return None
    if promotion and piece not in (None, Piece.PAWN):
        return None
    return MovePattern(
        Place(said.get("tfile"), said.get("trank")),
        piece,
        origin,
        capture="capture" in said,
        promotion=promotion,
        en_passant="ep" in said,
        check=_CHECKS[said.get("check")],
    )


def _castling(said: dict[str, str]) -> Meaning | None:
    return Castling(Side(said["side"]), _CHECKS[said.get("check")])


def _piece_named(said: dict[str, str]) -> Meaning | None:
    """A piece, perhaps of a side that is named before or after it."""
    colours = _colours(said)
    return PieceNamed(Piece(said["piece"]), "".join(colours)) if len(colours) <= 1 else None


def _answer(said: dict[str, str]) -> Meaning | None:
    """A yes or no, perhaps of a side that is named before or after it."""
    colours = _colours(said)
    return Answer(said["answer"] == "yes", *colours) if len(colours) <= 1 else None


def _colours(said: dict[str, str]) -> list[str]:
    """Take out the colours that were named."""
    return [said.pop(place) for place in ("before", "after") if place in said]


def _command(said: dict[str, str]) -> Meaning | None:
    name, choice, slots = _ordered(said.pop("command"))
    colours = _colours(said)
    if len(colours) > (name in _OF_A_SIDE):
        return None
    wanted = {part for slot in slots for part in (("file", "rank") if slot == "square" else (slot,))}
    if digits := said.pop("digits", None):
        said["number" if "number" in wanted else "rank"] = digits
    if tail := said.pop("tail", None):
        said[tail] = tail
    if wanted != said.keys() or said.get("rank") not in (None, *RANKS):
        return None
    number = int(said["number"]) if "number" in said else None
    place = Place(said.get("file"), said.get("rank"))
    colour = "".join(colours)
    return Command(name, _piece(said.get("piece")), place, colour, number=number, choice=choice)


def _help_on(said: dict[str, str]) -> Meaning | None:
    """Help on a command, possibly with what the command is about ("help where are the knights")."""
    name, _, _ = _ordered(said["command"])
    about, choice, _ = _ordered(said["about"])
    return Command(name, about=about, choice=choice) if name is CommandName.HELP else None


def _ordered(value: str) -> tuple[CommandName, str, list[str]]:
    """What the lexeme of a command stands for: its name, what is chosen, and its slots."""
    head, *slots = value.split()
    name, _, choice = head.partition(":")
    return CommandName(name), choice, slots


def _piece(value: str | None) -> Piece | None:
    return Piece(value) if value else None


Builders = tuple[tuple[str, Callable[[dict[str, str]], Meaning | None]], ...]
WHOLE: Builders = (
    (_MOVE, _move),
    (_PAWN_TAKES, _move),
    (_CASTLING, _castling),
    (_COMMAND, _command),
    (_ANSWER, _answer),
    (_PIECE, _piece_named),
    (_HELP_ON, _help_on),
)
PARTS: Builders = ((_PART, _part), (_TAKES, _part), (_CASTLES, _castling))
TYPED_PARTS: Builders = (*PARTS, (_GIVES_CHECK, _part))
