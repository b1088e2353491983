# SPDX-License-Identifier: GPL-3.0-or-later
"""What an utterance leads to: the next question, what is said, and at most one thing to do."""

from __future__ import annotations

from dataclasses import dataclass

from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.questions import Asking, Bare
from acessivel.laws.grounds import Ground
from acessivel.message import Message
from acessivel.rules.position import Fact
from voices.meaning import Command, CommandName, Place


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Play the move that was repeated and confirmed."""

    fact: Fact


class CountMove(Bare):
    """Count the announced move: the opponent has made it on his own board."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CarryOut:
    """Carry out the command that needed a yes, after its yes; `colour`, `choice`: as of `Sure`."""

    command: CommandName
    colour: str = ""
    choice: str = ""


class AcceptDraw(Bare):
    """Accept the draw that was offered."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ClaimDraw:
    """Claim a draw (threefold or 50 moves) in this position."""

    command: CommandName


@dataclass(frozen=True, slots=True)
class ClaimOn:
    """Claim a draw in the quickplay finish on this ground."""

    ground: Ground


@dataclass(frozen=True, slots=True)
class TouchPiece:
    """Hold the player to the piece on this square: it was touched."""

    square: Place


@dataclass(frozen=True, slots=True)
class DecideAsArbiter:
    """Carry out what the arbiter has decided."""

    deciding: Deciding


@dataclass(frozen=True, slots=True)
class SignResult:
    """Sign the result for this colour."""

    colour: str


class DeclineDraw(Bare):
    """Decline the draw that was offered."""

    __slots__ = ()


class CallArbiter(Bare):
    """Call the arbiter, who is not at the table."""

    __slots__ = ()


class AllowTakeBack(Bare):
    """Let the opponent at a server take a move back."""

    __slots__ = ()


class RefuseTakeBack(Bare):
    """Do not let the opponent at a server take a move back."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ChosenName:
    """What has been chosen by number."""

    name: str


class SendReply(ChosenName):
    """Send this reply to the opponent at a server."""

    __slots__ = ()


class TellTopic(ChosenName):
    """Tell what the Laws say about this topic."""

    __slots__ = ()


class GoOn(Bare):
    """Let the game continue: the opponent's move was repeated as it was announced."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class SaidCommand:
    """The command that was said."""

    command: Command


class Obey(SaidCommand):
    """Do what this command says, or answer it."""

    __slots__ = ()


class AnswerAlone(SaidCommand):
    """Do nothing: the command needs a yes, or corrects the question, and `Turn.say` says so."""

    __slots__ = ()


# What a yes does irrevocably; if a yes must be a key, a spoken one does none of these.
Binding = (
    PlayMove | CountMove | CarryOut | AcceptDraw | AllowTakeBack | ClaimDraw | TouchPiece | DecideAsArbiter
    | SignResult
)  # fmt: skip
Deed = (
    Binding | ClaimOn | DeclineDraw | RefuseTakeBack | SendReply | CallArbiter | TellTopic | GoOn | Obey
    | AnswerAlone
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turn:
    """What an utterance leads to: what is asked next, what is said, and at most one thing to do.

    `refusal`: why what was said is refused as it stands, if another move is asked about.
    """

    asking: Asking
    say: tuple[Message, ...] = ()
    do: Deed | None = None
    refusal: Message | None = None

    @property
    def command(self) -> Command | None:
        """The command that was said, if one was, whether or not it is obeyed now."""
        return self.do.command if isinstance(self.do, SaidCommand) else None

    @property
    def binds(self) -> bool:
        """Whether it does something irrevocable."""
        return isinstance(self.do, Binding)
