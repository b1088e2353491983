# SPDX-License-Identifier: GPL-3.0-or-later
"""An error of the program in any activity: one sentence on all channels, everything as before, and it goes on."""

import logging
from random import Random

import pytest
from support.activities import drill, each, game, in_each_language, lessons, replay

from acessivel.app.activity import KeyPressed, TimePassed
from acessivel.app.drill import DrillActivity
from acessivel.app.game import GameActivity
from acessivel.devices.keyboard import TypedLine
from acessivel.dialogue.questions import NOTHING, Confirm
from acessivel.drills import announcements
from acessivel.drills.files import own_games
from acessivel.drills.round import Round
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.step import step
from braille.displays import NamedKey, Pressed
from voices.meaning import CommandName

PRIVATE = "the queen leaves for f7"


def fails(*_, **__):
    raise ValueError(PRIVATE)


def sentence(key, language="en"):
    return Renderer(language).text(Message.of(key))


@each
@in_each_language
def test_it_is_told_on_all_channels_and_logged_without_what_was_said(
    table, make, language, monkeypatch, caplog
):
    it = table(make, language)
    cells, pending = it.display.cells, [Renderer(language).text(message) for message in it.activity.pending()]
    with monkeypatch.context() as patch:
        patch.setattr(
            type(it.activity), "_taken" if isinstance(it.activity, GameActivity) else "handle", fails
        )
        told = it.happen(TypedLine(PRIVATE))
    assert told == [sentence("went_wrong", language), *pending]
    assert told[0] in it.voice.said[-1]
    assert it.display.cells != cells
    assert not it.activity.over
    (record,) = caplog.records
    assert "ValueError" in caplog.text
    assert ", in fails" in caplog.text
    assert PRIVATE not in caplog.text
    assert record.levelno == logging.ERROR


@pytest.mark.parametrize(
    ("make", "where"),
    [
        (game, "acessivel.app.game.step"),
        (game, "acessivel.session.utterance.read_typed"),
        (game, "acessivel.rules.position.Position.matching"),
        (lessons, "acessivel.app.lessons.Lessons.taught"),
        (drill, "acessivel.drills.colours.ColourQuestion.judge"),
        (drill, "acessivel.drills.colours.ColourQuestion.solution"),
        (replay, "acessivel.records.replayed_game.stepped"),
        (replay, "acessivel.records.replayed_game.queries.played"),
    ],
)
def test_wherever_it_arises_nothing_is_changed_and_the_next_line_is_taken(table, make, where, monkeypatch):
    it = table(make)
    lines = {game: ("e4",), lessons: ("e4",), drill: ("yes", "no"), replay: ("forward",)}[make]
    for line in lines:  # one of the two colours is wrong, and gets the solution told
        stood = standing(it.activity)
        with monkeypatch.context() as patch:
            patch.setattr(where, property(fails) if where.endswith("solution") else fails)
            told = it.happen(TypedLine(line))
        if told[0] == sentence("went_wrong"):
            break
    assert told[0] == sentence("went_wrong")
    assert standing(it.activity) == stood
    assert it.happen(TypedLine(lines[0]))[0] not in (sentence("went_wrong"), sentence("went_wrong_telling"))
    assert standing(it.activity) != stood


def standing(activity):
    """What an activity has come to."""
    match activity.kind:
        case "game" | "lessons":
            return activity.state.game, activity.state.asking, activity._entries
        case "drill":
            return activity._round.score, activity._round.question
        case "replay":
            return activity._replay


def test_what_cannot_be_put_into_words_does_not_happen(table, monkeypatch):
    """Else a yes would play a move that nobody has heard."""
    it = table(game)
    with monkeypatch.context() as patch:
        patch.setattr("acessivel.messages.rendering.phrasing", fails)
        assert it.happen(TypedLine("e4")) == [sentence("went_wrong")]
    assert it.activity.state.asking == NOTHING
    it.happen(TypedLine("yes"))
    assert it.activity.state.game.played == ()
    it.happen(TypedLine("e4"))
    assert isinstance(it.activity.state.asking, Confirm)
    it.happen(TypedLine("yes"))
    assert len(it.activity.state.game.played) == 1


