# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings on claims of a draw by repetition and by quiet moves (article 9), and on the same move again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from acessivel.laws.editions import Rules
from acessivel.laws.ruling import DRAW, Ruling, opponent
from acessivel.message import Duration

# What the claimant has done since it became his turn.
Done = Literal["nothing", "touched", "moved"]

_MINUTE_MS = 60_000
_MOST_TAKEN_MS = 180_000


@dataclass(frozen=True, slots=True)
class Claim:
    """A draw that `colour` claims, and the state in which it is claimed.

    `intended`: the move (UCI) that is to bring it about, written down but not made; after a wrong claim it
    must be played. `left_ms`: what the claimant has left, for 2001's deduction; None without a clock.
    """

    colour: str
    to_move: bool = True
    done: Done = "nothing"
    intended: str | None = None
    left_ms: int | None = None


def threefold(rules: Rules, claim: Claim, count: int) -> Ruling:
    """The same position is claimed to have occurred, or to be about to occur, for the third time (9.2).

    `count`: how often it has appeared, including after the intended move. Every edition counts positions as
    the same if the player to move, the pieces and the possible moves are the same. What prevents castling
    temporarily is part of the position itself, so that the wording of 2001 gives the same count.
    """
    return _claim(rules, claim, "threefold", "claim_threefold_right", holds=count >= 3)


def fifty(rules: Rules, claim: Claim, quiet_plies: int) -> Ruling:
    """Both sides are claimed to have made 50 moves without a pawn move or a capture (9.3).

    `quiet_plies`: such moves of either side in a row, the intended one included.
    """
    return _claim(rules, claim, "fifty", "claim_fifty_right", holds=quiet_plies >= 100)


def _claim(rules: Rules, claim: Claim, topic: str, right: str, *, holds: bool) -> Ruling:
    if not rules.claims:
        return unregulated(rules, claim.colour)
    if claim.done == "moved" or (claim.done == "touched" and rules.claim_until == "touch"):
        key = "claim_lost_touched" if rules.claim_until == "touch" else "claim_lost_moved"
        return Ruling(key, *rules.cite("claim_lost"), (("colour", claim.colour),))
    if not claim.to_move:
        return Ruling("claim_not_to_move", *rules.cite(topic), (("colour", claim.colour),))
    if holds:
        return Ruling(right, *rules.cite("claim_right"), result=DRAW)
    return _wrong(rules, claim)


def _wrong(rules: Rules, claim: Claim) -> Ruling:
    """A wrong claim: time for the opponent, in 2001 off the claimant's; the intended move is played (9.5)."""
    other = opponent(claim.colour)
    wrong = Ruling(
        "claim_wrong_move" if claim.intended else "claim_wrong",
        *rules.cite("claim_wrong"),
        (("opponent", other), ("time", Duration(rules.wrong_claim_ms))),
        times=((other, rules.wrong_claim_ms),),
        must_play=claim.intended,
        offers_draw=True,
    )
    if claim.left_ms is None:
        key = "claim_wrong_untimed_move" if claim.intended else "claim_wrong_untimed"
        return replace(wrong, key=key, values=(), times=())
    taken = taken_ms(claim.left_ms) if rules.wrong_claim_halves else 0
    if not taken:
        return wrong
    return replace(
        wrong,
        key="claim_wrong_taken_move" if claim.intended else "claim_wrong_taken",
        values=(*wrong.values, ("colour", claim.colour), ("taken", Duration(taken))),
        times=(*wrong.times, (claim.colour, -taken)),
    )


def unregulated(rules: Rules, colour: str) -> Ruling:
    """A draw is claimed where the rules know no claim (escolar-br): the organisers decide, play goes on."""
    return Ruling("claim_unknown", *rules.cite("unregulated"), (("colour", colour),), for_arbiter=True)


def taken_ms(left_ms: int) -> int:
    """What a wrong claim costs (9.5b, 2001): half the time, up to 3 min; below 2 min, all over one."""
    if left_ms > 2 * _MINUTE_MS:
        return min(left_ms // 2, _MOST_TAKEN_MS)
    return max(0, left_ms - _MINUTE_MS)


def same_move(rules: Rules, colour: str, times: int) -> Ruling | None:
    """A player has made the same move `times` times in a row (escolar-br: more than five end the game).

    The document does not say with which result: the organisers decide.
    """
    if not rules.same_moves or times <= rules.same_moves:
        return None
    return Ruling(
        "same_move",
        *rules.cite("same_move"),
        (("colour", colour), ("count", rules.same_moves)),
        for_arbiter=True,
    )
