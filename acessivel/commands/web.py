# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel web`: everything in a browser, without a terminal: what to begin is chosen on a page."""

from __future__ import annotations

import argparse
import html
import importlib
import io
import os
import sys
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from acessivel.app.loop import open_loop
from acessivel.app.start_menu import FIRST, StartEntry, StartMenu
from acessivel.commands import games
from acessivel.commands.arguments import parse
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.options import DRILLS
from acessivel.commands.output import write_line
from acessivel.commands.stored_games import open_archive
from acessivel.errors import UserError, reason
from acessivel.message import Message
from acessivel.settings import changed_settings
from acessivel.settings.settings import LEVELS, SETTINGS, Settings, file_path
from acessivel.storage import private_files
from acessivel.storage.journal import Listed
from acessivel.web import driver
from voices.meaning import Called, CommandName
from voices.words.files import languages

_CLOCKS = ("none", "5+3", "15+10", "90+30")
_LISTED = 9  # games in a list, the newest
_PAGE = '<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={link}">'


def run(options: argparse.Namespace) -> int:
    """Let choose what to begin, and run it, until it is left. Raises UserError if no page can be served."""
    settings = device_settings_of(options)
    with driver.standing(settings) as pages:
        for line in pages.lines(["both"]):
            write_line(line)
        page = _opened(pages.links(["both"])["both"][0], settings.folder)
        try:
            _begin_each(options)
        finally:
            page.unlink(missing_ok=True)
    return 0


def _opened(link: str, folder: Path) -> Path:
    """Open a link in the browser, by a private file: everybody on the machine sees the arguments of programs.

    Raises UserError if that file cannot be written.
    """
    page = folder / "browser.html"
    try:
        private_files.make_folder(folder)
        page.unlink(missing_ok=True)
        private_files.make_file(page)
        page.write_text(_PAGE.format(link=html.escape(link)), "utf-8")
    except OSError as error:
        raise UserError(
            Message.of("cannot_write", file=str(page), reason=reason(error, "writing"))
        ) from error
    if sys.platform in ("win32", "darwin") or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        webbrowser.open(page.as_uri())  # elsewhere it would be a browser in the terminal
    return page


def _begin_each(options: argparse.Namespace) -> None:
    """Run what is chosen, again and again, until nothing is."""
    told: tuple[Message, ...] = ()
    while entry := _chosen(device_settings_of(options), told):
        told = _set(entry.sets, options) if entry.sets else _run(entry.runs, options)


def _chosen(settings: Settings, first: Sequence[Message]) -> StartEntry | None:
    """What is chosen; None if the program is left."""
    with open_loop(replace(settings, opponent="human", web=True), write_line, io.StringIO()) as loop:
        menu = StartMenu(_lists(settings), (settings.language, settings.convention), first)
        loop.run(menu)
    return menu.chosen if menu.chosen and (menu.chosen.runs or menu.chosen.sets) else None


def _set(choice: tuple[str, str | int], options: argparse.Namespace) -> tuple[Message, ...]:
    """Keep a setting from now on; returns why not, if it cannot be kept."""
    name, value = choice
    if name in options:
        setattr(options, name, value)
    try:
        changed_settings.keep(file_path(), name, value)
    except OSError as error:
        return (Message.of("setting_not_kept", reason=reason(error, "writing")),)
    return ()


def _run(arguments: Sequence[str], options: argparse.Namespace) -> tuple[Message, ...]:
    """Run a command on the same pages, with the options of this run; returns why it cannot be run."""
    given = parse([*arguments, "--web"])
    for name, value in vars(options).items():
        if name in SETTINGS and name in given and value is not None:
            setattr(given, name, value)
    try:
        importlib.import_module(f"acessivel.commands.{arguments[0]}").run(given)
    except UserError as error:
        return (error.message,)
    return ()


# The lists


def _lists(settings: Settings) -> Mapping[str, Sequence[StartEntry]]:
    """All that can be chosen, list by list."""
    unfinished, finished = _games(settings)
    drills = (
        StartEntry(Message.of(f"drill_called_{drill.replace('-', '_')}"), runs=("practice", drill))
        for drill in DRILLS
    )
    back = StartEntry(Message.of("start_back"), follows=FIRST)
    lists = {
        "resume": [*unfinished, back],
        "replay": [*finished, back],
        "practice": [StartEntry(Message.of("start_practice_game"), runs=("practice",)), *drills, back],
        "settings": [*(StartEntry(Message.of(f"start_{name}"), follows=name) for name in _SETTINGS), back],
        **{name: [*_values(name), back] for name in _SETTINGS},
    }
    return {FIRST: list(_first(with_games=bool(unfinished), with_records=bool(finished))), **lists}


def _first(*, with_games: bool, with_records: bool) -> Iterator[StartEntry]:
    yield StartEntry(Message.of("start_engine"), runs=("play", "--opponent", "engine"))
    yield StartEntry(Message.of("start_human"), runs=("play", "--opponent", "human"))
    if with_games:
        yield StartEntry(Message.of("start_resume"), follows="resume")
    if with_records:
        yield StartEntry(Message.of("start_replay"), follows="replay")
    yield StartEntry(Message.of("start_practice"), follows="practice")
    yield StartEntry(Message.of("start_introduction"), runs=("introduction",))
    yield StartEntry(Message.of("start_settings"), follows="settings")
    yield StartEntry(Message.of("start_leave"))


_SETTINGS: Mapping[str, Sequence[str | int]] = {
    "language": languages(),
    "level": LEVELS,
    "clock": _CLOCKS,
    "colour": ("white", "black", "random"),
}


def _values(name: str) -> Iterator[StartEntry]:
    """What a setting can be."""
    for value in _SETTINGS[name]:
        shown: object = value
        if name == "language":
            shown = Called(CommandName.LANGUAGE, str(value))
        elif value in ("none", "random"):
            shown = Message.of(f"start_{value}")
        yield StartEntry(shown, sets=(name, value))


def _games(settings: Settings) -> tuple[Sequence[StartEntry], Sequence[StartEntry]]:
    """The newest games that can go on, and those that are over."""
    with open_archive(settings) as archive:
        listed = [game for game in archive.games() if not game.damaged and games.begun(game)]
        unfinished = archive.unfinished()
    newest = sorted(listed, key=lambda game: game.id, reverse=True)
    resume = [_listed("resume", game) for game in newest if game.id in unfinished]
    return resume[:_LISTED], [_listed("replay", game) for game in newest if game.reason][:_LISTED]


def _listed(command: str, game: Listed) -> StartEntry:
    return StartEntry(games.line_of(game), runs=(command, str(game.id)))
