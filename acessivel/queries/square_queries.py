# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions about squares: what attacks and defends one, what is pinned, where the pawns are."""

from __future__ import annotations

from collections.abc import Iterable

from acessivel.game.game import Game
from acessivel.message import Message, Messages
from acessivel.rules.position import COLOURS, Position, other
from voices.meaning import Command, Piece, Place
from voices.words.lexicon import FILES


def standing(squares: Iterable[Place], position: Position) -> Messages:
    """The pieces on some squares, in their order."""
    found = ((position.at(str(square)), square) for square in squares)
    return tuple(
        Message.of("on_line", piece=Message.of(f"piece_{at[0]}_{at[1].name.lower()}"), square=square)
        for at, square in found
        if at
    )


def attackers(command: Command, game: Game, _: int) -> Messages:
    """What attacks a piece; for an empty square, which pieces of each side attack it."""
    square, stands = command.place, game.position.at(str(command.place))
    if stands is None:
        found = (standing(game.position.attackers(colour, square), game.position) for colour in COLOURS)
        told = tuple(
            Message.of("explore_reached", square=square, pieces=pieces) for pieces in found if pieces
        )
        return told or (Message.of("explore_reached_not", square=square),)
    pieces = standing(game.position.attackers(other(stands[0]), square), game.position)
    if not pieces:
        return (Message.of("explore_attacked_not", square=square),)
    return (Message.of("explore_attacked", square=square, pieces=pieces),)


def defenders(command: Command, game: Game, now_ms: int) -> Messages:
    """What defends a piece; an empty square has no defenders, but pieces that attack it."""
    square, stands = command.place, game.position.at(str(command.place))
    if stands is None:
        return (Message.of("defends_nothing", square=square), *attackers(command, game, now_ms))
    pieces = standing(game.position.attackers(stands[0], square), game.position)
    if not pieces:
        return (Message.of("explore_defended_not", square=square),)
    return (Message.of("explore_defended", square=square, pieces=pieces),)


def pinned(_: Command, game: Game, __: int) -> Messages:
    """Each piece of either side that is pinned to its king, and what pins it."""
    pins = (pin for colour in COLOURS for pin in game.position.pins(colour))
    told = tuple(
        Message.of("pinned", stands=standing((square,), game.position), by=standing((by,), game.position))
        for square, by in pins
    )
    return told or (Message.of("pinned_none"),)


def pawns(command: Command, game: Game, _: int) -> Messages:
    """The pawns of both sides on one file, or file by file; files without pawns are grouped together."""
    places = (command.place,) if command.place.file else tuple(map(Place, FILES))
    found = {place: _pawns_on(place, game.position) for place in places}
    told = tuple(
        Message.of("pawns_on", place=place, pieces=pieces) for place, pieces in found.items() if pieces
    )
    none = tuple(place for place, pieces in found.items() if not pieces)
    return (*told, *((Message.of("pawns_none", places=none),) if none else ()))


def _pawns_on(place: Place, position: Position) -> Messages:
    return tuple(
        Message.of("pawn_on", square=square, colour=colour)
        for colour, piece, square in position.on(place)
        if piece is Piece.PAWN
    )
