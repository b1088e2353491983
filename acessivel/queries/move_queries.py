# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions about moves: those that are possible now, and those that were made."""

from __future__ import annotations

from collections import Counter

from acessivel.game.game import Game
from acessivel.message import Message, Messages
from acessivel.rules.position import BLACK, COLOURS, WHITE, Fact, other
from voices.meaning import Castling, Check, Command, MovePattern, Piece, Place

_LAST = 5  # moves that are listed if no number was said
_KINDS = (Piece.QUEEN, Piece.ROOK, Piece.BISHOP, Piece.KNIGHT, Piece.PAWN)


def legal(command: Command, game: Game, _: int) -> Messages:
    """All legal moves, or those of one kind of piece, or from one square."""
    facts = []
    for fact in game.position.legal:
        meaning = fact.meaning
        piece = meaning.piece if isinstance(meaning, MovePattern) else Piece.KING
        if command.piece in (None, piece) and str(command.place) in ("", fact.uci[:2]):
            facts.append(fact)
    if not facts:
        return (Message.of("no_legal_moves"),)
    return (Message.of("legal_moves", count=len(facts), moves=tuple(facts)),)


def movers(command: Command, game: Game, _: int) -> Messages:
    """What can move to a square; castling brings king and rook to their squares."""
    square, turn = command.place, game.position.turn
    found = {fact.squares: fact for fact in reversed(game.position.legal) if square in _goals(fact, game)}
    if not found:
        return (Message.of("movers_none", colour=turn, square=square),)
    return (Message.of("movers", colour=turn, square=square, moves=tuple(reversed(found.values()))),)


def _goals(fact: Fact, game: Game) -> tuple[Place, ...]:
    meaning = fact.meaning
    return game.position.castling_goals(meaning) if isinstance(meaning, Castling) else (meaning.target,)


def checks(_: Command, game: Game, __: int) -> Messages:
    """The legal moves that give check or mate."""
    facts = tuple(fact for fact in game.position.legal if fact.meaning.check is not Check.NONE)
    if not facts:
        return (Message.of("checks_none"),)
    return (Message.of("checks_possible", count=len(facts), moves=facts),)


def captures(_: Command, game: Game, __: int) -> Messages:
    """The legal moves that take something."""
    facts = tuple(f for f in game.position.legal if isinstance(f.meaning, MovePattern) and f.meaning.capture)
    if not facts:
        return (Message.of("captures_none"),)
    return (Message.of("captures_possible", count=len(facts), moves=facts),)


def moves(_: Command, game: Game, __: int) -> Messages:
    """All moves made."""
    return _listed(game, tuple(move.fact for move in game.played))


def last_moves(command: Command, game: Game, _: int) -> Messages:
    """The moves of both sides at the last numbers."""
    numbers = sorted({move.fact.number for move in game.played})[-(command.number or _LAST) :]
    return _listed(game, tuple(move.fact for move in game.played if move.fact.number in numbers))


def _listed(game: Game, facts: tuple[Fact, ...]) -> Messages:
    if not game.played:
        return (Message.of("no_moves"),)
    return (Message.of("move_list", moves=facts),)


def move_at(command: Command, game: Game, _: int) -> Messages:
    """What both sides played at a move number."""
    if not game.played:
        return (Message.of("no_moves"),)
    facts = [move.fact for move in game.played if move.fact.number == command.number]
    if not facts:
        least, most = game.played[0].fact.number, game.played[-1].fact.number
        return (Message.of("no_such_move", number=command.number, least=least, most=most),)
    return tuple(Message.of("played", colour=f.colour, number=f.number, move=f) for f in facts)


def captured(_: Command, game: Game, __: int) -> Messages:
    """What each side has captured in this game; a promoted pawn counts as what it had become."""
    taken: dict[str, Counter[Piece]] = {colour: Counter() for colour in COLOURS}
    for move, position in zip(game.played, game.positions(), strict=False):  # the last has no move yet
        square = position.taken_on(move.fact)
        if stands := position.at(square) if square else None:
            taken[move.fact.colour][stands[1]] += 1
    return tuple(_taken(colour, taken[colour]) for colour in COLOURS)


def _taken(colour: str, counted: Counter[Piece]) -> Message:
    if not counted:
        return Message.of("taken_nothing", colour=colour)
    pieces = tuple(
        Message.of("counted", count=counted[piece], piece=piece) for piece in _KINDS if counted[piece]
    )
    return Message.of("taken", colour=colour, pieces=pieces)


def rights(_: Command, game: Game, __: int) -> Messages:
    """The castling rights that remain (9.2.2; 2018), and a capture en passant if it is legal now."""
    told = []
    for colour in COLOURS:
        sides = tuple(map(Castling, game.position.castling_rights(colour)))
        key = "castling_kept" if sides else "castling_lost"
        told.append(Message.of(key, colour=colour, moves=sides) if sides else Message.of(key, colour=colour))
    taking = tuple(
        f for f in game.position.legal if isinstance(f.meaning, MovePattern) and f.meaning.en_passant
    )
    passing = Message.of("passing", moves=taking) if taking else Message.of("passing_none")
    return (*told, passing)


def repetitions(_: Command, game: Game, __: int) -> Messages:
    """How often the position has occurred with the same side to move and the same moves (9.2.2; 2018)."""
    count = game.position.repetitions()
    return (Message.of("stood_once"),) if count == 1 else (Message.of("stood", count=count),)


def quiet_moves(_: Command, game: Game, __: int) -> Messages:
    """How many moves each side has made since the last pawn move or capture (9.3; 2018)."""
    plies, turn = game.position.quiet_plies(), game.position.turn
    made = {turn: plies // 2, other(turn): plies - plies // 2}
    return (Message.of("quiet_count", white=made[WHITE], black=made[BLACK]),)
