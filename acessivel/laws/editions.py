# SPDX-License-Identifier: GPL-3.0-or-later
"""The editions of the Laws: each a TOML file, which may build on another and override it; checked on load."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

import tomli

from acessivel.clock.time_control import TimeControl

_FOLDER = Path(__file__).with_name("editions")
TEMPOS = ("standard", "rapid", "blitz")

# The topics for which an edition may cite an article. Where it cites none, `unregulated` applies.
TOPICS = frozenset(
    {
        "adjourn_agreed",
        "adjourn_bad_move",
        "adjourn_clocks",
        "adjourn_envelope",
        "adjourn_keep",
        "adjourn_late",
        "adjourn_missing",
        "adjourn_offer",
        "adjourn_open",
        "adjourn_present",
        "adjourn_resume",
        "adjourn_seal",
        "adjourn_session",
        "adjust",
        "ages",
        "agreement",
        "agreement_event",
        "arbiter",
        "arbiter_time",
        "blind",
        "blitz",
        "blitz_penalty",
        "board",
        "both_flags",
        "both_flags_last",
        "castle_illegal",
        "castle_king_rook",
        "castle_rook_king",
        "check",
        "chess960",
        "claim_is_offer",
        "claim_lost",
        "claim_right",
        "claim_wrong",
        "clock_late",
        "clock_setting",
        "clock_stop",
        "colours",
        "complete",
        "controls",
        "dead",
        "displaced",
        "displaced_found",
        "fifty",
        "fivefold",
        "flag",
        "flag_claim",
        "flag_seen",
        "identical",
        "illegal",
        "illegal_claim",
        "illegal_penalty",
        "illegal_seen",
        "late",
        "leaving",
        "mate",
        "moves75",
        "notation",
        "offer",
        "offer_record",
        "pairing",
        "periods",
        "pressed",
        "promotion",
        "promotion_choice",
        "quickplay",
        "quickplay_alone",
        "rapid",
        "record",
        "record_time",
        "resign",
        "same_move",
        "score",
        "sign",
        "stalemate",
        "start",
        "start_late",
        "supervision",
        "team_score",
        "threefold",
        "tie_breaks",
        "times_after",
        "touch_both",
        "touch_claim",
        "touch_free",
        "touch_other",
        "touch_own",
        "two_hands",
        "unregulated",
    }
)

# The penalties for the first illegal move, the second and so on, and the sentence that tells them.
LADDERS: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        ("nothing",): "rule_illegal_nothing",
        ("loss",): "rule_illegal_first",
        ("time", "loss"): "rule_illegal_second",
        ("time", "time", "loss"): "rule_illegal_third",
    }
)


class EditionError(ValueError):
    """An edition's file that cannot be used: the file, the key, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one edition at one tempo, with or without supervision. Times in ms; 0 moves: no such rule.

    `articles`: topic -> (article, edition that it stands in).
    """

    edition: str
    tempo: str
    supervised: bool
    articles: Mapping[str, tuple[str, str]]
    # Full supervision: the most games that one arbiter may watch; whether they are recorded for the players.
    supervised_games: int
    supervised_record: bool
    # Coming late: a player who comes later than this loses. `late_by_event`: the event has to set it.
    # `late_arbiter`: the arbiter may rule otherwise.
    late_ms: int
    late_by_event: bool
    late_arbiter: bool
    # The clock.
    complete_by_next_move: bool
    flag_called_by: Literal["anyone", "players"]
    flag_needs_time: bool  # a claim requires that the claimant has time left
    flag_draw: bool  # drawn if the opponent cannot mate by any legal moves
    both_flags: Literal["period", "draw", "arbiter"]
    quickplay: bool
    quickplay_ms: int
    quickplay_bonus_ms: int
    record: bool  # the players write the moves down
    record_under_ms: int
    record_increment_ms: int
    # Draws.
    agreement_moves: int  # moves that both must have made
    agreement_limits: bool  # an event may forbid it before a number of moves
    claims: bool
    claim_until: Literal["move", "touch"]
    claim_fixed: bool  # the written move cannot be changed
    castling_identity: Literal["altered", "king", "king_or_rook"]
    wrong_claim_ms: int
    wrong_claim_halves: bool
    repetitions: Literal[0, 5]  # these numbers stand in Position.ending, and in what is told of the end
    quiet_moves: Literal[0, 75]
    same_moves: int
    # Irregularities.
    illegal: tuple[
        Literal["nothing", "time", "loss"], ...
    ]  # for the first, the second...; the last entry repeats
    illegal_until: Literal["end", "touch", "move"]  # until when it can be found
    illegal_unasked: bool  # the arbiter intervenes without a claim
    illegal_draw: bool  # drawn, not lost, if the opponent cannot mate
    penalty_ms: int
    promotion: Literal["illegal", "queen", "finish"]
    promotion_seen: Literal["acts", "waits"]  # what an arbiter does on seeing a pawn left on the last rank
    pressed: Literal["illegal", "arbiter"]
    two_hands: Literal["illegal", "arbiter"]
    colours_moves: int  # starts again if found before this many moves of both
    colours_arbiter: bool  # the arbiter may rule otherwise
    setup_moves: int  # after so many moves of both, no claim about the setup is possible
    setup_castling: Literal["as_it_stands", "king_and_queen", "misplaced"]
    # Touched pieces, and what is announced.
    touch: Literal["touched", "moved"]
    touch_unasked: bool
    announce_check: bool
    promotion_named: bool
    long_notation: bool
    # Adjourned games.
    adjourn_late_ms: int

    def cite(self, topic: str) -> tuple[str, str]:
        """The article for a topic and the edition that it stands in. Raises KeyError for an unknown topic."""
        if topic not in TOPICS:
            raise KeyError(topic)
        return self.articles.get(topic) or self.articles["unregulated"]

    def regulates(self, topic: str) -> bool:
        """Whether the edition has an article for it."""
        return topic in self.articles

    @property
    def automatic(self) -> frozenset[str]:
        """Which of "fivefold" and "seventyfive" end a game without a claim (9.6; 2014, 2018)."""
        limits = {"fivefold": self.repetitions, "seventyfive": self.quiet_moves}
        return frozenset(name for name, limit in limits.items() if limit)


@dataclass(frozen=True, slots=True)
class Points:
    """What a game or match is worth: points for a win, a draw, a loss, and for not appearing."""

    win: float
    draw: float
    loss: float
    absent: float


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition: the limits of its tempos, its scores, and its rules by tempo and supervision."""

    name: str
    headings: str  # the language of the sections that are cited by their headings; no follower takes it over
    blitz_to_ms: int
    blitz_to_included: bool
    rapid_to_ms: int
    rapid_to_included: bool
    increment_moves: int  # how many increments count for the tempo
    controls: tuple[str, ...]  # the time controls that it prescribes, as TimeControl reads them
    rounds: int
    points: Points
    team_points: Points | None
    variants: Mapping[tuple[str, bool], Rules]

    def rules(self, tempo: str = "standard", *, supervised: bool = True) -> Rules:
        """The rules at a tempo, with or without an arbiter at the board.

        Raises KeyError for an unknown tempo.
        """
        return self.variants[tempo, supervised]

    def article(self, topic: str) -> str:
        """The article for a topic in standard play. Raises KeyError if the topic is unknown."""
        return self.rules().cite(topic)[0]

    def tempo(self, control: TimeControl | None) -> str:
        """The tempo by the edition's limits (B1, C1, 2001; A.1, B.1, 2009, 2018); standard with no clock."""
        if control is None:
            return "standard"
        total = control.total_ms(self.increment_moves)
        if total < self.blitz_to_ms or (self.blitz_to_included and total == self.blitz_to_ms):
            return "blitz"
        if total < self.rapid_to_ms or (self.rapid_to_included and total == self.rapid_to_ms):
            return "rapid"
        return "standard"


