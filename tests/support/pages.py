# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages that users read: the READMEs and what lies in docs, in both languages, and what is printed on them."""

import re
import shlex
import unicodedata
from pathlib import Path

ROOT = Path(__file__).parents[2]
READMES = {"en": ROOT / "README.md", "pt": ROOT / "README.pt-BR.md"}
FOLDERS = {"en": ROOT / "docs", "pt": ROOT / "docs/pt-BR"}
LANGUAGES = tuple(FOLDERS)


def pages():
    """All of them, and the page for those who change the program."""
    return [*READMES.values(), ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def text(page, language):
    """A page of docs by its name, or the README."""
    path = READMES[language] if page == "README.md" else FOLDERS[language] / page
    return path.read_text("utf-8")


def blocks(text, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def prose(text):
    """The text without what stands between fences."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def headings(text):
    """The level and the words of each heading."""
    found = re.findall(r"^(#+) (.+)$", prose(text), re.MULTILINE)
    return [(len(marks), words) for marks, words in found]


def anchor(words):
    """The name by which a heading is linked to, as GitHub makes it."""
    plain = unicodedata.normalize("NFC", words.lower())
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def links(text):
    """What the page's links lead to."""
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", prose(text)))


def section(text, number):
    """The text under a heading of the second level, counted from 0."""
    return re.split(r"^## .+$", text, flags=re.MULTILINE)[number + 1]


def items(text):
    """The items of the lists, each in one line."""
    found = re.findall(r"^- (.*(?:\n  \S.*)*)", prose(text), re.MULTILINE)
    return [re.sub(r"\s+", " ", item) for item in found]


def spans(text):
    """What is set as something to type, say or read literally, in one line each."""
    return [re.sub(r"\s+", " ", span).replace("\\|", "|") for span in re.findall(r"`([^`]+)`", prose(text))]


def phrases(text):
    """What the lists name as something to say: all that is no command and no option."""
    return [
        span for item in items(text) for span in spans(item) if not re.match(r"acessivel|make|--|-o$", span)
    ]


def commands(text):
    """The commands to type, as the page prints them, in its order: lines of their own and within sentences."""
    printed = re.findall(r"^    (\S.*)$|`([^`]+)`", prose(text), re.MULTILINE)
    lines = [re.sub(r"\s+", " ", line or span).replace("\\|", "|") for line, span in printed]
    return [line for line in lines if re.match(r"((\.venv/bin/)?acessivel|make|pipx?|python|source) ", line)]


def program_arguments(command):
    """The arguments for `acessivel` of a printed command, None for another program."""
    made = re.fullmatch(r"make play(?: ARGS=\"(.*)\")?", command)
    if made:
        return ["play", *shlex.split(made[1] or "")]
    program, *arguments = shlex.split(command)
    return arguments if program.endswith("acessivel") else None
