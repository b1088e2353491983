# SPDX-License-Identifier: GPL-3.0-or-later
"""Outside a game: seeks, challenges, games and links, and one sentence for each thing that goes wrong."""

import asyncio

import pytest
from starlette.responses import JSONResponse
from support.languages import LANGUAGES
from support.lichess import FakeLichess
from support.online import SOON, Reports

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.online import reports as told
from acessivel.online.client import Client
from acessivel.online.lobby import Lobby
from acessivel.online.terms import Terms

RAPID = Terms(minutes=15, increment=10)


def trouble(reports):
    """The next sentence about something that has failed; it can be said in every language."""
    message = reports.next(told.OnlineTrouble).message
    assert all(Renderer(language).text(message) for language in LANGUAGES)
    return message


def test_who_is_there_is_told_at_once(enter):
    _, reports = enter("Ana", rating=1700)
    account = reports.next(told.Account).account
    assert (account.name, account.ratings["rapid"]) == ("Ana", 1700)
    reports.next(told.Connected)


def test_two_seeks_become_a_game_with_all_that_is_known_of_it(enter):
    (ana, anas), (bob, bobs) = enter("Ana"), enter("Bob")
    ana.seek(Terms(15, 10, rated=True, colour="black", ratings=(1400, 1600)))
    assert anas.next(told.SeekBegan).terms.rated
    bob.seek(Terms(15, 10, rated=True))
    game = anas.next(told.GameBegan).game
    assert (game.colour, game.opponent, game.rating, game.rated) == ("black", "Bob", 1500, True)
    assert (game.minutes, game.increment, game.speed, game.playable) == (15, 10, "rapid", True)
    assert bobs.next(told.SeekEnded).why == "paired"
    assert bobs.next(told.GameBegan).game.id == game.id


def test_a_seek_that_is_cancelled_is_gone_at_the_server(lichess, enter):
    ana, reports = enter("Ana")
    ana.seek(RAPID)
    reports.next(told.SeekBegan)
    ana.cancel()
    assert reports.next(told.SeekEnded).why == "cancelled"
    lichess.until(lambda: not lichess.seeks)


def test_a_seek_whose_stream_breaks_goes_on(lichess, enter):
    (ana, anas), (bob, _) = enter("Ana"), enter("Bob")
    ana.seek(RAPID)
    anas.next(told.SeekBegan)
    lichess.cut()
    lichess.until(lambda: lichess.asked("POST", "/api/board/seek") == 2)
    bob.seek(RAPID)
    assert anas.next(told.GameBegan).game.opponent == "Bob"
    assert sum(isinstance(one, told.SeekBegan) for one in anas.all) == 1


def test_a_seek_that_the_server_ends_is_over(lichess, enter):
    ana, reports = enter("Ana")
    ana.seek(RAPID)
    reports.next(told.SeekBegan)
    lichess.do(lichess.seeks[0]["stream"].end)
    assert reports.next(told.SeekEnded).why == "expired"


def test_a_correspondence_seek_stays_at_the_server(lichess, enter):
    ana, reports = enter("Ana")
    ana.seek(Terms(days=3))
    reports.next(told.SeekBegan)
    ana.close()
    assert lichess.seeks[0]["days"] == 3


@pytest.mark.parametrize("terms", [RAPID, Terms(days=2), Terms()])
def test_a_challenge_is_accepted_and_begins_a_game(enter, terms):
    (ana, anas), (bob, bobs) = enter("Ana"), enter("Bob")
    bobs.next(told.Connected)
    ana.challenge("bob", terms)
    came = bobs.next(told.ChallengeCame).challenge
    assert (came.name, came.mine, came.terms, came.playable) == ("Ana", False, terms, True)
    sent = anas.next(told.ChallengeSent).challenge
    assert (sent.id, sent.name, sent.mine) == (came.id, "Bob", True)
    bob.accept(came.id)
    assert anas.next(told.GameBegan).game.id == came.id
    assert bobs.next(told.GameBegan).game.days == terms.days
    assert not any(isinstance(one, told.ChallengeGone) for one in anas.all + bobs.all)


@pytest.mark.parametrize("terms", [RAPID, Terms(days=2)])
def test_a_challenge_is_declined_with_a_reason(enter, terms):
    (ana, anas), (bob, bobs) = enter("Ana"), enter("Bob")
    anas.next(told.Connected)
    ana.challenge("Bob", terms)
    bob.decline(id_ := bobs.next(told.ChallengeCame).challenge.id, "tooFast")
    assert anas.next(told.ChallengeGone) == told.ChallengeGone(id_, "declined", "toofast")
    assert bobs.next(told.ChallengeGone).why == "declined"


