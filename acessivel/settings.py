# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a run: defaults, the user's TOML file, the command line, in this order."""

from __future__ import annotations

import locale
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

import platformdirs

from voices.lexicon import CONVENTIONS, LANGUAGES

CHOICES: Mapping[str, tuple[str, ...]] = {
    "opponent": ("engine", "human"),
    "colour": ("white", "black", "random"),
    "language": LANGUAGES,
    "convention": CONVENTIONS,
    "hear": ("auto", "vosk", "pocketsphinx", "keyboard"),
    "speak": ("auto", "pyttsx3", "speechd", "off"),
    "braille": ("auto", "brlapi", "terminal", "off"),
}
LEVELS = range(1, 9)


class SettingsError(ValueError):
    """A settings file that cannot be used; names the file and the setting."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; each name is an option of `acessivel play` or a line in the file."""

    opponent: str = "engine"
    level: int = 3
    colour: str = "white"
    clock: str = "none"
    language: str = ""
    convention: str = "fide"
    hear: str = "auto"
    microphone: str = ""
    speak: str = "auto"
    braille: str = "auto"
    fen: str = ""
    save: str = ""
    name: str = ""
    engine: str = ""
    vosk_model: str = ""

    @property
    def folder(self) -> Path:
        """Where the games are kept."""
        return Path(self.save).expanduser() if self.save else platformdirs.user_data_path("acessivel")


def file_path() -> Path:
    """The user's settings file."""
    return platformdirs.user_config_path("acessivel") / "config.toml"


def load(path: Path | None = None) -> Settings:
    """The defaults with the user's file over them; SettingsError when the file has a mistake."""
    path = path or file_path()
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        data = {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from error
    settings = _over(Settings(), data, str(path))
    return settings if settings.language else replace(settings, language=default_language())


def _over(settings: Settings, data: Mapping[str, object], where: str) -> Settings:
    for field in fields(Settings):
        if field.name not in data:
            continue
        value = data[field.name]
        if type(value) is not type(field.default):
            raise SettingsError(f"{where}: {field.name} = {value!r}")
        if field.name in CHOICES and value not in CHOICES[field.name]:
            raise SettingsError(f"{where}: {field.name} = {value!r} ({', '.join(CHOICES[field.name])})")
        if field.name == "level" and value not in LEVELS:
            raise SettingsError(f"{where}: level = {value!r} (1-8)")
    unknown = set(data) - {field.name for field in fields(Settings)}
    if unknown:
        raise SettingsError(f"{where}: {', '.join(sorted(unknown))}")
    return replace(settings, **data)  # type: ignore[arg-type]  # checked above


def default_language() -> str:
    """The language of the locale, if it is one of ours, else Portuguese."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    names.append(locale.getlocale()[0] or "")
    chosen = next((name for name in names if name), "")
    return chosen[:2].lower() if chosen[:2].lower() in LANGUAGES else "pt"
