# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to show of a game, as lines of cells with what a routing key over each does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from acessivel.dialogue import pointed_squares
from acessivel.dialogue.questions import (
    ANSWERED_BY_YES,
    NOTHING,
    Asking,
    Choose,
    Difference,
    Missing,
    Touching,
    answers,
)
from acessivel.game.game import Game
from acessivel.message import Duration, Message
from acessivel.messages.rendering import Part, Renderer
from acessivel.rules.position import COLOURS, WHITE, Position
from acessivel.session.answers import named
from acessivel.session.events import Heard
from acessivel.session.state import State
from braille.notation import Code
from braille.tokens import FILES
from braille.window import BLANK, Line
from voices.grammar.distinct import in_words
from voices.meaning import Meaning, MovePattern, Number, Piece, PieceNamed
from voices.understanding import written_moves
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

_FLAG = (0xFF,) * 3  # a fallen flag
_SECOND_MS = 1000
_MARK_AFTER_FILE = re.compile(r"(?<=[a-h])[^\w\s]")
_LISTED_MOVES = 20  # half-moves that a display can have room for, as on a scoresheet


@dataclass(frozen=True, slots=True)
class Chosen:
    """A routing key was pressed over a line of a list: do what that line's key does."""

    action: str


@dataclass(frozen=True, slots=True)
class ToldMessage:
    """A message to show, and the action that a routing key over it triggers, "" for none."""

    message: Message
    action: str = ""

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.message.key.startswith("ask_")


