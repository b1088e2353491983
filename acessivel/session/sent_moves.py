# SPDX-License-Identifier: GPL-3.0-or-later
"""The player's own moves in a game at a server: prepared before the reply, sent, sent again if lost."""

from __future__ import annotations

from dataclasses import replace

from acessivel.dialogue.announcement import Readings
from acessivel.dialogue.disambiguation import gives
from acessivel.dialogue.questions import (
    NOTHING,
    Asking,
    Confirm,
    Names,
    Nothing,
    Numbering,
    Offered,
    Sure,
    TakingBack,
    question,
)
from acessivel.dialogue.turn import Obey, PlayMove, Turn
from acessivel.message import Message
from acessivel.rules.position import Fact
from acessivel.rules.prepared_moves import after_reply
from acessivel.session.changes import resting, say
from acessivel.session.effects import AskServer, Effect
from acessivel.session.events import Heard
from acessivel.session.state import SentMove, State, Step
from voices.meaning import Castling, Command, CommandName, MovePattern, Reading

_OBJECTION_MS = 1000  # after a sure move was repeated: to say no, and for a microphone that opens only then

# What came of it, what is told about it, and what the server is asked for.
Sending = tuple[State, tuple[Message, ...], tuple[Effect, ...]]


def announced(state: State, fact: Fact) -> Step:
    """A confirmed move is sent; before the opponent's reply it waits for that."""
    if state.prepares:
        state = resting(replace(state, online=replace(state.online, prepared=fact)))
        return say(state, Message.of("online_prepared", move=fact), *question(state.asking))
    state, told, asks = _sent(state, fact)
    state = resting(state)
    state, effects = say(state, *told, *question(state.asking))
    return state, (*asks, *effects)


def _sent(state: State, fact: Fact) -> Sending:
    """Ask for a move at once, or once it is known how the game stands: it may stand otherwise by then."""
    draw = state.draw.with_move == fact.colour
    goes = state.online.joined and not state.online.lost
    sent = SentMove(fact, draw=draw, asked=goes)
    offer = None if state.draw.offer != fact.colour else state.draw.offer
    state = replace(
        state,
        online=replace(state.online, sent=sent, prepared=None),
        draw=replace(state.draw, with_move=None, offer=offer),
    )
    told = Message.of("online_sent" if goes else "online_held", move=fact)
    return state, (told,), (_ask(sent),) if goes else ()


def _ask(sent: SentMove) -> AskServer:
    return AskServer("move", sent.fact.uci, sent.draw)


def seen(state: State, following: tuple[Fact, ...], *, back: bool, over: bool, fresh: bool) -> Sending:
    """What became of the move that was sent, when the server shows these moves after the last known one.

    `back`: one or more are taken back; `over`: the game has ended. If nothing has happened, and after a
    `fresh` connection no request is on its way, the move is asked for again: so no move gets lost, and none
    is made twice, as the same move is never legal again at the player's next turn, but for one.
    """
    sent = state.online.sent
    if sent is None:
        return state, (), ()
    without = replace(state, online=replace(state.online, sent=None))
    if following[:1] and following[0].uci == sent.fact.uci and not back:
        return without, (), ()
    if following or back or over:
        return without, (Message.of("online_not_made", move=sent.fact),), ()
    if not fresh:
        return state, (), ()
    if sent.refused is not None:
        return without, (Message.of("online_move_refused", move=sent.fact, reason=sent.refused),), ()
    if sent.asked and _legal_again(sent.fact):
        return without, (Message.of("online_move_unanswered", move=sent.fact),), ()
    again = replace(sent, asked=True)
    told = () if sent.asked else (Message.of("online_sent", move=sent.fact),)  # it was only held until now
    return replace(state, online=replace(state.online, sent=again)), told, (_ask(again),)


def _legal_again(fact: Fact) -> bool:
    """Whether a move can be another one after it: castling whose king keeps its square, not its rook."""
    file, target = fact.uci[0], fact.uci[2]
    return isinstance(fact.meaning, Castling) and file == ("g" if target > file else "c")


def after(state: State, *, replied: bool, first: bool) -> Sending:
    """What becomes of the prepared move after others: it is made as announced, after one reply, or not.

    With the `first` state of a run it awaits a yes, as nobody has heard the reply.
    """
    prepared = state.online.prepared
    if prepared is None:
        return state, (), ()
    state = replace(state, online=replace(state.online, prepared=None))
    fact = after_reply(prepared, state.game.position) if replied and not state.game.result else None
    if fact is None:
        key = "online_prepared_not" if replied else "online_not_made"
        return state, (Message.of(key, move=prepared),), ()
    if first:
        state = replace(state, asking=_asking_beneath(state.asking, Confirm(fact)))
        return state, (Message.of("online_was_prepared", move=fact),), ()
    return _sent(state, fact)


