# SPDX-License-Identifier: GPL-3.0-or-later
"""An answer that was not heard is named in a longer form; and what the journals of old have kept replays as it was."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import all_told, played_ucis
from support.languages import LANGUAGES

from acessivel.dialogue.disambiguation import only_difference
from acessivel.dialogue.interpretation import Context, beside
from acessivel.dialogue.questions import NOTHING, Confirm, Difference
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import Position
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import asked, step
from voices.grammar import grammar
from voices.grammar.grammar import plain_phrase
from voices.hearing.decision import Decided
from voices.hearing.evidence import Weighed
from voices.meaning import Answer
from voices.understanding.meanings import read
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

START = Position.start()


class Game:
    """A game between two persons in which everything is spoken, unless it is typed."""

    def __init__(self, language="en", **how):
        self.state = State.new(Setup.of(language=language))
        self.language = language
        self.told = []
        self.happen(ev.Started(**how))

    def happen(self, event):
        self.state, effects = step(self.state, event)
        self.told = all_told(effects)
        return self

    def hears(self, *words, beside=(), again=False):
        return self.happen(ev.Heard(words=words, spoken=True, beside=beside, again=again))

    def misses(self, *likely, again=False):
        """What was spoken was not understood, perhaps for the second time; what it most likely was."""
        return self.hears(beside=likely, again=again)

    def types(self, *words):
        for each in words:
            self.happen(ev.Heard(words=(each,)))
        return self

    @property
    def keys(self):
        return [message.key for message in self.told]

    @property
    def words(self):
        return [Renderer(self.language).text(message) for message in self.told]

    @property
    def moves(self):
        return played_ucis(self.state)


@pytest.mark.parametrize(
    ("language", "hint"),
    [
        ("en", "For yes, say I confirm or press Enter."),
        ("de", "Für ja sagen Sie stimmt oder drücken Sie Enter."),
        ("pt", "Para o sim, diga confirmo ou aperte Enter."),
        ("es", "Para el sí, diga confirmo o pulse Intro."),
    ],
)
def test_a_longer_yes_is_named_where_one_was_most_likely_said(language, hint):
    game = Game(language).types("e4")
    yes = vocabulary(language).say("answer", "yes")
    assert game.misses(yes, "Eva").keys == ["not_understood", "ask_move", "longer_yes"]
    assert game.words[-1] == hint
    assert game.moves == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_yes_that_is_named_is_one_that_can_be_heard(language):
    yes = vocabulary(language).longer_answer("yes")
    assert yes != vocabulary(language).say("answer", "yes")
    assert [reading.meaning for reading in read(yes, language)] == [Answer(yes=True)]
    game = Game(language).types("e4")
    assert plain_phrase(yes) in asked(game.state)
    assert game.hears(yes).moves == ["e2e4"]


@pytest.mark.parametrize(
    ("language", "hint"),
    [
        ("en", "For no, say that's wrong."),
        ("de", "Für nein sagen Sie nein falsch."),
        ("pt", "Para o não, diga errado."),
        ("es", "Para el no, diga equivocado."),
    ],
)
def test_so_is_a_longer_no_where_one_was_most_likely_said_as_it_may_have_been_a_yes(language, hint):
    game = Game(language).types("e4")
    no = vocabulary(language).say("answer", "no")
    assert game.misses(no, "Eva").keys == ["not_understood", "ask_move", "longer_yes", "longer_no"]
    assert game.words[-1] == hint
    assert game.moves == []


@pytest.mark.parametrize(("language", "foreign"), [("pt", True), ("es", True), ("de", False), ("en", False)])
def test_so_it_is_where_what_was_most_likely_said_is_a_german_yes_in_another_language(language, foreign):
    hints = ["longer_yes", *["longer_no"] * foreign]  # "yeah" is like it
    assert Game(language).types("e4").misses("ja").keys[2:] == hints


@pytest.mark.parametrize(
    ("language", "yes", "no"),
    [
        ("de", "richtig", "nicht richtig"),
        ("en", "thats right", "not right"),
        ("es", "confirmo", "no confirmo"),
        ("pt", "isso mesmo", "isso nao"),
    ],
)
def test_so_it_is_where_a_no_in_the_words_of_a_yes_was_perhaps_said(language, yes, no):
    assert Game(language).types("e4").misses(yes, "Eva").keys[2:] == ["longer_yes"]
    assert Game(language).types("e4").misses(yes, no).keys[2:] == ["longer_yes", "longer_no"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", ["fide", "letters", "nato", "mixed"])
def test_the_no_that_is_named_is_one_that_can_be_heard(language, convention):
    no = vocabulary(language).longer_answer("no")
    assert no != vocabulary(language).say("answer", "no")
    assert plain_phrase(no) in grammar.answers(convention, language)
    game = Game(language).hears("e2 e4")
    assert isinstance(game.state.asking, Confirm)
    assert game.hears(no).state.asking == NOTHING
    assert game.moves == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["press", "accept"])
def test_so_is_a_longer_yes_where_a_word_was_spoken_that_is_one_only_if_it_is_typed(language, name):
    word = vocabulary(language).say("command", name)
    game = Game(language).types("e4")
    assert game.misses(plain_phrase(word), "Eva").keys == ["not_understood", "ask_move", "longer_yes"]
    assert game.moves == []


def test_so_it_is_when_nothing_is_understood_twice():
    game = Game().types("e4")
    assert game.misses().keys == ["not_understood", "ask_move"]
    both = ["not_understood", "ask_move", "longer_yes", "longer_no"]
    assert game.misses("clock", again=True).keys == both
    assert game.misses("yes", again=True).keys == both[:-1]


@pytest.mark.parametrize(("words", "question"), [(("stop",), "ask_stop"), (("resign",), "ask_resign_of")])
def test_so_it_is_of_every_question_that_a_yes_answers(words, question):
    assert Game().types(*words).misses("yes").keys == ["not_understood", question, "longer_yes"]


@pytest.mark.parametrize("words", [(), ("Springer",), ("touched knight",)])
def test_but_not_where_a_yes_is_no_answer(words):
    assert "longer_yes" not in Game().types(*words).misses("yes", again=True).keys


def test_what_is_typed_and_not_understood_has_no_hint():
    game = Game().types("e4", "blah", "blah")
    assert game.keys == ["not_understood", "ask_move"]


def test_where_only_a_key_says_yes_the_key_is_named():
    assert Game(confirm="key").types("e4").misses("yes").keys[-1] == "answer_by_key"


def test_where_enter_opens_the_microphone_the_yes_is_to_be_typed():
    game = Game().types("e4")
    game.happen(ev.Mannered(rate=100, pitch=100, volume=100, verbosity="normal", earcons=(), talk="push"))
    assert game.misses("yes").words[-1] == "For yes, say I confirm or type yes."


def test_a_move_that_is_repeated_once_its_difference_was_told_has_the_hint():
    game = Game().hears("Eva vier", beside=("David vier",)).hears("Eva vier", beside=("David vier",))
    assert isinstance(game.state.asking, Difference)
    assert game.keys == ["ask_alike"]
    assert game.hears("Eva").keys == ["ask_move"]
    assert game.hears("Eva vier", beside=("David vier",)).keys == ["ask_move", "longer_yes"]
    assert game.moves == []


def test_so_has_a_command_that_is_repeated():
    game = Game().hears("stop").hears("stop")
    assert game.keys == ["ask_stop", "longer_yes"]
    assert Game().types("stop", "stop").keys == ["ask_stop"]


# The journal


def test_an_old_journal_replays_as_it_was_played():
    """There nothing is beside what was heard: the move was asked again, and after a no anew."""
    old = json.loads(ev.to_json(ev.Heard(words=("Eva vier", "David vier"), spoken=True)))
    assert old.pop("beside") == []
    heard = ev.from_json(json.dumps(old))
    assert heard == ev.Heard(words=("Eva vier", "David vier"), spoken=True)
    game = Game().happen(heard).happen(heard)
    assert isinstance(game.state.asking, Confirm)
    assert game.keys[0] == "ask_move"
    assert game.hears("no").state.asking.fact.uci == "d2d4"
    assert game.hears("no").keys == ["say_again"]
    assert game.state.asking == NOTHING
    assert game.happen(heard).happen(heard).hears("yes").moves == ["e2e4"]


def test_a_denied_move_that_is_heard_again_is_offered():
    alike = ("Springer Hector drei",)
    game = Game().hears("Springer Felix drei", beside=alike).hears("no")
    assert game.hears("Springer Felix drei", beside=alike).keys == ["heard_again", "ask_file"]


def test_an_event_of_this_version_comes_back_from_the_journal():
    heard = ev.Heard(words=("Eva vier",), spoken=True, beside=("David vier", "Eva drei"))
    assert ev.from_json(ev.to_json(heard)) == heard


# What is beside an utterance


def decided(*weighed, readings=1):
    found = tuple(Weighed(words, probability) for words, probability in weighed)
    return Decided(tuple(one.words for one in found[:readings]), weighed=found)


def test_beside_it_is_what_the_ears_took_for_it_and_then_what_sounds_alike():
    found = beside(
        decided(("eva vier", 0.9), ("david vier", 0.01), ("uhr", 0.0001)), Context(START, "fide", "en")
    )
    assert found[0] == "david vier"
    assert "uhr" not in found
    assert len(found) == 3


def test_what_sounds_most_like_it_comes_first():
    first, second = beside(decided(("b four", 1.0)), Context(START, "letters", "en"))
    assert read(first, "en", "letters")[0].meaning == START.fact("d2d4").meaning
    assert read(second, "en", "letters")[0].meaning in [fact.meaning for fact in START.legal]


def test_of_what_was_not_understood_only_the_ears_tell():
    found = beside(decided(("ja", 0.6), ("eva vier", 0.2), readings=0), Context(START, "fide", "en"))
    assert found == ("ja", "eva vier")


def test_nothing_but_a_move_has_a_neighbour_in_sound_and_castling_the_other_castling():
    castles = Position.start("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    (other,) = beside(decided(("kurze rochade", 1.0)), Context(castles, "fide", "en"))
    assert read(other, "en")[0].meaning == castles.fact("e1c1").meaning
    one = Position.start("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1")
    assert beside(decided(("kurze rochade", 1.0)), Context(one, "fide", "en")) == ()
    assert beside(decided(("ja", 1.0)), Context(START, "fide", "en")) == ()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", ["fide", "letters", "nato", "mixed"])
def test_what_sounds_alike_is_legal_in_the_words_of_the_convention(convention, language):
    position = Position.start("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    way = phrasing(convention, language)
    for fact in position.legal:
        said = plain_phrase(way.without_check(fact.meaning, spoken=True))
        for phrase in beside(decided((said, 1.0)), Context(position, convention, language)):
            (other,) = position.matching(read(phrase, language, convention)[0].meaning)
            assert only_difference(fact, other)


# Nothing but a yes plays a move

SPOKEN = (
    "Eva vier", "Eva drei", "David vier", "Springer Felix drei", "Springer Cesar drei", "Springer", "Eva",
    "Felix", "drei", "vier", "zwo", "eins", "Bauer", "no", "stop", "clock", "draw", "correction", "help", "",
)  # fmt: skip


@settings(max_examples=examples(100), deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(SPOKEN), st.lists(st.sampled_from(SPOKEN), max_size=3)), max_size=12)
)
def test_no_words_but_a_yes_play_a_move(said):
    game = Game()
    for words, likely in said:
        game.hears(*((words,) if words else ()), beside=tuple(likely))
        assert game.moves == []
        assert game.state.game.result is None
