# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose word it is: what is typed on the page of a role counts only as far as that role may act.

At the devices of the program everybody may speak for both sides; so may the pages of both sides and of an
assistant. A player's page acts for its own side, and the arbiter's decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.confirmation import ONLY_AFTER_THE_END
from acessivel.dialogue.questions import ANNOUNCING
from acessivel.dialogue.turn import AcceptDraw, AnswerAlone, CarryOut, Obey, PlayMove, Turn
from acessivel.message import Message
from acessivel.rules.position import COLOURS, other
from acessivel.session import illegal_moves
from acessivel.session.answers import asked
from acessivel.session.changes import say
from acessivel.session.effects import OrderPages
from acessivel.session.state import State, Step
from voices.meaning import PREFERENCES, Answer, Castling, Command, CommandName, MovePattern, Reading
from voices.understanding.meanings import read

ARBITER = "arbiter"
ROLES = (*COLOURS, "both", "assistant", ARBITER, "spectator")
# What the side to move does or declares: nobody else's page may.
_OF_THE_SIDE = frozenset(
    {
        CommandName.TOUCHED,
        CommandName.ADJUST,
        CommandName.PRESS,
        CommandName.CORRECTION,
        CommandName.ADJOURN,
        CommandName.CLAIM_THREEFOLD,
        CommandName.CLAIM_FIFTY,
        CommandName.CLAIM_DRAW,
        CommandName.MADE,
    }
)
# What a player does, in whosever turn.
_OF_A_PLAYER = frozenset(
    {
        CommandName.RESIGN,
        CommandName.DRAW,
        CommandName.CLAIM_FLAG,
        CommandName.CLAIM_ILLEGAL,
        CommandName.SIGN,
    }
)
PAGE_COMMANDS = frozenset({CommandName.WEB, CommandName.WEB_REVOKE, CommandName.WEB_CODE})
# Who may order it where no game is played: the program's own devices, and the pages that act for both sides.
EVERYWHERE = ("", "both", "assistant")
# How the program runs for those who are in the room.
_OF_THE_ROOM = (
    PREFERENCES
    | PAGE_COMMANDS
    | {CommandName.STOP, CommandName.LANGUAGE, CommandName.CONVENTION, CommandName.PLAY_ONLINE}
)


def ordered(state: State, command: Command) -> Step:
    """Ask for what a command says about the pages: that of a colour, or by the number of its role."""
    found = order(command, state.by)
    if found.role == "both" and state.setup.two_boards and command.name is CommandName.WEB_CODE:
        return say(state, Message.of("web_no_both"), *questions.question(state.asking))
    return state, (found,)


def order(command: Command, by: str) -> OrderPages:
    """What a command says about the pages, by whom it was given."""
    named = ROLES[command.number - 1 : command.number] if command.number else ()
    return OrderPages(command.name, command.colour or (named[0] if named else ""), by)


def ordered_elsewhere(text: str, by: str, words: tuple[str, str]) -> OrderPages | Message | None:
    """What a line orders about the pages where no game is played, or why its page may not; else None."""
    meant = (reading.meaning for reading in read(text, *words) if reading.likely)
    command = next((one for one in meant if isinstance(one, Command) and one.name in PAGE_COMMANDS), None)
    if command is None:
        return None
    return order(command, by) if by in EVERYWHERE else Message.of("web_room_only")


def for_the_room(state: State, role: str, name: CommandName) -> bool:
    """Whether a command counts only where the game runs, and not on the page of this role."""
    one = role == ARBITER or (role in COLOURS and state.two_persons)
    return one and name in _OF_THE_ROOM


def refused(state: State, turn: Turn, said: Sequence[Reading]) -> Message | None:
    """Why what is typed on the present page does not count; None if it does."""
    by, alone = state.by, not state.two_persons
    if by == ARBITER:
        return _not_the_arbiters(state, turn)
    if by not in COLOURS or alone:
        return None
    if turn.command and not turn.command.about:
        return _not_the_players(state, turn.command.name)
    if isinstance(turn.do, AcceptDraw) and not isinstance(state.asking, questions.Offered):
        return Message.of("draw_stands", colour=by) if by == state.draw.offer else None
    moves = any(isinstance(reading.meaning, MovePattern | Castling) for reading in said)
    if isinstance(turn.do, CarryOut) and _is_anothers(state, turn.do.command):
        return Message.of("not_your_turn", colour=state.speaker)
    asking = state.asking
    announces = isinstance(turn.asking, ANNOUNCING) and not _goes_back(state, turn)
    announces = announces or isinstance(turn.do, PlayMove)
    if by != state.game.position.turn and (moves or announces) and not state.game.result:
        return Message.of("not_your_turn", colour=state.game.position.turn)
    if moves and isinstance(asking, questions.Sure) and isinstance(turn.asking, ANNOUNCING):
        return None  # a move waits for no yes of the other
    likely = (reading.meaning for reading in said if reading.likely)
    may_deny = _may_leave_menu(state) or _wish(state, by)
    if may_deny and any(isinstance(one, Answer) and not one.yes for one in likely):
        return None
    return _not_asked(state, turn)


