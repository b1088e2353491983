# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel web`: what to begin is chosen on a page, which stays open from one thing to the next."""

import io
import queue
import re
import stat
import threading
from pathlib import Path

import pytest
from support.browser import SECONDS, Browser
from support.program import QUIET as DEVICES_OFF

from acessivel.app.start_menu import StartEntry
from acessivel.commands import web
from acessivel.commands.arguments import parse
from acessivel.storage import journal
from acessivel.web.hub import shows

QUIET = (*DEVICES_OFF, "--language", "en", "--convention", "letters")


class Run:
    """The command in a thread, and the browser that plays with it."""

    def __init__(self, folder):
        self.lines, self.opened, self.status = queue.SimpleQueue(), queue.SimpleQueue(), None
        self.folder = folder
        options = parse(["web", *QUIET, "--save", str(folder), "--web-port", "18700"])
        self.thread = threading.Thread(target=self._run, args=(options,), daemon=True)

    def _run(self, options):
        self.status = web.run(options)

    def begin(self):
        self.thread.start()
        self.browser = Browser(self.lines.get(timeout=SECONDS).partition(": ")[2])
        assert self.browser.enter() == 204
        self.page = self.browser.follow()
        return self

    def asked(self, part):
        """Wait until a question with this part, or an answer with it, is asked; its answers."""
        state = self.page.state(lambda state: part in shows(state).question)
        return {one["text"].partition(", ")[2]: one["types"] for one in state["asked"]["answers"]}

    def choose(self, part, text):
        self.browser.type(self.asked(part)[text])


@pytest.fixture
def begun(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":0")
    run = Run(tmp_path / "games")
    monkeypatch.setattr(web, "write_line", run.lines.put)
    monkeypatch.setattr("acessivel.commands.played_game.write_line", run.lines.put)
    monkeypatch.setattr("webbrowser.open", run.opened.put)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    yield run.begin()
    run.browser.close()
    run.thread.join(SECONDS)
    assert not run.thread.is_alive()


