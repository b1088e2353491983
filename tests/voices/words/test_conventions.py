# SPDX-License-Identifier: GPL-3.0-or-later
"""The conventions of announcing: what is said is understood, help is held to its letter, mistakes are named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.languages import LANGUAGES
from support.positions import positions

from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.grammar.jsgf import automaton
from voices.meaning import MovePattern, Place
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.understanding.meanings import read
from voices.words.conventions import DEFAULT, SECTIONS, convention
from voices.words.files import conventions
from voices.words.lexicon import FILES, VocabularyError, vocabulary
from voices.words.phrasing import phrasing

HELPED = ("letters", "mixed")
# Every animal's name begins with its file; the numbers and the pieces are the user's.
ANIMALS = {
    "abelha": "AA B EH L Y AH", "baleia": "B AH L EY AH", "coelho": "K UH EH L Y UW", "dromedário": "D R OW M EH D AA R Y UW",
    "elefante": "EH L EH F AH N CH IY", "formiga": "F AO R M IY G AH", "girafa": "ZH IY R AA F AH", "hipopótamo": "IY P OW P AO T AH M UW",
}  # fmt: skip
OWN = "\n".join(
    [
        '[convention]\nways = [{ file = "animals" }]\n[file]',
        *(f'{name[0]} = ["{name}"]' for name in ANIMALS),
        "[sounds]",
        *(f'{name.translate(str.maketrans("áó", "ao"))} = ["{sounds}"]' for name, sounds in ANIMALS.items()),
    ]
)


def likely(text: str, language: str, name: str) -> list[object]:
    return [reading.meaning for reading in read(text, language, name) if reading.likely]


def accepts(name: str, language: str, phrase: str) -> bool:
    everything = automaton(grammar.everything(name, language))
    states = everything.start
    for word in grammar.plain_phrase(phrase).split():
        states = everything.next(states).get(word, frozenset())
    return everything.ends(states)


def spoken(words: tuple[str, ...], name: str, language: str) -> list[str]:
    known = grammar.pronunciations(name, language)
    return [word for word in words if all(part in known for part in grammar.plain_phrase(word).split())]


def helped(language: str) -> Iterator[tuple[str, str, str]]:
    """Each letter of a language with each help: the letter, the file that the help is for, both said."""
    help_ = convention("letters", language).help
    assert help_
    for letter, file in vocabulary(language).all("file"):
        for join in help_.joins:
            for other in FILES:
                for word in help_.words[other]:
                    yield file, other, f"{letter} {join} {word}"


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "animals.toml"
    path.write_text(OWN)
    return str(path)


def broken(tmp_path: Path, text: str) -> VocabularyError:
    path = tmp_path / "animals.toml"
    path.write_text(text)
    with pytest.raises(VocabularyError) as refusal:
        convention(str(path), "pt")
    assert refusal.value.file == str(path)
    return refusal.value


def test_the_conventions_are_the_files_that_are_no_language() -> None:
    assert conventions() == ("fide", "letters", "mixed", "nato")
    assert DEFAULT in conventions()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "pieces", "squares", "ranks"),
    [
        ("fide", "fide", "fide", "fide"),
        ("letters", "language", "language", "language"),
        ("nato", "language", "nato", "language"),
        ("mixed", "language", "fide", "fide"),
    ],
)
def test_what_the_program_says(name: str, pieces: str, squares: str, ranks: str, language: str) -> None:
    way = phrasing(name, language).way
    wanted = {"piece": pieces, "file": squares, "rank": ranks}
    assert {section: way[section].name for section in wanted} == {
        section: language if source == "language" else source for section, source in wanted.items()
    }


@settings(max_examples=examples(40), deadline=None)
@given(positions(), st.sampled_from(conventions()), st.sampled_from(LANGUAGES))
def test_every_announcement_can_be_heard_and_means_that_move(
    position: Position, name: str, language: str
) -> None:
    words = phrasing(name, language)
    for fact in position.legal[:12]:
        said = words.move(fact.meaning, spoken=True)
        assert accepts(name, language, said), said
        for phrase in grammar.announcements([fact.meaning], name, language):
            assert accepts(name, language, phrase), phrase
            meant = [
                m for m in likely(phrase, language, name) if isinstance(m, MovePattern | type(fact.meaning))
            ]
            assert fact in {found for move in meant for found in position.matching(move)}, phrase


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", conventions())
@pytest.mark.sweep
def test_the_recogniser_takes_the_grammar_and_the_words(name: str, language: str) -> None:
    recogniser = PocketsphinxRecogniser(grammar.pronunciations(name, language))
    moves = [fact.meaning for fact in Position.start().legal]
    recogniser.expect(*grammar.expectation(moves, name, language))
    recogniser.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["fide", "nato", "letters"])
def test_mixed_understands_what_each_convention_says(name: str, language: str) -> None:
    for fact in Position.start().legal:
        said = phrasing(name, language).move(fact.meaning, spoken=True)
        assert accepts("mixed", language, said), said
        assert likely(said, language, "mixed") == [fact.meaning]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.sweep
def test_a_letter_with_its_own_help_is_that_letter_and_with_another_none(language: str) -> None:
    rank = vocabulary(language).say("rank", "4")
    for file, other, said in helped(language):
        found = [MovePattern(Place(file, "4"))] if file == other else []
        for name in conventions():
            assert likely(f"{said} {rank}", language, name) == found, (name, said)
            assert bool(read(f"{said} {rank}", language, name)) == bool(found), (name, said)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", HELPED)
@pytest.mark.sweep
def test_help_can_be_heard_and_so_can_its_contradiction(name: str, language: str) -> None:
    rank = vocabulary(language).say("rank", "4")
    sayable = [
        (said, file, other) for file, other, said in helped(language) if spoken((said,), name, language)
    ]
    assert {file for _, file, other in sayable if file == other} == set(FILES)
    for said, _, _ in sayable:
        assert accepts(name, language, f"{said} {rank}"), said


@pytest.mark.parametrize("name", ["fide", "nato"])
def test_without_letters_there_is_no_help_to_be_heard(name: str) -> None:
    assert grammar.helps(name, "de") == ()
    assert not accepts(name, "de", "be wie Bella vier")


def test_a_move_with_help_is_expected() -> None:
    phrases = grammar.announcements([MovePattern(Place("f", "3"), origin=Place("f", "2"))], "letters", "de")
    assert {"f wie felix drei", "f wie foxtrot drei", "f wie friedrich drei"} <= set(phrases)
    assert not any(" anna " in phrase for phrase in phrases)


@pytest.mark.parametrize(
    ("language", "text", "square"),
    [
        ("de", "be wie Banane vier", "b4"),
        ("de", "h wie Hund vier", "h4"),
        ("pt", "dê de dinossauro quatro", "d4"),
        ("pt", "d de dama quatro", "d4"),
        ("pt", "é como Eva quatro", "e4"),
        ("en", "g as in giraffe four", "g4"),
        ("en", "b for Bella four", "b4"),
        ("en", "h as in Hotel four", "h4"),
        ("es", "de de dado cuatro", "d4"),
        ("es", "hache como hielo cuatro", "h4"),
        ("de", "be wie Anton vier", None),
        ("de", "be wie Apfel vier", None),
        ("de", "f wie vier vier", None),  # a number helps nobody
        ("de", "f wie f vier", None),
        ("pt", "b de Anna quatro", None),  # "de" is a filler elsewhere
        ("en", "b as in apple four", None),
        ("es", "e de David cuatro", None),
    ],
)
def test_typed_help_is_any_word_that_begins_with_the_letter(
    language: str, text: str, square: str | None
) -> None:
    assert likely(text, language, "letters") == ([MovePattern(Place(*square))] if square else [])
    assert square or not read(text, language, "letters")


@pytest.mark.parametrize("text", ["cavalo de g1 para f3", "cavalo g1 f3", "cavalo de gê um efe três"])
def test_fillers_after_anything_else_are_fillers_still(text: str) -> None:
    (move,) = likely(text, "pt", "letters")
    assert isinstance(move, MovePattern)
    assert (str(move.origin), str(move.target)) == ("g1", "f3")


@pytest.mark.parametrize("number", ["wun", "one"])
def test_nato_has_its_own_numbers_too(number: str) -> None:
    assert likely(f"Foxtrot {number}", "en", "nato") == [MovePattern(Place("f", "1"))]
    assert accepts("nato", "en", f"foxtrot {number}")


def test_an_own_convention_is_spoken_heard_and_read(own: str) -> None:
    words = phrasing(own, "pt")
    for fact in Position.start().legal:
        said = words.move(fact.meaning, spoken=True)
        assert said.split()[1] in ANIMALS
        assert accepts(own, "pt", said)
        assert likely(said, "pt", own) == [fact.meaning]
        assert likely(said, "pt", DEFAULT) == []


@pytest.mark.parametrize(
    ("old", "new", "key", "problem"),
    [
        ("[convention]", "[conventoin]", "conventoin", "unknown"),
        ("ways =", "way =", "convention.way", "unknown"),
        ('ways = [{ file = "animals" }]', "", "convention.ways", "missing"),
        ('ways = [{ file = "animals" }]', "ways = []", "convention.ways", "missing"),
        ('ways = [{ file = "animals" }]', 'ways = ["animals"]', "convention.ways", "not_a_table"),
        ('{ file = "animals" }', '{ fiel = "animals" }', "convention.ways.fiel", "unknown"),
        ('{ file = "animals" }', '{ file = "klingon" }', "convention.ways.file", "unknown"),
        ('{ file = "animals" }', '{ file = "animals", rank = "animals" }', "rank.1", "missing"),
        ("[file]", 'written = "signs"\n[file]', "convention.written", "unknown"),
        ("[file]", 'help = "fide"\n[file]', "convention.help", "not_phrases"),
        ("[file]", 'help = ["klingon"]\n[file]', "convention.help", "unknown"),
        ("[file]", 'language = "xx"\n[file]', "convention.language", "unknown"),
        ('h = ["hipopótamo"]', "", "sounds.hipopotamo", "unknown"),
        ('{ file = "animals" }', '{ castling = "animals" }', "castling.short", "missing"),
        ('h = ["hipopótamo"]', 'h = "hipopótamo"', "file.h", "not_phrases"),
        ('h = ["hipopótamo"]', 'i = ["hipopótamo"]', "file.i", "unknown"),
        ('h = ["hipopótamo"]', 'h = ["hipopótamo", "abelha"]', "file.h", "twice"),
        ('h = ["hipopótamo"]', 'h = ["hipopótamo", "dama"]', "file.h", "twice"),
        ('h = ["hipopótamo"]', 'h = ["hipopótamo", "sim"]', "file.h", "twice"),
        ('hipopotamo = ["IY P OW P AO T AH M UW"]', "", "sounds.hipopotamo", "missing"),
        ('hipopotamo = ["IY P OW P AO T AH M UW"]', 'hipopotamo = ["hi"]', "sounds.hipopotamo", "bad_sounds"),
        ('hipopotamo = ["IY P OW P AO T AH M UW"]', 'hipopotamo = [" "]', "sounds.hipopotamo", "bad_sounds"),
        ('hipopotamo = ["IY P OW P AO T AH M UW"]', 'hippo = ["IY P OW"]', "sounds.hippo", "unknown"),
        ("[sounds]", "[sounds", "12", "not_toml"),
    ],
)
def test_a_broken_own_convention_is_refused_with_its_place(
    tmp_path: Path, old: str, new: str, key: str, problem: str
) -> None:
    assert old in OWN
    refusal = broken(tmp_path, OWN.replace(old, new, 1))
    assert (refusal.key, refusal.problem) == (key, problem)


def test_help_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    help_ = '[help.pt]\njoins = ["de"]\na = ["abelha"]\nb = ["abelha"]\n'
    text = OWN.replace("[file]", 'help = ["animals"]\n[file]', 1) + "\n" + help_
    assert broken(tmp_path, text).key == "help.pt.b"


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "gone.toml"
    if content:
        path.write_bytes(content)
    with pytest.raises(VocabularyError) as refusal:
        convention(str(path), "pt")
    assert refusal.value.problem == "not_readable"


def test_every_section_of_every_way_has_a_source() -> None:
    for name in conventions():
        for language in LANGUAGES:
            assert all(set(way) == set(SECTIONS) for way in convention(name, language).ways)
