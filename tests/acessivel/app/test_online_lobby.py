# SPDX-License-Identifier: GPL-3.0-or-later
"""Between the games online: opponents are sought, challenged, accepted and declined, in the loop, at a fake server."""

import httpx
import pytest
from support.languages import LANGUAGES
from support.lichess import FakeLichess
from support.online_lobby import LobbyTable

from acessivel.app.activity import TypedText
from acessivel.app.online_lobby import LobbyNews
from acessivel.app.watch import WatchActivity
from acessivel.devices.braille_content import Chosen
from acessivel.devices.keyboard import TypedLine
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import catalogue
from acessivel.online.answers import Challenge
from acessivel.online.reports import ChallengeCame, ChallengeGone, Disconnected, GameLookedUp, GamesFound
from acessivel.online.terms import Terms
from braille import displays
from voices.understanding.online_words import OnlineOrder, OnlineWord, read_order


@pytest.fixture
def lichess():
    with FakeLichess(heartbeat_s=0.2) as fake:
        yield fake


@pytest.fixture
def enter(lichess, tmp_path, monkeypatch):
    """Let somebody into the lobby, whose token is in a file of the test's own."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    opened = []

    def into(name="Ana", **more):
        table = LobbyTable(lichess, name, **more)
        opened.append(table)
        if name:
            table.until(f"Logged in as {name}.")
            lichess.until(lambda: lichess.listening(name))
        return table

    yield into
    for table in opened:
        table.close()


@pytest.fixture
def bob(lichess):
    """A second person, who does what the test says."""
    lichess.user("Bob", 1600)
    return "Bob"


def test_play_online_fifteen_ten(enter, lichess, bob):
    ana = enter()
    assert ana.type("play online 15+10") == ["Looking for an opponent: 15+10, casual."]
    lichess.until(lambda: lichess.seeks)
    lichess.start("Ana", bob)
    ana.ends()
    chosen = ana.reception.chosen
    assert (chosen.opponent, chosen.colour, chosen.minutes, chosen.increment) == ("Bob", "white", 15, 10)
    assert ana.reception.under_way is None


def test_what_is_heard_is_asked_back_before_anything_is_sought(enter, lichess):
    ana = enter()
    assert ana.say("play online fifteen ten") == ["15+10, casual?"]
    assert not lichess.seeks
    assert ana.say("no") == ["Not done."]
    ana.say("play online thirty twenty")
    assert ana.say("yes") == ["Looking for an opponent: 30+20, casual."]
    lichess.until(lambda: lichess.seeks)


def test_what_is_said_by_number_is_asked_back_too(enter, lichess, bob):
    ana = enter(opponents=("Bob",))
    assert ana.say("one")[0].startswith("Which time?")
    assert ana.say("one")[0].endswith("casual?")
    ana.say("no")
    ana.type("back")
    ana.type("challenge")
    ana.say("one")
    assert ana.say("fifteen ten") == ["15+10, casual?"]
    ana.say("no")
    lichess.do(lambda: lichess.offer(bob, "Ana"))
    ana.until("challenged by Bob")
    ana.type("challenges")
    assert ana.say("one") == ["Bob, 1600: 15+10, casual?"]
    assert not lichess.seeks
    assert not lichess.games
    ana.say("yes")
    ana.ends()


def test_who_says_log_out_is_asked_back(enter):
    ana = enter()
    assert ana.say("log out") == ["Log out?"]
    assert ana.say("no") == ["Not done."]
    assert ana.reception.logged_in
    ana.say("log out")
    assert ana.say("yes") == ["Logged out."]


@pytest.mark.parametrize(
    ("order", "question"), [("play online fifteen ten", "15+10, casual?"), ("stop", "Do you want to stop?")]
)
def test_news_put_the_open_question_once_more(enter, order, question):
    ana = enter()
    ana.reported.append(Disconnected())
    assert question not in ana.happen(LobbyNews())
    assert ana.say(order)[0] == question
    ana.reported.append(Disconnected())
    assert ana.happen(LobbyNews())[-1] == question


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_with_headphones_an_answer_that_began_before_its_question_was_over_does_not_count(
    enter, lichess, answer
):
    ana = enter(headphones=True)
    assert ana.say("play online fifteen ten") == ["15+10, casual?"]
    assert ana.say(answer, early=True) == [
        "Answer only when you have heard or read the whole question.",
        "15+10, casual?",
    ]
    assert not lichess.seeks
    assert ana.say("yes") == ["Looking for an opponent: 15+10, casual."]


def test_a_yes_that_is_not_sure_enough_for_its_speaker_seeks_nothing(enter, lichess):
    ana = enter()
    ana.devices.least_yes = 1.0
    ana.say("play online fifteen ten")
    assert ana.say("yes")[0] == "I did not understand. Please say it again."
    assert not lichess.seeks


def test_cancel_withdraws_the_search(enter, lichess):
    ana = enter()
    ana.type("play online 15 10 rated")
    lichess.until(lambda: lichess.seeks)
    assert ana.type("cancel") == ["Withdrawn."]
    lichess.until(lambda: not lichess.seeks)
    assert ana.type("cancel") == ["There is nothing to withdraw."]


def test_a_search_by_days_stays_at_the_server_and_cannot_be_withdrawn_here(enter):
    ana = enter()
    ana.type("play online three days")
    assert ana.until("stays at the server")
    assert ana.type("cancel") == ["There is nothing to withdraw."]


def test_a_time_that_the_server_does_not_have_is_refused_with_those_that_it_has(enter, lichess):
    ana = enter()
    ana.type("play online 3 2")
    assert "at least 8 minutes" in ana.until("too fast")
    assert ana.reception.under_way is None
    assert not lichess.seeks


def test_everything_can_be_chosen_by_number_from_lists(enter, lichess):
    ana = enter()
    told = ana.choose("find an opponent")
    assert told[0].startswith("Which time?")
    assert ana.choose("15+10") == ["Looking for an opponent: 15+10, casual."]
    lichess.until(lambda: lichess.seeks)
    ana.type("help")
    assert ana.choose("cancel that") == ["Withdrawn."]


def test_a_number_does_nothing_in_a_list_that_was_not_told(enter, lichess):
    ana = enter()
    ana.choose("find an opponent")
    assert ana.type("1") == ["Looking for an opponent: 10+0, casual."]
    lichess.until(lambda: lichess.seeks)
    for again in ("1", "back"):
        told = ana.type(again)
        assert told[:1] == ["Looking for an opponent: 10+0, casual."]
        assert "1, cancel that" in told[2]
    assert lichess.seeks
    assert ana.type("1") == ["Withdrawn."]


def test_a_line_that_a_page_shows_can_be_pressed_though_it_was_not_told(enter, lichess):
    ana = enter()
    ana.choose("find an opponent")
    ana.type("1")
    lichess.until(lambda: lichess.seeks)
    told = ana.activity.handle(TypedText("1", by="both"), 0)
    assert [message.key for output in told for message in output.messages] == ["lobby_cancelled"]


def test_a_challenge_by_name_is_taken_up(enter, lichess, bob):
    ana = enter()
    assert ana.type("challenge Bob 15+10 white") == ["Bob is challenged: 15+10, casual, you play White."]
    lichess.until(lambda: lichess.challenges)
    (challenge,) = lichess.challenges
    lichess.take(challenge, bob)
    ana.ends()
    assert ana.reception.chosen.colour == "white"


def test_a_challenge_that_is_declined_says_why(enter, lichess, bob):
    ana = enter(opponents=("Bob",))
    assert ana.choose("challenge somebody")[0].startswith("Who is to be challenged?")
    assert ana.choose("Bob")[0].startswith("Which time?")
    ana.type("30 20")
    lichess.until(lambda: lichess.challenges)
    bobs = enter(bob)
    assert (
        bobs.until("challenged") == "You are challenged by Ana, 1500: 30+20, casual. Say accept or decline."
    )
    bobs.type("decline")
    assert ana.until("declined").startswith("The challenge was declined")
    assert ana.reception.under_way is None


def test_nobody_of_that_name_leaves_nothing_under_way(enter):
    ana = enter()
    ana.type("challenge Nobody 15+10")
    assert ana.until("nobody") == "The server knows nobody by the name Nobody."
    assert ana.reception.under_way is None


def test_a_challenge_that_comes_is_accepted(enter, bob):
    ana, bobs = enter(), enter(bob)
    bobs.type("challenge Ana 15+10")
    assert ana.until("challenged").startswith("You are challenged by Bob, 1600: 15+10, casual.")
    ana.type("accept bob")
    ana.ends()
    bobs.ends()
    assert ana.reception.chosen.id == bobs.reception.chosen.id
    assert not ana.reception.challenges


def test_a_challenge_that_cannot_be_played_here_is_told_as_that_and_can_only_be_declined(enter, lichess, bob):
    ana = enter()
    lichess.do(lambda: lichess.offer(bob, "Ana", variant="antichess"))
    came = ana.until("challenged")
    assert came.startswith("You are challenged by Bob, 1600: 15+10, casual, another kind of chess. ")
    assert came.endswith("That cannot be played here: say decline.")
    assert ana.type("accept")[0].startswith("The server does not let this game be played")
    assert "1, decline Bob" in ana.type("challenges")[1]
    assert ana.type("1") == ["The challenge of Bob is declined."]
    lichess.until(lambda: [one["status"] for one in lichess.challenges.values()] == ["declined"])


def test_of_a_challenge_it_is_told_what_kind_of_chess_it_is(enter, lichess, bob):
    ana = enter()
    lichess.do(lambda: lichess.offer(bob, "Ana", variant="chess960"))
    assert ana.until("challenged").startswith(
        "You are challenged by Bob, 1600: 15+10, casual, Chess960. Say "
    )


def test_a_challenge_whose_line_breaks_off_does_not_vanish_without_a_word(enter, bob):
    ana, bobs = enter(), enter(bob)
    ana.type("challenge Bob 15 10")
    bobs.until("challenged")
    while not ana.reception._own:
        ana.loop.take(ana.reports.get(timeout=15))
    ana.reported.append(ChallengeGone(ana.reception._own, "lost"))
    assert ana.happen(LobbyNews()) == ["The challenge was not answered."]


def test_what_becomes_of_a_challenge_made_elsewhere_leaves_what_one_seeks(enter, lichess, bob):
    ana, bobs = enter(), enter(bob)
    ana.type("play online 15 10")
    lichess.until(lambda: lichess.seeks)
    lichess.do(lichess.offer, "Ana", bob)
    bobs.until("challenged")
    bobs.type("decline")
    lichess.until(lambda: "declined" in [one["status"] for one in lichess.challenges.values()])
    lichess.start("Ana", "Carl", days=3)
    ana.until("A game has begun")  # told after that
    assert ana.type("cancel") == ["Withdrawn."]
    lichess.until(lambda: not lichess.seeks)


def test_what_fails_beside_it_leaves_a_challenge(enter, bob):
    ana, bobs = enter(), enter(bob)
    ana.type("challenge Bob 15 10")
    bobs.until("challenged")
    ana.type("watch nobody-there")
    ana.until("No game is found")
    assert ana.type("cancel") == ["Withdrawn."]
    bobs.until("withdrawn")


def test_a_number_is_that_of_the_line_as_it_was_told(enter, lichess, bob):
    lichess.user("Carl")
    ana, bobs, carls = enter(), enter(bob), enter("Carl")
    bobs.type("challenge Ana 30+20")
    ana.until("challenged by Bob")
    carls.type("challenge Ana 3+2")
    ana.until("challenged by Carl")
    assert "accept Bob" in ana.type("challenges")[1]
    bobs.type("cancel")
    ana.until("withdrawn")
    told = ana.type("1")
    assert (told[0], "accept Carl" in told[2]) == ("The list has changed.", True)
    assert not lichess.games
    assert ana.type("1") == ["Accepting the challenge of Carl."]


def test_a_number_to_accept_or_decline_is_that_of_the_line_in_the_list_of_challenges(enter, lichess, bob):
    ana = enter()
    for name in (bob, "Carl"):
        lichess.user(name)
        lichess.do(lambda name=name: lichess.offer(name, "Ana"))
        ana.until(f"challenged by {name}")
    told = ana.type("challenges")
    assert ("2, decline Bob" in told[2], "3, accept Carl" in told[3]) == (True, True)
    for wrong in ("accept 2", "decline 3", "decline 5", "decline 0"):
        assert ana.type(wrong) == told
    assert ana.type("decline 2") == ["The challenge of Bob is declined."]
    assert ana.type("accept 1") == ["Accepting the challenge of Carl."]  # the first of them, out of the list


def test_a_line_that_is_called_otherwise_by_now_is_still_the_same(enter, lichess, bob):
    ana = enter()
    line = next(line for line in ana.type("back") if "my games: 0" in line)
    lichess.start("Ana", bob, days=3)
    ana.until("A game has begun")
    ana.type(line.split(",")[0])
    ana.until("Which game?")


def test_a_challenge_that_came_and_went_during_a_game_is_told_as_over(enter):
    ana = enter()
    came = Challenge(
        "x1",
        "Carl",
        mine=False,
        rating=1500,
        terms=Terms(minutes=15, increment=10),
        speed="rapid",
        variant="standard",
        playable=True,
    )
    ana.type("play online 15 10")
    ana.reported.extend((ChallengeCame(came), ChallengeGone("x1", "expired")))
    told = ana.happen(LobbyNews())
    assert told == ["Meanwhile you were challenged by Carl, 1500: 15+10, casual. That is over."]
    assert ana.reception.under_way


def test_declining_leaves_what_one_seeks(enter, lichess, bob):
    ana, bobs = enter(), enter(bob)
    ana.type("play online 15 10")
    bobs.type("challenge Ana 15+10")
    ana.until("challenged")
    ana.type("decline")
    bobs.until("declined")
    assert ana.type("help")[0].startswith("Looking for an opponent")
    assert ana.type("cancel") == ["Withdrawn."]
    lichess.until(lambda: not lichess.seeks)


def test_what_is_sought_instead_of_a_challenge_can_be_withdrawn(enter, lichess, bob):
    ana, bobs = enter(), enter(bob)
    ana.type("challenge Bob 15 10")
    bobs.until("challenged")
    ana.type("play online 15 10")
    bobs.until("withdrawn")
    lichess.until(lambda: lichess.seeks)
    ana.settle()
    assert ana.type("cancel") == ["Withdrawn."]
    lichess.until(lambda: not lichess.seeks)


def test_the_servers_computer_is_played_at_a_level(enter):
    ana = enter()
    told = ana.choose("play the server's computer")
    assert told[0] == "Which level? Answer with a number."
    ana.choose("level 3")
    ana.type("15 10")
    ana.ends()
    assert ana.reception.chosen.ai == 3


def test_a_link_for_a_friend_is_told(enter, lichess):
    ana = enter()
    ana.type("link for a friend 15 10")
    assert lichess.url in ana.until("Send this link")


def test_a_link_that_is_withdrawn_while_it_is_made_is_not_told(enter, lichess):
    ana = enter()
    go_on = lichess.hold_answer("POST", "/api/challenge/open")
    ana.type("link for a friend 15 10")
    lichess.until(lambda: lichess.challenges)
    assert ana.type("cancel") == ["Withdrawn."]
    go_on()
    (challenge,) = lichess.challenges.values()
    lichess.until(lambda: challenge["status"] == "canceled")
    ana.settle()
    assert "Send this link" not in " ".join(ana.lines)


def test_games_that_wait_are_played_one_after_the_other(enter, lichess, bob):
    first = lichess.start("Ana", bob, days=3)
    second = lichess.start("Ana", "Carl", days=3)
    other = lichess.start("Dora", "Ana", days=3)
    lichess.act("Dora", "move", other, "e2e4")
    ana = enter()
    assert ana.until("wait for your move") == "3 games wait for your move: say next game."
    ana.type("next game")
    ana.ends()
    assert ana.reception.chosen.id in (first, second, other)
    assert not ana.reception.chosen.clocked
    ana.loop.begin(ana.activity)
    assert ana.lines[-1] == "Online. For the list, say help."
    ana.type("my games")
    ana.until("Which game? Answer with a number.")
    assert any("Carl" in line and "your move" in line for line in ana.lines)


def test_games_are_listed_as_they_are_by_then(enter, lichess, bob):
    game = lichess.start("Ana", bob, days=3)
    lichess.act("Ana", "move", game, "e2e4")
    ana = enter()
    ana.type("my games")
    ana.until("Bob, 1600, not your move")
    lichess.act("Bob", "move", game, "e7e5")
    ana.type("my games")
    ana.until("Bob, 1600, your move")


def test_the_next_game_is_one_that_waits_by_then(enter, lichess, bob):
    game = lichess.start("Ana", bob, days=3)
    lichess.act("Ana", "move", game, "e2e4")
    ana = enter()
    ana.type("next game")
    ana.until("No game waits for your move.")
    lichess.act("Bob", "move", game, "e7e5")
    ana.type("next game")
    ana.ends()
    assert ana.reception.chosen.id == game


def test_the_answer_to_an_earlier_question_is_none_to_this_one(enter):
    ana = enter()
    ana.settle()
    ana.type("my games")
    while ana.reception.awaits:
        ana.loop.take(ana.reports.get(timeout=15))
    for _ in range(2):
        ana.reception.refresh()
    ana.reception.take(GamesFound(()))
    assert ana.reception.awaits
    ana.reception.take(GamesFound(()))
    assert not ana.reception.awaits


def test_games_that_cannot_be_asked_for_are_told_as_they_were(enter, lichess, bob):
    lichess.start("Ana", bob, days=3)
    ana = enter()
    ana.until("waits for your move")
    lichess.spoil("GET", "/api/account/playing", 500)
    ana.type("my games")
    ana.until("has a fault just now")
    ana.until("Bob, 1600, your move")


def test_no_game_with_a_clock_is_sought_on_while_another_is_played(enter, lichess, bob):
    lichess.start("Ana", bob, days=3)
    ana = enter()
    ana.until("waits for your move")
    ana.type("play online 15 10")
    lichess.until(lambda: lichess.seeks)
    ana.type("next game")
    ana.ends()
    assert "Withdrawn." in ana.lines
    lichess.until(lambda: not lichess.seeks)


@pytest.mark.parametrize("wish", ["play online 15 10", "challenge Carl 15 10"])
def test_nothing_is_sought_on_once_a_challenge_is_accepted(enter, lichess, bob, wish):
    lichess.user("Carl")
    ana, bobs = enter(), enter(bob)
    ana.type(wish)
    lichess.until(lambda: lichess.seeks or lichess.challenges)
    bobs.type("challenge Ana 15 10")
    ana.until("challenged by Bob")
    assert ana.type("accept") == ["Withdrawn.", "Accepting the challenge of Bob."]
    ana.ends()
    assert ana.reception.chosen.opponent == "Bob"
    lichess.until(lambda: not lichess.seeks)
    lichess.until(lambda: "created" not in [one["status"] for one in lichess.challenges.values()])


@pytest.mark.parametrize("wish", ["play online 15 10", "challenge Carl 15 10", "link for a friend 15 10"])
def test_nothing_is_sought_on_once_a_game_with_a_clock_has_begun(enter, lichess, bob, wish):
    lichess.user("Carl")
    ana = enter()
    ana.type(wish)
    lichess.until(lambda: lichess.seeks or lichess.challenges)
    if "link" in wish:
        ana.until("Send this link")
    lichess.start("Ana", bob)
    ana.ends()
    lichess.until(lambda: not lichess.seeks)
    lichess.until(lambda: "created" not in [one["status"] for one in lichess.challenges.values()])


def test_a_game_by_days_that_begins_leaves_what_one_seeks(enter, lichess, bob):
    ana = enter()
    ana.type("play online 15 10")
    lichess.until(lambda: lichess.seeks)
    lichess.start("Ana", bob, days=3)
    ana.until("A game has begun: Bob")
    assert lichess.seeks
    assert ana.reception.under_way


def test_a_game_whose_clock_runs_is_gone_into_at_once(enter, lichess, bob):
    running = lichess.start("Ana", bob)
    ana = enter()
    ana.ends()
    assert ana.reception.chosen.id == running
    assert ana.reception.chosen.minutes == 15


def test_what_comes_during_a_game_is_told_after_it(enter, bob):
    ana, bobs = enter(), enter(bob)
    ana.type("computer 1 15 10")
    ana.ends()
    bobs.type("challenge Ana 30+20")
    while not any(isinstance(report, ChallengeCame) for report in ana.reported):
        ana.reports.get(timeout=15)  # the game is told that there is news, which means nothing to it
    ana.loop.begin(ana.activity)
    assert "You are challenged by Bob" in " ".join(ana.lines[-2:])


def test_a_lost_line_is_told_and_so_is_its_return(enter, lichess):
    ana = enter()
    lichess.spoil("GET", "/api/stream/event", 500, times=3)
    lichess.cut()
    ana.until("The server cannot be reached just now")
    ana.until("The server is back.")


def test_without_an_account_everything_else_waits_for_it(enter):
    nobody = enter("")
    assert nobody.lines[0].startswith("You are not logged in.")
    assert nobody.type("play online 15 10") == ["First log in: say log in."]


def test_a_pasted_token_logs_in_and_logging_out_revokes_it(enter, lichess):
    nobody = enter("")
    token = lichess.token("Ana")
    nobody.type("log in")
    assert nobody.type(token) == ["The token is being checked."]
    nobody.until("The token is in a file that only you can read.")
    lichess.until(lambda: lichess.listening("Ana"))
    assert token not in " ".join(nobody.lines)
    assert nobody.type("log out") == ["Logged out."]
    lichess.until(lambda: token not in lichess.tokens)


def test_a_log_in_that_cannot_be_kept_is_told_and_can_be_tried_again(enter, lichess, tmp_path):
    nobody = enter("")
    data = tmp_path / "XDG_DATA_HOME"
    data.write_text("a file where the folder should be")
    nobody.type("log in")
    nobody.type(lichess.token("Ana"))
    nobody.until("The log-in cannot be kept in")
    assert not nobody.reception.logged_in
    data.unlink()
    nobody.type("log in")
    nobody.type(lichess.token("Ana"))
    nobody.until("Logged in as Ana.")


def test_whoever_logs_out_is_told_what_is_not_forgotten(enter, lichess, monkeypatch):
    ana = enter()
    lichess.spoil("DELETE", "/api/token", 500)

    def stays(*_):
        raise UserError(Message.of("online_not_forgotten", file="logins.json", reason="full"))

    monkeypatch.setattr("acessivel.online.credentials._write", stays)
    assert ana.type("log out") == [
        "The log-in cannot be removed from logins.json: full.",
        "Logged out.",
    ]
    assert not ana.reception.logged_in
    ana.until("The server may still accept the log-in")


@pytest.mark.parametrize("place", ["challenge", "watch"])
@pytest.mark.parametrize(
    ("typed", "again"),
    [("help", True), ("repeat", True), ("Stop.", False), ("games", False), ("seek", False)],
)
def test_an_order_that_is_typed_where_a_name_can_be_is_no_name(enter, place, typed, again):
    ana = enter()
    asked = ana.type(place)[0]
    told = ana.type(typed)
    assert (told[:1] == [asked]) is again
    if typed == "Stop.":
        ana.type("yes")
        assert ana.activity.over
    assert ana.reception.under_way is None


def test_who_has_left_is_not_held_back_by_what_is_reported_then(enter):
    ana = enter()
    ana.type("Stop.")
    ana.loop.take(TypedLine("yes"))
    ana.loop.report(LobbyNews())
    ana.settle()
    assert ana.activity.over


def test_help_is_no_token(enter):
    nobody = enter("")
    asked = nobody.type("log in")
    assert nobody.type("help")[0] in asked


def test_a_wrong_token_is_refused_in_one_sentence(enter):
    nobody = enter("")
    nobody.type("log in")
    nobody.type("lip_wrong")
    assert nobody.until("The server does not know this token.")


def test_a_number_is_no_token(enter):
    nobody = enter("")
    nobody.type("log in")
    assert "1, log in" in nobody.choose("back")


def test_the_servers_computer_is_never_said_to_be_rated(enter):
    ana = enter()
    assert ana.type("computer 3 15 10 rated") == ["Against the computer, level 3: 15+10, casual."]


def test_what_is_wished_holds_for_the_games_that_follow(enter):
    ana = enter()
    assert ana.choose("kind of game: casual")[0] == "From now on: rated, either colour."
    ana.choose("colour: by lot")
    assert ana.type("play online 15 10") == ["Looking for an opponent: 15+10, rated, you play White."]


def test_what_is_said_of_one_game_holds_for_that_alone(enter):
    ana = enter()
    assert ana.type("challenge Bob black rated")[0].startswith("Which time?")
    assert ana.type("15 10") == ["Bob is challenged: 15+10, rated, you play Black."]
    ana.type("cancel")
    assert ana.type("play online 15 10") == ["Looking for an opponent: 15+10, casual."]


@pytest.mark.parametrize("order", ["computer 3 0+0", "challenge Bob 0+0", "play online 0+0"])
def test_no_time_at_all_is_too_fast_and_no_game_without_a_clock(enter, order):
    ana = enter()
    assert "too fast" in ana.type(order)[0]
    assert ana.reception.under_way is None


def test_of_two_games_that_are_chosen_the_last_is_gone_into(enter, lichess, bob):
    for name in (bob, "Carl"):
        lichess.start("Ana", name, days=3)
    ana = enter()
    ana.until("wait for your move")
    bobs, carls = (next(one for one in ana.reception.games if one.opponent == name) for name in (bob, "Carl"))
    for one in (bobs, carls):
        ana.reception.play(one)
    for one in (bobs, carls, bobs):
        ana.reception.take(GameLookedUp(one))
    assert ana.reception.chosen == carls


def test_leaving_withdraws_what_is_sought(enter, lichess):
    ana = enter()
    ana.type("play online 15 10")
    lichess.until(lambda: lichess.seeks)
    ana.type("stop")
    ana.type("yes")
    assert ana.activity.over
    ana.loop._channels.do(ana.activity.leave(0))
    lichess.until(lambda: not lichess.seeks)


def test_a_game_of_others_is_watched_as_it_is_played(enter, lichess, bob):
    game = lichess.start("Carl", "Dora")

    def play(*moves):  # what is watched comes three half-moves late
        for number, uci in enumerate(moves, len(lichess.moves(game))):
            lichess.act("Dora" if number % 2 else "Carl", "move", game, uci)

    play("e2e4", "e7e5", "g1f3", "b8c6")
    ana = enter()
    ana.type(f"watch {game}")
    ana.ends()
    watch = WatchActivity(ana.reception, ana.reported, ana.reception.watched, ("en", "letters"))
    ana.loop.begin(watch)
    assert ana.until("Carl - Dora")
    play("f1b5", "a7a6")
    ana.until("Black: pawn e7 e5")
    ana.until("White: knight g1 f3")
    ana.type("backward")
    play("b5a4")
    enter(bob).type("challenge Ana 15+10")
    ana.until("You are challenged by Bob")
    assert not any("b8 c6" in line for line in ana.lines)
    ana.type("final position")
    ana.until("b8 c6")
    lichess.act("Carl", "resign", game)
    assert "Black" in ana.until("End of the game")


def test_a_line_of_the_list_is_pressed_on_the_display(enter, lichess):
    ana = enter(size=(4, 80))
    layout = ana.devices.panel._layout
    cell = next(cell for cell in range(4 * 80) if layout.mark(cell) == Chosen("1"))
    told = ana.happen(displays.Pressed(displays.RoutingKey(cell)))
    assert told[0].startswith("Which time?")
    ana.happen(displays.Pressed(displays.NamedKey.ESCAPE))
    assert ana.activity._place == "home"
    assert not lichess.seeks


def test_a_key_changes_how_it_speaks_here_too(enter):
    ana = enter()
    assert ana.happen(displays.Pressed(displays.AltKey("+")))[0] == "Rate: 115 percent."
    assert ana.loop.devices.preferences.voice.rate == 115


def test_logging_in_with_the_browser_leads_into_the_lobby(enter, monkeypatch):
    opened = []
    monkeypatch.setattr("acessivel.devices.browser.open_address", opened.append)
    nobody = enter("")
    told = nobody.type("log in")
    (address,) = opened
    assert address in told[0]
    assert httpx.get(address, follow_redirects=True, trust_env=False).is_success
    nobody.until("The token is in a file that only you can read.")
    assert nobody.reception.logged_in
    nobody.until("1, find an opponent")
    assert nobody.type("play online 15 10") == ["Looking for an opponent: 15+10, casual."]
    assert nobody.activity._place == "home"


def test_where_a_token_to_paste_is_made_is_told(enter, lichess, monkeypatch):
    monkeypatch.setattr("acessivel.devices.browser.open_address", lambda _: None)
    told = " ".join(enter("").type("log in"))
    assert f"{lichess.url}/account/oauth/token/create?scopes%5B%5D=board%3Aplay" in told


def test_a_login_that_is_denied_in_the_browser_is_told(enter, lichess, monkeypatch):
    opened = []
    monkeypatch.setattr("acessivel.devices.browser.open_address", opened.append)
    lichess.denies_login = True
    nobody = enter("")
    nobody.type("log in")
    httpx.get(opened[0], follow_redirects=True, trust_env=False)
    nobody.until("The log-in was refused in the browser.")
    assert not nobody.reception.logged_in


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "word", ["log_in", "cancel", "seek", "challenge", "computer", "link", "watch", "log_out"]
)
def test_a_line_of_the_list_can_be_typed_as_it_is_told(language, word):
    line = catalogue(language)[f"lobby_do_{word}"]
    assert read_order(line, language, "fide") == OnlineOrder(OnlineWord[word.upper()])
