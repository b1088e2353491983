# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a run: defaults, the user's TOML file, the command line, in this order."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import platformdirs
import tomli

from acessivel.errors import reason
from acessivel.message import Message
from acessivel.messages.rendering import VERBOSITIES
from acessivel.settings import changed_settings
from acessivel.settings.options import Option, is_duration, setting, written
from voices.speakers.manner import RANGES, USUAL, Manner
from voices.words.conventions import DEFAULT
from voices.words.files import conventions, languages
from voices.words.lexicon import is_path

LEVELS = range(1, 9)
# The commands of a game at the devices, and those with the voice and the display.
_PLAYED = "play practice"
_GAMES = "play practice introduction resume reconcile online web"
_DEVICES = f"{_GAMES} hall"
_SHOWN = f"{_DEVICES} enrol demo"
_KINDS: Mapping[type, str] = {
    str: "settings_text", int: "settings_number", float: "settings_number", bool: "settings_bool",
}  # fmt: skip


def _codes() -> tuple[str, ...]:
    from braille.notation import code_names  # noqa: PLC0415 - most commands write no Braille

    return ("auto", *code_names())


def _editions() -> tuple[str, ...]:
    from acessivel.laws.editions import editions  # noqa: PLC0415 - most commands need no Laws

    return editions()


def _earcons(text: str) -> str:
    """The names of earcons. Raises ValueError with the possible names if the text has others."""
    from voices.sound import earcons  # noqa: PLC0415 - most commands make no sound

    try:
        return earcons.written(earcons.parse(text))
    except earcons.EarconsError as error:
        raise ValueError(", ".join(("all", "none", *earcons.KNOWN))) from error


def _is_recording(name: str) -> bool:
    from voices.sound.source import is_recording  # noqa: PLC0415 - most commands hear nothing

    return is_recording(name)


def _is_file(program: str) -> bool:
    """Whether a program is named by its file, and not by its name alone, by which the system finds it."""
    return os.sep in program or (Path(program).is_file() and not shutil.which(program))


