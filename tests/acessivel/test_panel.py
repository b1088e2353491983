# SPDX-License-Identifier: GPL-3.0-or-later
import pytest

from acessivel import events as ev
from acessivel.dialogue import NOTHING
from acessivel.game import Setup
from acessivel.message import Message
from acessivel.panel import Panel
from acessivel.session import State, step
from braille import liblouis
from braille.displays import Character, Dots, NamedKey, RoutingKey
from braille.displays.none import NoDisplay
from braille.displays.terminal import unicode_braille
from braille.notation import load_code
from braille.window import Size

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)

CODE = load_code("pt8")


class Table:
    """A panel on a display that only remembers, following a session."""

    def __init__(self, size=Size(1, 40), language="pt", **setup):  # noqa: B008
        self.display = NoDisplay(size)
        self.panel = Panel(self.display, language, "fide")
        self.state = State.new(Setup(language=language, **setup))
        self.happen(ev.Started())

    def happen(self, event):
        self.state, effects = step(self.state, event)
        for effect in effects:
            if isinstance(effect, ev.Say):
                self.panel.show(self.state, effect.messages)

    def press(self, *keys):
        events = [event for key in keys if (event := self.panel.press(key))]
        for event in events:
            self.happen(event)
        return events

    @property
    def text(self):
        return unicode_braille(self.display.cells)

    def shows(self, text):
        return unicode_braille(CODE.text(text)) in self.text


def dots(text):
    return [Dots(cell) for cell in CODE.text(text)]


def test_a_move_is_typed_in_dots_and_confirmed_with_enter():
    table = Table()
    table.press(*dots("e4"))
    assert table.shows("e4")
    table.press(NamedKey.ENTER)
    assert table.shows("e4?")
    table.press(NamedKey.ENTER)
    assert table.state.game.last.uci == "e2e4"


@pytest.mark.parametrize("text", ["0-0", "três", "não", "sí", "Läufer", "exd6 e.p.", "e8=D", "fünf", "çãéê"])
def test_whatever_an_announcement_needs_can_be_typed_in_dots(text):
    language = "de" if set("äüö") & set(text) else "es" if "í" in text else "pt"
    code = load_code(f"{language}8")
    panel = Panel(NoDisplay(), language, "fide")
    for cell in code.text(text):
        panel.press(Dots(cell))
    (event,) = [panel.press(NamedKey.ENTER)]
    assert event == ev.Heard(words=(text,))


def test_enter_says_yes_only_to_a_question_that_is_shown():
    table = Table()
    assert table.press(NamedKey.ENTER) == []
    table.happen(ev.Heard(words=("e4",)))
    table.panel.show(table.state, (Message.of("braille_back"),))
    assert table.press(NamedKey.ENTER) == []
    assert table.state.game.played == ()
    table.happen(ev.DeviceNews(key="braille_back"))
    assert table.press(NamedKey.ENTER) == [ev.Heard(words=("sim",))]
    assert table.state.game.last.uci == "e2e4"


def test_escape_clears_what_was_typed_and_then_says_no():
    table = Table()
    table.happen(ev.Heard(words=("e4",)))
    assert table.press(*map(Character, "d4"), NamedKey.ESCAPE) == []
    assert table.press(NamedKey.ESCAPE) == [ev.Heard(words=("não",))]


def test_a_new_message_is_seen_beside_what_is_being_typed():
    table = Table()
    table.press(*map(Character, "Cf"))
    table.happen(ev.Heard(words=("e4",)))
    assert table.shows("Cf")
    assert table.shows("e4?")


def test_the_end_of_a_long_text_stays_under_the_fingers():
    table = Table(Size(1, 14))
    table.press(*map(Character, "Springer Gustav eins"))
    assert table.shows("eins")


@pytest.mark.parametrize(
    "size", [Size(1, 12), Size(1, 20), Size(1, 40), Size(1, 80), Size(9, 40), Size(10, 32)]
)
def test_every_rank_is_reached_by_panning(size):
    table = Table(size)
    seen = table.text
    for _ in range(40):
        table.press(NamedKey.RIGHT)
        seen += table.text
    for rank in ("8tcbdrbct", "7pppppppp", "2PPPPPPPP", "1TCBDRBCT"):
        assert unicode_braille(CODE.text(rank)) in seen


def test_black_sees_the_board_from_his_side():
    table = Table(Size(9, 40), opponent="engine", colour="black")
    assert table.text.startswith(unicode_braille(CODE.text("1TCBRDBCT")))


