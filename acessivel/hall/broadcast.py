# SPDX-License-Identifier: GPL-3.0-or-later
"""Pushes the games of a round to a broadcast at Lichess; nothing else in the hall waits for it."""

from __future__ import annotations

import asyncio
import re

from acessivel.message import Message, Messages
from acessivel.online.answers import Json
from acessivel.online.client import Client, Delays, DeniedError, UnansweredError

SERVER = "https://lichess.org"
MOST_GAMES = 100  # that the server takes
_ROUND = re.compile(r"[A-Za-z0-9]{8}")
_BEGINS = re.compile(r"(?m)^(?=\[Event )")


class Broadcast:
    """A round of a broadcast; `push` waits for the server, and is for a thread of its own."""

    def __init__(self, round_id: str, token: str, server: str = SERVER, delays: Delays | None = None) -> None:
        """A round by its number there, with a token that may `study:write`.

        Raises UserError if the server's address is not safe, ValueError if the number is none.
        """
        if not _ROUND.fullmatch(round_id):
            raise ValueError(round_id)
        self._path = f"/api/broadcast/round/{round_id}/push"
        self._runner = asyncio.Runner()
        self._client = Client(server, token, delays or Delays())
        self._pushed = ""

    def push(self, pgn: str) -> Messages:
        """Push the games, if they say anything new; returns what did not go well, for the arbiter."""
        if pgn == self._pushed:
            return ()
        games = [game.strip() for game in _BEGINS.split(pgn) if game.strip()]
        try:
            answer = self._runner.run(self._client.post(self._path, "\n\n".join(games[:MOST_GAMES])))
        except DeniedError as error:
            key = "broadcast_not_allowed" if error.status in (401, 403) else "broadcast_refused"
            return (Message.of(key, reason=error.reason or str(error.status)),)
        except UnansweredError:
            return (Message.of("broadcast_lost"),)
        self._pushed = pgn
        more = (Message.of("broadcast_too_many", count=MOST_GAMES),) if len(games) > MOST_GAMES else ()
        return (*_troubles(answer), *more)

    def close(self) -> None:
        """Close the connection."""
        self._runner.run(self._client.close())
        self._runner.close()


def _troubles(answer: Json) -> Messages:
    """The games that the server has not taken whole, by their tables."""
    games = answer.get("games")
    found = []
    for game in games if isinstance(games, list) else []:
        error, tags = game.get("error"), game.get("tags")
        if error:
            table = str(tags.get("Round", "?")) if isinstance(tags, dict) else "?"
            found.append(Message.of("broadcast_game", table=table.rpartition(".")[2], reason=str(error)))
    return tuple(found)
