# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page of each role shows of a state, and what it does not."""

from dataclasses import replace

import pytest
from support.languages import LANGUAGES

from acessivel.dialogue import questions
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.records.pgn_files import Recorded
from acessivel.records.replayed_game import Replay
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.pages import ROLES
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.web import view
from acessivel.web.present import Present
from braille.liblouis import LiblouisMissingError
from voices.understanding.meanings import read


def after(*lines, at=0, **agreed):
    """The state of a game after what was typed."""
    agreed = {"language": "en", "convention": "letters", "opponent": "human"} | agreed
    state, _ = step(State.new(Setup.of(**agreed)), ev.Started(at=at))
    for line in lines:
        state, _ = step(state, ev.Heard(words=(line,), at=state.now_ms))
    return state


def shown(state, role, *, kind="game", **more):
    setup = state.setup
    pending = questions.question(state.asking)
    return view.of(Present(kind, Renderer(setup.language, setup.convention), pending, state, **more), role)


def missing():
    raise LiblouisMissingError


def squares(page):
    return {square["name"]: square for square in page["squares"]}


def test_every_square_has_its_name_from_a8_to_h1():
    page = shown(after(), "white")
    assert [one["name"] for one in page["squares"]] == list(view.SQUARES)
    assert page["squares"][0]["says"] == "a8, black rook"
    assert squares(page)["e1"] == {"name": "e1", "piece": "K", "says": "e1, white king", "marks": []}
    assert squares(page)["e4"] == {"name": "e4", "piece": "", "says": "e4, empty", "marks": []}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_names_what_stands_on_each_square(language):
    said = {one["says"].split(", ")[1] for one in shown(after(language=language), "white")["squares"]}
    assert len(said) == 13  # six pieces of each side, and none


def test_the_last_move_and_a_check_are_marked():
    page = shown(after("e4", "yes", "f5", "yes", "Qh5", "yes"), "black")
    assert {name for name, one in squares(page).items() if "last" in one["marks"]} == {"d1", "h5"}
    assert [name for name, one in squares(page).items() if "check" in one["marks"]] == ["e8"]


@pytest.mark.parametrize(
    ("role", "turned", "may_move"),
    [("white", False, True), ("black", True, False), ("both", False, True), ("assistant", False, True),
     ("arbiter", False, False), ("spectator", False, False)],
)  # fmt: skip
def test_each_role_sees_its_side_and_moves_if_it_may(role, turned, may_move):
    page = shown(after(), role)
    assert (page["role"], page["turned"], page["may_move"]) == (role, turned, may_move)
    assert page["moves"].get("e2", []) == (["e3", "e4"] if may_move else [])


def test_against_the_engine_a_players_page_is_that_of_the_one_person():
    state = after(opponent="engine", colour="black")
    for role in ("white", "black"):
        page = shown(state, role)
        assert page["turned"]
        assert not page["may_move"]  # the engine's turn
    state, _ = step(state, ev.EngineMoved(uci="e2e4"))
    assert shown(state, "white")["may_move"]


def online(moves="", **told):
    state = after(opponent="online", colour="white", clock="15+10", black="Bob")
    times = {"white_ms": 900_000, "black_ms": 900_000}
    return step(state, ev.ServerTold(moves=tuple(moves.split()), fresh=True, **{**times, **told}))[0]


