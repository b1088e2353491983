# SPDX-License-Identifier: GPL-3.0-or-later
"""A game goes on from PGN, EPD or FEN: its moves, times and tags stay, what cannot be read is one sentence."""

import io
from dataclasses import replace

import chess.pgn
import pytest
from support.languages import LANGUAGES

from acessivel.commands.arguments import parse
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.records import import_game, pgn
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal

CLOCKED = """[Event "Town, open"]
[Site "Porto"]
[Date "2024.05.01"]
[Round "3"]
[White "Silva, Ana"]
[Black "Costa, Rui"]
[Result "0-1"]
[WhiteElo "1801"]
[TimeControl "900+5"]

1. e4 {[%clk 0:14:55]} e5 {[%clk 0:14:58]} 2. Nf3 {[%clk 0:14:40]} Nc6 {[%clk 0:14:33]} 0-1

[Event "?"]
[Result "*"]

1. d4 Nf6 2. c4 *
"""
MATE = '[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'
FREE = '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]\n\n1. f4 f5 *\n'


@pytest.fixture
def file(tmp_path):
    def write(text, name="game.pgn"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


def agreed(path, *more, setup=None):
    options = parse(["play", "--language", "en", "--from", str(path), *more])
    return import_game.continued(setup or Setup(language="en"), Settings(language="en"), options)


def refused(path, *more):
    with pytest.raises(UserError) as error:
        agreed(path, *more)
    for language in LANGUAGES:
        assert Renderer(language).text(error.value.message)
    return Renderer("en").text(error.value.message)


def ucis(setup):
    return [move.fact.uci for move in State.new(setup).game.played]


def test_a_game_goes_on_with_its_moves_times_and_tags(file):
    setup = agreed(file(CLOCKED))
    game = State.new(setup).game
    assert ucis(setup) == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert game.position.turn == "white"
    assert game.position.fullmove == 3
    assert game.result is None
    assert [move.left_ms for move in game.played] == [895_000, 898_000, 880_000, 873_000]
    assert (setup.timing.clock, setup.players.white, setup.players.black) == (
        "15+5",
        "Silva, Ana",
        "Costa, Rui",
    )
    assert (game.clock.left("white", 0), game.clock.left("black", 0)) == (880_000, 873_000)
    assert game.clock.side("white").moves == game.clock.side("black").moves == 2


def headers(setup):
    written = io.StringIO(pgn.pgn(setup, State.new(setup).game, "2026-11-21"))
    return chess.pgn.read_headers(written)


def test_its_record_keeps_the_tags_and_the_times_but_not_the_result(file):
    setup = agreed(file(CLOCKED))
    written = chess.pgn.read_game(io.StringIO(pgn.pgn(setup, State.new(setup).game, "2026-11-21")))
    assert written.headers["Event"] == "Town, open"
    assert written.headers["WhiteElo"] == "1801"
    assert written.headers["Date"] == "2024.05.01"
    assert written.headers["Result"] == "*"
    assert written.headers["Termination"] == "unterminated"
    assert written.headers["TimeControl"] == "900+5"
    assert [node.clock() for node in written.mainline()] == [895, 898, 880, 873]


def test_against_the_engine_the_players_are_those_who_play_on(file):
    setup = agreed(
        file(CLOCKED), setup=Setup.of(language="en", opponent="engine", white="Eva", black="Stockfish 3")
    )
    assert (setup.players.white, setup.players.black) == ("Eva", "Stockfish 3")
    assert "WhiteElo" not in headers(setup)


def test_what_is_known_of_the_end_does_not_stay(file):
    known = (
        '[ECO "B31"]\n[Opening "Sicilian"]\n[Variation "Rossolimo"]\n[EndTime "20:00"]\n[Annotator "Eva"]\n'
    )
    setup = agreed(file(known + MATE), "--at", "2")
    assert headers(setup).keys() & {"ECO", "Opening", "Variation", "EndTime", "Annotator"} == {"Annotator"}


def test_a_practice_game_does_not_pass_for_that_of_the_file(file):
    setup = agreed(file(CLOCKED), setup=Setup.of(language="en", opponent="engine", practice=True))
    assert headers(setup)["Event"] == "Practice"


def test_another_clock_begins_anew(file):
    setup = agreed(file(CLOCKED), "--clock", "5", setup=Setup.of(language="en", clock="5"))
    game = State.new(setup).game
    assert game.clock.left("white", 0) == 300_000
    assert game.clock.side("white").moves == 0
    assert game.played[0].left_ms == 895_000


def test_going_back_counts_no_move_of_the_file_for_a_clock_that_began_anew(file):
    clock = "10/3+5"
    setup = agreed(file(CLOCKED), "--clock", clock, setup=Setup.of(language="en", clock=clock))
    state, _ = step(State.new(setup), ev.Started())
    assert state.game.clock.moves_to_go("white") == 3
    game = state.game.play(state.game.position.fact("b1c3"), 1000)
    game = game.play(game.position.fact("g8f6"), 2000)
    assert game.back_to(5, 3000).clock.moves_to_go("white") == 2
    assert game.back_to(3, 3000).clock.side("black").moves == 0


@pytest.mark.parametrize(
    ("at", "moves", "turn"),
    [("1", 0, "white"), ("1...", 1, "black"), ("2", 2, "white"), ("2..", 3, "black"), ("3", 4, "white")],
)
def test_it_can_go_on_at_any_move(file, at, moves, turn):
    game = State.new(agreed(file(CLOCKED), "--at", at)).game
    assert len(game.played) == moves
    assert game.position.turn == turn


def test_at_a_move_the_clocks_show_what_they_showed_there(file):
    clock = State.new(agreed(file(CLOCKED), "--at", "2...")).game.clock
    assert (clock.left("white", 0), clock.left("black", 0)) == (880_000, 898_000)


@pytest.mark.parametrize("more", [("--at", "1"), ("--at", "2")])
def test_before_the_first_noted_time_the_clocks_show_the_time_at_the_start(file, more):
    unnoted = CLOCKED.replace(" {[%clk 0:14:55]} e5 {[%clk 0:14:58]}", " e5")
    setup = agreed(file(unnoted), *more)
    clock = State.new(setup).game.clock
    assert setup.timing.clock == "15+5"
    assert (clock.left("white", 0), clock.left("black", 0)) == (900_000, 900_000)


def test_a_game_without_times_has_no_clock_and_an_unknown_tag_is_none(file):
    setup = agreed(file(CLOCKED), "--game", "2")
    assert ucis(setup) == ["d2d4", "g8f6", "c2c4"]
    assert setup.timing.clock == "none"
    assert setup.beginning.before.tags == ()


@pytest.mark.parametrize(
    ("tag", "clock"),
    [
        ("40/5400+30:1800+30", "90/40+30+30s"),
        ("300", "5"),
        ("40/7200:1200+30", "120/40+20+30s@41"),
        ("180+2d", "3+2d"),
        ("?", "none"),
        ("*60", "none"),
    ],
)
def test_the_time_control_of_pgn_is_ours(file, tag, clock):
    assert agreed(file(CLOCKED.replace("900+5", tag))).timing.clock == clock


@pytest.mark.parametrize("tag", ["?", "-", "*60"])
@pytest.mark.parametrize("named", [True, False])
def test_times_without_a_clock_of_the_file_go_on_in_the_one_that_is_agreed(file, tag, named):
    clock = ("--clock", "20+5") if named else ()
    setup = agreed(file(CLOCKED.replace("900+5", tag)), *clock, setup=Setup.of(language="en", clock="20+5"))
    game = State.new(setup).game
    assert (game.clock.left("white", 0), game.clock.left("black", 0)) == (880_000, 873_000)
    assert setup.timing.clock == "20+5"


@pytest.mark.parametrize(
    ("tag", "more", "told"),
    [
        ("?", (), ["from_no_control"]),
        ("?", ("--clock", "none"), []),
        ("?", ("--at", "1"), []),
        ("?", ("--game", "2"), []),
        ("900+5", (), []),
    ],
)
def test_times_that_do_not_go_on_are_not_dropped_without_a_word(file, tag, more, told):
    path = file(CLOCKED.replace("900+5", tag))
    options = parse(["play", "--from", str(path), *more])
    setup = import_game.continued(Setup(language="en"), Settings(language="en"), options)
    assert [message.key for message in import_game.without_clock(setup, options)] == told


@pytest.mark.parametrize("clock", ["5+3b", "5+3d", "90/40+30+30b", "40+30"])
def test_a_record_of_a_bronstein_clock_goes_on_with_it(file, clock):
    setup = agreed(file(CLOCKED))
    state = State.new(replace(setup, timing=replace(setup.timing, clock=clock)))
    game = state.game.play(next(fact for fact in state.game.position.legal if fact.san == "Bb5"), 0)
    again = agreed(file(pgn.pgn(state.setup, game, "2026-11-21")))
    assert again.timing.clock == clock
    assert "DelayMode" not in dict(again.beginning.before.tags)


def test_a_game_has_one_date_in_all_its_records(file):
    setup = agreed(file(CLOCKED))
    game = State.new(setup).game
    assert pgn.text(setup, game, "2026-11-21").splitlines()[1] == "2024-05-01"
    assert headers(setup)["Date"] == "2024.05.01"
    assert pgn.text(Setup(), game, "2026-11-21").splitlines()[1] == "2026-11-21"


def test_a_mated_game_is_over_by_its_position(file):
    assert State.new(agreed(file(MATE))).game.result.score == "1-0"
    assert State.new(agreed(file(MATE), "--at", "4")).game.result is None


def test_chess960_goes_on_as_chess960(file):
    setup = agreed(file(FREE))
    game = State.new(setup).game
    assert game.start.chess960
    assert [move.fact.san for move in game.played] == ["f4", "f5"]
    # The king on f1 and the rook on g1 have no piece between them: castling is to be had at once.
    assert "O-O" in [fact.san for fact in game.position.legal]
    assert 'Variant "Chess960"' in pgn.pgn(setup, game, "2026-11-21")


def test_the_repetition_counts_the_moves_made_elsewhere(file):
    shuffle = "Nf3 Nf6 Ng1 Ng8".split()
    path = file('[Result "*"]\n\n' + " ".join(shuffle * 4)[: -len(" Ng8")] + " *\n")
    state, _ = step(State.new(agreed(path)), ev.Heard(words=("Ng8",)))
    state, _ = step(state, ev.Heard(words=("yes",)))
    assert state.game.result.reason == "fivefold"


@pytest.mark.parametrize("follows", ["", ";", " ; my note 3", " bm Kd2;", ' id "Rook, 1";'])
def test_a_fen_keeps_its_counters_whatever_follows(file, follows):
    setup = agreed(file(f"4k3/8/8/8/8/8/8/R3K3 w - - 40 60{follows}\n", "some.fen"))
    assert setup.beginning.fen == "4k3/8/8/8/8/8/8/R3K3 w - - 40 60"
    assert setup.beginning.before.tags == ((("Event", "Rook, 1"),) if "id" in follows else ())


def test_a_position_of_epd_keeps_its_counters_and_its_name(file):
    epd = '# mates\n\n4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; id "Rook, 1"; hmvc 7; fmvn 31;\n'
    setup = agreed(file(epd, "some.epd"))
    assert State.new(setup).game.position.fen == "4k3/8/8/8/8/8/8/R3K3 w Q - 7 31"
    assert setup.beginning.before.tags == (("Event", "Rook, 1"),)
    assert 'Event "Rook, 1"' in pgn.pgn(setup, State.new(setup).game, "2026-11-21")


def test_the_position_of_a_line_of_fen(file):
    lines = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\r\n4k3/8/8/8/8/8/8/4K2R b K - 3 40\r\n"
    setup = agreed(file(lines, "two.fen"), "--game", "2")
    assert State.new(setup).game.position.fen == "4k3/8/8/8/8/8/8/4K2R b K - 3 40"


def test_the_journal_gives_such_a_game_back(file, tmp_path):
    setup = agreed(file(CLOCKED))
    journal = Journal(tmp_path / "games")
    number = journal.create(setup, "2026-11-21")
    state = State.new(setup)
    for entry, words in enumerate(("Bb5", "yes")):
        event = ev.Heard(words=(words,), at=entry)
        after, _ = step(state, event)
        journal.append(number, entry, event, state, after)
        state = after
    assert journal.load(number).state == state
    assert [listed.plies for listed in journal.games()] == [5]
    journal.close()


def test_the_player_hears_where_the_game_goes_on(file):
    _, effects = step(State.new(agreed(file(CLOCKED))), ev.Started())
    told = [Renderer("en").text(message) for message in effects[0].messages]
    assert told[-3:] == [
        "The game goes on from a file.",
        "2, Black: Springer Bella acht Cesar sechs.",
        "White to move, move 3.",
    ]


def test_what_cannot_be_gone_on_with_is_told_in_one_sentence(file, tmp_path):
    path = file(CLOCKED)
    assert "no game or position 3" in refused(path, "--game", "3")
    assert "ends at move 3" in refused(path, "--at", "4...")
    assert "not Nf3" in refused(path, "--at", "Nf3")
    assert "either a FEN or a file" in refused(path, "--fen", "8/8/8/8/8/8/8/8 w - - 0 1")
    assert "does not exist" in refused(tmp_path / "none.pgn")
    assert ".pgn, .brf" in refused(tmp_path / "game.txt.zip")
    cut = file('[Result "*"]\n\n1. e4 e5 2. Nf', "cut.pgn")
    assert "may be cut off" in refused(cut)
    assert ucis(agreed(cut, "--at", "2")) == ["e2e4", "e7e5"]
    assert "Qh6" in refused(file('[Result "*"]\n\n1. e4 e5 2. Qh6 *', "wrong.pgn"))
    assert "cannot be played from" in refused(file("4k3/8/8/8/8/8/8/R7 w - -\n", "noking.epd"))
    assert "cannot be played from" in refused(file("4k3/8/8/8\n", "cut.fen"))
    assert "no game or position 1" in refused(file("\n", "empty.epd"))
    assert "leave out --at" in refused(file("4k3/8/8/8/8/8/8/R3K3 w Q -\n", "at.epd"), "--at", "2")
    late = file('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/R3K3 b Q - 0 30"]\n\n30... Kd7 *', "late.pgn")
    assert "begins at move 30" in refused(late, "--at", "30")
