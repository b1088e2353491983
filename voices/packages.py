# SPDX-License-Identifier: GPL-3.0-or-later
"""Optional packages, which come with an extra and are loaded when they are used."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import Any


class MissingPartError(Exception):
    """A package that is needed is not on this machine; `reason` is one sentence in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def load(package: str, extra: str) -> Any:
    """Load an optional package. Raises MissingPartError, which names it and the extra that installs it.

    One that is older than the extra requires, such as the system's own, counts as missing.
    """
    try:
        module = importlib.import_module(package)
    # OSError: the Python package is there, but its C library is not.
    except (ImportError, OSError) as error:
        raise MissingPartError(
            f"The package {package} cannot be loaded ({error}): pip install 'acessivel[{extra}]'."
        ) from error
    if _too_old(package, extra):
        raise MissingPartError(f"The package {package} is too old: pip install 'acessivel[{extra}]'.")
    return module


@cache
def required(extra: str) -> Mapping[str, str]:
    """The packages of an extra by name, each with its version as pip takes it: "starlette>=1.3.1"."""
    try:
        lines = metadata.requires("acessivel") or ()
    except metadata.PackageNotFoundError:  # it runs from its folder, uninstalled
        return {}
    wanted = [line.partition(";")[0].strip() for line in lines if re.search(rf"""["']{extra}["']""", line)]
    return {re.split(r"[^\w.-]", each)[0]: each for each in wanted}


@cache
def _too_old(package: str, extra: str) -> bool:
    least = re.search(r">=([\d.]+)", required(extra).get(package, ""))
    try:
        return least is not None and _numbers(metadata.version(package)) < _numbers(least[1])
    except metadata.PackageNotFoundError:
        return False


def _numbers(version: str) -> list[int]:
    """What a version of the extras is compared by: a final release, whose last noughts say nothing."""
    numbers = [int(each) for each in re.findall(r"\d+", version)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers
