# SPDX-License-Identifier: GPL-3.0-or-later
"""A drill and a replay ask before they are left, as a game does: by voice, line, key and display."""

import pytest
from support import activities
from support.activities import desk, drill, lobby, replay
from support.played_devices import Table

from acessivel.app import leaving
from acessivel.devices.keyboard import EnterPressed, TypedLine
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from braille import liblouis
from braille.displays import AltKey, NamedKey, Pressed
from voices.hearing import decision, evidence
from voices.hearing.decision import Decided
from voices.hearing.evidence import Weighed
from voices.hearing.utterances import SpeechBegan
from voices.words.lexicon import vocabulary

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)

each = pytest.mark.parametrize("make", [drill, replay], ids=lambda make: make.__name__)
in_each_language = pytest.mark.parametrize("language", activities.LANGUAGES)


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(leaving, "decide", lambda hypotheses, *_, **__: Decided((hypotheses[0].words,)))
    return lambda make, language="en", **how: Table(make(tmp_path, language), language, **how)


@each
@in_each_language
@pytest.mark.parametrize("by_key", [False, True])
def test_stop_asks_and_a_yes_leaves(table, make, language, by_key):
    it, words = table(make, language), vocabulary(language)
    told = it.happen(Pressed(AltKey("x")) if by_key else TypedLine(words.say("command", "stop")))
    assert told == [catalogue(language)["ask_leave"]]
    assert not it.activity.over
    told = it.happen(TypedLine(words.say("answer", "no")))
    assert told[0] == catalogue(language)["going_on"]
    assert not it.activity.over
    it.happen(TypedLine(words.say("command", "stop")))
    it.happen(TypedLine(words.say("answer", "yes")))
    assert it.activity.over


@each
@pytest.mark.parametrize("answer", [EnterPressed(), TypedLine("y"), Pressed(NamedKey.ENTER)])
def test_a_key_or_a_letter_answers(table, make, answer):
    it = table(make)
    it.happen(TypedLine("stop"))
    it.happen(Pressed(NamedKey.ESCAPE))
    assert not it.activity.over
    it.happen(TypedLine("stop"))
    it.happen(answer)
    assert it.activity.over


@each
def test_a_spoken_yes_answers_once_the_question_has_been_spoken(table, make):
    it = table(make)
    it.happen(TypedLine("stop"))
    told = it.heard("yes", turn=0)  # to something before
    assert told == [catalogue("en")["answer_early"], catalogue("en")["ask_leave"]]
    assert it.heard("e four", turn=0) == []
    assert not it.activity.over
    it.spoken()
    it.heard("yes")
    assert it.activity.over


@each
def test_another_word_that_has_stopped_the_question_has_it_put_again(table, make):
    it = table(make, headphones=True)
    it.spoken()
    it.happen(TypedLine("stop"))
    began = it.ear.turn
    it.happen(SpeechBegan())
    assert it.heard("repeat", turn=began) == [catalogue("en")["ask_leave"]]
    it.spoken()
    it.heard("yes")
    assert it.activity.over


@each
def test_what_is_not_understood_leaves_the_question_open(table, make, monkeypatch):
    it = table(make)
    it.happen(TypedLine("stop"))
    it.spoken()
    with monkeypatch.context() as patch:
        patch.setattr(leaving, "decide", lambda *_, **__: Decided())
        assert it.heard("yes")[-2:] == [
            Renderer("en").text(Message.of("longer_yes_tip")),
            catalogue("en")["ask_leave"],
        ]
    it.spoken()
    it.heard("yes")
    assert it.activity.over


@pytest.mark.parametrize(("probability", "leaves"), [(0.88, True), (0.3, False)])
def test_a_yes_to_leaving_need_not_be_surer_than_other_words(table, monkeypatch, probability, leaves):
    it = table(drill)
    weighed = (Weighed("yes", probability),)
    monkeypatch.setattr(evidence, "weigh", lambda *_, **__: weighed)
    monkeypatch.setattr(leaving, "decide", decision.decide)
    it.happen(TypedLine("stop"))
    it.spoken()
    it.heard("yes")
    assert it.activity.over is leaves


@each
def test_who_goes_on_withdraws_the_question(table, make):
    it = table(make)
    it.happen(TypedLine("stop"))
    it.happen(TypedLine("last move"))
    it.happen(EnterPressed())
    assert not it.activity.over


@each
def test_an_empty_line_of_a_script_is_no_yes(table, make):
    it = table(make)
    it.happen(TypedLine("stop"))
    it.happen(TypedLine(""))
    assert not it.activity.over


@pytest.mark.parametrize("make", [drill, replay, desk, lobby], ids=lambda make: make.__name__)
@in_each_language
def test_by_routing_keys_alone_it_is_answered(tmp_path, monkeypatch, make, language):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    told = catalogue(language)
    for answer, over in (("answer_no", False), ("answer_yes", True), ("ask_leave", True)):
        it = Table(make(tmp_path, language), language, size=(10, 40))
        it.happen(TypedLine(vocabulary(language).say("command", "stop")))
        lines = it.press(told[answer])
        assert it.activity.over is over
        assert over or lines[0] == told["going_on"]


@pytest.mark.parametrize("answer", ["answer_yes", "answer_no"])
def test_so_is_a_question_of_a_drill_without_a_board(tmp_path, answer):
    it = Table(drill(tmp_path, "en"), "en", size=(10, 40))
    assert any(line.endswith("square?") for line in it.press(catalogue("en")[answer]))
