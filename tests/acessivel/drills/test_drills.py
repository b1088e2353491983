# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of the drills, held to python-chess; the rounds, their scores, and what is kept of them."""

import sys
from itertools import islice
from random import Random

import chess
import chess.engine
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.languages import LANGUAGES

from acessivel.devices.engine import find_engine
from acessivel.drills import (
    announcements,
    blindfold,
    colours,
    elementary_mates,
    files,
    plot,
    squares,
    tactics,
    targets,
)
from acessivel.drills.colours import ColourQuestion
from acessivel.drills.question import SQUARES, Reply
from acessivel.drills.results import FILE_NAME, DrillResult, by_day, keep, kept
from acessivel.drills.round import Round
from acessivel.messages.rendering import Renderer
from acessivel.records.braille_record import RecordError
from acessivel.rules.position import Position
from voices.meaning import Answer, Command, CommandName, MovePattern, Piece, PieceNamed, Place
from voices.packages import MissingPartError
from voices.understanding.meanings import read

TYPES = {Piece(chess.piece_symbol(kind).upper()): kind for kind in chess.PIECE_TYPES}
YES, NO = Reply((Answer(yes=True),), "yes"), Reply((Answer(yes=False),), "no")
E4 = ColourQuestion(Place("e", "4"), light=True)


def chance(seed):
    return Random(seed)  # noqa: S311


def said(words, language="en", convention="fide"):
    return Reply(
        tuple(reading.meaning for reading in read(words, language, convention) if reading.likely), words
    )


def order(name):
    return Reply((Command(name),))


def drill(name, rng):
    return {
        "colours": lambda: colours.questions(rng),
        "targets": lambda: targets.questions(rng, Piece.QUEEN),
        "squares": lambda: squares.questions(rng, "en"),
        "repeat": lambda: announcements.questions(rng, files.own_games()),
        "follow": lambda: blindfold.questions(rng, files.own_games()),
        "tactics": lambda: tactics.questions(rng, files.own_exercises()),
    }[name]()


DRILLS = ("colours", "targets", "squares", "repeat", "follow", "tactics")


@pytest.mark.parametrize("piece", targets.PIECES.values())
@pytest.mark.parametrize("square", SQUARES, ids=str)
def test_where_a_piece_can_go(piece, square):
    board = chess.Board(None)
    board.set_piece_at(chess.parse_square(str(square)), chess.Piece(TYPES[piece], chess.WHITE))
    goals = board.attacks(chess.parse_square(str(square)))
    assert sorted(map(str, targets.reach(piece, square))) == sorted(map(chess.square_name, goals))


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("square", SQUARES, ids=str)
def test_the_colour_of_a_square(square, light):
    is_light = chess.parse_square(str(square)) in chess.SquareSet(chess.BB_LIGHT_SQUARES)
    question = ColourQuestion(square, light=light)
    assert question.judge(YES if is_light is light else NO).right is True
    assert question.judge(NO if is_light is light else YES).right is False


def test_all_squares_have_to_be_named_and_a_wrong_one_ends_it():
    question = targets.TargetsQuestion(Piece.KNIGHT, Place("a", "1"))
    first = question.judge(said("b3"))
    assert first.right is None
    assert first.then.judge(said("b3")).then is None
    assert first.then.judge(said("c2")).right is True
    assert first.then.judge(said("c3")).right is False
    assert question.judge(said("b3 c2")).right is True
    assert question.judge(said("knight")).right is None


@pytest.mark.parametrize("square", SQUARES, ids=str)
def test_a_square_is_answered_in_the_other_form(square):
    words = squares.SquareQuestion(square, True, "pt")
    letters = squares.SquareQuestion(square, False, "pt")
    names = "Anna Bella Cesar David Eva Felix Gustav Hector".split()
    told = str(letters.solution.values[1][1].text)
    assert words.judge(said(told, "pt")).right is True
    assert words.judge(said(str(square), "pt")).right is None
    assert letters.judge(said(str(square), "pt")).right is True
    assert letters.judge(said(told, "pt")).right is None
    assert letters.judge(Reply((MovePattern(square),))).right is True  # pointed at
    assert told.startswith(names["abcdefgh".index(square.file)])


def test_a_repeated_move_is_compared_by_its_meaning():
    position = Position.start()
    fact = next(fact for fact in position.legal if fact.san == "Nf3")
    question = announcements.RepeatQuestion(position, fact)
    for words in ("Springer Gustav eins Felix drei", "Springer Felix drei", "Nf3", "g1f3", "knight f3"):
        assert question.judge(said(words)).right is True, words
    for words in ("Springer Felix vier", "Eva vier", "Nh3"):
        assert question.judge(said(words)).right is False, words
    assert question.judge(said("Springer")).right is None


