# SPDX-License-Identifier: GPL-3.0-or-later
import contextlib
import io
import re

import pytest
import tomli
from support.languages import LANGUAGES
from support.played_devices import Table

from acessivel.app import consent
from acessivel.app.consent import LEARNING, ConsentActivity
from acessivel.commands import enrol
from acessivel.devices.keyboard import TypedLine
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings import changed_settings
from acessivel.settings.settings import Settings, file_path, load
from acessivel.web import asked as web_asked
from braille.displays import NamedKey, Pressed
from voices.hearing.utterances import SourceFailed, Utterance
from voices.recognisers import Hypothesis
from voices.understanding.meanings import read_typed, yes_or_no
from voices.words.lexicon import vocabulary


def heard_by_all(words):
    names = ("pocketsphinx", "network")
    return tuple(Hypothesis(words, each, 0.0, name) for name in names for each in ("all", "expected"))


SURE, STOP = heard_by_all("yes"), heard_by_all("stop")


def asked(language="en", kind="lessons"):
    activities = []

    def make(_):
        activities.append(ConsentActivity(LEARNING, (language, "letters"), kind))
        return activities[0]

    table = Table(make, language)
    return table, activities[0]


def sentence(key, language="en"):
    return Renderer(language, "letters").text(Message.of(key))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("answer", "agreed"), [("yes", True), ("no", False)])
def test_an_answer_in_words_is_the_setting_and_is_shown_spoken_and_felt(language, answer, agreed):
    table, activity = asked(language)
    assert sentence("ask_learn", language) in table.lines
    assert table.voice.said[0].startswith(sentence("ask_learn", language)[:20])
    table.happen(TypedLine(vocabulary(language).say("answer", answer)))
    assert activity.over
    assert activity.agreed is agreed
    assert sentence("learn_on" if agreed else "learn_off", language) in table.lines


@pytest.mark.parametrize(("answer", "agreed"), [("Yes", True), ("No", False)])
def test_yes_and_no_are_pressed_on_the_display_and_on_a_page(answer, agreed):
    table, activity = asked()
    shown = web_asked.of(table.loop._channels.present(), "both")
    assert [one["text"] for one in shown["answers"]] == ["Yes", "No"]
    for _ in range(5):
        if not table.shows(answer):
            table.happen(Pressed(NamedKey.RIGHT))
    table.press(answer)
    assert activity.agreed is agreed


def test_what_is_no_answer_is_asked_again_and_then_left_for_another_time():
    table, activity = asked()
    table.happen(TypedLine("perhaps"))
    assert not activity.over
    table.happen(TypedLine("e4"))
    table.happen(TypedLine("later"))
    assert activity.over
    assert activity.agreed is None
    assert sentence("learn_later") in table.lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_and_repeat_put_the_question_again_and_are_no_answer(language):
    table, activity = asked(language)
    for command in ("help", "repeat", "help", "repeat"):
        told = table.happen(TypedLine(vocabulary(language).say("command", command)))
        assert told == [sentence("ask_learn", language)]
    table.spoken()
    if language == "en":
        assert table.heard("help") == [sentence("ask_learn")]
    assert not activity.over


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_wants_to_stop_leaves_it_for_another_time(language):
    table, activity = asked(language)
    table.happen(TypedLine(vocabulary(language).say("command", "stop")))
    assert (activity.over, activity.left, activity.agreed) == (True, True, None)
    assert sentence("learn_later", language) in table.lines


def test_a_spoken_stop_counts_once_the_question_was_over():
    table, activity = asked()
    table.spoken()
    table.happen(Utterance(STOP, 0.0, table.ear.turn - 1))
    assert not activity.left
    table.spoken()
    table.happen(Utterance(STOP, 0.0, table.ear.turn))
    assert activity.left


