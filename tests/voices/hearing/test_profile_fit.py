# SPDX-License-Identifier: GPL-3.0-or-later
"""Speech made from known sounds: what fits best must be those sounds."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from voices.hearing.profile_fit import LEAST, MOST, fitted
from voices.sound.source import read_wav

# Unlike enough that espeak-ng and the acoustic model mean the same sounds by them.
SOUNDS = {
    "eva": ("EY F AH", "IY V AH", "UW S OW", "AA T IY"),
    "drei": ("D R AY", "T R OW", "K L IY", "S M AO"),
    "acht": ("AA K T",),
}


def speak(folder: Path, phonemes: str, voice: str = "en-us") -> bytes:
    """A recording of sounds in espeak-ng's own spelling."""
    path = folder / "said.wav"
    subprocess.run(["espeak-ng", "-v", voice, "-s", "130", "-w", str(path), phonemes], check=True)
    return read_wav(path)


@pytest.mark.parametrize(
    ("phonemes", "eva", "drei"),
    [
        ("[[i:v@ traI]]", "IY V AH", "D R AY"),
        ("[[u:soU kli:]]", "UW S OW", "K L IY"),
        ("[[A:ti: sm0]]", "AA T IY", "S M AO"),
        ("[[eIf@ troU]]", "EY F AH", "T R OW"),
    ],
)
def test_the_pronunciation_that_was_used_fits_best(
    tmp_path: Path, phonemes: str, eva: str, drei: str
) -> None:
    found = fitted([("eva drei", speak(tmp_path, phonemes))], SOUNDS)
    assert (found["eva"][0], found["drei"][0]) == (eva, drei)
    assert "acht" not in found


def test_every_word_keeps_some_and_none_too_many(tmp_path: Path) -> None:
    many = {
        "eva": tuple(
            f"{first} V {last}" for first in ("EY", "IY", "EH", "AA") for last in ("AH", "AA", "EH")
        ),
        "acht": SOUNDS["acht"],
    }
    recordings = [("eva acht", speak(tmp_path, "[[eIv@ A:kt]]")), ("eva", speak(tmp_path, "[[i:v@]]"))]
    found = fitted(recordings, many)
    assert LEAST <= len(found["eva"]) <= MOST
    assert set(found["eva"]) <= set(many["eva"])
    assert found["acht"] == SOUNDS["acht"]


def test_noise_and_silence_teach_nothing_that_could_be_unhearable() -> None:
    for sound in (b"", bytes(32_000), bytes(range(256)) * 250):
        found = fitted([("eva drei", sound)], SOUNDS)
        assert all(LEAST <= len(kept) <= len(SOUNDS[word]) for word, kept in found.items())
