# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from importlib import resources
from itertools import product

import numpy as np
import pytest
import tomli
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.languages import LANGUAGES
from support.synthetic import EVERYTHING, EXPECTED, espeak

from voices.grammar import grammar
from voices.grammar.jsgf import automaton
from voices.hearing.utterances import hear
from voices.network import scoring, sentences
from voices.network.ear import NETWORKS, Ear, EarExpectation
from voices.network.features import BANDS, above_noise_db, features
from voices.network.sentences import Sentences, Word, labels
from voices.network.tokens import BLANK, FILLER, outputs, pronunciations
from voices.phones import edits, phones
from voices.recognisers.network import NetworkRecogniser
from voices.sound.disturbance import NOISES, add_noise, echoed, noise, room, speech_level
from voices.sound.source import RATE, read_wav
from voices.understanding.meanings import read
from voices.words.files import conventions
from voices.words.lexicon import vocabulary

ACCENTS = tomli.loads(resources.files("voices.network").joinpath("accents.toml").read_text("utf-8"))
OUTPUTS = (BLANK, FILLER, "de:eins", "en:no", "es:no", "pt:sim")


def walk(phrase: str, jsgf: str) -> bool:
    found = automaton(jsgf)
    states = found.start
    for word in phrase.split():
        states = found.next(states).get(word, frozenset())
    return found.ends(states)


@pytest.mark.parametrize(
    ("phrase", "fits"),
    [
        ("a", False),
        ("a b", True),
        ("a c b", True),
        ("a c c b", False),
        ("d", True),
        ("", False),
        ("a b d", False),
        ("e b", True),
    ],
)
def test_a_grammar_becomes_an_automaton(phrase, fits):
    jsgf = "#JSGF V1.0;\ngrammar g;\n<first> = a | e;\npublic <all> = <first> [c] b | (d);\n"
    assert walk(phrase, jsgf) is fits


def test_a_broken_grammar_is_refused():
    with pytest.raises((KeyError, ValueError)):
        automaton("public <all> = a <missing>;\n")
    with pytest.raises(ValueError, match="not expected"):
        automaton("public <all> = a ) b;\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_automaton_of_everything_takes_what_the_reader_understands(language):
    jsgf = grammar.everything("fide", language)
    for phrase in (
        "springer gustav eins felix drei",
        "eva vier",
        "kurze rochade schach",
        *grammar.commands(language),
        *grammar.helped_commands(language),
    ):
        assert walk(phrase, jsgf), phrase
        assert read(phrase, language), phrase
    assert not walk("springer gustav eins felix", jsgf) or read("springer gustav eins felix", language)


def brute_force(columns: np.ndarray, phrase: tuple[int, ...]) -> float:
    """The sum over all paths that give the phrase when repetitions and blanks are taken out."""
    total = 0.0
    for path in product(range(columns.shape[1]), repeat=len(columns)):
        collapsed = [at for number, at in enumerate(path) if at and (not number or path[number - 1] != at)]
        if tuple(collapsed) == phrase:
            total += float(np.exp(sum(columns[time, at] for time, at in enumerate(path))))
    return total


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(1, 3), min_size=0, max_size=3))
def test_a_phrase_is_as_probable_as_all_its_paths_together(seed, phrase):
    chance = np.random.default_rng(seed)
    columns = np.log(chance.dirichlet(np.ones(4), size=5))
    found = np.exp(scoring.phrase_scores(columns, [phrase, [1]]))
    assert found[0] == pytest.approx(brute_force(columns, tuple(phrase)), abs=1e-9)
    assert found[1] == pytest.approx(brute_force(columns, (1,)), abs=1e-9)


def test_however_long_and_unlikely_what_was_heard_phrases_can_be_compared():
    frames, share = 4000, np.log(1e-15)
    nothing, word = scoring.phrase_scores(np.full((frames, 2), share), [[], [1]])
    assert nothing == pytest.approx(frames * share)
    # The word can begin in each frame, and end in each that follows.
    assert word == pytest.approx(frames * share + np.log(frames * (frames + 1) / 2))


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**6))
@example(3036)
def test_the_search_finds_the_best_phrase_of_the_grammar(seed):
    words = scoring.WordColumns((BLANK, FILLER, "de:a", "de:b"), ("a", "b"))
    columns = np.log(np.random.default_rng(seed).dirichlet(np.ones(4), size=5))
    allowed = automaton("public <all> = a | b | a b | b a;\n")
    found = scoring.best_phrases(columns, words, allowed, 4)
    exact = {
        p: brute_force(columns, tuple(words.column[w] for w in p.split())) for p in ("a", "b", "a b", "b a")
    }
    best = max(exact.values())
    assert found[0][0] == max(exact, key=exact.get)
    # It leaves out ways that begin with a word of e to the power of -9 in its frame.
    assert best - 5 * np.exp(-9) <= np.exp(found[0][1]) <= best + 1e-9