@pytest.mark.parametrize(("by_word", "told"), [(False, None), (True, "")])
def test_who_leaves_has_not_answered(monkeypatch, tmp_path, by_word, told):
    """By Ctrl+C or at the end of the input, after which nothing follows, or by a word."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    class LeftLoop:
        def run(self, activity):
            activity.left = activity.over = by_word
            return by_word

    assert consent.ask(Settings(language="en"), LeftLoop(), "lessons") == told
    assert load().learn == "ask"


@pytest.mark.parametrize(("key", "agreed"), [(NamedKey.ENTER, True), (NamedKey.ESCAPE, False)])
def test_a_key_answers_too(key, agreed):
    table, activity = asked()
    table.happen(Pressed(key))
    assert activity.agreed is agreed


@pytest.mark.parametrize(("typed", "agreed"), [("y", True), ("n", False)])
def test_one_letter_answers_too_when_it_is_typed(typed, agreed):
    table, activity = asked()
    table.happen(TypedLine(typed))
    assert activity.agreed is agreed


def test_a_yes_is_heard_but_not_one_that_began_before_the_question_was_over():
    table, activity = asked()
    table.spoken()
    told = table.heard("e four")
    assert told == [sentence(key) for key in ("not_understood", "longer_yes_tip", "ask_learn")]
    assert not activity.over
    for _ in range(4):  # more often than what is no answer would be asked for again
        table.spoken()
        told = table.happen(Utterance(SURE, 0.0, table.ear.turn - 1))
        assert told == [sentence("answer_early"), sentence("ask_learn")]
        assert not activity.over
        table.spoken()
        told = table.happen(Utterance(heard_by_all("e four"), 0.0, table.ear.turn - 1))  # with headphones
        assert told == [sentence("not_understood"), sentence("ask_learn")]
        assert not activity.over
    table.spoken()
    table.happen(Utterance(SURE, 0.0, table.ear.turn))
    assert activity.agreed


def test_without_its_microphone_the_question_before_an_enrolment_goes_on(monkeypatch):
    kinds = []
    monkeypatch.setattr(enrol.consent, "wanted", lambda _: True)
    monkeypatch.setattr(enrol.consent, "ask", lambda _settings, _loop, kind: kinds.append(kind))
    monkeypatch.setattr(enrol, "open_loop", lambda *_: contextlib.nullcontext())
    enrol._consent(Settings(language="en"), None)
    table, activity = asked(kind=kinds[0])
    told = table.happen(SourceFailed("unplugged"))
    assert told[0] == "The microphone is gone. Please type your answer, or use the keys."
    table.happen(TypedLine("yes"))
    assert activity.agreed


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["ask_learn", "enrol_keeps_ask", "longer_yes_tip", "lesson_yes"])
def test_what_a_lagging_loudspeaker_says_last_is_no_answer(key, language):
    told = Renderer(language, "letters").text(Message.of(key, folder="here"))
    words = re.findall(r"\w+", told)
    for last in range(1, 5):
        assert yes_or_no(read_typed(" ".join(words[-last:]), language, "letters")) is None


@pytest.mark.parametrize(
    ("tty", "learn", "is_wanted"),
    [(True, "ask", True), (False, "ask", False), (True, "on", False), (True, "off", False)],
)
def test_only_a_person_who_has_not_answered_is_asked(monkeypatch, tty, learn, is_wanted):
    stream = io.StringIO()
    stream.isatty = lambda: tty
    monkeypatch.setattr("sys.stdin", stream)
    assert consent.wanted(Settings(learn=learn)) is is_wanted
    assert not consent.wanted(Settings(learn=learn, profile="none"))  # nothing would be kept


def test_nothing_is_learnt_before_somebody_was_asked():
    assert Settings().learn == "ask"


@pytest.mark.parametrize("learn", ["on", "off"])
def test_the_answer_is_kept_for_all_later_runs(monkeypatch, tmp_path, learn):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    class PlayedLoop:
        learnt = 0

        class devices:  # noqa: N801
            @staticmethod
            def learn(_):
                PlayedLoop.learnt += 1

        def run(self, activity):
            activity.agreed, activity.over = learn == "on", True
            return True

    assert consent.ask(Settings(language="en"), PlayedLoop(), "lessons") == learn
    assert PlayedLoop.learnt == (learn == "on")
    assert load().learn == learn
    assert tomli.loads(changed_settings.beside(file_path()).read_text()) == {"learn": learn}
