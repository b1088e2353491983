# SPDX-License-Identifier: GPL-3.0-or-later
"""The tape of a game through the installed program: espeak-ng announces, the tape gives back what it said."""

import json
import os

import numpy as np
import soundfile
import soxr
from support.program import QUIET, Running, confirmed, run
from support.pulse import PrivatePulse
from support.talking import Talking

from acessivel.settings.settings import load
from voices.sound.source import RATE
from voices.speakers.synthesis import synthesise

SPOKEN = ("--opponent", "human", "--hear", "pocketsphinx", "--speak", "off", "--braille", "off")
E4, D4, D5 = "Bauer Eva zwei Eva vier", "Bauer David zwei David vier", "Bauer David sieben David fünf"


def uttered(folder, text):
    """What is said, as the program hears it: 16 kHz."""
    synthesise(text, folder / "utterance.wav", "de")
    samples, rate = soundfile.read(folder / "utterance.wav", dtype="float32")
    return soxr.resample(samples, rate, RATE)


def microphone(folder, *texts):
    pieces = [np.zeros(RATE, "float32")]
    for text in texts:
        pieces += [uttered(folder, text), np.zeros(2 * RATE, "float32")]
    soundfile.write(folder / "microphone.wav", np.concatenate(pieces), RATE)
    return folder / "microphone.wav"


def likeness(needle, sound):
    """The greatest correlation of the loud part of a sound with any stretch of another, 1 for the same."""
    needle = np.trim_zeros(np.where(np.abs(needle) > 0.02, needle, 0))
    if len(sound) < len(needle):
        return 0.0
    size = len(sound) + len(needle)
    product = np.fft.rfft(sound, size) * np.conj(np.fft.rfft(needle, size))
    found = np.fft.irfft(product, size)[: len(sound) - len(needle) + 1]
    power = np.cumsum(np.concatenate([[0.0], sound.astype("float64") ** 2]))
    energy = power[len(needle) :] - power[: -len(needle)]
    return float((found / np.sqrt((energy + 1e-6) * (needle.astype("float64") ** 2).sum())).max())


def tape_of(home, save, *arguments):
    lines, _ = run(home, "tape", 1, "--save", save, "--json", *arguments)
    return json.loads(lines[0])


def sound_of(home, save, *arguments, name="move.wav"):
    run(home, "tape", 1, "--save", save, "-o", home / name, *arguments)
    samples, rate = soundfile.read(home / name, dtype="float32")
    assert rate == RATE
    return samples


def rows(index):
    return [(line["move"], line["colour"], line["san"], line["status"]) for line in index]


def test_an_arbiter_hears_what_was_announced_and_what_was_withdrawn(tmp_path, save):
    recording = microphone(tmp_path, E4, "nein", D4, "ja", D5, "ja")
    said, _ = run(tmp_path, "play", *SPOKEN, "--tape", "--save", save, "--microphone", recording)
    assert f"acessivel tape 1 --save {save}" in said[0]
    assert any(line.endswith(f"acessivel resume 1 --save {save} --tape") for line in said)
    index = tape_of(tmp_path, save)
    assert rows(index) == [
        *[(1, "white", "e4", "withdrawn")] * 2, *[(1, "white", "d4", "played")] * 2,
        *[(1, "black", "d5", "played")] * 2,
    ]  # fmt: skip
    tape, rate = soundfile.read(save / "tape-1.flac", dtype="float32")
    assert rate == RATE
    for line, text in zip(index, (E4, "nein", D4, "ja", D5, "ja"), strict=True):
        stretch = tape[round(line["start"] * RATE) : round(line["end"] * RATE)]
        assert likeness(uttered(tmp_path, text), stretch) > 0.95, text
    assert likeness(uttered(tmp_path, E4), tape[round(index[2]["start"] * RATE) :]) < 0.9
    for name in ("move.wav", "move.flac"):
        sound = sound_of(tmp_path, save, "--move", 1, name=name)
        assert all(likeness(uttered(tmp_path, text), sound) > 0.95 for text in (E4, D4, D5))
    listed, _ = run(tmp_path, "tape", 1, "--save", save, "--language", "en")
    assert [line.split(", from")[0] for line in listed] == [
        "1, White: e4, withdrawn", "1, White: d4, played", "1, Black: d5, played",
    ]  # fmt: skip


def test_a_killed_game_keeps_its_tape_and_goes_on_with_it(tmp_path, save):
    recording = microphone(tmp_path, D4, "ja")
    with Running(tmp_path, "play", *SPOKEN, "--tape", "--save", save, "--microphone", recording) as program:
        program.wait_for("1, Brancas: ")
        program.kill()
    assert not (save / "tape-1.flac").exists()
    assert likeness(uttered(tmp_path, D4), sound_of(tmp_path, save, "--move", 1)) > 0.95
    with (save / "tape-1.jsonl").open("a") as index:
        index.write('{"move": 1, "colo')  # what a crash leaves of a line
    recording = microphone(tmp_path, D5, "ja")
    quiet = SPOKEN[2:]
    run(tmp_path, "resume", 1, *quiet, "--tape", "--save", save, "--microphone", recording)
    assert rows(tape_of(tmp_path, save)) == [
        *[(1, "white", "d4", "played")] * 2, *[(1, "black", "d5", "played")] * 2,
    ]  # fmt: skip
    assert not (save / "tape-1.parts").exists()
    whole, _ = soundfile.read(save / "tape-1.flac", dtype="float32")
    assert all(likeness(uttered(tmp_path, text), whole) > 0.95 for text in (D4, D5))


