# SPDX-License-Identifier: GPL-3.0-or-later
"""A drill by the display alone: moves that are pointed at, and pieces that are chosen; and when speech counts."""

import pytest
from support.activities import drill
from support.languages import LANGUAGES
from support.played_devices import Table

from acessivel.app import hearing
from acessivel.app.activity import Pointed, TypedText
from acessivel.app.drill import DrillActivity
from acessivel.devices.braille_content import Chosen
from acessivel.devices.keyboard import TypedLine
from acessivel.drills.announcements import RepeatQuestion
from acessivel.drills.blindfold import StandsQuestion
from acessivel.drills.colours import ColourQuestion
from acessivel.drills.question import Reply
from acessivel.drills.round import Round
from acessivel.drills.targets import TargetsQuestion
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.rules.position import Position
from braille.displays import NamedKey, Pressed, RoutingKey
from voices.hearing.decision import Decided
from voices.meaning import Answer, Piece, Place

CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
CASTLING_960 = "4k3/8/8/8/8/8/8/2K4R w H - 0 1"
PROMOTING = "8/4P3/8/8/8/k7/8/K7 w - - 0 1"


def repeating(fen, uci, language="en"):
    position = Position.start(fen)
    question = RepeatQuestion(position, position.fact(uci))
    return drilling(question, language)


def drilling(question, language="en", count=2):
    round_ = Round(iter([question] * count), count)
    return round_, DrillActivity(round_, None, (language, "fide"), lambda: ())


@pytest.mark.parametrize(
    ("fen", "uci", "squares"),
    [
        (CASTLING, "e1g1", "e1 g1"),
        (CASTLING, "e1g1", "e1 h1"),
        (CASTLING, "e1g1", "e1 e1 e1 h1"),
        (CASTLING_960, "c1h1", "c1 g1"),
        (CASTLING_960, "c1h1", "c1 h1"),
        (CASTLING, "e1f1", "e1 f1"),
    ],
)
def test_a_move_is_pointed_at_as_in_a_game(fen, uci, squares):
    round_, activity = repeating(fen, uci)
    activity.start(0)
    for square in squares.split():
        assert round_.score == (0, 0)
        activity.handle(Pointed(square), 0)
    assert round_.score == (1, 1)


def piece(language, named):
    return Renderer(language, "fide").text(Message.of("drill_piece", piece=named))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("named", "right"), [(Piece.QUEEN, 1), (Piece.KNIGHT, 0)])
def test_the_piece_of_a_promotion_is_chosen_by_its_routing_key(language, named, right):
    round_, activity = repeating(PROMOTING, "e7e8q", language)
    it = Table(lambda _: activity, language, size=(10, 40))
    it.happen(TypedLine("e7 e8"))
    it.press(piece(language, named))
    assert round_.score == (right, 1)


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", "n"),
        ("en", "a knight"),
        ("en", "knight check"),
        ("de", "s"),
        ("de", "ein Springer"),
        ("pt", "c"),
        ("es", "un caballo"),
    ],
)
def test_the_piece_of_a_promotion_is_typed_in_a_drill_as_in_a_game(language, typed):
    round_, activity = repeating(PROMOTING, "e7e8n", language)
    activity.start(0)
    for words in ("e7 e8", typed):
        activity.handle(TypedText(words), 0)
    assert round_.score == (1, 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_so_is_the_piece_on_a_square(language):
    start = Position.start()
    round_, activity = drilling(StandsQuestion(start, (), False, start, Place("d", "1")), language)
    it = Table(lambda _: activity, language, size=(10, 40))
    it.press(piece(language, Piece.QUEEN))
    assert round_.score == (1, 1)


ABOUT_COLOURS, ABOUT_TARGETS = (
    ColourQuestion(Place("e", "4"), light=True),
    TargetsQuestion(Piece.KNIGHT, Place("a", "1")),
)
ABOUT_A_MOVE = RepeatQuestion(Position.start(), Position.start().fact("e2e4"))


def marks_of(table):
    """What a routing key over each cell does."""
    return table.devices.panel._layout._shown().marks


def listed(table):
    """All that the display's list offers."""
    actions, before = set(), None
    table.happen(CORNER)
    while before != table.display.cells:
        before = table.display.cells
        actions |= {mark.action for mark in marks_of(table) if isinstance(mark, Chosen)}
        table.happen(Pressed(NamedKey.RIGHT))
    table.happen(CORNER)
    return actions - {"list", "talk"}


def choose(table, action):
    """Press the routing key over a line of the list; returns what is said about it."""
    table.happen(CORNER)
    for _ in range(200):
        if Chosen(action) in marks_of(table):
            break
        table.happen(Pressed(NamedKey.RIGHT))
    return table.happen(Pressed(RoutingKey(marks_of(table).index(Chosen(action)))))


CORNER = Pressed(RoutingKey(19))


@pytest.mark.parametrize("question", [ABOUT_COLOURS, ABOUT_TARGETS, ABOUT_A_MOVE])
def test_the_list_on_a_display_has_what_the_drill_obeys_and_nothing_else(question):
    _, activity = drilling(question, count=9)
    it = Table(lambda _: activity, size=(1, 20))
    offered = listed(it)
    assert {"stop", "correction", "repeat", "help", "more", "faster"} <= offered
    assert not {"resign", "clock", "sign", "draw", "square", "pieces_knight", "checks"} & offered
    assert ({"material", "pawns"} <= offered) == (question is ABOUT_A_MOVE)
    refused = Renderer("en", "fide").text(Message.of("drill_no_command"))
    for action in offered - {"stop"}:
        told = choose(it, action)
        assert told, action
        assert refused not in told, action


def test_a_drill_without_a_board_is_gone_on_with_and_left_by_routing_keys():
    round_, activity = drilling(ABOUT_TARGETS)
    it = Table(lambda _: activity, size=(1, 20))
    choose(it, "more")
    assert round_.score == (0, 1)
    assert choose(it, "stop") == [Renderer("en", "fide").text(Message.of("ask_leave"))]
    it.loop._began -= 1  # later than a hand trembles
    it.press("Do")
    assert activity.over


def test_who_does_not_stop_after_the_last_answer_hears_what_he_can_say():
    round_, activity = drilling(ColourQuestion(Place("e", "4"), light=True), count=1)
    activity.start(0)
    (closing,) = round_.say(Reply((Answer(yes=False),)), spoken=True)[-1:]
    activity.handle(TypedText("stop"), 0)
    (told,) = activity.handle(TypedText("no"), 0)
    assert told.messages[-1] == closing


@pytest.mark.parametrize("answer", ["dark", "yes"])
def test_with_headphones_an_answer_that_began_before_its_question_was_over_does_not_count(
    tmp_path, monkeypatch, answer
):
    monkeypatch.setattr(hearing, "decide", lambda hypotheses, *_, **__: Decided((hypotheses[0].words,)))
    it = Table(drill(tmp_path, "en"), headphones=True)
    *_, question = it.lines
    assert it.heard(answer) == [catalogue("en")["answer_early"], question]
    assert it.heard("repeat") == [question]  # no answer
    it.spoken()
    assert it.heard(answer)[:2] != [catalogue("en")["answer_early"], question]
