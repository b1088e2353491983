# SPDX-License-Identifier: GPL-3.0-or-later
import itertools
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.languages import LANGUAGES
from support.positions import positions

from acessivel.records.pgn import local_san
from voices.grammar import grammar
from voices.meaning import (
    Answer,
    Castling,
    Check,
    ColourNamed,
    Command,
    CommandName,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Place,
    Side,
)
from voices.understanding.meanings import LONGEST, read, read_heard, read_typed
from voices.words.files import choices, conventions
from voices.words.lexicon import plain, vocabulary
from voices.words.phrasing import phrasing

KNIGHT = MovePattern(Place("f", "3"), Piece.KNIGHT, Place("g", "1"))


def place(name):
    return Place(name[:1] or None, name[1:] or None)


def likely(text, language="pt", convention="fide"):
    return [reading.meaning for reading in read(text, language, convention) if reading.likely]


@settings(max_examples=examples(60), deadline=None)
@given(positions(), st.sampled_from(LANGUAGES), st.sampled_from(conventions()), st.booleans())
def test_every_announcement_is_read_back_as_that_move_alone(position, language, convention, spoken):
    words = phrasing(convention, language)
    for fact in position.legal:
        announcement = words.move(fact.meaning, spoken=spoken)
        assert likely(announcement, language, convention) == [fact.meaning]
        assert position.matching(fact.meaning) == (fact,)


@settings(max_examples=examples(60), deadline=None)
@given(positions(), st.sampled_from(LANGUAGES))
def test_san_in_each_language_and_uci_are_read_as_that_move(position, language):
    for fact in position.legal:
        for notation in (local_san(fact.san, language), fact.uci):
            facts = {f.uci for meaning in likely(notation, language) for f in position.matching(meaning)}
            assert facts == {fact.uci}, notation


@pytest.mark.parametrize(
    "text",
    [
        "Springer Gustav eins Felix drei",
        "springer gustav eins felix drei",
        "SPRINGER GUSTAV EINS FELIX DREI",
        "Springer g1 f3",
        "cavalo gê um efe três",
        "cavalo de g1 para f3",
        "Cg1f3",
        "Cg1-f3",
        "C g1 f3",
        "Ng1f3",
        "Sg1f3",
        "2. Cg1f3",
        "Springer,  Gustav eins: Felix drei.",
        "Springer\tGustav\x00eins\x1b Felix drei",
    ],
)
def test_ways_to_announce_one_move(text):
    assert likely(text) == [KNIGHT]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((text, KNIGHT) for text in ("♘g1f3", "♞g1–f3", "♘ g1 − f3.", "♘︎g1f3")),
        ("♔d2", MovePattern(place("d2"), Piece.KING)),
        ("1. ♖xd1+", MovePattern(place("d1"), Piece.ROOK, capture=True, check=Check.CHECK)),
        ("♙e4", MovePattern(place("e4"), Piece.PAWN)),
        ("e8=♕", MovePattern(place("e8"), promotion=Piece.QUEEN)),
        ("♗", PieceNamed(Piece.BISHOP)),
        ("♘f", MovePattern(place("f"), Piece.KNIGHT)),
        ("g1–f3", MovePattern(place("f3"), origin=place("g1"))),
        ("N–f3", MovePattern(place("f3"), Piece.KNIGHT)),
        ("Ng1‑f3.", KNIGHT),
        *((f"♕h5{sign}.", MovePattern(place("h5"), Piece.QUEEN, check=Check.MATE)) for sign in "#‡"),
        ("Nf3+.", MovePattern(place("f3"), Piece.KNIGHT, check=Check.CHECK)),
        ("O–O", Castling(Side.SHORT)),
        ("0—0—0", Castling(Side.LONG)),
        ("0-0.", Castling(Side.SHORT)),
        ("exd6 e.p.", MovePattern(place("d6"), origin=place("e"), capture=True, en_passant=True)),
    ],
)
def test_figurines_and_typographic_signs_are_read_as_in_a_book(language, text, said):
    assert likely(text, language) == [said]
    assert all(reading.meaning == said for reading in read(text, language) if "♔" in text)


@pytest.mark.parametrize("text", ["e4 (=)", "Nf3 (=)", "knight f3 (=)", "e4 =", "e4=", "draw (=)"])
def test_the_sign_of_a_draw_offer_is_not_left_out(text):
    assert read(text, "en") == ()
    assert likely("e8=", "en") == [MovePattern(place("e8"))]


@pytest.mark.parametrize("text", ["♘ takes f3", "♘♘f3", "☂f3", "e4 👍"])
def test_a_symbol_that_is_not_understood_is_not_left_out(text):
    assert read(text, "en") == ()


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("Eva fünf", "5"),
        ("Eva fuenf", "5"),
        ("Eva funf", "5"),
        ("Eva zwo", "2"),
        ("Ewa zwei", "2"),
        ("e5", "5"),
    ],
)
def test_usual_spellings_and_slips(text, rank):
    assert likely(text) == [MovePattern(Place("e", rank))]


