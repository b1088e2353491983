# SPDX-License-Identifier: GPL-3.0-or-later
"""What is typed on a Braille display, in characters or in the dots of the code in use."""

from __future__ import annotations

import string
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from braille import liblouis, patterns
from braille.displays import Character, Dots
from braille.notation import Code, display_code, load_code
from braille.tokens import TokenError
from voices.grammar import grammar


@dataclass(frozen=True)
class BrailleInput:
    """The keys typed so far, in a code; `text` is what they say, `cells` how they are shown."""

    code: Code
    convention: str
    language: str
    keys: tuple[Character | Dots, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.keys)

    def with_key(self, key: Character | Dots) -> BrailleInput:
        """With one more key."""
        return replace(self, keys=(*self.keys, key))

    def shorter(self) -> BrailleInput:
        """Without the last key."""
        return replace(self, keys=self.keys[:-1])

    def cleared(self) -> BrailleInput:
        """With all typing cleared."""
        return replace(self, keys=())

    @property
    def cells(self) -> tuple[int, ...]:
        """Dots as they were typed, characters as the code has them."""
        return tuple(
            cell
            for key in self.keys
            for cell in ((key.cell,) if isinstance(key, Dots) else self.code.text(key.character))
        )

    @property
    def text(self) -> str:
        """The announcement or the words typed."""
        said = []
        for is_dots, keys in groupby(self.keys, lambda key: isinstance(key, Dots)):
            if is_dots:
                said.append(self._read(tuple(key.cell for key in keys if isinstance(key, Dots))))
            else:
                said.extend(key.character for key in keys if isinstance(key, Character))
        return "".join(said)

    def _read(self, cells: tuple[int, ...]) -> str:
        """A move of the code in the letters of the user's language, or else words."""
        try:
            san = self.code.tokens.read(patterns.pattern(cells))
        except TokenError:
            return self._words(cells)
        letters = display_code(self.language).pieces
        return "".join(letters.get(sign, sign) for sign in san)

    def _words(self, cells: tuple[int, ...]) -> str:
        if self.code.dots == 6:  # a capital and a digit take two cells there
            return liblouis.text(cells, self.code.table)
        signs = _signs(self.code.name, self.convention, self.language)
        return "".join(signs.get(cell, "?") for cell in cells)


@cache
def _signs(code_name: str, convention: str, language: str) -> dict[int, str]:
    """The sign for each cell of a code, as far as announcements and commands need it."""
    code = load_code(code_name)
    words = (word for spelled in grammar.spellings(convention, language).values() for word in spelled)
    signs = sorted(set("".join(words) + string.ascii_letters))
    found: dict[int, str] = {}
    for sign in (*string.digits, *"-=+#.:x ", *signs):
        cells = code.text(sign)
        if len(cells) == 1 and code.text("?") != cells:
            found.setdefault(cells[0], sign)
    return found
