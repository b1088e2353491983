# SPDX-License-Identifier: GPL-3.0-or-later
"""The introduction: lessons on a practice board, told with the output of `step` until the goal is reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from acessivel.dialogue.questions import (
    ANNOUNCING,
    NOTHING,
    Choose,
    Confirm,
    Difference,
    Missing,
    Nothing,
    Promote,
    Sure,
)
from acessivel.game.game import Game, Setup
from acessivel.message import Message
from acessivel.rules.position import WHITE
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.changes import say
from acessivel.session.effects import Effect
from acessivel.session.events import Event
from acessivel.session.preferences import NO_MICROPHONE
from acessivel.session.state import State, Step
from voices.meaning import Command, CommandName, MovePattern, Piece, Place
from voices.speakers import Span
from voices.words.phrasing import phrasing

# The moves that a newcomer is asked for, and the replies to them: the first possible one is taken.
_PAWN = (MovePattern(Place("e", "4")), MovePattern(Place("d", "4")))
_SLIP = (MovePattern(Place("h", "3"), Piece.KNIGHT), MovePattern(Place("a", "3")))
_RIGHT = (MovePattern(Place("f", "3"), Piece.KNIGHT), MovePattern(Place("c", "3"), Piece.KNIGHT))
_REPLIES = ("e7e5", "b8c6", "g8f6", "d7d6", "f8e7", "e8g8")
_WHOLE_AGAIN = 2, 3  # the times that a task is told whole again; who plays on otherwise knows it then
_OF_THE_USER = ev.Heard | ev.Ordered | ev.SquarePointed
_LEADING_AWAY = _OF_THE_USER | ev.EngineMoved  # from the task, where it is not done by it

Goal = Callable[[State, Event, State], bool]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A task, by the key of its sentence, until its goal is reached; `moves`: the move that it names.

    The task of `again`, or its own, is told again whenever no question is open: in short, as
    "lesson_announce_again", but whole the second and third time.
    """

    key: str
    goal: Goal
    moves: tuple[MovePattern, ...] = ()
    again: str = ""


def _announced(_: State, __: Event, after: State) -> bool:
    return isinstance(after.asking, Confirm)


def _answered(before: State, event: Event, after: State) -> bool:
    """The player has moved, and so has the program."""
    return isinstance(event, ev.EngineMoved) and len(after.game.played) > len(before.game.played)


def _withdrawn(before: State, _: Event, after: State) -> bool:
    """The move that was asked waits no longer; after a no, a part of it can be asked for instead."""
    whole = isinstance(before.asking, Confirm | Difference)
    left = isinstance(after.asking, Nothing | Missing | Choose | Promote if whole else Nothing)
    return isinstance(before.asking, ANNOUNCING) and left and before.game == after.game


def _asked(before: State, event: Event, after: State) -> bool:
    """A question about the pieces was answered, and nothing else has happened."""
    told = after.told.last[0].key if after.told.last else ""
    return isinstance(event, _OF_THE_USER) and before.game == after.game and told == "side_position"


def _pointed(_: State, event: Event, __: State) -> bool:
    return isinstance(event, ev.SquarePointed)


def _stopped(_: State, __: Event, after: State) -> bool:
    return isinstance(after.asking, Sure) and after.asking.command is CommandName.STOP


_LESSONS = (
    Lesson("lesson_announce", _announced, _PAWN),
    Lesson("lesson_yes", _answered, _PAWN, "lesson_announce"),
    Lesson("lesson_slip", _withdrawn, _SLIP),
    Lesson("lesson_right", _answered, _RIGHT),
    Lesson("lesson_ask", _asked),
    Lesson("lesson_routing", _pointed),
    Lesson("lesson_stop", _stopped),
)


def board(language: str, convention: str) -> Setup:
    """What is agreed for the practice board: the words of the real game, White for the player, no clock."""
    return Setup(language, convention, opponent="engine", colour=WHITE, lessons=True)


