# SPDX-License-Identifier: GPL-3.0-or-later
from dataclasses import replace

import pytest
from hypothesis import given, settings
from support.examples import examples
from support.positions import positions

from acessivel.devices import keys
from acessivel.devices.braille_content import Chosen
from acessivel.devices.braille_panel import BraillePanel
from acessivel.dialogue.questions import NOTHING, Offered, Sure
from acessivel.game.game import Setup
from acessivel.message import Duration, Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.queries import exploration
from acessivel.session import command_help
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from braille import liblouis
from braille.displays import AltKey, Character, Dots, NamedKey, OtherKey, RoutingKey
from braille.displays.none import NoDisplay
from braille.notation import code_names, load_code
from braille.patterns import pattern
from braille.window import Size
from voices.grammar.distinct import in_words
from voices.meaning import CommandName
from voices.words.phrasing import phrasing

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)

CODE = load_code("pt8")


class Table:
    """A panel on a display that only remembers, following a session."""

    def __init__(self, size=Size(1, 40), language="pt", code="auto", **setup):  # noqa: B008
        self.display = NoDisplay(size)
        self.panel = BraillePanel(self.display, language, setup.get("convention", "fide"), code)
        self.state = State.new(Setup.of(language=language, **setup))
        self.now_ms = 0
        self.happen(ev.Started())

    def happen(self, event):
        self.state, effects = step(self.state, event)
        for effect in effects:
            if isinstance(effect, ef.Say):
                self.panel.show(self.state, effect.messages)

    def felt(self, key, after_ms=1000):
        """What a key means that is pressed so long after the last one."""
        self.now_ms += after_ms
        return self.panel.press(key, self.now_ms)

    def press(self, *keys):
        events = [event for key in keys if (event := self.felt(key))]
        for event in events:
            self.happen(event)
        return events

    @property
    def text(self):
        return pattern(self.display.cells)

    def shows(self, text):
        return pattern(CODE.text(text)) in self.text


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
    panel = BraillePanel(NoDisplay(), language, "fide")
    for cell in code.text(text):
        panel.press(Dots(cell), 0)
    (event,) = [panel.press(NamedKey.ENTER, 0)]
    assert event == ev.Heard(words=(text,))


def test_enter_says_yes_only_to_a_question_that_is_shown():
    table = Table()
    assert table.press(NamedKey.ENTER) == []
    table.happen(ev.Heard(words=("e4",)))
    table.panel.show(table.state, (Message.of("braille_back"),))
    assert table.press(NamedKey.ENTER) == []
    assert table.state.game.played == ()
    table.happen(ev.DeviceNews(key="braille_back"))
    assert table.press(NamedKey.ENTER) == [ev.Heard(words=("sim",), key=True)]
    assert table.state.game.last.uci == "e2e4"


def test_escape_clears_what_was_typed_and_then_says_no():
    table = Table()
    table.happen(ev.Heard(words=("e4",)))
    assert table.press(*map(Character, "d4"), NamedKey.ESCAPE) == []
    assert table.press(NamedKey.ESCAPE) == [ev.Heard(words=("não",), key=True)]


def test_each_sign_that_is_typed_unseen_is_felt_beyond_the_end_of_the_row_too():
    table = Table(Size(1, 12))
    table.panel.hide(hidden=True)
    shown = []
    for _ in range(30):
        table.press(Character("x"))
        shown.append(table.display.cells[:11])
    assert shown[:11] == [(0xFF,) * count + (0,) * (11 - count) for count in range(1, 12)]
    assert len(set(shown)) == len(shown)
    assert shown[-1] == ((0xFF,) * 8 + (0, *CODE.text("30")))
    table.press(NamedKey.BACKSPACE)
    assert table.display.cells[:11] == shown[-2]


@pytest.mark.parametrize("blank", [Dots(0), Character(" ")])
def test_blanks_around_what_is_typed_are_left_out_as_at_a_keyboard(blank):
    """A passphrase with one at its end would open at no keyboard."""
    table = Table()
    table.press(blank, *dots("duas"), blank, blank, *dots("torres"), blank)
    assert table.felt(NamedKey.ENTER) == ev.Heard(words=("duas torres",))
    table.happen(ev.Heard(words=("e4",)))
    assert table.press(blank, NamedKey.ESCAPE) == []
    assert table.press(blank, NamedKey.ENTER) == [ev.Heard(words=("sim",), key=True)]


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
        shown = rank if size.rows == 1 else " ".join(rank)
        assert pattern(CODE.text(shown)) in seen


def test_black_sees_the_board_from_his_side():
    table = Table(Size(9, 40), opponent="engine", colour="black")
    assert table.text.startswith(pattern(CODE.text("1 T C B R D B C T")))


