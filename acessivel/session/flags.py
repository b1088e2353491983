# SPDX-License-Identifier: GPL-3.0-or-later
"""A flag that falls: announced at once, unless only the players may call it; ruled on at the next event.

Finding out whether the opponent can still mate may take seconds; announcing the fall does not wait for that.
"""

from __future__ import annotations

from dataclasses import replace

from acessivel.clock import alarms
from acessivel.dialogue import questions
from acessivel.laws import game_end
from acessivel.laws.ruling import Ruling
from acessivel.message import Message
from acessivel.rules.position import COLOURS, other
from acessivel.session import mate
from acessivel.session.changes import judged, say
from acessivel.session.effects import Again, FlagFell, Say
from acessivel.session.events import Event, Tick
from acessivel.session.state import State, Step


def felt(state: State, event: Event) -> Step | None:
    """A flag has fallen that has not been announced or must be ruled on; None if there is none.

    In that case `event` has not been handled: it is to be applied again at once.
    """
    clock = state.game.clock
    if not clock or state.game.result or state.at_server:
        return None
    fallen = alarms.fallen(clock, state.now_ms, state.clocks.rung)
    due = _seen(state)
    if not due and _players_call(state):
        return None  # each asks his own clock, or feels it
    if not (fallen or due):
        return None
    state = replace(
        state,
        clocks=replace(state.clocks, rung=state.clocks.rung | fallen),
        flags=replace(state.flags, fell=fallen),
    )
    if due:
        waits = state.clocks.waits or bool(clock.running)
        state = replace(
            state,
            flags=replace(state.flags, ruling_due=True),
            clocks=replace(state.clocks, waits=waits),
            game=state.game.pause(state.now_ms),
        )
    return state, (*((FlagFell(),) if fallen else ()), Again(event))


def ruled(state: State) -> Step:
    """The ruling on a flag whose fall the program has noticed.

    It claims for the person who plays against the engine, and on two boards for the players that it is set to
    assist (E.1 point 9e, 2009).
    """
    assists = state.setup.two_boards or not state.two_persons
    state = replace(state, flags=replace(state.flags, ruling_due=False, fell=frozenset()))
    return _ruled(state, called_by="player" if assists else "arbiter") or (state, ())


def told(state: State, event: Event) -> Step:
    """Tell of a fall without a ruling, so that its sound has a sentence; on two boards only if so set."""
    alone = state.setup.two_boards
    if alone and state.setup.timing.alarms == "none":
        return replace(state, flags=replace(state.flags, fell=frozenset())), ()
    messages = alarms.told(state.flags.fell)
    again = questions.question(state.asking) if isinstance(event, Tick) else ()  # others repeat it anyway
    return replace(state, flags=replace(state.flags, fell=frozenset())), (
        Say((*messages, *again), private=alone, unasked=alone),
    )


def claimed(state: State) -> Step:
    """The opponent's flag is claimed to be down (6.8; A.4.3, 2018)."""
    again = questions.question(state.asking)
    if not state.game.clock:
        return say(state, Message.of("no_clock"), *again)
    return _ruled(state, called_by="player") or say(state, Message.of("flag_not_fallen"), *again)


def _seen(state: State) -> bool:
    """Whether a flag is down that the program must rule on: not if only the players may say so."""
    clock = state.game.clock
    if not clock or state.arbiter.pending or state.flags.ruled or state.flags.ruling_due:
        return False
    if state.setup.two_boards:
        return _claims(state)
    if _players_call(state):
        return False
    return any(clock.down(colour, state.now_ms) for colour in COLOURS)


def _players_call(state: State) -> bool:
    """Whether nobody may point a flag out but the players, at one board (B6, 2001; A.4d1, 2009)."""
    at_one_board = state.two_persons and not state.setup.two_boards
    return at_one_board and state.game.rules.flag_called_by == "players"


def _claims(state: State) -> bool:
    """Whether the program is set to claim for the side whose opponent's flag has fallen."""
    clock, claims = state.game.clock, state.setup.timing.claim_flag
    down = [colour for colour in COLOURS if clock and clock.down(colour, state.now_ms)]
    return any(claims in ("both", other(colour)) for colour in down)


def _ruled(state: State, called_by: game_end.Caller) -> Step | None:
    game, clock, now = state.game, state.game.clock, state.now_ms
    if not clock:
        return None
    state = replace(state, flags=replace(state.flags, ruled=True))
    both = all(clock.down(colour, now) for colour in COLOURS)
    if clock.flags_unknown(now) or (both and game.rules.both_flags == "draw"):
        last = all(clock.moves_to_go(colour) is None for colour in COLOURS)
        ruling = game_end.both_flags(game.rules, last_period=last)
        if ruling.key == "flags_continue":
            state = replace(
                state,
                flags=replace(state.flags, ruled=False),
                game=replace(game, clock=clock.next_period(now)),
            )
        return _said(state, ruling)
    if not (fallen := clock.flag(now)):
        return None
    own = called_by == "player" and state.by == fallen and game.rules.flag_needs_time
    if own:
        return _said(state, game_end.flag_claim_no_time(game.rules, fallen))
    winner = other(fallen)
    can_mate = mate.can_mate(state, state.standing.position, winner) if game.rules.flag_draw else "yes"
    postponed = state.arbiter.postponed
    ruling_of_one = game_end.flag(
        game.rules,
        fallen,
        can_mate,
        called_by=called_by,
        claimant_has_time=not clock.down(winner, now),
        postponed=postponed is not None and dict(postponed.values)["colour"] == fallen,
    )
    return _said(state, ruling_of_one) if ruling_of_one else None


def _said(state: State, ruling: Ruling) -> Step:
    state, messages = judged(state, ruling)
    return say(state, *messages)
