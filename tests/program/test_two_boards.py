# SPDX-License-Identifier: GPL-3.0-or-later
"""Two people with a board each, at the installed program: a whole game, two outputs, and what stays private."""

import contextlib
import json
import time

import numpy as np
import pytest
import soundfile
from support.brltty import VirtualBrltty, needs_brltty
from support.program import QUIET, Running, game_of, run, sans, script
from support.pulse import WAV_HEADER, Ear, PrivatePulse
from support.talking import Talking

from acessivel.devices import private_voice
from acessivel.devices.braille_panel import code_for
from acessivel.message import Message
from acessivel.settings.settings import Settings
from voices.sound.outputs import AudioOutput

BOARDS = ("--opponent", "human", "--two-boards", "--language", "en")
KEY = "a long passphrase"
# Of the answers to "position" and "legal moves", in any channel.
PRIVATE_WORDS = ("king", "knights", "Legal moves", "pawns", "König", "Springer G", "Mögliche Züge")


def both(*announcements):
    """Each move announced, confirmed, and made on the other board."""
    return script(*(line for move in announcements for line in (move, "yes", "made")))


# A game from its first move to its result


def test_a_game_with_touched_pieces_slips_an_adjournment_and_a_flag(tmp_path, save):
    options = (*BOARDS, *QUIET, "--clock", "60", "--claim-flag", "white", "--save", save)
    typed = (
        both("e4")
        + script("Nc6", "correction", "e5", "yes", "correction", "made")  # a slip in time, and one too late
        + script("touched knight", "Gustav eins", "yes", "Bc4", "Nf3", "yes")  # what was touched binds
        + script("Nf6", "Black no", "Nf3")  # not before it is made; the boards differ; repeated, it is made
        + both("Nc6")
        + script("last move", "clock", "position")
        + script("Bb5", "yes", "adjourn", "yes", "made", "adjourn", "yes", "0", "Läufer Cesar fünf")
        + script("Läufer Cesar fünf", "2099-01-01 15:00", "Funchal", "Ana", "Bruno", KEY, KEY)
    )
    lines, errors = run(tmp_path, "play", *options, typed=typed)
    assert errors == []
    expected = (
        "White: Bauer Eva zwei Eva vier. Black: made?",
        "Withdrawn. Announce the move.",
        "Too late: the opponent's clock is running.",
        "The touched piece on Gustav eins must be moved.",
        "Black must first make the announced move and type made.",
        "Then the two boards differ:",
        "2, Black: Springer Bella acht Cesar sechs.",
        "White has ",
        "That is for one player alone, and nothing here is private",
        "Black must first make the announced move and type made.",  # before an adjournment too
        "The move is sealed in ",
    )
    rest = iter(lines)
    for text in expected:
        assert any(text in line for line in rest), (text, lines)
    # Nothing is told by itself but the announcements: neither whose turn it is, nor a time.
    assert sum(" to move, move " in line for line in lines) == 1
    assert sum(" left." in line for line in lines) == 2
    assert [san for san in ("Bc5", "Läufer Cesar") if any(san in line for line in lines)] == []

    resumed = ("yes", "yes", KEY, "made")
    _goes_on(tmp_path, save, resumed)


def _goes_on(home, save, answers):
    with Talking(home, "resume", *QUIET, "--save", save) as program:
        program.wait_for("present?")
        for line in answers:
            program.type(line)
        program.wait_for("3, Black: Läufer Felix acht Cesar fünf.")
        # All that Black has but a second is taken; his flag falls after White's next move.
        for line in ("arbiter", "yes", "2", "2", "2", "5 9", "5 8", "yes", "c3", "yes"):
            program.type(line)
        program.wait_for("White wins, the flag has fallen")
        program.close()
    game = game_of(home, save)
    assert sans(game) == "e4 e5 Nf3 Nc6 Bb5 Bc5".split()
    assert game.headers["Result"] == "1-0"
    assert "not made on the other board: Bauer Cesar zwei Cesar drei" in " ".join(str(game).split())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--two-boards", "--language", "en"), "Two boards need two people"),
        ((*BOARDS, "--strict"), "Two boards cannot be played with this setting: --strict."),
        ((*BOARDS, "--ritual"), "Two boards cannot be played with this setting: --ritual."),
        ((*BOARDS, "--room-output", "nowhere"), "There is no output called nowhere, and no other either."),
        ((*BOARDS, "--private-output", "x", "--speak", "speechd"), "Speech Dispatcher plays where its own"),
    ],
)
def test_what_does_not_go_with_two_boards_is_one_sentence(tmp_path, options, sentence):
    lines, errors = run(tmp_path, "play", *options, status=2)
    assert lines == []
    assert len(errors) == 1
    assert errors[0].startswith(sentence)


