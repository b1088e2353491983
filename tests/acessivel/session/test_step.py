# SPDX-License-Identifier: GPL-3.0-or-later
import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import happen
from support.journals import first_version
from support.languages import LANGUAGES
from support.spoken_game import Game

from acessivel.dialogue.questions import Confirm, Nothing, Offered
from acessivel.game.game import Result, Setup
from acessivel.messages.rendering import Renderer
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session import practice
from acessivel.session.state import DrawState, State, TouchState
from acessivel.session.step import step
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import JournalError, NoSuchGameError
from voices.meaning import CommandName
from voices.words.lexicon import vocabulary

SAMPLE = (
    ("Eva vier", "Eva fünf"),
    ("Springer Felix drei", "Springer Felix sechs"),
    ("David vier", "Eva schlägt David vier"),
    ("Eva fünf", "Springer Eva vier"),
    ("Dame schlägt David vier", "David fünf"),
    ("Eva schlägt David sechs en passant", "Springer schlägt David sechs"),
    ("Läufer Gustav fünf", "Springer Cesar sechs"),
    ("Dame Eva drei Schach", "Läufer Eva sieben"),
    ("Springer Bella David zwei", "Kurze Rochade"),
    ("Lange Rochade", "Turm Eva acht"),
    ("Turm Bella eins",),
)


def play(state, *words, at=0):
    for n, word in enumerate(words):
        state, _ = step(state, ev.SpeechEnded(heard=True, at=at + n))
        state, effects = step(state, ev.Heard(words=(word,), at=at + n))
    return state, effects


def said(effects):
    return [message.key for effect in effects if isinstance(effect, ef.Say) for message in effect.messages]


def new(**setup):
    state, effects = step(State.new(Setup.of(**setup)), ev.Started())
    return state, effects


def test_the_sample_game_of_the_laws():
    state, _ = new()
    for announcement in (word for pair in SAMPLE[:-1] for word in pair):
        state, _ = play(state, announcement, "ja")
    state, effects = play(state, *SAMPLE[-1])
    # 11.Rb1 in the Portuguese text is the king's move Rei b1; "Turm Bella eins" is not possible there.
    assert said(effects) == ["refused"]
    state, _ = play(state, "König Bella eins", "ja")
    assert [move.fact.san for move in state.game.played] == (
        "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4 Qxd4 d5 exd6 Nxd6 Bg5 Nc6 Qe3+ Be7 Nbd2 O-O O-O-O Re8 Kb1".split()
    )
    assert state.game.position.fen == "r1bqr1k1/ppp1bppp/2nn4/6B1/8/4QN2/PPPN1PPP/1K1R1B1R b - - 9 11"


def test_the_engine_is_asked_after_the_persons_move_and_announced():
    state, _ = new(opponent="engine", colour="white")
    state, effects = play(state, "e4", "sim")
    assert ef.AskEngine() in effects
    state, effects = play(state, "d4")
    assert said(effects) == ["not_your_turn"]
    state, effects = step(state, ev.EngineMoved(uci="e7e5"))
    assert said(effects) == ["played"]
    assert state.game.position.turn == "white"


def test_black_against_the_engine_lets_the_engine_begin():
    _, effects = new(opponent="engine", colour="black")
    assert ef.AskEngine() in effects


@pytest.mark.parametrize("uci", ["e2e4", "e7e4", "0000", "xyz", ""])
def test_an_engine_move_that_is_out_of_turn_or_illegal_changes_nothing(uci):
    state, _ = new(opponent="engine", colour="white")
    after, effects = step(state, ev.EngineMoved(uci=uci))
    assert (after.game, effects) == (state.game, ())


def test_a_failed_engine_is_tried_again_and_then_given_up_but_the_game_goes_on():
    state, _ = new(opponent="engine", colour="black")
    state, effects = step(state, ev.EngineFailed())
    assert ef.AskEngine() in effects
    state, effects = step(state, ev.EngineFailed())
    assert said(effects) == ["engine_given_up", "turn"]
    state, _ = play(state, "e4", "sim")
    assert state.game.position.turn == "black"


def test_an_engine_given_up_is_tried_again_in_the_next_run():
    state, _ = new(opponent="engine", colour="black")
    for _ in range(2):
        state, _ = step(state, ev.EngineFailed())
    assert not state.engine_to_move
    state, effects = step(state, ev.Resumed())
    assert state.engine_to_move
    assert ef.AskEngine() in effects


