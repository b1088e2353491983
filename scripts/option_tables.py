# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the rows of the tables in docs/options.md and docs/pt-BR/options.md anew.

They come from the table of options and the texts of `acessivel help`; a comment above each table says what it
holds: the options of a command, or those of all others.
"""

import re
from pathlib import Path

from acessivel.commands.options import COMMANDS, OPTIONS
from acessivel.messages.rendering import catalogue
from acessivel.settings.options import Option

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {"en": DOCS / "options.md", "pt": DOCS / "pt-BR/options.md"}
_TABLE = re.compile(r"(<!-- (options of|but those of) (\w+) -->\n\n\|.*\n\|.*\n)(?:\|.*\n)*")


def page(text: str, language: str) -> str:
    """A page with the rows of its tables as they are to be."""
    return _TABLE.sub(
        lambda found: found[1] + rows(found[3], language, others=found[2] != "options of"), text
    )


def rows(command: str, language: str, *, others: bool) -> str:
    """A row for each option of a command, or for each that it has not, with the commands that have it."""
    options = COMMANDS[command].values()
    if not others:
        return "".join(_row(_typed(option), _text(option, language)) for option in options)
    return "".join(
        _row(_typed(option), ", ".join(f"`{name}`" for name in option.commands), _text(option, language))
        for option in OPTIONS
        if option.commands and option not in options
    )


def _row(*cells: str) -> str:
    written = " | ".join(cell.replace("|", "\\|") for cell in cells)
    return f"| {written} |\n"


def _text(option: Option, language: str) -> str:
    return catalogue(language)[f"option_{option.name}"]


def _typed(option: Option) -> str:
    """The option with what follows it: "`-o FILE`, `--output FILE`"."""
    allowed = option.typed_choices or option.allowed
    if isinstance(allowed, range):
        value = option.placeholder or f"{allowed[0]}-{allowed[-1]}"
    else:
        value = option.placeholder or "|".join(map(str, allowed))
    if option.positional:
        return f"`{value}`"
    names = (f"-{option.short}", option.as_typed) if option.short else (option.as_typed,)
    return ", ".join(f"`{f'{name} {value}'.strip()}`" for name in names)


if __name__ == "__main__":
    for written_in, path in PAGES.items():
        path.write_text(page(path.read_text("utf-8"), written_in), "utf-8")
