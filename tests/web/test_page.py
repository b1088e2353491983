# SPDX-License-Identifier: GPL-3.0-or-later
"""The page as a screen reader, a keyboard, a mouse and a finger meet it: what is named, reached, told and sent."""

import itertools
import random
import re
from dataclasses import replace

import pytest
from support.chromium import PHONE, PlayedPages, Tab
from support.languages import LANGUAGES

from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.web.present import TalkShown
from acessivel.web.view import SQUARES

EN = {key.removeprefix("page_"): text for key, text in catalogue("en").items() if key.startswith("page_")}
CASTLED = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
PROMOTING = "3n3k/P3P3/8/8/8/8/p7/7K w - - 0 1"


@pytest.fixture
def shown(tab, played):
    return tab(played())


@pytest.fixture(scope="module")
def still(chromium):
    """A page for all tests that leave the game as it is."""
    pages = PlayedPages()
    one = Tab(chromium, pages.link("both")).opened()
    yield one
    one.close()
    pages.close()


def tree(page, *roles):
    """The nodes of the accessibility tree with these roles, as a screen reader gets them."""
    session = page.context.new_cdp_session(page)
    session.send("Accessibility.enable")
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [node for node in nodes if not node["ignored"] and node["role"]["value"] in roles]


def names(nodes):
    return [node["name"]["value"] for node in nodes]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_accessibility_tree_names_all_squares(played, tab, language):
    pages = played(language)
    page = tab(pages).page
    (grid,) = tree(page, "grid")
    assert grid["name"]["value"] == catalogue(language)["page_board"]
    assert len(tree(page, "row")) == 8
    cells = names(tree(page, "gridcell"))
    assert [cell[:2] for cell in cells] == list(SQUARES)
    assert cells[60] == f"e1, {catalogue(language)['piece_white_king']}"
    assert cells[36] == f"e4, {catalogue(language)['web_empty']}"
    assert page.get_attribute("html", "lang") == language


def test_black_sees_the_board_from_his_side(played, tab):
    assert names(tree(tab(played(), "black").page, "gridcell"))[0] == "h1, white rook"


def test_the_plain_layout_is_a_group_of_buttons(played, tab):
    page = tab(played(), settings='{"plain": true}').page
    assert not tree(page, "grid", "row", "gridcell")
    assert "e1, white king" in names(tree(page, "button"))
    assert page.locator("#board").get_attribute("role") == "group"


def test_the_field_is_the_first_control_and_the_board_one_tab_stop(played, tab):
    one = tab(played())
    stops = []
    for _ in range(40):
        one.press("Tab")
        stops.append(
            one.page.evaluate("document.activeElement.id || document.activeElement.dataset.square || ''")
        )
        if one.page.evaluate("document.activeElement === document.body"):
            break
    assert stops[0] == "typed"
    assert [stop for stop in stops if stop in SQUARES] == ["a1"]
    one.square("e4").focus()
    one.press("Tab", "Shift+Tab")
    assert one.here == "e4"


@pytest.mark.parametrize(
    ("start", "keys", "there"),
    [
        ("e4", "ArrowUp", "e5"), ("e4", "ArrowDown", "e3"), ("e4", "ArrowLeft", "d4"), ("e4", "ArrowRight", "f4"),
        ("e4", "Home", "a4"), ("e4", "End", "h4"), ("e4", "PageUp", "e8"), ("e4", "PageDown", "e1"),
        ("e4", "Control+Home", "a8"), ("e4", "Control+End", "h1"), ("h4", "ArrowRight", "h4"), ("a8", "ArrowUp", "a8"),
        ("a1", "k", "e1"), ("a1", "q", "d1"), ("a1", "n", "b1"), ("b1", "n", "g1"), ("a1", "Shift+p", "h2"),
        ("g1", "n", "b8"), ("g8", "n", "b1"), ("a1", "b", "c1"), ("c1", "r", "h1"),
        ("e4", "7", "e7"), ("e4", "Shift+Digit1", "a4"), ("e4", "Shift+Digit8", "h4"),
    ],
)  # fmt: skip
def test_keys_on_the_board_lead_to_squares(still, start, keys, there):
    still.square(start).focus()
    still.press(keys)
    assert still.here == there


@pytest.mark.parametrize(
    ("start", "keys", "told"),
    [
        ("e4", "o", "e4, empty"), ("e4", "l", EN["no_last"]), ("e4", "t", EN["no_clocks"]), ("e4", "c", EN["no_capture"]),
        ("e2", "m", f"{EN['moves_to']}: e3, e4"), ("e2", "Shift+M", EN["no_moves"]), ("e4", "m", EN["no_moves"]),
        ("e4", "x", f"{EN['towards']} e8: e7, black pawn; e8, black king"), ("e4", "Shift+X", f"{EN['towards']} a8: b7, black pawn; a8, black rook"),
        ("e4", "Alt+x", f"{EN['towards']} e8"), ("h1", "x", f"{EN['towards']} h8: h2, white pawn"),
        ("h4", "ArrowRight", EN["edge"]), ("e4", "y", EN["no_question"]), ("e4", "a", EN["no_question"]),
        ("e4", "Enter", EN["not_this"]), ("e4", "f", EN["black_below"]), ("e4", "f", EN["white_below"]),
    ],
)  # fmt: skip
def test_keys_on_the_board_tell(still, start, keys, told):
    still.square(start).focus()
    still.forget()
    still.press(keys)
    assert still.told(told)


