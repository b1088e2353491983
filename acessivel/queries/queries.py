# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions about the game -> the facts that answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from acessivel.clock.clock import Clock
from acessivel.game.game import Game
from acessivel.game.results import RESULTS
from acessivel.laws.ruling import citation
from acessivel.message import Duration, Message, Messages
from acessivel.queries import move_queries, openings, square_queries
from acessivel.rules.position import BLACK, COLOURS, WHITE, is_light
from voices.meaning import Command, CommandName, Piece, Place

_VALUES = {Piece.QUEEN: 9, Piece.ROOK: 5, Piece.BISHOP: 3, Piece.KNIGHT: 3, Piece.PAWN: 1}

# Questions that do the player's work, or that a book answers: advice and a source of information, which are
# forbidden in competition (11.3.1; 2018).
BOARD_ADVICE = frozenset({CommandName.CHECKS, CommandName.CAPTURES, CommandName.OPENING})
# Advice of an engine, forbidden there as well.
ENGINE_ADVICE = frozenset({CommandName.HINT, CommandName.EVALUATE, CommandName.WHY})
_NOT_AFTER_THE_END = frozenset(
    {CommandName.LEGAL, CommandName.MOVERS, CommandName.CHECKS, CommandName.CAPTURES}
)


def answer(command: Command, game: Game, now_ms: int) -> Messages | None:
    """The answer to a question about the game; None if the command is no such question.

    A move that is announced is made, though not on both boards yet.
    """
    game = game.standing(now_ms)
    if game.result and command.name in _NOT_AFTER_THE_END:
        return (over(game),)
    query = _QUERIES.get(command.name)
    return query(command, game, now_ms) if query else None


def turn(game: Game) -> Message:
    """Which side is to move, and whether its king is in check."""
    position = game.position.made(game.announced) if game.announced else game.position
    key = "turn_in_check" if position.in_check else "turn"
    return Message.of(key, colour=position.turn, number=position.fullmove)


def over(game: Game) -> Message:
    """The result with its reason; only for a game that has one."""
    if game.result is None:
        raise ValueError("the game is not over")
    reason = Message.of(f"end_{game.result.reason}")
    result, article = game.result, game.result.article
    source = Message.of("over_source", source=citation(article, result.edition)) if article else ""
    score = Message.of(RESULTS.get(result.score, "result_none"))
    return Message.of("over", result=score, reason=reason, source=source)


def played(game: Game) -> Message:
    """The last move, and who played it."""
    last = game.announced or game.last
    if last is None:
        return Message.of("no_moves")
    return Message.of("played", colour=last.colour, number=last.number, move=last)


def _turn(_: Command, game: Game, __: int) -> Messages:
    return (over(game),) if game.result else (turn(game),)


def _last_move(_: Command, game: Game, __: int) -> Messages:
    return (played(game),)


def _clock(command: Command, game: Game, now_ms: int) -> Messages:
    if game.clock is None:
        return (Message.of("no_clock"),)
    sides = (command.colour,) if command.colour else COLOURS
    return tuple(time_left(game.clock, colour, now_ms) for colour in sides)


def time_left(clock: Clock, colour: str, now_ms: int) -> Message:
    """What a side has left, and for how many moves if the period has a number of moves."""
    time = Duration.left(clock.left(colour, now_ms))
    to_go = clock.moves_to_go(colour)
    if to_go is None:
        return Message.of("time_left", colour=colour, time=time)
    return Message.of("time_left_moves", colour=colour, time=time, count=to_go)


def _position(_: Command, game: Game, __: int) -> Messages:
    if game.start.chess960:
        return (*ranks(game), turn(game))
    sides = tuple(
        Message.of("side_position", colour=colour, pieces=_pieces_of(game, colour)) for colour in COLOURS
    )
    return (*sides, turn(game))


def ranks(game: Game) -> Messages:
    """The position rank by rank, as Chess960 needs it; empty ranks are left out."""
    places = (Place(None, rank) for rank in "12345678")
    return tuple(_rank(place, game) for place in places if game.position.on(place))