@pytest.mark.parametrize(
    "text", ["Läufer Cesar vier", "Laeufer Cäsar vier", "Laufer Caesar vier", "Lc4", "Bc4"]
)
def test_spellings_of_the_bishop(text):
    assert likely(text)[0] == MovePattern(Place("c", "4"), Piece.BISHOP)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Turm Anna David eins", MovePattern(place("d1"), Piece.ROOK, place("a"))),
        ("Turm eins David eins", MovePattern(place("d1"), Piece.ROOK, Place(rank="1"))),
        ("Turm Anna eins David eins", MovePattern(place("d1"), Piece.ROOK, place("a1"))),
        ("Turm schlägt David eins", MovePattern(place("d1"), Piece.ROOK, capture=True)),
        ("Turm Anna schlägt David eins Schach", MovePattern(place("d1"), Piece.ROOK, place("a"), capture=True, check=Check.CHECK)),
        ("Eva acht Dame", MovePattern(place("e8"), promotion=Piece.QUEEN)),
        ("Bauer Eva acht", MovePattern(place("e8"), Piece.PAWN)),
        ("e8=D", MovePattern(place("e8"), promotion=Piece.QUEEN)),
        ("e7e8n", MovePattern(place("e8"), origin=place("e7"), promotion=Piece.KNIGHT)),
        ("exd6 e.p.", MovePattern(place("d6"), origin=place("e"), capture=True, en_passant=True)),
        ("Eva schlägt David sechs en passant", MovePattern(place("d6"), origin=place("e"), capture=True, en_passant=True)),
        ("exd", MovePattern(place("d"), Piece.PAWN, place("e"), capture=True)),
        ("Txd1#", MovePattern(place("d1"), Piece.ROOK, capture=True, check=Check.MATE)),
        ("Kurze Rochade", Castling(Side.SHORT)),
        ("lange Rochade", Castling(Side.LONG)),
        ("0-0", Castling(Side.SHORT)),
        ("O-O-O", Castling(Side.LONG)),
        ("o-o", Castling(Side.SHORT)),
        ("roque grande", Castling(Side.LONG)),
        ("0-0-0+", Castling(Side.LONG, Check.CHECK)),
        ("cavalo c3xd5", MovePattern(place("d5"), Piece.KNIGHT, place("c3"), capture=True)),
        ("caballo xd5", MovePattern(place("d5"), Piece.KNIGHT, capture=True)),
        ("Springer bd2", MovePattern(place("d2"), Piece.KNIGHT, place("b"))),
        ("rook 1xd3 check", MovePattern(place("d3"), Piece.ROOK, Place(rank="1"), capture=True, check=Check.CHECK)),
        ("peão e5xd6", MovePattern(place("d6"), Piece.PAWN, place("e5"), capture=True)),
        ("peão exd", MovePattern(place("d"), Piece.PAWN, place("e"), capture=True)),
        ("exd8 dama", MovePattern(place("d8"), origin=place("e"), capture=True, promotion=Piece.QUEEN)),
        ("exd8=Dame", MovePattern(place("d8"), origin=place("e"), capture=True, promotion=Piece.QUEEN)),
        ("ed8 queen", MovePattern(place("d8"), origin=place("e"), promotion=Piece.QUEEN)),
        ("exd6 en passant", MovePattern(place("d6"), origin=place("e"), capture=True, en_passant=True)),
        ("e5xd6 ao passar", MovePattern(place("d6"), origin=place("e5"), capture=True, en_passant=True)),
    ],
)  # fmt: skip
def test_forms_of_announcements(text, said):
    assert likely(text) == [said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Springer Felix", MovePattern(place("f"), Piece.KNIGHT)),
        ("Springer drei", MovePattern(Place(rank="3"), Piece.KNIGHT)),
        ("cavalo f", MovePattern(place("f"), Piece.KNIGHT)),
        ("cavalo três", MovePattern(Place(rank="3"), Piece.KNIGHT)),
        ("Eva", MovePattern(place("e"))),
        ("Springer schlägt", MovePattern(Place(), Piece.KNIGHT, capture=True)),
        ("Springer schlägt Felix", MovePattern(place("f"), Piece.KNIGHT, capture=True)),
        ("Springer Gustav schlägt", MovePattern(Place(), Piece.KNIGHT, place("g"), capture=True)),
        ("Springer Gustav eins schlägt drei", MovePattern(Place(rank="3"), Piece.KNIGHT, place("g1"), capture=True)),
        ("Springer Gustav eins Felix", MovePattern(place("f"), Piece.KNIGHT, place("g1"))),
        ("Springer Gustav eins drei", MovePattern(Place(rank="3"), Piece.KNIGHT, place("g1"))),
        ("Springer eins Felix", MovePattern(place("f"), Piece.KNIGHT, Place(rank="1"))),
        ("Springer Felix Schach", MovePattern(place("f"), Piece.KNIGHT, check=Check.CHECK)),
        ("Eva zwei vier", MovePattern(Place(rank="4"), origin=place("e2"))),
        ("Eva schlägt", MovePattern(Place(), origin=place("e"), capture=True)),
        ("Eva schlägt fünf", MovePattern(Place(rank="5"), origin=place("e"), capture=True)),
        ("Eva vier schlägt David", MovePattern(place("d"), origin=place("e4"), capture=True)),
        ("Eva fünf schlägt en passant", MovePattern(Place(), origin=place("e5"), capture=True, en_passant=True)),
        ("schlägt David", MovePattern(place("d"), capture=True)),
        ("Bauer Eva Dame", MovePattern(place("e"), Piece.PAWN, promotion=Piece.QUEEN)),
        ("Eva sieben Eva Dame", MovePattern(place("e"), origin=place("e7"), promotion=Piece.QUEEN)),
        ("Txf", MovePattern(place("f"), Piece.ROOK, capture=True)),
        ("Cf", MovePattern(place("f"), Piece.KNIGHT)),
        ("Cx", MovePattern(Place(), Piece.KNIGHT, capture=True)),
        ("D", PieceNamed(Piece.QUEEN)),
        ("d", MovePattern(place("d"))),
        ("A", MovePattern(place("a"))),
        ("T8", MovePattern(Place(rank="8"), Piece.ROOK)),
        ("C3", MovePattern(place("c3"))),
        ("cb", MovePattern(place("b"), Piece.PAWN, place("c"), capture=True)),
    ],
)  # fmt: skip
def test_announcements_that_lack_a_part(text, said):
    assert likely(text)[0] == said


