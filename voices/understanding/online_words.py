# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said to play online, between the games: read, and as a grammar of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import TypeVar

from voices.grammar import grammar
from voices.meaning import PREFERENCES, ColourNamed, Command, CommandName, Number
from voices.understanding import phrase_table
from voices.understanding.meanings import LONGEST, read
from voices.understanding.phrase_table import PhraseTable
from voices.words.lexicon import Vocabulary, plain, vocabulary

V = TypeVar("V")

# What can be said beside the orders; all other commands need a game.
ONLINE_COMMANDS = frozenset({CommandName.REPEAT, CommandName.HELP, CommandName.STOP}) | PREFERENCES


class OnlineWord(StrEnum):
    """What is ordered between the games, and what is said about a game; the words are in `online/*.toml`."""

    SEEK = "seek"
    CHALLENGE = "challenge"
    GAMES = "games"
    NEXT_GAME = "next_game"
    CHALLENGES = "challenges"
    ACCEPT = "accept"
    DECLINE = "decline"
    COMPUTER = "computer"
    LINK = "link"
    WATCH = "watch"
    CANCEL = "cancel"
    LOG_IN = "log_in"
    LOG_OUT = "log_out"
    BACK = "back"
    PLUS = "plus"
    DAYS = "days"
    UNLIMITED = "unlimited"
    RATED = "rated"
    CASUAL = "casual"


