# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings on the sealed move (A8 to A11, 2001; guidelines 8 to 11, 2009), edition by edition."""

from functools import partial

import pytest

from acessivel.laws.editions import edition
from acessivel.laws.sealed_moves import Sealed, late, lost, opened, reopened, understood
from acessivel.rules.position import Position
from voices.understanding.meanings import read

HOUR = 3_600_000
OPEN = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K2R w K - 0 1"  # both can go to d2
MATE = "7k/R7/6K1/8/8/8/8/8 w - - 0 1"  # Ra8 mates
STALE = "7k/5K2/8/8/8/8/8/6Q1 w - - 0 1"  # Qg6 stalemates
BARE = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"  # Black has nothing to mate with
PAWN = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
# What the editions of 2014 and 2018 do not say, they take from the guidelines of 2009; the school event has none.
CITED = {
    "fide-2001": ("A8", "A9", "A10", "A11", "fide-2001"),
    "fide-2009": ("guidelines 8", "guidelines 9", "guidelines 10", "guidelines 11", "fide-2009"),
    "fide-2014": ("guidelines 8", "guidelines 9", "guidelines 10", "guidelines 11", "fide-2009"),
    "fide-2018": ("guidelines 8", "guidelines 9", "guidelines 10", "guidelines 11", "fide-2009"),
    "desporto-escolar-2022": ("guidelines 8", "guidelines 9", "guidelines 10", "guidelines 11", "fide-2009"),
}
EDITIONS = sorted(CITED)


def sealed(text, fen, language="en"):
    return understood(text, partial(read, language=language), Position.start(fen))


@pytest.mark.parametrize(
    ("text", "fen", "uci", "fault"),
    [
        ("f3e5", OPEN, "f3e5", None),
        ("Nxe5", OPEN, "f3e5", None),
        ("knight takes e5", OPEN, "f3e5", None),
        ("cavalo toma e5", OPEN, "f3e5", None),
        ("cavalo e4", OPEN, None, "illegal"),
        ("O-O", TWO_KNIGHTS, "e1g1", None),
        ("Nd2", TWO_KNIGHTS, None, "ambiguous"),
        ("Nbd2", TWO_KNIGHTS, "b1d2", None),
        ("a8", PAWN, None, "ambiguous"),  # no piece named
        ("a8=N", PAWN, "a7a8n", None),
        ("Ne4", OPEN, None, "illegal"),
        ("O-O-O", OPEN, None, "illegal"),
        ("e2e5", OPEN, None, "illegal"),
        ("my best move", OPEN, None, "false"),
        ("knight", OPEN, None, "false"),
        ("help", OPEN, None, "false"),
        ("", OPEN, None, "false"),
    ],
)
def test_what_was_written_is_one_move_several_none_or_illegal(text, fen, uci, fault):
    found = sealed(text, fen)
    assert (found.fact.uci if found.fact else None, found.fault) == (uci, fault)


