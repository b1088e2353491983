# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the conversations about an envelope, with its file; tells the game only what may be journalled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from acessivel.adjournment import envelope
from acessivel.adjournment.conversation import Opening, OpenStage, Sealing, Told, yes_or_no
from acessivel.adjournment.envelope import EnvelopeError, Label
from acessivel.devices.installation import install
from acessivel.dialogue import questions
from acessivel.laws import game_end
from acessivel.laws.ruling import opponent
from acessivel.message import Message, Messages
from acessivel.queries import queries
from acessivel.rules.position import BLACK, COLOURS, WHITE, Position
from acessivel.session.events import (
    Adjourned,
    Arrived,
    Awaited,
    Concluded,
    Event,
    MoveWritten,
    SealingGivenUp,
    Unsealed,
)
from acessivel.session.state import State
from voices.meaning import Command, CommandName
from voices.understanding.meanings import read_typed

# What the questions before an envelope is opened leave room for.
_ENDING = (CommandName.RESIGN, CommandName.DRAW)
_BEFORE_AN_ANSWER = (CommandName.STOP, CommandName.CLOCK, CommandName.REPEAT, *_ENDING)

Inform = Callable[[Told], None]
Happen = Callable[[Event], None]


def envelopes(folder: Path) -> Path:
    """The folder of the envelopes, beside the games of a folder."""
    return folder / "envelopes"


class Talk(Protocol):
    """A conversation that takes typed lines in place of the game."""

    over: bool

    @property
    def hidden(self) -> bool:
        """Whether the present input must not be visible."""

    @property
    def yes_or_no(self) -> bool:
        """Whether keys answer the open question by yes or no; else Enter alone gives up."""

    @property
    def takes_no(self) -> bool:
        """Whether the key for no answers it."""

    @property
    def question(self) -> Told:
        """What is asked."""

    @property
    def gives_up(self) -> Message:
        """What an empty line does."""

    @property
    def elsewhere(self) -> Message:
        """What is told where it is not held."""

    @property
    def resigns(self) -> str:
        """The colour that is asked whether it resigns, on its own page too; "" if none is."""

    def may_hold(self, role: str) -> bool:
        """Whether it can be held on the page of a role."""

    def takes(self, text: str, role: str) -> bool:
        """Whether a line of that page counts though it is not held there."""

    def begin(self) -> None:
        """Ask the first question."""

    def answer(self, text: str, state: State) -> None:
        """Take a line; an empty one gives up."""


class SealTalk:
    """Asks for the move to seal, and puts it into an envelope."""

    def __init__(self, sealing: Sealing, number: int, folder: Path, inform: Inform, happen: Happen) -> None:
        """`number` is that of the game, `folder` that of the games: the envelopes lie beside them."""
        self.over = False
        self._sealing = sealing
        self._number = number
        self._folder = envelopes(folder)
        self._inform = inform
        self._happen = happen

    @property
    def position(self) -> Position:
        """The position in which the move is sealed."""
        return self._sealing.position

    @property
    def hidden(self) -> bool:
        """Whether the present input must not be visible."""
        return self._sealing.hidden

    @property
    def yes_or_no(self) -> bool:
        """Whether keys answer the open question by yes or no; else Enter alone gives up."""
        return self._sealing.stage == "sure"

    @property
    def takes_no(self) -> bool:
        """Whether the key for no answers it."""
        return self.yes_or_no

    @property
    def question(self) -> Told:
        """What is asked."""
        return self._sealing.question()

    @property
    def gives_up(self) -> Message:
        """What an empty line does."""
        return Message.of("seal_back")

    @property
    def elsewhere(self) -> Message:
        """What is told where it is not held."""
        return Message.of("web_sealing")

    @property
    def resigns(self) -> str:
        """Nobody is asked to."""
        return ""

    def may_hold(self, role: str) -> bool:  # noqa: ARG002  # who may adjourn was asked before
        """Whether it can be held on the page of a role."""
        return True

    def takes(self, text: str, role: str) -> bool:  # noqa: ARG002  # it is a secret of who seals
        """Never."""
        return False

    def begin(self) -> None:
        """Ask the first question, if the encryption library is installed."""
        if envelope.available():
            self._inform(self._sealing.question())
        else:
            self.over = True
            self._inform(_missing())

    def answer(self, text: str, state: State) -> None:
        """Take a line; an empty one gives up, and the game continues."""
        self._sealing = replace(self._sealing, now=_now())
        written = self._sealing.confirmed
        if not text:
            self.over = True
            if written:
                self._happen(SealingGivenUp())
            self._inform(Told((Message.of("seal_given_up"), *questions.question(state.asking))))
            return
        self._sealing, told = self._sealing.answered(text)
        if self._sealing.confirmed and not written:
            self._happen(MoveWritten())
        if self._sealing.stage == "done":
            self._close(state)
        else:
            self._inform(told)

    def _close(self, state: State) -> None:
        sealing = self._sealing
        label = _label(self._number, state, sealing)
        path = self._folder / f"envelope-{label.game}-{label.move}-{label.sealer}.json"
        try:
            path = envelope.write(path, envelope.seal(label, sealing.move, sealing.passphrase))
        except OSError:
            self._again(Message.of("seal_not_written", folder=str(self._folder)))
            return
        except EnvelopeError as error:
            self._again(Message.of(error.kind))
            return
        self.over = True
        self._happen(
            Adjourned(
                envelope=str(path),
                when=label.when,
                where=label.where,
                white=label.white,
                black=label.black,
                session_ms=sealing.session_ms,
                reply=sealing.reply,
                identity=label.identity,
            )
        )

    def _again(self, why: Message) -> None:
        """There is no envelope yet: ask for the passphrase again."""
        self._sealing = replace(self._sealing, stage="passphrase", passphrase="")
        self._inform(Told((why, *self._sealing.question().messages)))


