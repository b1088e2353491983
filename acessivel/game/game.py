# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of one game as a value: how it was set up, its moves and times, its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from acessivel.clock.clock import Clock
from acessivel.clock.time_control import TimeControl
from acessivel.game.imported import Before
from acessivel.laws.editions import Rules, edition
from acessivel.message import Message
from acessivel.rules.position import BLACK, COLOURS, WHITE, Fact, Position, other

_LAWS = "fide-2018"
# What ends a game on the board -> the topic of its article.
_TOPICS: Mapping[str, str] = {
    "checkmate": "mate",
    "stalemate": "stalemate",
    "dead_position": "dead",
    "fivefold": "fivefold",
    "seventyfive": "moves75",
}
ON_THE_BOARD = frozenset(_TOPICS)


UNKNOWN = "?"  # the name of a player whom nobody knows
NOBODY = (UNKNOWN, "")  # as it is, and as it was once written for an opponent without an account


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays."""

    white: str = UNKNOWN
    """The name of White."""
    black: str = UNKNOWN
    """The name of Black."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where the game begins."""

    fen: str | None = None
    """The position; None for the initial one of the variant."""
    variant: str = "standard"
    """"standard", "chess960:N" with N the number of the initial position, or "chess960" with a FEN."""
    before: Before | None = None
    """What was played before the game came here from a file."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The clock, and what is agreed about it."""

    clock: str = "none"
    """The time control, as of `TimeControl.parse`: "none", or "90+30" in minutes and seconds a move."""
    alarms: str = "none"
    """The times left at which the clock announces itself, as of `alarms.parse`."""
    default_time: int = -1
    """How many minutes late a player may come; -1 if the event has not set it."""
    claim_flag: str = "none"
    """For whom the program claims the flag on two boards: "white", "black", "both" or "none"."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The Laws that apply, and how they are enforced."""

    laws: str = _LAWS
    """The name of an edition."""
    tempo: str = "auto"
    """"standard", "rapid" or "blitz"; "auto" by the clock and the edition."""
    strict: bool = False
    """An illegal move stands until someone finds it."""
    supervised: bool = True
    """The program (or an arbiter) enforces the Laws without a claim."""
    draw_from_move: int = 0
    """The number of moves that both must have made before a draw by agreement."""


@dataclass(frozen=True, slots=True)
class Online:
    """A game at a server, and what its player wishes there."""

    server: str = ""
    """The address of the server; "" for a game that is played at none."""
    game_id: str = ""
    """What the server calls the game; "" if it does not exist there yet."""
    rated: bool = False
    """The result changes the ratings."""
    speed: str = ""
    """How fast it is, in the server's word: "rapid", "correspondence"."""
    days: int = 0
    """How many days each move may take; 0 in a game with a clock, or without any limit."""
    white_rating: int = 0
    """White's rating before the game; 0 if it is unknown."""
    black_rating: int = 0
    """Black's rating before the game; 0 if it is unknown."""
    online_confirm: str = "always"
    """Which moves await a yes before they are sent: "always" all, "unsure" those not surely read."""
    online_chat: bool = False
    """What is written to the players is told."""

    @property
    def address(self) -> str:
        """Where the game can be seen in a browser."""
        return f"{self.server.rstrip('/')}/{self.game_id}"