@pytest.mark.parametrize(
    ("text", "fen", "language", "uci"),
    [
        ("Ke1-g1", TWO_KNIGHTS, "en", "e1g1"),
        ("Ke1g1", TWO_KNIGHTS, "en", "e1g1"),
        ("King e1 g1", TWO_KNIGHTS, "en", "e1g1"),
        ("Kg1", TWO_KNIGHTS, "en", "e1g1"),
        ("king to g1", TWO_KNIGHTS, "en", "e1g1"),
        ("König Eva eins Gustav eins", TWO_KNIGHTS, "de", "e1g1"),
        ("rei e1 g1", TWO_KNIGHTS, "pt", "e1g1"),
        ("Re1g1", TWO_KNIGHTS, "es", "e1g1"),
        ("Kc8", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "en", "e8c8"),
        ("Ke1xg1", TWO_KNIGHTS, "en", None),
        ("Qg1", TWO_KNIGHTS, "en", None),
        ("Kd1-g1", TWO_KNIGHTS, "en", None),
        ("Kg1", TWO_KNIGHTS.replace("K -", "- -"), "en", None),
        ("Kc1", TWO_KNIGHTS, "en", None),
        ("Kf1", TWO_KNIGHTS, "en", "e1f1"),  # an ordinary move
    ],
)
def test_castling_can_be_written_by_the_squares_of_the_king(text, fen, language, uci):
    found = sealed(text, fen, language)
    assert (found.fact.uci if found.fact else None, found.fault) == (uci, None if uci else "illegal")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *(
            (text, "en")
            for text in ("Nf3.", "Nf3,", "Nf3 =", "Nf3 (=)", '"Nf3"', "(Nf3)", "“Nf3!”", "[Nf3+]")
        ),
        *((text, "en") for text in ("♘f3", "♘f3 (=)", "«♞︎f3»", "Ng1–f3")),
        *((text, "en") for text in ("Nf3 draw", "Nf3, I offer a draw.", "knight f3 draw", "Ng1 to f3.")),
        *(("Sf3.", "de"), ("Sf3 remis", "de"), ("Sg1 nach f3", "de"), ("Springer f3 (=)", "de")),
        *(("Cf3.", "pt"), ("Cf3 empate", "pt"), ("Cg1 para f3", "pt"), ("cavalo f3.", "pt")),
        *(("Cf3 tablas", "es"), ("Cg1 a f3", "es")),
    ],
)
def test_what_stands_beside_a_clear_move_does_not_make_it_none(text, language):
    found = sealed(text, OPEN.replace("5N2/PPPP1PPP/RNBQKB1R", "8/PPPP1PPP/RNBQKBNR"), language)
    assert (found.fact.uci if found.fact else None, found.fault) == ("g1f3", None)


@pytest.mark.parametrize(
    ("text", "uci", "language"),
    [
        *((text, "f3e5", "pt") for text in ("lance Cf3xe5", "Cf3 e5 e ofereço empate", "cavalo f3xe5.")),
        *(("Zug: Sf3xe5", "f3e5", "de"), ("Sf3xe5 und remis", "f3e5", "de")),
        *(("jugada caballo xe5", "f3e5", "es"), ("Cxe5 y tablas", "f3e5", "es")),
        *(("move Nxe5 and draw", "f3e5", "en"), ("knight f3xe5, I offer a draw", "f3e5", "en")),
        *((text, "e1g1", "pt") for text in ("roque e1g1", "roque pequeno, e1-g1", "0-0 e1g1", "roque g1")),
        *((text, "e1g1", "en") for text in ("Ke1-g1 (0-0)", "castle e1g1, draw", "kurze Rochade e1-g1")),
        *((text, None, "pt") for text in ("roque grande e1g1", "0-0 e8g8", "roque f1", "0-0 d4", "0-0 não")),
    ],
)
def test_a_move_in_more_words_than_it_needs_is_played_where_they_agree(text, uci, language):
    fen = OPEN.replace("RNBQKB1R", "RNBQK2R")
    found = sealed(text, fen, language)
    assert (found.fact.uci if found.fact else None, found.fault) == (uci, None if uci else "false")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("draw", "false"),
        ("(=)", "false"),
        ("Nf3 or Nc3", "false"),
        ("Ng1 not f3", "false"),
        ("Ne4.", "illegal"),
        ("O-O-O.", "illegal"),
        ("Nd2 (=)", "ambiguous"),
    ],
)
def test_beside_signs_and_an_offer_a_faulty_move_stays_one(text, fault):
    assert sealed(text, TWO_KNIGHTS) == Sealed(fault=fault)


TWO_ROOKS = "r3k3/8/8/8/8/8/5PPP/RN3RK1 w - - 0 1"  # that of the a-file is blocked


@pytest.mark.parametrize(
    ("text", "fen", "language", "uci"),
    [
        ("torre de a1 para d1", TWO_ROOKS, "pt", None),
        ("torre a1 a d1", TWO_ROOKS, "es", None),
        ("torre a d1", TWO_ROOKS, "es", "f1d1"),
        ("torre a d1", TWO_ROOKS.replace("RN3", "R4"), "es", "a1d1"),  # what both readings mean
        ("T a d1", TWO_ROOKS, "es", "f1d1"),
        ("C a d2", TWO_ROOKS, "es", "b1d2"),
        ("a g4", TWO_ROOKS, "pt", "g2g4"),
        ("torre para a h2", "r3k3/8/8/8/8/6PR/R4P2/6K1 w - - 0 1", "pt", "h3h2"),
        ("d 2 d 4", "4k3/8/8/8/8/8/3P1Q2/4K3 w - - 0 1", "de", "d2d4"),
        ("Rd2", "4k3/8/8/8/8/8/8/3R2K1 w - - 0 1", "pt", "d1d2"),  # as in English, since no king goes there
    ],
)
def test_a_sealed_move_is_the_legal_one_of_the_readings_and_no_other(text, fen, language, uci):
    found = sealed(text, fen, language)
    assert (found.fact.uci if found.fact else None, found.fault) == (uci, None if uci else "illegal")