PROMOTES = "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"
TWO_KNIGHTS = "4k3/8/8/8/8/2N5/8/K5N1 w - - 0 1"
COMMITTING = {
    "move": (None, ["e4"]),
    "choice": (TWO_KNIGHTS, ["Springer Eva zwei", "2"]),
    "promotion": (PROMOTES, ["Eva acht", "Dame"]),
    "resign": (None, ["abandono"]),
    "offer": (None, ["empate"]),
    "accept": (None, ["empate", "sim"]),
    "stop": (None, ["parar"]),
}


def spoken(state, words, **how):
    return step(state, ev.Heard(words=(words,), spoken=True, **how))


@pytest.mark.parametrize("fen, words", COMMITTING.values(), ids=COMMITTING)  # noqa: PT006
def test_a_spoken_yes_commits_nothing_where_only_a_key_confirms(fen, words):
    state, _ = step(State.new(Setup.of(fen=fen, laws="fide-2009")), ev.Started(confirm="key"))
    state, asked = play(state, *words)
    for yes in ("sim", "ja"):
        after, effects = spoken(state, yes)
        assert said(effects) == ["answer_by_key", *said(asked)[-1:]]
        assert replace(after, now_ms=0) == replace(state, now_ms=0)
    after, effects = play(state, "sim")
    assert after.game != state.game or after.asking != state.asking or ef.Leave() in effects


@pytest.mark.parametrize("fen, words", COMMITTING.values(), ids=COMMITTING)  # noqa: PT006
def test_an_answer_that_began_too_early_changes_nothing(fen, words):
    state, _ = step(State.new(Setup.of(fen=fen, laws="fide-2009")), ev.Started())
    state, asked = play(state, *words)
    for answer in ("sim", "não"):
        after, effects = spoken(state, answer, early=True)
        assert said(effects) == ["answer_early", *said(asked)[-1:]]
        assert replace(after, now_ms=0, hurried=None) == replace(state, now_ms=0)


def test_who_answers_too_early_again_hears_the_question_alone():
    """The sooner it is over, the sooner the answer counts."""
    state, _ = play(new()[0], "e4")
    told = []
    for answer in ("sim", "sim", "não"):
        state, effects = spoken(state, answer, early=True)
        told.append(said(effects))
    assert told == [["answer_early", "ask_move"], ["ask_move"], ["ask_move"]]
    for words in ("d4", "e4"):
        state, _ = play(state, words)
        state, effects = spoken(state, "sim", early=True)
        assert said(effects) == ["answer_early", "ask_move"]  # another question


def test_a_spoken_yes_counts_where_it_may():
    state, _ = new()
    state, _ = spoken(state, "e4")
    state, _ = spoken(state, "sim")
    assert state.game.last.uci == "e2e4"


def test_words_that_are_no_answer_count_early_too():
    state, _ = new()
    state, _ = play(state, "e4")
    _, effects = spoken(state, "relógio", early=True)
    assert said(effects) == ["no_clock", "ask_move"]
    state, effects = spoken(state, "d4", early=True)
    assert (said(effects), state.asking.fact.uci) == (["ask_move"], "d2d4")


@pytest.mark.parametrize(
    ("words", "why"), [((), "not_understood"), (("sim",), "nothing_asked")], ids=["cough", "yes"]
)
def test_what_speech_that_means_nothing_has_interrupted_is_told_again(words, why):
    state, _ = play(new(opponent="engine")[0], "e4", "sim")
    state, told = step(state, ev.EngineMoved(uci="e7e5"))
    after, effects = step(state, ev.Heard(words=words, spoken=True, early=True))
    assert said(effects) == [why, *said(told)]
    assert said(step(after, ev.Heard(words=words, spoken=True, early=True))[1]) == said(effects)
    assert said(step(state, ev.Heard(words=words, spoken=True))[1]) == [why]  # nothing was interrupted


def test_a_question_is_put_once_after_what_was_interrupted():
    state, told = play(new(laws="fide-2009")[0], "e4", "sim", "e5", "sim", "empate", "sim")
    assert said(told)[-1] == "ask_accept_draw"
    state, effects = step(state, ev.Heard(words=(), spoken=True, early=True))
    assert said(effects) == ["not_understood", *said(told)]


