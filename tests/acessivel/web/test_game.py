# SPDX-License-Identifier: GPL-3.0-or-later
"""A game at the program's devices and on pages at once: each shows and takes the same, and only what is its own."""

import itertools
import json

import pytest
from support.activities import Lines, desk, drill, game, lessons, lobby, replay, start, stored
from support.browser import SECONDS, Browser
from support.played_devices import Table

from acessivel.app.activity import DeviceChanged, Pointed, TimePassed
from acessivel.app.game import GameActivity
from acessivel.devices.keyboard import TypedLine
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.questions import NOTHING, Stopped
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.rules.position import COLOURS
from acessivel.session.state import State
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import JournalError
from acessivel.web import driver, page_text
from acessivel.web.driver import PageNews, Pages
from braille import liblouis

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)


_MARKS = itertools.count()


class Room(Table):
    """A table with pages, and browsers that have opened them."""

    def __init__(self, make, language="en"):
        self.browsers = []
        super().__init__(make, language, pages=self._serve)
        self.devices.keyboard = Lines()

    def _serve(self, report):
        self.pages = Pages(report, Renderer("en"), port=0)
        return self.pages

    def open(self, role, **more):
        """A browser with the page of a role, and its stream, whose first state has come."""
        browser = Browser(self.pages.links([role])[role][0])
        self.browsers.append(browser)
        assert browser.enter(**more) == 204
        stream = browser.follow()
        stream.state()
        self.happens()
        return browser, stream

    def happens(self):
        """What the next report, which is awaited, leads to; the lines that are written."""
        return self.happen(self.reports.get(timeout=SECONDS))

    def types(self, browser, text):
        """A line is typed on a page, and dealt with; the lines that are written."""
        assert browser.type(text)[0] == 200
        return self.happens()

    def close(self):
        for browser in self.browsers:
            browser.close()
        self.pages.close()

    def read(self, stream):
        """Every byte that a page has been sent until now."""
        mark = f"mark {next(_MARKS)}."
        self.pages.tell([Message.of("web_move", move=mark)], self.loop._channels.present())
        stream.said(mark.capitalize())
        return stream.raw


