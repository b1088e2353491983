# SPDX-License-Identifier: GPL-3.0-or-later
"""Carries out what the arbiter has decided or found wrong at the board (article 12; article 7)."""

from __future__ import annotations

from dataclasses import replace

from acessivel.dialogue import arbiter_menu, questions
from acessivel.dialogue.arbiter_menu import ClaimVerdict, Deciding
from acessivel.dialogue.turn import Turn
from acessivel.game.game import Game
from acessivel.game.results import RESULTS
from acessivel.laws import game_end, irregularities, lateness
from acessivel.laws.ruling import DRAW, WIN, Ruling, cited
from acessivel.message import Duration, Message
from acessivel.queries import queries
from acessivel.rules.position import COLOURS
from acessivel.session import illegal_moves
from acessivel.session.changes import ABSENCES, clock_runs, ended, judged, resting, say, stopped
from acessivel.session.state import DrawState, FlagState, State, Step


def decided(state: State, decision: Deciding) -> Step:
    """Carry out a decision of the arbiter, and record it."""
    match decision.what:
        case "warn":
            return _noted(state, Message.of("warned", colour=decision.colour))
        case "time":
            return _timed(state, decision)
        case "clocks":
            return go_on(state) if state.clocks.stopped else stopped(state, Message.of("clocks_stopped"))
        case "restore":
            return _restored(state, decision)
        case "result":
            note = Message.of("declared", result=Message.of(RESULTS[decision.score]))
            state = replace(state, game=state.game.noted(note))
            state = ended(state, decision.score, "arbiter", state.game.rules.cite("arbiter"))
            return say(state, queries.over(state.game))
        case "claim":
            return _ruled(state, decision.verdict)
        case "absence":
            return _absence_decided(state, decision)
        case "colours":
            ruling = irregularities.colours_reversed(state.game.rules, state.game.completed)
        case "start":
            ruling = irregularities.wrong_start(state.game.rules, state.game.completed)
        case "misplaced":
            return _restored(state, decision)
        case _:
            return _found(state, decision)
    return _anew(state, ruling)


def of_the_clock(state: State, turn: Turn) -> Turn:
    """What the arbiter has chosen, unless it is about a clock that there is not."""
    what = turn.asking.what if isinstance(turn.asking, Deciding) else ""
    needed = what == "time" or (what == "clocks" and not state.clocks.stopped)
    if state.game.clock or not needed:
        return turn
    return Turn(questions.NOTHING, (Message.of("no_clock"),))


def go_on(state: State, why: Message | None = None) -> Step:
    """The clocks run again; `why` is told in place of that."""
    state = clock_runs(resting(replace(state, clocks=replace(state.clocks, stopped=False, waits=True))))
    told = why or Message.of("clocks_run")
    return say(state, told, queries.turn(state.game), *questions.question(state.asking))


def _noted(state: State, *notes: Message) -> Step:
    for note in notes:
        state = replace(state, game=state.game.noted(note))
    state = resting(state)
    return say(state, *notes, *questions.question(state.asking))


def _timed(state: State, decision: Deciding) -> Step:
    clock = state.game.clock
    if not clock:
        return _nothing(state, "no_clock")
    clock = clock.added(decision.colour, decision.ms, state.now_ms)
    state = replace(state, flags=replace(state.flags, ruled=False), game=replace(state.game, clock=clock))
    changed = "time_given" if decision.ms >= 0 else "time_taken"
    sentence = Message.of(changed, colour=decision.colour, time=Duration(abs(decision.ms)))
    ruling = cited(sentence, *state.game.rules.cite("arbiter"))
    left = Duration.left(clock.left(decision.colour, state.now_ms))
    shown = Message.of("time_left", colour=decision.colour, time=left)
    return _noted(state, ruling, shown)


