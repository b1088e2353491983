# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of speech models on Vosk's site, read as untrusted data, and the best model for a language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from voices.models.download import PATIENCE_S, fetch
from voices.models.errors import ModelError

ADDRESS = "https://alphacephei.com/vosk/models/model-list.json"
PAGE = "https://alphacephei.com/vosk/models"

_LONGEST = 4 << 20  # bytes; the site's list has about 50,000
_LONGEST_NAME = 100
_LONGEST_TEXT = 500
_LARGEST = 16 << 30  # bytes; the largest model has about 2 GB
_NAME = re.compile(r"vosk-model(-\w+(\.\w+)*)+", re.ASCII)
_MD5 = re.compile(r"[0-9a-f]{32}")
_TEXTS = ("name", "lang", "lang_text", "type", "version", "url", "md5")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{2,8})?")
_DIALECTS = {"en": "en-us"}  # the one to take if a language has several


@dataclass(frozen=True, slots=True)
class Model:
    """One model of the list: `size` in bytes, packed; `licence` is empty if the list has none."""

    name: str
    language: str
    language_text: str
    size: int
    kind: str
    version: str
    address: str
    md5: str
    licence: str
    obsolete: bool

    def speaks(self, language: str) -> bool:
        """Whether it is for a language ("en") or a dialect of it ("en-us")."""
        return self.language == language or self.language.startswith(f"{language}-")


def fetch_list(address: str = ADDRESS, timeout_s: float = PATIENCE_S) -> tuple[Model, ...]:
    """The models of a list. Raises ModelError if there is none."""
    try:
        return parse_list(fetch(address, _LONGEST, timeout_s))
    except ValueError as error:
        raise ModelError("bad_list", address=address) from error


def parse_list(data: bytes) -> tuple[Model, ...]:
    """The recognition models of a list. Raises ValueError if it is not a list of models.

    A malformed entry is left out, so that a change of one does not take the others away.
    """
    try:
        entries = json.loads(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(entries, list):
        raise ValueError("not a list")  # noqa: TRY004 - what is wrong is the value that came
    models: dict[str, Model] = {}
    for model in filter(None, map(_model, entries)):
        models.setdefault(model.name, model)
    if not models:
        raise ValueError("no entry is a model")
    return tuple(models.values())


def choose(models: Iterable[Model], wanted: str) -> Model:
    """The model of a name, or the best small one for a language: only small ones take a grammar.

    Raises ModelError "unknown" or "no_language".
    """
    models = tuple(models)
    for model in models:
        if model.name == wanted:
            return model
    if not _LANGUAGE.fullmatch(wanted):
        raise ModelError("unknown", name=wanted)
    fitting = [m for m in models if m.speaks(wanted) and m.kind == "small" and not m.obsolete]
    if not fitting:
        raise ModelError("no_language", language=wanted)
    first = _DIALECTS.get(wanted, wanted)
    return max(fitting, key=lambda m: (m.language == first, [int(n) for n in re.findall(r"\d+", m.version)]))


def is_name(text: str) -> bool:
    """Whether this can be the name of a model, and so of a folder: `vosk-model-small-pt-0.3`."""
    return len(text) <= _LONGEST_NAME and _NAME.fullmatch(text) is not None


def _model(entry: object) -> Model | None:
    """An entry of the list; None if it is malformed, or no model for recognition."""
    if not isinstance(entry, dict):
        return None
    texts = [value for key in _TEXTS if isinstance(value := entry.get(key), str)]
    if len(texts) < len(_TEXTS) or max(map(len, texts)) > _LONGEST_TEXT:
        return None
    name, language, language_text, kind, version, address, md5 = texts
    size = entry.get("size")
    if type(size) is not int or not 0 < size <= _LARGEST:
        return None
    if kind == "spk" or not (is_name(name) and _MD5.fullmatch(md5) and _LANGUAGE.fullmatch(language)):
        return None
    licence = next((entry[key] for key in ("licence", "license") if isinstance(entry.get(key), str)), "")
    obsolete = str(entry.get("obsolete", "")).lower() == "true"
    return Model(name, language, language_text, size, kind, version, address, md5, licence, obsolete)