@given(st.integers(0, 10_000))
def test_what_is_asked_of_a_game_is_so(seed):
    for question in islice(blindfold.questions(chance(seed), files.own_games()), 4):
        board = chess.Board(question.after.fen)
        if isinstance(question, blindfold.StandsQuestion):
            piece = board.piece_at(chess.parse_square(str(question.square)))
            right = Piece(piece.symbol().upper())
            others = (PieceNamed(other) for other in Piece if other is not right)
            assert question.judge(Reply((PieceNamed(right),))).right is True
        else:
            found = board.pieces(TYPES[question.piece], question.colour == "white")
            rest = [square for square in chess.SQUARES if square not in found]
            others = (MovePattern(Place(*chess.square_name(square))) for square in rest)
            assert all(question.judge(said(chess.square_name(square))).right for square in found)
        assert not any(question.judge(Reply((other,))).right for other in others)


def mates_in(board, moves):
    """The moves after which the side to move mates by force in so many moves."""
    found = []
    for move in list(board.legal_moves):
        board.push(move)
        replies = list(board.legal_moves)
        forced = board.is_checkmate()
        if not forced and moves > 1 and replies:
            forced = True
            for reply in replies:
                board.push(reply)
                forced = forced and bool(mates_in(board, moves - 1))
                board.pop()
        board.pop()
        if forced:
            found.append(move.uci())
    return found


OWN = files.own_exercises()


@pytest.mark.parametrize("exercise", OWN, ids=lambda exercise: exercise.fen)
def test_our_exercises_have_one_solution_each(exercise):
    board = chess.Board(exercise.fen)
    assert board.is_valid()
    if exercise.mate:
        assert mates_in(board, exercise.mate) == [exercise.line[0]]
        assert not mates_in(board, exercise.mate - 1) if exercise.mate > 1 else True
    for uci in exercise.line:
        board.push_uci(uci)
    assert not exercise.mate or board.is_checkmate()


@pytest.mark.skipif(not find_engine(), reason="Stockfish is not installed")
@pytest.mark.parametrize("exercise", [e for e in OWN if not e.mate], ids=lambda exercise: exercise.fen)
def test_stockfish_finds_the_tactics_and_nothing_near_them(exercise):
    board = chess.Board(exercise.fen)
    engine = chess.engine.SimpleEngine.popen_uci(find_engine())
    try:
        for number, uci in enumerate(exercise.line):
            if number % 2 == 0:
                best, next_best = engine.analyse(board, chess.engine.Limit(depth=14), multipv=2)
                assert best["pv"][0].uci() == uci
                values = [
                    found["score"].pov(board.turn).score(mate_score=10_000) for found in (best, next_best)
                ]
                assert values[0] > 200
                assert values[0] - values[1] > 200
            board.push_uci(uci)
    finally:
        engine.quit()


def test_there_are_mates_in_one_and_in_two_and_tactics():
    assert {exercise.mate for exercise in OWN} == {0, 1, 2}
    assert len({exercise.fen for exercise in OWN}) == len(OWN) == 20


@pytest.mark.parametrize("exercise", OWN, ids=lambda exercise: exercise.fen)
def test_the_solution_solves_and_nothing_else_does(exercise):
    question = tactics.TacticQuestion(exercise, Position.start(exercise.fen))
    first = chess.Move.from_uci(exercise.line[0])
    board = chess.Board(exercise.fen)
    for move in board.legal_moves:
        if move != first and move.promotion in (None, chess.QUEEN):
            assert question.judge(said(move.uci())).right is False, move
    for uci in exercise.line[::2]:
        verdict = question.judge(said(uci))
        question = verdict.then
    assert verdict.right is True


@given(st.sampled_from(sorted(elementary_mates.ENDINGS)), st.integers(0, 10_000))
def test_an_ending_begins_with_a_fair_position(ending, seed):
    board = chess.Board(elementary_mates.position(chance(seed), ending).fen)
    assert board.is_valid()
    assert board.turn == chess.WHITE
    pieces = sorted(piece.symbol() for piece in board.piece_map().values())
    assert pieces == sorted(f"Kk{elementary_mates.ENDINGS[ending]}")
    assert not board.is_insufficient_material()
    assert not any(board.attacks(board.king(chess.BLACK)) & board.occupied_co[chess.WHITE])


