# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no PGN is refused with its line, whatever stands in it."""

import contextlib
import io

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acessivel.messages.rendering import Renderer
from acessivel.records import pgn, pgn_files
from acessivel.records.braille_record import RecordError

TOKENS = [
    "e4",
    "e5",
    "Nf3",
    "h1",
    "(",
    ")",
    "!",
    "?",
    "$3",
    "{a}",
    "{",
    "1.",
    "--",
    "*",
    "1-0",
    "O-O",
    ";x",
    "Cf3",
    "O–O",
    "+-",
    "%",
    "\n",
]


@pytest.mark.parametrize("text", ["1. e4 h1 ) !", "1. e4 h1 ) e5 *", "1. h1 ) ) $3 e4"])
def test_a_variation_that_ends_before_it_began_leaves_the_mistake_before_it(text):
    with pytest.raises(RecordError) as error:
        list(pgn_files.games(io.BytesIO(text.encode())))
    assert Renderer("en").text(error.value.message).startswith("Game 1, line 1: h1 is not a possible move")


def refusal(text):
    with pytest.raises(RecordError) as error:
        list(pgn_files.games(io.BytesIO(text.encode())))
    values = dict(error.value.message.values)
    return error.value.message.key, values["line"], values.get("move")


@pytest.mark.parametrize(
    ("text", "line", "move"),
    [
        ("1. e4 e5\n2.Cf3 Cc6 *", 2, "2.Cf3"),
        ("1. e4 e5 2. Sf3 Sc6 *", 1, "Sf3"),
        ("1. e4 e5 2. Кf3 Кc6 *", 1, "Кf3"),
        ("1. e4 e5 2. f4 exf4 3. ed cd *", 1, "ed"),
        ("1. e4 e5 2. N?3 Nc6 *", 1, "N?3"),
        ("1. e4 e5 2. ?f3 ?c6 *", 1, "?f3"),
        ("1. e4 {a\n\nb} e5 (1... Sc6) 2. d4 *", 3, "Sc6"),
        ("1. e4 {a {b} c6} c5 *", 1, "c6}"),
        ("1. e4 e5 2. Dh5 Ke6 *", 1, "Dh5"),
        ('1. e4 e5\n[White "A"]\n\n1. d4 *', 2, "[White"),
        ("1. e4 e5 1-0 {a}\n[Sf3] *", 2, "[Sf3]"),
    ],
)
def test_what_is_no_move_is_not_read_as_another_one(text, line, move):
    assert refusal(text) == ("bad_pgn", line, move)


@pytest.mark.parametrize("cut", ["2. N", "2.Nf", "2. Bc4 Nc6 3. B", "2. exd", "2. O-", "1/2-", "0-", "$"])
def test_a_move_that_is_cut_off_ends_the_game_before_it(cut):
    (game,) = pgn_files.games(io.BytesIO(f"1. e4 e5 {cut}".encode()))
    assert game.next().next().san() == "e5"
    assert not pgn_files.is_whole(game)
    assert refusal(f"1. e4 e5 {cut} *")[0] == "bad_pgn"


def test_an_illegal_move_before_what_is_no_move_is_the_mistake():
    assert refusal("1. e4 e5\n2. Ke3 Kc6\n3. Sf3 *") == ("bad_pgn", 2, "Ke3")


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. e4 e5 2. ♘f3 ♞\ufe0ec6 3. ♙d4", "e4 e5 Nf3 Nc6 d4"),
        ("1.e2–e4 e7—e5 2.Nf3 Nc6 3.Bc4 Bc5 4.O–O Nf6 5.d3 o-o", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O"),
        ("1. e2‒e4 e7‐e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O‒O", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"),
        (
            "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. o-o-o O−O−O",
            "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O",
        ),
        (
            "1 e4! d5 (1… e5 $1 +-) 2. e5 f5!? (=) 3. exf6 e.p. ± Pa6 ; ed\n% Sf3\n4. fxg7+-",
            "e4 d5 e5 f5 exf6 a6 fxg7",
        ),
    ],
)
def test_other_signs_for_the_same_moves_are_read(text, moves):
    (game,) = pgn_files.games(io.BytesIO(f"{text} ½–½".encode()))
    assert [node.san() for node in game.mainline()] == moves.split()
    assert game.headers["Result"] == "1/2-1/2"


def test_signs_in_comments_and_tags_stay_as_they_are():
    (game,) = pgn_files.games(io.BytesIO('[White "♘ – o-o"]\n\n1. e4 {♘ – o-o\n½ ed} e5 *'.encode()))
    assert game.headers["White"] == "♘ – o-o"
    assert game.next().comment == "♘ – o-o\n½ ed"


def test_files_that_were_put_together_are_read_with_their_marks_of_utf_8():
    text = '\ufeff[White "A"]\n\n1. e4 *\n\n\ufeff[White "B"]\n\n1. d4 *\n'
    assert [game.headers["White"] for game in pgn_files.games(io.BytesIO(text.encode()))] == ["A", "B"]


@pytest.mark.parametrize("end", ["*", "1-0", "½–½", "0-1 {resigned\n[White]}", "1/2-1/2 ; agreed\n% here"])
def test_tags_after_a_result_begin_the_next_game(end):
    text = f'[White "A"]\n\n1. e4 {end}\n[White "B"]\n[Black "C"]\n\n1. d4 *\n'
    one, two = pgn_files.games(io.BytesIO(text.encode()))
    assert (one.headers["White"], one.next().san(), pgn_files.is_whole(one)) == ("A", "e4", True)
    assert (two.headers["White"], two.headers["Black"], two.next().san()) == ("B", "C", "d4")


