# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Braille display shows of a game, and what its keys mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from acessivel.devices import keys
from acessivel.devices.braille_input import BrailleInput
from acessivel.devices.keys import Bindings
from acessivel.dialogue import pointed_squares
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.questions import (
    Choose,
    Claiming,
    Confirm,
    Offered,
    Signing,
    Stopped,
    Sure,
    Touching,
    answers,
)
from acessivel.game.game import Game
from acessivel.message import Message
from acessivel.messages.rendering import Part, Renderer
from acessivel.queries import exploration
from acessivel.rules.position import COLOURS, WHITE
from acessivel.session.events import Event, Heard, Returned, SquarePointed
from acessivel.session.state import State
from braille import board
from braille.displays import Character, Display, Dots, Key, RoutingKey
from braille.layout import Layout
from braille.notation import Code, display_code, load_code
from braille.window import BOARD_ROWS, Line, Size
from voices.meaning import Meaning, MovePattern, Number, PieceNamed
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

_REPEATED = frozenset({"played", "turn", "turn_in_check"})  # the exchange says the same in fewer cells
_SECOND_MS = 1000
_ANSWERED_BY_YES = (Confirm, Sure, Offered, Claiming, Touching, Stopped, Deciding, Signing)
_FLAG = (0xFF,) * 3  # a fallen flag


@dataclass(frozen=True, slots=True)
class Chosen:
    """A routing key was pressed over a line of the list of keys: do what that line's keys do."""

    action: str


def code_for(name: str, language: str) -> Code:
    """The Braille code of a setting: "auto" is the computer Braille of the language."""
    return display_code(language) if name == "auto" else load_code(name)