class OpenTalk:
    """Asks who is present, opens the envelope with the arbiter's passphrase, and passes its move on."""

    def __init__(  # noqa: PLR0913 - what it opens, and what it may do
        self,
        number: int,
        folder: Path,
        state: State,
        inform: Inform,
        happen: Happen,
        *,
        leave: Callable[[], None],
    ) -> None:
        """`folder` is that of the games, and `leave` ends the program.

        Raises ValueError if the game of `state` is not adjourned.
        """
        if state.adjournment.sealed is None:
            raise ValueError("the game is not adjourned")
        self.over = False
        self._number = number
        self._path = _where(Path(state.adjournment.sealed.envelope), folder)
        self._inform = inform
        self._happen = happen
        self._leave = leave
        sealer = state.game.position.turn
        self._opening = Opening(
            state.setup,
            state.adjournment.sealed,
            sealer,
            timedelta(milliseconds=state.setup.rules.adjourn_late_ms),
            _now(),
            _first(state.adjournment.sealed, opponent(sealer) in state.setup.persons),
        )

    @property
    def hidden(self) -> bool:
        """Whether the present input must not be visible."""
        return self._opening.hidden

    @property
    def yes_or_no(self) -> bool:
        """Never: Enter leaves at each question, as they say; pressed twice it must decide nothing."""
        return False

    @property
    def takes_no(self) -> bool:
        """Whether the key for no answers it."""
        return self._opening.stage != "passphrase"

    @property
    def question(self) -> Told:
        """What is asked."""
        return self._opening.question()

    @property
    def gives_up(self) -> Message:
        """What an empty line does."""
        return Message.of("unseal_leave")

    @property
    def elsewhere(self) -> Message:
        """What is told where it is not held."""
        return Message.of("web_unsealing")

    @property
    def resigns(self) -> str:
        """The colour that is asked whether it resigns, on its own page too; "" if none is."""
        return self._opening.resigns if self._opening.stage == "resign" else ""

    def may_hold(self, role: str) -> bool:
        """Not that of one of two players: neither decides who is too late, nor knows the passphrase."""
        return role not in COLOURS or len(self._opening.setup.persons) == 1

    def takes(self, text: str, role: str) -> bool:
        """Whether a player resigns, offers a draw or asks for the times, which he may on his own page."""
        if role not in COLOURS or not self.takes_no:
            return False
        if command := self._commanded(text):
            return command.name is not CommandName.STOP
        return role == self.resigns and yes_or_no(self._opening.setup, text) is not None

    def begin(self) -> None:
        """Ask the first question."""
        if not envelope.available():
            self._inform(_missing())
            self._leave()
        elif self._path.exists():
            if self._opening.stage == "arrival":
                self._happen(Awaited())
            self._inform(self._opening.question())
        else:
            self._gone("envelope_missing")

    def answer(self, text: str, state: State) -> None:
        """Take a line; an empty one leaves the game adjourned."""
        if not text:
            self._leave()
            return
        self._opening = replace(self._opening, now=_now())
        if self.takes_no and (command := self._commanded(text)):
            self._obey(command, state)
            return
        before = self._opening.stage
        self._opening, told = self._opening.answered(text)
        after = self._opening.stage
        if before == "present" and after == "arrival":
            self._happen(Awaited())
        if before == "arrival" and after == "passphrase":
            self._happen(Arrived())
        if after == "ended":
            self._end(Concluded(resigns=self._opening.resigns))
        elif after == "done":
            self._open(state)
        else:
            self._inform(told)

    def _commanded(self, text: str) -> Command | None:
        """What is wanted before a question is answered."""
        setup = self._opening.setup
        for reading in read_typed(text, setup.language, setup.convention):
            command = reading.meaning
            if isinstance(command, Command) and command.name in _BEFORE_AN_ANSWER:
                asked = self._opening.stage in ("resign", "agree")
                return None if asked and command.name in _ENDING else command
        return None

    def _obey(self, command: Command, state: State) -> None:
        if command.name is CommandName.STOP:
            self._leave()
            return
        told: Messages = ()
        if command.name in _ENDING:
            told = self._asked_to_end(command, state)
        else:
            told = queries.answer(command, state.game, state.now_ms) or ()
        self._inform(Told((*told, *self._opening.question().messages)))

    def _asked_to_end(self, command: Command, state: State) -> Messages:
        """Ask for the yes to a resignation, or to a draw; nobody ends the game for another on his page."""
        if not self._opening.may_end:
            return (Message.of("ends_not_late"),)
        persons = [colour for colour in COLOURS if colour in state.setup.persons]
        own = [state.by] if state.by in COLOURS else persons
        if command.name is CommandName.RESIGN:
            self._opening, _ = self._opening.ending(own)
            return ()
        white, black = (state.game.made_by(colour) for colour in COLOURS)
        ruling = game_end.agreement(state.setup.rules, white, black, state.setup.rulebook.draw_from_move)
        if ruling.result and own == list(COLOURS):
            self._opening, _ = self._opening.ending()
            return ()
        return (Message.of("agreed_by_both") if ruling.result else ruling.message(),)

    def _open(self, state: State) -> None:
        if not self._opening.passphrase:
            self._end(Unsealed(lost=True))
            return
        try:
            label, move = envelope.unseal(envelope.read(self._path), self._opening.passphrase)
        except EnvelopeError as error:
            if error.kind in ("envelope_closed", "envelope_memory"):
                self._not_opened(error.kind, state)
            else:
                self._gone(error.kind)
            return
        adjourned = self._opening.adjourned
        here = (self._number, state.game.position.fen, adjourned.when, adjourned.identity)
        if (label.game, label.fen, label.when, label.identity) != here:
            self._gone("envelope_of_another")
            return
        opening = self._opening
        self._end(Unsealed(sealed=move, late=opening.late, late_ms=opening.late_ms, away=opening.away))

    def _not_opened(self, why: str, state: State) -> None:
        """What was typed is not the passphrase: it may be how the players end the game instead."""
        command = self._commanded(self._opening.passphrase)
        self._opening, told = self._opening.retried(why)
        if command and command.name in _ENDING:
            self._obey(command, state)
        else:
            self._inform(told)

    def _gone(self, why: str) -> None:
        """There is no envelope to open: it may still be found, or be given up as lost."""
        self._opening = replace(self._opening, stage="lost", passphrase="")
        file = str(self._path)
        self._inform(Told((Message.of(why, file=file), *self._opening.question().messages)))

    def _end(self, event: Concluded | Unsealed) -> None:
        self.over = True
        self._happen(event)


