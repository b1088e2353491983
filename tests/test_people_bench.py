# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark with recordings of people: what is joined to what, and what counts as right; without a download."""

import random
import subprocess
from collections import Counter

import bench_people
import hearing_cases
import numpy as np
import people_cases
import people_recordings
import pytest
from people_recordings import Announcer, Recording
from soundfile import write as write_wav

from acessivel.dialogue.interpretation import meaning
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.hearing.decision import Decided
from voices.hearing.evidence import Weighed
from voices.sound.source import RATE
from voices.words.lexicon import FILES, RANKS

SCRIPT = people_recordings.script()
CHANCE = random.Random(1)  # noqa: S311
ONE = Announcer("es", "letters", "one", "one")


def tone(seconds, level=3000.0):
    return (level * np.sin(np.arange(int(seconds * RATE)) / 5)).astype(np.int16)


@pytest.fixture
def spoken(tmp_path, monkeypatch):
    """A speaker of letters and digits, and pieces of talk; each recording is a tone."""
    path = tmp_path / "tone.wav"
    write_wav(path, tone(0.3), RATE)
    words = [("letter", file) for file in FILES] + [("digit", rank) for rank in RANKS]
    found = tuple(Recording("one", "es", "test", kind, label, label, path) for kind, label in words)
    talk = tuple(
        Recording("klettres es", "es", "test", "talk", text, text, path.with_stem(text))
        for text in ("be", "ocho", "guitarra")
    )
    for one in talk:
        write_wav(one.path, tone(0.3), RATE)
    known = (*found, *talk)
    monkeypatch.setattr(people_cases, "recordings", lambda _=None: known)
    monkeypatch.setattr(people_cases, "announcers", lambda _=None: (ONE,))
    monkeypatch.setattr(people_cases, "split_of", lambda _: "test")
    monkeypatch.setattr(people_cases, "SOUNDS", tmp_path / "cases")


def test_each_package_has_a_licence_and_somebody_it_is_owed_to():
    for entry in SCRIPT["speaker"]:
        for language in entry["languages"]:
            package = SCRIPT["package"][entry["package"].replace("{language}", language)]
            assert package["licence"]
            assert package["credit"]


def test_speakers_are_of_one_split_and_named_once():
    names = [
        e["name"].replace("{language}", language) for e in SCRIPT["speaker"] for language in e["languages"]
    ]
    assert max(Counter(names).values()) == 1
    assert {entry["split"] for entry in SCRIPT["speaker"]} == {"train", "fit", "test"}
    assert {one[key] for one in SCRIPT["announcer"] for key in ("files", "ranks")} <= set(names)


@pytest.mark.parametrize(
    ("files", "ranks", "split"),
    [("test", "test", "test"), ("train", "fit", "train"), ("fit", "fit", "fit"), ("fit", "train", "train")],
)
def test_two_speakers_are_trained_on_if_one_is(files, ranks, split, monkeypatch, tmp_path):
    both = tuple(
        Recording(name, "es", of, "letter", "a", "a", tmp_path) for name, of in (("f", files), ("r", ranks))
    )
    monkeypatch.setattr(people_recordings, "recordings", lambda: both)
    assert people_recordings.split_of(Announcer("es", "letters", "f", "r")) == split


def test_a_speaker_of_the_test_is_joined_with_no_other(monkeypatch, tmp_path):
    both = tuple(
        Recording(name, "es", of, "letter", "a", "a", tmp_path) for name, of in (("f", "fit"), ("r", "test"))
    )
    monkeypatch.setattr(people_recordings, "recordings", lambda: both)
    with pytest.raises(ValueError, match="of the test"):
        people_recordings.split_of(Announcer("es", "letters", "f", "r"))


def test_a_recording_that_says_another_word_than_its_file_is_left_out(tmp_path, monkeypatch):
    for file in "abc":
        write_wav(tmp_path / f"{file}.wav", tone(0.3 + ord(file) / 1000), RATE)
    speaker = {"name": "one", "package": "words", "languages": ["es"], "split": "fit", "letter": ["{}.wav"]}
    told = {"speaker": [speaker], "misnamed": {"one": {"letter": "c"}}, "like": {}}
    monkeypatch.setattr(people_recordings, "script", lambda: told)
    monkeypatch.setattr(people_recordings, "require", lambda _: tmp_path)
    found = people_recordings.recordings.__wrapped__("fit")
    assert [one.label for one in found] == ["a", "b"]