def test_nothing_is_kept_unless_it_is_asked_for(tmp_path, save):
    recording = microphone(tmp_path, D4, "ja")
    run(tmp_path, "play", *SPOKEN, "--save", save, "--microphone", recording)
    assert list(save.glob("tape*")) == []
    _, errors = run(tmp_path, "tape", 1, "--save", save, "--language", "en", status=2)
    assert errors == ["There is no recording of game 1: only a game played with --tape has one."]


def test_a_recording_on_which_nothing_was_announced_says_so(tmp_path, save):
    run(tmp_path, "play", "--opponent", "human", *QUIET, "--tape", "--save", save)
    lines, _ = run(tmp_path, "tape", 1, "--save", save, "--language", "en")
    assert lines == ["Nothing was announced while it was recording."]
    assert tape_of(tmp_path, save) == []


def test_a_typed_move_is_in_the_index_without_sound(tmp_path, save):
    options = ("--opponent", "human", *QUIET, "--tape", "--save", save)
    run(tmp_path, "play", *options, typed=confirmed("e4", "e5"))
    index = tape_of(tmp_path, save, "--move", 1)
    assert rows(index)[-1] == (1, "black", "e5", "played")
    assert {(line["start"], line["end"]) for line in index} == {(None, None)}
    assert not (save / "tape-1.flac").exists()
    said, errors = run(tmp_path, "tape", 1, "--move", 1, "--save", save, "--language", "en", status=2)
    assert said[0].startswith("1, White: e4, played, without sound")
    assert errors == ["There is no sound of that: it was typed, entered with keys, or played by the engine."]
    for arguments, start in (
        (("--move", 9), "Move 9 is not on the recording"),
        (("-o", tmp_path / "a.wav"), "There is no sound of that"),
    ):
        _, errors = run(tmp_path, "tape", 1, *arguments, "--save", save, "--language", "en", status=2)
        assert errors[0].startswith(start)
        assert "--move" not in arguments or errors[0].endswith(f" tape 1 --save {save}")


def test_an_index_that_cannot_be_read_is_not_said_to_be_missing(tmp_path, save):
    (save / "tape-1.jsonl").mkdir(parents=True)
    _, errors = run(tmp_path, "tape", 1, "--save", save, "--language", "en", status=2)
    assert errors[0].startswith(f"Cannot read {save}/tape-1.jsonl: ")


def test_a_full_disk_is_told_once_and_the_game_goes_on(tmp_path, save):
    options = ("--opponent", "human", *QUIET, "--tape", "--save", save, "--language", "en")
    with Talking(tmp_path, "play", *options) as program:
        program.wait_for("White to move")
        (save / "tape-1.jsonl").unlink()
        (save / "tape-1.jsonl").symlink_to("/dev/full")
        program.type("e4")
        program.wait_for("cannot be kept: there is no room left on the disk. The game goes on.")
        program.type("yes")
        program.wait_for("1, White: ")
        program.close(status=0)
    assert sum("no room left" in line for line in program.lines) == 1
    lines, _ = run(tmp_path, "record", 1, "--save", save)
    assert any("1. e4" in line for line in lines)


def test_a_tape_that_is_gone_or_cannot_be_written_is_one_sentence(tmp_path, save):
    recording = microphone(tmp_path, D4, "ja")
    run(tmp_path, "play", *SPOKEN, "--tape", "--save", save, "--microphone", recording)
    _, errors = run(
        tmp_path, "tape", 1, "-o", tmp_path / "a.mp3", "--save", save, "--language", "en", status=2
    )
    assert errors == [f"A recording is written as .wav or .flac, not as {tmp_path}/a.mp3."]
    _, errors = run(tmp_path, "tape", 1, "--move", 1, "--save", save, "--language", "en", status=2)
    assert errors == ["There is no loudspeaker to play it on: write it to a file with -o FILE.wav."]
    (save / "tape-1.flac").unlink()
    _, errors = run(
        tmp_path, "tape", 1, "-o", tmp_path / "a.wav", "--save", save, "--language", "en", status=2
    )
    assert errors[0].endswith("tape-1.flac is missing or damaged: put it back from a copy.")


def test_a_move_is_played_on_the_loudspeaker(tmp_path, save):
    announced = ("David vier", "ja")
    recording = microphone(tmp_path, *announced)
    run(tmp_path, "play", *SPOKEN, "--tape", "--save", save, "--microphone", recording)
    with PrivatePulse() as pulse:
        env = {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
        with pulse.record_speaker(tmp_path / "speaker.wav"):
            run(tmp_path, "tape", 1, "--move", 1, "--save", save, **env)
    samples, rate = soundfile.read(tmp_path / "speaker.wav", dtype="float32", always_2d=True)
    heard = soxr.resample(samples.mean(axis=1), rate, RATE)
    assert all(likeness(uttered(tmp_path, text), heard) > 0.95 for text in announced)


def test_a_tape_without_its_package_is_refused_before_a_game_begins(tmp_path, save):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "soundfile.py").write_text("raise ImportError\n")
    paths = os.pathsep.join((str(tmp_path / "broken"), os.environ.get("PYTHONPATH", "")))
    options = ("play", *QUIET, "--tape", "--save", save, "--language", "en")
    _, errors = run(tmp_path, *options, status=2, PYTHONPATH=paths)
    assert len(errors) == 1
    assert errors[0].startswith("Recordings need the part for voices. To install it: ")
    assert not save.exists()


def test_the_tape_is_a_setting(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("tape = true\n")
    assert load(path).tape is True
