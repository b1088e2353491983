# SPDX-License-Identifier: GPL-3.0-or-later
"""What a table's game tells the hall, whatever becomes of the hall meanwhile: each entry once, in order."""

import contextlib
import shutil
import threading
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.halls import ToldGame

from acessivel.game.game import Note, Setup
from acessivel.hall import joining
from acessivel.hall import outbox as outboxes
from acessivel.hall.board import Hall
from acessivel.hall.outbox import Outbox
from acessivel.hall.sqlite import SqliteHall
from acessivel.hall.store import ArbiterDecision, HallLostError, KeyRefusedError, Proposal, TableStore
from acessivel.message import Message
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import PlayedElsewhereError

PATIENCE_S = 30


class Wire(TableStore):
    """A table's way to the hall, that fails when and where it is told to."""

    def __init__(self, to, *, cut=False):
        self.to, self.cut, self.drops, self.asked, self.closed = to, cut, [], [], False

    def _through(self, name, *values, **named):
        self.asked.append(name)
        if self.cut:
            raise HallLostError
        after = self.drops and self.drops.pop(0)
        if after == "before":
            raise HallLostError
        answer = getattr(self.to, name)(*values, **named)
        if after == "after":
            raise HallLostError
        return answer

    def append(self, game, pushed):
        return self._through("append", game, pushed)

    def alive(self, *, leaves=False):
        return self._through("alive", leaves=leaves)

    def proposals(self, game, after):
        return self._through("proposals", game, after)

    def wait(self, game, after, timeout_s):
        if self.cut:
            raise HallLostError
        self.to.wait(game, after, timeout_s)

    def wake(self):
        self.to.wake()

    def close(self):
        self.closed = True


@pytest.fixture
def hall(tmp_path):
    made = SqliteHall(tmp_path / "hall")
    yield made
    made.close()


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(outboxes, "_PAUSES_S", (0.001,))
    monkeypatch.setattr(outboxes, "_PATIENCE_S", 0)
    monkeypatch.setattr(outboxes, "_LEAVE_S", PATIENCE_S)


class Played:
    """A game of a journal whose table tells the hall."""

    def __init__(self, hall, folder, number=None, *, table=12, key=None, cut=False, **agreed):
        self.hall, self.folder, self.reports = hall, folder, []
        self.wire = Wire(hall.table(table, key or hall.make_key(table)))
        self.wire.cut = cut
        self.journal = Journal(folder)
        agreed = {"clock": "90+30", "language": "en", "white": "Ana", "black": "Rui"} | agreed
        setup = Setup.of(**agreed)
        if number is None:
            number = self.journal.create(setup, "2026-01-01T00:00:00")
            self.state, self.entries = State.new(setup), 0
        else:
            stored = self.journal.load(number)
            self.state, self.entries = stored.state, stored.entries
        self.number = number
        self.news = threading.Condition()
        self.outbox = Outbox(self.wire, self.journal.name(number), self.journal.history(number))
        self.outbox.start(self.report)

    def report(self, event):
        with self.news:
            self.reports.append(event)
            self.news.notify_all()

    def reported(self, wanted):
        """Wait until such an event was reported."""
        with self.news:
            assert self.news.wait_for(lambda: any(map(wanted, self.reports)), PATIENCE_S)
            return next(filter(wanted, self.reports))

    def happen(self, *events):
        for event in events:
            now = replace(event, at=self.state.now_ms)
            after, _ = step(self.state, now)
            self.journal.append(self.number, self.entries, now, self.state, after)
            self.outbox.happened(self.state, now, after)
            self.state, self.entries = after, self.entries + 1
        return self

    def say(self, *words):
        return self.happen(*(ev.Heard(words=(word,)) for word in words))

    def begin(self):
        return self.happen(ev.Started(hall=True), ev.SpeechEnded())

    def known(self):
        """The game at the table as the hall knows it, once it knows as much as the game does."""
        plies = len(self.state.game.played)
        return wait_for(self.hall, lambda game: len(game.moves) == plies)

    def leave(self):
        self.outbox.leave()
        self.journal.close()
        assert self.wire.closed