@pytest.mark.parametrize(("language", "said"), [("es", ["no", "si"]), ("de", ["ja"]), ("fr", [])])
def test_a_yes_or_no_of_the_speakers_own_language_is_a_reply(language, said, tmp_path, monkeypatch):
    for number, word in enumerate(("ja", "no", "si", "sol")):
        write_wav(tmp_path / f"{word}.wav", tone(0.3 + number / 10), RATE)
    speaker = {
        "name": "one",
        "package": "words",
        "languages": [language],
        "split": "fit",
        "reply": ["{}.wav"],
    }
    told = {"speaker": [speaker], "misnamed": {}, "like": {}}
    monkeypatch.setattr(people_recordings, "script", lambda: told)
    monkeypatch.setattr(people_recordings, "require", lambda _: tmp_path)
    found = people_recordings.recordings.__wrapped__("fit")
    assert [(one.kind, one.label) for one in found] == [("reply", word) for word in said]


@pytest.mark.parametrize("noise", [0, 20, 100])
def test_the_silence_around_a_word_is_cut_off(noise):
    quiet = np.random.default_rng(1).normal(0, noise, RATE) if noise else np.zeros(RATE)
    word = people_recordings.trimmed(np.concatenate([quiet, tone(0.4), quiet]).astype(np.int16))
    assert 0.4 <= len(word) / RATE <= 0.5


@pytest.mark.parametrize("rate", [8000, 16000, 44100])
def test_a_recording_of_any_rate_is_decoded_to_16_khz(rate, tmp_path):
    write_wav(tmp_path / "word.ogg", np.sin(np.arange(rate) / 9).reshape(-1, 1).repeat(2, axis=1) / 2, rate)
    audio = people_recordings.decoded(tmp_path / "word.ogg")
    assert audio.dtype == np.int16
    assert abs(len(audio) - RATE) < 100


def test_a_package_that_was_downloaded_is_unpacked_once(tmp_path, monkeypatch):
    monkeypatch.setattr(people_recordings, "FOLDER", tmp_path)
    control, debs = tmp_path / "made" / "DEBIAN" / "control", tmp_path / "debs"
    control.parent.mkdir(parents=True)
    debs.mkdir()
    control.write_text("Package: words\nVersion: 1\nArchitecture: all\nMaintainer: a\nDescription: words\n")
    (tmp_path / "made" / "a.ogg").touch()
    subprocess.run(["dpkg-deb", "-b", tmp_path / "made", debs / "words_1_all.deb"], check=True)
    assert (people_recordings.require("words") / "a.ogg").exists()
    (debs / "words_1_all.deb").unlink()
    assert people_recordings.require("words") == tmp_path / "packages" / "words"


def test_a_broken_package_ends_the_benchmark_with_its_name(tmp_path, monkeypatch):
    monkeypatch.setattr(people_recordings, "FOLDER", tmp_path)
    (tmp_path / "debs").mkdir()
    (tmp_path / "debs" / "words_1_all.deb").write_bytes(b"none")
    with pytest.raises(SystemExit, match="words"):
        people_recordings.require("words")
    assert not (tmp_path / "packages" / "words").exists()


def test_words_have_gaps_or_run_together():
    parts = [tone(0.3), tone(0.2, 300.0)]
    assert 0.54 <= len(people_cases.joined(parts, CHANCE)) / RATE <= 0.75
    assert 0.44 <= len(people_cases.joined(parts, CHANCE, run_together=True)) / RATE <= 0.48


