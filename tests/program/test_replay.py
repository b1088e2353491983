# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel replay` by the installed program: typed, spoken, and on the hardware of a display."""

import numpy as np
import pytest
import soundfile
from support.brltty import VirtualBrltty, needs_brltty
from support.program import QUIET, Running, confirmed, run, script

from braille import patterns
from braille.notation import load_code
from voices.speakers.synthesis import synthesise
from voices.understanding.replay_steps import ReplayStep, words

PGN = """[White "Ana"]
[Black "Rui"]
[Result "1-0"]

1. e4 {Good start.} e5 (1... c5 2. Nf3) 2. Bc4 Nc6 3. Qh5 g6 4. Qf3 Nf6 5. Qxf6 Qxf6 1-0

[White "Eva"]
[Black "Ivo"]
[Result "*"]

1. d4 d5 *
"""
CODE = load_code("en8")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    return path


def test_typed_words_step_through_a_game(tmp_path, file):
    typed = script(
        "forward", "", "variation", "main line", "next capture", "where are the knights", "move 2", "back", "draw", "stop"
    )  # fmt: skip
    lines, errors = run(tmp_path, "replay", file, "--language", "en", *QUIET, typed=typed)
    assert errors == []
    told = iter(lines)
    for expected in (
        "The file has more games: choose with --game and the number.",
        "Ana - Rui. 10 half-moves. Result: White wins.",
        "1, White: Bauer Eva zwei Eva vier.",
        "Comment: Good start.",
        "1, Black: Bauer Eva sieben Eva fünf.",
        "Variation 1: Bauer Cesar sieben Cesar fünf.",
        "1, Black: Bauer Cesar sieben Cesar fünf.",
        "1, Black: Bauer Eva sieben Eva fünf.",
        "5, White: Dame Felix drei schlägt Felix sechs.",
        "White: knights Bella eins, Gustav eins.",
        "Black: knight Cesar sechs.",
        "2, White: Läufer Felix eins Cesar vier.",
        "1, Black: Bauer Eva sieben Eva fünf.",
        "Only who plays a game can do that; here it is only read.",
        "Goodbye.",
    ):
        assert expected in told, expected


def test_a_game_of_the_file_is_chosen_by_its_number(tmp_path, file):
    lines, _ = run(tmp_path, "replay", file, "--game", 2, "--language", "en", *QUIET, typed="\n")
    assert lines[0] == "Eva - Ivo. 2 half-moves. Result: no result."
    assert "1, White: Bauer David zwei David vier." in lines
    _, errors = run(tmp_path, "replay", file, "--game", 3, "--language", "en", *QUIET, status=2)
    assert errors == [f"{file} has 2 games: choose a number from 1 to 2."]


@pytest.mark.parametrize("kind", ["brf", "pef", "txt"])
def test_braille_records_and_games_of_the_journal_too(tmp_path, file, kind):
    save = ("--save", tmp_path / "games")
    run(tmp_path, "play", "--opponent", "human", *QUIET, *save, typed=confirmed("e4", "c5"))
    lines, _ = run(tmp_path, "replay", 1, *QUIET, *save, typed="\n\n")
    assert "1, Pretas: Bauer Cesar sieben Cesar fünf." in lines
    record = tmp_path / f"game.{kind}"
    written = {"txt": "unicode"}.get(kind, kind)
    run(tmp_path, "record", file, "--format", written, "--code", "uk", "-o", record)
    lines, _ = run(tmp_path, "replay", record, "--code", "uk", *QUIET, typed="próxima captura\n")
    assert "5, Brancas: Dame Felix drei schlägt Felix sechs." in lines


def test_a_game_that_is_not_over_is_given_no_advice_unless_it_is_for_practice(tmp_path):
    save = ("--save", tmp_path / "games")
    run(tmp_path, "play", "--opponent", "human", *QUIET, *save, typed=confirmed("e4", "c5"))
    run(
        tmp_path,
        "play",
        "--opponent",
        "human",
        *QUIET,
        *save,
        typed=confirmed("e4") + script("resign", "yes"),
    )
    asked, refused = (
        script("possible checks"),
        "That is for practice only: acessivel practice. Competition does not allow it.",
    )
    for game, expected in ((1, True), (2, False)):
        lines, _ = run(tmp_path, "replay", game, "--language", "en", *QUIET, *save, typed=asked)
        assert (refused in lines) is expected


def test_what_is_no_record_is_one_sentence(tmp_path):
    bad = tmp_path / "bad.pgn"
    bad.write_text("1. e4 e5 2. Bg5 *\n")
    for source in (bad, tmp_path / "none.pgn", tmp_path / "game.doc"):
        _, errors = run(tmp_path, "replay", source, *QUIET, status=2)
        assert len(errors) == 1


def cells(word):
    return patterns.pattern(CODE.text(word))


@needs_brltty
def test_steps_on_the_keys_of_a_display(tmp_path, file):
    options = ("--language", "en", "--hear", "keyboard", "--speak", "off", "--braille", "brlapi")
    with VirtualBrltty(40) as display, Running(tmp_path, "replay", file, *options, **display.env):

        def wait_for(text):
            wanted = patterns.pattern(text) if isinstance(text, tuple) else cells(text)
            display.wait_for(lambda shown: wanted in patterns.pattern(shown))

        wait_for("games")
        display.press("KEY_ENTER")
        wait_for(CODE.move("1.") + CODE.move("e4"))
        wait_for("Good start")
        display.press("KEY_ENTER")
        wait_for(CODE.move("e5"))
        # A routing key over the variation goes into it.
        wanted = CODE.move("c5")
        shown = display.wait_for(lambda now: any(now[n : n + len(wanted)] == wanted for n in range(len(now))))
        place = next(n for n in range(len(shown)) if shown[n : n + len(wanted)] == wanted)
        display.press(f"ROUTE {place}")
        wait_for(CODE.move("1.") + CODE.move("e4") + (0,) + CODE.move("c5"))
        display.press("KEY_BACKSPACE")
        display.wait_for(lambda now: wanted not in [now[n : n + len(wanted)] for n in range(len(now))])
        for sign in "move 5":
            display.press(f"PASSCHAR {ord(sign)}")
        wait_for("move 5")
        display.press("KEY_ENTER")
        wait_for(CODE.move("Qxf6"))
        # The board is under the fingers here as in a game: the queen is the piece that moved.
        display.press("CHRRT")
        wait_for("pawn, Black")


def recorded(folder, language, *said):
    """Utterances with seconds of silence between them, by espeak-ng's voice of the language."""
    sounds = []
    for phrase in said:
        synthesise(phrase, folder / "utterance.wav", language)
        samples, rate = soundfile.read(folder / "utterance.wav", dtype="float32")
        sounds += [np.zeros(round(1.2 * rate), dtype="float32"), samples]
    soundfile.write(folder / "said.wav", np.concatenate((*sounds, np.zeros(2 * rate, dtype="float32"))), rate)
    return folder / "said.wav"


@pytest.mark.parametrize("language", ["en", "de"])
def test_steps_by_voice(tmp_path, file, language):
    phrases = words(language).phrases
    said = recorded(
        tmp_path, language, phrases[ReplayStep.NEXT_CAPTURE][0], phrases[ReplayStep.PREVIOUS_CHECK][0]
    )
    options = ("--language", language, "--hear", "pocketsphinx", "--speak", "off", "--braille", "off")
    lines, _ = run(tmp_path, "replay", file, *options, "--microphone", said)
    moved = next(line for line in lines if line.startswith("5, "))
    assert "Dame Felix drei schlägt Felix sechs" in moved