def wait_for(hall, wanted):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        game = Hall().with_records(hall.since({})).tables.get(12)
        if game and wanted(game):
            return game
        hall.wait(1)
    raise AssertionError(game)


def sans(game):
    return [move.san for move in game.moves]


def test_what_happens_is_told_at_once(hall, tmp_path):
    game = Played(hall, tmp_path).begin().say("e4", "yes", "e5", "yes")
    assert sans(game.known()) == ["e4", "e5"]
    game.leave()
    assert hall.seen()[12].left


def test_each_entry_is_sent_once(hall, tmp_path):
    game = Played(hall, tmp_path).begin()
    for words in (("e4", "yes"), ("e5", "yes"), ("Nf3", "yes")):
        game.say(*words).known()
    game.leave()
    told = [record.number for record in hall.since({})]
    assert told == list(range(len(told)))


@pytest.mark.usefixtures("quick")
@settings(max_examples=examples(30))
@given(st.lists(st.sampled_from(["", "before", "after"]), max_size=30))
def test_lost_answers_and_broken_connections_change_nothing(tmp_path_factory, drops):
    folder = tmp_path_factory.mktemp("hall")
    hall = SqliteHall(folder)
    game = Played(hall, folder / "games")
    game.wire.drops = list(drops)
    game.begin().say("e4", "yes", "e5", "yes", "Nf3", "yes")
    known = game.known()
    assert sans(known) == ["e4", "e5", "Nf3"]
    whole = [(one.number, one.entry) for one in hall.since({})]
    game.leave()
    expected = ToldGame(12, known.game, clock="90+30", language="en", white="Ana", black="Rui")
    assert [number for number, _ in whole] == list(range(len(whole)))
    assert {type(entry) for _, entry in whole} >= {type(one.entry) for one in expected.records}
    hall.close()


def test_what_is_too_long_for_a_hall_holds_up_nothing(hall, tmp_path):
    game = Played(hall, tmp_path, white="x" * 9000).begin()
    assert wait_for(hall, lambda found: found.opened).opened.white == "x" * 200
    note = Note(0, Message.of("hall_says", text="y" * 9000))
    noted = replace(game.state, game=replace(game.state.game, notes=(note,)))
    game.outbox.happened(game.state, ev.Tick(), noted)
    assert sans(game.say("e4", "yes").known()) == ["e4"]
    game.leave()


@pytest.mark.usefixtures("quick")
def test_a_lost_hall_is_reported_once_and_when_it_is_back_everything_is_told(hall, tmp_path):
    game = Played(hall, tmp_path).begin()
    game.known()
    game.wire.cut = True
    game.say("e4", "yes")
    game.reported(lambda event: event == ev.HallNews(lost=True))
    game.say("e5", "yes", "Nf3", "yes")
    game.wire.cut = False
    game.reported(lambda event: event == ev.HallNews(lost=False))
    assert sans(game.known()) == ["e4", "e5", "Nf3"]
    game.leave()
    assert [event for event in game.reports if isinstance(event, ev.HallNews)] == [
        ev.HallNews(lost=True), ev.HallNews(lost=False),
    ]  # fmt: skip


@pytest.mark.usefixtures("quick")
def test_a_game_that_ends_without_its_hall_does_not_wait_for_it(hall, tmp_path, monkeypatch):
    monkeypatch.setattr(outboxes, "_LEAVE_S", PATIENCE_S)
    game = Played(hall, tmp_path, cut=True)
    game.begin().reported(lambda event: event == ev.HallNews(lost=True, never=True))
    asked = len(game.wire.asked)
    game.leave()
    assert "alive" not in game.wire.asked[asked:]
    assert hall.since({}) == ()


@pytest.mark.usefixtures("quick")
def test_a_revoked_key_is_a_lost_hall_and_the_game_goes_on(hall, tmp_path):
    game = Played(hall, tmp_path).begin()
    game.known()
    hall.revoke_key(12)
    game.say("e4", "yes").reported(lambda event: event == ev.HallNews(lost=True, refused=True))
    assert len(game.state.game.played) == 1
    assert len(hall.since({})) == len([r for r in hall.since({}) if type(r.entry).__name__ != "MoveMade"])
    game.leave()


