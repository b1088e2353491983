# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel online`: games at a server: opponents are found, and one game after another is played."""

from __future__ import annotations

import argparse
from dataclasses import replace

from acessivel.app.loop import Loop
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.run_settings import settings_of
from acessivel.commands.stored_games import open_journal
from acessivel.devices.installation import install
from acessivel.errors import UserError
from acessivel.message import Message, Messages
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from acessivel.storage.stored_game import Stored
from voices.packages import MissingPartError
from voices.packages import load as load_package
from voices.understanding import online_words
from voices.understanding.online_words import OnlineOrder, OnlineWord, WantedGame
from voices.words.files import languages

_WORDS = {
    "login": OnlineWord.LOG_IN,
    "logout": OnlineWord.LOG_OUT,
    "seek": OnlineWord.SEEK,
    "challenge": OnlineWord.CHALLENGE,
    "games": OnlineWord.GAMES,
    "next": OnlineWord.NEXT_GAME,
    "accept": OnlineWord.ACCEPT,
    "decline": OnlineWord.DECLINE,
    "ai": OnlineWord.COMPUTER,
    "open": OnlineWord.LINK,
    "watch": OnlineWord.WATCH,
}
_ANSWERS = ("accept", "decline")
_NAMED = ("challenge", *_ANSWERS, "watch")


def run(options: argparse.Namespace) -> int:
    """Play online until the user leaves. Raises UserError if that cannot be done like this."""
    return begin(options, _order(options), typed=True)


def begin(options: argparse.Namespace, first: OnlineOrder | None, *, typed: bool = False) -> int:
    """Play online, beginning with an order, which was `typed` after the command or said elsewhere.

    Raises UserError if that cannot be done like this.
    """
    check_packages()
    from acessivel.commands import online_visit  # noqa: PLC0415 - its packages may be missing

    settings = replace(device_settings_of(options), opponent="human")  # no engine is even opened
    if typed and first and first.word not in (OnlineWord.LOG_IN, OnlineWord.LOG_OUT):
        online_visit.check_login(settings)
    wish = online_visit.wish_of(settings, options.side, options.ratings)
    online_visit.begin(settings, open_journal(settings), first, wish)
    return 0


def go_on(stored: Stored, journal: Journal, settings: Settings, first: Messages) -> None:
    """Go into a game of the journal again, after telling `first`, and then into the lobby.

    Closes the journal. Raises UserError if it cannot be played.
    """
    check_packages()
    from acessivel.commands import online_visit  # noqa: PLC0415 - its packages may be missing

    online_visit.go_on(stored, journal, settings, first)


def follow(journal: Journal, settings: Settings, loop: Loop) -> None:
    """Be in the lobby after a game that was played here, on the same devices."""
    from acessivel.commands import online_visit  # noqa: PLC0415 - its packages may be missing

    online_visit.follow(journal, settings, loop)


def check_packages() -> None:
    """Raise UserError if a package of the extra `online` is missing."""
    try:
        for package in ("httpx", "keyring"):
            load_package(package, "online")
    except MissingPartError as error:
        raise UserError(Message.of("missing_online", how=install("online"))) from error


def _is_time(word: str, doing: str) -> bool:
    """Whether a word is no name but begins a time: 15+10, or 3 days, where no number is expected."""
    return "+" in word or (word.isdecimal() and doing not in _ANSWERS)


def _order(options: argparse.Namespace) -> OnlineOrder | None:
    """What the command line orders. Raises UserError if it makes no sense."""
    if options.doing is None:
        return None
    about = list(options.about)
    named = options.doing in _NAMED and about and not _is_time(about[0], options.doing)
    name = about.pop(0) if named else ""
    number = int(about.pop(0)) if options.doing == "ai" and about and about[0].isdecimal() else None
    if options.doing in _ANSWERS and name.isdecimal():
        name, number = "", int(name)
    said = OnlineOrder()
    if about:
        settings = settings_of(options)
        text = " ".join(about)
        # What is typed into a shell may come from a page in any language.
        tried = dict.fromkeys((settings.language, *languages()))
        reads = (online_words.read_order(text, language, settings.convention) for language in tried)
        kinds = (read for read in reads if isinstance(read, OnlineOrder) and read.kind != WantedGame())
        found = next((read for read in kinds if not read.word and read.number is None), None)
        if found is None:
            raise UserError(Message.of("online_no_kind", text=text))
        said = found
    kind = replace(
        said.kind,
        days=options.days or said.kind.days,
        colour=options.side or said.kind.colour,
        ratings=options.ratings or said.kind.ratings,
    )
    return OnlineOrder(_WORDS[options.doing], kind, number, name)