@pytest.mark.parametrize(
    "text", ["schlägt", "schlägt drei", "vier Eva", "Springer Felix Dame", "Schach", "drei schlägt"]
)
def test_what_says_too_little_to_be_an_announcement_is_none(text):
    assert not any(isinstance(meaning, MovePattern) for meaning in likely(text))


@settings(max_examples=examples(60), deadline=None)
@given(positions(20), st.sampled_from(LANGUAGES), st.sampled_from(conventions()), st.integers(0, 10_000))
def test_no_whole_announcement_is_also_read_as_one_that_lacks_a_part(position, language, convention, one):
    if position.legal:
        words = phrasing(convention, language).move(
            position.legal[one % len(position.legal)].meaning, spoken=True
        )
        meanings = [reading.meaning for reading in read(words, language, convention)]
        assert all(not isinstance(meaning, MovePattern) or meaning.whole for meaning in meanings)


@pytest.mark.parametrize(
    ("language", "text"), [("de", "Rochade"), ("pt", "roque"), ("en", "castling"), ("es", "enroque")]
)
def test_castling_without_its_side_is_a_guess(language, text):
    assert {(r.meaning.side, r.likely) for r in read(text, language)} == {(side, False) for side in Side}


@pytest.mark.parametrize(
    ("language", "text", "yes"),
    [
        ("pt", "sim", True), ("pt", "não", False), ("pt", "nao", False), ("en", "yes", True), ("en", "no", False),
        ("de", "ja", True), ("de", "nein", False), ("es", "sí", True), ("es", "si", True), ("es", "no", False),
        ("pt", "ja", True), ("en", "nein", False),
    ],
)  # fmt: skip
def test_answers(language, text, yes):
    assert likely(text, language) == [Answer(yes)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_is_one_as_it_is_written_and_typed(language):
    for meant, texts in vocabulary(language).phrases["answer"].items():
        for text in texts:
            for typed in {text, f"{text.capitalize()}.", text.replace("'", "’")}:
                assert [reading.meaning for reading in read_typed(typed, language)] == [
                    Answer(meant == "yes")
                ]


@pytest.mark.parametrize(
    ("language", "yes", "no"), [("pt", "s", "n"), ("en", "y", "n"), ("de", "j", "n"), ("es", "s", "n")]
)
def test_single_letters_and_ok_are_answers_when_they_are_typed_and_mean_nothing_else(language, yes, no):
    for text, meant in ((yes, True), (no, False), ("ok", True), (" OK ", True)):
        assert [reading.meaning for reading in read_typed(text, language)] == [Answer(meant)]
        assert read(text, language) == ()  # nobody says it, and a recogniser that hears it is wrong
    named = [reading.meaning for reading in read_typed("S", language)]
    assert PieceNamed(Piece.KNIGHT) == named[0]
    assert (Answer(yes=True) in named) is (yes == "s")  # elsewhere a knight of the own language, or none
    for text, meant in ((yes.upper(), True), ("N", False)):
        assert read_typed(text, language)[-1].meaning == Answer(meant)
    assert read_typed("okay?", language) == read_typed("yy", language) == ()


@pytest.mark.parametrize(
    ("language", "text", "yes"),
    [
        ("de", "genau", True), ("de", "nee", False), ("de", "Nö", False), ("en", "yep", True), ("en", "nah", False),
        ("pt", "isso", True), ("es", "vale", True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("convention", ["fide", "letters", "nato", "mixed"])
def test_so_are_words_of_everyday_talk(language, text, yes, convention):
    assert [reading.meaning for reading in read_typed(text, language, convention)] == [Answer(yes)]
    assert read_heard(text, language, convention) == ()


@pytest.mark.parametrize(
    ("language", "text", "same"),
    [
        ("pt", "lance Cf3xe5", "Cf3xe5"),
        ("pt", "e ofereço empate", "ofereço empate"),
        ("en", "Move: knight f3", "knight f3"),
        ("de", "Zug 3. Sf3", "Sf3"),
        ("es", "y 0-0", "0-0"),
    ],
)
def test_a_word_that_only_introduces_a_typed_move_or_order_means_nothing(language, text, same):
    assert read(text, language) == read(same, language) != ()
    assert read_heard(text, language) == ()


@pytest.mark.parametrize("text", ["Cxd5 dama", "Bxd5; Bd2", "Dd8;", "C3xd5;"])
def test_a_capital_before_a_square_is_no_file_beside_words(text):
    assert read(text, "pt") == ()


def test_the_piece_that_a_pawn_becomes_is_the_same_in_words_as_in_notation():
    assert read("Cd8 dama", "pt") == read("Cd8=D", "pt")


@pytest.mark.parametrize("text", ["and yes", "and knight", "move", "and and Nf3", "but Nf3"])
def test_what_else_is_introduced_means_nothing(text):
    assert read(text, "en") == read("e Cf3", "pt") == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_yes_may_have_what_dictation_writes_after_it(language):
    yes = vocabulary(language).say("answer", "yes")
    for written in ("{}", "{}.", "{}!", "{},", " {} ", "\t{}\n"):
        for text in (yes, yes.upper(), unicodedata.normalize("NFD", yes)):
            assert Answer(yes=True) in likely(written.format(text), language), written
    assert Answer(yes=True) in likely("¡sí!", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_plainly_a_yes_is_none(language):
    yes = vocabulary(language).say("answer", "yes")
    for written in (
        "({})", "-{}", "{}?", "¿{}?", "{}-", "{}/", '"{}"', "*{}", "{}...", "{}…", "{}\u200b", "\u200b{}", "\u202e{}", "{}\u2066",
        "{}\x00", "\x07{}", "{}\x1b", "{}\ufeff", ";{}", "{};", "{}:", "_{}_", "1. {}", "{} 1", "{}) (", "{} ?", "=>{}", "{}\xad",
    ):  # fmt: skip
        assert all(reading.meaning != Answer(yes=True) for reading in read(written.format(yes), language)), (
            written
        )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "text", ["no confirmo", "no, sim", "no ja", "no isso mesmo", "confirmo no", "ja nope"]
)
def test_beside_the_no_of_any_language_nothing_that_is_typed_is_a_yes(language, text):
    readings = [*read_typed(text, language), *read_typed(text.capitalize(), language)]
    assert all(reading.meaning != Answer(yes=True) for reading in readings)


def test_a_no_that_means_nothing_in_the_own_language_is_heard_as_a_filler():
    assert read_heard("no confirmo", "pt")[0].meaning == Answer(yes=True)


@pytest.mark.parametrize(("language", "is_yes"), [("es", True), ("pt", False), ("en", False), ("de", False)])
def test_accents_may_be_left_out_of_a_yes_in_its_own_language_only(language, is_yes):
    """In Spanish "si" is typed for "sí", and alone it means nothing else; elsewhere it is no yes."""
    assert (Answer(yes=True) in likely("si", language)) is is_yes
    assert Answer(yes=True) in likely("sí", language)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("relógio", Command(CommandName.CLOCK)),
        ("relogio", Command(CommandName.CLOCK)),
        ("casa Eva vier", Command(CommandName.SQUARE, place=place("e4"))),
        ("casa e4", Command(CommandName.SQUARE, place=place("e4"))),
        ("coluna Eva", Command(CommandName.FILE, place=place("e"))),
        ("fileira vier", Command(CommandName.RANK, place=Place(rank="4"))),
        ("onde estão os cavalos", Command(CommandName.PIECES, Piece.KNIGHT)),
        ("onde estão Springer", Command(CommandName.PIECES, Piece.KNIGHT)),
        ("lances do cavalo de g1", Command(CommandName.LEGAL, Piece.KNIGHT, place("g1"))),
        ("lances legais", Command(CommandName.LEGAL)),
    ],
)
def test_commands_in_portuguese(text, command):
    assert likely(text) == [command]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
@pytest.mark.parametrize("name", list(CommandName))
@pytest.mark.sweep
def test_each_command_is_read_back_from_its_own_words(language, convention, name):
    command = {
        CommandName.SQUARE: Command(name, place=place("e4")),
        CommandName.RANK: Command(name, place=Place(rank="4")),
        CommandName.FILE: Command(name, place=place("e")),
        CommandName.PIECES: Command(name, Piece.KNIGHT),
        CommandName.TOUCHED: Command(name, Piece.KNIGHT),
        CommandName.ATTACKERS: Command(name, place=place("e4")),
        CommandName.DEFENDERS: Command(name, place=place("e4")),
        CommandName.MOVERS: Command(name, place=place("e4")),
    }.get(name, Command(name))
    for spoken, choice in itertools.product((True, False), choices(name) or ("",)):
        chosen = replace(command, choice=choice)
        words = phrasing(convention, language).meaning(chosen, spoken=spoken)
        assert likely(words, language, convention) == [chosen]


def test_touched_names_a_piece_a_square_or_both():
    name = CommandName.TOUCHED
    assert likely("toquei cavalo") == [Command(name, Piece.KNIGHT)]
    assert likely("toquei Gustav eins") == likely("toquei em g1") == [Command(name, place=place("g1"))]
    assert likely("toquei o cavalo de g1") == [Command(name, Piece.KNIGHT, place("g1"))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [CommandName.LAST_MOVES, CommandName.MOVE_AT])
def test_a_command_about_a_number_is_read_back_with_any_number(language, name):
    for number in range(1, 200):
        for spoken in (True, False):
            words = phrasing("letters", language).meaning(Command(name, number=number), spoken=spoken)
            assert likely(words, language, "letters") == [Command(name, number=number)], words


@pytest.mark.parametrize(
    ("language", "text", "name", "number"),
    [
        ("pt", "últimos 5 lances", "last_moves", 5),
        ("pt", "últimos cinco lances", "last_moves", 5),
        ("pt", "últimas vinte e duas jogadas", "last_moves", 22),
        ("pt", "lance 23", "move_at", 23),
        ("pt", "lance número cento e um", None, None),
        ("en", "the last twenty-one moves", "last_moves", 21),
        ("en", "last 5 moves", "last_moves", 5),
        ("en", "move 105", "move_at", 105),
        ("de", "die letzten zwölf Züge", "last_moves", 12),
        ("de", "Zug dreiundzwanzig", "move_at", 23),
        ("de", "Zug drei und zwanzig", "move_at", 23),
        ("de", "Zug zwei drei", "move_at", 23),
        ("es", "últimas treinta y tres jugadas", "last_moves", 33),
        ("es", "jugada número veintitrés", "move_at", 23),
        ("es", "jugada 9", "move_at", 9),
    ],
)
def test_numbers_of_commands(language, text, name, number):
    assert likely(text, language) == ([Command(CommandName(name), number=number)] if name else [])


@pytest.mark.parametrize(
    ("language", "text", "command"),
    [
        ("pt", "quem ataca e4", Command(CommandName.ATTACKERS, place=place("e4"))),
        ("pt", "o que pode ir para a casa Eva vier", None),
        ("pt", "o que pode ir para Eva vier", Command(CommandName.MOVERS, place=place("e4"))),
        ("pt", "peões na coluna Eva", Command(CommandName.PAWNS, place=place("e"))),
        ("pt", "peões por coluna", Command(CommandName.PAWNS)),
        ("en", "what attacks Eva vier", Command(CommandName.ATTACKERS, place=place("e4"))),
        ("en", "what can move to a4", Command(CommandName.MOVERS, place=place("a4"))),
        ("en", "what defends the a4", Command(CommandName.DEFENDERS, place=place("a4"))),
        ("de", "was greift Eva vier an", Command(CommandName.ATTACKERS, place=place("e4"))),
        ("de", "was greift Eva vier", None),
        ("de", "wer kann nach Eva vier ziehen", Command(CommandName.MOVERS, place=place("e4"))),
        ("es", "qué puede ir a a4", Command(CommandName.MOVERS, place=place("a4"))),
        ("es", "quién puede ir a e4", Command(CommandName.MOVERS, place=place("e4"))),
    ],
)
def test_questions_about_squares_and_files(language, text, command):
    assert likely(text, language) == ([command] if command else [])


@pytest.mark.parametrize(
    "text", ["último 5", "lance e4", "move e4", "moves 5", "Zug e4 an", "wer greift an", "last moves 5 moves"]
)
def test_a_command_with_what_does_not_belong_to_it_is_none(text):
    commands = [m for language in LANGUAGES for m in likely(text, language) if isinstance(m, Command)]
    assert [
        m for m in commands if m.name in (CommandName.MOVE_AT, CommandName.LAST_MOVES, CommandName.ATTACKERS)
    ] == []


@pytest.mark.parametrize("text", ["j'adoube", "J’adoube", "jadoube"])
def test_what_is_said_in_french_is_read_in_every_language(text):
    for language in LANGUAGES:
        assert likely(text, language) == [Command(CommandName.ADJUST)]


def test_a_number_and_a_piece_alone():
    assert likely("zwei") == [Number(2)]
    assert likely("neun") == likely("nove") == likely("9") == [Number(9)]
    assert likely("eins null fünf") == likely("um zero cinco") == likely("105") == [Number(105)]
    assert likely("eins zwei drei vier fünf") == likely("12345") == []
    assert likely("Dame") == [PieceNamed(Piece.QUEEN)]


@pytest.mark.parametrize(
    "text", ["1.5", "1,5", "0-1", "1–0", "1/2-1/2", "1:30", "-5", "move 1.5", "last 1-2 moves", "2. 3"]
)
def test_digits_with_signs_between_them_are_no_number(text):
    assert not [one for one in read(text, "en") if isinstance(one.meaning, Number | Command)]


def test_zeros_are_a_number_too_and_a_move_number_stands_before_a_move():
    assert [one.meaning for one in read("00", "en")] == [Castling(Side.SHORT), Number(0)]
    assert likely("2. 0-0", "en") == likely("2.O-O", "en") == [Castling(Side.SHORT)]
    assert likely("5.", "en") == [Number(5)]
    assert likely("1. (e4)", "en") == likely("e4", "en")


def test_a_letter_means_the_piece_of_the_language_in_use():
    assert [(r.meaning.piece, r.likely) for r in read("Rd2", "pt")] == [
        (Piece.KING, True),
        (Piece.ROOK, False),
    ]
    assert [(r.meaning.piece, r.likely) for r in read("Rd2", "en")] == [
        (Piece.ROOK, True),
        (Piece.KING, False),
    ]


def test_a_small_letter_that_can_be_a_file_is_a_file_first():
    assert likely("bc4", "en") == [MovePattern(place("c4"), origin=place("b"))]
    assert likely("Bc4", "en")[0] == MovePattern(place("c4"), Piece.BISHOP)
    assert likely("nf3", "en") == [MovePattern(place("f3"), Piece.KNIGHT)]


@pytest.mark.parametrize(
    ("language", "text", "origin", "target"),
    [
        ("en", "d 2 d 4", "d2", "d4"),
        ("pt", "d 2 d 4", "d2", "d4"),
        ("en", "b 1 d 2", "b1", "d2"),
        ("de", "a 1 a 3", "a1", "a3"),
        ("es", "c 1 - a 3", "c1", "a3"),
        ("pt", "D2D4", "d2", "d4"),
    ],
)
def test_two_squares_with_blanks_in_them_name_no_piece(language, text, origin, target):
    assert likely(text, language) == [MovePattern(place(target), origin=place(origin))]
    assert likely("D2d4", "pt") == [MovePattern(place("d4"), Piece.QUEEN, Place(rank="2"))]


@pytest.mark.parametrize(
    ("language", "text"), [("en", "d4 no"), ("en", "no d4"), ("es", "d4 no"), ("es", "no, d4")]
)
def test_a_no_beside_a_move_is_no_filler_of_another_language(language, text):
    assert read(text, language) == ()


@pytest.mark.parametrize(("language", "text"), [("de", "no c5"), ("es", "e2 o e4"), ("en", "cavalo para f3")])
def test_a_move_in_another_language_is_not_likely_if_a_word_of_it_is_dropped(language, text):
    (reading,) = read(text, language)
    assert isinstance(reading.meaning, MovePattern)
    assert not reading.likely
    assert likely("cavalo f3", language) == [MovePattern(place("f3"), Piece.KNIGHT)]
    assert likely("Springer nach f3", language) == [MovePattern(place("f3"), Piece.KNIGHT)]


def test_a_filler_that_is_only_typed_is_none_in_speech():
    assert likely("peón para d4", "es") == [MovePattern(place("d4"), Piece.PAWN)]
    assert read_heard("peón para d4", "es") == ()


def test_a_file_word_is_not_taken_for_a_filler():
    # Spanish "a" and Portuguese "a" are also the file; what was said is kept, the other reading only offered.
    readings = {one.meaning: one.likely for one in read_heard("torre a de uno", "es", "letters")}
    assert readings[MovePattern(place("d1"), Piece.ROOK, place("a"))] is True
    assert readings[MovePattern(place("d1"), Piece.ROOK)] is False


@pytest.mark.parametrize(
    ("language", "text"), [("es", "torre a d1"), ("pt", "torre a d1"), ("pt", "torre para a d1")]
)
def test_a_typed_word_before_a_square_may_be_a_file_or_only_lead_to_it(language, text):
    both = MovePattern(place("d1"), Piece.ROOK, place("a")), MovePattern(place("d1"), Piece.ROOK)
    assert likely(text, language) == [*both]


@pytest.mark.parametrize(
    ("language", "text", "piece"),
    [
        ("es", "T a d1", Piece.ROOK),
        ("pt", "T a d1.", Piece.ROOK),
        ("es", "C  a  d1", Piece.KNIGHT),
        ("pt", "♖ a d1", Piece.ROOK),
        ("es", "a d1", None),
    ],
)
def test_a_file_in_notation_that_stands_alone_may_only_lead_to_the_square(language, text, piece):
    assert likely(text, language) == [
        MovePattern(place("d1"), piece, place("a")),
        MovePattern(place("d1"), piece),
    ]


@pytest.mark.parametrize(
    ("language", "text", "piece"),
    [
        ("pt", "D para d4", Piece.QUEEN),
        ("de", "D nach d4", Piece.QUEEN),
        ("pt", "D d quatro", Piece.QUEEN),
        ("es", "D. en d4", Piece.QUEEN),
    ],
)
def test_a_capital_alone_before_words_is_its_piece_or_a_file_and_no_word(language, text, piece):
    assert likely(text, language) == [
        MovePattern(place("d4"), piece),
        MovePattern(place("d4"), origin=place("d")),
    ]
    assert likely(text.replace("d4", "D4").lower(), language)[0].piece is None


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("es", "A d5 a la d4", MovePattern(place("d4"), Piece.BISHOP, place("d5"))),  # an "a" that is left out
        ("es", "T 2 en d2", MovePattern(place("d2"), Piece.ROOK, Place(rank="2"))),
        ("pt", "C c6 toma na d4 xeque", MovePattern(place("d4"), Piece.KNIGHT, place("c6"), capture=True, check=Check.CHECK)),
        ("pt", "D dois para d quatro", MovePattern(place("d4"), origin=place("d2"))),
        ("de", "S schlägt d4", MovePattern(place("d4"), Piece.KNIGHT, capture=True)),
        ("en", "N takes d4", MovePattern(place("d4"), Piece.KNIGHT, capture=True)),
        ("de", "D nach D4", MovePattern(place("d4"), origin=place("d"))),  # here capitals are files
    ],
)  # fmt: skip
def test_what_a_capital_alone_before_words_means(language, text, said):
    assert likely(text, language) == [said]


