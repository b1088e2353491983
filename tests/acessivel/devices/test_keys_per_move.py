# SPDX-License-Identifier: GPL-3.0-or-later
"""How many keys of a Braille display it takes to move, and to do what ends a game, counted in whole openings."""

import chess
import pytest

from acessivel.devices.braille_content import Chosen
from acessivel.devices.braille_panel import BraillePanel
from acessivel.game.game import Setup
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from braille import liblouis
from braille.displays import NamedKey, RoutingKey
from braille.displays.none import NoDisplay
from braille.notation import code_names
from braille.window import Size

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)

# The openings of Deep Blue - Kasparov 1997, Morphy - Duke of Brunswick 1858, Botvinnik - Capablanca 1938 and
# Anderssen - Kieseritzky 1851, as UCI.
OPENINGS = [
    opening.split()
    for opening in """
e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 b8d7 e4g5 g8f6 f1d3 e7e6 g1f3 h7h6 g5e6 d8e7 e1g1 f7e6 d3g6 e8d8 c1f4 b7b5
a2a4 c8b7 f1e1 f6d5 f4g3 d8c8 a4b5 c6b5 d1d3 b7c6 d3f5 e6f5 e1e7 f8e7 c2c4

e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7
e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8

d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 d7d5 a2a3 b4c3 b2c3 c7c5 c4d5 e6d5 f1d3 e8g8 g1e2 b7b6 e1g1 c8a6 d3a6 b8a6
c1b2 d8d7 a3a4 f8e8 d1d3 c5c4 d3c2 a6b8 a1e1

e2e4 e7e5 f2f4 e5f4 f1c4 d8h4 e1f1 b7b5 c4b5 g8f6 g1f3 h4h6 d2d3 f6h5 f3h4 h6g5 h4f5 c7c6 g2g4 h5f6 h1g1 c6b5
h2h4 g5g6 h4h5 g6g5 d1f3 f6g8 c1f4 g5f6 b1c3 f8c5 c3d5 f6b2 f4d6 c5g1 e4e5 b2a1 f1e2 b8a6
""".split("\n\n")
]
PANNING = (NamedKey.RIGHT,)
SKIPPING = (NamedKey.DOWN, NamedKey.RIGHT)
YES = ev.Heard(words=("sim",), key=True)


class Player:
    """One who moves by what the display shows, and counts his keys."""

    def __init__(self, size, code="auto", **setup):
        self.display = NoDisplay(size)
        self.panel = BraillePanel(self.display, "pt", "fide", code)
        self.state = State.new(Setup.of(language="pt", opponent="human", **setup))
        self.keys = 0
        self.happen(ev.Started())

    def happen(self, event):
        self.state, effects = step(self.state, event)
        for effect in effects:
            if isinstance(effect, ef.Say):
                self.panel.show(self.state, effect.messages)

    def press(self, key):
        self.keys += 1
        match self.panel.press(key, 1000 * self.keys):
            case Chosen(action):
                self.happen(ev.Ordered(command=action))
            case ev.Event() as event:
                self.happen(event)

    def marks(self):
        return self.panel._layout._shown().marks

    def route(self, wanted, ways=PANNING):
        """Pan until something is shown, the first key being another if need be, and press the routing key over it."""
        following = iter((*ways, *ways[-1:] * 200))
        while wanted not in self.marks():
            before = self.display.cells
            self.press(next(following))
            assert self.display.cells != before, wanted
        self.press(RoutingKey(self.marks().index(wanted)))

    def move(self, uci, ways):
        """Play a move, and return how many keys that took."""
        before = self.keys
        self.route(uci[:2], ways)
        self.route(uci[2:])
        self.route(YES)
        assert self.state.game.last.uci == uci
        return self.keys - before


@pytest.mark.parametrize(
    ("size", "ways", "most"),
    [
        (Size(1, 40), SKIPPING, 4),
        (Size(1, 32), SKIPPING, 4),
        (Size(1, 20), SKIPPING, 6),
        (Size(1, 40), PANNING, 4),
        (Size(1, 20), PANNING, 7),
        (Size(9, 40), PANNING, 3),
        (Size(10, 32), PANNING, 3),
    ],
)
@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.sweep
def test_the_keys_of_an_ordinary_move(size, ways, most, opening):
    player = Player(size, clock="60+30")
    if ways == PANNING:
        player.happen(ev.Returned())  # the greeting has been read
    first, *others = opening
    assert player.move(first, ways) <= most + (ways == PANNING)  # whose turn it is stands before the clocks
    assert max(player.move(uci, ways) for uci in others) <= most


@pytest.mark.parametrize("code", code_names())
def test_the_keys_of_an_ordinary_move_in_every_code(code):
    player = Player(Size(1, 40), code, clock="60+30")
    assert {player.move(uci, SKIPPING) for uci in OPENINGS[2]} == {4}


@pytest.mark.parametrize("columns", [12, 20, 40, 80])
@pytest.mark.parametrize("command", ["resign", "stop", "clock", "sign"])
@pytest.mark.parametrize("pans", [0, 1, 5])
@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.sweep
def test_what_ends_a_game_and_the_clock_take_four_keys_from_anywhere(columns, command, pans, opened):
    """By panning and routing keys alone, wherever the window is, also while a question is open."""
    player = Player(Size(1, columns), clock="60+30")
    if command == "sign":
        player.happen(ev.Ordered(command="resign"))
        player.happen(YES)
    elif opened:
        player.happen(ev.SquarePointed(square="e2"))
        player.happen(ev.SquarePointed(square="e4"))
    for _ in range(pans):
        player.press(NamedKey.RIGHT)
    before = player.keys
    player.press(RoutingKey(columns - 1))
    player.route(Chosen(command))
    if command != "clock":
        player.route(YES)
    # On the narrowest display the answers to a question take its first page of the list.
    assert player.keys - before <= 4 + (columns == 12 and opened and command != "sign")
    if command == "sign":
        assert player.state.game.signed
    if command == "resign":
        assert player.state.game.result


def test_the_openings_are_legal():
    for opening in OPENINGS:
        board = chess.Board()
        for uci in opening:
            board.push(board.parse_uci(uci))
