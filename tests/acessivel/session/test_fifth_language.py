# SPDX-License-Identifier: GPL-3.0-or-later
"""A language is data: Esperanto, from the files in tests/data/languages alone, is played in."""

import re
import shutil
from dataclasses import replace

import pytest
from support.call import NAME, call
from support.happening import all_told, played_sans
from support.languages import FOLDER, LANGUAGES, one_more
from support.program import QUIET, environment, run_process

from acessivel.devices import keys
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.records import readers
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import expectation, step
from acessivel.storage.journal import Journal
from braille.notation import display_code
from braille.patterns import pattern
from voices.meaning import Command, CommandName
from voices.understanding import replay_steps
from voices.understanding.meanings import read
from voices.words.conventions import convention
from voices.words.files import conventions, languages
from voices.words.lexicon import VocabularyError, plain, vocabulary
from voices.words.phrasing import phrasing


@pytest.fixture(autouse=True)
def esperanto(monkeypatch):
    with one_more(monkeypatch):
        yield


def begun(language):
    return step(State.new(Setup(language=language, convention="letters")), ev.Started())[0]


def said(state, words):
    """What the program makes of spoken words, and the sentences that it tells."""
    state, effects = step(state, ev.Heard(words=(words,), spoken=True))
    return state, all_told(effects)


def test_it_is_one_of_the_languages():
    assert sorted(languages()) == sorted((*LANGUAGES, "eo"))


def test_a_move_is_announced_repeated_and_confirmed_in_it():
    state = begun("eo")
    grammar, possible = expectation(state)
    assert "peono e kvar" in possible
    assert "ĉevalo fo tri" not in possible  # in plain spelling
    assert "cevalo fo tri" in possible
    assert "reĝo" not in grammar
    assert "rego" in grammar
    state, told = said(state, "cevalo fo tri")
    renderer = Renderer("eo", "letters")
    assert [renderer.text(message) for message in told] == ["Ĉu ĉevalo g1 f3?"]
    assert [(span.text, span.language) for span in renderer.spans(told)] == [
        ("ĉu ĉevalo go unu fo tri? ", "eo")
    ]
    (move,) = [part for part in renderer.parts(told[0]) if part.notation]
    assert pattern(display_code("eo").move(move.brief)) == "⠨⠩⠋⠒"  # capital, ĉ, f, low 3
    assert not state.game.played
    state, told = said(state, "jes")
    assert played_sans(state) == ["Nf3"]
    assert renderer.text(told[0]) == "1, blanko: ĉevalo g1 f3."


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "Sprache Esperantisch"),
        ("pt", "idioma Esperanto"),
        ("en", "language Esperanto"),
        ("es", "idioma esperanto"),
    ],
)
def test_it_is_changed_to_from_another_language(language, words):
    state = begun(language)
    assert words.lower() in [phrase.lower() for phrase in expectation(state)[1]]
    state, _ = said(state, words)
    state, told = said(state, vocabulary(language).say("answer", "yes"))
    assert state.setup.language == "eo"
    assert Renderer("eo").text(told[0]) == "Nun: Esperanto."
    said_now = expectation(state)[1]
    assert "lingvo la angla" in said_now
    assert "konvencio literoj" in said_now


def test_each_language_and_convention_is_chosen_in_it_by_its_name_there_or_its_own():
    words = phrasing("letters", "eo")
    assert words.example(CommandName.LANGUAGE, "de") == "lingvo la germana"
    assert words.example(CommandName.LANGUAGE, "pt") == "lingvo português"
    for command, names in ((CommandName.LANGUAGE, languages()), (CommandName.CONVENTION, conventions())):
        for name in names:
            chosen = Command(command, choice=name)
            likely = [
                reading.meaning for reading in read(words.example(command, name), "eo") if reading.likely
            ]
            assert likely == [chosen]


def test_what_is_not_translated_is_english():
    welcome = Message.of("welcome")
    assert Renderer("eo").text(welcome) == Renderer("en").text(welcome).replace("say help", "say helpo")


def test_a_key_may_choose_it(tmp_path):
    assert "language_eo" in keys.load(path=tmp_path / "none").keys
    own = tmp_path / "keys.toml"
    own.write_text('[keys]\nlanguage_eo = ["f2"]\n')
    assert keys.load(path=own).keys["language_eo"] == ("f2",)


def test_letters_are_made_sure_by_words_of_its_own_file():
    assert convention("letters", "eo").help.words["b"][-1] == "banano"


def test_a_finished_game_is_stepped_through_in_it():
    assert replay_steps.read_step("antaŭen", "eo", "letters") == replay_steps.Stepped(
        replay_steps.ReplayStep.NEXT
    )


