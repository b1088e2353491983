# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess960 (2009, F): initial positions, castling in all its forms, its announcement, records."""

import io
from random import Random

import chess.pgn
import pytest

from acessivel.game.game import Game, Setup
from acessivel.messages.rendering import Renderer
from acessivel.queries import queries
from acessivel.records.pgn import pgn
from acessivel.rules.chess960 import BadVariantError, drawn, number
from acessivel.rules.position import Position
from voices.meaning import Castling, Command, CommandName, Side
from voices.understanding.meanings import read


def matching(fen, words):
    return [fact.san for fact in Position.start(fen, "chess960").matching(read(words, "de")[0].meaning)]


def refused(fen, words):
    return Position.start(fen, "chess960").refusal(read(words, "de")[0].meaning).key


@pytest.mark.parametrize(
    ("n", "rank"), [(518, "rnbqkbnr"), (0, "bbqnnrkr"), (959, "rkrnnqbb"), (534, "rnbkqbnr")]
)
def test_scharnagls_numbers(n, rank):
    assert Position.start(None, f"chess960:{n}").placement.startswith(rank)


def test_every_initial_position_is_as_the_rules_demand():
    ranks = {Position.start(None, f"chess960:{n}").placement.split("/")[0] for n in range(960)}
    assert len(ranks) == 960
    for rank in ranks:
        assert rank.index("r") < rank.index("k") < rank.rindex("r")
        assert (rank.index("b") + rank.rindex("b")) % 2 == 1


@pytest.mark.parametrize("name", ["chess960:960", "chess960:", "chess960:-1", "atomic", "chess960:1x", ""])
def test_what_is_no_variant_is_refused(name):
    with pytest.raises(BadVariantError):
        number(name)


def test_a_position_is_drawn_only_where_none_was_given():
    chance = Random(1)  # noqa: S311
    assert number(drawn("chess960", chance)) in range(960)
    assert drawn("chess960:7", chance) == "chess960:7"
    assert drawn("standard", chance) == "standard"


FORMS = [
    # F.3b: both move; they change places; only the rook moves; only the king moves
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "kurze Rochade", "R4RK1"),
    ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "kurze Rochade", "5RK1"),
    ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "kurze Rochade", "5RK1"),
    ("4k3/8/8/8/8/8/8/3RK3 w D - 0 1", "lange Rochade", "2KR4"),
    ("4k3/8/8/8/8/8/8/R1K5 w A - 0 1", "lange Rochade", "2KR4"),
    ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "lange Rochade", "2KR4"),
]


@pytest.mark.parametrize(("fen", "words", "rank"), FORMS)
def test_castling_in_all_its_forms(fen, words, rank):
    position = Position.start(fen, "chess960")
    (fact,) = position.matching(read(words, "de")[0].meaning)
    assert isinstance(fact.meaning, Castling)
    assert position.after(fact.uci).placement.split("/")[-1] == rank


SHORT_STEP = "4k3/8/8/8/8/8/8/5K1R w H - 0 1"


def test_the_king_beside_its_goal_is_never_taken_for_castling():
    assert matching(SHORT_STEP, "König Gustav eins") == ["Kg1"]
    assert matching(SHORT_STEP, "f1g1") == ["Kg1"]
    assert matching(SHORT_STEP, "kurze Rochade") == ["O-O"]
    assert matching(SHORT_STEP, "f1h1") == ["O-O"]
    assert matching(SHORT_STEP, "0-0") == ["O-O"]


REFUSALS = [
    ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "König Gustav eins", "refuse_castle_by_name"),
    ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "König Hector eins", "refuse_castle_by_name"),
    ("4k3/8/8/8/8/8/8/5KNR w H - 0 1", "kurze Rochade", "refuse_castle_blocked"),
    ("4k3/8/8/8/8/8/8/RN3K2 w A - 0 1", "lange Rochade", "refuse_castle_blocked"),
    ("4k3/8/8/8/8/8/8/1R1N1K2 w B - 0 1", "lange Rochade", "refuse_castle_blocked"),
    ("4kr2/8/8/8/8/8/8/5K1R w H - 0 1", "kurze Rochade", "refuse_castle_in_check"),
    ("4k1r1/8/8/8/8/8/8/5K1R w H - 0 1", "kurze Rochade", "refuse_castle_attacked"),
    ("4k3/8/8/8/8/8/8/5K1R w - - 0 1", "kurze Rochade", "refuse_castle_moved"),
    # The rook alone keeps the check away, and would go.
    ("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", "lange Rochade", "refuse_castle_attacked"),
]


@pytest.mark.parametrize(("fen", "words", "key"), REFUSALS)
def test_castling_is_refused_with_its_reason(fen, words, key):
    assert matching(fen, words) == []
    assert refused(fen, words) == key


def test_a_fen_whose_castling_needs_it_is_one_of_chess960():
    assert Position.start("4k3/8/8/8/8/8/8/5K1R w H - 0 1").chess960
    assert not Position.start("4k3/8/8/8/8/8/8/4K2R w K - 0 1").chess960


def test_the_pgn_names_the_variant_and_the_position():
    setup = Setup.of(variant="chess960:0")
    game = Game.new(setup)
    for uci in ("e2e4", "e7e5"):
        game = game.play(next(f for f in game.position.legal if f.uci == uci), 0)
    record = chess.pgn.read_game(io.StringIO(pgn(setup, game, "2026-01-01")))
    assert record.headers["Variant"] == "Chess960"
    assert record.headers["SetUp"] == "1"
    assert record.headers["FEN"].startswith("bbqnnrkr/")
    assert record.end().board().fen() == game.position.fen


def test_the_position_is_told_rank_by_rank():
    game = Game.new(Setup.of(variant="chess960:0"))
    told = queries.answer(Command(CommandName.POSITION), game, 0)
    assert [str(dict(message.values)["place"]) for message in told[:-1]] == ["1", "2", "7", "8"]


def test_both_ways_to_castle_keep_apart():
    fen = "4k3/8/8/8/8/8/8/R4K1R w AH - 0 1"
    sides = {f.meaning.side for f in Position.start(fen).legal if isinstance(f.meaning, Castling)}
    assert sides == set(Side)


def test_a_position_that_came_three_times_is_counted_also_with_the_intended_move():
    position = Position.start()
    for uci in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        position = position.after(uci)
    assert position.repetitions() == 3
    assert position.quiet_plies() == 8
    assert position.repetitions("g1f3") == 3
    assert position.repetitions("e2e4") == 1
    assert position.quiet_plies("e2e4") == 0


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        (
            "en",
            "Eins: White, from the first file on: bishop, bishop, queen, knight, knight, rook, king, rook.",
            "pawns",
        ),
        (
            "de",
            "Eins: Weiß, von der ersten Linie an: Läufer, Läufer, Dame, Springer, Springer, Turm, König, Turm.",
            "Bauern",
        ),
    ],
)
def test_full_ranks_are_told_without_their_squares(language, first, second):
    told = [
        Renderer(language).text(message)
        for message in queries.ranks(Game.new(Setup.of(variant="chess960:0")))
    ]
    assert told[0] == first
    assert len(told) == 4
    assert second in told[1]


def test_a_rank_with_gaps_or_of_both_colours_is_told_square_by_square():
    game = Game.new(Setup.of(fen="4k3/8/8/8/8/8/pPPPPPPP/4K3 w - - 0 1", variant="chess960"))
    assert [message.key for message in queries.ranks(game)] == ["on_rank", "on_rank", "on_rank"]
