# SPDX-License-Identifier: GPL-3.0-or-later
"""Long answers: told in portions, each asked for, everything once, dropped by whatever else is said."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import all_told, played_ucis
from support.languages import LANGUAGES
from support.positions import positions

from acessivel.devices.board_cursor import BoardCursor
from acessivel.devices.braille_panel import BraillePanel
from acessivel.dialogue.questions import NOTHING, Confirm
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session import long_answers
from acessivel.session.state import State
from acessivel.session.step import step
from braille.window import Size
from voices.meaning import CommandName

MORE = ev.Ordered(command=CommandName.MORE)
LONG = ("position", "legal", "help")
MORE_WORDS = {"pt": "continua", "en": "go on", "de": "weiter", "es": "sigue"}


def told(effects):
    return tuple(all_told(effects))


def new(fen=None, language="pt", convention="fide"):
    return State.new(Setup.of(language=language, convention=convention, fen=fen))


def items(messages):
    """What is told in the lists of the messages, or by a message that has none."""
    for message in messages:
        lists = [value for name, value in message.values if isinstance(value, tuple)]
        yield from ((message.key, item) for item in (lists[0] if lists else (message.values,)))


@settings(deadline=None, max_examples=examples(60))
@given(positions(), st.sampled_from(LONG), st.sampled_from(LANGUAGES), st.sampled_from(["fide", "letters"]))
def test_the_portions_are_the_whole_answer_and_none_is_much_longer_than_ten_seconds(
    position, name, language, convention
):
    state, renderer = new(position.fen, language, convention), Renderer(language, convention)
    whole = long_answers.first(_answer(state, name), renderer)
    state, effects = step(state, ev.Ordered(command=name))
    found = []
    while told(effects)[-1].key == "more_follows":
        *portion, _ = told(effects)
        found.append(portion)
        assert state.told.rest
        state, effects = step(state, MORE)
    found.append(told(effects))
    assert state.told.rest == ()
    assert list(items(m for portion in found for m in portion)) == list(items((*whole[0], *whole[1])))
    for told_at_once in found:
        # What can still be done after the end is added by `step` to every answer, long or short.
        portion = [message for message in told_at_once if not message.key.startswith("after_")]
        length = sum(len(span.text) for span in renderer.spans(portion))
        assert length <= long_answers.LONGEST or len(list(items(portion))) == 1


def _answer(state, name):
    """The answer in one, as it is before it is cut."""
    state, effects = step(state, ev.Ordered(command=name))
    *answer, last = told(effects)
    rest = state.told.rest
    return (*answer, *rest) if last.key == "more_follows" else (*answer, last)


def test_a_short_answer_is_told_at_once_and_nothing_follows():
    state, effects = step(new(), ev.Ordered(command="turn"))
    assert [m.key for m in told(effects)] == ["turn"]
    assert [m.key for m in told(step(state, MORE)[1])] == ["more_not"]


def test_a_move_and_its_reply_stay_together():
    state = new(language="en", convention="letters")
    for san in "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5".split():
        for word in (san, "yes"):
            state, _ = step(state, ev.Heard(words=(word,)))
    state, effects = step(state, ev.Ordered(command="moves"))
    renderer, lines = Renderer("en", "letters"), []
    while told(effects)[-1].key == "more_follows":
        lines += map(renderer.text, told(effects))
        state, effects = step(state, MORE)
    lines += map(renderer.text, told(effects))
    assert lines == [
        "1. pawn e2 e4, pawn e7 e5; 2. knight g1 f3, knight b8 c6; 3. bishop f1 b5, pawn a7 a6.",
        "There is more: say continue.",
        "4. bishop b5 a4, knight g8 f6; 5. castle short, bishop f8 e7; 6. rook f1 e1, pawn b7 b5.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_more_is_said_typed_or_ordered_and_does_the_same(language):
    state, _ = step(new(language=language), ev.Ordered(command="position"))
    by_key = step(state, MORE)
    by_word = step(state, ev.Heard(words=(MORE_WORDS[language],)))
    assert told(by_key[1]) == told(by_word[1]) != ()
    assert by_key[0].told.rest == by_word[0].told.rest


def test_repeating_tells_the_portion_again_and_what_follows_is_still_there():
    state, effects = step(new(), ev.Ordered(command="position"))
    again, repeated = step(state, ev.Ordered(command="repeat"))
    assert told(repeated) == told(effects)
    assert again.told.rest == state.told.rest != ()


@pytest.mark.parametrize(
    "event", [ev.Heard(words=("e4",)), ev.Ordered(command="turn"), ev.SquarePointed(square="e2")]
)
def test_whatever_else_is_said_drops_the_rest(event):
    state, _ = step(new(), ev.Ordered(command="position"))
    assert state.told.rest
    after, _ = step(state, event)
    assert after.told.rest == ()


@pytest.mark.parametrize(
    "event",
    [
        ev.Tick(),
        ev.Tick(quiet=True),
        ev.SpeechEnded(),
        ev.Heard(words=("xyz",)),
        ev.Explored(what="square", square="e4"),
    ],
)
def test_noise_and_time_do_not_drop_it(event):
    state, _ = step(new(), ev.Ordered(command="position"))
    after, _ = step(state, event)
    assert after.told.rest == state.told.rest


def test_an_open_question_is_put_again_after_each_portion():
    state, _ = step(new(), ev.Heard(words=("e4",)))
    state, effects = step(state, ev.Ordered(command="legal"))
    assert [m.key for m in told(effects)][-2:] == ["more_follows", "ask_move"]
    state, effects = step(state, MORE)
    assert told(effects)[-1].key == "ask_move"
    assert isinstance(state.asking, Confirm)
    state, _ = step(state, ev.Heard(words=("sim",)))
    assert played_ucis(state) == ["e2e4"]
    assert state.told.rest == ()


def test_enter_asks_for_more_where_nothing_is_asked_and_answers_yes_where_something_is():
    state, _ = step(new(), ev.Ordered(command="position"))
    assert BoardCursor().act("send", state) == MORE
    asking, _ = step(new(), ev.Heard(words=("e4",)))
    asking, _ = step(asking, ev.Ordered(command="legal"))
    assert asking.told.rest
    assert asking.asking != NOTHING
    assert BoardCursor().act("send", asking) is None
    assert BoardCursor().act("send", new()) is None


def test_fingers_on_the_board_come_before_more():
    fingers = BoardCursor()
    state, _ = step(new(), ev.Ordered(command="position"))
    fingers.act("square", state)
    assert isinstance(fingers.act("send", state), ev.SquarePointed)
    assert fingers.act("send", state) == MORE


class Rows:
    """A display that keeps what it was shown."""

    name = "rows"
    size = Size(1, 40)

    def show(self, cells):
        self.cells = cells

    def close(self):
        pass


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_display_shows_the_same_portion(language):
    display = Rows()
    panel = BraillePanel(display, language, "fide")
    state, effects = step(new(language=language), ev.Ordered(command="position"))
    panel.show(state, told(effects))
    first = display.cells
    state, effects = step(state, MORE)
    panel.show(state, told(effects))
    assert display.cells != first


def test_the_number_of_a_move_is_asked_for_where_the_key_has_none():
    state = new(language="en", convention="letters")
    for word in ("e4", "yes", "e5", "yes", "Nf3"):
        state, _ = step(state, ev.Heard(words=(word,)))
    state, effects = step(state, ev.Ordered(command="move_at"))
    asked_for = Message.of("ask_move_number", least=1, most=1)
    assert told(effects) == (asked_for,)
    assert Renderer("en").text(asked_for).endswith("or no.")
    asked, effects = step(state, ev.Heard(words=("1",)))
    assert [m.key for m in told(effects)] == ["played", "played", "ask_move"]
    assert isinstance(asked.asking, Confirm)
    left, effects = step(state, ev.Heard(words=("no",)))
    assert [m.key for m in told(effects)] == ["going_on", "ask_move"]
    assert left.asking == asked.asking
    again, effects = step(asked, ev.Heard(words=("move 7",)))
    assert [m.key for m in told(effects)] == ["no_such_move", "ask_move"]
    assert again.game == state.game
