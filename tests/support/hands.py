# SPDX-License-Identifier: GPL-3.0-or-later
"""A player at a Braille display: what its cells show is all that the player knows."""

import itertools
import string

import chess

from support.brltty import dots_to_cell

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
LIGHT, DARK, QUESTION, HYPHEN, CURSOR = "3", "36", "26", "36", "78"
BOARD_ROWS, BOARD_COLUMNS = 8, 17


class Hands:
    """A player at the display: where the squares are, what has come to stand there, and the keys over them."""

    def __init__(self, display, greeting="linha"):
        self.display = display
        display.wait_for(lambda cells: shows(cells, greeting))  # brltty says "no screen" until then
        self.board = chess.Board()
        self.moved = None
        self.panned = False
        self.pressed = 0
        self.last = ""

    def press(self, key):
        """Press a key, and count it; a player presses one over a cell no second time as fast as a hand trembles."""
        if key == self.last and key.startswith("ROUTE"):
            self.display.press("HOME")  # what is new stands at the top already
        self.pressed, self.last = self.pressed + 1, key
        self.display.press(key)

    def square(self, square):
        """The cell of a square as it should be."""
        piece = self.board.piece_at(square)
        if piece is None:
            return dots_to_cell(LIGHT if chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square] else DARK)
        return dots_to_cell(LETTERS[PIECES[piece.symbol().lower()]] + ("7" if piece.color else ""))

    def rank(self, rank):
        """The cells of a rank as they should be, its number first; on several rows files are two cells wide."""
        cells = [dots_to_cell(NUMBERS[str(rank + 1)])]
        for file in range(8):
            square = chess.square(file, rank)
            marks = (dots_to_cell(CURSOR),) if square == self.moved else (0,) * self.columned
            cells += (*marks, self.square(square))
        return tuple(cells)

    @property
    def columned(self):
        """Whether the display has room for a board of columns."""
        return self.display.rows >= BOARD_ROWS

    def in_words(self, place):
        """Whether a cell is no part of the columns of the board."""
        return not self.columned or place % self.display.columns > BOARD_COLUMNS

    def place(self, cells, square):
        """Where a square is shown; None when its rank is not."""
        rank, file = self.rank(chess.square_rank(square)), chess.square_file(square)
        moved = self.moved is not None and chess.square_rank(self.moved) == chess.square_rank(square)
        offset = (
            2 * file + 2 if self.columned else file + 1 + (moved and chess.square_file(self.moved) <= file)
        )
        starts = (n for n in range(len(cells)) if cells[n : n + len(rank)] == rank)
        return next((start + offset for start in starts), None)

    def listed(self, cells, square):
        """Where a square stands in a list such as "a12 c3"; None when it does not."""
        file, rank = chess.square_name(square)
        digits = [dots_to_cell(NUMBERS[digit]) for digit in NUMBERS]
        for start, cell in enumerate(cells):
            if cell == dots_to_cell(LETTERS[file]) and (start == 0 or cells[start - 1] == 0):
                ranks = list(itertools.takewhile(lambda n: cells[n] in digits, range(start + 1, len(cells))))
                wanted = (n for n in ranks if cells[n] == dots_to_cell(NUMBERS[rank]))
                if found := next(wanted, None):
                    return found
        return None

    def find(self, wanted, pans=80):
        """Where something is shown, panned to if need be; `wanted` finds it in the cells, or gives None.

        Behind the end it is looked for from the top again: it may have come meanwhile.
        """
        cells = self.display.wait_for(any)
        if self.panned and wanted(cells) is None:
            cells = self._home(cells)
        for _ in range(pans):
            if (found := wanted(cells)) is not None:
                return found
            self.press("FWINRT")
            self.panned = True
            went_on = self.display.changes(cells, timeout=1)
            cells = self.display.cells if went_on else self._home(cells)
        raise AssertionError(f"not shown; at last: {self.display.text!r}")

    def _home(self, before):
        """The cells at the top, or what else is shown instead of those before."""
        self.press("HOME")
        self.panned = False
        return self.display.wait_for(lambda cells: cells != before)

    def route(self, place):
        """Press the routing key over a cell, and wait for what it changes."""
        before = self.display.cells
        self.press(f"ROUTE {place}")
        self.panned = False  # what is new is shown from its beginning
        self.display.wait_for(lambda cells: cells != before)

    def point(self, square):
        self.route(self.find(lambda cells: self.place(cells, square)))

    def answer(self, word):
        """Press the routing key over the end of the last word that ends with some cells."""

        def wanted(cells):
            ends = (n for n in range(len(cells)) if (*cells, 0)[n - len(word) + 1 : n + 2] == (*word, 0))
            return max(filter(self.in_words, ends), default=None)

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
        self.feel(move)

    def feel(self, move):
        """Wait until a move is on the display, whoever has made it."""
        self.board.push(move)
        self.moved = move.to_square
        self.display.wait_for(lambda cells: dots_to_cell(QUESTION) not in cells)
        self.find(lambda cells: self.place(cells, self.moved))

    def move_by_lists(self, uci):
        """The same by the lists of squares, from line down on, without waiting to feel the move."""
        move = chess.Move.from_uci(uci)
        before = self.display.cells
        self.press("LNDN")
        self.display.wait_for(lambda cells: cells != before)
        self.route(self.find(lambda cells: self.listed(cells, move.from_square)))
        self.route(self.find(lambda cells: self.listed(cells, move.to_square)))
        if move.promotion:
            self.answer((0, dots_to_cell(LETTERS[PIECES[chess.piece_symbol(move.promotion)]] + "7")))
        self.answer((dots_to_cell(QUESTION),))
        self.display.wait_for(lambda cells: dots_to_cell(QUESTION) not in cells)
        self.board.push(move)
        self.moved = move.to_square

    def target(self, move):
        """Where to point: at the king's new square, or at the rook when castling."""
        if self.board.is_kingside_castling(move):
            return chess.square(7, chess.square_rank(move.from_square))
        return move.to_square


def shows(cells, word):
    """Whether a word stands somewhere in the cells."""
    wanted = tuple(dots_to_cell(HYPHEN if sign == "-" else LETTERS[sign]) for sign in word)
    return any(cells[n : n + len(wanted)] == wanted for n in range(len(cells)))


def ends_with(cells, word):
    """Where a word that stands alone ends in the cells; None when it is not there."""
    found = (n for n in range(len(cells)) if cells[n : n + len(word)] == word)
    return next((start + len(word) - 1 for start in found if start + len(word) > 1), None)