@cache
def editions() -> tuple[str, ...]:
    """The names of all editions, of each body the newest first."""
    return tuple(sorted((file.stem for file in _FOLDER.glob("*.toml")), reverse=True))


@cache
def edition(name: str) -> Edition:
    """The edition of a name. Raises KeyError if there is none."""
    if name not in editions():
        raise KeyError(name)
    return read(_FOLDER, name)


def read(folder: Path, name: str) -> Edition:
    """Read an edition, and those that it builds on, from a folder.

    Raises EditionError if it cannot be used.
    """
    data = _merged(folder, name, ())
    for key in data.keys() - _KEYS:
        raise EditionError(f"{name}.toml: {key}: there is no such key")
    own = {key: _value(name, key, data, kind) for key, kind in _EDITION_KINDS.items()}
    return Edition(
        name=name,
        **own,
        points=cast(Points, _points(name, "points", data.get("points"))),
        team_points=_points(name, "team_points", data.get("team_points")),
        variants=MappingProxyType(
            {(tempo, seen): _rules(name, data, tempo, seen) for tempo in TEMPOS for seen in (True, False)}
        ),
    )


_RULE_KINDS = {
    name: kind
    for name, kind in get_type_hints(Rules).items()
    if name not in ("edition", "tempo", "supervised", "articles")
}
_EDITION_KINDS = {
    name: kind
    for name, kind in get_type_hints(Edition).items()
    if name not in ("name", "points", "team_points", "variants")
}
_KEYS = _RULE_KINDS.keys() | _EDITION_KINDS.keys() | {"articles", "points", "team_points", "rapid", "blitz"}


