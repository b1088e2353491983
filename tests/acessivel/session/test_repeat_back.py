# SPDX-License-Identifier: GPL-3.0-or-later
"""E.1 point 1 (2009): the opponent repeats each move; here he is corrected until it is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.happening import all_told, played_sans
from support.languages import LANGUAGES

from acessivel.dialogue.questions import NOTHING, Repeating
from acessivel.game.game import Setup
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import asked, expectation, step
from voices.words.files import conventions
from voices.words.phrasing import phrasing


def begun(**setup):
    setup = {"opponent": "engine", "practice": True, "ritual": True, "colour": "black", **setup}
    return step(State.new(Setup.of(**setup)), ev.Started())[0]


def hear(state, *words, at=0):
    effects = ()
    for word in words:
        state, effects = step(state, ev.Heard(words=(word,), at=at))
    return state, effects


def moved(state, uci, at=0):
    return step(state, ev.EngineMoved(uci=uci, at=at))


def said(effects):
    return [message.key for message in all_told(effects)]


def test_the_engine_s_move_is_to_be_repeated_before_it_is_answered():
    state, effects = moved(begun(), "g1f3")
    assert said(effects) == ["played", "ask_repeat"]
    state, effects = hear(state, "Springer Felix drei")
    assert said(effects) == ["turn"]
    assert state.asking == NOTHING
    state, effects = hear(state, "Springer Felix sechs")
    assert said(effects) == ["ask_move"]


@pytest.mark.parametrize(
    "words",
    [
        "Springer Felix sechs",
        "Springer Hector drei",
        "Felix drei",
        "Springer schlägt Felix drei",
        "Springer Felix",
    ],
)
def test_a_wrong_repetition_is_corrected_and_plays_nothing(words):
    before, _ = moved(begun(), "g1f3")
    state, effects = hear(before, words)
    assert said(effects) == ["repeat_wrong", "ask_repeat"]
    assert dict(effects[0].messages[0].values)["move"].san == "Nf3"
    state, effects = hear(state, "sim")
    assert said(effects)[-1] == "ask_repeat"
    assert state.game == before.game
    assert said(hear(state, "Springer f3")[1]) == ["turn"]


def test_an_announcement_of_the_next_move_is_only_a_wrong_repetition():
    before, _ = moved(begun(), "e2e4")
    state, _ = hear(before, "Eva fünf", "sim")
    assert state.game == before.game
    assert isinstance(state.asking, Repeating)


def test_where_two_pieces_could_go_the_repetition_must_tell_them_apart():
    fen = "4k3/8/8/8/8/2N5/8/K5N1 w - - 0 1"
    state, _ = moved(begun(fen=fen), "g1e2")
    state, effects = hear(state, "Springer Eva zwei")
    assert said(effects) == ["repeat_wrong", "ask_repeat"]
    assert said(hear(state, "Springer Gustav eins Eva zwei")[1]) == ["turn"]


def test_a_promotion_is_repeated_with_its_piece():
    state, _ = moved(begun(fen="8/4P1k1/8/8/8/8/8/K7 w - - 0 1"), "e7e8q")
    for words in ("Eva acht", "Eva acht Turm"):
        state, effects = hear(state, words)
        assert said(effects)[0] == "repeat_wrong"
    assert said(hear(state, "Eva acht Dame")[1]) == ["turn"]


def test_the_player_s_time_begins_with_the_right_repetition():
    state, _ = step(begun(clock="15+5"), ev.SpeechEnded(at=500))
    state, _ = moved(state, "g1f3", at=1_000)
    for event in (
        ev.SpeechEnded(at=2_000),
        ev.Heard(words=("Springer h3",), at=30_000),
        ev.SpeechEnded(at=31_000),
    ):
        state, _ = step(state, event)
        assert state.game.clock.running is None
    state, _ = hear(state, "Springer f3", at=40_000)
    assert state.game.clock.running == "black"
    assert state.game.clock.left("black", 41_000) == (15 * 60 + 5) * 1000 - 1_000


def test_it_is_repeated_by_pointing_at_both_squares():
    before, _ = moved(begun(), "g1f3")
    state, effects = step(before, ev.SquarePointed(square="g1"))
    assert said(effects) == ["repeat_to"]
    wrong, effects = step(state, ev.SquarePointed(square="h3"))
    assert said(effects) == ["repeat_wrong", "ask_repeat"]
    assert wrong.game == before.game
    assert said(step(wrong, ev.SquarePointed(square="g1"))[1]) == ["repeat_to"]
    assert said(step(state, ev.SquarePointed(square="f3"))[1]) == ["turn"]


@pytest.mark.parametrize(
    ("fen", "uci", "squares"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", ("e1", "g1")),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", ("e1", "h1")),
        ("8/4P1k1/8/8/8/8/8/K7 w - - 0 1", "e7e8r", ("e7", "e8")),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", ("e5", "d6")),
    ],
)
def test_castling_promotion_and_en_passant_are_pointed_at_too(fen, uci, squares):
    state, _ = moved(begun(fen=fen), uci)
    for square in squares:
        state, effects = step(state, ev.SquarePointed(square=square))
    assert said(effects) == ["turn"]


def test_a_question_in_between_leaves_the_repetition_owed():
    state, _ = moved(begun(), "g1f3")
    for words in ("quem joga", "parar", "não", "regras", "não", "correção"):
        state, effects = hear(state, words)
        assert state.to_repeat
    assert said(effects)[-1] == "ask_repeat"
    state, effects = hear(state, "tripla repetição", "Springer Felix sechs")
    assert said(effects)[0] == "repeat_first"
    assert len(state.game.played) == 1


def test_a_hint_waits_for_the_repetition_and_taking_back_ends_it():
    state, _ = moved(begun(), "g1f3")
    assert said(step(state, ev.Ordered(command="hint"))[1]) == ["repeat_first", "ask_repeat"]
    state, _ = hear(state, "Springer f3", "e5", "sim")
    state, _ = moved(state, "b1c3")
    state, _ = hear(state, "voltar lance", "sim")
    assert state.to_repeat is None
    assert said(hear(state, "d5")[1]) == ["ask_move"]


def test_a_mate_ends_the_game_without_a_repetition():
    state = begun(fen="7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    state, effects = moved(state, "f7g7")
    assert said(effects) == ["played", "over", "you_lost", "after_signing"]
    assert state.asking == NOTHING


def test_resumed_it_is_still_owed():
    state, _ = moved(begun(), "g1f3")
    state, effects = step(state, ev.Resumed())
    assert said(effects)[-1] == "ask_repeat"
    assert said(hear(state, "Springer f3")[1]) == ["turn"]


def test_two_persons_repeat_each_other_s_moves():
    state = begun(opponent="human", practice=False, colour="white", clock="15+5")
    state, effects = hear(state, "e4", "sim", at=1_000)
    assert said(effects)[-1] == "ask_repeat"
    assert state.game.clock.running is None
    state, _ = hear(state, "e5", "sim")
    assert len(state.game.played) == 1
    state, _ = hear(state, "Eva vier", at=5_000)
    assert state.game.clock.running == "black"
    state, _ = hear(state, "e5", "sim", at=6_000)
    assert played_sans(state) == ["e4", "e5"]


def test_an_illegal_move_that_stands_is_repeated_too():
    strict = {"opponent": "human", "practice": False, "clock": "15+5", "strict": True, "supervised": False}
    state, _ = hear(begun(**strict), "g1f5", "sim")
    state, effects = hear(state, "g1f4")
    assert said(effects) == ["repeat_wrong", "ask_repeat"]
    repeated = [hear(state, words) for words in ("g1f5", "Springer Gustav eins Felix fünf")]
    repeated.append(step(step(state, ev.SquarePointed(square="g1"))[0], ev.SquarePointed(square="f5")))
    for _, effects in repeated:
        assert said(effects) == ["turn"]


def test_without_the_ritual_nothing_is_repeated():
    _, effects = moved(begun(ritual=False), "g1f3")
    assert said(effects) == ["played"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
def test_in_every_language_what_is_announced_can_be_repeated_and_is_listened_for(language, convention):
    fen = "r3k2r/pP1p4/8/4p3/2B1n3/2N5/PPPQ1PPP/R3K2R w KQkq e6 0 9"
    start = begun(fen=fen, language=language, convention=convention)
    words = phrasing(convention, language)
    for fact in start.game.position.legal[::6]:
        state, _ = moved(start, fact.uci)
        phrase = words.move(fact.meaning, spoken=True)
        assert said(hear(state, phrase)[1])[0] in ("turn", "turn_in_check"), phrase
    # What could be announced is what can be repeated: the same is listened for, and not the player's moves.
    assert set(expectation(state)[1]) == set(expectation(start)[1])
    assert asked(state)


@given(
    st.lists(
        st.sampled_from(
            ["e4", "d4", "Springer f3", "e5", "Springer f6", "sim", "não", "voltar lance", "g1 f3"]
        )
    )
)
def test_nothing_is_played_while_a_repetition_is_owed(words):
    state, _ = moved(begun(), "g1f3")
    for word in words:
        after, effects = hear(state, word)
        if state.to_repeat:
            assert len(after.game.played) <= len(state.game.played)
        if ef.AskEngine() in effects:
            after, _ = moved(after, after.game.position.legal[0].uci)
        state = after
