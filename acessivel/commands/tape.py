# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel tape`: what is on the tape of a game, and the sound of a move, played or written to a file."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from acessivel.commands.device_settings import sound_files
from acessivel.commands.output import opened_output, write_line
from acessivel.commands.run_settings import settings_of
from acessivel.errors import UserError, cannot_read
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from acessivel.storage import tape_index
from acessivel.storage.tape import index_of, read_index, sound_of
from acessivel.storage.tape_index import Taped
from voices.sound.source import SoundError, play
from voices.sound.tape import FORMATS, Tape, TapeDamagedError, encoded

_STATUSES: Mapping[str, str] = {
    tape_index.ANNOUNCED: "tape_announced",
    tape_index.PLAYED: "tape_played",
    tape_index.WITHDRAWN: "tape_withdrawn",
    tape_index.TAKEN_BACK: "tape_taken_back",
}


def run(options: argparse.Namespace) -> int:
    """List the index, or the lines of a move and then its sound. Raises UserError if it does not exist."""
    with sound_files():
        return _run(options, settings_of(options))


def _run(options: argparse.Namespace, settings: Settings) -> int:
    lines = _lines(settings, options.taped)
    if options.move is not None:
        lines = tuple(line for line in lines if line.move == options.move)
        if not lines:
            whole = command("tape", options.taped, settings)
            why = Message.of("no_tape_move", number=options.move, id=options.taped, command=whole)
            raise UserError(why)
    if options.output:
        _save(options.output, _sound(options, settings, lines))
    elif options.json:
        write_line(json.dumps([asdict(line) for line in lines], ensure_ascii=False))
    else:
        renderer = Renderer(settings.language)
        if not lines:
            write_line(renderer.text(Message.of("tape_empty")))
        for attempt in _attempts(lines):
            write_line(renderer.text(_told(attempt)))
        if options.move is not None:
            _play(_sound(options, settings, lines))
    return 0


def _lines(settings: Settings, game: int) -> tuple[Taped, ...]:
    try:
        return tape_index.resolved(read_index(settings.folder, game))
    except FileNotFoundError as error:
        raise UserError(Message.of("no_tape", id=game)) from error
    except OSError as error:
        raise cannot_read(error, str(index_of(settings.folder, game))) from error


def _attempts(lines: Sequence[Taped]) -> list[tuple[Taped, ...]]:
    """The lines of each announcement together."""
    groups = groupby(lines, lambda line: (line.move, line.colour, line.san, line.status))
    return [tuple(group) for _, group in groups]


def _told(attempt: Sequence[Taped]) -> Message:
    """One announcement: which move, what became of it, and where on the tape it is."""
    last = attempt[-1]
    at = last.at[:19].replace("T", " ")
    times = [(line.start, line.end) for line in attempt if line.start is not None and line.end is not None]
    heard = Message.of("tape_lost" if any(line.lost for line in attempt) else "tape_unheard", at=at)
    if times:
        heard = Message.of(
            "tape_heard", begin=_clock(times[0][0]), end=_clock(math.ceil(times[-1][1])), at=at
        )
    return Message.of(
        "tape_line",
        number=last.move,
        colour=last.colour,
        san=last.san or Message.of("tape_unclear"),
        status=Message.of(_STATUSES[last.status]),
        heard=heard,
    )


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _sound(options: argparse.Namespace, settings: Settings, lines: Sequence[Taped]) -> bytes:
    """The sound of these lines, one after the other. Raises UserError if there is none, or it is gone."""
    times = [(line.start, line.end) for line in lines if line.start is not None and line.end is not None]
    if not times:
        raise UserError(Message.of("tape_silent_lost" if any(line.lost for line in lines) else "tape_silent"))
    path = sound_of(settings.folder, options.taped)
    damaged = UserError(Message.of("tape_damaged", file=str(path)))
    tape = Tape(path)
    try:
        whole = tape.end() > max(end for _, end in times) - 0.001
        sound = b"".join(tape.read(start, end) for start, end in times)
    except (OSError, TapeDamagedError) as error:
        raise damaged from error
    if not whole:
        raise damaged
    return sound


def _save(path: Path, audio: bytes) -> None:
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise UserError(Message.of("tape_format", file=str(path)))
    with opened_output(path) as file:
        file.write(encoded(audio, form))


def _play(audio: bytes) -> None:
    try:
        play(audio)
    except SoundError as error:
        raise UserError(Message.of("tape_no_loudspeaker")) from error
