# SPDX-License-Identifier: GPL-3.0-or-later
"""The arbiter's desk: what comes from the tables is told, what he says goes to them and is answered."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.desks import Arbiter, HallRoom
from support.examples import examples
from support.halls import ToldGame
from support.languages import LANGUAGES

from acessivel.app.activity import TimePassed
from acessivel.devices import keys
from acessivel.dialogue import arbiter_menu
from acessivel.hall import desk_news, desk_orders
from acessivel.hall.board import HallRecord
from acessivel.hall.desk import ANNOUNCEMENTS, Desk, DeskNews, PairRound
from acessivel.hall.desk_link import StoreNews
from acessivel.hall.entries import DrawStands, GameAdjourned, RulingAwaited
from acessivel.hall.round_clerk import RoundNews
from acessivel.hall.store import Taken
from acessivel.hall.tournament_round import Seats
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.web import hall_view, view
from acessivel.web.page_text import plain
from braille.displays import AltKey, NamedKey
from voices.hearing.utterances import Utterance
from voices.meaning import QUESTIONS, Command, CommandName
from voices.recognisers import Hypothesis
from voices.understanding import desk_words
from voices.understanding.desk_words import DeskOrder, DeskWord
from voices.words.lexicon import vocabulary

MINUTE = 60_000
CLAIMED = {"clock": "90", "laws": "fide-2009"}


@pytest.fixture
def room(tmp_path):
    found = HallRoom(tmp_path)
    yield found
    found.store.close()


def calls(game):
    return game.say("arbiter", "no")


def claims(game):
    """A draw that only the arbiter can give."""
    game.say("e4", "yes")
    game.happen(ev.Tick(at=89 * MINUTE))
    return game.say("claim draw", "yes")


def told_at(game):
    return [message.key for message in game.state.told.last]


# What comes up


def test_the_desk_tells_how_many_tables_play_and_what_waits(room):
    room.table(1), room.table(2)
    assert Arbiter(room).lines[-2:] == ["2 tables: 2 still playing, 0 over.", "Nothing waits."]


def test_a_game_that_is_adjourned_is_not_over(room):
    game = room.table(1).say("e4", "yes")
    room.table(2).say("resign", "yes")
    adjourned = GameAdjourned("2030-01-01T10:00:00", "")
    game.records.append(HallRecord(1, game.game, len(game.records), 0, adjourned))
    assert Arbiter(room).lines[-3:-1] == ["2 tables: 0 still playing, 1 over.", "1 game is adjourned."]


def test_what_waits_before_somebody_sits_down_is_no_news_but_waits(room):
    calls(room.table(12))
    eva = Arbiter(room)
    assert eva.lines[-1] == "1 case waits."
    assert eva.say("next") == ["Table 12 calls the arbiter."]


def test_what_comes_up_is_told_by_itself_once_and_next_goes_to_it(room):
    game = room.table(12, white="Ana", black="Rui").say("e4", "yes")
    eva = Arbiter(room)
    calls(game)
    assert eva.news() == ["Table 12 calls the arbiter."]
    assert eva.news() == []
    assert eva.say("next") == ["Table 12 calls the arbiter."]
    assert eva.say("table 12")[:2] == ["Table 12 calls the arbiter.", "Table 12: Ana against Rui."]


def test_the_most_urgent_comes_first_whatever_came_first(room):
    ended, called, claimed = room.table(3), room.table(2), room.table(1, **CLAIMED)
    eva = Arbiter(room)
    ended.happen(ev.Tick(at=91 * MINUTE))
    assert eva.news() == ["Table 3: Black wins, the flag has fallen."]
    calls(called)
    eva.news()
    claims(claimed)
    assert eva.news()[0].startswith("Table 1, you decide: ")
    assert eva.say("queue") == ["3 cases wait.", "1 decision", "2 call", "3 over"]
    told = [eva.say("next")[0].partition(",")[0].partition(" calls")[0].partition(":")[0] for _ in range(4)]
    assert told == ["Table 1", "Table 2", "Table 3", "Table 1"]


def test_of_many_that_come_up_together_the_first_are_told_and_how_many_more(room):
    games = [room.table(number) for number in range(1, 6)]
    eva = Arbiter(room)
    for game in games:
        calls(game)
    assert eva.news() == [*(f"Table {n} calls the arbiter." for n in (1, 2, 3)), "And 2 more."]


def test_what_comes_up_is_told_whole_however_long_it_is(room):
    eva = Arbiter(room)
    for game in [room.table(number, **CLAIMED) for number in (1, 2, 3)]:
        claims(game)
    told = eva.news()
    assert [line.partition(",")[0] for line in told] == ["Table 1", "Table 2", "Table 3"]


def test_an_offer_of_a_draw_is_shown_and_not_said(room):
    game = room.table(4)
    eva = Arbiter(room)
    game.records.append(HallRecord(4, game.game, len(game.records), 0, DrawStands("white")))
    assert eva.news() == []
    assert "4 draw" in eva.shown
    assert eva.say("next") == ["Table 4: White offers a draw."]


def test_an_illegal_move_that_was_found_and_one_that_stands_are_told(room):
    found, stands = room.table(1, strict=True), room.table(2, strict=True, supervised=False)
    eva = Arbiter(room)
    found.say("e2 e5", "yes")
    stands.say("e2 e5", "yes")
    assert eva.news() == [
        "Table 1: illegal move by White.",
        "Table 2: move 1 of White is illegal, and nobody has said so.",
    ]


def test_a_table_that_is_cut_off_is_lost_and_one_that_ends_its_program_has_left(room):
    room.table(1), room.table(2), room.table(3).happen(ev.Tick(at=91 * MINUTE))
    eva = Arbiter(room)
    room.gone = {1}
    room._links[2].alive(leaves=True)
    room.gone |= {2, 3}
    room.now_ms += 20_000
    assert eva.news() == [
        "Table 1 is not reached any more.",
        "Table 2 has ended its program in the middle of the game.",
    ]
    room.gone = set()
    assert eva.news() == []
    assert eva.say("queue") == ["1 case waits.", "3 over"]


def test_a_table_that_could_not_reach_the_hall_is_not_lost_before_it_had_the_time(room):
    game = room.table(1)
    desk = Desk("Eva", ("en", "fide"))
    minute = room.now_ms + MINUTE
    for now_ms, since_ms, lost in (
        (minute, minute, 0),
        (minute + 14_000, minute, 0),
        (minute + 16_000, minute, 1),
    ):
        news = DeskNews(now_ms, tuple(game.records), room.store.seen(), since_ms=since_ms)
        assert len(desk_news.informed(desk, news).waiting) == lost


def test_what_comes_up_waits_for_what_is_being_said_but_what_is_urgent_only_for_a_moment(room):
    ended, called = room.table(1), room.table(2)
    eva = Arbiter(room)
    eva.say("results")
    ended.happen(ev.Tick(at=91 * MINUTE))
    eva.voice.speak([], None)
    eva.voice.on_end = lambda: None  # something is being said
    room.push()
    assert eva.activity.wakes_in_ms(0, quiet=False) is None
    calls(called)
    assert eva.news() == ["Table 2 calls the arbiter.", "Table 1: Black wins, the flag has fallen."]


def test_the_end_of_a_game_waits_for_what_is_being_said_but_not_the_end_by_a_flag(room):
    desk = desk_news.informed(Desk("Eva", ("en", "fide")), DeskNews(0))
    for game, urgent in ((room.table(1).say("resign", "yes"), False), (room.table(2), True)):
        game.happen(ev.Tick(at=91 * MINUTE))
        desk = desk_news.informed(desk, DeskNews(0, tuple(game.records)))
        assert desk.has_news
        assert desk.urgent is urgent


def test_the_question_is_put_again_after_what_came_up(room):
    game, other = room.table(1), room.table(2)
    eva = Arbiter(room)
    eva.say("table 1", "decide", "1", "1")
    calls(other)
    assert eva.news() == ["Table 2 calls the arbiter.", "Table 1. Warn White?"]
    eva.say("yes")
    eva.news()
    assert game.state.game.notes[-1].message == Message.of("warned", colour="white")


# What is decided


def test_a_claim_is_decided_at_the_desk_and_the_table_applies_it(room):
    game = claims(room.table(1, **CLAIMED))
    eva = Arbiter(room)
    eva.say("next")
    assert eva.say("decide") == ["Table 1. The claim: 1, correct; 2, rejected; 3, the decision is postponed."]
    assert eva.say("1") == ["Table 1. Is the claim correct?"]
    assert eva.say("yes") == ["Sent to table 1."]
    assert eva.news() == [
        "Table 1: draw, decision of the arbiter.",
        "Table 1 has applied it: decision on the claim.",
    ]
    assert game.state.game.result.score == "1/2-1/2"
    assert "Eva" in [dict(note.message.values).get("name") for note in game.state.game.notes]
    assert "1: draw" in " ".join(eva.say("results")) or eva.say("results")


def test_a_no_to_the_claim_s_question_leads_to_the_menu_and_another_leaves_it(room):
    claims(room.table(1, **CLAIMED))
    eva = Arbiter(room)
    eva.say("next", "decide")
    assert eva.say("no")[0].startswith("Table 1. Arbiter.")
    assert eva.say("no") == ["Nothing was decided."]
    assert eva.say("yes") == ["Nothing is asked."]


@pytest.mark.parametrize(
    ("numbers", "asked", "note"),
    [
        (("1", "2"), "Warn Black?", Message.of("warned", colour="black")),
        (("5", "3"), "Is this the result: draw?", Message.of("declared", result=Message.of("result_draw"))),
    ],
)
def test_the_menu_is_that_of_the_table(room, numbers, asked, note):
    game = room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    eva.say("7")
    assert eva.say("decide", *numbers) == [f"Table 7. {asked}"]
    eva.say("yes")
    eva.news()
    assert note in [one.message for one in game.state.game.notes]


def test_a_result_may_be_written_where_it_is_asked_for_and_is_no_other(room):
    room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    assert eva.say("7", "decide", "0-1")[0] == "I did not understand. Please say it again."
    eva.say("5")
    for other in ("+-", "-+", "--", "1-0 0-1", "½-0"):
        assert eva.say(other)[0] == "I did not understand. Please say it again."
    for text, told in (
        ("1-0", "White wins"),
        ("0-1", "Black wins"),
        ("½-½", "draw"),
        ("0-0", "lost for both"),
    ):
        assert eva.say("decide", "5", text) == [f"Table 7. Is this the result: {told}?"]


def test_time_is_given_by_the_numbers_that_are_asked(room):
    game = room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    before = game.state.game.clock.left("white", 0)
    assert eva.say("7", "decide", "2", "1", "1", "5", "0") == ["Table 7. Give White 5 minutes more?"]
    eva.say("yes")
    eva.news()
    assert game.state.game.clock.left("white", 0) == before + 5 * MINUTE


def test_clocks_of_a_table_are_stopped_at_a_word_and_held_until_they_may_run(room):
    game = room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    assert eva.say("7", "stop the table") == ["Sent to table 7."]
    assert eva.news() == ["Table 7 has applied it: stop the clocks."]
    assert game.state.clocks.stopped
    assert "The clocks are stopped." in eva.say("7")
    eva.say("start the table")
    eva.news()
    assert not game.state.clocks.stopped


def test_what_a_table_did_not_apply_is_a_case_with_its_reason(room):
    game = room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    eva.say("7", "decide", "1", "1")
    game.happen(ev.Tick(at=200 * MINUTE))
    eva.say("yes")
    told = eva.news()
    assert told[0].startswith("Table 7 did not apply this, by Eva: warning. No more moves can be made.")
    assert eva.say("next")[0] == told[0]
    assert eva.say("done") == ["Settled: 7 not applied.", "1 case waits."]


def begins_anew(room, number):
    """Another game at a table, in whose place the one before is told nothing more."""
    game = ToldGame(number, "ff", clock="90", language="en", laws="fide-2018")
    room.tables[number], room._pushed[number], room._seen[number] = game, 0, 0
    room.now_ms += 1000


def test_what_the_page_has_before_it_is_another_for_each_table_game_and_case(room):
    game = room.table(7)
    calls(game), room.table(3)
    eva = Arbiter(room)

    def before():
        return eva.activity.view(()).hall.before

    found = [before()]
    for text in ("table 3", "table 7"):
        eva.say(text)
        found.append(before())
    game.happen(ev.Tick(at=91 * MINUTE))
    eva.news()
    found.append(before())
    eva.say("next"), eva.say("results")  # of the same case
    assert before() == found[-1]
    eva.say("settled")
    found.append(before())
    begins_anew(room, 7), eva.news()
    found.append(before())
    assert len(set(found)) == len(found) == 6


def test_what_is_asked_about_a_game_in_whose_place_another_is_begun_is_withdrawn(room):
    room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    eva.say("7", "decide", "5", "1")
    begins_anew(room, 7)
    assert eva.news() == ["Table 7 has begun another game: nothing was decided."]
    assert eva.say("yes") == ["Nothing is asked."]


def test_what_a_table_has_not_answered_before_it_begins_another_game_is_told(room):
    room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    eva.say("7", "decide", "1", "1"), eva.say("yes")
    begins_anew(room, 7)
    assert eva.news() == ["Table 7 has begun another game, and has not answered this: warning."]
    assert eva.news() == []
    assert not eva.activity._desk.proposed


def test_a_round_is_stopped_and_begun_after_a_yes(room):
    games = [room.table(number) for number in range(1, 6)]
    eva = Arbiter(room)
    assert eva.say("stop the round") == ["Stop the clocks of 5 tables?"]
    assert eva.say("no") == ["Nothing was decided."]
    assert not any(game.state.clocks.stopped for game in games)
    assert eva.say("stop the round", "yes") == ["Sent to 5 tables."]
    assert eva.news() == ["5 tables have applied it: stop the clocks."]
    assert all(game.state.clocks.stopped for game in games)
    eva.say("start the round", "yes")
    eva.news()
    assert not any(game.state.clocks.stopped for game in games)


def test_what_goes_to_all_tables_goes_also_to_one_that_has_begun_before_the_yes(room):
    games = [room.table(1)]
    eva = Arbiter(room)
    assert eva.say("stop the round") == ["Stop the clocks of 1 table?"]
    games.append(room.table(2))
    eva.news()
    assert eva.say("yes") == ["Sent to 2 tables."]
    eva.news()
    assert all(game.state.hall.held for game in games)
    eva.say("announce quiet please")
    games.append(room.table(3))
    eva.news()
    assert eva.say("yes") == ["Sent to 3 tables."]


def test_an_announcement_is_told_at_each_table_in_its_own_language(room):
    games = [room.table(n, language=language) for n, language in enumerate(LANGUAGES, 1)]
    eva = Arbiter(room)
    told = eva.say("announce")
    assert len(told) == 1 + len(ANNOUNCEMENTS)
    assert eva.say("3") == ["Announce this at 4 tables: Silence, please."]
    eva.say("yes")
    eva.news()
    assert all("hall_says_quiet" in told_at(game) for game in games)
    eva.say("announce Lunch is at one.", "yes")
    eva.news()
    assert Message.of("hall_says", text="Lunch is at one.") in games[0].state.told.last


def test_who_sits_where_is_announced_at_each_table_of_the_round(room):
    games = [room.table(n) for n in (1, 2)]
    eva = Arbiter(room)
    seats = {n: Seats("Ana", "Rui", Message.of("hall_says", text=f"Table {n}")) for n in (1, 2)}
    eva.loop.take(RoundNews(1, (Message.of("hall_says", text="odd"),), seats=seats))
    assert eva.lines[-1] == "Announcement: odd"
    assert eva.say("announce", str(len(ANNOUNCEMENTS) + 1)) == ["Tell 2 tables who sits there?"]
    eva.say("yes")
    eva.news()
    assert [seats[n].message in game.state.told.last for n, game in enumerate(games, 1)] == [True, True]


@pytest.mark.parametrize(
    ("given", "seat", "told"),
    [
        (("Ana", "Rui"), None, "Ana against Rui"),
        (("Ana", "Rui"), ("Eva", "Ivo"), "Ana against Rui"),
        (("Player", "Player"), ("Eva", "Ivo"), "Eva against Ivo"),
        (("Spieler", "Rui"), None, "White against Rui"),
        (("?", "Jogador"), None, "White against Black"),
    ],
)
def test_players_are_named_as_at_their_table_or_in_the_tournament_or_else_by_their_colours(
    room, given, seat, told
):
    game = room.table(7, white=given[0], black=given[1])
    eva = Arbiter(room)
    if seat:
        eva.loop.take(RoundNews(seats={7: Seats(*seat, Message.of("desk_quiet"))}, games={7: game.game}))
    assert eva.say("table 7")[0] == f"Table 7: {told}."
    assert eva.say("unfinished")[1] == f"Table 7: {told}, move 1."
    shown = eva.activity.view(()).hall
    rows = [next(hall_view.tables(Renderer("en"), shown, role)) for role in ("arbiter", "spectator")]
    assert [f"{row['white']} against {row['black']}" for row in rows] == [told, told]
    game.say("resign", "yes")
    eva.news()
    assert eva.say("results")[0].startswith(f"Table 7: {told}, ")


def test_only_who_plays_the_round_s_game_is_named_by_the_tournament(room):
    room.table(7, white="Player", black="Player").say("resign", "yes")
    eva = Arbiter(room)
    seats = {7: Seats("Eva", "Ivo", Message.of("desk_quiet"))}
    eva.loop.take(RoundNews(seats=seats))  # the game is one of the round before
    assert eva.say("table 7")[1] == "Table 7: White against Black."
    assert eva.say("results")[0].startswith("Table 7: White against Black, ")
    begins_anew(room, 7)
    eva.news(), eva.loop.take(RoundNews(seats=seats, games={7: "ff"}))
    assert eva.say("table 7")[0] == "Table 7: Eva against Ivo."


def test_who_stops_is_told_that_the_live_games_lack_what_is_delayed(room):
    room.table(7).say("resign", "yes")
    eva = Arbiter(room, delay_ms=15 * MINUTE)
    assert eva.say("stop") == ["Do you want to stop?"]  # it keeps no tournament
    eva.say("no")
    eva.loop.take(RoundNews(seats={7: Seats("Eva", "Ivo", Message.of("desk_quiet"))}))
    assert " ".join(eva.say("stop")) == (
        "What is less than 15 minutes ago is not in the live games yet. If you stop now, it comes there only when "
        "the desk is begun again for this round. Do you want to stop?"
    )
    eva.say("no")
    room.now_ms += 16 * MINUTE
    eva.news()
    assert eva.say("stop") == ["Do you want to stop?"]


def test_the_results_of_the_tournament_s_file_are_told_in_place_of_what_was_played(room):
    game = room.table(2, white="Ana", black="Rui").say("resign", "yes")
    eva = Arbiter(room)
    seats = {n: Seats(f"White {n}", f"Black {n}", Message.of("desk_quiet")) for n in (1, 2)}
    eva.loop.take(RoundNews(seats=seats, games={2: game.game}))
    assert eva.say("results")[0] == "Table 2: Ana against Rui, Black wins."
    eva.loop.take(RoundNews(seats=seats, games={2: game.game}, results={1: "+-", 2: "1/2-1/2"}))
    assert eva.say("results")[:2] == [
        "Table 1: White 1 against Black 1, White wins by forfeit.",
        "Table 2: White 2 against Black 2, draw.",
    ]


def test_what_an_arbiter_has_written_is_told_at_the_table_and_on_the_pages(room):
    game, other = room.table(2).say("e4", "yes"), room.table(3)
    eva = Arbiter(room, delay_ms=15 * MINUTE)
    names = {n: Seats(f"White {n}", f"Black {n}", Message.of("desk_quiet")) for n in (1, 2, 3)}
    round_ = RoundNews(seats=names, games={2: game.game, 3: other.game}, results={1: "+-"})

    def file_has(result):
        eva.loop.take(replace(round_, results={**round_.results, 2: result}))

    def rows():
        shown = eva.activity.view(()).hall
        found = (hall_view.tables(Renderer("en"), shown, role) for role in ("arbiter", "spectator"))
        return [{row["table"]: row["status"] for row in one}.get(2) for one in found]

    room.now_ms += 16 * MINUTE
    game.say("resign", "yes"), eva.news()
    file_has("1-0")
    assert eva.say("table 2")[-1].startswith("The game is over: White wins, resignation")
    assert eva.say("table 1") == ["Table 1: White 1 against Black 1, White wins by forfeit."]
    assert eva.say("table 4") == ["There is no table 4."]
    file_has("1/2-1/2")
    assert eva.say("table 2")[-1] == "In the tournament's file: draw."
    arbiter, spectator = rows()
    assert arbiter.endswith("In the tournament's file: draw.")
    assert spectator.startswith("Black to move")
    room.now_ms += 16 * MINUTE
    eva.news()
    assert rows()[1] == "In the tournament's file: draw."
    assert eva.say("table 3")[-1].startswith("Black")


def test_a_forfeit_without_a_game_has_its_row_on_the_pages_in_the_order_of_the_tables(room):
    room.table(1), room.table(2, white="Ana", black="Rui").say("resign", "yes"), room.table(3)
    eva = Arbiter(room)
    names = {n: Seats(f"White {n}", f"Black {n}", Message.of("desk_quiet")) for n in range(5)}

    def rows():
        shown = eva.activity.view(()).hall
        arbiter, spectator = (
            hall_view.tables(Renderer("en"), shown, role) for role in ("arbiter", "spectator")
        )
        return list(arbiter), list(spectator)

    forfeits = dict.fromkeys((0, 2, 3, 4), "+-")
    eva.loop.take(RoundNews(seats=names, results=forfeits, unbegun=frozenset({2, 3})))
    arbiter, spectator = rows()
    assert [row["table"] for row in arbiter] == [row["table"] for row in spectator] == [0, 1, 2, 3, 4]
    written = "In the tournament's file: White wins by forfeit."
    wanted = {"table": 4, "white": "White 4", "black": "Black 4", "status": written, "moves": ""}
    assert arbiter[4] == wanted | {"types": "table 4"}
    assert spectator[4] == wanted | {"types": ""}
    # Where a game of the round before is over, the row is that of the forfeit; it is looked at all the same.
    assert (arbiter[2]["white"], arbiter[2]["status"]) == (
        "White 2",
        f"Table 2: Black wins, resignation. {written}",
    )
    assert spectator[2]["status"] == written
    assert eva.say("table 2")[0] == "Table 2: White 2 against Black 2, White wins by forfeit."
    assert eva.activity.view(()).hall.at.white == "Ana"
    # A game that is being played is shown, whatever the file has.
    assert arbiter[3]["status"].startswith("White to move")
    assert "table four" in eva.activity.expectation()[1]


def test_each_of_sixty_tables_is_reached_by_its_number_also_before_its_game(room):
    begun = (7, 30, 60)
    for number in begun:
        room.table(number, white=f"White {number}", black=f"Black {number}")
    eva = Arbiter(room)
    names = {n: Seats(f"White {n}", f"Black {n}", Message.of("desk_quiet")) for n in range(1, 61)}
    eva.loop.take(RoundNews(seats=names))
    phrases = eva.activity.expectation()[1]
    for number in range(1, 61):
        pair = f"Table {number}: White {number} against Black {number}."
        for said in (str(number), f"table {number}"):
            told = eva.say(said)
            assert told[0] == pair
            assert (told[1:] == ["No game has begun there yet."]) is (number not in begun)
        (spoken,) = desk_words.answers((number,), "letters", "en")[:1]
        assert f"table {spoken}" in phrases
    assert eva.say("61") == ["There is no table 61."]


def test_everybody_sees_no_forfeit_in_place_of_a_game_whose_end_is_held_back(room):
    game = room.table(2)
    eva = Arbiter(room, delay_ms=15 * MINUTE)
    room.now_ms += 16 * MINUTE
    game.say("resign", "yes"), eva.news()
    seats = {2: Seats("Ana", "Rui", Message.of("desk_quiet"))}
    eva.loop.take(RoundNews(seats=seats, results={2: "+-"}, unbegun=frozenset({2})))
    shown = eva.activity.view(()).hall
    assert (shown.tables[0].white, shown.public[0].white) == ("Ana", "white")


def test_the_end_of_the_round_s_game_waits_also_if_another_was_begun_meanwhile(room):
    one = room.table(7, white="Player", black="Player")
    eva = Arbiter(room)
    seats = {7: Seats("Eva", "Ivo", Message.of("desk_quiet"))}
    one.say("resign", "yes"), room.push()
    begins_anew(room, 7)
    assert eva.news() == []
    eva.loop.take(RoundNews(seats=seats, games={7: one.game}))
    assert eva.news() == ["Table 7: Black wins, resignation."]
    assert eva.say("results")[0] == "Table 7: Eva against Ivo, Black wins."
    # What is decided is about the game that is played, and takes on no case of the other.
    assert eva.say("7", "decide")[0].startswith("Table 7. Arbiter. Say the number:")
    assert not eva.activity._desk.asked.taken
    eva.say("no", "settled")
    assert eva.news() == []
    assert eva.say("what waits") == ["Nothing waits."]


DECISIONS = [
    (str(at), *(["1"] * len(parts)))
    for at, (what, parts) in enumerate(arbiter_menu.MENU.items(), 1)
    if what not in ("more", "claim")
] + [("9", str(at), *(["1"] * len(parts))) for at, parts in enumerate(arbiter_menu.FOUND.values(), 1)]


@pytest.mark.parametrize("numbers", DECISIONS, ids=" ".join)
def test_each_number_of_the_menu_is_answered_by_the_table(room, numbers):
    room.table(7).say("e4", "yes", "e5", "yes")
    eva = Arbiter(room)
    eva.say("table 7", "decide", *numbers)
    assert eva.say("yes") == ["Sent to table 7."]
    told = " ".join((*eva.news(), *eva.news()))
    assert "Table 7 has applied it: " in told or "Table 7 did not apply this, by Eva: " in told
    assert not eva.loop._stumbles


def test_the_clocks_of_the_menu_are_stopped_and_started(room):
    game = room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    for applied, stopped in (("stop the clocks", True), ("let the clocks run", False)):
        eva.say("table 7", "decide", "3", "yes")
        assert eva.news() == [f"Table 7 has applied it: {applied}."]
        assert game.state.clocks.stopped == stopped


def test_the_clocks_of_the_menu_do_what_was_asked_though_a_player_has_stopped_them_since(room):
    game = room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    assert eva.say("table 7", "decide", "3") == ["Table 7. Stop the clocks?"]
    game.say("stop the clock")
    eva.news()
    assert eva.say("yes") == ["Sent to table 7."]
    eva.news()
    assert game.state.clocks.stopped
    assert eva.say("table 7", "decide", "3") == ["Table 7. Let the clocks run?"]
    eva.say("yes"), eva.news()
    assert not game.state.clocks.stopped


def test_a_claim_that_nobody_has_made_cannot_be_decided(room):
    room.table(7)
    eva = Arbiter(room)
    eva.say("table 7", "decide")
    told = eva.say("6")
    assert told[0] == "There is no claim to decide at table 7."
    assert told[1].startswith("Table 7. Arbiter. ")


def test_a_claim_that_comes_while_the_menu_is_open_is_decided_by_its_number(room):
    game = room.table(7, **CLAIMED)
    eva = Arbiter(room)
    eva.say("table 7", "decide")
    claims(game), eva.news()
    assert eva.say("6")[0].startswith("Table 7. The claim: 1, correct;")
    eva.say("1", "yes"), eva.news()
    assert game.state.game.result.score == "1/2-1/2"


def test_the_help_to_a_question_is_how_it_is_answered(room):
    room.table(7)
    eva = Arbiter(room)
    eva.say("table 7", "decide", "1")
    assert eva.say("help") == [
        "Answer the question, or say no. Any other order withdraws it.",
        "Table 7. Which side? 1, White; 2, Black.",
    ]


# Several arbiters


def test_arbiters_see_who_has_taken_what(room):
    games = [room.table(1), room.table(2)]
    eva, ivo = Arbiter(room, "Eva"), Arbiter(room, "Ivo")
    calls(games[0])
    eva.news(), ivo.news()
    assert eva.say("next", "take") == ["Yours: 1 call."]
    calls(games[1])
    ivo.say("next", "take")
    assert ivo.lines[-1] == "Eva has it."
    assert ivo.news()[0] == "Table 2 calls the arbiter."
    assert ivo.say("next") == ["Table 2 calls the arbiter.", "1 more waits."]
    eva.news()
    assert eva.say("who is here") == ["Eva: 1 call.", "Ivo: nothing taken on."]
    assert ivo.say("table 1")[:2] == ["Table 1 calls the arbiter.", "Eva has it."]
    assert eva.say("table 1", "settled") == ["Settled: 1 call.", "1 case waits."]
    ivo.news()
    assert ivo.say("who is here") == ["Ivo: nothing taken on.", "Eva: nothing taken on."]


def test_a_call_that_is_handed_back_waits_again(room):
    game = calls(room.table(1))
    eva, ivo = Arbiter(room, "Eva"), Arbiter(room, "Ivo")
    eva.say("next", "take")
    eva.news(), ivo.news()
    assert ivo.say("next") == ["1 case waits."]
    eva.say("hand it back")
    assert eva.news() == []
    assert ivo.news() == ["Table 1 calls the arbiter."]
    assert ivo.say("next") == ["Table 1 calls the arbiter."]
    game.say("e4", "yes"), ivo.say("take")
    assert ivo.news() == []  # the table was told already; its next move makes no other case
    ivo.say("decide", "1", "1", "yes")
    ivo.news(), ivo.news()
    assert ivo.say("next") == ["Nothing waits."]


def test_of_two_arbiters_who_want_a_case_at_once_one_has_it_and_goes_there(room):
    game = calls(room.table(1))
    eva, ivo = Arbiter(room, "Eva"), Arbiter(room, "Ivo")
    eva.say("next"), ivo.say("next")
    eva.say("take")
    assert ivo.say("take") == ["Eva has it."]  # nothing was told as his before
    eva.news(), ivo.news()
    assert [one.by for one in game.state.hall.proposals] == ["Eva"]
    assert eva.say("take") == ["It is yours, Eva."]


def test_of_two_arbiters_who_decide_at_once_one_is_asked_what(room):
    game = calls(room.table(1))
    eva, ivo = Arbiter(room, "Eva"), Arbiter(room, "Ivo")
    eva.say("next", "decide", "1", "1")
    told = ivo.say("next", "decide")
    assert told[-1] == "Eva has it."
    assert ivo.say("1")[0] != "Table 1. Which side? 1, White; 2, Black."
    eva.say("yes"), eva.news(), eva.news()
    assert [one.what for one in game.state.hall.proposals] == ["coming", "warn"]


def test_who_has_called_is_told_that_the_arbiter_comes(room):
    game = calls(room.table(1))
    eva = Arbiter(room)
    eva.say("next", "take")
    assert eva.news() == []
    assert "hall_coming" in told_at(game)
    assert not game.state.hall.called
    assert eva.say("settled") == ["Settled: 1 call.", "Nothing waits."]
    assert eva.news() == []
    assert calls(game).state.hall.called
    assert eva.news() == ["Table 1 calls the arbiter."]


@pytest.mark.parametrize(
    "orders",
    [
        ("take", "settled"),
        ("settled",),
        ("decide", "settled"),
        ("decide", "decide"),
        ("decide", "take", "settled"),
    ],
)
def test_that_the_arbiter_comes_is_told_once(room, orders):
    game = calls(room.table(1))
    eva = Arbiter(room)
    eva.say("next", *orders), eva.news()
    assert [one.what for one in game.state.hall.proposals] == ["coming"]


def test_a_decision_that_is_put_off_is_told_once_while_play_goes_on(room):
    game = claims(room.table(1, **CLAIMED))
    eva = Arbiter(room)
    eva.say("next", "decide", "3", "yes")
    first = eva.news() + eva.news()
    assert sum("plays on" in line for line in first) == 1
    for move in ("e5", "Nf3", "Nc6"):
        game.say(move, "yes")
        assert eva.news() == []


def test_the_round_is_stopped_also_where_players_have_stopped_their_clocks(room):
    first, second = room.table(1).say("stop the clock"), room.table(2)
    eva = Arbiter(room)
    eva.say("stop the round", "yes")
    eva.news()
    assert all(game.state.hall.held and game.state.clocks.stopped for game in (first, second))
    eva.say("stop the round", "yes")
    assert eva.news() == [f"Table {n} has applied it: stop the clocks." for n in (1, 2)]
    assert eva.say("next") == ["Nothing waits."]


def test_a_case_is_handed_back_and_settled_for_all(room):
    room.table(1).happen(ev.Tick(at=91 * MINUTE))
    eva, ivo = Arbiter(room, "Eva"), Arbiter(room, "Ivo")
    eva.say("next", "take")
    ivo.news()
    assert ivo.say("queue") == ["1 case waits.", "1 over (Eva)"]
    assert ivo.say("next") == ["1 case waits."]
    assert ivo.say("table 1", "done") == ["Eva has it."]
    assert eva.say("hand back") == ["Handed back: 1 over."]
    ivo.news()
    assert ivo.say("next", "done") == ["Settled: 1 over.", "Nothing waits."]
    eva.news()
    assert eva.say("queue") == ["Nothing waits."]


def test_a_case_that_was_not_told_yet_is_told_before_it_can_be_settled(room):
    game = calls(room.table(7))
    eva = Arbiter(room)
    assert eva.say("next") == ["Table 7 calls the arbiter."]
    game.say("resign", "yes")
    eva.news_in_between()
    assert eva.say("settled") == ["Table 7: Black wins, resignation."]
    assert eva.news() == []
    assert eva.say("settled") == ["Settled: 7 over.", "Nothing waits."]


def test_what_a_table_tells_who_goes_there_is_told(room):
    game = room.table(7)
    eva = Arbiter(room)
    game.say("resign", "yes")
    eva.news_in_between()
    assert eva.say("table 7")[0] == "Table 7: Black wins, resignation."
    assert eva.say("settled") == ["Settled: 7 over.", "Nothing waits."]


def test_a_case_of_an_arbiter_who_is_gone_is_taken_over_and_he_is_named(room):
    claims(room.table(1, **CLAIMED)), calls(room.table(2))
    eva, ivo = Arbiter(room, "Eva"), Arbiter(room, "Ivo")
    eva.say("table 1", "take"), eva.say("table 2", "take")
    ivo.news()
    assert ivo.say("table 1", "take") == ["Eva has it."]
    room.now_ms += 2 * MINUTE
    told = ivo.news()
    assert told[0].startswith("Table 1, you decide: ")
    assert told[1] == "Table 2 calls the arbiter."
    assert ivo.say("who is here") == [
        "Ivo: nothing taken on.",
        "Eva, who is not here: 1 decision, 2 call.",
    ]
    assert ivo.say("next")[0].startswith("Table 1, you decide: ")
    assert ivo.say("table 2")[2] == "Eva has it, and is not here."
    assert ivo.say("take") == ["Yours: 2 call."]
    assert ivo.say("table 1", "decide")[0].startswith("Table 1. The claim: ")
    eva.news()
    assert eva.say("table 1", "decide") == ["Ivo has it."]


def test_what_is_asked_about_a_case_that_another_has_taken_over_is_withdrawn(room):
    claims(room.table(1, **CLAIMED))
    eva, ivo = Arbiter(room, "Eva"), Arbiter(room, "Ivo")
    eva.say("next", "decide"), eva.news()
    room.now_ms += 2 * MINUTE
    ivo.news(), ivo.say("next", "take")
    assert eva.news() == ["Ivo has it."]
    assert eva.say("yes") == ["Nothing is asked."]


@pytest.mark.parametrize("left", [("no", "no"), ("what waits",)])
def test_a_case_about_which_nothing_was_decided_waits_for_all(room, left):
    claims(room.table(1, **CLAIMED))
    eva, ivo = Arbiter(room, "Eva"), Arbiter(room, "Ivo")
    eva.say("next", "decide"), ivo.news()
    assert ivo.say("next") == ["1 case waits."]
    eva.say(*left), ivo.news()
    ivo.say("next")
    assert ivo.say("decide")[0].startswith("Table 1. The claim: ")


def test_a_flag_that_falls_again_is_a_case_that_nobody_has(room):
    game = room.table(1, clock="3", laws="fide-2009", two_boards=True).say("e4", "yes")
    eva, ivo = Arbiter(room, "Eva"), Arbiter(room, "Ivo")
    game.happen(ev.Tick(at=4 * MINUTE)), ivo.news(), eva.news()
    eva.say("next", "take", "decide", "2", "2", "1", "2", "0", "yes")
    eva.news(), ivo.news()
    assert ivo.say("next") == ["Nothing waits."]
    game.happen(ev.Tick(at=9 * MINUTE))
    assert ivo.news() == ["Table 1: the flag of Black has fallen."]


def test_a_case_that_was_settled_does_not_come_back_with_news_from_before(room):
    game = room.table(1)
    desk = desk_news.informed(Desk("Eva", ("en", "fide")), DeskNews(0, tuple(game.records)))
    known = len(game.records)
    desk = desk_news.informed(desk, DeskNews(1, tuple(calls(game).records[known:])))
    desk, _ = desk_news.told_news(desk)
    desk, _, (settles, *_) = desk_orders.ordered(desk_news.looking_at(desk, 1), DeskOrder(DeskWord.DONE))
    for taken in ((), (Taken(settles.item, "Eva", 2),), (Taken(settles.item, "Eva", 2),)):
        desk = desk_news.informed(desk, DeskNews(2, taken=taken))
        assert not desk.waiting
        assert not desk.has_news
    assert not desk.settled


def test_what_only_a_decision_ends_cannot_be_settled_without_one(room):
    claims(room.table(1, **CLAIMED))
    eva = Arbiter(room)
    assert eva.say("next", "done") == ["Table 1 waits for your decision: say decide."]


def test_an_illegal_move_in_a_game_that_was_begun_anew_is_told_like_the_one_before(room):
    game = room.table(1, strict=True)
    eva = Arbiter(room)
    for _ in range(2):
        game.say("e2 e5", "yes")
        assert eva.news() == ["Table 1: illegal move by White."]
        assert eva.say("next", "settled") == ["Settled: 1 illegal.", "Nothing waits."]
        eva.say("table 1", "decide", "8", "yes")  # the initial position was wrong
        eva.news()


def test_a_flag_that_only_a_claim_makes_count_is_settled_until_it_is_claimed(room):
    game = room.table(1, clock="3", laws="fide-2009", two_boards=True).say("e4", "yes")
    eva = Arbiter(room)
    game.happen(ev.Tick(at=4 * MINUTE)), eva.news()
    assert eva.say("next", "settled") == ["Settled: 1 flag.", "Nothing waits."]
    assert eva.news() == []
    ruling = RulingAwaited("flag_asked", Message.of("desk_quiet"))
    game.records.append(HallRecord(1, game.game, len(game.records), 4 * MINUTE, ruling))
    assert eva.news()[0].startswith("Table 1, flag of Black, you decide: ")
    assert eva.say("next", "settled") == ["Table 1 waits for your decision: say decide."]


# What is asked


def test_clocks_who_has_not_finished_and_results(room):
    first, second = room.table(1, white="Ana", black="Rui"), room.table(2)
    first.say("e4", "yes").happen(ev.Tick(at=87 * MINUTE))
    second.happen(ev.Tick(at=91 * MINUTE))
    eva = Arbiter(room)
    room.now_ms += 1
    assert eva.say("clocks under five minutes") == ["No clock is under 5 minutes."]
    room.now_ms += 86 * MINUTE
    eva.news()
    assert eva.say("clocks under five minutes") == ["Table 1: Black has 4 minutes."]
    assert eva.say("who has not finished") == ["1 table still plays.", "Table 1: Ana against Rui, move 1."]
    assert eva.say("results") == ["Table 2: White against Black, Black wins.", "1 table still plays."]


def test_of_a_table_that_is_cut_off_it_is_told_since_when_and_its_clocks_as_they_were_then(room):
    room.table(1).say("e4", "yes")
    eva = Arbiter(room, delay_ms=15 * MINUTE)
    room.gone = {1}
    room.now_ms += 10_000
    eva.news()
    assert eva.say("table 1", "continue")[-1].startswith("Black has 1 hour 29 minutes")
    room.now_ms += 86 * MINUTE
    eva.news()
    since, then = "Nothing has been heard of table 1 for ", "; its clocks are told as they were then."

    def unheard(told):
        return told.startswith(f"{since}1 hour 26 minutes") and told.endswith(then)

    for asked, black in (
        ("table 1", "Black has 1 hour 30 minutes left."),
        ("clock", "Black has 1 hour 30 minutes left."),
        ("clocks under five minutes", "Table 1: Black has 1 hour 30 minutes."),
    ):
        told = [*eva.say(asked), *eva.say("continue"), *eva.say("continue")]
        assert black in told
        assert any(map(unheard, told))
    assert eva.say("clocks under three minutes") == ["No clock is under 3 minutes."]
    clock = eva.activity.view(()).state.game.clock
    assert (clock.running, clock.left("black", eva.loop._now() + MINUTE)) == (None, 90 * MINUTE)
    shown = eva.activity.view(()).hall
    for role, time in (("arbiter", "1 hour 26 minutes"), ("spectator", "1 hour 11 minutes")):
        (row,) = hall_view.tables(Renderer("en"), shown, role)
        assert row["status"].endswith(f"Black has 1 hour 30 minutes left. {since}{time}{then}")
    room.gone = set()
    eva.news()
    (told,) = eva.say("clocks under five minutes")
    assert told.startswith("Table 1: Black has 3 minutes")


def test_the_clocks_of_a_table_that_has_ended_its_program_stand_where_they_were_then(room):
    room.table(1).say("e4", "yes").happen(ev.Tick(at=10 * MINUTE))
    eva = Arbiter(room)
    room.now_ms += 81 * MINUTE + 1
    room._links[1].alive(leaves=True)
    room.gone = {1}
    room.now_ms += 5 * MINUTE
    eva.news()
    left = "Black has 9 minutes left."
    assert left in eva.say("table 1", "continue")
    assert left in eva.say("clock")
    assert eva.say("clocks under 10 minutes") == ["Table 1: Black has 9 minutes."]
    view = eva.activity.view(())
    assert [row.left["black"] for row in (*view.hall.tables, *view.hall.public)] == [480_000, 480_000]
    assert view.state.game.clock.running is None


def test_the_position_of_the_table_answers_questions_and_its_board_is_under_the_fingers(room):
    room.table(9).say("e4", "yes")
    eva = Arbiter(room)
    assert eva.say("position") == ["Which table? Say table 9."]
    eva.say("table 9")
    assert eva.say("last move") == ["1, White: Bauer Eva zwei Eva vier."]
    assert eva.say("whose turn") == ["Black to move, move 1."]
    assert eva.key(NamedKey.CURSOR_UP)
    assert eva.say("all tables")[0] == "1 table: 1 still playing, 0 over."
    assert eva.activity.view(()).state is None


def test_enter_goes_on_with_a_long_answer_although_the_board_was_explored_before(room):
    room.table(9)
    eva = Arbiter(room)
    eva.say("table 9")
    square = eva.key(NamedKey.CURSOR_UP)
    assert square == eva.key(NamedKey.ENTER)
    eva.key(NamedKey.CURSOR_UP)
    assert eva.say("help")[-1] == "There is more: say continue."
    assert eva.key(NamedKey.ENTER)[-1] == "There is more: say continue."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("table 99", "There is no table 99."),
        ("decide", "Which table? Say table 1."),
        ("stop the table", "Which table? Say table 1."),
        ("done", "No case is before you."),
        ("hand back", "You have not taken it."),
        ("knight f three", "I did not understand. Please say it again."),
        ("resign", "I did not understand. Please say it again."),
        ("more", "There is no more to tell."),
    ],
)
def test_what_cannot_be_done_is_said(room, said, told):
    room.table(1)
    assert Arbiter(room).say(said)[0] == told


def test_stopping_asks_first(room):
    eva = Arbiter(room)
    room.table(1)
    eva.news()
    eva.say("table 1")
    assert eva.say("stop") == ["Do you want to stop?"]
    assert eva.key(NamedKey.ESCAPE)
    eva.say("stop")
    eva.key(NamedKey.RIGHT)  # whoever reads on has not answered
    eva.key(NamedKey.ENTER)
    assert eva.activity.over


def test_stopping_says_that_something_was_not_sent_yet(room):
    eva = Arbiter(room)
    eva.activity._unsent = lambda: True
    told = eva.say("stop")
    assert told[0].startswith("The hall's store has not got all that you asked for: ")
    assert told[1] == "Do you want to stop?"
    eva.say("no")
    assert not eva.activity.over


def test_a_store_that_is_lost_is_told_once_and_so_is_what_was_not_sent_or_is_late(room):
    room.table(1)
    eva = Arbiter(room)
    eva.loop.take(StoreNews(lost=True))
    eva.loop.take(StoreNews(lost=True))
    eva.loop.take(StoreNews(lost=True, late=object()))
    eva.loop.take(StoreNews(lost=True, unsent=object()))
    eva.loop.take(StoreNews(lost=False))
    assert [line.partition(":")[0] for line in eva.lines[-4:]] == [
        "The hall's store is not reached",
        "The hall's store does not answer",
        "The hall's store does not take that",
        "The hall's store is reached again.",
    ]


@pytest.mark.parametrize(("moves", "stopped"), [((), True), (("d5", "yes", "c4", "yes", "e6", "yes"), False)])
@pytest.mark.parametrize("orders", [("table 7", "stop the table"), ("stop the round", "yes")])
def test_clocks_are_stopped_where_the_game_has_not_gone_on_meanwhile(room, orders, moves, stopped):
    game = room.table(7).say("d4", "yes")
    eva = Arbiter(room)
    eva.say(*orders)
    game.say(*moves)
    told = eva.news()
    assert game.state.clocks.stopped is stopped
    if not stopped:
        assert told[-1].startswith("Table 7 did not apply this, by Eva: ")


# By voice, by display alone, on the page


def test_by_voice_a_decision_needs_a_sure_yes(room):
    game = room.table(7).say("e4", "yes")
    eva = Arbiter(room)
    assert eva.hear("table sieben")[0] == "Table 7: White against Black."
    assert eva.hear("decide", "eins", "eins") == ["Table 7. Warn White?"]
    assert eva.hear("yes") == ["Sent to table 7."]
    eva.news()
    assert game.state.game.notes[-1].message == Message.of("warned", colour="white")


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_with_headphones_an_answer_that_began_before_its_question_was_over_does_not_count(room, answer):
    room.table(7)
    eva = Arbiter(room, headphones=True)
    asked = eva.hear("table sieben", "decide", "eins", "eins")
    assert eva.hear(answer, early=True) == [
        "Answer only when you have heard or read the whole question.",
        *asked,
    ]
    assert eva.hear("yes") == ["Sent to table 7."]


def test_where_only_a_key_may_say_yes_a_spoken_one_decides_nothing(room):
    room.table(7)
    eva = Arbiter(room, confirm="key")
    eva.hear("table sieben", "decide", "eins", "eins")
    assert eva.hear("yes") == ["A yes counts only by key here.", "Table 7. Warn White?"]
    assert eva.key(NamedKey.ENTER) == ["Sent to table 7."]


def test_by_the_display_alone_a_claim_is_found_and_decided(room):
    game = claims(room.table(1, **CLAIMED))
    calls(room.table(2))
    eva = Arbiter(room, size=(1, 40))
    eva.read("1 decision, 2 call")
    eva.route("1 decision")
    assert eva.activity._desk.table == 1
    eva.key(AltKey("a"))
    eva.read("the claim: 1, correct")
    eva.read("1 2 3")
    eva.route("2 3")
    eva.read("reject the claim?")
    eva.key(NamedKey.ENTER)
    eva.news()
    assert game.state.arbiter.pending is None
    assert game.state.game.result is None
    eva.key(AltKey("d"))
    eva.read("2 call")


def test_what_comes_up_does_not_take_away_what_is_being_read(room):
    game = room.table(1)
    eva = Arbiter(room)
    eva.say("help")
    eva.key(NamedKey.RIGHT)
    before = eva.shown[:70]
    calls(game)
    eva.news()
    assert eva.shown[:70] == before
    eva.key(NamedKey.HOME)
    assert eva.shown.startswith("table 1 calls the arbiter.")


def test_no_routing_key_is_said_to_move_a_piece_at_the_desk(room):
    room.table(1)
    eva = Arbiter(room, size=(1, 40))
    told = " ".join(eva.key(NamedKey.F1))
    assert "A routing key over a square tells what is there. Over a question it answers yes" in told


def page(eva, role):
    return view.of(eva.loop._channels.present(), role)


def test_the_page_of_the_desk_shows_the_tables_what_is_asked_and_its_answers(room):
    room.table(7, white="Ana", black="Rui").say("e4", "yes")
    eva = Arbiter(room)
    (row,) = page(eva, "arbiter")["tables"]
    assert row["white"] == "Ana"
    assert row["types"] == "table 7"
    assert row["moves"] == "1. e4"
    assert row["status"].startswith("Black to move, move 1.")
    assert page(eva, "arbiter")["asked"] is None
    eva.say("table 7", "decide")
    asked = page(eva, "arbiter")["asked"]
    assert asked["text"].startswith("Table 7. Arbiter.")
    assert [one["types"] for one in asked["answers"]] == [*"123456789", "no"]
    assert page(eva, "arbiter")["squares"]


def test_the_page_says_whose_board_it_is_and_what_its_keys_tell_is_so(room):
    lines = ("e4", "yes", "d5", "yes", "exd5", "yes")
    room.table(7, white="Ana", black="Rui", clock="90+30").say(*lines)
    eva = Arbiter(room)
    assert not page(eva, "arbiter")["status"]
    eva.say("table 7")
    shown = page(eva, "arbiter")
    assert shown["status"].startswith("Table 7: Ana against Rui. Black to move, move 2.")
    assert shown["last"] == shown["captured"]
    assert plain(shown["last"]) == "2, White: Bauer Eva vier schlägt David fünf."
    assert shown["clocks"] == {"white": "1 hour 31 minutes", "black": "1 hour 30 minutes"}
    for role in ("spectator", "white"):
        shown = page(eva, role)
        assert (shown["status"], shown["last"], shown["captured"], shown["clocks"]) == ("", "", "", None)


def test_the_page_shows_which_arbiter_has_a_case(room):
    calls(room.table(7))
    eva, rui = Arbiter(room), Arbiter(room, "Rui")
    assert "calls the arbiter. White" in page(eva, "arbiter")["tables"][0]["status"]
    rui.say("next", "i take it")
    eva.news()
    assert page(eva, "arbiter")["tables"][0]["status"].startswith(
        "Table 7 calls the arbiter. Rui has it. White"
    )
    assert "Rui" not in page(eva, "spectator")["tables"][0]["status"]


def test_a_game_from_a_position_has_its_own_numbers(room):
    game = room.table(7, fen="4k3/8/8/8/8/8/4P3/4K3 b - - 0 30")
    eva = Arbiter(room)

    def row():
        eva.news()
        (found,) = page(eva, "spectator")["tables"]
        return found["status"].partition(".")[0], found["moves"], eva.say("unfinished")[1]

    told = "Table 7: White against Black, move"
    assert row() == ("Black to move, move 30", "", f"{told} 30.")
    game.say("king d7", "yes")
    assert row() == ("White to move, move 31", "30... Kd7", f"{told} 31.")
    game.say("e4", "yes")
    assert row() == ("Black to move, move 31", "30... Kd7 31. e4", f"{told} 31.")


def test_nobody_is_to_move_in_a_game_that_is_adjourned(room):
    game = room.table(7).say("e4", "yes")
    adjourned = GameAdjourned("2030-01-01T10:00:00", "")
    game.records.append(HallRecord(7, game.game, len(game.records), 0, adjourned))
    eva = Arbiter(room)
    assert "The game is adjourned." in eva.say("table 7")
    assert "to move" not in " ".join(eva.lines)
    assert page(eva, "arbiter")["tables"][0]["status"].startswith("The game is adjourned.")


def test_who_follows_sees_the_tables_later_and_nothing_of_the_desk(room):
    game = calls(room.table(7))
    eva = Arbiter(room, delay_ms=5 * MINUTE)
    assert page(eva, "spectator")["tables"] == []
    eva.say("table 7")
    assert page(eva, "spectator")["squares"] is None
    assert page(eva, "spectator")["menu"] == []
    assert page(eva, "spectator")["asked"] is None
    room.now_ms += 5 * MINUTE
    game.say("e4", "yes")
    eva.news()
    (row,) = page(eva, "spectator")["tables"]
    assert (row["moves"], row["types"]) == ("", "")
    assert "calls" not in row["status"]


def test_the_next_round_is_paired_after_a_yes_where_a_tournament_is_kept(room):
    room.table(1)
    eva = Arbiter(room)
    wished = []
    eva.activity._wish = wished.append
    assert eva.say("pair the next round") == [
        "This desk keeps no tournament: it is begun with --tournament and the file."
    ]
    over = RoundNews(3, over=True, coming=4)
    eva.loop.take(over), eva.settle()
    assert eva.lines[-1].startswith(
        "Round 3 is over: all its results are in the file. To pair the next one, say pair"
    )
    before = len(eva.lines)
    eva.loop.take(over), eva.settle()
    assert len(eva.lines) == before  # it is told once
    assert eva.say("pair the next round") == ["Have round 4 paired?"]
    assert eva.say("no") == ["Nothing was decided."]
    assert wished == []
    assert eva.say("pair the next round", "yes") == ["Round 4 is being paired."]
    assert wished == [PairRound(4)]


def test_a_round_after_which_the_next_is_paired_already_is_not_offered_to_pair(room):
    eva = Arbiter(room)
    before = len(eva.lines)
    eva.loop.take(RoundNews(3, over=True, coming=5)), eva.settle()
    assert len(eva.lines) == before


def test_after_the_last_round_no_other_is_offered_to_pair(room):
    eva = Arbiter(room)
    seats = {1: Seats("Ana", "Rui", Message.of("desk_quiet"))}
    eva.loop.take(RoundNews(3, over=True, last=True, seats=seats)), eva.settle()
    assert eva.lines[-1] == "Round 3, the last one, is over: all its results are in the file."
    assert eva.say("pair the next round") == ["All rounds of the tournament are paired."]


# The scores of a synthetic voice, each with a probability of 0.40 to 0.49.
@pytest.mark.parametrize(
    ("words", "scores", "told"),
    [
        ("who has not finished", (-6.423, -6.428, -5.234), "1 table still plays."),
        ("pair the next round", (-6.289, -6.294, -4.982), "This desk keeps no tournament: it is begun with --tournament"),
        ("can you repeat that", (-7.679, -7.678, -4.923), "I did not understand."),  # "have you seen my pen"
        ("the hall", (-9.676, -9.68, -5.05), "I did not understand."),  # "the player in the hall has a question"
    ],
)  # fmt: skip
def test_a_long_order_needs_to_be_less_probable_than_a_short_one_or_a_question(room, words, scores, told):
    room.table(1)
    eva = Arbiter(room)
    eva.spoken()
    turn, eva.ear.turn = eva.ear.turn, None
    grammars = ("all", words), ("expected", words), ("filler", "SIL P AE W SIL")
    heard = (
        Hypothesis(text, grammar, score) for (grammar, text), score in zip(grammars, scores, strict=True)
    )
    assert eva.happen(Utterance(tuple(heard), 0.0, turn))[0].startswith(told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_says_all_that_the_desk_has_to_say(room, language):
    calls(room.table(1, language=language))
    claims(room.table(2, **CLAIMED))
    eva = Arbiter(room, language=language)
    for word in DeskWord:
        assert eva.say(desk_words.example(word, language, 1)) is not None
        eva.news()
    eva.happen(TimePassed(quiet=True))
    assert not any("desk_" in line for line in eva.lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_names_everything_once_and_all_of_it_is_understood(room, language):
    room.table(1)
    eva = Arbiter(room, language=language)
    say = vocabulary(language).say
    told, more = (
        list(eva.say(say("command", CommandName.HELP))),
        Renderer(language).text(Message.of("more_follows")),
    )
    while told[-1] == more:
        told = told[:-1] + eva.say(say("command", CommandName.MORE))
    named = [words for line in told for words in line.rstrip(".").rpartition(": ")[2].split(", ")]
    read = [desk_words.read_order(words, language, "fide") for words in named]
    assert [order.word for order in read if isinstance(order, DeskOrder)] == list(DeskWord)
    assert {command.name for command in read if isinstance(command, Command)} == QUESTIONS
    assert len(read) == len(DeskWord) + len(QUESTIONS)


@pytest.mark.parametrize("action", keys.HALL)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_line_of_the_list_of_keys_is_understood(language, action):
    order = desk_words.read_order(keys.said(action, language), language, "fide")
    assert order.word == keys.HALL[action]


SAID = [
    *(desk_words.example(word, "en", 1) for word in DeskWord), "yes", "no", *"0123456789", "position", "more",
    "repeat", "help", "table 2", "announce x", "e4", "stop", "time trouble", "table 77",
]  # fmt: skip
HAPPENS = [
    calls,
    claims,
    lambda game: game.say("e4", "yes"),
    lambda game: game.happen(ev.Tick(at=91 * MINUTE)),
]


@settings(max_examples=examples(40))
@given(
    st.lists(
        st.one_of(st.sampled_from(SAID), st.tuples(st.sampled_from(HAPPENS), st.sampled_from([1, 2]))),
        max_size=30,
    )
)
def test_whatever_is_said_and_happens_the_desk_goes_on(tmp_path_factory, done):
    room = HallRoom(tmp_path_factory.mktemp("hall"))
    room.table(1, **CLAIMED), room.table(2, strict=True)
    eva = Arbiter(room)
    for one in done:
        eva.say(one) if isinstance(one, str) else one[0](room.tables[one[1]])
        eva.news()
        assert not eva.loop._stumbles
        page(eva, "arbiter"), page(eva, "spectator"), eva.activity.expectation()
    known = eva.activity._desk.hall.tables
    for number, game in room.tables.items():
        result = game.state.game.result
        assert known[number].ended.score == (result.score if result else "*")
    room.store.close()
