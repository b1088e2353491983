# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines of a PGN file, counted, for `chess.pgn`: it skips what it does not know, and this is noted here.

A line that is not UTF-8 is in Windows' Latin-1.
"""

from __future__ import annotations

import codecs
import re
from typing import BinaryIO

import chess.pgn

from acessivel.rules.scores import DASHES

_LONGEST = 1 << 20  # bytes of a line: a longer one is no PGN, and would fill the memory
_SHOWN = 40  # characters of what cannot be read
# Signs of print -> those of PGN; figurines come with marks that choose their form.
_SIGNS = str.maketrans(
    dict(zip("♔♕♖♗♘♚♛♜♝♞", "KQRBN" * 2, strict=True))
    | dict.fromkeys("♙♟\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}", "")
    | DASHES
    | {"½": "1/2"}
)
_TAG = re.compile(r'\[[A-Za-z0-9][\w+#=:-]*\s+"')  # how a line with a tag begins
# A tag, and comments behind it, which `chess.pgn` does not take there.
_REMARKED = re.compile(rf'^({_TAG.pattern}(?:[^"\\]|\\.)*"\])\s*(?:\{{[^}}]*\}}\s*)*(?:;.*)?$')
_RESULT = re.compile(r"(?:^|\s)(?:1-0|0-1|1/2-1/2|\*)\s*$")
_CASTLING = re.compile(r"\bo-o(?:-o)?\b")
_PARTS = re.compile(r"\{[^}]*\}?|;.*|[^{;]+")  # comments, and what is between them
_PARTED = re.compile(r"[\s()]")
# How a move or a result begins, after a number or not.
_CUT = re.compile(
    r"(?:\d+\.+)?"
    r"(?:[NBRQK][a-h]?[1-8]?x?[a-h]?|[a-h](?:x[a-h]?)?|[O0](?:-[O0])?-?|[01]-|1/(?:2-(?:1/?)?)?|[$])"
)
# What has a meaning in the moves, and what changes nothing there: numbers, signs after a move, "e.p.", a "P".
_READ = re.compile(
    rf"""(?:
    (?![?!])(?:{chess.pgn.MOVETEXT_REGEX.pattern})
    |\s
    |[?!]+(?!\w)
    |1/2
    |\d+
    |[.…]
    |(?:[+\#=±∓⩲⩱∞□†‡]|-(?=/?\+))[-+/\#=±∓⩲⩱∞□†‡]*(?!\w)
    |e\.?p\b
    |P(?=[a-h])
    )*""",
    re.DOTALL | re.VERBOSE,
)


class PgnLines:
    """The lines of a file as `chess.pgn` reads them, the moves in its letters.

    `number`: of the last line; `stray`: the first line of the game where something else stands, and what.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.number = 0
        self.too_long = False
        self._held = ""
        self.begin_game()

    def begin_game(self) -> None:
        """What follows are the tags of the next game."""
        self.stray: tuple[int, str] | None = None
        self._in_moves = self._in_comment = False
        self._between = True  # nothing but comments stands before this, or a result does

    def readline(self) -> str:
        """The next line; "" at the end of the file, and where PGN cannot continue.

        The tags of the next game end this one like an empty line.
        """
        if held := self._held:
            self._held = ""
            return self._read(held)
        raw = self._file.readline(_LONGEST)
        self.number += bool(raw)
        if len(raw) == _LONGEST:
            self.too_long = True
        if self.too_long:
            return ""
        raw = raw.removeprefix(codecs.BOM_UTF8)  # also where several files were put together
        try:
            return self._read(raw.decode())
        except UnicodeDecodeError:
            return self._read(raw.decode("cp1252", "replace"))  # Latin-1 has control characters for … — €

    def _read(self, line: str) -> str:
        """A line with its moves in the letters of `chess.pgn`; tags and comments stay as they are."""
        if not self._in_comment:
            if line.isspace() or line.startswith(("%", ";")):
                return line
            if self._between and _TAG.match(line) and self._in_moves:
                self._held = line
                return "\n"
            if line.startswith("[") and not self._in_moves:
                return self._tag(line)
            self._in_moves = True
        comment, closed, moves = line.partition("}") if self._in_comment else ("", "", line)
        if self._in_comment and not closed:
            return line
        self._in_comment = False
        read = comment + closed
        for part in _PARTS.finditer(moves):
            text = part[0]
            self._in_comment = text.startswith("{") and "}" not in text
            read += text if text.startswith(("{", ";")) else self._moves(text, last=part.end() == len(moves))
        return read

    def _tag(self, line: str) -> str:
        """A line with a tag, without comments behind it; one that has none is noted."""
        self._between = False
        line = _REMARKED.sub(r"\1", line)
        if not chess.pgn.TAG_REGEX.match(line.replace("\r", "")):
            self.stray = self.stray or (self.number, line.strip()[:_SHOWN])
        return line

    def _moves(self, text: str, *, last: bool) -> str:
        """Moves in the letters of `chess.pgn`; the first that is none and no sign of PGN is noted.

        `last`: the line ends with them; without a line break they may be cut off, as the whole file then is.
        """
        text = _CASTLING.sub(lambda castling: castling[0].upper(), text.translate(_SIGNS))
        read = _READ.match(text)
        if read and read.end() < len(text) and not self.stray:
            before, after = (_PARTED.split(part) for part in (text[: read.end()], text[read.end() :]))
            word = f"{before[-1]}{after[0]}"
            if not (last and len(after) == 1 and _CUT.fullmatch(word)):
                self.stray = (self.number, word[:_SHOWN])
        if not text.isspace():
            self._between = bool(_RESULT.search(text))
        return text
