# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: which command, with which settings; one clear line for what cannot be done."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import errno
import io
import json
import logging
import os
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs

from acessivel.app import introduction
from acessivel.app.demo import DemoActivity
from acessivel.app.game import GameActivity
from acessivel.app.loop import open_loop
from acessivel.commands import (
    doctor,
    enrol,
    event,
    hear,
    laws,
    models,
    new_game,
    practice,
    read,
    reconcile,
    record,
    replay,
    tape,
    words,
)
from acessivel.commands import (
    help as help_command,
)
from acessivel.commands.options import language_of, parse
from acessivel.devices import keys, private_voice
from acessivel.devices.devices import hearing_missing, install, open_recogniser
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.message import Message, date_parts
from acessivel.messages.rendering import Renderer
from acessivel.records import import_game
from acessivel.session.state import State
from acessivel.settings import profiles
from acessivel.settings.settings import Settings, SettingsError, load
from acessivel.storage.journal import (
    FILE_NAME,
    Journal,
    JournalError,
    Listed,
    NoSuchGameError,
    PlayedElsewhereError,
    Stored,
)
from acessivel.storage.tape import Recorder
from voices.packages import MissingPartError
from voices.packages import load as load_package
from voices.speakers import SpeakerMissingError
from voices.words.conventions import DEFAULT
from voices.words.lexicon import VocabularyError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0 done, 1 nothing to play with, 2 cannot be done like that."""
    arguments = sys.argv[1:] if arguments is None else arguments
    language = language_of(arguments)
    log = _start_log()
    # Who shuts the computer down leaves the game as who presses Ctrl+C: it is kept, and how to go on is said.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Whatever is typed or shown, a character that a terminal does not know must not end a game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        options = parse(arguments, language)
        status = _COMMANDS[options.command](options)
    except UserError as error:
        sys.stderr.write(Renderer(language).text(error.message) + "\n")
        return 2
    except BrokenPipeError:
        # Whoever read the output has gone: nothing more can be told, not even at the end of Python.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        logging.getLogger(__name__).exception("unexpected")
        full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        why = Message.of("output_full") if full else Message.of("broken", file=str(log))
        sys.stderr.write(Renderer(language).text(why) + "\n")
        return 1
    return status


def _start_log() -> Path:
    """Errors go to a file of ours; what was said or typed never does."""
    folder = platformdirs.user_log_path("acessivel")
    path = folder / "acessivel.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        logging.basicConfig(filename=path, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    except OSError:
        logging.basicConfig(handlers=[logging.NullHandler()])
    logging.raiseExceptions = False  # a full disk is the user's to hear of, not a traceback
    return path


def _settings(options: argparse.Namespace) -> Settings:
    """The settings file with the options over it."""
    try:
        settings = load()
    except SettingsError as error:
        raise UserError(error.message) from error
    names = {field.name for field in dataclasses.fields(Settings)}
    given: dict[str, Any] = {
        name: value for name, value in vars(options).items() if name in names and value is not None
    }
    settings = dataclasses.replace(settings, **given)
    if "profile" in options and options.command != "enrol":
        profiles.load(settings)  # refused before a game begins
    if "room_output" in options and (why := private_voice.unusable(settings)):
        raise UserError(why)
    if "braille" in options:
        _bindings(settings)  # the same
    if "tape" in options and settings.tape:
        with _taping():
            load_package("soundfile", "voice")
    return dataclasses.replace(settings, convention=words.chosen(settings.convention, settings.language))


def _journal(settings: Settings) -> Journal:
    with _keeping(settings):
        return Journal(settings.folder)


@contextlib.contextmanager
def _keeping(settings: Settings) -> Iterator[None]:
    """What the journal refuses, as something that the user can mend."""
    try:
        yield
    except (NoSuchGameError, PlayedElsewhereError) as error:
        raise UserError(error.reason) from error
    except VocabularyError as error:
        raise UserError(words.mistake(error)) from error
    except JournalError as error:
        folder = str(settings.folder)
        raise UserError(Message.of("cannot_keep", folder=folder, reason=error.reason)) from error


def _play(options: argparse.Namespace, *, practice: bool = False) -> int:
    settings = _settings(options)
    if practice:
        settings = dataclasses.replace(settings, opponent="engine")
    setup = new_game.setup(settings, practice=practice)
    if vars(options).get("origin"):
        setup = import_game.continued(setup, settings, options)
    elif options.at or options.game:
        program = f"acessivel {options.command}"
        raise UserError(Message.of("missing_argument", option="--from FILE", program=program))
    return _begin(setup, settings)


def _begin(setup: Setup, settings: Settings, first: tuple[Message, ...] = ()) -> int:
    """Play a new game; `first` is told before it begins."""
    _new_game(setup, settings, first)
    return 0


def _new_game(setup: Setup, settings: Settings, first: tuple[Message, ...] = ()) -> int:
    """Play a new game to its end, or until it is left; returns its number."""
    journal = _journal(settings)
    started = datetime.now().astimezone().isoformat(timespec="seconds")
    with _keeping(settings):
        number = journal.create(setup, started)
    _run(Stored(number, started, State.new(setup), 0), journal, settings, first)
    return number


def _practice(options: argparse.Namespace) -> int:
    if not options.drill:
        return _play(options, practice=True)

    def play(settings: Settings) -> State:
        return _stored(settings, _new_game(new_game.setup(settings, practice=True), settings)).state

    return practice.run(options, _settings(options), _write, play)


def _resume(options: argparse.Namespace) -> int:
    settings = _settings(options)
    journal = _journal(settings)
    with _keeping(settings):
        number = options.which if options.which is not None else journal.unfinished()
        if number is None:
            raise UserError(Message.of("no_unfinished"))
        stored = journal.load(number)
    setup = stored.state.setup
    words.check(setup.convention, setup.language)
    settings = _as_agreed(settings, setup)
    return _run(stored, journal, settings)


def _as_agreed(settings: Settings, setup: Setup) -> Settings:
    """The settings of this run with what was agreed for a game."""
    return dataclasses.replace(
        settings,
        opponent=setup.opponent,
        language=setup.language,
        convention=setup.convention,
        level=setup.level,
    )


def _run(stored: Stored, journal: Journal, settings: Settings, first: tuple[Message, ...] = ()) -> int:
    try:
        with open_loop(settings, _write, sys.stdin) as loop, _keeping(settings):
            if settings.tape:
                loop.devices.recorder = Recorder(settings.folder, stored.id)
                loop.tell_first(Message.of("tape_runs", command=_command("tape", stored.id, settings)))
            teaches = not stored.entries and introduction.wanted(settings, stored.state.setup)
            if teaches and not introduction.introduce(settings, loop):
                return 0
            loop.tell_first(*first)
            resume = _command("resume", stored.id, settings)
            loop.run(GameActivity(stored, journal, loop.devices, loop.report, resume_command=resume))
    finally:
        journal.close()
    return 0


@contextlib.contextmanager
def _taping() -> Iterator[None]:
    """What a recording cannot do without, as something that the user can install."""
    try:
        yield
    except MissingPartError as error:
        raise UserError(Message.of("missing_tape", how=install("voice"))) from error


def _command(name: str, number: int, settings: Settings) -> str:
    """What to type about a game: the program may not be on the path, nor the folder the usual one."""
    program = "acessivel" if shutil.which("acessivel") else sys.argv[0]
    words = [program, name, str(number), *(("--save", settings.save) if settings.save else ())]
    if settings.tape and name == "resume":
        words.append("--tape")
    return shlex.join(words)


def _games(options: argparse.Namespace) -> int:
    settings = _settings(options)
    games: tuple[Listed, ...] = ()
    if (settings.folder / FILE_NAME).exists():
        journal = _journal(settings)
        with _keeping(settings):
            games = journal.games()
        journal.close()
    if options.json:
        _write(json.dumps([dataclasses.asdict(game) for game in games], ensure_ascii=False))
        return 0
    renderer = Renderer(settings.language)
    if not games:
        _write(renderer.text(Message.of("no_games")))
    for game in games:
        _write(renderer.text(Message.of("game_line", **dataclasses.asdict(game) | date_parts(game.started))))
    return 0


def _record(options: argparse.Namespace) -> int:
    settings = _settings(options)
    return record.run(options, settings, partial(_stored, settings))


def _replay(options: argparse.Namespace) -> int:
    settings = dataclasses.replace(_settings(options), opponent="human")
    return replay.run(options, settings, partial(_stored, settings), _write)


def _reconcile(options: argparse.Namespace) -> int:
    settings = _settings(options)
    restart = reconcile.run(options, settings, partial(_stored, settings), _write)
    if not restart:
        return 0
    setup, told = restart
    return _begin(setup, _as_agreed(settings, setup), told)


def _stored(settings: Settings, number: int) -> Stored:
    """A game of the journal, whatever has become of its words."""
    journal = _journal(settings)
    try:
        with _keeping(settings):
            try:
                return journal.load(number)
            except VocabularyError:  # the user's own words are gone, the moves are not
                return journal.load(number, convention=DEFAULT)
    finally:
        journal.close()


def _read(options: argparse.Namespace) -> int:
    return read.run(options, _settings(options), _write)


def _hear(options: argparse.Namespace) -> int:
    return hear.run(options, _settings(options), _write)


def _enrol(options: argparse.Namespace) -> int:
    settings = _settings(options)
    if settings.hear == "keyboard":
        settings = dataclasses.replace(settings, hear="auto")
    try:
        return enrol.enrol(settings, _write, sys.stdin, options.keep_audio)
    except MissingPartError as error:
        raise UserError(hearing_missing(settings)) from error


def _demo(options: argparse.Namespace) -> int:
    settings = _settings(options)
    # The words of the sample game; a synthetic voice speaks, and has no profile unless one is asked for.
    profile = settings.profile or profiles.NONE
    settings = dataclasses.replace(settings, convention=DEFAULT, profile=profile, opponent="human")
    journal = _journal(settings)
    hear = "auto" if settings.hear == "keyboard" else settings.hear
    try:
        recogniser = open_recogniser(dataclasses.replace(settings, hear=hear))
    except MissingPartError as error:
        raise UserError(hearing_missing(settings)) from error
    braille = settings.braille if settings.braille == "off" else "terminal"
    quiet = dataclasses.replace(settings, hear="keyboard", braille=braille, private_output="")
    try:
        with _keeping(settings), tempfile.TemporaryDirectory() as folder:
            setup = Setup.of(
                language=settings.language, convention=DEFAULT, white="Demo", black="Demo", demo=True
            )
            started = datetime.now().astimezone().isoformat(timespec="seconds")
            stored = Stored(journal.create(setup, started), started, State.new(setup), 0)
            with open_loop(quiet, _write, sys.stdin) as loop:
                game = GameActivity(stored, journal, loop.devices, loop.report)
                loop.run(DemoActivity(game, recogniser, Path(folder) / "utterance.wav"))
    except SpeakerMissingError as error:
        raise UserError(Message.of("missing_voice", how=install("voice"))) from error
    finally:
        recogniser.close()
        journal.close()
    return 0


def _doctor(options: argparse.Namespace) -> int:
    settings = _settings(options)
    renderer = Renderer(settings.language)
    findings = []
    for finding in doctor.examine(settings):
        _write(renderer.text(finding.message))
        findings.append(finding)
    able = doctor.playable(findings)
    _write(renderer.text(Message.of("doctor_playable" if able else "doctor_not_playable")))
    return 0 if able else 1


def _words(options: argparse.Namespace) -> int:
    settings = _settings(options)
    if options.json:
        _write(json.dumps(words.as_data(settings.convention, settings.language), ensure_ascii=False))
        return 0
    renderer = Renderer(settings.language)
    for line in words.lines(settings.convention, settings.language):
        _write(renderer.text(line))
    return 0


def _bindings(settings: Settings) -> keys.Bindings:
    try:
        return keys.load(push=settings.talk == "push")
    except keys.KeysError as error:
        raise UserError(error.message) from error


def _keys(options: argparse.Namespace) -> int:
    settings = _settings(options)
    renderer = Renderer(settings.language)
    bindings = _bindings(settings)
    lines = [(action, renderer.text(message)) for action, message in bindings.lines()]
    if options.json:
        found = [{"command": a, "keys": bindings.keys[a], "text": text} for a, text in lines]
        _write(json.dumps(found, ensure_ascii=False))
        return 0
    for text in (renderer.text(Message.of("keys_routing")), *(text for _, text in lines)):
        _write(text)
    return 0


def _models(options: argparse.Namespace) -> int:
    return models.run(options, _settings(options), _write)


def _event(options: argparse.Namespace) -> int:
    return event.run(options, _settings(options), _write)


def _introduction(options: argparse.Namespace) -> int:
    settings = dataclasses.replace(_settings(options), opponent="human")
    with open_loop(settings, _write, sys.stdin) as loop, _keeping(settings):
        introduction.introduce(settings, loop)
    return 0


def _help(options: argparse.Namespace) -> int:
    settings = _settings(options)
    return help_command.run(options, settings, _bindings(settings), _write)


def _laws(options: argparse.Namespace) -> int:
    return laws.run(options, _settings(options), _write)


def _tape(options: argparse.Namespace) -> int:
    with _taping():
        return tape.run(options, _settings(options), _write)


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "play": _play,
    "practice": _practice,
    "resume": _resume,
    "games": _games,
    "record": _record,
    "replay": _replay,
    "reconcile": _reconcile,
    "enrol": _enrol,
    "demo": _demo,
    "doctor": _doctor,
    "read": _read,
    "hear": _hear,
    "words": _words,
    "keys": _keys,
    "models": _models,
    "event": _event,
    "introduction": _introduction,
    "help": _help,
    "laws": _laws,
    "tape": _tape,
}


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
