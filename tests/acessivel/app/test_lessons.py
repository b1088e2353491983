# SPDX-License-Identifier: GPL-3.0-or-later
"""The introduction teaches the loop by doing: each lesson is done by what is seen on the board, in each language."""

import pytest
from support.languages import LANGUAGES

from acessivel.app.lessons import Lessons, Replies, board
from acessivel.dialogue.questions import NOTHING
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from voices.meaning import CommandName, Piece, Place
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing


class Pupil:
    """Somebody who is taught; `told` is what the last event has led to, by key and in words."""

    def __init__(self, language="en", convention="fide", *, routing=False, confirm="any"):
        self.language, self.words = language, vocabulary(language)
        self.convention = convention
        self.lessons = Lessons(routing=routing)
        self.state = State.new(board(language, convention))
        self.renderer = Renderer(language, convention)
        self.left = False
        self.sealings = 0
        self.keys, self.told = [], []
        self._news = []
        self._replies = Replies(self._news.append)
        self.happen(ev.Started(confirm=confirm))

    def happen(self, event):
        self._news.append(event)
        self.keys, self.told = [], []
        while self._news:
            event = self._news.pop(0)
            after, effects = step(self.state, event)
            after, effects = self.lessons.taught(self.state, event, after, effects)
            self.state = after
            for effect in effects:
                match effect:
                    case ef.Say(messages):
                        self.keys += [message.key for message in messages]
                        self.told += map(self.renderer.text, messages)
                    case ef.Adopt():
                        self.renderer = Renderer(self.state.setup.language, self.state.setup.convention)
                    case ef.AskEngine():
                        self._replies.ask_move(self.state.game, 0)
                    case ef.Leave():
                        self.left = True
                    case ef.Seal():
                        self.sealings += 1
        return self

    def says(self, words):
        return self.happen(ev.Heard(words=(words,)))

    def yes(self):
        return self.says(self.words.say("answer", "yes"))

    def stop(self):
        return self.says(self.words.say("command", "stop"))

    def order(self, name):
        return self.says(phrasing(self.convention, self.language).example(name))

    @property
    def farewell(self):
        return [message.key for message in self.lessons.farewell]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", ["fide", "letters", "nato", "mixed"])
def test_the_whole_course_by_the_words_that_it_names(language, convention):
    """A newcomer who does what is asked, in the very words of the task, comes to the end."""
    pupil = Pupil(language, convention)
    assert pupil.keys == ["lesson_welcome", "lesson_announce"]
    assert phrasing(convention, language).place(Place("e", "4"), spoken=False) in pupil.told[-1]
    words = phrasing(convention, language)
    pupil.says("Eva vier")
    assert pupil.keys == ["ask_move", "lesson_yes"]
    pupil.yes()
    german = convention == "fide" and language != "de"
    assert pupil.keys == ["played", "played", "lesson_answer", *["lesson_words"] * german, "lesson_slip"]
    if german:
        knight = words.example(CommandName.CONVENTION, "letters")
        assert "Springer" in pupil.told[-2]
        assert pupil.words.say("piece", Piece.KNIGHT) in pupil.told[-2]
        assert knight in pupil.told[-2]
    pupil.says("Springer Hector drei")
    assert pupil.keys == ["ask_move"]
    pupil.order(CommandName.CORRECTION)
    assert pupil.keys == ["withdrawn", "lesson_right"]
    pupil.says("Springer Felix drei").yes()
    assert pupil.keys == ["played", "played", "lesson_ask"]
    assert words.example(CommandName.PIECES) in pupil.told[-1]
    pupil.order(CommandName.PIECES)
    assert pupil.keys == ["side_position", "side_position", "lesson_stop"]
    pupil.stop()
    assert pupil.keys == ["ask_stop", "lesson_stop_yes"]
    assert not pupil.left
    pupil.says(pupil.words.say("answer", "no"))
    assert pupil.keys == ["going_on", "lesson_stop_again"]
    pupil.stop()
    pupil.yes()
    assert pupil.left
    assert pupil.farewell == ["lesson_done", "lesson_more"]


