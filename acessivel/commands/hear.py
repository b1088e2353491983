# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel hear`: recordings, each in a position -> how the program understands them."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import tomli

from acessivel.commands.cases import Case, read_cases
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.given_position import position_of
from acessivel.commands.output import write_line
from acessivel.devices.installation import install, voice_missing
from acessivel.devices.recogniser import hearing_missing, open_recogniser
from acessivel.dialogue.interpretation import Question, decide, hear_in
from acessivel.dialogue.outcome import Understood, in_words, understand
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from voices.packages import MissingPartError
from voices.sound.source import read_wav
from voices.speakers import SpeakerMissingError
from voices.speakers.synthesis import synthesise

_MOST_DB = 100
_TALKERS, _WORDS = 8, 12  # babble is made of so many voices with so many words each


def run(options: argparse.Namespace) -> int:
    """Recognise one recording, or all those in a file of cases, each as if it were the first."""
    settings = device_settings_of(options)
    if (options.file is None) == (options.cases is None):
        raise UserError(Message.of("hear_what"))
    if options.cases and options.fen:  # each case has a position of its own
        raise UserError(Message.of("bad_option", option="--fen", program="acessivel hear"))
    if broken := profiles.broken(settings):  # it would be measured without
        raise UserError(broken)
    if settings.hear == "keyboard":
        settings = dataclasses.replace(settings, hear="auto")
    noise = _noise(options.noise, 1 if options.seed is None else options.seed) if options.noise else None
    renderer = Renderer(settings.language, settings.convention)
    if options.cases:
        cases = read_cases(options.cases, settings)
    else:
        cases = [Case(options.file, position_of(options.fen))]
    for number, case in enumerate(cases):
        found, readings = _hear(case, settings, renderer, noise and (lambda audio, n=number: noise(audio, n)))
        if not options.json:
            said = in_words(found, renderer)
            write_line(f"{case.file.name}: {said}" if options.cases else said)
            continue
        line = dataclasses.asdict(found) | ({"readings": readings} if options.cases else {})
        write_line(json.dumps(line, ensure_ascii=False))
    return 0


def _hear(
    case: Case, settings: Settings, renderer: Renderer, noise: Callable[[bytes], bytes] | None
) -> tuple[Understood, list[dict[str, object]]]:
    """How a recording is understood, and each reading with its probability and moves."""
    began = time.perf_counter()
    try:
        recogniser = open_recogniser(settings)
    except MissingPartError as error:
        raise UserError(hearing_missing(settings, "needs_hearing")) from error
    loaded = time.perf_counter()
    audio = noise(case.audio()) if noise else case.audio()
    started = time.perf_counter()
    words = settings.convention, settings.language
    hypotheses = hear_in(recogniser, audio, case.position, *words)
    heard = decide(hypotheses, case.position, *words, Question((), *profiles.needed(settings)))
    recogniser.close()
    ms = {"load": (loaded - began) * 1000, "hear": (time.perf_counter() - started) * 1000}
    readings = []
    for one in heard.weighed:
        moves = understand((one.words,), case.position, renderer, spoken=True).moves
        readings.append({"words": one.words, "probability": round(one.probability, 4), "moves": moves})
    found = understand(
        heard.readings, case.position, renderer, spoken=True, sure=heard.sure, doubted=heard.doubted
    )
    return dataclasses.replace(found, ms=ms), readings


def _noise(wanted: str, seed: int) -> Callable[[bytes, int], bytes]:
    """A function that adds noise such as "pink:10" (dB below the speech) to mono s16le audio.

    Raises UserError.
    """
    kind, _, level = wanted.partition(":")
    try:
        disturb: Any = importlib.import_module("voices.sound.disturbance")
        numpy: Any = importlib.import_module("numpy")
    except ImportError as error:
        raise UserError(Message.of("needs_hearing", how=install("voice"))) from error
    try:
        snr_db = float(level)
    except ValueError:
        kind = ""
    if kind not in disturb.NOISES or not abs(snr_db) <= _MOST_DB:  # nor what is no number
        raise UserError(Message.of("bad_noise", noise=wanted, most=_MOST_DB, kinds=", ".join(disturb.NOISES)))
    speech = [numpy.frombuffer(audio, "<i2") for audio in _talk(seed)] if kind == "babble" else []

    def add(audio: bytes, number: int) -> bytes:
        samples = numpy.frombuffer(audio, "<i2").astype("float32")
        made = disturb.noise(kind, samples.size, numpy.random.default_rng([abs(seed), number]), speech)
        return bytes(disturb.add_noise(samples, made, snr_db).clip(-32768, 32767).astype("<i2"))

    return add


def _talk(seed: int) -> Iterator[bytes]:
    """Talking people, by espeak-ng. Raises UserError without it."""
    chance = random.Random(seed)  # noqa: S311
    words = tomli.loads(resources.files("voices.network").joinpath("garbage.toml").read_text("utf-8"))
    spoken = tuple(words)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "talk.wav")
        for number in range(_TALKERS):
            language = spoken[number % len(spoken)]
            text = " ".join(chance.choices(words[language].split(), k=_WORDS))
            try:
                synthesise(text, file, language, pitch=chance.randrange(20, 80))
            except SpeakerMissingError as error:
                raise UserError(voice_missing("auto")) from error
            yield read_wav(file)
