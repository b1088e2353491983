# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the rows of the tables in docs/options.md and docs/pt-BR/options.md anew.

They come from the table of options and the texts of `acessivel help`; a comment above each table says what it
holds: the options of a command, or those of all others.
"""

import re
from pathlib import Path

from acessivel.commands.options import COMMANDS, OPTIONS
from acessivel.messages.rendering import catalogue
from acessivel.settings.options import Option, in_words

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
        return "".join(_row(_typed(option, language), _text(option, language)) for option in options)
    return "".join(
        _row(
            _typed(option, language),
            ", ".join(f"`{name}`" for name in option.commands),
            _text(option, language),
        )
        for option in OPTIONS
        if option.commands and option not in options
    )


def _row(*cells: str) -> str:
    written = " | ".join(cell.replace("|", "\\|") for cell in cells)
    return f"| {written} |\n"


def _text(option: Option, language: str) -> str:
    return catalogue(language)[option.explanation]


def _typed(option: Option, language: str) -> str:
    """The option with what follows it: "`-o FILE`, `--output FILE`"."""
    return ", ".join(f"`{in_words(way, catalogue(language))}`" for way in option.ways)


if __name__ == "__main__":
    for written_in, path in PAGES.items():
        path.write_text(page(path.read_text("utf-8"), written_in), "utf-8")
