# SPDX-License-Identifier: GPL-3.0-or-later
"""What every store of a hall does, in SQLite and in PostgreSQL: the same tests for each."""

import contextlib
import sqlite3
import tempfile
import threading
from http.client import HTTPSConnection
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from support import postgres
from support.halls import ToldGame

from acessivel.clock import computer_sleep
from acessivel.hall import entries, key_file
from acessivel.hall.board import Hall
from acessivel.hall.cases import is_lost
from acessivel.hall.certificate import own_certificate
from acessivel.hall.entries import DrawStands, GameOpened
from acessivel.hall.http_table import HttpTable
from acessivel.hall.key_file import TableKey
from acessivel.hall.postgres import PostgresHall, desk_dsn
from acessivel.hall.service import HallService
from acessivel.hall.sqlite import SqliteHall
from acessivel.hall.store import (
    ArbiterDecision,
    HallLostError,
    KeyRefusedError,
    NotKeptError,
    Proposal,
    PushedEntry,
)
from acessivel.message import Duration, Message

WARN = ArbiterDecision("warn", (1,))


class SqliteOfTests:
    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.hall = SqliteHall(Path(self._folder.name))

    def another_desk(self):
        return self.hall

    def table(self, table, key):
        return self.hall.table(table, key)

    def close(self):
        self.hall.close()
        self._folder.cleanup()


@pytest.fixture(scope="module")
def server():
    with postgres.server() as running:
        yield running


@pytest.fixture
def in_sqlite():
    made = SqliteOfTests()
    yield made
    made.close()


class HttpsOfTests(SqliteOfTests):
    """A hall of one computer, whose tables are elsewhere."""

    def __init__(self):
        super().__init__()
        self.service = HallService(self.hall, Path(self._folder.name), port=0, lan=False)
        self._tables = []

    def table(self, table, key):
        (address,) = self.service.addresses
        self._tables.append(HttpTable(address, TableKey(table, key, self.service.certificate)))
        return self._tables[-1]

    def close(self):
        for table in self._tables:
            table.close()
        self.service.close()
        super().close()


@pytest.fixture
def over_https():
    made = HttpsOfTests()
    yield made
    made.close()


@pytest.fixture
def in_postgres(server):
    made = postgres.PostgresOfTests(server)
    yield made
    made.close()


