# SPDX-License-Identifier: GPL-3.0-or-later
"""One utterance, typed or recorded -> what the program would make of it, as plain data."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from functools import cache

from acessivel.dialogue import confirmation
from acessivel.dialogue.questions import NOTHING, Choose, Confirm, Promote
from acessivel.dialogue.turn import Turn
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import Fact, Position
from voices.grammar import grammar
from voices.hearing import evidence
from voices.hearing.evidence import Decided
from voices.hearing.utterances import hear
from voices.meaning import Answer, Castling, MovePattern, Number, PieceNamed, Reading
from voices.recognisers import Hypothesis, Recogniser
from voices.understanding.meanings import read
from voices.words.phrasing import phrasing


@dataclass(frozen=True, slots=True)
class Understood:
    """What an utterance was taken for; `moves` in UCI, best first; `ms` how long each stage took.

    An incomplete announcement means no move yet: `repeat` is what is asked for in return.
    """

    words: str
    outcome: str
    moves: tuple[str, ...]
    repeat: str
    reason: str
    ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class Question:
    """The phrases that answer the open question, and how probable a yes of this speaker must be at least."""

    answers: Collection[str] = ()
    least_yes: float = 0.0


NO_QUESTION = Question()


def hear_words(
    recogniser: Recogniser, audio: bytes, position: Position, convention: str, language: str
) -> Decided:
    """What a recording (mono s16le, 16 kHz) of one utterance says in a position."""
    hypotheses = hear_in(recogniser, audio, position, convention, language)
    return decide(hypotheses, position, convention, language)


def hear_in(
    recogniser: Recogniser, audio: bytes, position: Position, convention: str, language: str
) -> tuple[Hypothesis, ...]:
    """What a recogniser that expects the moves of a position makes of a recording."""
    moves = (fact.meaning for fact in position.legal)
    recogniser.expect(*grammar.expectation(moves, convention, language))
    return hear(recogniser, audio)


def decide(
    hypotheses: Sequence[Hypothesis],
    position: Position,
    convention: str,
    language: str,
    question: Question = NO_QUESTION,
) -> Decided:
    """The readings of what was heard; all the ways to announce a move in the position are one reading."""

    @cache
    def meaning(words: str) -> Hashable:
        said = [reading.meaning for reading in read(words, language, convention) if reading.likely]
        moves = [m for m in said if isinstance(m, Castling) or (isinstance(m, MovePattern) and m.whole)]
        return frozenset(f.uci for move in moves for f in position.matching(move)) or next(iter(said), words)

    return evidence.decide(hypotheses, grammar.yeses(language), meaning, question.least_yes, question.answers)


def understand(
    alternatives: Sequence[str],
    position: Position,
    renderer: Renderer,
    ms: dict[str, float],
    *,
    sure: bool = True,
) -> Understood:
    """What the dialogue makes of the words when nothing has been asked; `alternatives` best first."""
    readings = tuple(read(words, renderer.language, renderer.convention) for words in alternatives)
    turn = confirmation.respond(NOTHING, readings if sure else confirmation.unsure(readings), position)
    outcome, facts = _outcome(turn, readings[0] if readings else (), position)
    first = readings[0][0].meaning if readings and readings[0] else None
    words = phrasing(renderer.convention, renderer.language)
    repeat = ""
    if outcome == "incomplete":
        repeat = " ".join(map(renderer.text, turn.say))
    elif isinstance(turn.asking, Confirm):
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


def _outcome(turn: Turn, readings: Sequence[Reading], position: Position) -> tuple[str, tuple[Fact, ...]]:
    if turn.asking != NOTHING and confirmation.lacks_a_part(readings[0].meaning, position):
        return "incomplete", ()
    match turn.asking:
        case Confirm(fact, others, doubtful):
            return "choice" if doubtful else "move", (fact, *others)
        case Choose(facts):
            return "choice", facts
        case Promote(facts):
            return "promotion", facts
    if turn.command:
        return "command", ()
    if any(isinstance(reading.meaning, MovePattern | Castling | PieceNamed) for reading in readings):
        return "illegal", ()
    if any(isinstance(reading.meaning, Answer | Number) for reading in readings):
        return "answer", ()
    return "not-understood", ()


def in_words(found: Understood) -> str:
    """One plain line: the outcome, what is repeated, the moves, the reason."""
    return " ".join(filter(None, [f"{found.outcome}:", found.repeat, " ".join(found.moves), found.reason]))