@pytest.mark.parametrize("terms", [RAPID, Terms(days=2)])
def test_a_challenge_is_withdrawn_on_both_sides(enter, terms):
    (ana, anas), (_, bobs) = enter("Ana"), enter("Bob")
    ana.challenge("Bob", terms)
    anas.next(told.ChallengeSent)
    id_ = bobs.next(told.ChallengeCame).challenge.id
    ana.cancel()
    for reports in (anas, bobs):
        assert reports.next(told.ChallengeGone) == told.ChallengeGone(id_, "cancelled")


@pytest.fixture
def unanswered(monkeypatch):
    """Lets an answer wait: it has been done at the server, and who wants it is told so by the stream alone."""
    answers, post = asyncio.Event(), Client.post

    async def late(self, path, body=None):
        answer = await post(self, path, body)
        if path in ("/api/challenge/Bob", "/api/board/seek"):
            await answers.wait()
        return answer

    monkeypatch.setattr(Client, "post", late)
    return answers


def test_a_challenge_that_is_cancelled_before_the_server_answers_is_withdrawn(enter, unanswered):
    (ana, anas), (_, bobs) = enter("Ana"), enter("Bob")
    ana.challenge("Bob", Terms(days=2))
    anas.next(told.ChallengeSent)
    ana.cancel()
    ana._connection.soon(unanswered.set)
    id_ = bobs.next(told.ChallengeCame).challenge.id
    for reports in (anas, bobs):
        assert reports.next(told.ChallengeGone) == told.ChallengeGone(id_, "cancelled")


def test_a_link_that_is_cancelled_while_it_is_made_is_withdrawn(lichess, enter):
    ana, reports = enter("Ana")
    reports.next(told.Connected)
    go_on = lichess.hold_answer("POST", "/api/challenge/open")
    ana.open_challenge(RAPID)
    lichess.until(lambda: lichess.challenges)
    ana.cancel()
    go_on()
    (challenge,) = lichess.challenges.values()
    lichess.until(lambda: challenge["status"] == "canceled")


def test_what_is_withdrawn_at_the_end_is_gone_at_the_server(lichess, enter):
    lichess.token("Bob")
    ana, reports = enter("Ana")
    ana.challenge("Bob", Terms(days=2))
    challenge = lichess.challenges[reports.next(told.ChallengeSent).challenge.id]
    ana.cancel()
    ana.close()
    assert challenge["status"] == "canceled"


def test_cancelling_a_challenge_that_the_server_refuses_withdraws_no_other(lichess, enter, monkeypatch):
    (ana, anas), (bob, bobs) = enter("Ana"), enter("Bob")
    ana.challenge("Bob", Terms(days=2))
    anas.next(told.ChallengeSent)
    asked, refuse, post = asyncio.Event(), asyncio.Event(), Client.post

    async def late(self, path, body=None):
        if path.endswith("/nobody"):
            asked.set()
            await refuse.wait()
        return await post(self, path, body)

    monkeypatch.setattr(Client, "post", late)
    ana.challenge("nobody", Terms(days=2))
    lichess.until(asked.is_set)
    ana.cancel()
    ana._connection.soon(refuse.set)
    assert trouble(anas) == Message.of("online_nobody", name="nobody")
    ana.account()  # it is answered after what was asked before
    anas.next(told.Account)
    bob.accept(bobs.next(told.ChallengeCame).challenge.id)
    anas.next(told.GameBegan)


def test_a_seek_that_is_cancelled_too_late_is_told_to_stand(lichess, enter, unanswered):
    ana, reports = enter("Ana")
    ana.seek(Terms(days=2))
    lichess.until(lambda: lichess.seeks)
    ana.cancel()
    ana._connection.soon(unanswered.set)
    assert reports.next(told.SeekBegan).terms.days == 2


def test_a_challenge_that_stands_no_more_cannot_be_taken(enter):
    (ana, anas), (bob, bobs) = enter("Ana"), enter("Bob")
    ana.challenge("Bob", RAPID)
    id_ = bobs.next(told.ChallengeCame).challenge.id
    anas.next(told.ChallengeSent)  # what is withdrawn before that is not told again
    ana.cancel()
    anas.next(told.ChallengeGone)
    bob.accept(id_)
    assert trouble(bobs) == Message.of("online_challenge_gone")


def test_a_challenge_that_expires_is_told_to_who_was_challenged(lichess, enter):
    _, bobs = enter("Bob")
    bobs.next(told.Connected)
    lichess.do(lambda: lichess.offer("Ana", "Bob"))
    id_ = bobs.next(told.ChallengeCame).challenge.id
    lichess.advance(21)
    assert bobs.next(told.ChallengeGone) == told.ChallengeGone(id_, "cancelled")


