# SPDX-License-Identifier: GPL-3.0-or-later
"""The arbiter's desk: what comes from the tables is told, what he says goes to them and is answered."""

import pytest
from support.desks import Arbiter, HallRoom

from acessivel.session import events as ev

MINUTE = 60_000


@pytest.fixture
def room(tmp_path):
    found = HallRoom(tmp_path)
    yield found
    found.store.close()


def test_the_desk_tells_how_many_tables_play_and_what_waits(room):
    room.table(1), room.table(2)
    eva = Arbiter(room)
    assert eva.lines[-2:] == ["2 tables: 2 still playing, 0 over.", "Nothing waits."]


def test_what_comes_up_is_told_by_itself_and_next_goes_to_it(room):
    game = room.table(12, white="Ana", black="Rui")
    eva = Arbiter(room)
    game.say("e4", "yes", "arbiter", "no")
    assert eva.news() == ["Table 12 calls the arbiter."]
    assert eva.say("next") == ["Table 12 calls the arbiter."]
    assert eva.say("table 12")[:2] == ["Table 12: Ana against Rui.", "Table 12 calls the arbiter."]


def test_the_most_urgent_comes_first_whatever_came_first(room):
    late, calls, offers = room.table(3), room.table(2), room.table(1)
    eva = Arbiter(room)
    offers.say("e4", "yes", "draw", "yes")
    eva.news()
    calls.say("arbiter", "no")
    eva.news()
    late.happen(ev.Tick(at=91 * MINUTE))
    eva.news()
    assert eva.say("queue") == ["2 cases wait.", "2 call", "3 over"]
