# SPDX-License-Identifier: GPL-3.0-or-later
"""What was not understood is remembered until it is said again, or anything else happens."""

import math

import pytest
from support.activities import Lines, drill, game, in_each_language, lessons
from support.happening import played_ucis
from support.played_devices import Table

from acessivel.app.activity import DeviceChanged, TimePassed
from acessivel.devices.keyboard import TypedLine
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.storage.journal import Journal
from braille.displays import AltKey, NamedKey, Pressed
from voices.hearing import evidence
from voices.hearing.evidence import EvidenceModel
from voices.hearing.utterances import Utterance
from voices.recognisers import Hypothesis
from voices.sound.source import RATE

E4 = {"eva vier": 0.29, "eva drei": 0.02}  # too little to be asked about
E2_E4 = "Bauer Eva zwei Eva vier"
E4_ASKED_ABOUT = f"Do you mean {E2_E4}?"


@pytest.fixture(autouse=True)
def _shares(monkeypatch):
    """Utilities are the network's own log-probabilities, so that a test says how probable a reading is."""
    plain = EvidenceModel(
        {"network": 1.0, "filler": 1.0, "unlisted": -99.0}, yes=0.9, foreign_yes=0.9, doubt=0.1
    )
    monkeypatch.setattr(evidence, "model", lambda _: plain)


class Ears(Table):
    """A game at the table, that hears with what probability what was said."""

    def __init__(self, folder, monkeypatch, language="en", make=game):
        self.now_ms = 0
        super().__init__(make(folder, language), language)
        self.devices.keyboard = Lines()
        monkeypatch.setattr(self.loop, "_now", lambda: self.now_ms)
        self.spoken()

    def hears(self, shares, seconds=0, **how):
        """What is told when an utterance has ended that has these readings, and was so long."""
        other = max(1e-9, 1 - sum(shares.values()))
        said = [Hypothesis(words, "all", math.log(share), "network") for words, share in shares.items()]
        heard = (*said, Hypothesis("", "filler", math.log(other), "network"))
        turn, self.ear.turn = self.ear.turn, None
        assert turn is not None, "nobody listens"
        self.now_ms += 2_000
        told = self.happen(Utterance(heard, 0.0, turn, bytes(2 * RATE * seconds), **how))
        self.spoken()
        return told

    @property
    def asked(self):
        return type(self.activity.state.asking).__name__

    def renders(self, key, **values):
        language = self.activity.state.setup.language
        return Renderer(language).text(Message.of(key, **values))


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return lambda language="en", make=game: Ears(tmp_path, monkeypatch, language, make)


def test_what_was_refused_once_is_asked_about_when_it_is_said_again(table):
    it = table()
    assert it.hears(E4) == [it.renders("not_understood")]
    assert it.hears(E4) == [E4_ASKED_ABOUT]
    assert it.asked == "Confirm"


def test_two_different_ones_are_offered(table):
    it = table()
    it.hears({"eva vier": 0.28, "david drei": 0.25})
    told = it.hears({"david drei": 0.28, "eva vier": 0.25})
    assert it.asked == "Choose"
    assert told == [f"Which one? Say its number: 1, {E2_E4}, 2, Bauer David zwei David drei."]


def test_so_are_they_if_each_was_heard_but_once(table):
    it = table()
    assert it.hears({"eva vier": 0.29}) == [it.renders("not_understood")]
    told = it.hears({"david drei": 0.29})
    assert told == [f"Which one? Say its number: 1, {E2_E4}, 2, Bauer David zwei David drei."]
    it.hears({"zwei": 0.9})
    assert it.activity.state.asking.fact.uci == "d2d3"


def test_the_part_is_asked_for_that_is_unsure(table):
    it = table()
    it.hears({"eva vier": 0.28, "eva drei": 0.25})
    assert it.hears({"eva drei": 0.28, "eva vier": 0.25}) == ["Bauer Eva. Which rank?"]
    assert it.asked == "Missing"


def test_the_part_is_asked_for_that_can_be_anything(table):
    it = table()
    files = {f"{file} vier": 0.17 for file in ("anna", "bella", "david", "eva")}
    it.hears(files)
    assert it.hears(files) == ["Bauer vier. Which file?"]
    it.hears({"david": 0.9})
    assert it.asked == "Confirm"
    assert it.activity.state.asking.fact.uci == "d2d4"


def test_after_a_no_the_part_that_was_asked_for_is_asked_for_again(table):
    it = table()
    assert it.hears({"springer drei": 0.95}) == ["Springer drei. Which file?"]
    assert it.hears({"felix": 0.95}) == ["Springer Gustav eins Felix drei?"]
    told = it.hears({"nein": 0.95})
    assert told == [it.renders("not_that_move"), "Springer drei. Which file?", it.renders("or_announce")]
    assert "g1f3" not in [fact.uci for fact in it.activity.state.asking.facts]


