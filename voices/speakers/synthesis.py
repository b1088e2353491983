# SPDX-License-Identifier: GPL-3.0-or-later
"""Text -> a recording, by espeak-ng: for the demonstration, the self-test and the tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from voices.speakers import SpeakerMissingError
from voices.speakers.accents import preferred

_PATIENCE_S = 30


def synthesise(text: str, path: Path, language: str = "de", *, speed: int = 140, pitch: int = 50) -> None:
    """Write a WAV file of a text spoken in a language (or by any voice of espeak-ng).

    Speed in words a minute, pitch 0 to 99. Raises SpeakerMissingError without espeak-ng.
    """
    program = shutil.which("espeak-ng")
    if program is None:
        raise SpeakerMissingError("The program espeak-ng is missing: apt-get install espeak-ng.")
    voice = preferred("espeak", language)[0]
    command = [program, "-v", voice, "-s", str(speed), "-p", str(pitch), "-w", str(path), "--", text]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_PATIENCE_S)  # noqa: S603
    except (subprocess.SubprocessError, OSError) as error:
        raise SpeakerMissingError("The program espeak-ng does not work.") from error