@pytest.mark.parametrize(
    ("text", "language", "fen"),
    [
        *((text, "en", "4k3/8/8/8/2p5/1P6/8/2B1K3 w - - 0 1") for text in ("Bxc4", "Bc4", "Bxc4+", "Bxc4.")),
        *((text, "de", "4k3/8/8/4p3/3P4/8/8/Q3K3 w - - 0 1") for text in ("Dxe5", "De5")),
        *((text, "es", "4k3/8/8/3p4/2P5/8/8/N3K3 w - - 0 1") for text in ("Cxd5", "Cd5")),
        *((text, "pt", "4k3/8/8/3p4/2P5/8/8/N3K3 w - - 0 1") for text in ("Cxd5", "Cd5")),
        ("Bxc4", "pt", "4k3/8/8/8/2p5/1P6/8/2B1K3 w - - 0 1"),
    ],
)
def test_a_sealed_capital_is_a_piece_and_no_pawn_where_that_piece_cannot_go(text, language, fen):
    assert sealed(text, fen, language) == Sealed(fault="illegal")
    assert sealed(text.lower(), fen, language).fact


QUEEN = "4k3/8/8/8/8/8/3P1Q2/4K3 w - - 0 1"
BISHOP = "4k3/8/8/8/8/8/1P1B4/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("text", "fen", "language", "uci"),
    [
        *((text, QUEEN, "de", "f2d4") for text in ("D nach d4", "D. d4", "D nach d4 (=)")),
        ("D nach f6", QUEEN, "de", "f2f6"),
        ("d nach d4", QUEEN, "de", "d2d4"),
        ("D nach D4", QUEEN, "de", "d2d4"),  # here capitals are files
        ("D para d6", "4k3/8/Q7/3P4/8/8/8/4K3 w - - 0 1", "pt", "a6d6"),
        ("C para c5", "4k3/8/8/8/2P5/1N6/8/4K3 w - - 0 1", "pt", "b3c5"),
        ("C na d4", "4k3/8/4n3/2p5/3P4/8/8/4K3 b - - 0 1", "pt", "e6d4"),
        ("B to b4", BISHOP, "en", "d2b4"),
        ("B to b3", BISHOP, "en", "b2b3"),  # where no bishop can go
        ("B two to b four", BISHOP, "en", "b2b4"),
        ("D nach d4", QUEEN.replace("4K3", "Q3K3"), "de", None),
    ],
)
def test_a_capital_before_words_is_a_piece_that_can_go_there_and_else_a_file(text, fen, language, uci):
    found = sealed(text, fen, language)
    assert (found.fact.uci if found.fact else None, found.fault) == (uci, None if uci else "ambiguous")


@pytest.mark.parametrize("book", EDITIONS)
@pytest.mark.parametrize(
    ("fault", "key"),
    [("ambiguous", "sealed_ambiguous"), ("false", "sealed_false"), ("illegal", "sealed_illegal")],
)
def test_a_faulty_sealed_move_loses_or_draws_if_the_opponent_cannot_mate(book, fault, key):
    article, _, _, _, source = CITED[book]
    rules = edition(book).rules()
    ruling = opened(rules, Sealed(fault=fault), "white", opponent_can_mate="yes")
    assert (ruling.key, ruling.result, ruling.article, ruling.edition) == (key, "0-1", article, source)
    assert opened(rules, Sealed(fault=fault), "black", opponent_can_mate="yes").result == "1-0"
    drawn = opened(rules, Sealed(fault=fault), "white", opponent_can_mate="no")
    assert (drawn.key, drawn.result, drawn.article) == (f"{key}_drawn", "1/2-1/2", article)
    unknown = opened(rules, Sealed(fault=fault), "white", opponent_can_mate="undecided")
    assert (unknown.key, unknown.result, unknown.for_arbiter) == ("sealed_undecided", None, True)