def test_letters_are_keys_only_while_the_board_has_the_focus(shown):
    shown.page.focus("#typed")
    shown.press("k", "f", "i")
    assert shown.page.input_value("#typed") == "kfi"
    shown.square("e4").focus()
    shown.press("i")
    assert shown.page.evaluate("document.activeElement.id") == "typed"


def clicked(one, *squares):
    for name in squares:
        one.square(name).click()


def at_the_keys(one, *squares):
    for name in squares:
        one.square(name).focus()
        one.press("Enter")


def at_the_space_bar(one, *squares):
    for name in squares:
        one.square(name).focus()
        one.press(" ")


def without_focus(one, *squares):
    """As VoiceOver does: a click, and no event of the focus."""
    for name in squares:
        one.square(name).evaluate("cell => cell.dispatchEvent(new MouseEvent('click', {bubbles: true}))")


def dragged(one, start, end):
    one.square(start).hover()
    one.page.mouse.down()
    one.square(end).hover()
    one.page.mouse.up()


def listed(one, start, end):
    one.page.click("[data-word=by_list]")
    one.page.select_option("#list-piece", start)
    one.page.select_option("#list-square", end)
    one.page.click("[data-word=list_move]")


def in_words(one, *words):
    one.page.fill("#typed", "".join(words))
    one.press("Enter")


def typed(route):
    """The line that is on its way."""
    return route.request.post_data_json["text"]


@pytest.mark.parametrize(
    "way", [clicked, at_the_keys, at_the_space_bar, without_focus, dragged, listed, in_words]
)
def test_every_way_to_move_types_the_same(played, tab, way):
    pages = played()
    one = tab(pages)
    way(one, "g1", "f3")
    assert pages.came() == "g1f3"
    one.page.click("#answers button >> nth=0")
    assert pages.came() == "yes"
    one.page.wait_for_selector("[data-square=f3].is-last")


def test_a_finger_taps_and_does_not_drag(played, tab):
    pages = played()
    one = tab(pages, viewport=PHONE, has_touch=True, is_mobile=True)
    one.square("e2").tap()
    assert "is-picked" in one.square("e2").get_attribute("class")
    one.square("e4").tap()
    assert pages.came() == "e2e4"
    one.page.locator("#answers button").first.tap()
    assert pages.came() == "yes"


@pytest.mark.parametrize("way", ["Escape", "again"])
def test_a_piece_is_put_back(shown, way):
    clicked(shown, "e2")
    assert shown.told(EN["picked"])[1] == f"{EN['picked']}: e2, white pawn"
    assert "picked up" in shown.square("e2").inner_text()
    assert EN["target"] in shown.square("e4").inner_text()
    shown.press("Escape") if way == "Escape" else clicked(shown, "e2")
    assert shown.told(EN["is_put_back"])
    assert not shown.page.locator(".is-picked, .is-target, .is-capture").count()


def test_another_piece_of_ones_own_is_picked_instead(shown):
    clicked(shown, "e2", "d2")
    assert shown.page.locator(".is-picked").get_attribute("data-square") == "d2"


def test_a_piece_that_cannot_move_is_not_picked(played, tab):
    one = tab(played(), "black")
    clicked(one, "e7")
    assert one.told(EN["cannot_move"])


def test_who_is_not_to_move_is_told_so_when_he_asks_for_moves(played, tab):
    one = tab(played(), "black")
    one.square("e7").focus()
    one.press("m")
    assert one.told(EN["cannot_move"])


def test_the_page_of_a_player_who_changes_colours_goes_on(played, tab):
    pages = played()
    one = tab(pages, "white")
    pages.pages.exchange()
    one.until("document.title.includes('Black')")
    assert names(tree(one.page, "gridcell"))[0] == "h1, white rook"
    pages.type("e4", "yes")
    one.shows("e2e4")
    clicked(one, "e7", "e5")
    assert pages.came() == "e7e5"


def test_castling_is_the_kings_move(played, tab):
    pages = played(fen=CASTLED)
    one = tab(pages)
    clicked(one, "e1", "g1")
    assert pages.came() == "e1g1"


