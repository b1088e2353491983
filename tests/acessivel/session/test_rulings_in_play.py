# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Laws rule in a game that is announced: claims, offers, touched pieces, illegal moves, the arbiter."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import happen, hear
from support.languages import LANGUAGES
from support.spoken_game import Game

from acessivel.dialogue.questions import (
    NOTHING,
    Arbitrated,
    Choose,
    Confirm,
    Missing,
    Offered,
    Stopped,
    question,
)
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.records.pgn import pgn
from acessivel.records.pgn import text as pgn_text
from acessivel.rules.position import Position
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.storage.journal import Journal
from voices.words.lexicon import vocabulary

STANDARD = "90"
KNIGHTS = "Cf3", "Cf6", "Cg1", "Cg8"
MINUTE = 60_000


def new(*words, **setup):
    state, _ = step(State.new(Setup.of(**setup)), ev.Started())
    state, _ = step(state, ev.SpeechEnded())
    return say(state, *words)


def say(state, *words, at=0):
    for word in words:
        state, _ = hear(state, ev.Heard(words=(word,), at=at))
    return state


def told(state, *words, at=0):
    """The keys of what the last of some words is answered with."""
    state = say(state, *words[:-1], at=at)
    state, effects = hear(state, ev.Heard(words=words[-1:], at=at))
    return state, [m.key for e in effects if isinstance(e, ef.Say) for m in e.messages]


def moves(*announced):
    return tuple(word for move in announced for word in (move, "sim"))


def sans(state):
    return [move.fact.san for move in state.game.played]


def left(state, colour):
    return state.game.clock.left(colour, state.now_ms)


def over(state):
    result = state.game.result
    return (result.score, result.reason, result.article, result.edition) if result else None


@pytest.mark.parametrize(
    ("laws", "words", "result"),
    [
        # 9.2b, 2009; 9.2.1.2, 2018: the position is there; 9.2a, 9.2.1.1: it comes with the announced move.
        ("fide-2018", (*moves(*KNIGHTS * 2), "tripla repetição", "sim"), "threefold"),
        ("fide-2018", (*moves(*(KNIGHTS * 2)[:7]), "tripla repetição", "Cg8", "sim"), "threefold"),
        ("fide-2001", (*moves(*(KNIGHTS * 2)[:7]), "tripla repetição", "Cg8", "sim"), "threefold"),
        # 9.6.1, 2018: five times, without a claim; 2009 knows no such rule.
        ("fide-2018", moves(*KNIGHTS * 4), "fivefold"),
        ("fide-2009", moves(*KNIGHTS * 4), None),
    ],
)
def test_repetition(laws, words, result):
    state = new(*words, laws=laws, clock=STANDARD)
    assert (state.game.result.reason if state.game.result else None) == result
    if result:
        assert over(state)[2:] == (
            {"threefold": {"fide-2001": "9.5a", "fide-2018": "9.5.2"}[laws], "fivefold": "9.6.1"}[result],
            laws,
        )


@pytest.mark.parametrize(
    ("laws", "clock", "gains"),
    [
        ("fide-2009", STANDARD, (0, 3)),  # 9.5b
        ("fide-2001", STANDARD, (-3, 3)),  # 9.5b: half of what is left, up to 3 minutes
        ("fide-2018", STANDARD, (0, 2)),  # 9.5.3
        ("fide-2018", "3", (0, 1)),  # B.2
    ],
)
def test_a_wrong_claim_costs_what_the_edition_says_and_stands_as_an_offer(laws, clock, gains):
    state = new(*moves("e4", "e5"), laws=laws, clock=clock)
    before = [left(state, colour) for colour in ("white", "black")]
    state = say(state, "tripla repetição", "sim")
    assert [left(state, c) - b for c, b in zip(("white", "black"), before, strict=True)] == [
        m * MINUTE for m in gains
    ]
    assert state.asking == Offered("white")
    assert say(state, "sim").game.result.reason == "agreement"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["claim_threefold", "claim_fifty", "claim_draw"])
def test_where_two_play_the_question_says_whose_claim_it_is(command, language):
    words = vocabulary(language)
    game = Game(language=language, laws="fide-2001", clock="90").says("e4", words.say("answer", "yes"))
    asked = Renderer(language).text(game.orders(command).told[-1])
    assert asked.casefold().startswith(f"{words.say('colour', 'black')}:".casefold())
    alone = Game(language=language, opponent="engine", laws="fide-2001", clock="90").orders(command)
    assert (len(alone.keys), alone.keys[-1]) == (1, f"ask_{command}")


@pytest.mark.parametrize(
    ("language", "said", "loses"),
    [
        *(("en", "resign", "white"), ("en", "resign black", "black"), ("en", "resign white", "white")),
        *(
            ("de", "aufgeben Schwarz", "black"),
            ("pt", "abandono pretas", "black"),
            ("es", "abandono negras", "black"),
        ),
    ],
)
def test_either_side_can_resign_on_one_input_by_its_colour(language, said, loses):
    yes = vocabulary(language).say("answer", "yes")
    game = Game(language=language).says("e4", yes, "e5", yes, said)
    assert (game.keys, game.state.asking.colour) == (["ask_resign_of"], loses)
    assert game.says(yes).state.game.result.score == {"white": "0-1", "black": "1-0"}[loses]
    page = Game(language=language).happen(ev.Heard(words=(said,), by="white"))
    assert page.state.asking.colour == "white"  # nobody resigns for the other on his own page


def test_the_move_announced_with_a_wrong_claim_is_played():
    state, keys = told(new(*moves("e4", "e5"), clock=STANDARD), "cinquenta lances", "Cf3", "sim")
    assert sans(state)[-1] == "Nf3"
    assert keys[:2] == ["ruling", "played"]
    assert state.asking == Offered("white")


@pytest.mark.parametrize("claim", ["cinquenta lances", "tripla repetição"])
def test_a_claim_with_a_move_that_is_not_legal_is_wrong_and_the_move_is_made(claim):
    state, keys = told(new(*moves("e4", "e5"), clock="5+3", strict=True), claim, "d1 d8", "sim")
    assert state.game.result is None
    assert state.game.offences == ("white",)
    assert keys[:2] == ["ruling", "played"]


def test_50_moves_can_be_claimed_and_75_end_the_game_unless_it_is_mate():
    quiet = "4k3/8/8/8/8/8/8/R3K3 w - - {} 80"
    assert new("cinquenta lances", "sim", fen=quiet.format(99)).game.result is None
    assert new("cinquenta lances", "Ta2", "sim", fen=quiet.format(99)).game.result.reason == "fifty"
    assert new(*moves("Ta2"), fen=quiet.format(149)).game.result.reason == "seventyfive"
    mate = "7k/8/6K1/8/8/8/8/R7 w - - 149 90"
    assert new(*moves("Ta8"), fen=mate).game.result.reason == "checkmate"  # 9.6.2, 2018


@pytest.mark.parametrize(("laws", "lost"), [("fide-2018", True), ("fide-2009", True), ("fide-2001", False)])
def test_who_has_touched_a_piece_has_lost_the_claim_where_the_edition_says_so(laws, lost):
    state = new(*moves(*KNIGHTS * 2), "toquei e2", "sim", "tripla repetição", "sim", laws=laws)
    assert (state.game.result is None) is lost  # 9.4


