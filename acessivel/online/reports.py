# SPDX-License-Identifier: GPL-3.0-or-later
"""What a lobby reports: frozen values, one for each thing that happens at the server outside a game."""

from __future__ import annotations

from dataclasses import dataclass

from acessivel.message import Message
from acessivel.online.answers import AccountFacts, Challenge, Ended, OnlineGame
from acessivel.online.terms import Terms


@dataclass(frozen=True, slots=True)
class LobbyReport:
    """Something that a lobby reports."""


@dataclass(frozen=True, slots=True)
class Connected(LobbyReport):
    """What happens at the server is reported from now on."""


@dataclass(frozen=True, slots=True)
class Disconnected(LobbyReport):
    """The server cannot be reached; it is tried on and on."""


@dataclass(frozen=True, slots=True)
class Account(LobbyReport):
    """Whose token it is."""

    account: AccountFacts


@dataclass(frozen=True, slots=True)
class GameBegan(LobbyReport):
    """A game has begun that was not there before, with all that is known of it."""

    game: OnlineGame


@dataclass(frozen=True, slots=True)
class OnlineGameEnded(LobbyReport):
    """A game of ours is over."""

    game: Ended


@dataclass(frozen=True, slots=True)
class GamesFound(LobbyReport):
    """The games that we play, most urgent first; the time control of those with a clock is not told."""

    games: tuple[OnlineGame, ...]


@dataclass(frozen=True, slots=True)
class GameLookedUp(LobbyReport):
    """A game with all that is known of it but its position (`fen`)."""

    game: OnlineGame


@dataclass(frozen=True, slots=True)
class ChallengeCame(LobbyReport):
    """Somebody challenges us."""

    challenge: Challenge


@dataclass(frozen=True, slots=True)
class ChallengeSent(LobbyReport):
    """Our challenge stands at the server."""

    challenge: Challenge


@dataclass(frozen=True, slots=True)
class ChallengeGone(LobbyReport):
    """A challenge stands no more, and no game came of it: "cancelled", "declined", "expired" or "lost".

    `reason`: of one that was declined, the server's word: "later", "toofast" ...
    """

    id: str
    why: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SeekBegan(LobbyReport):
    """An opponent is looked for; one for a correspondence game as long as the server keeps that up."""

    terms: Terms


@dataclass(frozen=True, slots=True)
class SeekEnded(LobbyReport):
    """No opponent is looked for any more: "paired", "cancelled", "expired" or "refused"."""

    why: str


@dataclass(frozen=True, slots=True)
class LinkMade(LobbyReport):
    """A link by which anybody can play against us: the address to give away."""

    id: str
    url: str


@dataclass(frozen=True, slots=True)
class Watched(LobbyReport):
    """How a game of others stands: everything, each time; `over`: the server's status of a game that is.

    Moves in UCI from `fen`, the clocks in seconds, None where there is none.
    """

    id: str
    white: str
    black: str
    fen: str = ""
    moves: tuple[str, ...] = ()
    white_s: int | None = None
    black_s: int | None = None
    over: str = ""
    winner: str = ""


@dataclass(frozen=True, slots=True)
class OnlineTrouble(LobbyReport):
    """What was asked for has failed, or something has to be known: the sentence."""

    message: Message
