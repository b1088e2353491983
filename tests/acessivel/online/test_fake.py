# SPDX-License-Identifier: GPL-3.0-or-later
"""The fake of Lichess has the habits of the real one, as far as they are described."""

import json
import queue
import threading

import httpx
import pytest
from support.lichess import FakeLichess


class Reader:
    """Reads a stream in a thread of its own: its lines of JSON, then None."""

    def __init__(self, client, method, path, **more):
        self._news, self._open = queue.Queue(), threading.Event()
        self._thread = threading.Thread(target=self._read, args=(client, method, path), kwargs=more)
        self._thread.start()
        assert self._open.wait(10)

    def _read(self, client, method, path, **more):
        try:
            with client.stream(method, path, **more) as self.response:
                self._open.set()
                for line in self.response.iter_lines():
                    self._news.put(json.loads(line) if line else "")
        except httpx.HTTPError:
            self._news.put("broken")
        self._open.set()
        self._news.put(None)

    def next(self, kind=None):
        while (told := self._news.get(timeout=10)) == "" and kind != "":
            pass
        if kind and told:
            assert told["type"] == kind, told
        return told

    def rest(self):
        found = []
        while (told := self._news.get(timeout=10)) is not None:
            found.append(told)
        return found


@pytest.fixture
def lichess():
    with FakeLichess(heartbeat_s=0.2) as fake:
        yield fake


@pytest.fixture
def people(lichess):
    opened = []

    def person(name, **more):
        headers = {"authorization": f"Bearer {lichess.token(name, **more)}"}
        opened.append(httpx.Client(base_url=lichess.url, headers=headers, timeout=10, trust_env=False))
        return opened[-1]

    yield person
    for one in opened:
        one.close()


def test_two_seeks_are_paired_and_a_game_is_played_to_mate(people):
    ana, bob = people("Ana"), people("Bob")
    assert ana.get("/api/account").json()["username"] == "Ana"
    events = Reader(ana, "GET", "/api/stream/event")
    seeks = [Reader(one, "POST", "/api/board/seek", data={"time": 15, "increment": 10}) for one in (ana, bob)]
    started = events.next("gameStart")["game"]
    assert [set(seek.rest()) - {""} for seek in seeks] == [set(), set()]
    game = started["gameId"]
    sides = {"white": ana, "black": bob} if started["color"] == "white" else {"white": bob, "black": ana}
    stream = Reader(sides["black"], "GET", f"/api/board/game/stream/{game}")
    full = stream.next("gameFull")
    assert full["state"]["wtime"] == 900_000
    assert full["state"]["expiration"]["millisToMove"] == 30_000
    for colour, uci in zip(("white", "black") * 2, "f2f3 e7e5 g2g4 d8h4".split(), strict=True):
        assert sides[colour].post(f"/api/board/game/{game}/move/{uci}").json() == {"ok": True}
        state = stream.next("gameState")
    assert (state["status"], state["winner"], state["moves"]) == ("mate", "black", "f2f3 e7e5 g2g4 d8h4")
    assert stream.next() is None
    assert events.next("gameFinish")["game"]["status"] == {"id": 30, "name": "mate"}
    late = sides["white"].post(f"/api/board/game/{game}/move/a2a3")
    assert (late.status_code, late.json()) == (400, {"error": "Not your turn, or game already over"})


def test_a_draw_is_offered_and_taken_and_a_game_resigned(lichess, people):
    ana = people("Ana")
    game = lichess.start("Ana", "Bob")
    stream = Reader(ana, "GET", f"/api/board/game/stream/{game}")
    stream.next("gameFull")
    for name, uci in (("Ana", "e2e4"), ("Bob", "e7e5")):
        lichess.act(name, "move", game, uci)
        stream.next("gameState")
    lichess.act("Bob", "offer_draw", game, yes=True)
    assert stream.next("chatLine")["username"] == "lichess"
    assert stream.next("gameState")["bdraw"] is True
    ana.post(f"/api/board/game/{game}/draw/yes")
    assert stream.next("gameState")["status"] == "draw"
    second = lichess.start("Bob", "Ana")
    assert ana.post(f"/api/board/game/{second}/resign").json() == {"ok": True}
    assert lichess.games[second].winner == "white"


def test_a_second_stream_of_events_closes_the_first_and_tells_all_that_is_open(lichess, people):
    ana = people("Ana")
    game = lichess.start("Ana", "Bob")
    first = Reader(ana, "GET", "/api/stream/event")
    second = Reader(ana, "GET", "/api/stream/event")
    for stream in (first, second):
        assert stream.next("gameStart")["game"]["gameId"] == game
    assert "broken" not in first.rest()


def test_a_seek_lasts_as_long_as_it_is_read(lichess, people):
    ana = people("Ana")
    with ana.stream("POST", "/api/board/seek", data={"time": 10, "increment": 0}) as seek:
        lines = seek.iter_lines()
        assert next(lines) == ""
        assert len(lichess.seeks) == 1
    lichess.until(lambda: not lichess.seeks)


def test_streams_of_events_may_be_opened_so_often_and_one_seek_may_stand(lichess, people):
    ana = people("Ana")
    for _ in range(30):
        with ana.stream("GET", "/api/stream/event") as stream:
            assert stream.status_code == 200
    assert ana.get("/api/stream/event").status_code == 429
    lichess.advance(601)
    with ana.stream("GET", "/api/stream/event") as stream:
        assert stream.status_code == 200
    with ana.stream("POST", "/api/board/seek", data={"time": 10, "increment": 0}):
        assert ana.post("/api/board/seek", data={"time": 10, "increment": 0}).status_code == 429


def test_a_game_without_a_first_move_is_aborted_and_one_without_time_lost(lichess):
    lichess.token("Ana"), lichess.token("Bob")
    never, flag, slow = (
        lichess.start("Ana", "Bob"),
        lichess.start("Ana", "Bob"),
        lichess.start("Ana", "Bob", days=1),
    )
    for name, uci in (("Ana", "e2e4"), ("Bob", "e7e5")):
        lichess.act(name, "move", flag, uci)
    lichess.advance(31)
    assert lichess.games[never].status == "aborted"
    lichess.advance(900)
    assert (lichess.games[flag].status, lichess.games[flag].winner) == ("outoftime", "black")
    assert lichess.games[slow].status == "started"
    lichess.advance(86_400)
    assert lichess.games[slow].winner == "black"


def test_a_week_of_a_correspondence_game_passes_as_it_is_put_forward(lichess):
    lichess.token("Ana"), lichess.token("Bob")
    game = lichess.start("Ana", "Bob", days=2)
    for day, uci in enumerate("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4".split()):
        lichess.advance(86_400)
        lichess.act("Ana" if day % 2 == 0 else "Bob", "move", game, uci)
    assert lichess.games[game].status == "started"
    assert 172_700_000 < lichess.games[game].state()["btime"] <= 172_800_000
