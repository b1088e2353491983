# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of the page are the catalogue's, all of them and no others."""

import re
from pathlib import Path

import pytest
from support.languages import LANGUAGES

import acessivel
from acessivel.messages.rendering import catalogue

FOLDER = Path(acessivel.__file__).parent / "web/page"
FILES = {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}
# What a screen shows that is no word: the sizes, and the name of the program.
NO_WORDS = re.compile(r"\d+ %|Acessível|JavaScript\?|acessivel")


def used():
    """The words that the page asks for."""
    named = re.findall(r'data-word="(\w+)"', FILES["index.html"])
    scripts = "\n".join(text for name, text in FILES.items() if name.endswith(".js"))
    return {*named, *re.findall(r"\bwords\.(\w+)", scripts)}


def test_every_word_of_the_page_is_in_the_catalogue_and_used():
    own = {key.removeprefix("page_") for key in catalogue("en") if key.startswith("page_")}
    by_colour, without_a_link = {"white", "black"}, {"closed"}
    assert own == used() | by_colour | without_a_link


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_has_no_link_reads_the_catalogues_sentence(language):
    assert f'<p lang="{language}">{catalogue(language)["page_closed"]}</p>' in FILES["index.html"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_piece_has_a_letter_of_its_own(language):
    letters = catalogue(language)["page_piece_letters"].split()
    assert len(letters) == len(set(letters)) == 6


def test_nothing_is_written_into_the_page_itself():
    html = re.sub(r"<!--.*?-->|<main id=\"closed\".*?</main>", "", FILES["index.html"], flags=re.DOTALL)
    texts = [text.strip() for text in re.findall(r">([^<>]+)<", html)]
    assert not [text for text in texts if text.strip(":") and not NO_WORDS.fullmatch(text)]


def test_nothing_is_asked_from_elsewhere():
    for name, text in FILES.items():
        assert not re.search(r"(?:src|href|url|fetch)\W+(?:https?:)?//", text), name
        assert not re.search(r"\bon[a-z]+=|style=|javascript:", text.replace("onclick = ", "")), name