def test_an_illegal_move_is_none_of_the_moves_that_a_part_makes_either(table):
    it = table()
    ranks = {f"eva {rank}": 0.25 for rank in ("drei", "vier", "fuenf")}
    it.hears(ranks)
    assert it.hears(ranks) == ["Bauer Eva. Which rank?"]
    assert it.hears({"fuenf": 0.9})[0].startswith("Bauer Eva fünf is not possible")


def test_other_talk_said_twice_is_no_move(table):
    it = table()
    assert it.hears({"eva vier": 0.15}) == [it.renders("not_understood")]
    assert it.hears({"david drei": 0.1, "nein": 0.1}) == [it.renders("not_understood_again")]
    assert it.asked == "Nothing"


@in_each_language
def test_who_is_not_understood_twice_is_told_how_to_go_on(table, language):
    it = table(language)
    it.hears({})
    assert it.hears({}) == [it.renders("not_understood_again")]


def test_what_is_no_legal_move_stays_none(table):
    for illegal, told in (({"springer eva fuenf": 0.45, "eva vier": 0.2}, "Springer Eva fünf is not possible"),
                          ({"springer eva fuenf": 0.4, "eva vier": 0.35}, "I still did not understand.")):  # fmt: skip
        it = table()
        it.hears(illegal)
        assert it.hears(illegal)[0].startswith(told)
        assert it.asked == "Nothing"


def test_a_refused_yes_said_twice_is_none(table):
    it = table()
    it.happen(TypedLine("e4"))
    it.spoken()
    for _ in range(4):
        it.hears({"ja": 0.85})
    assert it.asked == "Confirm"
    assert not it.activity.state.game.played
    it.hears({"ja": 0.95})
    assert len(it.activity.state.game.played) == 1


def test_a_part_that_is_not_understood_twice_is_chosen_by_its_number(table):
    it = table()
    it.hears({"eva": 0.9})
    assert it.asked == "Missing"
    it.hears({})
    assert it.hears({}) == [f"Which one? Say its number: 1, Bauer Eva zwei Eva drei, 2, {E2_E4}."]


BETWEEN = {
    "a line": lambda it: it.happen(TypedLine("clock")),
    "a line that is not understood": lambda it: it.happen(TypedLine("abracadabra")),
    "a key": lambda it: it.happen(Pressed(AltKey("t"))),
    "an answer by key": lambda it: it.happen(Pressed(NamedKey.ESCAPE)),
    "a device": lambda it: it.happen(DeviceChanged("microphone_quiet")),
    "something understood": lambda it: it.hears({"zeit": 0.9}),
    "a long time": lambda it: setattr(it, "now_ms", it.now_ms + 31_000),
}


@pytest.mark.parametrize("between", BETWEEN.values(), ids=BETWEEN)
def test_whatever_comes_between_it_is_forgotten(table, between):
    it = table()
    it.hears(E4)
    between(it)
    it.spoken()
    assert it.hears(E4) == [it.renders("not_understood")]
    assert it.asked == "Nothing"


def test_time_that_passes_in_silence_is_nothing_between(table):
    it = table()
    it.hears(E4)
    it.happen(TimePassed(quiet=True))
    assert it.hears(E4) == [E4_ASKED_ABOUT]


def test_another_question_is_another_situation(table):
    it = table()
    it.hears(E4)
    it.hears({"nein": 0.9})
    it.hears(E4)
    assert it.asked == "Nothing"


def test_what_was_joined_is_in_the_journal(table, tmp_path):
    it = table()
    it.hears(E4)
    it.hears(E4)
    state = it.activity.state
    assert state.asking == Journal(tmp_path).load(it.activity.number).state.asking


def test_the_introduction_does_not_lose_what_was_refused_either(table):
    it = table(make=lessons)
    it.hears({"bauer eva zwei eva vier": 0.29})
    assert it.hears({"bauer eva zwei eva vier": 0.29})[0] == E4_ASKED_ABOUT


def test_a_reply_in_a_drill_that_is_said_again(table):
    it = table(make=drill)
    assert it.hears({"white": 0.4}) == [Renderer("en").text(Message.of("not_understood"))]
    assert it.hears({"white": 0.4}) != [Renderer("en").text(Message.of("not_understood"))]


def test_a_move_beside_which_something_else_is_probable_is_asked_about_and_played_after_a_yes(table):
    it = table()
    assert it.hears({"eva vier": 0.7, "eva fünf": 0.25})[0] == E4_ASKED_ABOUT
    it.happen(TypedLine("yes"))
    assert played_ucis(it.activity.state) == ["e2e4"]


