# SPDX-License-Identifier: GPL-3.0-or-later
"""Watching a game of others: each state of it is reported, some moves later than it is played."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from urllib.parse import quote

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.online import answers
from acessivel.online.answers import AnswerError, Json, value, value_or_none
from acessivel.online.client import DeniedError
from acessivel.online.connection import ServerConnection
from acessivel.online.reports import Watched
from acessivel.online.streams import KeptStream

_LOG = logging.getLogger(__name__)
_ID = re.compile(r"(?:.*/)?([A-Za-z0-9]{8})(?:[A-Za-z0-9]{4})?(?:/(?:white|black))?(?:[#?].*)?")


class Watching:
    """Follows one game until it is over."""

    def __init__(
        self,
        connection: ServerConnection,
        wanted: str,
        own: AbstractSet[str],
        report: Callable[[Watched], None],
    ) -> None:
        """`wanted`: a player's name, or a game's id or address; `own`: our games, which we may not watch."""
        self._connection, self._wanted, self._own, self._report = connection, wanted.strip(), own, report
        self._game = Watched("", "", "")
        self._told = Watched("", "", "")
        self._begins = True

    async def run(self) -> None:
        """Follow it. Raises UserError, DeniedError or UnansweredError."""
        id_ = await self._find()
        if id_ in self._own:
            raise UserError(Message.of("online_watch_own"))
        try:
            await self._connection.follow(
                KeptStream(self._connection.client, f"/api/stream/game/{id_}", self)
            )
        except DeniedError as refused:
            raise self._nothing() if refused.status == 404 else refused from refused

    async def _find(self) -> str:
        """The id of the game: the one that a player of that name plays now, or else that of this id."""
        found = _ID.fullmatch(self._wanted)
        if "/" not in self._wanted:
            path = f"/api/user/{quote(self._wanted, safe='')}/current-game?moves=false"
            try:
                told = await self._connection.client.get(path)
            except DeniedError as refused:
                if refused.status != 404:
                    raise
            else:
                return answers.id_of(told)
        if not found:
            raise self._nothing()
        return found[1]

    def _nothing(self) -> UserError:
        return UserError(Message.of("online_nothing_to_watch", wanted=self._wanted))

    # The stream

    def opening(self) -> None:
        """It begins with the first move each time."""
        self._game = replace(self._game, moves=())
        self._begins = True

    def opened(self) -> None:
        """What it tells is enough."""

    def lost(self, orderly: bool) -> None:
        """It is opened again."""

    def take(self, told: Json) -> bool:
        """Report how the game stands, if that is news; returns whether it is over."""
        try:
            self._game = self._described(told) if "id" in told else self._moved(told)
        except AnswerError as error:
            _LOG.warning("the server makes no sense: %s", error)
        # What is told again from the first move on after a break is no news.
        if self._game != self._told and len(self._game.moves) >= len(self._told.moves):
            self._told = self._game
            self._report(self._game)
        return bool(self._game.over)

    def _described(self, told: Json) -> Watched:
        """What is told first, and again when it is over."""
        players = answers.part(told, "players")
        status = value(answers.part(told, "status"), "name", str)
        begins, self._begins = self._begins, False  # the moves follow, also those of a game that is over
        return replace(
            self._game,
            id=answers.id_of(told),
            white=_player(players, "white"),
            black=_player(players, "black"),
            fen=value(told, "initialFen", str, ""),
            over="" if begins or status in answers.RUNNING else status,
            winner=value(told, "winner", str, ""),
        )

    def _moved(self, told: Json) -> Watched:
        """A position with the move that has led to it; the first has none."""
        move = value(told, "lm", str, "")
        return replace(
            self._game,
            moves=(*self._game.moves, move) if move else self._game.moves,
            white_s=value_or_none(told, "wc", int),
            black_s=value_or_none(told, "bc", int),
        )


def _player(players: Json, colour: str) -> str:
    """The name of a player; that of the server's engine is its level."""
    player = value(players, colour, dict, {})
    level = value(player, "aiLevel", int, 0)
    return str(level) if level else value(value(player, "user", dict, {}), "name", str, "")
