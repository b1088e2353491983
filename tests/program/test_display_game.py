# SPDX-License-Identifier: GPL-3.0-or-later
"""Games played on the hardware of a Braille display: what its cells show is all that the player knows."""

import io
import string

import chess
import chess.pgn
import pytest
from support.brltty import VirtualBrltty, dots_to_cell, needs_brltty
from support.program import Running, run

PLAY = ("play", "--opponent", "human", "--hear", "keyboard", "--speak", "off", "--braille", "brlapi")
LETTERS = dict(
    zip(
        string.ascii_lowercase,
        "1 12 14 145 15 124 1245 125 24 245 13 123 134 1345 135 1234 12345 1235 234 2345 136 1236 2456 1346 13456 1356".split(),
        strict=True,
    )
)
# The Portuguese pieces by their English letters; White's have dot 7 too, as all capitals.
PIECES = {"k": "r", "q": "d", "r": "t", "b": "b", "n": "c", "p": "p"}
# A rank's number, the empty squares and the question mark, as Portuguese computer Braille has them.
NUMBERS = dict(zip("12345678", "18 128 148 1458 158 1248 12458 1258".split(), strict=True))
LIGHT, DARK, QUESTION, HYPHEN, CURSOR = "3", "36", "26", "36", "8"
# Both sides take, White promotes, Black castles and mates.
GAME = "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 e7e6 b7a8q f8e7 g1f3 e8g8 a8e4 d8d4 e1e2 d4e4".split()


class Hands:
    """A player at the display: where the squares are, what has come to stand there, and the keys over them."""

    def __init__(self, display):
        self.display = display
        display.wait_for(lambda cells: shows(cells, "em-vindo"))  # brltty says "no screen" until then
        self.board = chess.Board()
        self.moved = None
        self.panned = False

    def square(self, square):
        """The cell of a square as it should be."""
        piece = self.board.piece_at(square)
        if piece is None:
            return dots_to_cell(LIGHT if chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square] else DARK)
        dots = LETTERS[PIECES[piece.symbol().lower()]] + ("7" if piece.color else "")
        return dots_to_cell(dots + (CURSOR if square == self.moved else ""))

    def rank(self, rank):
        """The cells of a rank as they should be, its number first."""
        squares = (self.square(chess.square(file, rank)) for file in range(8))
        return (dots_to_cell(NUMBERS[str(rank + 1)]), *squares)

    def place(self, cells, square):
        """Where a square is shown; None when its rank is not."""
        rank = self.rank(chess.square_rank(square))
        starts = (n for n in range(len(cells)) if cells[n : n + len(rank)] == rank)
        return next((start + 1 + chess.square_file(square) for start in starts), None)

    def find(self, wanted):
        """Where something is shown, panned to if need be; `wanted` finds it in the cells, or gives None."""
        cells = self.display.wait_for(any)
        if self.panned and wanted(cells) is None:
            self.display.press("HOME")
            cells = self.display.wait_for(lambda now, before=cells: now != before)
            self.panned = False
        for _ in range(40):
            if (found := wanted(cells)) is not None:
                return found
            self.display.press("FWINRT")
            self.panned = True
            cells = self.display.wait_for(lambda now, before=cells: now != before)
        raise AssertionError(f"not shown; at last: {self.display.text!r}")

    def route(self, place):
        """Press the routing key over a cell, and wait for what it changes."""
        before = self.display.cells
        self.display.press(f"ROUTE {place}")
        self.panned = False  # what is new is shown from its beginning
        self.display.wait_for(lambda cells: cells != before)

    def point(self, square):
        self.route(self.find(lambda cells: self.place(cells, square)))

    def answer(self, word):
        """Press the routing key over the end of the last word that ends with some cells."""

        def wanted(cells):
            ends = (n for n in range(len(cells)) if (*cells, 0)[n - len(word) + 1 : n + 2] == (*word, 0))
            return max(ends, default=None)

        self.route(self.find(wanted))

    def move(self, uci):
        """Pick the piece, say where it goes, name the piece that a pawn becomes, say yes; then feel the move."""
        move = chess.Move.from_uci(uci)
        self.point(move.from_square)
        self.point(self.target(move))
        if move.promotion:
            letter = LETTERS[PIECES[chess.piece_symbol(move.promotion)]]
            self.answer((0, dots_to_cell(letter + "7")))
        self.answer((dots_to_cell(QUESTION),))
        self.board.push(move)
        self.moved = move.to_square
        self.display.wait_for(lambda cells: dots_to_cell(QUESTION) not in cells)
        self.find(lambda cells: self.place(cells, self.moved))

    def target(self, move):
        """Where to point: at the king's new square, or at the rook when castling."""
        return chess.H8 if self.board.is_kingside_castling(move) else move.to_square


def shows(cells, word):
    """Whether a word stands somewhere in the cells."""
    wanted = tuple(dots_to_cell(HYPHEN if sign == "-" else LETTERS[sign]) for sign in word)
    return any(cells[n : n + len(wanted)] == wanted for n in range(len(cells)))


def recorded(home, save):
    lines, _ = run(home, "record", 1, "--save", save)
    game = chess.pgn.read_game(io.StringIO("\n".join(lines) + "\n"))
    return " ".join(move.uci() for move in game.mainline_moves()), game.headers["Result"]


@pytest.fixture
def save(tmp_path):
    return tmp_path / "games"


@needs_brltty
def test_a_whole_game_by_routing_keys_alone(tmp_path, save):
    # The virtual display has no routing keys after the 255th cell.
    with VirtualBrltty(31, 8) as display, Running(tmp_path, *PLAY, "--save", save, **display.env):
        hands = Hands(display)
        for uci in GAME:
            hands.move(uci)
        display.wait_for(lambda cells: shows(cells, "xeque-mate"))
    assert recorded(tmp_path, save) == (" ".join(GAME), "0-1")


@needs_brltty
@pytest.mark.parametrize("columns", [12, 14, 20, 40, 80])
def test_moves_by_routing_keys_on_one_line(tmp_path, save, columns):
    with (
        VirtualBrltty(columns) as display,
        Running(tmp_path, *PLAY, "--save", save, **display.env),
    ):
        hands = Hands(display)
        for uci in GAME[:3]:
            hands.move(uci)
    assert recorded(tmp_path, save)[0] == " ".join(GAME[:3])


@needs_brltty
@pytest.mark.parametrize(("columns", "rows"), [(40, 9), (32, 10)])
def test_the_display_goes_and_comes_back_in_mid_game(tmp_path, save, columns, rows):
    with (
        VirtualBrltty(columns, rows) as display,
        Running(tmp_path, *PLAY, "--save", save, **display.env),
    ):
        hands = Hands(display)
        for uci in GAME[:2]:
            hands.move(uci)
        hands.point(chess.E4)  # picked, and asked where it goes
        display.wait_for(lambda cells: dots_to_cell(QUESTION) in cells)
        shown = display.cells
        display.unplug()
        display.plug()
        display.wait_for(shown, 20)
        display.restart()
        display.wait_for(shown, 20)
        hands.point(chess.D5)
        hands.answer((dots_to_cell(QUESTION),))
        hands.board.push_uci("e4d5")
        hands.moved = chess.D5
        hands.find(lambda cells: hands.place(cells, chess.D5))
        display.resize(20, 1)
        hands.find(lambda cells: hands.place(cells, chess.D5))
    assert recorded(tmp_path, save)[0] == "e2e4 d7d5 e4d5"
