# SPDX-License-Identifier: GPL-3.0-or-later
"""What the synthetic voices say: announcements, answers, commands, and speech that is none of these."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path

import tomli

from voices.grammar.grammar import helps
from voices.network.tokens import FILLER, owner, pronunciations, token
from voices.phones import distance, single, vowels
from voices.words.files import languages
from voices.words.lexicon import RANKS, Vocabulary, command_parts, plain, split_command, vocabulary, words_of

_SOUNDS = tuple(
    sorted({sound for variants in pronunciations().values() for v in variants for sound in v.split()})
)
_VOWELS = vowels()
_CONSONANTS = [sound for sound in _SOUNDS if sound not in _VOWELS]
_LONG_ENOUGH = 4  # sounds, of which one may be missing
# An answer of so few sounds at most is another word if one is made otherwise: "da" and "na" are no "ja".
_SHORT, _OTHERWISE = 5, 0.6  # sounds, and how different (`phones.distance`)
_MADE_OTHERWISE = 0.5  # of what is near an answer
_OWN_DENIAL = 0.6
_NOT = {"de": ("nicht",), "en": ("not", "don't")}  # where it is another word than a no
_SAME_BY_HABIT = {"Y", "JH", "ZH"}  # a "ya" in Spanish mouths
# How often a speaker's native language changes a foreign word.
_HABIT = 0.2
# How often each kind of sentence is said.
KINDS = {
    "announcement": 34, "answer": 11, "command": 14, "own_announcement": 18, "helped": 3, "part": 5,
    "number": 2, "fragment": 6, "garbage": 12,
}  # fmt: skip
# The same by natural voices, with commands alone beside them: their words are many, and each is rare.
TAUGHT_KINDS = {
    "command": 36, "own_announcement": 20, "announcement": 16, "helped": 5, "part": 5, "fragment": 6,
    "number": 1, "garbage": 11,
}  # fmt: skip
COMMANDS = {"command": 1}
# Both together, where few recordings measure.
MOVE_KINDS = {
    "command": 59, "own_announcement": 13, "announcement": 10, "helped": 3, "part": 3, "fragment": 4,
    "number": 1, "garbage": 7,
}  # fmt: skip
# What has the words of a yes and is none, beside yes and no themselves.
DENIAL_KINDS = {"denial": 55, "denied": 20, "wording": 25}
# The same for the network that hears answers alone.
ANSWER_KINDS = {
    "wording": 46, "near_answer": 28, "garbage": 11, "fragment": 4, "part": 3, "command": 5, "number": 1,
    "own_announcement": 1, "announcement": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """A word to be spoken: its token (`FILLER` if it has none), language, spelling and sounds (ARPAbet).

    Without a spelling only the sounds can be spoken, without sounds only the spelling.
    """

    token: str
    language: str
    spelling: str = ""
    sounds: str = ""


Sentence = tuple[Word, ...]


def labels(sentence: Sequence[Word]) -> tuple[str, ...]:
    """The tokens that the network is to find: a row of filler words is one filler."""
    found: list[str] = []
    for word in sentence:
        if word.token != FILLER or found[-1:] != [FILLER]:
            found.append(word.token)
    return tuple(found)


class Sentences:
    """Draws sentences; the same seed draws the same ones."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311

    def draw(self, language: str, shares: Mapping[str, int] = KINDS) -> tuple[str, Sentence]:
        """A sentence as a user of a language may say it, and its kind; each kind (a method) by its share."""
        kind = self._chance.choices(list(shares), list(shares.values()))[0]
        sentence: Sentence = getattr(self, kind)(language)
        return kind, sentence

    def phrase(self, words: str, language: str) -> Sentence:
        """Given words (in plain spelling), FIDE's or a language's, each in one of its pronunciations."""
        known = pronunciations()
        keys = (next(k for k in (token("de", w), token(language, w)) if k in known) for w in words.split())
        return tuple(self._token(key, language) for key in keys)

    def announcement(self, language: str) -> Sentence:
        """A move in the FIDE words, legal or not, in any of its spoken forms."""
        words = self._move(vocabulary("fide"), language)
        if self._chance.random() < 0.06:
            words.insert(self._chance.randrange(len(words) + 1), self._other(language))
        return tuple(words)

    def own_announcement(self, language: str) -> Sentence:
        """A move in the language's own words, or with the files, perhaps the ranks, of the NATO alphabet."""
        own = vocabulary(language)
        if self._chance.random() < 0.6:
            return tuple(self._move(own, language))
        nato = vocabulary("nato")
        ranks = self._chance.choice((nato, own))
        words = self._any(own, "piece") if self._chance.random() < 0.75 else []
        for _ in range(self._chance.choice((1, 1, 2))):
            words += self._any(nato, "file") + self._any(ranks, "rank")
        return tuple(words)

    def helped(self, language: str) -> Sentence:
        """A letter with a word that clarifies it, and its rank: "bê de bola quatro"."""
        own, (help_,) = vocabulary(language), helps("letters", language)
        file = self._chance.choice(list(help_.words))
        known = [word for word in map(plain, help_.words[file]) if word in help_.sounds]
        joins = [join for join in help_.joins if all(word in help_.sounds for word in join.split())]
        said = (*self._chance.choice(joins).split(), self._chance.choice(known))
        keys = (
            next(k for k in (token(o, w) for o in (language, "de", "nato")) if k in pronunciations())
            for w in said
        )
        letter = self._any(own, "file", file)
        return (*letter, *(self._token(key, language) for key in keys), *self._any(own, "rank"))

    def number(self, language: str) -> Sentence:
        """A number of up to four digits, digit by digit."""
        words = self._chance.choice((vocabulary("fide"), vocabulary(language)))
        found: list[Word] = []
        for digit in self._chance.choices((*RANKS, "9", "0"), k=self._chance.choice((1, 2, 3, 3, 4))):
            found += self._any(words, "rank" if digit in RANKS else "number", digit)
        return tuple(found)

    def answer(self, language: str) -> Sentence:
        """Yes or no, in German or the language."""
        words = vocabulary(self._chance.choice(["fide", language]))
        return tuple(self._any(words, "answer", self._chance.choice(["yes", "no"])))

    def wording(self, language: str) -> Sentence:
        """Yes or no, in German or the language, each of the wordings as often as another."""
        value = self._chance.choice(["yes", "no"])
        every = [
            (words, phrase)
            for words in map(vocabulary, ("fide", language))
            for phrase in words.phrases["answer"][value]
        ]
        return tuple(self._token(word.token, language) for word in self._said(*self._chance.choice(every)))

    def denial(self, language: str) -> Sentence:
        """A no in the words of a yes ("not right"), of any language; mostly of the speaker's own."""
        spoken = language if self._chance.random() < _OWN_DENIAL else self._chance.choice(languages())
        words = vocabulary(spoken)
        phrase, _ = self._chance.choice(list(words.all("denial")))
        return tuple(self._token(word.token, language) for word in self._said(words, phrase))

    def denied(self, language: str) -> Sentence:
        """A yes with a no of one word, or a "not", somewhere in it: mostly neither a yes nor a no."""
        own = vocabulary(language)
        noes = [no for no in own.phrases["answer"]["no"] if len(words_of(no)) == 1]
        no = self._said(own, self._chance.choice([*noes, *_NOT.get(language, ())]))
        yes = self._said(own, self._chance.choice(own.phrases["answer"]["yes"]))
        at = self._chance.randrange(len(yes) + 1)
        return (*yes[:at], *no, *yes[at:])

    def near_answer(self, language: str) -> Sentence:
        """What is only like a yes or a no."""
        near = self._but_for_one_sound if self._chance.random() < _MADE_OTHERWISE else self._like_answer
        return (Word(FILLER, language, "", " ".join(near(language))),)

    def _but_for_one_sound(self, language: str) -> list[str]:
        """The sounds of a short answer, one of them made quite otherwise, which is no other answer."""
        while True:
            sounds = self._sounds_of_wording(language)
            at = self._chance.randrange(len(sounds))
            sounds[at] = self._chance.choice(_made_otherwise(sounds[at]))
            if len(sounds) <= _SHORT and " ".join(sounds) not in _short_answers():
                return sounds

    def _like_answer(self, language: str) -> list[str]:
        """The sounds of what begins or ends like an answer, or is like it but for two sounds.

        Of these, one may be missing: "Kind" is like "stimmt".
        """
        while True:
            sounds = self._sounds_of_wording(language)
            way = self._chance.choice(("after", "after", "before", "instead", "without"))
            if way == "instead":
                self._change(sounds, 2)
            elif way == "without" and len(sounds) >= _LONG_ENOUGH:
                del sounds[self._chance.randrange(len(sounds))]
                self._change(sounds, 1)
            else:
                more = [sound for _ in range(self._chance.choice((1, 1, 2))) for sound in self._syllable()]
                sounds = sounds + more if way == "after" else more + sounds
            if _is_unlike(tuple(sounds)) and " ".join(sounds) not in _short_answers():
                return sounds

    def _sounds_of_wording(self, language: str) -> list[str]:
        return " ".join(word.sounds for word in self.wording(language)).split()

    def command(self, language: str) -> Sentence:
        """A command of the language with its argument."""
        own = vocabulary(language)
        spoken = [phrase for phrase, _, _ in own.spoken_commands()]
        head, slots, tail = command_parts(self._chance.choice(spoken))
        found = self._said(own, head)
        for slot in slots:
            found += self._slot(slot, own)
        found += self._said(own, tail)
        return tuple(found) if found else self.answer(language)

    def part(self, language: str) -> Sentence:
        """A file or a rank alone, which answers the question for it."""
        words = vocabulary(self._chance.choice(("fide", "nato", language, language)))
        return tuple(self._any(words, self._chance.choice(("file", "rank"))))

    def square(self, words: Vocabulary, language: str, file: str, rank: str) -> Sentence:
        """A square in the words of a language or a convention, by a speaker of the language."""
        said = (*self._any(words, "file", file), *self._any(words, "rank", rank))
        return tuple(self._token(word.token, language) for word in said)

    def fragment(self, language: str) -> Sentence:
        """Words alone, and announcements that break off."""
        whole = self._move(vocabulary("fide"), language)
        if self._chance.random() < 0.5:
            return tuple(whole[: self._chance.randrange(1, len(whole) + 1)])
        key = self._chance.choice([k for k in pronunciations() if k.startswith(("de:", f"{language}:"))])
        return (self._token(key, language),)

    def garbage(self, language: str) -> Sentence:
        """Other speech, and sounds that resemble words."""
        return tuple(self._other(language) for _ in range(self._chance.choice([1, 1, 1, 2, 2, 3, 4, 6])))

    def _other(self, language: str) -> Word:
        if self._chance.random() < 0.5:
            return Word(FILLER, language, self._chance.choice(_garbage(language)))
        return Word(FILLER, language, "", self._made_up())

    def _made_up(self) -> str:
        """Sounds that are no known word: random ones, or a word with several sounds changed."""
        while True:
            if self._chance.random() < 0.5:
                sounds = list(
                    self._chance.choice(self._chance.choice(list(pronunciations().values()))).split()
                )
                self._change(sounds, self._chance.choice([2, 2, 3]))
            else:
                count = self._chance.randrange(1, 4)
                sounds = [sound for _ in range(count) for sound in self._syllable()]
            if _is_unlike(tuple(sounds)):
                return " ".join(sounds)

    def _change(self, sounds: list[str], count: int) -> None:
        """Put other vowels and consonants for some of the sounds."""
        for _ in range(count):
            at = self._chance.randrange(len(sounds))
            sounds[at] = self._chance.choice(
                [s for s in _SOUNDS if (s in _VOWELS) == (sounds[at] in _VOWELS)]
            )

    def _syllable(self) -> list[str]:
        sounds = [self._chance.choice(_CONSONANTS), self._chance.choice(sorted(_VOWELS))]
        return [*sounds, self._chance.choice(_CONSONANTS)] if self._chance.random() < 0.4 else sounds

    def _move(self, words: Vocabulary, language: str) -> list[Word]:
        chance = self._chance.random
        if chance() < 0.08:
            said = self._any(words, "castling", self._chance.choice(["short", "long"]))
        else:
            said = self._any(words, "piece") if chance() < 0.75 else []
            form = chance()
            if form < 0.45:
                said += self._any(words, "file") + self._any(words, "rank")
            elif form < 0.55:
                said += self._any(words, "file")
            elif form < 0.58:
                said += self._any(words, "rank")
            if chance() < 0.25:
                said += self._any(words, "mark", "capture")
            said += self._any(words, "file") + self._any(words, "rank")
            if chance() < 0.08:
                said += self._any(words, "piece")
            elif chance() < 0.03:
                said += self._any(words, "mark", "en_passant")
        if chance() < 0.12:
            said += self._any(words, "mark", self._chance.choice(["check", "mate"]))
        return [self._token(word.token, language) for word in said]

    def _slot(self, slot: str, own: Vocabulary) -> list[Word]:
        fide = vocabulary("fide")
        if slot == "piece":
            return self._any(*self._chance.choice([(own, "plural"), (own, "piece"), (fide, "piece")]))
        if slot == "number":
            return self._any(*self._chance.choice([(own, "count"), (own, "rank"), (fide, "rank")]))
        words = self._chance.choice([fide, fide, own])
        if slot == "square":
            return self._any(words, "file") + self._any(words, "rank")
        return self._any(words, slot)

    def _any(self, words: Vocabulary, section: str, value: str | None = None) -> list[Word]:
        """One of the phrases of a section (for a value) that can be spoken; the first ones most often."""
        values = list(words.phrases[section])
        value = value or self._chance.choice(values)
        spoken = [said for phrase in words.phrases[section][value] if (said := self._said(words, phrase))]
        if not spoken:
            return []
        return list(spoken[0] if self._chance.random() < 0.6 else self._chance.choice(spoken))

    def _said(self, words: Vocabulary, phrase: str) -> list[Word]:
        """A phrase as words; none if one of them has no pronunciation."""
        plainly = list(zip(map(plain, words_of(phrase)), words_of(phrase), strict=True))
        if any(word not in words.sounds for word, _ in plainly):
            return []
        return [
            self._spoken(token(owner(words), word), words.language, as_written)
            for word, as_written in plainly
        ]

    def _token(self, key: str, language: str) -> Word:
        spelling = _spellings().get(key, key.partition(":")[2])
        word = self._spoken(key, key.partition(":")[0].replace("nato", language), spelling)
        return (
            word if word.language == language else replace(word, sounds=self._accented(word.sounds, language))
        )

    def _spoken(self, key: str, language: str, spelling: str) -> Word:
        native = _native().get(key, ())
        sounds = native if native and self._chance.random() < 0.4 else pronunciations()[key]
        return Word(key, language, spelling, self._chance.choice(sounds))

    def _accented(self, sounds: str, language: str) -> str:
        """The sounds of a foreign word with some of the habits of a language's speakers."""
        for pattern, habit in _habits(language):
            if self._chance.random() < _HABIT:
                sounds = pattern.sub(habit, sounds)
        return sounds