def test_words_not_in_use_are_filler_and_the_same_word_of_two_languages_is_one():
    words = scoring.WordColumns(OUTPUTS, ("eins", "no", "unheard"))
    row = words.of(np.log(np.array([[0.1, 0.2, 0.3, 0.15, 0.05, 0.2]])))
    assert words.known == ("eins", "no")
    assert np.exp(row[0]) == pytest.approx([0.1, 0.4, 0.3, 0.2], abs=1e-6)
    assert scoring.filler_score(row) == pytest.approx(np.log(0.5), abs=1e-6)


def test_a_word_not_in_use_that_sounds_the_same_counts_for_the_one_in_use():
    words = scoring.WordColumns((BLANK, FILLER, "de:b", "es:be", "en:b", "de:d"), ("b",))
    assert set(words.rows) == {BLANK, FILLER, "de:b", "es:be", "en:b"}
    alone = scoring.WordColumns((BLANK, FILLER, "de:b", "es:be", "es:de"), ("de",))
    row = alone.of(np.log(np.array([[0.1, 0.2, 0.3, 0.15, 0.25]])))
    assert np.exp(row[0]) == pytest.approx([0.1, 0.65, 0.25], abs=1e-6)
    both = scoring.WordColumns((BLANK, FILLER, "de:b", "es:be"), ("b", "be"))
    assert np.exp(both.of(np.log(np.array([[0.1, 0.2, 0.3, 0.4]])))[0]) == pytest.approx(
        [0.1, 0.2, 0.3, 0.4], abs=1e-6
    )


def test_words_that_were_not_trained_are_other_speech_in_a_phrase_that_another_has_heard():
    expectation = EarExpectation(OUTPUTS, automaton("public <all> = eins | no;\n"), ["eins"])
    rows = np.log(np.random.default_rng(4).dirichlet(np.ones(len(OUTPUTS)), size=6))
    columns = scoring.WordColumns(OUTPUTS, ("eins", "no")).of(rows)
    found = dict(expectation.untrained(rows, ["eins", "eins new newer no", "new", "no eins"]))
    assert set(found) == {"eins new newer no", "new"}
    exact = scoring.phrase_scores(columns, [[2, 1, 3], [1]])
    assert list(found.values()) == pytest.approx(list(exact))
    assert expectation.untrained(rows[:0], ["new"]) == ()


