# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded utterances through the installed program, and the demonstration: real synthesis, the real recogniser."""

import json
import os
import sys

import chess.pgn
import numpy as np
import pytest
import soundfile
from support.program import SAMPLE_FEN, SAMPLE_SAN, game_of, run, run_process, sans

from voices.speakers.synthesis import synthesise

KEYS = {"words", "outcome", "moves", "repeat", "reason", "ms"}
RATE = 22_050
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"


def hear(folder, recording, *options):
    """What the program makes of a recording; nothing but the one object is written."""
    lines, errors = run(folder, "hear", recording, "--with", "pocketsphinx", "--json", *options)
    assert errors == []
    assert len(lines) == 1
    found = json.loads(lines[0])
    assert found.keys() == KEYS
    assert all(spent >= 0 for spent in found["ms"].values())
    return found


def speak(folder, words, **how):
    recording = folder / "utterance.wav"
    synthesise(words, recording, "de", **how)
    assert soundfile.info(recording).samplerate == RATE
    return recording


ANNOUNCED = {
    "Bauer Eva zwei Eva vier": (None, "e2e4"),
    "Springer Gustav eins Felix drei": (None, "g1f3"),
    "Bauer David sieben David fünf": (AFTER_E4, "d7d5"),
    "Lange Rochade": (CASTLING, "e1c1"),
}
NOT_LEGAL = (
    "Springer Felix fünf",
    "Turm Anna fünf",
    "Dame David fünf",
    "Läufer Cesar vier",
    "König Eva zwei",
    "Bauer Eva sieben Eva fünf",
    "Kurze Rochade",
)
ANSWERS = {"ja": "sim", "nein": "não"}
TALK = (
    "Guten Morgen, heute ist das Wetter schön und wir gehen spazieren.",
    "Ich möchte bitte eine Tasse Kaffee mit Milch.",
)
NOISES = ("silence", "white", "pink")


@pytest.fixture(scope="module")
def heard(tmp_path_factory):
    """What the program makes of each of these recordings, in one run: to begin is what takes long."""
    folder = tmp_path_factory.mktemp("heard")
    entries = []
    for number, words in enumerate((*ANNOUNCED, *NOT_LEGAL, *ANSWERS, *TALK)):
        synthesise(words, folder / f"{number}.wav", "de")
        entries.append(
            {"file": f"{number}.wav", "fen": ANNOUNCED.get(words, [None])[0] or chess.STARTING_FEN}
        )
    for kind in NOISES:
        soundfile.write(folder / f"{kind}.wav", noise(kind, 3 * RATE), RATE)
        entries.append({"file": f"{kind}.wav"})
    (folder / "cases.json").write_text(json.dumps(entries), encoding="utf-8")
    found = cases(folder, "--with", "pocketsphinx")
    return dict(zip((*ANNOUNCED, *NOT_LEGAL, *ANSWERS, *TALK, *NOISES), found, strict=True))


@pytest.mark.parametrize("words", ANNOUNCED)
def test_an_announcement_is_a_move_with_its_full_repeat(heard, words):
    found = heard[words]
    assert found["outcome"] == "move"
    assert found["moves"][0] == ANNOUNCED[words][1]
    assert found["repeat"] == words
    assert found["reason"] == ""


def test_one_recording_alone(tmp_path, heard):
    found, words = hear(tmp_path, speak(tmp_path, "Lange Rochade"), "--fen", CASTLING), "Lange Rochade"
    assert found | {"ms": {}} == {key: heard[words][key] for key in KEYS} | {"ms": {}}


