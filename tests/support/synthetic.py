# SPDX-License-Identifier: GPL-3.0-or-later
"""Speech for the tests from espeak-ng."""

from __future__ import annotations

import subprocess
from pathlib import Path


def espeak(text: str, path: Path, voice: str = "de", speed: int = 150, pitch: int = 50) -> Path:
    """Write a WAV file (22,050 Hz mono) of a text; speed in words per minute, pitch 0 to 99."""
    options = ["-v", voice, "-s", str(speed), "-p", str(pitch), "-w", str(path)]
    subprocess.run(["espeak-ng", *options, text], check=True)
    return path