@pytest.fixture(params=["in_sqlite", "over_https", "in_postgres"])
def place(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def table(place):
    return place.table(12, place.hall.make_key(12))


def pushed(*told, first=0, ago_ms=0):
    return [PushedEntry(number, entries.to_json(entry), ago_ms) for number, entry in enumerate(told, first)]


def told_of(hall):
    return [(one.table, one.game, one.number, one.entry) for one in hall.since({})]


WHITE, BLACK, NOBODY = DrawStands("white"), DrawStands("black"), DrawStands("")


def test_what_a_table_tells_is_there_in_order(place, table):
    assert table.append("a", pushed(WHITE, BLACK)) == 2
    assert table.append("b", pushed(NOBODY)) == 1
    assert told_of(place.hall) == [(12, "a", 0, WHITE), (12, "a", 1, BLACK), (12, "b", 0, NOBODY)]


def test_what_was_told_before_is_passed_over(place, table):
    table.append("a", pushed(WHITE, BLACK))
    assert table.append("a", pushed(WHITE)) == 2
    assert table.append("a", pushed(BLACK, NOBODY, first=1)) == 3
    assert [entry for *_, entry in told_of(place.hall)] == [WHITE, BLACK, NOBODY]


def test_another_course_of_a_game_is_not_mixed_with_the_one_that_was_told(place, table):
    table.append("a", pushed(WHITE, BLACK))
    assert table.append("a", pushed(WHITE, NOBODY, NOBODY)) == 1
    assert table.append("a", pushed(NOBODY, NOBODY, first=1)) == 1
    assert [entry for *_, entry in told_of(place.hall)] == [WHITE, BLACK]


def test_what_comes_behind_a_gap_is_not_kept(place, table):
    table.append("a", pushed(WHITE))
    assert table.append("a", pushed(NOBODY, first=2)) == 1
    assert len(place.hall.since({})) == 1


def test_a_desk_gets_only_what_it_does_not_know(place, table):
    table.append("a", pushed(WHITE, BLACK))
    hall = Hall().with_records(place.hall.since({}))
    assert place.hall.since(hall.cursor) == ()
    table.append("a", pushed(NOBODY, first=2))
    table.append("c", pushed(NOBODY))
    assert [(one.game, one.number) for one in place.hall.since(hall.cursor)] == [("a", 2), ("c", 0)]


def test_when_it_happened_is_told_on_the_hall_s_clock(place, table):
    table.append("a", pushed(WHITE, ago_ms=60_000))
    (record,) = place.hall.since({})
    assert 60_000 <= place.hall.now_ms() - record.at_ms < 120_000


def test_nothing_is_told_of_the_time_before_all_clocks(place, table):
    assert table.append("a", pushed(WHITE, ago_ms=10**14)) == 1
    (record,) = place.hall.since({})
    assert record.at_ms >= 0


def test_a_whole_game_comes_back_as_it_was_told(place, table):
    game = ToldGame(12, "a", clock="90+30", white="Müller „Ö“ 棋", black="D'Ávila; DROP TABLE").say(
        "e4", "sim", "e5", "sim"
    )
    table.append("a", pushed(*(record.entry for record in game.records)))
    assert [one.entry for one in place.hall.since({})] == [record.entry for record in game.records]


@pytest.mark.timeout(20)  # less than a desk waits that nobody wakes
def test_a_desk_is_woken_by_what_a_table_tells(place, table):
    place.hall.wait(0)
    place.hall.wait(0.01)
    thread = threading.Timer(0.05, table.append, ("a", pushed(WHITE)))
    thread.start()
    while not place.hall.since({}):
        place.hall.wait(30)
    thread.join()


@pytest.mark.timeout(20)
def test_a_table_is_woken_by_what_an_arbiter_proposes(place, table):
    table.proposals("a", 0)
    table.wait("a", 0, 0)
    thread = threading.Timer(0.05, place.hall.propose, (Proposal(0, 12, "a", "Eva", WARN),))
    thread.start()
    while not table.proposals("a", 0):
        table.wait("a", 0, 30)
    thread.join()


@pytest.mark.timeout(20)
def test_a_table_wakes_itself(table):
    threading.Timer(0.05, table.wake).start()
    table.wait("a", 0, 30)
    table.wake()
    table.wait("a", 0, 30)


def test_what_arbiters_propose_comes_to_its_game_in_order(place, table):
    told = ArbiterDecision("announce", message=Message.of("warned", colour="white", time=Duration(5)))
    first = place.hall.propose(Proposal(0, 12, "a", "Eva Roth", WARN))
    place.hall.propose(Proposal(0, 12, "b", "Eva Roth", WARN))
    place.hall.propose(Proposal(0, 13, "a", "Eva Roth", WARN))
    last = place.hall.propose(Proposal(0, 12, "a", "Rui", told))
    found = table.proposals("a", 0)
    assert [(one.id, one.table, one.game, one.by, one.decision) for one in found] == [
        (first, 12, "a", "Eva Roth", WARN), (last, 12, "a", "Rui", told),
    ]  # fmt: skip
    assert table.proposals("a", first) == found[1:]


def test_no_proposal_has_the_number_of_one_in_a_hall_that_was_there_before(place):
    before_ms = place.hall.now_ms()
    first, second = (place.hall.propose(Proposal(0, 12, "a", "Eva", WARN)) for _ in range(2))
    assert before_ms <= first < second <= place.hall.now_ms() + 1


def test_the_same_proposal_again_is_kept_once_and_a_new_one_beside_it(place, table):
    first = place.hall.propose(Proposal(0, 12, "a", "Eva", WARN), key="one")
    second = place.hall.propose(Proposal(0, 12, "a", "Eva", WARN), key="two")
    assert place.hall.propose(Proposal(0, 12, "a", "Eva", WARN), key="one") == first
    assert [one.id for one in table.proposals("a", 0)] == [first, second]


def test_a_table_is_told_how_old_a_proposal_is(place, table):
    place.hall.propose(Proposal(0, 12, "a", "Eva", WARN, ago_ms=60_000))
    place.hall.propose(Proposal(0, 12, "a", "Eva", WARN))
    old, new = (one.ago_ms for one in table.proposals("a", 0))
    assert 60_000 <= old < 120_000
    assert 0 <= new < 60_000


def test_what_the_store_does_not_take_is_not_lost(in_postgres):
    with pytest.raises(NotKeptError):
        in_postgres.hall.propose(Proposal(0, 12, "\0", "Eva", WARN))


def test_a_table_that_is_there_is_seen_and_one_that_leaves_has_left(place, table):
    assert place.hall.seen() == {}
    table.alive()
    assert not place.hall.seen()[12].left
    assert abs(place.hall.now_ms() - place.hall.seen()[12].at_ms) < 60_000
    table.alive(leaves=True)
    assert place.hall.seen()[12].left


def test_what_one_arbiter_has_taken_no_other_takes(place):
    other = place.another_desk()
    assert place.hall.take("12/a/claim", "Eva").by == "Eva"
    assert other.take("12/a/claim", "Rui").by == "Eva"
    other.release("12/a/claim", "Rui")
    assert [one.by for one in other.taken()] == ["Eva"]
    place.hall.release("12/a/claim", "Eva")
    assert place.hall.taken() == ()
    assert other.take("12/a/claim", "Rui").by == "Rui"
    if other is not place.hall:
        other.close()


def test_what_is_given_back_while_another_takes_it_is_his(in_postgres, monkeypatch):
    hall, ask = in_postgres.hall, in_postgres.hall._connection.ask
    hall.take("12/a/claim", "Rui")

    def given_back(query, *values):
        answer = ask(query, *values)
        if query.startswith("INSERT"):
            hall.release("12/a/claim", "Rui")
        return answer

    monkeypatch.setattr(hall._connection, "ask", given_back)
    assert hall.take("12/a/claim", "Eva").by == "Eva"


def test_arbiters_see_who_is_there(place):
    place.hall.present("Eva")
    assert set(place.hall.present("Rui")) == {"Eva", "Rui"}


def test_a_wrong_key_is_refused(place):
    place.hall.make_key(12)
    with pytest.raises(KeyRefusedError):
        place.table(12, "wrong").alive()
    with pytest.raises(KeyRefusedError):
        place.table(13, place.hall.make_key(12)).alive()
    assert list(place.hall.keys()) == [12]


def test_a_revoked_key_ends_what_is_connected_with_it(place, table):
    table.append("a", pushed(WHITE))
    place.hall.revoke_key(12)
    with pytest.raises((KeyRefusedError, HallLostError)):
        table.append("a", pushed(WHITE, BLACK))
    with pytest.raises(KeyRefusedError):
        table.append("a", pushed(WHITE, BLACK))
    assert len(place.hall.since({})) == 1
    assert list(place.hall.keys()) == []


def test_a_new_key_ends_the_old_one(place, table):
    table.alive()
    key = place.hall.make_key(12)
    with pytest.raises((KeyRefusedError, HallLostError)):
        table.alive()
    with pytest.raises(KeyRefusedError):
        table.alive()
    place.table(12, key).alive()


@pytest.mark.parametrize("ending", ["revoke_key", "make_key"])
def test_a_key_that_ends_ends_also_what_came_at_the_last_moment(in_postgres, monkeypatch, ending):
    dsn, reconnecting = in_postgres.dsn(12, in_postgres.hall.make_key(12)), in_postgres.hall._connection
    ask, late = reconnecting.ask, []

    def slowly(query, *values):
        if f"hall.{ending}" not in query:
            return ask(query, *values)
        with reconnecting.transaction() as connection:
            connection.execute(query, values)
            late.append(psycopg.connect(dsn, autocommit=True))
        return []

    monkeypatch.setattr(reconnecting, "ask", slowly)
    getattr(in_postgres.hall, ending)(12)
    with pytest.raises(psycopg.OperationalError):
        late[0].execute("SELECT 1")


def test_a_table_sees_nothing_of_another(place, table):
    other = place.table(13, place.hall.make_key(13))
    other.append("a", pushed(WHITE))
    place.hall.propose(Proposal(0, 13, "a", "Eva", WARN))
    assert table.proposals("a", 0) == ()
    table.append("a", pushed(BLACK))
    assert told_of(place.hall) == [(12, "a", 0, BLACK), (13, "a", 0, WHITE)]


def test_an_entry_that_nobody_knows_is_kept_and_read_as_none(place, table):
    table.append("a", [PushedEntry(0, '{"kind":"FromTheFuture"}'), *pushed(WHITE, first=1)])
    assert [one.entry for one in place.hall.since({})] == [None, WHITE]
    assert Hall().with_records(place.hall.since({})).games[12, "a"].draw == "white"


# SQLite alone


def test_a_file_of_another_program_is_left_alone(tmp_path):
    with sqlite3.connect(tmp_path / "hall.sqlite3") as db:
        db.execute("PRAGMA application_id = 7")
    with pytest.raises(HallLostError):
        SqliteHall(tmp_path)


def test_the_hall_s_clock_does_not_jump_with_that_of_the_computer(in_sqlite, monkeypatch):
    before_ms = in_sqlite.hall.now_ms()
    for seconds in (-86_400, 86_400):
        with monkeypatch.context() as patch:
            patch.setattr("time.time", lambda seconds=seconds: before_ms / 1000 + seconds)
            assert before_ms <= in_sqlite.hall.now_ms() < before_ms + 60_000


def test_the_hall_s_clock_goes_on_while_the_computer_sleeps_and_no_table_is_lost_by_that(
    tmp_path, monkeypatch
):
    hall, asleep = SqliteHall(tmp_path), computer_sleep.asleep_s()
    hall.table(12, hall.make_key(12)).alive()
    hall.propose(Proposal(0, 12, "a", "Eva", ArbiterDecision("warn", (1,))))
    before_ms = hall.now_ms()
    monkeypatch.setattr(computer_sleep, "asleep_s", lambda: asleep + 3600)
    assert 3_600_000 <= hall.now_ms() - before_ms < 3_660_000
    assert not is_lost(hall.seen()[12], hall.now_ms())
    (proposal,) = hall.proposals(12, "a", 0)
    assert proposal.ago_ms >= 3_600_000  # an order from before the sleep is no new one
    monkeypatch.setattr(computer_sleep, "asleep_s", lambda: asleep + 3601)  # only the clock was set
    assert hall.now_ms() - before_ms < 3_660_000
    monkeypatch.setattr(computer_sleep, "asleep_s", lambda: asleep - 86_400)
    assert 3_600_000 <= hall.now_ms() - before_ms < 3_660_000
    monkeypatch.setattr(computer_sleep, "asleep_s", lambda: asleep - 86_400 + 3600)
    assert 7_200_000 <= hall.now_ms() - before_ms < 7_260_000
    hall.close()


def test_the_file_outlives_the_program(tmp_path):
    hall = SqliteHall(tmp_path)
    key = hall.make_key(12)
    hall.table(12, key).append("a", pushed(WHITE))
    hall.close()
    again = SqliteHall(tmp_path)
    assert len(again.since({})) == 1
    again.table(12, key).alive()
    again.close()


def test_a_game_that_is_begun_is_the_newest_although_the_computer_s_clock_was_set_back(tmp_path):
    opened = GameOpened("Ana", "Rui", "90", "fide-2018", "en")
    now = 1_000_000.0
    hall = SqliteHall(tmp_path, lambda: now)
    key = hall.make_key(12)
    hall.table(12, key).append("b", pushed(opened))
    hall.close()
    now -= 86_400
    again = SqliteHall(tmp_path, lambda: now)
    now += 60
    again.table(12, key).append("a", pushed(opened))
    assert Hall().with_records(again.since({})).tables[12].game == "a"
    again.close()


def test_while_the_file_was_closed_no_table_was_lost(tmp_path):
    now = 1000.0
    hall = SqliteHall(tmp_path, lambda: now)
    hall.table(12, hall.make_key(12)).alive()
    hall.table(13, hall.make_key(13)).alive(leaves=True)
    hall.close()
    now += 3600
    again = SqliteHall(tmp_path, lambda: now)
    assert [is_lost(again.seen()[table], again.now_ms()) for table in (12, 13)] == [False, True]
    now += 20
    assert is_lost(again.seen()[12], again.now_ms())
    again.close()


@pytest.mark.parametrize(
    "statement", ["UPDATE entries SET entry = ''", "DELETE FROM entries", "DELETE FROM proposals"]
)
def test_what_was_told_cannot_be_changed_in_the_file(in_sqlite, statement):
    in_sqlite.table(12, in_sqlite.hall.make_key(12)).append("a", pushed(WHITE))
    in_sqlite.hall.propose(Proposal(0, 12, "a", "Eva", WARN))
    with pytest.raises(HallLostError, match="append only"):
        in_sqlite.hall._all(statement)


# HTTPS alone


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "postgresql://x", "127.0.0.1", ""])
def test_a_hall_of_one_computer_is_reached_over_https_alone(address):
    with pytest.raises(ValueError):  # noqa: PT011  # it is the address
        HttpTable(address, TableKey(1, "x"))