def test_what_is_not_understood_puts_the_task_again_first_in_short_and_questions_go_on():
    pupil = Pupil()
    assert pupil.says("xyz").told == ["I did not understand.", "Say: Eva vier."]
    assert pupil.says("xyz").keys == ["lesson_not_understood", "lesson_announce"]
    assert pupil.order(CommandName.CLOCK).keys == ["no_clock", "lesson_announce"]
    # Who goes on otherwise has heard it, and is only reminded.
    assert pupil.order(CommandName.CLOCK).keys == ["no_clock", "lesson_announce_again"]
    assert pupil.says("xyz").keys == ["lesson_not_understood", "lesson_announce_again"]
    assert pupil.says("e4").order(CommandName.CLOCK).keys == ["no_clock", "ask_move"]


def test_a_no_goes_back_to_the_announcement():
    pupil = Pupil().says("e4").says("no")
    assert pupil.keys[-1] == "lesson_announce_again"
    assert pupil.says("d4").yes().keys[-1] == "lesson_slip"


def test_a_slip_that_is_confirmed_is_played_and_the_lesson_waits_for_one_that_is_not():
    pupil = Pupil().says("e4").yes().says("Nh3").yes()
    assert len(pupil.state.game.played) == 4
    assert "lesson_right" not in pupil.keys
    # The knight has gone there: another move is named, which is possible.
    assert pupil.says("xyz").told[-1].startswith("Announce Anna")
    assert pupil.says("a3").says("no").keys[-1] == "lesson_right"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_longer_yes_is_taught_where_a_spoken_one_is_heard(language):
    yes = vocabulary(language).longer_answer("yes")
    for talk, confirm, taught in (
        ("hands-free", "any", True),
        ("none", "any", False),
        ("push", "key", False),
    ):
        pupil = Pupil(language, confirm=confirm)
        pupil.happen(ev.Mannered(rate=100, pitch=100, volume=100, verbosity="normal", earcons=(), talk=talk))
        pupil.says("Eva vier")
        assert pupil.keys == ["ask_move", "lesson_yes", *["longer_yes_tip"] * taught]
        assert not taught or yes in pupil.told[-1]
    assert Pupil(language).says("Eva vier").says(yes).keys[0] == "played"


def test_a_spoken_no_to_the_slip_that_brings_up_another_question_withdraws_it_too():
    pupil = Pupil().says("e4").yes()
    pupil.happen(ev.Heard(words=("Springer Hector drei",), spoken=True, beside=("Springer Felix drei",)))
    assert pupil.says("no").keys == ["not_that_move", "ask_file", "or_announce", "lesson_right"]
    assert pupil.says("Nf3").yes().keys[-1] == "lesson_ask"


@pytest.mark.parametrize("answer", ["correction", "no"])
@pytest.mark.parametrize("before", [("Springer Hector drei",) * 2, ("Springer", "Hector")])
def test_whatever_is_asked_of_the_slip_a_correction_withdraws_it(before, answer):
    pupil = Pupil().says("e4").yes()
    for words in before:
        pupil.happen(ev.Heard(words=(words,), spoken=True, beside=("Springer Cesar drei",)))
    assert "lesson_right" not in pupil.keys
    assert pupil.says(answer).keys[-1] == "lesson_right"


def test_after_another_move_than_the_task_names_its_reply_is_followed_by_the_task_alone():
    pupil = Pupil().says("e4").yes().says("Nf3").yes()
    assert pupil.keys == ["played", "played", "lesson_slip_again"]
    pupil.says("xyz").says("xyz")
    assert pupil.keys[-1] == "lesson_slip"  # all of it, but not what is said of the first reply
    assert "answer" not in pupil.told[-1]


def test_any_move_will_do():
    pupil = Pupil().says("d4").yes()
    assert pupil.keys[-1] == "lesson_slip"
    assert pupil.says("c4").says("correction").says("Nc3").yes().keys[-1] == "lesson_ask"


