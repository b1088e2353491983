# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel enrol`: a guided session by voice -> the profile of a speaker, as far as it helps."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from acessivel.app import consent
from acessivel.app.consent import Consent
from acessivel.app.enrolment import EnrolmentActivity, Keep, Recording, opened_microphone
from acessivel.app.enrolment_prompts import ROUNDS, prompts
from acessivel.app.loop import open_loop
from acessivel.app.patience import patiently
from acessivel.app.speaker_fit import Fitted, Labelled, fit, fitted_since
from acessivel.commands.cases import labelled
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.output import write_line
from acessivel.devices.recogniser import hearing_missing, open_recogniser
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings import profiles
from acessivel.settings.command_line import of_profile
from acessivel.settings.settings import Settings
from acessivel.storage import kept_recordings, private_files
from voices.hearing.profile import Profile
from voices.packages import MissingPartError, load
from voices.sound.level import room_dbfs
from voices.sound.source import BLOCK_BYTES


def run(options: argparse.Namespace) -> int:
    """Lead a speaker through the enrolment. Raises UserError if it cannot begin."""
    settings = device_settings_of(options)
    profiles.check_wanted(settings, options.profile)
    if options.origin and options.keep_audio:  # there is nothing to record
        raise UserError(Message.of("bad_option", option="--keep-audio", program="acessivel enrol"))
    if settings.hear == "keyboard":
        settings = replace(settings, hear="auto")
    try:
        if options.origin:
            return learn_from(settings, options.origin)
        return enrol(settings, sys.stdin, options.keep_audio)
    except MissingPartError as error:
        raise UserError(hearing_missing(settings, "needs_hearing")) from error


def enrol(settings: Settings, keys: TextIO | None, keep_audio: Path | None) -> int:
    """Lead a speaker through the enrolment; returns 0 if there is a profile, or the speaker chose to leave.

    Raises UserError or MissingPartError if it cannot begin.
    """
    name = profiles.new_name(settings)
    _prepare(profiles.folder(settings), *((keep_audio,) if keep_audio else ()))
    if keep_audio and kept_recordings.are_in(keep_audio):
        raise UserError(Message.of("enrol_keeps_others", folder=str(keep_audio)))
    with patiently(settings, aloud=True):  # what is missing is refused before anybody has spoken
        open_recogniser(replace(settings, profile=profiles.NONE)).close()
        opened_microphone(settings).close()
    learn = _consent(settings, keys)
    if not learn:
        return 0

    def finish(noise_db: float, recordings: Sequence[Recording], kept: bool) -> Keep:
        known = replace(_known(settings, name, noise_db), yes=0.0)  # all is said that could be taken for one
        learns = learn == "on" and (kept or not keep_audio)  # that keeps a coarse picture of the voice
        made = _fitted(settings, known, _labelled(recordings, settings), learns=learns)
        return partial(_kept, settings, made, recordings, keep_audio if kept else None)

    quiet = replace(settings, hear="keyboard", opponent="human", profile=profiles.NONE, private_output="")
    with open_loop(quiet, write_line, keys) as loop:
        keeps = _keeping(keep_audio, learn) if keep_audio else None
        enrolment = EnrolmentActivity(settings, loop.devices, loop.report, finish, keeps=keeps)
        loop.run(enrolment)
    return enrolment.status


def _kept(
    settings: Settings, made: Fitted, recordings: Sequence[Recording], keep_audio: Path | None
) -> tuple[Message, ...]:
    """Store what came of an enrolment, and say how good it is. Raises UserError."""
    _store(settings, made, recordings, keep_audio)
    noise = Message.of("enrol_noise", level=round(made.profile.noise_db))
    return noise, *_report(settings, made, Message.of("enrol_before_after", **_counts(made)))


def _keeping(folder: Path, learn: str) -> Consent:
    """Whether the recordings may be kept; without them the network learns nothing, whatever was agreed."""
    asked = Message.of("enrol_keeps_ask", folder=str(folder))
    none = Message.of("enrol_keeps_none_learning" if learn == "on" else "enrol_keeps_none")
    return Consent(asked, Message.of("enrol_keeps"), none, none, again=Message.of("enrol_again"))


def _consent(settings: Settings, keys: TextIO | None) -> str | None:
    """Whether the network may learn too, as `consent.ask`; who was never asked is, and heard as in a game."""
    if not consent.wanted(settings):
        return settings.learn
    asked = replace(settings, opponent="human", profile=profiles.NONE, private_output="")
    with open_loop(asked, write_line, keys) as loop:
        return consent.ask(asked, loop, "consent")