def test_a_move_that_was_made_before_the_error_is_told(table, monkeypatch):
    it = table(game)
    it.happen(TypedLine("e4"))

    def effects_fail(state, event):
        after, effects = step(state, event)
        return after, (*effects, ef.AskEngine()) if isinstance(event, ev.Heard) else effects

    monkeypatch.setattr("acessivel.app.game.step", effects_fail)
    monkeypatch.setattr("acessivel.app.requests.Requests.ask", fails)
    told = it.happen(TypedLine("yes"))
    assert told[0].startswith("1, White: Bauer Eva zwei Eva vier")
    assert sentence("went_wrong_telling") in told
    assert (
        len(it.activity.state.game.played) == it.activity._journal.load(1).state.game.position.fullmove == 1
    )


def test_what_a_device_makes_fail_is_not_the_end_either(table, monkeypatch):
    it = table(game)
    monkeypatch.setattr(it.loop._channels, "_show", fails)
    it.happen(TypedLine("e4"))
    assert isinstance(it.activity.state.asking, Confirm)
    assert it.lines[-1] == sentence("went_wrong_telling")
    monkeypatch.undo()
    assert "Eva vier" in it.happen(TypedLine("repeat"))[0]


def test_an_error_that_comes_with_time_is_told_once_and_not_waited_for_without_pause(table, monkeypatch):
    it = table(game)
    monkeypatch.setattr("acessivel.app.game.step", fails)
    assert it.happen(TimePassed(quiet=False)) == [sentence("went_wrong")]
    assert it.happen(TimePassed(quiet=False)) == []
    monkeypatch.setattr(it.activity, "wakes_in_ms", lambda *_, **__: 0)
    it.spoken()
    assert it.loop._patience_s() >= 1
    monkeypatch.setattr(it.activity, "wakes_in_ms", fails)
    assert it.loop._patience_s() >= 1


def test_an_error_of_the_grammar_lets_the_game_go_on(table, monkeypatch):
    it = table(game)
    with monkeypatch.context() as patch:
        patch.setattr("acessivel.app.game.expectation", fails)
        it.happen(TypedLine("e4"))
    it.happen(TypedLine("yes"))
    assert len(it.activity.state.game.played) == 1


def test_an_error_at_the_end_does_not_keep_it_from_ending(table, monkeypatch):
    it = table(game)
    monkeypatch.setattr(it.activity, "leave", fails)
    monkeypatch.setattr(it.loop, "_wait", lambda: setattr(it.activity, "over", True))
    monkeypatch.setattr(it.loop, "begin", lambda _: None)
    it.reports.put(Pressed(NamedKey.ENTER))  # the last words need not be heard to their end
    it.loop.run(it.activity)
    assert it.lines[-1] == sentence("went_wrong_telling")


def test_what_the_system_refuses_is_no_error_of_the_program(table, monkeypatch):
    it = table(game)

    def full(_):
        raise OSError(28, "full")

    monkeypatch.setattr(it.devices, "write", full)
    with pytest.raises(OSError, match="full"):
        it.happen(TypedLine("e4"))


@in_each_language
def test_the_sentences_are_there(language):
    assert {"went_wrong", "went_wrong_telling"} <= catalogue(language).keys()


@pytest.mark.parametrize("action", [*CommandName])
def test_no_key_makes_a_drill_fail(table, action):
    round_ = Round(announcements.questions(Random(1), own_games()), 10)  # noqa: S311
    it = table(lambda *_: lambda loop: DrillActivity(round_, loop.devices, ("en", "fide"), lambda: ()))
    outputs = it.activity.handle(KeyPressed(action), 0)
    it.loop._channels.do(outputs or ())
