# SPDX-License-Identifier: GPL-3.0-or-later
"""Every token of a record in every code: golden cells by hand, no two alike, and each comes back."""

import itertools
import random
from functools import cache

import chess
import pytest
from support.examples import examples

from braille.notation import code_names, load_code
from braille.patterns import BLANK, pattern
from braille.tokens import MARKS, RESULTS, TokenError

pytest.importorskip("louis", reason="liblouis is not installed")

CODES = code_names()
SQUARES = [file + rank for file in "abcdefgh" for rank in "12345678"]
CLOCKS = ["0:00:00", "0:00:59", "1:02:03", "12:34:56", "100:00:00", "0:00:05.3", "1:02:03.457"]

# Written from the rules of each code: the letters of Braille; low digits (uk, pt6, es6, en8), digits that are
# letters with dot 6 (de6, de8, es8, figurine) or with dot 8 (pt8); a capital by dots 4 6 (pt6, es6), dot 4 (de6)
# or dot 7; pieces KQRLSP in uk, RDTBC in Portuguese, RDTAC in Spanish, KDTLS in German and of the figures.
SHORT_GAME = "1. e4|e5|2. Bc4|Nc6|3. Qh5|Nf6|4. Qxf7#"
GOLDEN_GAMES = {
    "uk": "⠂⠀⠑⠲|⠑⠢|⠆⠀⠇⠉⠲|⠎⠉⠖|⠒⠀⠟⠓⠢|⠎⠋⠖|⠲⠀⠟⠰⠋⠶⠜⠍",
    "pt6": "⠂⠄⠑⠲|⠑⠢|⠆⠄⠨⠃⠉⠲|⠨⠉⠉⠖|⠒⠄⠨⠙⠓⠢|⠨⠉⠋⠖|⠲⠄⠨⠙⠭⠋⠶⠐⠖⠖",
    "es6": "⠂⠄⠑⠲|⠑⠢|⠆⠄⠨⠁⠉⠲|⠨⠉⠉⠖|⠒⠄⠨⠙⠓⠢|⠨⠉⠋⠖|⠲⠄⠨⠙⠭⠋⠶⠐⠖⠖",
    "de6": "⠡⠄⠑⠹|⠑⠱|⠣⠄⠈⠇⠉⠹|⠈⠎⠉⠫|⠩⠄⠈⠙⠓⠱|⠈⠎⠋⠫|⠹⠄⠈⠙⠭⠋⠻⠼",
    "pt8": "⢁⠄⠑⢙|⠑⢑|⢃⠄⡃⠉⢙|⡉⠉⢋|⢉⠄⡙⠓⢑|⡉⠋⢋|⢙⠄⡙⠭⠋⢛⠼",
    "en8": "⠂⠨⠑⠲|⠑⠢|⠆⠨⡃⠉⠲|⡝⠉⠖|⠒⠨⡟⠓⠢|⡝⠋⠖|⠲⠨⡟⠭⠋⠶⠼",
    "de8": "⠡⠄⠑⠹|⠑⠱|⠣⠄⡇⠉⠹|⡎⠉⠫|⠩⠄⡙⠓⠱|⡎⠋⠫|⠹⠄⡙⠭⠋⠻⠼",
    "es8": "⠡⠄⠑⠹|⠑⠱|⠣⠄⡁⠉⠹|⡉⠉⠫|⠩⠄⡙⠓⠱|⡉⠋⠫|⠹⠄⡙⠭⠋⠻⠼",
    "figurine": "⠡⠄⠑⠹|⠑⠱|⠣⠄⡇⠉⠹|⡎⠉⠫|⠩⠄⡙⠓⠱|⡎⠋⠫|⠹⠄⡙⠭⠋⠻⠼",
}
GOLDEN = {
    "uk": {
        "cxd5": "⠉⠰⠙⠢", "Rxf4+": "⠗⠸⠋⠲", "f5+": "⠘⠋⠢", "Re8#": "⠗⠑⠦⠜⠍", "Nce5": "⠎⠉⠑⠢", "Nb1c3": "⠎⠃⠂⠉⠒", "R1d2": "⠗⠂⠙⠆",
        "bc4": "⠃⠉⠲", "Kxd1": "⠅⠰⠙⠂", "O-O": "⠕⠤⠕", "O-O-O+": "⠘⠕⠤⠕⠤⠕", "O-O#": "⠕⠤⠕⠜⠍", "e8=Q": "⠑⠦⠟", "dxe8=N+": "⠙⠸⠑⠦⠎",
        "exd6 e.p.": "⠑⠰⠙⠖⠜⠑⠏", "Nf3!": "⠎⠋⠒⠜⠖", "Nf3?!": "⠎⠋⠒⠜⠦⠖", "Kb1(=)": "⠅⠃⠂⠜⠶", "12.": "⠂⠆⠀", "30...": "⠒⠴⠀⠤",
        "1-0": "⠼⠁⠤⠼⠚", "1/2-1/2": "⠼⠁⠌⠃⠤⠼⠁⠌⠃", "1:02:03": "⠼⠁⠒⠼⠚⠃⠒⠼⠚⠉", "*": "⠐⠔", "$14": "⠈⠎⠼⠁⠙",
    },
    "pt6": {
        "Bc4": "⠨⠃⠉⠲", "bc4": "⠃⠉⠲", "cxd5": "⠉⠭⠙⠢", "Rxf4+": "⠨⠞⠭⠋⠲⠐⠖", "R1d2": "⠨⠞⠂⠙⠆", "Kb1(=)": "⠨⠗⠃⠂⠣⠄⠶⠠⠜",
        "O-O": "⠨⠕⠤⠨⠕", "e8=Q": "⠑⠦⠨⠙", "exd6 e.p.": "⠑⠭⠙⠖⠑⠄⠏⠄", "Nf3!": "⠨⠉⠋⠒⠠⠖", "Nf3+!?": "⠨⠉⠋⠒⠐⠖⠠⠖⠢", "30...": "⠒⠴⠄⠄⠄",
        "0-1": "⠼⠚⠤⠼⠁", "1/2-1/2": "⠼⠂⠃⠤⠼⠂⠃", "1:02:03": "⠼⠁⠒⠼⠚⠃⠒⠼⠚⠉", "*": "⠔",
    },
    "es6": {"Bc4": "⠨⠁⠉⠲", "ac4": "⠁⠉⠲", "Kb1(=)": "⠨⠗⠃⠂⠣⠶⠜", "e8=B+": "⠑⠦⠨⠁⠐⠖", "30.": "⠒⠴⠄"},
    "de6": {
        "Bc4": "⠈⠇⠉⠹", "e8=Q+": "⠑⠳⠶⠈⠙⠖", "O-O-O": "⠈⠕⠤⠈⠕⠤⠈⠕", "Nf3!": "⠈⠎⠋⠩⠐", "Nf3?": "⠈⠎⠋⠩⠢", "Kb1(=)": "⠈⠅⠃⠡⠦⠶⠴",
        "1/2-1/2": "⠡⠲⠣⠤⠡⠲⠣", "1:02:03": "⠡⠒⠬⠣⠒⠬⠩", "30...": "⠩⠬⠄⠄⠄", "exd6 e.p.": "⠑⠭⠙⠫⠑⠄⠏⠄",
    },
    "pt8": {"Bc4": "⡃⠉⢙", "bc4": "⠃⠉⢙", "e8=Q+": "⠑⢓⠶⡙⠖", "O-O": "⡕⠤⡕", "1-0": "⢁⠤⢚", "30...": "⢉⢚⠄⠄⠄", "Kb1(=)": "⡗⠃⢁⢣⠶⢜"},
    "en8": {"Bc4": "⡃⠉⠲", "bc4": "⠃⠉⠲", "e8=Q+": "⠑⠦⠿⡟⠬", "O-O": "⡕⠤⡕", "1-0": "⠂⠤⠴", "Nf3!": "⡝⠋⠒⠮"},
    "de8": {"Bc4": "⡇⠉⠹", "e8=Q+": "⠑⠳⠶⡙⠖", "Re8#": "⡞⠑⠳⠼", "1-0": "⠡⠤⠬", "Kb1(=)": "⡅⠃⠡⠦⠶⠴"},
    "es8": {"Bc4": "⡁⠉⠹", "ac4": "⠁⠉⠹", "e8=Q+": "⠑⠳⠶⡙⠖", "Nf3?": "⡉⠋⠩⠢"},
    "figurine": {"Bc4": "⡇⠉⠹", "Rxf4+": "⡞⠭⠋⠹⠖", "Kb1": "⡅⠃⠡", "e8=Q": "⠑⠳⠶⡙", "Nf3": "⡎⠋⠩"},
}  # fmt: skip


