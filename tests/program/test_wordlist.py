# SPDX-License-Identifier: GPL-3.0-or-later
"""Conventions through the installed program: played in, listed, the user's own, and mistakes in one sentence."""

import json

import pytest
from support.program import QUIET, confirmed, run

from voices.words.files import conventions

OWN = """
[convention]
ways = [{ file = "trees" }]
[file]
a = ["acacia"]
b = ["beech"]
c = ["cedar"]
d = ["dogwood"]
e = ["elm"]
f = ["fir"]
g = ["ginkgo"]
h = ["hazel"]
[sounds]
acacia = ["AH K EY SH AH"]
beech = ["B IY CH"]
cedar = ["S IY D ER"]
dogwood = ["D AO G W UH D"]
elm = ["EH L M"]
fir = ["F ER"]
ginkgo = ["G IH NG K OW"]
hazel = ["HH EY Z AH L"]
"""


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / ".config/acessivel/conventions"
    folder.mkdir(parents=True)
    path = folder / "trees.toml"
    path.write_text(OWN)
    return path


def play(home, save, typed, *options):
    lines, errors = run(
        home, "play", "--opponent", "human", *QUIET, "--language", "en", "--save", save, *options, typed=typed
    )
    assert errors == []
    return lines


@pytest.mark.parametrize(
    ("convention", "said", "repeated"),
    [
        ("fide", "Springer Felix drei", "Springer Gustav eins Felix drei"),
        ("letters", "knight f as in Felix three", "knight g1 f3"),
        ("nato", "knight foxtrot tree", "knight Golf one Foxtrot three"),
        ("mixed", "knight f as in fox three", "knight Gustav eins Felix drei"),
        ("mixed", "knight foxtrot drei", "knight Gustav eins Felix drei"),
    ],
)
def test_a_move_in_each_convention(tmp_path, save, convention, said, repeated):
    lines = play(tmp_path, save, confirmed(said, yes="yes"), "--convention", convention)
    assert f"{repeated[0].upper()}{repeated[1:]}?" in lines
    assert f"1, White: {repeated}." in lines


def test_a_contradiction_plays_nothing(tmp_path, save):
    lines = play(tmp_path, save, confirmed("b as in Anna four", yes="yes"), "--convention", "letters")
    assert "I did not understand. Please type it again." in lines
    assert not any(line.startswith("1, White") for line in lines)


@pytest.mark.parametrize("language", ["pt", "en", "de", "es"])
@pytest.mark.parametrize("convention", conventions())
def test_the_words_are_listed(tmp_path, convention, language):
    lines, _ = run(tmp_path, "words", "--convention", convention, "--language", language)
    assert convention in lines[0]
    assert sum(line.partition(" ")[2][:2] in {f"{file}:" for file in "abcdefgh"} for line in lines) == 8
    assert len(lines) == len(set(lines))
    assert all("{" not in line and "Message" not in line for line in lines)


def test_the_words_for_programs(tmp_path):
    (line,), _ = run(tmp_path, "words", "--convention", "letters", "--language", "de", "--json")
    found = json.loads(line)
    assert set(found) == {"convention", "language", "words", "help", "alike"}
    assert found["words"]["file"]["b"] == {"spoken": ["b", "be", "Bella"], "typed": ["Bela"]}
    assert found["help"][0]["joins"] == ["wie"]
    assert {"slot", "one", "other", "distance"} == set(found["alike"][0])


def test_what_sounds_alike_is_said(tmp_path):
    lines, _ = run(tmp_path, "words", "--language", "en")
    assert "Zwei and drei sound alike (ranks)." in lines


@pytest.mark.parametrize("by_path", [True, False])
def test_an_own_convention_by_its_path_or_its_name(tmp_path, save, own, by_path):
    chosen = own if by_path else "trees"
    lines = play(tmp_path, save, confirmed("knight fir three", yes="yes"), "--convention", chosen)
    assert "1, White: knight ginkgo one fir three." in lines


def test_a_game_goes_on_in_its_own_convention_and_outlives_its_words(tmp_path, save, own):
    play(tmp_path, save, confirmed("knight fir three", yes="yes"), "--convention", own)
    lines, _ = run(tmp_path, "resume", *QUIET, "--save", save, typed="knight fir six\nyes\n")
    assert "1, Black: knight ginkgo eight fir six." in lines
    own.unlink()
    lines, errors = run(tmp_path, "resume", *QUIET, "--save", save, typed="Springer Cesar drei\nyes\n")
    assert errors == []
    assert str(own) in lines[0]
    assert lines[1] == "Until then, game 1 goes on in the words of the convention fide."
    assert "2, White: Springer Bella eins Cesar drei." in lines
    lines, _ = run(tmp_path, "record", 1, "--save", save)
    assert "1. Nf3 Nf6 2. Nc3 *" in lines
    own.write_text(OWN)
    lines, _ = run(tmp_path, "resume", *QUIET, "--save", save, typed="knight cedar six\nyes\n")
    assert "2, Black: knight beech eight cedar six." in lines


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "The file of words {file} has a mistake at file.h: it must be a list of words in quotation marks.",
        ),
        (
            "pt",
            "O arquivo de palavras {file} tem um erro em file.h: tem de ser uma lista de palavras entre aspas.",
        ),
        (
            "de",
            "Die Wörterdatei {file} hat einen Fehler bei file.h: es muss eine Liste von Wörtern in Anführungszeichen sein.",
        ),
        (
            "es",
            "El archivo de palabras {file} tiene un error en file.h: tiene que ser una lista de palabras entre comillas.",
        ),
    ],
)
def test_a_mistake_is_named_in_the_users_language(tmp_path, own, language, sentence):
    own.write_text(OWN.replace('["hazel"]', '"hazel"'))
    for command in ("play", "words"):
        lines, errors = run(tmp_path, command, "--convention", own, "--language", language, status=2)
        assert (lines, errors) == ([], [sentence.format(file=own)])


@pytest.mark.parametrize("name", ["klingon", "pt", "no/such/file.toml", ".toml", ""])
def test_there_is_no_such_convention(tmp_path, name):
    _, errors = run(tmp_path, "words", "--convention", name, "--language", "en", status=2)
    assert errors == [
        f"There is no convention called {name}. You can choose fide, letters, mixed, nato, or any file of your own that ends in .toml."
    ]


def test_a_word_like_a_yes_is_refused(tmp_path, own):
    own.write_text(OWN.replace('"F ER"', '"Y EH S"'))
    _, errors = run(tmp_path, "play", "--convention", "trees", "--language", "en", status=2)
    assert errors == [f"The file of words {own} has a mistake at fir: it sounds like a yes."]


@pytest.mark.usefixtures("own")
def test_the_convention_can_stand_in_the_settings(tmp_path, save):
    (tmp_path / ".config/acessivel/config.toml").write_text('convention = "trees"\n')
    assert "1, White: knight ginkgo one fir three." in play(tmp_path, save, confirmed("Nf3", yes="yes"))
