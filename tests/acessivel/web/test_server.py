# SPDX-License-Identifier: GPL-3.0-or-later
"""Who has no link sees nothing, and nobody can make the program do what he may not, or twice, or for ever."""

import asyncio
import itertools
import json
import queue
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.browser import SECONDS, Browser
from support.languages import LANGUAGES

from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session.effects import OrderPages
from acessivel.session.state import State
from acessivel.settings.settings import Settings
from acessivel.storage.stored_game import Stored
from acessivel.web import connection
from acessivel.web.access import Access, RefusedError
from acessivel.web.driver import PageNews, PageTyped, open_pages
from acessivel.web.hall_view import HallShown, TableShown
from acessivel.web.hub import UNKNOWN
from acessivel.web.present import Present
from voices.meaning import CommandName

PATHS = ("/events", "/nothing", "/type", "/enter", "/page/index.html", "/..%2fserver.py")


def error(answer):
    return json.loads(answer[2])["error"]


def test_the_page_is_there_for_everybody_and_holds_nothing_of_a_game(served):
    stranger = served.browser("white", enters=False)
    status, headers, body = stranger.ask("GET", "/", cookie=None, origin=None, sec_fetch_site="cross-site")
    assert status == 200
    assert headers["content-type"].startswith("text/html")
    assert stranger.key.encode() not in body


@pytest.mark.parametrize("path", PATHS)
def test_without_a_cookie_every_other_url_is_closed(shared, path):
    stranger = shared.browser("white", enters=False)
    assert stranger.ask("GET", path, origin=None)[0] == 403
    assert stranger.ask("GET", path, origin=None, cookie=f"acessivel_{stranger.address[1]}=AAAA")[0] == 403


def test_every_answer_forbids_what_a_page_of_ours_does_not_need(served):
    one = served.browser("white")
    for answer in (one.ask("GET", "/"), one.ask("GET", "/nothing"), one.ask("GET", "/", host="evil.example")):
        headers = answer[1]
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "[::1]:{port}"]
)
@pytest.mark.parametrize("path", ["/", "/events", "/type"])
def test_only_the_names_of_this_machine_are_answered(shared, host, path):
    one = shared.browser("white")
    host = host.format(port=one.address[1])
    method = "POST" if path == "/type" else "GET"
    body = {"id": "12345678", "text": "e4"} if path == "/type" else None
    # An origin of the same wrong name, as a page has whose name was made to lead here.
    status = one.ask(method, path, body, host=host or None, origin=f"http://{host}")[0]
    assert status in (400, 403)
    assert shared.reports.empty()


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1"]
)
@pytest.mark.parametrize("path", ["/type", "/enter"])
def test_what_is_sent_comes_from_a_page_of_ours(shared, origin, path):
    one = shared.browser("white")
    origin = origin and origin.format(port=one.address[1])
    body = {"key": one.key, "id": "12345678", "text": "e4"}
    assert one.ask("POST", path, body, origin=origin)[0] == 403
    assert one.ask("POST", path, body, sec_fetch_site="cross-site")[0] == 403
    assert shared.reports.empty()


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None]
)
def test_only_json_is_taken(shared, kind):
    one = shared.browser("white")
    assert one.ask("POST", "/type", {"id": "12345678", "text": "e4"}, content_type=kind)[0] == 415


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"{", 400),
        (b"\xff", 400),
        (b"[" * 8000, 400),
        ({"id": "12345678"}, 400),
        ({"id": 12345678, "text": "e4"}, 400),
        ({"id": "1", "text": "e4"}, 400),
        ({"id": "12345678", "text": ["e4"]}, 400),
        ({"id": "12345678", "text": "e4 \ud800"}, 400),
        ({"id": "12345678", "text": "e" * 1001}, 413),
        (b" " * 10_000, 413),
    ],
)
def test_what_is_no_line_is_refused_with_a_sentence(shared, body, status):
    one = shared.browser("white")
    answer = one.ask("POST", "/type", body)
    assert answer[0] == status
    assert error(answer)
    assert shared.reports.empty()


def test_a_key_that_is_no_text_is_refused_with_a_sentence(served):
    one = served.browser("white", enters=False)
    answer = one.ask("POST", "/enter", {"key": "\ud800"})
    assert answer[0] == 400
    assert error(answer)


