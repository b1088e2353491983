# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample game of the Laws, announced by a synthetic voice and heard by the real recogniser."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from acessivel.devices.braille_panel import Panel
from acessivel.devices.devices import braille_works, open_recogniser, open_speaker
from acessivel.dialogue.interpretation import hear_words
from acessivel.dialogue.questions import NOTHING, Confirm
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.settings.profiles import NONE
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from braille.displays.terminal import TerminalDisplay
from voices.recognisers import Recogniser
from voices.sound.source import read_wav
from voices.speakers import Span, SpeakerFailedError
from voices.speakers.speech import Speech
from voices.speakers.synthesis import synthesise
from voices.words.conventions import DEFAULT

# 1.e4 e5 2.Cf3 Cf6 3.d4 exd4 4.e5 Ce4 5.Dxd4 d5 6.exd6 e.p. Cxd6 7.Bg5 Cc6 8.De3+ Be7 9.Cbd2 0-0 10.0-0-0
# Te8 11.Rb1
SAMPLE_GAME = (
    ("Bauer Eva zwei Eva vier", "e2e4"),
    ("Bauer Eva sieben Eva fünf", "e7e5"),
    ("Springer Gustav eins Felix drei", "g1f3"),
    ("Springer Gustav acht Felix sechs", "g8f6"),
    ("Bauer David zwei David vier", "d2d4"),
    ("Bauer Eva fünf schlägt David vier", "e5d4"),
    ("Bauer Eva vier Eva fünf", "e4e5"),
    ("Springer Felix sechs Eva vier", "f6e4"),
    ("Dame David eins schlägt David vier", "d1d4"),
    ("Bauer David sieben David fünf", "d7d5"),
    ("Bauer Eva fünf schlägt David sechs en passant", "e5d6"),
    ("Springer Eva vier schlägt David sechs", "e4d6"),
    ("Läufer Cesar eins Gustav fünf", "c1g5"),
    ("Springer Bella acht Cesar sechs", "b8c6"),
    ("Dame David vier Eva drei Schach", "d4e3"),
    ("Läufer Felix acht Eva sieben", "f8e7"),
    ("Springer Bella eins David zwei", "b1d2"),
    ("Kurze Rochade", "e8g8"),
    ("Lange Rochade", "e1c1"),
    ("Turm Felix acht Eva acht", "f8e8"),
    ("König Cesar eins Bella eins", "c1b1"),
)

# A speaker who was not understood says it again in another way: words a minute, pitch.
_WAYS = ((140, 50), (120, 45), (160, 55), (110, 60))
_PATIENCE_S = 20.0


class Demo:
    """Plays the sample game once; what was not heard right is said, and the game goes on."""

    def __init__(self, settings: Settings, journal: Journal, write: Callable[[str], None]) -> None:
        """Open what it needs; MissingPartError without a recogniser."""
        # The words of the sample game; a synthetic voice speaks, and has no profile unless one is asked for.
        settings = replace(settings, convention=DEFAULT, profile=settings.profile or NONE)
        self._write = write
        self._words = (settings.convention, settings.language)
        self._renderer = Renderer(settings.language, settings.convention)
        hear = "auto" if settings.hear == "keyboard" else settings.hear
        self._recogniser: Recogniser = open_recogniser(replace(settings, hear=hear))
        self._speaker = open_speaker(settings, [])
        self._spoken = threading.Event()
        self._speech = Speech(self._speaker, lambda _: self._spoken.set())
        self._panel: Panel | None = None
        if settings.braille != "off" and braille_works(settings.language, settings.code):
            self._panel = Panel(TerminalDisplay(write), settings.language, settings.convention, settings.code)
        self._journal = journal
        setup = Setup(
            language=settings.language, convention=settings.convention, white="Demo", black="Demo", demo=True
        )
        self.game = journal.create(setup, datetime.now().astimezone().isoformat(timespec="seconds"))
        self.state = State.new(setup)
        self._entries = 0
        self.misheard = 0

    def run(self) -> None:
        """Play the game; SpeakerMissingError without espeak-ng."""
        with tempfile.TemporaryDirectory() as folder:
            recording = Path(folder) / "utterance.wav"
            self._happen(ev.Started())
            for words, uci in SAMPLE_GAME:
                self._announce(words, uci, recording)

    def close(self) -> None:
        """Free the recogniser and the voice."""
        self._recogniser.close()
        self._speaker.close()

    def _announce(self, words: str, uci: str, recording: Path) -> None:
        """Announce a move until it is repeated right, and confirm it aloud."""
        if not any(self._asks_for(uci) for _ in self._attempts(words, recording)):
            self._tell(Message.of("demo_typed"))
            self._happen(ev.Heard(words=(words,)))
        before = len(self.state.game.played)
        if not any(len(self.state.game.played) > before for _ in self._attempts("ja", recording)):
            self._tell(Message.of("demo_typed"))
            self._happen(ev.Heard(words=("ja",)))

    def _attempts(self, words: str, recording: Path) -> Iterator[None]:
        """Say something in several ways; the caller stops when it was understood."""
        for number, (speed, pitch) in enumerate(_WAYS):
            if number:
                self.misheard += 1
                self._tell(Message.of("demo_misheard"))
            if number and words != "ja" and self.state.asking != NOTHING:
                self._happen(ev.Heard(words=("nein",)))
            self._write(f"> {words}")
            self._say((Span(words, "de"),))
            synthesise(words, recording, "de", speed=speed, pitch=pitch)
            audio = read_wav(recording)
            heard = hear_words(self._recogniser, audio, self.state.game.position, *self._words)
            self._happen(ev.Heard(words=heard.readings, sure=heard.sure))
            yield

    def _asks_for(self, uci: str) -> bool:
        return isinstance(self.state.asking, Confirm) and self.state.asking.fact.uci == uci

    def _happen(self, event: ev.Event) -> None:
        after, effects = step(self.state, event)
        self._journal.append(self.game, self._entries, event, self.state, after)
        self._entries += 1
        self.state = after
        for effect in effects:
            if isinstance(effect, ev.Say):
                self._tell(*effect.messages)

    def _tell(self, *messages: Message) -> None:
        for message in messages:
            self._write(self._renderer.text(message))
        if self._panel:
            self._panel.show(self.state, messages)
        self._say(self._renderer.spans(messages))

    def _say(self, spans: Sequence[Span]) -> None:
        """Speak to the end, if there is a voice that works."""
        self._spoken.clear()
        try:
            self._speech.say(spans)
        except SpeakerFailedError:
            return
        self._spoken.wait(_PATIENCE_S)