def _rank(place: Place, game: Game) -> Message:
    """A rank; one that is full of one side's pieces is listed without their squares."""
    found = game.position.on(place)
    colours, pieces = {colour for colour, _, __ in found}, [piece for _, piece, __ in found]
    if len(found) < 8 or len(colours) > 1:
        return _on_line(place, game)
    colour = found[0][0]
    if len(set(pieces)) == 1:
        return Message.of("rank_alike", place=place, colour=colour, piece=pieces[0])
    return Message.of("rank_full", place=place, colour=colour, pieces=tuple(pieces))


def _pieces_of(game: Game, colour: str) -> tuple[Message, ...]:
    found = ((piece, game.position.where(colour, piece)) for piece in Piece)
    return tuple(_standing(piece, squares) for piece, squares in found if squares)


def _standing(piece: Piece, squares: tuple[Place, ...]) -> Message:
    return Message.of("standing", piece=piece, squares=squares)


def _pieces(command: Command, game: Game, _: int) -> Messages:
    piece = command.piece or Piece.KING
    sides = []
    for colour in (command.colour,) if command.colour else COLOURS:
        squares = game.position.where(colour, piece)
        if squares:
            pieces = (_standing(piece, squares),)
            sides.append(Message.of("side_position", colour=colour, pieces=pieces))
    if command.colour and not sides:
        return (Message.of("none_of_side", colour=command.colour, piece=piece),)
    return tuple(sides) or (Message.of("none_of_kind", piece=piece),)


def _square(command: Command, game: Game, _: int) -> Messages:
    stands = game.position.at(str(command.place))
    if stands is None:
        key = "empty_light" if is_light(command.place) else "empty_dark"
        return (Message.of(key, square=command.place),)
    return (Message.of("on_square", square=command.place, colour=stands[0], piece=stands[1]),)


def _line(command: Command, game: Game, _: int) -> Messages:
    return (_on_line(command.place, game),)


def _on_line(place: Place, game: Game) -> Message:
    found = game.position.on(place)
    if not found:
        return Message.of("empty_file" if place.file else "empty_rank", place=place)
    pieces = square_queries.standing((square for _, _, square in found), game.position)
    return Message.of("on_file" if place.file else "on_rank", place=place, pieces=pieces)


def _material(_: Command, game: Game, __: int) -> Messages:
    sums = {
        colour: sum(value * len(game.position.where(colour, piece)) for piece, value in _VALUES.items())
        for colour in COLOURS
    }
    sides = tuple(
        Message.of(
            "side_material",
            colour=colour,
            points=sums[colour],
            pieces=tuple(
                Message.of("counted", count=count, piece=piece)
                for piece in _VALUES
                if (count := len(game.position.where(colour, piece)))
            )
            or (Message.of("only_king"),),
        )
        for colour in COLOURS
    )
    if sums[WHITE] == sums[BLACK]:
        return (*sides, Message.of("material_equal"))
    ahead = WHITE if sums[WHITE] > sums[BLACK] else BLACK
    return (*sides, Message.of("material_ahead", colour=ahead, points=abs(sums[WHITE] - sums[BLACK])))


_QUERIES: Mapping[CommandName, Callable[[Command, Game, int], Messages]] = {
    CommandName.TURN: _turn,
    CommandName.LAST_MOVE: _last_move,
    CommandName.CLOCK: _clock,
    CommandName.POSITION: _position,
    CommandName.PIECES: _pieces,
    CommandName.SQUARE: _square,
    CommandName.RANK: _line,
    CommandName.FILE: _line,
    CommandName.LEGAL: move_queries.legal,
    CommandName.MATERIAL: _material,
    CommandName.MOVES: move_queries.moves,
    CommandName.PAWNS: square_queries.pawns,
    CommandName.ATTACKERS: square_queries.attackers,
    CommandName.DEFENDERS: square_queries.defenders,
    CommandName.PINNED: square_queries.pinned,
    CommandName.MOVERS: move_queries.movers,
    CommandName.CHECKS: move_queries.checks,
    CommandName.CAPTURES: move_queries.captures,
    CommandName.LAST_MOVES: move_queries.last_moves,
    CommandName.MOVE_AT: move_queries.move_at,
    CommandName.CAPTURED: move_queries.captured,
    CommandName.RIGHTS: move_queries.rights,
    CommandName.REPETITIONS: move_queries.repetitions,
    CommandName.QUIET_MOVES: move_queries.quiet_moves,
    CommandName.OPENING: openings.named,
}