@dataclass(frozen=True, slots=True)
class Setup:
    """What is agreed before the first move, and stays with the record."""

    language: str = "pt"
    """The language that is spoken and written: its ISO code of two letters."""
    convention: str = "fide"
    """How squares and pieces are named aloud: the name of a convention."""
    opponent: str = "human"
    """Who plays the other colour: a "human", so that both sides are announced, the "engine", or somebody
    "online" at a server."""
    colour: str = WHITE
    """The colour of the one person who plays here, against the engine or online."""
    level: int = 3
    """The playing strength of the engine, as of `game.levels`."""
    practice: bool = False
    """Advice and taking back are allowed; set only by `acessivel practice`, never by a setting."""
    ritual: bool = False
    """Each move of the opponent is repeated before it is answered."""
    two_boards: bool = False
    """Each player has a board of his own, so that a move counts when both have made it."""
    demo: bool = False
    """The program demonstrates itself: such a game cannot be resumed."""
    lessons: bool = False
    """It is the practice board of the introduction: nothing of it is kept, and nothing follows it."""
    drill: bool = False
    """It is a round of a drill, which no other game follows."""
    players: Players = field(default_factory=Players)
    beginning: Beginning = field(default_factory=Beginning)
    timing: Timing = field(default_factory=Timing)
    rulebook: Rulebook = field(default_factory=Rulebook)
    online: Online = field(default_factory=Online)

    @classmethod
    def of(cls, **values: Any) -> Setup:
        """What is agreed, from values by field name, including the fields of the groups: `of(clock="5")`.

        Journals store this form, and settings provide it. Raises TypeError for an unknown name.
        """
        groups = {
            name: group(**{each.name: values.pop(each.name) for each in fields(group) if each.name in values})
            for name, group in _GROUPS.items()
        }
        return cls(**values, **groups)

    def flat(self) -> dict[str, Any]:
        """The values by the names of the fields, fit for JSON and for `of`.

        Those of a server stand only in a game at one.
        """
        values = asdict(self)
        for name in _GROUPS:
            group = values.pop(name)
            values |= group if name != "online" or self.opponent == "online" else {}
        return values

    def again(self, *, changed: bool) -> Setup:
        """What is agreed for another game like this one, from its beginning; with the colours `changed`."""
        there = replace(self.online, game_id="")
        same = replace(self, beginning=replace(self.beginning, before=None), online=there)
        if not changed:
            return same
        sides = {WHITE: BLACK, BLACK: WHITE}
        return replace(
            same,
            colour=sides.get(self.colour, self.colour),
            players=Players(white=self.players.black, black=self.players.white),
            timing=replace(self.timing, claim_flag=sides.get(self.timing.claim_flag, self.timing.claim_flag)),
            online=replace(there, white_rating=there.black_rating, black_rating=there.white_rating),
        )

    @property
    def persons(self) -> tuple[str, ...]:
        """The colours whose moves are announced to the program."""
        return COLOURS if self.opponent == "human" else (self.colour,)

    @property
    def rules(self) -> Rules:
        """The rules of this game: its edition, at its tempo, with its supervision."""
        agreed = self.rulebook
        book = edition(agreed.laws)
        tempo = book.tempo(TimeControl.parse(self.timing.clock)) if agreed.tempo == "auto" else agreed.tempo
        return book.rules(tempo, supervised=agreed.supervised)

    @property
    def from_black(self) -> bool:
        """Whether the board is seen from Black's side: only Black's moves are announced here."""
        return self.persons == (BLACK,)