class Lessons:
    """Adds the next task to what the game tells, and knows whether all tasks are done."""

    def __init__(self, *, routing: bool, listed: bool = False) -> None:
        """`routing`: there is a display whose routing keys can be pressed; `listed`: a list follows."""
        self._listed = listed
        self._left = [lesson for lesson in _LESSONS if routing or lesson.goal is not _pointed]
        self._slips = 0  # how often the present task was told again

    def taught(self, before: State, event: Event, after: State, effects: tuple[Effect, ...]) -> Step:
        """What an event has led to, with the next task told after it in the same announcement."""
        if isinstance(event, ev.Started):
            return _telling(after, (Message.of("lesson_welcome"), *self._task(after)), effects)
        if ef.Seal() in effects:  # nothing of this board is kept
            after, effects = say(after, Message.of("lesson_no_adjourn"))
        done = bool(self._left) and self._left[0].goal(before, event, after)
        if done:
            self._left.pop(0)
            self._slips = 0
        if after.game.result or ef.Leave() in effects:
            return after, (*effects, ef.Leave())
        lost = isinstance(event, _LEADING_AWAY) and after.asking == NOTHING and not after.engine_to_move
        if not (done or lost):
            return after, effects
        told = tuple(m for effect in effects if isinstance(effect, ef.Say) for m in effect.messages)
        if done:
            about = (*_about_answer(self._left), *_about_words(self._left, after))
            return _telling(after, (*told, *about, *self._task(after)), effects)
        self._slips += isinstance(event, _OF_THE_USER)
        return _telling(after, _with_task(told, self._task(after), self._again(after)), effects)

    @property
    def farewell(self) -> tuple[Message, ...]:
        """What is told at its end."""
        more = Message.of("lesson_more_listed" if self._listed else "lesson_more")
        return (Message.of("lesson_left" if self._left else "lesson_done"), more)

    def _task(self, state: State) -> tuple[Message, ...]:
        if not self._left:
            return (Message.of("lesson_stop_yes"),)
        return (_told_as(self._left[0].key, self._left[0], state), *_about_yes(self._left[0], state))

    def _again(self, state: State) -> tuple[Message, ...]:
        """The task once more: only what is to be done, but the second and third time all of it."""
        if not self._left:  # he went on instead of saying yes
            return (Message.of("lesson_stop_again"),)
        lesson = self._left[0]
        key = lesson.again or lesson.key
        return (_told_as(key if self._slips in _WHOLE_AGAIN else f"{key}_again", lesson, state),)


def _told_as(key: str, lesson: Lesson, state: State) -> Message:
    if lesson.moves:
        return Message.of(key, move=_possible(lesson.moves, state))
    return Message.of(key, question=CommandName.PIECES)


def _with_task(
    told: tuple[Message, ...], task: tuple[Message, ...], again: tuple[Message, ...]
) -> tuple[Message, ...]:
    """What was told with the task once more, unless it was just repeated."""
    if task[0] in told:
        return told
    refused = (Message.of("not_understood"), Message.of("not_understood_again"))
    short = Message.of("lesson_not_understood")
    return (*(short if message in refused else message for message in told), *again)


def _about_answer(left: list[Lesson]) -> tuple[Message, ...]:
    """That the program announces too, after its first move."""
    return (Message.of("lesson_answer"),) if left and left[0].moves == _SLIP else ()


def _about_words(left: list[Lesson], state: State) -> tuple[Message, ...]:
    """That the words are German, before the first piece is named; German players know it."""
    words = phrasing(state.setup.convention, state.setup.language)
    if not left or left[0].moves != _SLIP or words.language != "de" or state.setup.language == "de":
        return ()
    german = Span(words.piece(Piece.KNIGHT), words.language)
    letters = Command(CommandName.CONVENTION, choice="letters")
    return (Message.of("lesson_words", german=german, piece=Piece.KNIGHT, command=letters),)


def _about_yes(lesson: Lesson, state: State) -> tuple[Message, ...]:
    """Which yes is easier to hear, where a spoken one counts."""
    spoken = state.preferences.talk != NO_MICROPHONE and state.confirm == "any"
    return (Message.of("longer_yes_tip"),) if lesson.key == "lesson_yes" and spoken else ()


def _possible(moves: tuple[MovePattern, ...], state: State) -> MovePattern:
    """The first of the moves that is possible; any move if the player has left the intended path."""
    position = state.game.position
    found = next((move for move in moves if position.matching(move)), None)
    legal = (fact.meaning for fact in position.legal)
    return found or next((move for move in legal if isinstance(move, MovePattern)), moves[0])


def _telling(state: State, messages: tuple[Message, ...], effects: tuple[Effect, ...]) -> Step:
    """One announcement in place of several, where the first was: after the words that it is told in."""
    said = next((n for n, effect in enumerate(effects) if isinstance(effect, ef.Say)), 0)
    after = (effect for effect in effects[said:] if not isinstance(effect, ef.Say))
    told = (*effects[:said], ef.Say(messages), *after)
    return replace(state, told=replace(state.told, last=messages)), told


class Replies:
    """The opponent on the practice board: replies at once, with a simple move."""

    def __init__(self, report: Callable[[Event], None]) -> None:
        """`report` receives each answer."""
        self._report = report

    def ask_move(self, game: Game, now_ms: int) -> None:  # noqa: ARG002  # there is no clock
        """Answer with a move."""
        legal = [fact.uci for fact in game.position.legal]
        self._report(ev.EngineMoved(uci=next((uci for uci in _REPLIES if uci in legal), legal[0])))

    def ask_draw(self, game: Game, colour: str) -> None:  # noqa: ARG002  # it never accepts one
        """Refuse."""
        self._report(ev.EngineAnswered(accepts=False))

    def ask_advice(self, game: Game, about: str, ply: int) -> None:
        """Do nothing: without an engine there is no advice, and the board is not for practice games."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
