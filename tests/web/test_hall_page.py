# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of a hall in a real browser: an arbiter leads a table from his, and who follows sees the tables."""

import pytest
from support.axe import found
from support.brltty import free_port
from support.chromium import NARROW, Tab
from support.desks import FarRoom
from support.program import QUIET, Running, run

ANOTHER = "document.querySelector('#asked').textContent !== wanted"
NARROWEST = "Math.min(...[...document.querySelectorAll('#tables td')].map((cell) => cell.clientWidth))"
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"
ENGLISH = ("--language", "en", *QUIET)


@pytest.fixture
def hall(tmp_path):
    """The desk, and a room with the link of each page: the program, the room, the links."""
    save, port = tmp_path / "games", free_port()
    run(tmp_path, "hall", "key", "1-2", "--save", save, "--language", "en", *QUIET[2:])
    with Running(
        tmp_path, "hall", "--save", save, "--arbiter", "Eva", "--hall-port", port, *ENGLISH
    ) as program:
        links = [program.wait_for(f"{role}: ").partition(": ")[2] for role in ("Arbiter", "Spectator")]
        program.wait_for("Nothing waits.")
        room = FarRoom(f"https://127.0.0.1:{port}", save / "hall")
        yield room, *links
        room.close()


def test_an_arbiter_decides_on_his_page_and_who_follows_sees_the_tables(hall, chromium, axe):
    room, arbiters, spectators = hall
    game = room.table(1, white="Ana", black="Rui").say("e4", "yes", "arbiter", "no")
    room.table(2)
    room.push()
    tab = Tab(chromium, arbiters, viewport=NARROW).opened()
    mine = tab.page
    other = Tab(chromium, spectators).opened().page
    for page in (mine, other):
        page.wait_for_selector("#tables tr:nth-child(2)")
        assert page.locator("#tables tr").first.locator("td").all_inner_texts()[:2] == ["Ana", "Rui"]
        assert not found(page, axe)
    assert not mine.evaluate(SIDEWAYS)
    assert mine.evaluate(NARROWEST) > NARROW["width"] / 2
    assert mine.get_by_role("columnheader", name="Black").count() == 1  # still a table to a reader
    assert mine.get_by_role("row").first.get_by_role("columnheader").count() == 5
    assert mine.get_by_role("row").nth(1).get_by_role("cell").count() == 4
    assert other.locator("#tables button").count() == 0
    assert "calls" not in other.locator("#tables").inner_text()
    assert "Table 1 calls the arbiter." in mine.locator("#tables").inner_text()
    mine.locator("#tables button").first.click()
    mine.wait_for_selector("[data-square=e4]")
    assert mine.locator("#status").inner_text().startswith("Table 1: Ana against Rui.")
    assert other.locator("#board [data-square=e4]").is_hidden()
    mine.fill("#typed", "decide")
    mine.locator("#entry button").click()
    for answer in ("1", "2", "Yes"):
        button = mine.locator("#answers button", has_text=answer).first
        button.wait_for()  # so that its question is there
        asked = mine.locator("#asked").text_content()
        button.click()
        tab.until(ANOTHER, asked)
    room.until(lambda: any(note.message.key == "warned" for note in game.state.game.notes))
    mine.locator("#log p", has_text="has applied it: warning").wait_for(state="attached")


def test_a_row_keeps_the_focus_when_a_table_before_it_joins(hall, chromium):
    room, arbiters, _ = hall
    room.table(2)
    room.push()
    page = Tab(chromium, arbiters).opened().page
    page.locator("#tables button").focus()
    room.table(1)
    room.push()
    page.wait_for_selector("#tables tr:nth-child(2)")
    assert page.evaluate("document.activeElement.textContent") == "2"
    assert page.locator("#tables th").all_inner_texts() == ["1", "2"]