class SettingsError(ValueError):
    """A settings file that cannot be used; `message` names the file and the setting or line.

    `language` is the one that the files set, if it could be read.
    """

    def __init__(self, message: Message, language: str = "") -> None:
        super().__init__(message.key)
        self.message = message
        self.language = language


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; each name is an option of `acessivel play` or a line in the file."""

    opponent: str = setting("engine", "play", choices=("engine", "human"), agreed=True)
    level: int = setting(3, _PLAYED, choices=LEVELS, agreed=True)
    colour: str = setting("white", _PLAYED, choices=("white", "black", "random"), agreed=True)
    clock: str = setting("none", f"{_PLAYED} reconcile", metavar="15+5", agreed=True)
    alarms: str = setting("5m,2m,1m,30s,10s", f"{_PLAYED} online", metavar="5m,30s", agreed=True)
    language: str = setting(
        "",
        f"{_PLAYED} introduction online web hall games record replay reconcile enrol profile demo doctor"
        " config read hear words keys models event tape help laws",
        choices=languages(),
        agreed=True,
    )
    convention: str = setting(
        DEFAULT,
        f"{_PLAYED} introduction online web hall replay reconcile enrol read hear words help",
        metavar=lambda: "|".join((*conventions(), "FILE.toml")),
        is_path=is_path,
        agreed=True,
    )
    fen: str = setting("", f"{_PLAYED} read hear", metavar="FEN", agreed=True)
    laws: str = setting("fide-2018", _PLAYED, choices=_editions, agreed=True)
    tempo: str = setting("auto", _PLAYED, choices=("auto", "standard", "rapid", "blitz"), agreed=True)
    strict: bool = setting(False, _PLAYED, agreed=True)
    supervised: bool = setting(True, _PLAYED, name="unsupervised", const=False, agreed=True)
    draw_from_move: int = setting(0, _PLAYED, choices=range(1000), metavar="30", agreed=True)
    # Minutes; -1: the event does not say how late a player may come.
    default_time: int = setting(
        -1, _PLAYED, choices=range(-1, 181), typed_choices=range(181), metavar="30", agreed=True
    )
    variant: str = setting("standard", _PLAYED, metavar="chess960[:N]", agreed=True)
    ritual: bool = setting(False, _PLAYED, agreed=True)
    two_boards: bool = setting(False, "play", agreed=True)
    claim_flag: str = setting("none", "play", choices=("none", "white", "black", "both"), agreed=True)
    online_confirm: str = setting("always", "online", choices=("always", "unsure"), agreed=True)
    online_chat: bool = setting(False, "online", agreed=True)
    hear: str = setting(
        "auto",
        f"{_DEVICES} replay enrol demo",
        choices=("auto", "vosk", "pocketsphinx", "network", "keyboard"),
    )
    microphone: str = setting(
        "", f"{_DEVICES} replay enrol doctor", metavar="DEVICE|FILE.wav", is_path=_is_recording
    )
    talk: str = setting("hands-free", f"{_DEVICES} replay keys", choices=("hands-free", "push"))
    # Seconds: less silence cannot be told from speech, more would keep the player waiting.
    pause: float = setting(1.5, f"{_DEVICES} replay", seconds=(0.5, 5.0), metavar="1.5")
    silence: float = setting(0.5, f"{_DEVICES} replay", seconds=(0.5, 3.0), metavar="0.5")
    headphones: bool = setting(False, f"{_DEVICES} replay")
    interrupt: str = setting("auto", f"{_DEVICES} replay", choices=("auto", "on", "off"))
    confirm: str = setting("any", _DEVICES, choices=("any", "key"))
    tape: bool = setting(False, _GAMES)
    room_output: str = setting("", _DEVICES, metavar="DEVICE")
    private_output: str = setting("", _DEVICES, metavar="DEVICE")
    verbosity: str = setting("normal", _DEVICES, choices=VERBOSITIES)
    earcons: str = setting("all", _DEVICES, read=_earcons, metavar="all|none|NAME,NAME")
    speak: str = setting(
        "auto",
        f"{_SHOWN} replay models event help laws",
        choices=("auto", "pyttsx3", "speechd", "off"),
    )
    rate: int = setting(USUAL, _SHOWN, choices=RANGES["rate"], metavar="120")
    pitch: int = setting(USUAL, _SHOWN, choices=RANGES["pitch"], metavar="90")
    volume: int = setting(USUAL, _SHOWN, choices=RANGES["volume"], metavar="80")
    braille: str = setting(
        "auto", f"{_SHOWN} replay event help laws", choices=("auto", "brlapi", "terminal", "off")
    )
    code: str = setting(
        "auto", f"{_SHOWN} record replay event help laws", choices=_codes, several=("reconcile",)
    )
    profile: str = setting("", f"{_SHOWN} profile replay doctor hear", metavar="NAME")
    save: str = setting(
        "", f"{_SHOWN} profile games record replay doctor hear models tape", metavar="DIR", is_path=bool
    )
    learn: str = setting("ask", f"{_PLAYED} introduction resume online enrol", choices=("ask", "on", "off"))
    web: bool = setting(False, "play practice introduction resume reconcile replay online")
    web_lan: bool = setting(False, f"{_DEVICES} replay")
    web_port: int = setting(8700, f"{_DEVICES} replay", choices=range(1024, 65536), metavar="8700")
    online_server: str = setting("https://lichess.org", "online hall", name="server", metavar="URL")
    online_rated: bool = setting(False, "online", name="rated")
    hall: str = setting("", "play resume hall", metavar="URL")
    table: int = setting(0, "play resume", choices=range(100_000), metavar="12")
    hall_key: str = setting("", "play resume", metavar="FILE", is_path=bool)
    introduction: str = setting("auto", "play", choices=("auto", "on", "off"))
    name: str = setting("")
    engine: str = setting("", is_path=_is_file)
    pairing_engine: str = setting("", "event hall", metavar="FILE", is_path=_is_file)
    vosk_model: str = setting("", is_path=bool)
    model_list: str = setting("")

    @property
    def manner(self) -> Manner:
        """How the voice speaks."""
        return Manner(self.rate, self.pitch, self.volume)

    @property
    def folder(self) -> Path:
        """Where the games are stored."""
        return user_path(self.save) if self.save else platformdirs.user_data_path("acessivel")


# The rows of the settings by their fields.
SETTINGS: Mapping[str, Option] = {
    each.name: replace(
        each.metadata["option"],
        field=each.name,
        name=each.metadata["option"].name or each.name.replace("_", "-"),
    )
    for each in fields(Settings)
}


def user_path(name: str) -> Path:
    """A path as the user writes it, from ~ on too; that of a user whom nobody knows stays as it is."""
    with contextlib.suppress(RuntimeError):
        return Path(name).expanduser()
    return Path(name)


def file_path() -> Path:
    """The user's settings file."""
    return platformdirs.user_config_path("acessivel") / "config.toml"


