# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of one utterance -> what the program would make of it in a position, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from acessivel.dialogue import confirmation
from acessivel.dialogue.questions import NOTHING, Choose, Confirm, Promote
from acessivel.dialogue.turn import Turn
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import Fact, Position
from voices.meaning import Answer, Castling, MovePattern, Number, PieceNamed, Reading
from voices.understanding.meanings import read_heard, read_typed
from voices.words.phrasing import phrasing


@dataclass(frozen=True, slots=True)
class Understood:
    """What an utterance was taken for; `moves` in UCI, best first; `ms`: how long each stage took.

    An incomplete announcement means no move yet: `repeat` is what is asked for in return.
    """

    words: str
    outcome: str
    moves: tuple[str, ...]
    repeat: str
    reason: str
    ms: dict[str, float] = field(default_factory=dict)


def understand(  # noqa: PLR0913 - the readings, and how sure they are
    alternatives: Sequence[str],
    position: Position,
    renderer: Renderer,
    *,
    spoken: bool = False,
    sure: bool = True,
    doubted: bool = False,
) -> Understood:
    """What the dialogue makes of the words if nothing has been asked; `alternatives` best first."""
    reads = read_heard if spoken else read_typed
    readings = tuple(reads(words, renderer.language, renderer.convention) for words in alternatives)
    said = readings if sure else confirmation.unsure(readings)
    turn = confirmation.respond(NOTHING, said, position, spoken=spoken, doubted=doubted)
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


def in_words(found: Understood, renderer: Renderer) -> str:
    """One plain line: the outcome, then why nothing can be done, or what is repeated, and the moves.

    The best of these stands first, beside what else it may have been.
    """
    outcome = renderer.text(Message.of(f"outcome_{found.outcome.replace('-', '_')}"))
    move, others = found.moves[:1], ", ".join(found.moves[1:])
    beside = renderer.text(Message.of("outcome_or", others=others)) if others else ""
    return " ".join(filter(None, [f"{outcome}:", found.reason or found.repeat, *move, beside]))
