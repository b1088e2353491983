# SPDX-License-Identifier: GPL-3.0-or-later
"""The files in `voices/words/`: that they load, what is refused, and that their words do not clash."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.languages import LANGUAGES

from voices.words.files import conventions
from voices.words.lexicon import (
    Vocabulary,
    VocabularyError,
    parse_vocabulary,
    plain,
    spellings,
    split_command,
    vocabulary,
    words_of,
)

NAMES = (*conventions(), *LANGUAGES)
SECTIONS = (
    "file",
    "rank",
    "number",
    "count",
    "piece",
    "plural",
    "castling",
    "mark",
    "answer",
    "colour",
    "command",
    "languages",
    "conventions",
)
TYPED_ONLY = re.compile("x|[a-zäöüß]+und[a-zäöüß]+g")  # "einundzwanzig" is three words to the ear
PHONES = frozenset(
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG "
    "OW OY P R S SH T TH UH UW V W Y Z ZH".split()
)
HEAD = "# words\n# of xx\n"


def spoken_words(words: Vocabulary) -> Iterator[str]:
    """Every word that is said aloud, in plain spelling; fillers and signs are only typed."""
    for section in (*SECTIONS, "denial"):
        for phrase, value in words.all(section):
            if (section, value) != ("mark", "filler"):
                literal, _ = split_command(phrase)
                yield from (plain(word) for word in words_of(literal) if not TYPED_ONLY.fullmatch(word))


def spelt(words: Vocabulary, section: str, value: str | None = None) -> frozenset[str]:
    """Every way to type the phrases of a section, or of one value of it."""
    chosen = (phrase for phrase, name in words.all(section) if value in (None, name))
    return frozenset(spelling for phrase in chosen for spelling in spellings(" ".join(words_of(phrase))))


@pytest.mark.parametrize("name", NAMES)
def test_every_vocabulary_loads_under_its_own_name(name: str) -> None:
    words = vocabulary(name)
    assert words.name == name
    assert words.language == {"fide": "de"}.get(name, name if name in LANGUAGES else "")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[piece]\nX = ["Zug"]\n', "piece.X"),
        ('[command]\ndance = ["tanzen"]\n', "command.dance"),
        ('piece = "King"\n', "piece"),
        ('[letter]\nK = "k"\n', "letter.K"),
        ('[letter]\nK = "KK"\n', "letter.K"),
        ('[command]\nsquare = ["square {place}"]\n', "command.square"),
        ('[command]\nsquare = ["{square} what"]\n', "command.square"),
        ('[command]\nlegal = ["moves {piece} from {square}"]\n', "command.legal"),
        ('[answer]\nno = ["nein"]\n[longer]\nno = ["falsch"]\n', "longer.no"),
        ("[answer]\nyes = []\n", "answer.yes"),
        ('[answer]\nyes = "yes"\n', "answer.yes"),
        ("[rank]\n1 = [1]\n", "rank.1"),
        ('[rank]\n1 = [" "]\n', "rank.1"),
        ('[rnak]\n1 = ["eins"]\n', "rnak"),
        ('[rank]\n1 = ["eins"]\n[sounds]\neins = ["AI N S"]\n', "sounds.eins"),
        ('[rank]\n1 = ["eins"]\n[sounds]\neins = []\n', "sounds.eins"),
        ('[rank]\n1 = ["eins"]\n[sounds]\nzwei = ["T S V AY"]\n', "sounds.zwei"),
        ('[help.xx]\njoins = ["wie"]\n', "help.xx"),
        ('[help.de]\na = ["Anton"]\n', "help.de.joins"),
        ('[help.de]\njoins = ["wie"]\ni = ["Ida"]\n', "help.de.i"),
        ('[help.de]\njoins = ["wie"]\n[help.de.sounds]\nals = ["AA L S"]\n', "help.de.sounds.als"),
        ('[rank]\n1 = ["eins"]\n[aloud.de]\nzwei = "zwo"\n', "aloud.de.zwei"),
        ('[rank]\n1 = ["eins"]\n[aloud.de]\neins = []\n', "aloud.de.eins"),
        ('language = ["de"]\n', "language"),
        ("[answer\n", "3"),
    ],
    ids=[
        "unknown piece",
        "unknown command",
        "section not a table",
        "letter not capital",
        "letter of two signs",
        "slot unknown",
        "slot before the words",
        "slot amid the words",
        "longer answer that is none",
        "list empty",
        "list not a list",
        "phrase not a text",
        "phrase empty",
        "section unknown",
        "no such sound",
        "no sounds",
        "sounds of what is not said",
        "help in an unknown language",
        "help without a join",
        "help for no file",
        "sounds of what is not said as help",
        "read aloud of what is not said",
        "read aloud as no word",
        "language unknown",
        "not TOML",
    ],
)
def test_malformed_file_is_refused_with_its_name_and_the_place(text: str, place: str) -> None:
    with pytest.raises(VocabularyError) as refusal:
        parse_vocabulary("xx", HEAD + text)
    assert "words/xx.toml" in str(refusal.value)
    assert place in str(refusal.value)


def test_every_fide_word_that_is_said_has_sounds() -> None:
    fide = vocabulary("fide")
    said = (entry[0] for section in SECTIONS for entry in fide.phrases.get(section, {}).values())
    assert [word for phrase in said for word in words_of(phrase) if not fide.sounds.get(plain(word))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_spoken_word_has_sounds(language: str) -> None:
    words = vocabulary(language)
    assert [word for word in spoken_words(words) if not words.sounds.get(word)] == []


@pytest.mark.parametrize("name", NAMES)
def test_sounds_are_of_words_in_plain_spelling_that_are_said(name: str) -> None:
    words = vocabulary(name)
    assert set(words.sounds) <= set(spoken_words(words))


@pytest.mark.parametrize("name", NAMES)
def test_sounds_use_only_the_39_phones(name: str) -> None:
    assert len(PHONES) == 39
    sounds = vocabulary(name).sounds
    wrong = [(word, sound) for word in sounds for sound in sounds[word] if not set(sound.split()) <= PHONES]
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_no_word_has_the_same_sound_twice(name: str) -> None:
    sounds = vocabulary(name).sounds
    assert [word for word in sounds if len(set(sounds[word])) < len(sounds[word])] == []


@pytest.mark.parametrize("name", ["fide", *LANGUAGES])
def test_yes_is_never_spelt_as_anything_else(name: str) -> None:
    words = vocabulary(name)
    yes = spelt(words, "answer", "yes")
    others = ("command", "piece", "plural", "file", "rank", "castling", "mark")
    taken = spelt(words, "answer", "no").union(*(spelt(words, section) for section in others))
    assert yes
    assert yes & taken == set()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("section", SECTIONS)
def test_two_values_of_a_section_never_share_a_spelling(name: str, section: str) -> None:
    words = vocabulary(name)
    owners: dict[str, set[str]] = {}
    for _, value in words.all(section):
        for spelling in spelt(words, section, value):
            owners.setdefault(spelling, set()).add(value)
    assert {spelling: values for spelling, values in owners.items() if len(values) > 1} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_phrase_of_every_command_is_unique(language: str) -> None:
    words = vocabulary(language)
    first = [plain(words.say("command", value)) for value in words.phrases["command"]]
    assert len(set(first)) == len(first)