def test_what_may_confirm_is_the_run_s_and_is_replayed(tmp_path):
    journal = Journal(tmp_path)
    number = journal.create(Setup(), "2026-01-01")
    state = State.new(Setup())
    happened = (
        ev.Started(confirm="key"),
        ev.Heard(words=("e4",), spoken=True),
        ev.Heard(words=("sim",), spoken=True),
        ev.Heard(words=("sim",)),
        ev.Resumed(),
        ev.Heard(words=("e5",), spoken=True),
        ev.Heard(words=("sim",), spoken=True),
    )
    for entry, event in enumerate(happened):
        after, _ = step(state, event)
        journal.append(number, entry, event, state, after)
        state = after
        # The third event played nothing, the fourth did.
        assert len(state.game.played) == (0, 0, 0, 1, 1, 1, 2)[entry]
        assert journal.load(number).state == state
    journal.close()


def test_the_journal_of_an_older_program_is_read():
    assert ev.from_json('{"event": "Started", "at": 5}') == ev.Started(at=5)
    heard = ev.from_json('{"event": "Heard", "at": 5, "words": ["sim"]}')
    assert heard == ev.Heard(words=("sim",), at=5)
    assert not heard.spoken
    assert not heard.early


def test_whatever_interrupts_a_question_puts_it_again():
    state, _ = new(opponent="engine", laws="fide-2009")
    state, _ = play(state, "empate", "sim", "e4")
    for event in (
        ev.DeviceNews(key="braille_back"),
        ev.EngineAnswered(accepts=False),
        ev.SquarePointed(square="e2"),
    ):
        after, effects = step(state, event)
        assert said(effects)[-1] == "ask_move", event
        assert after.asking == state.asking


def test_a_draw_offer_to_the_engine_survives_the_end_of_the_run():
    state, _ = new(opponent="engine", laws="fide-2009")
    state, _ = play(state, "empate", "sim")
    _, effects = step(state, ev.Resumed())
    assert ef.AskEngineForDraw() in effects


def test_a_recorded_result_wins_over_a_new_reading_of_the_event(tmp_path):
    journal = Journal(tmp_path)
    game = journal.create(Setup(), "2026-11-21T10:00:00")
    state = State.new(Setup())
    resigned = play(state, "abandono", "sim")[0]
    journal.append(game, 0, ev.Heard(words=("words of another version",)), state, resigned)
    assert journal.load(game).state.game.result == resigned.game.result
    journal.close()


def test_the_opponents_clock_starts_only_when_the_move_is_confirmed():
    # 2009, E.1 point 3: only after the announcement does the opponent's clock run.
    state, _ = new(clock="15+5")
    state, _ = step(state, ev.SpeechEnded(at=1_000))
    state, _ = play(state, "e4", at=5_000)
    assert state.game.clock.running == "white"
    state, _ = play(state, "sim", at=9_000)
    assert state.game.clock.running == "black"
    assert state.game.clock.left("white", 9_000) == (15 * 60 + 5) * 1000 - 8_000 + 5_000


def test_the_persons_time_does_not_run_while_the_engines_move_is_announced():
    state, _ = new(clock="15+5", opponent="engine", colour="black")
    state, _ = step(state, ev.EngineMoved(uci="e2e4", at=1_000))
    assert state.game.clock.running is None
    state, _ = step(state, ev.SpeechEnded(at=4_000))
    assert state.game.clock.running == "black"
    assert state.game.clock.left("black", 5_000) == (15 * 60 + 5) * 1000 - 1_000


def test_a_fallen_flag_ends_the_game_before_anything_else_is_done():
    state, _ = new(clock="1")
    state, _ = step(state, ev.SpeechEnded(at=0))
    state, _ = play(state, "e4", at=1_000)
    state, effects = step(state, ev.Heard(words=("sim",), at=61_000))
    assert effects == (ef.FlagFell(), ef.Again(ev.Heard(words=("sim",), at=61_000)))
    assert (state.game.played, state.game.clock.running) == ((), None)
    state, effects = step(state, effects[-1].event)
    assert said(effects) == ["over", "after_over"]
    assert state.game.result.score == "0-1"
    assert state.game.played == ()