def test_at_a_server_a_page_lets_its_player_prepare_a_move_while_the_opponent_thinks():
    page = shown(online("e2e4"), "white")
    assert page["may_move"]
    assert set(page["moves"]["g1"]) >= {"f3", "h3"}
    assert "e7" not in page["moves"]
    assert not shown(online("e2e4"), "spectator")["may_move"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_of_a_game_at_a_server_offers_help(language):
    state = after(opponent="online", language=language, practice=True)
    for role in ROLES:
        offered = {read(line["types"], language)[0].meaning.name for line in shown(state, role)["menu"]}
        assert not offered & {"hint", "evaluate", "why", "checks", "captures", "opening", "arbiter"}
        if role in ("white", "black", "both"):
            assert {"abort", "claim_victory", "chat"} <= offered


def test_a_page_asks_what_the_opponent_at_a_server_asks():
    asked = shown(online("e2e4 e7e5", takeback="black"), "white")["asked"]
    assert asked["text"] == "Black asks to take a move back. Do you allow it?"
    assert [answer["types"] for answer in asked["answers"]] == ["yes", "no"]


def test_a_pawn_that_reaches_the_last_rank_needs_a_piece():
    page = shown(after(fen="7k/P7/8/8/8/8/8/K7 w - - 0 1"), "white")
    assert page["promotions"] == ["a7a8"]
    assert page["moves"]["a7"] == ["a8"]


def test_what_is_asked_is_shown_to_who_may_answer():
    state = after("e4")
    assert shown(state, "white")["asked"] == {
        "text": "Pawn e2 e4?", "answers": [{"text": "Yes", "types": "yes"}, {"text": "No", "types": "no"}],
        "move": "e2e4",
    }  # fmt: skip
    assert (
        shown(state, "both")["asked"] == shown(state, "assistant")["asked"] == shown(state, "white")["asked"]
    )
    assert {shown(state, role)["asked"] for role in ("black", "arbiter", "spectator")} == {None}


def test_a_draw_that_is_offered_is_asked_of_the_opponent():
    state = after("e4", "yes", "e5", "yes", "draw", "yes")
    assert shown(state, "black")["asked"] is None
    assert [one["types"] for one in shown(state, "white")["asked"]["answers"]] == ["yes", "no"]


@pytest.mark.parametrize(
    ("lines", "agreed", "types"),
    [
        (["a8"], {"fen": "7k/P7/8/8/8/8/8/K7 w - - 0 1"}, ["queen", "rook", "bishop", "knight", "no"]),
        (["Nd2"], {"fen": "4k3/8/8/8/8/5N2/8/KN6 w - - 0 1"}, ["f", "b", "no"]),
    ],
)
def test_a_question_between_words_has_its_words_as_answers(lines, agreed, types):
    asked = shown(after(*lines, **agreed), "white")["asked"]
    assert [one["types"] for one in asked["answers"]] == types


def test_the_moves_are_there_in_words_by_their_numbers():
    page = shown(after("e4", "yes", "e5", "yes", "Nf3", "yes"), "spectator")
    assert page["moves_made"] == [
        {"number": "1.", "white": "Pawn e2 e4", "black": "Pawn e7 e5"},
        {"number": "2.", "white": "Knight g1 f3", "black": ""},
    ]
    assert page["last"] == "2, White: knight g1 f3."
    assert page["status"] == "Black to move, move 2."
    assert not page["over"]


def test_what_is_announced_in_another_language_than_the_page_is_marked():
    page = shown(after("e4", "yes", "Springer", convention="fide"), "black")
    assert page["last"] == [("1, White: ", "en"), ("Bauer Eva zwei Eva vier.", "de")]
    assert page["moves_made"] == [{"number": "1.", "white": [("Bauer Eva zwei Eva vier", "de")], "black": ""}]
    assert page["asked"]["text"] == [("Springer.", "de"), (" Which square?", "en")]
    assert page["asked"]["answers"][0] == {"text": [("Hector sechs", "de")], "types": "Hector sechs"}
    assert page["asked"]["answers"][-1] == {"text": "No", "types": "no"}
    assert shown(after("e4", "yes", convention="fide", language="de"), "black")["last"].startswith(
        "1, Weiß: "
    )


def test_the_clocks_are_there_in_words_and_in_milliseconds():
    page = shown(after("e4", "yes", clock="5+0"), "white", now=lambda: 61_000)
    assert page["clocks"] == {
        "white": "White has 5 minutes left.",
        "black": "Black has 3 minutes 59 seconds left.",
    }
    assert page["clock"] == {"running": "black", "free": 0, "white": 300_000, "black": 239_000}
    assert shown(after(), "white")["clocks"] is None


def test_a_clock_that_stands_runs_on_no_page():
    page = shown(after("e4", "yes", clock="5+0"), "white", now=lambda: 61_000, clocks_stand=True)
    assert page["clock"] == {"running": "", "free": 0, "white": 300_000, "black": 239_000}


def test_a_game_that_is_over_says_so():
    page = shown(after("f3", "yes", "e5", "yes", "g4", "yes", "Qh4", "yes"), "white")
    assert page["over"]
    assert "checkmate" in page["status"].casefold()
    assert not page["may_move"]


@pytest.mark.parametrize("role", ROLES)
def test_what_can_be_done_is_a_list_of_words_that_are_understood(role):
    menu = [one["types"] for one in shown(after("e4", "yes"), role)["menu"]]
    assert ("resign" in menu) == (role not in ("arbiter", "spectator"))
    assert ("arbiter" in menu) == (role != "spectator")
    assert len(set(menu)) == len(menu)
    state = after("e4", "yes")
    for line in menu:
        _, effects = step(state, ev.Heard(words=(line,), at=state.now_ms, by=role))
        told = {m.key for effect in effects if isinstance(effect, ef.Say) for m in effect.messages}
        assert not told & {"not_understood", "web_room_only", "web_players_only"}, line


def test_no_record_is_offered_in_braille_where_none_can_be_written(monkeypatch):
    monkeypatch.setattr("braille.liblouis._louis", missing)
    assert [one["text"] for one in shown(after(), "white")["records"]] == ["PGN"]


def test_a_piece_that_is_picked_with_two_boards_is_shown_to_its_player_alone():
    state = after(two_boards=True)
    state, _ = step(state, ev.SquarePointed(square="g1"))
    assert shown(state, "white")["asked"]
    assert {shown(state, role)["asked"] for role in ROLES if role != "white"} == {None}


def test_an_activity_without_a_board_shows_what_it_asks():
    page = view.of(Present("drill", Renderer("en")), "white")
    assert page["squares"] is None
    assert [one["types"] for one in page["menu"]] == ["repeat", "help", "stop"]


def test_the_rest_of_a_delay_is_shown_too():
    clock = shown(after("e4", "yes", clock="5+10d"), "white", now=lambda: 4_000)["clock"]
    assert clock == {"running": "black", "free": 6_000, "white": 300_000, "black": 300_000}


def test_the_last_capture_is_told():
    assert shown(after("e4", "yes", "d5", "yes"), "white")["captured"] == ""
    page = shown(after("e4", "yes", "d5", "yes", "exd5", "yes", "a6", "yes"), "white")
    assert page["captured"] == "2, White: pawn e4 takes d5."


def test_in_a_replay_the_keys_of_the_board_tell_what_was_played_and_noted():
    moves = [Recorded(), Recorded("e2e4", 0, left_ms=300_000), Recorded("d7d5", 1), Recorded("e4d5", 2)]
    read_to_its_end = replace(Replay.of(Setup.of(language="en", convention="letters"), moves), at=3)
    page = shown(read_to_its_end.state, "both", kind="replay")
    assert page["last"] == page["captured"] == "2, White: pawn e4 takes d5."
    assert page["clocks"] == {"white": "5 minutes", "black": ""}
    assert page["clock"] is None
    assert not page["may_move"]


def test_nothing_is_offered_that_is_about_a_fixed_square_or_number():
    does = [one["types"] for one in shown(after(), "both")["menu"]]
    assert not [words for words in does if "e4" in words or "5" in words or "knights" in words]