def test_a_table_whose_clock_is_years_wrong_knows_its_hall(tmp_path):
    key = TableKey(12, "k", own_certificate(tmp_path)[0].read_text())
    (made,) = key_file.context(key).get_ca_certs()
    assert (made["notBefore"], made["notAfter"]) == ("Jan  1 00:00:00 2000 GMT", "Jan  1 00:00:00 2100 GMT")


def test_another_hall_s_certificate_is_not_trusted(over_https, tmp_path):
    key = TableKey(12, over_https.hall.make_key(12), own_certificate(tmp_path)[0].read_text())
    table = HttpTable(over_https.service.addresses[0], key)
    with pytest.raises(HallLostError):
        table.alive()
    table.close()


def test_one_request_waits_for_news_until_there_are_some(over_https):
    table = over_https.table(12, over_https.hall.make_key(12))
    table.append("a", pushed(WHITE))
    table.wait("a", 0, 0.2)  # what TLS itself sends after the first request is no news
    waits = table._waiting
    assert waits is not None
    table.wait("a", 0, 0.2)
    assert table._waiting is waits
    over_https.hall.propose(Proposal(0, 12, "a", "Eva", WARN))
    for _ in range(5):
        table.wait("a", 0, 10)
        if table._waiting is None:
            break
    assert [one.by for one in table.proposals("a", 0)] == ["Eva"]
    assert table._waiting is None