def test_words_of_different_levels_become_one():
    joined = people_cases.joined([tone(0.3, 9000.0), tone(0.3, 300.0)], CHANCE)
    first, last = joined[: RATE // 5], joined[-RATE // 5 :]
    assert np.sqrt(np.mean(first**2)) == pytest.approx(np.sqrt(np.mean(last**2)), rel=0.05)


@pytest.mark.usefixtures("spoken")
def test_announcements_are_joined_from_words_that_were_recorded():
    words = {
        grammar.plain_phrase(word)
        for word in ("a be ce de e efe ge hache uno dos tres cuatro cinco seis siete ocho").split()
    }
    cases = people_cases.make(0.05)
    announced = [case for case in cases if case["kind"] in ("legal", "illegal")]
    assert {case["kind"] for case in announced} == {"legal", "illegal"}
    for case in announced:
        where = Position.start(case["fen"]), case["convention"], case["language"]
        assert set(case["words"].split()) <= words
        assert case["words"].split()[0] not in ("uno", "dos", "tres")
        assert bool(case["moves"]) == (case["kind"] == "legal")
        assert isinstance(meaning(case["words"], *where), frozenset) == (case["kind"] == "legal")
        assert (people_cases.SOUNDS / case["file"]).exists()


@pytest.mark.usefixtures("spoken")
def test_the_same_seed_says_the_same_and_a_shorter_run_its_beginning():
    long, again, short = people_cases.make(0.04), people_cases.make(0.04), people_cases.make(0.02)
    assert long == again
    assert {case["file"] + case["fen"] for case in short} <= {case["file"] + case["fen"] for case in long}


@pytest.mark.usefixtures("spoken")
def test_an_answer_is_one_of_those_that_are_asked_for():
    answers = [case for case in people_cases.make(0.5) if case["kind"] == "answer"]
    assert len(answers) == 16
    for case in answers:
        assert case["asked"]
        assert case["words"] in case["answers"]
        where = Position.start(case["fen"]), case["convention"], case["language"]
        asked = [people_cases.meaning(one, *where) for one in case["answers"]]
        assert meaning(case["words"], *where) in asked


@pytest.mark.usefixtures("spoken")
def test_what_is_said_again_sounds_otherwise():
    for case in people_cases.make(0.02):
        again = people_cases.said_again(case)
        assert {**again, "file": case["file"]} == case
        assert (again["file"] == case["file"]) == (case["kind"] == "garbage")  # of which there is one piece


@pytest.mark.usefixtures("spoken")
def test_what_is_listened_for_is_no_other_talk():
    assert len([case for case in people_cases.make(1.0) if case["kind"] == "garbage"]) == 1


@pytest.mark.usefixtures("spoken")
def test_each_reply_answers_a_question_in_each_condition(monkeypatch):
    folder = people_cases.recordings()[0].path.parent
    replies = tuple(
        Recording("one", "es", "test", "reply", word, word, folder / f"{word}.wav") for word in ("si", "no")
    )
    for one in replies:
        write_wav(one.path, tone(0.3), RATE)
    known = (*people_cases.recordings(), *replies)
    monkeypatch.setattr(people_cases, "recordings", lambda _=None: known)
    people_cases._behind.cache_clear()
    cases = [case for case in people_cases.make(0.5) if case["kind"] in ("yes", "no")]
    assert Counter((case["kind"], case["words"], case["condition"]) for case in cases) == {
        (kind, word, condition): people_cases.REPLIES // 2
        for kind, word in (("yes", "si"), ("no", "no"))
        for condition in hearing_cases.CONDITIONS
    }
    assert len({case["file"] for case in cases}) == len(cases)
    for case in cases:
        assert case["asked"]
        assert case["words"] in case["answers"]
    people_cases._behind.cache_clear()


def judged(words, said, asked=()):
    """How a case is judged in which both ears are sure of the words."""
    heard = [
        (words, "all", -0.01, "network"), (words, "expected", -0.01, "network"), ("", "filler", -9.0, "network"),
        (words, "all", -10.0, "pocketsphinx"), (words, "expected", -10.0, "pocketsphinx"),
        ("", "filler", -11.0, "pocketsphinx"),
    ] if words else []  # fmt: skip
    case = {
        "kind": "legal", "fen": Position.start().fen, "convention": "letters", "language": "es", "words": said,
        "asked": bool(asked), "answers": asked, "pocketsphinx": [h for h in heard if h[3] != "network"],
        "network": [h for h in heard if h[3] == "network"],
    }  # fmt: skip
    return bench_people.judge(case, "network+pocketsphinx")


@pytest.mark.parametrize(
    ("words", "said", "outcome"),
    [
        ("e cuatro", "e cuatro", "right"),
        ("e dos e cuatro", "e cuatro", "right"),
        ("de cuatro", "e cuatro", "move"),
        ("de cuatro", "", "move"),
        ("e cinco", "e cuatro", "other"),
        ("e cinco", "e cinco", "right"),
        ("", "e cuatro", "nothing"),
    ],
)
def test_what_is_understood_is_right_another_move_something_else_or_nothing(words, said, outcome):
    assert judged(words, said)["outcome"] == outcome


@pytest.mark.parametrize(
    ("said", "outcome"),
    [("e cuatro", "listed"), ("de cuatro", "listed"), ("e cinco", "asked"), ("be cuatro", "asked")],
)
def test_of_a_list_the_legal_moves_are_offered_and_none_is_repeated(monkeypatch, said, outcome):
    readings = ("e cinco", "e cuatro", "de cuatro")
    decided = Decided(readings, sure=False, weighed=tuple(Weighed(words, 0.3) for words in readings))
    monkeypatch.setattr(bench_people, "decide", lambda *_: decided)
    assert judged("e cinco", said)["outcome"] == outcome


def test_where_something_is_asked_a_list_counts_as_a_whole(monkeypatch):
    decided = Decided(("cuatro", "e cuatro"), sure=False)
    monkeypatch.setattr(bench_people, "decide", lambda *_: decided)
    assert judged("cuatro", "cuatro", ("cuatro",))["outcome"] == "listed"


def test_a_refused_announcement_counts_by_what_comes_of_it_said_again():
    refused, heard = judged("", "e cuatro"), judged("e cuatro", "e cuatro")
    case = refused | {"moves": ("e2e4",)}
    assert bench_people.judge(case, "network+pocketsphinx")["twice"] == "refused"
    assert bench_people.judge(case | {"second": heard}, "network+pocketsphinx")["twice"] == "right"
    assert (
        bench_people.judge(case | {"second": heard, "moves": ()}, "network+pocketsphinx")["twice"] == "wrong"
    )


def test_a_no_that_is_taken_for_a_yes_is_told_of(capsys):
    answers = grammar.answers("letters", "es")
    replies = [
        judged(heard, said, answers) | {"kind": kind, "split": "test", "voice": "one", "condition": "clean"}
        for kind, heard, said in (
            ("no", "si", "no"),
            ("no", "no", "no"),
            ("yes", "si", "si"),
            ("no", "", "no"),
        )
    ]
    assert [case["outcome"] for case in replies] == ["yes", "right", "right", "nothing"]
    bench_people._report_replies(replies)
    for shares in [line.split("|") for line in capsys.readouterr().out.splitlines() if "clean" in line]:
        assert [share.split()[0] for share in shares[3:6]] == ["50.0", "25.0", "25.0"]


def test_a_yes_that_was_none_is_told_apart():
    assert judged("si", "e cuatro", grammar.answers("letters", "es"))["answered"] == "yes"


@pytest.mark.parametrize("talk", [0.5, 1.0, 2.0])
def test_people_weigh_in_the_fit_what_they_are_told_to(talk):
    pytest.importorskip("scipy")
    from calibrate_evidence import weights_of

    kinds = ["legal"] * 30 + ["answer"] * 9 + ["garbage"] * 200
    cases = [{"kind": "legal"}] * 50 + [{"kind": kind, "split": "fit"} for kind in kinds]
    weights = weights_of(cases, 2.0, talk)
    assert weights[:50] == [1.0] * 50
    assert sum(weights[50:]) == pytest.approx(100.0)
    assert sum(weights[89:]) / sum(weights[50:80]) == pytest.approx(talk * 14 / 38)
    dearer = weights_of(cases, 2.0, talk, {"legal": 3.0})
    assert [dear / weight for dear, weight in zip(dearer, weights, strict=True)] == pytest.approx(
        [3.0 if case["kind"] == "legal" else 1.0 for case in cases]
    )
