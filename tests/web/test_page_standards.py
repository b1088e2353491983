# SPDX-License-Identifier: GPL-3.0-or-later
"""The page by WCAG 2.2, A and AA: axe finds nothing in any look, nothing scrolls sideways, and all can be hit."""

import pytest
from support.axe import found
from support.chromium import NARROW, PHONE, Tab

LOOKS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "forced colours": {"forced_colors": "active"},
    "forced dark colours": {"forced_colors": "active", "color_scheme": "dark"},
    "more contrast": {"contrast": "more"},
    "320 px": {"viewport": NARROW},
    "zoomed to 400 %": {"viewport": {"width": 320, "height": 256}, "device_scale_factor": 4},
    "text of 400 %": {"settings": '{"size": "400"}'},
    "phone with text of 400 %": {"viewport": PHONE, "settings": '{"size": "400"}', "has_touch": True},
    "plain, letters, huge": {"settings": '{"plain": true, "letters": true, "huge": "square"}'},
    "filled": {"settings": '{"fill": true, "huge": "last"}'},
}
GAME = {"fen": "3n3k/P3P3/8/8/8/8/p7/7K w - - 0 1", "clock": "5+3"}
# Text spaced as WCAG 1.4.12 says.
SPACED = """
const sheet = new CSSStyleSheet();
sheet.replaceSync('* {line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important}'
  + 'p {margin-bottom: 2em !important}');
document.adoptedStyleSheets.push(sheet);
"""
# What is wider than its place; what is smaller than 44 px (a checkbox is hit by its label).
CUT_OFF = """[...document.querySelectorAll('main :not(.spoken, .words, select, option, svg *)')].filter((one) =>
  one.checkVisibility() && !one.closest('.cell') && one.clientWidth && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML)"""
SMALL = """[...document.querySelectorAll('button, select, summary, input, a')].filter((one) => one.checkVisibility())
  .map((one) => one.type === 'checkbox' ? one.closest('label') : one)
  .filter((one) => { const {width, height} = one.getBoundingClientRect(); return width < 44 || height < 44; })
  .map((one) => one.outerHTML)"""


def everything_open(one):
    """Show all that the page can show at once: a question, a piece in the hand, the choice of a promotion."""
    for summary in one.page.locator("summary:visible").all():
        summary.click()
    one.page.fill("#typed", "a8=Q")
    one.press("Enter")
    one.page.wait_for_selector("#question:not([hidden])")
    one.square("e7").click()
    one.square("e8").click()
    one.page.wait_for_selector("#choice:not([hidden])")
    one.square("h1").click()


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(played, tab, axe, look):
    pages = played(**GAME)
    one = tab(pages, **LOOKS[look])
    assert not found(one.page, axe)
    everything_open(one)
    assert not found(one.page, axe)


@pytest.mark.parametrize("role", ["black", "both", "assistant", "arbiter", "spectator"])
def test_axe_finds_nothing_on_the_page_of_any_role(played, tab, axe, role):
    one = tab(played(**GAME), role, settings='{"plain": true}')
    for summary in one.page.locator("summary:visible").all():
        summary.click()
    assert not found(one.page, axe)


def test_axe_finds_nothing_after_the_end(played, tab, axe):
    pages = played()
    pages.type("f3", "yes", "e5", "yes", "g4", "yes", "Qh4", "yes")
    one = tab(pages)
    one.page.wait_for_selector("#records a")
    assert one.page.locator(".is-check").count() == 1
    assert not found(one.page, axe)


def test_axe_would_find_squares_that_are_too_small_and_a_field_without_a_label(played, tab, axe):
    page = tab(played()).page
    page.evaluate("document.getElementById('board').style.width = '160px'")
    page.evaluate("document.querySelector('label[for=typed]').remove()")
    assert {rule for rule, _ in found(page, axe)} == {"target-size", "label"}


def test_axe_finds_nothing_where_the_link_is_missing(played, chromium, axe):
    one = Tab(chromium, played().link("both").partition("#")[0])
    one.page.wait_for_selector("#closed:not([hidden])")
    assert not found(one.page, axe)
    one.close()


@pytest.mark.parametrize(
    ("language", "look"),
    [*(("en", look) for look in LOOKS), *((each, "phone with text of 400 %") for each in ("pt", "de", "es"))],
)
def test_nothing_scrolls_sideways_nor_is_cut_off_nor_too_small(played, tab, language, look):
    one = tab(played(language, **GAME), **LOOKS[look])
    everything_open(one)
    assert one.page.evaluate(SMALL) == []
    sides = "[...document.querySelectorAll('.cell')].map((one) => one.getBoundingClientRect().width)"
    assert min(one.page.evaluate(sides)) >= 24
    for _ in ("as it is", "spaced"):
        assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert one.page.evaluate(CUT_OFF) == []
        one.page.evaluate(SPACED)


def test_a_question_does_not_push_the_board_away_from_a_finger(played, tab):
    pages = played(clock="5+3")
    one = tab(pages, viewport=PHONE, has_touch=True)
    before = one.page.locator("#board").bounding_box()
    one.square("e2").tap()
    one.square("e4").tap()
    one.page.wait_for_selector("#question:not([hidden])")
    after = one.page.locator("#board").bounding_box()
    assert after == before
    assert after["y"] + after["height"] <= PHONE["height"]  # all of it is on the screen


def test_the_focus_is_seen_on_every_square_and_control(played, tab):
    one = tab(played(**GAME))
    everything_open(one)
    stops = set()
    for _ in range(200):
        one.press("Tab")
        seen = one.page.evaluate("""() => {
          const {outlineStyle, outlineWidth, boxShadow} = getComputedStyle(document.activeElement);
          return [document.activeElement.outerHTML, outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2 && boxShadow !== 'none'];
        }""")
        if seen[0].startswith("<body"):
            break
        assert seen[1], seen[0]
        stops.add(seen[0])
    assert len(stops) > 20