def test_a_service_that_ends_is_lost_and_another_on_its_port_is_found(over_https):
    table = over_https.table(12, over_https.hall.make_key(12))
    table.append("a", pushed(WHITE))
    port = over_https.service.port
    over_https.service.close()
    with pytest.raises(HallLostError):
        table.append("a", pushed(WHITE, BLACK))
    over_https.service = HallService(over_https.hall, Path(over_https._folder.name), port=port, lan=False)
    assert table.append("a", pushed(WHITE, BLACK)) == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400), (b"[]", 400), (b"{}", 400), (b"[" * 9999, 400), (b'{"game": 5, "entries": []}', 400),
        (b'{"game": "a/b", "entries": []}', 400), (b'{"game": "a", "entries": [[0]]}', 400),
        (b'{"game": "a", "entries": [[0, "%s", 0]]}' % (b"x" * 9000), 400), (b" " * (2 << 20), 400),
        (b'{"game": "a", "entries": [[0, "{}", 1e999]]}', 400), (b'{"game": "a", "entries": []}', 200),
    ],
)  # fmt: skip
def test_what_no_table_of_ours_asks_is_refused(over_https, body, status):
    key = TableKey(12, over_https.hall.make_key(12), over_https.service.certificate)
    connection = HTTPSConnection("127.0.0.1", over_https.service.port, context=key_file.context(key))
    with contextlib.suppress(BrokenPipeError):
        connection.request("POST", "/hall/append", body, {"Authorization": f"Bearer 12.{key.key}"})
    assert connection.getresponse().status == status
    connection.close()


