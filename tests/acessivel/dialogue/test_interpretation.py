# SPDX-License-Identifier: GPL-3.0-or-later
"""What is surely a legal move, and what is asked about since something else was perhaps announced."""

import math

import pytest

from acessivel.dialogue import confirmation
from acessivel.dialogue.interpretation import NO_QUESTION, Question, decide, is_settled, meaning
from acessivel.dialogue.questions import NOTHING, Confirm
from acessivel.rules.position import Position
from voices.hearing import evidence
from voices.hearing.evidence import EvidenceModel
from voices.recognisers import Hypothesis
from voices.understanding.meanings import read_heard

START = Position.start()
_model = evidence.model


@pytest.fixture(autouse=True)
def _shares(monkeypatch):
    """Utilities are the network's own log-probabilities."""
    plain = EvidenceModel(
        {"network": 1.0, "filler": 1.0, "unlisted": -99.0}, yes=0.9, foreign_yes=0.9, doubt=0.1
    )
    monkeypatch.setattr(evidence, "model", lambda _: plain)


def decided(question=NO_QUESTION, **shares):
    """What is decided on phrases with these probabilities; the rest is other speech."""
    said = [Hypothesis(words.replace("_", " "), "all", math.log(p), "network") for words, p in shares.items()]
    heard = (*said, Hypothesis("", "filler", math.log(1 - sum(shares.values())), "network"))
    return decide(heard, START, "fide", "de", question)


@pytest.mark.parametrize(
    ("heard", "doubted"),
    [
        ({"eva_vier": 0.95}, False),
        ({"eva_vier": 0.85}, True),  # what else was said is not known
        ({"eva_vier": 0.92, "eva_fünf": 0.05}, False),
        ({"eva_vier": 0.7, "david_vier": 0.25}, False),
        ({"eva_vier": 0.8, "eva_fünf": 0.15}, True),
        ({"eva_vier": 0.85, "eva_fünf": 0.08, "eva_acht": 0.05}, True),
        ({"eva_vier": 0.6, "david_vier": 0.2, "kurze_rochade": 0.15}, True),
        ({"eva_vier": 0.8, "eva": 0.15}, False),  # no whole announcement
        ({"eva_fünf": 0.8, "eva_vier": 0.15}, False),  # refused, with the reason
        ({"aufgeben": 0.8, "eva_fünf": 0.15}, False),
    ],
)
def test_a_legal_move_is_doubted_where_one_that_is_not_legal_was_perhaps_announced(heard, doubted):
    found = decided(**heard)
    assert found.readings == tuple(words.replace("_", " ") for words in heard)
    assert (found.sure, found.doubted) == (True, doubted)


def test_it_is_asked_about_and_what_else_it_may_be_follows_a_no():
    found = decided(eva_vier=0.6, david_vier=0.2, eva_fünf=0.15)
    readings = [tuple(read_heard(words, "de")) for words in found.readings]
    asking = confirmation.respond(NOTHING, readings, START, doubted=found.doubted).asking
    assert isinstance(asking, Confirm)
    assert (asking.fact.uci, [fact.uci for fact in asking.others]) == ("e2e4", ["d2d4"])
    assert asking.doubtful


@pytest.mark.parametrize(
    ("heard", "asked_about"),
    [
        ({"eva_fünf": 0.55, "eva_vier": 0.36}, True),
        ({"eva_fünf": 0.42, "eva_vier": 0.36}, False),  # neither is sure enough: it is said again
        ({"eva_fünf": 0.65, "eva_vier": 0.25}, False),
        ({"aufgeben": 0.55, "eva_vier": 0.36}, False),  # no move at all
        ({"eva": 0.55, "eva_vier": 0.36}, False),
    ],
)
def test_a_legal_move_beside_one_that_is_not_legal_is_asked_about(heard, asked_about):
    found = decided(**heard)
    assert found.doubted == asked_about
    assert (found.readings == ("eva vier",)) == asked_about
    if asked_about:
        assert not is_settled(found, NO_QUESTION)  # said again, both utterances count


def test_while_something_is_asked_what_is_not_legal_is_refused_all_the_same():
    found = decided(Question(("ja", "nein")), eva_fünf=0.55, eva_vier=0.36)
    assert (found.readings[0], found.doubted) == ("eva fünf", False)


@pytest.mark.parametrize("question", [NO_QUESTION, Question(("ja", "nein"))])
@pytest.mark.parametrize("words", ["gedrückt", "uhr_gedrückt", "angenommen", "ich_nehme_an"])
def test_what_does_as_a_yes_does_is_not_taken_from_speech(words, question):
    found = decided(question, **{words: 0.98, "eva_vier": 0.01})
    assert (found.readings, found.sure, found.doubted) == ((), True, False)
    assert found.weighed[0].words == words.replace("_", " ")  # so the longer yes can be named


@pytest.mark.parametrize(
    ("heard", "offered"),
    [
        ({"eva_vier": 0.45, "nein": 0.4, "david_vier": 0.1}, ("eva vier", "david vier")),
        ({"eva_vier": 0.45, "gedrückt": 0.4, "vier": 0.1}, ("eva vier", "vier")),
        ({"nein": 0.45, "eva_vier": 0.4}, ()),
        ({"hilfe": 0.45, "eva_vier": 0.4}, ()),
    ],
)
def test_of_what_is_about_as_likely_only_moves_and_their_parts_are_offered(heard, offered):
    found = decided(Question(("ja", "nein")), **heard)
    assert (found.readings, found.sure) == (offered, not offered)


@pytest.mark.parametrize("answers", [(), ("ja", "nein")])
def test_of_a_known_speaker_only_what_is_repeated_may_be_less_probable(answers):
    known, sterner = Question(answers, repeat=0.35), Question(answers, repeat=0.55)
    for words in ("eva_vier", "eva_fünf", "springer"):
        assert decided(known, **{words: 0.36}).readings == (words.replace("_", " "),)
    for words in ("nein", "aufgeben", "material", "drei"):
        assert not decided(known, **{words: 0.45}).readings, words
        assert not decided(sterner, **{words: 0.52}).readings, words
        assert decided(known, **{words: 0.52}).readings == (words.replace("_", " "),)


def test_nothing_is_doubted_by_ears_that_are_never_sure():
    for ears in ("pocketsphinx", "vosk"):
        assert _model(ears).doubt == 1
    for ears in ("network+pocketsphinx", "network+vosk", "alignment+network+pocketsphinx"):
        assert 0.05 < _model(ears).doubt < 0.2


@pytest.mark.parametrize(
    ("fen", "words", "legal"),
    [
        ("5n2/4P1P1/7k/8/8/K7/8/8 w - - 0 50", "Felix acht Läufer", {"e7f8b", "g7f8b"}),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "David sechs en passant", {"e5d6"}),
    ],
)
def test_what_takes_and_is_promoted_or_takes_en_passant_is_a_pawn_so_nothing_is_missing(fen, words, legal):
    position = Position.start(fen)
    assert meaning(words, position, "fide", "de") == legal
    assert meaning(f"schlägt {words}", position, "fide", "de") == legal
