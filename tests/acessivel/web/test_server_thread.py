# SPDX-License-Identifier: GPL-3.0-or-later
"""A server in a thread: where it listens, what is done in it, and that it ends whoever is still there."""

import contextlib
import http.client
import queue
import socket
import threading

import pytest
from starlette.responses import PlainTextResponse
from support.browser import SECONDS

from acessivel.web.server_thread import ServerThread, _lan_addresses, _of_interfaces

HERE = PlainTextResponse("here")


@contextlib.contextmanager
def serving(application=HERE, server=ServerThread, *, port=0):
    made = server("tried", port=port, lan=False)
    made.start(application, connections=10)
    try:
        yield made
    finally:
        made.close()


@contextlib.contextmanager
def connected(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) as client:
        yield client


def asked(server):
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
    with contextlib.closing(client):
        client.request("GET", "/")
        return client.getresponse().read()


def test_it_serves_at_the_port_that_was_asked_for_or_at_the_next_free_one():
    with serving() as first, serving(port=first.port) as second:
        assert second.port > first.port
        assert asked(first) == asked(second) == b"here"


def test_without_a_free_port_there_is_none(monkeypatch):
    monkeypatch.setattr("acessivel.web.server_thread._PORTS", 1)
    with serving() as first, pytest.raises(OSError):  # noqa: PT011  # whichever the system gives
        ServerThread("tried", port=first.port, lan=False)


def test_each_network_of_this_machine_has_an_address():
    assert "127.0.0.1" in _of_interfaces()


def test_a_network_without_a_way_out_is_one_too(monkeypatch):
    monkeypatch.setattr("acessivel.web.server_thread._of_interfaces", lambda: ["127.0.0.1", "10.42.0.1"])
    assert _lan_addresses()[-1] == "10.42.0.1"


def test_what_is_to_be_done_soon_or_later_is_done_in_its_thread():
    done = queue.SimpleQueue()
    with serving() as server:
        server.soon(server.later, 0.001, lambda what: done.put((what, threading.current_thread().name)), 5)
        assert done.get(timeout=SECONDS) == (5, "tried")


def test_the_last_thing_is_done_in_its_thread_while_it_ends_and_nothing_after_it():
    done = []

    class LeavesWord(ServerThread):
        def at_end(self):
            done.append((threading.current_thread().name, self.ends))

    with serving(server=LeavesWord) as server:
        assert not server.ends
    assert done == [("tried", True)]
    server.soon(done.clear)
    server.close()  # nor does a second end do anything
    assert done
    with pytest.raises(OSError):  # noqa: PT011  # whichever the system gives
        asked(server)


def test_who_does_not_go_is_cut_off_where_that_is_wanted():
    seen = queue.SimpleQueue()

    class CutsOff(ServerThread):
        def at_end(self):
            self.cut_off()

    async def waits(scope, receive, send):  # noqa: ARG001
        seen.put("asked")
        while (await receive())["type"] != "http.disconnect":
            pass
        seen.put("gone")

    with serving(waits, CutsOff) as server, connected(server) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert seen.get(timeout=SECONDS) == "asked"
        server.close()
        assert seen.get_nowait() == "gone"
