# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of one speaker: fitting pronunciations, how sure a yes must be, the room; as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import tomli

from voices.hearing.decision import REPEAT
from voices.phones import phones
from voices.sound.level import QUIETEST_DBFS

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_WORD = re.compile(r"[a-z]+")
_KEYS = frozenset({"made", "noise_db", "yes", "pronunciations"})


class ProfileError(ValueError):
    """A profile with a wrong format: in the entry `place`, or no valid TOML in the line `line`."""

    def __init__(self, name: str, place: str, line: str = "") -> None:
        super().__init__(f"{name}: {place or line}")
        self.name = name
        self.place = place
        self.line = line


@dataclass(frozen=True, slots=True)
class Profile:
    """A speaker: `pronunciations` (ARPAbet, best first) by word, `noise_db` of the room in dBFS.

    `yes` is the probability that a spoken yes needs; if that of the evidence model is higher, it counts.
    """

    name: str
    made: date
    noise_db: float
    yes: float
    pronunciations: Mapping[str, tuple[str, ...]]


def is_name(name: str) -> bool:
    """Whether this can name a profile: letters, digits, - and _, valid in file names on any system."""
    return bool(_NAME.fullmatch(name))


def parse(name: str, text: str) -> Profile:
    """Read a profile. Raises ProfileError, which says where it is wrong."""
    try:
        data = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ProfileError(name, "", str(error.lineno)) from error
    if unlike := _KEYS ^ data.keys():
        raise ProfileError(name, min(unlike))
    made, sounds = data["made"], data["pronunciations"]
    if type(made) is not date:
        raise ProfileError(name, "made")
    if not isinstance(sounds, dict):
        raise ProfileError(name, "pronunciations")
    for word, variants in sounds.items():
        if not (_WORD.fullmatch(word) and _are_pronunciations(variants)):
            raise ProfileError(name, f"pronunciations.{word}")
    return Profile(
        name,
        made,
        _number(name, data, "noise_db", QUIETEST_DBFS, 0),
        _number(name, data, "yes", 0, 1),
        {word: tuple(variants) for word, variants in sounds.items()},
    )


def write(profile: Profile) -> str:
    """The profile as TOML, without its name, which is the file's."""
    words = (f"{word} = {json.dumps(variants)}" for word, variants in sorted(profile.pronunciations.items()))
    return "\n".join(
        [
            f"made = {profile.made.isoformat()}",
            f"noise_db = {profile.noise_db:.1f}",
            f"yes = {profile.yes:.4f}",
            "",
            "[pronunciations]",
            *words,
            "",
        ]
    )


def narrowed(
    pronunciations: Mapping[str, tuple[str, ...]], profile: Profile | None
) -> Mapping[str, tuple[str, ...]]:
    """The recogniser's dictionary with what fits the speaker; every word keeps at least one pronunciation.

    Words that were not enrolled, or only in another language, keep all pronunciations.
    """
    chosen = profile.pronunciations if profile else {}
    return {
        word: tuple(sounds for sounds in chosen.get(word, ()) if sounds in variants) or variants
        for word, variants in pronunciations.items()
    }


def yes_needed(yeses: list[float], others: list[float]) -> float:
    """How probable a yes must be at least, given how probable the speaker's yeses were.

    `others`: how probable what was falsely taken for a yes was; then halfway from there to the yeses that
    were more so. Without any, what is repeated at all needs: no yes is ever taken from less.
    """
    if not others:
        return REPEAT
    worst = max(others)
    return (worst + min((one for one in yeses if one > worst), default=1.0)) / 2


def _are_pronunciations(variants: object) -> bool:
    return (
        isinstance(variants, list)
        and bool(variants)
        and all(isinstance(one, str) and one and set(one.split()) <= phones() for one in variants)
    )


def _number(name: str, data: Mapping[str, object], key: str, lowest: float, highest: float) -> float:
    value = data[key]
    # A comparison with "not a number" is false.
    if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value <= highest:
        raise ProfileError(name, key)
    return float(value)
