# SPDX-License-Identifier: GPL-3.0-or-later
"""What a game at a server allows, without help or another ruling; and from which game others follow."""

from __future__ import annotations

from acessivel.dialogue.confirmation import ONLY_AFTER_THE_END
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import COLOURS
from acessivel.session.state import State
from voices.meaning import CommandName

# Advice of an engine or a book, or what does the player's work: the server forbids all outside help.
_HELP = queries.ENGINE_ADVICE | queries.BOARD_ADVICE
# What players and arbiters at one board do, or what the server does by itself.
_NOT_AT_A_SERVER = frozenset(
    {
        CommandName.TOUCHED,
        CommandName.ADJUST,
        CommandName.PRESS,
        CommandName.CLAIM_FIFTY,
        CommandName.CLAIM_FLAG,
        CommandName.CLAIM_ILLEGAL,
        CommandName.CLOCK_STOP,
        CommandName.ADJOURN,
        CommandName.ARBITER,
        CommandName.MADE,
        CommandName.SIGN,
    }
)
_ONLY_AT_A_SERVER = frozenset(
    {CommandName.ABORT, CommandName.CLAIM_VICTORY, CommandName.CHAT, CommandName.CHAT_ALOUD}
)


def refused(state: State, name: CommandName) -> Message | None:
    """Why a command has no place in this game; None if it has one. No setting and no page changes that."""
    if name is CommandName.PLAY_ONLINE:
        return _stays(state)
    if state.setup.drill and name in ONLY_AFTER_THE_END:
        return Message.of("after_drill")
    if not state.at_server:
        return Message.of("online_only") if name in _ONLY_AT_A_SERVER else None
    if name is CommandName.ABORT and len(state.game.played) >= len(COLOURS) and not state.game.result:
        return Message.of("abort_too_late")
    if name is CommandName.TAKE_BACK and state.game.result:
        return Message.of("game_is_over", result=queries.over(state.game))
    if name is CommandName.OPENING and state.game.result:  # helps nobody any more
        return None
    if name in _HELP:
        return Message.of("online_no_help")
    return Message.of("online_server_decides") if name in _NOT_AT_A_SERVER else None


def _stays(state: State) -> Message | None:
    """Why this game does not lead to others at a server; None if it does."""
    if state.at_server:
        return Message.of("online_already")
    setup = state.setup
    bound = setup.practice or setup.lessons or setup.two_boards or state.hall.joined
    return Message.of("online_not_from_here") if bound else None
