# SPDX-License-Identifier: GPL-3.0-or-later
"""Speech for the tests from espeak-ng, and a small grammar to hear it with."""

from __future__ import annotations

import subprocess
from importlib import resources
from pathlib import Path

import tomli

SOUNDS = tomli.loads(resources.files("voices").joinpath("words/fide.toml").read_text("utf-8"))["sounds"]
EVERYTHING = """#JSGF V1.0;
grammar everything;
<file> = anna | bella | cesar | david | eva | felix | gustav | hector;
<rank> = eins | zwei | drei | vier | fuenf | sechs | sieben | acht;
<piece> = koenig | dame | turm | laeufer | springer | bauer;
<square> = <file> <rank>;
<move> = [<piece>] [<square>] [schlaegt] <square>;
<castle> = (kurze | lange) rochade;
public <utterance> = <move> | <castle> | ja | nein;
"""
EXPECTED = ("springer gustav eins felix drei", "springer felix drei", "eva vier", "david vier", "ja", "nein")


def espeak(text: str, path: Path, voice: str = "de", speed: int = 150, pitch: int = 50) -> Path:
    """Write a WAV file (22,050 Hz mono) of a text; speed in words per minute, pitch 0 to 99."""
    options = ["-v", voice, "-s", str(speed), "-p", str(pitch), "-w", str(path)]
    subprocess.run(["espeak-ng", *options, text], check=True)
    return path
