# SPDX-License-Identifier: GPL-3.0-or-later
"""Which utterance belongs to which move: the index of a taped game, without I/O."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from acessivel.dialogue.questions import ANNOUNCING, Asking, Confirm, Making, Promote, innermost
from acessivel.rules.position import BLACK, WHITE, Fact
from acessivel.session.state import State

ANNOUNCED = "announced"
PLAYED = "played"
WITHDRAWN = "withdrawn"
TAKEN_BACK = "taken_back"
_MOST = 1e9  # seconds on a tape, or moves
_STATUSES = (ANNOUNCED, PLAYED, WITHDRAWN, TAKEN_BACK)


@dataclass(frozen=True, slots=True)
class Taped:
    """What one utterance, or one key, did to a move: a line of the index.

    `san` is None while the announcement may still mean several moves. `start` and `end` are seconds on the
    tape, None if there is no sound: it was typed, pointed or played by the engine, or was `lost`, as it could
    not be kept. `at`: the time of day, ISO 8601.
    """

    move: int
    colour: str
    san: str | None
    status: str
    start: float | None = None
    end: float | None = None
    at: str = ""
    lost: bool = False


def happened(before: State, after: State, *, spoken: bool) -> tuple[Taped, ...]:
    """What an event did to moves, the last one first where several are taken back; none without any."""
    was, now = before.game, after.game
    if added := now.played[len(was.played) :]:
        return tuple(_about(move.fact, PLAYED) for move in added)
    if gone := was.played[len(now.played) :]:
        return tuple(_about(move.fact, TAKEN_BACK) for move in reversed(gone))
    if (fact := after.online.confirmed) and fact != before.online.confirmed:
        return (_about(fact, ANNOUNCED),)  # until the server shows it
    if len(now.offences) > len(was.offences) and isinstance(before.asking, Confirm | Promote):
        return tuple(_open(before, before.asking, status) for status in (PLAYED, TAKEN_BACK))  # at once
    old, new = _announcement(before.asking), _announcement(after.asking)
    if new and (spoken or new != old):
        return (_open(before, new, ANNOUNCED),)
    return (_open(before, old, WITHDRAWN),) if old and not new else ()


def settled(last: Taped | None, state: State) -> tuple[Taped, ...]:
    """That the last line was played after all: its move stands, but the yes to it was not recorded."""
    if last is None or last.status != ANNOUNCED:
        return ()
    for fact in (move.fact for move in state.game.played):
        if (fact.number, fact.colour) == (last.move, last.colour) and last.san in (None, fact.san):
            return (replace(_about(fact, PLAYED), at=last.at),)
    return ()


def resolved(lines: Iterable[Taped]) -> tuple[Taped, ...]:
    """The index with its final state: each announcement with its move and what became of it."""
    found: list[Taped] = []
    attempt: list[Taped] = []  # the lines of the open announcement

    def close(san: str | None, status: str) -> None:
        found.extend(replace(line, san=line.san or san, status=status) for line in attempt)
        attempt.clear()

    for line in lines:
        known = next((each.san for each in reversed(attempt) if each.san), None)
        other_move = bool(attempt) and (attempt[0].move, attempt[0].colour) != (line.move, line.colour)
        if other_move and line.status != TAKEN_BACK:  # what became of it is not known
            close(known, ANNOUNCED)
        elif known and line.san and known != line.san:
            close(known, WITHDRAWN)
        if line.status == TAKEN_BACK:
            close(known, WITHDRAWN)
            found.append(line)
            continue
        attempt.append(line)
        if line.status != ANNOUNCED:
            close(line.san or known, line.status)
    found.extend(attempt)
    return tuple(found)


def to_json(line: Taped) -> str:
    """One line of the index file."""
    return json.dumps(asdict(line), ensure_ascii=False)


def from_json(text: str) -> Taped | None:
    """A line of the index file; None if it is malformed, such as a line that a crash cut short."""
    try:
        line = Taped(**json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return None
    return line if _is_named(line) and _is_timed(line) else None


def _is_named(line: Taped) -> bool:
    texts = isinstance(line.at, str) and (line.san is None or isinstance(line.san, str))
    counted = type(line.move) is int and 0 < line.move <= _MOST
    return (
        texts
        and counted
        and isinstance(line.lost, bool)
        and line.colour in (WHITE, BLACK)
        and line.status in _STATUSES
    )


def _is_timed(line: Taped) -> bool:
    times = [time for time in (line.start, line.end) if time is not None]
    if not all(type(time) in (int, float) and 0 <= time <= _MOST for time in times):
        return False
    return len(times) in (0, 2) and times == sorted(times)


def _announcement(asking: Asking) -> Asking | None:
    """The open announcement; a list, or a question such as "Do you want to stop?", leaves it open."""
    below = innermost(asking)
    return below if isinstance(below, (*ANNOUNCING, Making)) else None


def _about(fact: Fact, status: str) -> Taped:
    return Taped(fact.number, fact.colour, fact.san, status)


def _open(state: State, asking: Asking, status: str) -> Taped:
    position = state.moves_in
    san = asking.fact.san if isinstance(asking, Confirm | Making) else None
    return Taped(position.fullmove, position.turn, san, status)