@pytest.mark.parametrize(
    ("laws", "minimum", "announced", "stands"),
    [
        ("fide-2018", 0, ("e4",), False),  # 5.2.3: both must have moved
        ("fide-2018", 0, ("e4", "e5"), True),
        ("fide-2009", 0, (), True),
        ("fide-2018", 2, ("e4", "e5"), False),  # 9.1.1: the event's minimum
    ],
)
def test_when_a_draw_can_be_offered(laws, minimum, announced, stands):
    state = new(*moves(*announced), "empate", "sim", laws=laws, draw_from_move=minimum)
    assert isinstance(state.asking, Offered) is stands


@pytest.mark.parametrize(
    ("minimum", "says", "offers"),
    [
        (3, ("claim repetition", "yes"), False),
        (3, ("Nc6", "claim repetition", "yes"), False),
        (2, ("claim repetition", "yes"), False),
        (2, ("Nc6", "claim repetition", "yes"), True),  # with that move both have made two
        (0, ("claim repetition", "yes"), True),
    ],
)
def test_a_wrong_claim_offers_no_draw_before_the_event_lets_one_be_agreed(minimum, says, offers):
    game = Game(clock="90", draw_from_move=minimum).moves("e4", "e5", "Nf3").says(*says)
    assert isinstance(game.state.asking, Offered) is offers
    assert game.keys[0] == "ruling"
    if game.state.draw.offer:
        assert game.says("yes").state.game.result.reason == "agreement"


@pytest.mark.parametrize(
    ("words", "by", "record"),
    [
        # 9.1.2.1, 2018: after the move, before the clock; 9.1.2.2: with its sign.
        (("Cf3", "empate", "sim", "sim"), "white", "2. Nf3 { (=) }"),
        (("Cf3", "sim", "empate", "sim"), "white", "2. Nf3 { (=) }"),
        (("Cf3", "empate", "sim", "não", "Bc4", "sim"), "white", "2. Bc4 { (=) }"),  # it cannot be withdrawn
        (("Cavalo", "empate", "sim", "Cf3", "sim"), "white", "2. Nf3 { (=) }"),
        (("empate", "sim"), "black", "e5 { (=) }"),
        (("toquei g1", "sim", "empate", "sim", "Cf3", "sim"), "white", "2. Nf3 { (=) }"),
        # 9.1.2.3: a wrong claim is an offer too, of who is to move; without a move there is only the remark.
        (("cinquenta lances", "Cf3", "sim"), "white", "2. Nf3 { (=) }"),
        (("tripla repetição", "sim"), "white", "Brancas propõem empate."),
        (("tripla repetição", "sim", "não", "Cf3", "sim"), None, "2. Nf3 { (=) }"),
    ],
)
def test_an_offer_belongs_to_who_moves_or_has_just_moved(words, by, record):
    state = new(*moves("e4", "e5"), *words, clock=STANDARD)
    assert state.draw.offer == by
    assert state.asking == (Offered(by) if by else NOTHING)
    text = " ".join(pgn(state.setup, state.game, "2026-01-01").split())
    assert record in re.sub(r"\[%clk \S+\] ?", "", text)
    assert text.count("(=)") == ("propõem" not in text)
    if by:
        assert say(state, "sim").game.result.reason == "agreement"


def test_an_offer_leaves_the_announced_move_in_question():
    state, keys = told(new(*moves("e4", "e5")), "Cf3", "empate")
    assert keys == ["ask_draw_of"]
    state, keys = told(state, "sim")
    assert keys == ["draw_with_move", "ask_move"]
    assert told(state, "empate")[1] == ["draw_stands", "ask_move"]
    state, keys = told(state, "sim")
    assert keys == ["played", "turn", "ask_accept_draw"]
    assert told(state, "empate")[1] == ["draw_stands", "ask_accept_draw"]
    state, keys = told(state, *moves("Cc6"))
    assert keys[0] == "draw_refused"
    assert state.asking == NOTHING


def test_an_offer_to_the_engine_goes_with_the_announced_move():
    state = new("e4", "empate", "sim", opponent="engine", laws="fide-2009")
    assert (state.draw.offer, isinstance(state.asking, Confirm)) == (None, True)
    state, effects = hear(state, ev.Heard(words=("sim",)))
    assert effects[0] == ef.AskEngineForDraw()
    assert effects[-1] == ef.AskEngine()
    assert (sans(state), state.draw.offer) == (["e4"], "white")


def test_an_offer_whose_move_goes_back_stays_in_the_record_in_words():
    state = new(
        *moves("e4", "e5", "Cf3"), "empate", "sim", "não", *ARBITER, "4", "2", "1", "sim", *moves("d4")
    )
    text = " ".join(pgn(state.setup, state.game, "2026-01-01").split())
    assert "(=)" not in text
    assert "e5 { As Brancas propõem empate." in text


THREE = (*moves(*(KNIGHTS * 2)[:7]), "tripla repetição")
FIFTY = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80"


@pytest.mark.parametrize(
    ("fen", "words", "reason", "record"),
    [
        # 9.5.1, 2018: a claim is not withdrawn, by whatever becomes of the reading of its move.
        (None, (*THREE, "a6", "não", "Cg8", "sim"), "threefold", "4...Ng8"),
        (None, (*THREE, "não", "Cg8", "sim"), "threefold", "4...Ng8"),
        (None, (*THREE, "a6", "correção", "Cg8", "sim"), "threefold", "4...Ng8"),
        (None, (*THREE, "não", "correção", "não", "sim", "Cg8", "sim"), "threefold", "4...Ng8"),
        (None, (*THREE, "Cc3", "Cg8", "sim"), "threefold", "4...Ng8"),  # impossible
        (None, (*THREE, "toquei a7", "sim", "a6", "sim"), None, "4... a6 { (=) }"),  # 9.4: in time
        (None, (*THREE, "a6", "não", "relógio", "Cg8", "sim"), "threefold", "4...Ng8"),
        (None, (*THREE[:-1], "Cg8", "tripla repetição", "sim"), "threefold", "4...Ng8"),
        (None, (*THREE, "correção", *moves("Cg8")), None, "Ng8"),  # misheard: nothing was claimed
        (FIFTY, ("cinquenta lances", "não", "Ta2", "não", "Ta3", "sim"), "fifty", "80.Ra3"),
        (FIFTY, ("cinquenta lances", "não", "Torre", "a3", "sim"), "fifty", "80.Ra3"),  # part by part
        (
            FIFTY.replace("99", "100"),
            ("cinquenta lances", "Anna", "sim"),
            "fifty",
            "",
        ),  # a word answers nothing
        (FIFTY, ("cinquenta lances", "não", "Torre", "Anna", "3", "sim"), "fifty", "80.Ra3"),
    ],
)
def test_a_claim_stands_until_its_move_is_made(fen, words, reason, record):
    state = new(*words, fen=fen)
    assert (state.game.result.reason if state.game.result else None) == reason
    text = " ".join(pgn(state.setup, state.game, "2026-01-01").split())
    assert record in text
    if reason:
        assert record in pgn_text(state.setup, state.game, "2026-01-01")
        assert record.rsplit(".")[-1] not in sans(state)[-1:]  # it was written down, not made


