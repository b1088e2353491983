# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel reconcile` by the installed program."""

import re

import pytest
from support.program import confirmed, run

from braille import patterns
from braille.notation import load_code

QUIET = ("--language", "en", "--speak", "off", "--braille", "off")
PGN = '[White "A"]\n[Black "B"]\n\n1. e4 {[%clk 0:10:00]} e5 {[%clk 0:09:00]} 2. Nf3 {[%clk 0:08:00]} *\n'


def test_pgn_and_scoresheet(tmp_path):
    one, two = tmp_path / "a.pgn", tmp_path / "b.txt"
    one.write_text(PGN)
    two.write_text("1. e2-e4 e7-e5\n2. Bg5\n")
    lines, _ = run(tmp_path, "reconcile", one, two, *QUIET)
    text = "\n".join(lines)
    assert lines[0].startswith(f"{two}: move 2 of White is Bg5, which is illegal: ")
    assert lines[1] == f"{one}: move 2 of White is Nf3."
    assert lines[2].startswith("The records agree up to move 1 of Black, ")
    assert "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" in text
    assert "10 minutes" in text
    assert "9 minutes" in text
    assert lines[-1].startswith("Play goes back")


def test_bad_input_is_one_sentence_with_file_and_line(tmp_path):
    one, two = tmp_path / "a.pgn", tmp_path / "b.txt"
    one.write_text(PGN)
    two.write_text("1. e4 e5\n2. hello\n")
    _, errors = run(tmp_path, "reconcile", one, two, *QUIET, status=2)
    assert errors == [f"{two}: Line 2: hello is not a move. Correct it."]
    two.write_text("1. hello\n2. Nf3 Nc6\n")
    _, errors = run(tmp_path, "reconcile", one, two, *QUIET, status=2)
    assert errors[0].startswith(f"{two}: Line 2: the number 2 is out of order.")
    _, errors = run(tmp_path, "reconcile", one, tmp_path / "c.txt", *QUIET, status=2)
    assert len(errors) == 1


GAME = "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4".split()


def pgn(*games):
    texts = (f'[White "A{n}"]\n[Black "B{n}"]\n\n{" ".join(game)} *\n' for n, game in enumerate(games, 1))
    return "\n".join(texts)


@pytest.mark.parametrize(("kind", "format_"), [("brf", "brf"), ("pef", "pef"), ("txt", "unicode")])
def test_braille_of_every_kind_against_a_game_of_the_journal(tmp_path, kind, format_):
    source, record = tmp_path / "a.pgn", tmp_path / f"b.{kind}"
    source.write_text(pgn([*GAME[:5], "d6"]))
    run(tmp_path, "record", source, "--format", format_, "--code", "uk", "-o", record)
    save = ("--save", tmp_path / "games")
    played = ("e4", "e5", "Nf3", "Nf6", "d4", "exd4")
    run(
        tmp_path,
        "play",
        "--opponent",
        "human",
        *QUIET,
        "--hear",
        "keyboard",
        *save,
        typed=confirmed(*played, yes="yes"),
    )
    lines, errors = run(tmp_path, "reconcile", 1, record, "--code", "uk", *QUIET, *save)
    assert errors == []
    assert lines[0] == f"Move 3 of Black differs: 1 has exd4, {record} has d6."
    assert lines[1].startswith("The records agree up to move 3 of White")


def test_an_illegal_move_of_pgn_is_told_as_that_record_s(tmp_path):
    one, two = tmp_path / "a.pgn", tmp_path / "b.pgn"
    one.write_text(pgn([*GAME[:4], "Bg5", "d6"]))
    two.write_text(pgn(GAME))
    lines, errors = run(tmp_path, "reconcile", one, two, *QUIET)
    assert errors == []
    assert lines[0].startswith(f"{one}: move 3 of White is Bg5, which is illegal: ")
    assert lines[1] == f"{two}: move 3 of White is d4."
    assert lines[2].startswith("The records agree up to move 2 of Black")


def test_an_illegal_move_of_braille_is_told_as_that_record_s(tmp_path):
    one, two, braille = tmp_path / "a.pgn", tmp_path / "b.pgn", tmp_path / "b.txt"
    one.write_text(pgn(GAME))
    two.write_text(pgn([*GAME[:4], "Bc4"]))
    run(tmp_path, "record", two, "--format", "unicode", "--code", "uk", "-o", braille)
    code = load_code("uk")
    legal, wrong = (patterns.pattern(code.move(san)) for san in ("Bc4", "Bg5"))
    text = braille.read_text("utf-8")
    assert text.count(legal) == 1
    braille.write_text(text.replace(legal, wrong), "utf-8")
    lines, errors = run(tmp_path, "reconcile", one, braille, "--code", "uk", *QUIET)
    assert errors == []
    assert lines[0].startswith(f"{braille}: move 3 of White is Bg5, which is illegal: ")


def test_a_game_of_a_file_is_chosen_by_its_number(tmp_path):
    one, two = tmp_path / "a.pgn", tmp_path / "b.pgn"
    one.write_text(pgn(["d4"], GAME))
    two.write_text(pgn(GAME))
    lines, _ = run(tmp_path, "reconcile", one, two, "--game", 2, *QUIET)
    assert lines == [f"The two records agree to their end: {len(GAME)} half-moves."]
    _, errors = run(tmp_path, "reconcile", one, two, "--game", 3, *QUIET, status=2)
    assert errors == [f"{one} has 2 games: choose a number from 1 to 2."]