def _merged(folder: Path, name: str, followers: tuple[str, ...]) -> dict[str, Any]:
    """An edition's tables merged over those that it builds on; each article with its own edition."""
    if name in followers:
        raise EditionError(f"{name}.toml: follows: it follows itself")
    try:
        own = tomli.loads(folder.joinpath(f"{name}.toml").read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomli.TOMLDecodeError) as error:
        raise EditionError(f"{name}.toml: {error}") from error
    base: dict[str, Any] = {}
    if "follows" in own:
        base = _merged(folder, str(own.pop("follows")), (*followers, name))
        base.pop("headings", None)
    borrowed: dict[str, Any] = {}
    for lender, topics in _table(name, "borrow", own.pop("borrow", {})).items():
        lent = _merged(folder, lender, (*followers, name))["articles"]
        missing = [topic for topic in topics if topic not in lent]
        if missing:
            raise EditionError(f"{name}.toml: borrow: {lender} has no article for {', '.join(missing)}")
        borrowed |= {topic: lent[topic] for topic in topics}
    return _over(_over(base, {"articles": borrowed}), _sourced(name, own))


def _sourced(name: str, table: dict[str, Any]) -> dict[str, Any]:
    """The table with (article, edition) in place of each article, in nested tables too."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        if key == "articles":
            articles = _table(name, key, value)
            for topic, article in articles.items():
                if topic not in TOPICS or not isinstance(article, str):
                    raise EditionError(
                        f"{name}.toml: articles: {topic}: there is no such topic, or no text after it"
                    )
            found[key] = {topic: (article, name) for topic, article in articles.items()}
        else:
            found[key] = _sourced(name, value) if isinstance(value, dict) else value
    return found


def _over(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """One table merged over another, nested tables likewise."""
    merged = dict(base)
    for key, value in own.items():
        inner = merged.get(key)
        merged[key] = _over(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return merged


def _rules(name: str, data: Mapping[str, Any], tempo: str, supervised: bool) -> Rules:
    """The rules of a tempo: standard ones, overridden by the tempo's, then by those without an arbiter."""
    table = {key: value for key, value in data.items() if key not in ("rapid", "blitz")}
    if tempo != "standard":
        own = dict(_table(name, tempo, data.get(tempo, {})))
        alone = _table(name, f"{tempo}.unsupervised", own.pop("unsupervised", {}))
        table = _over(table, own if supervised else _over(own, alone))
    for key in table.keys() - _KEYS:
        raise EditionError(f"{name}.toml: {tempo}: {key}: there is no such key")
    articles = {
        topic: cited
        for topic, cited in _table(name, "articles", table.get("articles", {})).items()
        if cited[0]
    }
    if "unregulated" not in articles:
        raise EditionError(f"{name}.toml: articles: unregulated: it is missing")
    values = {key: _value(name, key, table, kind) for key, kind in _RULE_KINDS.items()}
    if values["setup_moves"] and values["setup_castling"] == "as_it_stands":
        raise EditionError(
            f"{name}.toml: {tempo}: setup_castling: setup_moves needs it to say who may not castle"
        )
    if values["illegal"] not in LADDERS:
        known = " or ".join(json.dumps(ladder) for ladder in LADDERS)
        raise EditionError(f"{name}.toml: {tempo}: illegal: it must be {known}")
    return Rules(
        edition=name, tempo=tempo, supervised=supervised, articles=MappingProxyType(articles), **values
    )


def _table(name: str, key: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise EditionError(f"{name}.toml: {key}: it must be a table")
    return value


def _value(name: str, key: str, table: Mapping[str, Any], kind: Any) -> Any:
    """A value, checked against the type of its field; a list becomes a tuple."""
    if key not in table:
        raise EditionError(f"{name}.toml: {key}: it is missing")
    value = table[key]
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        # A ladder of penalties must have a first step; a list of time controls may be empty.
        short = get_origin(inner) is Literal and not value
        if short or not isinstance(value, list) or not all(_fits(one, inner) for one in value):
            raise EditionError(f"{name}.toml: {key}: it must be a list of {_words(inner)}")
        return tuple(value)
    if not _fits(value, kind):
        raise EditionError(f"{name}.toml: {key}: it must be {_words(kind)}")
    return value


def _fits(value: Any, kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return any(value == one and type(value) is type(one) for one in get_args(kind))
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, kind)


def _words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(json.dumps(one) for one in get_args(kind))
    return {int: "a whole number, 0 or more", bool: "true or false", str: "text"}[kind]


def _points(name: str, key: str, value: Any) -> Points | None:
    """The points of a score; `points` is required, `team_points` is optional."""
    if value is None and key == "team_points":
        return None
    table = _table(name, key, value)
    wanted = {field.name for field in fields(Points)}
    if table.keys() != wanted or not all(_is_points(one) for one in table.values()):
        raise EditionError(
            f"{name}.toml: {key}: it must be win, draw, loss and absent, each a number, 0 or more"
        )
    points = Points(**{field: float(one) for field, one in table.items()})
    if not points.win >= points.draw >= points.loss >= points.absent:
        raise EditionError(
            f"{name}.toml: {key}: a win must not give less than a draw, nor a draw less than a loss"
        )
    return points


def _is_points(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