def test_a_mistake_in_a_game_that_no_empty_line_precedes_is_found_in_its_line():
    assert refusal('1. e4 *\n[White "B"]\n\n1. e4 e5\n2. Ke3 *') == ("bad_pgn", 5, "Ke3")


@pytest.mark.parametrize(
    ("before", "comment"),
    [("{from\na club}\n", "from\na club b"), ("{a}\n\n% x\n{c} {d}\n\n", "a c d b"), ("; a\n", "b")],
)
def test_a_comment_before_the_tags_belongs_to_the_game(before, comment):
    text = f'{before}[White "A"]\n\n{{b}} 1. e4 *\n\n{before}[White "B"]\n\n1. d4 *\n'
    one, two = pgn_files.games(io.BytesIO(text.encode()))
    assert (one.headers["White"], one.comment, one.next().san()) == ("A", comment, "e4")
    assert (two.headers["White"], two.comment, two.next().san()) == ("B", comment[:-2].rstrip(), "d4")


@pytest.mark.parametrize(
    "behind", ["; remark", "{remark}", " {a} {b} ; c", ' ; as in [Site "b"]', "\t", "{}"]
)
@pytest.mark.parametrize("value", ["a", 'a; {b} \\"c\\\\', "", "a] ; b"])
def test_a_comment_behind_a_tag_is_none_of_its_value(value, behind):
    (game,) = pgn_files.games(io.BytesIO(f'[Event "{value}"]{behind}\n[Site "S"]\n\n1. e4 *'.encode()))
    without = f'[Event "{value}"]\n[Site "S"]\n\n1. e4 *'
    assert game.headers == next(iter(pgn_files.games(io.BytesIO(without.encode())))).headers


@pytest.mark.parametrize("behind", ["remark", "{remark", "} {remark}", "{a} remark"])
def test_what_is_no_comment_behind_a_tag_is_named_with_its_line(behind):
    assert refusal(f'[White "A"]\n[Event "a"] {behind}\n\n1. e4 *') == ("bad_pgn", 2, f'[Event "a"] {behind}')


def test_a_comment_without_a_game_is_refused():
    assert refusal("{a}\n\n{b}\n") == ("no_pgn", 3, None)
    assert refusal("1. e4 *\n\n{b}\n") == ("no_pgn", 3, None)


def test_a_tag_that_is_none_is_named_with_its_line():
    assert refusal('[White "A"]\n[Event "a"\n\n1. e4 *') == ("bad_pgn", 2, '[Event "a"')
    assert refusal('[White "A"]\n{a}\n[Event "a"]\n\n1. e4 *') == ("bad_pgn", 3, "[Event")


@pytest.mark.parametrize(
    ("tag", "end", "result"),
    [
        ("draw", "1/2-1/2", "1/2-1/2"),
        ("1-0 (time)", "1-0", "1-0"),
        ("", "0-1", "0-1"),
        ("½-½", "*", "1/2-1/2"),
        ("½–½", "", "1/2-1/2"),
        ("½:½", "*", "1/2-1/2"),
        ("1/2", "*", "1/2-1/2"),
        ("0-0", "*", "*"),
        ("1-0", "*", "1-0"),
        ("1-0", "0-1", "1-0"),
    ],
)
def test_the_result_is_one_of_pgn_s_four(tag, end, result):
    (game,) = pgn_files.games(io.BytesIO(f'[Result "{tag}"]\n\n1. e4 {end}\n'.encode()))
    assert pgn.export(game).split()[-1] == pgn.scoresheet(game, "en").split()[-1] == result
    assert pgn_files.is_whole(game) == bool(end)


def test_a_long_comment_stands_in_lines_of_80_characters_and_comes_back():
    game = chess.pgn.Game()
    game.comment = " ".join(f"{number}. word}}" for number in range(60))
    node = game.add_main_variation(chess.Move.from_uci("e2e4"))
    node.comment = f"[%clk 0:05:00]{' a' * 25} [%cal Ga1a2,Ga1a3] [%eval 0.17] b\n{'c ' * 40}"
    text = pgn.export(game)
    assert max(map(len, text.splitlines())) <= 80
    assert "[%cal Ga1a2,Ga1a3]" in text
    (read,) = pgn_files.games(io.BytesIO(text.encode()))
    assert read.comment.split() == game.comment.replace("}", "").split()
    assert (read.next().comment.split(), read.next().clock()) == (node.comment.split(), 300)
    assert pgn_files.recorded(read)[1].comments == (" ".join("a" * 25 + "b" + "c" * 40),)
    assert pgn.export(read) == text


@given(st.lists(st.sampled_from(TOKENS), max_size=14))
def test_any_tokens_of_pgn_are_games_or_refused(tokens):
    with contextlib.suppress(RecordError):
        assert list(pgn_files.games(io.BytesIO(" ".join(tokens).encode())))


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ('Anna "Toni" Maier', r'[White "Anna \"Toni\" Maier"]'),
        ("Anna\\", r'[White "Anna\\"]'),
        ('\\"', r'[White "\\\""]'),
    ],
)
def test_quotes_and_backslashes_of_a_name_are_written_and_read_as_in_pgn(name, tag):
    game = chess.pgn.Game({"White": name})
    assert tag in pgn.export(game).splitlines()
    (read,) = pgn_files.games(io.BytesIO(f"{pgn.export(game)}\n".encode()))
    assert read.headers["White"] == name


def test_a_line_break_in_a_name_ends_no_tag():
    game = chess.pgn.Game({"White": "Anna\nMaier", "Black": "Eva"})
    (read,) = pgn_files.games(io.BytesIO(f"{pgn.export(game)}\n".encode()))
    assert (read.headers["White"], read.headers["Black"]) == ("Anna Maier", "Eva")
