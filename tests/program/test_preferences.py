# SPDX-License-Identifier: GPL-3.0-or-later
"""Voice manners through the installed program: changed by a word, a key and on the display, heard, and kept."""

import itertools

import numpy as np
import pytest
import soundfile
from support.brltty import VirtualBrltty, needs_brltty
from support.languages import LANGUAGES
from support.program import QUIET, Running, run, script
from support.pulse import PrivatePulse

from acessivel.messages.rendering import catalogue
from voices.sound import earcons
from voices.speakers.synthesis import synthesise
from voices.words.lexicon import vocabulary

RATE = 22_050
TWO = ("--opponent", "human", "--language")
HEARD = ("--speak", "off", "--braille", "off", "--hear", "pocketsphinx", "--microphone")


def test_what_is_changed_is_told_at_once_and_is_there_in_the_next_game(tmp_path):
    typed = script("faster", "deeper voice", "softer", "fewer words", "sounds", "e4", "yes", "stop", "yes")
    said, errors = run(tmp_path, "play", *TWO, "en", *QUIET, typed=typed)
    assert errors == []
    for told in (
        "Rate: 115 percent.",
        "Pitch: 90 percent.",
        "Volume: 90 percent.",
        "Few words.",
        "Sounds are off.",
    ):
        assert said.count(told) == 1
    off = "The voice and the sounds are off: to hear them, start the program with --speak auto."
    assert said[said.index("Rate: 115 percent.") + 1] == off
    assert said[said.index("Bauer Eva zwei Eva vier?") + 1 :][:2] == ["Bauer Eva zwei Eva vier.", "Black."]
    typed = script("faster", "deeper voice", "softer", "sounds")
    said, _ = run(tmp_path, "play", *TWO, "en", *QUIET, typed=typed)
    assert said[0] == "Announce a move."
    for told in ("Rate: 130 percent.", "Pitch: 80 percent.", "Volume: 80 percent.", "Sounds are on."):
        assert told in said
    # An option goes over what is kept, for its run alone.
    said, _ = run(
        tmp_path, "play", *TWO, "en", *QUIET, "--rate", "300", "--verbosity", "full", typed=script("slower")
    )
    assert "Rate: 250 percent." in said
    assert any("Announce a move, or type help." in line for line in said)