def test_a_claim_asks_with_which_move():
    state, keys = told(new(*THREE), "não")
    assert keys == ["ask_claim_move"]
    state, keys = told(state, "a6", "não")
    assert keys == ["say_again", "ask_claim_move"]
    state, keys = told(state, "Cc3")
    assert keys == ["refused", "ask_claim_move"]
    assert told(state, "correção")[1] == ["nothing_to_correct", "ask_claim_move"]


@pytest.mark.parametrize(
    ("fen", "touched", "allowed", "forbidden"),
    [
        (None, ["Cavalo g1"], "Cf3", "e4"),  # 4.3.1
        (None, ["a1", "Cavalo g1"], "Cf3", "e4"),  # 4.3.1: the first that can be moved
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", ["d5"], "exd5", "e5"),  # 4.3.2
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", ["e1", "d5"], "Re2", "e5"),  # 4.3.3: the king cannot take it
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1", "h1"], "0-0", "0-0-0"),  # 4.4.1
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["h1", "e1"], "Tg1", "0-0"),  # 4.4.2
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1", "h1"], "0-0-0", "Tg1"),  # 4.4.3
    ],
)
def test_touched_pieces_bind(fen, touched, allowed, forbidden):
    state = new(*(word for square in touched for word in (f"toquei {square}", "sim")), fen=fen)
    refused, keys = told(state, forbidden)
    assert (refused.asking, keys) == (NOTHING, ["refused"])
    assert isinstance(say(state, allowed).asking, Confirm)
    assert say(state, *moves(allowed)).touch.squares == ()


@pytest.mark.parametrize(
    ("how", "touched", "words", "reason"),
    [
        ({}, ("touched d2", "yes"), "Eva vier Eva drei", "refuse_nothing_there"),
        ({}, ("touched d2", "yes"), "Springer Felix Felix drei", "ruling"),
        ({"laws": "escolar-br", "fen": "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"}, (), "Turm Anna fünf Anna acht", "refuse_nothing_there"),
    ],
)  # fmt: skip
def test_a_corrected_move_that_may_not_be_made_is_only_refused(how, touched, words, reason):
    game = Game(**how).says(*touched).happen(ev.Heard(words=(words,), spoken=True))
    assert (game.keys, game.state.asking) == (["refused"], NOTHING)
    assert dict(game.told[0].values)["reason"].key == reason


def test_of_several_moves_only_those_are_offered_that_a_touched_piece_allows():
    game = Game(fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    game.says("touched king", "yes", "touched h1", "yes", "castle")
    asking = game.state.asking
    assert (type(asking), game.keys) == (Confirm, ["ask_move"])
    assert game.says("yes").state.game.last.san == "O-O"
    rooks = Game(fen="3k4/8/8/8/8/4R3/8/K4R2 w - - 0 1").says("touched e3", "yes", "Rf3")
    assert type(rooks.state.asking) is Confirm


def test_what_cannot_move_binds_nobody_nor_what_is_only_adjusted():
    assert isinstance(new("toquei a1", "sim", "e4").asking, Confirm)  # 4.5
    assert isinstance(new("componho", "toquei g1", "sim", "e4").asking, Confirm)  # 4.2
    assert new("componho", "e4", "não", "toquei g1", "sim", "e4").asking == NOTHING


@pytest.mark.parametrize(
    ("laws", "words", "said", "why"),
    [
        ("fide-2018", ("toquei g1", "sim", "Cf3"), "e4", "refused"),
        ("fide-2018", ("toquei g1", "sim", "Cf3", "parar"), "e4", "refused"),
        ("escolar-br", (*moves("e4", "f6"), "Cf3"), "Dh5", "ruling"),  # its check was not announced
    ],
)
def test_what_the_rules_refuse_lets_no_move_go_without_a_word(laws, words, said, why):
    state, keys = told(new(*words, laws=laws), said)
    assert (keys, state.asking) == ([why, "withdrawn"], NOTHING)


def test_a_touched_piece_of_which_there_are_several_is_asked_for():
    state, keys = told(new(), "toquei cavalo")
    assert keys == ["ask_touched_where"]
    state, keys = told(state, "g1", "sim")
    assert state.touch.squares == ("g1",)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pt", "toquei peão preto d2"),
        ("en", "touched black pawn d2"),
        ("de", "berührt schwarzer Bauer d2"),
        ("es", "toqué peón negro d2"),
    ],
)
def test_a_touched_piece_of_the_other_side_than_was_said_is_told_apart(language, words):
    state, keys = told(new(language=language), words)
    assert (keys, state.asking) == (["on_square"], NOTHING)
    right = {"preto": "branco", "black": "white", "schwarzer": "weißer", "negro": "blanco"}
    state, keys = told(new(language=language), " ".join(right.get(word, word) for word in words.split()))
    assert keys == ["ask_touched"]


def test_a_touched_piece_of_the_side_that_was_said_is_asked_for():
    state, keys = told(new(language="en"), "touched black knight")
    assert keys == ["ask_touched_where"]
    assert [str(square) for square in state.asking.squares] == ["b8", "g8"]
    bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert told(new(language="en", fen=bare), "touched black pawn")[1] == ["none_of_side"]


def test_which_piece_was_touched_is_also_answered_by_its_place_in_the_list():
    state = new("toquei cavalo", "2", "sim")
    assert state.touch.squares == ("g1",)


def test_a_move_announced_with_its_first_square_tells_which_piece_was_touched():
    state, keys = told(new("toquei cavalo"), "Springer Gustav eins Felix drei")
    assert keys == ["ask_touched"]
    assert say(state, "ja").touch.squares == ("g1",)


@pytest.mark.parametrize("piece", ["d2", "cavalo"])
@pytest.mark.parametrize(
    "hurried",
    [
        "Da4", "0-0", "toquei e2", "componho", "tripla repetição", "empate", "reclamo empate", "aciono", "pausa",
        "suspender a partida", "árbitro", "reclamo irregularidade",
    ],
)  # fmt: skip
def test_the_question_which_piece_was_touched_is_answered_before_anything_is_announced(piece, hurried):
    asked = new(f"toquei {piece}")
    state, keys = told(asked, hurried)
    assert state.asking == asked.asking  # 4.3: nobody escapes it by hurrying
    assert keys == ["answer_first", *(message.key for message in question(asked.asking))]


def test_a_touched_piece_binds_whatever_was_announced_before_the_yes():
    state = new("toquei d2", "e4", "sim")
    assert told(state, "e4")[1] == ["refused"]
    assert isinstance(say(state, "d4").asking, Confirm)


@pytest.mark.parametrize("first", ["Cg5", "Re3"])
def test_in_the_brazilian_school_rules_the_piece_of_an_illegal_move_makes_the_legal_one_if_it_can(first):
    """Section "Movimento ilegal"."""
    state = new(
        first, "sim", fen="4k3/8/8/8/2r1r3/6N1/8/3K4 w - - 0 1", laws="escolar-br", clock="5", strict=True
    )
    assert (sans(state), state.game.offences) == ([], ("white",))
    bound, free = ("Cxe4", "Rd2") if first == "Cg5" else ("Rd2", "Cxe4")
    assert told(state, free)[1] == ["refused"]
    assert isinstance(say(state, bound).asking, Confirm)


