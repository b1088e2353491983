# SPDX-License-Identifier: GPL-3.0-or-later
"""What the arbiter can find at the board, by the menu's numbers, in the editions that differ in it."""

from __future__ import annotations

import pytest
from support.happening import happen, hear
from support.languages import LANGUAGES
from support.spoken_game import Game

from acessivel.dialogue import arbiter_menu, pointed_squares
from acessivel.dialogue.arbiter_menu import FOUND, Deciding
from acessivel.dialogue.questions import NOTHING, Sure
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session.state import State
from voices.meaning import CommandName, Number

MINUTE = 60_000
ARBITER = ("árbitro", "sim", "9")  # "something else", and then the number
NUMBERS = {name: str(number) for number, name in enumerate(FOUND, 1)}


def new(*words, **setup):
    state, _ = happen(State.new(Setup.of(**setup)), ev.Started())
    state, _ = happen(state, ev.SpeechEnded())
    return say(state, *words)


def say(state, *words):
    for word in words:
        state, _ = hear(state, ev.Heard(words=(word,)))
    return state


def moves(*announced):
    return tuple(word for move in announced for word in (move, "sim"))


def find(state, name, *numbers):
    return say(state, *ARBITER, NUMBERS[name], *numbers, "sim")


def noted(state):
    """The sentence last written down, and its article."""
    values = dict(state.game.notes[-1].message.values)
    return values["sentence"].key, dict(values["source"].values).get("article", "")


def outcome(state):
    return state.game.result.score if state.game.result else None


def sans(state):
    return [move.fact.san for move in state.game.played]


KNIGHTS = "Cf3", "Cf6", "Cg1", "Cg8", "Cc3", "Cc6", "Cb1", "Cb8"
TEN = moves("e4", "e5", *KNIGHTS, "d4", "d6", *KNIGHTS)


@pytest.mark.parametrize(
    ("setup", "words", "name", "key", "article"),
    [
        ({"laws": "fide-2001"}, (), "board", "board_turned", "7.1b"),
        ({"laws": "fide-2018"}, (), "board", "board_turned", "7.2.2"),
        # Too late after ten moves without full supervision (A.4.1; 2018).
        ({"clock": "15", "supervised": False}, TEN, "board", "board_late", "A.4.1.2"),
        ({"clock": "15", "supervised": False}, moves("e4"), "board", "board_turned", "7.2.2"),
        ({"clock": "90"}, (), "clock", "clock_wrong", "6.10.2"),
        ({"clock": "15", "supervised": False}, TEN, "clock", "clock_late", "A.4.1.1"),
    ],
)
def test_a_turned_board_and_a_wrong_clock(setup, words, name, key, article):
    state = new(*words, **{"laws": "fide-2018", **setup})
    before = sans(state)
    state = find(state, name)
    assert noted(state) == (key, article)
    assert (sans(state), outcome(state)) == (before, None)
    assert state.clocks.stopped == (key == "clock_wrong")


def test_a_wrong_clock_stands_while_it_is_corrected_and_runs_again_on_a_yes():
    state = find(new(clock="90"), "clock")
    assert state.game.clock.running is None
    state = say(state, "árbitro", "sim", "2", "1", "1", "1", "0", "sim")  # a minute more for White
    assert state.game.clock.left("white", state.now_ms) == 91 * MINUTE
    assert state.game.clock.running is None
    assert say(state, "sim").game.clock.running == "white"
    assert not find(new(), "clock").clocks.stopped  # there is none


@pytest.mark.parametrize(
    ("laws", "article"), [("fide-2009", "7.3"), ("fide-2014", "7.4"), ("fide-2018", "7.4.1")]
)
def test_who_knocks_pieces_over_puts_them_back(laws, article):
    assert noted(find(new(clock="90", laws=laws), "displaced", "2")) == ("displaced", article)


@pytest.mark.parametrize(
    ("laws", "article"), [("fide-2001", "7.5"), ("fide-2009", "7.5"), ("fide-2018", "7.6")]
)
def test_from_misplaced_pieces_the_game_goes_back_to_the_last_sure_position(laws, article):
    state = find(new(*moves("e4", "e5", "Cf3", "Cc6"), clock="90", laws=laws), "misplaced", "2", "2")
    assert noted(state) == ("displaced_restore", article)
    assert sans(state) == ["e4", "e5", "Nf3"]
    assert state.game.clock.running == "black"


@pytest.mark.parametrize("how", [("4", "1", "1"), ("9", "4", "1", "1")])
def test_who_goes_back_has_no_claim_to_decide_that_was_made_later(how):
    game = Game(clock="90", laws="fide-2009").moves("e4", "e5", "Nf3")
    game.now = 89 * MINUTE
    game.says("claim draw", "yes").orders("arbiter").says("yes", *how, "yes")
    assert (game.state.arbiter.pending, game.state.asking) == (None, NOTHING)
    assert game.state.game.clock.running == "white"
    assert game.keys == ["ruling", "turn"]
    assert game.moves("d4").state.game.last.san == "d4"


