# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of known words -> the profile of their speaker and what the network learns, if it is better."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from acessivel.devices.recogniser import open_recogniser
from acessivel.dialogue.interpretation import meaning
from acessivel.rules.position import Position
from acessivel.settings.settings import Settings
from voices.grammar import grammar
from voices.hearing import decision
from voices.hearing.profile import Profile, yes_needed
from voices.hearing.profile_fit import fitted
from voices.packages import MissingPartError, load
from voices.understanding.meanings import read_heard


@dataclass(frozen=True, slots=True)
class Labelled:
    """A recording (mono s16le, 16 kHz) of words as a recogniser writes them.

    `expected`: the phrases that could be said then, in the position if there was one. `judges`: it shows at
    first how well the others are learnt from.
    """

    words: str
    audio: bytes
    expected: tuple[str, ...]
    judges: bool
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class Fitted:
    """A profile, what was learnt (a `Learnt`, None if the network does not learn), and how much better it is.

    `before` and `after`: how the recordings that judge were heard until now, and are with it. `taught`: the
    networks hear with what they have learnt of the recordings, which makes nothing worse.
    """

    profile: Profile
    learnt: Any
    before: Judged
    after: Judged
    taught: bool = False

    @property
    def better(self) -> bool:
        """Whether more is recognised with it."""
        return self.after.is_better_than(self.before)


@dataclass(frozen=True, slots=True)
class Judged:
    """How many recordings were recognised right, how many as something else, and how probable a yes was.

    `yeses`: in the recordings of a yes, if one was heard; `others`: in what was falsely taken for one.
    """

    right: int
    wrong: int
    total: int
    yeses: tuple[float, ...]
    others: tuple[float, ...]
    readings: tuple[tuple[float, bool], ...] = ()

    def is_better_than(self, other: Judged) -> bool:
        """Whether more is right, and no more something else."""
        return self.right > other.right and self.wrong <= other.wrong

    def is_as_good_as(self, other: Judged) -> bool:
        """Whether as much is right, and no more something else."""
        return self.right >= other.right and self.wrong <= other.wrong


def fit(
    settings: Settings, known: Profile, recordings: Sequence[Labelled], learnt: Any, *, learns: bool
) -> Fitted:
    """Fit the pronunciations, and teach the network, by what does not judge; keep what is then better.

    `known`: what is known of the speaker, an empty profile at first, and `learnt`: what was learnt before, a
    `Learnt`; both stay as they are where nothing is better. A yes must be no less probable than `known` says.
    The network is taught only if it `learns`, in the end by all recordings. Raises MissingPartError without
    pocketsphinx.
    """
    first, second = ([one for one in recordings if one.judges is judges] for judges in (False, True))
    before = judged(settings, known, second, learnt.corrections)
    best, after, taught = known, before, False
    words = grammar.pronunciations(settings.convention, settings.language)
    fitting = fitted([(one.words, one.audio) for one in first], words)
    chosen = replace(known, pronunciations={**known.pronunciations, **fitting})
    if (tried := judged(settings, chosen, second, learnt.corrections)).is_better_than(after):
        best, after = chosen, tried
    if learns:
        trial = _taught(_with(settings, learnt, first))
        learnt = _with(settings, learnt, recordings)
        corrected = judged(settings, best, second, trial.corrections) if trial.corrections else None
        if corrected and corrected.is_as_good_as(after):
            after, learnt, taught = corrected, _taught(learnt), True
            for reading in corrected.readings:
                learnt = learnt.with_reading(*reading)
    once = judged(settings, best, first, learnt.corrections)
    needed = yes_needed(
        [probability for one in (after, once) for probability in one.yeses],
        [probability for one in (after, once) for probability in one.others],
    )
    made = replace(best, yes=max(known.yes, needed))
    return Fitted(made, learnt if learns else None, before, after, taught)


def fitted_since(settings: Settings, made: Fitted, recordings: Sequence[Labelled], learnt: Any) -> Fitted:
    """The same of what was `learnt` meanwhile, which another program has stored, or removed."""
    learnt = _with(settings, learnt, recordings)
    return replace(made, learnt=_taught(learnt) if made.taught else learnt)


def _with(settings: Settings, learnt: Any, recordings: Sequence[Labelled]) -> Any:
    """What was learnt, with some recordings more, which have taught nothing yet."""
    for one in recordings:
        learnt = learnt.with_recording(one.words, settings.language, settings.convention, one.audio)
    return learnt


def _taught(learnt: Any) -> Any:
    """What its recordings teach the networks; the same where there are none."""
    try:
        ears = load("voices.network.ear", "voice").ears()
    except MissingPartError:
        return learnt
    return load("voices.hearing.learning", "voice").taught(learnt, ears)


def judged(
    settings: Settings, profile: Profile, recordings: Sequence[Labelled], corrections: Sequence[Any] = ()
) -> Judged:
    """How recordings are recognised with a profile and corrections, one after the other."""
    convention, language = settings.convention, settings.language
    yeses = grammar.yeses(convention, language)
    recogniser = open_recogniser(settings, profile, corrections=corrections)
    right = wrong = 0
    probable: dict[bool, list[float]] = {True: [], False: []}
    readings = []
    for one in recordings:
        recogniser.expect(grammar.everything(convention, language), one.expected)
        recogniser.start()
        recogniser.feed(one.audio)
        hypotheses = recogniser.finish()
        meant = partial(_meaning, where=one.position, settings=settings)
        decided = decision.decide(hypotheses, yeses, meant, asked=grammar.answers(convention, language))
        if decided.readings:
            found = meant(decided.readings[0]) == meant(one.words)
            right, wrong = right + found, wrong + (not found)
        if not decided.weighed:
            continue
        best, said = decided.weighed[0], one.words in yeses
        if best.words not in yeses:
            readings.append((best.probability, meant(best.words) == meant(one.words)))
        elif said or decided.readings:
            probable[said].append(decision.judged_yes(best, yeses, hypotheses)[1])
    recogniser.close()
    return Judged(
        right, wrong, len(recordings), tuple(probable[True]), tuple(probable[False]), tuple(readings)
    )


def _meaning(words: str, where: Position | None, settings: Settings) -> Hashable:
    """What words mean, in a position if there is one."""
    if where:
        return meaning(words, where, settings.convention, settings.language)
    readings = read_heard(words, settings.language, settings.convention)
    return readings[0].meaning if readings else words
