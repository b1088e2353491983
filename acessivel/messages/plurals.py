# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in a sentence: the word that agrees with one, and its decimals, by each language's rules in CLDR.

A sentence has the forms after the name of the number, `{count} {count:one=round|other=rounds}`: `one`,
`other` and any other category of the language (`few`); a form for one particular number, `1=each`, comes
first.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal

    from babel import Locale

# ruff: noqa: PLC0415 - importing these takes longer than most commands run, and few sentences need them


def has_forms(spec: str) -> bool:
    """Whether the end of a field, as `one=round|other=rounds`, has forms to choose from."""
    return "other=" in spec


def form(spec: str, value: object, language: str) -> str:
    """The form that agrees with a number, or with the length of a tuple."""
    from decimal import Decimal

    forms = dict(part.split("=", 1) for part in spec.split("|"))
    told = f"{value:g}" if isinstance(value, float) else str(value)  # 1.0 is one
    number = Decimal(len(value) if isinstance(value, tuple) else told)
    return forms.get(str(number)) or forms.get(category(number, language)) or forms["other"]


def category(number: Decimal, language: str) -> str:
    """CLDR's category of a number in a language: "one", "few", "other" ..."""
    return _locale(language).plural_form(number)


def decimal(number: float, language: str) -> str:
    """A number with as many decimals as needed, up to six digits, and the language's decimal sign."""
    from babel.numbers import get_decimal_symbol

    return f"{number:g}".replace(".", get_decimal_symbol(_locale(language)))


@cache
def _locale(language: str) -> Locale:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale(language)
    except (UnknownLocaleError, ValueError):
        return Locale("en")