def test_the_squares_are_told_in_the_words_of_the_convention(tmp_path):
    one, two = tmp_path / "a.pgn", tmp_path / "b.pgn"
    one.write_text(pgn(GAME))
    two.write_text(pgn(GAME[:1]))
    lines, _ = run(tmp_path, "reconcile", one, two, "--convention", "nato", *QUIET)
    assert lines[0] == f"{two} ends before move 1 of Black."
    assert "Echo" in lines[2]


def test_the_game_goes_on_from_the_agreed_position_with_the_arbiter_s_clocks(tmp_path):
    one, two = tmp_path / "a.pgn", tmp_path / "b.pgn"
    one.write_text(pgn(GAME[:5]))
    two.write_text(pgn([*GAME[:4], "Bc4"]))
    save = ("--save", tmp_path / "games")
    times = ("--white-time", "0:31:00", "--black-time", "29:30", "--clock", "60+30")
    options = ("--resume", *times, *QUIET, "--hear", "keyboard", *save)
    typed = confirmed("d4", yes="yes")
    lines, errors = run(tmp_path, "reconcile", one, two, *options, typed=f"clock\n{typed}")
    assert errors == []
    told = " ".join(lines)
    assert re.search(r"White has (31 minutes|30 minutes 5\d seconds) left", told)
    assert "Black has 29 minutes 30 seconds left" in told
    assert "White to move, move 3." in lines
    record = " ".join(run(tmp_path, "record", 1, *save)[0])
    assert f'[Source "{one} + {two} (4)"]' in record
    assert "3. d4" in record
    lines, _ = run(tmp_path, "resume", 1, *save, "--speak", "off", "--braille", "off", "--hear", "keyboard")
    assert "Black to move, move 3." in lines


def test_a_game_of_the_journal_goes_on_with_the_clock_that_is_named(tmp_path):
    save = ("--save", tmp_path / "games")
    human = ("--opponent", "human", *QUIET, "--hear", "keyboard", *save)
    run(tmp_path, "play", *human, "--clock", "60+0", typed=confirmed("e4", yes="yes"))
    times = ("--white-time", "31:00", "--black-time", "1:02:30")
    options = ("--resume", *times, *QUIET, "--hear", "keyboard", *save)
    run(tmp_path, "reconcile", 1, 1, *options, "--clock", "90+30", typed=confirmed("e5", yes="yes"))
    run(tmp_path, "reconcile", 1, 1, *options, typed="")
    records = ["\n".join(run(tmp_path, "record", number, *save)[0]) for number in (2, 3)]
    assert '[TimeControl "5400+30"]' in records[0]
    assert '[TimeControl "3600"]' in records[1]


def test_times_that_are_none_are_refused(tmp_path):
    one = tmp_path / "a.pgn"
    one.write_text(pgn(GAME))
    both = ("--white-time", "10:00", "--black-time", "10:00")
    for wrong in (("--white-time", "soon"), ("--white-time", "10:00"), (*both, "--clock", "soon")):
        _, errors = run(tmp_path, "reconcile", one, one, "--resume", *wrong, *QUIET, status=2)
        assert len(errors) == 1


def braille(path, game, code):
    source = path.with_suffix(".pgn")
    source.write_text(pgn(game))
    run(path.parent, "record", source, "--format", "unicode", "--code", code, "-o", path)
    return path


def test_each_record_has_its_code_or_both_have_one(tmp_path):
    one, two = braille(tmp_path / "a.txt", GAME, "uk"), braille(tmp_path / "b.txt", GAME, "de6")
    agree = [f"The two records agree to their end: {len(GAME)} half-moves."]
    lines, errors = run(tmp_path, "reconcile", one, two, "--code", "uk", "--code", "de6", *QUIET)
    assert (lines, errors) == (agree, [])
    assert run(tmp_path, "reconcile", two, two, "--code", "de6", *QUIET)[0] == agree
    three = ("--code", "uk", "--code", "de6", "--code", "pt6")
    _, errors = run(tmp_path, "reconcile", one, two, *three, *QUIET, status=2)
    assert len(errors) == 1
    assert "--code" in errors[0]
    _, errors = run(tmp_path, "reconcile", one, two, "--code", "de6", "--code", "uk", *QUIET, status=2)
    assert "de6" in errors[0]


def test_after_mate_nobody_is_to_move(tmp_path):
    one, two = tmp_path / "a.pgn", tmp_path / "b.pgn"
    mate = "f3 e5 g4 Qh4#".split()
    one.write_text(pgn(mate))
    two.write_text(pgn([*mate, "Kf2"]))
    lines, _ = run(tmp_path, "reconcile", one, two, *QUIET)
    assert lines[0].startswith(f"{two}: move 3 of White is Kf2, which is illegal: ")
    assert lines[1] == f"{one} ends before move 3 of White."
    assert "The position on which they agree, where the game is over:" in lines
    assert not any("White to move" in line for line in lines)
