# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the man pages in docs/man anew, one a language, from the table of options and the help."""

import re
from collections.abc import Iterator
from pathlib import Path

from acessivel.commands.options import COMMANDS
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.settings.options import in_words
from voices.words.files import languages

FOLDER = Path(__file__).parents[1] / "docs" / "man"
LOCALES = {"pt": "pt_BR"}  # where man looks for a language, if not under its own name; English is the first


def pages() -> Iterator[tuple[Path, str]]:
    """Each page with its file."""
    for language in languages():
        locale = "" if language == "en" else LOCALES.get(language, language)
        yield FOLDER / locale / "man1" / "acessivel.1", page(language)


def page(language: str) -> str:
    """The page in a language, in the macros of man(7)."""
    texts, renderer = catalogue(language), Renderer(language)
    lines = [
        '.\\" SPDX-License-Identifier: GPL-3.0-or-later',
        ".TH ACESSIVEL 1",
        ".ad l",
        f".SH {texts['man_name']}",
        f"acessivel \\- {_roff(texts['program'].rstrip('.'))}",
        f".SH {texts['man_synopsis']}",
        f".B acessivel\n.I {_roff(texts['placeholder_command'])}\n[{_roff(texts['placeholder_option'])} ...]",
        f".SH {texts['man_description']}",
        _roff(renderer.text(Message.of("no_command"))),
        f".SH {texts['man_commands']}",
    ]
    for name, options in COMMANDS.items():
        lines += [f".SS acessivel {name}", _roff(texts[f"command_{name}"])]
        for option in options.values():
            ways = in_words(", ".join(option.ways), texts)
            lines += [".TP", f".B {_roff(ways)}", _roff(texts[option.explanation])]
    lines += [f".SH {texts['man_files']}", _roff(renderer.text(Message.of("man_where")))]
    return "\n".join(lines) + "\n"


def _roff(text: str) -> str:
    """A text in which nothing is taken for a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


if __name__ == "__main__":
    for path, text in pages():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
