# SPDX-License-Identifier: GPL-3.0-or-later
"""Which form of a word agrees with a number: the plural rules of each language, from Unicode's CLDR.

A sentence has the forms after the name of the number, `{count} {count:one=round|other=rounds}`: `one`,
`other` and any other category of the language (`few`); a form for one particular number, `1=each`, comes
first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal

# ruff: noqa: PLC0415 - importing these takes longer than most commands run, and few sentences need them


def has_forms(spec: str) -> bool:
    """Whether the end of a field, as `one=round|other=rounds`, has forms to choose from."""
    return "other=" in spec


def form(spec: str, value: object, language: str) -> str:
    """The form that agrees with a number, in digits or not, or with the length of a tuple."""
    from decimal import Decimal

    forms = dict(part.split("=", 1) for part in spec.split("|"))
    number = Decimal(len(value) if isinstance(value, tuple) else str(value).replace(",", "."))
    return forms.get(str(number)) or forms.get(category(number, language)) or forms["other"]


def category(number: Decimal, language: str) -> str:
    """CLDR's category of a number in a language: "one", "few", "other" ..."""
    return _rule(language)(number)


@cache
def _rule(language: str) -> Callable[[Decimal], str]:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale(language).plural_form
    except (UnknownLocaleError, ValueError):
        return Locale("en").plural_form