@pytest.fixture
def play(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    rooms = []

    def begin(make=None, **agreed):
        setup = Setup.of(**({"language": "en", "convention": "letters"} | agreed))
        journal = Journal(tmp_path)
        rooms.append(
            Room(
                make
                or (lambda loop: GameActivity(stored(journal, setup), journal, loop.devices, loop.report))
            )
        )
        return rooms[-1]

    yield begin
    for room in rooms:
        room.close()


def moves(room):
    return [played.fact.uci for played in room.activity.state.game.played]


def test_two_browsers_and_the_keyboard_play_one_game(play):
    room = play()
    white, whites = room.open("white")
    black, blacks = room.open("black")
    room.types(white, "e2e4")
    assert whites.state(lambda state: state["asked"])["asked"]["text"] == "Pawn e2 e4?"
    room.types(white, "yes")
    assert "pawn e2 e4" in blacks.said("1, White")
    room.types(black, "e5")
    room.types(black, "yes")
    room.happen(TypedLine("Nf3"))  # at the keyboard, for whoever is to move
    room.happen(TypedLine("yes"))
    assert moves(room) == ["e2e4", "e7e5", "g1f3"]
    assert blacks.state(lambda state: len(state["moves_made"]) == 2)["may_move"]
    assert not whites.state(lambda state: len(state["moves_made"]) == 2)["may_move"]


def test_what_is_typed_on_a_page_is_told_by_voice_and_on_the_display_too(play):
    room = play()
    white, _ = room.open("white")
    room.types(white, "e4")
    assert "ee 4?" in room.voice.said[-1] or "e" in room.voice.said[-1]
    before = room.display.cells
    room.types(white, "yes")
    assert room.display.cells != before
    assert room.lines[-2:] == ["1, White: pawn e2 e4.", "Black to move, move 1."]


def test_who_comes_is_told_aloud_and_spectators_with_what_is_told_next(play):
    room = play()
    room.open("white")
    assert room.lines[-1] == "White's page is open."
    before = list(room.lines)
    room.open("spectator")
    assert room.lines == before
    assert room.happen(TypedLine("clock"))[0] == "A spectator is watching in a browser."


@pytest.mark.parametrize(
    ("line", "why", "aloud"),
    [
        ("e5", "It is not your turn: White is to move.", True),
        ("e4", "It is not your turn: White is to move.", True),
        ("I touch the king", None, True),
        ("faster", "That can be done only where the program runs, not on your page.", False),
        ("stop", "That can be done only where the program runs, not on your page.", False),
        ("language German", "That can be done only where the program runs, not on your page.", False),
    ],
)
def test_the_other_players_page_does_not_move_nor_change_the_room(play, line, why, aloud):
    room = play()
    black, stream = room.open("black")
    state = room.activity.state
    told = room.types(black, line)
    if why:
        assert stream.said(why)
        assert told == ([why] if aloud else [])
    assert room.activity.state.asking == state.asking
    assert room.activity.state.touch == state.touch
    assert room.activity.state.preferences == state.preferences


@pytest.mark.parametrize("answer", ["yes", "no", "e5", "correction"])
def test_a_question_of_one_player_is_not_answered_on_the_page_of_the_other(play, answer):
    room = play()
    white, _ = room.open("white")
    black, blacks = room.open("black")
    room.types(white, "e4")
    asked = room.activity.state.asking
    told = room.types(black, answer)
    assert told[-1] == "Pawn e2 e4?"  # and it stays open, aloud
    assert room.activity.state.asking == asked
    room.types(white, "yes")
    assert moves(room) == ["e2e4"]
    assert b"Pawn e2 e4?" not in room.read(
        blacks
    )  # what is only announced is not told to the opponent's page


@pytest.mark.parametrize(
    ("role", "line", "why"),
    [("black", "stop", "That can be done only where"), ("arbiter", "resign", "That is for the players")],
)
def test_what_a_page_may_not_do_is_told_to_that_page_alone(play, role, line, why):
    room = play()
    page, own = room.open(role)
    others = {one: room.open(one)[1] for one in ("white", "spectator", "both")}
    room.happen(TypedLine("e4"))
    starts = {one: len(room.read(stream)) for one, stream in others.items()}
    assert room.types(page, line) == []
    assert own.said(why)
    for one, stream in others.items():
        assert told(room.read(stream)[starts[one] :]) == []
    assert room.activity.state.asking != NOTHING


@pytest.mark.parametrize("colour", COLOURS)
def test_a_player_resigns_for_himself_in_whosever_turn(play, colour):
    room = play()
    page, _ = room.open(colour)
    other, _ = room.open("black" if colour == "white" else "white")
    room.types(page, "resign")
    room.types(other, "yes")
    assert room.activity.state.game.result is None
    room.types(page, "yes")
    assert room.activity.state.game.result.score == {"white": "0-1", "black": "1-0"}[colour]


MATE = ("f3", "yes", "e5", "yes", "g4", "yes", "Qh4", "yes")


@pytest.mark.parametrize("line", ["rematch", "new game"])
def test_another_game_is_agreed_to_by_the_other_player_who_has_a_page(play, line):
    room = play(white="Ana", black="Bo")
    white, _ = room.open("white")
    black, blacks = room.open("black")
    for move in MATE:
        room.happen(TypedLine(move))
    room.types(white, line)
    assert blacks.state(lambda state: state["asked"] and "White wants" in state["asked"]["text"])
    assert room.pages.state_of("white")["asked"] is None
    assert room.types(white, "yes")[0] == "That does not count: Black is asked."
    assert not room.activity.over
    room.types(black, "no")
    assert room.activity.state.asking == NOTHING
    room.types(black, line)
    assert not room.activity.over
    room.types(white, "yes")
    assert room.activity.next.players.white == ("Bo" if line == "rematch" else "Ana")
    assert room.activity.exchanged is (line == "rematch")


def test_who_wants_another_game_can_take_that_back_and_the_same_wish_of_the_other_agrees(play):
    room = play()
    white, _ = room.open("white")
    black, _ = room.open("black")
    for move in MATE:
        room.happen(TypedLine(move))
    room.types(white, "rematch")
    room.types(white, "no")
    assert room.activity.state.asking == NOTHING
    room.types(white, "rematch")
    room.types(black, "new game")  # another wish
    assert not room.activity.over
    room.types(black, "rematch")
    room.types(white, "rematch")
    assert room.activity.exchanged


def test_who_alone_has_a_page_begins_a_rematch_by_his_own_yes(play):
    room = play()
    white, _ = room.open("white")
    for line in MATE:
        room.happen(TypedLine(line))
    assert room.types(white, "rematch") == ["Do you want to play a rematch, with the colours swapped?"]
    room.types(white, "yes")
    assert room.activity.exchanged


def test_a_player_offers_a_draw_and_only_the_other_accepts_it(play):
    room = play()
    white, _ = room.open("white")
    black, _ = room.open("black")
    for page, line in (
        (white, "e4"),
        (white, "yes"),
        (black, "e5"),
        (black, "yes"),
        (black, "draw"),
        (black, "yes"),
    ):
        room.types(page, line)
    assert room.activity.state.draw.offer == "black"
    for line in ("yes", "accept"):
        room.types(black, line)
        assert room.activity.state.game.result is None
    room.types(white, "accept")
    assert room.activity.state.game.result.score == "1/2-1/2"


@pytest.mark.parametrize(("role", "counts"), [("both", True), ("assistant", True), ("arbiter", False)])
def test_the_pages_of_both_sides_and_of_an_assistant_move_for_either_and_the_arbiters_for_none(
    play, role, counts
):
    room = play()
    page, _ = room.open(role)
    for line in ("e4", "yes", "e5", "yes"):
        room.types(page, line)
    assert moves(room) == (["e2e4", "e7e5"] if counts else [])


def test_the_arbiter_has_his_menu_and_the_players_do_not_answer_it(play):
    room = play()
    arbiter, stream = room.open("arbiter")
    white, _ = room.open("white")
    room.types(arbiter, "arbiter")
    room.types(arbiter, "yes")
    asked = room.activity.state.asking
    assert stream.state(lambda state: state["asked"] and len(state["asked"]["answers"]) > 5)
    told = room.types(white, "1")[0]
    assert told == "That is for the arbiter to decide. To go on without that, say no."
    assert room.activity.state.asking == asked
    for line in ("5", "3", "yes"):
        room.types(arbiter, line)
    assert room.activity.state.game.result.score == "1/2-1/2"


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_the_arbiters_own_question_is_answered_on_his_page_while_a_player_is_asked_about_a_move(play, answer):
    room = play()
    arbiter, _ = room.open("arbiter")
    white, _ = room.open("white")
    room.types(white, "e4")
    before = room.activity.state.asking
    room.types(arbiter, "arbiter")
    asked = room.activity.state.asking
    room.types(white, "yes")  # meant for the move
    assert room.activity.state.asking == asked
    room.types(arbiter, answer)
    if answer == "no":
        assert room.activity.state.asking == before
    else:
        assert isinstance(room.activity.state.asking, Deciding)


@pytest.mark.parametrize("role", ["arbiter", "black"])
def test_the_list_of_rules_leads_back_on_the_page_that_has_asked_for_it(play, role):
    room = play()
    page, _ = room.open(role)
    white, _ = room.open("white")
    room.types(white, "e4")
    before = room.activity.state.asking
    room.types(page, "rules")
    assert room.types(page, "3")
    room.types(page, "no")
    assert room.activity.state.asking == before


def test_a_yes_to_a_move_does_not_start_the_clocks_that_the_arbiter_has_just_stopped(play):
    room = play(clock="15+5")
    arbiter, _ = room.open("arbiter")
    white, _ = room.open("white")
    room.types(white, "e4")
    room.types(arbiter, "stop the clock")
    asked = room.activity.state.asking
    assert isinstance(asked, Stopped)
    room.types(white, "yes")
    assert room.activity.state.asking == asked


PRIVATE = [
    "position",
    "where are the knights",
    "what is on e4",
    "legal moves",
    "material",
    "attackers e4",
]


@pytest.mark.parametrize("line", PRIVATE)
def test_with_two_boards_what_a_player_asks_of_the_position_reaches_no_other_page(play, line):
    room = play(two_boards=True)
    pages = {role: room.open(role) for role in ("white", "black", "assistant", "arbiter", "spectator")}
    room.devices.display_is_private = True
    before = {role: room.read(stream) for role, (_, stream) in pages.items()}
    states = {role: len(raw) for role, raw in before.items()}

    room.happen(TypedLine(line))  # the blind player, at the keyboard with his display
    for role, (_, stream) in pages.items():
        assert told(room.read(stream)[states[role] :]) == [], role

    browser, own = pages["black"]
    states = {role: len(stream.raw) for role, (_, stream) in pages.items()}
    room.types(browser, line)
    assert len(told(room.read(own)[states["black"] :])) == 1
    for role, (_, stream) in pages.items():
        if role != "black":
            assert told(room.read(stream)[states[role] :]) == [], role


def told(raw):
    """What is said in these bytes of a stream."""
    events = [
        event.split("\n")
        for event in raw.decode().split("\n\n")
        if "event: say" in event or "event: missed" in event
    ]
    texts = [json.loads(lines[-1].removeprefix("data: ")).get("text") for lines in events]
    return [text for text in texts if not text.startswith("Mark ")]


@pytest.mark.parametrize("line", ["repeat", "more"])
def test_nobody_has_what_was_private_to_another_told_again(play, line):
    room = play(two_boards=True)
    black, blacks = room.open("black")
    white, whites = room.open("white")
    room.types(black, "position")
    assert "king e1" in blacks.said("king")
    start = len(room.read(whites))
    room.types(white, line)
    for other in told(room.read(whites)[start:]):
        assert "king" not in other
    assert room.devices.display_is_private is False
    room.types(black, line)
    assert blacks.said("king" if line == "repeat" else "")


def test_fingers_on_the_display_reach_no_page_with_two_boards(play):
    room = play(two_boards=True)
    room.devices.display_is_private = True
    pages = {role: room.open(role)[1] for role in ("black", "assistant", "arbiter", "spectator")}
    starts = {role: len(room.read(stream)) for role, stream in pages.items()}
    cells = room.display.cells
    room.loop._input(Pointed("g1"))
    room.loop._channels.show_pages()
    assert room.display.cells != cells
    for role, stream in pages.items():
        raw = room.read(stream)[starts[role] :]
        assert told(raw) == []
        assert b'"asked": {' not in raw


def test_lines_of_a_page_wait_while_the_engine_thinks(play):
    class Slow:
        asked = 0

        def ask_move(self, game, now_ms):  # noqa: ARG002
            self.asked += 1

        def close(self):
            pass

    room = play(opponent="engine")
    room.devices.opponent = Slow()
    white, stream = room.open("white")
    room.types(white, "e4")
    room.types(white, "yes")
    assert room.devices.opponent.asked == 1
    room.types(white, "Nf3")  # typed ahead
    assert moves(room) == ["e2e4"]
    from acessivel.session.events import EngineMoved

    room.happen(EngineMoved(uci="e7e5"))
    assert stream.state(lambda state: state["asked"] and state["asked"]["text"] == "Knight g1 f3?")


def test_a_page_that_comes_back_sees_the_game_as_it_is(play):
    room = play()
    white, stream = room.open("white")
    stream.close()
    for line in ("e4", "yes", "e5", "yes"):
        room.happen(TypedLine(line))
    again = white.follow(stream.id)
    missed = again.until(lambda name, _: name == "missed")["missed"]
    assert "pawn e2 e4" in " ".join(one["text"] for one in missed)
    assert len(again.state()["moves_made"]) == 1


def test_the_id_of_an_event_has_the_number_of_the_journals_last_event(play):
    room = play()
    white, stream = room.open("white")
    room.types(white, "e4")
    stream.state(lambda state: state["asked"])
    assert stream.id.split("-")[1] == str(room.activity.view(()).sequence)


@pytest.mark.parametrize("make", [drill, replay], ids=["drill", "replay"])
def test_drills_and_replays_are_on_the_page_too(play, tmp_path, make):
    room = play(make(tmp_path, "en"))
    page, stream = room.open("both")
    before = len(room.lines)
    room.types(page, "help")
    assert len(room.lines) > before
    assert stream.said("")


def answers(state):
    return [one["types"] for one in state["asked"]["answers"]]


@pytest.mark.parametrize("make", [lobby, desk, drill, replay], ids=lambda make: make.__name__)
def test_whether_to_stop_is_answered_by_yes_and_no_in_every_place(play, tmp_path, make):
    room = play(make(tmp_path, "en"))
    page, stream = room.open("both")
    room.types(page, "stop")
    state = stream.state(lambda state: state["asked"] and "stop?" in state["asked"]["text"])
    assert state["asked"]["text"] == "Do you want to stop?"
    assert answers(state) == ["yes", "no"]


def test_a_list_is_chosen_from_on_the_page_again_when_whether_to_stop_was_answered(play, tmp_path):
    room = play(lobby(tmp_path, "en"))
    page, stream = room.open("both")
    room.types(page, "stop")
    stream.state(lambda state: answers(state) == ["yes", "no"])
    room.types(page, "no")
    assert stream.state(lambda state: answers(state) != ["yes", "no"])["asked"]["answers"][0]["types"] == "1"


def test_a_question_of_a_drill_that_takes_yes_or_no_has_both_on_the_page(play, tmp_path):
    room = play(drill(tmp_path, "en"))
    room.open("both")
    assert answers(room.pages.state_of("both")) == ["yes", "no"]


def test_the_page_of_the_introduction_asks_and_offers_what_is_told(play, tmp_path):
    room = play(lessons(tmp_path, "en"))
    page, stream = room.open("both")
    state = room.pages.state_of("both")
    (stop,) = [one for one in state["menu"] if one["types"] == "stop"]
    assert stop["does"] == "Ends the introduction."
    room.types(page, "stop")
    asked = stream.state(lambda state: state["asked"])["asked"]
    assert asked["text"] == "Do you want to stop? The practice game is not kept."


@pytest.mark.parametrize("make", [drill, replay, desk], ids=lambda make: make.__name__)
def test_no_page_says_that_to_stop_keeps_a_game_where_none_is_played(play, tmp_path, make):
    room = play(make(tmp_path, "en"))
    (stop,) = [one for one in room.pages.state_of("both")["menu"] if one["types"] == "stop"]
    assert "keep" not in stop["does"]


@pytest.mark.parametrize("opponent", ["human", "engine"])
def test_after_the_end_only_who_may_leave_the_program_is_told_how(play, opponent):
    room = play(opponent=opponent)
    (white, whites), (_, boths) = room.open("white"), room.open("both")
    for line, told in (("resign", ""), ("yes", "to play again"), ("yes", "Nothing has been asked")):
        room.types(white, line)
        if told:
            assert "to leave" in boths.said(told).casefold()
            assert ("to leave" in whites.said(told).casefold()) is (opponent == "engine")


def test_a_sealed_move_typed_on_a_page_is_seen_on_no_other(play):
    pytest.importorskip("cryptography")
    room = play(two_boards=True, clock="60+0")
    white, whites = room.open("white")
    black, blacks = room.open("black")
    room.types(white, "adjourn")
    room.types(white, "yes")
    start = len(room.read(whites))
    assert room.types(black, "e7e5") == []
    assert blacks.said("A move is being sealed elsewhere: wait until that is done.")
    assert told(room.read(whites)[start:]) == []
    room.types(white, "0")
    start = len(room.read(blacks))
    assert room.types(white, "e2e4") == []  # nothing of it on the screen either
    assert "e2e4" in whites.said("e2e4")
    assert b"e2" not in b"".join(line.encode() for line in told(room.read(blacks)[start:]))
    room.happen(TypedLine(""))  # the keyboard of the program gives it up
    assert room.activity._talk is None


@pytest.mark.parametrize("role", ["white", "assistant"])
def test_a_sealed_move_is_not_told_again_to_who_opens_the_page_later(play, role):
    pytest.importorskip("cryptography")
    room = play()
    one, stream = room.open(role)
    for line in ("adjourn", "yes", "e2e4"):
        room.types(one, line)
    stream.said("Seal exactly what was written, e2e4?")
    room.types(one, "yes")
    later = one.follow()
    name, data = later.event()
    assert name == "kept"
    texts = [message["text"] for message in data["kept"]]
    assert texts[-1].startswith("When does the game resume?")
    assert not any("e2" in text for text in texts)


def sealing(play, *lines):
    """A game whose move is being sealed on White's page, after these lines: the room, his browser and stream."""
    pytest.importorskip("cryptography")
    room = play(white="Ana", black="Bo")
    white, stream = room.open("white")
    for line in ("adjourn", "yes", *lines):
        room.types(white, line)
    return room, white, stream


@pytest.mark.parametrize(
    ("lines", "asks", "types", "by_enter"),
    [
        ((), "Type the move to be sealed", [""], True),
        (("e2e4",), "Seal exactly what was written, e2e4?", ["yes", "no", ""], False),
        (("e2e4", "yes"), "When does the game resume?", [""], True),
    ],
)
def test_the_page_where_a_move_is_sealed_asks_for_it_and_leads_back(play, lines, asks, types, by_enter):
    room, white, stream = sealing(play, *lines)
    _, blacks = room.open("black")
    state = white.follow().state()  # of a page that was loaded anew
    assert state["asked"]["text"].startswith(asks)
    assert answers(state) == types
    assert state["asked"]["answers"][-1]["text"] == "Back to the game"
    assert state["asked"]["by_enter"] is by_enter
    assert not state["menu"]
    assert room.pages.state_of("black")["asked"] is None
    assert b"e2e4" not in room.read(blacks)
    assert room.types(white, "") == ["Nothing is sealed; the game goes on."]
    assert stream.state(lambda state: not state["asked"] and state["menu"])


def test_what_was_typed_to_be_hidden_becomes_public_on_no_page_when_the_conversation_ends(play, tmp_path):
    room, white, stream = sealing(play, "e2e4", "yes", "2030-01-02 15:00", "Lisboa")
    body = {"id": "for-the-envelope", "text": "nine tall green lamps", "hidden": True}
    (asked := white.follow()).state()
    body["seen"] = asked.id
    room.happen(TypedLine(""))  # at the keyboard of the room, while it is being typed
    for id_, line in (("it-was-shown", body), ("it-is-not-known", body | {"seen": None})):
        assert white.ask("POST", "/type", line | {"id": id_})[0] == 200
        assert room.happens() == []
        assert stream.said("Another question") == (
            "Another question has come meanwhile: your answer was not taken."
        )
    assert not any(b"nine tall" in path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    room.types(white, "adjourn")
    assert white.ask("POST", "/type", {"id": "whether-to-seal", "text": "yes", "hidden": True})[0] == 200
    room.happens()
    assert room.activity._talk


@pytest.mark.parametrize(
    "lines", [(), ("e2e4",), ("e2e4", "yes"), ("e2e4", "yes", "2030-01-02 15:00", "Lisboa")]
)
def test_a_move_is_no_longer_sealed_once_its_page_is_gone(play, lines):
    room, *_ = sealing(play, *lines)
    assert room.happen(PageNews(Message.of("web_left_black"), quiet=False)) == ["Black's page is gone."]
    assert room.activity._talk
    gone = room.happen(PageNews(Message.of("web_left_white"), quiet=False))
    assert gone == ["White's page is gone.", "Nothing is sealed; the game goes on."]
    assert not room.activity._talk
    assert not room.activity.state.adjournment.written


@pytest.mark.parametrize("role", ["both", "assistant", ""])
def test_who_has_the_pages_in_hand_orders_about_them_while_a_move_is_sealed_elsewhere(play, role):
    room, *_ = sealing(play, "e2e4", "yes")
    page = room.open(role)[0] if role else None

    def types(line):
        return room.types(page, line) if page else room.happen(TypedLine(line))

    assert types("web")[0].startswith("Pages: 1, White: 1")
    assert room.pages.links(["black"])["black"][0] in types("web code two")[-2]
    assert room.activity._talk
    assert types("web revoke one")[-1] == "Nothing is sealed; the game goes on."
    assert not room.activity._talk


def test_and_leaves_the_program(play):
    room, *_ = sealing(play, "e2e4", "yes")
    page, stream = room.open("both")
    assert room.types(page, "e7e5") == []
    assert stream.said("A move is being sealed elsewhere")
    for line in ("stop", "no", "stop"):
        room.types(page, line)
        asked = room.pages.state_of("both")["asked"]
        assert asked is None if line == "no" else answers(room.pages.state_of("both")) == ["yes", "no"]
    assert room.pages.state_of("white")["asked"]["text"].startswith("When does the game resume?")
    room.types(page, "yes")
    assert room.activity.over
    assert room.loop._channels._to_tell == (Message.of("nothing_sealed"),)


def test_the_opponent_resigns_on_his_page_while_a_move_is_sealed(play):
    room, _, whites = sealing(play, "e2e4")
    (black, _), (both, boths) = map(room.open, ("black", "both"))
    room.types(both, "resign")
    assert boths.said("A move is being sealed elsewhere")
    room.types(black, "resign")
    assert room.pages.state_of("white")["asked"]["text"].startswith("Seal exactly")
    for one in (both, black):
        room.types(one, "no")
        assert (room.pages.state_of("black")["asked"] is None) is (one is black)
    for line in ("resign", "yes"):
        room.types(black, line)
    assert room.activity.state.game.result.score == "1-0"
    assert whites.said("Nothing is sealed.")


def test_what_was_asked_while_a_move_was_sealed_is_not_asked_when_the_game_resumes(play):
    room, white, _ = sealing(play, "e2e4", "yes", "2030-01-02 15:00", "Lisboa", "nine tall green lamps")
    black, _ = room.open("black")
    room.types(black, "resign")
    room.types(white, "nine tall green lamps")
    assert room.activity.state.adjournment.sealed
    assert room.activity.state.asking == NOTHING


def test_an_envelope_whose_page_is_gone_is_opened_on_another(play, tmp_path):
    room, *_ = sealing(
        play, "e2e4", "yes", "2030-01-02 15:00", "Lisboa", "nine tall green lamps", "nine tall green lamps"
    )
    journal = Journal(tmp_path)
    room = play(lambda loop: GameActivity(journal.load(1), journal, loop.devices, loop.report))
    (arbiter, _), (both, _) = map(room.open, ("arbiter", "both"))
    room.types(arbiter, "no")
    assert room.pages.state_of("both")["asked"] is None
    assert room.types(both, "web revoke five")[-1].startswith("Say yes when Bo arrives")
    room.types(both, "no")
    assert answers(room.pages.state_of("both")) == ["yes", "no", ""]


def test_an_empty_line_of_a_page_does_nothing_where_none_is_offered(play):
    room, white, _ = sealing(play)
    black, _ = room.open("black")
    assert room.types(black, "") == []
    assert room.activity._talk
    room.types(white, "")
    assert room.types(white, "") == []


def test_an_adjourned_game_is_left_adjourned_from_a_page(play, tmp_path):
    room, *_ = sealing(
        play, "e2e4", "yes", "2030-01-02 15:00", "Lisboa", "nine tall green lamps", "nine tall green lamps"
    )
    assert room.activity.state.adjournment.sealed
    journal = Journal(tmp_path)
    room = play(lambda loop: GameActivity(journal.load(1), journal, loop.devices, loop.report))
    page, _ = room.open("both")
    state = room.pages.state_of("both")
    assert state["asked"]["text"].startswith("Is Bo, who must answer for Black, present?")
    assert answers(state) == ["yes", "no", ""]
    assert room.pages.state_of("spectator")["asked"] is None
    assert room.pages.state_of("arbiter")["asked"]
    room.types(page, "no")
    assert answers(room.pages.state_of("both")) == ["yes", "no", ""]
    assert room.pages.state_of("arbiter")["asked"] is None  # it is held on the other page
    room.types(page, "")
    assert room.activity.over
    assert room.activity.state.adjournment.sealed


def test_no_page_of_a_player_holds_the_opening_of_an_envelope(play, tmp_path):
    room, *_ = sealing(
        play, "e2e4", "yes", "2030-01-02 15:00", "Lisboa", "nine tall green lamps", "nine tall green lamps"
    )
    journal = Journal(tmp_path)
    room = play(lambda loop: GameActivity(journal.load(1), journal, loop.devices, loop.report))
    (white, whites), (black, blacks), (arbiter, _) = map(room.open, ("white", "black", "arbiter"))
    assert room.pages.state_of("white")["asked"] is None
    start = len(room.read(blacks))
    for line in ("yes", "stop", "nine tall green lamps"):
        assert room.types(white, line) == []
        whites.said("An envelope is being opened elsewhere: wait until that is done.")
    assert room.types(white, "") == []
    assert told(room.read(blacks)[start:]) == []
    assert not room.activity.over
    room.types(white, "draw")
    room.types(black, "resign")
    assert answers(room.pages.state_of("black")) == ["yes", "no"]
    assert room.pages.state_of("black")["asked"]["by_enter"] is False
    assert answers(room.pages.state_of("arbiter")) == ["yes", "no", ""]
    assert room.pages.state_of("white")["asked"] is None
    room.types(black, "no")
    room.types(arbiter, "yes")
    assert room.pages.state_of("arbiter")["asked"]["text"].startswith("Is Ana")
    room.types(black, "resign")
    room.types(black, "yes")
    assert room.activity.state.game.result.score == "1-0"


def test_an_old_line_of_a_journal_has_no_page():
    from acessivel.session.events import Heard, from_json

    assert from_json('{"event": "Heard", "at": 5, "words": ["e4"]}') == Heard(at=5, words=("e4",))
    assert State.new(Setup.of()).by == ""


def test_a_page_that_comes_back_gets_the_clocks_as_they_are_now(play):
    room = play(clock="5")
    black, stream = room.open("black")
    for line in ("e4", "yes"):
        room.happen(TypedLine(line))
    before = stream.state(lambda state: state["moves_made"])["clock"]["black"]
    stream.close()
    room.loop._began -= 4  # seconds, in which nothing happens
    assert black.follow().state()["clock"]["black"] <= before - 4000


def test_the_clocks_stand_on_every_page_while_nothing_can_be_kept_and_go_on_with_those_of_the_game(
    play, monkeypatch
):
    room = play(clock="5", opponent="human")
    room.happen(TypedLine("e4"))
    room.happen(TypedLine("yes"))
    _, stream = room.open("white")

    def is_full(*_):
        raise JournalError(Message.of("reason_full"))

    with monkeypatch.context() as full:
        full.setattr(room.activity._journal, "append", is_full)
        room.happen(TypedLine("e5"))
        assert stream.state(lambda state: not state["clock"]["running"])
    room.happen(TimePassed(quiet=False))
    assert stream.state(lambda state: state["clock"]["running"] == "black")


def test_who_has_a_page_is_told_on_request(play):
    room = play()
    room.open("black")
    room.open("spectator")
    room.open("spectator")
    told = " ".join(room.happen(TypedLine("web")))
    assert "1, White: 0; 2, Black: 1;" in told
    assert "6, spectator: 2." in told


def test_a_page_that_was_closed_or_taken_over_is_counted_no_more(play):
    room = play()
    _, stream = room.open("black")
    room.open("white")
    other = Browser(room.pages.links(["white"])["white"][0])
    room.browsers.append(other)
    assert other.enter(take=True) == 204
    assert "1, White: 0; 2, Black: 1;" in " ".join(room.happen(TypedLine("web")))
    room.happen(TypedLine("web revoke black"))
    while stream.event():
        pass
    assert "1, White: 0; 2, Black: 0;" in " ".join(room.happen(TypedLine("web")))


@pytest.mark.parametrize("make", [lobby, desk, drill, replay, start], ids=lambda make: make.__name__)
def test_pages_are_listed_shown_and_closed_in_every_place(play, tmp_path, make):
    room = play(make(tmp_path, "en"))
    arbiter, stream = room.open("arbiter")
    assert "5, arbiter: 1;" in " ".join(room.happen(TypedLine("web")))
    shown = room.happen(TypedLine("web code six"))
    assert len(shown) > 10
    assert any(room.pages.links(["spectator"])["spectator"][0] in line for line in shown)
    old = arbiter.key
    assert "Arbiter: the page is closed, and a new link is on the screen." in room.happen(
        TypedLine("web revoke five")
    )
    while stream.event():
        pass
    arbiter.cookie, arbiter.key = "", old
    assert arbiter.enter() == 403


@pytest.mark.parametrize("make", [lobby, desk, drill, replay], ids=lambda make: make.__name__)
@pytest.mark.parametrize("role", ["white", "arbiter"])
def test_no_page_of_one_side_or_of_an_arbiter_closes_others_where_no_game_is_played(
    play, tmp_path, make, role
):
    room = play(make(tmp_path, "en"))
    page, stream = room.open(role)
    link = room.pages.links(["spectator"])
    if make is desk and role == "white":  # which is no role of a hall
        status, answer = page.type("web revoke six")
        assert (status, answer["error"]) == (403, "At the arbiters' desk there is no page for players.")
    else:
        assert room.types(page, "web revoke six") == []
        assert stream.said("That can be done only where the program runs")
    assert room.pages.links(["spectator"]) == link


@pytest.mark.parametrize("line", ["web revoke black", "web revoke 2"])
def test_a_page_is_revoked_and_its_old_link_opens_nothing(play, line):
    room = play()
    black, stream = room.open("black")
    white, _ = room.open("white")
    old = black.key
    *links, told = room.happen(TypedLine(line))
    assert told == "Black: the page is closed, and a new link is on the screen."
    while stream.event():
        pass  # until its end, which a test that fails waits for
    assert black.type("e4")[0] == black.follow().status == 403
    assert black.enter() == 403
    black.key = links[-1].partition("#k=")[2]
    assert black.key != old
    assert black.enter() == 204
    assert white.type("e4")[0] == 200


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("pt", ("web", "páginas web", "web revogar pretas", "web código brancas")),
        ("de", ("Web", "Web Seiten", "Web sperren Schwarz", "Web Code Weiß")),
        ("es", ("web", "páginas web", "web revocar negras", "web código blancas")),
    ],
)
def test_the_commands_are_understood_in_each_language(play, language, lines):
    room = play(language=language)
    told = [room.happen(TypedLine(line))[-1] for line in lines]
    texts = catalogue(language)
    assert len(set(told)) == 3
    assert told[2].endswith(texts["web_revoke_done"].partition("{role}")[2])
    assert told[3].endswith(texts["web_code_done"].partition("{role}")[2])


