# SPDX-License-Identifier: GPL-3.0-or-later
"""A game at a server and the journal: what is agreed for it, where it is kept, whom one has played."""

from __future__ import annotations

from acessivel.app import online_sentences as sentences
from acessivel.commands.stored_games import created
from acessivel.errors import UserError
from acessivel.game.game import NOBODY, UNKNOWN, Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.online.answers import OnlineGame
from acessivel.rules import chess960
from acessivel.rules.position import BLACK, WHITE, other
from acessivel.settings.settings import SETTINGS, Settings
from acessivel.storage.journal import Journal
from acessivel.storage.stored_game import Stored
from voices.understanding.online_words import OnlineOrder, OnlineWord, WantedGame

_OF_THE_USER = ("language", "convention", "alarms", "online_confirm", "online_chat")


def setup_of(game: OnlineGame, server: str, me: str, settings: Settings) -> Setup:
    """What is agreed for a game at a server, from its own words and the user's settings."""
    opponent = game.opponent or UNKNOWN
    if game.ai:  # the server has a name for it, in its own language
        opponent = Renderer(settings.language).text(sentences.opponent(game))
    names = {game.colour: me, other(game.colour): opponent}
    ratings = {game.colour: game.own_rating or 0, other(game.colour): game.rating or 0}
    return Setup.of(
        **{name: getattr(settings, name) for name in _OF_THE_USER if name in SETTINGS},
        opponent="online",
        colour=game.colour,
        clock=f"{game.minutes:g}+{game.increment}" if game.clocked else "none",
        fen=game.start_fen or None,
        variant=chess960.FREE if game.variant == "chess960" else chess960.STANDARD,
        white=names[WHITE],
        black=names[BLACK],
        server=server,
        game_id=game.id,
        rated=game.rated,
        speed=game.speed,
        days=game.days,
        white_rating=ratings[WHITE],
        black_rating=ratings[BLACK],
    )


def stored(setup: Setup, journal: Journal) -> Stored:
    """The game of the journal that this one is, as far as it was played; else a new one."""
    for number, kept in journal.setups():
        if _whose(kept) == _whose(setup):
            return journal.load(number)
    return created(setup, journal)


def _whose(setup: Setup) -> tuple[str, ...]:
    """What tells a game at a server from all others: two who share a computer may play each other."""
    return (setup.online.server, setup.online.game_id, setup.colour, own_name(setup).casefold())


def own_name(setup: Setup) -> str:
    """The name of the account that plays a game."""
    return str(getattr(setup.players, setup.colour))


def opponents(journal: Journal, server: str) -> tuple[str, ...]:
    """The names of those who were played at a server, the last one first."""
    games = (setup for _, setup in journal.setups() if setup.online.server == server)
    names = (getattr(setup.players, other(setup.colour)) for setup in games)
    return tuple(dict.fromkeys(filter(_is_person, names)))


def rematch(following: Setup | None, level: int = 0) -> OnlineOrder | None:
    """The order with which the same opponent is asked for another game, if one is to follow.

    `level`: that of the server's computer, if it is known. Raises UserError for a game that was not standard,
    and where the opponent has no account.
    """
    if following is None:
        return None
    if following.beginning.fen or following.beginning.variant != chess960.STANDARD:
        raise UserError(Message.of("lobby_no_rematch"))
    days, name = following.online.days, getattr(following.players, other(following.colour))
    if name in NOBODY:
        raise UserError(Message.of("lobby_rematch_nobody"))
    clocked = following.timing.clock != "none"
    minutes, _, increment = following.timing.clock.partition("+")
    wanted = WantedGame(
        (float(minutes), int(increment)) if clocked else None,
        days or None,
        unlimited=not (clocked or days),
        rated=following.online.rated,
        colour=following.colour,
    )
    if not _is_person(name):
        return OnlineOrder(OnlineWord.COMPUTER, wanted, level or None)
    return OnlineOrder(OnlineWord.CHALLENGE, wanted, name=name)


def _is_person(name: str) -> bool:
    """Whether somebody can be challenged by this name: the computer has a blank in its own."""
    return name not in NOBODY and " " not in name
