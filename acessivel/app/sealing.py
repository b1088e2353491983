# SPDX-License-Identifier: GPL-3.0-or-later
"""Sealing a move: asks for it, and puts it into an envelope."""

from __future__ import annotations

from dataclasses import replace

from acessivel.adjournment import envelope
from acessivel.adjournment.conversation import Sealing, Told
from acessivel.adjournment.envelope import EnvelopeError, Label
from acessivel.app.talk import Host, Talk, envelopes, library_missing, time_of_day
from acessivel.dialogue import questions
from acessivel.message import Message
from acessivel.rules.position import BLACK, WHITE, Position, other
from acessivel.session.events import Adjourned, MoveWritten, SealingGivenUp
from acessivel.session.pages import EVERYWHERE
from acessivel.session.state import State
from acessivel.storage.journal import Journal
from acessivel.storage.stored_game import Stored
from voices.meaning import CommandName


class SealTalk(Talk):
    """Asks for the move to seal, and puts it into an envelope."""

    gives_up = Message.of("seal_back")
    elsewhere = Message.of("web_sealing")
    broken_off = (Message.of("nothing_sealed"),)

    def __init__(self, host: Host, sealing: Sealing, to: str) -> None:
        """Seal a move on the page of the role that has asked for it, "" for the program's own devices."""
        super().__init__(host, to)
        self._sealing = sealing

    @property
    def conversation(self) -> Sealing:
        """The conversation as it stands."""
        return self._sealing

    @property
    def yes_or_no(self) -> bool:
        """Whether the player is asked for a yes to the move."""
        return self._sealing.stage == "sure"

    @property
    def takes_no(self) -> bool:
        """Just then."""
        return self.yes_or_no

    def beside(self, by: str) -> frozenset[CommandName]:
        """The program can be left too, and the opponent can resign on his own page."""
        stops = frozenset({CommandName.STOP}) if by in EVERYWHERE else frozenset()
        opponent = other(self._sealing.position.turn)
        resigns = by == opponent in self._sealing.setup.persons
        return super().beside(by) | stops | (frozenset({CommandName.RESIGN}) if resigns else frozenset())

    def is_about(self, position: Position) -> bool:
        """Only in the position in which it began."""
        return position == self._sealing.position

    def begin(self) -> None:
        """Ask the first question, if the encryption library is installed."""
        if envelope.available():
            self._inform(self._sealing.question())
        else:
            self.over = True
            self._inform(library_missing())

    def answer(self, text: str, state: State) -> None:
        """Take a line; an empty one gives up, and the game continues."""
        self._sealing = replace(self._sealing, now=time_of_day())
        written = self._sealing.confirmed
        if not text:
            self._give_up("seal_given_up", state)
            return
        self._sealing, told = self._sealing.answered(text)
        if self._sealing.confirmed and not written:
            self._happen(MoveWritten())
        if self._sealing.stage == "done":
            self._close(state)
        else:
            self._inform(told)

    def abandoned(self, state: State) -> None:
        """The page where it is held is gone: it is given up."""
        self._give_up("seal_given_up", state)

    def cut_off(self, state: State, *, pages: bool) -> None:  # noqa: ARG002  # on a page it is asked for there
        """It is given up: a move is sealed only where it was asked for."""
        self._give_up("seal_untyped", state)

    def _give_up(self, why: str, state: State) -> None:
        """Seal nothing: the game goes on."""
        self.over = True
        if self._sealing.confirmed:
            self._happen(SealingGivenUp())
        self._inform(Told((Message.of(why), *questions.question(state.asking))))

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


def not_adjourned(stored: Stored, journal: Journal) -> tuple[Message, ...]:
    """What is told of envelopes with the next move of a game whose adjournment is not in the journal."""
    fen, found = stored.state.game.position.fen, envelope.of_game(envelopes(journal.folder), stored.id)
    left = {path: label.identity for path, label in found.items() if label.fen == fen}
    if stored.state.adjournment.sealed or not stored.entries:  # in a new game they are of an earlier one
        return ()
    named = {event.identity for event in journal.events(stored.id) if isinstance(event, Adjourned)}
    return tuple(Message.of("adjourned_not_kept", file=str(path)) for path in left if left[path] not in named)


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
