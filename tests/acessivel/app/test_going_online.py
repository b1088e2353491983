# SPDX-License-Identifier: GPL-3.0-or-later
"""A game that leads online: it is over for this run and stays in the journal, or says why it cannot lead there."""

import pytest
from support.played_devices import Table

from acessivel.app.game import GameActivity
from acessivel.app.venue import AtComputer
from acessivel.devices.keyboard import TypedLine
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.storage.journal import Journal


def missing():
    raise UserError(Message.of("missing_online", how="pip install"))


@pytest.fixture
def table_of(tmp_path):
    def table(check_online):
        journal, setup = Journal(tmp_path), Setup.of(language="en")
        stored = journal.begin(setup, "2026-01-01T00:00:00")
        venue = AtComputer(check_online=check_online)
        return Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report, venue))

    return table


def test_it_ends_without_a_goodbye_and_is_kept(table_of):
    table = table_of(lambda: None)
    for line in ("e4", "yes"):
        table.happen(TypedLine(line))
    table.spoken()
    assert "play online?" in table.heard("play online")[-1]
    table.spoken()
    table.heard("I confirm")
    assert (table.activity.over, table.activity.goes_online) == (True, True)
    told = [message.key for output in table.activity.leave(0) for message in output.messages]
    assert told == ["kept"]


@pytest.mark.parametrize(
    ("check", "sentence"), [(None, "does not lead online"), (missing, "needs more packages")]
)
def test_where_nothing_can_follow_the_game_goes_on_with_its_question(table_of, check, sentence):
    table = table_of(check)
    table.happen(TypedLine("e4"))
    table.happen(TypedLine("play online"))
    told = " ".join(table.happen(TypedLine("yes")))
    assert sentence in told
    assert told.endswith("Eva vier?")
    assert not table.activity.over
    table.spoken()
    table.happen(TypedLine("yes"))
    assert len(table.activity.state.game.played) == 1