def test_a_routing_key_over_a_square_asks_what_stands_there():
    table = Table(Size(9, 40))
    # Row 7 from the top is rank 2; its first cell is the number.
    assert table.press(RoutingKey(6 * 40 + 5)) == [ev.SquarePointed(square="e2")]
    assert table.press(RoutingKey(30)) == []


def cells_of(table, text):
    """Where a text is shown."""
    shown = unicode_braille(CODE.text(text))
    start = table.text.index(shown)
    return range(start, start + len(shown))


def test_a_routing_key_over_a_question_says_yes_to_it():
    table = Table(Size(1, 40))
    table.happen(ev.Heard(words=("e4",)))
    for cell in cells_of(table, "e4?"):
        assert table.panel.press(RoutingKey(cell)) == ev.Heard(words=("sim",))
    assert table.press(RoutingKey(39)) == []
    table.press(RoutingKey(cells_of(table, "e4?")[0]))
    assert table.state.game.last.uci == "e2e4"
    # What was played is no question any more.
    assert table.press(*map(RoutingKey, cells_of(table, "1.e4"))) == []


def test_a_routing_key_over_what_is_said_before_a_question_says_nothing():
    table = Table(Size(1, 80))
    table.happen(ev.Heard(words=("e4",)))
    table.happen(ev.DeviceNews(key="braille_back"))
    assert table.press(*map(RoutingKey, cells_of(table, "voltou."))) == []
    assert len(table.press(*map(RoutingKey, cells_of(table, "e4?")[:1]))) == 1


@pytest.mark.parametrize(("move", "uci"), [("Cce2", "c3e2"), ("Cge2", "g1e2")])
def test_a_routing_key_over_a_move_of_a_list_chooses_it(move, uci):
    table = Table(Size(1, 80), fen="4k3/8/8/8/8/2N5/8/K5N1 w - - 0 1")
    table.happen(ev.Heard(words=("Springer Eva zwei",)))
    table.happen(ev.Heard(words=("acht",)))
    # A list is not answered by yes.
    assert table.press(RoutingKey(cells_of(table, "Qual")[0])) == []
    table.press(RoutingKey(cells_of(table, move)[0]))
    assert table.state.asking.fact.uci == uci


@pytest.mark.parametrize(("shown", "uci"), [(": c", "c3e2"), (", g", "g1e2")])
def test_a_routing_key_over_the_word_that_tells_two_moves_apart_says_it(shown, uci):
    table = Table(Size(1, 80), fen="4k3/8/8/8/8/2N5/8/K5N1 w - - 0 1")
    table.happen(ev.Heard(words=("Springer Eva zwei",)))
    assert table.press(*map(RoutingKey, cells_of(table, "Ce2. De que coluna"))) == []
    table.press(RoutingKey(cells_of(table, shown)[-1]))
    assert table.state.asking.fact.uci == uci
    assert table.state.game.played == ()


def test_a_routing_key_says_yes_to_resigning_but_not_to_which_piece():
    table = Table(Size(1, 80), fen="8/4P1k1/8/8/8/8/8/K7 w - - 0 1")
    table.happen(ev.Heard(words=("Eva acht",)))
    assert table.press(*map(RoutingKey, range(80))) == []
    table.happen(ev.Heard(words=("abandono",)))
    assert ev.Heard(words=("sim",)) in table.press(*map(RoutingKey, range(5)))
    assert table.state.game.result.reason == "resignation"


def test_the_question_for_a_part_is_shown_shortly_and_answered_by_typing_or_a_routing_key():
    table = Table(Size(9, 40))
    table.press(*map(Character, "Springer drei"), NamedKey.ENTER)
    assert table.shows("C3. Que coluna?")
    assert table.press(*map(Character, "f"), NamedKey.ENTER) == [ev.Heard(words=("f",))]
    assert table.shows("Cf3?")
    table.press(NamedKey.ESCAPE)
    assert table.state.asking == NOTHING
    table.press(*map(Character, "Springer"), NamedKey.ENTER)
    assert table.shows("C. Que casa?")
    # Row 6 from the top is rank 3; its first cell is the number.
    table.press(RoutingKey(5 * 40 + 6))
    assert table.shows("Cf3?")
    assert table.state.game.played == ()
    table.press(NamedKey.ENTER)
    assert table.state.game.last.uci == "g1f3"


def test_escape_drops_an_announcement_that_lacks_a_part():
    table = Table()
    table.press(*map(Character, "Bauer"), NamedKey.ENTER)
    assert table.shows("P. Que casa?")
    assert table.press(NamedKey.ESCAPE) == [ev.Heard(words=("não",))]
    assert table.state.asking == NOTHING
