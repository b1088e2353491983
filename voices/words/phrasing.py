# SPDX-License-Identifier: GPL-3.0-or-later
"""A meaning -> the words to speak and to show, in a convention and a language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from voices.meaning import (
    Answer,
    Castling,
    Check,
    ColourNamed,
    Command,
    CommandName,
    Meaning,
    Move,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Place,
)
from voices.speakers import Span
from voices.words.conventions import Way, convention
from voices.words.lexicon import RANKS, Vocabulary, command_parts, split_command, vocabulary

_Term = tuple[str, Vocabulary]
_EXAMPLES = {"square": Place("e", "4"), "file": Place("e"), "rank": Place(rank="4")}


@dataclass(frozen=True, slots=True)
class Phrasing:
    """How a way to announce puts moves and places into words, for the ear (`spoken`) or for the eye.

    Words are the same for both, unless letters are written: then the eye gets "cavalo g1 f3" and the ear
    "cavalo gê um efe três".
    """

    way: Way
    language_words: Vocabulary
    letters: bool = False

    def piece(self, piece: Piece) -> str:
        """The name of a piece."""
        return self.way["piece"].say("piece", piece)

    def place(self, place: Place, *, spoken: bool) -> str:
        """A square, a file or a rank: "Eva vier", "Eva", "vier"; for the eye perhaps "e4"."""
        return _joined(self._place(place, spoken=spoken))

    def move(self, move: Move, *, spoken: bool) -> str:
        """A move as it is announced: everything that is known of it, and the check."""
        return _joined(self._move(move, spoken=spoken))

    def check(self, check: Check) -> Span:
        """How a check or a mate is announced."""
        word = self._check(check)
        return Span(word[0], self._voice(word))

    def without_check(self, move: Move, *, spoken: bool) -> str:
        """A move as it is announced, without "check"."""
        return self.move(replace(move, check=Check.NONE), spoken=spoken)

    def spans(self, said: Move | Place) -> tuple[Span, ...]:
        """A move or a place as it is spoken, in stretches of one language each."""
        if isinstance(said, Place):
            return self._stretches(self._place(said, spoken=True))
        return self._stretches(self._move(said, spoken=True))

    @property
    def language(self) -> str:
        """The language of all announcements, or the user's if they are in several."""
        languages = {self._voice(("", words)) for words in self.way.values()}
        return languages.pop() if len(languages) == 1 else self.language_words.language

    def meaning(self, meaning: Meaning, *, spoken: bool) -> str:
        """Any meaning in words: what the program has understood."""
        match meaning:
            case MovePattern() | Castling():
                return self.move(meaning, spoken=spoken)
            case Answer(yes, colour):
                said = self.language_words.say("answer", "yes" if yes else "no")
                return f"{self.language_words.say('colour', colour)} {said}" if colour else said
            case ColourNamed(colour):
                return self.language_words.say("colour", colour)
            case Number(value):
                return " ".join(self._digit(digit) for digit in str(value))
            case PieceNamed(piece, colour):
                said = self.piece(piece)
                return f"{said} {self.language_words.say('colour', colour)}" if colour else said
            case Command():
                return self._command(meaning, spoken=spoken)

    def _command(self, command: Command, *, spoken: bool) -> str:
        phrase = self._ways(command.name, "" if command.about else command.choice)[0]
        head, slots, tail = command_parts(phrase)
        about = (
            self.language_words.say("colour", command.colour) if command.colour and command.piece else "",
            self.piece(command.piece) if command.piece else "",
            self.place(command.place, spoken=spoken),
            self._number(command.number) if command.number is not None else "",
            split_command(self._ways(command.about, command.choice)[0])[0] if command.about else "",
        )
        words = (head, *about, tail) if slots else (head, tail, *about)
        return " ".join(filter(None, words))

    def example(self, name: CommandName, choice: str = "") -> str:
        """A command as it can be said, about the knights, the square e4, a line through it, the number 5."""
        return self.examples(name, choice)[0]

    def examples(self, name: CommandName, choice: str = "") -> tuple[str, ...]:
        """Every way to say a command with a choice, or without one, each about the same things.

        The first is about the knights, the others about one: "where are knights", "where is knight".
        """
        ways = range(len(self._ways(name, choice)))
        return tuple(_joined(self._example(name, choice, number, spoken=False)) for number in ways)

    def example_spans(self, name: CommandName, choice: str = "", number: int = 0) -> tuple[Span, ...]:
        """One of these examples as it is spoken, in stretches of one language each."""
        return self._stretches(self._example(name, choice, number, spoken=True))

    def _example(self, name: CommandName, choice: str, number: int, *, spoken: bool) -> Iterator[_Term]:
        own = self.language_words
        head, slots, tail = command_parts(self._ways(name, choice)[number])
        yield head, own
        for slot in slots:
            if slot == "piece":
                yield own.say("piece" if number else "plural", Piece.KNIGHT), own
            elif slot == "number":
                yield "5", own
            else:
                yield from self._place(_EXAMPLES[slot], spoken=spoken)
        if tail:
            yield tail, own

    def _ways(self, name: CommandName, choice: str) -> tuple[str, ...]:
        """The phrases that name a choice, or those of a command without one."""
        return tuple(phrase for phrase, chosen in self.language_words.ways(name) if chosen == choice)

    def _number(self, value: int) -> str:
        """A number in the words of the user's language; digit by digit if it has no word for it."""
        words, digits = self.language_words, str(value)
        if digits in words.phrases["count"]:
            return words.say("count", digits)
        return " ".join(words.say("rank" if digit in RANKS else "number", digit) for digit in digits)

    def _digit(self, digit: str) -> str:
        """A digit in the words for ranks; 9 and 0, which are no ranks, in the user's if these lack them."""
        if digit in RANKS:
            return self.way["rank"].say("rank", digit)
        words = self.way["rank"] if "number" in self.way["rank"].phrases else self.language_words
        return words.say("number", digit)

    def _stretches(self, words: Iterator[_Term]) -> tuple[Span, ...]:
        return tuple(
            Span(" ".join(own.read_aloud(text, language) for text, own in stretch), language)
            for language, stretch in groupby(words, self._voice)
        )

    def _voice(self, word: _Term) -> str:
        return word[1].language or self.language_words.language

    def _say(self, section: str, value: str) -> _Term:
        return self.way[section].say(section, value), self.way[section]

    def _check(self, check: Check) -> _Term:
        return self._say("mark", "check" if check is Check.CHECK else "mate")

    def _place(self, place: Place, *, spoken: bool) -> Iterator[_Term]:
        if self.letters and not spoken:
            if place != Place():
                yield str(place), self.way["file"]
            return
        for section, value in (("file", place.file), ("rank", place.rank)):
            if value:
                yield self._say(section, value)

    def _move(self, move: Move, *, spoken: bool) -> Iterator[_Term]:
        if isinstance(move, Castling):
            yield self._say("castling", move.side)
        else:
            if move.piece:
                yield self._say("piece", move.piece)
            if move.origin != Place():
                yield from self._place(move.origin, spoken=spoken)
            if move.capture:
                yield self._say("mark", "capture")
            yield from self._place(move.target, spoken=spoken)
            if move.promotion:
                yield self._say("piece", move.promotion)
            if move.en_passant:
                yield self._say("mark", "en_passant")
        if move.check is not Check.NONE:
            yield self._check(move.check)


def _joined(words: Iterator[_Term]) -> str:
    return " ".join(text for text, _ in words)


@cache
def phrasing(name: str, language: str) -> Phrasing:
    """The phrasing of a convention, as the program speaks, for a user of a language."""
    found = convention(name, language)
    return Phrasing(found.ways[0], vocabulary(language), found.letters)
