# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of the page in docs/images, by Chromium; with --to FOLDER, every look in every language."""

import argparse
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.chromium import NARROW, PHONE, WIDE, PlayedPages, Tab, launched  # noqa: E402

from voices.words.lexicon import vocabulary  # noqa: E402

MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")
IN_DOCS = {
    "browser": {"viewport": {"width": 1100, "height": 640}},
    "browser-phone": {"viewport": PHONE, "has_touch": True},
    "browser-contrast": {
        "viewport": {"width": 1100, "height": 700},
        "settings": '{"contrast": true, "letters": true, "huge": "square", "size": "125"}',
    },
}
LOOKS = IN_DOCS | {
    "wide": {"viewport": WIDE},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
    "forced": {"viewport": WIDE, "forced_colors": "active"},
    "forced-dark": {"viewport": WIDE, "forced_colors": "active", "color_scheme": "dark"},
    "narrow": {"viewport": NARROW, "full": True},
    "text-400": {"viewport": WIDE, "settings": '{"size": "400"}', "full": True},
    "zoom-400": {"viewport": {"width": 320, "height": 225}, "device_scale_factor": 4, "full": True},
    "filled": {"viewport": WIDE, "settings": '{"fill": true, "huge": "last"}'},
}


def shot(browser: Any, path: Path, language: str, *, full: bool = False, **how: Any) -> None:
    """One picture: White has a knight in the hand, and the bishop's move of Black is the last."""
    pages = PlayedPages(language, clock="90+30")
    for move in MOVES:
        pages.type(move, vocabulary(language).say("answer", "yes"))
    tab = Tab(browser, pages.link("white"), **how).opened()
    tab.square("f3").click()
    if full:
        for summary in tab.page.locator("summary").all():
            summary.click()
    tab.page.screenshot(path=path, full_page=full)
    tab.close()
    pages.close()


def main() -> None:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, metavar="FOLDER")
    wanted = parser.parse_args()
    folder = wanted.to or ROOT / "docs/images"
    looks, languages = (LOOKS, ("en", "pt", "de", "es")) if wanted.to else (IN_DOCS, ("en", "pt"))
    folder.mkdir(parents=True, exist_ok=True)
    with launched() as browser:
        for language in languages:
            for name, how in looks.items():
                shot(browser, folder / f"{name}-{language}.png", language, **how)


if __name__ == "__main__":
    main()
