# SPDX-License-Identifier: GPL-3.0-or-later
"""The real loop with a voice, a listener and a display that are played by the test: what each is told, and tells."""

import queue
from types import MappingProxyType

from acessivel.app.loop import Loop
from acessivel.devices.braille_panel import BraillePanel
from acessivel.devices.devices import Devices, SpeechDone
from acessivel.devices.microphone import MicrophoneGate
from braille import patterns
from braille.displays import Pressed, RoutingKey
from braille.displays.none import NoDisplay
from braille.notation import display_code
from braille.window import Size
from voices.hearing.utterances import Utterance
from voices.recognisers import Hypothesis
from voices.speakers import SpeakerFailedError
from voices.speakers.speech import Speech


class Voice:
    """Speaks until it is told that it has ended, or is hushed; or fails."""

    name = "played"
    began = 0.0
    cut = False
    limits = MappingProxyType({})

    def __init__(self):
        self.on_end = None
        self.said = []
        self.manner = None
        self.fails = self.failed = False

    def speak(self, spans, on_end):
        if self.fails:
            raise SpeakerFailedError("gone")
        self.hush()
        self.said.append(" ".join(span.text for span in spans))
        self.on_end = on_end

    def take(self, manner):
        self.manner = manner

    def hush(self):
        self.end()

    def end(self):
        on_end, self.on_end = self.on_end, None
        if on_end:
            on_end()

    def close(self):
        self.hush()


class Ear:
    """What a listener is told to do."""

    def __init__(self):
        self.turn = None  # of the utterance that would begin now; None when deaf
        self.held_open = self.released = self.hearing = False
        self.measured = self.messages = 0  # how often anew

    def measure_anew(self):
        self.measured += 1

    def says_another(self):
        self.messages += 1

    def expect(self, everything, expected):
        pass

    def hear_with(self, recogniser):
        self.recogniser = recogniser

    def resume(self, turn=0, *, held_open=False):
        self.turn, self.held_open, self.released = turn, held_open, False

    def release(self):
        self.released = True

    def speaks(self, *, now):
        pass

    def pause(self):
        self.turn = None

    def close(self):
        pass


class Table:
    """One activity in the real loop, one report after the other; `make` makes it of the loop, `pages` its pages."""

    def __init__(self, make, language="en", *, size=(1, 80), pages=None, **attention):
        self.reports, self.lines, self.voice, self.ear = queue.SimpleQueue(), [], Voice(), Ear()
        self.sounds = []

        def on_spoken(number):
            self.reports.put(SpeechDone(number))

        self.microphone = MicrophoneGate(self.ear, **attention)
        self.devices = Devices(
            self.lines.append, Speech(self.voice, on_spoken), self.voice, listener=self.ear, microphone=self.microphone
        )  # fmt: skip
        self.display, self._code = NoDisplay(Size(*size)), display_code(language)
        self.devices.panel = BraillePanel(self.display, language, "fide")
        self.devices.inputs |= {"keyboard", "microphone", "display"}
        self.devices.sound = self._sound
        self.loop = Loop(self.devices, self.reports, pages(self.reports.put) if pages else None)
        self.activity = make(self.loop)
        self.loop.begin(self.activity)

    def happen(self, report):
        """Let something happen, and all that follows from it; returns what is said about it."""
        before = len(self.lines)
        self.loop.take(report)
        self.settle()
        return self.lines[before:]

    def shows(self, words):
        """Whether the display shows these words."""
        return patterns.pattern(self._code.text(words)) in patterns.pattern(self.display.cells)

    def press(self, words):
        """Press the routing key over words that the display shows; returns what is said about it."""
        shown, sought = patterns.pattern(self.display.cells), patterns.pattern(self._code.text(words))
        assert sought in shown
        return self.happen(Pressed(RoutingKey(shown.index(sought))))

    def _sound(self, names, on_end):
        """Play earcons, whose end the test tells: `self.sound_ends()`."""
        self.sounds.extend(names)
        self.sound_ends = on_end

    def settle(self):
        """Deal with everything that has been reported."""
        while not self.reports.empty():
            self.loop.take(self.reports.get())

    def spoken(self):
        """What is being spoken is spoken to its end."""
        self.voice.end()
        self.settle()

    def heard(self, words, turn=None):
        """An utterance that began when the listener had this number (now), and has ended."""
        turn = self.ear.turn if turn is None else turn
        assert turn is not None, "nobody listens"
        self.ear.turn = None
        return self.happen(Utterance((Hypothesis(words, "expected", 0.0),), 0.0, turn))

    @property
    def speaks(self):
        return self.voice.on_end is not None