def test_a_routing_key_over_a_square_asks_what_stands_there():
    table = Table(Size(9, 40))
    # Row 7 from the top is rank 2; its first cell is the number, and each file has two.
    assert table.press(RoutingKey(6 * 40 + 10)) == [ev.SquarePointed(square="e2")]
    assert table.press(RoutingKey(30)) == []


def cells_of(table, text):
    """Where a text is shown."""
    shown = pattern(CODE.text(text))
    start = table.text.index(shown)
    return range(start, start + len(shown))


def test_a_routing_key_over_a_question_says_yes_to_it():
    table = Table(Size(1, 40))
    table.happen(ev.Heard(words=("e4",)))
    for cell in cells_of(table, "e4?"):
        assert table.felt(RoutingKey(cell)) == ev.Heard(words=("sim",), key=True)
    assert table.press(RoutingKey(38)) == []
    table.press(NamedKey.HOME)
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


@pytest.mark.parametrize(
    ("convention", "beside", "shown", "uci"),
    [
        ("fide", "Bauer Felix zwei Felix drei", "C ou P?", ("g1f3", "f2f3")),
        ("fide", "Springer Hector drei", "f ou h?", ("g1f3", "g1h3")),
        ("letters", "cavalo agá três", "f ou h?", ("g1f3", "g1h3")),
    ],
)
@pytest.mark.parametrize("listed", [False, True])
def test_a_routing_key_over_the_word_by_which_two_moves_differ_says_it(
    convention, beside, shown, uci, listed
):
    for number in (0, 1):
        table = Table(Size(1, 80), convention=convention)
        for _ in range(2):
            table.happen(ev.Heard(words=("Springer Felix drei",), spoken=True, beside=(beside,)))
        assert table.shows(shown)
        first, last = (cells_of(table, shown)[n] for n in (0, -2))
        if listed:
            words = [in_words(option, convention, "pt").text for option in table.state.asking.options]
            table.press(RoutingKey(79))
            assert table.text.startswith(pattern(CODE.text(f"{words[0]}, {words[1]}, não")))
            first, last = cells_of(table, words[0])[0], cells_of(table, words[1])[0]
        table.press(RoutingKey((first, last)[number]))
        assert table.state.asking.fact.uci == uci[number]
        assert table.state.game.played == ()


def test_a_routing_key_says_yes_to_resigning_but_names_a_piece_to_promote_to():
    table = Table(Size(1, 80), fen="8/4P1k1/8/8/8/8/8/K7 w - - 0 1")
    table.happen(ev.Heard(words=("Eva acht",)))
    asked = [marks_of(table)[cell] for cell in cells_of(table, "? D T B C")]
    said = [event.words[0] for event in asked if isinstance(event, ev.Heard)]
    assert said == ["Dame", "Turm", "Läufer", "Springer"]
    table.happen(ev.Heard(words=("abandono",)))
    table.press(RoutingKey(cells_of(table, "quer")[0]))
    assert table.state.game.result.reason == "resignation"


@pytest.mark.parametrize("language", ["en", "pt", "es", "de"])
@pytest.mark.parametrize("code", ["uk", "en8", "pt6"])
def test_the_letter_that_a_question_shows_for_a_piece_can_be_typed(code, language):
    """Though it is another piece, or a yes or no, in the language of the player."""
    for piece in "QRBN":
        table = Table(Size(1, 80), language, code=code, fen="8/P6k/8/8/8/8/8/K7 w - - 0 1", opponent="human")
        table.happen(ev.Heard(words=("a8",)))
        table.press(*map(Dots, load_code(code).move(piece)), NamedKey.ENTER)
        table.press(NamedKey.ENTER)
        assert table.state.game.last.uci == f"a7a8{piece.lower()}"


@pytest.mark.parametrize("language", ["en", "pt", "es", "de"])
@pytest.mark.parametrize("code", ["uk", "en8", "pt6"])
def test_the_letter_of_a_piece_that_can_make_the_move_can_be_typed(code, language):
    """Where it is asked which of them; in "uk" the knight is an "s", which is a yes in Portuguese."""
    fen = "7k/8/8/8/Q2p4/5N2/3R1B2/4K3 w - - 0 1"
    for piece in "QRBN":
        table = Table(Size(1, 80), language, code=code, fen=fen, opponent="human")
        table.happen(ev.Heard(words=("xd4",)))
        table.press(*map(Dots, load_code(code).move(piece)), NamedKey.ENTER)
        assert table.state.asking.fact.san.startswith(f"{piece}xd4")


def test_a_letter_of_the_code_begins_a_move_where_nothing_is_asked_and_still_answers():
    table = Table(Size(1, 80), "pt", code="en8", opponent="human")
    table.press(*map(Dots, load_code("en8").text("R")))
    assert table.felt(NamedKey.ENTER) == ev.Heard(words=("T",))
    table = Table(Size(1, 80), "pt", code="uk", opponent="human")
    table.happen(ev.Heard(words=("e4",)))
    table.press(*map(Dots, load_code("uk").text("s")))
    assert table.felt(NamedKey.ENTER) == ev.Heard(words=("s",))


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
    # Row 6 from the top is rank 3; its first cell is the number, and each file has two.
    table.press(RoutingKey(5 * 40 + 12))
    assert table.shows("Cf3?")
    assert table.state.game.played == ()
    table.press(NamedKey.ENTER)
    assert table.state.game.last.uci == "g1f3"


