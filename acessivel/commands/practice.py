# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel practice`: a practice game, a drill, the list of the drills, or the progress in them."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from acessivel.app.drill import DrillActivity
from acessivel.app.loop import open_loop
from acessivel.app.patience import patiently
from acessivel.app.tell import tell
from acessivel.clock.dates import date_parts
from acessivel.commands import new_game, played_game
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.options import DRILLS
from acessivel.commands.output import write_line
from acessivel.commands.stored_games import load_game
from acessivel.devices.engine import find_engine
from acessivel.devices.installation import engine_missing, install
from acessivel.drills import (
    announcements,
    blindfold,
    colours,
    elementary_mates,
    files,
    plot,
    squares,
    tactics,
    targets,
)
from acessivel.drills.games import position_told
from acessivel.drills.question import DrillQuestion
from acessivel.drills.results import DrillResult, by_day, by_drill, keep, kept
from acessivel.drills.round import Round
from acessivel.errors import UserError, cannot_read
from acessivel.message import Duration, Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.records import import_game
from acessivel.records.braille_record import RecordError
from acessivel.rules.position import Position
from acessivel.settings.settings import LEVELS, Settings
from acessivel.storage import private_files
from voices.packages import MissingPartError
from voices.words.lexicon import plain

_ENDINGS: Mapping[str, str] = {f"mate-{name}": name for name in elementary_mates.ENDINGS}


def run(options: argparse.Namespace) -> int:
    """Do what is requested.

    Raises UserError if a file cannot be read, a score cannot be stored, or an engine is missing.
    """
    settings = device_settings_of(options)
    if not options.drill:
        settings = replace(settings, opponent="engine", two_boards=False)
        setup = new_game.asked_for(options, settings, practice=True)
        played_game.begin(setup, settings, import_game.without_clock(setup, options))
        return 0
    options.drill = _drill_named(options.drill, settings.language)
    if options.drill == "list":
        return _list(options, settings)
    if options.drill == "progress":
        return _progress(options, settings)
    if options.drill in _ENDINGS:
        return _ending(options, settings)
    return _drill(options, settings)


def _drill_named(typed: str, language: str) -> str:
    """A drill, "list" or "progress" by its name, in English or the user's language. Raises UserError."""
    names = {_called(name, language): name for name in (*DRILLS, "list", "progress")}
    known = {plain(name): drill for name, drill in names.items()} | {name: name for name in names.values()}
    if plain(typed) not in known:
        raise UserError(Message.of("drill_unknown", name=typed[:100], names=tuple(names)))
    return known[plain(typed)]


def _called(drill: str, language: str) -> str:
    """What a drill is called in a language."""
    return catalogue(language).get(f"drill_called_{drill.replace('-', '_')}", drill)


def _drill(options: argparse.Namespace, settings: Settings) -> int:
    """Play a round, and store its score."""
    with patiently(settings, aloud=True):
        round_ = Round(_questions(options, settings), options.questions)
    _can_be_kept(settings)
    settings = replace(settings, opponent="human")  # no engine is needed
    words = squares.ALL_WORDS if options.drill == "squares" else settings.convention
    began = time.monotonic()

    def finish() -> tuple[Message, ...]:
        return _kept(settings, options.drill, round_.score, round(time.monotonic() - began))

    with open_loop(replace(settings, convention=words), write_line, sys.stdin) as loop:
        loop.offer_pages(("both", "spectator"))
        loop.run(DrillActivity(round_, loop.devices, (settings.language, settings.convention), finish))
    return 0


def _questions(options: argparse.Namespace, settings: Settings) -> Iterator[DrillQuestion]:
    """The questions of a drill, in a new order each time unless a seed is given."""
    rng = Random(options.seed)  # noqa: S311  # nobody gains by foreseeing a drill
    drills: Mapping[str, Callable[[], Iterator[DrillQuestion]]] = {
        "colours": partial(colours.questions, rng),
        "targets": lambda: targets.questions(rng, targets.PIECES[options.piece]),
        "squares": partial(squares.questions, rng, settings.language),
        "repeat": lambda: announcements.questions(rng, _read(options.origin, files.games, files.own_games)),
        "follow": lambda: blindfold.questions(rng, _read(options.origin, files.games, files.own_games)),
        "tactics": lambda: tactics.questions(
            rng, _read(options.origin, files.exercises, files.own_exercises)
        ),
    }
    return drills[options.drill]()


def _read(path: Path | None, read: Callable[[Path], Any], own: Callable[[], Any]) -> Any:
    """The contents of the user's file, or else the program's own. Raises UserError."""
    try:
        return read(path) if path else own()
    except RecordError as error:
        raise UserError(error.message) from error
    except OSError as error:
        raise cannot_read(error, str(path)) from error


