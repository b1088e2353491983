# SPDX-License-Identifier: GPL-3.0-or-later
"""A no in the words of a yes ("not right") is a no, typed and spoken, and never the yes."""

from __future__ import annotations

import math

import pytest
from support.languages import LANGUAGES

from acessivel.dialogue.interpretation import Question, decide
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.hearing import decision, evidence
from voices.hearing.evidence import EvidenceModel
from voices.hearing.utterances import hear
from voices.meaning import Answer
from voices.recognisers import Hypothesis
from voices.recognisers.joined import JoinedRecogniser
from voices.recognisers.network import NetworkRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound.source import read_wav
from voices.speakers.synthesis import synthesise
from voices.understanding.meanings import read_heard, read_typed
from voices.words.lexicon import vocabulary

START = Position.start()


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_a_no_in_every_way_to_say_it(language):
    said = [phrase for phrase, _ in vocabulary(language).all("denial")]
    assert len(grammar.denials("fide", language)) == len(said) >= 1
    assert set(grammar.denials("fide", language)) <= set(grammar.answers("fide", language))
    for phrase in said:
        assert [one.meaning for one in read_typed(phrase, language)] == [Answer(yes=False)]
    for phrase in grammar.denials("fide", language):
        assert [one.meaning for one in read_heard(phrase, language)] == [Answer(yes=False)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_beside_a_no_nothing_is_a_yes(language):
    """In Spanish "no confirmo" was one, as "no" means nothing in Portuguese."""
    answers = vocabulary(language).phrases["answer"]
    for no in answers["no"]:
        for text in (text for yes in answers["yes"] for text in (f"{no} {yes}", f"{yes} {no}")):
            for read in (read_typed, read_heard):
                assert Answer(yes=True) not in {one.meaning for one in read(text, language)}


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "I don't confirm."), ("en", "Don't confirm."), ("en", "Not right."), ("es", "No confirmo."),
     ("pt", "Isso não."), ("pt", "Não confirmo."), ("de", "Das stimmt nicht.")],
)  # fmt: skip
def test_no_ear_takes_it_for_the_yes(tmp_path, language, words):
    synthesise(words, tmp_path / "said.wav", language)
    sounds = grammar.pronunciations("fide", language)
    ears = JoinedRecogniser(PocketsphinxRecogniser(sounds), NetworkRecogniser())
    ears.expect(*grammar.expectation((fact.meaning for fact in START.legal), "fide", language))
    question = Question(grammar.answers("fide", language))
    heard = hear(ears, bytes(16_000) + read_wav(tmp_path / "said.wav") + bytes(16_000))
    assert not {*decide(heard, START, "fide", language, question).readings} & {
        *grammar.yeses("fide", language)
    }


def decided(*more: Hypothesis, alone: float = 0.7, **shares: float) -> decision.Decided:
    """What is decided while a move is asked, of phrases with these probabilities to all ears.

    `alone`: how probable the yes is to the network for answers, the rest being no answer.
    """
    said = [Hypothesis(words.replace("_", " "), "all", math.log(p), "network") for words, p in shares.items()]
    filler = Hypothesis("", "filler", math.log(max(1e-9, 1 - sum(shares.values()))), "network")
    return decide(
        (*said, filler, *answers(thats_right=alone, other=1 - alone), *more),
        START, "fide", "en", Question(grammar.answers("fide", "en")),
    )  # fmt: skip


def answers(**shares: float) -> list[Hypothesis]:
    """What the network for answers has heard."""
    named = {words.replace("_", " ").replace("other", ""): share for words, share in shares.items()}
    return [Hypothesis(words, "answer", math.log(share), "network") for words, share in named.items()]


@pytest.fixture
def _shares(monkeypatch):
    """Utilities are the networks' own log-probabilities, three times as far apart."""
    plain = EvidenceModel({"network": 3.0, "filler": 3.0, "unlisted": -99.0}, yes=0.8, foreign_yes=0.8)
    monkeypatch.setattr(evidence, "model", lambda _: plain)


@pytest.mark.usefixtures("_shares")
def test_a_yes_counts_where_no_such_no_was_perhaps_said():
    right = ("thats right",)
    assert decided(thats_right=0.9).readings == right
    assert decided(thats_right=0.9, not_right=0.02).readings == right
    assert decided(thats_right=0.6, not_right=0.1).readings == ()  # within three nats to the networks
    assert decided(thats_right=0.6, nope=0.1).readings == right  # other words


@pytest.mark.usefixtures("_shares")
def test_or_where_the_network_for_answers_that_knows_such_noes_is_sure_of_it():
    near = {"thats_right": 0.6, "not_right": 0.1}
    assert decided(alone=0.95, **near).readings == ("thats right",)
    assert decided(alone=0.85, **near).readings == ()


@pytest.mark.usefixtures("_shares")
def test_but_not_where_it_is_sure_of_another_yes():
    said = [
        Hypothesis(words, "all", math.log(share), "network")
        for words, share in {"confirmo": 0.6, "no confirmo": 0.1}.items()
    ]
    filler = Hypothesis("", "filler", math.log(0.3), "network")
    question = Question(grammar.answers("fide", "es"))
    for heard, counts in ((answers(ja=0.92, confirmo=0.01), False), (answers(confirmo=0.92, ja=0.01), True)):
        found = decide((*said, filler, *heard), START, "fide", "es", question)
        assert bool(found.readings) is counts


@pytest.mark.usefixtures("_shares")
@pytest.mark.parametrize(("no", "counts"), [(0.02, True), (0.08, False)])
def test_but_not_where_it_holds_such_a_no_for_possible(no, counts):
    heard = answers(thats_right=0.91, not_right=no, other=0.09 - no)
    fits = (
        Hypothesis("thats right", "aligned", -480.0, "alignment"),
        Hypothesis("not right", "aligned", -460.0, "alignment"),
    )
    said = (
        Hypothesis("thats right", "all", math.log(0.9), "network"),
        Hypothesis("", "filler", -9.0, "network"),
    )
    found = decide((*said, *heard, *fits), START, "fide", "en", Question(grammar.answers("fide", "en")))
    assert bool(found.readings) is counts


@pytest.mark.parametrize("alone", [0.7, 0.95])
@pytest.mark.parametrize(("no", "counts"), [(0.016, False), (0.001, True)])
def test_nor_where_it_is_possible_to_all_ears_however_improbable_to_the_networks(
    monkeypatch, alone, no, counts
):
    plain = EvidenceModel({"network": 0.5, "filler": 0.5, "unlisted": -99.0}, yes=0.8, foreign_yes=0.8)
    monkeypatch.setattr(evidence, "model", lambda _: plain)
    found = decided(alone=alone, thats_right=0.98, not_right=no)
    assert (found.weighed[0].words, found.weighed[0].probability > 0.8) == ("thats right", True)
    assert bool(found.readings) is counts


@pytest.mark.usefixtures("_shares")
@pytest.mark.parametrize(("fits", "counts"), [(-460.0, False), (-500.0, True)])
def test_nor_where_it_fits_the_sounds_better(fits, counts):
    aligned = (
        Hypothesis("thats right", "aligned", -480.0, "alignment"),
        Hypothesis("not right", "aligned", fits, "alignment"),
    )
    assert bool(decided(*aligned, thats_right=0.9, not_right=0.001).readings) is counts