@pytest.mark.parametrize("above", [6.0, 20.0, 40.0])
def test_how_far_speech_stands_above_the_noise_is_told_whatever_the_level(above):
    chance = np.random.default_rng(1)
    loud = np.where(np.arange(2 * RATE) % RATE < RATE // 3, 10 ** (above / 20), 1.0)
    for level in (30, 90):
        sound = (chance.standard_normal(2 * RATE) * loud * level).astype(np.int16)
        assert above_noise_db(sound) == pytest.approx(above, abs=2)
    assert above_noise_db(np.zeros(0, np.int16)) == 0


def test_loudness_and_microphone_do_not_matter_to_the_features():
    sound = np.random.default_rng(1).standard_normal(RATE) * np.linspace(0.1, 1, RATE) * 3000
    quiet, loud = features(sound / 10), features(sound)
    assert loud.shape == (98, BANDS)
    assert np.abs(quiet - loud).max() < 1e-3
    assert features(np.zeros(10)).shape == (0, BANDS)
    assert np.isfinite(features(np.zeros(RATE))).all()


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("snr_db", [5, 20])
def test_noise_is_added_at_the_level_asked_for(kind, snr_db):
    chance = np.random.default_rng(3)
    speech = [np.sin(np.arange(RATE * 2) * 0.05) * 10000]
    made = noise(kind, RATE * 2, chance, speech)
    assert np.sqrt(np.mean(made**2)) == pytest.approx(1, rel=1e-3)
    added = add_noise(speech[0], made, snr_db) - speech[0]
    assert 20 * np.log10(speech_level(speech[0]) / np.sqrt(np.mean(added**2))) == pytest.approx(
        snr_db, abs=0.1
    )


def test_an_unknown_noise_is_refused_and_an_echo_lasts():
    with pytest.raises(ValueError, match="no noise"):
        noise("vacuum cleaner", 10, np.random.default_rng(1))
    click = np.zeros(RATE)
    click[100] = 1
    heard = echoed(click, room(np.random.default_rng(1), 0.5))
    assert np.abs(heard[RATE // 10 : RATE // 5]).max() > 0


@settings(max_examples=examples(20))
@given(st.sampled_from(sorted({v for known in pronunciations().values() for v in known})), st.data())
def test_what_is_made_up_differs_from_every_known_word_in_two_sounds(word, data) -> None:
    sounds = word.split()
    for _ in range(data.draw(st.integers(0, 3))):
        at, more = data.draw(st.integers(0, len(sounds))), data.draw(st.booleans())
        sounds[at : at + 1 - more] = data.draw(st.lists(st.sampled_from(sorted(phones())), max_size=1))
    known = (tuple(v.split()) for variants in pronunciations().values() for v in variants)
    assert sentences._is_unlike(tuple(sounds)) == all(edits(tuple(sounds), one) >= 2 for one in known)


def test_sentences_are_drawn_again_from_the_same_seed_and_made_up_words_are_no_known_ones():
    one, other = Sentences(5), Sentences(5)
    known = {sounds for variants in pronunciations().values() for sounds in variants}
    for number in range(300):
        language = LANGUAGES[number % 4]
        drawn = one.draw(language)
        assert drawn == other.draw(language)
        assert drawn[1]
        for word in drawn[1]:
            assert word.token == FILLER or word.token in outputs()
            assert word.token != FILLER or word.sounds not in known
            assert set(word.sounds.split()) <= ACCENTS["espeak"].keys()
            assert word.sounds or word.token == FILLER


@pytest.mark.parametrize("letters", ACCENTS["letters"])
def test_every_sound_can_be_written_for_every_synthesiser_that_reads_letters(letters):
    assert ACCENTS["letters"][letters].keys() == ACCENTS["espeak"].keys()


def test_speakers_bring_the_habits_of_their_language_to_foreign_words():
    def said(language):
        drawn = (Sentences(seed).phrase("hector springer", language) for seed in range(60))
        return {word.sounds.split()[0] for sentence in drawn for word in sentence}

    assert said("pt") >= {"HH", "EH", "IY"}  # a mute h, and a vowel before "spr"
    assert "X" in said("es")


def test_other_words_in_a_row_are_one_filler():
    a, other = Word("de:anna", "de"), Word(FILLER, "de")
    assert labels([other, other, a, other, a, a]) == (FILLER, "de:anna", FILLER, "de:anna", "de:anna")


def test_the_weights_in_the_package_are_small():
    package = resources.files("voices.network")
    files = [one for one in package.iterdir() if one.name.endswith(".onnx")]
    assert sum(len(one.read_bytes()) for one in files) <= 12e6


def test_the_networks_together_know_every_word():
    new = {"en:dont", "en:do"}  # of denials alone: until a training other speech stands in their place
    assert {word for file in NETWORKS for word in Ear(file).outputs} == set(outputs()) - new


def test_the_first_network_alone_knows_every_word_of_the_rules():
    known = {name.partition(":")[2] for name in Ear().outputs}
    for name in (*conventions(), *LANGUAGES):
        words = vocabulary(name)
        for section in ("file", "rank", "number", "piece", "castling", "mark", "answer"):
            for phrase in (phrase for phrase, value in words.all(section) if value != "filler"):
                assert {w for w in grammar.plain_phrase(phrase).split() if w in words.sounds} <= known
        for help_ in words.help.values():
            assert set(help_.sounds) <= known


@pytest.mark.parametrize("words", EXPECTED[:6])
def test_the_network_hears_what_a_voice_says(tmp_path, words):
    recogniser = NetworkRecogniser()
    recogniser.expect(EVERYTHING, EXPECTED)
    found = hear(recogniser, read_wav(espeak(words, tmp_path / "said.wav")))
    best = {h.grammar: h for h in reversed(found)}
    assert best["all"].words == words
    assert best["expected"].words == words
    assert best["filler"].score < best["all"].score
    recogniser.close()


def test_what_only_another_ear_proposes_is_weighed_too(tmp_path):
    recogniser = NetworkRecogniser()
    recogniser.expect(EVERYTHING, EXPECTED)
    found = hear(recogniser, read_wav(espeak(EXPECTED[0], tmp_path / "said.wav")))
    own = {h.words: h.score for h in found if h.worded}
    others = [words for words in EXPECTED if words not in own][:4]
    assert others
    weighed = recogniser.weigh([*own, *others, f"{EXPECTED[0]} xylophon"])
    assert {h.words: h.grammar for h in weighed} == {
        **dict.fromkeys(others, "weighed"),
        f"{EXPECTED[0]} xylophon": "untrained",
    }
    assert all(-20 <= h.score < max(own.values()) for h in weighed if h.grammar == "weighed")
    recogniser.close()


@pytest.mark.parametrize("seconds", [0, 1, 3])
def test_a_muted_microphone_says_nothing(seconds):
    ear = NetworkRecogniser()
    ear.expect(EVERYTHING, EXPECTED)
    assert hear(ear, bytes(2 * RATE * seconds)) == ()