def _ending(options: argparse.Namespace, settings: Settings) -> int:
    """Play an elementary mate against the engine at its strongest; it counts if it is played to its end."""
    if not find_engine(settings.engine or None):
        raise UserError(engine_missing(settings))
    _can_be_kept(settings)
    rng = Random(options.seed)  # noqa: S311
    fen = elementary_mates.position(rng, _ENDINGS[options.drill]).fen
    settings = replace(
        settings,
        fen=fen,
        opponent="engine",
        two_boards=False,
        colour="white",
        level=LEVELS[-1],
        variant="standard",
    )
    task = Message.of("drill_mate_task", text=Message.of(f"about_{options.drill.replace('-', '_')}"))
    began = time.monotonic()
    agreed = replace(new_game.setup(settings, practice=True), drill=True)
    number = played_game.begin(agreed, settings, (task, *position_told(Position.start(fen))))
    seconds = round(time.monotonic() - began)
    state = load_game(settings, number).state
    if state.game.result:
        score = int(elementary_mates.won([played.fact for played in state.game.played])), 1
        told = _kept(settings, options.drill, score, seconds)
    else:
        told = (Message.of("drill_unfinished"),)
    tell(told, settings, write_line)
    return 0


def _can_be_kept(settings: Settings) -> None:
    """Raise UserError before anybody has answered, if no score can be written."""
    try:
        private_files.make_folder(settings.folder)
        kept(settings.folder)
    except OSError as error:
        raise UserError(_not_kept(settings)) from error


def _kept(settings: Settings, drill: str, score: tuple[int, int], seconds: int) -> tuple[Message, ...]:
    """Store a score, and tell it."""
    right, of = score
    if not of:
        return (Message.of("drill_nothing_answered"),)
    told = Message.of("drill_score", right=right, of=of, time=Duration(seconds * 1000))
    date = datetime.now().astimezone().isoformat(timespec="seconds")
    try:
        keep(settings.folder, DrillResult(drill, date, right, of, seconds))
    except OSError:
        return told, _not_kept(settings)
    return (told,)


def _not_kept(settings: Settings) -> Message:
    return Message.of("drill_not_kept", folder=str(settings.folder))


def _list(options: argparse.Namespace, settings: Settings) -> int:
    about = {name: catalogue(settings.language)[f"about_{name.replace('-', '_')}"] for name in DRILLS}
    if options.json:
        write_line(
            json.dumps([{"drill": name, "text": text} for name, text in about.items()], ensure_ascii=False)
        )
        return 0
    called = {_called(name, settings.language): text for name, text in about.items()}
    told = (Message.of("drill_listed", drill=name, text=text) for name, text in called.items())
    tell((*told, Message.of("drill_how")), settings, write_line)
    return 0


def _progress(options: argparse.Namespace, settings: Settings) -> int:
    """The scores of all drills by day; as JSON each round; as a chart on request."""
    try:
        results = kept(settings.folder)
    except OSError as error:
        raise cannot_read(error, str(settings.folder)) from error
    if options.json:
        write_line(json.dumps([asdict(result) for result in results], ensure_ascii=False))
    drawn = _plot(options.plot, results, settings) if options.plot else ()
    if not options.json:
        tell((*_table(results, settings.language), *drawn), settings, write_line)
    return 0


def _table(results: tuple[DrillResult, ...], language: str) -> tuple[Message, ...]:
    """For each drill a line for its total, and a line for each day."""
    if not results:
        return (Message.of("drill_no_results"),)
    lines: list[Message] = []
    for drill, found in by_drill(results).items():
        best = max(result.percent for result in found)
        lines.append(Message.of("drill_in_all", drill=_called(drill, language), count=len(found), best=best))
        for day in by_day(found):
            numbers = {"right": day.right, "of": day.of, "percent": day.percent}
            time_, on = Duration(day.seconds * 1000), date_parts(day.date)
            date = {"year": on["year"], "month": on["month"], "day": on["day"]}
            lines.append(Message.of("drill_day", **date, time=time_, **numbers))
    return tuple(lines)


def _plot(path: Path, results: tuple[DrillResult, ...], settings: Settings) -> tuple[Message, ...]:
    if not results:
        return ()
    percent = Renderer(settings.language).text(Message.of("drill_percent"))
    try:
        plot.draw(results, path, percent)
    except MissingPartError as error:
        raise UserError(Message.of("missing_plot", how=install("plot"))) from error
    except OSError as error:
        raise UserError(Message.of("drill_not_drawn", file=str(path))) from error
    return (Message.of("drill_drawn", file=str(path)),)
