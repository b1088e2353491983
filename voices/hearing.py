# SPDX-License-Identifier: GPL-3.0-or-later
"""Words -> every meaning they can have, best first; no piece, file or rank word is ever dropped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from voices import written
from voices.lexicon import (
    FILES,
    LANGUAGES,
    RANKS,
    Vocabulary,
    fold,
    lexicon,
    spellings,
    split_command,
    vocabulary,
    words_of,
)
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
    Reading,
    Side,
)

LONGEST = 200  # characters; the longest announcement has about 80
_MOST_COMBINATIONS = 500  # ways to understand the words of one utterance

_MOVE_NUMBER = re.compile(r"^\d{1,3}\s*\.+\s*(?=\S)")

# One sign for each kind of word, so that an announcement is one regular expression.
_SIGNS = {
    "piece": "p",
    "plural": "p",
    "file": "f",
    "rank": "r",
    "castling": "c",
    "capture": "x",
    "check": "+",
    "mate": "#",
    "en_passant": "e",
    "promotion": "=",
    "yes": "y",
    "no": "n",
    "command": "!",
}
_MOVE = re.compile(
    r"(?P<piece>p)?(?P<ofile>f)?(?P<orank>r)?(?P<capture>x)?(?P<tfile>f)(?P<trank>r)"
    r"(?:=?(?P<promotion>p)|(?P<ep>e))?(?P<check>[+#])?"
)
_PAWN_TAKES = re.compile(r"(?P<ofile>f)(?P<capture>x)?(?P<tfile>f)(?P<check>[+#])?")
_CASTLING = re.compile(r"(?P<side>c)(?P<check>[+#])?")
_COMMAND = re.compile(r"(?P<command>!)(?P<piece>p)?(?P<file>f)?(?P<rank>r)?")
_CHECKS = {None: Check.NONE, "check": Check.CHECK, "mate": Check.MATE}


@dataclass(frozen=True, slots=True)
class _Lexeme:
    """A word or phrase as one of the things that it can stand for."""

    sign: str
    value: str


@dataclass(frozen=True, slots=True)
class _Words:
    """Spelled phrases -> what they can stand for, with the phrases that say nothing."""

    meanings: dict[tuple[str, ...], tuple[_Lexeme, ...]]
    fillers: frozenset[tuple[str, ...]]
    longest: int


def read(text: str, language: str) -> tuple[Reading, ...]:
    """Every meaning of what was typed or recognised, best first; empty when it has none.

    The FIDE words and those of `language` come first. The other languages are likely only where these
    say nothing: "no" is an answer in English, but a filler in Portuguese.
    """
    if len(text) > LONGEST:
        return ()
    text = "".join(" " if unicodedata.category(c).startswith(("C", "Z")) else c for c in text).strip()
    text = _MOVE_NUMBER.sub("", text)
    found: dict[Meaning, bool] = {}
    for reading in written.read(text, lexicon(language)):
        found.setdefault(reading.meaning, reading.likely)
    if any(found.values()):
        return _sorted(found)
    words = _split(text)
    for reading in _understand(words, ("fide", language)):
        found.setdefault(reading.meaning, reading.likely)
    own = any(found.values())
    for other in LANGUAGES:
        if other != language:
            for reading in _understand(words, ("fide", other)):
                found.setdefault(reading.meaning, reading.likely and not own)
    return _sorted(found)


def _sorted(found: dict[Meaning, bool]) -> tuple[Reading, ...]:
    return tuple(sorted((Reading(m, likely) for m, likely in found.items()), key=lambda r: not r.likely))


def _split(text: str) -> tuple[str, ...]:
    """Words of an utterance; a square written together ("g1", "g1f3") counts as its parts."""
    text = re.sub(r"\be\.?\s?p\.", " en passant ", fold(text))
    text = re.sub(r"\b([a-h])([1-8])(?=\b|[a-h][1-8]\b)", r" \1 \2 ", text)
    text = re.sub(r"\b([a-h])([1-8])\b", r" \1 \2 ", text)
    return words_of(text)


def _understand(words: tuple[str, ...], names: tuple[str, ...]) -> Iterator[Reading]:
    """The readings in some vocabularies; a filler that is also a word is kept where that makes sense."""
    table = _table(names)
    strict = list(_meanings(words, table, drop_words=False))
    yield from (Reading(meaning) for meaning in strict)
    for meaning in _meanings(words, table, drop_words=True):
        if meaning not in strict:
            yield Reading(meaning, likely=not strict)


def _meanings(words: tuple[str, ...], table: _Words, *, drop_words: bool) -> Iterator[Meaning]:
    for lexemes in islice(_combinations(words, table, drop_words=drop_words), _MOST_COMBINATIONS):
        meaning = _meaning(lexemes)
        if meaning is not None:
            yield meaning


def _combinations(
    words: tuple[str, ...], table: _Words, *, drop_words: bool
) -> Iterator[tuple[_Lexeme, ...]]:
    """Every way to take the words as phrases that stand for something; fillers stand for nothing."""
    if not words:
        yield ()
        return
    for length in range(min(table.longest, len(words)), 0, -1):
        phrase, rest = words[:length], words[length:]
        heads: list[tuple[_Lexeme, ...]] = [(lexeme,) for lexeme in table.meanings.get(phrase, ())]
        if phrase in table.fillers and (drop_words or not heads):
            heads.append(())
        if heads:
            tails = list(islice(_combinations(rest, table, drop_words=drop_words), _MOST_COMBINATIONS))
            for head in heads:
                for tail in tails:
                    yield head + tail


@cache
def _table(names: tuple[str, ...]) -> _Words:
    meanings: dict[tuple[str, ...], dict[_Lexeme, None]] = {}
    fillers: set[tuple[str, ...]] = set()
    for name in names:
        for phrase, lexeme in _lexemes(vocabulary(name)):
            for spelled in _spelled(words_of(phrase)):
                meanings.setdefault(spelled, {})[lexeme] = None
        for phrase, value in vocabulary(name).all("mark"):
            if value == "filler":
                fillers.update(_spelled(words_of(phrase)))
    return _Words(
        {phrase: tuple(lexemes) for phrase, lexemes in meanings.items()},
        frozenset(fillers),
        max(map(len, meanings)),
    )


def _lexemes(words: Vocabulary) -> Iterator[tuple[str, _Lexeme]]:
    for section in ("piece", "plural", "file", "rank", "castling"):
        for phrase, value in words.all(section):
            yield phrase, _Lexeme(_SIGNS[section], value)
    for section in ("mark", "answer"):
        for phrase, value in words.all(section):
            if value != "filler":
                yield phrase, _Lexeme(_SIGNS[value], value)
    for phrase, value in words.all("command"):
        literal, slots = split_command(phrase)
        yield literal, _Lexeme(_SIGNS["command"], " ".join((value, *slots)))
    yield from ((letter, _Lexeme("f", letter)) for letter in FILES)
    yield from ((digit, _Lexeme("r", digit)) for digit in RANKS)


def _spelled(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return product(*(sorted(spellings(word)) for word in words))


def _meaning(lexemes: tuple[_Lexeme, ...]) -> Meaning | None:
    """The one meaning of a sequence of lexemes, or None when they make no sense together."""
    signs = "".join(lexeme.sign for lexeme in lexemes)
    if signs in {"y", "n"}:
        return Answer(signs == "y")
    if signs == "r":
        return Number(int(lexemes[0].value))
    if signs == "p":
        return PieceNamed(Piece(lexemes[0].value))
    for pattern, build in _BUILDERS:
        if found := pattern.fullmatch(signs):
            said = {
                name: lexemes[found.start(name)].value for name, sign in found.groupdict().items() if sign
            }
            return build(said)
    return None


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


def _castling(said: dict[str, str]) -> Meaning | None:
    return Castling(Side(said["side"]), _CHECKS[said.get("check")])


def _command(said: dict[str, str]) -> Meaning | None:
    name, *slots = said["command"].split()
    wanted = {part for slot in slots for part in (("file", "rank") if slot == "square" else (slot,))}
    if wanted != said.keys() - {"command"}:
        return None
    return Command(CommandName(name), _piece(said.get("piece")), Place(said.get("file"), said.get("rank")))


def _piece(value: str | None) -> Piece | None:
    return Piece(value) if value else None


_BUILDERS = ((_MOVE, _move), (_PAWN_TAKES, _move), (_CASTLING, _castling), (_COMMAND, _command))
