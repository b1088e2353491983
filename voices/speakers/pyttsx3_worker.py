# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that owns pyttsx3: reads messages as JSON lines, speaks them, and says when each has ended.

In: the manner, and the text with its languages,
`[{"rate": 120, "pitch": 100, "volume": 100}, [["text", "pt"], ["more", "de"]]]`.
Out: `"ready"` once there is a voice, and `"ended"` after each message; `{"failed": "reason"}` where there is
none, or its sound cannot be played: then the process ends.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from voices.speakers.accents import preferred

_SETTLING_S = 0.1  # at most; voices other than espeak may never report the very same value


def main() -> None:
    """Speak until the input ends."""
    # The library and its players write to the standard streams; the answers have a private one.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        # Each platform's driver raises exceptions of its own.
        try:
            engine = importlib.import_module("pyttsx3").init()
            voices = [(voice.id, _codes(voice)) for voice in engine.getProperty("voices")]
            # The first run returns before the sound has ended: nothing is spoken in it.
            engine.runAndWait()
            usual = _usual(engine)
            players: list[int] = []
            os.system = _noting(os.system, players)  # type: ignore[assignment]  # by which it plays on Linux
        except Exception as error:  # noqa: BLE001
            print(json.dumps({"failed": str(error) or type(error).__name__}), file=answers, flush=True)
            return
        print(json.dumps("ready"), file=answers, flush=True)
        for line in sys.stdin:
            manner, spans = json.loads(line)
            for text, language in spans:
                _speak(engine, _voice(voices, language), _properties(manner, usual), text)
            if any(players):
                print(json.dumps({"failed": "its sound cannot be played"}), file=answers, flush=True)
                return
            print(json.dumps("ended"), file=answers, flush=True)


def _noting(system: Callable[[str], int], statuses: list[int]) -> Callable[[str], int]:
    """The same, with the status of each command noted: pyttsx3 does not look at that of its player."""

    def noted(command: str) -> int:
        statuses.append(system(command))
        return statuses[-1]

    return noted


def _speak(engine: Any, voice: str | None, properties: dict[str, float], text: str) -> None:
    # With several texts before a run, only the last would be spoken.
    if voice:
        engine.setProperty("voice", voice)
    for name, value in properties.items():
        engine.setProperty(name, value)
    _settle(engine, properties)
    engine.say(text)
    engine.runAndWait()


def _settle(engine: Any, properties: dict[str, float]) -> None:
    """Wait until the voice has applied its properties: espeak takes no new rate once a text is waiting."""
    until = time.monotonic() + _SETTLING_S
    while time.monotonic() < until and any(engine.getProperty(n) != v for n, v in properties.items()):
        time.sleep(_SETTLING_S / 20)


def _usual(engine: Any) -> dict[str, float]:
    """The voice's own settings, in the units of pyttsx3; those that it does not have are left out."""
    # Its default on every platform; just after starting, espeak may still report its own.
    found = {"rate": 200.0, "volume": 1.0}
    # Each platform's driver has its own way to report that it has no pitch.
    with contextlib.suppress(Exception):
        found["pitch"] = float(engine.getProperty("pitch"))
    return found


def _properties(manner: dict[str, int], usual: dict[str, float]) -> dict[str, float]:
    """A manner in the units of pyttsx3."""
    found = {name: value * manner[name] / 100 for name, value in usual.items()}
    return found | {"rate": round(found["rate"])}


def _voice(voices: Sequence[tuple[str, set[str]]], language: str) -> str | None:
    """The id of the voice that speaks a language best, of those installed with their codes."""
    ranked = [
        voice for accent in preferred("pyttsx3", language) for voice, codes in voices if accent in codes
    ]
    close = (voice for voice, codes in voices if any(code.startswith(f"{language}-") for code in codes))
    return next(iter((*ranked, *close)), None)


def _codes(voice: Any) -> set[str]:
    """A voice's language codes: `pt-br`."""
    languages: Iterable[Any] = voice.languages or ()
    texts = (code.decode("ascii", "ignore") if isinstance(code, bytes) else str(code) for code in languages)
    return {text.strip("\x05").replace("_", "-").lower() for text in texts}


if __name__ == "__main__":
    main()
