# SPDX-License-Identifier: GPL-3.0-or-later
"""Which voice goes to which output: the room's to one device, and one player's alone to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from acessivel.message import Message
from acessivel.settings.settings import Settings
from voices.sound.outputs import find_output, outputs
from voices.speakers import Span, Speaker, SpeakerFailedError, SpeakerMissingError
from voices.speakers.manner import Manner
from voices.speakers.pyttsx3 import Pyttsx3Speaker
from voices.speakers.speech import Speech, longest_s


class PrivateVoice:
    """Speaks to one player alone on a sink; it neither waits for the room's voice nor stops it."""

    def __init__(self, speaker: Speaker, sink: str) -> None:
        self._speaker = speaker
        self._sink = sink
        self._speech = Speech(speaker, lambda _: None)
        self._until = 0.0
        self.lost = False

    @property
    def speaking(self) -> bool:
        """Whether a message has not ended yet."""
        return self._speech.speaking

    @property
    def left_s(self) -> float | None:
        """How many seconds that may still take, 0 if it took too long or failed; None if nothing is said.

        One that has failed may have ended what it said, which was not heard.
        """
        if self._speaker.failed:
            return 0.0
        return max(0.0, self._until - monotonic()) if self.speaking else None

    def say(self, spans: Sequence[Span]) -> None:
        """Speak, interrupting what is being spoken; afterwards `lost` says whether the voice has failed."""
        # If the output is unplugged, nobody hears it, or the sound server reroutes it.
        if all(output.name != self._sink for output in outputs()):
            self.lost = True
            return
        try:
            self._until = monotonic() + longest_s(spans)
            self._speech.say(spans)
        except SpeakerFailedError:
            self.lost = True

    def take(self, manner: Manner) -> None:
        """Apply these speech settings from the next message on."""
        self._speaker.take(manner)

    def hush(self) -> None:
        """Stop speaking at once."""
        self._speech.hush()

    def close(self) -> None:
        """Stop speaking and release what it holds."""
        self._speaker.close()


def unusable(settings: Settings) -> Message | None:
    """Why the configured outputs cannot be used; None if they can."""
    wanted = [name for name in (settings.room_output, settings.private_output) if name]
    if wanted and settings.speak == "speechd":
        return Message.of("output_of_speechd")
    found = [find_output(name) for name in wanted]
    for name, output in zip(wanted, found, strict=True):
        if output is None:
            names = ", ".join(one.name for one in outputs())
            return Message.of("bad_output" if names else "no_outputs", name=name, outputs=names)
    return Message.of("outputs_alike") if len(set(found)) < len(found) else None


def opener(name: str) -> Callable[[], Speaker]:
    """A function that opens a voice on the output of that name. It raises SpeakerMissingError."""
    return lambda: Pyttsx3Speaker(_sink(name))


def _sink(name: str) -> str:
    output = find_output(name)
    if output is None:
        raise SpeakerMissingError(f"There is no output {name}.")
    return output.name


def open_private(settings: Settings, missing: list[Message]) -> PrivateVoice | None:
    """The voice for one player alone, if the settings have an output for it."""
    if not settings.private_output or settings.speak == "off":
        return None
    try:
        sink = _sink(settings.private_output)
        voice = PrivateVoice(Pyttsx3Speaker(sink), sink)
    except SpeakerMissingError:
        missing.append(Message.of("missing_private_voice", name=settings.private_output))
        return None
    voice.take(settings.manner)
    return voice
