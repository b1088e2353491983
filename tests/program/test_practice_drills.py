# SPDX-License-Identifier: GPL-3.0-or-later
"""Each drill by the installed program: typed, by voice, and on the hardware of a Braille display."""

import json
import re
from random import Random

import chess
import chess.engine
import numpy as np
import pytest
import soundfile
from support.brltty import VirtualBrltty, needs_brltty
from support.program import QUIET, Running, run, script
from support.talking import Talking

from acessivel.devices.engine import find_engine
from acessivel.drills import colours, elementary_mates
from acessivel.drills.results import FILE_NAME
from braille.notation import load_code
from voices.meaning import Place
from voices.speakers.synthesis import synthesise
from voices.understanding.meanings import read
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

ENGLISH = ("--language", "en", *QUIET)
LETTERS = (*ENGLISH, "--convention", "letters")
FIDE = dict(zip("abcdefgh", "Anna Bella Cesar David Eva Felix Gustav Hector".split(), strict=True))
RANKS = dict(zip("12345678", "eins zwei drei vier fünf sechs sieben acht".split(), strict=True))
RATE = 22_050
LIGHT = 0b100  # an empty light square: dot 3


def chance(seed):
    return Random(seed)  # noqa: S311


def practise(home, *arguments):
    return Talking(home, "practice", *arguments, "--save", home / "games")


def results(home):
    lines, _ = run(home, "practice", "progress", "--json", "--save", home / "games")
    return json.loads(lines[0])


def is_light(square):
    return chess.parse_square(square) in chess.SquareSet(chess.BB_LIGHT_SQUARES)


def finish(program, told):
    program.wait_for(told)
    program.close(status=0)


def test_colours(tmp_path):
    with practise(tmp_path, "colours", *LETTERS, "--questions", "4") as program:
        for number in range(4):
            square, colour = re.fullmatch(
                r"Is (\w\d) a (light|dark) square\?", program.wait_for("square?")
            ).groups()
            right = is_light(square) == (colour == "light")
            program.type("yes" if right == (number != 2) else "no")  # the third is answered wrong
            program.wait_for("Wrong." if number == 2 else "Right.")
        finish(program, "Right: 3 of 4")
    (kept,) = results(tmp_path)
    assert (kept["drill"], kept["right"], kept["of"]) == ("colours", 3, 4)
    assert set(kept) == {"drill", "date", "right", "of", "seconds"}


@pytest.mark.parametrize("piece", ["knight", "king"])
def test_targets(tmp_path, piece):
    with practise(tmp_path, "targets", "--piece", piece, *LETTERS, "--questions", "2") as program:
        for _ in range(2):
            line = program.wait_for("on an empty board")
            square = re.match(rf"{piece.capitalize()} on (\w\d), ", line)[1]
            kind = chess.KNIGHT if piece == "knight" else chess.KING
            board = chess.Board(None)
            board.set_piece_at(chess.parse_square(square), chess.Piece(kind, chess.WHITE))
            goals = [chess.square_name(goal) for goal in board.attacks(chess.parse_square(square))]
            assert line.endswith(f"{len(goals)}.")
            for goal in goals:
                program.type(goal)
            program.wait_for("Right.")
        finish(program, "Right: 2 of 2")


def test_squares_by_anna_to_hector(tmp_path):
    with practise(tmp_path, "squares", *ENGLISH, "--questions", "6") as program:
        for _ in range(6):
            asked, square = re.fullmatch(r"(.*): (.*)\?", program.wait_for("?")).groups()
            if asked == "In the words of the FIDE rules":
                program.type(f"{FIDE[square[0]]} {RANKS[square[1]]}")
            else:
                file, rank = square.split()
                program.type(f"{file[0].lower()}{dict(map(reversed, RANKS.items()))[rank]}")
            program.wait_for("Right.")
        finish(program, "Right: 6 of 6")


def test_repeating(tmp_path):
    with practise(tmp_path, "repeat", *ENGLISH, "--questions", "3") as program:
        for _ in range(3):
            program.type(program.wait_for("Repeat: ").removeprefix("Repeat: ").removesuffix("."))
            program.wait_for("Right.")
        finish(program, "Right: 3 of 3")