def reached(origin, capture):
    """The squares where some pawn of a file can arrive."""
    if not capture:
        return [square for square in SQUARES if square[0] == origin and square[1] != "1"]
    return [square for square in SQUARES if abs(ord(square[0]) - ord(origin)) == 1]


def pawn_moves():
    for origin, capture in itertools.product("abcdefgh", ("", "x")):
        for square in reached(origin, capture):
            promotions = [f"={piece}" for piece in "QRBN"] if square[1] in "18" else [""]
            for promotion, check in itertools.product(promotions, ("", "+", "#")):
                yield (origin + "x" if capture else "") + square + promotion + check
                if capture and square[1] in "36":
                    yield f"{origin}x{square}{check} e.p."
                if not capture and square[1] not in "18":
                    yield f"{origin}{square[1]}{square}{check}"  # the long form, which the Laws accept (C.8, 2018)


def piece_moves():
    """All of them, those with the whole square of origin as far as a piece can go; check and mate to a diagonal."""
    for piece, capture, target in itertools.product("KQRBN", ("", "x"), SQUARES):
        board = chess.Board(None)
        board.set_piece_at(chess.parse_square(target), chess.Piece.from_symbol(piece))
        origins = (chess.square_name(square) for square in board.attacks(chess.parse_square(target)))
        for origin in ("", *"abcdefgh", *"12345678", *origins):
            checks = ("", "+", "#") if ord(target[0]) - ord("a") == int(target[1]) - 1 else ("",)
            for check in checks:
                yield piece + origin + capture + target + check