@pytest.mark.parametrize(
    ("word", "typed"), [("queen", "e7e8q"), ("rook", "e7e8r"), ("bishop", "e7e8b"), ("knight", "e7d8n")]
)
def test_a_promotion_is_by_choice(played, tab, word, typed):
    pages = played(fen=PROMOTING)
    one = tab(pages)
    at_the_keys(one, typed[:2], typed[2:4])
    assert one.page.evaluate("document.activeElement.dataset.word") == "queen"
    one.page.click(f"#choice [data-word={word}]")
    assert pages.came() == typed
    assert one.here == typed[2:4]


def test_who_does_not_want_to_be_asked_is_asked_only_about_what_was_not_pointed_at(played, tab):
    pages = played()
    one = tab(pages, settings='{"confirm": false}')
    clicked(one, "e2", "e4")
    one.shows("e2e4")
    in_words(one, "e7", "e5")
    one.page.wait_for_selector("#question:not([hidden])")
    clicked(one, "d7", "d5")
    one.shows("d7d5")
    assert [pages.came() for _ in range(3)] == ["e2e4", "e7e5", "d7d5"]


def test_a_move_that_was_pointed_at_and_not_sent_is_asked_about_when_another_says_it(played, tab):
    pages = played()
    one = tab(pages, settings='{"confirm": false}')
    one.page.route("**/type", lambda route: route.abort())
    clicked(one, "e2", "e4")
    one.told(EN["perhaps_sent"])
    one.page.unroute("**/type")
    one.told(EN["not_sent"])
    pages.type("e4")  # at the microphone
    one.page.wait_for_selector("#question:not([hidden])")
    in_words(one, "clock")
    assert pages.came() == "clock"


def test_a_promotion_can_be_put_back(played, tab):
    pages = played(fen=PROMOTING)
    one = tab(pages)
    at_the_keys(one, "e7", "e8")
    one.press("Escape")
    assert one.told(EN["is_put_back"])
    assert one.page.locator("#choice").is_hidden()
    assert pages.typed.empty()


def test_a_held_key_chooses_no_piece(played, tab):
    pages = played(fen=PROMOTING)
    one = tab(pages, settings='{"confirm": false}')
    at_the_keys(one, "e7")
    one.square("e8").focus()
    for _ in range(3):
        one.page.keyboard.down("Enter")
    assert one.page.locator("#choice").is_visible()
    one.page.keyboard.up("Enter")
    one.press("Enter")
    assert pages.came() == "e7e8q"
    assert pages.typed.empty()


def test_a_choice_is_closed_when_another_move_was_made_meanwhile(played, tab):
    pages = played(fen=PROMOTING)
    one = tab(pages)
    at_the_keys(one, "e7", "e8")
    pages.type("Kg2", "yes")  # at the microphone
    one.page.wait_for_selector("#choice", state="hidden")
    assert pages.typed.empty()


def test_the_lists_choose_nothing_by_themselves(played, tab):
    pages = played()
    one = tab(pages, settings='{"confirm": false}')
    listed(one, "g1", "f3")
    assert pages.came() == "g1f3"
    one.shows("g1f3")
    one.page.click("[data-word=list_move]")
    assert one.told(EN["choose_both"])
    assert pages.typed.empty()


def test_a_click_beside_the_choices_chooses_nothing(played, tab):
    pages = played(fen=PROMOTING)
    one = tab(pages)
    at_the_keys(one, "e7", "e8")
    one.page.click("#choice-title")
    one.page.click("#choice [data-word=queen]")
    assert pages.came() == "e7e8q"


def test_a_question_is_answered_by_its_buttons_or_from_the_board(played, tab):
    pages = played()
    one = tab(pages)
    at_the_keys(one, "g1", "f3")
    pages.came()
    one.told("?")
    assert one.page.locator("#answers button").all_inner_texts() == ["Yes", "No"]
    one.press("a")
    assert one.page.evaluate("document.activeElement.textContent") == "Yes"
    one.press("Tab", "Enter")
    assert pages.came() == "no"
    one.page.wait_for_selector("#question", state="hidden")
    assert one.here == "f3"  # back where the question came from
    at_the_keys(one, "g1", "f3")
    pages.came()
    one.page.wait_for_selector("#question:not([hidden])")
    one.press("y")
    assert pages.came() == "yes"


@pytest.mark.parametrize("key", ["y", "a"])
def test_a_question_without_buttons_is_told_by_the_keys_that_answer(played, tab, key):
    pages = played()
    one = tab(pages)
    one.square("e4").focus()
    asked = Message.of("web_move", move="Where is the knight?")
    pages.pages.show(replace(pages.present, kind="drill", pending=(asked,)))
    one.page.wait_for_selector("#question:not([hidden])")
    one.forget()
    one.press(key)
    assert one.told("Where is the knight?")


