# SPDX-License-Identifier: GPL-3.0-or-later
"""What to type to install a part that is missing, or to start it."""

from __future__ import annotations

import importlib.util
import shutil
import sys

from acessivel.message import Message
from acessivel.messages.shell import typed
from acessivel.settings.settings import Settings
from voices.packages import required

_APT = "sudo apt-get install"
_EXTRAS = {
    "voice": "espeak-ng alsa-utils libportaudio2",
    "hall": "libpq5",
    **dict.fromkeys(("vosk", "adjourn", "plot", "web", "online"), ""),
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
        command = typed([sys.executable, "-m", "pip", "install", *required(part).values()])
        return f"{command} && {_APT} {_EXTRAS[part]}" if debian and _EXTRAS[part] else command
    if not debian:
        return _ADDRESSES[part]
    command = f"{_APT} {_PACKAGES[part]}"
    # A virtual environment sees Debian's Python bindings only if it was made with that option.
    bindings = part in ("liblouis", "brltty", "speechd") and sys.prefix != sys.base_prefix
    if not bindings or "/usr/lib/python3/dist-packages" in sys.path:
        return command
    seeing = "/usr/bin/python3 -m venv --system-site-packages"
    if sys.base_prefix == "/usr":  # made with Debian's Python, as pipx makes them too
        return f"{command} && {seeing} --upgrade {typed([sys.prefix])}"
    return f"{command} && {seeing} .venv && .venv/bin/pip install ."


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
