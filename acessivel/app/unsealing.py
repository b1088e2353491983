# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening an envelope: asks who is present and for the passphrase, and passes the sealed move on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from acessivel.adjournment import envelope
from acessivel.adjournment.conversation import Opening, OpenStage, Told
from acessivel.adjournment.envelope import EnvelopeError
from acessivel.app.talk import Host, Talk, library_missing, time_of_day
from acessivel.laws import game_end
from acessivel.laws.ruling import opponent
from acessivel.message import Message, Messages
from acessivel.queries import queries
from acessivel.rules.position import COLOURS
from acessivel.session.events import Adjourned, Arrived, Awaited, Concluded, Unsealed
from acessivel.session.state import State
from voices.meaning import Command, CommandName
from voices.understanding.meanings import read_typed, yes_or_no

# What the questions before an envelope is opened leave room for.
_ENDING = (CommandName.RESIGN, CommandName.DRAW)
_BEFORE_AN_ANSWER = (CommandName.STOP, CommandName.CLOCK, CommandName.REPEAT, *_ENDING)


class OpenTalk(Talk):
    """Asks who is present, opens the envelope with the arbiter's passphrase, and passes its move on."""

    gives_up = Message.of("unseal_leave")
    elsewhere = Message.of("web_unsealing")
    stops = True

    def __init__(self, host: Host, state: State, *, leave: Callable[[], None]) -> None:
        """`leave` ends the program. Raises ValueError if the game of `state` is not adjourned."""
        if state.adjournment.sealed is None:
            raise ValueError("the game is not adjourned")
        super().__init__(host, None)
        self._path = _where(Path(state.adjournment.sealed.envelope), self._folder)
        self._leave = leave
        sealer = state.game.position.turn
        self._opening = Opening(
            state.setup,
            state.adjournment.sealed,
            sealer,
            timedelta(milliseconds=state.setup.rules.adjourn_late_ms),
            time_of_day(),
            _first(state.adjournment.sealed, opponent(sealer) in state.setup.persons),
        )

    @property
    def conversation(self) -> Opening:
        """The conversation as it stands."""
        return self._opening

    @property
    def yes_or_no(self) -> bool:
        """Never: Enter leaves at each question, as they say; pressed twice it must decide nothing."""
        return False

    @property
    def takes_no(self) -> bool:
        """Whether the key for no answers it."""
        return self._opening.stage != "passphrase"

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
        setup = self._opening.setup
        answer = yes_or_no(read_typed(text, setup.language, setup.convention))
        return role == self.resigns and answer is not None

    def cut_off(self, state: State, *, pages: bool) -> None:
        """A page may hold it; else the game stays adjourned."""
        if pages:
            self.abandoned(state)
        else:
            self._leave()

    def begin(self) -> None:
        """Ask the first question."""
        if not envelope.available():
            self._inform(library_missing())
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
        self._opening = replace(self._opening, now=time_of_day())
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
    """Where an envelope lies: where it was written, or with the others if the folder was moved since."""
    beside = folder / written.name
    return beside if beside.exists() and not written.exists() else written


def _first(adjourned: Adjourned, answers_in_person: bool) -> OpenStage:
    """The first question: an engine is always present; a sealed reply means that its addressee is away."""
    if adjourned.reply:
        return "arrival"
    return "present" if answers_in_person else "passphrase"