@pytest.mark.parametrize("stands", [True, False])
def test_a_page_closes_itself_only_where_its_new_link_can_be_read(play, monkeypatch, stands):
    room = play()
    page, _ = room.open("both")
    monkeypatch.setattr(driver, "_STANDING", [room.pages] if stands else [])
    link = room.pages.links(["both"])
    *_, told = room.types(page, "web revoke three")
    assert told.startswith("Both sides: this page stays open" if stands else "Both sides: the page is closed")
    assert (room.pages.links(["both"]) == link) is stands
    room.happen(TypedLine("web revoke three"))  # not from that page
    assert room.pages.links(["both"]) != link


@pytest.mark.parametrize("role", ["white", "arbiter"])
def test_no_page_of_one_side_revokes_another(play, role):
    room = play()
    _, stream = room.open("black")
    page, _ = room.open(role)
    room.types(page, "web revoke black")
    room.happen(TypedLine("clock"))
    assert stream.said("clock")


def test_a_link_is_shown_as_a_code_for_a_phone(play):
    room = play()
    *code, link, told = room.happen(TypedLine("web code white"))
    assert len(code) > 10
    assert len({len(line) for line in code}) == 1
    assert link.startswith("White: http://127.0.0.1:")
    assert told == "White: the code is on the screen."


