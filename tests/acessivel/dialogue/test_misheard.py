# SPDX-License-Identifier: GPL-3.0-or-later
"""A yes is nothing but a yes: what is announced again is asked in its difference, and after a no in its part."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.languages import LANGUAGES
from support.positions import positions

from acessivel.dialogue import confirmation, questions
from acessivel.dialogue.disambiguation import difference, only_difference
from acessivel.dialogue.questions import NOTHING, Choose, Confirm, Difference, Missing, Promote, Sure
from acessivel.dialogue.turn import CountMove, PlayMove
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import Position
from voices.grammar import distinct, grammar
from voices.meaning import Check, CommandName, MovePattern, Piece, Place, Reading
from voices.understanding.meanings import read
from voices.words.files import conventions

START = Position.start()
TAKERS = Position.start("8/8/8/3p4/7k/2N5/Q7/K2R4 w - - 0 1")  # queen, rook and knight can take on d5
PROMOTION = Position.start("8/4P1k1/8/8/8/8/8/K7 w - - 0 1")
CASTLING = Position.start("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
ROOKS = Position.start("6k1/8/8/8/8/R6R/8/1K2R3 w - - 0 1")  # all three can go to e3
KNIGHTS = Position.start("4k3/8/8/8/8/5N2/8/KN6 w - - 0 1")  # both can go to d2


def hear(asking, words, *beside, position=START, language="en", convention="fide", spoken=True):
    """What something spoken leads to, with what the ears may have taken for it; or something typed."""
    others = [reading for other in beside for reading in read(other, language, convention)]
    said = [read(words, language, convention)]
    return confirmation.respond(asking, said, position, spoken=spoken, beside=others)


def keys(turn):
    return [message.key for message in turn.say]


def told(turn, language="en", convention="fide"):
    renderer = Renderer(language, convention)
    return [renderer.text(message) for message in turn.say]


def options(asking, language="en", convention="fide"):
    """The words between which it is asked."""
    return [distinct.in_words(option, convention, language).text for option in asking.options]


def twice(words, *beside, **how):
    """What is asked when the same words are heard twice."""
    first = hear(NOTHING, words, *beside, **how)
    assert isinstance(first.asking, Confirm)
    return hear(first.asking, words, *beside, **how)


BLACK_TO_MOVE = Position.start("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
WITHOUT_KNIGHT = Position.start("rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R w KQkq - 0 1")
PLAYED = Position.start("rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3")  # a black pawn on e4


@pytest.mark.parametrize(
    ("words", "position", "asked"),
    [
        ("Springer Felix Felix drei", START, "Do you mean Springer Gustav eins Felix drei?"),
        ("Springer Felix drei drei", START, "Do you mean Springer Gustav eins Felix drei?"),
        ("Eva vier Eva vier", START, "Do you mean Bauer Eva zwei Eva vier?"),
        ("Springer Felix Felix", START, "Do you mean Springer Gustav eins Felix drei?"),
    ],
)
def test_a_part_that_was_said_twice_in_one_breath_is_asked_about(words, position, asked):
    assert told(hear(NOTHING, words, position=position)) == [asked]
    assert keys(hear(NOTHING, words, position=position, spoken=False)) == ["refused"]


@pytest.mark.parametrize(
    ("words", "position", "asked"),
    [
        ("Eva vier Eva drei", START, "Do you mean Bauer Eva zwei Eva drei?"),
        ("Eva vier Eva drei", PLAYED, "Do you mean Bauer Eva zwei Eva drei?"),
        ("Eva vier David vier", START, "Do you mean Bauer David zwei David vier?"),
        ("Springer Felix vier Felix drei", START, "Do you mean Springer Gustav eins Felix drei?"),
    ],
)
def test_a_square_that_was_corrected_in_one_breath_is_asked_about_with_why_it_is_no_move(
    words, position, asked
):
    turn = hear(NOTHING, words, position=position)
    typed = hear(NOTHING, words, position=position, spoken=False)
    assert keys(typed) == ["refused"]
    assert told(turn) == [*told(typed), asked]


@pytest.mark.parametrize(
    ("words", "position"),
    [
        ("Eva sechs Hector fünf", BLACK_TO_MOVE),  # a correction shares the file or the rank
        ("Gustav eins Felix drei", WITHOUT_KNIGHT),
        ("Eva vier Eva sechs", START),  # nor is what is left of it legal
        ("Eva zwei Eva fünf", START),
        ("Springer Gustav eins Eva drei", START),  # the pawn can go there, the knight that stands there not
        ("Springer Bella Felix drei", START),
        ("Springer Felix eins Felix drei", START),  # a bishop stands there
        (
            "Eva vier schlägt David fünf",
            Position.start("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1"),
        ),  # no two squares alone
    ],
)
def test_what_names_a_piece_that_is_there_and_cannot_move_so_is_refused_with_the_reason(words, position):
    assert keys(hear(NOTHING, words, position=position)) == ["refused"]


@pytest.mark.parametrize("words", ["Eva zwei Eva vier", "Eva Eva vier", "Bauer Eva Eva vier"])
def test_a_legal_move_that_names_a_part_in_both_its_squares_is_repeated_as_ever(words):
    turn = hear(NOTHING, words)
    assert told(turn) == ["Bauer Eva zwei Eva vier?"]


def test_the_same_move_spoken_again_is_asked_in_its_difference():
    turn = twice("Springer Felix drei", "Springer Hector drei")
    assert [fact.uci for fact in turn.asking.facts] == ["g1f3", "g1h3"]
    assert told(turn) == ["Felix, or Hector?"]
    assert turn.do is None


def test_what_was_heard_beside_it_first_is_not_forgotten_the_second_time():
    first = hear(NOTHING, "Eva vier", "David vier").asking
    turn = hear(first, "Eva vier", "Eva drei")
    assert [fact.uci for fact in turn.asking.facts] == ["e2e4", "d2d4"]


def test_the_next_reading_comes_before_what_only_sounds_like_the_move():
    alternatives = [read("Eva vier", "en"), read("Bella vier", "en")]
    first = confirmation.respond(NOTHING, alternatives, START, beside=read("Eva drei", "en")).asking
    turn = confirmation.respond(first, alternatives, START, beside=read("Eva drei", "en"))
    assert [fact.uci for fact in turn.asking.facts] == ["e2e4", "b2b4"]


def test_so_it_is_if_the_second_time_it_is_one_of_several_that_are_about_equally_likely():
    first = hear(NOTHING, "Eva vier").asking
    heard = confirmation.unsure([read(words, "en") for words in ("David vier", "Eva vier", "Bella vier")])
    turn = confirmation.respond(first, heard, START, beside=read("Eva drei", "en"))
    assert told(turn) == ["David, Eva, or Bella?"]
    # Another move than the one that is asked is offered as ever.
    other = hear(NOTHING, "Cesar vier").asking
    assert keys(confirmation.respond(other, heard, START, beside=read("Eva drei", "en"))) == ["ask_choice"]


@pytest.mark.parametrize(
    ("position", "words", "beside", "asked"),
    [
        (START, "Eva vier", "Eva drei", "Vier, or drei?"),
        (START, "Springer Felix drei", "Bauer Felix drei", "Springer, or Bauer?"),
        (TAKERS, "Dame David fünf", "Turm David fünf", "Dame, or Turm?"),
        (PROMOTION, "Eva acht Dame", "Eva acht Turm", "Dame, or Turm?"),
        (
            KNIGHTS,
            "Springer Bella David zwei",
            "Springer Felix David zwei",
            "Springer David zwei. From which file: Bella, Felix?",
        ),
    ],
)
def test_it_asks_for_the_part_in_which_the_moves_differ(position, words, beside, asked):
    turn = twice(words, beside, position=position)
    assert told(turn) == [asked]
    for fact, option in zip(turn.asking.facts, options(turn.asking), strict=True):
        assert hear(turn.asking, option, position=position).asking.fact == fact


@pytest.mark.parametrize(
    ("convention", "language", "words", "beside", "asked"),
    [
        ("letters", "en", "b four", "d four", "B as in Bella, or d as in David?"),
        ("letters", "de", "b vier", "d vier", "B wie Bella oder d wie David?"),
        ("letters", "pt", "bê quatro", "dê quatro", "Bê de Bella ou dê de David?"),
        ("letters", "es", "be cuatro", "de cuatro", "¿Be de Bella o bien de de David?"),
        ("nato", "en", "Bravo four", "Delta four", "Bravo, or Delta?"),
        ("mixed", "es", "Bella vier", "David vier", "¿Bella o bien David?"),
        ("fide", "de", "Springer Cesar drei", "Springer Anna drei", "Cesar oder Anna?"),
    ],
)
def test_it_names_the_difference_in_words_that_cannot_be_mistaken(convention, language, words, beside, asked):
    how = {"convention": convention, "language": language}
    turn = twice(words, beside, **how)
    assert told(turn, language, convention) == [asked]


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_is_not_named_by_the_word_that_sounds_like_three(language):
    """In the words of the FIDE "zwei" is like "drei", as it is on the telephone."""
    position = Position.start("3k4/8/8/8/8/8/8/K3R3 w - - 0 1")
    turn = twice("Turm Eva zwei", "Turm Eva drei", position=position, language=language)
    assert options(turn.asking, language) == ["zwo", "drei"]
    assert hear(turn.asking, "zwo", position=position, language=language).asking.fact.uci == "e1e2"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
def test_each_option_is_an_answer_in_the_words_that_name_it(convention, language):
    pairs = (("e2e4", "d2d4"), ("e2e4", "e2e3"), ("g1f3", "f2f3"), ("g1f3", "g1h3"), ("c2c3", "b2b3"))
    for pair in pairs:
        asking = Difference(tuple(map(START.fact, pair)))
        for fact, words in zip(asking.facts, options(asking, language, convention), strict=True):
            assert hear(asking, words, language=language, convention=convention).asking.fact == fact, words
            expected = grammar.in_words(questions.answers(asking), convention, language)
            assert grammar.plain_phrase(words) in expected


def test_the_word_leads_to_the_move_and_only_its_yes_plays_it():
    asking = twice("Springer Felix drei", "Springer Hector drei").asking
    for words, uci in (("Felix", "g1f3"), ("Hector", "g1h3"), ("Hector drei", "g1h3")):
        turn = hear(asking, words)
        assert turn.asking.fact.uci == uci
        assert turn.do is None
        assert hear(turn.asking, "yes").do == PlayMove(turn.asking.fact)


def test_another_word_than_those_that_are_named_corrects_the_move():
    asking = twice("Springer Felix drei", "Springer Hector drei").asking
    assert hear(asking, "Anna").asking.fact.uci == "b1a3"  # another file
    assert hear(asking, "Bauer").asking.fact.uci == "f2f3"  # another part
    turn = hear(asking, "Eva")  # no knight goes there
    assert (turn.asking, keys(turn)) == (asking, ["ask_alike"])


def test_a_whole_announcement_and_a_command_are_taken_as_ever():
    asking = twice("Springer Felix drei", "Springer Hector drei").asking
    assert hear(asking, "Bauer David zwei David vier").asking.fact.uci == "d2d4"
    assert hear(asking, "stop").asking == Sure(CommandName.STOP, asking)
    assert hear(asking, "correction").asking == NOTHING
    assert hear(asking, "blah").asking == asking


def test_a_yes_tells_no_difference():
    asking = twice("Springer Felix drei", "Springer Hector drei").asking
    for words in ("yes", "ja", "I confirm", "that's right"):
        turn = hear(asking, words)
        assert (turn.asking, turn.do, keys(turn)) == (asking, None, ["ask_alike"])


def test_a_no_means_neither_and_asks_for_another_word():
    asking = twice("Springer Felix drei", "Springer Hector drei").asking
    turn = hear(asking, "no")
    assert {fact.uci for fact in turn.asking.facts} == {"b1a3", "b1c3"}
    assert keys(turn) == ["not_that_move", "ask_file", "or_announce"]
    last = twice("Eva vier", "Eva drei").asking
    assert keys(hear(last, "no")) == ["say_again"]


def test_a_no_to_a_difference_forgets_none_that_came_before_it():
    alternatives = [read("Springer Felix drei", "en"), read("Springer Hector drei", "en")]
    first = confirmation.respond(NOTHING, alternatives, START).asking
    second = hear(first, "no").asking
    third = hear(second, "Springer Hector drei", "Springer Anna drei").asking
    assert [fact.uci for fact in third.facts] == ["g1h3", "b1a3"]
    assert hear(third, "no").asking.fact.uci == "b1c3"
    # Nor does an announcement, nor a word, in answer to it; nor is the move itself asked again.
    for words in ("Springer Hector drei", "Hector"):
        answered = hear(third, words, "Springer Felix drei").asking
        assert answered.fact.uci == "g1h3"
        assert "g1f3" not in {fact.uci for fact in getattr(hear(answered, "no").asking, "facts", ())}
    turn = hear(third, "Springer Felix drei", "Springer Hector drei")
    assert [fact.uci for fact in turn.asking.facts] == ["g1h3", "b1a3", "g1f3"]
    assert hear(turn.asking, "drei").asking.fact.uci == "g1f3"


def test_in_what_it_differs_is_asked_only_once():
    asking = hear(twice("Eva vier", "David vier").asking, "Eva").asking
    again = hear(asking, "Eva vier", "David vier")
    assert isinstance(again.asking, Confirm)
    assert isinstance(hear(again.asking, "Eva vier", "David vier").asking, Confirm)
    # Nor of one who says the whole move again instead of the word.
    whole = hear(twice("Eva vier", "David vier").asking, "Eva vier", "David vier")
    assert isinstance(hear(whole.asking, "Eva vier", "David vier").asking, Confirm)


def test_a_typed_move_is_asked_again_as_it_stands():
    """Nobody mishears what is typed: it is a move of its own, with nothing beside it."""
    first = hear(NOTHING, "Eva vier", "David vier").asking
    turn = hear(first, "Eva vier")
    assert turn.asking == Confirm(START.fact("e2e4"))
    assert keys(turn) == ["ask_move"]
    assert keys(hear(turn.asking, "no")) == ["say_again"]


def test_of_moves_that_no_word_tells_apart_the_one_that_was_heard_is_asked_again():
    turn = twice("Kurze Rochade", "König Eva zwei", position=CASTLING)
    assert isinstance(turn.asking, Confirm)
    assert turn.asking.fact.uci == "e1g1"


def test_the_castlings_are_told_apart_by_number_once():
    turn = twice("Kurze Rochade", "Lange Rochade", position=CASTLING)
    assert told(turn) == ["Which one? Say its number: 1, Kurze Rochade, 2, Lange Rochade."]
    named = hear(turn.asking, "zwei", position=CASTLING)
    assert (named.asking.fact.uci, named.do) == ("e1c1", None)
    for answer in ("eins", "Kurze Rochade"):
        first = hear(turn.asking, answer, "Lange Rochade", position=CASTLING)
        again = hear(first.asking, "Kurze Rochade", "Lange Rochade", position=CASTLING)
        assert again.asking.fact.uci == "e1g1"


@pytest.mark.parametrize("check", ["", " Schach"])
def test_so_they_are_if_a_check_was_said_that_one_of_them_gives_or_none(check):
    for king in ("3k4", "5k2", "2k5"):
        position = Position.start(f"{king}/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        turn = twice(f"Kurze Rochade{check}", "Lange Rochade", position=position)
        assert [fact.uci for fact in turn.asking.facts] == ["e1g1", "e1c1"]


def test_a_castling_that_has_had_a_no_and_is_heard_again_is_told_by_its_number():
    how = {"position": CASTLING}
    other = hear(hear(NOTHING, "Kurze Rochade", "Lange Rochade", **how).asking, "no", **how).asking
    assert other.fact.uci == "e1c1"
    listed = hear(other, "Kurze Rochade", "Lange Rochade", **how)
    assert told(listed) == ["Which one? Say its number: 1, Kurze Rochade, 2, Lange Rochade."]
    again = hear(listed.asking, "Kurze Rochade", "Lange Rochade", **how)
    assert (again.asking, keys(again)) == (listed.asking, ["heard_again", "ask_choice"])
    chosen = hear(listed.asking, "eins", **how)
    assert chosen.asking.fact.uci == "e1g1"
    assert hear(chosen.asking, "Kurze Rochade", "Lange Rochade", **how).asking == chosen.asking


def test_so_is_one_that_no_word_tells_from_the_move_that_is_asked_instead():
    """Else the other move would be asked once more, with the words for its yes."""
    how = {"position": CASTLING}
    other = hear(hear(NOTHING, "Kurze Rochade", "König Felix eins", **how).asking, "no", **how).asking
    assert other.fact.uci == "e1f1"
    listed = hear(other, "Kurze Rochade", "König Felix eins", **how)
    assert told(listed) == ["Which one? Say its number: 1, Kurze Rochade, 2, König Eva eins Felix eins."]
    assert hear(listed.asking, "yes", **how).do is None
    for number, uci in (("eins", "e1g1"), ("zwei", "e1f1")):
        assert hear(listed.asking, number, **how).asking.fact.uci == uci


def test_the_whole_of_a_move_that_had_a_no_answers_in_what_it_differs_from_another():
    for words, beside in (("Eva vier", "Eva drei"), ("Springer Felix drei", "Eva drei")):
        other = hear(hear(NOTHING, words, beside).asking, "no").asking
        which = hear(other, words, beside).asking
        assert isinstance(which, Difference)
        turn = hear(which, words, beside)
        assert (turn.asking.fact, turn.do) == (which.facts[0], None)
        assert hear(turn.asking, "yes").do == PlayMove(which.facts[0])


def test_after_a_no_the_other_castling_is_asked_about():
    turn = hear(
        hear(NOTHING, "Kurze Rochade", "Lange Rochade", position=CASTLING).asking, "no", position=CASTLING
    )
    assert told(turn) == ["Not played.", "Do you mean Lange Rochade?", "Or announce the move again."]


# After a no


@pytest.mark.parametrize(
    ("position", "words", "beside", "asked", "left"),
    [
        (START, "Springer Felix drei", "Springer Hector drei", Missing, ["b1a3", "b1c3", "g1h3"]),
        (START, "Eva vier", "Eva drei", Confirm, ["e2e3"]),
        (START, "Springer Felix drei", "Eva vier", Confirm, ["e2e4"]),
        (TAKERS, "Dame David fünf", "Turm David fünf", Choose, ["c3d5", "d1d5"]),
        (PROMOTION, "Eva acht Dame", "Eva acht Turm", Promote, ["e7e8b", "e7e8n", "e7e8r"]),
        (KNIGHTS, "Springer Bella David zwei", "Springer Felix David zwei", Confirm, ["f3d2"]),
    ],
)
def test_after_a_no_it_asks_for_the_part_that_was_perhaps_misheard(position, words, beside, asked, left):
    turn = hear(hear(NOTHING, words, beside, position=position).asking, "no", position=position)
    assert isinstance(turn.asking, asked)
    facts = getattr(turn.asking, "facts", None) or [turn.asking.fact]
    assert sorted(fact.uci for fact in facts) == left
    assert keys(turn)[0] == "not_that_move"
    assert keys(turn)[-1] == "or_announce"
    assert turn.do is None


def test_a_check_and_a_promotion_that_were_announced_need_not_be_said_again():
    position = Position.start("6k1/8/8/8/3Q4/8/8/4K3 w - - 0 1")  # it gives check on d5 and d8
    first = hear(NOTHING, "Dame David acht Schach", "Dame David fünf", position=position).asking
    rank = hear(first, "no", position=position).asking
    assert isinstance(rank, Missing)
    assert hear(rank, "fünf", position=position).asking.check is Check.CHECK
    pawns = Position.start("8/2PPP1k1/8/8/8/8/8/4K3 w - - 0 1")
    first = hear(NOTHING, "Bauer Eva acht Turm", "Bauer David acht Turm", position=pawns).asking
    file = hear(first, "no", position=pawns)
    assert told(file)[1] == "Bauer acht Turm. Which file?"
    assert hear(file.asking, "David", position=pawns).asking.fact.uci == "d7d8r"
    assert hear(file.asking, "David acht Dame", position=pawns).asking.fact.uci == "d7d8q"


def test_nor_after_two_utterances_of_which_neither_was_understood_alone():
    position = Position.start("6k1/8/8/8/3Q4/8/8/4K3 w - - 0 1")
    said = [read(f"Dame David {rank} Schach", "en") for rank in ("fünf", "acht")]
    both = confirmation.respond(NOTHING, confirmation.unsure(said), position, spoken=True, again=True)
    rank = confirmation.of_two(both, NOTHING, position).asking
    assert isinstance(rank, Missing)
    assert hear(rank, "fünf", position=position).asking.check is Check.CHECK


def test_the_next_readings_come_first_and_what_had_a_no_is_left_out():
    alternatives = [read("Springer Felix drei", "en"), read("Springer Hector drei", "en")]
    beside = read("Springer Anna drei", "en")
    first = confirmation.respond(NOTHING, alternatives, START, beside=beside).asking
    second = hear(first, "no").asking
    assert second.fact.uci == "g1h3"
    third = hear(second, "no").asking
    assert {fact.uci for fact in third.facts} == {"b1a3", "b1c3"}
    assert hear(third, "Anna").asking.fact.uci == "b1a3"


def test_a_move_that_has_had_a_no_is_not_asked_again_when_the_same_is_heard_again():
    alike = ("Springer Hector drei", "Springer Anna drei")
    part = hear(hear(NOTHING, "Springer Felix drei", *alike).asking, "no").asking
    turn = hear(part, "Springer Felix drei", *alike)
    assert isinstance(turn.asking, Missing)
    assert keys(turn) == ["heard_again", "ask_file"]
    # Who wants it after all says the part, or types it.
    assert hear(part, "Felix").asking.fact.uci == "g1f3"
    assert hear(part, "Springer Felix drei").asking.fact.uci == "g1f3"


INSISTED = [
    (START, "Springer Felix drei", "Springer Hector drei", "Felix", "g1f3"),
    (START, "Eva vier", "David vier", "Eva", "e2e4"),
    (TAKERS, "Dame David fünf", "Turm David fünf", "Dame", "a2d5"),
    (TAKERS, "Dame David fünf", "Turm David fünf", "Dame David fünf", "a2d5"),
    (PROMOTION, "Eva acht Dame", "Eva acht Turm", "Dame", "e7e8q"),
    (PROMOTION, "Eva acht Dame", "Eva acht Turm", "Eva acht Dame", "e7e8q"),
]


@pytest.mark.parametrize(("position", "words", "beside", "word", "uci"), INSISTED)
def test_it_is_one_of_those_that_can_be_meant_once_it_is_heard_again(position, words, beside, word, uci):
    """A no that was misheard, or said by mistake, keeps nobody from his move."""
    first = hear(NOTHING, words, beside, position=position).asking
    denied = hear(first, "no", position=position).asking
    assert position.fact(uci) not in denied.facts
    turn = hear(denied, words, beside, position=position)
    assert keys(turn)[0] == "heard_again"
    assert turn.say[1:] == questions.question(turn.asking)
    assert turn.asking.facts == (*denied.facts, position.fact(uci))
    named = hear(turn.asking, word, beside, position=position)
    assert (named.asking.fact.uci, named.do) == (uci, None)
    assert hear(named.asking, "yes", position=position).do == PlayMove(position.fact(uci))


@pytest.mark.parametrize(
    ("words", "beside", "word", "uci"),
    [
        ("Eva vier", "David vier", "drei", "e2e3"),
        ("Springer Felix drei", "Springer Hector drei", "Bauer", "f2f3"),
        ("Eva drei", "David drei", "vier", "e2e4"),
    ],
)
def test_after_a_no_any_part_of_the_move_that_had_it_can_be_corrected(words, beside, word, uci):
    """The ears may have taken it for another move than those of which the part is asked."""
    denied = hear(hear(NOTHING, words, beside).asking, "no")
    assert "ask_file" in keys(denied)
    turn = hear(denied.asking, word)
    assert (turn.asking.fact.uci, turn.do) == (uci, None)
    assert START.fact(uci) not in turn.asking.denied
    typed = hear(denied.asking, word, spoken=False)  # nobody mishears that
    assert not isinstance(typed.asking, Confirm)


@pytest.mark.parametrize("spoken", [True, False])
@pytest.mark.parametrize(
    ("position", "words", "beside", "word", "uci", "other"),
    [
        (PROMOTION, "Eva acht Dame", "Eva acht Turm", "Dame", "e7e8q", ("Turm", "e7e8r")),
        (TAKERS, "Dame David fünf", "Turm David fünf", "Dame", "a2d5", ("Turm", "d1d5")),
        (ROOKS, "Turm Anna Eva drei", "Turm Hector Eva drei", "Anna", "a3e3", ("Hector", "h3e3")),
    ],
)
def test_where_one_of_several_is_asked_for_the_word_of_that_which_had_a_no_means_it(
    position, words, beside, word, uci, other, spoken
):
    denied = hear(hear(NOTHING, words, beside, position=position).asking, "no", position=position).asking
    assert isinstance(denied, Choose | Promote)
    assert hear(denied, word, position=position, spoken=spoken).asking.fact.uci == uci
    assert hear(denied, other[0], position=position, spoken=spoken).asking.fact.uci == other[1]


def test_so_can_the_piece_that_a_pawn_becomes():
    pawns = Position.start("8/2PPP1k1/8/8/8/8/8/4K3 w - - 0 1")
    heard = ("Eva acht Dame", "David acht Dame")
    first = hear(NOTHING, *heard, position=pawns).asking
    missing, difference = (hear(first, *said, position=pawns).asking for said in (("no",), heard))
    assert (type(missing), type(difference)) == (Missing, Difference)
    for asking in (missing, difference):
        turn = hear(asking, "Turm", position=pawns)
        assert (turn.asking.fact.uci, turn.do) == ("e7e8r", None)


def test_but_by_no_word_that_makes_no_legal_move_of_it():
    denied = hear(hear(NOTHING, "Eva vier", "David vier").asking, "no")
    turn = hear(denied.asking, "fünf")
    assert (turn.asking, turn.do) == (denied.asking, None)


def test_it_is_told_by_its_number_if_it_differs_in_another_part_than_is_asked_for():
    position = Position.start("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1")
    facts = tuple(map(position.fact, ("c3b5", "c3d5")))
    files = Missing(MovePattern(Place(rank="5"), Piece.KNIGHT), facts, denied=(position.fact("c3b1"),))
    turn = hear(files, "Springer Bella eins", "Springer Bella fünf", position=position)
    assert keys(turn) == ["heard_again", "ask_choice"]
    assert hear(turn.asking, "drei", position=position).asking.fact.uci == "c3b1"


def test_it_is_asked_about_again_where_a_list_would_be_long():
    fourth, denied = MovePattern(Place(rank="4")), START.fact("b1c3")
    turn = hear(Missing(fourth, START.matching(fourth), (denied,)), "Springer Cesar drei", "Bauer Anna vier")
    assert told(turn) == ["Do you mean Springer Bella eins Cesar drei?"]
    assert hear(turn.asking, "yes").do == PlayMove(denied)


def test_it_is_there_once_whatever_was_said_between():
    denied = hear(hear(NOTHING, "Springer Felix drei", "Springer Hector drei").asking, "no").asking
    part = hear(denied, "Springer drei").asking
    assert START.fact("g1f3") in part.facts
    turn = hear(part, "Springer Felix drei", "Springer Hector drei")
    assert turn.asking == part
    assert hear(part, "Felix").asking.fact.uci == "g1f3"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_heard_again_is_told_with_the_question_in_every_language(language):
    move = {"en": "I heard {} again.", "de": "Ich habe noch einmal {} gehört."} | {
        "pt": "Ouvi outra vez {}.", "es": "He oído otra vez {}.",
    }  # fmt: skip
    alike = ("Dame David fünf", "Turm David fünf")
    how = {"position": TAKERS, "language": language}
    asked = hear(hear(NOTHING, *alike, **how).asking, "nein", **how)
    turn = hear(asked.asking, *alike, **how)
    heard, question = told(turn, language)
    assert heard == move[language].format("Dame Anna zwei schlägt David fünf")
    assert "Dame" in question


def test_a_move_that_has_had_a_no_and_is_heard_again_can_be_named_by_a_word():
    other = hear(hear(NOTHING, "Eva vier", "Eva drei").asking, "no").asking
    assert other.fact.uci == "e2e3"
    turn = hear(other, "Eva vier", "Eva drei")
    assert told(turn) == ["Vier, or drei?"]
    for words, wanted in (("vier", "e2e4"), ("Eva vier", "e2e4"), ("drei", "e2e3")):
        named = hear(turn.asking, words, "Eva drei")
        assert (named.asking.fact.uci, named.do) == (wanted, None)
        assert hear(named.asking, "yes").do == PlayMove(named.asking.fact)


@pytest.mark.parametrize(
    ("position", "words", "asked", "left"),
    [
        (START, ("Springer drei", "Felix"), Missing, ["b1a3", "b1c3", "g1h3"]),
        (START, ("Bauer Eva", "vier"), Confirm, ["e2e3"]),
        (KNIGHTS, ("Springer David zwei", "Felix"), Confirm, ["b1d2"]),
        (PROMOTION, ("Eva acht", "Dame"), Promote, ["e7e8b", "e7e8n", "e7e8r"]),
    ],
)
def test_so_it_does_after_a_part_that_was_asked_for(position, words, asked, left):
    asking = NOTHING
    for said in (*words, "no"):
        asking = (turn := hear(asking, said, position=position)).asking
    assert isinstance(asking, asked)
    facts = getattr(asking, "facts", None) or [asking.fact]
    assert sorted(fact.uci for fact in facts) == left
    assert (keys(turn)[0], keys(turn)[-1]) == ("not_that_move", "or_announce")


def test_a_move_that_a_part_has_led_to_is_asked_in_its_difference_if_it_is_spoken_again():
    how = {"position": KNIGHTS, "language": "pt", "convention": "letters"}
    first = hear(hear(NOTHING, "cavalo dê dois", **how).asking, "bê", **how).asking
    turn = hear(first, "cavalo bê dê dois", "cavalo efe dê dois", **how)
    assert isinstance(turn.asking, Difference)
    assert {fact.uci for fact in turn.asking.facts} == {"b1d2", "f3d2"}


def test_it_is_told_apart_from_what_sounds_like_it_not_from_any_that_the_part_could_have_led_to():
    position = Position.start("1k6/8/8/8/8/8/8/K3R3 w - - 0 1")
    first = hear(hear(NOTHING, "Turm Eva", position=position).asking, "zwei", position=position).asking
    assert len(first.alike) > 2
    turn = hear(first, "Turm Eva zwei", "Turm Eva drei", position=position)
    assert told(turn) == ["Zwo, or drei?"]


def test_where_a_whole_square_was_asked_for_a_no_asks_about_no_other_move():
    position = Position.start("4k3/8/8/8/8/8/8/K4B2 w - - 0 1")
    asking = hear(hear(NOTHING, "Läufer", position=position).asking, "Eva zwei", position=position).asking
    assert keys(hear(asking, "no", position=position)) == ["say_again"]


def test_where_one_square_is_left_it_is_asked_which_piece_goes_there():
    position = Position.start("8/1k4n1/8/8/1N5n/6NK/8/8 b - - 0 1")
    asking = NOTHING
    for words in ("Springer fünf", "Hector", "no"):
        asking = (turn := hear(asking, words, position=position)).asking
    assert isinstance(asking, Choose)
    assert {fact.uci for fact in asking.facts} == {"g7f5", "h4f5"}
    assert "From which file: Gustav, Hector?" in " ".join(told(turn))


def test_of_a_list_each_of_the_others_is_asked_about_after_a_no():
    facts = tuple(map(START.fact, ("e2e4", "d2d3", "g1h3")))
    asking, asked = Choose(facts, listed=True), []
    for words in ("zwei", "no", "no"):
        asking = hear(asking, words).asking
        asked.append(asking.fact.uci)
    assert asked == ["d2d3", "e2e4", "g1h3"]


@pytest.mark.parametrize(
    ("position", "words", "beside"),
    [(TAKERS, "Dame David fünf", "Turm David fünf"), (PROMOTION, "Eva acht Dame", "Eva acht Turm")],
)
def test_among_several_a_move_that_has_had_a_no_is_not_asked_again_either(position, words, beside):
    several = hear(hear(NOTHING, words, beside, position=position).asking, "no", position=position).asking
    assert isinstance(several, Choose | Promote)
    after = hear(several, words, beside, position=position).asking
    assert type(after) is type(several)
    assert after.facts[: len(several.facts)] == several.facts


def test_what_has_had_a_no_stays_denied_beside_another_question():
    part = hear(hear(NOTHING, "Springer Felix drei", "Springer Hector drei").asking, "no").asking
    assert hear(part, "Springer drei").asking.denied == part.denied
    sure = hear(part, "draw").asking
    assert isinstance(sure, Sure)
    assert hear(sure, "Springer Felix drei", "Springer Hector drei").asking.facts[:-1] == part.facts


def test_two_that_are_denied_at_once_are_not_asked_again():
    between = twice("Eva vier", "Eva drei").asking
    turn = hear(between, "no")
    assert keys(turn) == ["say_again"]
    between = twice("Springer Felix drei", "Springer Hector drei").asking
    part = hear(between, "no").asking
    assert {fact.uci for fact in part.denied} == {"g1f3", "g1h3"}
    assert {fact.uci for fact in part.facts} == {"b1a3", "b1c3"}
    last = hear(part, "Anna").asking
    assert hear(last, "no").asking.fact.uci == "b1c3"


def test_after_a_part_that_was_typed_a_no_asks_for_the_announcement_as_ever():
    asking = NOTHING
    for words in ("Springer drei", "Felix", "no"):
        asking = (turn := hear(asking, words, spoken=False)).asking
    assert (asking, keys(turn)) == (NOTHING, ["say_again"])


def test_so_it_does_after_a_word_of_the_difference():
    between = twice("Springer Felix drei", "Springer Hector drei").asking
    turn = hear(hear(between, "Hector").asking, "no")
    assert {fact.uci for fact in turn.asking.facts} == {"b1a3", "b1c3", "g1f3"}


def test_a_pawn_move_that_has_had_a_no_is_not_asked_again_either_unless_its_part_is_named():
    part = hear(hear(NOTHING, "Eva vier", "David vier").asking, "no").asking
    assert isinstance(part, Missing)
    turn = hear(part, "Eva vier", "David vier")
    assert keys(turn) == ["heard_again", "ask_file"]
    for words, wanted in (("Eva", "e2e4"), ("David", "d2d4"), ("David vier", "d2d4")):
        named = hear(part, words, "Bella vier").asking
        assert named.fact.uci == wanted
        assert START.fact("e2e4") in named.denied
    assert hear(part, "Eva vier", spoken=False).asking.fact.uci == "e2e4"


def test_where_nothing_sounds_like_it_the_move_is_asked_for_anew():
    assert keys(hear(hear(NOTHING, "Eva vier").asking, "no")) == ["say_again"]


# Nothing but a yes is one


def every_asking(fact, other):
    """Questions of every kind about two moves."""
    if fact != other:
        yield Confirm(fact, settled=True, alike=(other,))
        yield Choose((fact, other))
        if difference((fact, other)):
            yield Difference((fact, other))
        if isinstance(fact.meaning, MovePattern):
            yield Missing(MovePattern(Place(), fact.meaning.piece), (fact, other))


@settings(max_examples=examples(100), deadline=None)
@given(positions(), st.integers(0, 10_000), st.integers(0, 10_000), st.integers(0, 3))
def test_an_announcement_never_commits(position, one, other, beside):
    """Whatever is asked, a spoken announcement of any move plays none."""
    legal = position.legal
    if not legal:
        return
    facts = legal[one % len(legal)], legal[other % len(legal)]
    readings = [Reading(legal[(one + n) % len(legal)].meaning) for n in range(beside)]
    for asking in (NOTHING, Confirm(facts[0]), *every_asking(*facts)):
        for fact in dict.fromkeys((*facts, *legal[:5])):
            turn = confirmation.respond(asking, [[Reading(fact.meaning)]], position, beside=readings)
            assert turn.do is None, (asking, fact)
            assert turn.asking != NOTHING


@settings(max_examples=examples(50), deadline=None)
@given(positions(), st.lists(st.integers(0, 10_000), min_size=1, max_size=20))
def test_nor_does_anything_but_a_yes_however_long_one_talks(position, choices):
    legal = position.legal
    asking = NOTHING
    for choice in choices:
        if not legal:
            return
        meaning = legal[choice % len(legal)].meaning
        offered = questions.answers(asking)
        said = offered[choice % len(offered)] if offered and choice % 3 else meaning
        beside = [Reading(legal[(choice + n) % len(legal)].meaning) for n in range(choice % 4)]
        turn = confirmation.respond(asking, [[Reading(said)]], position, beside=beside)
        assert not isinstance(turn.do, PlayMove)
        asking = turn.asking


def test_only_the_opponent_who_repeats_the_move_on_his_board_counts_it():
    """With two boards the Laws want the announcement repeated (E.1, point 1; 2009); its player has said yes to it."""
    fact = START.fact("e2e4")
    assert hear(questions.Making(fact), "Eva vier", "David vier").do == CountMove()


@settings(max_examples=examples(100), deadline=None)
@given(positions(), st.integers(0, 10_000), st.integers(0, 10_000))
def test_a_difference_is_told_by_what_each_move_has_alone(position, one, other):
    legal = position.legal
    if len(legal) < 2:
        return
    facts = legal[one % len(legal)], legal[other % len(legal)]
    if difference(facts) is None:
        return
    asking = Difference(facts)
    for meaning in questions.answers(asking):
        turn = confirmation.respond(asking, [[Reading(meaning)]], position)
        assert turn.asking.fact in facts
    if only := only_difference(*facts):
        assert only == asking.part
