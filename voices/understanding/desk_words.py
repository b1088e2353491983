# SPDX-License-Identifier: GPL-3.0-or-later
"""What an arbiter says at the desk of a hall: read, and as a grammar of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from voices.grammar import grammar
from voices.meaning import Command, Number
from voices.understanding import phrase_table
from voices.understanding.meanings import LONGEST, read
from voices.understanding.phrase_table import PhraseTable
from voices.understanding.replay_steps import REPLAY_COMMANDS
from voices.words.lexicon import plain, vocabulary, words_of

LOW_MINUTES = 5  # that are few for a clock, where no number is said
_NUMBER = "{number}"
_DIGITS = 5  # of a number that is typed


class DeskWord(StrEnum):
    """What is asked or ordered at the desk; the words are in `hall/*.toml`, with a slot for a number."""

    NEXT = "next"
    QUEUE = "queue"
    TABLE = "table"
    UNDER = "under"
    UNFINISHED = "unfinished"
    RESULTS = "results"
    PAIR = "pair"
    TAKE = "take"
    RELEASE = "release"
    DONE = "done"
    DECIDE = "decide"
    STOP_CLOCKS = "stop_clocks"
    START_CLOCKS = "start_clocks"
    STOP_ALL = "stop_all"
    START_ALL = "start_all"
    ANNOUNCE = "announce"
    ARBITERS = "arbiters"
    HALL = "hall"


@dataclass(frozen=True, slots=True)
class DeskOrder:
    """What was asked or ordered; with `word` None just a number. `text`: what to announce, if typed."""

    word: DeskWord | None = None
    number: int | None = None
    text: str = ""


# What is about the table, or the case, that the arbiter has before him.
OF_THE_TABLE = frozenset({
    DeskWord.TAKE, DeskWord.RELEASE, DeskWord.DONE, DeskWord.DECIDE,
    DeskWord.STOP_CLOCKS, DeskWord.START_CLOCKS,
})  # fmt: skip
# The number in an example of an order that has one.
_SAMPLES = {DeskWord.TABLE: 12, DeskWord.UNDER: LOW_MINUTES}


@cache
def words(language: str) -> PhraseTable[DeskWord]:
    """The words of a language. Raises VocabularyError if there are none, or if they cannot be used."""
    return phrase_table.load("hall", "word", DeskWord, language)


def read_order(text: str, language: str, convention: str) -> DeskOrder | Command | None:
    """What was typed or heard: an order, a question about the game of a table, or neither."""
    given = text.split()  # an announcement is never cut
    said = [plain(word.strip(".!?¡¿,")) for word in text[:LONGEST].split()]
    for word, phrases in words(language).phrases.items():
        for head, tail in map(_split, phrases):
            if tail is None and said == head:
                return DeskOrder(word)
            if tail is not None and len(said) > len(head) + len(tail) and said[: len(head)] == head:
                end = len(said) - len(tail)
                slot, rest = said[len(head) : end], said[end:]
                number = phrase_table.number(slot, language, convention, _DIGITS) if rest == tail else None
                if number is not None:
                    return DeskOrder(word, number)
            if word is DeskWord.ANNOUNCE and said[: len(head)] == head and len(said) > len(head):
                return DeskOrder(word, text=" ".join(given[len(head) :]))
    if (number := phrase_table.number(said, language, convention, _DIGITS)) is not None:
        return DeskOrder(number=number)
    likely = (reading.meaning for reading in read(text, language, convention) if reading.likely)
    return next((one for one in likely if isinstance(one, Command) and one.name in REPLAY_COMMANDS), None)


def example(word: DeskWord, language: str, number: int | None = None) -> str:
    """What is said for an order; if it has a number, the usual one unless another is given."""
    phrase = words(language).phrases[word][0]
    return phrase.replace(_NUMBER, str(_SAMPLES.get(word) if number is None else number))


@cache
def expectation(
    convention: str, language: str, tables: tuple[int, ...] = (), most: int = 0
) -> tuple[str, tuple[str, ...]]:
    """What a recogniser is given: a grammar of orders, numbers and questions, and the phrases possible now.

    `tables`: the numbers of the tables there are; `most`: the highest number that answers what is asked.
    """
    plain_ones, numbered = _heard(language, convention)
    rules = grammar.rules_of_commands(convention, language, REPLAY_COMMANDS)
    rules |= {
        "digit": grammar.digits(convention, language),
        "amount": "<count> | <digit> [<digit>] [<digit>]",
        "order": " | ".join((*plain_ones, *(f"{head} <amount> {tail}".strip() for head, tail in numbered))),
        "yes_or_no": " | ".join(grammar.answers(convention, language)),
    }
    lines = [f"<{name}> = {body};" for name, body in rules.items() if body]
    utterance = "<order> | <amount> | <yes_or_no> | <command>"
    text = ["#JSGF V1.0;", "grammar desk;", *lines, f"public <utterance> = {utterance};", ""]
    table_heads = [head for head, tail in numbered if not tail and _is_table(head, language)]
    phrases = (
        *plain_ones,
        *(f"{head} {number}" for head in table_heads for number in _numbers(tables, convention, language)),
        *(
            f"{head} {number} {tail}".strip()
            for head, tail in numbered
            if head not in table_heads
            for number in _numbers(range(1, 31), convention, language)
        ),
        *_numbers(range(most + 1), convention, language),
        *grammar.answers(convention, language),
        *grammar.commands(language, REPLAY_COMMANDS),
    )
    return "\n".join(text), tuple(dict.fromkeys(phrases))


def answers(numbers: Iterable[int], convention: str, language: str) -> tuple[str, ...]:
    """How these numbers are said, in the words of the convention and in those of the language."""
    return tuple(dict.fromkeys(_numbers(numbers, convention, language)))


def _heard(language: str, convention: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The phrases that can be heard: those without a number, and what stands around the number in others."""
    table = words(language)
    known = table.sounds.keys() | grammar.pronunciations(convention, language).keys()
    plain_ones, numbered = [], []
    for phrases in table.phrases.values():
        for head, tail in map(_split, phrases):
            if not known >= {*head, *(tail or ())}:
                continue
            if tail is None:
                plain_ones.append(" ".join(head))
            else:
                numbered.append((" ".join(head), " ".join(tail)))
    return plain_ones, numbered


def _is_table(head: str, language: str) -> bool:
    return head in {" ".join(_split(phrase)[0]) for phrase in words(language).phrases[DeskWord.TABLE]}


def _split(phrase: str) -> tuple[list[str], list[str] | None]:
    """What stands before the slot for a number, and what after it; None without a slot."""
    head, slot, tail = phrase.partition(_NUMBER)
    return [*map(plain, words_of(head))], [*map(plain, words_of(tail))] if slot else None


def _numbers(numbers: Iterable[int], convention: str, language: str) -> Iterator[str]:
    """Numbers as they are said: as a number of the language, and digit by digit."""
    own = vocabulary(language)
    for number in numbers:
        for part in ("rank", "number", "count"):
            if str(number) in own.phrases[part]:
                yield grammar.plain_phrase(own.say(part, str(number)))
                break
        yield from grammar.in_words((Number(number),), convention, language)