def test_who_has_only_a_page_is_shown_the_link_for_another_there_and_nobody_else(play):
    room = play()
    page, stream = room.open("both")
    _, watching = room.open("spectator")
    menu = {one["types"]: one["does"] for one in room.pages.state_of("both")["menu"]}
    assert menu["web code two"].endswith("Black")
    room.types(page, "web code two")
    link = stream.state(lambda state: state["link"])["link"]
    assert (link["role"], link["url"]) == ("Black", room.pages.links(["black"])["black"][0])
    assert len(link["code"]) > 20
    assert {len(row) for row in link["code"]} == {len(link["code"])}
    assert {*"".join(link["code"])} == {"0", "1"}
    assert link["url"].encode() not in room.read(watching)
    black = Browser(link["url"])
    assert black.enter() == 204
    black.follow().state()
    stream.state(lambda state: not state["link"])  # it has served
    black.close()


@pytest.mark.parametrize(("role", "number"), [("assistant", "four"), ("spectator", "six")])
def test_a_link_is_shown_on_while_one_that_was_there_comes_back_and_for_all_who_watch(play, role, number):
    room = play()
    page, _ = room.open("both")
    there, _ = room.open(role)
    room.types(page, f"web code {number}")
    there.follow().state()
    assert room.pages.state_of("both")["link"]
    room.open(role)
    assert bool(room.pages.state_of("both")["link"]) is (role == "spectator")