def _asking_beneath(asking: Asking, beneath: Asking) -> Asking:
    """A question that leads back to this one, where it leads back to any; else this one in its place."""
    if isinstance(asking, Names | Numbering | Sure):
        return replace(asking, before=_asking_beneath(asking.before, beneath))
    return beneath


def kept(asking: Confirm, state: State) -> Confirm | None:
    """The question about a move in another position: for the same words, if they mean the same move there."""
    position = state.moves_in
    fact = after_reply(asking.fact, position) if asking.fact.colour == position.turn else None
    if fact is None or not gives(fact, asking.check):
        return None
    return Confirm(fact, doubtful=asking.doubtful, check=asking.check)


def withdrawn(state: State) -> Step:
    """The prepared move, or the one that waits for the connection, is not sent."""
    fact = state.online.confirmed
    state = replace(state, online=replace(state.online, prepared=None, sent=None))
    return say(state, Message.of("online_withdrawn", move=fact), *question(state.asking))


def turned(state: State, event: Heard, turn: Turn, readings: Readings) -> Turn:
    """What was understood in a game at a server: a move that waits can be withdrawn, a sure one needs no yes.

    A typed move that was surely read goes at once, a spoken one a moment after it was repeated to its end,
    unless anybody speaks before that. A piece that was pointed at is asked about: fingers slip.
    """
    if not state.at_server:
        return turn
    if turn.command and _withdraws(state, turn.command):
        return Turn(state.asking, do=Obey(turn.command))
    if not (isinstance(turn.asking, Confirm) and _is_sure(state, event, turn, readings)):
        return turn
    if event.spoken:
        return replace(turn, asking=replace(turn.asking, sure=True))
    return Turn(NOTHING, do=PlayMove(turn.asking.fact))


def _withdraws(state: State, command: Command) -> bool:
    """Whether a correction is about a confirmed move that has not been sent yet."""
    sent, open_ = state.online.sent, isinstance(state.asking, Nothing | Offered | TakingBack)
    waits = state.online.prepared is not None or (sent is not None and not sent.asked)
    return command.name is CommandName.CORRECTION and open_ and waits


def _is_sure(state: State, event: Heard, turn: Turn, readings: Readings) -> bool:
    """Whether a move was announced that needs no yes: with one reading, and no other that it could be.

    A likely reading that names another piece is one even if that cannot go there: "B to b4" is no pawn's.
    """
    asking = turn.asking
    if state.setup.online.online_confirm != "unsure" or state.asking != NOTHING or not event.words:
        return False
    if event.spoken and (state.confirm == "key" or event.early):
        return False
    if not isinstance(asking, Confirm) or any(_names_another(reading, asking.fact) for reading in readings):
        return False
    plain = asking == Confirm(asking.fact, check=asking.check, alike=asking.alike)
    return plain and event.sure and not event.again and turn.do is None and turn.say == question(asking)


def _names_another(reading: Reading, fact: Fact) -> bool:
    """Whether a likely reading names another piece than that of a move."""
    said, moves = reading.meaning, fact.meaning
    named = said.piece if isinstance(said, MovePattern) and reading.likely else None
    return named is not None and not (isinstance(moves, MovePattern) and moves.piece is named)


def after_speech(state: State, *, heard: bool) -> State:
    """The state after a move that needs no yes was repeated: if not to its end, it awaits one after all."""
    asking = state.asking
    if not (isinstance(asking, Confirm) and asking.sure):
        return state
    if heard:
        return replace(state, online=replace(state.online, goes_at=state.now_ms + _OBJECTION_MS))
    return replace(state, asking=replace(asking, sure=False))


def objected(before: State, after: State) -> State:
    """The state after anything was said: whatever it was, the move that was to go by itself awaits a yes.

    So it does too where the answer to another question leads back to it.
    """
    asking = after.asking
    if isinstance(asking, Confirm) and asking.sure and before.asking != NOTHING:
        after = replace(after, asking=replace(asking, sure=False))
    return replace(after, online=replace(after.online, goes_at=None))


def wakes_in(state: State, now_ms: int, *, quiet: bool) -> int | None:
    """In how many ms a move goes without a yes; None if none does, or not while anybody speaks."""
    at = state.online.goes_at
    if at is None or (at <= now_ms and not quiet):
        return None
    return max(0, at - now_ms)


def due(state: State) -> Step | None:
    """Send the move that was surely read and repeated, when nobody has said anything against it."""
    asking, at = state.asking, state.online.goes_at
    if at is None or state.now_ms < at:
        return None
    state = replace(state, online=replace(state.online, goes_at=None))
    if not (isinstance(asking, Confirm) and asking.sure):
        return state, ()
    return announced(replace(state, asking=NOTHING), asking.fact)
