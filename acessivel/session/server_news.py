# SPDX-License-Identifier: GPL-3.0-or-later
"""What a server tells beside how its game stands: refusals, who is there, what is written, the ratings."""

from __future__ import annotations

from dataclasses import replace

from acessivel.dialogue.questions import question
from acessivel.message import Duration, Message
from acessivel.queries import queries
from acessivel.rules.position import WHITE
from acessivel.session.changes import ignored, say
from acessivel.session.effects import JOIN, Leave
from acessivel.session.events import (
    NOT_LOGGED_IN,
    OTHER_ACCOUNT,
    SERVER_BACK,
    SERVER_LOST,
    SERVER_WAITS,
    Chatted,
    DeviceNews,
    OpponentGone,
    RatingChanged,
    ServerRefused,
)
from acessivel.session.state import State, Step

_KEPT_LINES = 5  # of what was written and not told
_LONGEST_LINE = 140  # characters
_SERVER = "lichess"  # who writes the server's own lines
_ANSWERS = frozenset({"draw_no", "takeback_no"})  # refused only if there is nothing to answer any more


def refused(state: State, event: ServerRefused) -> Step:
    """The server has not done what was asked: a move shows by what it tells next, all else is told."""
    if event.request == "move":
        sent = state.online.sent
        if sent is None or not event.reason:
            return ignored(state, ServerRefused)
        return replace(state, online=replace(state.online, sent=replace(sent, refused=event.reason))), ()
    if event.request == JOIN:
        state, effects = say(state, _not_let_in(state, event.reason), *_not_made(state))
        return state, (*effects, Leave())
    if state.game.result or event.request in _ANSWERS:
        return ignored(state, ServerRefused)
    request = Message.of(f"online_request_{event.request}")
    key = "online_refused" if event.reason else "online_unanswered"
    return say(state, Message.of(key, request=request, reason=event.reason), *question(state.asking))


def _not_let_in(state: State, reason: str) -> Message:
    if reason == OTHER_ACCOUNT:
        return Message.of(OTHER_ACCOUNT, name=_own_name(state))
    return Message.of(NOT_LOGGED_IN if reason == NOT_LOGGED_IN else "online_join_refused")


def _not_made(state: State) -> tuple[Message, ...]:
    """What is told of a confirmed move where nothing will show any more what has become of it."""
    sent = state.online.sent
    if sent is None:
        return ()
    if sent.asked and sent.refused is None:
        return (Message.of("online_move_unanswered", move=sent.fact),)
    return (Message.of("online_move_lost", move=sent.fact),)


def gone(state: State, event: OpponentGone) -> Step:
    """The opponent has left, or is back; the server may tell that more than once."""
    if state.game.result:
        return ignored(state, OpponentGone)
    told = event.gone and state.online.claim_told
    claim_at = state.now_ms + event.claim_ms if event.gone and event.claim_ms >= 0 and not told else None
    known = state.online.gone == event.gone
    online = replace(state.online, gone=event.gone, claim_at=claim_at, claim_told=told)
    state = replace(state, online=online)
    if known or (event.gone and event.claim_ms == 0):
        return due(state) or (state, ())
    if not event.gone:
        return say(state, Message.of("online_returned"), *question(state.asking))
    if claim_at is None:
        return say(state, Message.of("online_gone"), *question(state.asking))
    time = Duration(max(1000, round(event.claim_ms, -3)))
    return say(state, Message.of("online_gone_claim", time=time), *question(state.asking))


def wakes_in(state: State, now_ms: int, *, quiet: bool) -> int | None:
    """In how many ms a claim becomes possible; None if none is awaited, or it cannot be told now."""
    at = state.online.claim_at
    if at is None or state.game.result or (at <= now_ms and not quiet):
        return None
    return max(0, at - now_ms)


def due(state: State) -> Step | None:
    """Say once that the opponent has been away for long enough."""
    at = state.online.claim_at
    if at is None or state.now_ms < at or state.game.result:
        return None
    state = replace(state, online=replace(state.online, claim_at=None, claim_told=True))
    return say(state, Message.of("online_claim_now"), *question(state.asking))


def chatted(state: State, event: Chatted) -> Step:
    """Tell what was written to the players, if that is wished; else keep it for whoever asks.

    What the server writes there about offers is told in the user's language where it happens.
    """
    if event.by.casefold() in (_own_name(state).casefold(), _SERVER):
        return state, ()
    line = replace(event, at=0, text=" ".join(event.text.split())[:_LONGEST_LINE])
    if not state.online.chats:
        lines = (*state.online.lines, line)[-_KEPT_LINES:]
        return replace(state, online=replace(state.online, lines=lines)), ()
    return say(state, chat_line(line), *question(state.asking))


def _own_name(state: State) -> str:
    players = state.setup.players
    return players.white if state.setup.colour == WHITE else players.black


def chat_line(line: Chatted) -> Message:
    """What somebody has written."""
    return Message.of("chat_line", name=line.by, text=line.text)


def connected(state: State, event: DeviceNews) -> State:
    """The state after the connection was lost or is back, or the server wants a pause."""
    if event.key not in (SERVER_LOST, SERVER_BACK, SERVER_WAITS):
        return state
    return replace(state, online=replace(state.online, lost=event.key != SERVER_BACK))


def rated_end(state: State) -> tuple[State, tuple[Message, ...]]:
    """After the result, the player's new rating, once it is known; it stands in the record."""
    changed = state.online.rating
    messages: tuple[Message, ...] = (queries.over(state.game),)
    if changed:
        rating = _rating(changed)
        state = replace(state, game=state.game.noted(rating), online=replace(state.online, rating=None))
        messages = (*messages, rating)
    return state, messages


def _rating(changed: RatingChanged) -> Message:
    way = "up" if changed.change > 0 else "down" if changed.change else "same"
    return Message.of(f"online_rating_{way}", rating=changed.rating, count=abs(changed.change))


def rated(state: State, event: RatingChanged) -> Step:
    """The player's rating after the game: told with its end."""
    state = replace(state, online=replace(state.online, rating=event))
    if not state.game.result:
        return state, ()
    state, messages = rated_end(state)
    return say(state, *messages[1:])