_OF_A_GAME = (OnlineWord.PLUS, OnlineWord.DAYS, OnlineWord.UNLIMITED, OnlineWord.RATED, OnlineWord.CASUAL)
ORDERS = tuple(word for word in OnlineWord if word not in _OF_A_GAME)
TIMES = ((10, 0), (10, 5), (15, 10), (30, 0), (30, 20))  # that are often wanted: minutes, seconds a move
# What is heard of times, seconds by minutes, so that few sound alike; all others can be typed.
_CLOCKS = {
    3: (2,), 5: (0, 3), 8: (0,), 10: (0, 5, 10), 15: (0, 10), 20: (0, 10), 25: (0, 10), 30: (0, 10, 20, 30),
    45: (0, 15), 60: (0, 30), 90: (0, 30),
}  # fmt: skip
_DAYS = (1, 2, 3, 5, 7, 10, 14)
_AFTER_A_NAME = (OnlineWord.CHALLENGE, OnlineWord.WATCH)  # also after it, as in "Bob herausfordern"
_WITH_A_NAME = (*_AFTER_A_NAME, OnlineWord.ACCEPT, OnlineWord.DECLINE)
_PARTS = {"¼": 0.25, "½": 0.5, "¾": 0.75}
_TIME = re.compile(r"(\d{1,3}(?:\.\d{1,2})?|[¼½¾])\+(\d{1,3})", re.ASCII)
_RATINGS = re.compile(r"(\d{3,4})-(\d{3,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class WantedGame:
    """What was said about the game that is wanted; None and "" where nothing was.

    `time`: minutes, and seconds a move. `days`: for a move. `unlimited`: no clock at all. `colour`: one's own
    ("white", "black"). `ratings`: the least and the highest of the opponent's.
    """

    time: tuple[float, int] | None = None
    days: int | None = None
    unlimited: bool = False
    rated: bool | None = None
    colour: str = ""
    ratings: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class OnlineOrder:
    """An order, or with `word` None just a number or a kind of game; `name`: whom it is about."""

    word: OnlineWord | None = None
    kind: WantedGame = WantedGame()
    number: int | None = None
    name: str = ""


@dataclass(slots=True)
class _InWords:
    """What was read of the words after the order; `strange`: one of them means nothing."""

    numbers: list[int] = field(default_factory=list)
    words: set[OnlineWord] = field(default_factory=set)
    time: tuple[float, int] | None = None
    ratings: tuple[int, int] | None = None
    colour: str = ""
    name: str = ""
    strange: bool = False


@cache
def words(language: str) -> PhraseTable[OnlineWord]:
    """The words of a language. Raises VocabularyError if there are none, or if they cannot be used."""
    return phrase_table.load("online", "word", OnlineWord, language)


def read_order(text: str, language: str, convention: str) -> OnlineOrder | Command | None:
    """What was typed or heard between the games: an order, one of `ONLINE_COMMANDS`, or neither."""
    given = text[:LONGEST].replace(",", " ").split()
    said = [plain(word.strip(".!?¡¿")) for word in given]
    begins = _longest(said, _phrases(language, ORDERS))
    last = _longest(said[1:], _phrases(language, _AFTER_A_NAME))
    if last and not begins and not _add(_InWords(), said[:1], language):
        begins = last
        given, said = (_name_after(words, last[1]) for words in (given, said))
    word, length = begins or (None, 0)
    found = _read(given[length:], said[length:], language, named=word in _WITH_A_NAME)
    if order := _order(word, found):
        return order
    for reading in read(text, language, convention):
        match reading.meaning:
            case Number(value) if reading.likely:
                return OnlineOrder(number=value)
            case Command(name) if reading.likely and name in ONLINE_COMMANDS:
                return reading.meaning
    return None


def _name_after(given: list[str], length: int) -> list[str]:
    """The words with the first of them, a name, behind an order of so many words."""
    return [*given[1 : length + 1], given[0], *given[length + 1 :]]


def _read(given: Sequence[str], said: Sequence[str], language: str, *, named: bool) -> _InWords:
    """What the words after an order say; `named`: one of them may be a name."""
    found, place = _InWords(), 0
    while place < len(said):
        length = _add(found, said[place:], language)
        if not length and named and not found.name:
            found.name, length = given[place], 1
        if not length:
            found.strange = True
            break
        place += length
    return found


def _add(found: _InWords, said: Sequence[str], language: str) -> int:
    """Take the next words for what is said about a game; returns how many they are, 0 if none."""
    if time := _TIME.fullmatch(said[0]):
        found.time = _PARTS.get(time[1]) or float(time[1]), int(time[2])
    elif ratings := _RATINGS.fullmatch(said[0]):
        found.ratings = int(ratings[1]), int(ratings[2])
    elif said[0].isascii() and said[0].isdigit() and len(said[0]) <= 4:
        found.numbers.append(int(said[0]))
    elif word := _longest(said, _phrases(language, _OF_A_GAME)):
        found.words.add(word[0])
        return word[1]
    elif number := _longest(said, _numbers(language)):
        found.numbers.append(number[0])
        return number[1]
    elif colour := _longest(said, _colours(language)):
        found.colour = colour[0]
        return colour[1]
    else:
        return int(said[0] in _fillers(language))
    return 1


def _order(word: OnlineWord | None, found: _InWords) -> OnlineOrder | None:
    """What an order and the words after it mean; None if they make no sense together."""
    numbers, by_days = found.numbers, OnlineWord.DAYS in found.words
    days = numbers.pop() if by_days and numbers else None
    time = found.time
    if time is None and not by_days and len(numbers) >= 2:
        time = float(numbers[-2]), numbers[-1]
        del numbers[-2:]
    if found.strange or len(numbers) > 1 or (by_days and days is None):
        return None
    rated = {OnlineWord.RATED: True, OnlineWord.CASUAL: False}
    kind = WantedGame(
        time,
        days,
        unlimited=OnlineWord.UNLIMITED in found.words,
        rated=next((rated[word] for word in found.words if word in rated), None),
        colour=found.colour,
        ratings=found.ratings,
    )
    if word is None and kind == WantedGame() and not numbers:
        return None
    return OnlineOrder(word, kind, numbers[0] if numbers else None, found.name)


def _longest(said: Sequence[str], phrases: Mapping[tuple[str, ...], V]) -> tuple[V, int] | None:
    """What the longest of the phrases with which the words begin means, and how many words it has."""
    for length in range(len(said), 0, -1):
        if (beginning := tuple(said[:length])) in phrases:
            return phrases[beginning], length
    return None


@cache
def _phrases(language: str, which: tuple[OnlineWord, ...]) -> Mapping[tuple[str, ...], OnlineWord]:
    table = words(language).phrases
    return {_split(phrase): word for word in which for phrase in table[word]}


@cache
def _numbers(language: str) -> Mapping[tuple[str, ...], int]:
    """The numbers to 99 in the words of a language."""
    own = vocabulary(language)
    return {
        _split(phrase): int(value) for part in ("rank", "number", "count") for phrase, value in own.all(part)
    }


@cache
def _colours(language: str) -> Mapping[tuple[str, ...], str]:
    return {_split(phrase): value for phrase, value in vocabulary(language).all("colour")}


@cache
def _fillers(language: str) -> frozenset[str]:
    return frozenset(plain(phrase) for phrase, value in vocabulary(language).all("mark") if value == "filler")


def _split(phrase: str) -> tuple[str, ...]:
    return tuple(grammar.plain_phrase(phrase).split())


@cache
def expectation(convention: str, language: str, last: int = 0) -> tuple[str, tuple[str, ...]]:
    """What a recogniser is given: a grammar of orders, times and numbers, and the phrases possible now.

    `last`: the highest number of the list that is told.
    """
    table, own = words(language), vocabulary(language)
    heard = {word: tuple(phrase_table.heard(table, word, convention, language)) for word in OnlineWord}
    rules = grammar.rules_of_commands(convention, language, ONLINE_COMMANDS)
    rules |= {word.value: " | ".join(heard[word]) for word in _OF_A_GAME}
    rules |= {
        "seek": " | ".join(heard[OnlineWord.SEEK]),
        "engine": " | ".join(heard[OnlineWord.COMPUTER]),
        "order": " | ".join(phrase for word in ORDERS for phrase in heard[word]),
        "amount": f"<count> | {grammar.digits(convention, language)}",
        "clock": " | ".join(_clocks(own, "[<plus>]")),
        "number_of_days": " | ".join(_in_words(own, days) for days in _DAYS),
        "colour": " | ".join(grammar.in_words(map(ColourNamed, ("white", "black")), convention, language)),
        "time": "<clock> | <number_of_days> <days> | <unlimited>",
        "kind": "<time> [<rated> | <casual>] [<colour>]",
        "yes_or_no": " | ".join(grammar.answers(convention, language)),
    }
    utterance = (
        "<order> | <seek> <kind> | <kind> | <engine> <amount> [<kind>] | <amount> | <rated> | <casual>"
        " | <colour> | <yes_or_no> | <command>"
    )
    lines = [f"<{name}> = {body};" for name, body in rules.items() if body]
    text = ["#JSGF V1.0;", "grammar online;", *lines, f"public <utterance> = {utterance};", ""]
    times = tuple(_times(own, heard))
    phrases = (
        *(phrase for word in ORDERS for phrase in heard[word]),
        *times,
        *(f"{seek} {time}" for seek in heard[OnlineWord.SEEK][:1] for time in times),
        *(_in_words(own, number) for number in range(1, last + 1)),
        *grammar.in_words(map(Number, range(1, last + 1)), convention, language),
        *grammar.answers(convention, language),
        *grammar.commands(language, ONLINE_COMMANDS),
    )
    return "\n".join(text), tuple(dict.fromkeys(phrases))


def _times(own: Vocabulary, heard: Mapping[OnlineWord, Sequence[str]]) -> Iterator[str]:
    """The times that are heard: with a clock, in days, without either."""
    for plus in ("", *heard[OnlineWord.PLUS][:1]):
        yield from _clocks(own, plus)
    for days in _DAYS:
        yield from (f"{_in_words(own, days)} {phrase}" for phrase in heard[OnlineWord.DAYS])
    yield from heard[OnlineWord.UNLIMITED]


def _clocks(own: Vocabulary, plus: str) -> Iterator[str]:
    """The times with a clock that are heard, with a word or none between minutes and seconds."""
    for minutes, each in _CLOCKS.items():
        for seconds in each:
            yield " ".join(filter(None, (_in_words(own, minutes), plus, _in_words(own, seconds))))


def _in_words(own: Vocabulary, number: int) -> str:
    """A number from 0 to 99 as it is said."""
    value = str(number)
    part = next(part for part in ("rank", "number", "count") if value in own.phrases[part])
    return grammar.plain_phrase(own.say(part, value))
