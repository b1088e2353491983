# SPDX-License-Identifier: GPL-3.0-or-later
"""An event that means nothing in a state is in the log, with nobody's words."""

import logging
from dataclasses import replace

import pytest

from acessivel.dialogue.questions import Offered
from acessivel.game.game import Setup
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step

NEW = State.new(Setup(language="en", opponent="engine", practice=True))
DEAF = replace(NEW, preferences=replace(NEW.preferences, listens=False))


class Unknown(ev.Event):
    """An event that a newer program knows."""


@pytest.mark.parametrize(
    ("state", "event"),
    [
        (NEW, ev.Arrived()),
        (NEW, ev.Awaited()),
        (NEW, ev.SealingGivenUp()),
        (NEW, ev.Unsealed(sealed="e4")),
        (NEW, ev.EngineMoved(uci="e2e4")),
        (NEW, ev.EngineMoved(uci="e2e4", plies=3)),
        (NEW, ev.EngineAnswered(accepts=True)),
        (NEW, ev.EngineJudged(about="hint", ply=0)),
        (NEW, ev.EngineCompared(ply=0)),
        (DEAF, ev.Heard(words=("secret",), spoken=True)),
        (NEW, Unknown()),
    ],
)
def test_what_does_nothing_is_logged_by_its_kind_and_the_question(state, event, caplog):
    state = replace(state, asking=Offered("white"))
    with caplog.at_level(logging.INFO, "acessivel.session"):
        assert step(state, event) == (state, ())
    assert [record.getMessage() for record in caplog.records] == [
        f"{type(event).__name__} does nothing while Offered is asked"
    ]


def test_time_that_passes_and_what_does_something_is_not(caplog):
    with caplog.at_level(logging.DEBUG, "acessivel.session"):
        for event in (ev.Tick(), ev.Tick(quiet=True), ev.SpeechEnded(), ev.Heard(words=("e4",))):
            step(NEW, event)
    assert caplog.records == []
