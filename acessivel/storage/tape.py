# SPDX-License-Identifier: GPL-3.0-or-later
"""The tape of one game, stored beside the journal: its sound as FLAC, and its index as lines of JSON."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path

from acessivel.errors import reason
from acessivel.message import Message
from acessivel.session.state import State
from acessivel.storage import private_files, tape_index
from acessivel.storage.tape_index import Taped
from voices.sound.tape import Tape, TapeDamagedError


def sound_of(folder: Path, game: int) -> Path:
    """The file with the sound of a game."""
    return folder / f"tape-{game}.flac"


def read_index(folder: Path, game: int) -> tuple[Taped, ...]:
    """The index of a game as written, without a line that a crash cut short. Raises OSError."""
    text = index_of(folder, game).read_text("utf-8", errors="replace")
    return tuple(line for line in map(tape_index.from_json, text.splitlines()) if line)


class Recorder:
    """Records what is announced in a game; reports a failure once, until recording works again."""

    def __init__(self, folder: Path, game: int, *, begins: bool) -> None:
        """Continue the tape of a game, or begin that of one that `begins`.

        Raises MissingPartError without soundfile.
        """
        self._folder = folder
        self._failing = False
        self._record(game, anew=begins)

    def go_on_as(self, game: int) -> None:
        """Record the game under this other number from now on."""
        self._record(game, anew=True)

    def _record(self, game: int, *, anew: bool) -> None:
        """Record under this number; `anew`: what another game has left under it is kept by another name."""
        if anew:
            with contextlib.suppress(OSError):
                _keep_apart(self._folder, game)
        self._tape, self._game = Tape(sound_of(self._folder, game)), game
        self._end: float | None = None  # position on the tape; None: not known yet
        self._last: Taped | None = None
        with contextlib.suppress(OSError):
            private_files.make_file(index_of(self._folder, game))  # nothing may ever be announced
            self._last = (read_index(self._folder, game) or (None,))[-1]

    def happened(self, before: State, after: State, audio: bytes = b"") -> Message | None:
        """Record what an event did to a move, and its sound if it was spoken; a message if that fails."""
        late = tape_index.settled(self._last, before)
        lines = tape_index.happened(before, after, spoken=bool(audio))
        if not (late or lines):
            return None
        start, end, failure = self._heard(audio if lines else b"")
        lost = failure is not None
        try:
            for number, line in enumerate((*late, *lines)):
                heard = number == len(late)
                self._keep(replace(line, start=start, end=end, lost=lost) if heard else line)
        except OSError as error:
            failure = error
        told, self._failing = self._failing, failure is not None
        return None if failure is None or told else Message.of("tape_not_kept", reason=_reason(failure))

    def close(self) -> None:
        """Join the recorded pieces to one file; pieces that cannot be joined can still be played."""
        with contextlib.suppress(OSError, TapeDamagedError):
            self._tape.finish()

    def _heard(self, audio: bytes) -> tuple[float | None, float | None, OSError | TapeDamagedError | None]:
        """Where sound is on the tape from now on, if there is any; and why it is not, if that fails."""
        if not audio:
            return None, None, None
        try:
            start = self._begin() if self._end is None else self._end
            self._end = self._tape.add(audio, start)
        except (OSError, TapeDamagedError) as error:
            self._end = None
            return None, None, error
        return start, self._end, None

    def _keep(self, line: Taped) -> None:
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        kept = replace(line, at=line.at or now)
        index = index_of(self._folder, self._game)
        private_files.make_file(index)
        private_files.restrict(index)
        with index.open("ab") as file:
            torn = file.tell() > 0 and not self._ends_a_line()
            file.write(b"\n" * torn + tape_index.to_json(kept).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._last = kept

    def _begin(self) -> float:
        """Where the tape continues: after all that the index mentions, in case the sound is gone."""
        index = index_of(self._folder, self._game)
        lines = read_index(self._folder, self._game) if index.exists() else ()
        return max(self._tape.end(), *(line.end or 0.0 for line in lines), 0.0)

    def _ends_a_line(self) -> bool:
        with index_of(self._folder, self._game).open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"


def index_of(folder: Path, game: int) -> Path:
    """The file of the index of a game."""
    return folder / f"tape-{game}.jsonl"


def _keep_apart(folder: Path, game: int) -> None:
    """Give what is there of another game with this number a name that no tape has: "tape-3-1.flac"."""
    left = [*folder.glob(f"tape-{game}.*")]
    number = next(number for number in count(1) if not any(folder.glob(f"tape-{game}-{number}.*")))
    for path in left:
        path.rename(path.with_name(f"tape-{game}-{number}{path.suffix}"))


def _reason(error: OSError | TapeDamagedError) -> Message:
    return reason(error, "writing") if isinstance(error, OSError) else Message.of("reason_damaged")
