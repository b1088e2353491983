# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told first: all that helps, or only what must be known where nobody is heard before it is over."""

import pytest
from support.happening import all_told
from support.languages import LANGUAGES

from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from voices.sound.source import RATE, read_wav
from voices.speakers.synthesis import synthesise

LONGEST_S = 3.0
USUAL_RATE = 200  # words per minute, of the system's voice


def told(*, brief, **setup):
    _, effects = step(State.new(Setup.of(**setup)), ev.Started(brief=brief))
    return all_told(effects)


def keys(*, brief, **setup):
    return [message.key for message in told(brief=brief, **setup)]


def test_as_a_rule_all_that_helps_is_told():
    assert keys(brief=False, opponent="human") == ["welcome", "setup_human", "turn"]
    assert keys(brief=False, opponent="engine") == ["welcome", "setup_engine", "turn"]


def test_the_demonstration_asks_for_no_move_and_says_how_it_is_left():
    assert keys(brief=False, opponent="human", demo=True) == ["setup_demo", "turn"]


def test_who_waits_is_told_what_must_be_known():
    assert keys(brief=True, opponent="human") == ["turn"]
    assert keys(brief=True, opponent="engine") == ["setup_engine_brief"]
    assert keys(brief=True, opponent="engine", practice=True) == ["setup_engine_brief"]
    assert keys(brief=True, opponent="engine", colour="black") == ["setup_engine_brief", "turn"]


def test_what_is_unusual_is_told_in_any_case():
    endgame = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    assert keys(brief=True, opponent="engine", fen=endgame) == ["setup_engine_brief", "turn"]
    assert keys(brief=True, opponent="human", two_boards=True)[0] == "setup_two_boards"
    assert "chess960_number" in keys(brief=True, opponent="engine", variant="chess960:5")


@pytest.mark.parametrize("opponent", ["human", "engine"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_move_can_be_announced_after_three_seconds(tmp_path, language, opponent):
    messages = told(brief=True, language=language, opponent=opponent)
    spans = Renderer(language, "fide").spans(messages)
    seconds = 0.0
    for span in spans:
        synthesise(span.text, tmp_path / "said.wav", span.language, speed=USUAL_RATE)
        seconds += len(read_wav(tmp_path / "said.wav")) / 2 / RATE
    assert seconds <= LONGEST_S
