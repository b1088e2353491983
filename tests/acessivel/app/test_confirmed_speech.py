# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from support.played_devices import Table

from acessivel.app.confirmed_speech import ConfirmedSpeech
from acessivel.app.game import GameActivity
from acessivel.game.game import Setup
from acessivel.session.events import EngineMoved, Heard, Started
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.storage.journal import Journal
from voices.hearing.decision import Decided
from voices.hearing.evidence import Weighed
from voices.hearing.utterances import Utterance
from voices.recognisers import Hypothesis

YES = (("yes", 0.97),)


def played(*utterances, opponent="engine"):
    """What the last of the events has taught, after utterances, each with its readings; the best is understood."""
    state, _ = step(State.new(Setup("en", "letters", opponent=opponent)), Started())
    speech, taught = ConfirmedSpeech(), []
    for number, readings in enumerate(utterances):
        understood = [words for words, probability in readings if probability >= 0.5]
        weighed = tuple(Weighed(words, probability) for words, probability in readings)
        speech.heard(Decided(tuple(understood), weighed=weighed), bytes([number]), state)
        if understood:
            before = state
            state, _ = step(state, Heard(words=tuple(understood), spoken=True))
            taught.append(speech.happened(before, state))
    return [one for one in taught if one]


def test_a_confirmed_announcement_teaches_its_words():
    (taught,) = played((("e four", 0.9), ("d four", 0.05)), YES)
    assert (taught.language, taught.convention) == ("en", "letters")
    assert taught.said == [("e four", b"\x00")]
    assert taught.readings == [(0.9, True)]


def test_what_was_not_understood_teaches_if_it_was_that_announcement():
    (taught,) = played((("e four", 0.3),), (("pawn e four", 0.8),), YES)
    assert taught.said == [("e four", b"\x00"), ("pawn e four", b"\x01")]
    assert taught.readings == [(0.3, True), (0.8, True)]


@pytest.mark.parametrize(
    ("before", "readings"),
    [
        ((("d four", 0.3),), [(0.3, False)]),  # heard as another move
        ((("e four", 0.05),), [(0.05, True)]),  # it may have been anything
        ((("draw", 0.3),), []),  # no announcement
        ((), []),
    ],
)
def test_what_was_not_understood_teaches_nothing_else(before, readings):
    (taught,) = played(before, (("e four", 0.8),), YES)
    assert taught.said == [("e four", b"\x01")]
    assert taught.readings == [*readings, (0.8, True)]


@pytest.mark.parametrize(("probability", "teaches"), [(0.3, True), (0.05, False)])
def test_what_was_denied_teaches_the_next_move_only_if_it_was_perhaps_that(probability, teaches):
    """Who has changed his mind has said another move than the one that is played."""
    first = (("d four", 0.6), ("e four", probability))
    speech, state = (
        ConfirmedSpeech(),
        step(State.new(Setup("en", "letters", opponent="engine")), Started())[0],
    )
    weighed = tuple(Weighed(*one) for one in first)
    speech.heard(Decided(("d four", "e four"), weighed=weighed), b"denied", state)
    speech.heard(Decided(("e four",), weighed=(Weighed("e four", 0.9),)), b"confirmed", state)
    for words in ("d four", "no", "e four", "yes"):
        before, (state, _) = state, step(state, Heard(words=(words,), spoken=True))
    taught = speech.happened(before, state)
    assert taught.said == [*[("e four", b"denied")] * teaches, ("e four", b"confirmed")]
    assert taught.readings == [(0.6, False), (0.9, True)]


def test_a_wrong_reading_that_was_denied_teaches_that_it_was_wrong():
    (taught,) = played((("d four", 0.6),), (("no", 0.9),), (("e four", 0.8),), YES)
    assert taught.said == [("e four", b"\x02")]
    assert taught.readings == [(0.6, False), (0.8, True)]


@pytest.mark.parametrize(
    "utterances",
    [
        [(("e four", 0.9),)],  # not confirmed
        [(("e four", 0.9),), (("no", 0.9),)],
        [(("e five", 0.9),), YES],  # not legal
        [YES],
    ],
)
def test_only_a_move_that_was_played_teaches(utterances):
    assert played(*utterances) == []


def test_where_two_persons_announce_nobody_is_learnt():
    assert played((("e four", 0.9),), YES, opponent="human") == []


def test_a_move_that_was_typed_teaches_what_was_said_before():
    state, _ = step(State.new(Setup("en", "letters", opponent="engine")), Started())
    speech = ConfirmedSpeech()
    speech.heard(Decided(weighed=(Weighed("e four", 0.4),)), b"sound", state)
    for typed in ("e4", "yes"):
        before = state
        state, _ = step(state, Heard(words=(typed,)))
        taught = speech.happened(before, state)
    assert taught.said == [("e four", b"sound")]
    before = state
    state, _ = step(state, EngineMoved(uci="e7e5"))
    assert speech.happened(before, state) is None


class PlayedTeacher:
    def __init__(self):
        self.taught = []

    def teach(self, confirmed):
        self.taught.append(confirmed)

    def close(self):
        pass


def sure(*words):
    """What both ears say of words that they are sure of."""
    return tuple(
        Hypothesis(each, grammar, 0.0, name)
        for each in words
        for name in ("pocketsphinx", "network")
        for grammar in ("all", "expected")
    )


def table_of(folder, setup):
    journal = Journal(folder)
    stored = journal.begin(setup, "2026-01-01T00:00:00")
    return Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report))


def said(table, words, audio):
    """Something is said when the program has finished speaking."""
    table.spoken()
    table.happen(Utterance(sure(words), 0.0, table.ear.turn, audio))


@pytest.mark.parametrize(("opponent", "count"), [("engine", 1), ("human", 0)])
def test_in_a_game_a_move_is_taught_after_its_answer_was_told(tmp_path, opponent, count):
    table = table_of(tmp_path, Setup("en", "letters", opponent=opponent))
    table.devices.teacher = PlayedTeacher()
    said(table, "e four", b"sound of a move")
    assert table.devices.teacher.taught == []
    said(table, "yes", b"sound of a yes")
    assert [one.said for one in table.devices.teacher.taught] == [[("e four", b"sound of a move")]] * count


def test_what_is_said_in_a_game_never_reaches_its_journal_as_sound(tmp_path):
    table = table_of(tmp_path, Setup("en", "letters", opponent="engine"))
    said(table, "e four", b"SOUND")
    said(table, "yes", b"SOUND")
    assert not any(b"SOUND" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