def test_escape_drops_an_announcement_that_lacks_a_part():
    table = Table()
    table.press(*map(Character, "Bauer"), NamedKey.ENTER)
    assert table.shows("P. Que casa?")
    assert table.press(NamedKey.ESCAPE) == [ev.Heard(words=("não",), key=True)]
    assert table.state.asking == NOTHING


@pytest.mark.parametrize("size", [Size(1, 12), Size(1, 40), Size(9, 40), Size(10, 32)])
def test_a_display_that_comes_back_shows_the_same_page(size):
    table = Table(size)
    table.happen(ev.Heard(words=("Springer",)))
    table.press(NamedKey.RIGHT, NamedKey.RIGHT)
    shown = table.display.cells
    table.panel.resize(size)
    assert table.display.cells == shown


def test_each_key_shows_one_thing_and_nothing_on_the_way_to_it():
    """Some displays need seconds to show something; and what flits by is pressed by mistake."""
    table, seen = Table(Size(1, 40)), []

    class Each(NoDisplay):
        def show(self, cells):
            seen.append(tuple(cells))
            super().show(cells)

    table.panel = BraillePanel(Each(), "pt", "fide")
    table.happen(ev.Heard(words=("Springer",)))
    corner, nothing = RoutingKey(39), OtherKey("no such key")
    for key in (
        corner,
        NamedKey.RIGHT,
        NamedKey.DOWN,
        corner,
        NamedKey.RIGHT,
        nothing,
        NamedKey.RIGHT,
        *dots("e"),
    ):
        before = seen[-1:]
        seen.clear()
        table.press(key)
        assert len({*seen} - {*before}) == 1, key


def test_another_size_goes_on_where_the_fingers_were():
    table = Table(Size(1, 40))
    table.press(NamedKey.DOWN, NamedKey.DOWN)
    assert table.text.startswith(pattern(CODE.text("8tcbdrbct")))
    table.panel.resize(Size(1, 14))
    assert table.text.startswith(pattern(CODE.text("8tcbdrbct")))


def test_on_one_line_the_clocks_come_last_and_beside_a_board_first():
    for size, shown in ((Size(1, 80), "1.e4 15:00 15:00"), (Size(9, 40), "15:00 15:00")):
        table = Table(size, clock="15", opponent="human")
        for words in "e4", "sim":
            table.happen(ev.Heard(words=(words,)))
        assert table.shows(shown)
    assert pattern(CODE.text("15:00")) in table.text[:40]


def test_the_clocks_run_without_moving_the_page():
    table = Table(Size(1, 80), clock="15", opponent="human")
    for words in "e4", "sim":
        table.happen(ev.Heard(words=(words,)))
    table.state, _ = step(table.state, ev.Tick(at=61_000))
    table.panel.refresh(table.state)
    assert table.shows("1.e4 15:00 13:59")
    table.state, _ = step(table.state, ev.Tick(at=899_999))
    table.panel.refresh(table.state)
    assert table.shows("1.e4 15:00 00:01")  # 0 is a fallen flag


@pytest.mark.parametrize(
    ("language", "columns", "marked"), [("de", 1, (0b11000011,)), ("pt", 2, (0b11000000, 0b01001111))]
)
def test_the_cursor_is_on_the_piece_that_moved_and_goes_with_the_fingers(language, columns, marked):
    table = Table(Size(9, 40), language, opponent="human")
    for words in "e4", "ja" if language == "de" else "sim":
        table.happen(ev.Heard(words=(words,)))
    # Row 5 from the top is rank 4, its fifth square e4: the German pawn is 12 and 7, the Portuguese 1234 and 7; the
    # cursor is dot 8, or dots 7 8 before it in Portuguese, where dot 8 would make digits of c, b and d.
    ends = 4 * 40 + 1 + 5 * columns
    assert table.display.cells[ends - len(marked) : ends] == marked
    table.panel.show(table.state, (), "a1")
    assert table.display.cells[ends - 1] == marked[-1] & 0b01111111
    # t is 2345, with 7 a white rook.
    ends = 7 * 40 + 1 + columns
    assert table.display.cells[ends - len(marked) : ends] == (
        *marked[:-1],
        0b01011110 | marked[-1] & 0b10000000,
    )


