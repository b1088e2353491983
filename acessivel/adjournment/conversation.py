# SPDX-License-Identifier: GPL-3.0-or-later
"""The two conversations about an envelope, as values without I/O: sealing a move, and opening it again.

They are separate from `session`, because what is said in them must never be journalled.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from acessivel.adjournment.envelope import LONGEST_MOVE
from acessivel.adjournment.passphrase import normal, weakness
from acessivel.game.game import Setup
from acessivel.laws.ruling import opponent
from acessivel.laws.sealed_moves import understood
from acessivel.message import Duration, Message
from acessivel.rules.position import Fact, Position
from acessivel.session.events import Adjourned
from voices.understanding.meanings import read, read_typed, yes_or_no

_ASKED = {
    "session": "seal_session",
    "move": "seal_move",
    "again": "seal_again",
    "when": "seal_when",
    "where": "seal_where",
    "white": "seal_white",
    "black": "seal_black",
    "passphrase": "seal_passphrase",
    "repeat": "seal_repeat",
}
_LONGEST_TEXT = 100  # characters
_LONGEST_SESSION = 24 * 60  # minutes
_WHEN = "%Y-%m-%d %H:%M"

SealStage = Literal[
    "session", "move", "again", "sure", "when", "where", "white", "black", "passphrase", "repeat", "done"
]
OpenStage = Literal[
    "lost",
    "present",
    "sealer",
    "arrival",
    "late",
    "sealer_late",
    "passphrase",
    "done",
    "resign",
    "agree",
    "ended",
]


@dataclass(frozen=True, slots=True)
class Told:
    """What is said next: to the room, or if `private` only to headphones and Braille."""

    messages: tuple[Message, ...]
    private: bool = False


@dataclass(frozen=True, slots=True)
class Sealing:
    """Sealing a move: the move, when and where the game resumes, and the arbiter's passphrase.

    The first question is how long the session would still last (`session_ms`): a player who adjourns before
    its end counts as having used that time (A1b, 2001; guideline 1b, 2009). A `reply` answers a sealed move
    whose player is away (A9c; guideline 9c): the game resumes when and where that move's envelope says.

    The names of the players are asked for if the game has only one name for both.

    `private`: whether there are headphones or a Braille display; without them the move is typed twice unseen,
    and never spoken. It is sealed just as it was written, and nothing said about it tells whether it can be
    played: that is ruled on when the envelope is opened (A8, 2001; guideline 8, 2009).
    """

    setup: Setup
    position: Position
    private: bool
    stage: SealStage = "move"
    written: str = field(default="", repr=False)
    fact: Fact | None = field(default=None, repr=False)
    when: str = ""
    where: str = ""
    white: str = ""
    black: str = ""
    passphrase: str = field(default="", repr=False)
    session_ms: int = 0
    reply: bool = False
    now: datetime = datetime.min  # noqa: DTZ901 - the time of day, local and without a zone, as in `Opening`

    @classmethod
    def of(
        cls, setup: Setup, position: Position, *, private: bool, answered: Adjourned | None = None
    ) -> Sealing:
        """The conversation before its first question; `answered`: the adjournment whose sealer is away."""
        if answered:
            return cls(
                setup,
                position,
                private,
                when=answered.when,
                where=answered.where,
                white=answered.white,
                black=answered.black,
                reply=True,
            )
        asks = setup.timing.clock != "none" and setup.rules.regulates("adjourn_seal")
        return cls(setup, position, private, "session" if asks else "move")

    @property
    def hidden(self) -> bool:
        """Whether the present input must not be visible."""
        return self.stage in ("move", "again", "passphrase", "repeat")

    @property
    def confirmed(self) -> bool:
        """Whether the player has confirmed the move: what is asked now takes none of his time."""
        return self.stage not in ("session", "move", "again", "sure")

    @property
    def move(self) -> str:
        """What goes into the envelope: a legal move in UCI, else the player's own words."""
        return self.fact.uci if self.fact else self.written

    def question(self) -> Told:
        """The question that is open."""
        if self.stage == "sure":
            return Told((Message.of("ask_sealed", words=self.written),), private=True)
        return Told((Message.of(_ASKED[self.stage]),) if self.stage in _ASKED else ())

    def answered(self, text: str) -> tuple[Sealing, Told]:
        """The conversation after a line of input, and what is said next; `done` when it is complete."""
        match self.stage:
            case "session":
                return self._lasting(text)
            case "move":
                return self._moved(text)
            case "again":
                return self._moved_again(text)
            case "sure":
                return self._sure(text)
            case "when":
                return self._timed(text)
            case "where":
                named = self.setup.players.white != self.setup.players.black
                return self._to("passphrase" if named else "white", where=text[:_LONGEST_TEXT])
            case "white" | "black":
                following: SealStage = "black" if self.stage == "white" else "passphrase"
                return self._to(following, **{self.stage: text[:_LONGEST_TEXT]})
            case "passphrase":
                return self._secured(normal(text))
            case "repeat":
                if not _same(normal(text), self.passphrase):
                    return self._back("passphrase", "passphrase_differs", passphrase="")
                return self._to("done")
            case "done":
                return self, Told(())

    def _secured(self, passphrase: str) -> tuple[Sealing, Told]:
        players = self.setup.players
        known = (self.white, self.black, players.white, players.black, self.where)
        if why := weakness(passphrase, known):
            return self, Told((why,))
        return self._to("repeat", passphrase=passphrase)

    def _lasting(self, text: str) -> tuple[Sealing, Told]:
        if not text.isascii() or not text.isdigit() or int(text) > _LONGEST_SESSION:
            return self._same("seal_bad_minutes", count=_LONGEST_SESSION)
        after = replace(self, stage="move", session_ms=60_000 * int(text))
        return after, after.question()

    def _moved(self, text: str) -> tuple[Sealing, Told]:
        if len(text) > LONGEST_MOVE:
            return self._same("seal_too_long", count=LONGEST_MOVE)
        words = partial(read, language=self.setup.language, convention=self.setup.convention)
        sealed = understood(text, words, self.position)
        return self._to("sure" if self.private else "again", written=text, fact=sealed.fact)

    def _moved_again(self, text: str) -> tuple[Sealing, Told]:
        if not _same(text, self.written):
            return self._back("move", "seal_differs", written="", fact=None)
        return self._to(self._after_the_move)

    def _sure(self, text: str) -> tuple[Sealing, Told]:
        answer = yes_or_no(read_typed(text, self.setup.language, self.setup.convention))
        if answer is None:
            return self, self.question()
        return self._to(self._after_the_move) if answer else self._to("move", written="", fact=None)

    @property
    def _after_the_move(self) -> SealStage:
        return "passphrase" if self.reply else "when"

    def _timed(self, text: str) -> tuple[Sealing, Told]:
        try:
            when = datetime.strptime(text, _WHEN)  # noqa: DTZ007 - local time, as clocks on walls tell it
        except ValueError:
            return self._same("seal_bad_time")
        if when <= self.now:
            return self._same("seal_past")
        return self._to("where", when=when.isoformat(timespec="minutes"))

    def _to(self, stage: SealStage, **known: str | Fact | None) -> tuple[Sealing, Told]:
        after = replace(self, stage=stage, **known)  # type: ignore[arg-type]  # each of its field's kind
        return after, after.question()

    def _back(self, stage: SealStage, why: str, **known: str | None) -> tuple[Sealing, Told]:
        after, told = self._to(stage, **known)
        return after, Told((Message.of(why), *told.messages))

    def _same(self, why: str, **values: object) -> tuple[Sealing, Told]:
        return self, Told((Message.of(why, **values),))


