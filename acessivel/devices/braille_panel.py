# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Braille display shows of a game, and what its keys mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from acessivel.devices import braille_menu, keys
from acessivel.devices.braille_content import Chosen, Content, ToldMessage
from acessivel.devices.braille_input import BrailleInput
from acessivel.devices.keys import Bindings
from acessivel.dialogue.questions import Asking
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.queries import exploration
from acessivel.session.events import Event, Heard, Returned, SquarePointed
from acessivel.session.state import State
from braille import board
from braille.displays import Character, Display, Dots, Key, RoutingKey
from braille.layout import Layout, Texts
from braille.notation import Code, display_code, load_code
from braille.window import BOARD_ROWS, Line, Size
from voices.meaning import CommandName

_REPEATED = frozenset({"played", "turn", "turn_in_check"})  # the moves say the same in fewer cells
# Text typed on the display belongs to the line, not to the square under the cursor or a long answer.
_EDITING = ("send", "cancel", "erase")
_HIDDEN = 0xFF  # a full cell for each sign that nobody may see
_TREMBLE_MS = 700  # as long a second press of a routing key may follow by the tremor of a hand
_KEPT = 5  # messages that stay behind the newest
_LIST = Chosen("list")
# The last cell of the first row: opens the list, and closes it. No letter has both dots 7 and 8; all six dots
# would be a Portuguese "é", a word of its own.
_CORNER = Line.of((0xF8,), _LIST)
_CORNER_WITH_NEWS = Line.of((0xFF,), _LIST)  # something was told that is not shown yet
_NO_CORNER = Line.of(())


def code_for(name: str, language: str) -> Code:
    """The Braille code of a setting: "auto" is the computer Braille of the language."""
    return display_code(language) if name == "auto" else load_code(name)


