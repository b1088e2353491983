# SPDX-License-Identifier: GPL-3.0-or-later
"""Announcements that lack a part: asking and answering leads to the move that was meant, or to none."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.positions import positions
from support.turns import confirmed

from acessivel.dialogue import confirmation, questions
from acessivel.dialogue.disambiguation import unique_squares
from acessivel.dialogue.outcome import in_words, understand
from acessivel.dialogue.questions import NOTHING, Choose, Confirm, Missing, Promote
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import Position
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import asked, expectation, step
from voices.grammar import grammar
from voices.meaning import Castling, Check, Command, MovePattern, Number, Piece, PieceNamed, Place
from voices.understanding.meanings import read, read_heard
from voices.words.lexicon import FILES, RANKS
from voices.words.phrasing import phrasing

SPOKEN = phrasing("fide", "de")
START = Position.start()
BLOCKED = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
KNIGHTS = Position.start("4k3/8/8/8/8/5N2/8/KN6 w - - 0 1")  # both can go to d2
QUEENS = Position.start("8/2k5/8/1Q6/8/Q3Q3/8/K6Q w - - 0 1")
ONE_TAKER = Position.start("8/8/8/3p4/7k/2N5/8/K3R3 w - - 0 1")
TAKERS = Position.start("8/8/8/3p4/7k/2N5/Q7/K3R3 w - - 0 1")  # queen and knight can take d5
PARTS = ("piece", "origin_file", "origin_rank", "origin", "capture", "file", "rank", "target", "promotion")


def say(asking, *alternatives, position=START, language="de"):
    return confirmation.respond(asking, [read(words, language) for words in alternatives], position)


def keys(turn):
    return [message.key for message in turn.say]


def forms(move):
    """The long and the short ways to announce a move."""
    for origin in (Place(), Place(move.origin.file), Place(rank=move.origin.rank), move.origin):
        for piece in dict.fromkeys((move.piece, None)):
            if piece or move.piece is Piece.PAWN or origin.complete:
                for capture in {False, move.capture}:
                    yield replace(move, piece=piece, origin=origin, capture=capture, check=Check.NONE)


def without(move, part):
    """An announcement with a part left out; None when it has no such part."""
    origin, target = move.origin, move.target
    left = {
        "piece": replace(move, piece=None),
        "origin_file": replace(move, origin=Place(rank=origin.rank)),
        "origin_rank": replace(move, origin=Place(origin.file)),
        "origin": replace(move, origin=Place()),
        "capture": replace(move, capture=False),
        "file": replace(move, target=Place(rank=target.rank)),
        "rank": replace(move, target=Place(target.file)),
        "target": replace(move, target=Place()),
        "promotion": replace(move, promotion=None),
    }[part]
    return left if left != move else None


def answer(asking, fact):
    """What a player says who has this move in mind, and tells the truth."""
    move = fact.meaning
    match asking:
        case Confirm(asked):
            return "ja" if asked == fact else "nein"
        case Choose() | Missing() | Promote() if fact not in asking.facts:
            return "nein"
        case Missing():
            part = {
                "file": Place(move.target.file),
                "rank": Place(rank=move.target.rank),
                "square": move.target,
            }
            return SPOKEN.place(part[key_of(asking).removeprefix("ask_")], spoken=True)
        case Promote():
            return SPOKEN.piece(move.promotion)
        case Choose():
            offered = [one.squares for one in unique_squares(asking.facts)]
            told = {
                "ask_choice": SPOKEN.place(Place(rank=str(offered.index(fact.squares) + 1)), spoken=True),
                "ask_which_piece": SPOKEN.piece(move.piece),
                "ask_from_file": SPOKEN.place(Place(move.origin.file), spoken=True),
                "ask_from_rank": SPOKEN.place(Place(rank=move.origin.rank), spoken=True),
            }
            return told[key_of(asking)]


def key_of(asking):
    return questions.question(asking)[-1].key


def played(words, fact, position):
    """What a truthful player has played at the end; None when it came to nothing."""
    turn = say(NOTHING, words, position=position)
    for _ in range(6):
        if confirmed(turn) or turn.asking == NOTHING:
            return confirmed(turn)
        turn = say(turn.asking, answer(turn.asking, fact), position=position)
    raise AssertionError(f"{words} has no end: {turn}")


ANY = st.integers(0, 10_000)


@settings(max_examples=examples(60), deadline=None)
@given(positions(30), ANY, ANY)
def test_whatever_is_left_out_asking_leads_to_the_move_that_was_meant_or_to_none(position, one, way):
    moves = [fact for fact in position.legal if isinstance(fact.meaning, MovePattern)]
    assume(moves)
    fact = moves[one % len(moves)]
    ways = list(forms(fact.meaning))
    move = ways[way % len(ways)]
    for part in PARTS:
        left = without(move, part)
        if left is None:
            continue
        words = SPOKEN.move(left, spoken=True)
        found = played(words, fact, position)
        assert found in (None, fact), words
        # What is left may be heard as something else, whole ("Felix drei" of "Springer Felix drei") or not.
        if not left.whole and left in understood(words, position):
            assert found == fact, words


def understood(words, position):
    """What an announcement is taken for when nothing has been asked."""
    for meaning in (reading.meaning for reading in read(words, "de")):
        if isinstance(meaning, MovePattern | PieceNamed):
            yield position.begun(
                MovePattern(Place(), meaning.piece) if isinstance(meaning, PieceNamed) else meaning
            )


@settings(max_examples=examples(60), deadline=None)
@given(
    positions(30),
    ANY,
    st.sampled_from(["file", "rank", "target"]),
    st.sampled_from(FILES),
    st.sampled_from(RANKS),
)
def test_a_part_that_no_legal_move_has_is_refused_and_asked_for_again(position, one, part, file, rank):
    moves = [fact.meaning for fact in position.legal if isinstance(fact.meaning, MovePattern)]
    assume(moves)
    said = without(MovePattern(moves[one % len(moves)].target, moves[one % len(moves)].piece), part)
    asking = say(NOTHING, SPOKEN.move(said, spoken=True), position=position).asking
    assume(isinstance(asking, Missing))
    whole = Place(said.target.file or file, said.target.rank or rank)
    words = {"file": Place(whole.file), "rank": Place(rank=whole.rank), "square": whole}
    turn = say(
        asking, SPOKEN.place(words[key_of(asking).removeprefix("ask_")], spoken=True), position=position
    )
    if position.matching(replace(said, target=whole)):
        assert {str(fact.meaning.target) for fact in asked_about(turn.asking)} == {str(whole)}
    else:
        assert keys(turn) == ["refused", key_of(asking)]
        assert turn.asking == asking
    assert confirmed(say(turn.asking, "ja", position=position)) in (None, *asked_about(turn.asking))


def asked_about(asking):
    return (asking.fact,) if isinstance(asking, Confirm) else getattr(asking, "facts", ())


ANNOUNCEMENTS = st.builds(
    MovePattern,
    st.builds(Place, st.sampled_from(FILES), st.sampled_from(RANKS)),
    st.sampled_from([None, *Piece]),
    st.sampled_from([Place(), Place("b"), Place(rank="7"), Place("d", "2"), Place("e", "5")]),
    capture=st.booleans(),
)


@settings(max_examples=examples(100), deadline=None)
@given(positions(30), ANNOUNCEMENTS, st.sampled_from(Piece))
def test_a_whole_announcement_that_is_not_legal_is_refused_whatever_is_asked(position, said, piece):
    stands = position.at(str(said.target))
    assume(said.whole)
    assume(not position.matching(said))
    # Where one's own piece stands no move ends: that is where one begins, and is asked about.
    assume(not (stands and stands[0] == position.turn))
    words = SPOKEN.move(said, spoken=True)
    for asking in (NOTHING, say(NOTHING, SPOKEN.piece(piece), position=position).asking):
        if isinstance(asking, Missing) and said.piece is None and said.origin == Place():
            continue  # a square answers the question
        turn = say(asking, words, position=position)
        assert keys(turn) == ["refused", *["withdrawn"] * (asking != NOTHING)], words
        assert turn.asking == NOTHING
        assert confirmed(say(turn.asking, "ja", position=position)) is None


@pytest.mark.parametrize(
    ("position", "words", "question"),
    [
        (START, "Springer Felix", "ask_other_reading"),
        (START, "Springer", "ask_square"),
        (START, "Springer drei", "ask_file"),
        (START, "Bauer Eva", "ask_rank"),
        (START, "Eva", "ask_rank"),
        (START, "Bauer drei", "ask_file"),
        (START, "Eva zwei", "ask_square"),
        (START, "Springer Gustav eins", "ask_square"),
        (START, "Gustav eins", "ask_square"),
        (START, "Eva zwei Eva", "ask_rank"),
        (START, "Eva zwei vier", "ask_other_reading"),
        (START, "Springer Cesar", "ask_other_reading"),
        (KNIGHTS, "Springer David zwei", "ask_from_file"),
        (QUEENS, "Dame Eva fünf", "ask_from_file"),
        (TAKERS, "schlägt David fünf", "ask_which_piece"),
        (TAKERS, "schlägt David", "ask_which_piece"),
        (TAKERS, "Springer schlägt", "ask_other_reading"),
        (ONE_TAKER, "schlägt David fünf", "ask_other_reading"),
        (TAKERS, "Dame schlägt fünf", "ask_other_reading"),
        (START, "Springer Felix fünf", "refused"),
        (START, "Springer Eva", "refused"),
        (START, "Springer fünf", "refused"),
        (START, "Turm", "refused"),
        (START, "Anna eins", "refused"),
        (START, "Springer schlägt", "refused"),
        (START, "schlägt Felix drei", "refused"),
        (START, "drei", "nothing_asked"),
        (START, "schlägt", "not_understood"),
    ],
)  # fmt: skip
def test_only_what_is_missing_is_asked_for(position, words, question):
    turn = say(NOTHING, words, position=position)
    assert keys(turn) == [question]
    assert confirmed(turn) is None
    assert confirmed(say(turn.asking, "ja", position=position)) in (None, *asked_about(turn.asking))


@pytest.mark.parametrize(
    ("fen", "words", "reason"),
    [
        (None, "Springer Eva", "refuse_no_way_to_file"),
        (None, "Springer fünf", "refuse_no_way_to_rank"),
        (None, "Turm", "refuse_cannot_move"),
        (BLOCKED, "Eva vier", "refuse_cannot_move_there"),
        (None, "Springer schlägt", "refuse_takes_nothing"),
        (None, "Springer schlägt Felix", "refuse_nothing_to_take"),
        (None, "schlägt Felix drei", "refuse_none_takes"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "schlägt Felix acht Dame", "refuse_no_piece"),
        ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "schlägt Felix acht Dame", "refuse_no_way"),
        ("4k3/8/8/5p2/3p4/5N2/3P4/4K3 w - - 0 1", "schlägt David Dame", "refuse_nothing_to_take"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Dame Eva", "refuse_no_piece"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Dame", "refuse_no_piece"),
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "Springer Cesar", "refuse_leaves_in_check"),
        ("4k3/4r3/8/8/8/8/8/N3K3 w - - 0 1", "Springer", "refuse_still_in_check"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "König Gustav", "refuse_castle_by_name"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "König Gustav", "refuse_no_way_to_file"),
    ],
)  # fmt: skip
def test_what_nothing_fits_is_refused_with_its_reason(fen, words, reason):
    turn = say(NOTHING, words, position=Position.start(fen))
    assert keys(turn) == ["refused"]
    assert dict(turn.say[0].values)["reason"].key == reason


def test_one_move_that_fits_is_only_offered():
    asking = say(NOTHING, "Springer Cesar").asking
    assert isinstance(asking, Confirm)
    assert (asking.fact.uci, asking.doubtful) == ("b1c3", True)
    assert confirmed(say(asking, "ja")) == asking.fact
    assert say(asking, "nein").asking == NOTHING


def test_no_and_correction_drop_what_was_said():
    for words in ("Springer", "Springer drei", "Eva"):
        asking = say(NOTHING, words).asking
        for dropped in (say(asking, "nein"), say(asking, "Korrektur")):
            assert dropped.asking == NOTHING
            assert confirmed(say(dropped.asking, "ja")) is None
            # What was said before is forgotten.
            assert keys(say(dropped.asking, "vier")) == ["nothing_asked"]


@pytest.mark.parametrize(
    ("first", "then", "uci"),
    [
        ("Springer", "Felix drei", "g1f3"),
        ("Springer", "drei", None),
        ("Springer drei", "Felix", "g1f3"),
        ("Springer drei", "Felix drei", "g1f3"),
        ("Springer drei", "David vier", "d2d4"),  # another rank: a whole announcement of its own
        ("Springer drei", "Bauer Eva vier", "e2e4"),
        ("Springer drei", "Bauer Felix drei", "f2f3"),
        ("Springer drei", "Eva zwei Eva vier", "e2e4"),
        ("Eva", "vier", "e2e4"),
        ("Eva zwei", "Eva vier", "e2e4"),
        ("Gustav eins", "Felix drei", "g1f3"),
        ("Felix", "Springer", None),
    ],
)
def test_an_answer_completes_and_a_whole_announcement_replaces(first, then, uci):
    asking = say(say(NOTHING, first).asking, then).asking
    assert (asking.fact.uci if isinstance(asking, Confirm) and not asking.doubtful else None) == uci


def test_a_word_that_is_no_answer_keeps_the_question():
    asking = say(NOTHING, "Springer drei").asking
    for words in ("vier", "Springer", "blah", "ja", "Uhr"):
        assert say(asking, words).asking == asking, words
    assert isinstance(say(asking, "Läufer").asking, type(NOTHING))  # no bishop can move: another announcement


def test_a_piece_that_was_not_said_is_filled_in():
    asking = say(NOTHING, "Cesar").asking
    assert {fact.meaning.piece for fact in asking.facts} == {Piece.PAWN}
    assert say(asking, "Springer").asking.fact.uci == "b1c3"


@pytest.mark.parametrize(
    ("word", "uci"), [("Bella", "b1d2"), ("eins", "b1d2"), ("drei", "f3d2"), ("Felix drei", "f3d2")]
)
def test_the_word_that_tells_two_moves_apart_chooses(word, uci):
    asking = say(NOTHING, "Springer David zwei", position=KNIGHTS).asking
    assert isinstance(asking, Choose)
    chosen = say(asking, word, position=KNIGHTS)
    assert (chosen.asking.fact.uci, confirmed(chosen)) == (uci, None)
    assert confirmed(say(chosen.asking, "ja", position=KNIGHTS)).uci == uci


def test_a_word_that_tells_nothing_apart_brings_the_list():
    asking = say(NOTHING, "Springer David zwei", position=KNIGHTS).asking
    for words in ("Anna", "acht", "Dame", "vier"):
        turn = say(asking, words, position=KNIGHTS)
        assert keys(turn) == ["ask_choice"], words
        listed = Renderer("de", "fide").text(turn.say[0])
        assert listed.index("1, Springer Bella") < listed.index("2, Springer Felix")  # as they were named
        assert say(turn.asking, "zwei", position=KNIGHTS).asking.fact.uci == "f3d2"


@pytest.mark.parametrize(
    ("knights", "number", "uci"),
    [
        ("8/2N5/8/K5N1", "zwei", "g1e2"),  # the second that is named, and no rank of theirs
        ("8/2N5/8/K5N1", "drei", "c3e2"),  # the rank of one, and there is no third
        ("8/2N5/8/K5N1", "eins", None),  # the first is on c3, but 1 is the rank of the other
        ("8/6N1/8/K1N5", "eins", "c1e2"),  # the first, and its rank
        ("8/6N1/8/K5N1", "drei", "g3e2"),  # asked for the rank
        ("8/6N1/8/K5N1", "zwei", None),
    ],
)
def test_a_number_chooses_where_it_can_mean_but_one_move(knights, number, uci):
    position = Position.start(f"4k3/8/8/8/{knights} w - - 0 1")
    asking = say(NOTHING, "Springer Eva zwei", position=position).asking
    assert isinstance(asking, Choose)
    chosen = say(asking, number, position=position).asking
    assert chosen == replace(asking, listed=True) if uci is None else chosen.fact.uci == uci


CHECKS = {"de": "Dame Schach", "en": "queen check", "es": "dama jaque", "pt": "dama xeque"}
ONE_CHECK = Position.start("4k3/8/8/8/8/8/3PPP2/3QKB2 w - - 0 1")
MORE_CHECKS = Position.start("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")


@pytest.mark.parametrize(("language", "words"), CHECKS.items())
def test_a_piece_that_is_typed_to_give_check_is_asked_for_its_square_unless_one_move_does(language, words):
    only = say(NOTHING, words, position=ONE_CHECK, language=language)
    assert (keys(only), only.asking.fact.uci, confirmed(only)) == (["ask_other_reading"], "d1a4", None)
    more = say(NOTHING, words, position=MORE_CHECKS, language=language)
    assert keys(more) == ["ask_square"]
    assert {fact.uci for fact in more.asking.facts} == {"d1d8", "d1d7", "d1a4", "d1h5", "d1e2"}
    square = say(more.asking, "h5", position=MORE_CHECKS, language=language)
    assert (keys(square), square.asking.fact.uci) == (["ask_move"], "d1h5")
    assert keys(say(NOTHING, words, language=language)) == ["refused"]


@pytest.mark.parametrize(("language", "words"), CHECKS.items())
def test_spoken_a_piece_and_a_check_are_no_announcement(language, words):
    assert read_heard(words, language) == ()


def test_pieces_that_can_take_are_told_apart_by_their_names():
    asking = say(NOTHING, "schlägt David fünf", position=TAKERS).asking
    assert say(asking, "Dame", position=TAKERS).asking.fact.uci == "a2d5"
    assert say(asking, "Cesar", position=TAKERS).asking.fact.uci == "c3d5"


@pytest.mark.parametrize("words", ["Eva", "Dame", "vier", "Springer"])
def test_a_word_alone_is_no_answer_to_a_yes_or_no_question_and_changes_nothing(words):
    asking = say(NOTHING, "Springer Felix drei").asking
    for open_now in (asking, say(asking, "aufgeben").asking, questions.Offered("white")):
        assert say(open_now, words).asking == open_now


def test_an_incomplete_reading_behind_a_whole_one_is_offered_nowhere():
    first = say(NOTHING, "Springer Felix drei", "Läufer Cesar", "Eva").asking
    assert (first.fact.uci, first.others) == ("g1f3", ())
    assert keys(say(NOTHING, "Springer Felix fünf", "Springer drei")) == ["refused"]


@pytest.mark.parametrize(
    ("heard", "asked"),
    [
        (("Springer Felix fünf", "Springer Cesar"), "refused"),
        (("Springer drei", "Springer Felix drei"), "ask_other_reading"),
        (("Springer drei", "Springer fünf"), "ask_file"),
        (("Springer fünf", "Springer drei"), "ask_file"),
        (("Springer fünf", "Springer vier"), "refused"),
    ],
)
def test_when_the_hearing_was_not_sure_whole_announcements_come_before_others(heard, asked):
    turn = confirmation.respond(NOTHING, confirmation.unsure([read(words, "de") for words in heard]), START)
    assert keys(turn) == [asked]
    assert confirmed(turn) is None


def test_the_hearing_is_told_what_answers_the_open_question():
    state = State.new(Setup(language="pt"))
    assert asked(state) == ()
    begun, _ = step(state, ev.Heard(words=("eva",)))
    assert {"drei", "vier", "nein", "nao"} <= set(asked(begun))
    assert not {"ja", "sim"} & set(asked(begun))  # which rank? is not answered by yes
    whole, _ = step(begun, ev.Heard(words=("vier",)))
    assert {"ja", "sim", "nao"} <= set(asked(whole))
    assert "drei" not in asked(whole)


@pytest.mark.parametrize(
    ("heard", "moves"),
    [(("drei", "vier"), ["e2e3", "e2e4"]), (("vier", "fünf"), ["e2e4"]), (("vier",), ["e2e4"])],
)
def test_a_part_that_was_not_surely_heard_is_offered_for_choice(heard, moves):
    missing = say(NOTHING, "Eva").asking
    assert isinstance(missing, Missing)
    unsure = confirmation.unsure([read(words, "de") for words in heard])
    asking = confirmation.respond(missing, unsure, START).asking
    facts = asking.facts if isinstance(asking, Choose) else (asking.fact,)
    assert [fact.uci for fact in facts] == moves
    assert say(missing, *heard).asking.fact.uci == moves[0]


@pytest.mark.parametrize(
    ("fen", "asked"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "ask_choice"),
        ("r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1", "ask_other_reading"),
        ("r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1", "refused"),
    ],
)
@pytest.mark.parametrize(
    ("language", "words"), [("de", "Rochade"), ("pt", "roque"), ("en", "castle"), ("es", "enroque")]
)
def test_castling_without_its_side_is_asked_about(fen, asked, language, words):
    turn = say(NOTHING, words, position=Position.start(fen), language=language)
    assert keys(turn) == [asked]
    assert confirmed(turn) is None


def state_of(position=None, asking=NOTHING):
    state = State.new(Setup.of(language="de", fen=position.fen if position else None))
    return replace(step(state, ev.Started())[0], asking=asking)


def test_only_when_something_is_asked_its_answers_are_expected():
    for fact_words in expectation(state_of())[1]:
        meanings = [reading.meaning for reading in read(fact_words, "de")]
        assert not any(confirmation.lacks_a_part(m, START) for m in meanings), fact_words
        assert not isinstance(meanings[0], Number | PieceNamed)
    for position, words, expected in [
        (START, "Springer", {"anna drei", "cesar drei", "felix drei", "hector drei"}),
        (START, "Springer drei", {"anna", "cesar", "felix", "hector", "felix drei"}),
        (START, "Eva", {"drei", "vier", "eva drei"}),
        (KNIGHTS, "Springer David zwei", {"bella", "felix", "eins", "drei", "bella eins"}),
        (TAKERS, "schlägt David fünf", {"dame", "springer", "anna", "cesar"}),
    ]:
        asking = say(NOTHING, words, position=position).asking
        with_answers = set(expectation(state_of(position, asking))[1])
        assert expected <= with_answers, words
    listed = Choose(asking.facts, listed=True)
    assert {"eins", "zwei", "dame"} <= set(expectation(state_of(TAKERS, listed))[1])
    assert "fuenf" not in expectation(state_of(TAKERS, listed))[1]


@settings(max_examples=examples(30), deadline=None)
@given(positions(30), ANY)
def test_every_answer_that_is_expected_leads_on(position, one):
    openings = ["Springer", "Dame", "Turm", "Bauer", "Eva", "Springer drei", "Bauer Cesar", "schlägt Eva"]
    asking = say(NOTHING, openings[one % len(openings)], position=position).asking
    for meaning in questions.answers(asking):
        for phrase in grammar.in_words([meaning], "fide", "de"):
            turn = say(asking, phrase, position=position)
            assert turn.asking != asking, phrase
            assert keys(turn) != ["refused"], phrase
            assert set(asked_about(turn.asking)) <= set(asked_about(asking)), phrase
            assert confirmed(turn) is None


def test_a_square_that_is_pointed_at_answers_only_what_it_can():
    state = state_of(asking=say(NOTHING, "Springer").asking)
    after, effects = step(state, ev.SquarePointed(square="f3"))
    assert isinstance(after.asking, Confirm)
    assert after.asking.fact.uci == "g1f3"
    assert after.game == state.game
    for square in ("g1", "e4", "e8"):
        after, effects = step(state, ev.SquarePointed(square=square))
        assert after.asking == state.asking
        assert [message.key for message in effects[0].messages][-1] == "ask_square"
    chosen = state_of(KNIGHTS, say(NOTHING, "Springer David zwei", position=KNIGHTS).asking)
    assert step(chosen, ev.SquarePointed(square="b1"))[0].asking.fact.uci == "b1d2"
    confirmed = state_of(asking=say(NOTHING, "Springer Felix drei").asking)
    assert step(confirmed, ev.SquarePointed(square="f3"))[0].asking == confirmed.asking


def test_a_game_goes_on_with_the_question_for_a_part():
    state = state_of(asking=say(NOTHING, "Springer drei").asking)
    resumed, effects = step(state, ev.Resumed())
    assert resumed.asking == state.asking
    assert effects[0].messages[-1].key == "ask_file"
    assert Command not in map(type, questions.answers(state.asking))
    assert not any(isinstance(a, Castling) for a in questions.answers(state.asking))


@pytest.mark.parametrize("words", ["zwölf", "eins zwei", "drei vier", "null", "neun"])
def test_a_number_that_is_no_rank_gets_the_question_for_the_rank_again(words):
    asking = say(NOTHING, "Eva").asking
    assert isinstance(asking, Missing)
    turn = say(asking, words)
    assert (turn.asking, keys(turn)) == (asking, ["ask_rank"])


@pytest.mark.parametrize(
    ("language", "words"), [("de", "Springer sechs"), ("es", "caballo seis"), ("pt", "cavalo seis")]
)
@pytest.mark.parametrize("spoken", [True, False])
def test_the_name_of_a_letter_answers_which_file_and_is_no_pawn_that_takes(language, words, spoken):
    # In notation "de" would be the d-pawn that takes on e5.
    position = Position.start("4k3/8/8/4p3/2NP4/8/8/4K3 w - - 0 1")
    state = State.new(Setup.of(language=language, convention="letters", fen=position.fen))
    asked_, _ = step(state, ev.Heard(words=(words,), spoken=True))
    assert isinstance(asked_.asking, Missing)
    answered, _ = step(asked_, ev.Heard(words=("de",), spoken=spoken))
    assert answered.asking.fact.uci == "c4d6"


@pytest.mark.parametrize(("words", "language"), [("ok", "en"), ("y", "en"), ("n", "en"), ("s", "pt")])
def test_what_is_typed_for_an_answer_is_told_as_one_and_is_none_where_it_was_spoken(words, language):
    how = Renderer(language, "letters")
    assert understand((words,), START, how).outcome == "answer"
    assert understand((words,), START, how, spoken=True).outcome != "answer"


@pytest.mark.parametrize(("language", "word"), [("en", "or"), ("de", "oder"), ("es", "o"), ("pt", "ou")])
def test_what_else_a_move_may_have_been_is_told_as_that(language, word):
    how = Renderer(language, "letters")
    heard = understand(("b4", "a4", "a3"), START, how)
    assert in_words(heard, how).endswith(f" b4 b2b4 ({word} a2a4, a2a3)")
    assert in_words(understand(("b4",), START, how), how).endswith(" b4 b2b4")


@pytest.mark.parametrize(
    ("spoken", "outcome", "moves"), [(True, "incomplete", ()), (False, "move", ("d4e5",))]
)
def test_what_is_told_of_a_letter_depends_on_whether_it_was_spoken(spoken, outcome, moves):
    position = Position.start("4k3/8/8/4p3/2NP4/8/8/4K3 w - - 0 1")
    told = understand(("de",), position, Renderer("pt", "letters"), spoken=spoken)
    assert (told.outcome, told.moves) == (outcome, moves)
