# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports how a download progresses: in lines and aloud; on a terminal in one line that is overwritten."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable

from acessivel.devices.devices import open_speaker
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings.settings import Settings
from voices.speakers import Speaker, SpeakerFailedError
from voices.speakers.silent import SilentSpeaker
from voices.speakers.speech import Speech, longest_s


def megabytes(size: int) -> Message:
    """A size in bytes as sentences say it."""
    return Message.of("models_size", count=max(1, round(size / 1e6)))


class Teller:
    """Writes lines through `write`, and speaks with the voice of the settings; `quiet` does neither."""

    def __init__(self, settings: Settings, write: Callable[[str], None], *, quiet: bool) -> None:
        self._write = write
        self._quiet = quiet
        self._renderer = Renderer(settings.language, settings.convention)
        self._over = sys.stdout.isatty()
        self._shown = ""
        self._percent = self._tenth = -1
        self._ended = threading.Condition()
        self._patience_s = 0.0
        self._speaker: Speaker = SilentSpeaker() if quiet else open_speaker(settings, [])
        self._speech: Speech | None = Speech(self._speaker, self._on_ended)

    def tell(self, *messages: Message) -> None:
        """Write messages, a line each, and speak them."""
        if not self._quiet:
            self._end_line()
            for message in messages:
                self._write(self._renderer.text(message))
        self.speak(*messages)

    def speak(self, *messages: Message) -> None:
        """Speak messages, interrupting what is being spoken; a voice that fails is not used again."""
        spans = self._renderer.spans(messages)
        self._patience_s = longest_s(spans)
        try:
            if self._speech:
                self._speech.say(spans)
        except SpeakerFailedError:
            self._speech = None

    def progress(self, done: int, size: int) -> None:
        """Report each tenth of the bytes, aloud only in a pause; a terminal shows each hundredth."""
        percent = 100 * done // size
        if percent == self._percent or self._quiet:
            return
        self._percent = percent
        message = Message.of("models_progress", percent=percent, done=megabytes(done), size=megabytes(size))
        if self._over:
            self._write_over(self._renderer.text(message))
        if percent // 10 == self._tenth:
            return
        self._tenth = percent // 10
        if not self._over:
            self._write(self._renderer.text(message))
        if self._speech and not self._speech.speaking:
            self.speak(message)

    def close(self) -> None:
        """Release the voice when it has said the last sentence."""
        self._end_line()
        try:
            with self._ended:
                self._ended.wait_for(lambda: not (self._speech and self._speech.speaking), self._patience_s)
        finally:
            self._speaker.close()

    def _on_ended(self, _: int) -> None:
        with self._ended:
            self._ended.notify_all()

    def _write_over(self, text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        sys.stdout.write(f"\r{text.ljust(len(self._shown))}")
        sys.stdout.flush()
        self._shown = text

    def _end_line(self) -> None:
        if self._shown:
            self._write("")
            self._shown = ""