def learn_from(settings: Settings, path: Path) -> int:
    """Make a profile of recordings whose words are known, every fourth of which judges; say how good it is.

    Who gives his recordings agrees that the network learns too, unless he has ever said that it may not.
    Raises UserError if they cannot be learnt from, and MissingPartError without the recogniser.
    """
    name = profiles.new_name(settings)
    _prepare(profiles.folder(settings))
    with patiently(settings, aloud=True):
        recordings = labelled(settings, path, _learnt(settings))
        sound = b"".join(one.audio for one in recordings)
        room = room_dbfs([sound[at : at + BLOCK_BYTES] for at in range(0, len(sound), BLOCK_BYTES)])
        known, learns = _known(settings, name, room), settings.learn != "off"
        made = _fitted(settings, known, recordings, learns=learns)
    _store(settings, made, (), None)
    renderer = Renderer(settings.language, settings.convention)
    for message in _report(settings, made, Message.of("enrol_from_before_after", **_counts(made))):
        write_line(renderer.text(message))
    return 0


def _known(settings: Settings, name: str, noise_db: float) -> Profile:
    """What was known of the speaker, of today and this room; nothing if his profile cannot be read."""
    try:
        known = profiles.load(settings)
    except UserError:
        known = None
    yes, pronunciations = (known.yes, known.pronunciations) if known else (0.0, {})
    return Profile(name, datetime.now().astimezone().date(), noise_db, yes, pronunciations)


def _learnt(settings: Settings) -> Any:
    """What was learnt before, a `Learnt`."""
    return profiles.learnt(settings) or load("voices.hearing.learnt", "voice").Learnt()


def _fitted(settings: Settings, known: Profile, recordings: Sequence[Labelled], *, learns: bool) -> Fitted:
    """What is learnt of recordings, with all that a game has learnt of the speaker meanwhile."""
    version = profiles.learnt_version(settings, known.name)
    made = fit(settings, known, recordings, _learnt(settings), learns=learns)
    if made.learnt is None or profiles.learnt_version(settings, known.name) == version:
        return made
    return fitted_since(settings, made, recordings, _learnt(settings))


def _labelled(recordings: Sequence[Recording], settings: Settings) -> list[Labelled]:
    """The recordings of an enrolment; the second round judges what is learnt from the first."""
    asked = (prompts(settings.convention, settings.language, round_) for round_ in ROUNDS)
    phrases = tuple({prompt.words: None for round_ in asked for prompt in round_})
    return [Labelled(one.prompt.words, one.audio, phrases, one.round == ROUNDS[-1]) for one in recordings]


def _counts(made: Fitted) -> dict[str, int]:
    """How many of the recordings that judge were heard right, before and after."""
    return {"before": made.before.right, "after": made.after.right, "count": made.before.total}


def _report(settings: Settings, made: Fitted, counted: Message) -> tuple[Message, ...]:
    """What is told of a profile that was made."""
    as_good = "enrol_as_good" if made.taught else "enrol_not_better"
    better = Message.of("enrol_better" if made.better else as_good)
    return counted, better, Message.of("enrol_done", play=of_profile("play", settings))


def _prepare(*folders: Path) -> None:
    """Make the folders, and write in them, before anybody has spoken for minutes. Raises UserError."""
    for folder in folders:
        try:
            private_files.try_writing(folder)
        except OSError as error:
            raise UserError(_not_kept(folder)) from error


def _not_kept(folder: Path) -> Message:
    return Message.of("enrol_not_kept", folder=str(folder))


def _store(
    settings: Settings, made: Fitted, recordings: Sequence[Recording], keep_audio: Path | None
) -> None:
    """Store the recordings if requested, profile and what was learnt, all or nothing. Raises UserError."""
    folder = keep_audio or profiles.folder(settings)
    kept: tuple[Path, ...] = ()
    try:
        if keep_audio:
            said = ((str(one.round), one.prompt.words, one.audio) for one in recordings)
            kept = kept_recordings.keep(folder, said, settings.language, settings.convention)
        folder = profiles.folder(settings)
        profiles.store(settings, made.profile, made.learnt)
    except OSError as error:
        kept_recordings.forget(kept)
        raise UserError(_not_kept(folder)) from error
