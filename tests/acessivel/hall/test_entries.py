# SPDX-License-Identifier: GPL-3.0-or-later
"""What a table tells the hall: the fold of its entries knows what the game knows, in whatever order they come."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.halls import ToldGame

from acessivel.dialogue import arbiter_menu
from acessivel.game.game import Note
from acessivel.game.imported import Before
from acessivel.hall import entries
from acessivel.hall.board import Hall
from acessivel.hall.entries import (
    ClocksShown,
    FlagsFell,
    GameEnded,
    GameOpened,
    HallEntry,
    MoveMade,
    ProposalAnswered,
    Remarked,
    RulingAwaited,
)
from acessivel.message import Duration, Message
from acessivel.messages import wire
from acessivel.rules.position import COLOURS
from acessivel.session import events as ev

MINUTE = 60_000
ENTRANCE = {"clock": "90+30", "white": "Ana", "black": "Rui"}
# What can be said at a table, most of it only in some states; with it time passes.
WORDS = (
    *("e4", "e5", "Cf3", "Cc6", "Cf6", "Cg1", "Bc4", "Dh5", "Dxf7", "e3", "d1 d8", "a7 a8"),
    *("sim", "sim", "sim", "não", "1", "2", "3", "4", "5", "9", "empate", "desisto", "aceito", "árbitro"),
    *("tripla repetição", "cinquenta lances", "seta", "lance ilegal", "parar relógios", "assinar", "bandeira caiu"),
    *("peça tocada e4", "ajeito", "relógio", "material", "english", "português", "reclamo empate", "pressionar relógio"),
)  # fmt: skip
DECISIONS = (*arbiter_menu.MENU, *arbiter_menu.FOUND, "absence", "stop", "go", "coming", "announce", "?")
NO_DESK_HAS = ("?", "more", "clocks")
FITTING = {
    "time": [(1, 1, 5, 0), (2, 2, 0, 30)],
    "warn": [(1,)],
    "restore": [(1, 1), (2, 2)],
    "claim": [(1,), (2,), (3,)],
}
WAITS = (*(1000,) * 20, 40_000, 3 * MINUTE)
GAMES = (
    {"clock": "none"},
    {"clock": "90+30"},
    {"clock": "5", "laws": "fide-2009", "supervised": False},
    {"clock": "30+10d", "laws": "fide-2001"},
    {"clock": "5+3", "strict": True},
    {"clock": "5+3", "strict": True, "supervised": False, "laws": "fide-2018"},
    {"clock": "90/40+30+30", "two_boards": True, "claim_flag": "both"},
    {"clock": "15+10", "ritual": True, "fen": "4k3/8/8/8/8/8/4P3/4K3 b - - 99 80"},
    {"clock": "1", "laws": "escolar-br", "variant": "chess960:5"},
)


def play(game, chance):
    """Something that people do at a table: mostly a legal move, now and then anything."""
    at = game.state.now_ms + chance.choice(WAITS)
    legal = game.state.game.position.legal
    if legal and chance.random() < 0.5:
        uci = chance.choice(legal).uci
        game.say(f"{uci[:2]} {uci[2:4]}", at=at).say("sim", chance.choice(("dama", "sim")))
    elif chance.random() < 0.8:
        game.say(*chance.choices(WORDS, k=3), at=at)
    else:
        what = chance.choice(DECISIONS)
        awaited = folded(game).awaited.key
        numbers = [chance.randint(0, 4) for _ in range(chance.randint(0, 2))]
        given = tuple(chance.choice((numbers, *FITTING.get(what, ()))))
        plies = len(game.state.game.played)
        game.happen(
            ev.Proposed(
                id=chance.randint(1, 30), by="Eva", what=what, given=given, about=awaited, plies=plies, at=at
            )
        )
    if chance.random() < 0.3:
        game.happen(ev.SpeechEnded(at=game.state.now_ms))


def hall_of(records):
    return Hall().with_records(records)


def folded(game):
    return hall_of(game.records).games[game.table, game.game]


def assert_known(game):
    """The hall knows of a game what the game knows itself."""
    state, known = game.state, folded(game)
    assert [(m.colour, m.uci, m.san, m.left_ms, m.irregular) for m in known.moves] == [
        (m.fact.colour, m.fact.uci, m.fact.san, m.left_ms, m.fact.irregular) for m in state.game.played
    ]
    shown = entries.clocks(state, state.now_ms)
    assert (known.clocks.running, known.clocks.stopped) == (shown.running, shown.stopped)
    assert [known.left_ms(colour, state.now_ms) for colour in COLOURS] == [shown.white_ms, shown.black_ms]
    assert tuple(Note(one.ply, one.message, one.sign) for one in known.remarks) == state.game.notes
    result = state.game.result
    assert known.ended == (
        GameEnded(result.score, result.reason, result.article, result.edition) if result else GameEnded("*")
    )
    ruling = state.arbiter.pending or state.arbiter.postponed
    assert known.awaited.key == (ruling.key if ruling else "")
    assert known.offences == state.game.offences
    assert known.signed == state.game.signed
    assert known.draw == (state.draw.offer or "")
    assert known.called == state.hall.called
    assert [(one.proposal, one.by, one.why) for one in known.answered] == [
        (one.id, one.by, one.why) for one in state.hall.proposals
    ]
    assert known.opened.language == state.setup.language


def kinds(game):
    return [type(record.entry).__name__ for record in game.records]


def test_a_game_tells_what_is_agreed_its_moves_and_whose_clock_runs():
    game = ToldGame(**ENTRANCE).say("e4", at=2000).say("sim", at=5000)
    first, still, clock, move, other = (record.entry for record in game.records)
    assert first == GameOpened("Ana", "Rui", "90+30", "fide-2018", "pt")
    assert (still.running, other.running) == ("", "black")
    assert clock == ClocksShown("white", 90 * MINUTE + 30_000, 90 * MINUTE + 30_000)
    assert move == MoveMade(1, "white", "e2e4", "e4", 90 * MINUTE + 55_000)
    assert_known(game)


def test_what_is_asked_and_misheard_is_nobodys_business():
    game = ToldGame(**ENTRANCE)
    told = len(game.records)
    game.say("e5", "material", "Cf3", "não", "xyz")
    assert len(game.records) == told


def test_a_game_without_a_clock_tells_its_moves_alone():
    game = ToldGame(clock="none").say("e4", "sim", "e5", "sim")
    assert kinds(game) == ["GameOpened", "MoveMade", "MoveMade"]
    assert_known(game)


def test_a_flag_is_told_when_it_falls_and_the_result_with_it():
    game = ToldGame(**ENTRANCE)
    game.happen(ev.Tick(at=91 * MINUTE))
    assert FlagsFell(("white",)) in [record.entry for record in game.records]
    assert folded(game).ended.score == "0-1"
    assert_known(game)


def test_an_illegal_move_that_is_taken_back_leaves_the_offence():
    game = ToldGame(clock="90+30", strict=True).say("e2 e5", "sim", at=1000)
    known = folded(game)
    assert (known.moves, known.offences) == ((), ("white",))
    assert known.remarks[-1].message.key == "ruling"
    assert_known(game)


def test_the_arbiter_is_awaited_until_he_has_decided():
    game = ToldGame(clock="90", laws="fide-2009").say("e4", "sim")
    game.happen(ev.Tick(at=89 * MINUTE)).say("reclamo empate", "sim")
    assert folded(game).awaited.key == "quickplay_asked"
    assert_known(game)
    game.say("árbitro", "sim", "6", "1", "sim")
    assert folded(game).awaited.key == ""
    assert folded(game).ended.score == "1/2-1/2"
    assert_known(game)


def test_imported_moves_are_told_like_others():
    game = ToldGame(clock="90+30", before=Before(("e2e4", "e7e5"), (5_000_000, None), (4_000_000, 4_500_000)))
    assert [move.san for move in folded(game).moves] == ["e4", "e5"]
    assert_known(game)


def test_a_resumed_game_goes_on_from_the_times_that_were_kept():
    game = ToldGame(**ENTRANCE).say("e4", "sim", at=60_000).say("e5", at=70_000)
    game.happen(ev.Resumed(at=10))
    assert_known(game)
    game.happen(ev.SpeechEnded(at=20))
    assert_known(game)


@given(st.sampled_from(GAMES), st.randoms(), st.integers(1, 60))
@settings(max_examples=examples(60))
def test_the_hall_knows_what_the_game_knows(setup, chance, length):
    game = ToldGame(**setup)
    for _ in range(length):
        play(game, chance)
        assert_known(game)


@given(st.randoms(), st.integers(1, 40))
@settings(max_examples=examples(60))
def test_entries_out_of_order_twice_and_late_give_the_same(chance, length):
    game = ToldGame(**ENTRANCE)
    for _ in range(length):
        play(game, chance)
    other = ToldGame(2, "h", **ENTRANCE).say("e4", "sim")
    records = [*game.records, *other.records]
    shuffled = chance.sample([*records, *chance.choices(records, k=5)], len(records) + 5)
    at = chance.randrange(len(shuffled))
    assert hall_of(shuffled[:at]).with_records(shuffled[at:]) == hall_of(records)


def test_a_gap_hides_what_comes_behind_it_and_nothing_else():
    game = ToldGame(**ENTRANCE).say("e4", "sim", "e5", "sim")
    missing = next(n for n, record in enumerate(game.records) if isinstance(record.entry, MoveMade))
    hall = hall_of([*game.records[:missing], *game.records[missing + 1 :]])
    assert hall.games[1, "g"].moves == ()
    assert hall.cursor == {(1, "g"): missing}
    assert hall.with_records([game.records[missing]]) == hall_of(game.records)


def test_the_game_that_was_opened_last_is_at_the_table():
    first, second = ToldGame(game="b"), ToldGame(game="a")
    later = [type(r)(r.table, r.game, r.number, r.at_ms + 1, r.entry) for r in second.records]
    assert hall_of([*later, *first.records]).tables[1].game == "a"


def test_an_entry_of_a_newer_table_is_passed_over():
    game = ToldGame(**ENTRANCE).say("e4", "sim")
    unread = [
        type(r)(r.table, r.game, r.number, r.at_ms, None if n == 1 else r.entry)
        for n, r in enumerate(game.records)
    ]
    assert len(hall_of(unread).games[1, "g"].moves) == 1


@given(st.sampled_from(GAMES), st.randoms())
@settings(max_examples=examples(40))
def test_every_entry_comes_back_from_its_json(setup, chance):
    game = ToldGame(**setup)
    for _ in range(30):
        play(game, chance)
    for record in game.records:
        if getattr(record.entry, "what", "") not in NO_DESK_HAS:
            assert entries.from_json(entries.to_json(record.entry)) == record.entry


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "1", "null", '"x"', "{", '{"kind":1}', '{"kind":"MoveMade"}', '{"kind":"Message","key":"x","values":[]}',
        '{"kind":"MoveMade","ply":"1","colour":"white","uci":"e2e4","san":"e4"}',
        '{"kind":"MoveMade","ply":true,"colour":"white","uci":"e2e4","san":"e4"}',
        '{"kind":"FlagsFell","colours":"white"}', '{"kind":"FlagsFell","colours":[1]}',
        '{"kind":"Remarked","index":0,"ply":0,"message":{"kind":"FlagsFell","colours":[]}}',
        '{"kind":"HallEntry"}', '{"kind":"State"}', "[" * 5000, '{"kind":"Piece","value":"X"}',
    ],
)  # fmt: skip
def test_what_is_no_entry_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  # whatever is wrong with it
        entries.from_json(text)


def test_a_newer_tables_fields_are_passed_over():
    text = entries.to_json(FlagsFell(("white",)))
    assert entries.from_json(json.dumps({**json.loads(text), "new": 1})) == FlagsFell(("white",))


def test_names_that_no_database_takes_are_told_without_what_it_does_not_take():
    text = entries.to_json(Remarked(0, 0, Message.of("warned", colour="a\0b\udc80", time=Duration(5))))
    assert re.search("a b[?]", text)
    assert entries.from_json(text).message.key == "warned"
    written = Remarked(0, 0, Message.of("warned", colour="\\u0000", time=Duration(5)))
    assert entries.from_json(entries.to_json(written)) == written


@pytest.mark.parametrize(
    "entry",
    [
        Remarked(0, 0, Message.of("of tomorrow")),
        Remarked(0, 0, Message.of("warned")),
        GameEnded("7-3", "agreement"),
        GameEnded("1-0", "of tomorrow"),
        ProposalAnswered(1, "Eva", "of tomorrow"),
        ProposalAnswered(1, "Eva", "warn", (1,), Message.of("of tomorrow")),
    ],
)
def test_what_there_are_no_words_for_is_no_entry(entry):
    with pytest.raises(ValueError, match="no words"):
        entries.from_json(entries.to_json(entry))


def test_that_something_waits_for_the_arbiter_is_known_also_without_words_for_it():
    text = entries.to_json(RulingAwaited("of_tomorrow", Message.of("of tomorrow")))
    assert entries.from_json(text) == RulingAwaited("of_tomorrow")


def test_what_is_no_value_of_ours_is_not_written():
    with pytest.raises(TypeError):
        wire.to_json(Message.of("x", value=1.5))
    assert {kind.__name__ for kind in entries.ENTRIES} == {
        kind.__name__ for kind in HallEntry.__subclasses__()
    }