@pytest.mark.parametrize(
    "given",
    ["", "Bearer", "Bearer 12", "Bearer 12.", "Bearer 12.x", "Basic 12.{}", "Bearer x.{}", "Bearer 13.{}"],
)
def test_nobody_is_served_without_a_key(over_https, given):
    secret = over_https.hall.make_key(12)
    key = TableKey(12, secret, over_https.service.certificate)
    connection = HTTPSConnection("127.0.0.1", over_https.service.port, context=key_file.context(key))
    connection.request(
        "POST", "/hall/proposals", b'{"game": "a", "after": 0}', {"Authorization": given.format(secret)}
    )
    assert connection.getresponse().status == 403
    connection.close()


def test_a_key_is_a_file_of_its_owner_alone(tmp_path):
    key = TableKey(12, 'a"b\\c', own_certificate(tmp_path)[0].read_text())
    key_file.write(tmp_path / "table.key", key)
    assert key_file.read(tmp_path / "table.key") == key
    assert (tmp_path / "table.key").stat().st_mode & 0o077 == 0
    assert (tmp_path / "hall.pem").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ["table = 1", "table = 'x'\nkey = 'y'", "nonsense", "table = 1\nkey = 5"])
def test_a_file_without_a_key_is_none(tmp_path, text):
    (tmp_path / "key").write_text(text)
    with pytest.raises(ValueError):  # noqa: PT011  # whatever is wrong with it
        key_file.read(tmp_path / "key")