def test_following_a_game_of_a_file(tmp_path):
    pgn = tmp_path / "mine.pgn"
    pgn.write_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. d4 exd4 6. Qxd4 Qxd4 7. Nxd4 c5 *\n")
    board = chess.Board()
    with practise(tmp_path, "follow", "--from", pgn, *LETTERS, "--questions", "4") as program:
        for _ in range(4):
            line = program.wait_for("")
            while not line.endswith("?"):
                if line.startswith("A new game"):
                    board.reset()
                elif re.match(r"\d", line):
                    for move in re.split(r"[,;]", line):
                        board.push_uci("".join(re.findall(r"[a-h][1-8]", move)))
                line = program.wait_for("")
            if found := re.fullmatch(r"Which piece is on (\w\d)\?", line):
                program.type(chess.piece_name(board.piece_type_at(chess.parse_square(found[1]))))
            else:
                colour, piece = re.fullmatch(r"(White|Black), (\w+): on which square\?", line).groups()
                kind = chess.PIECE_NAMES.index(piece)
                program.type(chess.square_name(min(board.pieces(kind, colour == "White"))))
            program.wait_for("Right.")
        finish(program, "Right: 4 of 4")


def test_tactics_of_a_file(tmp_path):
    epd = tmp_path / "mine.epd"
    epd.write_text("7k/8/8/8/8/8/8/R3K3 w - - bm Ra7 Ra6;\n6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1;\n")
    with practise(tmp_path, "tactics", "--from", epd, *LETTERS) as program:
        for _ in range(2):
            program.type("Ra8#" if "mate in one" in program.wait_for(" to move: ") else "Ra6")
            program.wait_for("Right.")
        finish(program, "Right: 2 of 2")


def test_a_mate_in_two_with_its_answer(tmp_path):
    epd = tmp_path / "two.epd"
    epd.write_text("7k/8/8/8/8/8/R7/1R2K3 w - - bm Ra7; dm 2; pv Ra7 Kg8 Rb8#;\n")
    with practise(tmp_path, "tactics", "--from", epd, *LETTERS) as program:
        program.wait_for("mate in 2 moves")
        program.type("Ra7")
        program.wait_for("The answer is king h8 g8")
        program.wait_for("mate in one")
        program.type("Rb8")
        finish(program, "Right: 1 of 1")


@pytest.mark.skipif(not find_engine(), reason="Stockfish is not installed")
def test_king_and_queen_against_the_engine(tmp_path):
    board = chess.Board(elementary_mates.position(chance(5), "queen").fen)
    engine = chess.engine.SimpleEngine.popen_uci(find_engine())
    try:
        with practise(tmp_path, "mate-queen", "--seed", "5", *ENGLISH) as program:
            program.wait_for(
                "Your task, with White: king and queen against the engine: mate within 50 moves."
            )
            queen = Place(*chess.square_name(next(iter(board.pieces(chess.QUEEN, chess.WHITE)))))
            assert f"queen {phrasing('fide', 'en').place(queen, spoken=False)}" in program.wait_for("White: ")
            program.wait_for("White to move")
            while not board.is_game_over():
                move = engine.play(board, chess.engine.Limit(depth=16)).move
                program.type(move.uci())
                program.wait_for("?")
                program.type("yes")
                board.push(move)
                if board.is_game_over():
                    break
                said = program.wait_for(", Black: ").split(": ", 1)[1]
                target = read(said.rstrip("."), "en")[0].meaning
                board.push_uci(f"{target.origin}{target.target}")
            assert board.is_checkmate()
            program.close(status=0)  # the game is over, and left
            program.wait_for("Right: 1 of 1")
    finally:
        engine.quit()
    (kept,) = results(tmp_path)
    assert (kept["drill"], kept["right"], kept["of"]) == ("mate-queen", 1, 1)