def test_the_link_is_opened_by_a_private_file_in_no_hidden_folder(begun, tmp_path):
    opened = begun.opened.get(timeout=SECONDS)
    file = Path(opened.removeprefix("file://"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert not any(part.startswith(".") for part in file.relative_to(tmp_path).parts)
    assert begun.browser.key in file.read_text()
    begun.choose("What do you want to do?", "leave the program")
    begun.thread.join(SECONDS)
    assert not file.parent.exists()


def test_a_game_is_begun_played_left_and_resumed_on_the_same_page(begun):
    begun.choose("What do you want to do?", "settings")
    begun.choose("strength", "clock: no clock")
    begun.choose("5+3", "5+3")
    assert begun.page.said("Clock: 5+3.")
    begun.choose("clock: 5+3", "back")
    begun.choose("between two persons", "a new game between two persons")
    begun.page.state(lambda state: state["clock"] and state["may_move"])
    for line in ("e4", "yes", "stop", "yes"):
        assert begun.browser.type(line)[0] == 200
    begun.choose("go on with a game", "go on with a game")
    first, *_ = begun.asked(" against ").values()
    begun.browser.type(first)
    state = begun.page.state(lambda state: state["moves_made"])
    assert state["moves_made"] == [{"number": "1.", "white": "Pawn e2 e4", "black": ""}]
    for line in ("resign", "yes", "stop", "yes"):
        assert begun.browser.type(line)[0] == 200
    begun.choose("step through", "leave the program")
    while begun.page.event():
        pass
    begun.thread.join(SECONDS)
    assert begun.status == 0
    with journal.reading(begun.folder) as archive:
        assert [game.result for game in archive.games()] == ["1-0"]


def test_the_record_of_an_earlier_game_is_downloaded_without_a_terminal(begun):
    begun.choose("What do you want to do?", "a new game between two persons")
    begun.page.state(lambda state: state["may_move"])
    for line in ("e4", "yes", "stop", "yes"):
        assert begun.browser.type(line)[0] == 200
    begun.choose("step through a game", "records to download")
    first, *_, back = begun.asked(" against ").values()
    begun.browser.type(first)
    assert "PGN for other programs" in begun.page.said("The record can be downloaded")
    records = begun.page.state(lambda state: state["records"])["records"]
    pgn, brf, pef = (begun.browser.ask("GET", one["url"], origin=None) for one in records)
    assert b"1. e4" in pgn[2]
    assert re.search(r'filename="acessivel-\d{4}-\d\d-\d\d-\d\d-\d\d.pgn"', pgn[1]["content-disposition"])
    assert brf[0] == pef[0] == 200
    begun.browser.type(back)
    begun.choose("step through a game", "step through a game")
    first, *_ = begun.asked(" against ").values()
    begun.browser.type(first)
    state = begun.page.state(lambda state: state["squares"] and state["menu"])
    (stop,) = (one["types"] for one in state["menu"] if one["text"] == "Stop")
    begun.browser.type(stop)
    asked = begun.page.state(lambda state: state["asked"])["asked"]
    begun.browser.type(asked["answers"][0]["types"])
    begun.choose("step through a game", "leave the program")


def test_help_and_settings_are_there_without_a_terminal(begun):
    begun.choose("What do you want to do?", "help")
    offered = begun.asked("how this page is used")
    for text, told in (
        ("how a game is played", "only your yes plays it"),
        ("how this page is used", "text field"),
        ("what can be said in a game", "resign"),
        ("questions about the game", "where are"),
        ("rules", "arbiter"),
    ):
        begun.browser.type(offered[text])
        assert told in begun.page.said("").casefold()
    begun.browser.type(offered["back"])
    begun.choose("the introduction", "settings")
    begun.choose("strength", "language: English")
    begun.choose("German", "German")
    assert "Sprache: Deutsch." in begun.page.said("Sprache")
    begun.choose("Spielstärke", "zurück")
    begun.choose("Einstellungen", "das Programm verlassen")


def test_what_is_typed_before_the_next_thing_is_there_is_not_lost(begun):
    begun.choose("What do you want to do?", "a new game between two persons")
    for line in ("e4", "yes", "stop", "yes", "2", "d4", "yes"):  # at once, without waiting for anything
        assert begun.browser.type(line)[0] == 200
    begun.page.state(lambda state: [one["white"] for one in state["moves_made"]] == ["Pawn d2 d4"])
    for line in ("stop", "yes"):
        begun.browser.type(line)
    begun.choose("step through", "leave the program")


def test_after_a_rematch_each_player_has_the_other_colour_on_the_same_page(begun):
    begun.choose("What do you want to do?", "a new game between two persons")
    players = {}
    for role in ("white", "black"):
        begun.browser.type(f"web code {role}")
        link = begun.page.state(
            lambda state, role=role: (state["link"] or {}).get("role", "").lower() == role
        )
        browser = Browser(link["link"]["url"])
        assert browser.enter() == 204
        players[role] = browser, browser.follow()
        assert players[role][1].state()["role"] == role
    for line in ("f3", "yes", "e5", "yes", "g4", "yes", "Qh4", "yes"):
        begun.browser.type(line)
    (white, whites), (black, blacks) = players.values()
    for stream in (whites, blacks):
        stream.state(lambda state: state["over"])
    white.type("rematch")
    blacks.state(lambda state: state["asked"] and "White wants a rematch" in state["asked"]["text"])
    black.type("yes")
    for stream, role in ((whites, "black"), (blacks, "white")):
        assert stream.state(lambda state: not state["over"])["role"] == role
    black.type("e4")
    black.type("yes")
    assert whites.state(lambda state: state["moves_made"])["may_move"]
    for line in ("stop", "yes"):
        begun.browser.type(line)
    for browser, _ in players.values():
        browser.close()
    begun.choose("step through", "leave the program")


def test_the_words_for_a_game_online_lead_there_and_back(begun, monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    assert "play online" in begun.asked("What do you want to do?")
    begun.browser.type("play online, fifteen ten")
    assert "First log in" in begun.page.said("First log in")
    for line in ("stop", "yes"):
        begun.browser.type(line)
    begun.choose("settings", "leave the program")


def test_older_games_are_in_lists_that_follow():
    entries = [StartEntry(str(number), record=number) for number in range(1, 20)]
    lists = dict(web._portions("records", entries))
    assert list(lists) == ["records", "records 8", "records 16"]
    assert [len(found) for found in lists.values()] == [10, 10, 4]
    assert lists["records"][8].follows == "records 8"
    assert [one.record for found in lists.values() for one in found if one.record] == list(range(1, 20))
    assert not dict(web._portions("records", []))


def test_what_is_no_number_of_the_list_is_asked_again(begun):
    answers = begun.asked("What do you want to do?")
    assert "go on with a game" not in answers  # there is none yet
    for line in ("99", "perhaps"):
        begun.browser.type(line)
        assert "What do you want" in begun.page.said("I did not understand")
    begun.browser.type(answers["leave the program"])
    begun.thread.join(SECONDS)
    assert begun.status == 0
