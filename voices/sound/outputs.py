# SPDX-License-Identifier: GPL-3.0-or-later
"""The loudspeakers and headphones that a voice can be sent to, as PulseAudio (or PipeWire) names them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass

_PATIENCE_S = 5


@dataclass(frozen=True, slots=True)
class AudioOutput:
    """A sink of the sound server: its name, and its description for people."""

    name: str
    description: str


def outputs() -> tuple[AudioOutput, ...]:
    """The sinks of the sound server, as `pactl` lists them; none if either is missing."""
    program = shutil.which("pactl")
    if program is None:
        return ()
    try:
        listed = subprocess.run(  # noqa: S603
            [program, "--format=json", "list", "sinks"],
            # In some languages it writes numbers that are not valid JSON.
            env={**os.environ, "LC_ALL": "C"},
            check=True,
            capture_output=True,
            timeout=_PATIENCE_S,
        )
        return tuple(
            AudioOutput(sink["name"], sink["description"] or "") for sink in json.loads(listed.stdout)
        )
    except (subprocess.SubprocessError, OSError, ValueError, LookupError, TypeError):
        return ()


def find_output(name: str) -> AudioOutput | None:
    """The sink of that name, or the only one whose name or description contains it; otherwise None."""
    found = outputs()
    exact = [one for one in found if one.name == name]
    near = [one for one in found if name.casefold() in f"{one.name}\n{one.description}".casefold()]
    fit = exact or near
    return fit[0] if len(fit) == 1 else None