@pytest.mark.parametrize(
    ("laws", "clock", "key", "article", "gained", "after"),
    [
        ("fide-2001", "90", "two_hands_arbiter", "4.1", 0, ["e4"]),
        ("fide-2014", "90", "two_hands_arbiter", "6.2b", 0, ["e4"]),
        ("fide-2018", "90", "illegal_time", "7.5.5", 2, []),  # 7.5.4
        ("fide-2018", "3", "illegal_time", "7.5.5", 1, []),  # B.2
    ],
)
def test_both_hands_used(laws, clock, key, article, gained, after):
    state = new(*moves("e4"), clock=clock, laws=laws)
    before = state.game.clock.left("black", state.now_ms)
    state = find(state, "hands", "1")
    assert noted(state) == (key, article)
    assert state.game.clock.left("black", state.now_ms) - before == gained * MINUTE
    assert sans(state) == after
    assert state.game.offences == (("white",) if gained else ())


def test_the_second_offence_with_both_hands_loses():
    state = find(new(*moves("e4"), clock="90"), "hands", "1")
    assert outcome(find(say(state, *moves("e4")), "hands", "1")) == "0-1"  # 7.5.5, 2018
    assert find(new(clock="90"), "hands", "1").game.notes == ()  # nobody has moved


IN_CHECK = "4k3/8/8/8/8/8/r3R3/4K3 b - - 0 1"  # Black must answer a check


@pytest.mark.parametrize(
    ("follows", "wanted"),
    [
        ("Te7", "1/2-1/2"),  # White leaves the king in check, and Black's too: drawn
        ("Kf2", None),  # only Black is in check now: the game goes on
    ],
)
def test_the_arbiter_waits_for_the_next_move_and_draws_if_the_illegal_position_still_stands(follows, wanted):
    # A.4.4, 2018: Black stayed in check and gave one.
    state = new(*moves("Ta1"), fen=IN_CHECK, clock="15", supervised=False, strict=True)
    assert state.game.position.both_in_check
    state = find(state, "position")
    assert noted(state) == ("arbiter_waits", "A.4.4")
    assert (state.arbiter.watched, outcome(state)) == (True, None)
    state = say(state, *moves(follows))
    assert (len(sans(state)), outcome(state), state.arbiter.watched) == (2, wanted, False)
    if wanted:
        assert (state.game.result.reason, state.game.result.article) == ("illegal_position", "A.4.4")


def test_an_unpromoted_pawn_that_stays_after_the_next_move_is_a_draw():
    fen = "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"
    state = new("e8", "aciono", fen=fen, clock="15", supervised=False, strict=True)
    assert sans(state) == ["e8=Q"]
    state = find(state, "position")
    assert outcome(say(state, *moves("Kh7"))) == "1/2-1/2"  # A.4.4, 2018


@pytest.mark.parametrize(
    ("fen", "before", "after", "stands"),
    [
        ("8/Pk6/8/8/8/7P/8/K7 w - - 0 1", (), ("Kxa8",), False),
        ("r7/P1k5/8/8/8/7P/8/K7 b - - 0 1", ("Rh8",), (), True),  # a rook had stood there
    ],
)
def test_an_unpromoted_pawn_stands_until_it_leaves_its_square_or_is_taken(fen, before, after, stands):
    game = Game(fen=fen, clock="5", strict=True, supervised=False).moves(*before)
    game.says("a8").orders("press").moves(*after).says("arbiter", "yes", "9", "6", "yes")
    assert game.state.arbiter.watched is stands


def test_where_the_arbiter_need_not_wait_he_steps_in():
    state = new(fen=IN_CHECK, clock="15", laws="fide-2009", supervised=False, strict=True)
    state = find(say(state, "Ta1", "sim"), "position")  # A.4c, 2009
    assert [note.message.key for note in state.game.notes[-2:]] == ["ruling", "ruling"]
    assert sans(state) == []
    assert state.game.offences == ("black",)


def test_a_legal_position_is_no_matter_for_the_arbiter():
    state = find(new(*moves("e4"), clock="15", supervised=False), "position")
    assert state.told.last[0].key == "position_legal"
    assert state.game.notes == ()


@pytest.mark.parametrize(("laws", "key"), [("escolar-br", "check_silent"), ("fide-2018", "check_free")])
def test_a_check_in_silence(laws, key):
    assert noted(find(new(*moves("e4"), laws=laws), "silent", "1"))[0] == key


@pytest.mark.parametrize(("laws", "wanted"), [("escolar-br", "0-1"), ("fide-2018", None)])
def test_who_leaves_loses_where_the_edition_says_so(laws, wanted):
    assert outcome(find(new(*moves("e4"), laws=laws), "left", "1")) == wanted