def test_a_flag_does_not_lose_against_a_bare_king():
    state, _ = new(clock="1", fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    state, _ = step(state, ev.SpeechEnded(at=0))
    state, _ = happen(state, ev.Tick(at=60_000))
    assert (state.game.result.score, state.game.result.reason) == ("1/2-1/2", "flag_no_mate")


def test_resignation_and_draw_ask_back():
    state, _ = new(laws="fide-2009")
    after, _ = play(state, "abandono", "sim")
    assert after.game.result.score == "0-1"
    offered, _ = play(state, "empate", "sim")
    assert offered.asking == Offered("white")
    agreed, _ = play(offered, "sim")
    assert (agreed.game.result.score, agreed.game.result.reason) == ("1/2-1/2", "agreement")
    refused, _ = play(offered, "não")
    assert refused.game.result is None


def test_the_engines_answer_to_a_draw_counts_only_after_an_offer():
    state, _ = new(opponent="engine", laws="fide-2009")
    assert step(state, ev.EngineAnswered(accepts=True))[0].game.result is None
    state, effects = play(state, "empate", "sim")
    assert ef.AskEngineForDraw() in effects
    assert step(state, ev.EngineAnswered(accepts=True))[0].game.result.reason == "agreement"


def test_nothing_can_be_played_after_the_end():
    state, _ = new()
    state, _ = play(state, "f3", "sim", "e5", "sim", "g4", "sim", "Dh4", "sim")
    assert state.game.result.reason == "checkmate"
    after, _ = play(state, "Bauer a3", "sim")
    assert after.game == state.game


def test_repeat_says_the_last_announcement_again():
    state, _ = new(opponent="engine", colour="black")
    state, announced = step(state, ev.EngineMoved(uci="e2e4"))
    _, again = play(state, "blah", "repete")
    assert again == announced


def test_a_routing_key_tells_the_square_and_keeps_the_question():
    state, _ = new()
    state, _ = play(state, "e4")
    after, effects = step(state, ev.SquarePointed(square="e2"))
    assert said(effects) == ["on_square", "ask_move"]
    assert after.asking == state.asking


def test_stop_leaves_and_keeps_the_game():
    state, _ = new()
    state, effects = play(state, "parar", "sim")
    assert ef.Leave() in effects
    assert state.game.result is None


ANY_WORDS = st.sampled_from(
    "e4|e5|d4|Springer Felix drei|Cc6|Kurze Rochade|Eva schlägt David fünf|sim|ja|nein|não|eins|zwei|Dame|correção"
    "|abandono|empate|parar|relógio|posição|repete|casa e4||blah|Turm Anna fünf|exd5|Te8"
    "|Springer|Springer Felix|Springer drei|Eva|Felix|Bauer vier|schlägt David|Eva zwei|Rochade".split("|")
)
ANY_EVENT = st.one_of(
    st.builds(lambda words: ev.Heard(words=tuple(words)), st.lists(ANY_WORDS, max_size=3)),
    st.builds(ev.EngineMoved, uci=st.sampled_from(["e7e5", "e2e4", "g8f6", "bad"])),
    st.builds(ev.EngineAnswered, accepts=st.booleans()),
    st.builds(ev.EngineFailed),
    st.builds(ev.SpeechEnded),
    st.builds(ev.Tick),
    st.builds(ev.SquarePointed, square=st.sampled_from(["a1", "e4", "f3", "f6"])),
    st.builds(ev.DeviceNews, key=st.just("braille_lost")),
)
ANY_EVENTS = st.lists(st.tuples(ANY_EVENT, st.integers(0, 30_000)), max_size=40)
ANY_SETUP = st.builds(
    Setup.of,
    opponent=st.sampled_from(["human", "engine"]),
    colour=st.sampled_from(["white", "black"]),
    clock=st.sampled_from(["none", "1+1", "15+5"]),
)


def timed(events):
    now = 0
    for event, wait in events:
        now += wait
        yield replace(event, at=now)


@settings(max_examples=examples(200), deadline=None)
@given(ANY_SETUP, ANY_EVENTS)
def test_nothing_changes_the_game_without_a_confirmation(setup, events):
    """A move of a person is added only by a yes to that move; the result only by a yes, a flag or a move."""
    state = step(State.new(setup), ev.Started())[0]
    for event in timed(events):
        before, (state, _) = state, step(state, event)
        if state.game.result and before.game.result:
            assert state.game.played == before.game.played
        if len(state.game.played) == len(before.game.played):
            continue
        assert len(state.game.played) == len(before.game.played) + 1
        # Without its engine, which was given up, both sides are announced.
        if before.two_persons or before.game.position.turn in before.setup.persons:
            assert isinstance(event, ev.Heard)
            assert isinstance(before.asking, Confirm)
            assert state.game.last == before.asking.fact
            assert event.words[0] in ("sim", "ja")
        else:
            assert isinstance(event, ev.EngineMoved)
            assert state.game.last.uci == event.uci


@settings(max_examples=examples(60), deadline=None)
@given(ANY_SETUP, ANY_EVENTS)
def test_replaying_the_journal_gives_the_same_state(tmp_path_factory, setup, events):
    journal = Journal(tmp_path_factory.mktemp("journal"))
    game = journal.create(setup, "2026-11-21T10:00:00")
    state = State.new(setup)
    for number, event in enumerate([ev.Started(), *timed(events)]):
        after, _ = step(state, event)
        journal.append(game, number, event, state, after)
        state = after
    assert journal.load(game).state == state
    journal.close()


def test_the_journal_is_append_only_and_refuses_a_second_player_of_the_same_game(tmp_path):
    journal = Journal(tmp_path)
    game = journal.create(Setup(), "2026-11-21T10:00:00")
    state = State.new(Setup())
    journal.append(game, 0, ev.Started(), state, state)
    with pytest.raises(JournalError, match="played_elsewhere"):
        journal.append(game, 0, ev.Tick(), state, state)
    for statement in ("DELETE FROM entry", "UPDATE entry SET move = 'e2e4'"):
        with pytest.raises(Exception, match="append only"):
            journal._db.execute(statement)
    with pytest.raises(NoSuchGameError):
        journal.load(99)
    journal.close()


def test_a_recorded_move_wins_over_a_new_reading_of_the_event(tmp_path):
    journal = Journal(tmp_path)
    game = journal.create(Setup(), "2026-11-21T10:00:00")
    state = State.new(Setup())
    played = play(state, "e4", "sim")[0]
    # The words say nothing to this version; the move beside them was played nevertheless.
    journal.append(game, 0, ev.Heard(words=("words of another version",)), state, played)
    assert journal.load(game).state.game == played.game
    journal.close()


def test_what_an_older_version_did_not_understand_plays_nothing_when_its_journal_is_read(tmp_path):
    journal = Journal(tmp_path)
    game = journal.create(Setup(), "2026-11-21T10:00:00")
    state = State.new(Setup())
    # To that version the first was nothing, and so was the yes after it; to this one they make a move.
    words = ("Springer Felix", "ja")
    assert play(state, *words)[0].game.last.uci == "g1f3"
    for number, word in enumerate(words):
        journal.append(game, number, ev.Heard(words=(word,)), state, state)
    loaded = journal.load(game).state
    assert (loaded.game.played, loaded.asking) == ((), Nothing())
    journal.close()


def test_a_journal_of_a_core_that_decided_otherwise_has_the_moves_and_the_result_that_it_records(tmp_path):
    began = {"event": "Started", "at": 0, "confirm": "any", "guarded": False, "insists": False}
    heard = ("e4", None), ("yes", "e2e4"), ("e5", None), ("yes", "e7e5")
    # There a list led past the question which piece was touched, and a doubled yes accepted a draw.
    heard += (
        ("touched b1", None),
        ("rules", None),
        ("d4", None),
        ("yes", "d2d4"),
        ("draw", None),
        ("yes", None),
    )
    agreed = {"score": "1/2-1/2", "reason": "agreement", "article": "5.2.3", "edition": "fide-2018"}
    rows = [(json.dumps(began), None, None)]
    rows += [(ev.to_json(ev.Heard(words=(words,))), move, None) for words, move in heard]
    rows.append((ev.to_json(ev.Heard(words=("yes",))), None, json.dumps(agreed)))
    first_version(tmp_path, ('{"language": "en"}', rows))
    state = State.new(Setup(language="en"))
    for event, _, _ in rows:
        state, _ = step(state, ev.from_json(event))
    assert (len(state.game.played), state.game.result) == (2, None)
    journal = Journal(tmp_path)
    stored = journal.load(1)
    assert [move.fact.uci for move in stored.state.game.played] == ["e2e4", "e7e5", "d2d4"]
    assert (asdict(stored.state.game.result), stored.damage) == (agreed, None)
    journal.close()


def recorded(folder, setup, *rows):
    """A game as a journal of the first version has it: its state, and what was recorded."""
    recorded = [(ev.to_json(event), move, None) for event, move in ((ev.Started(), None), *rows)]
    first_version(folder, (json.dumps(setup), recorded))
    journal = Journal(folder)
    stored = journal.load(1)
    journal.close()
    assert stored.damage is None
    return stored.state


def words(said, move=None, **how):
    return ev.Heard(words=(said,), **how), move


def test_a_journal_of_two_boards_whose_core_counted_an_early_yes_has_its_moves_and_goes_on(tmp_path):
    early = words("yes", "e2e4", spoken=True, early=True)
    rows = (words("e4"), words("yes"), early, words("e5"), words("yes"), words("yes", "e7e5"))
    state = recorded(tmp_path, {"language": "en", "two_boards": True, "clock": "5"}, *rows)
    assert [move.fact.uci for move in state.game.played] == ["e2e4", "e7e5"]
    assert state.game.announced is None
    state, effects = play(step(state, ev.Resumed())[0], "Nf3", "yes")
    assert said(effects) == ["ask_made"]


@pytest.mark.parametrize(("move", "played"), [("d2d4", ["d2d4"]), (None, [])])
def test_a_move_that_was_announced_is_so_no_longer_where_another_or_none_is_recorded(tmp_path, move, played):
    rows = (words("e4"), words("yes"), words("made", move))
    state = recorded(tmp_path, {"language": "en", "two_boards": True}, *rows)
    assert [move.fact.uci for move in state.game.played] == played
    assert (state.game.announced, state.asking) == (None, Nothing())
    assert said(step(state, ev.Resumed())[1])[-1] == "turn"


def test_what_was_offered_and_touched_is_over_where_a_recorded_move_replaces_what_is_read(tmp_path):
    offered = words("e4"), words("yes", "e2e4"), words("draw"), words("yes")
    touched = words("touched b8"), words("yes")
    rows = (*offered, *touched, words("draw"), words("yes"), words("words of another version", "e7e5"))
    state = recorded(tmp_path, {"language": "en"}, *rows)
    assert [move.fact.uci for move in state.game.played] == ["e2e4", "e7e5"]
    assert (state.draw, state.touch) == (DrawState(), TouchState())
    assert play(state, "accept")[0].game.result is None


@pytest.mark.parametrize("kept", [{}, {"guarded": True}, {"guarded": True, "insists": True}])
def test_what_an_older_program_kept_of_the_beginning_of_a_run_is_read(kept):
    for event in (ev.Started(confirm="key"), ev.Resumed(confirm="key", at=5)):
        assert ev.from_json(json.dumps(json.loads(ev.to_json(event)) | kept)) == event


def test_events_survive_json():
    for event in (ev.Heard(words=("e4", "Eva vier"), at=3), ev.EngineMoved(uci="e7e5"), ev.Resumed(at=1)):
        assert ev.from_json(ev.to_json(event)) == event
    with pytest.raises(ValueError, match="not an event"):
        ev.from_json('{"event": "Unknown"}')


def test_a_resumed_game_goes_on_with_its_question_and_its_times():
    state, _ = new(clock="15+5")
    state, _ = step(state, ev.SpeechEnded(at=0))
    state, _ = play(state, "e4", at=60_000)
    resumed, effects = step(state, ev.Resumed(at=5))
    assert said(effects)[-1] == "ask_move"
    assert resumed.game.clock.left("white", 10**7) == (15 * 60 + 5 - 60) * 1000
    after, _ = play(resumed, "sim", at=10)
    assert after.game.last.uci == "e2e4"
    assert after.asking == Nothing()


@pytest.mark.parametrize(("colour", "told"), [("white", "you_lost"), ("black", "you_won")])
def test_who_plays_one_side_hears_whether_it_has_won(colour, told):
    state, _ = new(opponent="engine", colour=colour)
    effects = ()
    for uci in ("f2f3", "e7e5", "g2g4", "d8h4"):
        if state.engines_turn:
            state, effects = step(state, ev.EngineMoved(uci=uci))
        else:
            state, effects = play(state, uci, "sim")
    stronger = ["next_level"] * (told == "you_won")
    end = ["over", told, *stronger, "after_over"]
    assert said(effects)[-len(end) :] == end
    assert said(play(state, "quem joga")[1]) == end
    _, effects = play(state, "empate")
    assert told not in said(effects)


@pytest.mark.parametrize(
    ("level", "practice", "offered"), [(1, False, 2), (7, False, 8), (8, False, None), (2, True, None)]
)
def test_who_beats_a_level_is_told_how_to_play_the_next(level, practice, offered):
    state, _ = new(opponent="engine", colour="black", level=level, practice=practice)
    effects = ()
    for uci in ("f2f3", "e7e5", "g2g4", "d8h4"):
        if state.engines_turn:
            state, effects = step(state, ev.EngineMoved(uci=uci))
        else:
            state, effects = play(state, uci, "sim")
    told = [message for message in effects[0].messages if message.key == "next_level"]
    assert [dict(message.values)["level"] for message in told] == [offered] * (offered is not None)
    assert all(f"acessivel config set level {offered}" in Renderer("pt").text(message) for message in told)


def test_a_draw_and_a_game_between_two_people_have_no_winner_among_the_users():
    state, _ = new()
    _, effects = play(state, "f3", "sim", "e5", "sim", "g4", "sim", "Qh4", "sim")
    assert not {"you_won", "you_lost"} & set(said(effects))


@pytest.mark.parametrize(("words", "changed"), [("nova partida", False), ("revanche", True)])
def test_another_game_is_asked_back_and_only_after_the_end(words, changed):
    state, _ = new()
    state, effects = play(state, words)
    assert said(effects) == ["new_game_not_yet"]
    state, _ = play(state, "f3", "sim", "e5", "sim", "g4", "sim", "Qh4", "sim")
    asked, effects = play(state, words)
    assert said(effects)[0].startswith("ask_")
    assert said(play(asked, "não")[1])[0] == "going_on"
    assert ef.PlayAgain(changed) in play(asked, "sim")[1]


@pytest.mark.parametrize("command", [CommandName.NEW_GAME, CommandName.REMATCH])
def test_no_other_game_follows_a_round_of_a_drill(command):
    state, _ = new(opponent="engine", practice=True, drill=True, fen="7k/8/6K1/8/8/8/8/3Q4 w - - 0 1")
    state, effects = play(state, "Qd8", "sim")
    assert said(effects)[-3:] == ["over", "you_won", "after_drill"]
    state, effects = step(state, ev.Ordered(command=command))
    assert said(effects) == ["after_drill"]
    assert state.asking == Nothing()
    assert command not in practice.commands(state)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_leads_online_after_a_yes_and_at_once_when_it_is_over(language):
    words = vocabulary(language)
    online, yes = words.say("command", "play_online"), words.say("answer", "yes")
    state, _ = new(language=language)
    asked, effects = play(state, online)
    assert said(effects) == ["ask_play_online"]
    assert said(play(asked, words.say("answer", "no"))[1])[0] == "going_on"
    assert play(asked, yes)[1] == (ef.PlayOnline(),)
    over, _ = play(state, "f3", yes, "e5", yes, "g4", yes, "Qh4", yes)
    assert play(over, online)[1] == (ef.PlayOnline(),)


@pytest.mark.parametrize("bound", [{"practice": True}, {"two_boards": True}])
@pytest.mark.parametrize("over", [False, True])
def test_what_is_no_game_of_its_own_does_not_lead_online(bound, over):
    state = State.new(Setup.of(language="en", **bound))
    if over:
        state = replace(state, game=replace(state.game, result=Result("1-0", "resignation")))
    _, effects = step(state, ev.Ordered(command=CommandName.PLAY_ONLINE))
    assert said(effects)[0] == "online_not_from_here"
    assert CommandName.PLAY_ONLINE not in practice.commands(state)


def test_what_is_agreed_for_a_rematch():
    agreed = Setup.of(
        opponent="engine", colour="white", level=5, clock="5+3", white="Ana", black="?", claim_flag="white", laws="fide-2023"
    )  # fmt: skip
    again = agreed.again(changed=True)
    assert (again.colour, again.players.white, again.players.black) == ("black", "?", "Ana")
    assert again.timing.claim_flag == "black"
    assert again.again(changed=True) == agreed == agreed.again(changed=False)


def test_a_word_that_may_be_a_file_or_lead_to_the_square_is_asked_about():
    game = Game(language="es", fen="r3k3/8/8/8/8/8/5PPP/R4RK1 w - - 0 1")
    for text in ("torre a d1", "T a d1"):
        assert game.says(text).keys == ["ask_from_file"]
    game.says("no", "torre de a1 a f1")
    assert isinstance(game.state.asking, Nothing)


@pytest.mark.parametrize("text", ["torre a para d1", "torre a em d1", "torre da a para d1"])
def test_a_file_before_a_word_that_leads_to_the_square_is_no_other_rook(text):
    game = Game(language="pt", fen="r3k3/8/8/8/8/8/5PPP/RN3RK1 w - - 0 1")  # that of the a-file is blocked
    assert game.says(text).keys == ["refused"]


def test_a_capital_before_words_may_be_a_piece_or_a_file_and_is_asked_about():
    game = Game(language="pt", fen="4k3/8/8/8/8/8/3P1Q2/4K3 w - - 0 1")
    assert game.says("D para d4").keys == ["ask_which_piece"]
    assert game.says("D para f5").keys == ["ask_move"]


TAKERS = "4k3/8/8/1R1p4/2B2N2/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("language", "takes", "said", "uci"),
    [
        *(("en", "takes d5", said, "f4d5") for said in ("n", "N", "a knight", "knight")),
        *(("en", "takes d5", said, "c4d5") for said in ("b", "the bishop", "a bishop")),
        *(("es", "toma d5", "c", "f4d5"), ("es", "toma d5", "a", "c4d5"), ("es", "toma d5", "t", "b5d5")),
        *(("pt", "toma d5", "um cavalo", "f4d5"), ("de", "schlägt d5", "s", "f4d5"), ("de", "schlägt d5", "d", None)),
    ],
)  # fmt: skip
def test_the_piece_that_takes_is_chosen_by_its_typed_letter_or_with_an_article(language, takes, said, uci):
    game = Game(language=language, fen=TAKERS).says(takes, said)
    asking = game.state.asking
    assert (asking.fact.uci if isinstance(asking, Confirm) else None) == uci


