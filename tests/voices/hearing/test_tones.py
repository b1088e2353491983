# SPDX-License-Identifier: GPL-3.0-or-later
"""Beeps and chimes in a quiet room are told from voices, by their pitch alone."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from support.synthetic import espeak

from voices.grammar import grammar
from voices.hearing import decision
from voices.hearing.tones import tones_and_voice
from voices.hearing.utterances import hear
from voices.recognisers import Hypothesis
from voices.recognisers.joined import JoinedRecogniser
from voices.recognisers.network import NetworkRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound import earcons
from voices.sound.disturbance import echoed, room, speech_level
from voices.sound.source import RATE, read_wav

ROOM_DBFS = -66
SPEAKERS = ("de", "pt-br", "es", "en+f3")
CHORDS = ((350, 440), (440, 554), (697, 1209), (262, 330, 392), (941, 1477))


def is_tone(audio):
    return tones_and_voice(audio) == (True, False)


def is_beside_a_tone(audio):
    return tones_and_voice(audio) == (True, True)


def level(sound, dbfs):
    return sound / np.sqrt(np.mean(sound**2)) * 32768 * 10 ** (dbfs / 20)


def tone(pitches, seconds, dbfs, partials=1):
    """Tones of as many partials, faded in and out within 10 ms."""
    time = np.arange(round(seconds * RATE)) / RATE
    heard = (pitch * n for pitch in pitches for n in range(1, partials + 1) if pitch * n < RATE / 2)
    sound = level(sum(np.sin(2 * np.pi * hz * time) / max(1, hz // pitches[0]) for hz in heard), dbfs)
    fade = np.minimum(1, np.minimum(time, time[::-1]) / 0.01)
    return sound * fade


def in_room(*pieces):
    """Half a second of the room, then the sound and a little more of the room."""
    sound = np.concatenate([np.zeros(RATE // 2), *pieces, np.zeros(RATE // 5)])
    noise = np.random.default_rng(1).standard_normal(sound.size)
    return (sound + level(noise, ROOM_DBFS)).round().clip(-32768, 32767).astype("<i2").tobytes()


@pytest.fixture(scope="module", params=SPEAKERS)
def say(request, tmp_path_factory):
    """A text in the voice of a speaker."""
    folder = tmp_path_factory.mktemp("said")

    def said(text):
        return np.frombuffer(read_wav(espeak(text, folder / "said.wav", request.param)), "<i2").astype(float)

    return said


@given(
    some.floats(200, 4000),
    some.floats(0.3, 2),
    some.floats(-45, -3),
    some.integers(1, 5),
)
def test_a_beep_of_any_pitch_length_and_level_is_a_tone(hz, seconds, dbfs, partials):
    assert is_tone(in_room(tone([hz], seconds, dbfs, partials)))


@pytest.mark.parametrize(
    ("pitches", "seconds", "dbfs"), [*itertools.product(CHORDS, (0.3, 1, 2), (-40, -12))]
)
def test_a_chord_is_a_tone(pitches, seconds, dbfs):
    assert is_tone(in_room(tone(pitches, seconds, dbfs)))


def test_beeps_and_the_notes_of_a_chime_are_tones():
    gap = np.zeros(RATE // 8)
    beep = tone([2000], 0.15, -20, 3)
    assert is_tone(in_room(beep, gap, beep, gap, beep))
    assert is_tone(in_room(tone([784], 0.3, -20, 4), tone([523], 0.4, -20, 4)))


@pytest.mark.parametrize("seconds", [0.2, 0.4, 0.6])
def test_a_beep_in_an_echoing_room_is_a_tone(seconds):
    chance = np.random.default_rng(3)
    beeps = [tone([hz], 0.8, -20, 4) for hz in (300, 440, 700, 1000, 1500, 3000)]
    heard = [in_room(echoed(np.append(beep, np.zeros(RATE // 2)), room(chance, seconds))) for beep in beeps]
    assert all(map(is_tone, heard))


@pytest.mark.parametrize("text", ["ja", "nein", "a", "i", "h", "Eva vier", "Springer Gustav eins Felix drei"])
def test_speech_is_no_tone(say, text):
    assert not is_tone(in_room(say(text)))


@pytest.mark.parametrize("above_db", [-20, -10, 0, 6])
def test_speech_over_a_dial_tone_is_no_tone(say, above_db):
    speech = level(say("Springer Felix drei"), -25)
    hum = tone([350, 440], 1.2 + speech.size / RATE, -25, 1)
    hum *= speech_level(speech) * 10 ** (above_db / 20) / np.sqrt(np.mean(hum**2))
    hum[round(0.5 * RATE) :][: speech.size] += speech
    assert not is_tone(hum.clip(-32768, 32767).astype("<i2").tobytes())


@pytest.mark.parametrize("hz", [1000, 2000])
@pytest.mark.parametrize("first", [False, True])
def test_an_announcement_beside_a_beep_is_no_tone(say, hz, first):
    """A clock or a telephone that is louder than the room takes no announcement away."""
    pieces = [level(say("Springer Felix drei"), -22), np.zeros(RATE // 4), tone([hz], 1, -25, 2)]
    assert not is_tone(in_room(*(reversed(pieces) if first else pieces)))


@pytest.mark.parametrize("vibrato", [0.003, 0.01, 0.03])
@pytest.mark.parametrize("hz", [110, 220, 440])
def test_a_sung_yes_is_no_tone(hz, vibrato):
    """The harmonics of a voice that glides from "j" to "a" within a tenth of a second and then holds its note."""
    time = np.arange(RATE) / RATE
    phase = 2 * np.pi * hz * np.cumsum(1 + vibrato * np.sin(2 * np.pi * 5.5 * time)) / RATE
    glide = np.minimum(1, time / 0.1)
    sung = np.zeros(RATE)
    for n in range(1, 4000 // hz):
        formants = ((300 + 450 * glide, 90), (2200 - 950 * glide, 120), (2900 - 300 * glide, 160))
        sung += np.sin(n * phase) / n * sum(1 / (1 + ((n * hz - at) / wide) ** 2) for at, wide in formants)
    assert not is_tone(in_room(level(sung, -25)))


def test_silence_noise_and_what_is_too_short_are_no_tones():
    noise = np.random.default_rng(2).standard_normal(RATE)
    for sound in (np.zeros(RATE), level(noise, -20), np.zeros(0), tone([1000], 0.03, -20)):
        assert not is_tone(in_room(sound))
    assert not is_tone(b"")


def test_a_beep_that_goes_on_all_the_time_is_a_tone():
    assert is_tone(tone([1000], 1, -20).astype("<i2").tobytes())


# The ears of the program


@pytest.fixture(scope="module")
def ears():
    words = PocketsphinxRecogniser(grammar.pronunciations("fide", "pt"))
    ears = JoinedRecogniser(words, NetworkRecogniser())
    ears.expect(grammar.everything("fide", "pt"), tuple(grammar.answers("fide", "pt")))
    return ears


def decided(ears, sound):
    """What is understood as if in answer to a question."""
    answers = grammar.answers("fide", "pt")
    return decision.decide(
        hear(ears, sound + bytes(RATE)), grammar.yeses("fide", "pt"), asked=answers
    ).readings


# Sounds that the recognisers take for an answer or a command; nine of ten for a yes.
BEEPS = (
    *((hz, 0.3, 5) for hz in (330, 600, 800, 1000)),
    *((hz, 0.5, 1) for hz in (200, 440, 1000)),
    *((hz, 1, 1) for hz in (440, 1000)),
)


@pytest.mark.parametrize(("hz", "seconds", "partials"), BEEPS)
@pytest.mark.sweep
def test_no_beep_answers_or_commands(ears, hz, seconds, partials):
    assert decided(ears, in_room(tone([hz], seconds, -12, partials))) == ()


def noise(seconds, dbfs):
    return level(np.random.default_rng(4).standard_normal(round(seconds * RATE)), dbfs)


def warble(seconds, dbfs):
    """A telephone of old: two pitches in turn, sixteen times a second."""
    at = (np.arange(round(seconds * RATE)) / RATE * 16).astype(int) % 2
    return level(np.sin(2 * np.pi * np.cumsum(np.where(at, 800, 1000)) / RATE), dbfs)


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.sweep
def test_no_beep_with_noise_beside_it_answers_or_commands(language):
    """A voice may be there, but the recognisers take such a glide for a "ja": it was one in a fifth of these."""
    words = PocketsphinxRecogniser(grammar.pronunciations("fide", language))
    heard = JoinedRecogniser(words, NetworkRecogniser())
    heard.expect(grammar.everything("fide", language), tuple(grammar.answers("fide", language)))
    answers, yeses = grammar.answers("fide", language), grammar.yeses("fide", language)
    for hz in (440, 880, 1500, 2100):
        beep = tone([hz], 0.8, -20)
        for other in (noise(0.5, -20), noise(0.4, -26), warble(0.8, -20)):
            sound = in_room(beep, other)
            assert is_beside_a_tone(sound)
            assert decision.decide(hear(heard, sound + bytes(RATE)), yeses, asked=answers).readings == ()
    heard.close()


class Ears:
    """They hear a yes, alone and of a side, and a move."""

    def __init__(self, *, alone):
        words = [Hypothesis(words, "all", -1.0) for words in ("ja", "weiss ja", "eva vier", "")]
        self.heard = (*words, *[Hypothesis(words, "answer", -1.0, "network") for words in ("ja", "")] * alone)

    def start(self):
        pass

    def feed(self, block):
        pass

    def finish(self):
        return self.heard


def test_beside_a_beep_an_announcement_is_heard_but_no_answer(say):
    spoken = say("Springer Felix drei")
    beside = in_room(level(spoken, -22), np.zeros(RATE // 4), tone([2000], 1, -25, 2))
    assert {h.words for h in hear(Ears(alone=True), beside)} == {"eva vier", ""}
    assert hear(Ears(alone=False), beside) == ()  # nobody tells what answers
    assert {h.words for h in hear(Ears(alone=True), in_room(spoken))} == {"ja", "weiss ja", "eva vier", ""}


@pytest.mark.parametrize("name", ["capture", "check", "refusal", "flag", earcons.READY])
@pytest.mark.sweep
def test_no_earcon_answers_or_commands(ears, name):
    assert decided(ears, in_room(np.frombuffer(earcons.sound(name), "<i2")[::3] * 0.3)) == ()


def test_a_spoken_answer_is_still_one(ears, say):
    assert decided(ears, in_room(say("nein")))[0] in ("nein", "nao")
