# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of the page, by computation: WCAG 1.4.3 (text 4.5:1) and 1.4.11 (figures, marks and edges 3:1)."""

import re
from pathlib import Path

import pytest

import acessivel

CSS = (Path(acessivel.__file__).parent / "web/page/page.css").read_text("utf-8")
LIGHT, DARK, CONTRAST = ":root {", "(prefers-color-scheme: dark) {\n  :root {", ":root[data-contrast] {"
LOOKS = {
    "light": (LIGHT,),
    "dark": (LIGHT, DARK),
    "contrast": (LIGHT, CONTRAST),
    "dark contrast": (LIGHT, DARK, CONTRAST),
}
SQUARES = ("light", "dark")


def colours(look):
    """The colours of a look by their names; later rules stand over earlier ones."""
    found = {}
    for rule in LOOKS[look]:
        block = CSS[CSS.index(rule) + len(rule) :].partition("}")[0]
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", block))
    return found


def luminance(colour):
    """The relative luminance of "#rgb" or "#rrggbb", as of WCAG."""
    digits = "".join(2 * digit for digit in colour[1:]) if len(colour) == 4 else colour[1:]
    parts = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_contrast_is_that_of_wcag():
    assert contrast("#fff", "#000000") == pytest.approx(21)
    assert contrast("#777", "#fff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("square", SQUARES)
def test_pieces_and_marks_are_seen_on_both_squares(look, square):
    found = colours(look)
    ground = found[square]
    assert (
        contrast(found["black"], ground) >= 4.5
    )  # Black's figures, the edge of White's, the names of the lines
    assert (
        contrast(found["white"], found["black"]) >= 4.5
    )  # White's figures within their edge, letters on discs
    assert contrast(found["mark"], ground) >= 3
    assert contrast(found["alarm"], ground) >= 3
    assert contrast(found["alarm"], "#fff") >= 4.5  # its sign


@pytest.mark.parametrize("look", LOOKS)
def test_the_squares_differ(look):
    found = colours(look)
    assert contrast(found["light"], found["dark"]) >= 2  # not asked by WCAG, and a help all the same


@pytest.mark.parametrize("look", LOOKS)
def test_words_and_edges_are_seen(look):
    found = colours(look)
    for ground in ("page", "button"):
        assert contrast(found["ink"], found[ground]) >= 7
    assert contrast(found["link"], found["page"]) >= 4.5
    assert contrast(found["edge"], found["page"]) >= 3


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("ground", ["page", "button", "light", "dark", "mark"])
def test_one_of_the_two_rings_of_the_focus_is_seen_on_every_ground(look, ground):
    found = colours(look)
    assert contrast(found["ring"], found["ring-beside"]) >= 9
    assert max(contrast(found[ring], found[ground]) for ring in ("ring", "ring-beside")) >= 3
