# SPDX-License-Identifier: GPL-3.0-or-later
"""A game at the server: its stream as events, requests in order and once, and what follows a lost answer."""

import time
from dataclasses import replace

import pytest
from support.online import SOON, Reports

from acessivel.clock.computer_sleep import asleep_s
from acessivel.online.reports import Account, OnlineGameEnded
from acessivel.session.effects import AskServer
from acessivel.session.events import (
    NOT_LOGGED_IN,
    OTHER_ACCOUNT,
    Chatted,
    DeviceNews,
    OpponentGone,
    RatingChanged,
    ServerRefused,
    ServerTold,
)


class Player:
    """Somebody in a game, with what is reported to him."""

    def __init__(self, enter, name, game, *, plays_as="", **more):
        self.lobby, self.lobby_reports = enter(name, **more)
        self.events = Reports()
        self.opponent = self.lobby.join(game, plays_as or name, self.events)

    def ask(self, request, **more):
        self.opponent.ask(AskServer(request, **more))

    def told(self, fits=bool):
        """The next state that fits."""
        return self.events.until(lambda event: isinstance(event, ServerTold) and fits(event))


@pytest.fixture
def game(lichess):
    lichess.token("Ana"), lichess.token("Bob")
    return lichess.start("Ana", "Bob", rated=True)


@pytest.fixture
def ana(enter, game):
    player = Player(enter, "Ana", game)
    assert player.told().fresh
    return player


def test_a_move_is_posted_once_and_shown_by_the_stream(lichess, game, ana):
    ana.ask("move", uci="e2e4")
    assert ana.told() == ServerTold(moves=("e2e4",), white_ms=900_000, black_ms=900_000, first_move_ms=30_000)
    lichess.act("Bob", "move", game, "e7e5")
    assert ana.told().moves == ("e2e4", "e7e5")
    assert lichess.asked("POST", f"/api/board/game/{game}/move/e2e4") == 1


@pytest.mark.parametrize("how", ["lost", "dropped", 500])
def test_after_a_move_without_an_answer_a_fresh_state_shows_what_became_of_it(lichess, ana, how):
    lichess.spoil("POST", ".*/move/.*", how)
    ana.ask("move", uci="e2e4")
    assert ana.events.next(ServerRefused) == ServerRefused(request="move")
    fresh = ana.told(lambda told: told.fresh)
    assert fresh.moves == (("e2e4",) if how == "lost" else ())
    assert lichess.asked("POST", ".*/move/.*") == 1


def test_a_refused_move_brings_the_reason_and_then_a_fresh_state(ana):
    ana.ask("move", uci="e2e5")
    refused = ana.events.next(ServerRefused)
    assert refused == ServerRefused(request="move", reason="Piece on e2 cannot move to e5")
    assert ana.told(lambda told: told.fresh).moves == ()


def test_what_is_asked_for_goes_out_in_order_also_behind_a_refused_move(lichess, ana, game):
    ana.ask("move", uci="e2e5")
    ana.ask("chat", text="Hello, und Grüße")
    ana.ask("move", uci="e2e4")
    assert ana.told(lambda told: told.fresh).moves == ("e2e4",)
    assert lichess.games[game].chat == [{"text": "Hello, und Grüße", "user": "Ana"}]
    asked = [path.rpartition("/")[2] for method, path, _ in lichess.requests if method == "POST"]
    assert asked == ["e2e5", "chat", "e2e4"]


def test_a_move_for_which_the_server_wants_a_pause_is_told_as_unanswered_before_a_fresh_state(lichess, ana):
    lichess.spoil("POST", ".*/move/.*", 429)
    ana.ask("move", uci="e2e4")
    assert ana.events.next(DeviceNews) == DeviceNews(key="online_waits")
    assert ana.events.next(ServerRefused) == ServerRefused(request="move")
    assert ana.told(lambda told: told.fresh).moves == ()
    assert lichess.asked("POST", ".*/move/.*") == 1


def test_a_fresh_state_follows_on_every_pause_that_the_server_wants(lichess, ana):
    lichess.spoil("GET", "/api/account/playing", 429)
    ana.lobby.games()
    assert ana.events.next(DeviceNews) == DeviceNews(key="online_waits")
    assert ana.told().fresh


def test_a_move_that_has_not_gone_out_is_never_asked_for_in_another_position(lichess, game, ana):
    for name, uci in (("Ana", "e2e4"), ("Bob", "e7e5")):
        lichess.act(name, "move", game, uci)
    ana.told(lambda told: told.moves == ("e2e4", "e7e5"))
    go_on = lichess.hold_answer("POST", ".*/chat")
    ana.ask("chat", text="hi")
    ana.ask("move", uci="g1f3")
    lichess.act("Ana", "propose_takeback", game, yes=True)
    lichess.act("Bob", "propose_takeback", game, yes=True)
    ana.told(lambda told: not told.moves)
    go_on()
    assert ana.events.next(ServerRefused) == ServerRefused(request="move")
    assert ana.told(lambda told: told.fresh).moves == ()
    assert lichess.asked("POST", ".*/move/.*") == 0


