# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole games between two browsers, each way alone: castling, promotion, an illegal move, a draw, a mate."""

import pytest
from support.ways import ByFinger, ByKeys, ByMouse, ByText

from acessivel.session import events as ev

DRAWN = "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 b8d7 b7a8q e7e6 g1f3 f8e7 f1b5 e8g8 e1g1"
MATE = "f2f3 e7e5 g2g4 d8h4"


@pytest.fixture
def players(played, tab):
    """Opens White's and Black's pages, each with a way to play."""

    def make(white, black, **agreed):
        pages = played(**agreed)
        made = [way(tab(pages, role, **way.context)) for role, way in (("white", white), ("black", black))]
        made[0].pages = pages
        return made

    return make


def play(white, black, moves):
    """Play these moves in turn; each is seen and told on the other's page before it is answered."""
    for count, uci in enumerate(moves.split()):
        mover, other = (white, black) if count % 2 == 0 else (black, white)
        other.tab.forget()
        mover.move(uci)
        for player in (mover, other):
            player.tab.shows(uci)
        assert other.tab.told(f"{count // 2 + 1}, {'Black' if count % 2 else 'White'}: ")


@pytest.mark.parametrize(
    ("white", "black"), [(ByKeys, ByKeys), (ByFinger, ByFinger), (ByText, ByText), (ByMouse, ByKeys)]
)
def test_a_game_is_played_and_drawn(players, white, black):
    white, black = players(white, black)
    play(white, black, DRAWN)
    assert white.tab.page.locator("[data-square=f8] .piece.black").count() == 1  # castled
    assert white.tab.page.locator("[data-square=a8] .piece.white").count() == 1  # promoted
    white.order("draw")
    white.answer()
    black.answer()
    for player in (white, black):
        player.tab.page.locator("#status", has_text="agreement").wait_for()
        assert player.tab.told("agreement")


@pytest.mark.parametrize("way", [ByKeys, ByFinger, ByText, ByMouse])
def test_an_illegal_move_is_refused_at_once_and_changes_nothing(players, way):
    white, black = players(way, ByMouse)
    if way is ByText:
        white.type("e2e5")
    else:
        white.point("e2")
        white.point("e5")
    region, text = white.tab.told("e5")
    assert region == "assertive", text
    assert not white.tab.page.locator(".is-last, .is-picked").count()
    white.move("e2e4")
    black.tab.shows("e2e4")


def test_a_mate_ends_the_game_on_both_pages(players):
    white, black = players(ByMouse, ByText)
    play(white, black, MATE)
    for player in (white, black):
        assert player.tab.page.locator("[data-square=e1].is-check").count() == 1
        assert "in check" in player.tab.square("e1").inner_text()
        player.tab.until("document.getElementById('status').textContent.includes('mate')")
        assert player.tab.told("mate")
    white.point("e2")
    assert white.tab.told("You cannot move now.")


def test_a_question_is_put_to_its_player_alone(players):
    white, black = players(ByMouse, ByMouse)
    white.point("e2")
    white.point("e4")
    white.tab.page.locator("#answers button").first.wait_for()
    assert black.tab.page.locator("#question").is_hidden()
    assert "e4" not in " ".join(black.tab.page.locator("#log p").all_text_contents())


def test_a_flag_falls_on_both_pages_and_the_clocks_stop(players):
    white, black = players(ByMouse, ByMouse, clock="5")
    play(white, black, "e2e4")
    assert black.tab.page.locator("#clock-black.is-running").count() == 1
    white.pages.happen(ev.Tick(at=300_001))
    for player in (white, black):
        region, text = player.tab.told("flag")
        assert region == "assertive", text
        player.tab.page.locator("#clock-black.is-running").wait_for(state="detached")
        assert player.tab.page.locator("#clock-black .digits").text_content() == "0:00"
        assert "0 seconds" in player.tab.page.locator("#clock-black .words").text_content()
