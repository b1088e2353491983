# SPDX-License-Identifier: GPL-3.0-or-later
"""Pushes the games of a round to a broadcast at Lichess; nothing else in the hall waits for it."""

from __future__ import annotations

import asyncio
import re

import httpx

from acessivel.message import Message, Messages
from acessivel.online.answers import Json
from acessivel.online.client import Client, Delays, DeniedError, UnansweredError

SERVER = "https://lichess.org"
MOST_GAMES = 100  # that the server takes
_ROUND = re.compile(r"[A-Za-z0-9]{8}")
_BEGINS = re.compile(r"(?m)^(?=\[Event )")


class Broadcast:
    """A round of a broadcast; its calls wait for the server, and are for a thread of its own."""

    def __init__(self, round_id: str, token: str, server: str = SERVER, delays: Delays | None = None) -> None:
        """A round by its number there, with a token that may `study:write`.

        Raises UserError if the server's address is not safe, ValueError if the number is none.
        """
        if not _ROUND.fullmatch(round_id):
            raise ValueError(round_id)
        self._round, self._path = round_id, f"/api/broadcast/round/{round_id}/push"
        self._runner = asyncio.Runner()
        self._delays = delays or Delays()
        self._client = Client(server, token, self._delays)
        self._pushed = ""
        self._trouble: Message | None = None  # why nothing can be pushed now
        self._vain = 0  # pushes since something could be
        self._told: frozenset[Message] = frozenset()  # of single games

    @property
    def pause_s(self) -> float:
        """How long to wait until the next push: longer after each that was in vain."""
        return self._delays.pause(self._vain)

    def push(self, pgn: str) -> Messages:
        """Push the games, if they say anything new; returns what the arbiter should know of it, once."""
        if pgn == self._pushed:
            return ()
        games = [game.strip() for game in _BEGINS.split(pgn) if game.strip()]
        before = self._trouble
        try:
            answer = self._runner.run(self._client.post(self._path, "\n\n".join(games[:MOST_GAMES])))
        except DeniedError as error:
            return self._in_vain(self._denied(error))
        except UnansweredError:
            return self._in_vain(Message.of("broadcast_lost"))
        self._pushed, self._trouble, self._vain = pgn, None, 0
        more = (Message.of("broadcast_too_many", count=MOST_GAMES),) if len(games) > MOST_GAMES else ()
        new = tuple(one for one in (*_troubles(answer), *more) if one not in self._told)
        self._told |= set(new)
        return (*((Message.of("broadcast_back"),) if before else ()), *new)

    def _denied(self, error: DeniedError) -> Message:
        """Why the server has answered no."""
        if error.status == httpx.codes.NOT_FOUND:
            return Message.of("broadcast_no_round", round=self._round)
        not_allowed = error.status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN)
        key = "broadcast_not_allowed" if not_allowed else "broadcast_refused"
        return Message.of(key, reason=error.reason or str(error.status))

    def _in_vain(self, why: Message) -> Messages:
        before, self._trouble = self._trouble, why
        self._vain += 1
        return () if why == before else (why,)

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
