# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample game of the Laws through real parts: espeak-ng into PulseAudio, pocketsphinx, brltty, Stockfish."""

import wave

import pytest
from support.brltty import VirtualBrltty, needs_brltty
from support.program import SAMPLE_FEN, SAMPLE_SAN, SAMPLE_WORDS, Running, game_of, sans
from support.pulse import PrivatePulse

from acessivel.rules.position import Position
from braille import board
from braille.notation import load_code
from braille.patterns import pattern
from voices.speakers.synthesis import synthesise

pytestmark = needs_brltty

# The first move and one late in the game are spoken into the microphone, which takes as long as speaking does; the
# others are typed. The demonstration, which waits for no microphone, hears every kind of move.
SPOKEN = ("e4", "O-O")
# Somebody who was not understood says it again, slower or in another voice: words a minute, pitch.
WAYS = ((140, 50), (120, 45), (160, 55), (110, 60), (130, 35))


@pytest.fixture(scope="module")
def pulse():
    with PrivatePulse() as server:
        yield server


@pytest.fixture
def display():
    with VirtualBrltty(40, 9) as brltty:
        yield brltty


class Player:
    """A player who announces aloud, and answers truthfully what the program repeats."""

    def __init__(self, pulse, program, folder):
        self.pulse, self.program, self.folder = pulse, program, folder

    def speak(self, text, way=WAYS[0]):
        recording = self.folder / "utterance.wav"
        synthesise(text, recording, "de", speed=way[0], pitch=way[1])
        self.pulse.play_into_microphone(recording)

    def hears(self):
        """The program's next line that matters; whose turn it is does not."""
        while (line := self.program.wait_for("")).startswith("Jogam as"):
            pass
        return line

    def announce(self, words, full):
        """Announce until the move is repeated in full, and confirm it; anything else is denied or said again."""
        for way in WAYS:
            self.speak(words, way)
            said = self.hears()
            while said.endswith("?"):
                if said == f"{full}?":
                    return self.confirm()
                self.speak("nein")
                said = self.hears()
        raise AssertionError(f"{words} was not understood; said: {self.program.lines[-10:]}")

    def type(self, words, full):
        """The same by the keyboard."""
        self.program.type(words)
        assert self.hears() == f"{full}?"
        self.program.type("ja")
        said = self.hears()
        assert "Brancas: " in said or "Pretas: " in said

    def confirm(self):
        for way in WAYS:
            self.speak("ja", way)
            said = self.hears()
            while not said.endswith("?"):  # what was not understood, and which word for a yes is heard best
                if "Brancas: " in said or "Pretas: " in said:
                    return
                said = self.hears()
        raise AssertionError("ja was not understood")


def full_announcements():
    """Each move of the sample game as the program repeats it."""
    from voices.words.phrasing import phrasing

    position, words = Position.start(), phrasing("fide", "pt")
    for san in SAMPLE_SAN:
        fact = next(fact for fact in position.legal if fact.san == san)
        yield words.without_check(fact.meaning, spoken=True)
        position = position.after(fact.uci)


def test_the_sample_game_by_voice_and_braille(pulse, display, tmp_path):
    save = tmp_path / "games"
    options = ("--opponent", "human", "--hear", "pocketsphinx", "--speak", "off", "--braille", "brlapi")
    env = {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
    with Running(tmp_path, "play", *options, "--save", save, **env, **display.env) as program:
        program.wait_for("Jogam as Brancas, lance 1")
        player = Player(pulse, program, tmp_path)
        position = Position.start()
        for words, full, san in zip(SAMPLE_WORDS, full_announcements(), SAMPLE_SAN, strict=True):
            (player.announce if san in SPOKEN else player.type)(words, full)
            uci = next(fact.uci for fact in position.legal if fact.san == san)
            position = position.after(uci)
            expected = board_cells(position, uci[2:4])
            shown = display.wait_for(lambda cells, expected=expected: shown_board(cells) == expected)
            assert san_cells(san) in "".join(map(chr, shown_words(shown)))
        program.type("parar")
        program.type("sim")
        program.wait_for("acessivel resume 1")
        program.close(status=0)
    game = game_of(tmp_path, save)
    assert sans(game) == SAMPLE_SAN
    assert game.end().board().fen() == SAMPLE_FEN


def board_cells(position, moved=None):
    """The eight ranks, with the piece that moved marked."""
    ranks = board.ranks(position.placement, load_code("pt8"), cursor=moved, columns=39)
    return tuple(cell for rank in ranks for cell in rank.cells)


def shown_board(cells):
    """What the first 17 columns of 40 show in eight of nine rows."""
    return tuple(cell for row in range(8) for cell in cells[40 * row : 40 * row + 17])


def shown_words(cells):
    """What stands beside the board."""
    return tuple(cell for row in range(9) for cell in cells[40 * row + 18 : 40 * row + 39])


def shows(letter):
    (cell,) = load_code("pt8").text(letter)
    return lambda cells: cell in shown_words(cells)


def san_cells(san):
    return "".join(map(chr, load_code("pt8").move(san)))


def test_a_move_by_voice_is_answered_by_the_engine_aloud_and_in_braille(pulse, display, tmp_path):
    recording = tmp_path / "speaker.wav"
    env = {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
    options = (
        "--level",
        "1",
        "--hear",
        "pocketsphinx",
        "--speak",
        "pyttsx3",
        "--rate",
        "200",
        "--braille",
        "brlapi",
    )
    with (
        pulse.record_speaker(recording),
        Running(tmp_path, "play", *options, "--save", tmp_path / "games", **env, **display.env) as program,
    ):
        program.wait_for("Você joga de Brancas")
        display.wait_for(lambda cells: shown_board(cells) == board_cells(Position.start()))
        program.type("David vier")
        program.wait_for("Bauer David zwei David vier?")
        display.press("KEY_ENTER")
        program.wait_for("1, Pretas: ")
        shown = display.wait_for(lambda cells: san_cells("d4") in "".join(map(chr, shown_words(cells))))
        assert "⢁⠄⠙⢙⠀" in pattern(shown_words(shown)[8 * 21 :])  # 1.d4, in the last row
        # The display alone can end it: typed on its keyboard, confirmed by its enter key.
        for letter in "parar":
            display.press(f"PASSCHAR {ord(letter)}")
            display.wait_for(shows(letter))
        display.press("KEY_ENTER")
        program.wait_for("Quer parar?")
        display.press("KEY_ENTER")
        program.wait_for("acessivel resume 1")
        program.close(status=0)
    with wave.open(str(recording)) as sound:
        loud = max(sound.readframes(sound.getnframes()))
    assert loud > 0
