# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings on what went wrong at the board: illegal moves, a wrong setup, pieces out of place (article 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from acessivel.laws.editions import Rules
from acessivel.laws.ruling import DRAW, WIN, Ruling, opponent
from acessivel.message import Duration, Message
from acessivel.rules.dead_positions import CanMate

Finder = Literal["opponent", "arbiter"]
# How far the opponent has gone since the irregularity.
Since = Literal["nothing", "touched", "moved"]

Offence = Literal["illegal", "promotion", "pressed", "two_hands"]


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An illegal move or position that `colour` completed on the clock and that is found now.

    `before`: the illegal moves that this player had completed earlier. `can_mate`: whether the opponent could
    still mate by any series of legal moves from the position that is put back. `by`: who found it; for a
    player's claim "opponent". `since`: how far the opponent has gone since.
    """

    colour: str
    before: int
    can_mate: CanMate
    by: Finder = "arbiter"
    since: Since = "nothing"


_OFFENCES: Mapping[Offence, str] = MappingProxyType(
    {
        "illegal": "offence_illegal",
        "promotion": "offence_promotion",
        "pressed": "offence_pressed",
        "two_hands": "offence_two_hands",
    }
)


def turns_on_mate(rules: Rules, before: int) -> bool:
    """Whether it matters that the opponent can mate: where one more illegal move after so many loses."""
    return rules.illegal_draw and _penalty(rules, before) == "loss"


def illegal_move(rules: Rules, found: Irregularity) -> Ruling:
    """An illegal move has been completed (7.4, 2001 and 2009; 7.5, 2014 and 2018).

    Where the tempo sets a limit for finding it, the move stands after that (B5, C3, 2001; A.4c, B.3c, 2009;
    A.4.2, 2018). The touched pieces bind the move that replaces it: see `touch.binding`. If the position
    before it is unknown, see `restored`.
    """
    return _unheard(rules, found) or _penalised(rules, found, "illegal")


def promotion_missed(rules: Rules, found: Irregularity, move: str) -> Ruling:
    """A pawn was left on the last rank (3.7e, 2001; 7.4a, 2009; 7.5a, 2014; 7.5.2, 2018).

    `move`: the pawn's move in UCI without a piece ("e7e8"). From 2014 on it is taken back and `must_play`
    takes its place, with a queen; escolar-br lets the player finish it. The arbiter of 2018 who sees it in
    rapid or blitz without full supervision waits for the next move (A.4.4).
    """
    if rules.promotion == "finish":
        return Ruling("promotion_finish", *rules.cite("promotion"), (("colour", found.colour),))
    seen = found.by == "arbiter" and found.since != "moved" and rules.regulates("illegal_seen")
    if seen and rules.promotion_seen == "waits":
        return illegal_position(rules, next_move_completed=False)
    # An unfinished promotion is one of the two cases where an arbiter of A.4c, 2009, acts without a claim.
    unheard = None if seen else _unheard(rules, found)
    return unheard or _penalised(rules, found, "promotion", move)


def illegal_position(rules: Rules, *, next_move_completed: bool) -> Ruling:
    """The arbiter sees both kings in check, or a pawn on the last rank (A.4c, 2009; A.4.4, 2018)."""
    if rules.promotion_seen == "waits":
        cite = rules.cite("illegal_seen")
        if next_move_completed:
            return Ruling("illegal_position_draw", *cite, result=DRAW)
        return Ruling("arbiter_waits", *cite, for_arbiter=True)
    cite = rules.cite("illegal_seen" if rules.regulates("illegal_seen") else "illegal")
    return Ruling("arbiter_intervenes", *cite, for_arbiter=True)


def pressed_without_move(rules: Rules, found: Irregularity) -> Ruling:
    """The clock was pressed, but no move was made (6.8b, 2001; 6.7c, 2009; 6.2c, 2014; 7.5.3, 2018)."""
    if rules.pressed == "illegal":
        return _unheard(rules, found) or _penalised(rules, found, "pressed")
    return Ruling("pressed_arbiter", *rules.cite("pressed"), (("colour", found.colour),), for_arbiter=True)


def two_hands(rules: Rules, found: Irregularity) -> Ruling:
    """A move was made with both hands, and the clock was pressed (4.1; 7.5.4, 2018)."""
    if rules.two_hands == "illegal":
        return _unheard(rules, found) or _penalised(rules, found, "two_hands")
    return Ruling(
        "two_hands_arbiter", *rules.cite("two_hands"), (("colour", found.colour),), for_arbiter=True
    )


def restored(rules: Rules, number: int | None) -> Ruling:
    """Where play resumes after an illegal move: the position before it, else the last certain one.

    `number`: the number of that move, or None if no position can be identified (7.4a, 7.5; 7.5.1, 7.6, 2018).
    The arbiter sets the times (6.14, 6.13, 7.1).
    """
    return _back_to(rules, "illegal", "restore", number)


def colours_reversed(rules: Rules, completed: int) -> Ruling:
    """The colours were reversed; `completed`: the moves that both have completed (7.2; 7.3)."""
    cite = rules.cite("colours")
    if completed < rules.colours_moves:
        values = (("count", rules.colours_moves),)
        return Ruling("colours_restart", *cite, values, new_game=True)
    key = "colours_arbiter" if rules.colours_arbiter else "colours_continue"
    return Ruling(key, *cite, for_arbiter=rules.colours_arbiter)


def wrong_start(rules: Rules, completed: int) -> Ruling:
    """The initial position was wrong: a new game, unless it is too late (7.1a; 7.2.1, 2018; B4; A.4)."""
    if not rules.setup_moves or completed < rules.setup_moves:
        return Ruling("start_restart", *rules.cite("start"), new_game=True)
    cite = rules.cite("start_late")
    both = rules.setup_castling == "king_and_queen"
    key = "start_late_king_queen" if both else "start_late_misplaced"
    return Ruling(key, *cite, (("count", rules.setup_moves),))


def wrong_board(rules: Rules, completed: int) -> Ruling:
    """The board is turned the wrong way: the position is moved to a correct one (7.1b; 7.2.2, 2018)."""
    if not rules.setup_moves or completed < rules.setup_moves:
        return Ruling("board_turned", *rules.cite("board"))
    return Ruling("board_late", *rules.cite("start_late"), (("count", rules.setup_moves),))


def wrong_clock(rules: Rules, completed: int) -> Ruling:
    """The clock was set wrongly: the arbiter corrects it, unless it is too late (6.10; B4; A.4)."""
    if not rules.setup_moves or completed < rules.setup_moves:
        return Ruling("clock_wrong", *rules.cite("clock_setting"), for_arbiter=True)
    return Ruling("clock_late", *rules.cite("clock_late"), (("count", rules.setup_moves),))


def clock_stopped(rules: Rules, colour: str) -> Ruling:
    """A player has stopped the clock, which only calls the arbiter (6.13, 2001; 6.12, 2009; 6.11, 2018).

    `colour`: "" if nobody knows which.
    """
    cite = rules.cite("clock_stop")
    if not colour:
        return Ruling("clock_stopped_by_somebody", *cite, for_arbiter=True)
    return Ruling("clock_stopped", *cite, (("colour", colour),), for_arbiter=True)


def displaced(rules: Rules, colour: str) -> Ruling:
    """A player has displaced pieces and puts them back on his own time (7.3; 7.4, 2014; 7.4.1, 2018)."""
    return Ruling("displaced", *rules.cite("displaced"), (("colour", colour),), for_arbiter=True)


def displaced_found(rules: Rules, number: int | None) -> Ruling:
    """Pieces had been displaced: back to before move `number`, the last certain position (7.5; 7.6)."""
    return _back_to(rules, "displaced_found", "displaced_restore", number)


def check_not_announced(rules: Rules, colour: str) -> Ruling:
    """A check was not announced: no penalty, unless the edition requires the word (3.8b, 2001)."""
    cite = rules.cite("check")
    if rules.announce_check:
        return Ruling("check_silent", *cite, (("colour", colour),), for_arbiter=True)
    return Ruling("check_free", *cite)


def _back_to(rules: Rules, topic: str, key: str, number: int | None) -> Ruling:
    """Back to before move `number`, or where the arbiter says."""
    cite = rules.cite(topic)
    if number is None:
        return Ruling("restore_arbiter", *cite, for_arbiter=True)
    return Ruling(key, *cite, (("number", number),))


def _unheard(rules: Rules, found: Irregularity) -> Ruling | None:
    """Why an illegal move stands, or None if it does not."""
    late = {"end": (), "touch": ("touched", "moved"), "move": ("moved",)}[rules.illegal_until]
    if found.since in late:
        return Ruling("illegal_late", *rules.cite("illegal_claim"), (("colour", found.colour),))
    if found.by == "arbiter" and not rules.illegal_unasked:
        values = (("colour", opponent(found.colour)),)
        return Ruling("illegal_unasked", *rules.cite("illegal_claim"), values)
    return None


def _penalised(rules: Rules, found: Irregularity, offence: Offence, move: str = "") -> Ruling:
    """The penalty for the first, the second, the third illegal move."""
    penalty = _penalty(rules, found.before)
    if penalty == "loss":
        return _lost(rules, found, offence)
    other = opponent(found.colour)
    queen = offence == "promotion" and rules.promotion == "queen"
    what = ("offence", Message.of(_OFFENCES[offence], colour=found.colour))
    back = Ruling(
        "illegal_back",
        *rules.cite("illegal_penalty"),
        (what,),
        takes_back=offence != "pressed",
        must_play=f"{move}q" if queen else None,
        counts_against=found.colour,
    )
    if penalty == "nothing":
        return back
    return replace(
        back,
        key="illegal_queen" if queen else "illegal_kept" if offence == "pressed" else "illegal_time",
        values=(what, ("opponent", other), ("time", Duration(rules.penalty_ms))),
        times=((other, rules.penalty_ms),),
    )


def _penalty(rules: Rules, before: int) -> str:
    """What the edition has for one more illegal move after so many."""
    return rules.illegal[min(before, len(rules.illegal) - 1)]


def _lost(rules: Rules, found: Irregularity, offence: Offence) -> Ruling:
    """The illegal move that loses the game, or draws it if the opponent cannot mate."""
    winner = opponent(found.colour)
    lost = Ruling(
        "illegal_lost",
        *rules.cite("illegal_penalty"),
        (("offence", Message.of(_OFFENCES[offence], colour=found.colour)), ("opponent", winner)),
        result=WIN[winner],
        counts_against=found.colour,
    )
    if not rules.illegal_draw or found.can_mate == "yes":
        return lost
    if found.can_mate == "no":
        return replace(lost, key="illegal_drawn", result=DRAW)
    return replace(lost, key="illegal_undecided", result=None, for_arbiter=True)