def test_an_ending_that_is_left_does_not_count(tmp_path):
    if not find_engine():
        pytest.skip("Stockfish is not installed")
    lines, _ = run(
        tmp_path, "practice", "mate-rook", *ENGLISH, "--save", tmp_path, typed=script("stop", "yes")
    )
    assert any(line.startswith("The game is kept, but this round does not count any more") for line in lines)
    assert not (tmp_path / FILE_NAME).exists()


def test_correction_strikes_out_an_answer(tmp_path):
    lines, _ = run(
        tmp_path, "practice", "colours", "--seed", 3, *ENGLISH, "--save", tmp_path,
        typed=script("yes", "correction", "no", "stop"),
    )  # fmt: skip
    assert "The last answer does not count." in lines
    assert any(line.startswith("Right: ") and " of 1," in line for line in lines)


# By voice


def recorded(folder, words):
    sounds = [np.zeros(RATE, dtype="float32")]
    for said in words:
        synthesise(said, folder / "utterance.wav", "de")
        sounds += [soundfile.read(folder / "utterance.wav", dtype="float32")[0]]
        sounds += [np.zeros(2 * RATE, dtype="float32")]
    soundfile.write(folder / "recording.wav", np.concatenate(sounds), RATE)
    return folder / "recording.wav"


def test_colours_by_voice(tmp_path):
    asked = colours.questions(chance(11))
    right = [is_light(str(q.square)) == q.light for q in (next(asked) for _ in range(4))]
    recording = recorded(tmp_path, ["ja" if yes else "nein" for yes in right])
    lines, errors = run(
        tmp_path, "practice", "colours", "--seed", 11, "--questions", 4, "--microphone", recording,
        "--hear", "pocketsphinx", "--speak", "off", "--braille", "off", "--language", "en", "--save", tmp_path,
    )  # fmt: skip
    assert errors == []
    assert sum(line.startswith("Heard: ") for line in lines) == 4
    assert any(line.startswith("Right: 4 of 4") for line in lines), lines


# In Braille


@needs_brltty
def test_colours_on_a_display(tmp_path):
    """Everything is read from the cells; enter says yes, escape says no."""
    code = load_code("en8")
    asked = colours.questions(chance(2))
    questions = [next(asked) for _ in range(3)]
    with VirtualBrltty(columns=80) as display:
        options = (
            "--language",
            "en",
            "--convention",
            "letters",
            "--hear",
            "keyboard",
            "--speak",
            "off",
            "--braille",
            "brlapi",
        )
        arguments = ("colours", "--seed", "2", "--questions", "3", "--save", tmp_path / "games")
        with Running(tmp_path, "practice", *arguments, *options, **display.env) as program:
            for question in questions:
                wanted = code.text(f"{question.square} a {'light' if question.light else 'dark'}")
                seek(display, wanted)
                yes = is_light(str(question.square)) == question.light
                display.press("KEY_ENTER" if yes else "KEY_ESCAPE")
                program.wait_for("Right")
            program.process.stdin.close()
            program.close(status=0)
    assert [(kept["right"], kept["of"]) for kept in results(tmp_path)] == [(3, 3)]


@needs_brltty
def test_a_mate_is_pointed_at_on_a_display(tmp_path):
    """With the routing keys over its two squares, panned to."""
    epd = tmp_path / "mine.epd"
    epd.write_text("6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1;\n")
    code = load_code("en8")
    first, eighth = (*code.text("1"), *code.text("R")), (*code.text("8"), LIGHT)
    with VirtualBrltty(columns=80) as display:
        options = ("--language", "en", "--hear", "keyboard", "--speak", "off", "--braille", "brlapi")
        arguments = ("tactics", "--from", epd, "--save", tmp_path / "games")
        with Running(tmp_path, "practice", *arguments, *options, **display.env) as program:
            program.wait_for("mate in one")
            display.press(f"ROUTE {seek(display, first) + 1}")
            program.wait_for("From Anna eins")
            display.wait_for(lambda cells: place(cells, code.text("From")) is not None)
            display.press(f"ROUTE {seek(display, eighth) + 1}")
            program.wait_for("Right: 1 of 1")
            program.process.stdin.close()
            program.close(status=0)