def test_the_display_s_routing_keys_are_a_lesson_where_there_is_one():
    pupil = (
        Pupil(routing=True)
        .says("e4")
        .yes()
        .says("Nh3")
        .says("no")
        .says("Nf3")
        .yes()
        .says("where are the knights")
    )
    assert pupil.keys[-1] == "lesson_routing"
    pupil.happen(ev.SquarePointed(square="b1"))
    assert pupil.keys[-1] == "lesson_stop"
    # The picked piece does not stand in the way of the last lesson.
    assert pupil.stop().yes().left
    assert pupil.farewell[0] == "lesson_done"


@pytest.mark.parametrize("said", [(), ("e4",), ("e4", "yes"), ("e4", "yes", "Nh3", "no")])
def test_it_can_be_left_at_any_time(said):
    pupil = Pupil()
    for words in said:
        pupil.says(words)
    pupil.stop()
    assert pupil.keys[0] == "ask_stop"
    assert pupil.yes().left
    assert pupil.farewell == ["lesson_left", "lesson_more"]
    listed = Lessons(routing=False, listed=True).farewell
    assert listed[-1] == Message.of("lesson_more_listed")


def test_to_repeat_gives_the_task_too():
    pupil = Pupil().says("e4").yes()
    task = pupil.told[-1]
    assert pupil.says("repeat").told[-1] == task
    assert pupil.told.count(task) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("routing", [True, False])
def test_each_task_is_short_the_first_time_that_it_is_told_again(language, routing):
    pupil = Pupil(language, "letters", routing=routing)
    yes, no = (pupil.words.say("answer", name) for name in ("yes", "no"))
    asks = phrasing("letters", language).example(CommandName.PIECES)
    for words in ("e4", yes, "Nh3", no, "Nf3", yes, asks, ""):
        whole = pupil.told[-1]
        if pupil.state.asking == NOTHING:
            heard, short = pupil.says("xyz").told
            assert heard == pupil.renderer.text(Message.of("lesson_not_understood"))
            assert len(short) < len(whole)
            assert pupil.says("xyz").told[-1] == whole
        if words:
            pupil.says(words)
    assert pupil.keys[-1] == ("lesson_routing" if routing else "lesson_stop")


def test_the_words_can_be_changed_on_the_practice_board():
    pupil = Pupil().says("e4").yes()
    assert "Springer" in pupil.told[-1]
    pupil.order(CommandName.CONVENTION)
    pupil.says("convention letters")
    assert pupil.state.setup.convention == "letters"
    assert pupil.told[0] == "Announcements are now in: letters."
    assert "announce knight h3," in pupil.told[-1]
    assert "announce Springer Hector drei," in pupil.says("convention fide").told[-1]
    pupil.says("convention letters").says("language Portuguese")
    assert pupil.told[0] == "Agora em português."
    assert "nuncie cavalo h3 e," in pupil.told[-1]


def test_nothing_is_adjourned_on_the_practice_board():
    pupil = Pupil().says("adjourn").yes()
    assert pupil.keys[0] == "lesson_no_adjourn"
    assert pupil.keys[1:]  # the task again
    assert pupil.sealings == 0
    assert not pupil.left


def test_a_game_that_ends_ends_the_introduction_and_nothing_is_told_that_could_follow():
    pupil = Pupil().says("resign").yes()
    assert pupil.left
    assert pupil.state.asking == NOTHING
    assert pupil.keys == ["over", "you_lost"]


def test_a_game_that_is_won_names_no_stronger_engine():
    pupil = Pupil()
    for move in ("e4", "Bc4", "Qh5", "Qxf7"):
        pupil.says(move).yes()
    assert pupil.keys[-2:] == ["over", "you_won"]


def test_no_games_at_a_server_follow_the_introduction_and_its_help_names_none():
    assert Pupil().says("play online").keys == ["online_not_from_here", "lesson_announce_again"]
    pupil = Pupil().says("help")
    listed = list(pupil.told)
    while "more_follows" in pupil.keys:
        listed += pupil.says("more").told
    assert not any("play online" in line for line in listed)
