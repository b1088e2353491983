# SPDX-License-Identifier: GPL-3.0-or-later
"""A session between two events."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from acessivel.clock import alarms
from acessivel.dialogue.questions import NOTHING, Asking, Repeating
from acessivel.game.game import Game, Setup
from acessivel.laws.ruling import Ruling
from acessivel.message import Message
from acessivel.rules.dead_positions import CanMate
from acessivel.rules.position import Fact, Position, other
from acessivel.rules.prepared_moves import before_reply
from acessivel.session.effects import Effect
from acessivel.session.events import Adjourned, Chatted, Event, RatingChanged
from acessivel.session.preferences import Preferences
from voices.meaning import CommandName


@dataclass(frozen=True, slots=True)
class Hint:
    """The move that is hinted at in a position."""

    position: Position
    fact: Fact


@dataclass(frozen=True, slots=True)
class ClockState:
    """The clock, besides its display, which is in the game: what starts it and what it has announced."""

    waits: bool = True
    """The time of the side to move has not started: it does when speech ends or something is announced."""
    stopped: bool = False
    """Somebody has stopped the clocks until somebody says that play goes on."""
    rung: alarms.Rung = frozenset()
    """The marks and alarms that the clock has announced by itself."""
    pressed: tuple[str, int] | None = None
    """Who has pressed the clock without a move, and after how many half-moves, until that is claimed."""
    press_stands: bool = False
    """No move has followed that press, nor has it been taken back."""
    completed: str = ""
    """Whose clock the yes to a move has just stopped, while nothing has been said since; "" if nobody's."""

    def waiting(self) -> ClockState:
        """The state in which the time of the side to move has not started."""
        return replace(self, waits=True)

    def back_to(self, plies: int) -> ClockState:
        """The same after going back to so many half-moves: a press from then on is undone."""
        undone = self.pressed is not None and self.pressed[1] >= plies
        return replace(self, waits=True, pressed=None if undone else self.pressed, press_stands=False)


@dataclass(frozen=True, slots=True)
class FlagState:
    """A fallen flag, until it is announced and ruled on."""

    fell: alarms.Rung = frozenset()
    """The fallen flags that must at least be announced."""
    ruling_due: bool = False
    """A fall must be ruled on before anything else happens."""
    ruled: bool = False
    """It has been ruled on: the same flag cannot be claimed again."""


@dataclass(frozen=True, slots=True)
class TouchState:
    """The pieces touched since the last move (article 4)."""

    squares: tuple[str, ...] = ()
    """Their squares, in the order in which they were touched: "e4"."""
    adjusting: bool = False
    """"I adjust" was said: pieces touched now do not bind."""
    moved: str = ""
    """The square of a piece whose move was taken back; "" if there is none. It has more than been touched."""

    def released(self) -> TouchState:
        """The state with no piece touched."""
        return replace(self, squares=(), moved="")


@dataclass(frozen=True, slots=True)
class DrawState:
    """An offered or claimed draw."""

    offer: str | None = None
    """The colour that has made an offer not answered yet."""
    with_move: str | None = None
    """The colour whose offer goes with the move that it is about to make."""
    claims_with: CommandName | None = None
    """The claim that was made with the move which is being announced, until that has an answer."""
    claiming: CommandName | None = None
    """The claim that stands until the move is made with which it is claimed."""
    touched: bool = False
    """A piece had been touched before the last claim was made (9.4)."""

    def without_offer(self) -> DrawState:
        """The state with no offer open."""
        return replace(self, offer=None)


@dataclass(frozen=True, slots=True)
class AppliedProposal:
    """What became of an arbiter's decision from elsewhere: applied, or `why` not."""

    id: int
    by: str
    what: str
    given: tuple[int, ...]
    why: Message | None = None


@dataclass(frozen=True, slots=True)
class HallState:
    """What ties a game to the arbiters of a hall, who follow it from elsewhere."""

    joined: bool = False
    """They can be called."""
    lost: bool = False
    """Nothing reaches them now."""
    untold: bool = False
    """No arbiter at the table has been told so."""
    called: bool = False
    """The players have called one, and none has come or decided."""
    by_clock: bool = False
    """They have called him only by stopping the clocks."""
    due: str = ""
    """What the players are to hear of the connection at the next quiet moment, as the key of its sentence."""
    told: bool = False
    """The players know that nothing reaches the hall."""
    held: bool = False
    """An arbiter has stopped the clocks from there: the players do not start them again."""
    proposals: tuple[AppliedProposal, ...] = ()
    """What they have decided from there."""
    pairing: Message | None = None
    """What the players at this table have next in the tournament."""