@dataclass(frozen=True, slots=True)
class Content:
    """Writes what is told and the state of a game in a Braille code."""

    renderer: Renderer
    code: Code

    def text(self, text: str, mark: object | None = None) -> Line:
        """Plain text."""
        return Line.of(self.code.text(text), mark)

    def told(self, told: ToldMessage) -> Line:
        """A message outside a question: what it says, and its action."""
        mark = Chosen(told.action) if told.action else None
        parts = self.renderer.parts(told.message)
        if any(part.notation for part in parts) or not mark:
            return Line.of((cell for _, cells in self._written(parts) for cell in cells), mark)
        text = self.renderer.text(told.message)
        return self.text(self._apart(text) if told.message.key == "ask_sealed" else text, mark)

    def _apart(self, text: str) -> str:
        """What is sealed, with a blank before each mark after a file that could be read as its rank."""
        return _MARK_AFTER_FILE.sub(
            lambda mark: " " * (self.code.text(f"a{mark[0]}")[1] in self.code.ranks) + mark[0], text
        )

    def plain(self, message: Message) -> Line:
        """A message as it stands on the screen."""
        return self.text(self.renderer.text(message))

    def row(self, labels: Iterable[Line]) -> Line:
        """Labels one after the other, with commas between them."""
        row = Line.of(())
        for label in labels:
            row += (self.text(",") + BLANK if row.cells else row) + label
        return row

    def question(self, message: Message, asking: Asking) -> Line:
        """A question: its cells stand for yes, those of a choice for its number or word.

        A picked piece is not named again: the squares that it can reach take the place of the question.
        """
        if isinstance(asking, Missing) and asking.said.origin.complete and message.key == "ask_square":
            return Line.of(self.code.move(written_moves.write(asking.said)) + self.code.text("?"))
        asks = isinstance(asking, ANSWERED_BY_YES)
        line, moves = Line.of(()), 0
        words = self._answers(asking)
        for part, cells in self._written(self.renderer.parts(message)):
            moves += part.notation
            chosen = self.answer(yes=True) if asks else None
            if part.notation and message.key == "ask_choice":
                chosen = Heard(words=(str(moves),))
            if part.shown in words:
                chosen = Heard(words=(part.shown,))
            line += Line.of(cells, chosen)
        return line

    def answer(self, *, yes: bool) -> Heard:
        """A yes or a no, as it is said."""
        word = vocabulary(self.renderer.language).say("answer", "yes" if yes else "no")
        return Heard(words=(word,), key=True)

    def choices(self, asking: Asking, position: Position) -> Line:
        """The answers that a question does not show itself, each under its own routing key."""
        found = pointed_squares.choices(asking, position)
        line = self.squares(str(c.target) for c in found if isinstance(c, MovePattern) and c.target.complete)
        for answer in found:
            if not (isinstance(answer, MovePattern) and answer.target.complete):
                line += BLANK + self._choice(answer)
        for heard in self.named(asking):
            line += BLANK + self.text(heard.words[0], heard)
        return line

    def piece(self, cells: tuple[int, ...], asking: Asking) -> Heard | None:
        """The piece that is an answer to a question and has these cells in moves, or None."""
        for answer in answers(asking):
            if isinstance(answer, PieceNamed) and self.code.move(answer.piece) == cells:
                return Heard(words=(self._in_words(answer),))
        return None

    def named(self, asking: Asking) -> list[Heard]:
        """A yes and a no that name who is asked, where the other player may have answered before."""
        return [Heard(words=(self._in_words(answer),), key=True) for answer in named(asking)]

    def squares(self, names: Iterable[str]) -> Line:
        """Squares by their files: "a12 c3".

        A routing key over a rank is that square, one over a file its only square.
        """
        line = Line.of(())
        for _, group in groupby(sorted(names), key=lambda name: name[0]):
            squares = tuple(group)
            file = self.code.move(squares[0])[:-1]
            line += BLANK + Line.of(file, squares[0] if len(squares) == 1 else None)
            for square in squares:
                line += Line.of(self.code.move(square)[-1:], square)
        return line

    def own_squares(self, state: State) -> Line:
        """Where the pieces of the player to move stand, if one of them can be picked now."""
        if state.asking != NOTHING or state.game.result or state.engines_turn:
            return Line.of(())
        position = state.moves_in
        return self.squares(str(place) for piece in Piece for place in position.where(position.turn, piece))

    def flags(self, state: State) -> Iterator[Line]:
        """The fallen flags: all dots, and whose flag it is; a server says that by itself."""
        clock = None if state.at_server else state.game.clock
        for colour in COLOURS:
            if clock and clock.down(colour, state.now_ms):
                name = self.renderer.text(Message.of(f"colour_{colour}"))
                yield Line.of((*_FLAG, 0, *self.code.text(name)))

    def clocks(self, state: State) -> Line:
        """What both sides have left, White first; blank without a clock."""
        return self.text(" ".join(_clocks(state)))

    def last_moves(self, game: Game, columns: int) -> Line:
        """The last moves of both sides; a number stands directly before its move if both fit in a row."""
        cells: list[int] = []
        for number, move in enumerate(game.played[-2:]):
            fact = move.fact
            written = self.code.move(fact.san)
            if fact.colour == WHITE or number == 0:
                count = self.code.move(f"{fact.number}." if fact.colour == WHITE else f"{fact.number}...")
                written = count + ((0,) if len(count) + len(written) > columns else ()) + written
            cells += (0, *written)
        return Line.of(cells)

    def scoresheet(self, game: Game) -> list[Line]:
        """The last moves as on a scoresheet: a line for each number."""
        lines: list[Line] = []
        for move in game.played[-_LISTED_MOVES:]:
            fact = move.fact
            if fact.colour == WHITE or not lines:
                lines.append(Line.of(self.code.move(f"{fact.number}.{'' if fact.colour == WHITE else '..'}")))
                lines[-1] += Line.of(self.code.move(fact.san))
            else:
                lines[-1] += BLANK + Line.of(self.code.move(fact.san))
        return lines

    def _written(self, parts: Iterable[Part]) -> Iterator[tuple[Part, tuple[int, ...]]]:
        """The cells of each part; a blank keeps a mark from being read as the rank of a file before it."""
        after_file = False
        for part in parts:
            cells = self._cells(part)
            is_mark = after_file and not part.notation and cells and cells[0] in self.code.ranks
            yield part, (0, *cells) if is_mark else cells
            after_file = part.brief[-1:] in {*FILES} and (part.notation or len(part.brief) == 1)

    def _cells(self, part: Part) -> tuple[int, ...]:
        return self.code.move(part.brief) if part.notation else self.code.text(part.brief)

    def options(self, asking: Asking) -> tuple[str, ...]:
        """The words between which a question asks, as it shows them."""
        options = asking.options if isinstance(asking, Difference) else ()
        return tuple(in_words(one, self.renderer.convention, self.renderer.language).text for one in options)

    def _answers(self, asking: Asking) -> frozenset[str]:
        """The words that can answer the open question, as a question can show them."""
        if isinstance(asking, Choose | Touching):
            return frozenset(map(self._in_words, answers(asking)))
        return frozenset(self.options(asking))

    def _choice(self, answer: pointed_squares.Choice) -> Line:
        if isinstance(answer, PieceNamed):
            return Line.of(self.code.move(answer.piece), Heard(words=(self._in_words(answer),)))
        brief = answer.value if isinstance(answer, Number) else answer.target
        return self.text(str(brief), Heard(words=(self._in_words(answer),)))

    def _in_words(self, meaning: Meaning) -> str:
        return phrasing(self.renderer.convention, self.renderer.language).meaning(meaning, spoken=False)


def _clocks(state: State) -> Iterator[str]:
    """What both sides have left: "1:02:03" or "04:05", of a constant width; nothing without a clock."""
    clock = state.game.clock
    if clock is None:
        return
    for colour in COLOURS:
        minutes, seconds = divmod(Duration.left(clock.left(colour, state.now_ms)).ms // _SECOND_MS, 60)
        hours, minutes = divmod(minutes, 60)
        yield f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"
