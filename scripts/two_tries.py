# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes of an announcement within two tries, from what is heard in both: for the benchmarks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from acessivel.dialogue import confirmation
from acessivel.dialogue.interpretation import Context, decide, decide_again, is_settled
from acessivel.dialogue.questions import NOTHING, Choose, Confirm, Missing, Promote
from voices.hearing.decision import Decided
from voices.recognisers import Hypothesis
from voices.understanding.meanings import read_heard

Outcome = Literal["right", "offered", "wrong", "refused"]
Heard = Sequence[Hypothesis]


def twice(
    first: Heard, second: Heard, where: Context, moves: Collection[str], *, joined: bool = True
) -> Outcome:
    """What comes of the second try if the first does not settle it; not `joined`: it stands alone.

    It settles it if one of these moves (UCI) is repeated, offered for choice, or fits the part that is asked
    for.
    """
    before, now = (
        decide(heard, where.position, where.convention, where.language, where.question)
        for heard in (first, second)
    )
    found = outcome(before, where, moves)
    if found in ("right", "offered"):
        return found
    if joined and not (before.readings or is_settled(now, where.question)):
        both = decide_again(before, now, where)
        return outcome(both, where, moves, again=both is not now)
    return outcome(now, where, moves)


def outcome(decided: Decided, where: Context, moves: Collection[str], *, again: bool = False) -> Outcome:
    """What the dialogue makes of an announcement when nothing has been asked; "wrong": of another move."""
    readings = tuple(read_heard(words, where.language, where.convention) for words in decided.readings)
    alternatives = readings if decided.sure else confirmation.unsure(readings)
    turn = confirmation.respond(NOTHING, alternatives, where.position, again=again, doubted=decided.doubted)
    if again:
        turn = confirmation.of_two(turn, NOTHING, where.position)
    match turn.asking:
        case Confirm(fact, doubtful=doubtful):
            right: Outcome = "offered" if doubtful else "right"
            return right if fact.uci in moves else "wrong"
        case Choose(facts) | Missing(_, facts) | Promote(facts):
            return "offered" if any(fact.uci in moves for fact in facts) else "wrong"
    return "refused"