# PostgreSQL alone: what a key is not for

OTHERS = "INSERT INTO hall.entries (table_no, game, number, entry) VALUES ({}, 'a', 0, '{{}}')"


@pytest.fixture(scope="module")
def two_tables(server):
    made = postgres.PostgresOfTests(server)
    made.table(13, made.hall.make_key(13)).append("a", pushed(WHITE))
    made.table(12, made.hall.make_key(12)).append("a", pushed(WHITE))
    yield made
    made.close()


@pytest.fixture(scope="module")
def as_table(two_tables):
    with psycopg.connect(two_tables.dsn(12, two_tables.hall.make_key(12)), autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize(
    "statement",
    [
        OTHERS.format(13),
        OTHERS.format(14),
        "INSERT INTO hall.entries (table_no, game, number, entry, at) VALUES (12, 'b', 0, '{}', now())",
        "UPDATE hall.entries SET entry = '{}'",
        "DELETE FROM hall.entries",
        "TRUNCATE hall.entries",
        OTHERS.format(12) + " ON CONFLICT (table_no, game, number) DO UPDATE SET entry = '{}'",
        "INSERT INTO hall.games VALUES (12, 'z', 5)",
        "INSERT INTO hall.proposals (table_no, game, proposal) VALUES (12, 'a', '{}')",
        "SELECT * FROM hall.seen",
        "SELECT * FROM hall.taken",
        "SELECT * FROM hall.board",
        "SELECT hall.make_key(12, 'SCRAM-SHA-256$x')",
        "SELECT hall.revoke_key(13)",
        "CREATE TABLE hall.mine (a int)",
        "CREATE TEMP TABLE mine (a int)",
        "CREATE SCHEMA mine",
        "SET ROLE {hall}_owner",
        "SET ROLE {hall}_table_13",
        "SET SESSION AUTHORIZATION {hall}_table_13",
        "ALTER ROLE {hall}_table_12 CREATEROLE",
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL",
    ],
)  # fmt: skip
def test_a_table_may_do_nothing_but_what_its_key_is_for(as_table, two_tables, statement):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_table.execute(statement.replace("{hall}", two_tables.name).encode())
    assert [(one.table, one.entry) for one in two_tables.hall.since({})] == [(12, WHITE), (13, WHITE)]


def test_a_table_reads_only_its_own_rows(as_table):
    assert as_table.execute("SELECT DISTINCT table_no FROM hall.entries").fetchall() == [(12,)]
    assert as_table.execute("SELECT DISTINCT table_no FROM hall.games").fetchall() == [(12,)]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_table.execute("SET row_security = off").execute("SELECT * FROM hall.entries")


def test_a_table_of_one_hall_does_not_reach_another(server, in_postgres):
    other = postgres.PostgresOfTests(server)
    other.close()
    dsn = in_postgres.dsn(12, in_postgres.hall.make_key(12)).replace(
        f"dbname={in_postgres.name}", f"dbname={other.name}"
    )
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(dsn)


def test_a_password_in_clear_or_another_server_is_refused(in_postgres):
    dsn = in_postgres.dsn(12, in_postgres.hall.make_key(12))
    with pytest.raises(psycopg.OperationalError, match="no encryption"):
        psycopg.connect(dsn.replace("verify-full", "disable").replace("channel_binding=require", ""))
    with pytest.raises(psycopg.OperationalError, match="does not match host"):
        psycopg.connect(dsn.replace("host=127.0.0.1", "host=localhost"))


@pytest.mark.parametrize(
    ("address", "proves"),
    [
        ("postgresql://eva:p@server/hall", True),
        ("postgresql://eva:p@server/hall?application_name=x", True),
        ("postgresql://eva:p@server/hall?sslmode=verify-full", False),
        ("postgresql://eva:p@server/hall?channel_binding=prefer", False),
        ("postgresql:///hall", False),
        ("postgresql:///hall?host=/run/postgresql", False),
    ],
)
def test_a_server_elsewhere_proves_that_it_knows_the_password_if_the_address_says_nothing(address, proves):
    found = psycopg.conninfo.conninfo_to_dict(desk_dsn(address))
    assert (found.get("channel_binding") == "require") == proves


def test_a_desk_whose_address_says_nothing_of_tls_reaches_its_hall(server, in_postgres):
    login = f"{in_postgres.name}_eva"
    password = postgres.make_login(server.admin, in_postgres.name, "arbiter", login)
    address = f"postgresql://{login}:{password}@127.0.0.1:{server.port}/{in_postgres.name}"
    with contextlib.closing(PostgresHall(desk_dsn(address))) as desk:
        assert desk.now_ms()


def test_an_arbiter_writes_no_entry_and_changes_none(in_postgres):
    in_postgres.table(12, in_postgres.hall.make_key(12)).append("a", pushed(WHITE))
    for statement in (
        OTHERS.format(14),
        "UPDATE hall.entries SET entry = '{}'",
        "DELETE FROM hall.proposals",
    ):
        with pytest.raises(KeyRefusedError):
            in_postgres.hall._connection.ask(statement)


def test_not_even_the_owner_changes_what_was_told(in_postgres):
    in_postgres.table(12, in_postgres.hall.make_key(12)).append("a", pushed(WHITE))
    with in_postgres.admin() as admin:
        for statement in (
            "UPDATE hall.entries SET number = 5",
            "DELETE FROM hall.entries",
            "TRUNCATE hall.entries",
        ):
            with pytest.raises(psycopg.errors.RestrictViolation):
                admin.execute(statement)


def test_who_only_watches_sees_the_public_board_alone(server, in_postgres):
    game = ToldGame(clock="90+30").say("e4", "sim", "empate", "sim")
    in_postgres.table(12, in_postgres.hall.make_key(12)).append("a", pushed(*(r.entry for r in game.records)))
    login = f"{in_postgres.name}_public"
    password = postgres.make_login(server.admin, in_postgres.name, "viewer", login)
    with psycopg.connect(server.dsn(in_postgres.name, login, password), autocommit=True) as public:
        kinds = {kind for (kind,) in public.execute("SELECT entry->>'kind' FROM hall.board")}
        assert kinds == {"GameOpened", "MoveMade", "ClocksShown"}
        for table in ("entries", "games", "proposals", "seen"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                public.execute(sql.SQL("SELECT * FROM hall.{}").format(sql.Identifier(table)))


def test_a_hall_that_is_made_again_is_as_it_was(server, in_postgres):
    in_postgres.table(12, in_postgres.hall.make_key(12)).append("a", pushed(WHITE))
    postgres.make_hall(server.admin, in_postgres.name)
    assert len(in_postgres.hall.since({})) == 1


@pytest.mark.parametrize("name", ["", "Hall", "hall; drop", "1hall", "h" * 40, "postgres"])
def test_a_hall_has_a_name_of_small_letters_that_no_other_database_has(server, name):
    with pytest.raises(ValueError):  # noqa: PT011  # it is the name
        postgres.make_hall(server.admin, name)


def test_no_login_is_taken_from_somebody_else(server, in_postgres):
    in_postgres.hall.make_key(12)
    viewer = f"{in_postgres.name}_viewer_1"
    postgres.make_login(server.admin, in_postgres.name, "viewer", viewer)
    for login in ("postgres", f"{in_postgres.name}_table_12", f"{in_postgres.name}_owner", viewer, "Eva"):
        with pytest.raises(ValueError):  # noqa: PT011  # it is the login
            postgres.make_login(server.admin, in_postgres.name, "arbiter", login)


def test_a_new_password_of_an_arbiter_ends_the_old_one(server, in_postgres):
    login = f"{in_postgres.name}_eva"
    old, new = (postgres.make_login(server.admin, in_postgres.name, "arbiter", login) for _ in range(2))
    with contextlib.closing(PostgresHall(server.dsn(in_postgres.name, login, new))) as desk:
        assert desk.now_ms()
    old_one = PostgresHall(server.dsn(in_postgres.name, login, old))
    with contextlib.closing(old_one) as desk, pytest.raises(KeyRefusedError):
        desk.now_ms()


def test_after_the_server_was_killed_everything_that_was_told_is_there(server, in_postgres):
    table = in_postgres.table(12, in_postgres.hall.make_key(12))
    for number in range(50):
        table.append("a", pushed(WHITE, first=number))
    server.kill()
    with pytest.raises(HallLostError):
        table.append("a", pushed(WHITE, first=50))
    with pytest.raises(HallLostError):
        in_postgres.hall.since({})
    server.start()
    assert len(in_postgres.hall.since({})) == 50
    assert table.append("a", pushed(WHITE, first=50)) == 51


def test_a_server_that_hangs_is_lost_and_comes_back(server, in_postgres, monkeypatch):
    monkeypatch.setattr("acessivel.hall.postgres._ANSWER_S", 0.2)
    table = in_postgres.table(12, in_postgres.hall.make_key(12))
    table.append("a", pushed(WHITE))
    server.hang(hangs=True)
    try:
        with pytest.raises(HallLostError):
            table.append("a", pushed(WHITE, BLACK))
    finally:
        server.hang(hangs=False)
    monkeypatch.setattr("acessivel.hall.postgres._ANSWER_S", 30)
    assert table.append("a", pushed(WHITE, BLACK)) == 2