def test_a_legal_move_that_is_not_sure_enough_to_be_repeated_is_asked_about(table):
    it = table()
    assert it.hears({"eva vier": 0.31, "eva fünf": 0.25}) == [E4_ASKED_ABOUT]
    it.hears({"ja": 0.95})
    assert played_ucis(it.activity.state) == ["e2e4"]


def test_what_was_refused_before_counts_where_what_is_said_now_is_not_sure_enough_alone(table):
    it = table()
    it.hears({"eva vier": 0.29})
    assert it.hears({"eva drei": 0.31, "eva vier": 0.3}) == [E4_ASKED_ABOUT]


def test_ears_that_are_not_known_well_enough_to_doubt_anything_refuse_it(table, monkeypatch):
    plain = EvidenceModel({"network": 1.0, "filler": 1.0, "unlisted": -99.0}, yes=0.9, foreign_yes=0.9)
    monkeypatch.setattr(evidence, "model", lambda _: plain)
    it = table()
    assert it.hears({"eva vier": 0.49}) == [it.renders("not_understood")]


def test_it_is_asked_about_only_while_nothing_else_is_and_never_what_is_no_legal_move(table):
    for unsure in ({"springer eva fuenf": 0.45, "eva vier": 0.35}, {"zeit": 0.45, "eva vier": 0.35}):
        it = table()
        assert it.hears(unsure) == [it.renders("not_understood")]
    it.happen(TypedLine("d4"))
    it.spoken()
    it.hears({"eva vier": 0.45})
    assert it.activity.state.asking.fact.uci == "d2d4"


# What helps where nothing is understood

NO_PAUSE, CLOSER, PUSH = "hearing_no_pause", "hearing_closer", "hearing_push"


def advice(it, told):
    """The keys of what helps, of what is told."""
    return [key for key in (NO_PAUSE, CLOSER, PUSH) if it.renders(key) in told]


@in_each_language
def test_that_sound_goes_on_without_a_pause_is_told_once_with_what_helps(table, language):
    it = table(language)
    told = it.hears({}, 15, cut=True)
    assert told == [*map(it.renders, (NO_PAUSE, CLOSER, PUSH)), it.renders("not_understood")]
    for _ in range(4):
        assert advice(it, it.hears({}, 15, cut=True)) == []


def test_so_it_is_after_two_refusals_in_a_row_that_are_longer_than_an_announcement(table):
    it = table()
    assert advice(it, it.hears({}, 7)) == []
    assert advice(it, it.hears({}, 5)) == []
    it.hears({"eva vier": 0.95})
    assert advice(it, it.hears({}, 7)) == []
    assert advice(it, it.hears({}, 7)) == [NO_PAUSE, CLOSER, PUSH]


def test_it_is_told_though_something_was_understood_in_the_sound(table):
    it = table()
    told = it.hears({"eva vier": 0.95}, 15, cut=True)
    assert advice(it, told) == [NO_PAUSE, CLOSER, PUSH]
    assert told[-1] == f"{E2_E4}?"


@pytest.mark.parametrize("typed", [None, "e4"])
def test_the_third_refusal_in_a_row_tells_what_helps_once(table, typed):
    it = table()
    if typed:
        it.happen(TypedLine(typed))
        it.spoken()
    told = [advice(it, it.hears({})) for _ in range(7)]
    assert told == [[], [], [CLOSER, PUSH], [], [], [], []]
    assert advice(it, it.hears({}, 15, cut=True)) == [NO_PAUSE]


def test_they_are_not_in_a_row_where_one_was_understood_or_anything_else_was_done(table):
    it = table()
    for between in (lambda: it.hears({"zeit": 0.9}), lambda: it.happen(TypedLine("clock"))):
        assert [advice(it, it.hears({})) for _ in range(2)] == [[], []]
        between()
        it.spoken()


def test_who_has_the_talk_key_is_not_told_of_it_and_may_take_his_time(table):
    it = table()
    it.microphone.adopt(push_to_talk=True, listens=True)
    told = []
    for _ in range(3):
        it.happen(TypedLine(""))
        it.spoken()
        told.append(advice(it, it.hears({}, 9)))
    assert told == [[], [], [CLOSER]]


def test_nor_is_who_has_no_key(table):
    it = table()
    it.devices.inputs.intersection_update({"microphone"})
    assert advice(it, it.hears({}, 15, cut=True)) == [NO_PAUSE, CLOSER]


def test_a_drill_tells_what_helps_too(table):
    it = table(make=drill)
    told = [it.hears({}) for _ in range(3)][-1]
    assert told == [*(Renderer("en").text(Message.of(key)) for key in (CLOSER, PUSH, "not_understood"))]