def test_in_the_brazilian_school_rules_another_piece_plays_if_that_of_the_illegal_move_cannot():
    state = new(
        "Cc3", "sim", fen="4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", laws="escolar-br", clock="5", strict=True
    )
    assert state.game.offences == ("white",)
    assert isinstance(say(state, "Rd1").asking, Confirm)


@pytest.mark.parametrize(
    ("laws", "clock", "first", "second"),
    [
        ("fide-2001", STANDARD, 2, None),  # 7.4b: the third loses
        ("fide-2009", STANDARD, 2, None),
        ("fide-2014", STANDARD, 2, "0-1"),  # 7.5b
        ("fide-2018", STANDARD, 2, "0-1"),  # 7.5.5
        ("fide-2018", "3+0", 1, "0-1"),  # B.2
    ],
)
def test_an_illegal_move_is_executed_found_taken_back_penalised_and_counted(laws, clock, first, second):
    state = new(laws=laws, clock=clock, strict=True)
    gained = -left(state, "black")
    state, keys = told(state, "Cf5", "g1", "sim")
    assert keys == ["played", "ruling", "turn"]
    assert (sans(state), state.game.offences, state.game.clock.running) == ([], ("white",), "white")
    assert gained + left(state, "black") == first * MINUTE
    # 7.5.1, 2018: the piece that had moved is touched.
    assert told(state, "e4")[1] == ["refused"]
    state = say(state, "Cf5", "sim")
    assert (state.game.result.score if state.game.result else None) == second


@pytest.mark.parametrize("words", [("pawn e", "5"), ("pawn e", "e5"), ("e", "e5")])
def test_an_illegal_move_that_is_said_in_parts_is_executed_too(words):
    for strict in (True, False):
        game = Game(clock="15+5", strict=strict).says(*words)
        assert game.keys[0] == ("ask_move" if strict else "refused")
    game = Game(clock="15+5", strict=True, supervised=False).says(*words, "yes")
    assert game.state.game.last.irregular


@pytest.mark.parametrize("clock", ["90+30", "15+5", "3+2", "5+3b", "1/1+30"])
@pytest.mark.parametrize("laws", ["fide-2001", "fide-2009", "fide-2014", "fide-2018", "escolar-br"])
def test_an_illegal_move_that_is_taken_back_earns_no_time(laws, clock):
    """6.3, 2014: an increment comes with a completed move."""
    state = new(laws=laws, clock=clock, tempo="standard", strict=True)
    before = left(state, "white")
    wrong = say(say(state, "Cf5", "g1", at=1000), "sim", "reclamo irregularidade", "sim", at=2000)
    assert (sans(wrong), wrong.game.offences) == ([], ("white",))
    assert left(wrong, "white") == before - 2000
    legal = say(say(wrong, "Cf3", at=4000), "sim", at=5000)
    honest = say(say(state, "Cf3", at=4000), "sim", at=5000)
    assert left(legal, "white") == left(honest, "white")


def test_the_times_stay_where_the_offender_has_moved_again_before_the_illegal_move_is_found():
    """7.1, 2018: they are for the arbiter."""
    state = say(new(clock="90+30", strict=True, supervised=False), "Cf5", "g1", "sim", *moves("a6", "e4"))
    found = say(state, "reclamo irregularidade", "sim")
    assert (sans(found), left(found, "white")) == ([], left(state, "white"))


@pytest.mark.parametrize(
    ("laws", "article", "words"),
    [
        ("fide-2018", "7.5.5", ("aciono", "Rxc7", "sim")),  # pressed first: 7.5.3
        ("fide-2014", "7.5b", ("Rxc7", "sim") * 2),
        ("fide-2009", "7.4b", ("Rxc7", "sim") * 3),
    ],
)
def test_whether_the_opponent_can_mate_is_asked_of_the_position_that_is_put_back(laws, article, words):
    state = new(*words, fen="8/2Qk4/1K6/8/8/8/8/8 b - - 0 1", clock=STANDARD, strict=True, laws=laws)
    assert over(state) == ("1-0", "illegal", article, laws)  # the queen stands again on c7


@pytest.mark.parametrize(("laws", "first"), [("fide-2018", ("aciono",)), ("fide-2009", ("Rxc7", "sim") * 2)])
def test_the_illegal_move_that_loses_is_a_draw_if_the_opponent_cannot_mate_from_there(laws, first):
    knight = "8/2Nk4/1K6/8/8/8/8/q7 b - - 0 1"
    state = new(*first, "Rxc7", "sim", fen=knight, clock=STANDARD, strict=True, laws=laws)
    assert over(state)[:2] == ("1/2-1/2", "illegal_no_mate")


def test_the_illegal_move_that_loses_is_ruled_on_in_an_opening():
    presses = ("aciono", "aciono")  # White's own, and Black's
    state = new(*moves("e4", "e5", "Cf3"), *presses, *moves("Cc6", "Cg5"), clock=STANDARD, strict=True)
    assert over(say(state, "Re6", "sim"))[:2] == ("1-0", "illegal")


def test_nobody_looks_for_a_mate_where_the_illegal_move_costs_time_only(monkeypatch):
    monkeypatch.setattr(Position, "can_mate", lambda *_: pytest.fail("nothing depends on it"))
    assert new("Cf5", "g1", "sim", clock=STANDARD, strict=True).game.offences == ("white",)


def test_without_supervision_an_illegal_move_in_blitz_loses_by_claim_before_the_reply():
    state = new("Cf5", "g1", "sim", clock="3", supervised=False, strict=True)
    assert sans(state) == ["Ng1f5"]
    assert over(say(state, "reclamo irregularidade", "sim"))[:2] == ("0-1", "illegal")  # A.4.2, 2018
    late = say(state, *moves("a6"), "e4", "não", "reclamo irregularidade", "sim")
    assert late.game.result is None  # the move stands


@pytest.mark.parametrize(("laws", "article"), [("fide-2001", "C3")])
def test_where_only_the_opponent_may_claim_it_nobody_says_that_a_move_was_illegal(laws, article):
    state, keys = told(new(clock="5", laws=laws, strict=True), "Cf5", "g1", "sim")
    assert keys == ["played", "turn"]  # 13.6: nobody intervenes
    assert state.game.notes == ()
    assert over(say(state, "reclamo irregularidade", "sim")) == ("0-1", "illegal", article, laws)
    late = say(state, *moves("a6"), "reclamo irregularidade", "sim")
    assert late.game.result is None  # the move stands


def test_a_claim_of_an_illegal_move_where_there_was_none_changes_nothing():
    state, keys = told(new(*moves("e4"), clock="3"), "reclamo irregularidade", "sim")
    assert keys == ["claim_illegal_wrong"]
    assert sans(state) == ["e4"]


@pytest.mark.parametrize(
    ("fen", "words", "reason"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "rei g1", "refuse_castle_by_name"),
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "rei g1", "refuse_castle_by_name"),  # Chess960: over the rook
        ("r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1", "rei g1", "refuse_castle_attacked"),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "rei e1 g1", "refuse_castle_attacked"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "rei g1", "refuse_castle_moved"),
        (None, "cavalo b1 toma Cesar drei", "refuse_nothing_to_take"),
    ],
)
def test_what_is_wrong_in_words_only_is_refused_and_is_no_illegal_move(fen, words, reason):
    setup = Setup.of(fen=fen, clock=STANDARD, strict=True)
    state, _ = step(State.new(setup), ev.Started())
    _, effects = step(state, ev.Heard(words=(words,)))
    refusal = effects[0].messages[0]
    assert refusal.key == "refused"
    assert dict(refusal.values)["reason"].key == reason


