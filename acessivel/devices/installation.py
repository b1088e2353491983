# SPDX-License-Identifier: GPL-3.0-or-later
"""What to type to install a part that is missing, or to start it."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import sys
from importlib.metadata import requires

from acessivel.message import Message
from acessivel.settings.settings import Settings

_APT = "sudo apt-get install"
_EXTRAS = {
    "voice": "espeak-ng alsa-utils libportaudio2",
    **dict.fromkeys(("vosk", "adjourn", "plot", "web", "online", "hall"), ""),
}
_PACKAGES = {
    "liblouis": "python3-louis liblouis-data",
    "brltty": "brltty python3-brlapi",
    "engine": "stockfish",
    "speechd": "speech-dispatcher python3-speechd",
}
_ADDRESSES = {
    "liblouis": "https://liblouis.io",
    "brltty": "https://brltty.app",
    "engine": "https://stockfishchess.org/download",
    "speechd": "https://freebsoft.org/speechd",
}


def install(part: str) -> str:
    """The command that installs a part, such as "voice", "vosk", "liblouis" or "engine"."""
    debian = shutil.which("apt-get") is not None
    if part in _EXTRAS:
        lines = (line.replace('"', "'") for line in requires("acessivel") or ())
        wanted = [found[0] for line in lines if f"'{part}'" in line and (found := re.match(r"[\w.-]+", line))]
        command = shlex.join([sys.executable, "-m", "pip", "install", *wanted])
        return f"{command} && {_APT} {_EXTRAS[part]}" if debian and _EXTRAS[part] else command
    if not debian:
        return _ADDRESSES[part]
    command = f"{_APT} {_PACKAGES[part]}"
    # A virtual environment sees Debian's Python bindings only if it was made with that option.
    bindings = part in ("liblouis", "brltty", "speechd") and sys.prefix != sys.base_prefix
    if bindings and "/usr/lib/python3/dist-packages" not in sys.path:
        return (
            f"{command} && /usr/bin/python3 -m venv --system-site-packages .venv && .venv/bin/pip install ."
        )
    return command


def engine_missing(settings: Settings) -> Message:
    """What to do about the engine of the settings, or any, that is not there."""
    if settings.engine:
        return Message.of("bad_engine", program=settings.engine)
    return Message.of("missing_engine", how=install("engine"))


def voice_missing(speak: str) -> Message:
    """What to do about a missing voice, as the settings name it: start its server, or install it."""
    if speak != "speechd":
        remedy = Message.of("remedy_install", how=install("voice"))
    elif shutil.which("speech-dispatcher") and importlib.util.find_spec("speechd"):
        remedy = Message.of("remedy_start", how="speech-dispatcher -d")
    else:
        remedy = Message.of("remedy_install", how=install("speechd"))
    return Message.of("missing_voice", remedy=remedy)


def display_remedy() -> Message:
    """How to make a missing Braille display available: start BRLTTY, or install it."""
    if shutil.which("brltty") and importlib.util.find_spec("brlapi"):
        return Message.of("remedy_start", how="sudo systemctl start brltty")
    return Message.of("remedy_install", how=install("brltty"))
