# SPDX-License-Identifier: GPL-3.0-or-later
"""What the server says, in JSON -> checked values and events; what is unknown in it is passed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from acessivel.online.terms import Terms
from acessivel.rules.position import BLACK, COLOURS, WHITE
from acessivel.session.events import Chatted, Event, OpponentGone, RatingChanged, ServerTold

Json = Mapping[str, Any]

PLAYABLE_VARIANTS = ("standard", "chess960", "fromPosition")
_NO_CLOCK_MS = 2**31 - 1  # what the server says of a clock that there is not
_TOO_FAST = ("ultraBullet", "bullet")  # for this way to play; blitz only against who is asked by name
_BY_NAME = ("friend", "ai", "api")
RUNNING = ("created", "started")
_Wanted = TypeVar("_Wanted")


class AnswerError(ValueError):
    """The server's answer lacks something, or it is of another kind than agreed."""


@dataclass(frozen=True, slots=True)
class OnlineGame:
    """A game at the server, from our side.

    `opponent`: the name, "" for who has no account; `ai`: the level of the server's engine, 0 for a person;
    ratings None if unknown. `minutes`, `increment` and `start_fen` ("" for the usual one) are known of a game
    that was looked up, not of one in a list; `days` for each move; `left_s`: what we have left.
    """

    id: str
    colour: str = WHITE
    opponent: str = ""
    ai: int = 0
    rating: int | None = None
    own_rating: int | None = None
    rated: bool = False
    speed: str = ""
    minutes: float = 0
    increment: int = 0
    days: int = 0
    variant: str = "standard"
    start_fen: str = ""
    fen: str = ""
    my_turn: bool = False
    moved: bool = False
    left_s: int | None = None
    playable: bool = True

    @property
    def clocked(self) -> bool:
        """Whether it is known to be played with a clock."""
        return bool(self.minutes or self.increment)


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge by us (`mine`) or to us: the other's name and rating, and what is to be played.

    `terms.colour` is ours, "" if left open. `reason`: the server's word for why it was declined.
    """

    id: str
    name: str
    mine: bool
    rating: int | None
    terms: Terms
    speed: str
    variant: str
    playable: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game has ended: the server's status, the winner's colour, our new rating and its change."""

    id: str
    status: str
    winner: str
    rating: RatingChanged | None


@dataclass(frozen=True, slots=True)
class AccountFacts:
    """An account: its name, and its rating at each speed that it has played."""

    name: str
    ratings: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


def account(told: Json) -> AccountFacts:
    """Who has logged in. Raises AnswerError."""
    perfs = value(told, "perfs", dict, {})
    ratings = {name: value(perf, "rating", int, 0) for name, perf in perfs.items() if isinstance(perf, dict)}
    return AccountFacts(
        value(told, "username", str), MappingProxyType({k: v for k, v in ratings.items() if v})
    )


def game(told: Json) -> OnlineGame:
    """A game of the stream of events, or of the list of games. Raises AnswerError."""
    opponent = value(told, "opponent", dict)
    ai, known = value(opponent, "ai", int, 0), opponent.get("id", "") is not None
    speed, variant = value(told, "speed", str, ""), _variant(told)
    friend = value(told, "source", str, "") in _BY_NAME
    fast = speed in _TOO_FAST or (speed == "blitz" and not friend)
    playable = value(value(told, "compat", dict, {}), "board", bool, not fast)
    return OnlineGame(
        id=value(told, "gameId", str),
        colour=_colour(told, "color"),
        opponent=value(opponent, "username", str) if ai or known else "",
        ai=ai,
        rating=value_or_none(opponent, "rating", int),
        own_rating=value_or_none(told, "rating", int),
        rated=value(told, "rated", bool, False),
        speed=speed,
        variant=variant,
        fen=value(told, "fen", str, ""),
        my_turn=value(told, "isMyTurn", bool, False),
        moved=value(told, "hasMoved", bool, False),
        left_s=value_or_none(told, "secondsLeft", int),
        playable=playable and variant in PLAYABLE_VARIANTS,
    )


def games(told: Json) -> tuple[OnlineGame, ...]:
    """The games of a list, most urgent first. Raises AnswerError."""
    return tuple(game(one) for one in value(told, "nowPlaying", list))


def looked_up(told: Json, me: str) -> OnlineGame:
    """A game as its stream begins, for the account of that name. Raises AnswerError."""
    sides = {colour: value(told, colour, dict) for colour in COLOURS}
    mine = BLACK if value(sides[BLACK], "name", str, "").casefold() == me.casefold() else WHITE
    foe = sides[BLACK if mine == WHITE else WHITE]
    clock, stands, variant = value(told, "clock", dict, {}), server_told(part(told, "state")), _variant(told)
    start = value(told, "initialFen", str, "startpos")
    start_fen = "" if start == "startpos" else start
    black_begins = start_fen.split()[1:2] == ["b"]
    whites_turn = (len(stands.moves) % 2 == 0) != black_begins
    left_ms = stands.white_ms if mine == WHITE else stands.black_ms
    return OnlineGame(
        id=value(told, "id", str),
        colour=mine,
        opponent=value(foe, "name", str, ""),
        ai=value(foe, "aiLevel", int, 0),
        rating=value_or_none(foe, "rating", int),
        own_rating=value_or_none(sides[mine], "rating", int),
        rated=value(told, "rated", bool, False),
        speed=value(told, "speed", str, ""),
        minutes=value(clock, "initial", int, 0) / 60_000,
        increment=value(clock, "increment", int, 0) // 1000,
        days=value(told, "daysPerTurn", int, 0),
        variant=variant,
        start_fen=start_fen,
        my_turn=stands.status in RUNNING and whites_turn == (mine == WHITE),
        moved=len(stands.moves) > (whites_turn == (mine == WHITE)),
        left_s=left_ms // 1000 if left_ms >= 0 else None,
        playable=variant in PLAYABLE_VARIANTS,
    )