def test_an_illegal_castling_is_refused_when_it_is_pointed_at_too_but_not_a_king_that_goes_too_far():
    fen = "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1"
    state, _ = step(State.new(Setup.of(fen=fen, clock=STANDARD, strict=True)), ev.Started())
    for square in ("e1", "g1"):
        state, effects = step(state, ev.SquarePointed(square=square))
    assert dict(effects[0].messages[0].values)["reason"].key == "refuse_castle_attacked"
    assert (state.asking, state.game.offences) == (NOTHING, ())
    assert say(state, "rei c1", "sim").game.offences == ("white",)  # there is no rook


@pytest.mark.parametrize("words", ["rei g1", "rei toma g1", "rei e1 g1"])
def test_a_king_that_takes_two_squares_away_makes_an_illegal_move_and_does_not_castle(words):
    state = new(words, "sim", fen="4k3/8/8/8/8/8/8/4K1nR w K - 0 1", clock=STANDARD, strict=True)
    assert state.game.offences == ("white",)


@pytest.mark.parametrize(
    ("supervised", "words"),
    [
        (True, ("Ke3", "draw", "yes", "yes")),
        (True, ("fifty moves", "no", "Ke3", "yes")),  # a wrong claim is an offer (9.1.2.3)
        (False, ("Ke3", "draw", "yes", "yes", "claim illegal move", "yes")),
    ],
)
def test_an_offer_that_was_made_with_an_illegal_move_stands_with_the_next(supervised, words):
    game = Game(clock="90", strict=True, supervised=supervised).moves("e4", "e5").says(*words)
    assert (game.state.game.position.turn, game.state.draw.offer) == ("white", None)
    game.moves("Ke2")
    assert game.state.asking == Offered("white")
    game.says("accept")
    assert game.state.game.result


def test_an_offer_that_came_after_an_illegal_move_stands_when_that_is_taken_back():
    game = Game(clock="90", strict=True, supervised=False).moves("e4", "e5", "Ke3")
    game.says("fifty moves", "yes", "claim illegal move", "yes")
    assert game.state.asking == Offered("black")


def test_an_offer_stands_at_once_where_the_move_is_completed_with_a_queen():
    how = {"clock": "90", "strict": True, "fen": "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"}
    game = Game(**how).moves("Ka2", "Kh7").says("e8", "draw", "yes").orders("press")
    assert [move.fact.san for move in game.state.game.played[2:]] == ["e8=Q"]
    assert (game.state.draw.offer, game.state.asking) == ("white", Offered("white"))
    assert game.keys == ["unpromoted", "ruling", "played", "turn", "ask_accept_draw"]


def test_clocks_that_stand_are_stopped_no_second_time():
    game = Game(clock="5").moves("e4").says("stop the clock", "stop the clock")
    assert game.keys == ["ask_go_on"]
    assert len(game.state.game.notes) == 1
    assert not game.says("yes").state.clocks.stopped
    assert game.says("stop the clock").keys == ["ruling", "ask_go_on"]


@pytest.mark.parametrize(
    ("laws", "given", "noted"),
    [
        ("fide-2018", ("1", "2"), "The arbiter gives Black 2 minutes more. Article 12.9, FIDE Laws of 2018."),
        ("fide-2009", ("2", "1"), "The arbiter takes 1 minute from Black. Article 13.4, FIDE Laws of 2009."),
    ],
)
def test_the_record_has_what_time_the_arbiter_has_given_or_taken(laws, given, noted):
    game = Game(clock="5", laws=laws).orders("arbiter").says("yes", "2", "2", *given, "0", "yes")
    assert game.keys == ["ruling", "time_left"]
    assert noted in pgn_text(game.state.setup, game.state.game, "2026-01-01")


PROMOTES = "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("laws", "played"),
    [("fide-2018", ["e8=Q"]), ("fide-2014", ["e8=Q"]), ("fide-2009", []), ("fide-2001", [])],
)
def test_a_pawn_left_unpromoted_becomes_a_queen_or_goes_back(laws, played):
    state = new("e8", "aciono", fen=PROMOTES, clock=STANDARD, strict=True, laws=laws)
    assert sans(state) == played  # 7.5.2, 2018; 7.4a, 2009
    assert state.game.offences == ("white",)


def test_in_the_brazilian_school_rules_a_promotion_is_finished_before_the_clock_is_pressed():
    how = {"laws": "escolar-br", "strict": True, "clock": "5", "fen": "7k/P7/8/8/8/8/8/K7 w - - 0 1"}
    game = Game(**how).says("a8").orders("press")
    assert game.keys[-2:] == ["ruling", "ask_promotion"]
    game.says("knight", "yes")
    assert [move.fact.uci for move in game.state.game.played] == ["a7a8n"]


def test_a_pawn_that_is_not_promoted_gives_no_check_and_hinders_no_reply():
    how = {"laws": "fide-2018", "clock": "15+5", "strict": True, "supervised": False}
    game = Game(fen="4k3/P6p/8/8/8/8/8/4K3 w - - 0 1", **how).says("a8").orders("press")
    position = game.state.game.position
    assert (position.in_check, position.at("a8")[1]) == (False, "P")
    game.moves("h5")
    assert not game.state.game.last.irregular
    result = game.says("claim illegal move", "yes").state.game.result
    assert result is None  # nothing of Black's can be claimed


@pytest.mark.parametrize(("laws", "counts"), [("fide-2018", True), ("fide-2009", False)])
def test_the_clock_pressed_without_a_move(laws, counts):
    state = new("aciono", clock=STANDARD, strict=True, laws=laws)
    assert state.game.offences == (("white",) if counts else ())  # 7.5.3, 2018; 6.7c, 2009


def test_a_clock_pressed_without_a_move_stands_until_the_opponent_claims_it():
    state, keys = told(new(clock="15", strict=True, supervised=False), "aciono")
    assert keys == ["press_stands"]
    assert (state.game.offences, state.game.clock.running) == ((), "black")
    lost = say(state, "reclamo irregularidade", "sim")
    assert over(lost)[:2] == ("0-1", "illegal")  # 7.5.3, A.4.2; 2018
    back, keys = told(state, "aciono")
    assert (keys[0], back.game.clock.running) == ("pressed_back", "white")
    moved = say(state, *moves("e4"))
    assert moved.game.clock.running == "black"
    assert over(say(moved, "reclamo irregularidade", "sim"))[:2] == ("0-1", "illegal")
    # Too late when the opponent has moved (A.4.2, 2018).
    late = say(moved, *moves("e5"), "reclamo irregularidade", "sim")
    assert (over(late), late.clocks.pressed) == (None, None)
    standard = say(new(clock="90", strict=True, supervised=False), "aciono", "reclamo irregularidade", "sim")
    assert (over(standard), left(standard, "black")) == (None, 92 * MINUTE)  # 7.5.5, 2018: the first one
    standard, _ = step(standard, ev.SpeechEnded())
    assert standard.game.clock.running == "white"


