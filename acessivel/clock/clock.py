# SPDX-License-Identifier: GPL-3.0-or-later
"""The chess clock as a value (art. 6): the time of day is always passed in, in ms, and never goes back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from acessivel.clock.time_control import Mode, TimeControl
from acessivel.rules.position import COLOURS, WHITE

_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LastMove:
    """What the last completed move of a side took and earned, so that it can be undone."""

    spent_ms: int
    """How long the clock ran in it, in ms."""
    earned_ms: int
    """What it was credited with, in ms: an increment, a new period."""
    paid: int
    """`SideClock.paid` before it."""


@dataclass(frozen=True, slots=True)
class SideClock:
    """One of the two clocks, all times in ms."""

    main_ms: int
    """What it showed when the present move began."""
    spent_ms: int = 0
    """How long it ran in this move."""
    used_ms: int = 0
    """How long it ran in the game."""
    moves: int = 0
    """How many moves were completed."""
    paid: int = 1
    """The last move for which time was credited, so that a move made again earns nothing twice."""
    set_ms: int = 0
    """What it showed when it was last set: at the start, by a new period, by the arbiter."""
    settings: int = 1
    """How often it was set."""
    last: LastMove | None = None
    """The last completed move; None if there is none that can be undone."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' clocks; only one can run (art. 6.1)."""

    control: TimeControl
    """The agreed time control."""
    white: SideClock
    """White's clock, as of when it was last started, stopped or set."""
    black: SideClock
    """Black's clock, likewise."""
    running: str | None = None
    """Whose clock runs; None if none does."""
    since_ms: int = 0
    """When it was last started or stopped, in ms on the clock of the events."""
    fallen: str = ""
    """The side whose flag fell first, "unknown" if both fell and nobody knows, "" if none did."""

    @classmethod
    def of(cls, control: TimeControl) -> Clock:
        """A stopped clock, with the increment for move 1 (art. 6.3, Fischer, 2014)."""
        start = control.main_at(1) + (control.extra_at(1) if control.mode is Mode.FISCHER else 0)
        return cls(control, SideClock(start, set_ms=start), SideClock(start, set_ms=start))

    def side(self, colour: str) -> SideClock:
        """The clock of a side, as of when it was last started, stopped or set."""
        return self.white if colour == WHITE else self.black

    def left(self, colour: str, now_ms: int) -> int:
        """What a side has left, in ms, never below 0; the seconds of a delay are not part of it."""
        side = self.side(colour)
        spent = side.spent_ms + self._runs_for(colour, now_ms)
        if self.control.mode is Mode.DELAY:
            spent = max(0, spent - self.control.extra_at(side.moves + 1))
        return max(0, side.main_ms - spent)

    def free(self, now_ms: int) -> int:
        """How long, in ms, the running side still has of a delay before its time goes down."""
        if not self.running or self.control.mode is not Mode.DELAY:
            return 0
        side = self.side(self.running)
        spent = side.spent_ms + self._runs_for(self.running, now_ms)
        return max(0, self.control.extra_at(side.moves + 1) - spent)

    def used(self, colour: str, now_ms: int) -> int:
        """How long the clock of a side has run in the game, in ms."""
        return self.side(colour).used_ms + self._runs_for(colour, now_ms)

    def start(self, colour: str, now_ms: int) -> Clock:
        """Start or restart the clock of one side; the other's stops."""
        return replace(self.stop(now_ms), running=colour)

    def stop(self, now_ms: int) -> Clock:
        """Stop both clocks (art. 6.12, 2014)."""
        if not self.running:
            return replace(self, since_ms=now_ms)
        ran, side = self._runs_for(self.running, now_ms), self.side(self.running)
        side = replace(side, spent_ms=side.spent_ms + ran, used_ms=side.used_ms + ran)
        return _noted(replace(_with(self, self.running, side), running=None, since_ms=now_ms))

    def completed(self, colour: str, now_ms: int) -> Clock:
        """Stop both clocks after a completed move of a side, and credit it with what that move earns.

        A side whose flag has fallen earns nothing.
        """
        clock = self.stop(now_ms)
        side = clock.side(colour)
        move = side.moves + 1
        paid, down = move < side.paid, clock.down(colour, now_ms)
        period = 0 if down or paid else self.control.main_at(move + 1)
        earned = 0 if down else self._bonus(move, side)
        side = replace(
            side,
            main_ms=clock.left(colour, now_ms) + period + earned,
            spent_ms=0,
            moves=move,
            paid=max(side.paid, move + 1),
            last=LastMove(side.spent_ms, period + earned, side.paid),
        )
        if period:
            side = replace(side, set_ms=side.main_ms, settings=side.settings + 1)
        return _with(clock, colour, side)

    def uncompleted(self, colour: str, now_ms: int) -> Clock:
        """Undo the completion of a side's last move: what it earned is taken off, and can be earned again.

        The time that it took stays used. Both clocks stop.
        """
        clock = self.stop(now_ms)
        side = clock.side(colour)
        if side.last is None:
            return clock
        left = clock.left(colour, now_ms) - side.last.earned_ms
        side = replace(
            side,
            spent_ms=side.spent_ms + side.last.spent_ms,
            moves=side.moves - 1,
            paid=side.last.paid,
            last=None,
        )
        return _with(clock, colour, self._showing(side, left))

    def charged(self, colour: str, ms: int, now_ms: int) -> Clock:
        """Count so much time as used by a side in its move; both clocks stop."""
        clock = self.stop(now_ms)
        side = clock.side(colour)
        side = replace(side, spent_ms=side.spent_ms + ms, used_ms=side.used_ms + ms)
        return _noted(_with(clock, colour, side))

    def added(self, colour: str, ms: int, now_ms: int) -> Clock:
        """Add time to a side, or take some away (negative): a penalty, a bonus, a correction; it runs on."""
        return self.corrected({colour: self.left(colour, now_ms) + ms}, now_ms)

    def corrected(self, times: dict[str, int], now_ms: int) -> Clock:
        """Set what one side has left, in ms, or both (art. 6.10b, 7.1, 2014); a running clock runs on."""
        clock = self.stop(now_ms)
        for colour, ms in times.items():
            side, left = clock.side(colour), max(0, ms)
            side = replace(side, set_ms=left, settings=side.settings + 1)
            clock = _with(clock, colour, self._showing(side, left))
        clock = _noted(clock)
        return clock.start(self.running, now_ms) if self.running else clock

    def following(self, times: dict[str, int], running: str | None, now_ms: int) -> Clock:
        """Show what another clock shows that it follows: what each side has left, in ms, and whose time runs.

        That is no new setting: what has been announced of it stays announced.
        """
        clock = self.stop(now_ms)
        for colour, ms in times.items():
            clock = _with(clock, colour, self._showing(clock.side(colour), ms))
        return replace(clock, running=running, fallen="")

    def _showing(self, side: SideClock, left_ms: int) -> SideClock:
        """The clock of a side, set so that it shows so much time, whatever was spent in this move."""
        spent = side.spent_ms
        if self.control.mode is Mode.DELAY:
            spent = max(0, spent - self.control.extra_at(side.moves + 1))
        return replace(side, main_ms=max(0, left_ms) + spent)

    def counted(self, colour: str, moves: int) -> Clock:
        """Correct the counter of a side's completed moves (art. 6.10b, 7.1, 2014); its time stays."""
        side = self.side(colour)
        last = side.last if moves == side.moves else None
        return _with(self, colour, replace(side, moves=moves, paid=max(side.paid, moves + 1), last=last))

    def next_period(self, now_ms: int) -> Clock:
        """Go on to the next period for both sides after both flags fell (art. 6.11a, 2014).

        Nothing changes for a side that is in the last period.
        """
        clock = self.stop(now_ms)
        for colour in COLOURS:
            side = clock.side(colour)
            begins = self.control.next_period(side.moves + 1)
            if begins is None:
                continue
            time = clock.left(colour, now_ms) + self.control.main_at(begins)
            if self.control.mode is Mode.FISCHER:
                time += self.control.extra_at(begins)
            side = replace(side, spent_ms=0)
            clock = _with(clock, colour, side).counted(colour, begins - 1).corrected({colour: time}, now_ms)
        return clock.start(self.running, now_ms) if self.running else clock

    def moves_to_go(self, colour: str) -> int | None:
        """How many moves a side must complete in this period; None in the last one: all (art. 6.3a, 2014)."""
        move = self.side(colour).moves + 1
        begins = self.control.next_period(move)
        return None if begins is None else begins - move

    def down(self, colour: str, now_ms: int) -> bool:
        """Whether the flag of a side has fallen."""
        return self.left(colour, now_ms) == 0

    def flag(self, now_ms: int) -> str | None:
        """The side whose flag has fallen, the first if both have; None also if the first is unknown."""
        return first if (first := _first_down(self, now_ms)) in COLOURS else None

    def flags_unknown(self, now_ms: int) -> bool:
        """Whether both flags have fallen and nobody knows which fell first (art. 6.11, 2014)."""
        return _first_down(self, now_ms) == _UNKNOWN

    def reaches(self, left_ms: int, now_ms: int) -> int | None:
        """In how many ms the running side will have so much left; None if none runs or it has no more."""
        if not self.running or (left := self.left(self.running, now_ms)) <= left_ms:
            return None
        side, free = self.side(self.running), 0
        if self.control.mode is Mode.DELAY:
            spent = side.spent_ms + self._runs_for(self.running, now_ms)
            free = max(0, self.control.extra_at(side.moves + 1) - spent)
        return free + left - left_ms

    def _runs_for(self, colour: str, now_ms: int) -> int:
        return now_ms - self.since_ms if self.running == colour else 0

    def _bonus(self, move: int, side: SideClock) -> int:
        match self.control.mode:
            case Mode.FISCHER:
                return self.control.extra_at(move + 1) if move >= side.paid else 0
            case Mode.BRONSTEIN:
                return min(side.spent_ms, self.control.extra_at(move))
            case Mode.DELAY:
                return 0


def _first_down(clock: Clock, now_ms: int) -> str:
    down = [colour for colour in COLOURS if clock.down(colour, now_ms)]
    if len(down) == len(COLOURS):
        return clock.fallen or _UNKNOWN
    return down[0] if down else ""


def _noted(clock: Clock) -> Clock:
    """Record whose flag fell first."""
    return replace(clock, fallen=_first_down(clock, clock.since_ms))


def _with(clock: Clock, colour: str, side: SideClock) -> Clock:
    return replace(clock, white=side) if colour == WHITE else replace(clock, black=side)
