# SPDX-License-Identifier: GPL-3.0-or-later
"""How a game ended, in PGN: its tag Termination, and a comment where the moves do not show it."""

from __future__ import annotations

import io

import chess.pgn
import pytest
from support.happening import happen, hear

from acessivel.game.game import Setup
from acessivel.game.results import termination
from acessivel.messages.rendering import Renderer
from acessivel.records import pgn, pgn_files, readers
from acessivel.session import events as ev
from acessivel.session import state as session
from acessivel.session.step import step
from acessivel.storage.stored_game import Stored

KNIGHTS = "Nf3 Nf6 Ng1 Ng8".split()
MINUTE = 60_000


def played(*words, at=0, **setup):
    state, _ = step(session.State.new(Setup.of(language="en", **setup)), ev.Started())
    state, _ = step(state, ev.SpeechEnded())
    for word in words:
        state, _ = hear(state, ev.Heard(words=(word,)))
    return happen(state, ev.Tick(at=at))[0]


def moves(*announced):
    return tuple(word for move in announced for word in (move, "yes"))


def written(state):
    return chess.pgn.read_game(io.StringIO(pgn.pgn(state.setup, state.game, "2026-11-22")))


def test_games_that_are_written_one_after_the_other_are_one_file():
    states = [played(*moves("e4"), "resign", "yes"), played(*moves("d4", "d5"))]
    joined = "".join(pgn.pgn(state.setup, state.game, "2026-11-22") for state in states)
    found = pgn_files.games(io.BytesIO(joined.encode()))
    assert [[move.uci() for move in game.mainline_moves()] for game in found] == [["e2e4"], ["d2d4", "d7d5"]]
    assert joined.endswith("*\n\n")


ILLEGAL = ("knight f5", "g1", "yes", "knight f5", "yes")  # the touched one, the second time
LATE = ("arbiter", "yes", "9", "9", "1", "3 0", "yes")
ENDINGS = [
    # what is agreed, what is said, PGN's word for the ending
    ({}, moves("f3", "e5", "g4", "Qh4"), "normal"),
    ({}, ("resign", "yes"), "normal"),
    ({"clock": "5"}, (), "time forfeit"),
    ({"clock": "90", "strict": True}, ILLEGAL, "rules infraction"),
    ({"default_time": 15}, (*LATE, "1", "yes"), "rules infraction"),
    ({"default_time": 15, "supervised": False}, LATE, "rules infraction"),
    ({"laws": "escolar-br"}, ("arbiter", "yes", "9", "8", "1", "yes"), "abandoned"),
    ({}, ("arbiter", "yes", "5", "1", "yes"), "adjudication"),
    ({}, moves(*KNIGHTS * 4), "normal"),
]


@pytest.mark.parametrize(("setup", "words", "wanted"), ENDINGS)
def test_how_a_game_ended_is_told_in_pgn_s_own_words(setup, words, wanted):
    state = played(*words, at=5 * MINUTE if "clock" in setup and not words else 0, **setup)
    assert state.game.result is not None
    assert written(state).headers["Termination"] == wanted


@pytest.mark.parametrize("fen", ["r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", None])
def test_a_game_that_both_have_lost_ends_with_no_move_that_nobody_made(fen):
    """PGN has no such result: "0-0" at its end would be castling, or could not be read."""
    state = played(*moves("e4", "e5"), "arbiter", "yes", "5", "4", "yes", fen=fen)
    assert state.game.result.score == "0-0"
    game = written(state)
    assert not game.errors
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5"]
    assert game.headers["Result"] == "*"
    assert game.end().comment.endswith("0-0")
    (kept,) = readers.of_journal(Stored(1, "2026-11-22", state, 1))
    assert list(kept.game.mainline_moves()) == list(game.mainline_moves())


def test_an_unfinished_game_is_unterminated():
    assert written(played(*moves("e4"))).headers["Termination"] == "unterminated"
    assert termination(None) == "unterminated"


@pytest.mark.parametrize(
    ("fen", "announced", "article"),
    [
        (None, KNIGHTS * 4, "9.6.1"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 149 80", ["Ra2"], "9.6.2"),
        ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", ["Kxd2"], "5.2.2"),
    ],
)
def test_a_draw_that_nobody_claims_or_decides_is_explained_in_a_comment(fen, announced, article):
    state = played(*moves(*announced), fen=fen)
    comment = " ".join(written(state).end().comment.split())
    assert comment == pgn.text(state.setup, state.game, "2026-11-22").splitlines()[-1].removeprefix(
        "1/2-1/2 "
    )
    assert article in comment


def test_what_follows_an_illegal_move_that_stands_is_told_in_order():
    warned, resigned = ("arbiter", "yes", "1", "2", "yes"), ("resign", "yes")
    words = ("Ke3", "yes", *moves("Nf6"), *warned, *moves("Nf3"), *resigned)
    state = played(*moves("e4", "e5"), *words, clock="90", strict=True, supervised=False)
    told = [Renderer("en").text(note.message) for note in state.game.notes]
    comment = " ".join(written(state).end().comment.split())
    assert comment == f"[%clk 1:30:00] 2.Ke1e3 2...Nf6 {told[0]} 3.Nf3 {told[1]}"


def test_what_the_board_shows_needs_no_comment():
    mated = played(*moves("f3", "e5", "g4", "Qh4"))
    assert written(mated).end().comment == ""


def test_whatever_is_in_a_name_the_head_of_a_scoresheet_is_two_lines_without_control_characters():
    setup = Setup.of(language="en", white="A\nna\x1b[2J", black="B\u2028ob")
    head = ["A na [2J - B ob", "2026-11-22"]
    text = pgn.text(setup, session.State.new(setup).game, "2026-11-22")
    assert text.splitlines() == [*head, "*"]
    record = chess.pgn.Game()
    record.headers.update({"White": "A\nna\x1b[2J", "Black": "B\u2028ob", "Date": "2026-11-\r22"})
    assert pgn.scoresheet(record, "en").splitlines()[:2] == [head[0], "2026-11- 22"]
