# SPDX-License-Identifier: GPL-3.0-or-later
"""The words that step through a finished game: read, and as a grammar of their own with the questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from voices.grammar import grammar
from voices.meaning import PREFERENCES, QUESTIONS, Command, CommandName, Number
from voices.understanding import phrase_table
from voices.understanding.meanings import LONGEST, read
from voices.understanding.phrase_table import PhraseTable
from voices.understanding.written_signs import no_whole_number
from voices.words.lexicon import RANKS, plain, vocabulary, words_of

# What can be ordered besides the steps.
REPLAY_COMMANDS = QUESTIONS | PREFERENCES
_DIGITS = 4  # of the number of a move that is typed


class ReplayStep(StrEnum):
    """A step through a game; its words are in `steps/*.toml`."""

    NEXT = "next"
    BACK = "back"
    START = "start"
    END = "end"
    MOVE = "move"
    VARIATION = "variation"
    MAIN_LINE = "main_line"
    NEXT_CAPTURE = "next_capture"
    PREVIOUS_CAPTURE = "previous_capture"
    NEXT_CHECK = "next_check"
    PREVIOUS_CHECK = "previous_check"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class Stepped:
    """A requested step, with the number of the move or of the variation, if one was said."""

    step: ReplayStep
    number: int | None = None


@cache
def words(language: str) -> PhraseTable[ReplayStep]:
    """The words of a language. Raises VocabularyError if there are none, or if they cannot be used."""
    return phrase_table.load("steps", "step", ReplayStep, language)


def read_step(text: str, language: str, convention: str) -> Stepped | Command | None:
    """What was typed or heard: a step, a question about the game, or neither.

    A number alone is that of a move; it is written in digits, said as a number, or said digit by digit.
    """
    if no_whole_number(text):
        return None
    said = tuple(map(plain, words_of(text[:LONGEST])))
    found = [
        (len(phrase), step, said[len(phrase) :])
        for step, phrases in words(language).phrases.items()
        for phrase in (tuple(map(plain, words_of(phrase))) for phrase in phrases)
        if said[: len(phrase)] == phrase
    ]
    for _, step, rest in sorted(found, reverse=True):
        if not rest and step is not ReplayStep.MOVE:
            return Stepped(step)
        number = phrase_table.number(rest, language, convention, _DIGITS)
        if number is not None and step in (ReplayStep.MOVE, ReplayStep.VARIATION):
            return Stepped(step, number)
    number = phrase_table.number(said, language, convention, _DIGITS)
    if number is not None:
        return Stepped(ReplayStep.MOVE, number)
    meanings = (reading.meaning for reading in read(text, language, convention) if reading.likely)
    command = next((meaning for meaning in meanings if isinstance(meaning, Command)), None)
    if command and command.name is CommandName.MOVE_AT and command.number is not None:
        return Stepped(ReplayStep.MOVE, command.number)
    return command


@cache
def expectation(convention: str, language: str, last: int = 0) -> tuple[str, tuple[str, ...]]:
    """What a recogniser is given: a grammar of steps and questions, and the phrases possible now.

    `last` is the highest move number of the record.
    """
    rules = grammar.rules_of_commands(convention, language, REPLAY_COMMANDS)
    table = words(language)
    heard = {step: tuple(phrase_table.heard(table, step, convention, language)) for step in ReplayStep}
    rules |= {
        "digit": grammar.digits(convention, language),
        "number": "<count> | <digit> [<digit>] [<digit>]",
        "to_move": " | ".join(heard[ReplayStep.MOVE]),
        "to_variation": " | ".join(heard[ReplayStep.VARIATION]),
        "step": " | ".join(
            phrase for step in ReplayStep if step is not ReplayStep.MOVE for phrase in heard[step]
        ),
    }
    utterance = "<step> | <to_move> <number> | <to_variation> <digit> | <command>"
    lines = [f"<{name}> = {body};" for name, body in rules.items()]
    text = ["#JSGF V1.0;", "grammar stepping;", *lines, f"public <utterance> = {utterance};", ""]
    steps = (phrase for step in ReplayStep if step is not ReplayStep.MOVE for phrase in heard[step])
    numbers = tuple(_numbers(last, convention, language))
    moves = (f"{phrase} {number}" for phrase in heard[ReplayStep.MOVE] for number in numbers)
    phrases = (*steps, *moves, *grammar.commands(language, REPLAY_COMMANDS))
    return "\n".join(text), tuple(dict.fromkeys(phrases))


def _numbers(last: int, convention: str, language: str) -> Iterator[str]:
    """The numbers from 1 on as they are said, in the words of the convention and in those of the language."""
    own = vocabulary(language)
    for number in range(1, last + 1):
        digits = (own.say("rank" if digit in RANKS else "number", digit) for digit in str(number))
        yield grammar.plain_phrase(" ".join(digits))
        if str(number) in own.phrases["count"]:
            yield grammar.plain_phrase(own.say("count", str(number)))
        yield from grammar.in_words((Number(number),), convention, language)