def test_enter_in_the_empty_field_is_sent_where_that_is_offered_and_the_key_for_yes_does_not(played, tab):
    pages = played()
    one = tab(pages)
    gives_up = Message.of("seal_back")
    talk = TalkShown((Message.of("seal_when"),), ["both"], gives_up, yes_or_no=False, by_enter=True)
    pages.pages.show(replace(pages.present, talk=talk))
    one.page.wait_for_selector("#question:not([hidden])")
    one.square("e4").focus()
    one.press("y")
    one.told("When does the game resume?")
    assert pages.typed.empty()
    in_words(one, "")
    assert pages.came() == ""
    one.page.wait_for_selector("#question", state="hidden")
    pages.pages.show(replace(pages.present, talk=talk))
    one.page.click("#answers button")
    assert pages.came() == ""
    one.page.wait_for_selector("#question", state="hidden")
    in_words(one, "")
    in_words(one, "clock")
    assert pages.came() == "clock"


@pytest.mark.parametrize("hidden", [True, False])
def test_what_was_begun_before_the_field_is_hidden_or_shown_is_never_seen_in_it(played, tab, hidden):
    pages = played()
    one = tab(pages)
    pages.pages.show(replace(pages.present, hidden=hidden))
    one.page.wait_for_selector(f"#typed[type={'password' if hidden else 'text'}]")
    one.page.fill("#typed", "nine tall green")
    pages.pages.show(replace(pages.present, hidden=not hidden))
    one.page.wait_for_selector(f"#typed[type={'text' if hidden else 'password'}]")
    assert one.page.input_value("#typed") == ""
    with one.page.expect_request("**/type") as sent:
        in_words(one, "clock")
    assert sent.value.post_data_json["hidden"] is not hidden


# What is told


def test_the_live_regions_are_there_from_the_start_and_outlive_fifty_moves(played, tab):
    pages = played()
    one = tab(pages)
    assert one.page.evaluate("emptyAtFirst && regions.length") == 2
    moves = random.Random(1)  # noqa: S311
    for _ in range(50):
        pages.type(moves.choice(pages.state.game.position.legal).uci, "yes")
    one.until("document.querySelectorAll('#moves li').length === 25")
    assert one.page.evaluate(
        "regions.every((region, at) => region === document.querySelectorAll('body > [aria-live]')[at] && region.isConnected)"
    )
    one.forget()
    pages.say("Still here.")
    assert one.told("Still here.")


def test_what_is_urgent_is_assertive_and_all_else_polite(played, tab):
    pages = played()
    one = tab(pages)
    pages.say("Knight f3.")
    assert one.told("Knight f3.")[0] == "polite"
    pages.say("Illegal.", urgent=True)
    assert one.told("Illegal.")[0] == "assertive"


def test_messages_do_not_purge_each_other_and_each_is_new(played, tab):
    pages = played()
    one = tab(pages)
    one.forget()
    said = [("One.", False), ("Two.", False), ("Check.", True), ("Three.", False), ("Check.", True)]
    for text, urgent in said:
        pages.say(text, urgent=urgent)
    one.until("told.filter(([, text]) => text.includes('Check.')).length === 2")
    told = one.page.evaluate("told")
    written = [text.strip() for _, text in told if text]
    assert " ".join(written).split() == [text for text, _ in said]
    for before, after in itertools.pairwise(told):
        assert not (before[0] == after[0] and before[1] and after[1])  # cleared in between


def test_the_same_text_twice_is_another_text_to_a_reader(played, tab):
    pages = played()
    one = tab(pages)
    for count in (1, 2, 3):
        pages.say("Not possible.")
        one.until(f"told.filter(([, text]) => text.includes('Not possible')).length === {count}")
    texts = [text for _, text in one.page.evaluate("told") if "Not possible" in text]
    assert all(before != after for before, after in itertools.pairwise(texts))


def test_a_message_that_a_key_cut_off_comes_again(played, tab):
    pages = played()
    one = tab(pages)
    # A key that comes 50 ms after the message, as a reader forgets it then.
    one.page.evaluate(
        """new MutationObserver((changes, observer) => {
          if (!document.getElementById('polite').textContent.includes('Knight')) return;
          observer.disconnect();
          setTimeout(() => dispatchEvent(new KeyboardEvent('keydown', {key: 'a'})), 50);
        }).observe(document.getElementById('polite'), {childList: true})"""
    )
    pages.say("Knight f3.")
    one.until("told.filter(([, text]) => text.includes('Knight')).length === 2")


def test_all_that_was_said_stands_in_a_log_that_is_not_live_and_the_last_is_repeated(played, tab):
    pages = played()
    one = tab(pages)
    pages.say("Knight f3.")
    pages.say("Knight f6.")
    one.told("Knight f6.")
    log = one.page.locator("#log")
    assert log.get_attribute("role") == "log"
    assert log.get_attribute("aria-live") == "off"
    assert log.locator("p").all_text_contents()[-2:] == ["Knight f3.", "Knight f6."]
    one.forget()
    one.page.click("#repeat")
    assert one.told("Knight f6.")


