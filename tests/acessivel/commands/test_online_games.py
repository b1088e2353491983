# SPDX-License-Identifier: GPL-3.0-or-later
"""Games at a server and the command line and the journal: what is ordered, agreed, found again and played once more."""

import contextlib
from dataclasses import replace
from types import SimpleNamespace

import pytest
from support.languages import LANGUAGES

from acessivel.app import online_sentences as sentences
from acessivel.commands import online, online_games, online_visit
from acessivel.commands.arguments import parse
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.online.answers import OnlineGame
from acessivel.online.terms import Terms
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from voices.understanding.online_words import OnlineOrder, OnlineWord, WantedGame

SILENT = ("--hear", "keyboard", "--speak", "off", "--braille", "off")
SERVER = "https://chess.example"
SETTINGS = Settings(language="en", convention="letters")


def game(id_="abc", **more):
    return OnlineGame(id_, "black", "Bob", rating=1600, own_rating=1500, minutes=15, increment=10, **more)


def agreed(found):
    return online_games.setup_of(found, SERVER, "Ana", SETTINGS)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", None),
        ("login", OnlineOrder(OnlineWord.LOG_IN)),
        ("seek", OnlineOrder(OnlineWord.SEEK)),
        ("seek 15+10", OnlineOrder(OnlineWord.SEEK, WantedGame((15.0, 10)))),
        ("seek 15+10 rated --side white", OnlineOrder(OnlineWord.SEEK, WantedGame((15.0, 10), rated=True, colour="white"))),
        ("seek --days 3 --ratings 1500-1800", OnlineOrder(OnlineWord.SEEK, WantedGame(days=3, ratings=(1500, 1800)))),
        ("challenge Thibault_2 30+20", OnlineOrder(OnlineWord.CHALLENGE, WantedGame((30.0, 20)), name="Thibault_2")),
        ("challenge 15+10", OnlineOrder(OnlineWord.CHALLENGE, WantedGame((15.0, 10)))),
        ("challenge 3 days", OnlineOrder(OnlineWord.CHALLENGE, WantedGame(days=3))),
        ("ai 3 15+10", OnlineOrder(OnlineWord.COMPUTER, WantedGame((15.0, 10)), 3)),
        ("accept Bob", OnlineOrder(OnlineWord.ACCEPT, name="Bob")),
        ("accept 1", OnlineOrder(OnlineWord.ACCEPT, number=1)),
        ("watch DrNykterstein", OnlineOrder(OnlineWord.WATCH, name="DrNykterstein")),
        ("next", OnlineOrder(OnlineWord.NEXT_GAME)),
    ],
)  # fmt: skip
def test_what_is_typed_on_the_command_line_is_ordered(typed, expected):
    assert online._order(parse(["online", *typed.split(), "--language", "en"])) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_time_that_is_none_is_refused_with_an_example(language):
    with pytest.raises(UserError) as refused:
        online._order(parse(["online", "seek", "soon", "--language", language]))
    told = Renderer(language).text(refused.value.message)
    assert "soon" in told
    assert "15+10" in told


def test_what_is_agreed_comes_from_the_server_and_the_words_from_the_user():
    setup = agreed(game(rated=True, speed="rapid"))
    assert (setup.opponent, setup.colour, setup.timing.clock) == ("online", "black", "15+10")
    assert (setup.players.white, setup.players.black) == ("Bob", "Ana")
    assert (setup.online.white_rating, setup.online.black_rating) == (1600, 1500)
    assert (setup.online.server, setup.online.game_id, setup.online.rated) == (SERVER, "abc", True)
    assert (setup.language, setup.convention) == ("en", "letters")


def test_a_game_is_found_again_by_its_number_at_the_server_and_who_plays_it(tmp_path):
    journal = Journal(tmp_path)
    first = online_games.stored(agreed(game()), journal)
    other = online_games.stored(agreed(game("xyz")), journal)
    assert first.id != other.id
    assert online_games.stored(agreed(game()), journal).id == first.id
    theirs = OnlineGame("abc", "white", "Ana", rating=1500, own_rating=1600, minutes=15, increment=10)
    bobs = online_games.stored(online_games.setup_of(theirs, SERVER, "Bob", SETTINGS), journal)
    assert (bobs.id, bobs.state.setup.colour) == (other.id + 1, "white")
    assert online_games.opponents(journal, SERVER) == ("Ana", "Bob")
    assert online_games.opponents(journal, "https://other.example") == ()
    journal.close()


