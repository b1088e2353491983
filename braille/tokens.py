# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a game record, in print -> cells of a chess code, and back without loss.

A token is a move in SAN with English letters, also with both squares ("Nb1xc3"), and with " e.p.", one of the
marks ! ? !! ?? !? ?!, and the offer of a draw "(=)" after it; "--" (no move made, in analysis); one of these
additions alone; the number of a move ("12." or, before a move of Black, "12..."); a result; a time on the
clock ("1:02:03"); the number of a comment in PGN ("$14"); a command of PGN for programs ("[%eval 0.17]"), in
the spelling of words; "(" or ")" around a variation.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from braille.patterns import BLANK
from braille.spelling import Spelling, SpellingError

PIECES = "KQRBN"
FILES = "abcdefgh"
MARKS = ("!!", "??", "!?", "?!", "!", "?")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
CASTLINGS = ("O-O-O", "O-O", "--")
NUMBER_ENDS = ("...", ".")
BRACKETS = ("(", ")")
OFFER = "(=)"
# Every sign that a code may write in its own way; "number" and "letter" stand before digits, and before
# a letter that would be mistaken for one; rows of signs: the ranks, the digits of move numbers, all others.
SIGNS = (
    *PIECES,
    *MARKS,
    *RESULTS,
    *CASTLINGS,
    *NUMBER_ENDS,
    *BRACKETS,
    *"x+#=:$",
    "x+",
    "e.p.",
    "(=)",
    "number",
    "letter",
)
ROWS = {"ranks": "12345678", "digits": "0123456789", "numerals": "0123456789"}

_ADDED = r"(?P<ep> ?e\.p\.)?(?P<mark>!!|\?\?|!\?|\?!|[!?])?(?P<offer> ?\(=\))?"
_MOVE = re.compile(
    rf"(?:(?P<castling>O-O-O|O-O|--)|(?P<piece>[{PIECES}])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<takes>x)?"
    rf"(?P<to_file>[a-h])(?P<to_rank>[1-8])(?:=(?P<promotion>[QRBN]))?)(?P<check>[+#])?{_ADDED}"
)
_ADDITION = re.compile(_ADDED)
_NUMBER = re.compile(r"(\d+)(\.\.\.|\.)", re.ASCII)
_CLOCK = re.compile(r"(\d+):(\d\d):(\d\d)(?:\.(\d+))?", re.ASCII)
_COMMENT = re.compile(r"\$(\d+)", re.ASCII)
_COMMAND = "[%"

_SQUARES = ("piece?", "file?", "rank?", "before_target?", "to_file", "to_rank", "promotion?", "after?")
_CASTLES = ("before?", "castling", "after?")
_ADDITIONS = ("ep?", "mark?", "offer?")


class TokenError(ValueError):
    """Cells that are not a token of the code (`cells`), which begin at `place` in the text that was read."""

    def __init__(self, cells: str, place: int = 0) -> None:
        super().__init__(cells)
        self.cells = cells
        self.place = place


