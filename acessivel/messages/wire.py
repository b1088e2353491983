# SPDX-License-Identifier: GPL-3.0-or-later
"""Values as JSON and back, messages with their facts as well; what comes from outside is checked."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from acessivel.message import Duration, Message, ToType
from acessivel.rules.position import Fact
from voices.meaning import (
    Called,
    Castling,
    Check,
    Command,
    CommandName,
    Distinct,
    MovePattern,
    Piece,
    Place,
    Side,
    Wording,
)
from voices.speakers import Span

_KIND = "kind"
_FACTS: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        Message, Duration, ToType, Fact, MovePattern, Castling, Place, Command, Called, Distinct, Span,
        Piece, Side, Check, CommandName, Wording,
    )
}  # fmt: skip


def to_json(value: object) -> str:
    """A value of ours as a JSON text; each with its kind. Raises TypeError for a value of another kind."""
    text = json.dumps(_data(value), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()


def from_json(text: str, kinds: Iterable[type[Any]]) -> Any:
    """The value of one of these kinds that `to_json` wrote; fields that are not known are ignored.

    Raises ValueError if it is none of them, or has a field of the wrong type.
    """
    known = {kind.__name__: kind for kind in kinds}
    try:
        value = _value(json.loads(text), {**_FACTS, **known})
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"not a value of ours: {type(error).__name__}") from error
    if type(value).__name__ not in known:
        raise ValueError(f"not wanted here: {type(value).__name__}")
    return value


def _data(value: object) -> object:
    match value:
        case StrEnum():
            return {_KIND: type(value).__name__, "value": value.value}
        case str():
            return value.replace("\0", " ")  # which no database takes
        case None | bool() | int():
            return value
        case tuple():
            return [_data(one) for one in value]
    if is_dataclass(value):
        return {_KIND: type(value).__name__, **{f.name: _data(getattr(value, f.name)) for f in fields(value)}}
    raise TypeError(type(value).__name__)


def _value(data: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(data, list):
        return tuple(_value(one, known) for one in data)
    if not isinstance(data, dict):
        return data
    kind = known[data[_KIND]]
    if issubclass(kind, StrEnum):
        return kind(data["value"])
    hints = _hints(kind)
    values = {name: _value(one, known) for name, one in data.items() if name in hints}
    if wrong := [name for name, value in values.items() if not _fits(value, hints[name])]:
        raise ValueError(f"{kind.__name__}: {wrong}")
    return kind(**values)


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return typing.get_type_hints(kind)


def _fits(value: object, hint: Any) -> bool:
    """Whether a value has the type that a field asks for."""
    if hint is object:
        return True
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return any(_fits(value, one) for one in arguments)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if arguments[1:] == (...,):
            return all(_fits(one, arguments[0]) for one in value)
        return len(value) == len(arguments) and all(map(_fits, value, arguments))
    return type(value) is hint