@pytest.mark.parametrize("book", EDITIONS)
def test_a_legal_sealed_move_is_played(book):
    _, article, _, _, source = CITED[book]
    ruling = reopened(
        edition(book).rules(), sealed("f3e5", OPEN), Position.start(OPEN), "", 0, opponent_can_mate="yes"
    )
    assert (ruling.must_play, ruling.result, ruling.article, ruling.edition) == (
        "f3e5",
        None,
        article,
        source,
    )


@pytest.mark.parametrize("book", EDITIONS)
@pytest.mark.parametrize(
    ("text", "fen", "colour", "late_ms", "key", "result"),
    [
        # Over an hour late loses; to the hour it costs nothing.
        ("f3e5", OPEN, "black", HOUR + 1, "adjourn_late", "1-0"),
        ("f3e5", OPEN, "black", HOUR, "sealed_played", None),
        ("f3e5", OPEN, "white", HOUR + 1, "adjourn_late", "0-1"),
        # A sealer who is away has mated or drawn by his move all the same (10 a, b).
        ("a7a8", MATE, "white", HOUR + 1, "sealed_played", None),
        ("g1g6", STALE, "white", HOUR + 1, "sealed_played", None),
        # Who must answer a mate and comes late has no such way out.
        ("a7a8", MATE, "black", HOUR + 1, "adjourn_late", "1-0"),
        # The late sealer's bad move loses as a bad move.
        ("Ne4", OPEN, "white", HOUR + 1, "sealed_illegal", "0-1"),
        # One comes late, the other sealed nothing: nobody has written who loses.
        ("Ne4", OPEN, "black", HOUR + 1, "adjourn_both", None),
        ("Ne4", BARE, "", 0, "sealed_illegal_drawn", "1/2-1/2"),
    ],
)
@pytest.mark.sweep
def test_who_comes_late(book, text, fen, colour, late_ms, key, result):
    position = Position.start(fen)
    ruling = reopened(
        edition(book).rules(),
        sealed(text, fen),
        position,
        colour,
        late_ms,
        opponent_can_mate=position.can_mate("black"),
    )
    assert (ruling.key, ruling.result) == (key, result)
    assert ruling.for_arbiter is (key == "adjourn_both")
    if key.startswith("adjourn"):
        assert (ruling.article, ruling.edition) == (CITED[book][2], CITED[book][4])


@pytest.mark.parametrize(
    ("book", "result"), [("fide-2001", "0-1"), ("fide-2009", "0-1"), ("fide-2018", None)]
)
def test_a_late_sealer_is_saved_by_75_quiet_moves_only_where_they_end_a_game(book, result):
    fen = "4k3/7r/8/8/8/8/R7/4K3 w - - 149 90"
    position, move = Position.start(fen), sealed("a2b2", fen)
    ruling = reopened(edition(book).rules(), move, position, "white", HOUR + 1, opponent_can_mate="yes")
    assert ruling.result == result


@pytest.mark.parametrize("book", EDITIONS)
def test_a_lost_envelope_lets_the_sealer_say_his_move(book):
    ruling = lost(edition(book).rules(), "black")
    assert (ruling.key, ruling.result, ruling.values) == ("envelope_lost", None, (("colour", "black"),))
    assert (ruling.article, ruling.edition) == (CITED[book][3], CITED[book][4])


def test_the_school_event_without_rules_on_it_leaves_it_to_the_organisers():
    rules = edition("escolar-br").rules()
    for ruling in (
        opened(rules, Sealed(fault="illegal"), "white", opponent_can_mate="yes"),
        late(rules, "white", "black", None, HOUR * 2),
        lost(rules, "white"),
    ):
        assert (ruling.key, ruling.result, ruling.for_arbiter) == ("adjourn_arbiter", None, True)
        assert ruling.edition == "escolar-br"
    legal = opened(rules, sealed("f3e5", OPEN), "white", opponent_can_mate="yes")
    assert legal.must_play == "f3e5"
