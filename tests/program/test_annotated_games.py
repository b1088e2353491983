# SPDX-License-Identifier: GPL-3.0-or-later
"""Games as annotators and other programs write them: passes, and beginnings that cannot be played from."""

import pytest
from support.program import QUIET, run, script

EN = ("--language", "en")
IN_A_VARIATION = '[White "a"]\n\n1. e4 e5 (1... -- 2. d4) 2. Nf3 *\n'
IN_THE_MAIN_LINE = '[White "a"]\n\n1. e4 Z0 2. d4 d5 3. 0000 *\n'
CHESS960 = '[Variant "Chess960"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *\n'
NO_KINGS = '[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*\n'
KINGS = '[SetUp "1"]\n[FEN "kk6/8/8/8/8/8/P7/KK6 w - - 0 1"]\n\n1. a3 *\n'


@pytest.fixture
def file(tmp_path):
    def written(text):
        path = tmp_path / "game.pgn"
        path.write_text(text)
        return path

    return written


@pytest.mark.parametrize(
    ("text", "typed", "told"),
    [
        (
            IN_A_VARIATION,
            script("forward", "forward", "variation", "repeat", "last move", "forward", "main line"),
            [
                "1, Black: Bauer Eva sieben Eva fünf.",
                "Variation 1: Black passes.",
                "1, Black: passes.",
                "1, Black: passes.",
                "1, White: Bauer Eva zwei Eva vier.",
                "2, White: Bauer David zwei David vier.",
                "End of the variation.",
            ],
        ),
        (
            IN_THE_MAIN_LINE,
            script("forward", "forward", "move 3", "where is the king", "back"),
            [
                "1, White: Bauer Eva zwei Eva vier.",
                "1, Black: passes.",
                "3, White: passes.",
                "The record ends here, without a result.",
                "2, Black: Bauer David sieben David fünf.",
            ],
        ),
    ],
)
def test_a_side_that_passes_is_told_in_a_replay(tmp_path, file, text, typed, told):
    lines, errors = run(tmp_path, "replay", file(text), *EN, *QUIET, typed=typed)
    assert errors == []
    rest = iter(lines)
    for expected in told:
        assert expected in rest, (expected, lines)


def test_a_pass_in_check_is_a_mistake_of_the_file(tmp_path, file):
    path = file("1. e4 f6 2. d3 g5 3. Qh5 -- *\n")
    _, errors = run(tmp_path, "replay", path, *EN, *QUIET, status=2)
    assert errors == [
        "Game 1, line 1: -- is not a possible move there, or cannot be understood. Correct the file."
    ]


PLAY = ("play", "--opponent", "human", *EN, *QUIET, "--from")
PASSES = "In game 1, Black passes at move 1, which no rule allows: with --at, go on from that move or an earlier one."


def test_a_game_goes_on_from_before_a_pass_and_not_from_after_it(tmp_path, file):
    path = file(IN_THE_MAIN_LINE)
    for at in ((), ("--at", "2")):
        assert run(tmp_path, *PLAY, path, *at, status=2) == ([], [PASSES])
    lines, _ = run(tmp_path, *PLAY, path, "--at", "1...")
    assert any("Black to move" in line for line in lines)
    run(tmp_path, *PLAY, file(IN_A_VARIATION))


def test_two_records_agree_up_to_a_pass(tmp_path, file):
    path = file(IN_THE_MAIN_LINE)
    lines, _ = run(tmp_path, "reconcile", path, path, *EN, *QUIET[2:])
    assert lines[0] == f"{path}: move 1 of Black is --, which cannot be understood as a move."
    assert lines[2] == "The records agree up to move 1 of White, Bauer Eva zwei Eva vier."


@pytest.mark.parametrize("drill", ["follow", "repeat"])
@pytest.mark.parametrize("text", [IN_THE_MAIN_LINE, IN_A_VARIATION, CHESS960])
def test_a_drill_takes_a_game_as_far_as_both_sides_move(tmp_path, file, drill, text):
    lines, errors = run(
        tmp_path, "practice", drill, "--from", file(text), *EN, *QUIET, typed=script(*"abcdefgh")
    )
    assert (lines[-1], errors) == ("Goodbye.", [])


def test_an_annotation_glyph_of_thousands_of_digits_is_no_pgn(tmp_path, file):
    _, errors = run(tmp_path, "record", file(f"1. e4 ${'9' * 5000} e5 *\n"), *EN, status=2)
    assert len(errors) == 1


@pytest.mark.parametrize(
    "solution", ["bm --", "bm 1.5", "bm 12", "pv 0.1", 'bm "x"', "bm", "dm x", "pv --; bm e3"]
)
def test_what_solves_nothing_is_no_solution(tmp_path, solution):
    path = tmp_path / "exercise.epd"
    path.write_text(f"4k3/8/8/8/8/8/4P3/4K3 w - - {solution};\n")
    _, errors = run(tmp_path, "practice", "tactics", "--from", path, *EN, *QUIET, status=2)
    assert len(errors) == 1


@pytest.mark.parametrize(
    "command",
    [
        ("replay", "FILE", *QUIET),
        ("play", "--opponent", "human", *QUIET, "--from", "FILE"),
        ("play", "--opponent", "human", *QUIET, "--from", "FILE", "--at", "1"),
        ("reconcile", "FILE", "FILE", *QUIET[2:]),
        ("practice", "follow", *QUIET, "--from", "FILE"),
        ("practice", "tactics", *QUIET, "--from", "FILE"),
    ],
)
def test_a_beginning_that_cannot_be_played_from_is_one_sentence(tmp_path, file, command):
    for text in (NO_KINGS, KINGS):
        words = [str(file(text)) if word == "FILE" else word for word in command]
        _, errors = run(tmp_path, *words, *EN, status=2)
        assert len(errors) == 1
    if "tactics" not in command:  # a game of Chess960 without a FEN begins like any other
        words = [str(file(CHESS960)) if word == "FILE" else word for word in command]
        run(tmp_path, *words, *EN)