def test_a_stream_that_breaks_in_the_middle_of_a_line_is_opened_again_without_a_word(lichess, enter, game):
    # On a busy machine "soon over" may take longer than other tests wait for.
    ana = Player(enter, "Ana", game, delays=replace(SOON, offline=60))
    assert ana.told().fresh
    lichess.cut()
    lichess.act("Bob", "offer_draw", game, yes=True)
    assert ana.told().fresh
    assert not [event for event in ana.events.all if isinstance(event, DeviceNews | ServerRefused)]


def test_a_server_that_falls_silent_is_told_and_its_return_too(lichess, ana):
    lichess.fall_silent()
    assert ana.events.next(DeviceNews) == DeviceNews(key="online_lost")
    lichess.fall_silent(False)
    assert ana.told().fresh
    assert [event.key for event in ana.events.all if isinstance(event, DeviceNews)][:2] == [
        "online_lost",
        "online_back",
    ]


def test_offers_takebacks_chat_and_the_end_are_told(lichess, game, ana):
    for name, uci in (("Ana", "e2e4"), ("Bob", "e7e5"), ("Ana", "g1f3")):
        lichess.act(name, "move", game, uci)
    lichess.act("Bob", "offer_draw", game, yes=True)
    assert ana.told(lambda told: told.draw).draw == "black"
    ana.ask("draw_no")
    assert ana.told().draw == ""
    lichess.act("Ana", "propose_takeback", game, yes=True)
    assert ana.told(lambda told: told.takeback).takeback == "white"
    lichess.act("Bob", "propose_takeback", game, yes=True)
    assert ana.told().moves == ("e2e4", "e7e5")
    lichess.act("Bob", "say_in_chat", game, "hi")
    lichess.act("Bob", "say_in_chat", game, "who plays?", "spectator")
    lichess.act("Bob", "say_in_chat", game, "bye")
    chat = [
        ana.events.until(lambda event: isinstance(event, Chatted) and event.by != "lichess").text
        for _ in range(2)
    ]
    assert chat == ["hi", "bye"]
    ana.ask("resign")
    end = ana.told()
    assert (end.status, end.winner) == ("resign", "black")
    ana.lobby_reports.next(OnlineGameEnded)
    assert RatingChanged(rating=1494, change=-6) in ana.events.all  # before or after the last state


def test_an_opponent_who_goes_and_comes_back_is_told(lichess, game, ana, enter):
    lichess.tells_return = True
    bob = Player(enter, "Bob", game)
    bob.told()
    bob.opponent.close()
    assert ana.events.next(OpponentGone) == OpponentGone(gone=True, claim_ms=8000)
    Player(enter, "Bob", game).told()
    assert ana.events.next(OpponentGone) == OpponentGone(gone=False)


def test_a_win_is_claimed_when_the_server_allows_it(lichess, game, ana):
    lichess.do(lichess.games[game].leave, "black", 8)
    ana.ask("claim_victory")
    assert ana.events.next(ServerRefused).request == "claim_victory"
    lichess.advance(10)
    ana.ask("claim_victory")
    assert ana.told(lambda told: told.status == "timeout").winner == "white"


def test_a_game_that_is_not_ours_cannot_be_joined(lichess, enter):
    lichess.token("Bob"), lichess.token("Eve")
    player = Player(enter, "Ana", lichess.start("Bob", "Eve"))
    assert player.events.next(ServerRefused) == ServerRefused(request="join", reason="No such game")


def test_a_game_that_is_played_in_another_name_is_not_joined_and_nothing_is_asked_in_it(lichess, enter, game):
    bob = Player(enter, "Bob", game, plays_as="Ana")
    bob.ask("resign")
    assert bob.events.next(ServerRefused) == ServerRefused(request="join", reason=OTHER_ACCOUNT)
    bob.opponent.close()
    assert lichess.asked("POST", f"/api/board/game/{game}/resign") == 0
    assert lichess.asked("GET", f"/api/board/game/stream/{game}") == 0
    assert Player(enter, "bob", game, plays_as="BOB").told().fresh


def test_whose_game_it_is_waits_for_a_server_that_is_away(lichess, enter, game):
    lichess.spoil("GET", "/api/account", "dropped", times=10)
    bob = Player(enter, "Bob", game, plays_as="Ana")
    assert bob.events.next(DeviceNews) == DeviceNews(key="online_lost")
    assert bob.events.next(ServerRefused) == ServerRefused(request="join", reason=OTHER_ACCOUNT)


def test_a_log_in_that_is_withdrawn_during_a_game_is_told_as_that_and_not_as_a_lost_connection(
    lichess, enter, game
):
    ana = Player(enter, "Ana", game, delays=replace(SOON, offline=2))
    ana.told()
    lichess.do(lichess.tokens.clear)
    ana.ask("move", uci="e2e4")
    assert ana.events.next(ServerRefused).request == "move"
    assert ana.events.next(ServerRefused) == ServerRefused(request="join", reason=NOT_LOGGED_IN)
    time.sleep(2.1)
    assert not [event for event in ana.events.all if isinstance(event, DeviceNews)]


