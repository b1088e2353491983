# SPDX-License-Identifier: GPL-3.0-or-later
"""The board cursor: steps from square to square, and what is said about a square."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, takewhile

from acessivel.game.game import Game
from acessivel.message import Message, Messages
from acessivel.queries import queries
from acessivel.queries.square_queries import standing
from acessivel.rules.position import BLACK, WHITE, Position
from voices.meaning import Castling, Command, CommandName, Piece, Place

_FILES, _RANKS = "abcdefgh", "12345678"
# Files to the right and ranks up, as White sees them.
STEPS: Mapping[str, tuple[int, int]] = {
    "square_left": (-1, 0),
    "square_right": (1, 0),
    "square_up": (0, 1),
    "square_down": (0, -1),
}
_RISING, _FALLING = ((1, 1), (-1, -1)), ((1, -1), (-1, 1))
_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))  # clockwise


def beside(square: Place, step: tuple[int, int]) -> Place | None:
    """The square so many files and ranks away; None beyond the edge."""
    file, rank = _FILES.index(square.file or "") + step[0], _RANKS.index(square.rank or "") + step[1]
    on_board = 0 <= file < len(_FILES) and 0 <= rank < len(_RANKS)
    return Place(_FILES[file], _RANKS[rank]) if on_board else None


def moved(square: Place, way: str, *, from_black: bool) -> Place | None:
    """The square one step in a direction, as the board lies for the reader; None beyond the edge."""
    files, ranks = STEPS[way]
    return beside(square, (-files, -ranks) if from_black else (files, ranks))


def first_square(game: Game, *, from_black: bool) -> Place:
    """Where the cursor starts: on the piece that moved last, else on the player's own king."""
    if game.last:
        return Place(*destination(game))
    kings = game.position.where(BLACK if from_black else WHITE, Piece.KING)
    return kings[0]


def destination(game: Game) -> str:
    """The square of the piece that moved last, of the king after castling; "" before the first move."""
    if not game.last:
        return ""
    if isinstance(game.last.meaning, Castling):
        return str(game.position.where(game.last.colour, Piece.KING)[0])
    return game.last.squares[2:]


def next_alike(square: Place, position: Position) -> Place:
    """The next piece of the same kind and colour, from a1 on and wrapping round; from an empty square any."""
    stands = position.at(str(square))
    found = position.where(*stands) if stands else [place for place in _SQUARES if position.at(str(place))]
    others: Sequence[Place] = found
    return next((place for place in others if _number(place) > _number(square)), others[0])


def diagonals(square: Place) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """The two diagonals through a square, each from its lowest rank up: the rising one first."""
    rising, falling = (_line(square, ways) for ways in (_RISING, _FALLING))
    return rising, falling


def jumps(square: Place) -> tuple[Place, ...]:
    """The squares a knight's move away, clockwise."""
    return tuple(place for step in _JUMPS if (place := beside(square, step)))


def told(what: str, square: Place, game: Game, now_ms: int) -> Messages:
    """What is said about a square; `what` is a key of `TELLING`, or "edge" if there is no further square."""
    return (_edge if what == "edge" else TELLING[what])(square, game.standing(now_ms), now_ms)


def _line(square: Place, ways: Iterable[tuple[int, int]]) -> tuple[Place, ...]:
    squares = {square}
    for files, ranks in ways:
        steps = (beside(square, (n * files, n * ranks)) for n in count(1))
        squares.update(place for place in takewhile(bool, steps) if place)
    return tuple(sorted(squares, key=lambda place: place.rank or ""))


def _number(square: Place) -> tuple[str, str]:
    return square.rank or "", square.file or ""


def _square(square: Place, game: Game, now_ms: int) -> Messages:
    return _answer(CommandName.SQUARE, square, game, now_ms)


def _edge(square: Place, game: Game, now_ms: int) -> Messages:
    return Message.of("explore_edge"), *_square(square, game, now_ms)


def _rank(square: Place, game: Game, now_ms: int) -> Messages:
    return _answer(CommandName.RANK, Place(rank=square.rank), game, now_ms)


def _file(square: Place, game: Game, now_ms: int) -> Messages:
    return _answer(CommandName.FILE, Place(square.file), game, now_ms)


def _diagonals(square: Place, game: Game, _: int) -> Messages:
    """Each diagonal by its ends, with the pieces on it; in a corner there is only one."""
    messages = []
    for line in diagonals(square):
        if len(line) > 1:
            pieces = standing(line, game.position)
            key = "explore_diagonal" if pieces else "explore_diagonal_empty"
            messages.append(Message.of(key, first=line[0], last=line[-1], pieces=pieces))
    return tuple(messages)


def _jumps(square: Place, game: Game, _: int) -> Messages:
    pieces = standing(jumps(square), game.position)
    if not pieces:
        return (Message.of("explore_jumps_empty", square=square, squares=jumps(square)),)
    empty = tuple(place for place in jumps(square) if not game.position.at(str(place)))
    key = "explore_jumps" if empty else "explore_jumps_full"
    return (Message.of(key, square=square, pieces=pieces, squares=empty),)


def _attackers(square: Place, game: Game, now_ms: int) -> Messages:
    """What attacks and defends a piece; for an empty square, which pieces of each side attack it."""
    attackers = _answer(CommandName.ATTACKERS, square, game, now_ms)
    if game.position.at(str(square)) is None:
        return attackers
    return (*attackers, *_answer(CommandName.DEFENDERS, square, game, now_ms))


def _answer(name: CommandName, place: Place, game: Game, now_ms: int) -> Messages:
    """The answer to the same question asked in words."""
    return queries.answer(Command(name, place=place), game, now_ms) or ()


def _legal(square: Place, game: Game, now_ms: int) -> Messages:
    return _answer(CommandName.LEGAL, square, game, now_ms)


def _defenders(square: Place, game: Game, now_ms: int) -> Messages:
    return _answer(CommandName.DEFENDERS, square, game, now_ms)


def _movers(square: Place, game: Game, now_ms: int) -> Messages:
    return _answer(CommandName.MOVERS, square, game, now_ms)


def _pawns(square: Place, game: Game, now_ms: int) -> Messages:
    return _answer(CommandName.PAWNS, Place(square.file), game, now_ms)


_SQUARES = tuple(Place(file, rank) for rank in _RANKS for file in _FILES)
TELLING: Mapping[str, Callable[[Place, Game, int], Messages]] = {
    "square": _square,
    "rank": _rank,
    "file": _file,
    "diagonals": _diagonals,
    "knight_jumps": _jumps,
    "attackers": _attackers,
    "moves_from": _legal,
    "defenders": _defenders,
    "movers": _movers,
    "pawns": _pawns,
}
