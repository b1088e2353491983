# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel profile`: what is known of a speaker: shown, removed, or exported as one file."""

from __future__ import annotations

import argparse
import dataclasses
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from acessivel.clock.dates import date_parts
from acessivel.commands.output import opened_output, write_line
from acessivel.commands.run_settings import loaded, settings_of
from acessivel.errors import UserError, cannot_read, cannot_write
from acessivel.message import Message, ToType
from acessivel.messages.rendering import Renderer
from acessivel.settings import profiles
from acessivel.settings.command_line import of_profile
from acessivel.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a speaker.

    `made`: the day of the enrolment, "" without one, with the room in dBFS and how many words have fitting
    pronunciations; `announcements`: how many were kept, and `damaged`: these cannot be read; `yes` and
    `repeat`: how probable readings must be.
    """

    name: str
    folder: str
    made: str
    noise_db: float
    pronunciations: int
    announcements: int
    corrected: bool
    damaged: bool
    learn: str
    yes: float
    repeat: float
    others: tuple[str, ...]


def run(options: argparse.Namespace) -> int:
    """Do what is requested. Raises UserError if there is no such profile, or it cannot be done."""
    settings = settings_of(options)
    profiles.check_wanted(settings, options.profile)
    name = profiles.new_name(settings)
    if name not in profiles.names(settings):
        raise profiles.NoProfileError(settings, name)
    if options.do == "reset":
        _reset(settings, name)
    elif options.do == "export":
        _export(settings, name, options.output)
    else:
        _show(settings, name, as_json=options.json)
    return 0


def _show(settings: Settings, name: str, *, as_json: bool) -> None:
    known = _known(settings, name)
    if as_json:
        write_line(json.dumps(dataclasses.asdict(known), ensure_ascii=False))
        return
    renderer = Renderer(settings.language)
    for message in _told(settings, known):
        write_line(renderer.text(message))


def _known(settings: Settings, name: str) -> _Known:
    if broken := profiles.broken(settings):
        raise UserError(broken)
    made, learnt = profiles.load(settings), profiles.learnt(settings)
    yes, repeat = profiles.needed(settings)
    return _Known(
        name,
        str(profiles.folder(settings)),
        made.made.isoformat() if made else "",
        made.noise_db if made else 0.0,
        len(made.pronunciations) if made else 0,
        len(learnt.samples) if learnt else 0,
        bool(learnt and learnt.corrections),
        profiles.is_damaged(settings),
        settings.learn,
        yes,
        repeat,
        tuple(other for other in profiles.names(settings) if other != name),
    )


def _told(settings: Settings, known: _Known) -> Iterator[Message]:
    """The same in sentences."""
    if known.made:
        on = date_parts(known.made)
        yield Message.of(
            "profile_enrolled",
            name=known.name,
            year=on["year"],
            month=on["month"],
            day=on["day"],
            level=round(known.noise_db),
            count=known.pronunciations,
        )
    if known.damaged:
        yield profiles.damaged(settings)
    elif known.corrected:
        yield Message.of("profile_learnt", name=ToType.name(known.name), count=known.announcements)
    else:
        yield Message.of("profile_not_learnt", name=known.name, count=known.announcements)
    if known.learn != "on":
        yield Message.of("profile_not_learning")
    yield Message.of("profile_kept", folder=known.folder)
    if known.others:
        yield Message.of("profile_others", names=known.others)


def _reset(settings: Settings, name: str) -> None:
    try:
        profiles.remove(settings, name)
    except OSError as error:
        raise cannot_write(error, Path(error.filename or profiles.folder(settings))) from error
    write_line(Renderer(settings.language).text(Message.of("profile_removed", name=ToType.name(name))))
    if gone := profiles.gone(loaded()):  # then no game would begin
        write_line(Renderer(settings.language).text(gone))


def _export(settings: Settings, name: str, output: Path | None) -> None:
    """Write the files of a profile as one archive (ZIP), to a file or to standard output.

    Raises UserError where that is a terminal, which cannot show it.
    """
    if output is None and sys.stdout.isatty():
        export = of_profile("profile", settings, "export", "-o", f"{name}.zip")
        raise UserError(Message.of("profile_export_where", export=export))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        for file in (profiles.path(settings, name), profiles.learnt_path(settings, name)):
            try:
                # Not by its date: an archive knows none before 1980, where a computer without a clock begins.
                files.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise cannot_read(error, str(file)) from error
    with opened_output(output, private=True) as written:
        written.write(archive.getvalue())
    if output and output.is_file():
        told = Message.of("profile_exported", name=ToType.name(name), file=str(output))
        write_line(Renderer(settings.language).text(told))