@pytest.mark.parametrize("text", ["D para d4 (=)", "D para ♘", "S klar", "D remis"])
def test_a_capital_makes_no_move_of_what_is_none(text):
    assert not [one for one in read(text, "de") if isinstance(one.meaning, MovePattern)]


@pytest.mark.parametrize(("language", "text"), [("en", "R a d1"), ("es", "Ta d1"), ("es", "Tad1")])
def test_a_file_in_notation_is_one_where_it_leads_to_nothing(language, text):
    assert likely(text, language) == [MovePattern(place("d1"), Piece.ROOK, place("a"))]


@pytest.mark.parametrize(
    "text", ["peón a d8 promociona a dama", "peón a d8 igual a dama", "peón a David acht igual a dama"]
)
def test_a_word_that_leads_to_the_piece_of_a_promotion_does_not_fix_one_that_leads_to_the_square(text):
    assert MovePattern(place("d8"), Piece.PAWN, promotion=Piece.QUEEN) in likely(text, "es")


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        *((language, text, MovePattern(place("d1"), Piece.ROOK, place("a1"))) for language, text in (
            ("pt", "torre de a1 para d1"), ("pt", "torre a1 a d1"), ("pt", "torre da a1 para a d1"), ("es", "torre a1 a d1"),
            ("es", "torre de a1 a d1"), ("pt", "torre de a um para dê um"), ("es", "torre de a uno a de uno"),
        )),
        ("es", "alfil a1 a a3", MovePattern(place("a3"), Piece.BISHOP, place("a1"))),
        ("es", "caballo h a a3", MovePattern(place("a3"), Piece.KNIGHT, place("h"))),
        ("es", "dama a a c4", MovePattern(place("c4"), Piece.QUEEN, place("a"))),
        ("es", "torre de a a d1", MovePattern(place("d1"), Piece.ROOK, place("a"))),
        ("es", "torre de la a1 a la d1", MovePattern(place("d1"), Piece.ROOK, place("a1"))),
        ("es", "torre de a1 para d1", MovePattern(place("d1"), Piece.ROOK, place("a1"))),
        *((language, text, MovePattern(place("d1"), Piece.ROOK, place("a"))) for language, text in (
            ("pt", "torre a para d1"), ("pt", "torre da a para d1"), ("pt", "torre a em d1"), ("pt", "torre a na d1"),
            ("es", "torre a para d1"), ("es", "torre a en d1"), ("es", "torre a para a d1"),
        )),
        *((language, text, MovePattern(place("d1"), Piece.ROOK, place("a"), capture=True)) for language, text in (
            ("pt", "torre a toma d1"), ("pt", "torre a por d1"), ("es", "torre a captura d1"), ("es", "torre a toma a d1"),
        )),
        *((language, text, MovePattern(place("d1"), Piece.ROOK, place("a"))) for language, text in (
            ("pt", "torre da a d1"), ("pt", "torre do a d1"), ("es", "torre desde a d1"), ("es", "torre de la a d1"),
        )),
        ("es", "torre de en d1", MovePattern(place("d1"), Piece.ROOK, place("d"))),
        ("es", "jugada a4", MovePattern(place("a4"))),
        ("pt", "lance a4", MovePattern(place("a4"))),
    ],
)  # fmt: skip
def test_no_file_is_dropped_before_its_rank_or_in_vain_from_what_is_typed(language, text, said):
    assert [(one.meaning, one.likely) for one in read(text, language, "letters")] == [(said, True)]