def test_what_is_announced_in_another_language_than_the_page_is_marked_as_that_wherever_it_stands(
    played, tab
):
    pages = played("en", convention="fide")
    one = tab(pages)
    in_words(one, "e4")
    assert one.told("Bauer Eva zwei Eva vier?")
    german = one.page.locator("[lang=de]:not(#closed *)")
    assert set(german.all_text_contents()) == {"Bauer Eva zwei Eva vier?"}
    assert one.page.locator("[aria-live] [lang=de], #asked [lang=de], #log [lang=de]").count() == 3
    one.page.click("#answers button")
    one.shows("e2e4")
    one.told("Black to move")
    assert one.page.inner_text("#last [lang=de]") == "Bauer Eva zwei Eva vier."
    assert one.page.inner_text("#moves [lang=de]") == "Bauer Eva zwei Eva vier"
    assert one.page.locator("[aria-live] [lang=en]").last.text_content() == " Black to move, move 1."
    in_words(one, "Springer")
    one.page.wait_for_selector("#question:not([hidden])")
    assert one.page.locator("#answers [lang=de]").first.text_content() == "Hector sechs"
    assert one.page.get_attribute("html", "lang") == "en"


def test_of_two_tabs_of_a_page_only_that_speaks_in_which_the_user_was_last(played, tab):
    pages = played()
    listen = """() => {
      window.heard = [];
      new BroadcastChannel('acessivel').onmessage = ({data}) => heard.push(data);
      speechSynthesis.speak = (said) => { spoken.push(said.text); setTimeout(said.onend); };
    }"""
    first = tab(pages, settings='{"speech": true}')
    first.page.evaluate(listen)
    second = first.beside(pages.link("both")).opened()
    second.page.evaluate(listen)
    tabs = {"first": first, "second": second}

    def spoken(text):
        for one in tabs.values():
            one.page.evaluate("window.spoken = []")
        pages.say(text)
        for one in tabs.values():
            one.told(text)
        return [name for name, one in tabs.items() if one.page.evaluate("spoken") == [text]]

    first.until("heard.includes('here')")
    assert spoken("One.") == ["second"]
    first.square("e4").focus()
    second.until("heard.includes('here')")
    assert spoken("Two.") == ["first"]
    del tabs["first"]
    first.page.close(run_before_unload=True)
    second.until("heard.includes('gone')")
    assert spoken("Three.") == ["second"]


def test_the_browser_speaks_each_language_by_its_own_voice(played, tab):
    pages = played("en", convention="fide")
    one = tab(pages, settings='{"speech": true}')
    one.page.evaluate("""() => {
      window.spoken = [];
      speechSynthesis.speak = (said) => { spoken.push([said.lang, said.text.trim()]); setTimeout(said.onend); };
    }""")
    pages.type("e4", "yes")
    one.until("spoken.length === 4")
    assert one.page.evaluate("spoken.slice(1)") == [
        ["en", "1, White:"],
        ["de", "Bauer Eva zwei Eva vier."],
        ["en", "Black to move, move 1."],
    ]
    german = replace(pages.present, renderer=Renderer("de", "letters"))
    pages.pages.tell([Message.of("web_move", move="Zug.")], german)  # before the page is German
    one.until("spoken.length === 5")
    assert one.page.evaluate("spoken.at(-1)") == ["de", "Zug."]


def test_a_page_that_is_loaded_anew_keeps_what_was_said_and_repeats_it_in_its_language(played, tab):
    pages = played()
    one = tab(pages)
    pages.type("e4", "yes")
    one.told("e4")
    german = replace(pages.present, renderer=Renderer("de", "letters"))
    pages.pages.tell([Message.of("web_move", move="Zug.")], german)
    one.told("Zug.")
    before = one.page.locator("#log p").all_text_contents()
    one.page.reload()
    one.opened()
    lines = one.page.locator("#log p")
    assert lines.all_text_contents() == before
    assert [lines.first.get_attribute("lang"), lines.last.get_attribute("lang")] == ["en", "de"]
    assert not one.page.evaluate("told.some(([, text]) => text.includes('Zug.'))")
    one.page.click("#repeat")
    assert one.told("Zug.")


def test_what_stands_is_repeated_where_nothing_was_said(played, tab):
    pages = played()
    one = tab(pages)
    pages.server.soon(pages.server.hub._said["both"].clear)
    one.page.reload()
    one.opened()
    one.page.click("#repeat")
    assert one.told("White to move, move 1.")


def test_a_lost_connection_and_its_return_are_told_once(played, tab):
    pages = played()
    one = tab(pages)
    one.context.set_offline(True)
    pages.server.soon(lambda: [stream.end() for stream in pages.server.hub.streams])
    assert one.told(EN["lost"])[0] == "assertive"
    pages.type("e4", "yes")
    one.context.set_offline(False)
    back = one.told(EN["back"])[1]
    assert "e4" in back  # exactly the present
    assert one.page.evaluate("lost => told.filter(([, text]) => text.includes(lost)).length", EN["lost"]) == 1
    assert one.page.locator("#connection").is_hidden()
    one.page.wait_for_selector("[data-square=e4].is-last")
    assert "e4" in " ".join(one.page.locator("#log p").all_text_contents())