@cache
def _garbage(language: str) -> tuple[str, ...]:
    text = Path(__file__).with_name("garbage.toml").read_text("utf-8")
    known = {key.partition(":")[2] for key in pronunciations()}
    return tuple(word for word in tomli.loads(text)[language].split() if plain(word) not in known)


@cache
def _habits(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    text = Path(__file__).with_name("accents.toml").read_text("utf-8")
    return tuple((re.compile(sounds), habit) for sounds, habit in tomli.loads(text)["habits"][language])


@cache
def _native() -> dict[str, tuple[str, ...]]:
    text = Path(__file__).with_name("accents.toml").read_text("utf-8")
    return {token("de", word): tuple(sounds) for word, sounds in tomli.loads(text)["native"].items()}


@cache
def _spellings() -> dict[str, str]:
    """How the word of a token is really written: "de:fuenf" -> "fünf"."""
    found: dict[str, str] = {}
    for name in ("fide", *languages()):
        words = vocabulary(name)
        for section in words.phrases:
            for phrase, _ in words.all(section):
                for word in words_of(split_command(phrase)[0]):
                    found.setdefault(token(owner(words), plain(word)), word)
    return found


@cache
def _made_otherwise(sound: str) -> tuple[str, ...]:
    """The vowels for a vowel, and consonants for a consonant, that nobody takes for it."""
    return tuple(
        other
        for other in _SOUNDS
        if (other in _VOWELS) == (sound in _VOWELS)
        and not {sound, other} <= _SAME_BY_HABIT
        and distance(single(sound), single(other)) >= _OTHERWISE
    )


@cache
def _short_answers() -> frozenset[str]:
    """The sounds of short answers, also as the speakers of any language say them."""
    said: set[str] = set()
    for language, words in product(languages(), map(vocabulary, ("fide", *languages()))):
        for phrase in (one for some in words.phrases["answer"].values() for one in some):
            keys = [token(owner(words), plain(word)) for word in words_of(phrase)]
            ways = [_with_habits(pronunciations()[key], language) for key in keys]
            if sum(min(len(sounds.split()) for sounds in way) for way in ways) <= _SHORT:
                said |= {" ".join(way) for way in product(*ways)}
    return frozenset(said)


def _with_habits(said: Collection[str], language: str) -> set[str]:
    """The sounds with any of the habits of a language's speakers, one after the other."""
    found = {*said}
    for pattern, habit in _habits(language):
        found |= {pattern.sub(habit, one) for one in found}
    return found


def _is_unlike(sounds: tuple[str, ...]) -> bool:
    """Whether they differ from every known word in two sounds at least."""
    return _but_for_one(sounds).isdisjoint(_known_but_for_one())


@cache
def _known_but_for_one() -> frozenset[tuple[str, ...]]:
    known = (tuple(v.split()) for variants in pronunciations().values() for v in variants)
    return frozenset().union(*map(_but_for_one, known))


def _but_for_one(sounds: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """With any sound at one place, or one more: two words share some if they differ in one sound at most."""
    places = range(len(sounds) + 1)
    return frozenset((*sounds[:at], "", *sounds[at + more :]) for at in places for more in (0, 1))