def test_a_link_that_is_shown_on_a_page_is_the_new_one_when_the_page_that_it_opens_is_revoked(play):
    room = play()
    page, stream = room.open("both")
    room.types(page, "web code one")
    old = stream.state(lambda state: state["link"])["link"]["url"]
    room.happen(TypedLine("web revoke white"))
    new = stream.state(lambda state: state["link"]["url"] != old)["link"]["url"]
    assert new == room.pages.links(["white"])["white"][0]


def test_where_a_list_follows_it_is_told_how_to_go_on_from_there(play, tmp_path):
    room = play(game(tmp_path, "en"))
    told = " ".join(message.key for tell in room.activity.leave(0) for message in tell.messages)
    assert told == "kept goodbye"
    room.devices.inputs.add("page")
    (tell,) = room.activity.leave(0)
    assert tell.messages == (Message.of("kept_listed"),)


def test_with_two_boards_nobody_gets_the_link_of_both_sides(play):
    room = play(two_boards=True)
    assert room.happen(TypedLine("web code 3")) == [
        "With two boards there is no page of both sides: each player has his own."
    ]
    assert len(room.happen(TypedLine("web code 1"))) > 10


def test_without_pages_the_command_says_how_to_have_them(play):
    room = play()
    room.loop._channels._pages = None
    assert room.happen(TypedLine("web")) == [
        "There are no pages: a game has them with --web, and where no port was free, --web-port names another."
    ]