def test_what_the_server_says_beyond_the_known_changes_nothing(lichess, game, ana):
    for told in (
        {"type": "newThing", "x": 1},
        {"no": "type"},
        [],
        {"type": "gameState", "moves": 7},
        {"type": "opponentGone", "gone": "yes"},
        {"type": "chatLine", "room": "player", "username": None, "text": "x"},
        {"type": ["gameState"]},
    ):
        lichess.send_in_game(game, told)
    lichess.act("Ana", "move", game, "e2e4")
    assert ana.told().moves == ("e2e4",)
    assert len(ana.events.all) == 2


def test_castling_comes_in_either_notation_and_an_unlimited_game_has_no_clock(lichess, enter):
    game = lichess.start(
        "Ana", "Bob", clock=None, fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", kind="fromPosition"
    )
    ana = Player(enter, "Ana", game)
    ana.told()
    ana.ask("move", uci="e1g1")
    told = ana.told()
    assert (told.moves, told.white_ms, told.black_ms) == (("e1h1",), -1, -1)


def test_what_was_asked_for_is_still_sent_when_the_game_is_left_at_once(lichess, game, ana):
    ana.ask("move", uci="e2e4")
    ana.ask("resign")
    ana.lobby.close()
    assert lichess.games[game].status == "resign"
    assert lichess.moves(game) == ["e2e4"]


def test_each_opening_of_the_stream_ends_in_a_fresh_state(lichess, ana):
    """While a request is on its way the state is not fresh; when it has ended, a fresh one follows."""
    release = lichess.hold("POST", ".*/chat")
    ana.ask("chat", text="hello")
    lichess.until(lambda: lichess.asked("POST", ".*/chat"))
    lichess.cut()
    assert not ana.told().fresh
    release()
    assert ana.told().fresh


def answered_while_opening(lichess, ana, game, request, **more):
    """Ask for something whose answer comes between the opening of the stream and its first line."""
    ana.lobby_reports.next(Account)
    answer = lichess.hold("POST", f".*/{request}")
    ana.ask(request, **more)
    lichess.until(lambda: lichess.asked("POST", f".*/{request}"))
    stream = f"/api/board/game/stream/{game}"
    opened, begin = lichess.asked("GET", stream), lichess.hold("GET", stream)
    lichess.cut()
    lichess.until(lambda: lichess.asked("GET", stream) > opened)
    answer()
    ana.lobby.account()  # asked for after the answer only
    ana.lobby_reports.next(Account)
    begin()


def test_a_fresh_state_follows_also_if_the_request_ends_while_the_stream_is_opened(lichess, game, ana):
    """A move that was announced meanwhile is held until that state, and nothing else would bring it."""
    answered_while_opening(lichess, ana, game, "chat", text="hello")
    assert not ana.told().fresh
    assert ana.told().fresh


def test_a_game_that_ends_while_the_stream_is_opened_is_told_once(lichess, game, ana):
    answered_while_opening(lichess, ana, game, "resign")
    assert ana.told().status == "resign"
    lichess.until(lambda: not lichess.listening("Ana", game))
    ana.lobby.account()
    ana.lobby_reports.next(Account)
    assert [event.status for event in ana.events.all if isinstance(event, ServerTold)][-2:] == [
        "started",
        "resign",
    ]


def test_after_a_refusal_the_stream_is_opened_anew_at_once(enter, game):
    """The server has answered, so nothing is wrong with the line."""
    ana = Player(enter, "Ana", game, delays=replace(SOON, pauses=(0, 0, 60), offline=60))
    assert ana.told().fresh
    for _ in range(4):
        ana.ask("move", uci="e2e5")
        assert ana.told(lambda told: told.fresh).moves == ()


def test_after_a_sleep_of_the_computer_the_stream_is_opened_again_at_once(ana, monkeypatch):
    slept_s = asleep_s() + 3600
    monkeypatch.setattr("acessivel.online.connection.asleep_s", lambda: slept_s)
    assert ana.told().fresh


def test_lines_that_come_in_pieces_are_put_together_whatever_is_in_them(lichess, game, ana):
    lichess.chop = True
    for text in ("você joga bem", "a\u2028b\x85c\x1cd", "♞" * 100, "{}\\n\n"):
        lichess.act("Bob", "say_in_chat", game, text)
        assert ana.events.next(Chatted).text == text


def test_a_line_without_an_end_is_a_broken_stream(lichess, game, ana):
    lichess.send_in_game(game, {"type": "chatLine", "text": "x" * 2**21})
    assert ana.told().fresh


def test_a_stream_that_is_refused_for_too_many_openings_waits_and_goes_on(lichess, ana):
    lichess.spoil("GET", "/api/board/game/stream/.*", 429)
    lichess.cut()
    assert ana.told().fresh
    assert DeviceNews(key="online_waits") in ana.events.all


def test_a_chess960_game_is_played_with_its_castling(lichess, enter):
    game = lichess.start("Ana", "Bob", kind="chess960", fen="1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1")
    ana = Player(enter, "Ana", game)
    ana.told()
    ana.ask("move", uci="e1b1")
    assert ana.told().moves == ("e1b1",)