def test_after_a_crash_only_what_the_hall_lacks_is_sent(hall, tmp_path):
    key = hall.make_key(12)
    game = Played(hall, tmp_path, key=key).begin().say("e4", "yes")
    game.known()
    game.outbox._leaves.set()  # as if it had gone without a word
    game.wire.wake()
    game.outbox._thread.join()
    before = game.say("e5", "yes").number
    game.journal.close()
    again = Played(hall, tmp_path, before, key=key)
    known = again.known()
    assert sans(known) == ["e4", "e5"]
    assert len(Hall().with_records(hall.since({})).games) == 1
    again.happen(ev.Resumed(hall=True)).say("Nf3", "yes")
    assert sans(again.known()) == ["e4", "e5", "Nf3"]
    again.leave()


def test_a_hall_that_has_lost_what_it_had_is_told_again(hall, tmp_path):
    game = Played(hall, tmp_path).begin().say("e4", "yes")
    game.known()
    with hall._written() as db:
        for statement in ("DROP TRIGGER entry_kept", "DELETE FROM entries", "DELETE FROM games"):
            db.execute(statement)
    game.say("e5", "yes")
    assert sans(game.known()) == ["e4", "e5"]
    game.leave()


def test_a_flag_that_falls_and_the_end_of_the_game_by_it_are_told_at_once(hall):
    state, now = State.new(Setup.of(clock="5", language="en")), 6 * 60_000
    outbox = Outbox(hall.table(12, hall.make_key(12)), "a1", lambda: ())
    fell = 0
    for event in (ev.Started(hall=True), ev.SpeechEnded(), ev.Tick(at=now), ev.Tick(at=now)):
        after, _ = step(state, event)
        outbox.happened(state, event, after)
        outbox._exchange(leaves=False)
        state = after
        game = Hall().with_records(hall.since({})).tables[12]
        fell += bool(state.flags.fell)
        assert bool(game.flags) == game.over == bool(state.game.result)
    assert fell == 1
    assert state.game.result


def test_a_journal_that_went_another_way_is_told_under_another_name(hall, tmp_path):
    key = hall.make_key(12)
    first = Played(hall, tmp_path / "a", key=key).begin()
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    first.say("e4", "yes", "e5", "yes").known()
    first.leave()
    other = Played(hall, tmp_path / "b", 1, key=key).happen(ev.Resumed(hall=True)).say("d4", "yes")
    known = wait_for(hall, lambda game: sans(game) == ["d4"])
    assert known.game == f"{first.outbox._game}.1"
    other.leave()
    assert len(Hall().with_records(hall.since({})).games) == 2


@pytest.mark.usefixtures("quick")
def test_two_who_play_on_from_one_journal_are_not_mixed(hall, tmp_path):
    key = hall.make_key(12)
    one = Played(hall, tmp_path / "a", key=key).begin()
    one.known()
    one.journal.close()
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    one.journal = Journal(tmp_path / "a")
    one.journal.load(one.number)
    two = Played(hall, tmp_path / "b", one.number, key=key)
    one.say("e4", "yes").known()
    two.say("d4", "yes", "d5", "yes")
    wait_for(hall, lambda game: sans(game) == ["d4", "d5"])
    one.say("e5", "yes")
    deadline = time.monotonic() + PATIENCE_S
    while not one.outbox.settled and time.monotonic() < deadline:
        hall.wait(1)
    games = Hall().with_records(hall.since({})).games.values()
    assert sorted(map(sans, games)) == [["d4", "d5"], ["e4", "e5"]]
    one.leave()
    two.leave()


@pytest.mark.usefixtures("quick")
def test_another_course_that_ends_alike_is_told_anew(hall, tmp_path):
    other = SqliteHall(tmp_path / "other")
    key = hall.make_key(12)
    for place, folder, first in ((hall, "a", "e4"), (other, "b", "d4")):
        game = Played(place, tmp_path / folder, clock="none", key=key if place is hall else None).begin()
        game.say(first, "yes", "resign", "yes").known()
        game.leave()
    again = Played(hall, tmp_path / "b", game.number, key=key, clock="none")
    wait_for(hall, lambda game: game.over and sans(game) == ["d4"])
    again.leave()
    other.close()


