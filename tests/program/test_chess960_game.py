# SPDX-License-Identifier: GPL-3.0-or-later
"""A game of Chess960 against the engine, castled by voice's words, interrupted and gone on with."""

import chess.pgn
import pytest
from support.program import QUIET, game_of, run, script

from acessivel.devices.engine import find_engine

needs_engine = pytest.mark.skipif(not find_engine(), reason="no Stockfish here")
# King and rook stand beside each other: castling changes their places, and is the king's capture in UCI.
FEN = "5k1r/pppppppp/8/8/8/8/PPPPPPPP/5KR1 w Gh - 0 1"


@needs_engine
@pytest.mark.parametrize("castles", ["kurze Rochade", "O-O", "f1g1"])
def test_castling_against_the_engine_and_going_on_in_a_new_run(tmp_path, castles):
    save = tmp_path / "games"
    options = ("--opponent", "engine", "--level", "1", "--language", "de", "--variant", "chess960")
    lines, _ = run(
        tmp_path, "play", *QUIET, *options, "--fen", FEN, "--save", save, typed=script(castles, "ja")
    )
    assert "1, Weiß: Kurze Rochade." in lines
    game = game_of(tmp_path, save)
    assert game.headers["Variant"] == "Chess960"
    played = list(game.mainline_moves())
    assert len(played) == 2  # the engine has answered the castling
    assert game.end().board().king(chess.WHITE) == chess.G1
    lines, _ = run(tmp_path, "resume", *QUIET, "--save", save, typed=script("a3", "ja", "Stellung"))
    assert any("Weiß: Bauer Anna zwei Anna drei" in line for line in lines)
    game = game_of(tmp_path, save)
    assert game.board() == chess.Board(FEN, chess960=True)
    assert list(game.mainline_moves())[:2] == played
    assert len(list(game.mainline_moves())) == 4