def find_convention(name: str) -> str | None:
    """The identifier of a convention: the program's own by name, the user's by the full path of its file.

    The user's is given by that path, or is found by its name in `conventions` beside the settings file.
    """
    if name in conventions():
        return name
    path = user_path(name) if is_path(name) else file_path().parent / "conventions" / f"{name}.toml"
    return str(path.absolute()) if path.is_file() else None


def load(path: Path | None = None) -> Settings:
    """The defaults, overridden by the user's file, then by what was changed in a game and stored beside it.

    Raises SettingsError if a file has a mistake.
    """
    path = path or file_path()
    settings = Settings()
    for each in (path, changed_settings.beside(path)):
        data = read_toml(each, "settings_unreadable", "settings_not_toml")
        settings = _over(settings, data, str(each))
    return settings if settings.language else replace(settings, language=default_language())


def read_toml(path: Path, unreadable: str, not_toml: str) -> dict[str, Any]:
    """What a TOML file of the user's holds, nothing if there is none.

    Raises SettingsError with one of these sentences: of the `file` and the `reason`, or of its `line`.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        why = Message.of(unreadable, file=str(path), reason=reason(error, "reading"))
        raise SettingsError(why) from error
    try:
        return tomli.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingsError(Message.of(not_toml, file=str(path), line=str(line))) from error
    except tomli.TOMLDecodeError as error:
        raise SettingsError(Message.of(not_toml, file=str(path), line=str(error.lineno))) from error


def _over(settings: Settings, data: Mapping[str, object], where: str) -> Settings:
    language = next((name for name in languages() if name == data.get("language")), settings.language)
    for name, value in data.items():
        if name not in SETTINGS:
            raise SettingsError(Message.of("settings_unknown", file=where, name=name), language)
        if allowed := allowed_instead(SETTINGS[name], value):
            why = Message.of("settings_value", file=where, setting=_shown(name, value), allowed=allowed)
            raise SettingsError(why, language)
    return replace(settings, **data)  # type: ignore[arg-type]  # checked above


def _shown(name: str, value: object) -> str:
    """A setting as it is written in the file."""
    import json  # noqa: PLC0415 - few files have mistakes

    return f"{name} = {json.dumps(value, ensure_ascii=False, default=str)}"


def allowed_instead(option: Option, value: object) -> Message | str | None:
    """The possible values of a setting, for one that is invalid."""
    if option.seconds:
        return None if is_duration(option, value) else "-".join(map(str, option.seconds))
    allowed = option.allowed
    if type(value) is not option.kind:
        return Message.of(_KINDS[option.kind]) if not allowed or option.kind is int else written(allowed)
    if allowed:
        return None if value in allowed else written(allowed)
    try:
        if option.read:
            option.read(str(value))
    except ValueError as error:
        return str(error)
    return None


def default_language() -> str:
    """The language of the locale, if it is one of ours, else Portuguese."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    chosen = next(filter(None, names), "") or _system_locale()
    language = re.split(r"[^a-z]", chosen.lower())[0]  # "pt_BR.UTF-8"
    return language if language in languages() else "pt"


def _system_locale() -> str:
    import locale  # noqa: PLC0415 - the environment mostly says it

    return locale.getlocale()[0] or ""