@dataclass(frozen=True, slots=True)
class ArbiterState:
    """What is left to the arbiter."""

    pending: Ruling | None = None
    """The ruling from which only the arbiter can go on."""
    postponed: Ruling | None = None
    """The claim in the quickplay finish that he decides later (10.2b; 2001, 2009)."""
    watched: bool = False
    """The arbiter has seen an illegal position, and waits for the next move."""


@dataclass(frozen=True, slots=True)
class EngineState:
    """How the engine fares in this run."""

    failures: int = 0
    """How often it has failed in a row."""
    given_up: bool = False
    """It has failed too often: both sides are announced."""


@dataclass(frozen=True, slots=True)
class PracticeState:
    """The advice of a game for practice."""

    advice: str = ""
    """The command that the engine is to answer; "" if it is asked nothing."""
    hint: Hint | None = None
    """The hint that was begun: its piece is told, its square not yet."""


@dataclass(frozen=True, slots=True)
class ToldState:
    """What was said last, to be repeated or continued."""

    last: tuple[Message, ...] = ()
    """What was said last."""
    private: bool = False
    """It was for one player alone, and so is the rest of it."""
    to: str = ""
    """The role whose page has asked for what is private, as of `events.Say`."""
    rest: tuple[Message, ...] = ()
    """The rest of a long answer that is still to be told."""


@dataclass(frozen=True, slots=True)
class AdjournmentState:
    """An adjourned game and its envelope."""

    sealed: Adjourned | None = None
    """The adjournment whose envelope is still closed."""
    written: bool = False
    """The move to be sealed is confirmed, and its envelope not closed yet: nobody's time runs."""
    written_ms: int = 0
    """When it was confirmed."""
    away: Adjourned | None = None
    """The adjournment after which the player who sealed the move is still absent."""


@dataclass(frozen=True, slots=True)
class SoughtMate:
    """Whether a side can still mate in a position, which only a thorough search can tell."""

    position: Position
    colour: str
    event: Event
    """What has happened, and happens once the answer is there."""
    answer: CanMate | None = None


@dataclass(frozen=True, slots=True)
class MateState:
    """A thorough search for a mate, on which a ruling waits."""

    seeking: SoughtMate | None = None
    """What is looked for now."""
    found: tuple[SoughtMate, ...] = ()
    """What was found for the same event."""


@dataclass(frozen=True, slots=True)
class SentMove:
    """A confirmed move that the server does not show yet; it follows on the last one that it shows."""

    fact: Fact
    draw: bool = False
    """A draw is offered with it."""
    asked: bool = False
    """The server was asked for it; else it waits for the connection."""
    refused: str | None = None
    """Why the server has refused it, in its words; None if it has not."""


@dataclass(frozen=True, slots=True)
class OnlineState:
    """A game at a server, besides what the game, the clock and the offer of a draw show."""

    joined: bool = False
    """The server has told, in this run, how the game stands."""
    lost: bool = False
    """The connection to the server is down, or the server wants a pause."""
    sent: SentMove | None = None
    """The player's own move that the server does not show yet."""
    prepared: Fact | None = None
    """The move that is sent after the opponent's next one, if it is still that move then."""
    goes_at: int | None = None
    """When the move that was surely read and repeated goes, if nothing is said before; None if none does."""
    takeback: str = ""
    """The colour whose proposal to take a move back stands; "" if none does."""
    first_move_at: int | None = None
    """When the side to move must have made its first move; None if that is not limited."""
    move_at: int | None = None
    """When the side to move must have moved, in a game of days; None if that is not limited."""
    gone: bool = False
    """The opponent has left."""
    claim_at: int | None = None
    """From when on his absence can be claimed; None if that is not known, or has been told."""
    claim_told: bool = False
    """That it can be claimed was told since he left."""
    chats: bool = False
    """What is written to the players is told."""
    lines: tuple[Chatted, ...] = ()
    """What was written to the players and not told, the newest last."""
    rating: RatingChanged | None = None
    """The player's rating after the game, as long as that has not been told."""

    @property
    def confirmed(self) -> Fact | None:
        """The confirmed move that the server does not show yet, whether it was sent or is prepared."""
        return self.sent.fact if self.sent else self.prepared


