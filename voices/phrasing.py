# SPDX-License-Identifier: GPL-3.0-or-later
"""A meaning -> the words to speak and to show, in a convention and a language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from voices.lexicon import Vocabulary, split_command, vocabulary
from voices.meaning import (
    Answer,
    Castling,
    Check,
    Command,
    CommandName,
    Meaning,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Place,
)


@dataclass(frozen=True, slots=True)
class Phrasing:
    """How a convention puts moves and places into words, for the ear (`spoken`) or for the eye.

    The FIDE words are the same for both; with letters the eye gets "cavalo g1 f3" and the ear
    "cavalo gê um efe três".
    """

    words: Vocabulary
    language_words: Vocabulary
    by_letter: bool

    @property
    def language(self) -> str:
        """The language whose voice should speak these words."""
        return self.words.language

    def piece(self, piece: Piece) -> str:
        """The name of a piece."""
        return self.words.say("piece", piece)

    def place(self, place: Place, *, spoken: bool) -> str:
        """A square, a file or a rank: "Eva vier", "Eva", "vier"; with letters "e4" for the eye."""
        if self.by_letter and not spoken:
            return str(place)
        parts = (("file", place.file), ("rank", place.rank))
        return " ".join(self.words.say(section, value) for section, value in parts if value)

    def move(self, move: MovePattern | Castling, *, spoken: bool) -> str:
        """A move as it is announced: everything that is known of it, and the check."""
        return " ".join([self.without_check(move, spoken=spoken), *self._check(move.check)])

    def without_check(self, move: MovePattern | Castling, *, spoken: bool) -> str:
        """A move as it is announced, without "check"."""
        if isinstance(move, Castling):
            return self.words.say("castling", move.side)
        parts = []
        if move.piece:
            parts.append(self.piece(move.piece))
        if move.origin != Place():
            parts.append(self.place(move.origin, spoken=spoken))
        if move.capture:
            parts.append(self.words.say("mark", "capture"))
        parts.append(self.place(move.target, spoken=spoken))
        if move.promotion:
            parts.append(self.piece(move.promotion))
        if move.en_passant:
            parts.append(self.words.say("mark", "en_passant"))
        return " ".join(parts)

    def meaning(self, meaning: Meaning, *, spoken: bool) -> str:
        """Any meaning in words: what the program has understood."""
        match meaning:
            case MovePattern() | Castling():
                return self.move(meaning, spoken=spoken)
            case Answer(yes):
                return self.language_words.say("answer", "yes" if yes else "no")
            case Number(value):
                return self.words.say("rank", str(value))
            case PieceNamed(piece):
                return self.piece(piece)
            case Command():
                place = self.place(meaning.place, spoken=spoken)
                parts = (
                    self.command(meaning.name),
                    self.piece(meaning.piece) if meaning.piece else "",
                    place,
                )
                return " ".join(filter(None, parts))

    def command(self, name: CommandName) -> str:
        """The words of a command in the user's language, without the piece or place that it is about."""
        return split_command(self.language_words.say("command", name))[0]

    def example(self, name: CommandName) -> str:
        """A command as it may be said, about the knights, the square e4 or a line through it."""
        literal, slots = split_command(self.language_words.say("command", name))
        about = {
            "piece": self.language_words.say("plural", Piece.KNIGHT),
            "square": self.place(Place("e", "4"), spoken=False),
            "file": self.place(Place("e"), spoken=False),
            "rank": self.place(Place(rank="4"), spoken=False),
        }
        return " ".join((literal, *(about[slot] for slot in slots)))

    def _check(self, check: Check) -> list[str]:
        marks = {Check.CHECK: ["check"], Check.MATE: ["mate"], Check.NONE: []}[check]
        return [self.words.say("mark", mark) for mark in marks]


@cache
def phrasing(convention: str, language: str) -> Phrasing:
    """The phrasing of a convention ("fide" or "letters") for a user of a language."""
    own = vocabulary(language)
    if convention == "letters":
        return Phrasing(own, own, by_letter=True)
    return Phrasing(vocabulary(convention), own, by_letter=False)
