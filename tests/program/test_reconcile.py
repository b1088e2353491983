# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel reconcile` by the installed program."""

from support.program import run

QUIET = ("--language", "en", "--speak", "off", "--braille", "off")
PGN = '[White "A"]\n[Black "B"]\n\n1. e4 {[%clk 0:10:00]} e5 {[%clk 0:09:00]} 2. Nf3 {[%clk 0:08:00]} *\n'


def test_pgn_and_scoresheet(tmp_path):
    one, two = tmp_path / "a.pgn", tmp_path / "b.txt"
    one.write_text(PGN)
    two.write_text("1. e2-e4 e7-e5\n2. Bg5\n")
    lines, _ = run(tmp_path, "reconcile", one, two, *QUIET)
    text = "\n".join(lines)
    assert "agree up to move 1 of Black, " in text
    assert "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" in text
    assert "10 minutes" in text
    assert "9 minutes" in text
    assert "Bg5, which is illegal: " in text
    assert lines[-1].startswith("Play goes back")


def test_bad_input_is_one_sentence_with_file_and_line(tmp_path):
    one, two = tmp_path / "a.pgn", tmp_path / "b.txt"
    one.write_text(PGN)
    two.write_text("1. e4 e5\n2. hello\n")
    _, errors = run(tmp_path, "reconcile", one, two, *QUIET, status=2)
    assert errors == [f"{two}: Line 2: hello is no move. Correct it."]
    _, errors = run(tmp_path, "reconcile", one, tmp_path / "c.txt", *QUIET, status=2)
    assert len(errors) == 1