# Files


@pytest.mark.parametrize(
    ("fen", "rights"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ["castling_kept"]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ["passing"]),
        ("r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1", ["castling_kept", "castling_kept", "passing"]),
        ("4k3/8/8/3pP3/8/8/8/4K2R w - - 0 1", []),
    ],
)
def test_the_rights_to_castle_and_to_take_en_passant_are_told_where_there_are_any(fen, rights):
    question = tactics.TacticQuestion(tactics.Exercise(fen, ("e1f1",)), Position.start(fen))
    keys = [message.key for message in question.intro]
    assert keys[keys.index("turn") + 1 :] == rights


def test_exercises_of_a_file(tmp_path):
    epd = tmp_path / "mine.epd"
    epd.write_text(
        '# mine\n6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1;\n\n6k1/8/8/8/8/8/8/R3K3 w - - bm Ra8+ Ra7; id "x";\n'
    )
    one, two = files.exercises(epd)
    assert (one.line, one.mate) == (("a1a8",), 1)
    assert (set(two.also), two.mate) == ({"a1a8", "a1a7"}, 0)
    pgn = tmp_path / "mine.pgn"
    pgn.write_text(
        '[FEN "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"]\n[SetUp "1"]\n\n1. Ra8# *\n\n[Event "game"]\n\n1. e4 e5 *\n'
    )
    (three,) = files.exercises(pgn)
    assert (three.line, three.mate) == (("a1a8",), 1)
    assert [game.ucis for game in files.games(pgn)] == [("a1a8",), ("e2e4", "e7e5")]


@pytest.mark.parametrize(
    "text", ["nonsense", "8/8/8/8/8/8/8/8 w - - bm a4;", "6k1/8/8/8/8/8/8/R3K3 w - - bm Qa8;", "", "# x"]
)
def test_a_file_without_exercises_is_refused(tmp_path, text):
    (tmp_path / "bad.epd").write_text(text)
    with pytest.raises(RecordError):
        files.exercises(tmp_path / "bad.epd")


@pytest.mark.parametrize("words", ["Eva fünf", "Eva fuenf", "eva funf"])
def test_a_square_in_words_is_taken_as_it_can_be_typed(words):
    question = squares.SquareQuestion(Place("e", "5"), in_words=True, language="en")
    assert question.judge(said(words)).right
    assert question.judge(said("e five", convention="letters")).right is None


PROMOTING = Position.start("8/4P3/8/8/8/k7/8/K7 w - - 0 1")


@pytest.mark.parametrize(("piece", "right"), [("queen", True), ("rook", False)])
def test_a_promotion_without_its_piece_asks_for_it(piece, right):
    question = announcements.RepeatQuestion(PROMOTING, PROMOTING.fact("e7e8q"))
    for words in ("e7 e8", "e8"):
        asked = question.judge(said(words, convention="letters"))
        assert asked.right is None
        assert asked.then.judge(said(piece, convention="letters")).right is right
        assert asked.then.judge(said("e8 queen", convention="letters")).right
        assert asked.then.judge(said("yes", convention="letters")).right is None


def test_the_piece_of_a_promotion_goes_on_with_a_solution():
    exercise = tactics.Exercise("8/4P3/8/8/8/k7/8/K7 w - - 0 1", ("e7e8q", "a3b3", "e8e3"))
    asked = tactics.TacticQuestion(exercise, PROMOTING).judge(said("e8", convention="letters"))
    after = asked.then.judge(said("queen", convention="letters"))
    assert after.right is None
    assert after.then.step == 2


# Rounds


def test_a_round_counts_what_was_answered():
    round_ = Round(iter((E4,) * 5), 3)  # e4 is light
    round_.begin()
    round_.say(YES)
    round_.say(NO)
    round_.say(said("Springer"))
    round_.say(order(CommandName.MORE))
    assert round_.over
    assert round_.score == (1, 3)


def test_an_answer_that_was_misheard_can_be_struck_out_even_the_last():
    round_ = Round(iter((E4,) * 5), 2)
    round_.begin()
    round_.say(NO, spoken=True)
    round_.say(order(CommandName.CORRECTION))
    assert round_.score == (0, 0)
    round_.say(order(CommandName.CORRECTION))  # there is nothing left to strike out
    round_.say(YES, spoken=True)
    round_.say(NO, spoken=True)
    assert not round_.over
    round_.say(order(CommandName.CORRECTION))
    round_.say(YES, spoken=True)
    assert round_.over
    assert round_.score == (2, 2)


