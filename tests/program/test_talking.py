# SPDX-License-Identifier: GPL-3.0-or-later
"""When the program listens, and which answers count: the installed program, real speech, a real PulseAudio."""

import contextlib
import subprocess
import time

import numpy as np
import pytest
import soundfile
from support.brltty import VirtualBrltty, needs_brltty
from support.program import Running, game_of, run, sans
from support.pulse import PrivatePulse

from acessivel.settings.settings import load
from voices.speakers.synthesis import synthesise

BY_VOICE = ("--opponent", "human", "--hear", "pocketsphinx")
QUIET = ("--speak", "off", "--braille", "off")
SHOWN = ("--speak", "off", "--braille", "brlapi", "--language", "en")
SPOKEN = ("--speak", "pyttsx3", "--braille", "off", "--language", "en", "--rate", "200")
RATE = 22_050


def recorded(folder, *pieces, around=1.0):
    """Utterances, and numbers: seconds of silence between them, and before and after."""
    sounds = []
    for piece in (around, *pieces, around):
        if isinstance(piece, str):
            synthesise(piece, folder / "utterance.wav", "de")
            sounds.append(soundfile.read(folder / "utterance.wav", dtype="float32")[0])
        else:
            sounds.append(np.zeros(round(piece * RATE), dtype="float32"))
    recording = folder / "recording.wav"
    soundfile.write(recording, np.concatenate(sounds), RATE)
    return recording


# A pause


@pytest.mark.parametrize(("pause", "whole"), [(1.0, True), (2.2, False)])
def test_a_move_announced_with_a_pause_is_one_utterance_unless_it_is_too_long(tmp_path, save, pause, whole):
    recording = recorded(tmp_path, "Springer Gustav eins", pause, "Felix drei")
    options = (*BY_VOICE, *QUIET, "--save", save, "--microphone", recording)
    lines, errors = run(tmp_path, "play", *options, "--language", "en")
    assert errors == []
    first = lines[lines.index("White to move, move 1.") + 1]
    assert (first == "Springer Gustav eins Felix drei?") is whole


def test_the_pause_is_a_setting(tmp_path, save):
    recording = recorded(tmp_path, "Springer Gustav eins", 2.2, "Felix drei")
    options = (*BY_VOICE, *QUIET, "--save", save, "--microphone", recording, "--pause", "3")
    lines, _ = run(tmp_path, "play", *options, "--language", "en")
    assert lines[lines.index("White to move, move 1.") + 1] == "Springer Gustav eins Felix drei?"