def test_a_challenge_in_another_variant_or_too_fast_cannot_be_played_here(lichess, enter):
    _, bobs = enter("Bob")
    bobs.next(told.Connected)
    lichess.do(lambda: lichess.offer("Ana", "Bob", variant="atomic"))
    assert not bobs.next(told.ChallengeCame).challenge.playable


def test_the_engine_of_the_server_plays(enter):
    ana, reports = enter("Ana")
    ana.ai(3, Terms(colour="white", minutes=5))
    game = reports.next(told.GameBegan).game
    assert (game.ai, game.colour, game.minutes, game.playable) == (3, "white", 5, True)


def test_whoever_opens_the_link_plays_against_us(lichess, enter):
    ana, reports = enter("Ana")
    ana.open_challenge(Terms(minutes=10, colour="black"))
    link = reports.next(told.LinkMade)
    assert link.url.startswith(lichess.url)
    lichess.take(link.id, "Friend")
    game = reports.next(told.GameBegan).game
    assert (game.opponent, game.colour) == ("Friend", "black")


def test_our_games_are_listed_most_urgent_first_and_looked_up(lichess, enter):
    lichess.token("Ana"), lichess.token("Bob")
    slow, quick, ours = (
        lichess.start("Ana", "Bob", days=3),
        lichess.start("Ana", "Bob"),
        lichess.start("Bob", "Ana", days=1),
    )
    ana, reports = enter("Ana")
    reports.next(told.Connected)
    ana.games()
    games = reports.next(told.GamesFound).games
    assert [game.id for game in games] == [quick, slow, ours]
    assert [game.my_turn for game in games] == [True, True, False]
    ana.look_up(quick)
    assert reports.next(told.GameLookedUp).game.minutes == 15
    assert not any(isinstance(one, told.GameBegan) for one in reports.all)


def test_a_game_that_begins_while_the_line_is_down_is_told_when_it_is_back(lichess, enter):
    _, reports = enter("Ana")
    reports.next(told.Connected)
    lichess.fall_silent()
    lichess.token("Bob")
    game = lichess.start("Bob", "Ana")
    reports.next(told.Disconnected)
    lichess.fall_silent(False)
    assert reports.next(told.GameBegan).game.id == game


def test_a_game_that_ends_is_told_with_the_new_rating(lichess, enter):
    lichess.token("Bob")
    _, reports = enter("Ana")
    reports.next(told.Connected)
    game = lichess.start("Ana", "Bob", rated=True)
    lichess.act("Bob", "resign", game)
    ended = reports.next(told.OnlineGameEnded).game
    assert (ended.id, ended.status, ended.winner, ended.rating.rating, ended.rating.change) == (
        game,
        "resign",
        "white",
        1506,
        6,
    )


def test_somebody_else_with_the_same_token_is_told_instead_of_a_quarrel(lichess, enter):
    token = lichess.token("Ana")
    lichess.token = lambda *_: token
    _, first = enter("Ana")
    first.next(told.Connected)
    enter("Ana")
    assert first.until(lambda one: isinstance(one, told.OnlineTrouble)).message == Message.of(
        "online_elsewhere"
    )


def test_a_game_of_others_is_watched_move_by_move_and_late(lichess, enter):
    lichess.token("Bob"), lichess.token("Eve")
    game = lichess.start("Bob", "Eve")
    ana, reports = enter("Ana")
    ana.watch("bob")
    watched = reports.next(told.Watched)
    assert (watched.id, watched.white, watched.black, watched.moves) == (game, "Bob", "Eve", ())
    for name, uci in zip(("Bob", "Eve") * 2, "f2f3 e7e5 g2g4 d8h4".split(), strict=True):
        lichess.act(name, "move", game, uci)
    end = reports.until(lambda one: isinstance(one, told.Watched) and one.over)
    assert (end.over, end.winner, len(end.moves), end.white_s > 900) == ("mate", "black", 4, True)
    counts = [len(one.moves) for one in reports.all if isinstance(one, told.Watched)]
    assert counts == sorted(counts)


@pytest.mark.parametrize("wanted", ["{id}", "{url}/{id}", "{url}/{id}/black", "{url}/{id}abcd"])
def test_a_game_is_watched_by_its_id_or_address(lichess, enter, wanted):
    lichess.token("Bob"), lichess.token("Eve")
    game = lichess.start("Bob", "Eve")
    ana, reports = enter("Ana")
    ana.watch(wanted.format(id=game, url=lichess.url))
    assert reports.next(told.Watched).id == game


