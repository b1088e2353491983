# SPDX-License-Identifier: GPL-3.0-or-later
"""The game of a table as a session's state: for its board, and for questions about its position."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from acessivel.clock.clock import Clock
from acessivel.clock.time_control import Mode, TimeControl
from acessivel.game.game import Game, PlayedMove, Result, Setup
from acessivel.hall.board import TableGame
from acessivel.hall.entries import MoveMade
from acessivel.rules.position import BLACK, COLOURS, BadFenError, Fact, Position
from acessivel.session.state import State
from voices.meaning import MovePattern, Piece, Place


def state_of(table: TableGame, words: tuple[str, str]) -> State | None:
    """The game as far as it is known; what the clocks show comes by `at_moment`.

    `words`: the language and the convention of the arbiter. None if it cannot be set up here.
    """
    opened = table.opened
    if opened is None:
        return None
    setup = Setup.of(
        language=words[0],
        convention=words[1],
        white=opened.white,
        black=opened.black,
        fen=opened.fen,
        variant=opened.variant,
        strict=opened.strict,
        two_boards=opened.two_boards,
    )
    try:
        position = start = Position.start(opened.fen, opened.variant)
        played = []
        for move in table.moves:
            fact = _fact(position, move)
            position = position.made(fact)
            played.append(PlayedMove(fact, move.left_ms))
        game = Game(start, position, tuple(played), offences=table.offences)
        game = replace(game, clock=_clock(table, game))
    except (BadFenError, ValueError):
        return None
    if table.over:
        ended = table.ended
        game = replace(game, result=Result(ended.score, ended.reason, ended.article, ended.edition))
    return State(setup, game)


def first_half_move(table: TableGame) -> int:
    """The half-move with which a game begins: twice the number of the move, and one more if it is Black's."""
    opened, start = table.opened, None
    if opened and opened.fen:
        with suppress(BadFenError, ValueError):  # what no table agrees on
            start = Position.start(opened.fen, opened.variant)
    return 2 * start.fullmove + (start.turn == BLACK) if start else 2


def _fact(position: Position, move: MoveMade) -> Fact:
    """A move of a table as it was announced there. Raises ValueError if it is neither legal nor marked."""
    if not move.irregular:
        return position.fact(move.uci)
    origin, target = Place(*move.uci[:2]), Place(*move.uci[2:4])
    stands = position.at(move.uci[:2])
    promotion = Piece(move.uci[4].upper()) if len(move.uci) > 4 else None
    taken = position.at(move.uci[2:4]) is not None
    meaning = MovePattern(target, stands[1] if stands else None, origin, capture=taken, promotion=promotion)
    return Fact(move.uci, move.san, meaning, position.turn, position.fullmove, irregular=True)


def at_moment(state: State, table: TableGame, now_ms: int, *, runs: bool) -> State:
    """The state with the clocks as they are at a moment on the hall's clock, in ms; `runs`: and go on."""
    times = {colour: table.left_ms(colour, now_ms) for colour in COLOURS}
    left = {colour: ms for colour, ms in times.items() if ms is not None}
    clock = state.game.clock
    if clock is None or len(left) < len(COLOURS):
        return replace(state, now_ms=now_ms)
    white, black = (replace(clock.side(colour), main_ms=left[colour], spent_ms=0) for colour in COLOURS)
    running = (table.clocks.running or None) if runs else None
    clock = replace(clock, white=white, black=black, running=running, since_ms=now_ms)
    return replace(state, now_ms=now_ms, game=replace(state.game, clock=clock))


def _clock(table: TableGame, game: Game) -> Clock | None:
    """A clock for what the table shows; a delay is the table's affair. Raises ValueError if it is unknown."""
    control = TimeControl.parse(table.opened.clock) if table.opened else None
    if control is None:
        return None
    clock = Clock.of(replace(control, mode=Mode.FISCHER))
    for colour in COLOURS:
        clock = clock.counted(colour, game.made_by(colour))
    return clock