class BraillePanel:
    """Shows what is asked and told, the last moves and the clocks, where one's pieces stand, and the board.

    Typed text comes first. If the whole board fits, it stays, and the words pan beside or below it; on fewer
    rows they come in paragraphs: words, pieces, the answer that something unasked has followed, board. A list
    of all that can be done takes the place of the words. What is being read stays until the reader has done
    something: what comes unasked waits for him, and the last cell of the first row says so.

    Panning and typing are handled here; `press` returns an event when a key says something to the game.
    """

    _typed: BrailleInput

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
        self._told: tuple[ToldMessage, ...] = ()
        self._unasked = False  # whether what is told came by itself
        self._asked_before = False  # whether the open question had been shown before what is told
        self._earlier: tuple[ToldMessage, ...] = ()  # what something unasked has taken the place of
        self._waiting: tuple[ToldMessage, ...] = ()  # what came unasked while something else was being read
        self._commands: Collection[CommandName] | None = (
            None  # what can be ordered, None: what the state says
        )
        self._lines: tuple[ToldMessage, ...] = ()  # what stands whatever is told
        self._listing = self._hidden = False
        self._notice: Message | None = None  # says of the last key that it does nothing
        # The last key, when it was pressed, and what was told then.
        self._pressed: tuple[Key | None, int, tuple[ToldMessage, ...]] = None, 0, ()
        self._place = (0, 0)  # where the window was before the notice
        self._cursor = ""
        self._size = display.size
        self._layout = Layout.of((), lambda _: Texts(()), display.size)

    def adopt(self, renderer: Renderer, bindings: Bindings) -> None:
        """Show what follows in another language, convention or verbosity, with these keys."""
        typed = self._typed
        self._follow(renderer, bindings)
        if typed.code == self._content.code:
            self._typed = replace(self._typed, keys=typed.keys)

    def _follow(self, renderer: Renderer, bindings: Bindings) -> None:
        self._bindings = bindings
        self._content = Content(renderer, code_for(self._code_name, renderer.language))
        self._typed = BrailleInput(self._content.code, renderer.convention, renderer.language)

    def takes(self, action: str) -> bool:
        """Whether a key is the display's own now: text is being typed, or the list is shown."""
        return (self.typing and action in _EDITING) or (self._listing and action == "cancel")

    @property
    def typing(self) -> bool:
        """Whether there is typed text that has not been sent yet."""
        return bool(self._typed)

    def hide(self, *, hidden: bool) -> None:
        """Show what is typed from now on, or only how many signs it has; what was typed before is dropped."""
        if hidden != self._hidden:
            self._hidden = hidden
            if self._typed:
                self._type(self._typed.cleared())

    def show(  # noqa: PLR0913  # what there is to show, and why
        self,
        state: State | None,
        messages: Iterable[Message],
        explored: str | None = None,
        actions: Mapping[Message, str] = MappingProxyType({}),
        *,
        lines: Iterable[Message] = (),
        commands: Collection[CommandName] | None = None,
        asked: bool = True,
    ) -> None:
        """Show a state, and what is said about it, from the top; the cursor marks an explored square.

        `actions`: messages that can be pressed, with what that does. `lines` stand in one row below, whatever
        is told. `commands` can be ordered, None: what the state says. Not `asked`: it comes by itself. What
        is being read then stays, unless another question is open now, or the game has ended.
        """
        standing = tuple(lines)
        told = tuple(
            ToldMessage(message, actions.get(message, "")) for message in messages if message not in standing
        )
        self._read_on()
        self._commands = commands
        another = _asking(state) != _asking(self._state) or not (self._told or self._waiting)
        ended = _is_over(state) and not _is_over(self._state)
        self._state = state
        self._lines = tuple(ToldMessage(line, actions.get(line, "")) for line in standing)
        self._cursor = explored or (exploration.destination(state.game) if state else "")
        if not (asked or another or ended) and (self._listing or self._layout.window.top):
            self._waiting += told
            self._lay_out(stay=True)
            return
        if asked:
            self._earlier = self._new(self._waiting)
        else:
            self._earlier = self._before(told)
        self._told, self._unasked, self._asked_before = told, not asked, not another
        self._waiting, self._listing = (), False
        self._lay_out()

    def show_list(self, section: int = braille_menu.HOW) -> None:
        """Show the list of all that can be done, instead of the words, from a section on."""
        self._listing, self._notice = True, None
        self._lay_out(at=(section, 0))

    def tell(self, messages: Iterable[Message]) -> None:
        """Show messages outside a game: all at once, or one by one if the present content stays."""
        self._state, self._commands, self._listing, self._notice = None, None, False, None
        self._earlier = self._waiting = self._lines = ()
        told = tuple(map(ToldMessage, messages))
        for each in ([one] for one in told) if self._display.name == "terminal" else [told]:
            self._told = tuple(each)
            self._lay_out()

    def resize(self, size: Size) -> None:
        """Show the same content on a display that was reattached, or has another size."""
        self._size = size
        self._lay_out(stay=True)

    def stand(self, lines: Iterable[Message], actions: Mapping[Message, str]) -> None:
        """Show what stands now whatever is told, if it has changed, and leave all else as it is."""
        standing = tuple(ToldMessage(line, actions.get(line, "")) for line in lines)
        if standing != self._lines:
            self._read_on()
            self._lines = standing
            self._lay_out(stay=True)

    def refresh(self, state: State) -> None:
        """Update the clocks, and leave all else as it is; a flag that has fallen is shown at once.

        So is a move that nothing was told of: one's own, as soon as a server shows it.
        """
        if self._state and state.game.position != self._state.game.position:
            self._read_on()
            self._state, self._cursor = state, exploration.destination(state.game)
            self._lay_out(stay=True)
            return
        if not (self._state and state.game.clock):
            return
        before = [*self._content.flags(self._state)]
        game = replace(self._state.game, clock=state.game.clock)
        self._state = replace(self._state, now_ms=state.now_ms, game=game)
        if before != [*self._content.flags(self._state)]:
            self._turn_page()
        else:
            self._lay_out(stay=True)

    def press(self, key: Key, now_ms: int) -> Event | Chosen | None:
        """Pan, type, or say something to the game.

        A routing key that trembles does not answer the question that its first press has brought.
        """
        action = None if isinstance(key, RoutingKey | Character | Dots) else self._bindings.action(key)
        mark = self._layout.mark(key.cell) if isinstance(key, RoutingKey) else None
        if mark != _LIST and self._trembles(key, now_ms):
            mark = None
        if self._notice:
            self._read_on()
            self._refresh()
            if action in keys.SHOWING:
                return None
        match key:
            case RoutingKey():
                return self._pointed(mark)
            case Character() | Dots():
                self._type(self._typed.with_key(key))
                return None
        match action:
            case "erase" if self._typed:
                self._type(self._typed.shorter())
            case "send" | "cancel":
                return self._answer(yes=action == "send")
            case str() if action in keys.SHOWING:
                self._pan(action)
            case _:
                self.does_nothing()
        return None

    def _trembles(self, key: Key, now_ms: int) -> bool:
        """Whether a key was pressed a moment ago, and has brought a question; else it is the last one now."""
        before, then_ms, told = self._pressed
        again = key == before and 0 <= now_ms - then_ms < _TREMBLE_MS
        if again and any(one.asks and one not in told for one in self._told):
            return True
        self._pressed = key, now_ms, self._told
        return False

    def does_nothing(self) -> None:
        """Say that the key that was pressed does nothing here; panning goes back to what was shown."""
        if not self._notice:
            self._place = self._layout.window.place
        self._notice = Message.of("key_does_nothing")
        self._lay_out()

    def _read_on(self) -> None:
        """Be again where the reader was before the notice."""
        if self._notice:
            self._notice = None
            self._arrange(at=self._place)

    def close(self) -> None:
        """Release the display."""
        self._display.close()

    def _pointed(self, mark: object | None) -> Event | Chosen | None:
        """A routing key points at a square, answers a question, or does what a line of the list says."""
        match mark:
            case Chosen() if mark == _LIST:
                self._turn_page() if self._listing or self._waiting else self.show_list(braille_menu.FIRST)
            case str(square):
                return SquarePointed(square=square)
            case Heard() | Chosen():
                return mark
            case _:
                self.does_nothing()
        return None

    def _turn_page(self) -> None:
        """Leave the list, and show what came meanwhile."""
        if self._waiting:
            self._earlier = self._before(self._waiting)
            self._told, self._waiting, self._unasked = self._waiting, (), True
        self._listing, self._notice = False, None
        self._lay_out()

    def _new(self, told: Iterable[ToldMessage]) -> tuple[ToldMessage, ...]:
        """What of some messages is an answer, and said nowhere else."""
        return tuple(one for one in told if self._is_new(one) and not one.asks)

    def _before(self, told: Sequence[ToldMessage]) -> tuple[ToldMessage, ...]:
        """What stays behind something unasked: an answer, and what else came unasked since, newest first."""
        new = self._new((*self._waiting, *self._told))
        before = (*new, *(self._earlier if self._unasked else ()))
        now = {one.message for one in told}
        return tuple(one for one in dict.fromkeys(before) if one.message not in now)[:_KEPT]

    def _is_new(self, told: ToldMessage) -> bool:
        """Whether the moves do not already say it."""
        return not (self._state and self._state.game.played and told.message.key in _REPEATED)

    def _words(self, size: Size) -> Texts:
        """What is shown beside the board: on several rows a paragraph for each line."""
        several = size.rows >= BOARD_ROWS
        head, foot = (self._head(), self._foot()) if several and self._state else ((), ())
        paragraphs = [*self._paragraphs(size, several=several)]
        first = [*filter(None, (self._noticed(), self._typed_line(size)))]
        if several and not self._listing:
            paragraphs = [[line] for lines in paragraphs for line in lines]
        if first:
            paragraphs = [[*first, *paragraphs[0]], *paragraphs[1:]] if paragraphs else [first]
        return Texts(paragraphs, head, foot)

    def _noticed(self) -> Line | None:
        return self._content.plain(self._notice) if self._notice else None

    def _typed_line(self, size: Size) -> Line | None:
        if not self._typed:
            return None
        cells = self._hidden_cells(size.columns) if self._hidden else self._typed.cells
        return Line.of(cells[-size.columns :])

    def _hidden_cells(self, columns: int) -> tuple[int, ...]:
        """A full cell for each sign, and at the end of a full row their number: each key is felt."""
        count = len(self._typed.keys)
        number = (0, *self._content.code.text(str(count))) if count > columns else ()
        return (_HIDDEN,) * min(count, columns - len(number)) + number

    def _head(self) -> Sequence[Line]:
        return (*self._content.flags(self._state), self._content.clocks(self._state)) if self._state else ()

    def _foot(self) -> Sequence[Line]:
        return self._content.scoresheet(self._state.game) if self._state else ()

    def _paragraphs(self, size: Size, *, several: bool) -> Iterator[list[Line]]:
        content, state = self._content, self._state
        if self._listing:
            orders = self._commands, self._lines
            yield from braille_menu.sections(content, self._bindings, state, *orders)
            return
        standing = [content.row(map(content.told, self._lines))] if self._lines else []
        if state is None:
            plain, told = content.plain, self._told
            words = [content.told(one) if one.action else plain(one.message) for one in told]
            yield [*words, *standing]
            yield [*map(content.told, self._earlier)]
            return
        question, answer = [*self._asked(state)], [*self._answered()]
        words = [*answer, *question] if self._asked_before else [*question, *answer]
        own = [] if standing or self._bindings.place else [content.own_squares(state)]
        if several:
            yield [*words, *map(content.told, self._earlier), *standing]
            yield [] if self._beside_board(size) else own
            return
        moves = content.last_moves(state.game, size.columns)
        first, last = ([moves], []) if self._moved else ([], [moves])
        yield [*content.flags(state), *first, *words, *last, content.clocks(state)]
        yield standing or own
        yield [*map(content.told, self._earlier)]

    def _beside_board(self, room: Size) -> bool:
        """Whether the board stays beside the words that have this room."""
        return room.columns < self._size.columns - len(self._corner)

    @property
    def _moved(self) -> bool:
        """Whether a move is what is told, and no question has followed it."""
        keys_told = {told.message.key for told in self._told}
        return "played" in keys_told and not any(told.asks for told in self._told)

    def _asked(self, state: State) -> Iterator[Line]:
        """The open question, as far as it is shown, with its answers."""
        asked = [told for told in self._told if told.asks]
        for told in asked:
            content = self._content
            yield content.told(told) if told.action else content.question(told.message, state.asking)
        if any(not told.action for told in asked):
            yield self._content.choices(state.asking, state.moves_in)

    def _answered(self) -> Iterator[Line]:
        """All that is told besides questions."""
        return map(self._content.told, (one for one in self._told if self._is_new(one) and not one.asks))

    def _answer(self, *, yes: bool) -> Event | None:
        """Enter sends the typed text, or says yes to the question shown; escape clears it, or says no.

        Blanks alone are no text.
        """
        typed, self._typed = self._typed, self._typed.cleared()
        if yes and (text := typed.text):
            return self._piece_typed(typed) or Heard(words=(text,))
        if typed and not yes:
            self._lay_out()
        elif self._listing or (self._waiting and not yes):
            self.does_nothing() if yes else self._turn_page()
        elif not yes and any(told.action for told in self._told):
            return Returned()  # from a list that was told
        elif any(told.asks for told in self._told):
            return self._content.answer(yes=yes)
        else:
            self.does_nothing()
        return None

    def _piece_typed(self, typed: BrailleInput) -> Heard | None:
        """The piece that the open question shows in the cells that were typed."""
        state = None if self._hidden else self._state
        return self._content.piece(typed.cells, state.asking) if state else None

    def _type(self, typed: BrailleInput) -> None:
        self._typed = typed
        self._lay_out()

    def _lay_out(self, *, stay: bool = False, at: tuple[int, int] | None = None) -> None:
        """Lay everything out and show it once: from the top, where the window was (`stay`), or at a place."""
        self._arrange(stay=stay, at=at)
        self._refresh()

    def _arrange(self, *, stay: bool = False, at: tuple[int, int] | None = None) -> None:
        """Lay everything out, as of `_lay_out`, and show it later."""
        before, size, state, corner = self._layout.window, self._size, self._state, self._corner
        ranks: Sequence[Line] = ()
        if state:
            ranks = board.ranks(
                state.game.position.placement,
                self._content.code,
                from_black=state.setup.from_black,
                cursor=self._cursor,
                columns=size.columns - len(corner) if size.rows >= BOARD_ROWS else None,
            )
        self._layout = Layout.of(ranks, self._words, size, corner)
        if self._listing and not self._layout.board:
            self._layout = Layout.of((), self._words, size, corner)
        if stay and before.top and not self._notice:
            paragraph, passed = before.place
            on_board = ranks and not self._layout.board and paragraph == len(before.tops) - 1
            paragraph = len(self._layout.window.tops) - 1 if on_board else paragraph
            at = paragraph, passed
        if at:
            self._layout = self._layout.pan(self._layout.window.at(*at))

    @property
    def _corner(self) -> Line:
        lists = self._state or self._lines or self._listing or self._commands is not None
        if self._display.name == "terminal" or not lists:
            return _NO_CORNER
        return _CORNER_WITH_NEWS if self._waiting else _CORNER

    def _pan(self, action: str) -> None:
        if action == "top" and self._waiting:
            self._turn_page()
            return
        window = self._layout.window
        moves = {
            "pan_right": window.right,
            "pan_left": window.left,
            "line_down": window.down,
            "line_up": window.up,
            "top": window.home,
            "bottom": window.end,
        }
        self._layout = self._layout.pan(moves[action]())
        self._refresh()

    def _refresh(self) -> None:
        self._display.show(self._layout.cells())


def _is_over(state: State | None) -> bool:
    return bool(state and state.game.result)


def _asking(state: State | None) -> Asking | None:
    return state.asking if state else None