def test_an_illegal_move_is_claimed_whatever_was_pressed_without_one_before():
    game = Game(clock="15+5", strict=True, supervised=False)
    game.moves("e4").orders("press", "press")  # White's own, and Black's
    game.moves("e5", "Nf3", "Ke6").says("claim illegal move", "yes")
    assert (over(game.state) or ())[:2] == ("1-0", "illegal")
    assert game.state.clocks.pressed is None


@pytest.mark.parametrize("supervised", [True, False])
@pytest.mark.parametrize(("says", "asked"), [("Rf1", Choose), ("R", Missing)])
def test_the_clock_pressed_while_it_is_asked_which_move_is_made_is_not_pressed_without_one(
    says, asked, supervised
):
    how = {"clock": "90", "strict": True, "supervised": supervised}
    game = Game(fen="4k3/8/8/8/8/3K4/8/R6R w - - 0 1", **how).says(says)
    was = game.state.asking
    assert isinstance(was, asked)
    game.orders("press")
    assert (game.keys, game.state.asking) == ([question(was)[0].key], was)
    assert (game.state.game.offences, game.state.clocks.press_stands) == ((), False)


def test_who_presses_right_after_the_yes_to_his_move_has_pressed_already():
    for supervised in (True, False):
        how = {"clock": "90", "strict": True, "supervised": supervised}
        game = Game(**how).moves("e4").orders("press")
        assert game.keys == ["pressed_already", "turn"]
        assert (game.state.game.offences, game.state.clocks.pressed) == ((), None)
        again = game.orders("press").state  # the second is the opponent's
        assert (again.game.offences, again.clocks.pressed) == (
            (("black",), None) if supervised else ((), ("black", 1))
        )
        for between in ("whose turn", "resign", "mumble"):
            said = Game(**how).moves("e4").says(between, *(["no"] if between == "resign" else []))
            assert "pressed_already" not in said.orders("press").keys
        by_press = Game(**how).says("e4").orders("press", "press")
        assert "pressed_already" not in by_press.keys


def test_so_has_who_made_an_illegal_move_wherever_he_presses():
    for by in ("", "both", "white"):
        press = ev.Heard(words=("press",), by=by)
        game = Game(clock="90", strict=True).moves("e5").happen(press)
        assert (game.keys, game.state.game.offences) == (["pressed_already", "turn"], ("white",))
        assert game.happen(press).state.game.offences == ("white", "white")
        asked = Game(clock="90", strict=True).says("e5", "claim illegal move", "no").happen(press)
        assert "pressed_already" not in asked.keys


def test_on_a_page_of_his_own_it_is_the_opponent_who_presses_without_a_move():
    for by, key in (("white", "not_your_turn"), ("black", "press_stands")):
        game = Game(clock="90", strict=True, supervised=False).moves("e4")
        assert game.happen(ev.Heard(words=("press",), by=by)).keys[0] == key


ILLEGAL = {"clock": "90", "strict": True, "supervised": False}


def test_a_position_is_counted_across_an_illegal_move_that_stands():
    game = Game(**ILLEGAL).moves("Nf3", "Nf6", "Ng1", "Ng8")
    game.moves("Ng1 g3", "Nf6", "Ng3 g1", "Ng8")
    assert game.state.game.played[4].fact.irregular
    assert game.state.game.position.repetitions() == 3
    game.orders("claim_threefold").says("yes")
    assert game.state.game.result


@pytest.mark.parametrize("decides", [("8", "yes"), ("4", "1", "1", "yes")])
def test_so_it_is_once_the_arbiter_has_put_back_the_beginning(decides):
    game = Game(**ILLEGAL).moves("Nf3").says("arbiter", "yes", *decides)
    game.moves("Ng1 g3", "Nf6", "Ng3 g1", "Ng8")
    assert game.state.game.position.repetitions() == 2


def test_a_king_that_has_moved_against_the_rules_castles_no_more_in_chess960_either():
    game = Game(fen="1k6/8/8/8/8/8/8/R1K4R w AH - 0 1", variant="chess960", **ILLEGAL)
    game.moves("Kc1 e1", "Kb7")
    assert game.state.game.last.uci == "b8b7"
    assert game.state.game.position.castling_rights("white") == ()


def test_an_edition_without_a_limit_for_agreed_draws_says_so():
    for laws, said in (("fide-2001", True), ("fide-2009", False)):
        state, _ = step(State.new(Setup.of(laws=laws, draw_from_move=30)), ev.Started())
        sentences = [dict(m.values).get("sentence") for m in state.told.last]
        assert any(one and one.key == "no_draw_limit" for one in sentences) == said


def test_pressing_the_clock_completes_the_announced_move_only():
    assert sans(new("e4", "aciono", clock=STANDARD)) == ["e4"]
    state, keys = told(new(clock=STANDARD), "aciono")
    assert (keys, state.game.offences) == (["press_nothing"], ())
    keyed, _ = step(State.new(Setup.of(clock=STANDARD)), ev.Started(confirm="key"))
    for word in ("e4", "aciono"):
        keyed, _ = step(keyed, ev.Heard(words=(word,), spoken=True))
    assert sans(keyed) == []


def test_the_flag_wins_unless_the_opponent_cannot_mate_and_is_claimed_where_nobody_watches():
    state, _ = happen(new(clock="1"), ev.Tick(at=MINUTE))
    assert over(state) == ("0-1", "flag", "6.9", "fide-2018")
    state, _ = happen(new(clock="1", fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), ev.Tick(at=MINUTE))
    assert over(state)[:2] == ("1/2-1/2", "flag_no_mate")
    alone = new(clock="3", laws="fide-2009", supervised=False)
    alone, effects = happen(alone, ev.Tick(at=3 * MINUTE))
    assert effects == ()  # called by the players only
    assert alone.game.result is None
    assert over(say(alone, "caiu a bandeira", at=3 * MINUTE))[:2] == ("0-1", "flag")  # A.4d, 2009
    assert told(new(clock="3"), "caiu a bandeira")[1] == ["flag_not_fallen"]


@pytest.mark.parametrize(
    ("laws", "clock", "supervised", "by_itself"),
    [
        ("fide-2018", "15", False, True),  # A.4.5: the arbiter calls it as well, and so the program
        ("fide-2018", "3", False, True),  # B.4
        ("desporto-escolar-2022", "15+5", False, True),
        ("escolar-br", "5", False, True),
        ("fide-2009", "15", False, False),  # A.4d: only the players
        ("fide-2009", "15", True, True),  # 6.8
        ("fide-2001", "15", True, False),  # B6
        ("fide-2001", "5", True, False),  # C1
    ],
)
def test_a_flag_ends_the_game_by_itself_unless_it_is_left_to_the_players(laws, clock, supervised, by_itself):
    fallen = happen(new(laws=laws, clock=clock, supervised=supervised), ev.Tick(at=20 * MINUTE))[0]
    assert (fallen.game.result is not None) is by_itself
    claimed = fallen if by_itself else say(fallen, "caiu a bandeira", at=20 * MINUTE)
    assert over(claimed)[:2] == ("0-1", "flag")