def test_after_castling_the_cursor_is_on_the_king():
    table = Table(Size(9, 40), fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", opponent="human")
    for words in "0-0", "sim":
        table.happen(ev.Heard(words=(words,)))
    # r is 1235.
    assert table.display.cells[7 * 40 + 13 : 7 * 40 + 15] == (0b11000000, 0b01010111)


def test_the_squares_that_a_picked_piece_can_reach_are_shown_and_can_be_pressed():
    table = Table(Size(1, 80), fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", opponent="human")
    table.happen(ev.SquarePointed(square="e1"))
    assert table.shows("Re1? d12 e2 f12 g1 h1")
    assert [table.felt(RoutingKey(cell)) for cell in cells_of(table, "d12")[1:]] == [
        ev.SquarePointed(square="d1"),
        ev.SquarePointed(square="d2"),
    ]
    assert table.press(RoutingKey(cells_of(table, "g1")[0])) == [ev.SquarePointed(square="g1")]
    assert table.state.asking.fact.san == "O-O"


@pytest.mark.parametrize(
    ("said", "shown", "san"), [("Springer drei", "? b f", "Nf3"), ("Springer Felix", "? 1 3", "Nf3")]
)
def test_the_missing_file_or_rank_can_be_pressed(said, shown, san):
    table = Table(Size(1, 80), fen="4k3/8/8/8/8/8/P2N4/K7 w - - 0 1", opponent="human")
    table.happen(ev.Heard(words=(said,)))
    table.press(RoutingKey(cells_of(table, shown)[-1]))
    assert table.state.asking.fact.san == san


def test_a_routing_key_says_yes_to_a_claim_and_names_a_topic():
    table = Table(Size(1, 80), opponent="human")
    table.happen(ev.Ordered(command="claim_threefold"))
    assert ev.Heard(words=("sim",), key=True) in map(table.felt, map(RoutingKey, range(80)))
    table = Table(Size(1, 80), opponent="human")
    table.happen(ev.Ordered(command="laws"))
    for _ in range(20):
        marked = {
            mark: cell for cell, mark in enumerate(marks_of(table)) if mark
        }  # several cells do the same
        found = [table.felt(RoutingKey(cell)) for cell in marked.values()]
        if ev.Heard(words=("zwei",)) in found:
            break
        table.felt(NamedKey.RIGHT)
    assert ev.Heard(words=("zwei",)) in found


def chosen(table, key, pages=400):
    """What the routing keys over all the pages of the list do."""
    found = set()
    for _ in range(pages):
        marks = marks_of(table)
        found |= {mark.action for mark in marks if isinstance(mark, Chosen)}
        before = table.display.cells
        table.press(key)
        if table.display.cells == before:
            return found
    raise AssertionError("the list does not end")


def marks_of(table):
    """What a routing key over each cell would do, without pressing it."""
    return table.panel._layout._shown().marks


def pages(table, key):
    """What is shown, page by page, until the key changes nothing."""
    shown = [table.text]
    while (table.press(key) or table.text) != shown[-1]:
        shown.append(table.text)
    return shown


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("size", [Size(1, 20), Size(1, 40), Size(9, 40)])
def test_everything_that_a_key_can_do_can_be_chosen_in_the_list(size, over):
    table = Table(size, opponent="human")
    if over:
        table.happen(ev.Ordered(command="resign"))
        table.happen(ev.Heard(words=("sim",)))
    table.panel.show_list()
    everything = set(keys.actions()) - {*keys.SHOWING, "send", "cancel", "erase", "keys"}
    assert chosen(table, NamedKey.RIGHT) == {*everything, "list"}


def test_the_menu_names_everything_that_can_be_ordered_or_asked_once():
    named = [action for section in command_help.sections().values() for action in section]
    assert len(named) == len(set(named))
    unlisted = {*keys.SHOWING, *keys.TYPING, *exploration.STEPS}
    assert set(named) == set(keys.actions()) - unlisted


@pytest.mark.parametrize("language", ["pt", "en", "de", "es"])
def test_the_list_begins_with_what_routing_keys_do_and_line_down_skips_its_sections(language):
    table = Table(Size(1, 40), language)
    table.panel.show_list()
    how = Renderer(language).text(Message.of("keys_routing"))
    code = load_code(f"{language}8")
    assert table.text.startswith(pattern(code.text(how)[:20]))
    starts = []
    for _ in range(7):
        starts.append(table.text)
        table.press(NamedKey.DOWN)
    first, questions, laws, settings, last = starts[1:6]
    resign = phrasing("fide", language).example(CommandName.RESIGN)
    assert first.startswith(pattern(code.text(resign)))
    catalogue_of = Renderer(language)
    for start, key in (questions, "menu_questions"), (laws, "menu_laws"), (settings, "menu_settings"):
        assert start.startswith(pattern(code.text(catalogue_of.text(Message.of(key)))))
    assert Chosen("list") in marks_of(table)
    assert starts[6] == last  # the list is not left by panning


def test_the_corner_opens_the_list_and_closes_it_and_escape_does_too():
    table = Table(Size(1, 40))
    table.happen(ev.Ordered(command="position"))
    table.press(NamedKey.RIGHT)
    for leave in RoutingKey(39), NamedKey.ESCAPE:
        table.press(NamedKey.HOME)
        shown = table.display.cells
        table.press(RoutingKey(39))
        assert table.shows("abandono")
        assert table.panel.takes("cancel")
        assert table.press(leave) == []
        assert table.display.cells == shown
        assert not table.panel.takes("cancel")


def test_the_answers_to_what_is_asked_are_the_first_in_the_list():
    table = Table(Size(1, 40), opponent="human")
    table.happen(ev.Heard(words=("e4",)))
    table.press(RoutingKey(39))
    assert table.text.startswith(pattern(CODE.text("sim, não, abandono")))
    table.press(RoutingKey(cells_of(table, "não")[0]))
    assert table.state.asking == NOTHING
    assert not table.panel.takes("cancel")


def test_the_answers_in_the_list_name_who_is_asked_where_the_other_player_may_have_answered_before():
    """A yes that names nobody does not count there until the question has been heard."""
    table = Table(Size(1, 80), opponent="human")
    asked = replace(table.state, asking=Offered("white"))
    table.panel.show(asked, (Message.of("ask_accept_draw", opponent="black"),), asked=False)
    table.press(RoutingKey(79))
    assert table.text.startswith(pattern(CODE.text("pretas sim, pretas não, ")))
    assert table.felt(RoutingKey(0)) == ev.Heard(words=("pretas sim",), key=True)


@pytest.mark.parametrize("size", [Size(1, 20), Size(1, 40)])
def test_what_is_told_comes_before_a_question_that_was_open_already(size):
    """Otherwise the row would not change, and a refused answer would look like no answer."""
    table = Table(size, opponent="human")
    table.happen(ev.Heard(words=("e4",)))
    assert table.text.startswith(pattern(CODE.text("e4?")))
    table.happen(ev.Ordered(command="material"))
    assert table.text.startswith(pattern(CODE.text("Brancas:")))
    assert pattern(CODE.text("e4?")) in "".join(pages(table, NamedKey.RIGHT))
    table.happen(ev.Heard(words=("d4",)))
    assert table.text.startswith(pattern(CODE.text("d4?")))


@pytest.mark.parametrize("size", [Size(1, 12), Size(1, 20), Size(1, 40)])
def test_a_question_and_an_answer_come_before_the_last_moves(size):
    table = Table(size, opponent="human", clock="15")
    for words in "e4", "sim", "c5", "sim":
        table.happen(ev.Heard(words=(words,)))
    assert table.text.startswith(pattern(CODE.text("1.e4 c5")))
    table.happen(ev.SquarePointed(square="b1"))
    assert table.text.startswith(pattern(CODE.text("Cb1? a3 c3")))
    table.happen(ev.SquarePointed(square="c3"))
    assert table.text.startswith(pattern(CODE.text("Cc3?")))
    table.press(NamedKey.ESCAPE)
    table.happen(ev.Ordered(command="clock", colour="white"))
    assert table.text.startswith(pattern(CODE.text("Brancas:")))


@pytest.mark.parametrize(
    "size", [Size(1, 12), Size(1, 40), Size(9, 40)]
)  # beside the board nothing has to be panned away
def test_what_comes_unasked_does_not_take_away_what_is_being_read(size):
    table = Table(size, opponent="human", clock="15")
    mark = Message.of("clock_mark", colour="white", time=Duration(600_000))
    told = "Marca"
    # The list stays, and the last cell of the first row says that there is something new.
    table.press(RoutingKey(size.columns - 1), NamedKey.DOWN)
    reading = table.display.cells
    table.panel.show(table.state, (mark,), asked=False)
    changed = [
        n for n, cells in enumerate(zip(reading, table.display.cells, strict=True)) if cells[0] != cells[1]
    ]
    assert changed == [size.columns - 1]
    assert table.display.cells[size.columns - 1] == 0xFF
    table.press(NamedKey.HOME)
    assert table.shows(told)
    assert table.display.cells[size.columns - 1] == 0xF8
    # An answer that was on the display follows what came after it.
    table.happen(ev.Ordered(command="material"))
    table.panel.show(table.state, (mark,), asked=False)
    table.panel.show(table.state, (mark,), asked=False)
    assert table.shows(told)
    assert pattern(CODE.text("39")) in "".join(pages(table, NamedKey.RIGHT))
    # What the reader does next takes the place of both.
    table.happen(ev.Heard(words=("e4",)))
    assert "Marca" not in "".join(pages(table, NamedKey.RIGHT))


@pytest.mark.parametrize("size", [Size(1, 40), Size(9, 40)])
def test_what_comes_unasked_can_still_be_read_after_something_else_has_come(size):
    table = Table(size, "en", opponent="human", clock="15")
    table.happen(ev.Ordered(command="material"))
    for text in ("Lunch", "Lunch", "Silence"):
        table.panel.show(table.state, (Message.of("hall_says", text=text),), asked=False)
    shown = "".join(pages(table, NamedKey.RIGHT))
    places = [shown.find(pattern(load_code("en8").text(text))) for text in ("Silence", "Lunch", "39")]
    assert -1 not in places
    assert places == sorted(places)
    assert shown.count(pattern(load_code("en8").text("Lunch"))) == 1
    table.press(NamedKey.HOME)
    for number in range(20):
        table.panel.show(table.state, (Message.of("hall_says", text=f"Number {number}"),), asked=False)
    assert len(pages(table, NamedKey.RIGHT)) < 12
    table.happen(ev.Heard(words=("e4",)))
    assert pattern(load_code("en8").text("Number")) not in "".join(pages(table, NamedKey.RIGHT))


def test_a_move_that_comes_while_an_answer_is_read_waits_for_home():
    table = Table(Size(1, 20), opponent="engine")
    table.happen(ev.Heard(words=("e4",)))
    table.happen(ev.Heard(words=("sim",)))
    table.happen(ev.Ordered(command="position"))
    table.press(NamedKey.RIGHT, NamedKey.RIGHT)
    reading = table.text[:-1]
    table.state, effects = step(table.state, ev.EngineMoved(uci="c7c5", plies=1))
    for effect in effects:
        table.panel.show(table.state, effect.messages, asked=False)
    assert table.text[:-1] == reading
    assert table.press(NamedKey.RIGHT, RoutingKey(19)) == []
    assert table.text.startswith(pattern(CODE.text("1.e4 c5")))
    assert reading.rstrip(pattern([0])) in "".join(pages(table, NamedKey.RIGHT))


@pytest.mark.parametrize("reading", [(RoutingKey(39),), (RoutingKey(39), NamedKey.DOWN), (NamedKey.DOWN,)])
def test_a_result_that_comes_by_itself_is_felt_at_once_and_nothing_else_after_it(reading):
    table = Table(Size(1, 40), "en", opponent="human")
    table.happen(ev.Started(hall=True))
    table.happen(ev.Ordered(command="material"))
    table.press(*reading)
    table.panel.show(table.state, (Message.of("hall_says", text="Lunch"),), asked=False)
    proposed = ev.Proposed(id=1, by="Ana", what="result", given=(1,))
    table.state, effects = step(table.state, proposed)
    assert table.state.game.result
    for effect in effects:
        table.panel.show(table.state, effect.messages, asked=False)
    code = load_code("en8")
    assert table.text.startswith(pattern(code.text("From the arbiters")))
    following = "".join(pages(table, NamedKey.RIGHT))
    assert all(pattern(code.text(words)) in following for words in ("The", "game", "Lunch"))
    table.press(*reading)  # read on, nothing else takes the place of it
    there = table.text[:-1]
    table.panel.show(table.state, (Message.of("hall_says", text="Dinner"),), asked=False)
    assert table.text[:-1] == there


def test_a_question_that_comes_by_itself_is_shown_at_once():
    """Otherwise the routing key over an old question would answer the new one."""
    table = Table(Size(1, 12), opponent="human")
    table.happen(ev.Ordered(command="position"))
    table.press(NamedKey.RIGHT)
    state = replace(table.state, asking=Sure(CommandName.RESIGN, NOTHING))
    table.panel.show(state, (Message.of("ask_resign"),), asked=False)
    assert table.text.startswith(pattern(CODE.text("Quer")))


@pytest.mark.parametrize(
    "key", [RoutingKey(38), NamedKey.ESCAPE, NamedKey.ENTER, NamedKey.BACKSPACE, AltKey("€")]
)
def test_a_key_that_means_nothing_says_so_and_panning_goes_back_to_what_was_read(key):
    table = Table(Size(1, 40), opponent="human")
    table.happen(ev.Ordered(command="position"))
    table.press(NamedKey.RIGHT, NamedKey.RIGHT)
    table.display.show(())
    table.panel.resize(Size(1, 40))
    reading = table.display.cells
    assert table.press(key) == []
    assert table.text.startswith(pattern(CODE.text("Aqui esta tecla não faz nada.")))
    table.press(NamedKey.LEFT)
    assert table.display.cells == reading


@pytest.mark.parametrize("size", [Size(1, 12), Size(1, 20), Size(1, 40)])
def test_what_comes_is_shown_or_marked_though_the_last_key_did_nothing(size):
    table, nothing = Table(size, opponent="human"), OtherKey("no such key")
    for words, shown in ("e4", "e4?"), ("sim", "1.e4"), ("e5", "e5?"):
        table.press(nothing)
        assert table.text.startswith(pattern(CODE.text("Aqui esta")))
        state, effects = step(table.state, ev.Heard(words=(words,)))
        table.state = state
        for effect in effects:
            table.panel.show(state, effect.messages, asked=False)
        assert table.shows(shown)
    # What is being read, panned to or in the list, stays; the last cell says that there is something new.
    for keys_before in (NamedKey.DOWN,), (RoutingKey(size.columns - 1), NamedKey.RIGHT):
        table.press(NamedKey.HOME, *keys_before)
        reading = table.display.cells
        table.press(nothing)
        table.panel.show(table.state, (Message.of("hall_says", text="Almoço"),), asked=False)
        assert table.display.cells == (*reading[:-1], 0xFF)
        table.press(RoutingKey(size.columns - 1))
        assert table.text.startswith(pattern(CODE.text("Anúncio")))


def test_a_move_that_a_server_shows_and_what_stands_are_seen_though_the_last_key_did_nothing():
    table, nothing = Table(Size(1, 20), opponent="human"), OtherKey("no such key")
    table.press(nothing)
    table.state = replace(table.state, game=table.state.game.play(table.state.game.position.fact("e2e4"), 0))
    table.panel.refresh(table.state)
    assert not table.shows("Aqui")
    table.press(nothing)
    table.panel.stand((Message.of("answer_yes"),), {})
    assert not table.shows("Aqui")
    table.press(nothing)
    table.panel.tell((Message.of("answer_no"),))
    assert table.text.startswith(pattern(CODE.text("Não")))
    table.press(nothing)
    table.panel.show_list()
    assert not table.shows("Aqui")


def test_a_flag_that_falls_is_felt_though_the_last_key_did_nothing():
    table = Table(Size(1, 40), opponent="human", clock="1")
    for words in "e4", "sim", "e5", "sim":
        table.happen(ev.Heard(words=(words,)))
    table.press(OtherKey("no such key"))
    table.state, _ = step(table.state, ev.Tick(at=61_000))
    table.panel.refresh(table.state)
    assert table.display.cells[:3] == (0xFF,) * 3


def test_a_question_that_comes_by_itself_takes_the_place_of_the_list():
    """Otherwise it would move the list, and the key over one of its lines would say yes to it unread."""
    table = Table(Size(1, 20), opponent="human")
    table.press(RoutingKey(19))
    table.panel.show(table.state, (Message.of("hall_says", text="Almoço"),), asked=False)
    state = replace(table.state, asking=Sure(CommandName.RESIGN, NOTHING))
    table.panel.show(state, (Message.of("ask_resign"),), asked=False)
    assert table.text.startswith(pattern(CODE.text("Quer")))
    assert not table.panel.takes("cancel")
    assert pattern(CODE.text("Almoço")) in "".join(pages(table, NamedKey.RIGHT))


def test_top_and_bottom_go_to_the_ends():
    table = Table(Size(1, 40))
    first = table.display.cells
    table.press(OtherKey("bot"))
    last = table.display.cells
    assert table.shows("1TCBDRBCT")
    table.press(NamedKey.RIGHT)
    assert table.display.cells == last
    table.press(NamedKey.HOME)
    assert table.display.cells == first


def test_the_clock_that_runs_is_the_one_that_is_shown():
    """The time of a side may begin to run after its opponent's move has been shown, when that has been said."""
    table = Table(Size(1, 80), opponent="engine", clock="15")
    for words in "e4", "sim":
        table.happen(ev.Heard(words=(words,)))
    table.happen(ev.EngineMoved(uci="e7e5"))
    assert table.state.clocks.waits
    table.state, _ = step(table.state, ev.SpeechEnded(at=1_000))
    table.state, _ = step(table.state, ev.Tick(at=61_000))
    table.panel.refresh(table.state)
    assert table.shows("14:00 15:00")


@pytest.mark.parametrize("listing", [False, True])
def test_a_flag_that_falls_is_felt_at_once_whatever_is_being_read(listing):
    table = Table(Size(1, 40), opponent="human", clock="1")
    for words in "e4", "sim", "e5", "sim":
        table.happen(ev.Heard(words=(words,)))
    if listing:
        table.press(RoutingKey(39))
    table.press(NamedKey.RIGHT)
    table.state, _ = step(table.state, ev.Tick(at=61_000))
    table.panel.refresh(table.state)
    assert table.display.cells[:3] == (0xFF,) * 3


def test_only_the_cells_of_the_clocks_change_with_the_time():
    table = Table(Size(9, 40), opponent="human", clock="11")
    for words in "e4", "sim", "e5", "sim":
        table.happen(ev.Heard(words=(words,)))
    table.happen(ev.SpeechEnded(at=0))
    for at in range(0, 600_000, 5_000):
        before = table.display.cells
        table.state, _ = step(table.state, ev.Tick(at=at))
        table.panel.refresh(table.state)
        changed = {
            n for n, cells in enumerate(zip(before, table.display.cells, strict=True)) if cells[0] != cells[1]
        }
        assert changed <= set(range(18, 29))


@pytest.mark.parametrize(("size", "listed"), [(Size(8, 31), False), (Size(8, 30), True), (Size(8, 20), True)])
def test_where_the_board_has_no_room_on_eight_rows_the_squares_of_the_pieces_are_listed(size, listed):
    table = Table(size, opponent="human")
    for words in "e4", "sim":
        table.happen(ev.Heard(words=(words,)))
    assert table.shows("a78") == listed
    table.press(RoutingKey(marks_of(table).index("b8")))
    assert table.shows("Cb8?")


def test_beside_the_board_stand_clocks_question_and_the_moves_each_in_its_rows():
    table = Table(Size(9, 40), "de", opponent="human", clock="15")
    code = load_code("de8")
    for uci in "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5".split():
        table.happen(ev.SquarePointed(square=uci[:2]))
        table.happen(ev.SquarePointed(square=uci[2:]))
        assert table.text[10 : 10 + 11] == pattern(code.text("15:00 15:00"))
        assert table.text[50 : 50 + 2] != pattern((0, 0))
        table.happen(ev.Heard(words=("ja",)))
    rows = [table.text[start + 10 : start + 40].rstrip(pattern([0])) for start in range(0, 360, 40)]
    assert rows[6:] == [pattern(code.text(text)) for text in ("1.e4 e5", "2.Sf3 Sc6", "3.Lc4 Lc5")]
    assert not any(rows[1:6])


@pytest.mark.parametrize(
    ("code", "language", "dots", "text"),
    [
        ("uk", "en", "⠎⠋⠒", "Nf3"),  # lower digits without a number sign
        ("uk", "en", "⠉⠰⠙⠢", "cxd5"),
        ("uk", "pt", "⠎⠋⠒", "Cf3"),  # the letters of the player's language
        ("uk", "en", "⠽⠑⠎", "yes"),
        ("pt6", "pt", "⠨⠉⠋⠒", "Cf3"),
        ("pt6", "pt", "⠎⠊⠍", "sim"),
        ("de6", "de", "⠚⠁", "ja"),
    ],
)
def test_dots_are_read_in_the_code_in_use(code, language, dots, text):
    panel = BraillePanel(NoDisplay(), language, "fide", code)
    for dot in dots:
        panel.press(Dots(ord(dot) - 0x2800), 0)
    assert panel.press(NamedKey.ENTER, 0) == ev.Heard(words=(text,))


@pytest.mark.parametrize("code", code_names())
@given(position=positions())
@settings(deadline=None, max_examples=examples(20))
def test_no_line_breaks_inside_a_move(code, position):
    """On the narrowest display every legal move of a position stands whole in a row of its own or with others."""
    for fact in position.legal[:3]:
        cells = load_code(code).move(fact.san)
        state = State.new(Setup.of(opponent="human", fen=position.fen))
        state = replace(state, game=state.game.play(fact, 0))
        display = NoDisplay(Size(1, 12))
        panel = BraillePanel(display, "pt", "fide", code)
        panel.show(state, ())
        pages = [display.cells]
        for _ in range(3):
            panel.press(NamedKey.RIGHT, 0)
            pages.append(display.cells)
        found = [bytes(page) for page in pages]
        assert any(bytes(cells) in page for page in found)


@pytest.mark.parametrize("name", code_names())
def test_the_cell_that_opens_the_list_is_no_letter_of_any_code(name):
    code, corner = load_code(name), Table(Size(1, 40)).display.cells[-1]
    texts = (text for language in ("pt", "en", "de", "es") for text in catalogue(language).values())
    letters = {letter for text in texts for letter in text if letter.isprintable()}
    assert not [letter for letter in letters if corner in code.text(letter)]


def test_a_routing_key_that_trembles_does_not_answer_the_question_that_it_has_brought():
    """In the list the cells of the yes come to lie under it, and on a square those of the move."""
    table = Table(Size(1, 40), language="en", opponent="human")
    table.happen(ev.Ordered(command=CommandName.RESIGN))
    under = next(cell for cell, mark in enumerate(marks_of(table)) if isinstance(mark, ev.Heard))
    table.happen(ev.Heard(words=("no",)))
    for _ in range(2):
        assert table.felt(RoutingKey(under)) is None
        table.happen(ev.Ordered(command=CommandName.RESIGN))
        assert table.felt(RoutingKey(under), after_ms=60) is None
        assert table.shows("This key does nothing")
        assert table.felt(RoutingKey(under), after_ms=60) is None
        table.press(NamedKey.HOME)
        assert table.felt(RoutingKey(under), after_ms=0) == ev.Heard(words=("yes",), key=True)
        table.happen(ev.Heard(words=("no",)))
    table.felt(RoutingKey(under))
    table.happen(ev.Ordered(command=CommandName.RESIGN))
    assert table.felt(RoutingKey(under), after_ms=700) == ev.Heard(words=("yes",), key=True)