@dataclass(frozen=True, slots=True)
class Opening:
    """Opening an envelope: only if the player who must reply is present (A7, 2001; guideline 7, 2009).

    `now`: the time of day, local and without a zone. `allowed`: how late a player may come. `late`: the
    colour that came too late, or "". While that player is awaited (`arrival`), his clock runs. `away`: the
    player who sealed the move is absent; the other may put a reply into a new envelope (A9c, 2001; guideline
    9c, 2009).

    Before that the game can end by agreement, or because a player resigns (A6, 2001; guideline 6, 2009): the
    first of those that are `resigning`, or after a no the next. The last no goes `back` to what was asked.
    """

    setup: Setup
    adjourned: Adjourned
    sealer: str
    allowed: timedelta
    now: datetime
    stage: OpenStage = "present"
    late: str = ""
    passphrase: str = field(default="", repr=False)
    away: bool = False
    resigning: tuple[str, ...] = ()
    back: OpenStage = "present"

    @property
    def hidden(self) -> bool:
        """Whether the present input must not be visible."""
        return self.stage == "passphrase"

    @property
    def late_ms(self) -> int:
        """How long ago the game should have resumed, in ms."""
        since = self.now - datetime.fromisoformat(self.adjourned.when)
        return max(0, round(since.total_seconds() * 1000))

    def question(self) -> Told:
        """The question that is open."""
        answers = opponent(self.sealer)
        message = {
            "lost": Message.of("ask_envelope_lost"),
            "present": Message.of("ask_present", name=self._name(answers), colour=answers),
            "sealer": Message.of("ask_sealer_here", name=self._name(self.sealer), colour=self.sealer),
            "arrival": self._ask_arrived(answers),
            "late": self._ask_late(answers),
            "sealer_late": self._ask_late(self.sealer),
            "passphrase": Message.of("unseal_passphrase"),
            "resign": Message.of("ask_resign_of", colour=self.resigns),
            "agree": Message.of("ask_draw_agreed"),
        }.get(self.stage)
        return Told((*self._counts_as_late(), message) if message else ())

    def _ask_arrived(self, colour: str) -> Message:
        if self.setup.timing.clock == "none":
            return Message.of("ask_arrived_untimed", name=self._name(colour))
        return Message.of("ask_arrived", name=self._name(colour), colour=colour)

    def _ask_late(self, colour: str) -> Message:
        return Message.of("ask_came_late", name=self._name(colour), colour=colour, time=self._allowed)

    def _counts_as_late(self) -> tuple[Message, ...]:
        """What opening the envelope will mean, while it can still be left closed."""
        if not self.late:
            return ()
        return (Message.of("counts_as_late", colour=self.late, time=self._allowed),)

    @property
    def _allowed(self) -> Duration:
        return Duration(round(self.allowed.total_seconds() * 1000))

    def answered(self, text: str) -> tuple[Opening, Told]:
        """The conversation after a line of input, and what is said next; `done` when it is complete."""
        if self.stage == "passphrase":
            return self._to("done", passphrase=text)
        answer = yes_or_no(read_typed(text, self.setup.language, self.setup.convention))
        if answer is None:
            return self, Told((Message.of("answer_asked"), *self.question().messages))
        return self._told(yes=answer)

    @property
    def resigns(self) -> str:
        """The colour that is asked whether it resigns, or does; "" if none is."""
        return self.resigning[0] if self.resigning else ""

    @property
    def may_end(self) -> bool:
        """Whether a draw or a resignation is taken: not while somebody may have lost by coming late.

        Who did is known before the passphrase is asked for, and is not asked about a lost envelope.
        """
        if self.stage in ("lost", "passphrase"):
            return not self.late
        return self.stage in ("present", "sealer", "arrival") and not self._too_late

    def ending(self, may_resign: Sequence[str] = ()) -> tuple[Opening, Told]:
        """Ask whether one of these colours resigns, one after the other; or, without one, about a draw."""
        resigns = tuple(may_resign)
        return self._to("resign" if resigns else "agree", resigning=resigns, back=self.stage)

    def retried(self, why: str) -> tuple[Opening, Told]:
        """The passphrase was wrong: ask for another."""
        again, told = self._to("passphrase", passphrase="")
        return again, Told((Message.of(why), *told.messages))

    @property
    def _too_late(self) -> bool:
        return self.late_ms > self._allowed.ms and self.setup.rules.regulates("adjourn_late")

    def _told(self, *, yes: bool) -> tuple[Opening, Told]:
        too_late = self._too_late
        match self.stage, yes:
            case ("present", True) if self.sealer in self.setup.persons:
                return self._to("sealer")
            case ("present", True) | ("sealer", True):
                return self._to("late" if too_late else "passphrase")
            case ("sealer", False):
                return self._to("sealer_late" if too_late else "passphrase", away=True)
            case ("present", False):
                return self._to("arrival")
            case ("arrival", True):
                return self._to("passphrase", late=opponent(self.sealer) if too_late else "")
            case ("late", True):
                return self._to("passphrase", late=opponent(self.sealer))
            case ("late", False):
                return self._to("sealer_late")
            case ("sealer_late", _):
                return self._to("passphrase", late=self.sealer if yes else "")
            case ("lost", True):
                return self._to("done")
            case ("resign" | "agree", True):
                return self._to("ended")
            case ("resign" | "agree", False):
                left = self.resigning[1:]
                return self._to("resign" if left else self.back, resigning=left)
            case _:
                return self, self.question()

    def _to(self, stage: OpenStage, **known: str | bool | tuple[str, ...]) -> tuple[Opening, Told]:
        after = replace(self, stage=stage, **known)  # type: ignore[arg-type]  # each of its field's kind
        return after, after.question()

    def _name(self, colour: str) -> str:
        return self.adjourned.white if colour == "white" else self.adjourned.black


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