def test_quickplay_is_left_to_the_arbiter():
    state = new(clock="1", tempo="standard", laws="fide-2009")
    state = say(state, "reclamo empate", "sim")
    assert state.asking == Arbitrated()
    assert told(state, "e4")[1][0] == "arbiter_must_decide"
    assert over(say(state, "árbitro", "sim", "6", "1", "sim"))[:2] == ("1/2-1/2", "arbiter")
    going = say(state, "árbitro", "sim", "6", "2", "sim")
    assert left(going, "black") == 3 * MINUTE  # 10.2d, 2009: two minutes more
    assert going.game.result is None


@pytest.mark.parametrize(("laws", "article"), [("fide-2001", "D1"), ("fide-2009", "D.1")])
@pytest.mark.parametrize(("number", "key"), [("1", "quickplay_cannot_win"), ("2", "quickplay_no_effort")])
def test_without_an_arbiter_a_quickplay_claim_names_one_of_two_grounds(laws, article, number, key):
    state = new(clock="1", tempo="standard", laws=laws, supervised=False)
    asked, keys = told(state, "reclamo empate", "sim")
    assert keys == ["ask_grounds"]
    assert asked.game.clock.running is None  # the claim ends play
    assert happen(asked, ev.SpeechEnded(at=2 * MINUTE))[0].game.result is None
    for words in ("e4", "toquei e2", "3", "sim", "não"):
        assert say(asked, words).asking == asked.asking
    claimed = say(asked, number)
    assert (claimed.arbiter.pending.key, claimed.arbiter.pending.article) == (key, article)
    assert over(say(claimed, "árbitro", "sim", "6", "1", "sim"))[:2] == ("1/2-1/2", "arbiter")
    assert told(asked, "correção")[1] == ["nothing_to_correct", "ask_grounds"]


@pytest.mark.parametrize(
    ("setup", "key"),
    [
        ({"clock": "5", "tempo": "standard", "laws": "fide-2009"}, "quickplay_time"),
        ({"clock": "1", "tempo": "standard", "laws": "fide-2018"}, "quickplay_unknown"),
        ({"clock": "1/2+30", "tempo": "standard", "laws": "fide-2009"}, "quickplay_not_last"),
    ],
)
def test_a_quickplay_claim_that_is_not_admitted_is_asked_for_no_ground(setup, key):
    state = say(new(supervised=False, **setup), "reclamo empate", "sim")
    assert dict(state.game.notes[-1].message.values)["sentence"].key == key
    assert (state.asking, state.arbiter.pending) == (NOTHING, None)


@pytest.mark.parametrize("claim", ["tripla repetição", "cinquenta lances"])
def test_in_the_brazilian_school_rules_the_game_goes_on_while_the_organisers_are_asked(claim):
    """Section "Observação": they decide what the rules do not describe."""
    state, keys = told(new(*moves("e4"), laws="escolar-br", clock="5"), claim)
    assert keys == ["ruling"]
    assert dict(state.game.notes[-1].message.values)["sentence"].key == "claim_unknown"
    assert (state.arbiter.pending, state.asking, state.game.clock.running) == (None, NOTHING, "black")
    assert sans(say(state, *moves("e5"))) == ["e4", "e5"]
    announced = new("e4", laws="escolar-br")
    assert sans(say(announced, claim, "sim")) == ["e4"]


ARBITER = ("árbitro", "sim")
LATER = ("reclamo empate", "sim", *ARBITER, "6", "3", "sim")


@pytest.mark.parametrize("said", [("stop the clock",), ("arbiter", "yes", "2"), ("arbiter", "yes", "3")])
def test_a_clock_that_there_is_not_is_not_stopped_nor_asked_about(said):
    game = Game().says(*said)
    assert (game.keys, game.state.asking, game.state.clocks.stopped) == (["no_clock"], NOTHING, False)
    assert game.moves("e4").state.game.last.san == "e4"


def postponed(laws):
    """The decision on White's claim, made with 50 s left, is put off, and play goes on."""
    state, keys = told(
        say(new(clock="1", tempo="standard", laws=laws), "pausa", "sim", at=10_000), *LATER, at=10_000
    )
    return happen(state, ev.SpeechEnded(at=10_000))[0], keys


@pytest.mark.parametrize(("laws", "flag"), [("fide-2001", "6.10"), ("fide-2009", "6.9")])
def test_the_arbiter_postpones_his_decision_and_may_still_declare_the_draw(laws, flag):
    state, keys = postponed(laws)
    assert keys[0] == "ruling"
    assert dict(state.game.notes[-1].message.values)["sentence"].key == "quickplay_postponed"
    assert (left(state, "black"), state.game.clock.running) == (3 * MINUTE, "white")  # 10.2b: 2 minutes more
    assert (state.game.result, state.arbiter.pending) == (None, None)
    # He decides while play goes on, ...
    assert over(say(state, *ARBITER, "6", "1", "sim", at=11_000)) == ("1/2-1/2", "arbiter", "10.2", laws)
    going = say(state, *ARBITER, "6", "2", "sim", at=11_000)
    assert (going.game.result, left(going, "black")) == (None, 3 * MINUTE)  # the time is given once
    # ... or after the claimant's flag has fallen.
    fallen, _ = happen(state, ev.Tick(at=2 * MINUTE))
    assert (fallen.game.result, fallen.asking) == (None, Arbitrated())
    assert over(say(fallen, *ARBITER, "6", "1", "sim", at=2 * MINUTE)) == ("1/2-1/2", "arbiter", "10.2", laws)
    assert over(say(fallen, *ARBITER, "6", "2", "sim", at=2 * MINUTE)) == ("0-1", "flag", flag, laws)


def test_a_decision_is_postponed_once_and_only_in_the_quickplay_finish():
    state, _ = postponed("fide-2009")
    asked = say(state, *ARBITER, "6", at=11_000)
    assert say(asked, "3", at=11_000).asking == asked.asking
    other = say(new(clock="90", laws="fide-2018"), *ARBITER, "6")
    assert say(other, "3").asking == other.asking
    fallen, _ = happen(new(clock="1", tempo="standard", laws="fide-2009"), ev.Tick(at=MINUTE))
    assert over(fallen)[:2] == ("0-1", "flag")  # nothing was claimed


def test_the_arbiter_gives_and_takes_time_warns_and_stops_the_clocks():
    state = new(clock="5")
    state = say(state, *ARBITER, "2", "2", "1", "1", "zero", "sim")
    assert left(state, "black") == 6 * MINUTE
    state = say(state, *ARBITER, "2", "1", "2", "0", "três zero", "sim")
    assert left(state, "white") == 4 * MINUTE + 30_000
    state = say(state, *ARBITER, "1", "1", "sim")
    assert [note.message.key for note in state.game.notes] == [*["ruling", "time_left"] * 2, "warned"]
    state = say(state, *ARBITER, "3", "sim")
    assert (state.asking, state.game.clock.running) == (Stopped(), None)
    assert told(state, "e4")[1] == ["ask_go_on"]
    assert say(state, "sim").game.clock.running == "white"


def test_a_player_stops_the_clocks_for_the_arbiter():
    state, keys = told(new(clock="5"), "pausa")
    assert keys == ["ruling", "ask_go_on"]
    assert say(state, "sim", *moves("e4")).game.clock.running == "black"


