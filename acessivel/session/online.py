# SPDX-License-Identifier: GPL-3.0-or-later
"""A game at a server: how it stands there becomes the game's state, and what is new is announced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from acessivel.clock import alarms
from acessivel.dialogue.questions import (
    ANNOUNCING,
    NOTHING,
    Asking,
    Confirm,
    Numbering,
    Offered,
    Replying,
    Sure,
    TakingBack,
    Topics,
    innermost,
    question,
)
from acessivel.game.game import NOBODY, Game
from acessivel.message import Duration, Message
from acessivel.queries import queries
from acessivel.rules.position import BLACK, COLOURS, WHITE, Fact, other
from acessivel.session import answers, sent_moves, server_news
from acessivel.session.changes import ended, ignored, offering, resting, say
from acessivel.session.events import ServerTold
from acessivel.session.state import OnlineState, State, Step
from voices.meaning import Castling, CommandName

_PLAYED = frozenset({"created", "started"})
# The server's word for what has ended the game -> the reason that is told.
_REASONS: Mapping[str, str] = {
    "aborted": "aborted",
    "mate": "checkmate",
    "resign": "resignation",
    "stalemate": "stalemate",
    "timeout": "abandoned",
    "outoftime": "flag",
    "cheat": "cheat",
    "noStart": "no_start",
    "insufficientMaterialClaim": "dead_position",
}
_DRAWN = frozenset({"stalemate", "draw", "outoftime", "timeout", "insufficientMaterialClaim"})
_WON = {WHITE: "1-0", BLACK: "0-1"}


def told(state: State, event: ServerTold) -> Step:
    """Take over how the game stands at the server, and announce what is new in it.

    Only the last of many moves that were made meanwhile is told. What was being announced stays open if it
    means the same move in the new position.
    """
    if state.game.result:
        return ignored(state, ServerTold)
    before, same = state, _same(state.game, event.moves)
    back = tuple(move.fact for move in state.game.played[same:])
    state = _taken_over(state, event, same)
    new = tuple(move.fact for move in state.game.played[same:])
    sent = state.online.sent
    is_over = event.status not in _PLAYED
    state, not_made, asks = sent_moves.seen(state, new, back=bool(back), over=is_over, fresh=event.fresh)
    known = before.online.joined and sent and not (not_made or state.online.sent)
    own = new[:1] if known else ()  # in a new run the player does not know what has become of it
    messages = [Message.of("taken_back", moves=back)] if back else []
    messages += [*_played(new[len(own) :]), *not_made]
    state, over = _ended(state, event)
    if new or back:
        replied = not back and len(new) == 1
        state, more, prepared = sent_moves.after(state, replied=replied, first=not before.online.joined)
        messages, asks = [*messages, *more], (*asks, *prepared)
    state, offers = _offers(before, state, event, back=bool(back))
    messages += [*offers, *_situation(before, state, moved=bool(new or back)), *over]
    state, dropped = _asked_on(before, state, moved=bool(new or back))
    messages += dropped
    asks_now = question(state.asking)
    if not messages and (state.asking == before.asking or not asks_now):
        return state, asks
    state, effects = say(answers.put_by_itself(before, state), *messages, *asks_now)
    return state, (*asks, *effects)


def _same(game: Game, moves: tuple[str, ...]) -> int:
    """How many of these moves the game has already, from its beginning on."""
    for ply, (played, uci) in enumerate(zip(game.played, moves, strict=False)):
        fact = played.fact
        if fact.uci == uci:
            continue
        castles = isinstance(fact.meaning, Castling) and fact.uci[:2] == uci[:2]
        if not (castles and game.back_to(ply, 0).position.fact(uci) == fact):
            return ply
    return min(len(game.played), len(moves))


def _taken_over(state: State, event: ServerTold, same: int) -> State:
    """The state with the moves and the times of the server. Raises ValueError if a move is not legal."""
    game, now = state.game, state.now_ms
    if same < len(game.played):
        game = game.back_to(same, now)
    times = {WHITE: event.white_ms, BLACK: event.black_ms}
    last = len(event.moves) - 1
    for ply, uci in enumerate(event.moves[same:], same):
        fact = game.position.fact(uci)
        timed = ply == last and game.clock and times[fact.colour] >= 0
        game = game.shown(fact, times[fact.colour] if timed else None)
    runs = event.status in _PLAYED and len(event.moves) >= len(COLOURS)
    clocks = replace(state.clocks, waits=False)
    if game.clock and min(times.values()) >= 0:
        clock = game.clock.following(times, game.position.turn if runs else None, now)
        game = replace(game, clock=clock)
        if not state.online.joined:  # what the clocks show at first is no news
            alarm_times = alarms.parse(state.setup.timing.alarms)
            clocks = replace(clocks, rung=alarms.due(clock, now, alarm_times, clocks.rung).rung)
    days = state.setup.online.days and times[game.position.turn] >= 0
    online = replace(
        state.online,
        joined=True,
        lost=state.online.lost and not event.fresh,
        first_move_at=now + event.first_move_ms if event.first_move_ms else None,
        move_at=now + times[game.position.turn] if days else None,
    )
    mine = state.setup.colour
    if any(move.fact.colour != mine for move in game.played[same:]):
        online = replace(online, gone=False, claim_at=None, claim_told=False)  # who moves is there
    return replace(state, game=game, online=online, clocks=clocks)


def _played(facts: tuple[Fact, ...]) -> list[Message]:
    """The moves that the player does not know, or of many the last."""
    told = facts if len(facts) <= len(COLOURS) else facts[-1:]
    return [Message.of("played", colour=fact.colour, number=fact.number, move=fact) for fact in told]


def _ended(state: State, event: ServerTold) -> tuple[State, tuple[Message, ...]]:
    """The result, if the server has ended the game."""
    if event.status in _PLAYED:
        return state, ()
    drawn = "1/2-1/2" if event.status in _DRAWN else "*"
    state = ended(state, _WON.get(event.winner, drawn), _reason(state, event), ("", ""))
    return server_news.rated_end(replace(state, online=OnlineState(joined=True, rating=state.online.rating)))


def _reason(state: State, event: ServerTold) -> str:
    """Why the game is over; the server does not tell the kinds of a draw apart, but the position does."""
    if event.status == "outoftime" and not event.winner:
        return "flag_no_mate"
    if event.status != "draw":
        return _REASONS.get(event.status, "server")
    position = state.game.position
    if position.repetitions() >= 3:
        return "repeated"
    if position.quiet_plies() >= 100:
        return "quiet"
    ending = position.ending(frozenset())
    return ending.reason if ending else "agreement"


def _offers(
    before: State, state: State, event: ServerTold, *, back: bool
) -> tuple[State, tuple[Message, ...]]:
    """The offer of a draw and the proposal to take a move back, as they stand, and which one is gone."""
    if state.game.result:
        return state, ()
    mine, messages = state.setup.colour, []
    moved = state.game.played != before.game.played  # which answers an offer
    theirs = other(mine)
    if event.draw:
        state = offering(state, event.draw)
    else:
        state = replace(state, draw=state.draw.without_offer())
        messages += [Message.of("draw_refused")] if before.draw.offer == mine else []
        messages += [Message.of("draw_offer_gone")] if before.draw.offer == theirs and not moved else []
    state = replace(state, online=replace(state.online, takeback=event.takeback))
    if before.online.takeback == mine and not event.takeback and not back:
        messages.append(Message.of("take_back_refused"))
    if before.online.takeback == theirs and not event.takeback and not moved:
        messages.append(Message.of("take_back_gone"))
    return state, tuple(messages)


def offering_on(before: State, state: State) -> State:
    """The state in which an offer goes with no move but the one that is being announced since, and here."""
    if not (state.draw.with_move and state.at_server):
        return state
    stands = before.game.played == state.game.played and isinstance(innermost(state.asking), ANNOUNCING)
    return state if stands else replace(state, draw=replace(state.draw, with_move=None))


def _situation(before: State, state: State, *, moved: bool) -> list[Message]:
    """Whose turn it is, where that is new, and how soon the player must have made the first move."""
    online, mine = state.online, state.game.position.turn == state.setup.colour
    if state.game.result:
        return []
    joins = not before.online.joined
    messages = [queries.turn(state.game)] if joins or len(before.game.played) > len(state.game.played) else []
    if joins and (before.online.sent is None or before.online.sent.asked):
        messages += also(state, CommandName.TURN)  # of an earlier run
    due = online.first_move_at
    if due is not None and mine and (moved or before.online.first_move_at is None):
        messages.append(Message.of("online_first_move", time=_left(due, state.now_ms)))
    return messages


def _left(until_ms: int, now_ms: int) -> Duration:
    return Duration(max(1000, round(until_ms - now_ms, -3)))


def _asked_on(before: State, state: State, *, moved: bool) -> tuple[State, list[Message]]:
    """The state with the question that is open now: what is not asked any more gives way to what is.

    An announcement that is dropped does not go without a word.
    """
    if state.game.result:
        return state, []
    asking = _still(state.asking, state, moved=moved)
    dropped = isinstance(innermost(before.asking), ANNOUNCING) and innermost(asking) == NOTHING
    noted = asking != NOTHING and state.draw.offer not in (None, before.draw.offer, state.setup.colour)
    messages = [Message.of("withdrawn")] if dropped else []
    messages += [Message.of("draw_noted", colour=state.draw.offer)] if noted else []
    takeback = state.online.takeback
    if asking != NOTHING and takeback not in ("", before.online.takeback, state.setup.colour):
        messages.append(Message.of("take_back_noted", colour=takeback))
    state = replace(state, asking=asking)
    return resting(state) if asking == NOTHING else state, messages


def _still(asking: Asking, state: State, *, moved: bool) -> Asking:
    """A question as it is still asked; `NOTHING` if it is not."""
    match asking:
        case Sure() | Topics() | Numbering() | Replying():
            return replace(asking, before=_still(asking.before, state, moved=moved))
        case Confirm() if moved:
            return sent_moves.kept(asking, state) or NOTHING
        case Offered(by):
            return asking if state.draw.offer == by else NOTHING
        case TakingBack(by):
            return asking if state.online.takeback == by else NOTHING
    return NOTHING if moved and isinstance(asking, ANNOUNCING) else asking


def resumed(state: State) -> State:
    """The state in a new run: nothing is known of the server until it tells how the game stands."""
    if not state.at_server:
        return state
    kept = OnlineState(
        sent=state.online.sent,
        prepared=state.online.prepared,
        chats=state.online.chats,
        lines=state.online.lines,
    )
    return replace(state, online=kept)


def also(state: State, name: CommandName) -> tuple[Message, ...]:
    """What belongs to the answer to a question about the turn or the time, beside the game itself."""
    online, messages = state.online, []
    if state.game.result or not state.at_server:
        return ()
    if name in (CommandName.TURN, CommandName.LAST_MOVE):
        messages += [Message.of("online_waits_for", move=online.sent.fact)] if online.sent else []
        messages += [Message.of("online_prepared", move=online.prepared)] if online.prepared else []
    for at in (online.first_move_at, online.move_at):
        if name is CommandName.CLOCK and at is not None:
            turn = state.game.position.turn
            messages.append(Message.of("time_left", colour=turn, time=_left(at, state.now_ms)))
    return tuple(messages)


def begins(state: State) -> tuple[Message, ...]:
    """Against whom the game is, for how much, and in what time."""
    setup, agreed = state.setup, state.setup.online
    white, players = setup.colour == WHITE, setup.players
    name, rating = (players.black, agreed.black_rating) if white else (players.white, agreed.white_rating)
    against = Message.of("online_no_account") if name in NOBODY else name
    against = Message.of("online_rated_player", name=name, rating=rating) if rating else against
    kind = Message.of("online_rated" if agreed.rated else "online_casual")
    time = Message.of("online_no_limit")
    if setup.timing.clock != "none":
        time = Message.of("online_clock", clock=setup.timing.clock)
    elif agreed.days:
        time = Message.of("online_days", count=agreed.days)
    return (Message.of("setup_online", colour=setup.colour, opponent=against, kind=kind, time=time),)