def _where(written: Path, folder: Path) -> Path:
    """Where an envelope lies: where it was written, or beside the games if they were moved since."""
    beside = envelopes(folder) / written.name
    return beside if beside.exists() and not written.exists() else written


def _first(adjourned: Adjourned, answers_in_person: bool) -> OpenStage:
    """The first question: an engine is always present; a sealed reply means that its addressee is away."""
    if adjourned.reply:
        return "arrival"
    return "present" if answers_in_person else "passphrase"


def _label(number: int, state: State, sealing: Sealing) -> Label:
    """The seven items, as they are once the move is sealed."""
    game, setup = state.game, state.setup
    sealer = game.position.turn
    names = {WHITE: sealing.white or setup.players.white, BLACK: sealing.black or setup.players.black}
    charged = game.charged(sealer, sealing.session_ms, state.now_ms)
    used = {colour: charged.used(colour, state.now_ms) for colour in (WHITE, BLACK)}
    return Label(
        game=number,
        white=names[WHITE],
        black=names[BLACK],
        fen=game.position.fen,
        white_used_ms=used[WHITE],
        black_used_ms=used[BLACK],
        sealer=sealer,
        sealed_by=names[sealer],
        move=game.position.fullmove,
        offer=state.draw.offer or "",
        when=sealing.when,
        where=sealing.where,
        identity=envelope.new_identity(),
    )


def _missing() -> Told:
    return Told((Message.of("missing_cryptography", how=install("adjourn")),))


def _now() -> datetime:
    """The time of day, in local time."""
    return datetime.now().astimezone().replace(tzinfo=None)