class Tokens:
    """The tokens of one code.

    `signs` has the cells of every name in SIGNS, of the files, and of each sign of a row as "ranks 1". With
    `check_first` a check is written before the target square, or with a capture ("x+"), and mate at the end.
    """

    def __init__(self, signs: Mapping[str, str], spelling: Spelling, *, check_first: bool) -> None:
        self._signs = signs
        self._spelling = spelling
        self._check_first = check_first
        self._parts = self._of_parts()
        self._meanings = {
            part: {cells: sign for sign, cells in written.items()} for part, written in self._parts.items()
        }
        self._compile()

    def write(self, token: str) -> str:
        """The cells of a token. Raises ValueError if it is not one."""
        if token in RESULTS or token in BRACKETS:
            return self._signs[token]
        if found := _MOVE.fullmatch(token) or (_ADDITION.fullmatch(token) if token else None):
            return self._move(found.groupdict())
        if found := _NUMBER.fullmatch(token):
            return self.digits(found[1]) + self._signs[found[2]]
        if found := _CLOCK.fullmatch(token):
            hours, minutes, seconds, parts = found.groups()
            text = self._signs[":"].join(map(self._number, (hours, minutes, seconds)))
            return text + (self._signs[":"] + self._number(parts) if parts else "")
        if found := _COMMENT.fullmatch(token):
            return self._signs["$"] + self._number(found[1])
        if token.startswith(_COMMAND) and token.endswith("]"):
            return self._spelling.write(token)
        raise ValueError(f"no token: {token!r}")

    def read(self, cells: str) -> str:
        """The token of some cells, as `write` takes it. Raises TokenError if there is none."""
        if cells and (found := self._move_cells.fullmatch(cells)):
            return self._san({name: value for name, value in found.groupdict().items() if value})
        for sign in (*RESULTS, *BRACKETS):
            if cells == self._signs[sign]:
                return sign
        if found := self._clock_cells.fullmatch(cells):
            hours, minutes, seconds, parts = (
                self._digits("numerals", cells or "") for cells in found.groups()
            )
            return f"{hours}:{minutes}:{seconds}" + (f".{parts}" if parts else "")
        if found := self._comment_cells.fullmatch(cells):
            return f"${self._digits('numerals', found[1])}"
        raise TokenError(cells)

    def scan(self, cells: str) -> Iterator[tuple[str, int]]:
        """The tokens of a line with the places where they begin; a number may directly precede its move."""
        place = 0
        while place < len(cells):
            if cells[place] == BLANK:
                place += 1
            elif found := self._number_cells.match(cells, place):
                end = "..." if found[2] == self._signs["..."] else "."
                yield self._digits("digits", found[1]) + end, place
                place = found.end()
            else:
                end_of_word = cells.find(BLANK, place)
                word = cells[place : end_of_word if end_of_word >= 0 else len(cells)]
                try:
                    yield self.read(word), place
                except TokenError as error:
                    command = self.command(cells[place:])
                    if not command:
                        raise TokenError(word, place) from error
                    yield command, place
                    word = self._spelling.write(command)
                place += len(word)

    def command(self, cells: str) -> str:
        """The command of PGN with which some cells begin, "" if they begin with none."""
        text = ""
        with contextlib.suppress(SpellingError):
            for word in cells.split(BLANK):
                text += " " * bool(text) + self._spelling.read(word)
                if not text.startswith(_COMMAND):
                    break
                if text.endswith("]"):
                    return text
        return ""

    def digits(self, number: str) -> str:
        """Digits as in a move number; a diagram counts empty squares with them."""
        return self._row("digits", number)

    def _of_parts(self) -> dict[str, dict[str, str]]:
        """What each part of a move can be, and its cells."""
        signs = self._signs
        ranks = {rank: signs[f"ranks {rank}"] for rank in ROWS["ranks"]}
        parts = {
            "piece": self._named(PIECES),
            "file": self._named(FILES),
            "rank": ranks,
            "before_target": self._named(("x", "+", "x+") if self._check_first else ("x",)),
            "to_file": self._named(FILES),
            "to_rank": ranks,
            "promotion": {f"={piece}": signs["="] + signs[piece] for piece in "QRBN"},
            "before": self._named(("+",)) if self._check_first else {},
            "castling": self._named(CASTLINGS),
            "after": self._named("#" if self._check_first else "+#"),
            "ep": {" e.p.": signs["e.p."]},
            "mark": self._named(MARKS),
            "offer": {OFFER: signs[OFFER]},
        }
        return {name: part for name, part in parts.items() if part}

    def _named(self, names: Sequence[str]) -> dict[str, str]:
        return {name: self._signs[name] for name in names}

    def _move(self, said: Mapping[str, str | None]) -> str:
        """The cells of a move, or of additions alone, by the names of their parts."""
        takes, check = said.get("takes") or "", said.get("check") or ""
        first = check if self._check_first and check == "+" else ""
        chosen = {
            name: said.get(name) or "" for name in ("piece", "file", "rank", "to_file", "to_rank", "castling")
        }
        chosen["before_target"] = "" if chosen["castling"] else takes + first
        chosen["before"] = first if chosen["castling"] else ""
        chosen["promotion"] = f"={said['promotion']}" if said.get("promotion") else ""
        chosen["after"] = "" if first else check
        chosen["ep"] = " e.p." if said["ep"] else ""
        chosen["mark"] = said["mark"] or ""
        chosen["offer"] = OFFER if said["offer"] else ""
        layout = (*(_CASTLES if chosen["castling"] else _SQUARES), *_ADDITIONS)
        names = (name.rstrip("?") for name in layout)
        return "".join(self._parts[name][chosen[name]] for name in names if chosen[name])

    def _san(self, found: Mapping[str, str]) -> str:
        """The move whose parts have these cells."""
        parts = {name.rstrip("_"): self._meanings[name.rstrip("_")][cells] for name, cells in found.items()}
        between = parts.pop("before_target", "") + parts.pop("before", "")
        check = ("+" if "+" in between else "") + parts.pop("after", "")
        if "x" in between:
            parts["takes"] = "x"
        parts["check"] = check
        order = (
            "castling",
            "piece",
            "file",
            "rank",
            "takes",
            "to_file",
            "to_rank",
            "promotion",
            "check",
            "ep",
        )
        return "".join(parts.get(name, "") for name in (*order, "mark", "offer"))

    def _number(self, digits: str) -> str:
        return self._signs["number"] + self._row("numerals", digits)

    def _row(self, row: str, digits: str) -> str:
        return "".join(self._signs[f"{row} {digit}"] for digit in digits)

    def _digits(self, row: str, cells: str) -> str:
        meanings = {self._signs[f"{row} {digit}"]: digit for digit in ROWS[row]}
        return "".join(meanings[cell] for cell in cells)

    def _compile(self) -> None:
        """The expressions that read what `write` writes."""
        squares, castles, added = map(self._layout, (_SQUARES, _CASTLES, _ADDITIONS))
        self._move_cells = re.compile(f"(?:{squares}|{castles})?{added}")
        digit = _one_of(self._signs[f"digits {digit}"] for digit in ROWS["digits"])
        # The blank that ends a number may have become a line end.
        ends = sorted((self._signs[name] for name in NUMBER_ENDS), key=len, reverse=True)
        end = "|".join(f"(?={BLANK}|$)" if end == BLANK else re.escape(end) for end in ends)
        self._number_cells = re.compile(f"({digit}+)({end})")
        number = re.escape(self._signs["number"])
        numeral = _one_of(self._signs[f"numerals {digit}"] for digit in ROWS["numerals"])
        colon = re.escape(self._signs[":"])
        clock = colon.join(f"{number}({numeral}{count})" for count in ("+", "{2}", "{2}"))
        self._clock_cells = re.compile(f"{clock}(?:{colon}{number}({numeral}+))?")
        self._comment_cells = re.compile(f"{re.escape(self._signs['$'])}{number}({numeral}{{1,9}})")

    def _layout(self, names: Sequence[str]) -> str:
        """The expression for some parts in this order; each group name may occur only once in it."""
        text = ""
        for name in names:
            part = name.rstrip("?")
            if part in self._parts:
                group = part + "_" * (part == "after" and names is _CASTLES)
                text += f"(?P<{group}>{_one_of(self._parts[part].values())}){'?' * name.endswith('?')}"
        return text


def _one_of(cells: Iterable[str]) -> str:
    """An expression for any of some cells, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(cells, key=len, reverse=True))) + ")"
