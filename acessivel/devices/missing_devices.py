# SPDX-License-Identifier: GPL-3.0-or-later
"""Which missing devices to tell of: those that were not missing when a run last looked for them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from acessivel.devices.devices import Devices
from acessivel.message import Message
from acessivel.settings.settings import Settings, file_path

FILE_NAME = "missing"
_MODEL = frozenset({"missing_model", "get_model", "damaged_model", "damaged_own_model"})
_HEARING = frozenset({"missing_hearing", "missing_microphone", "missing_sound"}) | _MODEL
_ENGINE = frozenset({"missing_engine"})
_VOICE = frozenset({"missing_voice", "missing_loudspeaker"})
_BRAILLE = frozenset({"missing_braille", "missing_liblouis"})
_REMEMBERED = _HEARING | _ENGINE | _VOICE | _BRAILLE
# The devices that a run may do without, by the setting that asks for them.
OPTIONAL: Mapping[str, frozenset[str]] = MappingProxyType(
    {"hear": _HEARING, "speak": _VOICE, "braille": _BRAILLE}
)


def news(devices: Devices, settings: Settings, optional: Iterable[str] = ()) -> tuple[Message, ...]:
    """What to tell of the devices of a run: all but what an earlier run has told, and is missing still.

    What was told is remembered beside the settings, by the keys of the sentences. A device that is there
    again is forgotten there; one that this run does not use stays as it was. `optional`: the names in
    `OPTIONAL` of the devices that only those miss whose settings ask for them.
    """
    unasked = frozenset[str]().union(
        *(OPTIONAL[name] for name in optional if getattr(settings, name) == "auto")
    )
    found = [message for message in devices.missing if message.key not in unasked]
    path = file_path().with_name(FILE_NAME)
    try:
        told = set(path.read_text("utf-8").split()) & _REMEMBERED
    except (OSError, UnicodeDecodeError):
        told = set()
    missing = {message.key for message in found} & _REMEMBERED
    after = (told - _there(devices)) | missing
    if after != told:
        with contextlib.suppress(OSError):  # then it is told once more
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{key}\n" for key in sorted(after)), "utf-8")
    return tuple(message for message in found if message.key not in told)


def _there(devices: Devices) -> frozenset[str]:
    """The sentences that are no longer true, as the device is there."""
    there: frozenset[str] = frozenset()
    if devices.speaks:
        there |= _VOICE
    if devices.listener:
        there |= _HEARING
    if devices.panel:
        there |= _BRAILLE
    if devices.opponent:
        there |= _ENGINE
    return there