class BraillePanel:
    """Shows the last exchange with the open question and the clocks, and the board.

    Typed text comes first. If the whole board fits, it stays, and the words pan beside or below it; on fewer
    rows the words come first, in one line, and the board after them. Panning and typing are handled here;
    `press` returns an event when a key says something to the game.
    """

    def __init__(
        self,
        display: Display,
        language: str,
        convention: str,
        code: str = "auto",
        bindings: Bindings | None = None,
    ) -> None:
        self._display = display
        self._code_name = code
        self._follow(Renderer(language, convention), bindings or keys.load())
        self._state: State | None = None
        self._told: tuple[tuple[Message, str | None], ...] = ()  # each with the action that it triggers
        self._cursor = ""
        self._size = display.size
        self._layout = Layout.of((), lambda _: (), display.size)
        self._asks = False

    def adopt(self, renderer: Renderer, bindings: Bindings) -> None:
        """Show what follows in another language, convention or verbosity, with these keys."""
        self._follow(renderer, bindings)

    def _follow(self, renderer: Renderer, bindings: Bindings) -> None:
        self._renderer, self._bindings = renderer, bindings
        self._language = renderer.language
        self._code = code_for(self._code_name, renderer.language)
        self._typed = BrailleInput(self._code, renderer.convention, renderer.language)

    @property
    def typing(self) -> bool:
        """Whether there is typed text that has not been sent yet."""
        return bool(self._typed)

    def show(
        self,
        state: State,
        messages: Iterable[Message],
        explored: str | None = None,
        actions: Mapping[Message, str] = MappingProxyType({}),
    ) -> None:
        """Show a state, and what is said about it, from the top; the cursor marks an explored square.

        `actions`: messages that can be pressed, with what that does.
        """
        self._told = tuple((message, actions.get(message)) for message in messages)
        self._asks = any(message.key.startswith("ask_") for message, _ in self._told)
        self._state = state
        self._cursor = explored or exploration.destination(state.game)
        self._lay_out()

    def show_keys(self, lines: Iterable[tuple[str, Message]]) -> None:
        """Show the list of keys instead of the exchange: a routing key over a line does what it says."""
        self._told = tuple((message, action) for action, message in lines)
        self._asks = False
        self._lay_out()

    def tell(self, messages: Iterable[Message]) -> None:
        """Show messages outside a game: all at once, or one by one if the present content stays."""
        self._state = None
        told = [((message, None),) for message in messages]
        for each in told if self._display.name == "terminal" else [sum(told, ())]:
            self._told = each
            self._lay_out()

    def resize(self, size: Size) -> None:
        """Show the same content on a display that was reattached, or has another size."""
        self._size = size
        self._lay_out(stay=True)

    def refresh(self, state: State) -> None:
        """Update the remaining time, and leave all else as it is."""
        if self._state and self._state.game.clock:
            self._state = replace(self._state, now_ms=state.now_ms)
            self._lay_out(stay=True)

    def press(self, key: Key) -> Event | Chosen | None:
        """Pan, type, or say something to the game."""
        match key:
            case RoutingKey(cell):
                return self._pointed(self._layout.mark(cell))
            case Character() | Dots():
                self._type(self._typed.with_key(key))
                return None
        match self._bindings.action(key):
            case "erase":
                self._type(self._typed.shorter())
            case "send" | "cancel" as action:
                return self._answer(yes=action == "send")
            case str(action):
                self._pan(action)
        return None

    def close(self) -> None:
        """Release the display."""
        self._display.close()

    def _pointed(self, mark: object | None) -> Event | Chosen | None:
        """A routing key points at a square, answers a question, or does what a key in the list does."""
        match mark:
            case str(square):
                return SquarePointed(square=square)
            case Heard() | Chosen():
                return mark
        return None

    def _words(self, size: Size) -> Iterator[list[Line]]:
        """The paragraphs: all in one on a display of one row, else one for each sentence."""
        lines = [line for line in self._lines(size) if any(line.cells)]
        if size.rows < BOARD_ROWS:
            yield lines
        else:
            yield from ([line] for line in lines)

    def _lines(self, size: Size) -> Iterator[Line]:
        if self._typed:
            yield Line.of(self._typed.cells[-size.columns :])
        told = [self._sentence(message, action) for message, action in self._told if self._is_new(message)]
        if self._state is None:
            yield from told
            return
        clocks = Line.of(self._code.text(" ".join(_clocks(self._state))))
        several = size.rows >= BOARD_ROWS
        yield from self._flags(self._state)
        if several:
            yield clocks
        yield self._played(self._state.game, size.columns)
        yield from told
        if self._asks:
            yield self._choices(self._state)
        if not several:
            yield clocks

    def _flags(self, state: State) -> Iterator[Line]:
        """The fallen flags, shown before everything else: all dots, and whose flag it is."""
        clock = state.game.clock
        for colour in COLOURS:
            if clock and clock.down(colour, state.now_ms):
                name = self._renderer.text(Message.of(f"colour_{colour}"))
                yield Line.of((*_FLAG, 0, *self._code.text(name)))

    def _played(self, game: Game, columns: int) -> Line:
        """The last moves of both sides; a number stands directly before its move if both fit in a row."""
        cells: list[int] = []
        for number, move in enumerate(game.played[-2:]):
            fact = move.fact
            written = self._code.move(fact.san)
            if fact.colour == WHITE or number == 0:
                count = self._code.move(f"{fact.number}." if fact.colour == WHITE else f"{fact.number}...")
                written = count + ((0,) if len(count) + len(written) > columns else ()) + written
            cells += (0, *written)
        return Line.of(cells)

    def _is_new(self, message: Message) -> bool:
        """Whether the exchange does not already say it."""
        return not (self._state and self._state.game.played and message.key in _REPEATED)

    def _sentence(self, message: Message, action: str | None) -> Line:
        """A message; the cells of a question stand for yes, those of a choice for its number or word."""
        parts = self._renderer.parts(message)
        if self._state is None or (action and not any(part.notation for part in parts)):
            mark = Chosen(action) if action else None
            return Line.of(self._code.text(self._renderer.text(message)), mark)
        if action:
            return Line.of((cell for part in parts for cell in self._cells(part)), Chosen(action))
        asking = self._state.asking
        line = Line.of(())
        asks = isinstance(asking, _ANSWERED_BY_YES) and message.key.startswith("ask_")
        yes = Heard(words=(vocabulary(self._language).say("answer", "yes"),)) if asks else None
        moves, words = 0, self._answers(asking) if isinstance(asking, Choose | Touching) else frozenset()
        for part in parts:
            moves += part.notation
            chosen = Heard(words=(str(moves),)) if part.notation and message.key == "ask_choice" else yes
            if part.shown in words and message.key.startswith("ask_"):
                chosen = Heard(words=(part.shown,))
            line += Line.of(self._cells(part), chosen)
        return line

    def _cells(self, part: Part) -> tuple[int, ...]:
        return self._code.move(part.brief) if part.notation else self._code.text(part.brief)

    def _answers(self, asking: Choose | Touching) -> frozenset[str]:
        """The words that can answer the open question, as a question can show them."""
        return frozenset(map(self._in_words, answers(asking)))

    def _choices(self, state: State) -> Line:
        """The answers that a question does not show itself, each under its own routing key."""
        line = Line.of(())
        for answer in pointed_squares.choices(state.asking, state.game.position):
            line += Line.of((0,)) + self._choice(answer)
        return line

    def _choice(self, answer: pointed_squares.Choice) -> Line:
        match answer:
            case MovePattern(target) if target.complete:
                return Line.of(self._code.move(str(target)), str(target))
            case PieceNamed(piece):
                return Line.of(self._code.move(piece), Heard(words=(self._in_words(answer),)))
        brief = answer.value if isinstance(answer, Number) else answer.target
        return Line.of(self._code.text(str(brief)), Heard(words=(self._in_words(answer),)))

    def _in_words(self, meaning: Meaning) -> str:
        return phrasing(self._renderer.convention, self._language).meaning(meaning, spoken=False)

    def _answer(self, *, yes: bool) -> Event | None:
        """Enter sends the typed text, or says yes to the question shown; escape clears it, or says no."""
        typed, self._typed = self._typed, self._typed.cleared()
        if typed and not yes:
            self._lay_out()
            return None
        if not (typed or yes) and any(action for _, action in self._told):
            return Returned()  # from the list of keys
        if not (typed or self._asks):
            return None
        words = typed.text if typed else vocabulary(self._language).say("answer", "yes" if yes else "no")
        return Heard(words=(words,))

    def _type(self, typed: BrailleInput) -> None:
        self._typed = typed
        self._lay_out()

    def _lay_out(self, *, stay: bool = False) -> None:
        """Lay everything out and show it, from the top or from where the window was (`stay`)."""
        passed = self._layout.window.passed if stay else 0
        size, state = self._size, self._state
        ranks: Sequence[Line] = ()
        if state:
            ranks = board.ranks(
                state.game.position.placement,
                self._code,
                from_black=state.setup.from_black,
                cursor=self._cursor,
                columns=size.columns if size.rows >= BOARD_ROWS else None,
            )
        self._layout = Layout.of(ranks, self._words, size)
        if passed:
            self._layout = self._layout.pan(self._layout.window.after(passed))
        self._refresh()

    def _pan(self, action: str) -> None:
        window = self._layout.window
        moves = {
            "pan_right": window.right,
            "pan_left": window.left,
            "line_down": window.down,
            "line_up": window.up,
            "top": window.home,
        }
        if action in moves:
            self._layout = self._layout.pan(moves[action]())
            self._refresh()

    def _refresh(self) -> None:
        self._display.show(self._layout.cells())


def _clocks(state: State) -> Iterator[str]:
    """What both sides have left, White first: "1:02:03" or "14:05"; nothing without a clock."""
    clock = state.game.clock
    if clock is None:
        return
    for colour in COLOURS:
        minutes, seconds = divmod(clock.left(colour, state.now_ms) // _SECOND_MS, 60)
        hours, minutes = divmod(minutes, 60)
        yield f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