def test_its_records_are_in_its_code_and_without_one_the_user_hears_which_there_are(monkeypatch):
    assert readers.code_of(None, "eo").name == "eo6"
    monkeypatch.setattr(readers.notation, "code_of", lambda *_: None)
    with pytest.raises(UserError) as refusal:
        readers.code_of(None, "eo")
    text = Renderer("en").text(refusal.value.message)
    assert "Esperanto" in text
    assert "uk" in text


def lacking(folder, kind, left_out):
    """The folder of the language without one of its lines, and so without what sounds it has."""
    shutil.copytree(FOLDER, folder)
    file = folder / kind
    text = file.read_text("utf-8")
    assert left_out in text
    kept = text.replace(left_out, "", 1)
    said = {plain(word) for word in re.findall(r'"([^"]+)"', left_out)}
    file.write_text(
        "".join(line for line in kept.splitlines(keepends=True) if line.split(" = ")[0] not in said)
    )
    return folder


@pytest.mark.parametrize(
    ("kind", "left_out", "place"),
    [
        ("words/languages/eo.toml", 'yes = ["jes", "mi konfirmas"]\n', "answer.yes"),
        ("words/languages/eo.toml", 'no = ["mi ne konfirmas"]\n', "denial.no"),
        ("words/languages/eo.toml", 'hint = ["konsileto"]\n', "command.hint"),
        ("words/languages/eo.toml", 'N = ["ĉevalo"]\n', "piece.N"),
        ("steps/eo.toml", 'end = ["fino"]\n', "step.end"),
    ],
)
def test_a_language_that_lacks_a_word_is_refused_with_the_place(monkeypatch, tmp_path, kind, left_out, place):
    with one_more(monkeypatch, lacking(tmp_path / "languages", kind, left_out)):
        with pytest.raises(VocabularyError) as refusal:
            (replay_steps.words if kind.startswith("steps") else vocabulary)("eo")
        assert (refusal.value.file, refusal.value.key, refusal.value.problem) == (kind, place, "missing")


def test_the_program_says_what_a_language_lacks(tmp_path):
    folder = lacking(tmp_path / "languages", "words/languages/eo.toml", 'yes = ["jes", "mi konfirmas"]\n')
    lines, errors = run_process(
        tmp_path, "play", "--language", "en", *QUIET, status=2, ACESSIVEL_LANGUAGES=str(folder)
    )
    assert lines == []
    assert len(errors) == 1
    assert "words/languages/eo.toml" in errors[0]
    assert "answer.yes" in errors[0]


def test_that_the_sentences_of_a_language_are_not_toml_is_told_in_english(monkeypatch, tmp_path):
    folder = lacking(tmp_path / "languages", "messages/eo/game.toml", " = ")
    with one_more(monkeypatch, folder):
        env = environment(tmp_path, ACESSIVEL_LANGUAGES=str(folder), LC_ALL="", LC_MESSAGES="eo")
        status, _, errors = call((NAME, "laws", *QUIET[2:]), b"", env)
    wrong = Message.of(
        "bad_words", file="messages/eo/game.toml", place="3", reason=Message.of("words_not_toml")
    )
    assert (status, errors.decode()) == (2, f"{Renderer('en').text(wrong)}\n")


def test_a_game_goes_on_where_its_language_is_gone(tmp_path, monkeypatch):
    journal = Journal(tmp_path)
    setup = Setup(language="en", convention="letters")
    game, state = journal.create(setup, "2026-01-01T00:00:00"), State.new(setup)
    for number, event in enumerate(
        (ev.Started(), *(ev.Heard(words=(words,)) for words in ("language Esperanto", "peono e kvar", "jes")))
    ):
        after, _ = step(state, event)
        journal.append(game, number, event, state, after)
        state = after
    assert state.setup.language == "eo"
    with one_more(monkeypatch, tmp_path / "nothing"):
        there = journal.load(game).state
        assert there.setup.language == "en"
        assert played_sans(there) == ["e4"]
    own = journal.create(replace(setup, language="eo"), "2026-01-01T00:00:00")
    with one_more(monkeypatch, tmp_path / "nothing"):
        assert journal.load(own).state.setup.language == "en"
    journal.close()


def test_the_program_plays_in_it_on_a_braille_display_in_the_terminal(tmp_path):
    lines, errors = run_process(
        tmp_path, "play", "--language", "eo", "--convention", "letters", "--opponent", "human", "--introduction", "off",
        "--hear", "keyboard", "--speak", "off", "--braille", "terminal", typed="peono e kvar\njes\nhaltu\njes\n",
        ACESSIVEL_LANGUAGES=str(FOLDER),
    )  # fmt: skip
    assert errors == []
    assert "1, blanko: peono e2 e4." in lines
