# SPDX-License-Identifier: GPL-3.0-or-later
"""What the player asks the server of a game for, besides moves: draws, taking back, the end, a reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from acessivel.dialogue.questions import ANNOUNCING, Replying, Sure, innermost, question, under_list
from acessivel.dialogue.turn import (
    AcceptDraw,
    AllowTakeBack,
    CarryOut,
    DeclineDraw,
    Deed,
    Obey,
    RefuseTakeBack,
    SendReply,
    Turn,
)
from acessivel.message import Duration, Message
from acessivel.messages.rendering import Renderer
from acessivel.session import fair_play, long_answers, sent_moves, server_news
from acessivel.session.changes import resting, say
from acessivel.session.effects import AskServer, Leave, ServerRequest
from acessivel.session.state import State, Step
from voices.meaning import CommandName

# The short replies, each with its sentence in the catalogues.
_REPLIES = ("hello", "luck", "thanks", "well_played", "good_game", "blind", "sorry", "leave")
_ENGLISH = "en"  # what is sent is in the language that most opponents read
# What is asked of the server once a command has had its yes.
_REQUESTS: Mapping[CommandName, ServerRequest] = {
    CommandName.RESIGN: "resign",
    CommandName.ABORT: "abort",
    CommandName.DRAW: "draw_yes",
    CommandName.TAKE_BACK: "takeback_yes",
    CommandName.CLAIM_VICTORY: "claim_victory",
    CommandName.CLAIM_DRAW: "claim_draw",
    CommandName.CLAIM_THREEFOLD: "draw_yes",  # that is how the server takes a claim
}
# What is told about it, where that it was sent does not say enough.
_TOLD: Mapping[CommandName, str] = {
    CommandName.DRAW: "draw_offered",
    CommandName.TAKE_BACK: "take_back_proposed",
}
_ANSWERS = (AcceptDraw, DeclineDraw, AllowTakeBack, RefuseTakeBack, SendReply)
_OF_THE_ABSENT = frozenset({CommandName.CLAIM_VICTORY, CommandName.CLAIM_DRAW})
_THREEFOLD = 3  # times the same position


def done(state: State, deed: Deed | None) -> Step | None:
    """What an utterance leads to in a game at a server; None if it leads to the same as in any other game."""
    if not state.at_server:
        return None
    if isinstance(deed, _ANSWERS) and (why := _not_reached(state)):
        return say(state, why, *question(state.asking))
    match deed:
        case CarryOut(command):
            return _carried_out(state, command)
        case Obey(command) if not command.about:
            return _ordered(state, command.name)
        case AcceptDraw() | DeclineDraw():
            return _draw_answered(state, accepts=isinstance(deed, AcceptDraw))
        case AllowTakeBack() | RefuseTakeBack():
            return _take_back_answered(state, allows=isinstance(deed, AllowTakeBack))
        case SendReply(name):
            return _replied(state, name)
    return None


def _carried_out(state: State, command: CommandName) -> Step | None:
    """Ask the server for what was ordered and had its yes; a new game begins where this one did."""
    if command is CommandName.NEW_GAME:
        return state, (Leave(),)
    if command not in _REQUESTS or state.game.result:
        return None
    asking = innermost(state.asking)
    if command is CommandName.DRAW and isinstance(asking, ANNOUNCING) and not state.prepares:
        state = replace(state, draw=replace(state.draw, with_move=state.setup.colour))
        return say(state, Message.of("draw_with_move"), *question(state.asking))
    if why := _too_early_or_late(state, command) or _not_reached(state):
        return say(state, why, *question(state.asking))
    return _asks(state, _REQUESTS[command], Message.of(_TOLD.get(command, "online_asked")))


def _asks(state: State, request: ServerRequest, told: Message, text: str = "") -> Step:
    state, effects = say(state, told, *question(state.asking))
    return state, (AskServer(request, text=text), *effects)


def _not_reached(state: State) -> Message | None:
    """Why nothing can be asked for just now."""
    reached = state.online.joined and not state.online.lost
    return None if reached else Message.of("online_not_asked")


def _too_early_or_late(state: State, command: CommandName) -> Message | None:
    """Why something cannot be asked for as the game stands; the server may refuse it all the same."""
    game = state.game
    if command is CommandName.ABORT:
        return fair_play.refused(state, command)
    if command is CommandName.TAKE_BACK and not game.made_by(state.setup.colour):
        return Message.of("no_own_move")
    if command is CommandName.CLAIM_THREEFOLD and state.game.position.repetitions() < _THREEFOLD:
        return Message.of("online_not_repeated")
    left_ms = (state.online.claim_at or 0) - state.now_ms
    if command in _OF_THE_ABSENT and state.online.gone and left_ms > 0:
        return Message.of("online_claim_later", time=Duration(max(1000, round(left_ms, -3))))
    return None


def _ordered(state: State, command: CommandName) -> Step | None:
    """Do what needs no yes, and ask back a claim that can be made; None for another command."""
    match command:
        case CommandName.CORRECTION:
            return sent_moves.withdrawn(state)
        case CommandName.CLAIM_THREEFOLD if why := _too_early_or_late(state, command):
            return say(state, why, *question(state.asking))
        case CommandName.CLAIM_THREEFOLD:
            before = state.asking.before if isinstance(state.asking, Sure) else state.asking
            state = replace(state, asking=Sure(command, before, colour=state.setup.colour))
            return say(state, *question(state.asking))
        case CommandName.CHAT:
            return _chat(state)
        case CommandName.CHAT_ALOUD:
            chats = not state.online.chats
            state = replace(state, online=replace(state.online, chats=chats))
            return say(state, Message.of("chat_on" if chats else "chat_off"), *question(state.asking))
    return None


def _chat(state: State) -> Step:
    """Tell what was written and not told, and the replies to choose from."""
    asking = Replying(_REPLIES, under_list(state.asking))
    lines = tuple(server_news.chat_line(line) for line in state.online.lines)
    replies = (Message.of(f"reply_{name}") for name in _REPLIES)
    listed = tuple(Message.of("numbered", number=n, name=name) for n, name in enumerate(replies, 1))
    state = replace(state, asking=asking, online=replace(state.online, lines=()))
    return long_answers.tell(
        state, (*lines, Message.of("numbered_replies", replies=listed)), *question(asking)
    )


def _replied(state: State, name: str) -> Step:
    """Send a short reply."""
    text = Renderer(_ENGLISH).text(Message.of(f"reply_{name}"))
    return _asks(state, "chat", Message.of("online_asked"), text)


def _draw_answered(state: State, *, accepts: bool) -> Step:
    """Accept the opponent's offer of a draw, or decline it."""
    state = resting(replace(state, draw=state.draw.without_offer()))
    told = Message.of("online_asked" if accepts else "draw_refused")
    return _asks(state, "draw_yes" if accepts else "draw_no", told)


def _take_back_answered(state: State, *, allows: bool) -> Step:
    """Let the opponent take his move back, or do not."""
    state = resting(replace(state, online=replace(state.online, takeback="")))
    told = Message.of("online_asked" if allows else "take_back_refused")
    return _asks(state, "takeback_yes" if allows else "takeback_no", told)


def warned(state: State, turn: Turn) -> Turn:
    """What was understood; whoever wants to stop is told of his time and his prepared move, which waits."""
    stops = turn.command and turn.command.name is CommandName.STOP and not turn.command.about
    if not stops or not state.at_server or state.game.result:
        return turn
    prepared = state.online.prepared
    waits = (Message.of("online_prepared_waits", move=prepared),) if prepared else ()
    time = (Message.of("online_time_runs"),) if state.game.clock else ()
    return replace(turn, say=(*waits, *time, *turn.say))