def test_a_body_that_is_announced_and_never_comes_is_not_awaited(served, monkeypatch):
    monkeypatch.setattr("acessivel.web.server._BODY_S", 0.05)
    one = served.browser("white")
    assert one.ask("POST", "/type", b"{", content_length="100")[0] == 408


def test_who_sends_no_request_is_cut_off(served, monkeypatch):
    monkeypatch.setattr(connection, "_PATIENCE_S", 0.05)
    one = served.browser("white", enters=False)
    for sent in (b"", b"GET / HT"):
        with socket.create_connection(one.address, timeout=SECONDS) as slow:
            slow.sendall(sent)
            assert slow.recv(1) == b""


def test_a_key_gives_its_role_and_another_none(served):
    one = served.browser("black")
    assert one.follow().state()["role"] == "black"
    one.key = one.key[:-1]
    assert one.enter() == 403


def test_keys_are_not_tried_faster_than_five_a_second(served, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(served.pages._server.access, "_now", lambda: now[0])
    one = served.browser("white", enters=False)
    one.key = "guessed"
    assert [one.enter() for _ in range(6)] == [403] * 5 + [429]
    now[0] += 1
    assert one.enter() == 403


def test_a_key_is_long_and_each_role_has_its_own(served):
    keys = {
        served.browser(role, enters=False).key
        for role in ("white", "black", "both", "assistant", "arbiter", "spectator")
    }
    assert len(keys) == 6
    assert all(len(key) >= 22 for key in keys)  # 128 bits in base64


def test_a_players_page_has_one_holder_and_another_browser_takes_it_with_a_yes(served):
    first = served.browser("white")
    stream = first.follow()
    stream.state()
    other = served.browser("white", enters=False)
    answer = other.ask("POST", "/enter", {"key": other.key})
    assert answer[0] == 409
    assert error(answer).endswith("?")
    assert json.loads(answer[2])["take"] == "Take it over"
    assert other.enter(take=True) == 204
    assert stream.event() is None  # the first is ended
    assert first.type("e4")[0] == 403
    assert other.type("e4")[0] == 200


def test_a_link_that_is_only_looked_at_as_for_a_preview_is_as_good_as_before(served):
    robot = served.browser("white", enters=False)
    assert [robot.ask(method, "/", origin=None)[0] for method in ("HEAD", "GET")] == [200, 200]
    assert not served.pages._server.access.sessions
    served.browser("white").follow().state()
    assert served.reported().message.key == "web_joined_white"


def test_a_players_page_that_is_gone_is_given_to_the_next_browser_at_once(served):
    first = served.browser("white")
    first.follow().state()
    first.close()
    served.reported()
    # It is gone when the server has seen it: until then it is held.
    other = served.browser("white", enters=False)
    while (status := other.enter()) in (409, 429):
        pass
    assert status == 204
    assert first.type("e4")[0] == 403


def test_a_spectator_types_nothing(served):
    assert served.browser("spectator").type("resign")[0] == 403
    assert served.reports.empty()


def test_a_line_is_reported_with_its_role_and_once_by_its_id(served):
    one = served.browser("white")
    assert one.type(" e2e4 ", "the-same-id") == (200, {"taken": True})
    assert one.type("e2e4", "the-same-id") == (200, {"taken": True, "again": True})
    assert one.type("yes")[0] == 200
    assert [served.reported() for _ in range(2)] == [PageTyped("white", "e2e4"), PageTyped("white", "yes")]
    assert served.reports.empty()


def test_a_line_is_reported_with_whether_it_was_to_be_seen(served):
    one = served.browser("white")
    line = {"text": "nine tall green lamps"}
    assert one.ask("POST", "/type", line | {"id": "as-a-passphrase", "hidden": True})[0] == 200
    assert served.reported() == PageTyped("white", line["text"], hidden=True)
    assert one.ask("POST", "/type", line | {"id": "as-no-truth", "hidden": 1})[0] == 400


def test_the_same_id_counts_once_though_it_comes_twice_at_a_time(served, monkeypatch):
    one = served.browser("white")
    looking, both = [], asyncio.Event()

    async def is_gone(request):
        looking.append(request)
        if len(looking) == 2:
            both.set()
        await both.wait()
        return False

    monkeypatch.setattr("acessivel.web.server._is_gone", is_gone)
    with ThreadPoolExecutor() as threads:
        answers = list(threads.map(lambda id_: one.type("resign", id_)[1], ["the-same-id"] * 2))
    assert sorted(answers, key=len) == [{"taken": True}, {"taken": True, "again": True}]
    assert served.reported() == PageTyped("white", "resign")
    assert served.reports.empty()


def test_the_same_id_counts_once_even_from_a_browser_that_has_entered_anew(served):
    one = served.browser("white")
    one.type("e2e4", "the-same-id")
    one.cookie = ""
    assert one.enter(take=True) == 204
    assert one.type("e2e4", "the-same-id") == (200, {"taken": True, "again": True})


def test_a_line_does_not_count_whose_page_was_gone_before_it_was_read(served):
    one = served.browser("white")
    body = json.dumps({"id": "before-it-froze", "text": "e4"})
    head = f"POST /type HTTP/1.1\r\nHost: {one.host}\r\nOrigin: http://{one.host}\r\nCookie: {one.cookie}\r\n"
    frozen = threading.Event()
    served.pages._server.soon(frozen.wait, SECONDS)
    with socket.create_connection(one.address, timeout=SECONDS) as gone:
        gone.sendall(
            f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )
    frozen.set()
    assert one.type("d4")[0] == 200
    assert served.reported() == PageTyped("white", "d4")
    assert one.type("e4", "before-it-froze") == (200, {"taken": True})  # it is sent again, and waits
    assert served.reported() == PageTyped("white", "e4")
    assert served.reports.empty()


@pytest.mark.parametrize("came", [True, False])
def test_a_line_that_nobody_answered_is_taken_before_it_is_dropped_or_never(served, came):
    one = served.browser("white")
    line = {"id": "was-it-taken", "text": "e4"}
    if came:
        assert one.ask("POST", "/type", line)[0] == 200
    dropped = one.ask("POST", "/type", {**line, "dropped": True})
    assert json.loads(dropped[2])["taken"] is came
    assert json.loads(one.ask("POST", "/type", line)[2]) == {"taken": came, "again": True}
    assert one.type("d4")[0] == 200
    lines = ("e4", "d4") if came else ("d4",)
    assert [served.reported() for _ in lines] == [PageTyped("white", text) for text in lines]
    assert served.reports.empty()


def test_a_line_of_a_page_whose_browser_has_opened_another_link_does_not_count(served):
    one = served.browser("white")
    black = served.browser("black")
    black.follow().state()
    served.reported()
    body = {"id": "test-of-page", "text": "resign", "page": one.follow().state()["page"]}
    served.reported()
    assert black.ask("POST", "/type", body)[0] == 403
    assert one.ask("POST", "/type", body)[0] == 200
    assert served.reported() == PageTyped("white", "resign", faced=True)
    assert served.reports.empty()


def test_players_who_change_colours_keep_their_pages_and_what_they_were_told(served):
    ana, bo, watcher = (served.browser(role) for role in ("white", "black", "spectator"))
    streams = [one.follow() for one in (ana, bo, watcher)]
    before = [stream.state() for stream in streams]
    for _ in streams:
        served.reported()
    served.pages.tell([Message.of("web_move", move="to Ana")], Present("drill", Renderer("en")), ["white"])
    assert streams[0].said("To Ana")
    seen = streams[0].id
    assert ana.type("typed before")[0] == 200
    early = served.reported()
    assert served.pages.exchange()
    after = [stream.state() for stream in streams[:2]]
    assert [state["role"] for state in after] == ["black", "white"]
    assert [state["page"] for state in after] == [state["page"] for state in before[:2]]
    line = {"id": "after-exchange", "text": "e5", "page": before[0]["page"], "seen": seen}
    assert ana.ask("POST", "/type", line)[0] == 200
    later = served.reported()
    assert served.pages.as_now(early).role == served.pages.as_now(later).role == "black"
    assert served.pages.links(["black"])["black"][0].endswith(ana.key)
    assert ana.follow().event()[1]["kept"][0]["text"] == "To Ana"
    assert bo.follow().event()[0] == "state"
    assert served.pages.exchange()
    assert served.pages.as_now(early).role == "white"


def test_more_lines_than_can_wait_are_refused_until_some_are_dealt_with(served):
    one = served.browser("white")
    while (answer := one.type("e4"))[0] == 200:
        typed = served.reported()
    assert answer[0] == 429
    assert served.browser("black").type("e5")[0] == 200  # nobody waits for another's lines
    served.pages.dealt_with(typed)
    assert one.type("e4")[0] == 200


def test_what_one_loop_has_not_handled_goes_to_the_next_once_and_in_order(served):
    one = served.browser("white")
    one.follow().state()
    news = served.reported()
    for line in ("e4", "e4", "yes"):
        assert one.type(line)[0] == 200
    first, *rest = (served.reported() for _ in range(3))
    served.pages.dealt_with(first)
    next_ = queue.SimpleQueue()
    served.pages.report_to(next_.put)
    assert one.type("d4")[0] == 200
    assert [next_.get(timeout=SECONDS) for _ in range(4)] == [news, *rest, PageTyped("white", "d4")]
    assert served.reports.empty()
    assert next_.empty()


def test_who_comes_is_reported_once(served):
    one = served.browser("white")
    one.follow().state()
    one.follow().state()
    assert served.reported() == PageNews(Message.of("web_joined_white"), quiet=False)
    served.browser("spectator").follow().state()
    assert served.reported() == PageNews(Message.of("web_joined_spectator"), quiet=True)


def test_who_does_not_come_back_is_reported_as_gone(served, monkeypatch):
    monkeypatch.setattr("acessivel.web.driver._GONE_S", 0.01)
    one = served.browser("white")
    one.follow().state()
    assert served.reported().message.key == "web_joined_white"
    one.close()
    assert served.reported().message.key == "web_left_white"
    one.follow().state()
    assert served.reported().message.key == "web_joined_white"


def say(served, text):
    served.pages.tell([Message.of("web_move", move=text)], Present("drill", Renderer("en")))


def test_what_a_hall_s_desk_tells_is_for_arbiters_alone(served):
    arbiter, spectator = (served.browser(role).follow() for role in ("arbiter", "spectator"))
    for stream in (arbiter, spectator):
        stream.state()
    hall = Present("hall", Renderer("en"), hall=HallShown())
    served.pages.tell([Message.of("web_move", move="of the desk")], hall)
    say(served, "of all")
    assert arbiter.said("") == "Of the desk"
    assert spectator.said("") == "Of all"


def test_in_a_hall_there_is_no_player_s_page(served):
    served.pages.show(Present("hall", Renderer("en"), hall=HallShown()))
    told, _ = served.pages.obey(OrderPages(CommandName.WEB), lambda _: None)
    assert Renderer("en").text(told) == (
        "Pages: 3, both sides: 0; 4, assistant: 0; 5, arbiter: 0; 6, spectator: 0."
    )
    for role, told in (
        ("white", "At the arbiters' desk there is no page for players."),
        ("spectator", "Spectators only watch."),
    ):
        answer = served.browser(role).ask("POST", "/type", {"id": "12345678", "text": "next"})
        assert error(answer) == told


def test_an_order_about_the_table_counts_only_for_the_one_that_its_page_has_shown(served):
    """Of two arbiters in their browsers one goes to another table, while the other one types."""

    def at(number):
        table = TableShown(number, "", "", (), "")
        return Present("hall", Renderer("en"), hall=HallShown((table,), at=table, before=str(number)))

    arbiter = served.browser("arbiter")
    stream = arbiter.follow()
    served.pages.show(at(2))
    stream.state(lambda state: state["before"] == "2")
    assert served.reported().message.key == "web_joined_arbiter"
    assert [served.pages.state_of(role)["before"] for role in ("both", "spectator")] == ["2", ""]
    served.pages.show(at(7))

    def outdated(text, seen):
        body = {"id": f"outdated-{text}-{seen}", "text": text, "seen": seen}
        assert arbiter.ask("POST", "/type", body)[0] == 200
        served.pages.dealt_with(line := served.reported())
        return served.pages.outdated(line, at(7))

    another = Message.of("web_outdated_table")
    of_the_table = ("stop the table", "start the table", "decide", "I take it", "hand it back", "settled")
    assert [outdated(text, stream.id) for text in of_the_table] == [another] * len(of_the_table)
    assert not any(
        outdated(text, stream.id) for text in ("table 3", "3", "next", "stop the round", "results")
    )
    stream.state(lambda state: state["before"] == "7")
    assert not any(outdated(text, seen) for text in of_the_table for seen in (stream.id, ""))
    in_a_game = PageTyped("arbiter", "decide", UNKNOWN), Present("drill", Renderer("en"))
    assert served.pages.outdated(*in_a_game) is None


def test_a_page_that_comes_back_gets_the_present_and_what_it_has_missed_in_one(served):
    one = served.browser("white")
    stream = one.follow()
    stream.state()
    say(served, "first")
    stream.said("First")
    stream.close()
    say(served, "second")
    say(served, "third")
    stream = one.follow(stream.id)
    missed = [{"text": text, "urgent": True, "language": "en"} for text in ("Second", "Third")]
    assert stream.event() == ("missed", {"missed": missed})
    assert stream.event()[0] == "state"


def test_the_record_of_an_earlier_game_is_for_the_page_that_may_choose_it_alone(served):
    stored = Stored(1, "2026-05-04T10:00", State.new(Setup.of(language="en")), 1)
    served.pages.show(Present("start", Renderer("en"), stored=stored))
    (url, *_) = [one["url"] for one in served.pages.state_of("both")["records"]]
    found = {role: served.browser(role).ask("GET", url)[0] for role in ("both", "white", "spectator")}
    assert found == {"both": 200, "white": 403, "spectator": 403}


def test_what_was_missed_can_be_asked_for_in_the_address_too(served):
    one = served.browser("white")
    stream = one.follow()
    stream.state()
    say(served, "first")
    stream.close()
    again = one.follow(since=stream.id)
    missed = [{"text": "First", "urgent": True, "language": "en"}]
    assert again.event() == ("missed", {"missed": missed})


def test_a_page_is_told_now_and_then_that_all_is_well(served, monkeypatch):
    monkeypatch.setattr("acessivel.web.server._PING_S", 0.01)
    one = served.browser("white").follow()
    assert one.until(lambda name, _: name == "alive") == {}


def test_a_page_that_is_loaded_anew_gets_what_its_role_was_told(served):
    one = served.browser("white")
    say(served, "first")
    served.pages.tell([Message.of("web_move", move="for Black")], Present("drill", Renderer("de")), ["black"])
    say(served, "second")
    kept = [{"text": text, "urgent": True, "language": "en"} for text in ("First", "Second")]
    stream = one.follow()
    assert stream.event() == ("kept", {"kept": kept})
    assert stream.event()[0] == "state"
    name, data = served.browser("black").follow().event()
    assert (name, data["kept"][1]) == ("kept", {"text": "For Black", "urgent": True, "language": "de"})


@pytest.mark.parametrize("last_id", ["5", "x-y-z", "00000000-1-1", "-", "٣-٣-٣", "a" * 2000])
def test_an_id_of_another_run_gives_the_present_alone(served, last_id):
    one = served.browser("white")
    say(served, "first")
    stream = one.follow(last_id.encode().decode("latin-1"))
    assert stream.event()[0] == "state"


def test_the_streams_of_one_browser_and_of_all_are_bounded(served, monkeypatch):
    one = served.browser("white")
    found = [one.follow().status for _ in range(6)]
    assert found == [200] * 4 + [429] * 2
    monkeypatch.setattr("acessivel.web.hub.STREAMS_OF_ONE", 1000)
    found = [one.follow().status for _ in range(200)]
    assert found.count(200) == 96
    assert {*found[96:]} <= {429, 503}
    say(served, "still")
    assert one.streams[3].said("Still") == "Still"  # and who was there is told what happens


def test_spectators_shut_out_nobody_but_spectators(served, monkeypatch):
    monkeypatch.setattr("acessivel.web.hub.STREAMS_OF_ONE", 1000)
    one = served.browser("spectator")
    assert [one.follow().status for _ in range(61)] == [200] * 60 + [429]
    assert served.browser("white").follow().status == 200
    arbiter = served.browser("arbiter")
    assert [arbiter.follow().status for _ in range(41)] == [200] * 41


def test_a_page_that_sleeps_is_forgotten_for_nobody_of_another_role():
    access = Access(("white", "spectator"), itertools.count().__next__)
    white, _ = access.enter(access.keys["white"])
    watching = [access.enter(access.keys["spectator"])[0] for _ in range(70)]
    assert access.session(white.cookie)
    assert len(access.sessions) == 61
    assert not access.session(watching[0].cookie)  # nobody has its page open
    for session in access.sessions:
        session.open = 1
    with pytest.raises(RefusedError) as refused:
        access.enter(access.keys["spectator"])
    assert refused.value.key == "full"
    assert access.enter(access.keys["white"], take=True)[1] == (white,)


def test_a_page_that_does_not_read_is_ended_and_holds_up_nobody(served, monkeypatch):
    monkeypatch.setattr("acessivel.web.server._WRITE_S", 0.2)
    monkeypatch.setattr(connection, "_PATIENCE_S", 0.2)
    slow = served.browser("spectator")
    with socket.create_connection(slow.address, timeout=SECONDS) as stuck:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.sendall(f"GET /events HTTP/1.1\r\nHost: {slow.host}\r\nCookie: {slow.cookie}\r\n\r\n".encode())
        assert served.reported().message.key == "web_joined_spectator"
        quick = served.browser("white").follow()
        number = 0
        while len(served.pages._server.hub.streams) > 1:
            number += 1
            say(served, f"{number} " + "x" * 40_000)
            quick.said(f"{number} ")


def test_the_server_ends_at_once_with_pages_that_are_open(served):
    one = served.browser("white").follow()
    one.state()
    say(served, "goodbye")
    served.pages.close()
    assert one.said("Goodbye")  # what was told last arrives
    assert one.event()[0] == "bye"  # and the page knows that it need not try again
    assert one.event() is None
    assert not served.pages._server._thread.is_alive()
    say(served, "late")  # does nothing


def test_in_the_local_network_its_addresses_are_names_too(served, monkeypatch):
    from acessivel.web.driver import Pages

    monkeypatch.setattr("acessivel.web.server_thread._lan_addresses", lambda: ("192.168.7.7", "10.1.1.1"))
    pages = Pages(served.reports.put, Renderer("en"), port=0, lan=True)
    here, phone, _ = pages.links(["white"])["white"]
    one = Browser(here)
    port = one.address[1]
    assert phone.startswith(f"http://192.168.7.7:{port}/#k=")
    found = [
        one.ask("GET", "/", host=f"{name}:{port}", origin=None)[0]
        for name in ("192.168.7.7", "10.1.1.1", "10.1.1.2")
    ]
    pages.close()
    assert found == [200, 200, 403]


def test_in_the_local_network_the_address_at_which_a_page_comes_is_a_name_and_no_other_is(served):
    """A network that is no way out, or that this machine is in only since a while."""
    from acessivel.web.driver import Pages

    pages = Pages(served.reports.put, Renderer("en"), port=0, lan=True)
    one = Browser(pages.links(["white"])["white"][0].replace("127.0.0.1", "127.0.0.2"))
    port = one.address[1]
    found = [
        one.ask("GET", "/", host=f"{name}:{port}", origin=None)[0]
        for name in ("127.0.0.2", "127.0.0.3", "evil.example")
    ]
    pages.close()
    assert found == [200, 403, 403]


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_no_port_is_free_it_is_told_how_to_name_another(served, monkeypatch, language):
    """Also at a hall's desk and with `acessivel web`, where no game goes on."""
    monkeypatch.setattr("acessivel.web.server_thread._PORTS", 1)
    port = served.pages._server.port
    told = open_pages(Settings(language=language, web_port=port), served.reports.put)
    assert told == Message.of("missing_web_port", port=port)
    for message in (told, Message.of("web_none")):
        assert "--web-port" in Renderer(language).text(message)


def test_links_have_the_addresses_of_now_and_it_is_said_if_there_are_none(served, monkeypatch):
    from acessivel.web.driver import Pages

    found = []
    monkeypatch.setattr("acessivel.web.server_thread._lan_addresses", lambda: tuple(found))
    pages = Pages(served.reports.put, Renderer("en"), port=0, lan=True)
    (here, told) = pages.lines(["white"])
    found.append("10.42.0.1")
    lines = list(pages.lines(["white"]))
    pages.close()
    assert here.startswith("White: http://127.0.0.1:")
    assert told == "This computer is in no network now: only its own browser can open these pages."
    assert lines[0] == here
    assert [line.split(":")[2] for line in lines] == ["//127.0.0.1", "//10.42.0.1"]
