# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample game of the Laws as an activity: a synthetic voice announces, the real recogniser hears."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from acessivel.app.activity import (
    Activity,
    Input,
    InputEnded,
    KeyPressed,
    Output,
    Quote,
    Reported,
    SpeechOver,
    Tell,
    TypedText,
    View,
    preferred,
)
from acessivel.app.game import GameActivity
from acessivel.dialogue.interpretation import hear_words
from acessivel.dialogue.questions import NOTHING, Confirm
from acessivel.message import Message
from acessivel.session import events as ev
from voices.meaning import Command, CommandName
from voices.recognisers import Recogniser
from voices.sound.source import read_wav
from voices.speakers import Span
from voices.speakers.synthesis import synthesise
from voices.understanding.meanings import read

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

# If it was not understood, the speaker says it again differently: words a minute, pitch.
_WAYS = ((140, 50), (120, 45), (160, 55), (110, 60))

_DemoCourse = Generator[Sequence[Output], None, None]


class DemoActivity(Activity):
    """Plays the sample game once; says what was misheard, and continues."""

    kind = "demo"

    def __init__(
        self,
        game: GameActivity,
        recogniser: Recogniser,
        recording: Path,
        working: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """`game` is one between two people, from its beginning; `recording` is the file to speak into.

        Each announcement is made and heard in a context of `working`, which says so if that takes long.
        """
        self._game = game
        self._recogniser = recogniser
        self._recording = recording
        self._working = working
        self._now_ms = 0
        self._script = self._course()
        self._left = False
        self.misheard = 0

    @property
    def words(self) -> tuple[str, str]:
        """The language and the convention of the game."""
        return self._game.words

    def start(self, now_ms: int) -> Sequence[Output]:
        """Explain the demonstration, and begin the game."""
        self._now_ms = now_ms
        return next(self._script)

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:
        """Continue when the last sentence has been spoken; the user can change how it speaks, or leave."""
        self._now_ms = now_ms
        match input_:
            case SpeechOver():
                return self._go_on()
            case KeyPressed() | TypedText() if told := preferred(input_, self.words):
                return told
            case TypedText(text):
                self._left = any(r.meaning == Command(CommandName.STOP) for r in read(text, *self.words))
                self.over = self._left
                return ()
            case KeyPressed(CommandName.STOP):
                self.over = self._left = True
                return ()
            case InputEnded():
                return ()  # it plays by itself
        return None

    @property
    def listens(self) -> bool:
        """It hears only its own recordings."""
        return False

    def expectation(self) -> tuple[str, Sequence[str]]:
        """Nothing: there is no microphone."""
        return self._game.expectation()

    def view(self, told: Sequence[Message]) -> View:
        """The game."""
        return self._game.view(told)

    def leave(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # the game has no clock
        """How well it was recognised, if it was played to its end."""
        done = Message.of("demo_done", count=self.misheard, command=self._game.record_command)
        return (Tell((Message.of("goodbye") if self._left or not self.over else done,)),)

    def _go_on(self) -> Sequence[Output]:
        try:
            return next(self._script)
        except StopIteration:
            self.over = True
            return ()

    # The script: yields what is told, and continues when that has been spoken

    def _course(self) -> _DemoCourse:
        yield (Tell((Message.of("demo_welcome"),)),)
        yield self._game.start(self._now_ms)
        for words, uci in SAMPLE_GAME:
            yield from self._announced(words, uci)

    def _announced(self, words: str, uci: str) -> _DemoCourse:
        """Announce a move until it is repeated correctly, and confirm it aloud."""
        for attempt in self._attempts(words):
            yield attempt
            if self._asks_for(uci):
                break
        else:
            yield from self._typed(words)
        before = len(self._game.state.game.played)
        for attempt in self._attempts("ja"):
            yield attempt
            if len(self._game.state.game.played) > before:
                break
        else:
            yield from self._typed("ja")

    def _attempts(self, words: str) -> Iterator[Sequence[Output]]:
        """Say something in several ways; the caller stops once it is understood."""
        for number, (speed, pitch) in enumerate(_WAYS):
            if number:
                self.misheard += 1
                yield (Tell((Message.of("demo_misheard"),)),)
            if number and words != "ja" and self._game.state.asking != NOTHING:
                yield self._happened(ev.Heard(words=("nein",)))
            yield (Quote(f"> {words}", (Span(words, "de"),)),)
            yield self._heard(words, speed, pitch)

    def _heard(self, words: str, speed: int, pitch: int) -> Sequence[Output]:
        """The game's reply to what the recogniser makes of it."""
        position, (language, convention) = self._game.state.game.position, self.words
        with self._working():
            synthesise(words, self._recording, "de", speed=speed, pitch=pitch)
            heard = hear_words(self._recogniser, read_wav(self._recording), position, convention, language)
        return self._happened(ev.Heard(words=heard.readings, sure=heard.sure, doubted=heard.doubted))

    def _typed(self, words: str) -> _DemoCourse:
        """Type what no attempt has got across."""
        yield (Tell((Message.of("demo_typed"),)),)
        yield self._happened(ev.Heard(words=(words,)))

    def _happened(self, event: ev.Event) -> Sequence[Output]:
        return self._game.handle(Reported(event), self._now_ms) or ()

    def _asks_for(self, uci: str) -> bool:
        asking = self._game.state.asking
        return isinstance(asking, Confirm) and asking.fact.uci == uci