WORDS = st.lists(
    st.sampled_from(
        "anna eva felix eins vier acht springer dame schlägt kurze rochade schach ja nein sim de a para xyz casa".split()
    ),
    max_size=8,
)


@settings(max_examples=examples(300), deadline=None)
@given(WORDS)
def test_no_piece_file_or_rank_word_is_dropped(words):
    for reading in read(" ".join(words), "pt"):
        if isinstance(reading.meaning, MovePattern):
            move = reading.meaning
            said = [
                move.piece,
                move.origin.file,
                move.origin.rank,
                move.target.file,
                move.target.rank,
                move.promotion,
            ]
            pieces_and_places = [
                w for w in words if w in "anna eva felix eins vier acht springer dame".split()
            ]
            assert len([part for part in said if part]) >= len(pieces_and_places)


@settings(max_examples=examples(300), deadline=None)
@given(st.text(max_size=300), st.sampled_from(LANGUAGES))
def test_any_text_is_read_without_an_error(text, language):
    read(text, language)


def test_a_huge_text_has_no_meaning():
    assert read("Eva vier " * LONGEST, "pt") == ()
    assert read("a " * (LONGEST // 2), "pt") == () or not any(
        isinstance(r.meaning, MovePattern) for r in read("a " * (LONGEST // 2), "pt")
    )


@pytest.mark.parametrize(
    ("language", "texts", "name"),
    [
        ("pt", ("por quê", "por que", "Por quê?"), CommandName.WHY),
        ("pt", ("desistir", "abandonar", "desisto"), CommandName.RESIGN),
        ("pt", ("repetir", "pode repetir", "repita"), CommandName.REPEAT),
        ("pt", ("lances possíveis", "lances possiveis"), CommandName.LEGAL),
        ("pt", ("voltar", "desfazer lance"), CommandName.TAKE_BACK),
        ("pt", ("quem está ganhando",), CommandName.EVALUATE),
        ("pt", ("caiu a seta", "seta"), CommandName.CLAIM_FLAG),
        ("pt", ("reclamo lance ilegal",), CommandName.CLAIM_ILLEGAL),
        ("pt", ("arrumo",), CommandName.ADJUST),
        ("pt", ("idioma",), CommandName.LANGUAGE),
        ("es", ("continuar", "continúe"), CommandName.MORE),
        ("es", ("repetir", "puede repetir"), CommandName.REPEAT),
        ("es", ("rendirse", "abandonar"), CommandName.RESIGN),
        ("es", ("jugadas posibles",), CommandName.LEGAL),
        ("es", ("quién va ganando", "quien va ganando"), CommandName.EVALUATE),
        ("en", ("possible moves",), CommandName.LEGAL),
        ("en", ("can you repeat that", "repeat that"), CommandName.REPEAT),
        ("en", ("who is winning",), CommandName.EVALUATE),
        ("en", ("convention",), CommandName.CONVENTION),
        ("de", ("legale Züge",), CommandName.LEGAL),
        ("de", ("das Blättchen ist gefallen", "Blaettchen"), CommandName.CLAIM_FLAG),
        ("de", ("wer gewinnt",), CommandName.EVALUATE),
    ],
)
def test_commands_in_the_words_that_people_use(language, texts, name):
    for text in texts:
        assert likely(text, language) == [Command(name)], text


@pytest.mark.parametrize(
    ("language", "text", "meaning"),
    [
        ("pt", "onde está o rei preto", Command(CommandName.PIECES, Piece.KING, colour="black")),
        ("en", "where is the black king", Command(CommandName.PIECES, Piece.KING, colour="black")),
        ("de", "wo steht der schwarze König", Command(CommandName.PIECES, Piece.KING, colour="black")),
        ("de", "wo ist der schwarze König", Command(CommandName.PIECES, Piece.KING, colour="black")),
        ("de", "wo sind die Springer", Command(CommandName.PIECES, Piece.KNIGHT)),
        ("es", "dónde están los caballos blancos", Command(CommandName.PIECES, Piece.KNIGHT, colour="white")),
        ("en", "touched black pawn d2", Command(CommandName.TOUCHED, Piece.PAWN, place("d2"), "black")),
        ("pt", "pretas sim", Answer(True, "black")),
        ("en", "no White", Answer(False, "white")),
        ("pt", "clara", ColourNamed("white")),
        ("pt", "cavalo branco", PieceNamed(Piece.KNIGHT, "white")),
        ("en", "white knight", PieceNamed(Piece.KNIGHT, "white")),
    ],
)
def test_a_side_is_named_with_a_piece_or_an_answer(language, text, meaning):
    assert likely(text, language) == [meaning]


@pytest.mark.parametrize(
    ("language", "texts", "yes"),
    [
        ("es", ("sí, claro", "si claro", "claro, sí", "sí, claro."), True),
        ("pt", ("sim, claro", "claro sim", "sim claro"), True),
        ("pt", ("não, claro",), False),
        ("en", ("sí, claro", "yes light"), True),
    ],
)
def test_a_shade_of_the_squares_beside_an_answer_names_no_side(language, texts, yes):
    for text in texts:
        assert likely(text, language) == [Answer(yes)], text
    assert read_heard("sim claro", "pt")[0].meaning == Answer(True, "white")
    assert likely("claro", "es") == [ColourNamed("white")]


@pytest.mark.parametrize("text", ["white yes black", "white knight black", "black draw", "white e4"])
def test_a_side_is_named_once_and_only_where_it_means_something(text):
    assert likely(text, "en") == []


@pytest.mark.parametrize(
    ("language", "texts", "check"),
    [
        ("en", ("Qh5 check", "Qh5, check!", "queen h5 check", "Dame Hector fünf Schach", "Qh5+"), "+"),
        ("en", ("Qh5 mate", "Qh5 checkmate", "queen h5 check mate", "Qh5 Schachmatt"), "#"),
        ("pt", ("Dh5 xeque", "Dh5 XEQUE", "dama h5 xeque", "Dame Hector fünf Schach"), "+"),
        ("pt", ("Dh5 mate", "Dh5 xeque-mate", "dama h5 xeque mate"), "#"),
        ("de", ("Dh5 Schach", "Dame h5 Schach", "Dame Hector fuenf Schach"), "+"),
        ("de", ("Dh5 matt", "Dh5 schachmatt", "Dame h5 matt"), "#"),
        ("es", ("Dh5 jaque", "dama h5 jaque", "Dame Hector fünf Schach"), "+"),
        ("es", ("Dh5 mate", "Dh5 jaque mate", "dama h5 mate"), "#"),
    ],
)
def test_a_check_or_mate_can_be_said_after_a_move_however_that_is_announced(language, texts, check):
    for text in texts:
        assert likely(text, language)[0] == MovePattern(place("h5"), Piece.QUEEN, check=Check(check)), text


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("cxd8 queen check", "c7xd8 Queen check", "cd8 queen, check", "cxd8 Dame Schach")),
        ("de", ("cxd8 Dame Schach", "cxd8=Dame Schach")),
        ("pt", ("cxd8 dama xeque",)),
        ("es", ("cxd8 dama jaque",)),
    ],
)
def test_a_capture_in_notation_takes_its_promotion_in_words(language, texts):
    for text in texts:
        move = likely(text, language)[0]
        assert (move.target, move.promotion, move.check) == (place("d8"), Piece.QUEEN, Check.CHECK), text