@cache
def every_token():
    return tuple(dict.fromkeys(_tokens()))


def _tokens():
    bare = [*piece_moves(), *pawn_moves()]
    bare += [castling + check for castling in ("O-O", "O-O-O", "--") for check in ("", "+", "#")]
    yield from bare
    # What is added stands after all else, so a few moves of each kind stand for all.
    kinds = [
        "Nf3",
        "Nb1xd2+",
        "Qh4xe1#",
        "e4",
        "exd6 e.p.",
        "exd6+ e.p.",
        "dxe8=Q+",
        "e8=N#",
        "O-O",
        "O-O-O+",
        "--",
    ]
    for move, mark, offer in itertools.product(kinds, ("", *MARKS), ("", "(=)")):
        if mark or offer:
            yield move + mark + offer
    yield from (mark + offer for mark in ("", *MARKS) for offer in ("", "(=)") if mark + offer)
    yield from (*RESULTS, "(", ")", *CLOCKS)
    yield from (
        f"{hours}:{minutes:02}:{(minutes * 7 + hours) % 60:02}"
        for hours in range(10)
        for minutes in range(60)
    )
    yield from (f"${number}" for number in range(256))


def numbers():
    return [f"{number}{end}" for number in range(1, 400) for end in (".", "...")]


def read_number(code, cells):
    """A number is told by the move after it."""
    (number, _), (move, _) = code.tokens.scan(cells + code.tokens.write("Nf3"))
    assert move == "Nf3"
    return number


@pytest.mark.parametrize("name", CODES)
def test_a_game_by_hand(name):
    assert name in GOLDEN_GAMES, f"{name} has no cells here: write them from the rules of the code"
    code = load_code(name)
    units = [unit.split() for unit in SHORT_GAME.split("|")]
    written = ["".join(code.tokens.write(token) for token in unit) for unit in units]
    assert written == GOLDEN_GAMES[name].split("|")
    assert [token for token, _ in code.tokens.scan(BLANK.join(written))] == [
        token for unit in units for token in unit
    ]


@pytest.mark.parametrize(
    ("name", "token", "cells"), [(n, *item) for n, t in GOLDEN.items() for item in t.items()]
)
def test_tokens_by_hand(name, token, cells):
    assert load_code(name).tokens.write(token) == cells


def test_every_code_has_its_golden_cells():
    assert set(GOLDEN) == set(GOLDEN_GAMES) == set(CODES)


