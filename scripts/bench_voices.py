# SPDX-License-Identifier: GPL-3.0-or-later
"""The voices of the hearing benchmark: Pico and MBROLA, which nothing was trained or tuned on."""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import soxr
import tomli

from voices.sound.source import RATE

_PATIENCE_S = 60
_REMEDY = "scripts/install-hearing-voices"


@cache
def script() -> dict[str, Any]:
    """What stands in `bench_hearing.toml`."""
    return tomli.loads(Path(__file__).with_name("bench_hearing.toml").read_text("utf-8"))


def require() -> None:
    """SystemExit with the remedy when a program is missing."""
    if missing := [name for name in ("pico2wave", "mbrola", "espeak-ng") if not shutil.which(name)]:
        raise SystemExit(f"The benchmark's voices need {', '.join(missing)}: run {_REMEDY}.")
    if missing := [str(file) for file in map(_database, script()["same_sounds"]) if not file.exists()]:
        raise SystemExit(f"{', '.join(missing)}: missing, run {_REMEDY}.")


def spoken(words: str, language: str) -> str:
    """A phrase in plain spelling as someone of a language writes it down for his own voice."""
    table = script()["spelled"].get(language, {})
    return " ".join(table.get(word, word) for word in words.split())


def speak(text: str, language: str, chance: random.Random, voice: str = "") -> tuple[np.ndarray, str]:
    """A recording (int16, 16 kHz, mono) by a voice, or by one of a language's, and the voice's name."""
    voice = voice or chance.choice(script()["voices"][language])
    engine, _, name = voice.partition(":")
    speed, pitch = chance.uniform(0.85, 1.2), chance.uniform(0.85, 1.15)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "said.wav")
        if engine == "pico":
            manner = f"<speed level='{round(100 * speed)}'><pitch level='{round(100 * pitch)}'>"
            _run("pico2wave", "-l", name, "-w", str(file), f"{manner}{text}</pitch></speed>")
        else:
            espeak = ("espeak-ng", "-v", name, "-s", str(round(140 * speed)), "-p", str(round(50 * pitch)))
            if same := script()["same_sounds"].get(name):
                phonemes = _run(*espeak, "-q", "--pho", "--", text)
                _run("mbrola", "-e", "-C", same, str(_database(name)), "-", str(file), said=phonemes)
            else:
                _run(*espeak, "-w", str(file), "--", text)
        audio, rate = soundfile.read(file, dtype="float32")
    audio = soxr.resample(audio, rate, RATE) if rate != RATE else audio
    return (audio / max(1e-9, float(np.abs(audio).max(initial=0))) * 20000).astype(np.int16), voice


def _database(name: str) -> Path:
    """The file of one of MBROLA's voices, as espeak-ng calls it ("mb-es1")."""
    return Path("/usr/share/mbrola", name[3:], name[3:])


def _run(*command: str, said: bytes = b"") -> bytes:
    return subprocess.run(command, check=True, capture_output=True, input=said, timeout=_PATIENCE_S).stdout