def place(cells, wanted):
    """Where some cells stand among others; None when they do not."""
    starts = (n for n in range(len(cells)) if cells[n : n + len(wanted)] == tuple(wanted))
    return next(starts, None)


def seek(display, wanted):
    """Where some cells are shown, panned to if need be."""
    display.wait_for(any)
    for _ in range(20):
        cells = display.cells
        if (found := place(cells, wanted)) is not None:
            return found
        display.press("FWINRT")
        display.wait_for(lambda now, before=cells: now != before)
    raise AssertionError(display.text)


# What was reached


def test_the_drills_are_listed(tmp_path):
    lines, _ = run(tmp_path, "practice", "list", *ENGLISH)
    assert len(lines) == 11
    data = json.loads(run(tmp_path, "practice", "list", "--json", "--language", "en")[0][0])
    assert "mate-knight" in {drill["drill"] for drill in data}


def written(home):
    rounds = [("colours", 18, 5), ("colours", 19, 7), ("squares", 19, 9), ("colours", 19, 9)]
    lines = [
        {"drill": drill, "date": f"2026-11-{day}T10:00:00+00:00", "right": right, "of": 10, "seconds": 60}
        for drill, day, right in rounds
    ]
    (home / FILE_NAME).write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_the_progress_as_a_table(tmp_path):
    assert "No drill" in run(tmp_path, "practice", "progress", *ENGLISH, "--save", tmp_path)[0][0]
    written(tmp_path)
    lines, _ = run(tmp_path, "practice", "progress", *ENGLISH, "--save", tmp_path)
    assert lines == [
        "colours: rounds 3, best 90 percent.",
        "2026-11-18: right 5 of 10, 50 percent, in 1 minute.",
        "2026-11-19: right 16 of 20, 80 percent, in 2 minutes.",
        "squares: rounds 1, best 90 percent.",
        "2026-11-19: right 9 of 10, 90 percent, in 1 minute.",
    ]
    lines, _ = run(tmp_path, "practice", "progress", "--language", "pt", "--save", tmp_path)
    assert "18/11/2026: acertos 5 de 10, 50 por cento, em 1 minuto." in lines


def test_the_progress_as_a_picture(tmp_path):
    pytest.importorskip("matplotlib")
    written(tmp_path)
    run(tmp_path, "practice", "progress", *ENGLISH, "--save", tmp_path, "--plot", tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    _, errors = run(
        tmp_path,
        "practice",
        "progress",
        *ENGLISH,
        "--save",
        tmp_path,
        "--plot",
        tmp_path / "no" / "p.png",
        status=2,
    )
    assert len(errors) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("tactics", "--from", "none.epd"),
        ("follow", "--from", "none.pgn"),
        ("nothing",),
        ("colours", "--questions", "0"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(tmp_path, arguments):
    lines, errors = run(tmp_path, "practice", *arguments, *ENGLISH, status=2)
    assert lines == []
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("language", "typed", "named"),
    [
        ("pt", "lista", "cores: "),
        ("pt", "list", "táticas: "),
        ("de", "LISTE", "matt-läufer: "),
        ("es", "lista", "táctica: "),
    ],
)
def test_the_drills_are_listed_and_called_in_the_language(tmp_path, language, typed, named):
    lines, _ = run(tmp_path, "practice", typed, "--language", language, *QUIET)
    assert any(line.casefold().startswith(named) for line in lines)


@pytest.mark.parametrize(
    ("language", "name"), [("pt", "cores"), ("de", "Felder"), ("es", "colores"), ("en", "colours")]
)
def test_a_drill_begins_by_its_name_in_the_language(tmp_path, language, name):
    leave = script(vocabulary(language).say("command", "stop"), vocabulary(language).say("answer", "yes"))
    lines, _ = run(tmp_path, "practice", name, "--language", language, *QUIET, typed=leave)
    assert lines


def test_a_drill_that_is_not_there_names_those_that_are(tmp_path):
    _, (error,) = run(tmp_path, "practice", "xadrez", "--language", "pt", *QUIET, status=2)
    assert error.startswith("Não existe o exercício xadrez. Há estes: cores, alvos, casas")