@pytest.mark.parametrize("text", ["check", "mate", "check mate", "Qh5 check mate check"])
def test_a_check_alone_or_twice_means_nothing(text):
    assert likely(text, "en") == []


def test_castling_and_pawn_captures_take_a_check_in_words_too():
    assert likely("0-0 check", "en")[0] == Castling(Side.SHORT, Check.CHECK)
    assert likely("exd5 mate", "en")[0].check is Check.MATE


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_spoken_name_of_a_letter_is_that_letter_alone(language):
    # "be" would be a pawn of the b-file that takes on the e-file if it were notation, which nobody speaks.
    for file, names in vocabulary(language).phrases["file"].items():
        for name in {*names, *map(plain, names)}:
            assert {r.meaning for r in read_heard(name, language, "letters") if r.likely} == {
                MovePattern(Place(file))
            }


@pytest.mark.parametrize(("language", "name"), [("de", "be"), ("es", "ce"), ("pt", "de"), ("es", "ge")])
def test_the_typed_name_of_a_letter_may_be_a_capture_by_a_pawn_too(language, name):
    first, *others = (reading.meaning for reading in read_typed(name, language, "letters"))
    assert first == MovePattern(Place("e"), Piece.PAWN, Place(name[0]), capture=True)
    assert MovePattern(Place(name[0])) in others


@given(positions(), st.sampled_from(LANGUAGES), st.sampled_from(conventions()), st.randoms())
@settings(max_examples=examples(50), deadline=None)
def test_what_a_recogniser_can_hear_of_a_position_means_the_same_without_notation(
    position, language, convention, chance
):
    moves = (fact.meaning for fact in position.legal)
    phrases = grammar.expectation(moves, convention, language)[1]
    for phrase in chance.sample(phrases, min(200, len(phrases))):
        heard = {one.meaning for one in read_heard(phrase, language, convention) if one.likely}
        assert heard <= {one.meaning for one in read(phrase, language, convention)} or len(phrase) == 2
