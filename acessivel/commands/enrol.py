# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel enrol`: a guided session by voice -> the profile of a speaker, if it is better than none."""

from __future__ import annotations

import argparse
import sys
import wave
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TextIO

from acessivel.app.enrolment import EnrolmentActivity, Recording
from acessivel.app.enrolment_prompts import ROUNDS, prompts
from acessivel.app.loop import open_loop
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.output import write_line
from acessivel.devices.recogniser import hearing_missing, open_recogniser
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from acessivel.storage import private_files
from voices.grammar import grammar
from voices.hearing import evidence
from voices.hearing.profile import Profile, yes_needed
from voices.hearing.profile_fit import fitted
from voices.packages import MissingPartError
from voices.recognisers import Hypothesis
from voices.sound.source import RATE
from voices.understanding.meanings import read


@dataclass(frozen=True, slots=True)
class Judged:
    """How many recordings were recognised, and how probable a yes was in those of a yes, and in others."""

    right: int
    total: int
    yeses: tuple[float, ...]
    others: tuple[float, ...]
    yes_in_general: float


def run(options: argparse.Namespace) -> int:
    """Lead a speaker through the enrolment. Raises UserError if it cannot begin."""
    settings = device_settings_of(options)
    if settings.hear == "keyboard":
        settings = replace(settings, hear="auto")
    try:
        return enrol(settings, sys.stdin, options.keep_audio)
    except MissingPartError as error:
        raise UserError(hearing_missing(settings)) from error


def enrol(settings: Settings, keys: TextIO | None, keep_audio: Path | None) -> int:
    """Lead a speaker through the enrolment; returns 0 if there is a profile, or the speaker chose to leave.

    Raises UserError or MissingPartError if it cannot begin.
    """
    name = profiles.new_name(settings)
    _prepare(profiles.folder(settings), *((keep_audio,) if keep_audio else ()))
    open_recogniser(replace(settings, profile=profiles.NONE)).close()  # refused before anybody has spoken

    def finish(noise_db: float, recordings: Sequence[Recording]) -> tuple[Message, ...]:
        made, report = fit(settings, name, noise_db, recordings)
        _store(settings, made, recordings, keep_audio)
        return (*report, Message.of("enrol_done", name=name))

    quiet = replace(settings, hear="keyboard", opponent="human", profile=profiles.NONE, private_output="")
    with open_loop(quiet, write_line, keys) as loop:
        enrolment = EnrolmentActivity(settings, loop.devices, loop.report, finish)
        loop.run(enrolment)
    return enrolment.status


def fit(
    settings: Settings, name: str, noise_db: float, recordings: Sequence[Recording]
) -> tuple[Profile, tuple[Message, ...]]:
    """The profile made from the recordings, and what to tell about it.

    The pronunciations are fitted to the first round and judged by the second; they are kept only if more is
    recognised with them.
    """
    words = grammar.pronunciations(settings.convention, settings.language)
    first, second = ([one for one in recordings if one.round == round_] for round_ in ROUNDS)
    chosen = fitted([(one.prompt.words, one.audio) for one in first], words)
    plain = Profile(name, datetime.now().astimezone().date(), noise_db, 0.0, {})
    before, after = (
        judged(settings, profile, second) for profile in (plain, replace(plain, pronunciations=chosen))
    )
    better = after.right > before.right
    best = replace(plain, pronunciations=chosen) if better else plain
    heard = (after if better else before, judged(settings, best, first))
    needed = yes_needed(
        max(one.yes_in_general for one in heard),
        [probability for one in heard for probability in one.yeses],
        [probability for one in heard for probability in one.others],
    )
    report = (
        Message.of("enrol_noise", level=round(noise_db)),
        Message.of("enrol_before_after", before=before.right, after=after.right, count=before.total),
        Message.of("enrol_better" if better else "enrol_not_better"),
    )
    return replace(best, yes=needed), report


def judged(settings: Settings, profile: Profile, recordings: Sequence[Recording]) -> Judged:
    """How recordings are recognised with a profile, one after the other, if all the prompts can be said."""
    convention, language = settings.convention, settings.language
    yeses = grammar.yeses(language)
    phrases = tuple(
        {prompt.words: None for round_ in ROUNDS for prompt in prompts(convention, language, round_)}
    )
    recogniser = open_recogniser(settings, profile)
    recogniser.expect(grammar.everything(convention, language), phrases)
    right, in_general = 0, 0.0
    probabilities: dict[bool, list[float]] = {True: [], False: []}
    for one in recordings:
        recogniser.start()
        recogniser.feed(one.audio)
        hypotheses = recogniser.finish()
        decided = evidence.decide(
            hypotheses, yeses, lambda words: _meaning(words, settings), asked=grammar.answers(language)
        )
        right += bool(decided.readings) and _same(decided.readings[0], one.prompt.words, settings)
        probability = sum(found.probability for found in decided.weighed if found.words in yeses)
        probabilities[one.prompt.words in yeses].append(probability)
        in_general = max(in_general, _general_yes(hypotheses))
    recogniser.close()
    return Judged(right, len(recordings), tuple(probabilities[True]), tuple(probabilities[False]), in_general)


def _general_yes(hypotheses: Sequence[Hypothesis]) -> float:
    return evidence.model(evidence.recognisers(hypotheses)).yes if hypotheses else 0.0


def _meaning(words: str, settings: Settings) -> object:
    readings = read(words, settings.language, settings.convention)
    return readings[0].meaning if readings else words


def _same(words: str, other: str, settings: Settings) -> bool:
    return _meaning(words, settings) == _meaning(other, settings)


def _prepare(*folders: Path) -> None:
    """Make the folders before anybody has spoken for minutes. Raises UserError."""
    for folder in folders:
        try:
            private_files.make_folder(folder)
        except OSError as error:
            raise UserError(_not_kept(folder)) from error


def _not_kept(folder: Path) -> Message:
    return Message.of("enrol_not_kept", folder=str(folder))


def _store(
    settings: Settings, made: Profile, recordings: Sequence[Recording], keep_audio: Path | None
) -> None:
    """Store the profile, and the recordings if requested. Raises UserError."""
    folder = profiles.folder(settings)
    try:
        profiles.store(settings, made)
        if keep_audio:
            folder = keep_audio
            _keep(recordings, folder)
    except OSError as error:
        raise UserError(_not_kept(folder)) from error


def _keep(recordings: Sequence[Recording], folder: Path) -> None:
    """Write the recordings as WAV files named by round and prompt."""
    for one in recordings:
        name = f"{one.round}-{one.prompt.words.replace(' ', '-')}.wav"
        with wave.open(str(folder / name), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(one.audio)
