# SPDX-License-Identifier: GPL-3.0-or-later
"""The lobby of a server, the games that come of it, and the lobby again, on the same devices."""

from __future__ import annotations

import contextlib
import sys
from collections import deque
from dataclasses import replace

from acessivel.app.game import GameActivity
from acessivel.app.loop import Loop, open_loop
from acessivel.app.online_lobby import LobbyNews, OnlineLobby
from acessivel.app.online_reception import OnlineReception
from acessivel.app.server_access import ServerAccess
from acessivel.app.venue import AtServer
from acessivel.app.watch import WatchActivity
from acessivel.commands import online_games
from acessivel.commands.output import write_line
from acessivel.commands.stored_games import user_errors
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.message import Message, Messages
from acessivel.online import credentials
from acessivel.online.answers import OnlineGame
from acessivel.online.reports import LobbyReport, Watched
from acessivel.online.terms import Terms
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from acessivel.storage.stored_game import Stored
from voices.understanding import online_words
from voices.understanding.online_words import OnlineOrder, OnlineWord


def wish_of(settings: Settings, colour: str = "", ratings: tuple[int, int] | None = None) -> Terms:
    """What is wanted of each game where nothing is said: one's colour, "" for any, the opponent's ratings."""
    return Terms(rated=settings.online_rated, colour=colour, ratings=ratings)


def check_login(settings: Settings) -> None:
    """Raise UserError with what to type if nobody is logged in at the server."""
    server = settings.online_server
    if not credentials.load(server):
        elsewhere = () if server == Settings().online_server else ("--server", server)
        log_in = command("online", None, settings, "login", *elsewhere)
        raise UserError(Message.of("online_log_in_first", command=log_in))


def begin(settings: Settings, journal: Journal, first: OnlineOrder | None, wish: Terms) -> None:
    """Be in the lobby, and play what comes of it, until the user leaves; closes the journal.

    `wish`: what is wanted where nothing is said.
    """
    sounds = online_words.words(settings.language).sounds
    try:
        with open_loop(settings, write_line, sys.stdin, sounds=sounds) as loop, user_errors(settings):
            loop.offer_pages(("both", "spectator"))
            with contextlib.closing(_Visit(settings, journal, loop, wish)) as visit:
                visit.stay(first)
    finally:
        journal.close()


def go_on(stored: Stored, journal: Journal, settings: Settings, first: Messages) -> None:
    """Go into a game of the journal again, after telling `first`, and then be in the lobby."""
    try:
        with open_loop(settings, write_line, sys.stdin) as loop, user_errors(settings):
            loop.offer_pages(("both", "spectator"))
            loop.tell_first(*first)
            server = stored.state.setup.online.server
            settings = replace(settings, online_server=server)
            with contextlib.closing(_Visit(settings, journal, loop, wish_of(settings))) as visit:
                visit.take_up(stored)
    finally:
        journal.close()


def follow(journal: Journal, settings: Settings, loop: Loop) -> None:
    """Be in the lobby after a game that was played here, on the same devices, until the user leaves."""
    loop.devices.end_game()
    loop.offer_pages(("both", "spectator"))
    with contextlib.closing(_Visit(settings, journal, loop, wish_of(settings))) as visit:
        visit.stay(None)


class _Visit:
    """One stay at a server, with one account."""

    def __init__(self, settings: Settings, journal: Journal, loop: Loop, wish: Terms) -> None:
        self._settings, self._journal, self._loop = settings, journal, loop
        self._words = settings.language, settings.convention
        self._reported: deque[LobbyReport] = deque()
        self._round = False  # one game by correspondence follows the other
        self._access = ServerAccess(settings.online_server, self._report, settings.language)
        self._reception = OnlineReception(self._access)
        self._lobby = OnlineLobby(
            self._reception, loop.devices, self._words, wish, self._reported, self._opponents
        )

    def _report(self, value: LobbyReport) -> None:
        self._reported.append(value)
        self._loop.report(LobbyNews())

    def stay(self, first: OnlineOrder | None) -> None:
        """Go from the lobby to a game and back until the user leaves."""
        self._lobby.first = first
        while self._loop.run(self._lobby) and self._goes_on():
            pass

    def close(self) -> None:
        """End what talks to the server."""
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

    def take_up(self, stored: Stored) -> None:
        """Go into a game of the journal again, and then stay. Raises UserError without a log-in there."""
        check_login(self._settings)
        goes_on, activity = self._played(stored, one_move=False)
        if goes_on:
            self.stay(self._rematch(activity.next))

    def _play(self, game: OnlineGame) -> bool:
        """Play a game; returns whether the lobby follows.

        Of games by correspondence that wait, one follows the other when the move is made.
        """
        setup = online_games.setup_of(game, self._access.server, self._access.name, self._settings)
        waits = any(one.id != game.id for one in self._reception.waiting)
        self._round = game.days > 0 and (waits or self._round)
        stored = online_games.stored(setup, self._journal)
        goes_on, activity = self._played(stored, one_move=self._round)
        self._lobby.first = self._rematch(activity.next, game.ai)
        self._round = activity.moved
        if activity.moved:
            self._reception.moved(game.id)
            self._reception.refresh()
            self._lobby.first = OnlineOrder(OnlineWord.NEXT_GAME)
        return goes_on

    def _rematch(self, following: Setup | None, level: int = 0) -> OnlineOrder | None:
        """The order for a rematch if one is wanted; why there can be none is told in the lobby."""
        try:
            return online_games.rematch(following, level)
        except UserError as error:
            self._loop.tell_first(error.message)
            return None

    def _played(self, stored: Stored, *, one_move: bool) -> tuple[bool, GameActivity]:
        """Play a game of the journal; returns whether the lobby can follow."""
        venue = AtServer(
            ask=lambda request: opponent.ask(request),  # noqa: PLW0108  # there is none yet
            resume_command=lambda number: command("resume", number, self._settings),
            record_command=lambda number: command("record", number, self._settings),
            one_move=one_move,
        )
        activity = GameActivity(stored, self._journal, self._loop.devices, self._loop.report, venue)
        setup = stored.state.setup
        opponent = self._access.join(
            setup.online.game_id,
            online_games.own_name(setup),
            lambda event: self._loop.report_to(activity, event),
        )
        try:
            return self._loop.run(activity), activity
        finally:
            opponent.close()

    def _opponents(self) -> tuple[str, ...]:
        return online_games.opponents(self._journal, self._access.server)