def test_the_piece_that_takes_may_be_said_with_its_check():
    game = Game(language="en", fen=TAKERS).says("takes d5", "knight check")
    assert game.keys == ["no_check", "ask_move"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_other_letter_is_a_piece_where_it_is_asked_which_takes(language):
    take = vocabulary(language).say("mark", "capture")
    assert isinstance(Game(language=language, fen=TAKERS).says(f"{take} d5", "n").state.asking, Nothing) == (
        language != "en"
    )


# Both pawns can promote, so that "a queen" would be the other one on the file a.
TWO_PAWNS = {"fen": "1n1r3k/P1P5/8/8/8/8/8/K7 w - - 0 1"}


def promoting(said, language="en", *, spoken=False, **setup):
    """The move that is asked about after one word or two for the piece; None if none is."""
    game = Game(language=language, **TWO_PAWNS, **setup).says("cxd8")
    asking = game.happen(ev.Heard(words=(said,), spoken=spoken)).state.asking
    return asking.fact.uci if isinstance(asking, Confirm) else None


@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize(
    ("language", "queen"),
    [
        *(("en", said) for said in ("a queen", "to a queen", "queen")),
        *(("de", said) for said in ("eine Dame", "in eine Dame", "zur Dame")),
        *(("pt", said) for said in ("a dama", "uma dama", "em dama", "para uma dama")),
        *(("es", said) for said in ("a dama", "una dama", "en una dama")),
    ],
)
def test_an_article_before_the_piece_that_is_asked_for_begins_no_other_move(language, queen, spoken):
    assert promoting(queen, language, spoken=spoken) == "c7d8q"


@pytest.mark.parametrize(
    ("language", "letter", "uci"),
    [
        *(("en", letter, f"c7d8{letter.lower()}") for letter in "qrbnQRBN"),
        *(("de", "d", "c7d8q"), ("de", "s", "c7d8n"), ("de", "n", None), ("de", "j", None)),
        *(("pt", "b", "c7d8b"), ("pt", "c", "c7d8n"), ("pt", "n", None), ("pt", "s", None)),
        *(("es", "a", "c7d8b"), ("es", "c", "c7d8n"), ("es", "n", None), ("es", "s", None)),
    ],
)
def test_a_typed_letter_of_the_language_is_the_piece_that_is_asked_for(language, letter, uci):
    assert promoting(letter, language) == uci
    asking = Game(language=language, **TWO_PAWNS).says("cxd8", letter).state.asking
    assert isinstance(asking, Nothing) == (letter == "n" and language != "en")  # a no


def test_a_spoken_letter_is_no_piece():
    assert promoting("b", spoken=True) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_piece_that_is_asked_for_takes_its_check(language):
    words = vocabulary(language)
    said = f"{words.say('piece', 'Q')} {words.say('mark', 'check')}"
    assert promoting(said, language, laws="escolar-br") == "c7d8q"
