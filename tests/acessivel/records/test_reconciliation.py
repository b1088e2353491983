# SPDX-License-Identifier: GPL-3.0-or-later
"""Two records compared: scoresheets in every style, and the move where they part."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import happen

from acessivel.game.game import Setup
from acessivel.records import pgn
from acessivel.records.braille_record import RecordError
from acessivel.records.pgn import local_san
from acessivel.records.reconciliation import Written, clocks, compare
from acessivel.records.scoresheets import moves
from acessivel.rules.position import Position
from acessivel.session import events as ev
from acessivel.session.state import State

START = Position.start()
SHORT = "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4 Qxd4 d5 exd6 Nxd6 Bg5 Nc6 Qe3+ Be7 Nbd2 O-O O-O-O Re8 Kb1".split()
SAMPLE = tuple(map(Written, SHORT))
SHEETS = {
    (
        "en",
        "short",
    ): "Ana - Rui\n2018\n1. e4 e5\n2. Nf3 Nf6\n3. d4 exd4\n4. e5 Ne4\n5. Qxd4 d5\n6. exd6 e.p. Nxd6\n"
    "7. Bg5 Nc6\n8. Qe3+ Be7\n9. Nbd2 0-0\n10. 0-0-0 Re8\n11. Kb1\n*",
    (
        "pt",
        "short, no captures",
    ): "1 e4 e5\n2 Cf3 Cf6\n3 d4 ed4\n4 e5 Ce4\n5 Dd4 d5\n6 ed6 Cd6\n7 Bg5 Cc6\n8 De3 Be7\n"
    "9 Cbd2 O-O\n10 O-O-O Te8\n11 Rb1 1/2-1/2",
    (
        "de",
        "long",
    ): "1.e2-e4 e7-e5 2.Sg1-f3 Sg8-f6 3.d2-d4 e5xd4 4.e4-e5 Sf6-e4 5.Dd1xd4 d7-d5 6.e5xd6 e.p. Se4xd6\n"
    "7.Lc1-g5 Sb8-c6 8.Dd4-e3+ Lf8-e7 9.Sb1-d2 0-0 10.0-0-0 Tf8-e8 11.Kc1-b1",
    ("es", "no numbers"): "e4\ne5\nCf3\nCf6\nd4\ne:d4\ne5\nCe4\nD:d4\nd5\ned a.p.\nC:d6\nAg5 Cc6 De3+ Ae7\n"
    "Cbd2 0-0 0-0-0 Te8 Rb1",
    (
        "pt",
        "another's letters",
    ): "1. e4 e5 2. Sf3 Sf6 3. d4 exd4 4. e5 Se4 5. Dxd4 d5 6. exd6 Sxd6 7. Lg5 Sc6\n"
    "8. De3+ Le7 9. Sbd2 0-0 10. 0-0-0 Te8 11. Rb1",
}


@pytest.mark.parametrize(("language", "style"), SHEETS)
def test_every_style_tells_the_same_game(language, style):
    verdict = compare(START, moves(SHEETS[language, style]), SAMPLE, language)
    assert verdict.parts is None, verdict.parts
    assert [fact.san for fact in verdict.agreed] == SHORT


BLACK_BEGINS = "4k3/p7/8/8/8/8/P7/4K3 b - - 0 12"


@pytest.mark.parametrize(
    ("setup", "said", "sans"),
    [
        ({}, ("e4", "yes", "e5", "yes", "resign", "yes"), ["e4", "e5"]),
        ({}, ("e4", "yes", "e5", "yes", "arbiter", "yes", "5", "4", "yes"), ["e4", "e5"]),
        ({"clock": "10"}, ("e4", "yes", "stop the clock", "yes", "e5", "yes"), ["e4", "e5"]),
        ({"fen": BLACK_BEGINS}, ("Kd7", "yes", "Kd2", "yes", "Kd6", "yes"), ["Kd7", "Kd2", "Kd6"]),
    ],
)
def test_the_program_s_own_scoresheet_is_read_with_its_notes_and_whoever_begins(setup, said, sans):
    state = State.new(Setup.of(language="en", **setup))
    for event in (ev.Started(), ev.SpeechEnded(), *(ev.Heard(words=(words,)) for words in said)):
        state, _ = happen(state, event)
    text = pgn.text(state.setup, state.game, "2026-11-22")
    assert [one.text for one in moves(text)] == sans


def test_a_castling_and_the_move_after_it_may_be_the_last_line():
    assert [one.text for one in moves("e4 e5\nNf3 Nc6\nBc4 Bc5\n0-0 Nf6+")][-2:] == ["0-0", "Nf6+"]


def test_a_castling_with_a_word_that_is_no_move_does_not_end_a_scoresheet():
    for text in ("e4 e5\nNf3 Nc6\nBc4 Bc5\n0-0 Nf6 check\nd3 d6", "e4 e5\n0-0 check\nd3 d6"):
        with pytest.raises(RecordError) as refused:
            moves(text)
        assert refused.value.message.key == "scoresheet_word"


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 0:05 e5 1:29:50\n2. Nf3 Nc6",
        "Time 1:30 1:30\n1. e4 e5\nTime: 1:20 1:10:05\n2. Nf3 Nc6",
        "Ana - Rui\n29.11.2026\n1. e4 e5\n2. Nf3 Nc6",
        "3\n1 e4 e5\n2 Nf3 Nc6",
        "Abe\nBea\n1. e4 e5\n2. Nf3 Nc6",
        "Abe\nBea\ne4\ne5\nNf3\nNc6",
        "1\ne4\ne5\n2\nNf3\nNc6",
        *(f"1. e4 e5 2. Nf3 Nc6 {result} Rui" for result in ("1-0", "1 - 0", "0 - 1", "1:0", "0 : 1")),
        *(f"1. e4 e5\n2. Nf3 Nc6\n{result}" for result in ("1/2 - 1/2", "½:½", "1 – 0")),
    ],
)
def test_a_header_clock_times_and_a_result_in_any_style_are_no_moves(text):
    assert [one.text for one in moves(text)] == ["e4", "e5", "Nf3", "Nc6"]


def test_the_moves_have_the_numbers_that_are_written():
    assert [one.number for one in moves("e4 e5\n2. Nf3 Nc6")] == [1, 1, 2, 2]
    assert [one.number for one in moves("12... Kd7\n13. Kd2 Kd6")] == [12, 13, 13]
    assert [one.number for one in moves("e4 e5")] == [0, 0]


def test_an_illegal_move_is_named_with_its_reason():
    verdict = compare(START, moves("1. e4 e5\n2. Bg5"), SAMPLE, "en")
    assert len(verdict.agreed) == 2
    bad, good = verdict.parts
    assert (bad.text, bad.line, bad.fault, bad.reason.key) == ("Bg5", 2, "illegal", "refuse_blocked")
    assert (good.text, good.fault) == ("Nf3", "")


def test_a_capture_of_two_letters_is_not_the_name_of_a_file():
    position = Position.start("4k3/8/8/4p3/2NP4/8/8/4K3 w - - 0 1")
    verdict = compare(position, moves("1. de"), moves("1. d5"), "pt")
    assert verdict.agreed == ()
    assert [has.fault for has in verdict.parts] == ["", ""]


def test_one_ends_where_the_other_goes_on():
    verdict = compare(START, SAMPLE[:3], SAMPLE, "en")
    assert [has.fault for has in verdict.parts] == ["ended", ""]


def test_what_follows_tells_which_of_two_moves_was_meant():
    one = moves("1. Nf3 Nf6 2. e3 e6 3. Be2 Be7 4. O-O O-O 5. d3 d6 6. Nd2 Nc6 7. Nd4")
    verdict = compare(START, one[:-1], one[:-1], "en")
    assert [has.fault for has in verdict.parts] == ["ambiguous", "ambiguous"]
    assert compare(START, one, one, "en").parts is None


def test_clocks_are_those_after_the_agreed_moves():
    timed = (Written("e4", left_ms=9000), Written("e5", left_ms=8000), Written("d4", left_ms=7000))
    assert clocks(timed, 2, "white") == {"white": 9000, "black": 8000}
    assert clocks(timed, 1, "white") == {"white": 9000}


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("1. e4 e5\n3. d4", "scoresheet_number", 2),
        ("e4 e5\n1. d4", "scoresheet_number", 2),
        ("1. e4 e5\n2. hello", "scoresheet_word", 2),
        ("1. e4 e5 {x}\n2. d4", "scoresheet_word", 1),
        ("1. e4 e5 (?)\n2. d4", "scoresheet_word", 1),
        ("Ana - Rui\n1. xyz e5\n2. d4", "scoresheet_word", 2),
    ],
)
def test_what_is_no_scoresheet_is_refused_with_its_line(text, key, line):
    with pytest.raises(RecordError) as caught:
        moves(text)
    assert caught.value.message.key == key
    assert dict(caught.value.message.values)["line"] == line


@settings(max_examples=examples(15), deadline=None)
@given(st.data())
def test_a_random_game_in_two_styles_agrees_until_one_move_is_changed(data):
    language = data.draw(st.sampled_from(("pt", "en", "de", "es")))
    position, short, long = START, [], []
    changed_at, changed = None, None
    for ply in range(data.draw(st.integers(1, 24))):
        legal = position.legal
        if not legal:
            break
        fact = legal[data.draw(st.integers(0, len(legal) - 1))]
        others = [other for other in legal if other != fact]
        if changed_at is None and others and data.draw(st.booleans()):
            changed_at, changed = ply, others[0]
        short.append(Written(local_san(fact.san, language)))
        long.append(Written(fact.uci))
        position = position.made(fact)
    verdict = compare(START, short, long, language)
    assert verdict.parts is None
    if changed_at is not None:
        wrong = [*long[:changed_at], Written(changed.uci), *long[changed_at + 1 :]]
        verdict = compare(START, short, wrong, language)
        assert len(verdict.agreed) == changed_at
        assert [has.text for has in verdict.parts] == [
            short[changed_at].text,
            local_san(changed.san, language),
        ]


# By the notation appendix a capture may be left out, and a move be long or short: none of it makes another game.
NO_CAPTURES = {
    "long": "e2-e4 e7-e5 g1-f3 g8-f6 d2-d4 e5-d4 e4-e5 f6-e4 d1-d4 d7-d5 e5-d6 e4-d6",
    "short": "e4 e5 Nf3 Nf6 d4 ed4 e5 Ne4 Qd4 d5 ed6 Nd6",
    "files of pawns only": "e4 e5 Nf3 Nf6 d4 ed e5 Ne4 Qd4 d5 ed Nd6",
    "crosses": "e4 e5 Nf3 Nf6 d4 e5xd4 e5 Ne4 Q×d4 d5 exd6ep N:d6",
}


@pytest.mark.parametrize("style", NO_CAPTURES)
def test_a_capture_may_be_written_or_left_out(style):
    words = NO_CAPTURES[style].split()
    lines = (f"{n // 2 + 1} {' '.join(words[n : n + 2])}" for n in range(0, len(words), 2))
    verdict = compare(START, moves("\n".join(lines)), SAMPLE[:12], "en")
    assert verdict.parts is None, verdict.parts
    assert [fact.san for fact in verdict.agreed] == SHORT[:12]
