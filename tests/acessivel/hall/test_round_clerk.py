# SPDX-License-Identifier: GPL-3.0-or-later
"""A round's clerk beside the desk: who sits where and what is odd is reported, live games are there for who asks."""

import errno
import queue
from pathlib import Path

import pytest

from acessivel.errors import UserError
from acessivel.hall.desk import DeskNews
from acessivel.hall.round_clerk import BroadcastNews, RoundClerk, RoundNews
from acessivel.message import Message
from acessivel.tournaments.tournament import Tournament, TrfError

SECONDS = 20


class Keeper:
    """A round's keeper that is told what to say."""

    def __init__(self):
        self.followed, self.live_text = queue.SimpleQueue(), "live"
        self.stored = type("Stored", (), {"event": Tournament(), "path": Path("t.trf")})
        self.told, self.games, self.unbegun = (), {}, frozenset({7})

    def follow(self, records, now_ms):
        self.followed.put((tuple(records), now_ms))
        told, self.told = self.told, ()
        return told


def test_what_is_odd_is_reported_once_and_the_keeper_follows_on_without_news():
    keeper, reports = Keeper(), queue.SimpleQueue()
    clerk = RoundClerk(keeper, 1, reports.put)
    keeper.told = (Message.of("hall_says_quiet"),)
    clerk.informed(DeskNews(1000))
    assert reports.get(timeout=SECONDS) == RoundNews(
        1, (Message.of("hall_says_quiet"),), coming=1, unbegun={7}
    )
    assert keeper.followed.get(timeout=SECONDS)[0] == ()
    later = keeper.followed.get(timeout=SECONDS)  # nothing is new, but what is delayed may be due
    assert later[1] > 1000
    status, headers, body = clerk.live("")
    assert (status, body) == (200, b"live")
    assert clerk.live(headers["ETag"])[0] == 304
    clerk.close()
    assert reports.empty()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (UserError(Message.of("pairing_baku")), "pairing_baku"),
        (TrfError(3, "trf_columns"), "event_bad_line"),
        (OSError(errno.ENOSPC, "full", "round.trf"), "cannot_write"),
        (ZeroDivisionError(), "round_pairing_error"),
    ],
)
def test_whatever_goes_wrong_when_a_round_is_paired_is_told_and_results_follow_all_the_same(error, told):
    def pair(_):
        raise error

    keeper, reports = Keeper(), queue.SimpleQueue()
    keeper.pair = pair
    clerk = RoundClerk(keeper, 1, reports.put)
    clerk.pair(lambda event: (event, ()))
    assert [message.key for message in reports.get(timeout=SECONDS).told] == [told]
    clerk.informed(DeskNews(1000, ("a result",)))
    while not keeper.followed.get(timeout=SECONDS)[0]:
        pass
    clerk.close()


class Line:
    """A broadcast that keeps what is pushed to it."""

    pause_s = 0.0

    def __init__(self):
        self.pushed, self.closed = [], False

    def push(self, pgn):
        self.pushed.append(pgn)
        return (Message.of("broadcast_lost"),)

    def close(self):
        self.closed = True


def test_the_live_games_are_pushed_beside_the_keeper_and_once_more_at_the_end():
    keeper, line, reports = Keeper(), Line(), queue.SimpleQueue()
    clerk = RoundClerk(keeper, 1, reports.put, line)
    assert reports.get(timeout=SECONDS) == BroadcastNews((Message.of("broadcast_lost"),))
    keeper.live_text = "last"
    clerk.close()
    assert (line.pushed[0], line.pushed[-1]) == ("live", "last")
    assert line.closed
