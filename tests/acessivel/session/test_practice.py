# SPDX-License-Identifier: GPL-3.0-or-later
"""Hints, evaluation, "why was that bad" and taking back: in practice, and nowhere else."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.happening import all_told, played_sans
from support.languages import LANGUAGES

from acessivel.dialogue.questions import Confirm, Sure
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.records.pgn import pgn
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.storage.journal import Journal
from voices.meaning import CommandName
from voices.words.lexicon import vocabulary

PRACTISED = ("take_back", "hint", "evaluate", "why")
ADVISING = ("hint_", "eval_", "why_", "taken_back", "ask_take_back", "no_advice")


def begun(**setup):
    setup = {"opponent": "engine", "practice": True, **setup}
    return step(State.new(Setup.of(**setup)), ev.Started())[0]


def play(state, *words, at=0):
    effects = ()
    for word in words:
        state, _ = step(state, ev.SpeechEnded(heard=True, at=at))
        state, effects = step(state, ev.Heard(words=(word,), at=at))
    return state, effects


def order(state, command, at=0):
    return step(state, ev.Ordered(command=command, at=at))


def replied(state, uci, at=0):
    return step(state, ev.EngineMoved(uci=uci, at=at))[0]


def said(effects):
    return [message.key for message in all_told(effects)]


def asked(effects):
    return [effect for effect in effects if isinstance(effect, ef.AskEngineForAdvice)]


def after_e4_e5(**setup):
    return replied(play(begun(**setup), "e4", "sim")[0], "e7e5")


# A game with a clock against a person is no practice, whatever began it.
COMPETITION = (
    {"practice": False},
    {"practice": False, "opponent": "human"},
    {"opponent": "human", "clock": "15+5"},
    {"practice": False, "opponent": "human", "clock": "15+5", "supervised": False},
)


@pytest.mark.parametrize("setup", COMPETITION)
@pytest.mark.parametrize("command", PRACTISED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_refuses_each_command_of_practice_in_one_sentence(setup, command, language):
    state, _ = play(begun(**setup, language=language), "e4", vocabulary(language).say("answer", "yes"))
    by_key, effects = order(state, command)
    assert said(effects) == ["practice_only"]
    assert not asked(effects)
    by_voice, effects = play(state, vocabulary(language).say("command", command))
    assert said(effects) == ["practice_only"]
    assert (by_key.game, by_key.asking) == (by_voice.game, by_voice.asking) == (state.game, state.asking)


@pytest.mark.parametrize("command", PRACTISED)
def test_a_refusal_keeps_the_open_question(command):
    state, _ = play(begun(practice=False), "e4")
    after, effects = order(state, command)
    assert said(effects) == ["practice_only", "ask_move"]
    assert isinstance(after.asking, Confirm)


EVENTS = st.lists(
    st.one_of(
        st.sampled_from(PRACTISED).map(lambda name: ev.Ordered(command=name)),
        st.sampled_from(["e4", "d4", "Springer f3", "sim", "não", "voltar lance", "dica", "por que"]).map(
            lambda words: ev.Heard(words=(words,))
        ),
        st.sampled_from(["e7e5", "d7d5", "g8f6"]).map(lambda uci: ev.EngineMoved(uci=uci)),
        st.builds(
            ev.EngineJudged,
            about=st.sampled_from(PRACTISED),
            ply=st.integers(0, 4),
            line=st.just(("e2e4",)),
        ),
        st.builds(ev.EngineCompared, ply=st.integers(0, 4), best=st.just(("e2e4",)), cp=st.just(-900)),
        st.sampled_from([ev.EngineFailed(), ev.SpeechEnded(), ev.Resumed()]),
    ),
    max_size=25,
)


@given(st.sampled_from(COMPETITION), EVENTS)
def test_no_order_of_events_gives_advice_or_takes_back_where_it_is_no_practice(setup, events):
    state = begun(**setup)
    for event in events:
        after, effects = step(state, event)
        assert not asked(effects)
        assert not [key for key in said(effects) if key.startswith(ADVISING)]
        assert len(after.game.played) >= len(state.game.played)
        state = after


def test_a_game_that_a_person_goes_on_with_for_want_of_an_engine_has_a_person_as_opponent():
    state = begun(clock="15+5")
    state, _ = play(state, "e4", "sim")
    for _ in range(2):
        state, _ = step(state, ev.EngineFailed())
    assert said(order(state, "hint")[1]) == ["practice_only"]


def test_taking_back_asks_and_restores_the_position_the_rights_and_the_turn():
    state = after_e4_e5()
    before = state.game
    state, _ = play(state, "König e2", "sim")
    state = replied(state, "e8e7")
    state, effects = order(state, "take_back")
    assert said(effects) == ["ask_take_back"]
    assert play(state, "não")[0].game == state.game
    state, effects = play(state, "sim")
    assert said(effects) == ["taken_back", "turn"]
    assert effects[0].messages[0].values[0][1][0].san == "Ke2"
    assert state.game.position == before.position
    assert state.game.position.fen.split()[2] == "KQkq"
    assert state.game.played == before.played


def test_taking_back_leaves_the_times_and_the_time_starts_when_it_is_told():
    state = after_e4_e5(clock="15+5")
    state, _ = step(state, ev.SpeechEnded(at=1_000))
    state, _ = play(state, "d4", at=11_000)
    state, _ = play(state, "sim", at=11_000)
    state = replied(state, "e5d4", at=12_000)
    left = {colour: state.game.clock.left(colour, 12_000) for colour in ("white", "black")}
    state, _ = order(state, "take_back", at=12_000)
    running = state.game.clock.running
    state, _ = play(state, "sim", at=12_000)
    assert running == "white"
    assert state.game.clock.running is None
    assert {colour: state.game.clock.left(colour, 99_000) for colour in left} == left
    state, _ = step(state, ev.SpeechEnded(at=20_000))
    assert state.game.clock.running == "white"
    assert state.game.clock.left("white", 21_000) == left["white"] - 1_000


def test_a_move_taken_back_counts_for_no_repetition_and_no_claim():
    state = begun()
    for own, answer in (("Springer f3", "g8f6"), ("Springer g1", "f6g8"), ("Springer f3", "g8f6")):
        state = replied(play(state, own, "sim")[0], answer)
    state = replied(play(state, "Springer g1", "sim")[0], "f6g8")
    assert state.game.position.repetitions() == 3
    back, _ = play(state, "voltar lance", "sim")
    assert back.game.position.repetitions() == 2
    claimed, _ = play(back, "tripla repetição", "sim")
    assert claimed.game.result is None
    assert play(state, "tripla repetição", "sim")[0].game.result.reason == "threefold"


def test_after_taking_back_the_clocks_that_stand_still_are_asked_about():
    state, _ = order(after_e4_e5(clock="15"), "clock_stop")
    state, effects = play(state, "voltar lance", "sim")
    assert said(effects) == ["taken_back", "turn", "ask_go_on"]
    state, effects = play(state, "sim")
    assert said(effects) == ["clocks_run", "turn"]


def test_a_mate_can_be_taken_back_but_not_a_resignation():
    state, _ = play(begun(), "f3", "sim")
    state, _ = play(replied(state, "e7e5"), "g4", "sim")
    state = replied(state, "d8h4")
    assert state.game.result.reason == "checkmate"
    back, effects = play(state, "voltar lance", "sim")
    assert said(effects) == ["taken_back", "turn"]
    assert back.game.result is None
    assert played_sans(back) == ["f3", "e5"]
    resigned, _ = play(after_e4_e5(), "abandono", "sim")
    assert said(order(resigned, "take_back")[1]) == ["game_is_over"]


def test_without_an_own_move_there_is_nothing_to_take_back_or_to_explain():
    black = replied(begun(colour="black"), "e2e4")
    for state in (begun(), black):
        for command in ("take_back", "why"):
            assert said(order(state, command)[1]) == ["no_own_move"]


@pytest.mark.parametrize("command", PRACTISED)
def test_while_the_engine_thinks_it_is_not_asked(command):
    state, _ = play(begun(), "e4", "sim")
    after, effects = order(state, command)
    assert said(effects) == ["not_your_turn"]
    assert after.game == state.game


def test_the_journal_keeps_what_was_taken_back_and_the_record_does_not(tmp_path):
    journal = Journal(tmp_path)
    setup = Setup(opponent="engine", practice=True)
    number, state = journal.create(setup, "2026-01-01"), State.new(setup)
    happened = [ev.Started(), *(ev.Heard(words=(words,)) for words in ("empate", "sim", "a3", "sim"))]
    happened += [ev.EngineAnswered(accepts=False), ev.EngineMoved(uci="e7e5")]
    happened += [ev.Ordered(command="take_back"), ev.Heard(words=("sim",))]
    happened += [ev.Heard(words=("d4",)), ev.Heard(words=("sim",)), ev.EngineMoved(uci="d7d5")]
    for entry, event in enumerate(happened):
        after, _ = step(state, event)
        journal.append(number, entry, event, state, after)
        state = after
        assert journal.load(number).state == state
    assert journal.games()[0].plies == 2
    journal.close()
    record = pgn(state.setup, state.game, "2026-01-01")
    assert '[Event "Practice"]' in record
    assert "Practice" not in pgn(replace(state.setup, practice=False), state.game, "2026-01-01")
    assert "1. d4 d5" in record
    assert "a3" not in record


def test_notes_on_moves_that_were_taken_back_leave_the_record():
    state, _ = play(after_e4_e5(laws="fide-2009"), "d4", "empate", "sim", "d4", "sim")
    state, _ = step(state, ev.EngineAnswered(accepts=False))
    state = replied(state, "e5d4")
    state, _ = play(state, "empate", "sim")
    assert [note.ply for note in state.game.notes] == [3, 5]
    state, _ = play(state, "voltar lance", "sim")
    assert not state.game.notes


def judged(state, about, **what):
    return step(state, ev.EngineJudged(about=about, ply=len(state.game.played), **what))


def test_a_hint_is_told_step_by_step_and_begins_anew_in_another_position():
    state, effects = order(begun(), "hint")
    assert asked(effects) == [ef.AskEngineForAdvice("hint", 0)]
    assert said(effects) == []
    state, effects = judged(state, "hint", line=("g1f3", "d7d5"))
    assert said(effects) == ["hint_piece"]
    assert "Springer" not in Renderer("pt").text(effects[0].messages[0])  # named in the player's language
    assert "cavalo" in Renderer("pt").text(effects[0].messages[0])
    for _ in range(2):
        state, effects = order(state, "hint")
        assert said(effects) == ["hint_move"]
        assert effects[0].messages[0].values[0][1].san == "Nf3"
    state = replied(play(state, "e4", "sim")[0], "e7e5")
    assert asked(order(state, "hint")[1]) == [ef.AskEngineForAdvice("hint", 2)]


def test_a_hint_to_castle_names_no_square():
    state = begun(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    state, _ = order(state, "hint")
    assert said(judged(state, "hint", line=("e1g1",))[1]) == ["hint_castling"]


def test_an_answer_that_nobody_waits_for_or_that_comes_late_says_nothing():
    state = begun()
    assert judged(state, "evaluate", cp=300) == (state, ())
    state, _ = order(state, "evaluate")
    assert judged(state, "hint", line=("e2e4",)) == (state, ())
    state, _ = play(state, "e4", "sim")
    state, effects = step(state, ev.EngineJudged(about="evaluate", ply=0, cp=300))
    assert effects == ()
    assert judged(replied(state, "e7e5"), "evaluate", cp=300)[1] == ()


@pytest.mark.parametrize("again", ["hint", "evaluate"])
def test_who_asks_again_before_the_answer_is_told_to_wait(again):
    setup = Setup(opponent="engine", practice=True)
    state, _ = step(State.new(setup), ev.Started())
    state, effects = order(state, "hint")
    assert said(effects) == []
    state, effects = order(state, again)
    assert said(effects) == ["working"]
    assert asked(effects) == [ef.AskEngineForAdvice(again, 0)]
    state, effects = judged(state, again, line=("g1f3",), cp=0)
    assert said(effects) == ["hint_piece" if again == "hint" else "eval_equal"]


def test_an_engine_that_fails_to_advise_goes_on_playing():
    state, _ = order(after_e4_e5(), "evaluate")
    state, effects = step(state, ev.EngineFailed())
    assert said(effects) == ["no_advice"]
    assert (state.engine.failures, state.engine.given_up) == (0, False)
    assert asked(order(state, "evaluate")[1])


def test_advice_puts_the_open_question_again():
    state, _ = play(begun(), "e4")
    state, _ = order(state, "evaluate")
    assert said(judged(state, "evaluate", cp=0)[1]) == ["eval_equal", "ask_move"]


def test_why_is_about_the_player_s_last_move_and_its_answer():
    state = replied(play(begun(), "g4", "sim")[0], "d7d5")
    state, effects = order(state, "why")
    assert asked(effects) == [ef.AskEngineForAdvice("why", 1)]
    compared = ev.EngineCompared(
        ply=1, best_cp=30, best=("e2e4",), cp=-150, reply=("d7d5", "f1g2", "c8g4", "c2c4")
    )
    state, effects = step(state, compared)
    assert said(effects) == ["why_lost", "why_better", "why_reply"]
    lost, better, reply = (dict(message.values) for message in effects[0].messages)
    assert (lost["move"].san, lost["count"], better["move"].san) == ("g4", 2, "e4")
    assert [fact.san for fact in reply["moves"]] == ["d5", "Bg2", "Bxg4"]


def test_why_after_a_mate_against_the_player_and_after_his_own():
    state, _ = play(begun(), "f3", "sim")
    state, _ = play(replied(state, "e7e5"), "g4", "sim")
    state = replied(state, "d8h4")
    state, effects = order(state, "why")
    assert asked(effects) == [ef.AskEngineForAdvice("why", 3)]
    _, effects = step(state, ev.EngineCompared(ply=3, best_cp=-50, best=("e2e4",), mate=-1, reply=("d8h4",)))
    assert said(effects) == ["why_mated", "why_better", "why_reply"]
    mates, _ = play(begun(fen="6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"), "Turm a8", "sim")
    assert said(order(mates, "why")[1]) == ["why_best"]


def test_taking_back_while_it_is_asked_for_keeps_nothing_of_what_was_open():
    state, _ = play(after_e4_e5(), "Springer f3")
    state, _ = order(state, "take_back")
    assert isinstance(state.asking, Sure)
    state, effects = play(state, "sim")
    assert said(effects) == ["taken_back", "turn"]
    assert state.game.played == ()
    assert play(state, "sim")[0].game.played == ()


def test_the_beginning_says_the_strength_and_what_can_be_asked():
    _, effects = step(State.new(Setup(opponent="engine", practice=True, level=1)), ev.Started())
    assert said(effects) == ["welcome", "setup_engine", "setup_practice", "turn"]
    for language in LANGUAGES:
        texts = [Renderer(language).text(message) for message in effects[0].messages]
        assert all(vocabulary(language).say("command", name) in texts[2] for name in PRACTISED)
    assert {CommandName(name) for name in PRACTISED} < set(CommandName)
