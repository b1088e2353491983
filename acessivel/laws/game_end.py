# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings on how a game ends: by resignation, by agreement, by the flag, in the quickplay finish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from acessivel.laws.editions import Rules
from acessivel.laws.grounds import Ground
from acessivel.laws.ruling import DRAW, WIN, Ruling, opponent
from acessivel.message import Duration
from acessivel.rules.dead_positions import CanMate

Caller = Literal["arbiter", "player"]
Decision = Literal["draw", "rejected", "postponed", "open"]


def resignation(rules: Rules, colour: str) -> Ruling:
    """A player resigns (5.1b; 5.1.2, 2018)."""
    return Ruling("resigned", *rules.cite("resign"), (("colour", colour),), result=WIN[opponent(colour)])


def leaving(rules: Rules, colour: str) -> Ruling:
    """A player leaves the game without a word: lost in escolar-br, otherwise a matter for the arbiter."""
    values = (("colour", colour),)
    if rules.regulates("leaving"):
        return Ruling("left", *rules.cite("leaving"), values, result=WIN[opponent(colour)])
    return Ruling("left_arbiter", *rules.cite("arbiter"), values, for_arbiter=True)


def agreement(rules: Rules, white_moves: int, black_moves: int, minimum: int = 0) -> Ruling:
    """Both agree to a draw (5.2c; 5.2.3, 2018: after a move of each).

    `minimum`: the number of moves that the event asks for first (9.1a; 9.1.1, 2018).
    """
    made = min(white_moves, black_moves)
    if rules.agreement_limits and made < minimum:
        return Ruling("agreement_event", *rules.cite("agreement_event"), (("count", minimum),))
    if made < rules.agreement_moves:
        return Ruling("agreement_early", *rules.cite("agreement"))
    return Ruling("agreed", *rules.cite("agreement"), result=DRAW)


def flag(  # noqa: PLR0913  # all that a fallen flag turns on
    rules: Rules,
    fallen: str,
    can_mate: CanMate,
    *,
    called_by: Caller = "arbiter",
    claimant_has_time: bool = True,
    postponed: bool = False,
) -> Ruling | None:
    """The flag of `fallen` fell before the moves were completed (6.10, 2001; 6.9 later).

    `can_mate`: whether the opponent could mate by any series of legal moves. `called_by`: who points out that
    it has fallen; returns None if only the players may do so and it was the arbiter (B6, 2001; A.4d1, 2009).
    `claimant_has_time`: required for a claim in rapid and blitz without full supervision (B7; A.4d2; A.4.3).
    `postponed`: the arbiter has still to decide on a draw that this side has claimed (10.2b; 2001, 2009).
    """
    winner = opponent(fallen)
    if called_by == "arbiter" and rules.flag_called_by == "players":
        return None
    if called_by == "player" and rules.flag_needs_time and not claimant_has_time:
        return flag_claim_no_time(rules, winner)
    values = (("colour", fallen), ("opponent", winner))
    if postponed and can_mate != "no":
        return Ruling("flag_postponed", *rules.cite("quickplay"), values, for_arbiter=True)
    if not rules.flag_draw or can_mate == "yes":
        return Ruling("flag_lost", *rules.cite("flag"), values, result=WIN[winner])
    if can_mate == "no":
        return Ruling("flag_drawn", *rules.cite("flag"), values, result=DRAW)
    return Ruling("flag_undecided", *rules.cite("flag"), values, for_arbiter=True)


def flag_claim_no_time(rules: Rules, colour: str) -> Ruling:
    """A player without time left claims a flag where that needs time (B7, 2001; A.4d2, 2009; A.4.3, 2018)."""
    return Ruling("flag_claim_no_time", *rules.cite("flag_claim"), (("colour", colour),))


def both_flags(rules: Rules, *, last_period: bool) -> Ruling:
    """Both flags have fallen, and nobody knows which was first (6.12, 10.3, 2001; 6.11, 2009, 2014).

    Where the edition draws such a game it does not ask which was first, nor for time left of a claimant (B8,
    2001; A.4d3, 2009).
    """
    if rules.both_flags == "arbiter":
        return Ruling("flags_arbiter", *rules.cite("both_flags"), for_arbiter=True)
    if rules.both_flags == "draw":
        return Ruling("flags_both_drawn", *rules.cite("both_flags_last"), result=DRAW)
    if last_period:
        return Ruling("flags_drawn", *rules.cite("both_flags_last"), result=DRAW)
    return Ruling("flags_continue", *rules.cite("both_flags"))


@dataclass(frozen=True, slots=True)
class QuickplayClaim:
    """A draw that `colour` claims with `left_ms` left; `last_period`: no other period follows."""

    colour: str
    left_ms: int
    last_period: bool = True
    to_move: bool = True


def quickplay(rules: Rules, claim: QuickplayClaim, decision: Decision = "open") -> Ruling:
    """A draw claimed from the arbiter in the quickplay finish, with less than 2 minutes left (10.2).

    `decision`: the arbiter's on a claim that was admitted; "open" until there is one. A rejected or postponed
    claim gives the opponent 2 minutes; it stands as an offer of a draw.
    """
    refused = no_quickplay(rules, claim) if decision == "open" else None
    if refused:
        return refused
    cite, other = rules.cite("quickplay"), opponent(claim.colour)
    if decision == "open":
        return Ruling(
            "quickplay_asked", *cite, (("colour", claim.colour),), for_arbiter=True, offers_draw=True
        )
    if decision == "draw":
        return Ruling("quickplay_drawn", *cite, result=DRAW)
    return Ruling(
        "quickplay_rejected" if decision == "rejected" else "quickplay_postponed",
        *cite,
        (("opponent", other), ("time", Duration(rules.quickplay_bonus_ms))),
        times=((other, rules.quickplay_bonus_ms),),
        for_arbiter=decision == "postponed",
        offers_draw=True,
    )


def quickplay_without_arbiter(rules: Rules, claim: QuickplayClaim, ground: Ground) -> Ruling:
    """A draw claimed when no arbiter is present (D1, 2001; D.1, 2009); the claim ends play.

    `ground`: that the opponent cannot win by normal means (the final position is written down), or that he
    makes no effort to (the scoresheet is handed in as well; the program keeps it complete).
    """
    refused = no_quickplay(rules, claim)
    if refused:
        return refused
    key = "quickplay_cannot_win" if ground == "cannot_win" else "quickplay_no_effort"
    return Ruling(key, *rules.cite("quickplay_alone"), (("colour", claim.colour),), for_arbiter=True)


def no_quickplay(rules: Rules, claim: QuickplayClaim) -> Ruling | None:
    """Why a claim in the quickplay finish is not admitted, if so; the claimant's flag must not be down."""
    cite = rules.cite("quickplay")
    if not rules.quickplay:
        return Ruling("quickplay_unknown", *cite)
    if not claim.last_period:
        return Ruling("quickplay_not_last", *cite)
    if not claim.to_move:
        return Ruling("claim_not_to_move", *cite, (("colour", claim.colour),))
    if not 0 < claim.left_ms < rules.quickplay_ms:
        return Ruling("quickplay_time", *cite, (("time", Duration(rules.quickplay_ms)),))
    return None
