# SPDX-License-Identifier: GPL-3.0-or-later
import sys

import chess
import pytest
from hypothesis import given
from support.languages import LANGUAGES
from support.positions import positions

from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.rules.position import BadFenError, Position
from voices.understanding.meanings import read


def meaning(words):
    return read(words, "de")[0].meaning


# FEN, announcement, reason, and the square that the reason names (if any)
REFUSALS = [
    (None, "Springer Gustav fünf Felix drei", "refuse_nothing_there", "g5"),
    (None, "Bauer Eva sieben Eva fünf", "refuse_not_yours", "e7"),
    (None, "Läufer Gustav eins Felix drei", "refuse_other_piece", "g1"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Dame David vier", "refuse_no_piece", None),
    (None, "Springer Anna Cesar drei", "refuse_no_piece_there", None),
    (None, "König Eva zwei", "refuse_own_piece", "e2"),
    (None, "Springer Felix fünf", "refuse_no_way", "f5"),
    (None, "Eva fünf", "refuse_no_way", "e5"),
    (None, "Turm Anna fünf", "refuse_blocked", "a2"),
    ("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "Eva vier", "refuse_blocked", "e3"),
    ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "Springer Cesar drei", "refuse_leaves_in_check", None),
    ("4k3/4r3/8/8/8/8/8/N3K3 w - - 0 1", "Springer Bella drei", "refuse_still_in_check", None),
    ("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", "Turm Bella eins", "refuse_still_in_check", None),
    (None, "Springer schlägt Felix drei", "refuse_nothing_to_take", "f3"),
    (None, "Eva vier en passant", "refuse_not_en_passant", None),
    (None, "Eva vier Dame", "refuse_promotion", None),
    ("8/4P1k1/8/8/8/8/8/K7 w - - 0 1", "Eva acht König", "refuse_promotion", None),
    ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "Kurze Rochade", "refuse_castle_moved", None),
    (None, "Kurze Rochade", "refuse_castle_blocked", "f1"),
    ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "Kurze Rochade", "refuse_castle_in_check", None),
    ("4k3/8/8/8/8/8/5r2/4K2R w K - 0 1", "Kurze Rochade", "refuse_castle_attacked", "f1"),
    ("4k3/8/8/8/8/8/3r4/R3K3 w Q - 0 1", "Lange Rochade", "refuse_castle_attacked", "d1"),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "König Gustav eins", "refuse_castle_by_name", None),
    ("4k3/8/8/8/8/8/5r2/4K2R w K - 0 1", "König Gustav eins", "refuse_castle_attacked", "f1"),
    ("r3k2r/8/8/8/8/8/4R3/4K3 b kq - 0 1", "König Cesar acht", "refuse_castle_in_check", None),
    ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "König Gustav eins", "refuse_castle_moved", None),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "König Cesar eins", "refuse_no_way", "c1"),
    ("4k3/8/8/8/8/8/8/3K3R w - - 0 1", "König Gustav eins", "refuse_no_way", "g1"),
    ("r3k2r/8/8/8/8/8/8/4K2R b kq - 0 1", "König Gustav sechs", "refuse_no_way", "g6"),
    ("4k3/8/8/8/8/8/8/4K1nR w K - 0 1", "König Gustav eins", "refuse_no_way", "g1"),
    ("4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "König Gustav eins", "refuse_own_piece", "g1"),
]


@pytest.mark.parametrize(("fen", "words", "reason", "square"), REFUSALS)
def test_what_is_not_legal_is_refused_with_its_reason(fen, words, reason, square):
    position = Position.start(fen)
    said = meaning(words)
    assert position.matching(said) == ()
    refusal = position.refusal(said)
    assert refusal.key == reason
    if square:
        assert str(dict(refusal.values)["square"]) == square


def test_no_question_about_a_position_moves_its_own_board(monkeypatch):
    position = Position.start("4k3/8/8/8/8/5N2/8/KN5R w - - 0 1")
    moved, push = [], chess.Board.push
    monkeypatch.setattr(chess.Board, "push", lambda board, move: (moved.append(board), push(board, move))[1])
    assert len(position.legal) > 20
    assert position.made(position.fact("h1h8")).in_check
    assert moved
    assert all(board is not position._board for board in moved)  # the pages read it in another thread


