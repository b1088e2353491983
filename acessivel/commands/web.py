# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel web`: everything in a browser, without a terminal: what to begin is chosen on a page."""

from __future__ import annotations

import argparse
import contextlib
import html
import importlib
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from acessivel.app.loop import open_loop
from acessivel.app.start_menu import FIRST, StartEntry, StartMenu
from acessivel.commands import games
from acessivel.commands.arguments import parse
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.options import DRILLS
from acessivel.commands.output import write_line
from acessivel.commands.stored_games import load_game, open_archive
from acessivel.devices import browser
from acessivel.errors import UserError, cannot_write, reason
from acessivel.message import Message
from acessivel.messages.rendering import VERBOSITIES
from acessivel.session import command_help
from acessivel.settings import changed_settings
from acessivel.settings.settings import LEVELS, SETTINGS, Settings, file_path
from acessivel.storage import private_files
from acessivel.storage.journal import Listed
from acessivel.web import driver
from voices.meaning import Called, CommandName
from voices.understanding import online_words
from voices.words.files import conventions, languages

_CLOCKS = ("none", "5+3", "15+10", "90+30")
_LISTED = 8  # games in one list; the older ones follow in the next
_PAGE = '<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={link}">'


def run(options: argparse.Namespace) -> int:
    """Let choose what to begin, and run it, until it is left. Raises UserError if no page can be served."""
    settings = device_settings_of(options)
    with driver.standing(settings) as pages:
        for line in pages.lines(["both"]):
            write_line(line)
        page = _opened(pages.links(["both"])["both"][0])
        try:
            _begin_each(options)
        finally:
            page.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # another acessivel has its page there
                page.parent.rmdir()
    return 0


def _opened(link: str) -> Path:
    """Open a link in the browser, by a private file: everybody on the machine sees the arguments of programs.

    Its folder is not hidden: a browser that is a snap may read no hidden one. Raises UserError if the file
    cannot be written.
    """
    folder = Path.home() / "acessivel-browser"
    page = folder / "browser.html"
    try:
        private_files.make_folder(folder)
        page.unlink(missing_ok=True)
        private_files.make_file(page)
        page.write_text(_PAGE.format(link=html.escape(link)), "utf-8")
    except OSError as error:
        raise cannot_write(error, page) from error
    browser.open_address(page.as_uri())
    return page


def _begin_each(options: argparse.Namespace) -> None:
    """Run what is chosen, again and again, until nothing is."""
    told: tuple[Message, ...] = ()
    start = FIRST
    while entry := _chosen(device_settings_of(options), start, told):
        told = _set(entry.sets, options) if entry.sets else _run(entry, options)
        start = "settings" if entry.sets else FIRST


def _chosen(settings: Settings, start: str, first: Sequence[Message]) -> StartEntry | None:
    """What is chosen, beginning with a list; None if the program is left."""
    sounds = online_words.words(settings.language).sounds
    quiet = replace(settings, opponent="human", web=True)
    with open_loop(quiet, write_line, io.StringIO(), sounds=sounds) as loop:
        words = settings.language, settings.convention
        load = partial(load_game, settings)
        menu = StartMenu(_lists(settings), words, load, start=start, first=first)
        loop.run(menu)
    return menu.chosen if menu.chosen and (menu.chosen.runs or menu.chosen.sets) else None


def _set(choice: tuple[str, str | int], options: argparse.Namespace) -> tuple[Message, ...]:
    """Keep a setting from now on; returns what is told of it."""
    name, value = choice
    if name in options:
        setattr(options, name, value)
    told = (Message.of("start_now", setting=_setting(name, value)),)
    later = (Message.of("start_later"),) if name == "web_lan" else ()
    try:
        changed_settings.keep(file_path(), name, value)
    except OSError as error:
        return (*told, *later, Message.of("setting_not_kept", reason=reason(error, "writing")))
    return (*told, *later)


def _run(entry: StartEntry, options: argparse.Namespace) -> tuple[Message, ...]:
    """Run a command on the same pages, with the options of this run; returns why it cannot be run."""
    given = parse([*entry.runs, "--web"])
    for name, value in vars(options).items():
        if name in SETTINGS and name in given and value is not None:
            setattr(given, name, value)
    try:
        command = importlib.import_module(f"acessivel.commands.{entry.runs[0]}")
        if entry.order:
            command.begin(given, entry.order)
        else:
            command.run(given)
    except UserError as error:
        return (error.message,)
    return ()


# The lists