def test_a_decision_of_a_hall_that_was_made_anew_is_not_taken_for_an_old_one(hall, tmp_path):
    game = Played(hall, tmp_path / "games").begin()
    hall.propose(Proposal(0, 12, game.known().game, "Eva", ArbiterDecision("time", (1, 1, 5, 0))))
    game.happen(game.reported(lambda event: isinstance(event, ev.Proposed)))
    game.leave()
    anew = SqliteHall(tmp_path / "anew")
    game = Played(anew, tmp_path / "games", game.number)
    anew.propose(Proposal(0, 12, game.known().game, "Rui", ArbiterDecision("warn", (1,))))
    assert game.reported(lambda event: isinstance(event, ev.Proposed)).by == "Rui"
    game.leave()
    anew.close()


def test_what_an_arbiter_proposes_is_reported_until_it_is_dealt_with(hall, tmp_path, monkeypatch):
    monkeypatch.setattr(outboxes, "_AGAIN_S", 0)
    game = Played(hall, tmp_path).begin()
    name = game.known().game
    number = hall.propose(Proposal(0, 12, name, "Eva", ArbiterDecision("warn", (1,)), ago_ms=240_000))
    proposed = game.reported(lambda event: isinstance(event, ev.Proposed))
    assert (proposed.id, proposed.by, proposed.what, proposed.given) == (number, "Eva", "warn", (1,))
    assert 240_000 <= proposed.ago_ms < 300_000
    game.reports.clear()
    game.wire.wake()
    assert game.reported(lambda event: isinstance(event, ev.Proposed)).id == number
    game.happen(proposed)
    answered = wait_for(hall, lambda game: game.answered).answered
    assert [(one.proposal, one.by, one.why) for one in answered] == [(number, "Eva", None)]
    game.leave()


def test_after_a_crash_a_decision_is_not_applied_again(hall, tmp_path):
    key = hall.make_key(12)
    game = Played(hall, tmp_path, key=key).begin()
    hall.propose(Proposal(0, 12, game.known().game, "Eva", ArbiterDecision("time", (1, 1, 5, 0))))
    game.happen(game.reported(lambda event: isinstance(event, ev.Proposed)))
    game.leave()
    again = Played(hall, tmp_path, game.number, key=key)
    again.happen(ev.Resumed(hall=True)).say("e4", "yes").known()
    again.leave()
    assert [event for event in again.reports if isinstance(event, ev.Proposed)] == []


def test_what_another_program_has_played_on_is_not_told(hall, tmp_path):
    key = hall.make_key(12)
    game = Played(hall, tmp_path, key=key).begin()
    game.known()
    other = Played(hall, tmp_path, game.number, key=key).happen(ev.Resumed()).say("e4", "yes")
    other.known()
    with pytest.raises(PlayedElsewhereError):
        game.say("d4")
    game.leave()
    other.leave()


def test_an_error_of_the_program_ends_what_is_told_not_the_game(hall, tmp_path, monkeypatch):
    def fails(*_):
        raise ZeroDivisionError

    game = Played(hall, tmp_path)
    monkeypatch.setattr(outboxes.entries, "entries", fails)
    game.begin().say("e4", "yes").reported(lambda event: event == ev.HallNews(lost=True))
    assert len(game.say("e5", "yes").state.game.played) == 2
    game.leave()


@pytest.mark.usefixtures("quick")
def test_a_refused_key_from_the_beginning_keeps_no_game_from_being_played(hall, tmp_path):
    with pytest.raises(KeyRefusedError):
        hall.table(12, "wrong")
    key = hall.make_key(12)
    game = Played(hall, tmp_path, key=key, cut=True)
    hall.make_key(12)
    game.wire.cut = False
    game.begin().say("e4", "yes").reported(lambda event: event.lost)
    assert len(game.state.game.played) == 1
    game.leave()


