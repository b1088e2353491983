# SPDX-License-Identifier: GPL-3.0-or-later
"""A drill by the display alone: moves that are pointed at, and pieces that are chosen."""

import pytest
from support.languages import LANGUAGES
from support.played_devices import Table

from acessivel.app.activity import Pointed
from acessivel.app.drill import DrillActivity
from acessivel.devices.keyboard import TypedLine
from acessivel.drills.announcements import RepeatQuestion
from acessivel.drills.blindfold import StandsQuestion
from acessivel.drills.round import Round
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import Position
from voices.meaning import Piece, Place

CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
CASTLING_960 = "4k3/8/8/8/8/8/8/2K4R w H - 0 1"
PROMOTING = "8/4P3/8/8/8/k7/8/K7 w - - 0 1"


def repeating(fen, uci, language="en"):
    position = Position.start(fen)
    question = RepeatQuestion(position, position.fact(uci))
    return drilling(question, language)


def drilling(question, language="en"):
    round_ = Round(iter([question] * 2), 2)
    return round_, DrillActivity(round_, None, (language, "fide"), lambda: ())


@pytest.mark.parametrize(
    ("fen", "uci", "squares"),
    [
        (CASTLING, "e1g1", "e1 g1"),
        (CASTLING, "e1g1", "e1 h1"),
        (CASTLING, "e1g1", "e1 e1 e1 h1"),
        (CASTLING_960, "c1h1", "c1 g1"),
        (CASTLING_960, "c1h1", "c1 h1"),
        (CASTLING, "e1f1", "e1 f1"),
    ],
)
def test_a_move_is_pointed_at_as_in_a_game(fen, uci, squares):
    round_, activity = repeating(fen, uci)
    activity.start(0)
    for square in squares.split():
        assert round_.score == (0, 0)
        activity.handle(Pointed(square), 0)
    assert round_.score == (1, 1)


def piece(language, named):
    return Renderer(language, "fide").text(Message.of("drill_piece", piece=named))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("named", "right"), [(Piece.QUEEN, 1), (Piece.KNIGHT, 0)])
def test_the_piece_of_a_promotion_is_chosen_by_its_routing_key(language, named, right):
    round_, activity = repeating(PROMOTING, "e7e8q", language)
    it = Table(lambda _: activity, language, size=(10, 40))
    it.happen(TypedLine("e7 e8"))
    it.press(piece(language, named))
    assert round_.score == (right, 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_so_is_the_piece_on_a_square(language):
    start = Position.start()
    round_, activity = drilling(StandsQuestion(start, (), False, start, Place("d", "1")), language)
    it = Table(lambda _: activity, language, size=(10, 40))
    it.press(piece(language, Piece.QUEEN))
    assert round_.score == (1, 1)
