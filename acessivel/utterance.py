# SPDX-License-Identifier: GPL-3.0-or-later
"""One utterance, typed or recorded -> what the program would make of it, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from acessivel import dialogue
from acessivel.dialogue import NOTHING, Choose, Confirm, Promote, Turn
from acessivel.rendering import Renderer
from acessivel.rules import Fact, Position
from voices import evidence, grammar
from voices.hearing import read
from voices.listening import hear
from voices.meaning import Answer, Castling, MovePattern, Number, PieceNamed, Reading
from voices.phrasing import phrasing
from voices.recognisers import Recogniser


@dataclass(frozen=True, slots=True)
class Understood:
    """What an utterance was taken for; `moves` in UCI, best first; `ms` how long each stage took."""

    words: str
    outcome: str
    moves: tuple[str, ...]
    repeat: str
    reason: str
    ms: dict[str, float]


def hear_words(
    recogniser: Recogniser, audio: bytes, position: Position, convention: str, language: str
) -> tuple[str, ...]:
    """What a recording (mono s16le, 16 kHz) of one utterance says in a position, most probable first."""
    moves = (fact.meaning for fact in position.legal)
    recogniser.expect(*grammar.expectation(moves, convention, language))
    return evidence.decide(hear(recogniser, audio), grammar.yeses(language))


def understand(
    alternatives: Sequence[str], position: Position, renderer: Renderer, ms: dict[str, float]
) -> Understood:
    """What the dialogue makes of the words when nothing has been asked; `alternatives` best first."""
    readings = tuple(read(words, renderer.language) for words in alternatives)
    turn = dialogue.respond(NOTHING, readings, position)
    outcome, facts = _outcome(turn, readings[0] if readings else ())
    first = readings[0][0].meaning if readings and readings[0] else None
    words = phrasing(renderer.convention, renderer.language)
    repeat = ""
    if isinstance(turn.asking, Confirm):
        repeat = words.without_check(facts[0].meaning, spoken=False)
    elif first:
        repeat = words.meaning(turn.command or first, spoken=False)
    reason = ""
    if outcome in ("illegal", "not-understood"):
        reason = renderer.text(turn.say[0])
    return Understood(
        alternatives[0] if alternatives else "",
        outcome,
        tuple(fact.uci for fact in facts),
        repeat,
        reason,
        ms,
    )


def _outcome(turn: Turn, readings: Sequence[Reading]) -> tuple[str, tuple[Fact, ...]]:
    match turn.asking:
        case Confirm(fact, others, doubtful):
            return "choice" if doubtful else "move", (fact, *others)
        case Choose(facts):
            return "choice", facts
        case Promote(facts):
            return "promotion", facts
    if turn.command:
        return "command", ()
    if any(isinstance(reading.meaning, MovePattern | Castling) for reading in readings):
        return "illegal", ()
    if any(isinstance(reading.meaning, Answer | Number | PieceNamed) for reading in readings):
        return "answer", ()
    return "not-understood", ()
