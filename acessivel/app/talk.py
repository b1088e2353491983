# SPDX-License-Identifier: GPL-3.0-or-later
"""What the two conversations about an envelope have in common: where they are held, and what is shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from acessivel.adjournment.conversation import Opening, Sealing, Told
from acessivel.app.activity import Tell, View, asking_yes_or_no
from acessivel.devices.installation import install
from acessivel.dialogue.questions import Sure
from acessivel.message import Message
from acessivel.rules.position import Position
from acessivel.session.events import Event
from acessivel.session.pages import EVERYWHERE, PAGE_COMMANDS, ROLES
from acessivel.session.state import State
from acessivel.web.present import TalkShown
from voices.meaning import Answer, Command, CommandName
from voices.understanding.meanings import read_typed

IN_TALK = frozenset({CommandName.CLOCK, CommandName.REPEAT})  # what can be asked meanwhile by a key
_YES, _GIVE_UP = "answer_yes", "give_up"  # what routing keys do


def envelopes(folder: Path) -> Path:
    """The folder of the envelopes, beside the games of a folder."""
    return folder / "envelopes"


@dataclass(frozen=True, slots=True)
class Host:
    """What a conversation knows of its game, and what it may do: tell, and let happen what may be journalled.

    `number` is that of the game, `folder` that of the games: the envelopes lie beside them.
    """

    number: int
    folder: Path
    inform: Callable[[Told], None]
    happen: Callable[[Event], None]


class Talk(ABC):
    """A conversation that takes typed lines in place of the game.

    `gives_up` says what an empty line does; `elsewhere` is told where it is not held, and `broken_off` where
    the game ends it. `stops`: the command to stop is an empty line.
    """

    gives_up: Message
    elsewhere: Message
    broken_off: tuple[Message, ...] = ()
    stops = False

    def __init__(self, host: Host, to: str | None) -> None:
        """`to`: the role on whose page it is held, "" for the program's own devices, None: not yet known."""
        self.over = False
        self.to = to
        self._number, self._folder = host.number, envelopes(host.folder)
        self._inform, self._happen = host.inform, host.happen

    @property
    @abstractmethod
    def conversation(self) -> Sealing | Opening:
        """The conversation as it stands."""

    @property
    @abstractmethod
    def yes_or_no(self) -> bool:
        """Whether keys answer the open question by yes or no; else Enter alone gives up."""

    @property
    @abstractmethod
    def takes_no(self) -> bool:
        """Whether the key for no answers it."""

    @property
    def hidden(self) -> bool:
        """Whether the present input must not be visible."""
        return self.conversation.hidden

    @property
    def question(self) -> Told:
        """What is asked."""
        return self.conversation.question()

    @property
    def resigns(self) -> str:
        """The colour that is asked whether it resigns, on its own page too; "" if none is."""
        return ""

    def may_hold(self, role: str) -> bool:  # noqa: ARG002  # who may adjourn was asked before
        """Whether it can be held on the page of a role."""
        return True

    def takes(self, text: str, role: str) -> bool:  # noqa: ARG002  # a move to be sealed is a secret
        """Whether a line of that page counts though it is not held there."""
        return False

    def beside(self, by: str) -> frozenset[CommandName]:
        """What is obeyed meanwhile where it is not held: whoever has the pages in hand orders about these."""
        return PAGE_COMMANDS if by in EVERYWHERE else frozenset()

    def is_about(self, position: Position) -> bool:  # noqa: ARG002  # an envelope is opened in any
        """Whether it makes sense in that position."""
        return True

    @abstractmethod
    def begin(self) -> None:
        """Ask the first question."""

    @abstractmethod
    def answer(self, text: str, state: State) -> None:
        """Take a line; an empty one gives up."""

    def abandoned(self, state: State) -> None:  # noqa: ARG002  # nothing has happened by then
        """The page where it is held is gone: another may hold it."""
        self.to = None
        self._inform(self.question)

    @abstractmethod
    def cut_off(self, state: State, *, pages: bool) -> None:
        """Nothing can be typed any more where it is held, nor on any of the `pages` if there are none."""

    def is_for_the_game(self, text: str, by: str, state: State) -> bool:
        """Whether a line that is not taken orders what is obeyed meanwhile, or answers whether to do that."""
        for reading in read_typed(text, state.setup.language, state.setup.convention):
            match reading.meaning:
                case Command(name) as command if name in self.beside(by) and not command.about:
                    return True
                case Answer():
                    return self._is_asked_beside(by, state)
        return False

    def _is_asked_beside(self, by: str, state: State) -> bool:
        """Whether the game asks, where it is not held, if what is obeyed meanwhile is to be done."""
        asking = state.asking
        return by != self.to and isinstance(asking, Sure) and asking.command in self.beside(by)

    def refused(self, text: str, by: str) -> Tell | None:
        """What is told to a page whose line is not taken; the first that may hold the conversation does.

        The program's own keyboard can always give it up.
        """
        if self.to is None and self.may_hold(by):
            self.to = by
        if by != self.to and (by or text) and not self.takes(text, by):
            return Tell((self.elsewhere,), private=bool(by), to=by)
        return None

    def answer_of(self, action: str) -> str | None:
        """The key of the answer that an action gives, "" to give up; None if it means nothing here."""
        match action:
            case "send" | "cancel":
                return action if self.yes_or_no or (self.takes_no and action == "cancel") else ""
            case _ if action == _YES and self.takes_no:
                return "send"
            case _ if action == _GIVE_UP or (action == CommandName.STOP and self.stops):
                return ""
        return None

    def shown(self, view: View) -> View:
        """The view with what is asked, on the page where it is held, or on the display, with the answers."""
        asked, back, to = self.question.messages, self.gives_up, self.to
        shown = TalkShown(
            asked,
            frozenset(filter(self.may_hold, ROLES) if to is None else (to,)),
            back,
            yes_or_no=self.takes_no,
            by_enter=not self.yes_or_no,
            resigns=self.resigns,
            beside=frozenset(
                role for role in ROLES if view.state and self._is_asked_beside(role, view.state)
            ),
        )
        if self.takes_no and not to:
            view = asking_yes_or_no(view, asked, _YES)
        return replace(
            view,
            answers=MappingProxyType({**view.answers, back: _GIVE_UP}),
            lines=(*view.lines, back),
            commands=frozenset() if to else IN_TALK,
            talk=shown,
        )


def library_missing() -> Told:
    """What is told where the encryption library is not installed."""
    return Told((Message.of("missing_cryptography", how=install("adjourn")),))


def time_of_day() -> datetime:
    """The time of day, in local time."""
    return datetime.now().astimezone().replace(tzinfo=None)
