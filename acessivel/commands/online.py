# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel online`: games at a server: opponents are found, and one game after another is played."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from dataclasses import replace

from acessivel.app.game import GameActivity
from acessivel.app.loop import Loop, open_loop
from acessivel.app.online_lobby import LobbyNews, OnlineLobby
from acessivel.app.online_reception import OnlineReception
from acessivel.app.server_access import ServerAccess
from acessivel.app.watch import WatchActivity
from acessivel.commands import online_games, played_game
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.output import write_line
from acessivel.commands.run_settings import settings_of
from acessivel.commands.stored_games import open_journal, user_errors
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.online.answers import OnlineGame
from acessivel.online.reports import LobbyReport, Watched
from acessivel.online.terms import Terms
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from voices.understanding import online_words
from voices.understanding.online_words import OnlineOrder, OnlineWord

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
_NAMED = ("challenge", "accept", "decline", "watch")


def run(options: argparse.Namespace) -> int:
    """Play online until the user leaves. Raises UserError if that cannot be done like this."""
    return begin(options, _order(options))


def begin(options: argparse.Namespace, first: OnlineOrder | None) -> int:
    """Play online, beginning with an order. Raises UserError if that cannot be done like this."""
    settings = replace(device_settings_of(options), opponent="human")  # no engine is even opened
    sounds = online_words.words(settings.language).sounds
    journal = open_journal(settings)
    try:
        with open_loop(settings, write_line, sys.stdin, sounds=sounds) as loop, user_errors(settings):
            loop.offer_pages(("both", "spectator"))
            _Visit(settings, journal, loop).stay(first)
    finally:
        journal.close()
    return 0


def _order(options: argparse.Namespace) -> OnlineOrder | None:
    """What the command line orders. Raises UserError if it makes no sense."""
    if options.doing is None:
        return None
    about = list(options.about)
    name = about.pop(0) if options.doing in _NAMED and about else ""
    level = int(about.pop(0)) if options.doing == "ai" and about and about[0].isdecimal() else None
    said = OnlineOrder()
    if about:
        settings = settings_of(options)
        read = online_words.read_order(" ".join(about), settings.language, settings.convention)
        if not isinstance(read, OnlineOrder) or read.word or read.number is not None:
            raise UserError(Message.of("online_no_kind", text=" ".join(about)))
        said = read
    kind = replace(
        said.kind,
        days=options.days or said.kind.days,
        colour=options.side or said.kind.colour,
        ratings=options.ratings or said.kind.ratings,
    )
    return OnlineOrder(_WORDS[options.doing], kind, level, name)


class _Visit:
    """The lobby, the games that come of it, and the lobby again, on the same devices."""

    def __init__(self, settings: Settings, journal: Journal, loop: Loop) -> None:
        self._settings, self._journal, self._loop = settings, journal, loop
        self._words = settings.language, settings.convention
        self._reported: deque[LobbyReport] = deque()
        self._access = ServerAccess(settings.online_server, self._report, settings.language)
        self._reception = OnlineReception(self._access)
        wish = Terms(rated=settings.online_rated)
        self._lobby = OnlineLobby(
            self._reception, loop.devices, self._words, wish, self._reported, self._opponents
        )

    def _report(self, value: LobbyReport) -> None:
        self._reported.append(value)
        self._loop.report(LobbyNews())

    def stay(self, first: OnlineOrder | None) -> None:
        """Go from the lobby to a game and back until the user leaves."""
        self._lobby.first = first
        try:
            while self._loop.run(self._lobby) and self._goes_on():
                pass
        finally:
            self._access.close()

    def _goes_on(self) -> bool:
        """Watch or play what the lobby has ended with; returns whether it follows again."""
        if self._reception.watched and not self._watch(self._reception.watched):
            return False
        if game := self._reception.chosen:
            return self._play(game)
        return self._reception.watched is not None

    def _watch(self, watched: Watched) -> bool:
        """Watch a game; returns whether the lobby, or a game of the user's own, follows."""
        try:
            activity = WatchActivity(self._reception, self._reported, watched, self._words)
        except ValueError:
            self._loop.tell_first(Message.of("lobby_cannot_follow"))
            return True
        try:
            return self._loop.run(activity)
        finally:
            self._reception.unwatch()

    def _play(self, game: OnlineGame) -> bool:
        """Play a game; returns whether the lobby follows."""
        setup = online_games.setup_of(game, self._access.server, self._access.name, self._settings)
        stored = online_games.stored(setup, self._journal)
        activity = GameActivity(
            stored,
            self._journal,
            self._loop.devices,
            self._loop.report,
            resume_command=lambda number: played_game.command("resume", number, self._settings),
            ask_server=lambda request: opponent.ask(request),  # noqa: PLW0108  # there is none yet
        )
        opponent = self._access.join(game.id, lambda event: self._loop.report_to(activity, event))
        try:
            goes_on = self._loop.run(activity)
        finally:
            opponent.close()
        self._lobby.first = online_games.rematch(game, activity.next)
        return goes_on

    def _opponents(self) -> tuple[str, ...]:
        return online_games.opponents(self._journal, self._access.server)