_GROUPS = {
    "players": Players,
    "beginning": Beginning,
    "timing": Timing,
    "rulebook": Rulebook,
    "online": Online,
}


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move that was made, and what its player had left on the clock after it, in ms."""

    fact: Fact
    left_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result as PGN writes it, why (a key of the catalogue), and by which article of which edition."""

    score: str
    reason: str
    article: str = ""
    edition: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark in the record: after how many moves, in words, perhaps with a sign that stands at that move.

    A sign can be noted before its move is made; until then, or if it never is, the words stand in its place.
    """

    ply: int
    message: Message
    sign: str = ""

    def signs(self, plies: int) -> str:
        """The sign, if its move is among so many moves; else "", and the words stand in its place."""
        return self.sign if self.ply <= plies else ""

    def without_sign(self, ply: int) -> Note:
        """The remark after fewer moves, as the move of its sign was taken back; without a sign it stays."""
        return replace(self, ply=ply, sign="") if self.sign else self


@dataclass(frozen=True, slots=True)
class Game:
    """One game; every change makes a new value."""

    start: Position
    """The position before the first move."""
    position: Position
    """The position now."""
    played: tuple[PlayedMove, ...] = ()
    """The moves that count."""
    clock: Clock | None = None
    """The clock; None if the game has none."""
    result: Result | None = None
    """The result; None while the game is in progress."""
    rules: Rules = field(default_factory=lambda: edition(_LAWS).rules())
    """What the Laws say about this game."""
    notes: tuple[Note, ...] = ()
    """The remarks in the record beside the moves."""
    offences: tuple[str, ...] = ()
    """The colour of each player who made an illegal move, once for each that has been counted."""
    signed: tuple[str, ...] = ()
    """The colours that have signed the result."""
    announced: Fact | None = None
    """The move that a player has made and announced, but the opponent has not yet made on his own board."""
    uncounted: int = 0
    """How many of the moves were made before the clock started afresh, which does not count them."""

    @classmethod
    def new(cls, setup: Setup) -> Game:
        """A game before its first move here.

        Raises BadFenError or ClockNotationError if its setup is invalid.
        """
        start = Position.start(setup.beginning.fen, setup.beginning.variant)
        control = TimeControl.parse(setup.timing.clock)
        clock = Clock.of(control) if control else None
        before = setup.beginning.before or Before()
        game = cls(start, start, rules=setup.rules).continuing(before)
        if clock and before.times:
            game = replace(game, clock=_as_noted(clock, before.times, game))
        else:
            game = replace(game, clock=clock, uncounted=len(game.played))
        return game.ended_by_position(0)

    def continuing(self, before: Before) -> Game:
        """Add the moves that were made elsewhere. Raises ValueError if one of them is not legal."""
        position, played = self.position, list(self.played)
        for number, uci in enumerate(before.moves):
            fact = position.fact(uci)
            position = position.made(fact)
            played.append(PlayedMove(fact, before.left_ms[number] if before.left_ms else None))
        return replace(self, position=position, played=tuple(played))

    @property
    def last(self) -> Fact | None:
        """The last move."""
        return self.played[-1].fact if self.played else None

    def play(self, fact: Fact, now_ms: int) -> Game:
        """Make a move and complete it on the clock; both clocks stop.

        An irregular one does not end the game.
        """
        clock = self.clock.completed(fact.colour, now_ms) if self.clock else None
        return _added(replace(self, clock=clock), fact, now_ms)

    def shown(self, fact: Fact, left_ms: int | None) -> Game:
        """Add a move that stands elsewhere, where it is also decided when the game is over."""
        position, played = self.position.made(fact), (*self.played, PlayedMove(fact, left_ms))
        clock = self.clock and self.clock.counted(fact.colour, self.made_by(fact.colour) + 1)
        return replace(self, position=position, played=played, clock=clock)

    def announce(self, fact: Fact, now_ms: int) -> Game:
        """Complete a move on the clock alone: the opponent's time runs (appendix for the blind, point 3).

        `made` counts the move once the opponent has made it on his own board.
        """
        clock = self.clock.completed(fact.colour, now_ms) if self.clock else None
        return replace(self, announced=fact, clock=clock).let_run(now_ms)

    def made(self, now_ms: int) -> Game:
        """Count the announced move: it stands on both boards. Raises ValueError if none was announced."""
        if self.announced is None:
            raise ValueError("no move was announced")
        return _added(replace(self, announced=None), self.announced, now_ms)

    def standing(self, now_ms: int) -> Game:
        """The game with the move that was announced, if one was: it is made, though on one board only."""
        return self.made(now_ms) if self.announced else self

    def made_by(self, colour: str, *, since: int = 0) -> int:
        """How many moves a side has made, after so many half-moves."""
        return sum(move.fact.colour == colour for move in self.played[since:])

    @property
    def completed(self) -> int:
        """How many moves both sides have made."""
        return min(self.made_by(colour) for colour in COLOURS)

    def uncompleted(self, plies: int, now_ms: int) -> Game:
        """Take back all but so many moves, the first of them as not completed: it has earned no time.

        If its player has moved again since, the times stay as they are, and are for the arbiter (7.1; 2018).
        """
        wrong, *later = (move.fact.colour for move in self.played[plies:])
        clock = self.clock
        if clock and wrong not in later:
            clock = clock.uncompleted(wrong, now_ms)
        return replace(self, clock=clock).back_to(plies, now_ms)

    def back_to(self, plies: int, now_ms: int) -> Game:
        """Take back all but so many moves; both clocks stop, and the times stay as they are."""
        position, clock = self.start, self.pause(now_ms).clock
        for move in self.played[:plies]:
            position = position.made(move.fact)
        played = self.played[:plies]
        notes = tuple(note.without_sign(plies) if note.ply > plies else note for note in self.notes)
        back = replace(
            self,
            position=position,
            played=played,
            notes=notes,
            clock=clock,
            result=None,
            announced=None,
            uncounted=min(self.uncounted, plies),
        )
        if not clock:
            return back
        for colour in COLOURS:
            clock = clock.counted(colour, back.made_by(colour, since=back.uncounted))
        return replace(back, clock=clock)

    def positions(self) -> tuple[Position, ...]:
        """The positions in which the moves were made, and the last one.

        Where one side moves twice, the other has passed in between, as it may in an annotation.
        """
        found = [self.start]
        for move in self.played:
            if found[-1].turn != move.fact.colour:
                found[-1] = found[-1].passed()
            found.append(found[-1].made(move.fact))
        return tuple(found)

    def noted(self, message: Message) -> Game:
        """Add a remark to the record."""
        return replace(self, notes=(*self.notes, Note(len(self.played), message)))

    def draw_noted(self, colour: str) -> Game:
        """Note a side's offer of a draw with its sign, at its next move if it is to move (9.1.2.2; 2018)."""
        ply = len(self.played) + (self.position.turn == colour)
        offer = Note(ply, Message.of("note_offer", colour=colour), "(=)")
        return replace(self, notes=(*self.notes, offer))

    def let_run(self, now_ms: int) -> Game:
        """Start the clock of the side to move, unless it runs or the game is over.

        After an announced move that is the opponent's clock, or none if the move ends the game.
        """
        if self.result or not self.clock or self.clock.running:
            return self
        turn = self.position.turn
        if self.announced:
            if self.made(now_ms).result:
                return self
            turn = other(turn)
        return replace(self, clock=self.clock.start(turn, now_ms))

    def used(self, colour: str, now_ms: int) -> int | None:
        """The time that a side has used, in ms; None without a clock."""
        return self.clock.used(colour, now_ms) if self.clock else None

    def awaiting(self, colour: str, now_ms: int) -> Game:
        """Start the clock of a side that has not arrived yet, even if it is not its turn."""
        return replace(self, clock=self.clock.start(colour, now_ms)) if self.clock else self

    def charged(self, colour: str, ms: int, now_ms: int) -> Game:
        """Count time as used by a side; both clocks stop."""
        return replace(self, clock=self.clock.charged(colour, ms, now_ms)) if self.clock else self

    def pause(self, now_ms: int) -> Game:
        """Stop both clocks."""
        return replace(self, clock=self.clock.stop(now_ms)) if self.clock else self

    def finish(self, score: str, reason: str, now_ms: int, cited: tuple[str, str] = ("", "")) -> Game:
        """End the game with a result; `cited`: the article and edition that it is based on.

        A move that was announced but not made on the other board is added to the record as a remark.
        """
        clock = self.clock.stop(now_ms) if self.clock else None
        game = self.noted(Message.of("note_announced", move=self.announced)) if self.announced else self
        return replace(game, result=Result(score, reason, *cited), clock=clock, announced=None)

    def ended_by_position(self, now_ms: int) -> Game:
        """End the game if no move can follow, or if the edition ends it without a claim (9.6; 2018)."""
        ending = self.position.ending(self.rules.automatic)
        if not ending:
            return self
        return self.finish(ending.result, ending.reason, now_ms, self.rules.cite(_TOPICS[ending.reason]))


def _added(game: Game, fact: Fact, now_ms: int) -> Game:
    """Count a move that is completed on the clock."""
    left = game.clock.left(fact.colour, now_ms) if game.clock else None
    position = game.position.made(fact)
    played = (*game.played, PlayedMove(fact, left))
    moved = replace(game, position=position, played=played)
    return moved if fact.irregular else moved.ended_by_position(now_ms)


def _as_noted(clock: Clock, times: tuple[int, ...], game: Game) -> Clock:
    """A clock with the noted times and the moves made."""
    for colour in COLOURS:
        clock = clock.counted(colour, game.made_by(colour))
    return clock.corrected(dict(zip(COLOURS, times, strict=True)), 0)
