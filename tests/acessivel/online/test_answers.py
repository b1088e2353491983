# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever the server sends, it is understood or passed over."""

import copy
from contextlib import suppress

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.lichess_games import Game, User

from acessivel.online import answers
from acessivel.online.answers import AnswerError
from acessivel.online.event_stream import EventStream
from acessivel.online.watching import Watching

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["white", "", "gameState"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def a_game(**more):
    game = Game(
        "abcdefgh",
        User("Ana"),
        User("Bob", 1600),
        now=lambda: 1000.0,
        say=lambda *_: None,
        clock=(900, 10),
        **more,
    )
    for colour, uci in (("white", "e2e4"), ("black", "e7e5")):
        game.move(colour, uci)
    return game


GAME = a_game(rated=True)
CHALLENGE = {
    "id": "x", "challenger": {"id": "ana", "name": "Ana", "rating": 1}, "destUser": {"id": "bob", "name": "Bob"},
    "variant": {"key": "standard"}, "rated": True, "speed": "rapid", "color": "white",
    "timeControl": {"type": "clock", "limit": 600, "increment": 5},
}  # fmt: skip
EVENTS = [
    {"type": "gameStart", "game": GAME.info("white")},
    {"type": "gameFinish", "game": GAME.info("white")},
    *(
        {"type": kind, "challenge": CHALLENGE}
        for kind in ("challenge", "challengeCanceled", "challengeDeclined")
    ),
]
IN_GAME = [
    GAME.state(),
    {"type": "chatLine", "room": "player", "username": "Bob", "text": "hi"},
    {"type": "opponentGone", "gone": True, "claimWinInSeconds": 8},
]
WATCHED = [
    {
        "id": "x",
        "players": {"white": {"user": {"name": "A"}}, "black": {"aiLevel": 3}},
        "status": {"id": 20, "name": "started"},
    },
    {"fen": "x", "lm": "e2e4", "wc": 1, "bc": 2},
]


@st.composite
def spoilt(draw, sources):
    """One of these, with a part of it replaced by anything, or left out."""
    told = place = copy.deepcopy(draw(st.sampled_from(sources)))
    while isinstance(place, dict) and place:
        name = draw(st.sampled_from(sorted(place)))
        if isinstance(place[name], dict) and draw(st.booleans()):
            place = place[name]
        elif draw(st.booleans()):
            place[name] = draw(ANYTHING)
            break
        else:
            del place[name]
            break
    return told


def test_an_opponent_without_an_account_has_no_name():
    begins, full = copy.deepcopy((GAME.info("white"), GAME.full()))
    begins["opponent"] = {"id": None, "username": "Anonymous"}
    full["black"] = {}
    assert answers.game(begins).opponent == answers.looked_up(full, "Ana").opponent == ""


@given(told=spoilt([GAME.full()]) | ANYTHING.filter(lambda one: isinstance(one, dict)))
def test_the_beginning_of_a_game_is_understood_or_makes_no_sense(told):
    with suppress(AnswerError):
        answers.looked_up(told, "Ana")


@given(told=spoilt(IN_GAME))
def test_a_line_of_a_game_is_understood_or_makes_no_sense(told):
    with suppress(AnswerError):
        answers.in_game(told)


@given(
    told=spoilt(
        [{"nowPlaying": [GAME.info("black")]}, {"username": "Ana", "perfs": {"rapid": {"rating": 1500}}}]
    )
)
def test_a_list_and_an_account_are_understood_or_make_no_sense(told):
    for read in (answers.games, answers.account):
        with suppress(AnswerError):
            read(told)


class Still:
    """A connection on which nothing runs."""

    client = None

    def start(self, work):
        work.close()


@given(
    told=st.lists(spoilt(EVENTS) | ANYTHING.filter(lambda one: isinstance(one, dict)), max_size=examples(5))
)
def test_no_event_ends_the_stream_of_events(told):
    stream = EventStream(Still(), lambda _: None, lambda _: None)
    assert not any(stream.take(one) for one in told)


@given(told=st.lists(spoilt(WATCHED), max_size=5))
def test_a_watched_game_is_understood_or_passed_over(told):
    watching = Watching(Still(), "x", set(), lambda _: None)
    for one in told:
        watching.take(one)


@pytest.mark.parametrize(
    ("fen", "moves", "colour", "mine"),
    [
        ("startpos", "", "white", True),
        ("startpos", "e2e4", "white", False),
        ("startpos", "e2e4", "black", True),
        ("4k3/8/8/8/8/8/4p3/4K3 b - - 0 1", "", "black", True),
        ("4k3/8/8/8/8/8/4p3/4K3 b - - 0 1", "e8e7", "white", True),
    ],
)
def test_whose_turn_it_is_in_a_game_that_was_looked_up(fen, moves, colour, mine):
    told = {**GAME.full(), "initialFen": fen, "state": {**GAME.state(), "moves": moves}}
    found = answers.looked_up(told, "ana" if colour == "white" else "BOB")
    assert (found.colour, found.my_turn, found.start_fen) == (colour, mine, "" if fen == "startpos" else fen)


@pytest.mark.parametrize(
    ("more", "playable"),
    [
        ({"speed": "rapid"}, True),
        ({"speed": "bullet"}, False),
        ({"speed": "blitz", "source": "lobby"}, False),
        ({"speed": "blitz", "source": "friend"}, True),
        ({"speed": "correspondence"}, True),
        ({"speed": "rapid", "variant": {"key": "atomic", "name": "Atomic"}}, False),
        ({"speed": "rapid", "variant": {"key": "chess960", "name": "Chess960"}}, True),
        ({"speed": "blitz", "source": "lobby", "compat": {"board": True}}, True),
    ],
)
def test_which_games_can_be_played_here(more, playable):
    told = {name: value for name, value in GAME.info("white").items() if name != "compat"}
    assert answers.game({**told, **more}).playable is playable


def test_castling_of_the_fake_is_that_of_the_published_notation():
    for notation, uci in (("rook", "e1h1"), ("king", "e1g1")):
        game = Game(
            "x",
            User("A"),
            User("B"),
            now=lambda: 0.0,
            say=lambda *_: None,
            fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            castling=notation,
        )
        game.move("white", "e1g1")
        assert game.moves == [uci]
        assert chess.Board(game.start_fen).parse_uci(uci)