def _lists(settings: Settings) -> Mapping[str, Sequence[StartEntry]]:
    """All that can be chosen, list by list."""
    unfinished, begun = _games(settings)
    drills = (
        StartEntry(Message.of(f"drill_called_{drill.replace('-', '_')}"), runs=("practice", drill))
        for drill in DRILLS
    )
    back = StartEntry(Message.of("start_back"), follows=FIRST)
    resumed = [StartEntry(_name(one), runs=("resume", str(one.id))) for one in unfinished]
    replayed = [StartEntry(_name(one), runs=("replay", str(one.id))) for one in begun]
    kept = [StartEntry(_name(one), record=one.id) for one in begun]
    lists = {
        "practice": [StartEntry(Message.of("start_practice_game"), runs=("practice",)), *drills, back],
        "help": [*_help(), back],
        "settings": [
            *(StartEntry(_setting(name, getattr(settings, name)), follows=name) for name in _SETTINGS),
            back,
        ],
        **{name: [*_values(name), back] for name in _SETTINGS},
        **dict(_portions("resume", resumed)),
        **dict(_portions("replay", replayed)),
        **dict(_portions("records", kept)),
    }
    return {FIRST: list(_first(lists)), **lists}


def _name(game: Listed) -> Message:
    """A game as the list of the games has it, without its number."""
    line = games.line_of(game)
    return Message.of("start_game", **{name: value for name, value in line.values if name != "id"})


def _help() -> Iterator[StartEntry]:
    yield StartEntry(Message.of("start_help_play"), tells=(Message.of("start_how_to_play"),))
    yield StartEntry(Message.of("start_help_page"), tells=(Message.of("start_how_the_page"),))
    for name, told in zip(command_help.sections(), command_help.in_sections(CommandName), strict=True):
        yield StartEntry(Message.of(f"start_help_{name}"), tells=(told,))


def _first(lists: Mapping[str, Sequence[StartEntry]]) -> Iterator[StartEntry]:
    yield StartEntry(Message.of("start_engine"), runs=("play", "--opponent", "engine"))
    yield StartEntry(Message.of("start_human"), runs=("play", "--opponent", "human"))
    yield StartEntry(Message.of("start_online"), runs=("online",))
    for name in ("resume", "replay", "records", "practice"):
        if name in lists:
            yield StartEntry(Message.of(f"start_{name}"), follows=name)
    yield StartEntry(Message.of("start_introduction"), runs=("introduction",))
    for name in ("settings", "help"):
        yield StartEntry(Message.of(f"start_{name}"), follows=name)
    yield StartEntry(Message.of("start_leave"))


_SETTINGS: Mapping[str, Sequence[str | int | bool]] = {
    "language": languages(),
    "convention": conventions(),
    "level": LEVELS,
    "clock": _CLOCKS,
    "colour": ("white", "black", "random"),
    "verbosity": VERBOSITIES,
    "speak": ("auto", "off"),
    "hear": ("auto", "keyboard"),
    "braille": ("auto", "off"),
    "web_lan": (True, False),
}
# Values that have words of their own, settings that are on or off, and how they are off.
_NAMED = ("none", "white", "black", "random", *VERBOSITIES)
_SWITCHES = ("speak", "hear", "braille", "web_lan")
_OFF = ("off", "keyboard", False)


def _values(name: str) -> Iterator[StartEntry]:
    """What a setting can be."""
    for value in _SETTINGS[name]:
        yield StartEntry(_value(name, value), sets=(name, value))


def _setting(name: str, value: object) -> Message:
    """A setting with its value."""
    return Message.of("start_setting", name=Message.of(f"start_{name}"), value=_value(name, value))


def _value(name: str, value: object) -> object:
    if value in (*languages(), *conventions()):
        return Called(CommandName(name), str(value))
    if value in _NAMED:
        return Message.of(f"start_{value}")
    return Message.of("start_off" if value in _OFF else "start_on") if name in _SWITCHES else value


def _games(settings: Settings) -> tuple[Sequence[Listed], Sequence[Listed]]:
    """The games that can go on, and all that were begun, the newest first."""
    with open_archive(settings) as archive:
        listed = [game for game in archive.games() if not game.damaged and games.begun(game)]
        unfinished = archive.unfinished()
    newest = sorted(listed, key=lambda game: game.id, reverse=True)
    return [game for game in newest if game.id in unfinished], newest


def _portions(name: str, entries: Sequence[StartEntry]) -> Iterator[tuple[str, Sequence[StartEntry]]]:
    """A list in portions, each of which leads to the next; none of nothing."""
    for start in range(0, len(entries), _LISTED):
        older = entries[start + _LISTED :]
        more = [StartEntry(Message.of("start_older"), follows=f"{name} {start + _LISTED}")] if older else []
        back = StartEntry(Message.of("start_back"), follows=FIRST)
        yield f"{name} {start}" if start else name, [*entries[start : start + _LISTED], *more, back]