@pytest.mark.parametrize("convention", ["letters", "fide"])
def test_a_yes_to_another_question_than_the_page_showed_does_nothing(play, convention):
    room = play(convention=convention)
    white, stream = room.open("white")
    room.types(white, "e4")
    stream.state(lambda state: state["asked"] and state["asked"]["move"] == "e2e4")
    seen = stream.id
    room.happen(TypedLine("no"))  # at the keyboard, and then another move
    room.happen(TypedLine("d4"))
    stream.state(lambda state: state["asked"] and state["asked"]["move"] == "d2d4")
    now = stream.id
    body = {"id": "an-old-yes", "text": "yes", "seen": seen}
    assert white.ask("POST", "/type", body)[0] == 200
    assert room.happens() == []
    told = stream.until(
        lambda name, data: name == "say" and "Another question" in page_text.plain(data["text"])
    )
    question = {"letters": "Pawn d2 d4?", "fide": "Bauer David zwei David vier?"}[convention]
    assert page_text.plain(told["text"]).endswith(question)
    assert moves(room) == []
    assert white.ask("POST", "/type", body | {"id": "a-new-yes", "seen": now})[0] == 200
    room.happens()
    assert moves(room) == ["d2d4"]


def test_a_move_that_needs_no_question_has_its_yes_at_once_and_never_later(play):
    room = play()
    white, _ = room.open("white")
    black, _ = room.open("black")
    sure = {"text": "e2e4", "sure": True}
    assert black.ask("POST", "/type", {"id": "not-his-turn", **sure})[0] == 200
    room.happens()
    room.happen(TypedLine("e4"))  # by White, at the keyboard
    assert moves(room) == []
    room.happen(TypedLine("no"))
    assert white.ask("POST", "/type", {"id": "his-own-move", **sure})[0] == 200
    room.happens()
    assert moves(room) == ["e2e4"]
    assert black.ask("POST", "/type", {"id": "no-truth", "text": "e5", "sure": 1})[0] == 400