@dataclass(frozen=True, slots=True)
class Unheard:
    """A question that follows on an answer at once, as long as nobody can have heard it."""

    asking: Asking
    """The question."""
    other: bool
    """It is not for who has answered: it asks another player, or his press was found illegal."""
    key: str = ""
    """The key that answered, by its meaning; "" if that was done in words."""
    by: str | None = None
    """The role on whose page was answered, "" for the program's own devices; None if no answer put it."""
    since_ms: int = 0
    """When the question was put."""
    due_ms: int | None = None
    """From when it can have been heard; None until all has been said."""


@dataclass(frozen=True, slots=True)
class State:
    """A session between two events."""

    setup: Setup
    """What was agreed before the first move."""
    game: Game
    """The moves, the clock, the notes and the result."""
    asking: Asking = NOTHING
    """The open question."""
    repeating: Repeating | None = None
    """The opponent's move that was last to be repeated; see `to_repeat`."""
    now_ms: int = 0
    """When the last event happened, in ms on a clock that never goes back."""
    confirm: str = "any"
    """What may say yes in this run: "any" words, or a "key" only."""
    hurried: Asking | None = None
    """The question of which it was told that it was answered too early."""
    denied_at: int | None = None
    """How many moves had been made when an announcement had its last no."""
    by: str = ""
    """The role on whose page was typed what is being handled; "" for all else."""
    unheard: Unheard | None = None
    """The question that an answer has brought up, until another answer counts."""
    preferences: Preferences = field(default_factory=Preferences)
    """How the program speaks, tells and listens."""
    clocks: ClockState = field(default_factory=ClockState)
    flags: FlagState = field(default_factory=FlagState)
    touch: TouchState = field(default_factory=TouchState)
    touch_before: TouchState = field(default_factory=TouchState)
    """The pieces touched before the announced move, which bind again when that is corrected."""
    draw: DrawState = field(default_factory=DrawState)
    arbiter: ArbiterState = field(default_factory=ArbiterState)
    engine: EngineState = field(default_factory=EngineState)
    practice: PracticeState = field(default_factory=PracticeState)
    told: ToldState = field(default_factory=ToldState)
    adjournment: AdjournmentState = field(default_factory=AdjournmentState)
    mate: MateState = field(default_factory=MateState)
    hall: HallState = field(default_factory=HallState)
    online: OnlineState = field(default_factory=OnlineState)

    @classmethod
    def new(cls, setup: Setup) -> State:
        """The state before the first event. Raises as `Game.new` does."""
        return cls(setup, Game.new(setup), online=OnlineState(chats=setup.online.online_chat))

    @property
    def at_server(self) -> bool:
        """Whether the game is played at a server, which decides on everything but what is announced here."""
        return self.setup.opponent == "online"

    @property
    def two_persons(self) -> bool:
        """Whether the moves of both sides are announced: always, or in this run for lack of an engine."""
        return self.setup.opponent == "human" or self.engine.given_up

    @property
    def strict(self) -> bool:
        """Whether irregular moves are made as announced: between two people with a clock, if so agreed."""
        return self.setup.rulebook.strict and self.two_persons and self.game.clock is not None

    @property
    def standing(self) -> Game:
        """The game that is ruled on: with the move that was announced."""
        return self.game.standing(self.now_ms)

    @property
    def speaker(self) -> str:
        """Who speaks: the side to move, the side that has to make an announced move, or the only person."""
        if self.game.announced:
            return other(self.game.announced.colour)
        return self.game.position.turn if self.two_persons else self.setup.colour

    @property
    def engines_turn(self) -> bool:
        """Whether the next move is the engine's."""
        mine = self.game.position.turn in self.setup.persons
        return not (self.game.result or self.two_persons or self.at_server or mine)

    @property
    def engine_to_move(self) -> bool:
        """Whether the engine's move is awaited: not while the clocks are stopped or the arbiter decides."""
        return self.engines_turn and not (self.arbiter.pending or self.clocks.stopped or self.mate.seeking)

    @property
    def to_repeat(self) -> Repeating | None:
        """The opponent's move, as long as it must be repeated before another is played."""
        owed = self.repeating
        return owed if owed and not self.game.result and self.game.last == owed.fact else None

    @property
    def prepares(self) -> bool:
        """Whether a move is announced before the reply of an opponent at a server."""
        waits = self.at_server and self.game.position.turn != self.setup.colour
        return waits and not self.game.result

    @property
    def moves_in(self) -> Position:
        """The position in which the next announced move is made."""
        return before_reply(self.game.position) if self.prepares else self.game.position

    @property
    def announced_in(self) -> Position:
        """The position that an announcement is about: for a repetition, the one before the move."""
        return self.asking.before if isinstance(self.asking, Repeating) else self.moves_in


Step = tuple[State, tuple[Effect, ...]]