def test_the_rook_may_pass_an_attacked_square_when_castling_long():
    # Art. 3.8.2.2.1 (2018) is about the squares of the king only: b1 may be attacked.
    position = Position.start("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    assert [fact.uci for fact in position.matching(meaning("Lange Rochade"))] == ["e1c1"]


def test_castling_in_uci_is_the_kings_two_squares():
    position = Position.start("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert [fact.uci for fact in position.matching(meaning("e1g1"))] == ["e1g1"]


@pytest.mark.parametrize(
    "fen",
    [
        "",
        " ",
        "nonsense",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "9/8/8/8/8/8/8/8 w - -",
    ],
)
def test_a_wrong_fen_is_an_error_of_its_own(fen):
    if not fen:
        assert Position.start(fen) == Position.start()
        return
    with pytest.raises(BadFenError):
        Position.start(fen)


@pytest.mark.parametrize(
    ("fen", "reasons"),
    [
        ("nonsense", {"no_fen"}),
        ("8/8/8/8/8/8/8/8 w - - 0 1", {"empty", "no_white_king", "no_black_king"}),
        ("4k3/8/8/8/8/8/4q3/4K2P w - - 0 1", {"pawns_on_backrank"}),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", {"opposite_check"}),
    ],
)
def test_a_wrong_fen_says_what_is_wrong_in_each_language(fen, reasons):
    with pytest.raises(BadFenError) as error:
        Position.start(fen)
    assert {reason.key for reason in error.value.reasons} == {f"bad_position_{reason}" for reason in reasons}
    told = {
        Renderer(language).text(Message.of("from_bad_position", number=1, reasons=error.value.reasons))
        for language in LANGUAGES
    }
    assert len(told) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_the_library_finds_wrong_with_a_position_has_a_sentence(language):
    names = [status.name.lower() for status in chess.Status if not status.name.startswith("RACE")]
    assert {f"bad_position_{name}" for name in names} <= catalogue(language).keys()


@pytest.mark.parametrize(
    ("fen", "reason", "result"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate", "0-1"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate", "1/2-1/2"),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "dead_position", "1/2-1/2"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 150 100", "seventyfive", "1/2-1/2"),
    ],
)
def test_the_end_is_seen(fen, reason, result):
    ending = Position.start(fen).ending(frozenset({"fivefold", "seventyfive"}))
    assert ending is not None
    assert (ending.reason, ending.result) == (reason, result)


def test_a_position_is_never_changed():
    start = Position.start()
    before = start.fen
    after = start.after("e2e4")
    assert start.fen == before
    assert after != start
    with pytest.raises(ValueError, match="not legal"):
        start.after("e2e5")


def work(doing):
    """How many functions are called."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        doing()
    finally:
        sys.setprofile(before)
    return calls


def test_a_move_late_in_a_game_is_no_more_work_than_an_early_one():
    position, spent = Position.start(), []
    for uci in "g1f3 g8f6 f3g1 f6g8".split() * 40:

        def move(position=position, uci=uci):
            after = position.after(uci)
            assert after.repetitions() > 0
            assert not after.ending(frozenset(("seventyfive",))) or after.quiet_plies() >= 150

        spent.append(work(move))
        position = position.after(uci)
    assert position.repetitions() == 41
    assert max(spent[140:]) < 1.5 * min(spent[4:20])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Turm schlägt Eva eins", "refuse_takes_king"),
        ("Turm Eva", "refuse_takes_king"),
        ("Turm Hector drei", None),
    ],
)
def test_a_king_that_was_left_in_check_is_not_taken(words, reason):
    position = Position.start("4k3/8/8/8/8/8/8/3K3r w - - 0 1")
    (left,) = position.irregular(meaning("König Eva eins"))
    position = position.made(left)
    said = meaning(words)
    assert (None if position.matching(said) else position.refusal(said).key) == reason


@given(positions())
def test_the_moves_in_uci_are_those_with_notation_in_the_same_order(position):
    assert position.legal_ucis == tuple(fact.uci for fact in position.legal)


@pytest.mark.parametrize(
    ("words", "moves"),
    [
        ("Eva fünf", {"e2e5"}),
        ("schlägt David drei en passant", {"c2d3", "e2d3"}),
        ("Bauer schlägt Anna fünf", {"b2a5"}),
        ("Eva schlägt Hector fünf", {"e2h5"}),
    ],
)
def test_a_pawn_that_is_named_by_its_target_comes_from_its_file_or_takes_from_beside(words, moves):
    """Where moves against the rules are made as announced (Article 7.5)."""
    assert {fact.uci for fact in Position.start().irregular(meaning(words))} == moves
