# SPDX-License-Identifier: GPL-3.0-or-later
"""The man pages are those of the program, in each language, and `man` reads them without a warning."""

import re
import runpy
import shutil
import subprocess

import pytest
import tomli
from support.languages import LANGUAGES
from support.pages import ROOT

PAGES = dict(runpy.run_path(str(ROOT / "scripts/man_page.py"))["pages"]())


def test_there_is_a_page_for_each_language():
    assert len(PAGES) == len(LANGUAGES)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parts[-3])
def test_a_page_is_written_from_the_table_of_options(path):
    assert path.read_text("utf-8") == PAGES[path]


@pytest.mark.skipif(not (shutil.which("man") and shutil.which("groff")), reason="there is no man")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parts[-3])
def test_man_shows_it_without_a_warning(path):
    done = subprocess.run(
        ["man", "--warnings=all", "--encoding=UTF-8", "-l", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--two-boards" in done.stdout
    assert not [line for line in done.stderr.splitlines() if "break line" not in line]


def test_they_are_installed_where_man_looks():
    project = tomli.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared["docs/man"] == "share/man"


def test_the_entry_of_the_menu_is_installed_with_its_icon():
    project = tomli.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    entry = (ROOT / "desktop/acessivel.desktop").read_text("utf-8")
    icon = re.search("(?m)^Icon=(.+)$", entry)[1]
    to = {to: ROOT / source for source, to in shared.items()}
    assert to["share/applications/acessivel.desktop"].is_file()
    assert to[f"share/icons/hicolor/scalable/apps/{icon}.svg"].is_file()
