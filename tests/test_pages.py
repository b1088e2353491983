# SPDX-License-Identifier: GPL-3.0-or-later
"""The READMEs and docs as pages: short at the top, whole in both languages, and no link that leads nowhere."""

import itertools
import re
from urllib.parse import unquote

import pytest
from support.pages import FOLDERS, LANGUAGES, READMES, ROOT, anchor, commands, headings, links, pages, spans

DEVELOPERS = "## For developers, in English only"


def english_only():
    """The pages of docs that the table of contents lists for developers."""
    listed = (FOLDERS["en"] / "README.md").read_text("utf-8").split(DEVELOPERS)[1]
    return {link for link in links(listed) if "/" not in link}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_readme_is_short(language):
    assert READMES[language].stat().st_size <= 12 * 1024


@pytest.mark.parametrize(
    ("language", "change"),
    [("en", '--language en --convention letters"'), ("pt", '--language pt --convention letters"')],
)
def test_the_first_screen_says_that_the_words_are_german_and_how_to_change_them(language, change):
    screen = "\n".join(READMES[language].read_text("utf-8").splitlines()[:24])
    assert re.search("German|alemãs", screen)
    assert f'make play ARGS="{change}' in screen


def test_every_page_for_users_is_there_in_both_languages():
    english, portuguese = ({page.name for page in FOLDERS[language].glob("*.md")} for language in LANGUAGES)
    assert english - english_only() == portuguese
    assert english_only() <= english


def twins():
    yield READMES["en"], READMES["pt"]
    for page in sorted(FOLDERS["pt"].glob("*.md")):
        yield FOLDERS["en"] / page.name, page


@pytest.mark.parametrize(
    ("english", "portuguese"), [pytest.param(*pair, id=pair[1].name) for pair in twins()]
)
def test_both_languages_have_the_same_parts_and_the_same_commands(english, portuguese):
    one, other = (page.read_text("utf-8") for page in (english, portuguese))
    assert [level for level, _ in headings(one)] == [level for level, _ in headings(other)]
    assert [line.split()[:2] for line in commands(one)] == [line.split()[:2] for line in commands(other)]
    for mark in ("- ", "| ", "1. ", "```"):
        assert len(re.findall(rf"^{re.escape(mark)}", one, re.MULTILINE)) == len(
            re.findall(rf"^{re.escape(mark)}", other, re.MULTILINE)
        ), mark


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_headings_stand_in_order(page):
    levels = [level for level, _ in headings(page.read_text("utf-8"))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_page_and_a_heading(page):
    for link in links(page.read_text("utf-8")):
        if link.startswith("https://"):
            continue
        path, _, place = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), link
        if place:
            assert place in [anchor(words) for _, words in headings(target.read_text("utf-8"))], link


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_contents_lists_every_page_once(language):
    contents = FOLDERS[language] / "README.md"
    listed = [(contents.parent / link).resolve() for link in links(contents.read_text("utf-8"))]
    pages = set(FOLDERS[language].glob("*.md")) - {contents}
    developers = {ROOT / "docs" / name for name in english_only()}
    for page in pages | developers:
        assert listed.count(page) == 1, page.name
    assert contents in [(ROOT / link).resolve() for link in links(READMES[language].read_text("utf-8"))]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_is_named_is_there(page):
    """By its path from the root, or, in a table of files, from the folder in the table's head."""
    text = page.read_text("utf-8")
    named = [span for span in spans(text) if re.match(r"(acessivel|voices|braille|tests|scripts)/\S+$", span)]
    for head, rows in re.findall(r"^\| file in `(.*?)` .*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE):
        named += [f"{head}/{file}" for row in rows.splitlines() for file in spans(row.split("|")[1])]
    for path in named:
        assert list(ROOT.glob(path.replace("LANGUAGE", "*").rstrip("/"))), path
