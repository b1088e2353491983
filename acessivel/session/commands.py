# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands: those that need no yes are carried out or answered; the others wait for their yes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.questions import Numbering, Topics
from acessivel.laws import irregularities, topics
from acessivel.laws.editions import edition
from acessivel.message import Message, Messages
from acessivel.queries import queries
from acessivel.rules.position import COLOURS
from acessivel.session import (
    arbiter,
    command_help,
    draws,
    flags,
    hall,
    illegal_moves,
    long_answers,
    moves,
    online,
    pages,
    practice,
    preferences,
    signatures,
    spoken_language,
    touched_pieces,
    two_boards,
)
from acessivel.session.changes import say, with_engine
from acessivel.session.effects import Effect, Explain, Leave, PlayAgain, PlayOnline, Say, Seal
from acessivel.session.state import State, Step
from voices.meaning import ABOUT_THE_BOARD, Command, CommandName

# What is asked about the game as it stands, without further information.
_ORDERS: Mapping[CommandName, Callable[[State], Step]] = {
    CommandName.ADJUST: touched_pieces.adjusts,
    CommandName.SIGN: signatures.asked,
    CommandName.CORRECTION: two_boards.correction,
    CommandName.CLAIM_FLAG: flags.claimed,
    CommandName.PLAY_ONLINE: lambda state: (state, (PlayOnline(),)),  # after the end it needs no yes
}
# What ends this game here, so that something else follows.
_FOLLOWED: Mapping[CommandName, Effect] = {
    CommandName.STOP: Leave(),
    CommandName.NEW_GAME: PlayAgain(changed=False),
    CommandName.REMATCH: PlayAgain(changed=True),
    CommandName.PLAY_ONLINE: PlayOnline(),
}


def ordered(state: State, command: Command) -> Step:
    """Answer a question or do what needs no yes, and put the open question again."""
    again = questions.question(state.asking)
    if command.about:
        return state, (Explain(command.about, again, command.choice),)
    if changed := _changed(state, command):
        return changed
    if ordered := _ORDERS.get(command.name):
        return ordered(state)
    match command.name:
        case CommandName.LANGUAGE | CommandName.CONVENTION:
            return say(state, Message.of("choices", commands=command_help.named((command.name,))), *again)
        case CommandName.REPEAT:
            return _again(state, again)
        case CommandName.LAWS:
            names = topics.topics(edition(state.setup.rulebook.laws))
            asking = Topics(names, questions.under_list(state.asking))
            told = questions.topic_list(names)
            return long_answers.tell(replace(state, asking=asking), (told,), *questions.question(asking))
        case CommandName.CLAIM_THREEFOLD | CommandName.CLAIM_FIFTY:
            return draws.claims(state, command.name)
        case CommandName.CLOCK_STOP:
            ruling = irregularities.clock_stopped(state.game.rules, _stops_clock(state))
            return hall.clock_stopped(state, ruling.message())
        case CommandName.TOUCHED | CommandName.PRESS if why := moves.barred(state):
            return say(state, why, *again)
        case CommandName.TOUCHED:
            return touched_pieces.told(state, command)
        case CommandName.PRESS:
            return illegal_moves.pressed(state)
        case CommandName.MORE:
            return long_answers.go_on(state, *again)
    return _told(state, command)


def _stops_clock(state: State) -> str:
    """The side that stops the clock, "" if that is not known."""
    if not state.two_persons:
        return state.speaker
    return state.by if state.by in COLOURS else ""


def _again(state: State, question: Messages) -> Step:
    """What was said last, once more; what was for another player alone is not for this one."""
    told = state.told
    if told.private and told.to != state.by:
        return state, (Say(question or (queries.turn(state.game),)),)
    return state, (Say(told.last or question, told.private, to=told.to),)


def _told(state: State, command: Command) -> Step:
    """Answer a question about the game once the engine's answer or a move's number is there."""
    made, again = state.standing.played, questions.question(state.asking)
    if command.name in queries.ENGINE_ADVICE:
        return practice.asked(state, command.name)
    if command.name in pages.PAGE_COMMANDS:
        return pages.ordered(state, command)
    if command.name is CommandName.NEXT_PAIRING:
        return say(state, hall.next_pairing(state), *again)
    if command.name is CommandName.MOVE_AT and command.number is None and made:
        numbering = Numbering(made[0].fact.number, made[-1].fact.number, questions.under_list(state.asking))
        return say(replace(state, asking=numbering), *questions.question(numbering))
    if command.name is CommandName.HELP:
        return long_answers.tell(
            state, command_help.overview(practice.commands(state), state.setup.convention), *again
        )
    private = state.setup.two_boards and command.name in ABOUT_THE_BOARD
    answer, more = queries.answer(command, state.game, state.now_ms) or (), online.also(state, command.name)
    # What time a move by correspondence may take stands in for the clock that there is not.
    answer = more if more and command.name is CommandName.CLOCK and not state.game.clock else (*answer, *more)
    return long_answers.tell(state, answer, *again, private=private)


def _changed(state: State, command: Command) -> Step | None:
    """What a command changes in how the program speaks, tells, sounds and listens, or in its language."""
    if preference := preferences.change(state.preferences, command.name):
        return _adopted(replace(state, preferences=preference.preferences), preference)
    if language := spoken_language.change(state.setup, command):
        return _adopted(replace(state, setup=language.setup), language)
    return None


def _adopted(state: State, change: preferences.PreferenceChange | spoken_language.LanguageChange) -> Step:
    """Confirm a change at once, with the new preferences."""
    state, effects = say(state, *change.told, *questions.question(state.asking))
    return state, (*change.adopt, *effects)


def done(state: State, command: CommandName, colour: str = "") -> Step:
    """Carry out the command that needed a yes, after its yes; `colour`: whose it is, if that was asked."""
    if command in _FOLLOWED:
        return state, (_FOLLOWED[command],)
    if command is CommandName.TAKE_BACK:
        return practice.taken_back(state)
    if state.game.result:
        return say(state, Message.of("game_is_over", result=queries.over(state.game)))
    match command:
        case CommandName.ADJOURN if state.engines_turn:
            return say(state, Message.of("not_your_turn", colour=state.game.position.turn))
        case CommandName.ADJOURN if state.game.announced:
            return say(state, two_boards.not_made(state), *questions.question(state.asking))
        case CommandName.ADJOURN:
            return state, (Seal(),)
        case CommandName.ARBITER:
            state, told = hall.come(state)
            deciding = arbiter.asked(state)
            return say(replace(state, asking=deciding), *told, *questions.question(deciding))
        case CommandName.CLAIM_DRAW:
            return draws.quickplay(state)
        case CommandName.CLAIM_ILLEGAL:
            return illegal_moves.claimed(state)
        case CommandName.CLOCK_STOP:
            return with_engine(hall.go_on(state))
        case CommandName.RESIGN:
            return draws.resigned(state, colour)
    return draws.offered(state, colour)
