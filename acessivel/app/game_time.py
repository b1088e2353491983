# SPDX-License-Identifier: GPL-3.0-or-later
"""The time of a game: the loop's, less what it has stood still; the computer's sleep counts in neither."""

from __future__ import annotations

from acessivel.clock.computer_sleep import LEAST_S, asleep_s


class GameTime:
    """In milliseconds. It stands still while nothing can be journalled."""

    def __init__(self) -> None:
        self._loop_ms = self._stood_ms = 0
        self._stands_at: int | None = None
        self._asleep_s = asleep_s()

    def come(self, loop_ms: int) -> int:
        """The game's time, now that the loop's is this."""
        self._loop_ms = loop_ms
        return self.at(loop_ms)

    def at(self, loop_ms: int) -> int:
        """The game's time when the loop's is this."""
        return loop_ms - self._stood_ms if self._stands_at is None else self._stands_at

    @property
    def stands(self) -> bool:
        """Whether it stands still."""
        return self._stands_at is not None

    def stand(self, at_ms: int) -> None:
        """Stand still at a moment of the game, until it goes on."""
        self._stands_at = at_ms

    def go_on(self) -> None:
        """Go on from where it stood."""
        if self._stands_at is not None:
            self._stood_ms, self._stands_at = self._loop_ms - self._stands_at, None

    def slept_s(self) -> int:
        """How many seconds the computer has slept since this was asked last; 0 for less than a sleep."""
        before_s, self._asleep_s = self._asleep_s, asleep_s()
        slept_s = round(self._asleep_s - before_s)
        return slept_s if slept_s >= LEAST_S else 0