def test_a_recording_at_another_rate_and_in_stereo_says_the_same(tmp_path):
    sound, _ = soundfile.read(speak(tmp_path, "Springer Bella eins Cesar drei"), dtype="float32")
    times = np.arange(len(sound) * 48_000 // RATE) * RATE / 48_000
    resampled = np.interp(times, np.arange(len(sound)), sound)
    recording = tmp_path / "stereo.wav"
    soundfile.write(recording, np.stack([resampled, resampled], axis=1), 48_000, subtype="PCM_24")
    found = hear(tmp_path, recording)
    assert (found["outcome"], found["moves"][0]) == ("move", "b1c3")
    assert found["repeat"] == "Springer Bella eins Cesar drei"


@pytest.mark.parametrize("words", ANSWERS)
def test_an_answer(heard, words):
    found = heard[words]
    assert (found["words"], found["outcome"], found["moves"]) == (words, "answer", [])
    assert found["repeat"] == ANSWERS[words]


@pytest.mark.parametrize("words", NOT_LEGAL)
def test_what_is_not_legal_is_never_a_legal_move(heard, words):
    found = heard[words]
    assert found["outcome"] in ("illegal", "not-understood")
    assert found["moves"] == []
    assert found["reason"]


def pink(samples, generator):
    """Noise with as much power in each octave."""
    spectrum = np.fft.rfft(generator.standard_normal(samples))
    spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
    noise = np.fft.irfft(spectrum, samples)
    return noise / np.abs(noise).max()


def noise(kind, samples):
    generator = np.random.default_rng(64)
    match kind:
        case "silence":
            return np.zeros(samples)
        case "white":
            return 0.3 * generator.uniform(-1, 1, samples)
    return 0.5 * pink(samples, generator)


@pytest.mark.parametrize("kind", NOISES)
def test_noise_is_not_understood(heard, kind):
    found = heard[kind]
    assert (found["outcome"], found["moves"]) == ("not-understood", [])
    assert found["reason"]


@pytest.mark.parametrize("talk", TALK)
def test_other_talk_is_never_a_move(heard, talk):
    assert heard[talk]["outcome"] not in ("move", "choice", "promotion")
    assert heard[talk]["moves"] == []


def unreadable(folder, kind):
    path = folder / f"{kind}.wav"
    match kind:
        case "text":
            path.write_text("Springer Gustav eins Felix drei\n")
        case "empty":
            path.touch()
        case "folder":
            path.mkdir()
    return path


@pytest.mark.parametrize("kind", ["missing", "text", "empty", "folder"])
def test_a_file_that_is_no_recording_is_named_in_one_line(tmp_path, kind):
    recording = unreadable(tmp_path, kind)
    lines, errors = run(tmp_path, "hear", recording, "--with", "pocketsphinx", "--json", status=2)
    assert lines == []
    assert len(errors) == 1
    assert str(recording) in errors[0]


@pytest.mark.parametrize("name", ["a" * 300 + ".wav", "a" * 300])
def test_so_is_a_name_that_no_file_can_have(tmp_path, name):
    lines, errors = run(tmp_path, "hear", name, "--language", "en", status=2)
    assert (lines, len(errors)) == ([], 1)


def test_so_is_one_that_is_no_utf_8(tmp_path):
    recording = tmp_path / os.fsdecode(b"\xff.wav")
    speak(tmp_path, "Eva vier").replace(recording)
    lines, errors = run(tmp_path, "hear", recording, "--language", "en", status=2)
    assert (lines, len(errors)) == ([], 1)
    assert errors[0].startswith("Cannot hear ")


def test_a_wrong_fen_is_named_in_one_line(tmp_path):
    recording = speak(tmp_path, "ja")
    lines, errors = run(tmp_path, "hear", recording, "--fen", "8/8 w", "--json", status=2)
    assert lines == []
    assert len(errors) == 1
    assert "8/8 w" in errors[0]


def test_vosk_without_a_model_says_where_one_belongs(tmp_path):
    recording = speak(tmp_path, "ja")
    lines, errors = run(tmp_path, "hear", recording, "--with", "vosk", "--json", status=2)
    assert lines == []
    assert len(errors) == 1
    assert "Vosk" in errors[0]
    assert "vosk_model" in errors[0]


def test_the_demonstration_plays_the_sample_game(tmp_path):
    save = tmp_path / "games"
    lines, errors = run(tmp_path, "demo", "--speak", "off", "--save", save)
    assert errors == []
    written = [line for line in lines if not all("\u2800" <= sign <= "\u28ff" for sign in line)]
    assert written[-1].endswith(f" record 1 --save {save}")
    assert "A partida se joga sozinha. Para sair: digite parar." in lines
    assert not any("Anuncie um lance" in line for line in lines)
    assert sum(line.startswith("> ") for line in lines) >= 2 * len(SAMPLE_SAN)
    assert "11, Brancas: König Cesar eins Bella eins." in lines
    shown = [line for line in lines if line and all("\u2800" <= sign <= "\u28ff" for sign in line)]
    # The board alone is eight lines for each move, and for its question.
    assert len(shown) >= 8 * 2 * len(SAMPLE_SAN)
    game = game_of(tmp_path, save)
    assert sans(game) == SAMPLE_SAN
    assert game.end().board().fen() == SAMPLE_FEN


def cases(folder, *options):
    lines, errors = run(folder, "hear", "--cases", folder / "cases.json", "--json", *options)
    assert errors == []
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("ears", ["pocketsphinx", "network"])
def test_no_library_keeps_anything_of_whoever_speaks(tmp_path, ears):
    """What is to be sent to the maker of one would be kept in the home until it can be."""
    home = tmp_path / "home"
    home.mkdir()
    run_process(home, "hear", speak(tmp_path, "Eva vier"), "--with", ears)
    kept = [file.relative_to(home).parts for file in home.rglob("*") if file.is_file()]
    assert [parts for parts in kept if "acessivel" not in parts] == []


def test_many_recordings_in_one_run_with_each_reading_and_its_probability(tmp_path):
    (tmp_path / "sound").mkdir()
    said = [("Bauer Eva zwei Eva vier", None, "e2e4"), ("Bauer David sieben David fünf", AFTER_E4, "d7d5")]
    for number, (words, _, _) in enumerate(said):
        synthesise(words, tmp_path / "sound" / f"{number}.wav", "de")
    entries = [
        {"file": f"sound/{number}.wav"} | ({"fen": fen} if fen else {})
        for number, (_, fen, _) in enumerate(said)
    ]
    (tmp_path / "cases.json").write_text(json.dumps(entries), encoding="utf-8")
    found = cases(tmp_path)
    assert [one["moves"][0] for one in found] == ["e2e4", "d7d5"]
    for one in found:
        assert one.keys() == {*KEYS, "readings"}
        first = one["readings"][0]
        assert first.keys() == {"words", "probability", "moves"}
        assert (first["words"], first["moves"]) == (one["words"], one["moves"][:1])
        assert [r["probability"] for r in one["readings"]] == sorted(
            (r["probability"] for r in one["readings"]), reverse=True
        )
        assert sum(r["probability"] for r in one["readings"]) <= 1.001
    # Each case is heard as if it were alone: the order does not matter.
    (tmp_path / "cases.json").write_text(json.dumps(entries[::-1]), encoding="utf-8")
    assert [one["readings"] for one in cases(tmp_path)] == [one["readings"] for one in found[::-1]]


def test_noise_is_the_same_for_the_same_seed_and_drowns_what_is_said(tmp_path):
    speak(tmp_path, "Springer Gustav eins Felix drei")
    (tmp_path / "cases.json").write_text('[{"file": "utterance.wav"}]', encoding="utf-8")
    noisy = [
        cases(tmp_path, "--noise", "babble:10", "--seed", seed, "--with", "network")[0]["readings"]
        for seed in ("1", "1", "2")
    ]
    assert noisy[0] == noisy[1] != noisy[2]
    assert cases(tmp_path, "--noise", "white:-20")[0]["outcome"] == "not-understood"


@pytest.mark.parametrize(
    ("content", "language", "sentence"),
    [
        ("{}", "en", "is not a list of cases: it must be"),
        ("[", "de", "ist keine Liste von Fällen: Es muss"),
        ("[]", "pt", "não é uma lista de casos: deve ser"),
        ("[" * 100_000, "es", "no es una lista de casos: debe ser"),
        ('[{"file": "a.wav", "fen": "8/8"}]', "en", "cases.json, entry 1: This FEN is not a position"),
        ('[{"file": "a.wav"}, {"fen": "x"}]', "es", "La entrada 2 de"),
        ('[{"file": "a.wav", "fen": 5}]', "pt", "O item 1 de"),
        ('[{"file": "a.wav", "convention": 5}]', "en", "Entry 1 of"),
        (
            '[{"file": "a.wav", "words": "b4", "language": "pt", "convention": "letters"}]',
            "en",
            "cases.json, entry 1, is in another language or convention: add --language pt --convention letters.",
        ),
        (
            '[{"file": "a.wav", "convention": "nato"}]',
            "de",
            "Fügen Sie --language de --convention nato hinzu.",
        ),
        ('[{"file": "a.wav", "language": "es"}]', "pt", "acrescente --language es --convention fide."),
        ('[{"file": "a.wav", "language": "en"}]', "es", "añada --language en --convention fide."),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_broken_list_of_cases_is_refused_in_one_sentence(tmp_path, content, language, sentence, encoding):
    (tmp_path / "cases.json").write_text(content, encoding=encoding)
    lines, errors = run(
        tmp_path, "hear", "--cases", tmp_path / "cases.json", "--language", language, status=2
    )
    assert lines == []
    assert len(errors) == 1
    assert sentence in errors[0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "Give one recording, or --cases FILE.json with many."),
        (("a.wav", "--noise", "rain:10"), "The noise rain:10 cannot be added: write KIND:DECIBELS"),
        (("a.wav", "--noise", "pink"), "The noise pink cannot be added: write KIND:DECIBELS"),
        (("a.wav", "--noise", "pink:-7000"), "The noise pink:-7000 cannot be added: write KIND:DECIBELS"),
        (("a.wav", "--noise", "pink:nan"), "The noise pink:nan cannot be added: write KIND:DECIBELS"),
        (("--cases", "absent.json"), "Cannot read absent.json: it does not exist."),
        (
            ("--cases", "cases.json", "--fen", "8/8 w"),
            "Not a possible option, or not a possible value for it: --fen.",
        ),
    ],
)
def test_what_cannot_be_heard_like_that_is_said(tmp_path, options, sentence):
    lines, errors = run(tmp_path, "hear", *options, "--language", "en", status=2)
    assert (lines, len(errors)) == ([], 1)
    assert errors[0].startswith(sentence)


def test_a_recording_that_is_too_long_is_refused_for_that(tmp_path):
    soundfile.write(tmp_path / "long.wav", np.zeros(301 * 8000, dtype="int16"), 8000, subtype="PCM_U8")
    _, errors = run(tmp_path, "hear", tmp_path / "long.wav", "--language", "en", status=2)
    assert errors == [
        f"{tmp_path / 'long.wav'} is longer than 5 minutes: shorten it; one announcement is enough."
    ]


@pytest.mark.parametrize(
    "command", [("demo",), ("hear", "a.wav"), ("enrol",)], ids=lambda command: command[0]
)
def test_where_nothing_can_be_typed_nobody_is_told_to_type_moves(tmp_path, monkeypatch, command):
    monkeypatch.setitem(sys.modules, "pocketsphinx", None)
    _, told = run(tmp_path, *command, "--language", "en", status=2)
    assert told[-1].startswith("This needs speech recognition. To install it: ")
