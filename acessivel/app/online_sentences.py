# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told of games, challenges and wishes online: values of the server -> messages."""

from __future__ import annotations

from acessivel.message import Duration, Message
from acessivel.online.answers import PLAYABLE_VARIANTS, Challenge, OnlineGame
from acessivel.online.terms import Terms
from acessivel.rules import chess960


def terms(wanted: Terms) -> Message:
    """A kind of game: its time, whether it is rated, and one's own colour if it is not drawn by lot."""
    rated = Message.of("lobby_rated" if wanted.rated else "lobby_casual")
    parts = (time(wanted), rated, *_colour(wanted.colour), *_ratings(wanted.ratings))
    return Message.of("lobby_parts", parts=parts)


def wish(wanted: Terms) -> Message:
    """What is wanted of each game where nothing is said: a kind of game without its time."""
    rated = Message.of("lobby_rated" if wanted.rated else "lobby_casual")
    return Message.of(
        "lobby_parts", parts=(rated, *_colour(wanted.colour or "any"), *_ratings(wanted.ratings))
    )


def colour_line(colour: str) -> Message:
    """The line that changes one's own colour."""
    return Message.of("lobby_do_colour", colour=Message.of(f"start_{colour or 'random'}"))


def time(wanted: Terms) -> Message:
    """The time of a kind of game."""
    if wanted.clocked:
        return Message.of("lobby_clock", minutes=f"{wanted.minutes:g}", increment=wanted.increment)
    if wanted.days:
        return Message.of("lobby_days", count=wanted.days)
    return Message.of("lobby_unlimited")


def _colour(colour: str) -> tuple[Message, ...]:
    if colour == "any":
        return (Message.of("lobby_any_colour"),)
    return (Message.of("lobby_you_play", colour=colour),) if colour else ()


def _ratings(ratings: tuple[int, int] | None) -> tuple[Message, ...]:
    return (Message.of("lobby_ratings", low=ratings[0], high=ratings[1]),) if ratings else ()


def person(name: str, rating: int | None) -> Message:
    """A player with the rating, if it is known."""
    return Message.of("lobby_person" if rating else "lobby_unrated_person", name=name, rating=rating)


def opponent(game: OnlineGame) -> Message:
    """The opponent of a game; the server's computer by its level, who has no account as that."""
    if game.ai:
        return Message.of("lobby_ai", level=game.ai)
    if not game.opponent:
        return Message.of("online_no_account")
    return person(game.opponent, game.rating)


def game_line(game: OnlineGame) -> Message:
    """A game as a line of a list: the opponent, whose move it is, and how long it may take."""
    if not game.playable:
        return Message.of("lobby_game_elsewhere", opponent=opponent(game))
    left = (Duration(game.left_s * 1000),) if game.my_turn and game.left_s else ()
    turn = Message.of("lobby_my_turn" if game.my_turn else "lobby_their_turn")
    return Message.of("lobby_parts", parts=(opponent(game), turn, *left))


def challenge(came: Challenge) -> Message:
    """A challenge to the user, as a line of a list and when it comes; another kind of chess is named."""
    parts = Message.of("lobby_parts", parts=(terms(came.terms), *_variant(came.variant)))
    return Message.of("lobby_challenge", person=person(came.name, came.rating), terms=parts)


def _variant(word: str) -> tuple[Message, ...]:
    """The kind of chess, by the server's word, unless it is the usual one."""
    known = word if word in PLAYABLE_VARIANTS else "other"
    return () if word == chess960.STANDARD else (Message.of(f"lobby_variant_{known}"),)


_REASONS = ("later", "toofast", "tooslow", "timecontrol", "rated", "casual", "standard", "variant")


def reason(word: str) -> Message:
    """Why a challenge was declined, by the server's word."""
    known = word.casefold()
    return Message.of(f"lobby_reason_{known}" if known in _REASONS else "lobby_reason_generic")
