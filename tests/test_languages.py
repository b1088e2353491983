# SPDX-License-Identifier: GPL-3.0-or-later
"""What a language lacks, by file and key: those of the program, and those of ACESSIVEL_LANGUAGES."""

import shutil

import pytest
from support.catalogues import fields
from support.languages import FOLDER, LANGUAGES, one_more

from acessivel.messages.rendering import catalogue, sentences
from braille.notation import CodeError, code_of
from voices.grammar.sound_alikes import like_yes
from voices.understanding import desk_words, online_words, replay_steps
from voices.words import files
from voices.words.files import conventions, languages
from voices.words.lexicon import (
    CHOSEN,
    VocabularyError,
    label,
    parse_vocabulary,
    plain,
    split_command,
    vocabulary,
    words_of,
)

PLACES = {
    "steps": ("step", replay_steps.words),
    "online": ("word", online_words.words),
    "hall": ("word", desk_words.words),
}


def lacking(language):
    """What a language lacks: the file, and the key or the word there."""
    return [*words_lacking(language), *sentences_lacking(language), *codes_lacking(language)]


def words_lacking(language):
    """What its words lack; those of a place can be sounded out only with the others."""
    file, words = f"words/languages/{language}.toml", None
    try:
        words = vocabulary(language)
    except VocabularyError as error:
        yield str(error)
    else:
        # A new language is to name those that were there before; these say nothing of it.
        own, taken = own_and_taken(words) if language in LANGUAGES else (words.phrases, {})
        without_sound = [*unheard(file, own, words.sounds), *unnamed(taken, words)]
        yield from without_sound or (f"{file}: {pair.other} sounds like a yes" for pair in yeses(language))
    for kind, (section, read) in PLACES.items():
        try:
            table = read(language)
        except VocabularyError as error:
            yield str(error)
        else:
            if words:
                sounds = {**words.sounds, **table.sounds}
                yield from unheard(f"{kind}/{language}.toml", {section: table.phrases}, sounds)


def sentences_lacking(language):
    """What its sentences lack, or what is wrong with one."""
    folder, every = f"messages/{language}", catalogue("en")
    try:
        own = sentences(language)
    except ValueError as error:
        yield str(error)
        return
    yield from (f"{folder}: {key}" for key in every if key not in own)
    for key, text in own.items():
        try:
            found = fields(text)
        except ValueError as error:
            yield f"{folder}: {key}: {error}"
            continue
        if key not in every:
            yield f"{folder}: {key} is used nowhere"
        elif unlike := sorted(found ^ fields(every[key])):
            yield f"{folder}: {key} tells {unlike}"


def codes_lacking(language):
    """What its Braille lacks; the files of other languages, which may be looked through, are no fault of it."""
    for dots in (6, 8):
        try:
            if code_of(language, dots) is None:
                yield f"codes/{language}{dots}.toml"
        except CodeError as error:
            if str(error).startswith(f"codes/{language}"):
                yield str(error)


def own_and_taken(words):
    """The phrases of a language's own file, and the names that others give themselves in it, by section."""
    own = parse_vocabulary(words.name, files.text(words.name)).phrases
    taken = {
        section: {
            name: said for name, said in words.phrases[section].items() if name not in own.get(section, {})
        }
        for section in CHOSEN.values()
    }
    return own, taken


def unnamed(taken, words):
    """The files that do not say what they are called in a language, so that it can be heard there."""
    for names in taken.values():
        for name, said in names.items():
            if [*unheard("", {"name": {name: said}}, words.sounds)]:
                yield f"{label(name)}: called.{words.name}"


def unheard(file, phrases, sounds):
    """What the program says, and could not hear."""
    said = [said[0] for section in phrases.values() for said in section.values()]
    words = {plain(word) for phrase in said for word in words_of(split_command(phrase)[0])}
    return [f"{file}: sounds.{word}" for word in sorted(words - sounds.keys())]


def yeses(language):
    """What could be heard as a yes in any convention."""
    return [pair for convention in conventions() for pair in like_yes(convention, language)]


def test_the_languages_of_the_program_are_there():
    assert set(LANGUAGES) <= set(languages())


@pytest.mark.parametrize("language", languages())
def test_a_language_lacks_nothing(language):
    assert not (found := lacking(language)), "\n".join(found)


def test_one_more_language_is_gone_after_a_test_that_fails_too(monkeypatch):
    with pytest.raises(AssertionError), one_more(monkeypatch):
        assert "eo" not in languages()
    assert "eo" not in languages()


def test_what_a_language_lacks_is_named(monkeypatch, tmp_path):
    folder = tmp_path / "languages"
    shutil.copytree(FOLDER, folder)
    words = folder / "words/languages/eo.toml"
    words.write_text(words.read_text("utf-8").replace("\npeono = ", "\n# peono = "))
    game = folder / "messages/eo/game.toml"
    game.write_text(game.read_text("utf-8").replace("{language}", "{lingvo}") + 'serco = "ha"\n')
    with one_more(monkeypatch, folder):
        found = lacking("eo")
    assert "words/languages/eo.toml: sounds.peono" in found
    assert "words/languages/eo.toml: sounds.nato" in found  # it does not say what that convention is called
    assert "messages/eo: welcome" in found
    assert "messages/eo: serco is used nowhere" in found
    assert "messages/eo: language_now tells ['language', 'lingvo']" in found
    assert found[-1] == "codes/eo8.toml"


def test_who_does_not_say_its_name_in_a_language_is_named_and_not_that_language(monkeypatch, tmp_path):
    folder = tmp_path / "languages"
    shutil.copytree(FOLDER, folder)
    words = folder / "words/languages/eo.toml"
    words.write_text(words.read_text("utf-8").replace('esperanto = ["EH S P EH R AA N T AO"]\n', ""))
    (folder / "words/birds.toml").write_text('[convention]\nways = [{ file = "fide" }]\n')
    with one_more(monkeypatch, folder):
        found = lacking("en")
    assert "words/languages/eo.toml: called.en" in found
    assert "words/birds.toml: called.en" in found
    assert not [line for line in found if "en.toml" in line]


HALF_MADE = [
    # what is changed in a file of the folder, or that it is left out: what is named
    ("steps/eo.toml", None, None, "steps/eo.toml: step missing"),
    ("online/eo.toml", "[word]", "[word", "online/eo.toml: 2 not toml"),
    ("words/languages/eo.toml", "[answer]", "[answer", "words/languages/eo.toml: "),
    ("messages/eo/game.toml", "{language}", "{language", "messages/eo: language_now: expected '}'"),
    ("messages/eo/game.toml", "language_now =", "language_now", "messages/eo/game.toml: 4 not toml"),
    ("codes/eo6.toml", 'name = "eo6"', 'name = "it6"', "codes/eo6.toml: "),
]


@pytest.mark.parametrize(("file", "good", "bad", "named"), HALF_MADE)
def test_what_is_wrong_with_a_file_is_named_with_it_and_all_else_is_looked_at(
    monkeypatch, tmp_path, file, good, bad, named
):
    folder = tmp_path / "languages"
    shutil.copytree(FOLDER, folder)
    path = folder / file
    if good is None:
        path.unlink()
    else:
        text = path.read_text("utf-8")
        assert good in text
        path.write_text(text.replace(good, bad, 1), "utf-8")
    with one_more(monkeypatch, folder):
        found = lacking("eo")
        assert not [line for line in lacking("en") if not line.startswith("words/languages/eo.toml")]
    assert [line for line in found if line.startswith(named)]
    assert file.startswith("codes") or "codes/eo8.toml" in found