def _restored(state: State, decision: Deciding) -> Step:
    """Go back to the position before a move: the last that could be identified (7.5, 7.6)."""
    start = state.game.start
    plies = decision.plies - 2 * (start.fullmove - 1) - COLOURS.index(start.turn)
    facts = [move.fact for move in state.game.played]
    facts += [state.game.announced] if state.game.announced else []
    if not 0 <= plies < len(facts):
        return _nothing(state, "no_such_position")
    number = facts[plies].number
    put_back = irregularities.displaced_found if decision.what == "misplaced" else irregularities.restored
    ruling = put_back(state.game.rules, number)
    state = replace(
        state,
        game=replace(state.game.back_to(plies, state.now_ms), signed=()),
        touch=state.touch.released(),
        draw=DrawState(),
        clocks=state.clocks.back_to(plies),
        arbiter=replace(state.arbiter, pending=None),  # of what is undone
    )
    state, messages = judged(state, ruling)
    return say(clock_runs(state), *messages, queries.turn(state.game))


def may_postpone(state: State) -> bool:
    """Whether the arbiter may decide the claim later: in the quickplay finish, and once (10.2b; 2009)."""
    pending = state.arbiter.pending
    return bool(pending and pending.key == "quickplay_asked" and not state.arbiter.postponed)


def _ruled(state: State, verdict: ClaimVerdict) -> Step:
    """The arbiter decides what was left to him: whether a claimed draw or flag stands."""
    pending = state.arbiter.pending or state.arbiter.postponed
    if not pending:
        return _nothing(state, "nothing_pending")
    if verdict == "postponed":
        return _postponed(state, pending)
    accepts = verdict == "accepted"
    cited, values = (pending.article, pending.edition), dict(pending.values)
    note = Message.of("claim_accepted" if accepts else "claim_rejected")
    first = pending.key.startswith("quickplay") and not state.arbiter.postponed
    state = replace(
        state, arbiter=replace(state.arbiter, pending=None, postponed=None), game=state.game.noted(note)
    )
    if pending.key == "flag_postponed" and not accepts:
        state = ended(state, WIN[str(values["opponent"])], "flag", state.game.rules.cite("flag"))
        return say(state, note, queries.over(state.game))
    if (winner := values.get("opponent")) and pending.key != "flag_postponed":
        # A flag, a second illegal move or a sealed one: lost, unless the opponent cannot mate.
        state = ended(state, WIN[str(winner)] if accepts else DRAW, "arbiter", cited)
        return say(state, note, queries.over(state.game))
    if accepts:
        state = ended(state, DRAW, "arbiter", cited)
        return say(state, note, queries.over(state.game))
    messages: tuple[Message, ...] = (note,)
    if first and state.game.clock:  # a postponed claim has given its time already
        state, messages = _quickplay(state, pending, "rejected")
    return _goes_on(state, messages)


def _postponed(state: State, claim: Ruling) -> Step:
    """The game goes on, and the arbiter watches: he may still declare the draw, even after the flag."""
    state = replace(state, arbiter=replace(state.arbiter, pending=None, postponed=claim))
    state, messages = _quickplay(state, claim, "postponed")
    return _goes_on(state, messages)


def _quickplay(
    state: State, pending: Ruling, decision: game_end.Decision
) -> tuple[State, tuple[Message, ...]]:
    if not state.game.clock:
        return state, ()
    rules, colour = state.game.rules, str(dict(pending.values)["colour"])
    claim = game_end.QuickplayClaim(colour, state.game.clock.left(colour, state.now_ms))
    return judged(state, game_end.quickplay(rules, claim, decision))


def _goes_on(state: State, messages: tuple[Message, ...]) -> Step:
    state = clock_runs(resting(replace(state, clocks=state.clocks.waiting())))
    asked = questions.question(state.asking)  # a ruling may have put it already
    told = (message for message in messages if message not in asked)
    return say(state, *told, queries.turn(state.game), *asked)


def _anew(state: State, ruling: Ruling) -> Step:
    """The game continues, or is void and begins again with the times of the start."""
    if ruling.new_game:
        state = replace(
            state,
            game=replace(Game.new(state.setup), notes=state.game.notes),
            clocks=replace(state.clocks, rung=frozenset()).back_to(0),
            flags=FlagState(),
            touch=state.touch.released(),
            draw=DrawState(),
            arbiter=replace(state.arbiter, pending=None, postponed=None),
        )
    state, messages = judged(state, ruling)
    return say(state, *messages, queries.turn(state.game))