def test_how_the_last_answer_can_be_withdrawn_is_repeated_until_the_round_ends():
    round_ = Round(iter((E4,)), 1)
    round_.begin()
    closing = round_.say(NO, spoken=True)[-1:]
    assert closing[0].key == "drill_closing"
    assert round_.say(order(CommandName.REPEAT)) == closing
    assert round_.repeat() == closing
    assert round_.say(YES, spoken=True) == ()
    assert round_.over
    assert round_.repeat() == ()


def test_a_part_of_an_answer_that_was_misheard_is_asked_for_again():
    round_ = Round(targets.questions(chance(1), Piece.KNIGHT), 3)
    round_.begin()
    first = round_.question
    for goal in targets.reach(first.piece, first.square):
        round_.say(Reply((MovePattern(goal),)))
    second = round_.question
    for goal in targets.reach(second.piece, second.square)[:2]:
        round_.say(Reply((MovePattern(goal),)))
    named = round_.question.named
    round_.say(order(CommandName.CORRECTION))
    assert len(round_.question.named) == len(named) - 1 == 1
    assert round_.score == (1, 1)
    round_.say(order(CommandName.CORRECTION))
    assert round_.question == second
    round_.say(order(CommandName.CORRECTION))  # now it is the answer to the first question
    assert round_.score == (0, 0)


def test_what_is_typed_wrong_at_last_ends_the_round():
    round_ = Round(iter((E4,)), 1)
    round_.begin()
    round_.say(NO)
    assert round_.over


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DRILLS)
def test_every_question_and_solution_is_told_in_every_language(name, language):
    renderer = Renderer(language)
    for question in islice(drill(name, chance(7)), 10):
        for message in (*question.intro, *question.ask, question.solution):
            assert "{" not in renderer.text(message)
            assert renderer.spans((message,))


@pytest.mark.parametrize("name", DRILLS)
def test_the_same_seed_asks_the_same(name):
    one, two = ([q.ask for q in islice(drill(name, chance(3)), 8)] for _ in range(2))
    assert one == two


# What is kept


def test_the_results_are_kept_and_torn_lines_left_out(tmp_path):
    first = DrillResult("colours", "2026-11-20T10:00:00+01:00", 7, 10, 60)
    second = DrillResult("colours", "2026-11-20T11:00:00+01:00", 9, 10, 50)
    keep(tmp_path, second)
    with (tmp_path / FILE_NAME).open("a") as file:
        file.write('{"drill": "col')
    keep(tmp_path, first)
    assert kept(tmp_path) == (first, second)
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o077 == 0
    assert list(by_day(kept(tmp_path))) == [DrillResult("colours", "2026-11-20", 16, 20, 110)]


def test_the_picture(tmp_path):
    pytest.importorskip("matplotlib")
    results = tuple(
        DrillResult("colours", f"2026-11-{day}T10:00:00+01:00", day - 10, 10, 60) for day in range(11, 20)
    )
    plot.draw(results, tmp_path / "progress.png", "%")
    assert (tmp_path / "progress.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_there_is_no_picture(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPartError):
        plot.draw((), tmp_path / "progress.png", "%")


@pytest.mark.parametrize(
    ("language", "light", "dark"),
    [("pt", "clara", "escura"), ("en", "light", "dark"), ("de", "hell", "dunkel"), ("es", "clara", "oscura")],
)
@pytest.mark.parametrize("asked", [True, False])
def test_a_colour_is_answered_by_its_name(language, light, dark, asked):
    question = ColourQuestion(Place("e", "4"), light=asked)  # e4 is light
    assert question.judge(said(light, language)).right is True
    assert question.judge(said(dark, language)).right is False


def test_a_piece_is_answered_with_its_colour_which_counts():
    question = next(
        question
        for question in blindfold.questions(chance(1), files.own_games())
        if isinstance(question, blindfold.StandsQuestion)
    )
    colour, piece = question.after.at(str(question.square))
    name = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}[piece]
    other_colour = "black" if colour == "white" else "white"
    assert question.judge(said(f"{colour} {name}")).right is True
    assert question.judge(said(f"{other_colour} {name}")).right is False


@pytest.mark.parametrize("name", DRILLS)
def test_a_word_that_means_nothing_is_answered_with_what_can_answer(name):
    round_ = Round(drill(name, chance(1)), 3)
    round_.begin()
    (message,) = round_.say(Reply((), "banana"))
    assert message.key.startswith("drill_say_")
    assert round_.score == (0, 0)
