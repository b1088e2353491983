# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in a sentence: the word that agrees with one, and its decimals, by each language's rules in CLDR.

A sentence has the forms after the name of the number, `{count} {count:one=round|other=rounds}`: `one`,
`other` and any other category of the language (`few`); a form for one particular number, `1=each`, comes
first. `{count:said=una}` is read aloud as a word where it is one (`said=uma,duas`: or two): a voice reads the
digit in the wrong gender or case before a noun. A piece can choose among forms too, by its English letter.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from voices.meaning import Piece

if TYPE_CHECKING:
    from decimal import Decimal

    from babel import Locale

# ruff: noqa: PLC0415 - importing these takes longer than most commands run, and few sentences need them


_SAID = "said="


def has_words(spec: str) -> bool:
    """Whether the end of a field has words for the voice, as `said=uma,duas`."""
    return spec.startswith(_SAID)


def in_words(spec: str, digits: str) -> str:
    """What a voice is given for a number that is shown in digits."""
    words = enumerate(spec.removeprefix(_SAID).split(","), start=1)
    return {str(number): word for number, word in words}.get(digits, digits)


def has_forms(spec: str) -> bool:
    """Whether the end of a field, as `one=round|other=rounds`, has forms to choose from."""
    return "other=" in spec


def form(spec: str, value: object, language: str) -> str:
    """The form that agrees with a number, with the length of a tuple, or with a piece."""
    from decimal import Decimal

    forms = dict(part.split("=", 1) for part in spec.split("|"))
    if isinstance(value, Piece):
        return forms.get(value, forms["other"])
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