def server_told(told: Json, *, fresh: bool = False) -> ServerTold:
    """The state of a game. Raises AnswerError."""
    first = value(told, "expiration", dict, {})
    idle_ms = value(first, "idleMillis", int, 0)
    return ServerTold(
        moves=tuple(value(told, "moves", str).split()),
        white_ms=_milliseconds(told, "wtime"),
        black_ms=_milliseconds(told, "btime"),
        status=value(told, "status", str),
        winner=_colour(told, "winner", ""),
        draw=_whose(told, "draw"),
        takeback=_whose(told, "takeback"),
        first_move_ms=max(0, value(first, "millisToMove", int, 0) - idle_ms),
        fresh=fresh,
    )


def part(told: Json, name: str) -> Json:
    """An object within another. Raises AnswerError."""
    return value(told, name, dict)


def is_over(told: Event | None) -> bool:
    """Whether an event is the end of a game."""
    return isinstance(told, ServerTold) and told.status not in RUNNING


def in_game(told: Json) -> Event | None:
    """What a line of a game's stream says beside its beginning; None if it is nothing to us.

    Raises AnswerError.
    """
    match told.get("type"):
        case "gameState":
            return server_told(told)
        case "chatLine" if told.get("room") == "player":
            return Chatted(by=value(told, "username", str), text=value(told, "text", str))
        case "opponentGone":
            seconds = value_or_none(told, "claimWinInSeconds", int)
            return OpponentGone(
                gone=value(told, "gone", bool), claim_ms=-1 if seconds is None else seconds * 1000
            )
    return None


def ended(told: Json) -> Ended:
    """How a game of the stream of events has ended. Raises AnswerError."""
    status = value(told, "status", dict, {})
    before, change = value_or_none(told, "rating", int), value_or_none(told, "ratingDiff", int)
    known = before is not None and change is not None
    rating = RatingChanged(rating=(before or 0) + (change or 0), change=change or 0) if known else None
    id_ = value(told, "gameId", str)
    return Ended(id_, value(status, "name", str, ""), _colour(told, "winner", ""), rating)


def challenge(told: Json, me: str) -> Challenge:
    """A challenge that we have sent or got, we being the account of that name. Raises AnswerError."""
    mine = _name(told.get("challenger")).casefold() == me.casefold()
    foe = told.get("destUser" if mine else "challenger") or {}
    control = value(told, "timeControl", dict, {})
    wanted, variant = value(told, "color", str, ""), _variant(told)  # the colour of the challenger
    colours = {WHITE: BLACK, BLACK: WHITE}
    terms = Terms(
        minutes=value(control, "limit", int, 0) / 60,
        increment=value(control, "increment", int, 0),
        days=value(control, "daysPerTurn", int, 0),
        rated=value(told, "rated", bool, False),
        colour=(wanted if mine else colours[wanted]) if wanted in colours else "",
    )
    return Challenge(
        id=value(told, "id", str),
        name=_name(foe),
        mine=mine,
        rating=value_or_none(foe, "rating", int),
        terms=terms,
        speed=value(told, "speed", str, ""),
        variant=variant,
        playable=variant in PLAYABLE_VARIANTS and terms.slow_enough,
        reason=value(told, "declineReasonKey", str, ""),
    )


def link(told: Json) -> tuple[str, str]:
    """The id of an open challenge, and the address by which it is taken. Raises AnswerError."""
    return value(told, "id", str), value(told, "url", str)


def id_of(told: Json) -> str:
    """The id of a game, a challenge or a seek. Raises AnswerError."""
    return value(told, "id", str)


def _name(user: object) -> str:
    return value(user, "name", str) if isinstance(user, dict) else ""


def _variant(told: Json) -> str:
    return value(value(told, "variant", dict, {}), "key", str, "standard")


def _colour(told: Json, name: str, default: str | None = None) -> str:
    colour = value(told, name, str, default)
    if colour not in (*COLOURS, default):
        raise AnswerError(name)
    return colour


def _whose(told: Json, what: str) -> str:
    return next((colour for colour in COLOURS if told.get(colour[0] + what) is True), "")


def _milliseconds(told: Json, name: str) -> int:
    found = value(told, name, int)
    return -1 if found >= _NO_CLOCK_MS else max(0, found)


def value_or_none(told: object, name: str, kind: type[_Wanted]) -> _Wanted | None:
    """What stands under a name; None if nothing does, or null. Raises AnswerError."""
    if not isinstance(told, Mapping) or told.get(name) is None:
        return None
    return value(told, name, kind)


def value(told: object, name: str, kind: type[_Wanted], default: _Wanted | None = None) -> _Wanted:
    """What stands under a name; the default if nothing does. Raises AnswerError."""
    found = told.get(name, default) if isinstance(told, Mapping) else None
    if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
        raise AnswerError(name)
    return found