@pytest.mark.parametrize("name", CODES)
@pytest.mark.sweep
def test_every_token_comes_back_and_no_two_share_their_cells(name):
    code = load_code(name)
    seen = {}
    for token in every_token():
        cells = code.tokens.write(token)
        assert cells not in seen, (token, seen.get(cells))
        seen[cells] = token
        assert code.tokens.read(cells) == token
    for token in numbers():
        cells = code.tokens.write(token)
        assert cells not in seen, (token, seen.get(cells))
        seen[cells] = token
        assert read_number(code, cells) == token
    beyond_six = pattern(range(0x40, 0x100))
    assert any(cell in beyond_six for cells in seen for cell in cells) == (code.dots == 8)
    # Within a record's line a blank parts one token from the next: only the end of a number may hold one.
    assert not any(BLANK in cells for cells, token in seen.items() if not token.endswith("."))


@pytest.mark.parametrize("name", CODES)
def test_what_stands_around_comments_and_captions_begins_no_token(name):
    code = load_code(name)
    openings = [code.bracket("{"), code.bracket("[")]
    assert all(openings)
    assert not openings[0].startswith(openings[1])
    assert not openings[1].startswith(openings[0])
    assert code.bracket("}")
    assert code.bracket("]")
    for token in itertools.chain(every_token(), numbers()):
        assert not code.tokens.write(token).startswith(tuple(openings)), token


@pytest.mark.parametrize("name", CODES)
def test_commands_of_pgn_stand_among_the_moves_and_no_move_begins_as_they_do(name):
    code = load_code(name)
    tokens = [
        "[%csl Ra1,Gh8]",
        "1.",
        "Nf3!",
        "[%eval -0.17,12]",
        "0:10:00",
        "[%emt 5.2]",
        "[%x]",
        "(",
        "1.",
        "d4",
        ")",
        "$14",
    ]
    ends = {"1."}  # the number of a move stands directly before it
    cells = "".join(code.tokens.write(token) + BLANK * (token not in ends) for token in tokens)
    assert [token for token, _ in code.tokens.scan(cells)] == tokens
    for token in itertools.islice(every_token(), 0, None, 37):
        assert not code.tokens.command(code.tokens.write(token)), token


@pytest.fixture(scope="module")
def random_sans():
    """The moves of random games, each once."""
    chance = random.Random(5)  # noqa: S311  # the same games each time
    found = set()
    for _ in range(examples(1000)):
        board = chess.Board()
        for _ in range(60):
            moves = list(board.generate_legal_moves())
            if not moves:
                break
            move = chance.choice(moves)
            found.add(board.san_and_push(move))
    return sorted(found)


@pytest.mark.parametrize("name", CODES)
@pytest.mark.sweep
def test_the_moves_of_random_games_come_back(name, random_sans):
    tokens = load_code(name).tokens
    assert len(random_sans) > examples(1000)
    written = [tokens.write(san) for san in random_sans]
    assert [tokens.read(cells) for cells in written] == random_sans
    assert len(set(written)) == len(random_sans)
    assert [token for token, _ in tokens.scan(BLANK.join(written))] == random_sans


@pytest.mark.parametrize("name", CODES)
def test_no_move_is_longer_than_the_shortest_line(name):
    tokens = load_code(name).tokens
    moves = [*pawn_moves(), *piece_moves(), "O-O-O+", "O-O-O#"]
    assert max(len(tokens.write(move)) for move in moves) <= 12
    assert max(len(tokens.write(addition)) for addition in (*MARKS, "(=)")) <= 12


@pytest.mark.parametrize(
    "token", ["", "e9", "Nf3Nf3", "12", "1.5", "e4++", "i4", "Pe4", "1:2:3", "$", "$x", "2-0", "((", " "]
)
def test_what_is_no_token_is_refused(token):
    with pytest.raises(ValueError, match="no token"):
        load_code("uk").tokens.write(token)


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("cells", ["", "⠿", "⠿⠿⠿", "⠑⠑⠑⠑", "⠀"])
def test_cells_that_are_no_token_are_refused(name, cells):
    with pytest.raises(TokenError):
        load_code(name).tokens.read(cells)


def test_the_place_of_what_cannot_be_read():
    with pytest.raises(TokenError) as caught:
        list(load_code("uk").tokens.scan("⠂⠀⠑⠲⠀⠿⠿⠀⠑⠢"))
    assert (caught.value.place, caught.value.cells) == (5, "⠿⠿")
