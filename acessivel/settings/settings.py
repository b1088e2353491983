# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a run: defaults, the user's TOML file, the command line, in this order."""

from __future__ import annotations

import json
import locale
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

import platformdirs

from acessivel.clock import alarms
from acessivel.message import Message
from acessivel.messages.rendering import VERBOSITIES
from acessivel.settings import changed_settings
from braille.notation import code_names
from voices.sound.earcons import NAMES, EarconsError
from voices.sound.earcons import parse as parse_earcons
from voices.speakers.manner import RANGES, USUAL, Manner
from voices.words.conventions import DEFAULT
from voices.words.files import conventions, languages
from voices.words.lexicon import is_path, mistaken_line

CHOICES: Mapping[str, tuple[str, ...]] = {
    "opponent": ("engine", "human"),
    "colour": ("white", "black", "random"),
    "language": languages(),
    "hear": ("auto", "vosk", "pocketsphinx", "network", "keyboard"),
    "speak": ("auto", "pyttsx3", "speechd", "off"),
    "braille": ("auto", "brlapi", "terminal", "off"),
    "code": ("auto", *code_names()),
    "talk": ("hands-free", "push"),
    "confirm": ("any", "key"),
    "verbosity": VERBOSITIES,
    "laws": ("fide-2001", "fide-2009", "fide-2014", "fide-2018", "escolar-br", "desporto-escolar-2022"),
    "tempo": ("auto", "standard", "rapid", "blitz"),
    "claim-flag": ("none", "white", "black", "both"),
    "introduction": ("auto", "on", "off"),
}
LEVELS = range(1, 9)
DRAW_FROM_MOVES = range(1000)
DEFAULT_TIMES = range(-1, 181)  # minutes; -1: the event does not say how late a player may come
_RANGES: Mapping[str, range] = {
    "level": LEVELS, "draw_from_move": DRAW_FROM_MOVES, "default_time": DEFAULT_TIMES, **RANGES,
}  # fmt: skip
# Seconds, least and most: less silence cannot be told from speech, more would be waiting for nobody.
SECONDS: Mapping[str, tuple[float, float]] = {"silence": (0.5, 3.0), "pause": (0.5, 5.0)}
_KINDS: Mapping[type, str] = {
    str: "settings_text", int: "settings_number", float: "settings_number", bool: "settings_bool",
}  # fmt: skip


class SettingsError(ValueError):
    """A settings file that cannot be used; `message` names the file and the setting or line.

    `language` is the one that the files set, as far as they could be read.
    """

    def __init__(self, message: Message, language: str = "") -> None:
        super().__init__(message.key)
        self.message = message
        self.language = language


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; each name is an option of `acessivel play` or a line in the file."""

    opponent: str = "engine"
    level: int = 3
    colour: str = "white"
    clock: str = "none"
    alarms: str = alarms.DEFAULT
    language: str = ""
    convention: str = DEFAULT
    hear: str = "auto"
    microphone: str = ""
    speak: str = "auto"
    rate: int = USUAL
    pitch: int = USUAL
    volume: int = USUAL
    verbosity: str = "normal"
    earcons: str = "all"
    braille: str = "auto"
    code: str = "auto"
    talk: str = "hands-free"
    pause: float = 1.5
    silence: float = 0.5
    headphones: bool = False
    room_output: str = ""
    private_output: str = ""
    tape: bool = False
    confirm: str = "any"
    fen: str = ""
    laws: str = "fide-2018"
    tempo: str = "auto"
    strict: bool = False
    two_boards: bool = False
    claim_flag: str = "none"
    supervised: bool = True
    draw_from_move: int = 0
    default_time: int = -1
    ritual: bool = False
    variant: str = "standard"
    introduction: str = "auto"
    save: str = ""
    profile: str = ""
    name: str = ""
    engine: str = ""
    vosk_model: str = ""
    model_list: str = ""

    @property
    def manner(self) -> Manner:
        """How the voice speaks."""
        return Manner(self.rate, self.pitch, self.volume)

    @property
    def folder(self) -> Path:
        """Where the games are kept."""
        return Path(self.save).expanduser() if self.save else platformdirs.user_data_path("acessivel")


def file_path() -> Path:
    """The user's settings file."""
    return platformdirs.user_config_path("acessivel") / "config.toml"


def find_convention(name: str) -> str | None:
    """What a convention is known by: the program's own by its name, the user's by the full path of its file.

    The user's is given by that path, or lies under its name in `conventions` beside the settings file.
    """
    if name in conventions():
        return name
    path = Path(name).expanduser() if is_path(name) else file_path().parent / "conventions" / f"{name}.toml"
    return str(path.absolute()) if path.is_file() else None


def load(path: Path | None = None) -> Settings:
    """The defaults, over them the user's file, over it what was changed in a game and is kept beside it.

    SettingsError when a file has a mistake.
    """
    path = path or file_path()
    settings = Settings()
    for each in (path, changed_settings.beside(path)):
        settings = _over(settings, _read(each), str(each))
    return settings if settings.language else replace(settings, language=default_language())


def _read(path: Path) -> dict[str, object]:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        why = Message.of("settings_unreadable", file=str(path), reason=error.strerror or str(error))
        raise SettingsError(why) from error
    try:
        text = data.decode("utf-8")
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = str(data.count(b"\n", 0, error.start) + 1)
        raise SettingsError(Message.of("settings_not_toml", file=str(path), line=line)) from error
    except tomllib.TOMLDecodeError as error:
        line = mistaken_line(error, text)
        raise SettingsError(Message.of("settings_not_toml", file=str(path), line=line)) from error


def _over(settings: Settings, data: Mapping[str, object], where: str) -> Settings:
    known = {field.name: type(field.default) for field in fields(Settings)}
    language = next((name for name in languages() if name == data.get("language")), settings.language)
    for name, value in data.items():
        if name not in known:
            raise SettingsError(Message.of("settings_unknown", file=where, name=name), language)
        if allowed := _allowed_instead(name, value, known[name]):
            shown = f"{name} = {json.dumps(value, ensure_ascii=False, default=str)}"
            why = Message.of("settings_value", file=where, setting=shown, allowed=allowed)
            raise SettingsError(why, language)
    return replace(settings, **data)  # type: ignore[arg-type]  # checked above


def _allowed_instead(name: str, value: object, kind: type) -> Message | str | None:
    """What a setting may be, when it may not be what it is."""
    choices = CHOICES.get(name.replace("_", "-"), ())
    numbers = _RANGES.get(name)
    if name in SECONDS:
        least, most = SECONDS[name]
        return None if is_duration(name, value) else f"{least}-{most}"
    if type(value) is not kind:
        return ", ".join(choices) or Message.of(_KINDS[kind])
    if choices and value not in choices:
        return ", ".join(choices)
    if numbers and value not in numbers:
        return f"{numbers[0]}-{numbers[-1]}"
    if name == "earcons" and not is_earcons(value):
        return ", ".join(("all", "none", *NAMES))
    return None


def is_earcons(value: object) -> bool:
    """Whether a setting names earcons."""
    try:
        parse_earcons(str(value))
    except EarconsError:
        return False
    return True


def is_duration(name: str, value: object) -> bool:
    """Whether a setting in seconds may have this value."""
    least, most = SECONDS[name]
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def default_language() -> str:
    """The language of the locale, if it is one of ours, else Portuguese."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    names.append(locale.getlocale()[0] or "")
    chosen = next((name for name in names if name), "")
    language = re.split(r"[^a-z]", chosen.lower())[0]  # "pt_BR.UTF-8"
    return language if language in languages() else "pt"
