# SPDX-License-Identifier: GPL-3.0-or-later
"""What a language lacks, by file and key: those of the program, and those of ACESSIVEL_LANGUAGES."""

import shutil

import pytest
from support.catalogues import fields
from support.languages import FOLDER, LANGUAGES, one_more

from acessivel.messages.rendering import catalogue, sentences
from braille.notation import code_of
from voices.grammar.sound_alikes import like_yes
from voices.understanding import desk_words, online_words, replay_steps
from voices.words.files import conventions, languages
from voices.words.lexicon import VocabularyError, plain, split_command, vocabulary, words_of


def lacking(language):
    """What a language lacks: the file, and the key or the word there."""
    try:
        words, steps = vocabulary(language), replay_steps.words(language)
        online, hall = online_words.words(language), desk_words.words(language)
    except VocabularyError as error:
        return [str(error)]
    own = sentences(language)
    without_sound = [*unheard(f"words/languages/{language}.toml", words.phrases, words.sounds)]
    return [
        *without_sound,
        *unheard(f"steps/{language}.toml", {"step": steps.phrases}, {**words.sounds, **steps.sounds}),
        *unheard(f"online/{language}.toml", {"word": online.phrases}, {**words.sounds, **online.sounds}),
        *unheard(f"hall/{language}.toml", {"word": hall.phrases}, {**words.sounds, **hall.sounds}),
        *(
            f"words/languages/{language}.toml: {pair.other} sounds like a yes"
            for pair in (() if without_sound else yeses(language))
        ),
        *(f"messages/{language}: {key}" for key in catalogue("en") if key not in own),
        *(f"messages/{language}: {key} is used nowhere" for key in own if key not in catalogue("en")),
        *(
            f"messages/{language}: {key} tells {sorted(fields(text) ^ fields(catalogue('en')[key]))}"
            for key, text in own.items()
            if key in catalogue("en") and fields(text) != fields(catalogue("en")[key])
        ),
        *(f"codes/{language}{dots}.toml" for dots in (6, 8) if code_of(language, dots) is None),
    ]


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