def test_of_a_game_that_is_over_all_moves_are_told(lichess, enter):
    game = lichess.start("Bob", "Eve")
    lichess.act("Bob", "move", game, "e2e4")
    lichess.act("Eve", "move", game, "e7e5")
    lichess.act("Bob", "resign", game)
    ana, reports = enter("Ana")
    ana.watch("bob")
    while not (watched := reports.next(told.Watched)).over:
        pass
    assert (watched.moves, watched.over, watched.winner) == (("e2e4", "e7e5"), "resign", "black")


def test_our_own_game_is_not_watched(lichess, enter):
    lichess.token("Bob")
    game = lichess.start("Ana", "Bob")
    ana, reports = enter("Ana")
    reports.next(told.Connected)
    for wanted in ("Bob", game):
        ana.watch(wanted)
        assert trouble(reports) == Message.of("online_watch_own")
    ana.watch("nobody-there")
    assert trouble(reports) == Message.of("online_nothing_to_watch", wanted="nobody-there")


# What goes wrong

SEEKS = [
    (Terms(5, 0), Message.of("online_seek_too_fast")),
    (Terms(3, 7), Message.of("online_seek_too_fast")),
    (Terms(7.5, 5), Message.of("online_minutes", most=180)),
    (Terms(200, 5), Message.of("online_minutes", most=180)),
    (Terms(15, 181), Message.of("online_increment", most=180)),
    (Terms(days=4), Message.of("online_which_days", days=("1", "2", "3", "5", "7", "10", "14"))),
    (Terms(), Message.of("online_which_days", days=("1", "2", "3", "5", "7", "10", "14"))),
    (Terms(15, 10, ratings=(1800, 1500)), Message.of("online_ratings", low=1800, high=1500)),
]
CHALLENGES = [
    (Terms(2, 1), Message.of("online_challenge_too_fast")),
    (Terms(0.5, 3), Message.of("online_challenge_too_fast")),
    (Terms(15, 61), Message.of("online_increment", most=60)),
    (Terms(rated=True), Message.of("online_unlimited_rated")),
    (Terms(days=4), Message.of("online_which_days", days=("1", "2", "3", "5", "7", "10", "14"))),
]


@pytest.mark.parametrize(("terms", "why"), SEEKS)
def test_a_seek_that_the_server_does_not_have_is_told_with_what_it_has(lichess, enter, terms, why):
    ana, reports = enter("Ana")
    ana.seek(terms)
    assert reports.next(told.SeekEnded).why == "refused"
    assert trouble(reports) == why
    assert not lichess.asked("POST", ".*")


@pytest.mark.parametrize(("terms", "why"), CHALLENGES)
def test_a_challenge_that_the_server_does_not_have_is_told_with_what_it_has(lichess, enter, terms, why):
    lichess.token("Bob")
    ana, reports = enter("Ana")
    for offer in (
        lambda: ana.challenge("Bob", terms),
        lambda: ana.ai(1, terms),
        lambda: ana.open_challenge(terms),
    ):
        offer()
        assert trouble(reports) == why
    assert not lichess.asked("POST", ".*")


@pytest.mark.parametrize(
    "terms", [Terms(8), Terms(5, 5), Terms(3, 8), Terms(0, 12), Terms(180, 180), Terms(days=14)]
)
def test_what_the_sentences_call_possible_the_server_takes(enter, terms):
    ana, reports = enter("Ana")
    ana.seek(terms)
    reports.next(told.SeekBegan)


@pytest.mark.parametrize(
    "terms", [Terms(3), Terms(2, 2), Terms(1, 3), Terms(1.5, 3), Terms(180, 60), Terms(days=14), Terms()]
)
def test_what_the_sentences_call_possible_the_server_plays(enter, terms):
    ana, reports = enter("Ana")
    ana.ai(1, terms)
    reports.next(told.GameBegan)


@pytest.mark.parametrize("name", ["nobody", "ai", "open", "a/../b", "", "x" * 40])
def test_nobody_of_that_name(enter, name):
    ana, reports = enter("Ana")
    ana.challenge(name, RAPID)
    assert reports.next(told.ChallengeGone) == told.ChallengeGone("", "refused")
    assert trouble(reports) == Message.of("online_nobody", name=name)


def test_a_wrong_token(lichess, enter):
    token = lichess.token("Ana")
    del lichess.tokens[token]
    lichess.token = lambda *_: token
    _, reports = enter("Ana")
    assert trouble(reports) == Message.of("online_token_refused")