def test_the_record_of_the_game_is_downloaded(play):
    room = play()
    page, stream = room.open("spectator")
    for line in ("e4", "yes"):
        room.happen(TypedLine(line))
    state = stream.state(lambda state: state["moves_made"])
    assert [one["text"] for one in state["records"]] == ["PGN", "BRF", "PEF"]
    pgn, brf, pef = (page.ask("GET", one["url"], origin=None) for one in state["records"])
    assert b"1. e4" in pgn[2]
    assert pgn[1]["content-disposition"].startswith('attachment; filename="acessivel-')
    assert brf[2].strip()
    assert pef[2].startswith(b"<?xml")
    assert page.ask("GET", "/record/game.sqlite3", origin=None)[0] == 403
    page.cookie = ""
    assert page.ask("GET", state["records"][0]["url"], origin=None)[0] == 403


@pytest.mark.parametrize(
    "happens",
    [
        TypedLine("clock"),
        TypedLine("perhaps"),
        TypedLine("web"),
        DeviceChanged("braille_back"),
        PageNews(Message.of("web_joined_arbiter"), quiet=False),
    ],
    ids=lambda happens: type(happens).__name__,
)
def test_with_two_boards_the_room_is_not_told_which_piece_is_picked(play, happens):
    room = play(two_boards=True)
    room.devices.display_is_private = True
    _, whites = room.open("white")
    _, blacks = room.open("black")
    start = len(room.read(blacks))
    room.loop._input(Pointed("g1"))
    assert not told(room.read(blacks)[start:])
    room.loop._channels.show_pages()
    assert "g1" in whites.state(lambda state: state["asked"])["asked"]["text"]
    lines = [*room.happen(happens), *room.happen(TypedLine("repeat"))]
    assert lines
    for text in (*lines, *told(room.read(blacks)[start:])):
        assert "g1" not in text
        assert "knight" not in text.casefold()
    before = len(room.lines)
    room.loop._input(Pointed("g1"))  # put back
    room.loop._input(Pointed("a1"))  # and one that cannot move
    assert not told(room.read(blacks)[start:])[len(lines) :]
    assert room.lines[before:] == []