def _found(state: State, decision: Deciding) -> Step:
    """Rule on one of `arbiter_menu.FOUND`, except for misplaced pieces."""
    rules = state.game.rules
    match decision.what:
        case "board":
            return _said(state, irregularities.wrong_board(rules, state.game.completed))
        case "clock":
            return _clock(state)
        case "displaced":
            return _said(state, irregularities.displaced(rules, decision.colour))
        case "hands":
            return _hands(state, decision.colour)
        case "position":
            return _position(state)
        case "silent":
            return _said(state, irregularities.check_not_announced(rules, decision.colour))
        case "left":
            return _said(state, game_end.leaving(rules, decision.colour))
        case "late":
            return _late(state, decision)
    raise ValueError(decision.what)


def _late(state: State, decision: Deciding) -> Step:
    """Players have come late; whether that loses is asked of the arbiter, if one is agreed on (6.7; 2018)."""
    minutes, absent = state.setup.timing.default_time, decision.absent
    allowed_ms = None if minutes < 0 else 60_000 * minutes
    present = state.setup.rulebook.supervised
    ruling = lateness.late(state.game.rules, absent, decision.late_ms, allowed_ms, arbiter_present=present)
    if not (present and ruling.for_arbiter):
        return _said(state, ruling)
    state, _ = judged(state, ruling)
    state = replace(state, asking=arbiter_menu.on_absence(decision.moves, absent))
    return say(state, ruling.message(), *questions.question(state.asking))


def asked(state: State) -> Deciding:
    """What the arbiter is asked when he is there: the menu, or what only he can decide about an absence."""
    moves, pending = state.game.position.fullmove, state.arbiter.pending
    if pending is None or pending.key not in ABSENCES:
        return Deciding(moves, may_postpone=may_postpone(state))
    colour = dict(pending.values).get("colour")
    return arbiter_menu.on_absence(moves, (str(colour),) if colour else COLOURS)


def _absence_decided(state: State, decision: Deciding) -> Step:
    """The arbiter lets the game be lost by who came too late, or go on."""
    pending = state.arbiter.pending
    if not pending:
        return _nothing(state, "nothing_pending")
    state = replace(state, arbiter=replace(state.arbiter, pending=None))
    if decision.lost:
        cited = (pending.article, pending.edition)
        state = ended(state, lateness.score(decision.absent), "late", cited)
        return say(state, queries.over(state.game))
    return go_on(replace(state, game=state.game.noted(Message.of("excused"))), Message.of("excused"))


def _said(state: State, ruling: Ruling) -> Step:
    state, messages = judged(state, ruling)
    return say(state, *messages)


def _nothing(state: State, why: str) -> Step:
    state = resting(state)
    return say(state, Message.of(why), *questions.question(state.asking))


def _clock(state: State) -> Step:
    """Stop the clocks while the arbiter corrects them; if it is too late, they stay (6.10.2; 2018)."""
    if not state.game.clock:
        return _nothing(state, "no_clock")
    ruling = irregularities.wrong_clock(state.game.rules, state.game.completed)
    return stopped(state, ruling.message()) if ruling.for_arbiter else _said(state, ruling)


def _hands(state: State, colour: str) -> Step:
    """The last move of a side was made with both hands (7.5.4; 2018)."""
    made = [n for n, move in enumerate(state.game.played) if move.fact.colour == colour]
    if not made:
        return _nothing(state, "no_such_position")
    put_back = state.game.back_to(made[-1], 0).position
    offence = illegal_moves.offence(state, colour, "arbiter", made[-1] + 1, put_back)
    state, messages = illegal_moves.penalised(
        state, made[-1], irregularities.two_hands(state.game.rules, offence)
    )
    return say(state, *messages)


def _position(state: State) -> Step:
    """Both kings are in check, or a pawn stands on the last rank (A.4c, 2009; A.4.4, 2018)."""
    if not illegal_moves.illegal_stands(state):
        return _nothing(state, "position_legal")
    ruling = irregularities.illegal_position(state.game.rules, next_move_completed=False)
    state, messages = judged(state, ruling)
    if ruling.key == "arbiter_waits":
        return say(
            replace(state, arbiter=replace(state.arbiter, watched=True)), *messages, queries.turn(state.game)
        )
    state, more = illegal_moves.last_found(state)
    return say(state, *messages, *more)