@pytest.mark.parametrize(
    ("laws", "allowed", "absent", "minutes", "wanted"),
    [
        ("fide-2001", -1, "1", "seis zero", None),  # 6.7: more than an hour
        ("fide-2001", -1, "1", "seis um", "0-1"),
        ("fide-2009", -1, "2", "1", "1-0"),  # 6.6: nothing is allowed
        ("fide-2009", 15, "2", "1 5", None),
        ("fide-2014", -1, "1", "3 0", None),  # 6.7: the event has to say it: for the arbiter
        ("fide-2018", 30, "1", "3 0", None),  # 6.7.1
        ("fide-2018", 30, "1", "3 1", "0-1"),
        ("fide-2018", 0, "3", "1", "0-0"),
    ],
)
def test_who_comes_late(laws, allowed, absent, minutes, wanted):
    alone = new(clock="90", laws=laws, default_time=allowed, supervised=False)
    assert outcome(find(alone, "late", absent, minutes)) == wanted
    asked = find(new(clock="90", laws=laws, default_time=allowed), "late", absent, minutes)
    asks = laws != "fide-2009"  # 6.6a: there only the event may rule otherwise
    assert outcome(asked) == (None if asks else wanted)
    if wanted and asks:
        assert outcome(say(asked, "1", "sim")) == wanted
        # The arbiter may decide otherwise.
        assert asked.game.clock.running is None
        going = say(asked, "2", "sim")
        assert (outcome(going), going.game.clock.running, going.asking) == (None, "white", NOTHING)
        assert going.game.notes[-1].message.key == "excused"


@pytest.mark.parametrize("absent", ["1", "2", "3"])
def test_only_the_arbiter_settles_what_follows_from_coming_too_late(absent):
    """6.7.1, 2018."""
    asked = find(new(clock="90", default_time=15), "late", absent, "3 0")
    assert isinstance(asked.asking, Deciding)
    left = say(asked, "não")
    for words in (("e4", "sim"), ("sim",), ("empate", "sim"), ("1",)):
        assert (outcome(say(left, *words)), sans(say(left, *words))) == (None, [])
        assert say(left, *words).arbiter.pending is not None
    again = say(left, "árbitro", "sim")
    assert again.asking == asked.asking
    over = say(again, "1", "sim").game.result
    assert (over.score, over.reason, over.article) == (
        {"1": "0-1", "2": "1-0", "3": "0-0"}[absent],
        "late",
        "6.7.1",
    )


@pytest.mark.parametrize("absent", ["1", "3"])
def test_where_the_event_has_not_said_how_late_one_may_come_the_arbiter_is_asked(absent):
    """6.7.1, 2018."""
    asked = find(new(clock="90"), "late", absent, "3 0")
    assert noted(asked) == ("late_arbiter", "6.7.1")
    assert outcome(say(asked, "não", "árbitro", "sim", "1", "sim")) == {"1": "0-1", "3": "0-0"}[absent]
    assert sans(say(asked, "2", "sim", "e4", "sim")) == ["e4"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("allowed", "told"), [(0, "0"), (20, "20")])
def test_how_late_one_may_come_reads_naturally(language, allowed, told):
    state = find(new(clock="90", default_time=allowed, supervised=False), "late", "1", "3 0")
    sentence = Renderer(language).text(state.game.notes[-1].message)
    assert (told in sentence.partition("(")[0].split()) == bool(allowed)
    reason = Renderer(language).text(Message.of(f"end_{state.game.result.reason}"))
    assert reason != Renderer(language).text(Message.of("end_ruling"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_is_asked_in_every_language_and_answered_by_a_number_or_a_routing_key(language):
    render = Renderer(language, "fide")
    asked = Deciding(moves=3, what="more")
    told = render.text(arbiter_menu.question(asked))
    assert all(f"{number}, " in told for number in NUMBERS.values())
    assert [Number(int(n)) for n in NUMBERS.values()] == list(
        pointed_squares.choices(asked, new().game.position)
    )
    for name, parts in FOUND.items():
        deciding = arbiter_menu.numbered(asked, int(NUMBERS[name]))
        for _ in parts:
            assert render.text(arbiter_menu.question(deciding))
            deciding = arbiter_menu.numbered(deciding, 1)
        assert not deciding.missing
        assert render.text(arbiter_menu.question(deciding)).endswith("?")
    both = Deciding(moves=3, what="late", given=(3, 5))
    assert render.text(arbiter_menu.question(both)).endswith("?")


def test_the_arbiter_is_called_by_a_key_too():
    state, _ = happen(new(clock="90"), ev.Ordered(command="arbiter"))
    assert isinstance(state.asking, Sure)
    assert state.asking.command is CommandName.ARBITER
    assert state.told.last[0] == Message.of("ask_arbiter")