def _goes_back(state: State, turn: Turn) -> bool:
    """Whether it leads back from a question in between, to what was asked before."""
    asking = state.asking
    if not isinstance(asking, questions.Sure | questions.Topics | questions.Numbering):
        return False
    return turn.asking == asking.before


def _may_leave_menu(state: State) -> bool:
    """Whether a no of anybody leaves the arbiter's menu: nothing waits for him, who may not be here at all.

    Nor has he half decided anything.
    """
    undecided = isinstance(state.asking, Deciding) and state.asking.what == ""
    return undecided and not state.arbiter.pending


def _wish(state: State, colour: str) -> questions.Sure | None:
    """What this player wishes and the other one is asked about, if that is open."""
    asking = state.asking
    if not isinstance(asking, questions.Sure) or asking.colour != colour:
        return None
    return asking if asking.by == other(colour) else None


def is_of_the_page(why: Message) -> bool:
    """Whether a refusal is worded for who reads it on that page, and for nobody else."""
    return why.key in ("web_room_only", "web_players_only")


def answered_there(state: State, turn: Turn, *, faced: bool) -> Turn:
    """A command typed on a player's or the arbiter's page is answered there.

    Another game is for the other player to agree to, who may have a page too (`faced`); the same command
    from him is a yes.
    """
    sure = turn.asking
    typed = state.two_persons and state.by in (*COLOURS, ARBITER) and isinstance(turn.do, AnswerAlone)
    if not typed:
        return turn
    if not isinstance(sure, questions.Sure) or sure == state.asking:
        return turn
    wish = _wish(state, other(state.by)) if state.by in COLOURS else None
    if wish and wish.command is sure.command:
        return Turn(wish.before, do=CarryOut(wish.command, wish.colour))
    if faced and sure.command in ONLY_AFTER_THE_END:
        sure = replace(sure, colour=state.by, by=other(state.by))
        return replace(turn, asking=sure, say=questions.question(sure))
    return replace(turn, asking=replace(sure, by=state.by))


def _not_the_players(state: State, name: CommandName) -> Message | None:
    if for_the_room(state, state.by, name):
        return Message.of("web_room_only")
    back = illegal_moves.who_presses_back(state) if name is CommandName.PRESS else ""
    if back == state.by:
        return None
    if back and not isinstance(state.asking, ANNOUNCING):
        return Message.of("press_stands", colour=other(back), opponent=back)
    if _is_anothers(state, name):
        return Message.of("not_your_turn", colour=state.speaker)
    return None


def _is_anothers(state: State, name: CommandName) -> bool:
    """Whether only the other player may do it now; what this one has asked for himself changes nothing."""
    own = isinstance(state.asking, questions.Sure)
    is_asked = asked(state) == state.by and not own
    return name in _OF_THE_SIDE and not is_asked and state.speaker != state.by


def _not_the_arbiters(state: State, turn: Turn) -> Message | None:
    if turn.command and not turn.command.about:
        name = turn.command.name
        wrong = name in _OF_THE_SIDE | _OF_A_PLAYER or for_the_room(state, ARBITER, name)
        return Message.of("web_players_only") if wrong else None
    asking = state.asking
    announces = isinstance(turn.asking, ANNOUNCING) and not _goes_back(state, turn)
    if isinstance(turn.do, AcceptDraw) or (announces and turn.asking != asking):
        return Message.of("web_players_only")
    whether_here = isinstance(asking, questions.Sure) and asking.command is CommandName.ARBITER
    return None if whether_here else _not_asked(state, turn)


def _not_asked(state: State, turn: Turn) -> Message | None:
    """Why an answer does not count: another is asked."""
    who = asked(state)
    changes = turn.asking != state.asking or (turn.do is not None and not isinstance(turn.do, Obey))
    changes = changes or any(message.key == "answer_first" for message in turn.say)
    if not changes or who in ("", state.by):
        return None
    if who == ARBITER:
        return Message.of("web_arbiter_or_no" if _may_leave_menu(state) else "web_arbiter_only")
    return Message.of("web_asked_other", colour=who)