def test_an_output_that_is_not_there_is_told_with_those_that_are(monkeypatch):
    monkeypatch.setattr(private_voice, "outputs", lambda: (AudioOutput("jack", "Headphones"),))
    monkeypatch.setattr(private_voice, "find_output", lambda _: None)
    told = private_voice.unusable(Settings(room_output="speakers"))
    assert told == Message.of("bad_output", name="speakers", outputs="jack")


@pytest.mark.parametrize(
    ("stored", "arguments", "sentence"),
    [
        (("strict",), ("play", *BOARDS), "Two boards cannot be played with strict, which is on in your settings."),
        (("two_boards",), ("play", "--opponent", "engine", "--language", "en"), "In your settings two_boards is on"),
        (("two_boards",), ("config", "set", "opponent", "engine", "--language", "en"), "In your settings two_boards"),
        (("two_boards",), ("config", "set", "strict", "on", "--language", "en"), "In your settings two_boards is on"),
    ],
)  # fmt: skip
def test_what_stands_in_the_settings_is_turned_off_there(tmp_path, stored, arguments, sentence):
    for name, value in (("opponent", "human"), *((each, "on") for each in stored)):
        run(tmp_path, "config", "set", name, value)
    lines, (error,) = run(tmp_path, *arguments, status=2)
    assert lines == []
    assert error.startswith(sentence)
    assert error.endswith(f"acessivel config set {stored[0]} no")
    run(tmp_path, *error.split(": ")[-1].split()[1:])
    run(tmp_path, *arguments, *(QUIET if arguments[0] == "play" else ()))


def test_practice_is_played_on_one_board_whatever_the_settings_say(tmp_path, save):
    for name, value in (("opponent", "human"), ("two_boards", "on")):
        run(tmp_path, "config", "set", name, value)
    run(tmp_path, "practice", *QUIET, "--save", save, typed=script("e4", "sim"))
    assert sans(game_of(tmp_path, save))[0] == "e4"


@pytest.mark.parametrize(
    "advice", ["hint", "take back", "evaluation", "possible checks", "possible captures"]
)
def test_advice_is_off_and_cannot_be_switched_on_in_play(tmp_path, save, advice):
    options = (*BOARDS, *QUIET, "--save", save)
    lines, _ = run(tmp_path, "play", *options, typed=script("e4", "yes", "made", advice))
    assert any("for practice only" in line for line in lines)
    assert sans(game_of(tmp_path, save)) == ["e4"]


# Two outputs


@contextlib.contextmanager
def heard(pulse, folder):
    """What the room and the headphones hear meanwhile: their loudest samples, by sink; and the files."""
    files = {sink: folder / f"{sink}-{time.monotonic_ns()}.wav" for sink in ("speaker", "headset")}
    peaks = {}
    with contextlib.ExitStack() as stack:
        for sink, file in files.items():
            stack.enter_context(pulse.record_speaker(file, sink))
        yield peaks, files
    for sink, file in files.items():
        samples, _ = soundfile.read(file, always_2d=True)
        peaks[sink] = float(np.abs(samples).max())


def until(wanted, timeout=30):
    deadline = time.monotonic() + timeout
    while not wanted():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def spoken(pulse, recording):
    """Wait until a recording has heard something, and all is silent again."""
    until(lambda: loudest(recording) > LOUD)
    until(lambda: not pulse.sounding())