def test_with_a_token_that_is_refused_nothing_is_sought(lichess, enter):
    ana, reports = enter("Ana")
    reports.next(told.Connected)
    lichess.do(lichess.tokens.clear)
    lichess.cut()
    assert trouble(reports) == Message.of("online_token_refused")
    ana.seek(RAPID)
    assert reports.next(told.SeekEnded).why == "refused"
    assert trouble(reports) == Message.of("online_token_refused")


def test_a_token_that_may_not_play(enter):
    ana, reports = enter("Ana", scopes="puzzle:read")
    assert trouble(reports) == Message.of("online_scope_missing")
    ana.ai(1, Terms())
    assert trouble(reports) == Message.of("online_scope_missing")


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (500, "online_fault"),
        (503, "online_fault"),
        ("lost", "online_unreachable"),
        ("dropped", "online_unreachable"),
    ],
)
def test_a_server_in_trouble(lichess, enter, how, why):
    ana, reports = enter("Ana")
    reports.next(told.Connected)
    for path, do in (
        (".*/seek", lambda: ana.seek(Terms(days=1))),
        (".*/ai", lambda: ana.ai(1, Terms())),
        (".*/playing", ana.games),
    ):
        lichess.spoil("GET" if path == ".*/playing" else "POST", path, how)
        do()
        assert trouble(reports) == Message.of(why, server=lichess.url)


def test_what_the_server_refuses_in_its_own_words(lichess, enter):
    lichess.token("Bob")
    ana, reports = enter("Ana")
    for error, reason in (
        ("Bob does not accept challenges", "Bob does not accept challenges"),
        ({"a": ["x", "y"]}, "a: x, y"),
    ):
        lichess.spoil(
            "POST", "/api/challenge/Bob", lambda _, error=error: JSONResponse({"error": error}, 400)
        )
        ana.challenge("Bob", RAPID)
        assert trouble(reports) == Message.of("online_server_refuses", reason=reason)


def test_asked_too_often_everything_waits_and_then_goes_on(lichess, enter):
    ana, reports = enter("Ana")
    reports.next(told.Connected)
    lichess.spoil("POST", "/api/challenge/ai", 429)
    ana.ai(1, Terms())
    assert trouble(reports).key == "online_waiting"
    reports.next(told.GameBegan)


def test_a_server_that_is_not_there_is_told_once_and_tried_until_it_is():
    with FakeLichess() as gone:
        token, url = gone.token("Ana"), gone.url
    reports = Reports()
    lobby = Lobby(url, token, reports, SOON)
    reports.next(told.Disconnected)
    lobby.ai(1, Terms())
    assert trouble(reports) == Message.of("online_unreachable", server=url)
    lobby.close()
    assert sum(isinstance(one, told.Disconnected) for one in reports.all) == 1


@pytest.mark.parametrize(
    ("server", "why"),
    [
        ("http://lichess.org", "online_not_safe"),
        ("http://192.168.1.5:9663", "online_not_safe"),
        ("lichess.org", "online_no_address"),
        ("ftp://lichess.org", "online_no_address"),
        ("", "online_no_address"),
    ],
)
def test_a_token_is_sent_to_no_address_where_it_could_be_read(server, why):
    with pytest.raises(UserError) as error:
        Lobby(server, "token", print)
    assert error.value.message == Message.of(why, server=server)
    assert all(Renderer(language).text(error.value.message) for language in LANGUAGES)


def test_a_challenge_that_was_declined_before_its_answer_came_is_not_told_as_standing(lichess, enter):
    (ana, anas), (bob, bobs) = enter("Ana"), enter("Bob")
    anas.next(told.Connected), bobs.next(told.Connected)
    release = lichess.hold_answer("POST", "/api/challenge/Bob")
    ana.challenge("Bob", Terms(days=2))
    bob.decline(bobs.next(told.ChallengeCame).challenge.id)
    anas.next(told.ChallengeGone)
    release()
    ana.account()
    anas.next(told.Account)
    assert sum(isinstance(one, told.ChallengeSent) for one in anas.all) == 1


def test_a_challenge_from_before_is_told_and_can_be_withdrawn(lichess, enter):
    lichess.token("Bob")
    before, reports = enter("Ana")
    before.challenge("Bob", Terms(days=2))
    id_ = reports.next(told.ChallengeSent).challenge.id
    before.close()
    ana, reports = enter("Ana")
    assert reports.next(told.ChallengeSent).challenge.id == id_
    ana.cancel()
    assert reports.next(told.ChallengeGone) == told.ChallengeGone(id_, "cancelled")
    assert lichess.challenges[id_]["status"] == "canceled"
