# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever is heard, in any order: no move but the one that a yes answers is played, and none is lost in silence."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import all_told, happen
from support.languages import LANGUAGES

from acessivel.dialogue.questions import ANNOUNCING, NOTHING, Confirm, Making, Sure, under_list
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import asked
from voices.grammar.grammar import plain_phrase
from voices.meaning import Answer, CommandName
from voices.understanding.meanings import read_heard
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

AT_A_SERVER = {
    "opponent": "online", "white": "Ana", "black": "Bob", "server": "https://example.org", "game_id": "abcd1234",
    "speed": "rapid", "clock": "15+10", "colour": "white", "online_confirm": "unsure",
}  # fmt: skip
GAMES = (
    {}, {"two_boards": True, "clock": "5+3"}, {"ritual": True}, {"clock": "5+3", "strict": True},
    {"laws": "escolar-br"}, {"variant": "chess960:10"}, {"practice": True}, AT_A_SERVER,
)  # fmt: skip
# What does as a yes does, and is not taken by voice.
NEVER_SPOKEN = (CommandName.PRESS, CommandName.ACCEPT)
TELLS_OF_IT = {
    "withdrawn", "announced_withdrawn", "say_again", "say_again_in_parts", "not_that_move", "taken_back", "refused",
    "check_missing", "illegal_back", "illegal_time", "illegal_kept",
}  # fmt: skip
STEPS = 40


class Room:
    """A game in which anything is heard."""

    def __init__(self, chance: random.Random, language: str, convention: str, **setup: object) -> None:
        self.chance, self.now = chance, 0
        self.state = State.new(Setup.of(language=language, convention=convention, **setup))
        self.told: list[str] = []
        self.happen(ev.Started())
        if self.state.at_server:
            self.happen(ev.ServerTold(moves=(), white_ms=900_000, black_ms=900_000, fresh=True))

    def happen(self, event: ev.Event) -> None:
        """And whatever is told of it can be told."""
        self.state, effects = happen(self.state, event)
        told = all_told(effects)
        renderer = Renderer(self.state.setup.language, self.state.setup.convention)
        assert all(renderer.text(message) for message in told)
        self.told = [message.key for message in told]

    def words(self) -> str:
        """A move, an answer to what is asked, a part, a number, a command."""
        chance, state = self.chance, self.state
        own, way = vocabulary(state.setup.language), phrasing(state.setup.convention, state.setup.language)
        kind, answers, legal = chance.random(), asked(state), state.announced_in.legal
        if kind < 0.4 and legal:
            return plain_phrase(way.without_check(chance.choice(legal).meaning, spoken=True))
        if kind < 0.6 and answers:
            return chance.choice(answers)
        if kind < 0.7:
            section = chance.choice(("rank", "piece", "file"))
            return plain_phrase(own.say(section, chance.choice([*own.phrases[section]])))
        if kind < 0.85:
            name = chance.choice([name for name in CommandName if name not in NEVER_SPOKEN])
            return plain_phrase(own.say("command", name))
        return plain_phrase(own.say("answer", chance.choice(("yes", "no"))))

    def hears(self) -> tuple[ev.Heard, list[object]]:
        """One or two readings, and what they may be beside; the moves that are made by it."""
        chance, before = self.chance, self.made
        self.now += chance.choice((200, 1500, 4000))
        said = tuple(dict.fromkeys(self.words() for _ in range(chance.choice((1, 1, 2)))))
        beside = tuple(self.words() for _ in range(chance.randrange(3)))
        event = ev.Heard(
            words=said, spoken=True, beside=beside, at=self.now, early=chance.random() < 0.1,
            again=chance.random() < 0.1, doubted=chance.random() < 0.1,
        )  # fmt: skip
        self.happen(event)
        return event, [fact for fact in self.made if fact not in before]

    def waits(self) -> list[object]:
        """All is said to its end, and then nobody speaks; the moves that are made then."""
        before = self.made
        for event in (ev.SpeechEnded(heard=True), ev.Tick(quiet=True)):
            self.now += 3000
            self.happen(replace(event, at=self.now))
        return [fact for fact in self.made if fact not in before]

    def says_yes(self, event: ev.Heard) -> bool:
        """Whether the first reading is a yes."""
        setup = self.state.setup
        said = read_heard(event.words[0], setup.language, setup.convention)
        return any(isinstance(one.meaning, Answer) and one.meaning.yes for one in said)

    @property
    def made(self) -> list[object]:
        """The moves that are played, announced for the other board, or on their way to a server."""
        state = self.state
        others = (state.game.announced, state.online.confirmed)
        return [*(move.fact for move in state.game.played), *(fact for fact in others if fact)]


def innermost(asking):
    under = under_list(asking)
    return under_list(under.before) if isinstance(under, Sure) else under


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: "-".join(setup) or "plain")
@settings(max_examples=examples(8))
@given(
    st.integers(0, 2**32), st.sampled_from(LANGUAGES), st.sampled_from(["fide", "letters", "nato", "mixed"])
)
def test_a_move_is_made_only_by_a_yes_to_it_and_none_is_dropped_without_a_word(
    setup, seed, language, convention
):
    room = Room(random.Random(seed), language, convention, **setup)  # noqa: S311
    from_nothing = False
    for _ in range(STEPS):
        if room.chance.random() < 0.3:
            assert from_nothing or not room.waits()  # a sure move goes by itself, if nobody has spoken since
        asking, from_nothing = room.state.asking, room.state.asking == NOTHING
        event, more = room.hears()
        if more:
            assert isinstance(asking, Making) or (room.says_yes(event) and isinstance(asking, Confirm))
            assert more == [asking.fact]
        elif isinstance(innermost(asking), ANNOUNCING) and not room.state.game.result:
            goes_on = isinstance(innermost(room.state.asking), ANNOUNCING)
            assert goes_on or TELLS_OF_IT & {*room.told}, (event.words, room.told)
        if room.state.game.result:
            break