def loudest(recording):
    """The loudest sample of a WAV file that is still written; a short word may be over before one looks."""
    written = np.frombuffer(recording.read_bytes()[WAV_HEADER:], np.uint8)
    samples = written[: len(written) // 2 * 2].view(np.int16)
    return float(np.abs(samples.astype(np.int32)).max(initial=0)) / 32768


LOUD, NOTHING = 0.05, 0.0


@pytest.fixture
def two_outputs(tmp_path, save):
    with PrivatePulse() as pulse:
        headset = pulse.add_sink("headset")
        sound = {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
        # In German all is of one language, and so each message one stretch of sound; few pieces are soon told.
        options = (
            "--language",
            "de",
            "--fen",
            "4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1",
            "--hear",
            "keyboard",
            "--speak",
            "pyttsx3",
            "--braille",
            "off",
        )
        outputs = (
            "--room-output",
            "speaker",
            "--private-output",
            "headset",
            "--earcons",
            "none",
            "--rate",
            "150",
            "--save",
            save,
        )
        with Running(tmp_path, "play", *BOARDS, *options, *outputs, **sound) as program:
            program.wait_for("Weiß ist am Zug, Zug 1")
            with Ear(pulse) as ear:
                ear.wait_for_sound()
                program.type("Korrektur")  # silences the welcome, of which less than this is left
                program.wait_for("korrigieren")
                ear.wait_for_sound()
                ear.wait_for_silence()
            yield pulse, program, headset
            pulse.stop()  # else the farewell is spoken to its end
            program.process.stdin.close()
            program.close(status=0)


def test_what_is_private_is_heard_in_the_headphones_and_never_in_the_room(tmp_path, two_outputs):
    pulse, program, _ = two_outputs
    for question in ("wo stehen die Springer", "mögliche Züge Springer", "Feld Eva vier", "wiederholen"):
        with heard(pulse, tmp_path) as (peaks, files):
            program.type(question)
            spoken(pulse, files["headset"])
        assert peaks["headset"] > LOUD
        assert peaks["speaker"] == NOTHING
    with heard(pulse, tmp_path) as (peaks, files):
        program.type("Eva vier")
        program.wait_for("Bauer Eva zwei Eva vier?")
        spoken(pulse, files["speaker"])
    assert peaks["headset"] == NOTHING
    assert peaks["speaker"] > LOUD
    # The room heard the announcement.
    lines, _ = run(tmp_path, "hear", files["speaker"], "--with", "pocketsphinx", "--json")
    assert "e2e4" in json.dumps(json.loads("".join(lines)))
    assert [word for word in PRIVATE_WORDS if any(word in line for line in program.lines)] == []


def test_both_outputs_speak_at_once(tmp_path, two_outputs):
    pulse, program, _ = two_outputs
    with heard(pulse, tmp_path) as (peaks, _):
        program.type("Stellung")
        until(lambda: pulse.sounding() == {"headset"})
        program.type("Springer Felix drei")
        until(lambda: pulse.sounding() == {"headset", "speaker"})
        until(lambda: not pulse.sounding())
    assert min(peaks.values()) > LOUD


def test_headphones_that_are_unplugged_leave_the_room_without_the_answer(two_outputs):
    pulse, program, headset = two_outputs
    pulse.unplug(headset)
    program.type("Stellung")
    program.wait_for("Die vertrauliche Stimme ist ausgefallen")
    program.type("Feld Eva eins")
    program.wait_for("Das ist nur für einen Spieler")
    assert [word for word in PRIVATE_WORDS if any(word in line for line in program.lines)] == []


def test_the_doctor_lists_the_outputs(tmp_path):
    with PrivatePulse() as pulse:
        pulse.add_sink("headset")
        sound = {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
        lines, _ = run(tmp_path, "doctor", "--language", "en", **sound)
    (voice,) = [line for line in lines if line.startswith("The voice works")]
    assert "speaker" in voice
    assert "headset" in voice


@needs_brltty
def test_a_display_is_private_and_the_screen_is_not(tmp_path, save):
    options = (*BOARDS, "--hear", "keyboard", "--speak", "off", "--braille", "brlapi", "--save", save)
    with VirtualBrltty(40, 1) as display, Running(tmp_path, "play", *options, **display.env) as program:
        program.wait_for("White to move, move 1")
        program.type("square Bella eins")
        knight = list(code_for("auto", "en").text("knight"))
        display.wait_for(lambda cells: _within(knight, cells))
        program.type("e4")
        program.wait_for("Bauer Eva zwei Eva vier?")
        program.type("stop")
        program.type("yes")
        program.close(status=0)
    assert [word for word in PRIVATE_WORDS if any(word in line for line in program.lines)] == []


def _within(part, cells):
    return any(list(cells[n : n + len(part)]) == part for n in range(len(cells)))