def test_a_stream_that_has_died_unseen_is_opened_again_where_it_stopped(played, chromium):
    pages = played()
    one = Tab(chromium, "about:blank")
    one.page.clock.install()
    one.page.goto(pages.link("both"))
    one.opened()
    with one.page.expect_request("**/events?since=*"):
        one.page.clock.fast_forward(60_000)
    pages.type("e4", "yes")
    one.page.wait_for_selector("[data-square=e4].is-last")
    assert not one.page.evaluate("lost => told.some(([, text]) => text.includes(lost))", EN["lost"])
    one.close()


def test_a_line_that_nobody_takes_is_told(played, tab):
    pages = played()
    one = tab(pages)
    one.page.route("**/type", lambda route: route.abort())
    in_words(one, "e2", "e4")
    assert one.told(EN["perhaps_sent"]) == ["assertive", f"{EN['perhaps_sent']}: e2e4"]


def test_a_line_that_has_not_come_never_does_and_what_was_meant_instead_is_sent(played, tab):
    pages = played()
    one = tab(pages)
    one.page.route("**/type", lambda route: route.abort())
    clicked(one, "e2", "e4")
    one.told(EN["perhaps_sent"])
    clicked(one, "d2", "d4")
    one.page.unroute("**/type")
    assert one.told(EN["not_sent"])[1] == f"{EN['not_sent']}: e2e4"
    assert pages.came() == "d2d4"
    assert pages.typed.empty()


def test_a_line_that_has_not_come_and_was_sent_again_meanwhile_is_not_asked_for_once_more(played, tab):
    pages = played()
    one = tab(pages)
    one.page.route("**/type", lambda route: route.abort())
    in_words(one, "e4")
    one.told(EN["perhaps_sent"])
    in_words(one, "e4")
    one.page.unroute("**/type")
    assert pages.came() == "e4"
    assert one.told("e2 e4?")
    assert not one.page.evaluate("wanted => told.some(([, text]) => text.includes(wanted))", EN["not_sent"])
    assert pages.typed.empty()


def test_a_line_that_has_come_all_the_same_is_told_and_what_was_meant_instead_is_not_sent(played, tab):
    pages = played()
    one = tab(pages)

    def lose_the_answers(route):
        if route.request.post_data_json.get("dropped"):
            return held.append(route)
        route.fetch()
        return route.abort()

    held = []
    one.page.route("**/type", lose_the_answers)
    with one.page.expect_request(lambda request: "dropped" in (request.post_data or "")):
        clicked(one, "e2", "e4")
        one.told(EN["perhaps_sent"])
    assert pages.came() == "e2e4"
    clicked(one, "d2", "d4")
    held[0].continue_()
    assert one.told(EN["was_sent"])[1] == f"{EN['was_sent']}: e2e4. {EN['not_sent']}: d2d4"
    assert pages.typed.empty()


def test_a_line_that_was_typed_hidden_is_never_named(played, tab):
    pages = played()
    one = tab(pages)
    held = []
    one.page.route("**/type", lambda route: held.append(route))  # noqa: PLW0108  # Playwright wants a function
    pages.pages.show(replace(pages.present, hidden=True))
    one.page.wait_for_selector("#typed[type=password]")
    with one.page.expect_request("**/type"):
        in_words(one, "x" * 1001)
    in_words(one, "nine tall green lamps")
    pages.pages.show(pages.present)
    one.page.wait_for_selector("#typed[type=text]")
    in_words(one, "clock")
    held[0].continue_()
    assert one.told(EN["not_sent"])[1] == f"{catalogue('en')['web_too_long']} {EN['not_sent']}: clock"
    assert "lamps" not in one.page.inner_text("#log")


def test_what_follows_on_a_line_that_nobody_takes_is_not_sent_and_told_with_it(played, tab):
    pages = played()
    one = tab(pages)
    pages.type("e4")  # at the microphone
    one.page.wait_for_selector("#question:not([hidden])")
    one.page.route("**/type", lambda route: route.abort() if typed(route) == "no" else route.continue_())
    for line in ("no", "d4", "yes"):
        in_words(one, line)
    assert one.told(EN["not_sent"])[1] == f"{EN['not_sent']}: no, d4, yes"
    in_words(one, "clock")
    assert pages.came() == "clock"


def test_what_follows_on_a_line_that_is_refused_is_not_sent_and_told_with_it(played, tab):
    pages = played()
    one = tab(pages)
    held = []
    one.page.route("**/type", lambda route: held.append(route))  # noqa: PLW0108  # Playwright wants a function
    with one.page.expect_request("**/type"):
        in_words(one, "x" * 1001)
    in_words(one, "yes")
    held[0].continue_()
    assert one.told(EN["not_sent"])[1] == f"{catalogue('en')['web_too_long']} {EN['not_sent']}: yes"
    assert pages.typed.empty()