def test_a_hall_that_does_not_take_the_key_is_reported_without_waiting(hall, tmp_path, monkeypatch):
    def refuses(*_, **__):
        raise KeyRefusedError

    monkeypatch.setattr(outboxes, "_PATIENCE_S", 10 * PATIENCE_S)
    monkeypatch.setattr(Wire, "_through", refuses)
    game = Played(hall, tmp_path).begin()
    game.reported(lambda event: event == ev.HallNews(lost=True, never=True, refused=True))
    game.leave()


@pytest.mark.usefixtures("quick")
def test_a_hall_that_is_not_there_at_first_is_told_of_everything_later(hall, tmp_path):
    game = Played(hall, tmp_path, cut=True).begin().say("e4", "yes")
    game.reported(lambda event: event == ev.HallNews(lost=True, never=True))
    game.wire.cut = False
    game.reported(lambda event: event == ev.HallNews(lost=False))
    assert sans(game.known()) == ["e4"]
    game.leave()


@contextlib.contextmanager
def playing(hall, journal, key, game, **how):
    """A game of a journal whose hall is told of it, and what is still to be told of others.

    `game`: its number if it goes on, or when it begins.
    """
    goes_on = isinstance(game, int)
    number = game if goes_on else journal.create(Setup.of(language="en"), game)
    stored, event = journal.load(number), ev.Resumed(hall=True) if goes_on else ev.Started(hall=True)
    at = Settings(save=str(journal.folder), hall="https://here", table=12)
    place = joining.Joined(at, lambda: Wire(hall.table(12, key), **how), "this hall")
    with joining.told(place, journal, stored) as outbox:
        outbox.start()
        after, _ = step(stored.state, event)
        journal.append(number, stored.entries, event, stored.state, after)
        outbox.happened(stored.state, event, after)
        yield outbox


def test_a_game_that_goes_on_after_another_is_the_one_at_the_table(hall, tmp_path):
    journal, key = Journal(tmp_path / "games"), hall.make_key(12)
    for game in ("2026-01-01T10:00:00", "2026-01-01T11:00:00", 1, 2, 1):
        with playing(hall, journal, key, game) as outbox:
            wait_for(hall, lambda found, name=outbox._game: found.game == name)
    journal.close()


def test_games_that_are_still_to_be_told_hold_up_no_end(hall, tmp_path, monkeypatch):
    journal, key = Journal(tmp_path / "games"), hall.make_key(12)
    comes, told, append = threading.Event(), threading.Event(), Wire.append
    with monkeypatch.context() as patch:
        patch.setattr(outboxes, "_LEAVE_S", 0)
        with playing(hall, journal, key, "2026-01-01T10:00:00", cut=True) as old:
            pass

    def slowly(self, game, pushed):
        if game == old._game:
            comes.wait(PATIENCE_S)
            told.set()
        return append(self, game, pushed)

    monkeypatch.setattr(outboxes, "_LEAVE_S", PATIENCE_S)
    monkeypatch.setattr(Wire, "append", slowly)
    with playing(hall, journal, key, "2026-01-01T11:00:00") as new:
        wait_for(hall, lambda found: found.game == new._game)
    assert not told.is_set()
    comes.set()
    journal.close()


@pytest.mark.usefixtures("quick")
def test_a_game_that_is_told_late_does_not_hide_the_one_that_is_at_the_table(hall, tmp_path, monkeypatch):
    journal, key = Journal(tmp_path / "games"), hall.make_key(12)
    history = journal.history

    def slowly(number):
        def happened():
            while number == 1 and not hall.since({}):
                hall.wait(1)
            yield from history(number)()

        return happened

    with playing(hall, journal, key, "2026-01-01T10:00:00", cut=True):
        pass
    monkeypatch.setattr(journal, "history", slowly)
    with playing(hall, journal, key, "2026-01-01T11:00:00") as new:
        found = wait_for(hall, lambda _: len(Hall().with_records(hall.since({})).games) == 2)
        assert found.game == new._game
    journal.close()