@pytest.mark.parametrize("option", ["rate 40", "pitch 200", "volume 0", "verbosity loud", "earcons bell"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_option_that_there_is_not_is_refused_in_one_sentence(tmp_path, option, language):
    name, value = option.split()
    lines, errors = run(tmp_path, "play", "--language", language, f"--{name}", value, status=2)
    assert lines == []
    assert len(errors) == 1
    assert f"--{name}" in errors[0]


def test_language_and_convention_stay_with_the_game(tmp_path):
    typed = script("e4", "yes", "language Portuguese", "convenção letras", "parar", "sim")
    said, _ = run(tmp_path, "play", *TWO, "en", *QUIET, typed=typed)
    assert said[-2].startswith("A partida está guardada")
    said, _ = run(tmp_path, "resume", *QUIET, typed=script("e5", "sim"))
    assert "1, Pretas: peão e7 e5." in [line.casefold().replace("pretas", "Pretas") for line in said]
    lines, _ = run(tmp_path, "record", 1)
    assert "1. e4 e5" in " ".join(lines)


# By voice


@pytest.fixture
def recorded(tmp_path):
    def record(*utterances):
        silence = np.zeros(round(1.5 * RATE), dtype="float32")
        sounds = [silence]
        for words, language in utterances:
            synthesise(words, tmp_path / "utterance.wav", language)
            sounds += [soundfile.read(tmp_path / "utterance.wav", dtype="float32")[0], silence]
        recording = tmp_path / "recording.wav"
        soundfile.write(recording, np.concatenate(sounds), RATE)
        return recording

    return record


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_are_heard_in_every_language(tmp_path, recorded, language):
    """Most of them: a synthetic voice is not heard right always, but what is heard is told back."""
    words, texts = vocabulary(language), catalogue(language)
    commands = ("slower", "softer", "lower", "higher", "more_words", "fewer_words", "sounds", "push_to_talk")
    recording = recorded(*((words.say("command", command), language) for command in commands[:-1]))
    options = (*TWO, language, *HEARD, recording)
    said, _ = run(tmp_path, "play", *options, "--save", tmp_path / "games")
    told = {
        "slower": texts["voice_rate"].format(percent=90),
        "softer": texts["voice_volume"].format(percent=90),
        "lower": texts["voice_pitch"].format(percent=90),
        "higher": texts["voice_pitch"].format(percent=100),
        "more_words": texts["voice_words_full"],
        "fewer_words": texts["voice_words_normal"],
        "sounds": texts["earcons_off"],
    }
    heard = [command for command, sentence in told.items() if sentence in said]
    assert len(heard) >= 5, (heard, said)


def test_the_ear_follows_the_language_and_stops_and_goes_on(tmp_path, recorded):
    recording = recorded(
        ("Sprache Englisch", "de"), ("ja", "de"), ("Eva vier", "de"), ("yes", "en"), ("stop listening", "en"), ("Eva fünf", "de"), ("yes", "en")
    )  # fmt: skip
    options = (*TWO, "de", *HEARD, recording)
    with Running(tmp_path, "play", *options, "--save", tmp_path / "games") as program:
        program.wait_for("Wollen Sie auf Englisch weiterspielen?")
        program.wait_for("Now in English.")
        program.wait_for("Bauer Eva zwei Eva vier?")
        program.wait_for("1, White: Bauer Eva zwei Eva vier.")
        program.wait_for("I have stopped listening.")
        # The recording waits: nothing of it is heard before the typed word.
        program.type("whose turn")
        assert program.wait_for("Black to move")
        program.type("listen")
        program.wait_for("I listen whenever I am not speaking.")
        program.wait_for("Bauer Eva sieben Eva fünf?")
        program.wait_for("1, Black: Bauer Eva sieben Eva fünf.")
        program.process.stdin.close()
        program.close(status=0)


# On the display


@needs_brltty
def test_the_language_is_changed_by_a_key_of_the_display_and_what_it_shows_follows(tmp_path):
    keys = tmp_path / ".config/acessivel/keys.toml"
    keys.parent.mkdir(parents=True)
    keys.write_text('[keys]\nlanguage_de = ["f2"]\nfewer_words = ["f3"]\nstop_listening = ["f4"]\n')
    options = (*TWO, "en", "--hear", "keyboard", "--speak", "off", "--braille", "brlapi")
    with (
        VirtualBrltty(80) as display,
        Running(tmp_path, "play", *options, "--save", tmp_path / "games", **display.env) as program,
    ):
        program.wait_for("White to move, move 1.")
        shown = display.wait_for(any)
        for key, told in (
            ("1", "Jetzt auf Deutsch."),
            ("2", "Ich sage nur das Nötigste."),
            ("3", "Ich kann hier nicht zuhören"),
        ):
            display.press(f"KEY_FUNCTION {key}")
            program.wait_for(told)
            shown = display.wait_for(lambda cells, before=shown: cells != before)
        program.type("e4")
        program.wait_for("Bauer Eva zwei Eva vier?")
        display.press("KEY_ENTER")
        program.wait_for("Bauer Eva zwei Eva vier.")
        program.wait_for("Schwarz.")
        program.type("beenden")
        program.type("ja")
        program.wait_for("Auf Wiedersehen")
        program.close(status=0)


# On the loudspeaker


def test_earcons_are_heard_with_their_sentences_and_not_when_they_are_off(tmp_path):
    """A refusal, with the lowest tones of all, which no voice has so pure: once with it, once without."""
    found = {}
    for names in ("refusal", "none"):
        heard = tmp_path / f"{names}.wav"
        with PrivatePulse() as pulse:
            sound = {
                name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")
            }
            options = (
                *TWO,
                "en",
                "--hear",
                "keyboard",
                "--speak",
                "pyttsx3",
                "--volume",
                "10",
                "--rate",
                "400",  # the farewell is spoken to its end
                "--braille",
                "off",
            )
            with (
                pulse.record_speaker(heard),
                Running(
                    tmp_path, "play", *options, "--earcons", names, "--save", tmp_path / names, **sound
                ) as program,
            ):
                program.wait_for("White to move, move 1.")
                program.type("e5")
                program.wait_for("is not possible")
                program.process.stdin.close()
                program.close(status=0)
        found[names] = _likeness(heard)
    assert found["refusal"] > 0.8
    assert found["none"] < 0.5


def _likeness(recording):
    """How much the best stretch of a recording is like the earcon: 1 when it is nothing else."""
    played, rate = soundfile.read(recording, always_2d=True)
    played = played.mean(axis=1)
    tone = np.frombuffer(earcons.sound("refusal"), "<i2").astype(float)
    count = len(tone) * rate // earcons.RATE
    tone = np.interp(np.arange(count) * earcons.RATE / rate, np.arange(len(tone)), tone)
    tone /= np.linalg.norm(tone)
    found = np.abs(np.fft.irfft(np.fft.rfft(played, 1 << 23) * np.conj(np.fft.rfft(tone, 1 << 23))))
    energy = np.concatenate(([0.0], np.cumsum(played**2)))
    ends = np.minimum(np.arange(len(played)) + len(tone), len(played))
    loud = np.sqrt(energy[ends] - energy[: len(played)])
    return float((found[: len(played)] / np.maximum(loud, 0.1)).max())


def test_every_earcon_that_the_help_names_is_one(tmp_path):
    for language in LANGUAGES:
        text = catalogue(language)["option_earcons"]
        assert ",".join(earcons.NAMES) in text
        assert f"all,{earcons.READY}" in text
    for names in itertools.chain(earcons.KNOWN, ("all", "none", "check,flag", "all,ready")):
        run(tmp_path, "play", *TWO, "en", *QUIET, "--earcons", names, "--save", tmp_path / "games")