def test_the_settings_of_listening_are_read_from_the_file(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('pause = 3\nsilence = 0.75\ntalk = "push"\nheadphones = true\nconfirm = "key"\n')
    found = load(path)
    assert (found.pause, found.silence, found.talk, found.headphones, found.confirm) == (
        3,
        0.75,
        "push",
        True,
        "key",
    )


# The confirming key


@pytest.mark.parametrize(
    ("language", "refusal", "told"),
    [
        ("en", "A spoken yes does not count here: type yes", "1, White: Bauer Eva zwei Eva vier."),
        ("es", "Aquí un sí hablado no vale: escriba sí", "1, Blancas: Bauer Eva zwei Eva vier."),
    ],
)
def test_a_spoken_yes_plays_nothing_where_only_a_key_confirms(tmp_path, save, language, refusal, told):
    recording = recorded(tmp_path, "Bauer Eva zwei Eva vier", 2.0, "ja", 2.0, "ja")
    options = (*BY_VOICE, *QUIET, "--save", save, "--microphone", recording, "--confirm", "key")
    with Running(tmp_path, "play", *options, "--language", language) as program:
        for _ in range(2):
            program.wait_for(refusal)
            program.wait_for("Bauer Eva zwei Eva vier?")
        assert told not in program.lines
        program.type(refusal.split()[-1])
        program.wait_for(told)
        program.process.stdin.close()
        program.close(status=0)
    assert sans(game_of(tmp_path, save)) == ["e4"]
    # What did not count does not count when the game is read again.
    lines, _ = run(tmp_path, "resume", *QUIET, "--hear", "keyboard", "--save", save)
    assert told in lines


def test_without_that_a_spoken_yes_plays(tmp_path, save):
    recording = recorded(tmp_path, "Bauer Eva zwei Eva vier", 2.0, "ja")
    run(tmp_path, "play", *BY_VOICE, *QUIET, "--save", save, "--microphone", recording)
    assert sans(game_of(tmp_path, save)) == ["e4"]


# A microphone of one's own: what is spoken into it takes its time, so that there is no silence around it


def spoken(folder, *pieces):
    return recorded(folder, *pieces, around=0)


def until_silent(pulse):
    """Wait until nothing has come from the speaker for half a second."""
    silent, until = 0, time.monotonic() + 60
    while silent < 10:
        assert time.monotonic() < until
        time.sleep(0.05)
        silent = 0 if "speaker" in pulse.sounding() else silent + 1


@pytest.fixture(scope="module")
def pulse():
    with PrivatePulse() as server:
        yield server


def sound_env(pulse):
    return {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}


def leave(program):
    """While there is a microphone, the end of the input is not the end."""
    program.type("stop")
    program.type("yes")
    program.wait_for("Goodbye.")
    program.close(status=0)


@contextlib.contextmanager
def noise_of_a_room(pulse, folder):
    """The microphone gives what it hears in a quiet room, until the end."""
    room = np.random.default_rng(64).normal(0, 0.0003, 120 * RATE)
    soundfile.write(folder / "room.wav", room, RATE)
    playing = subprocess.Popen(["paplay", "--device=mic_feed", folder / "room.wav"], env=pulse.env)
    try:
        yield
    finally:
        playing.kill()
        playing.wait()


def test_push_to_talk_hears_only_between_two_empty_lines(pulse, tmp_path, save):
    options = (*BY_VOICE, *QUIET, "--save", save, "--language", "en", "--talk", "push", "--pause", "0.5")
    announced = spoken(tmp_path, "Springer Gustav eins", 1.0, "Felix drei").rename(tmp_path / "move.wav")
    unheard = spoken(tmp_path, "Eva vier").rename(tmp_path / "other.wav")
    with noise_of_a_room(pulse, tmp_path), Running(tmp_path, "play", *options, **sound_env(pulse)) as program:
        program.wait_for("To speak, press Enter")
        program.wait_for("White to move, move 1.")
        pulse.play_into_microphone(unheard)
        program.type("")
        pulse.play_into_microphone(announced)
        program.type("")
        program.wait_for("Springer Gustav eins Felix drei?")
        assert not any("Eva vier" in line for line in program.lines)
        program.type("yes")
        program.wait_for("1, White: Springer Gustav eins Felix drei.")
        # Nothing said: an answer comes all the same.
        program.type("")
        program.type("")
        program.wait_for("I did not understand.")
        leave(program)
    assert sans(game_of(tmp_path, save)) == ["Nf3"]


@needs_brltty
def test_push_to_talk_by_the_cursor_key_of_a_display(pulse, tmp_path, save):
    options = (*BY_VOICE, *SHOWN, "--save", save, "--talk", "push")
    announced = spoken(tmp_path, "Eva vier")
    with (
        noise_of_a_room(pulse, tmp_path),
        VirtualBrltty(40) as display,
        Running(tmp_path, "play", *options, **sound_env(pulse), **display.env) as program,
    ):
        program.wait_for("White to move, move 1.")
        display.press("KEY_CURSOR_DOWN")
        pulse.play_into_microphone(announced)
        display.press("KEY_CURSOR_DOWN")
        program.wait_for("Bauer Eva zwei Eva vier?")
        display.press("KEY_ENTER")
        program.wait_for("1, White: ")
        leave(program)
    assert sans(game_of(tmp_path, save)) == ["e4"]


@pytest.mark.parametrize(
    ("option", "after_s"),
    [(("--headphones",), 0.0), (("--interrupt", "on"), 0.0), ((), 2.0)],
    ids=["headphones", "forced", "found-out"],
)
def test_a_move_spoken_over_the_program_stops_it_and_is_heard(pulse, tmp_path, save, option, after_s):
    options = (*BY_VOICE, *SPOKEN, "--save", save, *option)
    announced = spoken(tmp_path, after_s, "Eva vier")
    with noise_of_a_room(pulse, tmp_path), Running(tmp_path, "play", *options, **sound_env(pulse)) as program:
        program.wait_for("White to move, move 1.")
        program.type("help")
        # Longer to speak than the move and the silence before it.
        program.wait_for("Announce a move, then answer")
        pulse.play_into_microphone(announced)
        program.wait_for("Bauer Eva zwei Eva vier?")
        program.type("yes")
        program.wait_for("1, White: ")
    assert sans(game_of(tmp_path, save)) == ["e4"]


def test_a_program_that_hears_itself_does_not_interrupt_itself(pulse, tmp_path, save):
    options = (*BY_VOICE, *SPOKEN, "--save", save, "--earcons", "all,ready")
    announced = spoken(tmp_path, "Eva vier")
    with (
        noise_of_a_room(pulse, tmp_path),
        pulse.microphone_at_speaker(),
        Running(tmp_path, "play", *options, **sound_env(pulse)) as program,
    ):
        program.wait_for("White to move, move 1.")
        program.type("help")
        program.wait_for("Announce a move, then answer")
        until_silent(pulse)
        pulse.play_into_microphone(announced)
        program.wait_for("Bauer Eva zwei Eva vier?")
        program.type("yes")
        program.wait_for("1, White: ")
    assert not any("did not understand" in line for line in program.lines)
    assert sans(game_of(tmp_path, save)) == ["e4"]


def test_a_microphone_that_gives_nothing_is_told_with_what_to_do(tmp_path, save):
    options = (*BY_VOICE, *QUIET, "--save", save, "--language", "en")
    with PrivatePulse() as server, Running(tmp_path, "play", *options, **sound_env(server)) as program:
        program.wait_for("The microphone gives only silence: switch it on")
        program.type("e4")
        program.type("yes")
        program.wait_for("1, White: ")
        leave(program)
    assert sum("gives only silence" in line for line in program.lines) == 1


@pytest.mark.parametrize("when", ["over the warning", "after the warning"])
def test_the_first_words_into_a_microphone_that_was_switched_off_are_heard(tmp_path, save, when):
    options = (*BY_VOICE, *SPOKEN, "--save", save)
    announced = spoken(tmp_path, "Eva vier")
    with PrivatePulse() as server, Running(tmp_path, "play", *options, **sound_env(server)) as program:
        program.wait_for("The microphone gives only silence: switch it on")
        if when == "after the warning":
            until_silent(server)
        server.play_into_microphone(announced)
        program.wait_for("Bauer Eva zwei Eva vier?")
        program.type("yes")
        program.wait_for("1, White: ")
    assert sans(game_of(tmp_path, save)) == ["e4"]