def test_a_line_whose_answer_was_lost_counts_once(played, tab):
    pages = played()
    one = tab(pages)
    sent = []

    def lose_the_first_answer(route):
        sent.append(route.request.post_data_json["id"])
        if len(sent) > 1:
            return route.continue_()
        route.fetch()
        return route.abort()

    one.page.route("**/type", lose_the_first_answer)
    in_words(one, "e2", "e4")
    one.until("document.getElementById('asked').textContent")
    assert pages.came() == "e2e4"
    one.page.fill("#typed", "no")
    one.press("Enter")
    one.page.wait_for_selector("#question", state="hidden")
    assert pages.came() == "no"  # and not e2e4 again
    assert len(sent) == 3
    assert sent[0] == sent[1]


# Links and pages that end


def test_who_has_no_link_is_told_so_in_every_language(played, chromium):
    pages = played()
    one = Tab(chromium, pages.link("white").partition("#")[0])
    one.page.wait_for_selector("#closed:not([hidden])")
    for language in LANGUAGES:
        assert one.page.inner_text(f"#closed [lang={language}]") == catalogue(language)["page_closed"]
    one.close()


def test_the_key_leaves_the_address(shown):
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", shown.page.url)


def test_a_page_that_another_browser_holds_can_be_taken(played, tab, chromium):
    pages = played()
    first = tab(pages, "white")
    second = Tab(chromium, pages.link("white"))
    second.page.wait_for_selector("#take:not([hidden])")
    assert second.told("Take it over?")
    second.page.click("#take")
    second.opened()
    assert (
        second.page.evaluate("document.activeElement.id") == "typed"
    )  # so that it is heard that it is there
    assert first.told(EN["ended"])[0] == "assertive"
    second.close()


def test_a_page_has_ended_when_its_browser_opens_another_link_and_never_plays_for_that_side(played, tab):
    pages = played()
    white = tab(pages, "white")
    black = white.beside(pages.link("black")).opened()
    assert white.told(EN["ended"])[0] == "assertive"
    assert white.page.inner_text("#connection") == EN["ended"]
    white.forget()
    in_words(white, "resign")
    assert white.told(EN["ended"])  # it is not even sent
    assert white.page.title() == "Acessivel: White"
    in_words(black, "clock")
    assert pages.came() == "clock"


def test_a_page_that_was_left_tries_no_more(played, chromium):
    pages = played()
    one = Tab(chromium, "about:blank")
    one.page.clock.install()
    one.page.goto(pages.link("both"))
    one.opened()
    pages.server.soon(pages.server.hub.leave)
    assert one.told(EN["left"])
    tries = []
    one.page.on("request", lambda request: tries.append(request.url))
    one.page.clock.fast_forward(60_000)
    one.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    one.page.clock.fast_forward(60_000)
    one.page.wait_for_timeout(100)
    assert not tries
    assert one.page.inner_text("#connection") == EN["left"]
    one.forget()
    in_words(one, "e4")
    assert one.told(EN["left"])
    clicked(one, "e2")
    assert one.told(EN["cannot_move"])
    assert not tries
    one.close()


def test_the_clocks_of_a_page_that_was_left_stand_still(played, chromium):
    pages = played(clock="5")
    pages.type("e4", "yes")
    one = Tab(chromium, "about:blank")
    one.page.clock.install()
    one.page.goto(pages.link("both"))
    one.opened()
    assert one.page.locator("#clock-black.is-running").count() == 1
    pages.server.soon(pages.server.hub.leave)
    assert one.told(EN["left"])
    left = one.page.locator("#clocks").text_content()
    one.page.clock.fast_forward(60_000)
    assert one.page.locator("#clocks").text_content() == left
    assert not one.page.locator("#clocks .is-running").count()
    one.close()


def test_a_page_that_has_ended_goes_on_by_a_new_link_with_what_was_typed(played, tab):
    pages = played()
    one = tab(pages, "white")
    pages.server.revoke("white")
    assert one.told(EN["ended"])
    in_words(one, "e4")
    one.page.goto(pages.link("white"))
    assert one.told(EN["back"])
    assert one.page.locator("#connection").is_hidden()
    one.page.focus("#typed")
    one.press("Enter")
    assert pages.came() == "e4"
    assert one.page.input_value("#typed") == ""


def test_a_link_is_kept_while_the_server_is_too_busy_for_it(played, chromium):
    pages = played()
    one = Tab(chromium, "about:blank")
    one.page.route(
        "**/enter", lambda route: route.fulfill(status=429, json={"error": "Wait.", "language": "en"})
    )
    link = pages.link("white")
    one.page.goto(link)
    one.page.wait_for_selector("#refused:not([hidden])")
    assert one.page.url == link
    one.page.unroute("**/enter")
    one.page.reload()
    one.opened()
    one.close()


