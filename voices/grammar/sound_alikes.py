# SPDX-License-Identifier: GPL-3.0-or-later
"""Which words of a convention sound alike, among those that can be said in each other's place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

from voices.grammar import grammar
from voices.phones import SoundSequence, distance, single
from voices.words.conventions import DEFAULT
from voices.words.conventions import convention as convention_of
from voices.words.lexicon import plain, split_command, vocabulary, words_of

# Nearer than this, two words cause a warning: "zwei" and "drei" do, "Anna" and "Eva" do not. Chosen by
# looking at the pairs of all conventions and languages; only measurements show what is really confused.
NEAR = 0.255
# A yes plays a move: nothing else may come as near to one as this, half a step of the vowel in a short word.
NEAR_YES = 0.12
YES = "yes"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A phrase that can be said, what it stands for, and its pronunciations."""

    phrase: str
    value: str
    sounds: tuple[SoundSequence, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """Two phrases that can be said in each other's place, and how different they are (0: not at all)."""

    slot: str
    one: str
    other: str
    distance: float


def alike(convention: str, language: str) -> tuple[Alike, ...]:
    """The pairs that are nearer than `NEAR`, nearest first; a yes is compared with everything else."""
    every = slots(convention, language)
    pairs = [
        pair
        for slot, said in every.items()
        if slot != "answer"
        for pair in _near(slot, combinations(said, 2))
    ]
    digits = product(every["number"], (*every["rank"], *every["answer"]))
    return _sorted((*pairs, *_near("number", digits), *_near(YES, _with_yes(every))))


def like_yes(convention: str, language: str) -> tuple[Alike, ...]:
    """What could be heard as a yes (`NEAR_YES`), nearest first: there should be nothing."""
    pairs = _near(YES, _with_yes(slots(convention, language)))
    return _sorted(pair for pair in pairs if pair.distance < NEAR_YES)


@cache
def slots(convention: str, language: str) -> Mapping[str, tuple[Spoken, ...]]:
    """The phrases that can be said in each other's place, by a name for the place."""
    used, own = convention_of(convention, language), vocabulary(language)
    sounds = grammar.pronunciations(convention, language)
    found = {
        section: _spoken(
            ((p, value) for words in used.spoken(section) for p, value in words.all(section)), sounds
        )
        for section in ("file", "rank", "piece", "castling", "mark")
    }
    found["answer"] = _spoken(
        ((p, value) for words in (own, vocabulary(DEFAULT)) for p, value in words.all("answer")), sounds
    )
    commands = (
        (split_command(phrase)[0], f"{name} {choice}") for phrase, name, choice in own.spoken_commands()
    )
    found["command"] = _spoken(commands, sounds)
    digits = _spoken((pair for words in (own, vocabulary(DEFAULT)) for pair in words.all("number")), sounds)
    found["number"] = digits
    for help_ in grammar.helps(convention, language):
        found["help"] = _spoken(((w, file) for file, words in help_.words.items() for w in words), sounds)
        joins = _spoken(((join, "join") for join in help_.joins), sounds)
        found["after_letter"] = (*joins, *(Spoken(s.phrase, "rank", s.sounds) for s in found["rank"]))
    return found


def pronounced(phrase: str, sounds: Mapping[str, tuple[str, ...]]) -> tuple[SoundSequence, ...]:
    """The pronunciations of a phrase; none if one of its words has none.

    Those of several words are combined in order: each first with the first, as one speaker says them, not
    each with each.
    """
    words = [sounds.get(plain(word), ()) for word in words_of(phrase)]
    if not words or not all(words):
        return ()
    longest = max(map(len, words))
    variants = (" ".join(each[min(n, len(each) - 1)] for each in words) for n in range(longest))
    return tuple(dict.fromkeys(map(single, variants)))


def _spoken(phrases: Iterable[tuple[str, str]], sounds: Mapping[str, tuple[str, ...]]) -> tuple[Spoken, ...]:
    """Those phrases that can be said, each sound once."""
    found: dict[tuple[str, tuple[SoundSequence, ...]], Spoken] = {}
    for phrase, value in phrases:
        said = pronounced(phrase, sounds)
        if value != "filler" and said:
            found.setdefault((value, said), Spoken(phrase, value, said))
    return tuple(found.values())


def _with_yes(every: Mapping[str, tuple[Spoken, ...]]) -> Iterator[tuple[Spoken, Spoken]]:
    yeses = [answer for answer in every["answer"] if answer.value == YES]
    others = {spoken.phrase: spoken for said in every.values() for spoken in said if spoken.value != YES}
    return product(yeses, others.values())


def _near(slot: str, pairs: Iterable[tuple[Spoken, Spoken]]) -> Iterator[Alike]:
    for one, other in pairs:
        if one.value != other.value and (unlike := _distance(one.sounds, other.sounds)) < NEAR:
            yield Alike(slot, one.phrase, other.phrase, unlike)


def _sorted(pairs: Iterable[Alike]) -> tuple[Alike, ...]:
    return tuple(sorted(pairs, key=lambda pair: (pair.distance, pair.slot, pair.one, pair.other)))


@cache
def _distance(one: tuple[SoundSequence, ...], other: tuple[SoundSequence, ...]) -> float:
    """The distance of the two nearest pronunciations; beyond `NEAR` it may be any number above it."""
    return min(distance(a, b, NEAR) for a in one for b in other)
