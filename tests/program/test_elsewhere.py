# SPDX-License-Identifier: GPL-3.0-or-later
"""A game of a file goes on in the installed program, and its record can be gone on with again."""

import io

import chess.pgn
from support.program import QUIET, confirmed, run, script

PGN = '[Event "Open"]\n[White "Ana"]\n[Black "Rui"]\n[Result "*"]\n\n1. e4 e5 2. Qh5 {[%clk 0:04:50]} Nc6 *\n'


def play(tmp_path, *options, typed):
    return run(tmp_path, "play", "--opponent", "human", "--language", "en", *QUIET, *options, typed=typed)[0]


def test_a_game_goes_on_from_a_file_and_from_its_own_record(tmp_path):
    path = tmp_path / "begun.pgn"
    path.write_text(PGN, "utf-8")
    said = play(tmp_path, "--from", path, typed=confirmed("Bc4", "Nf6", yes="yes"))
    assert "2, Black: Springer Bella acht Cesar sechs." in said
    assert run(tmp_path, "games", "--language", "en")[0][0].endswith("Ana against Rui, not finished, 3 moves")
    record = tmp_path / "kept.pgn"
    run(tmp_path, "record", "1", "-o", record)

    said = play(
        tmp_path, "--from", record, "--at", "4", typed=confirmed("Qxf7", yes="yes") + script("stop", "yes")
    )
    assert "The game is over: White wins, checkmate" in " ".join(said)
    game = chess.pgn.read_game(io.StringIO("\n".join(run(tmp_path, "record", "2")[0])))
    assert " ".join(game.board().variation_san(game.mainline_moves()).split()) == (
        "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#"
    )
    assert (game.headers["Event"], game.headers["White"], game.headers["Result"]) == ("Open", "Ana", "1-0")


def test_a_game_from_a_file_can_be_stopped_and_resumed(tmp_path):
    path = tmp_path / "begun.pgn"
    path.write_text(PGN, "utf-8")
    play(tmp_path, "--from", path, typed=confirmed("Bc4", yes="yes"))
    said, _ = run(tmp_path, "resume", *QUIET, typed=script("last move", "stop", "yes"))
    assert "3, White: Läufer Felix eins Cesar vier." in said


def test_a_file_that_cannot_be_gone_on_with_is_one_sentence_and_no_game(tmp_path):
    path = tmp_path / "cut.pgn"
    path.write_text(PGN.replace(" Nc6 *", " Nc"), "utf-8")
    said, errors = run(tmp_path, "play", "--from", path, *QUIET, status=2)
    assert said == []
    assert len(errors) == 1
    assert run(tmp_path, "games", "--language", "en")[0] == [
        "There are no games yet. Begin one with: acessivel play"
    ]
