# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel models`: the speech models for Vosk: listed, downloaded, removed, and where they are."""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path

from acessivel.app.patience import patiently
from acessivel.app.progress import Teller, megabytes
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.output import write_line
from acessivel.devices.installation import install
from acessivel.devices.recogniser import find_model, hearing_missing, open_recogniser
from acessivel.errors import UserError, reason
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from voices.meaning import Called, CommandName
from voices.models import catalogue, store
from voices.models.catalogue import Model
from voices.models.errors import Kind, ModelError
from voices.packages import MissingPartError
from voices.words.files import languages
from voices.words.phrasing import phrasing

_SENTENCES: Mapping[Kind, str] = {
    "insecure": "models_insecure",
    "unreachable": "models_unreachable",
    "untrusted": "models_untrusted",
    "timeout": "models_timeout",
    "http": "models_http",
    "cut": "models_cut",
    "bad_list": "models_bad_list",
    "unknown": "models_unknown",
    "no_language": "models_no_language",
    "damaged": "models_damaged",
    "unsafe": "models_unsafe",
    "no_model": "models_no_model",
    "busy": "models_busy",
    "not_installed": "models_not_installed",
}
_LONGEST_FACT = 200  # characters; names of archive members must not flood the screen


def run(options: argparse.Namespace) -> int:
    """Do what is requested. Raises UserError if it cannot be done."""
    settings = device_settings_of(options)
    actions = {"list": _list, "get": _get, "remove": _remove, "where": _where}
    try:
        actions[options.action](options, settings)
    except ModelError as error:
        raise UserError(sentence(error)) from error
    return 0


def sentence(error: ModelError) -> Message:
    """What went wrong with a model, and what to do."""
    facts: dict[str, object] = {name: fact[:_LONGEST_FACT] for name, fact in error.facts.items()}
    if error.kind == "disk":
        why = error.__cause__ if isinstance(error.__cause__, OSError) else OSError()
        return Message.of("models_folder_fails", reason=reason(why, "writing"), **facts)
    return Message.of(_SENTENCES[error.kind], **facts)


def _folder(settings: Settings) -> Path:
    return settings.folder / "models"


def _listed(settings: Settings) -> tuple[Model, ...]:
    return catalogue.fetch_list(settings.model_list or catalogue.ADDRESS)


def _list(options: argparse.Namespace, settings: Settings) -> None:
    """The models of the program's languages, of one language, or of all."""
    wanted = (options.model,) if options.model else languages()
    models = [
        model
        for model in _listed(settings)
        if not model.obsolete and (options.all or any(map(model.speaks, wanted)))
    ]
    if not models:
        raise ModelError("no_language", language=", ".join(wanted))
    here = store.installed(_folder(settings))
    if options.json:
        found = [asdict(model) | {"installed": model.name in here} for model in models]
        write_line(json.dumps(found, ensure_ascii=False))
        return
    renderer = Renderer(settings.language)
    for model in sorted(models, key=lambda model: (model.language, model.size)):
        write_line(renderer.text(_line(model, installed=model.name in here)))
    if not all(model.licence for model in models):
        write_line(renderer.text(Message.of("models_page", address=catalogue.PAGE)))


def _line(model: Model, *, installed: bool) -> Message:
    language = model.language.partition("-")[0]
    return Message.of(
        "models_line",
        name=model.name,
        language=Called(CommandName.LANGUAGE, language) if language in languages() else model.language_text,
        size=megabytes(model.size),
        licence=Message.of("models_licence", licence=model.licence)
        if model.licence
        else Message.of("models_licence_elsewhere"),
        state=Message.of("models_is_here" if installed else "models_is_not_here"),
    )


def _get(options: argparse.Namespace, settings: Settings) -> None:
    """Download a model by its name, or the best small one for a language: that of the announcements."""
    wanted = options.model or phrasing(settings.convention, settings.language).language
    teller = Teller(settings, write_line, quiet=options.json)
    try:
        path = _fetch(wanted, settings, teller)
        if options.json:
            write_line(json.dumps({"name": path.name, "folder": str(path)}, ensure_ascii=False))
    except ModelError as error:
        teller.speak(sentence(error))
        raise
    except KeyboardInterrupt:
        teller.tell(Message.of("models_stopped"))
        raise
    finally:
        teller.close()


def _fetch(wanted: str, settings: Settings, teller: Teller) -> Path:
    """The folder of a model that is already there, or is downloaded."""
    folder = _folder(settings)
    here = store.installed(folder)
    model = None if wanted in here else catalogue.choose(_listed(settings), wanted)
    name = model.name if model else wanted
    if model is None or name in here:
        teller.tell(Message.of("models_already", name=name), *_use(settings))
        return folder / name
    teller.tell(Message.of("models_begin", name=name, size=megabytes(model.size)))

    def progress(done: int, size: int) -> None:
        teller.progress(done, size)
        if done == size:
            teller.tell(Message.of("models_unpacking"))

    path = store.install(model, folder, progress)
    teller.tell(Message.of("models_got", name=name), *_use(settings))
    return path


def _remove(options: argparse.Namespace, settings: Settings) -> None:
    if not options.model:
        raise UserError(Message.of("models_which"))
    store.remove(_folder(settings), options.model)
    if options.json:
        write_line(json.dumps({"name": options.model, "folder": str(_folder(settings))}, ensure_ascii=False))
        return
    write_line(Renderer(settings.language).text(Message.of("models_removed", name=options.model)))


def _where(options: argparse.Namespace, settings: Settings) -> None:
    folder, used = _folder(settings), find_model(settings)
    here = store.installed(folder)
    if options.json:
        found = {"folder": str(folder), "installed": here, "used": str(used) if used else None}
        write_line(json.dumps(found, ensure_ascii=False))
        return
    lines = (
        Message.of("models_folder", folder=str(folder)),
        Message.of("models_here", names=here) if here else _none(settings),
        *_use(settings),
    )
    for line in lines:
        write_line(Renderer(settings.language).text(line))


def _none(settings: Settings) -> Message:
    return Message.of("models_none", get=command("models", None, settings, "get"))


def _use(settings: Settings) -> Iterable[Message]:
    """Which model would be used now, whether it can be, and what Vosk itself still needs."""
    used = find_model(settings)
    there = importlib.util.find_spec("vosk") is not None
    with_it = replace(settings, hear="vosk")
    if used and there and not _opens(with_it):
        yield hearing_missing(with_it)
        return
    if used and used.parent == _folder(settings):
        used = Path(used.name)  # shorter to listen to
    yield Message.of("models_used", model=str(used)) if used else Message.of("models_unused")
    if not there:
        remedy = Message.of("remedy_install", how=install("vosk"))
        yield Message.of("doctor_broken", part=Message.of("part_vosk"), remedy=remedy)


def _opens(settings: Settings) -> bool:
    """Whether the recogniser of the settings can be used."""
    try:
        with patiently(settings, aloud=False):  # a teller may be speaking
            open_recogniser(settings).close()
    except MissingPartError:
        return False
    return True