@pytest.mark.parametrize(
    ("server", "told"),
    [
        ("https://lichess.org", "acessivel online login"),
        (SERVER, f"acessivel online login --server {SERVER}"),
    ],
)
def test_who_goes_on_with_a_game_and_is_logged_out_is_told_what_to_type(tmp_path, monkeypatch, server, told):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    loop = SimpleNamespace(devices=None, report=None)
    settings = replace(SETTINGS, online_server=server)
    visit = online_visit._Visit(settings, None, loop, Terms())
    with contextlib.closing(visit), pytest.raises(UserError) as refused:
        visit.take_up(None)
    message = refused.value.message
    assert (message.key, dict(message.values)["command"].spoken) == ("online_log_in_first", told)


def test_who_orders_a_game_with_the_command_and_is_logged_out_is_told_what_to_type(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    begun = []
    monkeypatch.setattr(online_visit, "begin", lambda *given: begun.append(given[2]))
    monkeypatch.setattr(online, "open_journal", lambda _: None)
    options = parse(["online", "seek", "15+10", "--language", "en", *SILENT])
    with pytest.raises(UserError) as refused:
        online.run(options)
    message = refused.value.message
    assert (message.key, dict(message.values)["command"].spoken) == (
        "online_log_in_first",
        "acessivel online login",
    )
    assert not begun
    online.begin(options, seek := OnlineOrder(OnlineWord.SEEK))  # said elsewhere
    for words in (["login"], []):
        online.run(parse(["online", *words, "--language", "en", *SILENT]))
    assert begun == [seek, OnlineOrder(OnlineWord.LOG_IN), None]


def test_the_servers_computer_has_a_name_and_is_no_one_to_challenge(tmp_path):
    setup = agreed(OnlineGame("abc", "white", "Stockfish level 3", ai=3, minutes=15, increment=10))
    assert setup.players.black == "Computer, level 3"
    journal = Journal(tmp_path)
    online_games.stored(setup, journal)
    assert online_games.opponents(journal, SERVER) == ()
    journal.close()


def test_a_rematch_is_a_challenge_with_the_colours_changed():
    setup = agreed(game(rated=True)).again(changed=True)
    order = online_games.rematch(setup)
    assert order == OnlineOrder(
        OnlineWord.CHALLENGE, WantedGame((15, 10), rated=True, colour="white"), name="Bob"
    )
    assert online_games.rematch(None) is None
    computer = agreed(game(ai=3)).again(changed=True)
    assert online_games.rematch(computer, 3).number == 3
    assert online_games.rematch(computer).word is OnlineWord.COMPUTER  # which asks for the level
    days = OnlineGame("abc", "white", "Bob", days=3)
    assert online_games.rematch(agreed(days)).kind == WantedGame(days=3, rated=False, colour="white")


def test_who_has_no_account_is_told_as_that_and_asked_for_no_rematch(tmp_path):
    setup = agreed(OnlineGame("abc", "white", "", minutes=15, increment=10))
    assert setup.players.black == "?"
    journal = Journal(tmp_path)
    online_games.stored(setup, journal)
    assert online_games.opponents(journal, SERVER) == ()
    journal.close()
    earlier = replace(setup, players=replace(setup.players, black=""))
    for game_ in (setup, earlier):
        with pytest.raises(UserError) as refused:
            online_games.rematch(game_.again(changed=True))
        assert refused.value.message == Message.of("lobby_rematch_nobody")


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_list_too_who_has_no_account_is_told_as_that(language):
    told = Renderer(language).text(sentences.opponent(OnlineGame("abc")))
    assert told == Renderer(language).text(Message.of("online_no_account"))


@pytest.mark.parametrize(
    "began",
    [
        {"variant": "chess960", "start_fen": "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq - 0 1"},
        {"variant": "fromPosition", "start_fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"},
    ],
)
def test_a_rematch_is_never_of_another_kind(began):
    with pytest.raises(UserError) as refused:
        online_games.rematch(agreed(game(**began)).again(changed=True))
    assert refused.value.message == Message.of("lobby_no_rematch")