def test_the_arbiter_restores_a_position_declares_a_result_and_begins_anew():
    state = new(*moves("e4", "e5", "Cf3", "Cc6"), clock="5")
    back = say(state, *ARBITER, "4", "2", "1", "sim")
    assert (sans(back), back.game.position.turn) == (["e4", "e5"], "white")
    assert told(state, *ARBITER, "4", "3", "1", "sim")[1] == ["no_such_position"]
    assert over(say(state, *ARBITER, "5", "3", "sim"))[:2] == ("1/2-1/2", "arbiter")
    assert sans(say(state, *ARBITER, "7", "sim")) == []  # 7.3, 2018: fewer than 10 moves
    assert sans(say(new(*moves("e4"), laws="fide-2009"), *ARBITER, "7", "sim")) == ["e4"]  # 7.2
    assert sans(say(state, *ARBITER, "8", "sim")) == []  # 7.2.1
    assert say(state, *ARBITER, "não").game == state.game


@pytest.mark.parametrize(
    ("decides", "why"),
    [
        (("4", "2", "1", "sim"), "no_such_position"),
        (("2",), "no_clock"),
        (("6", "2", "sim"), "nothing_pending"),
    ],
)
def test_what_the_arbiter_cannot_do_leaves_the_question_that_is_open(decides, why):
    offered = say(new(*moves("e4", "e5")), "empate", "sim")
    assert told(offered, *ARBITER, *decides)[1] == [why, "ask_accept_draw"]


def test_the_rules_are_told_by_topic_and_the_question_stays():
    state, keys = told(new("e4"), "regras")
    assert keys == ["numbered_topics", "more_follows", "ask_topic"]
    state, keys = told(state, "continua")
    assert keys == ["numbered_topics", "more_follows", "ask_topic"]
    assert told(state, "abracadabra")[1] == ["not_understood", "ask_topic"]
    state, keys = told(state, "1")
    assert keys[-2:] == ["more_follows", "ask_move"]
    assert set(keys[:-2]) == {"ruling"}
    while "more_follows" in keys:
        state, keys = told(state, "continua")
    assert keys[-1] == "ask_move"
    assert set(keys[:-1]) == {"ruling"}
    assert isinstance(state.asking, Confirm)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("convention", "own"), [("fide", False), ("letters", True)])
def test_the_refusal_of_a_silent_check_says_the_word_that_is_missing(language, convention, own):
    """Section "Término da partida"."""
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    state = new(fen=fen, laws="escolar-br", language=language, convention=convention)
    _, effects = happen(state, ev.Heard(words=("a1a8",)))
    told = Renderer(language, convention).text(effects[0].messages[0])
    assert vocabulary(language if own else "fide").say("mark", "check") in told


def test_the_refusal_of_a_silent_mate_does_not_tell_that_it_mates():
    """Check is all that must be announced."""
    state = new(fen="7k/R7/6K1/8/8/8/8/8 w - - 0 1", laws="escolar-br", language="pt", convention="letters")
    _, effects = happen(state, ev.Heard(words=("Ta8",)))
    told = Renderer("pt", "letters").text(effects[0].messages[0])
    assert "xeque também" in told
    assert "mate" not in told
    assert isinstance(say(state, "Ta8 xeque").asking, Confirm)


TWO_ROOKS = "R3r2R/8/8/8/8/8/4k3/K7 w - - 0 1"
QUEENS = "8/4P3/8/8/4k3/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        (TWO_ROOKS, ("Torre e8 xeque", "a")),
        (TWO_ROOKS, ("Torre toma xeque", "a")),
        (QUEENS, ("e8 xeque", "dama")),
        (QUEENS, ("e8=D xeque",)),
    ],
)
def test_a_check_that_was_said_stays_said_while_the_rest_is_asked_for(fen, words):
    assert isinstance(new(*words, fen=fen, laws="escolar-br").asking, Confirm)


def test_check_is_announced_where_it_must_be():
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    assert new("Ta8", fen=fen, laws="escolar-br").asking == NOTHING
    assert isinstance(new("Ta8+", fen=fen, laws="escolar-br").asking, Confirm)
    assert isinstance(new("Ta8", fen=fen).asking, Confirm)


ANY_WORDS = st.sampled_from(
    "e4|e5|Cf3|Cf6|Cg5|f3|g4|Dh4|d5|sim|não|1|2|3|5|7|8|empate|abandono|tripla repetição|cinquenta lances|caiu a bandeira"
    "|reclamo empate|reclamo irregularidade|aciono|pausa|árbitro|regras|toquei g1|toquei cavalo|componho|correção".split(
        "|"
    )
)
ANY_SETUP = st.builds(
    Setup.of,
    clock=st.sampled_from(["none", "1", "3+2", "90"]),
    laws=st.sampled_from(
        ["fide-2001", "fide-2009", "fide-2014", "fide-2018", "escolar-br", "desporto-escolar-2022"]
    ),
    strict=st.booleans(),
    supervised=st.booleans(),
    opponent=st.sampled_from(["human", "engine"]),
)
ANY_EVENT = st.one_of(
    st.builds(lambda word: ev.Heard(words=(word,)), ANY_WORDS),
    st.builds(lambda word: ev.Heard(words=(word,)), ANY_WORDS),
    st.builds(ev.Tick, quiet=st.booleans()),
    st.builds(ev.EngineMoved, uci=st.sampled_from(["e2e4", "e7e5", "g8f6"])),
    st.sampled_from(
        [ev.SpeechEnded(), ev.Resumed(), ev.EngineFailed(), ev.EngineAnswered(accepts=True), ev.Awaited()]
    ),
)
ANY_EVENTS = st.lists(
    st.tuples(ANY_EVENT, st.sampled_from([0, 10, 5_000, 20_000, 90_000]), st.booleans()), max_size=40
)


@settings(max_examples=examples(100), deadline=None)
@given(ANY_SETUP, ANY_EVENTS)
def test_a_finished_game_never_goes_on_and_replays_as_it_was(tmp_path_factory, setup, events):
    journal = Journal(tmp_path_factory.mktemp("journal"))
    number, state, now = journal.create(setup, "2026-01-01"), State.new(setup), 0
    happened = [ev.Started()]
    for event, wait, _ in events:
        now = 0 if isinstance(event, ev.Resumed) else now + wait
        happened.append(replace(event, at=now))
    again = iter(kept for *_, kept in events)
    entry = -1
    while happened:
        entry, event = entry + 1, happened.pop(0)
        after, effects = step(state, event)
        # The program may have ended before what should happen again did.
        happened[:0] = [e.event for e in effects if isinstance(e, ef.Again) and next(again, True)]
        if state.game.result:
            assert after.game.result == state.game.result
            assert after.game.played == state.game.played
        added = after.game.played[len(state.game.played) :]
        assert len(added) <= 1
        journal.append(number, entry, event, state, after)
        state = after
    assert journal.load(number).state == state
    assert journal.games()[0].plies == len(state.game.played)
    journal.close()


def test_a_new_game_after_the_wrong_colours_keeps_the_notes():
    state = say(new(*moves("e4"), clock="5"), *ARBITER, "7", "sim")
    assert state.game.position == State.new(state.setup).game.position
    assert state.game.notes[-1].message.key == "ruling"
