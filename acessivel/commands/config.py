# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel config`: list the settings, get one, set one for all later runs, or reset it."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from acessivel.commands import chosen_convention, new_game
from acessivel.commands.near_names import near_names
from acessivel.commands.output import write_line
from acessivel.commands.run_settings import loaded
from acessivel.errors import UserError, cannot_write
from acessivel.message import Message, ToType
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.settings import changed_settings, profiles
from acessivel.settings.options import Option, in_words, written
from acessivel.settings.settings import (
    SETTINGS,
    Settings,
    SettingsError,
    allowed_instead,
    default_language,
    file_path,
    load,
    read_toml,
)
from voices.words.files import languages
from voices.words.lexicon import plain, vocabulary

_SWITCHED = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}


def run(options: argparse.Namespace) -> int:
    """Do what is requested. Raises UserError if there is no such setting, value, or place to store it."""
    settings = _settings(options)
    _refuse_more(options)
    if options.change in (None, "list"):
        _list(options, settings)
        return 0
    if options.setting is None:
        raise UserError(Message.of("config_which"))
    if options.change == "reset" and _is_left_over(options.setting):
        _keep(options.setting, None)
        _tell_files(settings)
        return 0
    name = _named(options.setting)
    if options.change == "set":
        value = _value(name, options.value or "", settings.language)
        if options.value is None:
            shown = in_words("VALUE", catalogue(settings.language))
            raise UserError(Message.of("missing_argument", option=shown, program="acessivel config"))
        _check(replace(settings, **{name: value}), name)
        _keep(name, value)
    elif options.change == "reset":
        _keep(name, None)
    stored = loaded()
    write_line(_as_json(stored, name) if options.json else _shown(name, stored))
    if options.change == "reset" and not options.json:
        _tell_what_stays(name, settings.language)
    return 0


def _refuse_more(options: argparse.Namespace) -> None:
    """Raise UserError for a word too many."""
    more = {"list": options.setting, "set": None}.get(options.change, options.value)
    if more is not None:
        raise UserError(Message.of("bad_option", option=more, program="acessivel config"))


def _settings(options: argparse.Namespace) -> Settings:
    """The settings as they are stored; the defaults, where a mistake in them is to be mended by a change."""
    try:
        settings = load()
    except SettingsError as error:
        if options.change not in ("set", "reset"):
            raise UserError(error.message) from error
        settings = Settings(language=error.language or default_language())
    return replace(settings, language=options.language or settings.language)


def _is_left_over(name: str) -> bool:
    """Whether a setting is stored that this program does not know."""
    try:
        return name not in SETTINGS and name in changed_settings.stored(file_path())
    except (OSError, ValueError):
        return False


def _list(options: argparse.Namespace, settings: Settings) -> None:
    if options.json:
        write_line(_as_json(settings, *SETTINGS))
        return
    for name in SETTINGS:
        write_line(_shown(name, settings))
    _tell_files(settings)


def _as_json(settings: Settings, *names: str) -> str:
    return json.dumps({name: getattr(settings, name) for name in names}, ensure_ascii=False)


def _tell_files(settings: Settings) -> None:
    files = str(file_path()), str(changed_settings.beside(file_path()))
    write_line(Renderer(settings.language).text(Message.of("config_files", file=files[0], changed=files[1])))


def _tell_what_stays(name: str, language: str) -> None:
    """Tell of a setting that stands in the file of the user's own, which the program never changes."""
    file = file_path()
    if name in read_toml(file, "settings_unreadable", "settings_not_toml"):
        write_line(Renderer(language).text(Message.of("config_stays", option=name, file=str(file))))


def _shown(name: str, settings: Settings) -> str:
    """A setting as it stands in the file."""
    return f"{name} = {json.dumps(getattr(settings, name), ensure_ascii=False)}"


def _named(typed: str) -> str:
    """The setting of a name, as it is in the file or as the option is typed. Raises UserError."""
    wanted = typed.removeprefix("--").replace("-", "_").lower()
    if wanted in SETTINGS:
        return wanted
    for setting, option in SETTINGS.items():
        if option.name.replace("-", "_") == wanted and option.const:  # not "unsupervised", which says no
            return setting
    near = near_names(wanted[:100], SETTINGS) or tuple(SETTINGS)
    raise UserError(Message.of("config_unknown", name=ToType.name(typed[:100]), names=near))


def _value(name: str, typed: str, language: str) -> Any:
    """The value of a setting as it was typed. Raises UserError if it cannot have it."""
    option = SETTINGS[name]
    try:
        value: Any = _switched(typed) if option.kind is bool else option.kind(_text(typed))
    except ValueError as error:
        raise UserError(Message.of("config_value", option=name, allowed=_can_be(option, language))) from error
    if allowed := allowed_instead(option, value):
        raise UserError(Message.of("config_value", option=name, allowed=allowed))
    # Later runs may begin in another folder.
    is_path = option.is_path and option.is_path(value) and not value.startswith("~")
    return str(Path(value).absolute()) if is_path else value


def _check(settings: Settings, name: str) -> None:
    """Raise UserError if no game could begin with a setting, such as a profile that is not there."""
    if name == "convention":
        chosen_convention.chosen(settings.convention, settings.language)
    elif name == "profile":
        profiles.load(settings)
    elif SETTINGS[name].agreed:
        new_game.setup(settings, practice=False)


def _can_be(option: Option, language: str) -> Message | str | None:
    """What a setting can be, as it can be typed here."""
    if option.kind is bool:
        answers = (vocabulary(language).say("answer", each) for each in ("yes", "no"))
        return written([*answers, "true", "false"])
    return written(option.allowed) if option.allowed else allowed_instead(option, None)


def _text(typed: str) -> str:
    """What was typed. Raises ValueError if it is no text at all."""
    typed.encode()
    return typed


def _switched(typed: str) -> bool:
    """Whether a switch is on, as it was typed: also by yes and no in any language. Raises ValueError."""
    said = plain(_text(typed))
    if said in _SWITCHED:
        return _SWITCHED[said]
    for each in languages():
        for answer, words in vocabulary(each).phrases["answer"].items():
            if said in map(plain, words):
                return answer == "yes"
    raise ValueError(typed)


def _keep(name: str, value: Any) -> None:
    """Store a setting, or with None let go of the one that was stored. Raises UserError if that cannot be."""
    try:
        changed_settings.keep(file_path(), name, value)
    except OSError as error:
        raise cannot_write(error, changed_settings.beside(file_path())) from error