def test_a_refusal_is_in_its_language_and_stays(played, tab):
    pages = played("pt")
    one = tab(pages)
    one.page.goto(pages.link("white") + "x")
    assert one.told(catalogue("pt")["web_wrong_key"])
    pages.type("e4", "sim")
    pages.say("E depois.")
    one.page.wait_for_timeout(300)  # in which nothing is to come
    assert one.page.inner_text("#refused") == catalogue("pt")["web_wrong_key"]
    assert not one.page.locator("#game").is_visible()


def test_a_refusal_is_read_in_its_language_by_who_has_no_page_yet(played, chromium):
    one = Tab(chromium, played("pt").link("white") + "x")
    one.page.wait_for_selector("#refused:not([hidden])")
    assert one.page.get_attribute("html", "lang") == "pt"
    one.close()


def test_one_tab_too_many_is_told_why_and_opens_when_another_is_closed(played, tab):
    pages = played()
    one = tab(pages)
    *_, last = (one.beside(pages.link("both")).opened() for _ in range(3))
    fifth = one.beside(pages.link("both"))
    assert fifth.told(catalogue("en")["web_full"])
    assert fifth.page.inner_text("#refused") == catalogue("en")["web_full"]
    last.page.close()
    fifth.opened()


def test_a_link_to_a_record_keeps_the_focus_when_the_game_goes_on(played, tab):
    pages = played(clock="5")
    one = tab(pages)
    one.page.focus("#records a")
    pages.type("e4", "yes")
    one.shows("e2e4")
    assert one.page.evaluate("document.activeElement.matches('#records a')")


@pytest.mark.parametrize(
    ("command", "goes_on"),
    [("Clock", "here.textContent.startsWith('Clock')"), ("Resign", "here.id === 'typed'")],
)
def test_the_focus_stays_on_a_command_or_goes_to_the_field_when_what_can_be_done_changes(
    played, tab, command, goes_on
):
    pages = played()
    one = tab(pages)
    one.page.click("[data-word=menu]")
    one.page.locator("#menu button", has_text=command).first.focus()
    pages.type("resign", "yes")
    one.page.locator("#menu button", has_text="Resign").wait_for(state="detached")
    assert one.page.evaluate(f"((here) => {goes_on})(document.activeElement)")


def test_the_focus_is_not_lost_with_the_board(played, tab):
    pages = played()
    one = tab(pages)
    one.square("e4").focus()
    pages.pages.show(replace(pages.present, kind="drill", state=None))
    one.page.wait_for_selector("#board", state="hidden")
    assert one.page.evaluate("document.activeElement.id") == "typed"


# Settings


def test_settings_are_kept_on_the_device(played, tab):
    one = tab(played())
    one.page.click("[data-word=settings]")
    one.page.select_option("[name=size]", "200")
    for name in ("contrast", "letters", "fill", "turned"):
        one.page.check(f"[name={name}]")
    one.page.select_option("[name=huge]", "square")
    one.page.reload()
    one.opened()
    assert one.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert one.page.evaluate("document.documentElement.matches('[data-contrast][data-fill]')")
    assert one.square("e1").locator(".letter").text_content() == "K"
    assert one.square("e8").locator(".letter").text_content() == "K"
    assert one.page.locator(".cell").first.get_attribute("data-square") == "h1"
    one.square("e1").focus()
    assert one.page.inner_text("#huge").split() == ["e1", "K"]


def test_the_last_move_can_be_huge(played, tab):
    pages = played()
    one = tab(pages, settings='{"huge": "last"}')
    pages.type("e4", "yes")
    one.until("document.getElementById('huge').textContent.includes('e4')")


def test_the_browser_speaks_messages_to_their_end_and_the_newest_square(played, tab):
    pages = played()
    one = tab(pages, settings='{"speech": true}')
    one.page.evaluate("""() => {
      window.spoken = [];
      window.current = null;
      speechSynthesis.speak = (said) => { spoken.push(said.text); current = said; };
      speechSynthesis.cancel = () => { const said = current; current = null; said?.onerror(); };
    }""")
    pages.say("One.")
    pages.say("Two.")
    one.until("spoken.length === 1")
    one.square("e4").focus()
    one.press("ArrowUp", "ArrowUp")
    one.page.evaluate("current.onend()")
    one.page.evaluate("current.onend()")
    assert one.page.evaluate("spoken") == ["One.", "Two.", "e6, empty"]
    one.press("ArrowUp")
    assert one.page.evaluate("spoken.at(-1)") == "e7, black pawn"  # at once: a square gives way to the next


def test_nothing_moves_by_itself(still):
    moving = still.page.evaluate("""[...document.querySelectorAll('*')].filter((one) => {
      const style = getComputedStyle(one);
      return style.animationName !== 'none' || parseFloat(style.transitionDuration) > 0;
    }).length""")
    assert moving == 0
