# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Braille display shows of a game, and what its keys mean."""

from __future__ import annotations

import string
from collections.abc import Iterable
from functools import cache

from acessivel.dialogue import Confirm, Offered, Sure, answers
from acessivel.events import Event, Heard, SquarePointed
from acessivel.game import Game
from acessivel.message import Message
from acessivel.rendering import Renderer
from acessivel.rules import WHITE
from acessivel.session import State
from braille import board
from braille.displays import Character, Display, Dots, Key, NamedKey, RoutingKey
from braille.notation import load_code
from braille.window import BOARD_ROWS, Line, Size, Window
from voices import grammar
from voices.lexicon import vocabulary
from voices.phrasing import phrasing

TALK_KEY = NamedKey.CURSOR_DOWN  # begins and ends an utterance in push-to-talk

_REPEATED = frozenset({"played", "turn", "turn_in_check"})  # the exchange says the same more shortly


class Panel:
    """Shows the last exchange with what is being asked, and the board.

    Where the whole board fits with a row to spare it stands on top, and the words pan below it; on fewer
    rows the words come first. Panning and typing stay here; `press` returns an event when a key says
    something to the game.
    """

    def __init__(self, display: Display, language: str, convention: str) -> None:
        self._display = display
        self._language = language
        self._renderer = Renderer(language, convention)
        self._code = load_code(f"{language}8")
        self._exchanged: tuple[Line, ...] = ()
        self._board: tuple[Line, ...] = ()
        self._window = Window.of((), display.size)
        self._typed = ""
        self._asks = False

    def show(self, state: State, messages: Iterable[Message]) -> None:
        """Show a state, and what is said about it, from the top."""
        messages = tuple(messages)
        self._asks = any(message.key.startswith("ask_") for message in messages)
        placement = state.game.position.placement
        from_black = state.setup.persons == ("black",)
        self._exchanged = (self._exchange(state, messages),)
        self._board = board.ranks(placement, self._code, from_black=from_black)
        self._lay_out(self._display.size)

    def tell(self, messages: Iterable[Message]) -> None:
        """Show messages where no game is played."""
        texts = (self._renderer.text(message) for message in messages)
        self._exchanged, self._board = (Line.of(self._code.text(" ".join(texts))),), ()
        self._lay_out(self._display.size)

    def resize(self, size: Size) -> None:
        """Lay out again for a display of another size."""
        self._lay_out(size)

    def press(self, key: Key) -> Event | None:
        """Pan, type, or say something to the game."""
        match key:
            case RoutingKey(cell):
                return self._pointed(self._window.mark(cell))
            case Character(character):
                self._type(self._typed + character)
            case Dots(cell):
                self._type(
                    self._typed
                    + _signs(self._code.name, self._renderer.convention, self._language).get(cell, "?")
                )
            case NamedKey.BACKSPACE:
                self._type(self._typed[:-1])
            case NamedKey.ENTER | NamedKey.ESCAPE:
                return self._answer(yes=key is NamedKey.ENTER)
            case NamedKey():
                self._pan(key)
        return None

    def close(self) -> None:
        """Give the display back."""
        self._display.close()

    def _pointed(self, mark: object | None) -> Event | None:
        """A routing key over a square asks what stands there, over a question it answers."""
        match mark:
            case str(square):
                return SquarePointed(square=square)
            case Heard():
                return mark
        return None

    def _exchange(self, state: State, messages: Iterable[Message]) -> Line:
        """The last moves of both sides, then the messages."""
        return sum((self._told(state, message) for message in messages), self._played(state.game))

    def _played(self, game: Game) -> Line:
        cells: list[int] = []
        for number, move in enumerate(game.played[-2:]):
            fact = move.fact
            if fact.colour == WHITE or number == 0:
                cells += self._code.text(f" {fact.number}." if fact.colour == WHITE else f" {fact.number}...")
            else:
                cells += self._code.text(" ")
            cells += self._code.move(fact.san)
        return Line.of(cells)

    def _told(self, state: State, message: Message) -> Line:
        """A message; the cells of a question stand for yes, those of a choice for its number or its word."""
        if message.key in _REPEATED and state.game.played:
            return Line.of(())
        line = Line.of(self._code.text(" "))
        asks = isinstance(state.asking, Confirm | Sure | Offered) and message.key.startswith("ask_")
        yes = Heard(words=(vocabulary(self._language).say("answer", "yes"),)) if asks else None
        moves, words = 0, self._answers(state)
        for part in self._renderer.parts(message):
            moves += part.notation
            chosen = Heard(words=(str(moves),)) if part.notation and message.key == "ask_choice" else yes
            if part.shown in words and message.key.startswith("ask_"):
                chosen = Heard(words=(part.shown,))
            line += Line.of(
                self._code.move(part.brief) if part.notation else self._code.text(part.brief), chosen
            )
        return line

    def _answers(self, state: State) -> frozenset[str]:
        """The words that can answer the open question, as a question may show them."""
        words = phrasing(self._renderer.convention, self._language)
        return frozenset(words.meaning(answer, spoken=False) for answer in answers(state.asking))

    def _answer(self, *, yes: bool) -> Event | None:
        """Enter sends what was typed, or says yes to the question shown; escape clears it, or says no."""
        typed, self._typed = self._typed, ""
        if typed and not yes:
            self._lay_out(self._display.size)
            return None
        if not (typed or self._asks):
            return None
        return Heard(words=(typed or vocabulary(self._language).say("answer", "yes" if yes else "no"),))

    def _type(self, text: str) -> None:
        self._typed = text
        self._lay_out(self._display.size)

    def _lay_out(self, size: Size) -> None:
        """Begin at the top; what is being typed, or the end of it, stands before the exchange."""
        typed = (Line.of(self._code.text(self._typed)[-size.columns :]),) if self._typed else ()
        words = (*typed, *self._exchanged)
        both = (self._board, words) if size.rows > BOARD_ROWS else (words, self._board)
        self._window = Window.of(both, size)
        self._refresh()

    def _pan(self, key: NamedKey) -> None:
        moves = {
            NamedKey.RIGHT: self._window.right,
            NamedKey.LEFT: self._window.left,
            NamedKey.DOWN: self._window.down,
            NamedKey.UP: self._window.up,
            NamedKey.HOME: self._window.home,
        }
        if key in moves:
            self._window = moves[key]()
            self._refresh()

    def _refresh(self) -> None:
        self._display.show(self._window.cells())


@cache
def _signs(code_name: str, convention: str, language: str) -> dict[int, str]:
    """The sign that each cell of a code stands for, as far as announcements and commands need it."""
    code = load_code(code_name)
    words = (word for spelled in grammar.spellings(convention, language).values() for word in spelled)
    signs = sorted(set("".join(words) + string.ascii_letters))
    found: dict[int, str] = {}
    for sign in (*string.digits, *"-=+#.:x ", *signs):
        cells = code.text(sign)
        if len(cells) == 1 and code.text("?") != cells:
            found.setdefault(cells[0], sign)
    return found
