# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences -> recordings by espeak-ng, flite, festival and Kokoro: the voices of `speakers.toml`."""

from __future__ import annotations

import io
import random
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import soxr
import tomli

from voices.network import kokoro
from voices.network.sentences import Sentence, Word
from voices.phones import vowels
from voices.sound.source import RATE
from voices.words.lexicon import plain

_PATIENCE_S = 1200  # a program that hangs ends; one that says much on a busy machine does not
_EXTENDED_TO_ENGLISH = {"UE": "UW", "OE": "ER", "X": "K", "CX": "SH"}
_ESPEAK_READS = ("espeak", "kokoro")  # engines that say what espeak-ng makes of a text
_VOWELS = vowels() | {"OE", "UE"}  # two more, for the voices of other languages


@dataclass(frozen=True, slots=True)
class TrainingVoice:
    """A voice and how it speaks: `speed` and `pitch` are factors (1.0 the voice's own)."""

    engine: str
    name: str
    speed: float
    pitch: float
    pauses: float  # the share of words that are followed by a pause
    variant: str = ""

    @property
    def voice(self) -> str:
        """What must not be on both sides of a split: the engine and the voice, or its variant."""
        return f"{self.engine}/{self.variant or self.name}"


def draw_speaker(
    chance: random.Random, language: str, *, held_out: bool = False, engine: str = ""
) -> TrainingVoice:
    """A voice for a user of a language, from the training voices or from those held out.

    `engine`: whose voices; otherwise any of those that have a weight.
    """
    groups = {name: group for name, group in _groups().items() if not held_out or group["held_out"]}
    engine = engine or chance.choices(list(groups), [group["weight"] for group in groups.values()])[0]
    group = groups[engine]
    manner = (chance.uniform(0.8, 1.25), chance.uniform(0.8, 1.25), chance.choice([0, 0, 0, 0, 0.3, 1.0]))
    if engine not in _ESPEAK_READS:
        return TrainingVoice(engine, chance.choice(group["held_out" if held_out else "names"]), *manner)
    own = [name for name in group["names"] if name.startswith(language)]
    name = chance.choice(own if chance.random() < 0.6 else group["names"])
    return TrainingVoice(
        engine, name, *manner, variant=chance.choice(group["held_out" if held_out else "variants"])
    )


def can_speak(speaker: TrainingVoice, sentence: Sentence) -> bool:
    """Whether a voice can say every word: espeak-ng reads every language, for itself and for Kokoro."""
    if speaker.engine in _ESPEAK_READS:
        return True
    if speaker.engine == "flite":
        return all(word.sounds for word in sentence) or not any(word.sounds for word in sentence)
    return all(
        word.sounds or speaker.engine != "festival.english" or plain(word.spelling) for word in sentence
    )


def speak(jobs: Sequence[tuple[TrainingVoice, Sentence]], seed: int) -> list[np.ndarray[Any, Any]]:
    """Recordings (int16, 16 kHz, mono), one for each job; an empty one if the voice failed."""
    chance = random.Random(seed)  # noqa: S311
    found: list[np.ndarray[Any, Any]] = [np.zeros(0, np.int16)] * len(jobs)
    later: dict[str, list[int]] = {}
    for number, (speaker, sentence) in enumerate(jobs):
        if speaker.engine == "espeak":
            found[number] = _espeak(speaker, sentence, chance)
        elif speaker.engine == "kokoro":
            found[number] = _kokoro(speaker, sentence, chance)
        elif speaker.engine == "flite":
            found[number] = _flite(speaker, sentence, chance)
        else:
            later.setdefault(speaker.name, []).append(number)
    for numbers in later.values():
        for number, audio in zip(numbers, _festival([jobs[n] for n in numbers], chance), strict=True):
            found[number] = audio
    return found


def _espeak(speaker: TrainingVoice, sentence: Sentence, chance: random.Random) -> np.ndarray[Any, Any]:
    words = [_for_espeak(speaker, word, chance) for word in sentence]
    voice = f"{speaker.name}+{speaker.variant}" if speaker.variant else speaker.name
    speed, pitch = round(150 * speaker.speed), round(min(99, 45 * speaker.pitch))
    command = ["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch), "--stdout", "--"]
    return _decoded(_run([*command, _joined(words, speaker, chance)]))


def _kokoro(speaker: TrainingVoice, sentence: Sentence, chance: random.Random) -> np.ndarray[Any, Any]:
    """What espeak-ng reads; into the speaker's voice another is mixed, perhaps with the melody of a third."""
    words = [_for_espeak(speaker, word, chance) for word in sentence]
    text = _joined(words, speaker, chance)
    command = ["espeak-ng", "-v", speaker.name, "-q", "--ipa", "--tie=^", "--"]
    ipa = ", ".join(_run([*command, text]).decode().split("\n")).strip(", ")
    ipa = re.sub(r"\(.*?\)", "", ipa)  # "(en)": here another language begins
    if not ipa:
        return np.zeros(0, np.int16)
    if speaker.name == "de":
        ipa = ipa.replace("r", "ʁ")  # espeak-ng writes any r so
    group = _groups()["kokoro"]
    voices = group["variants" if speaker.variant in group["variants"] else "held_out"]
    melody = speaker.variant if chance.random() < 0.5 else chance.choice(voices)
    sound = (speaker.variant, chance.choice(voices))
    ipa += chance.choice([".", ".", "!", "?", ",", ""])
    return _cut(kokoro.say(ipa, sound, melody, chance.uniform(0.5, 1), speaker.speed), kokoro.RATE)


def _for_espeak(speaker: TrainingVoice, word: Word, chance: random.Random) -> str:
    native = speaker.name.startswith(word.language)
    if word.spelling and (not word.sounds or (native and chance.random() < 0.8)):
        return word.spelling
    return f"[[{_mnemonics(speaker.name, word.sounds)}]]"


@cache
def _mnemonics(language: str, sounds: str) -> str:
    """The sounds as phonemes of an espeak-ng language, the first vowel stressed."""
    found, stressed = [], False
    for sound in sounds.split():
        mark = "'" if sound in _VOWELS and not stressed else ""
        stressed = stressed or bool(mark)
        found.append(mark + _espeak_phonemes(language)[sound])
    return "".join(found)


@cache
def _espeak_phonemes(language: str) -> dict[str, str]:
    """What to write for each sound so that this language's voice says it."""
    table: dict[str, str] = {}
    for sound, choices in _accents()["espeak"].items():
        for choice in choices:
            wanted = choice.replace(" ", "")
            said = _run(["espeak-ng", "-v", language, "-q", "-x", "--", f"[[{wanted}a]]"]).decode()
            if said.strip().replace("'", "") in (f"{wanted}a", f"{wanted.replace(':', '')}a"):
                table[sound] = wanted
                break
        else:
            table[sound] = choices[-1].replace(" ", "")
    return table


def _flite(speaker: TrainingVoice, sentence: Sentence, chance: random.Random) -> np.ndarray[Any, Any]:
    manner = ["--setf", f"duration_stretch={1 / speaker.speed:.2f}"]
    manner += ["--setf", f"int_f0_target_mean={115 * speaker.pitch:.0f}"]
    if all(word.sounds for word in sentence):
        words = [
            " ".join(_english(sound, n) for n, sound in enumerate(word.sounds.split())) for word in sentence
        ]
        text = ["-p", f"pau {_joined(words, speaker, chance, ' pau ')} pau"]
    else:
        text = ["-t", " ".join(plain(word.spelling) for word in sentence)]
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        _run(["flite", "-voice", speaker.name, *manner, *text, "-o", file.name])
        return _decoded(Path(file.name).read_bytes())


def _english(sound: str, number: int) -> str:
    """A sound for flite: lower case, the first vowel of a word stressed."""
    sound = _EXTENDED_TO_ENGLISH.get(sound, sound)
    return sound.lower() + (("1" if number < 3 else "0") if sound in _VOWELS else "")


def _festival(
    jobs: Sequence[tuple[TrainingVoice, Sentence]], chance: random.Random
) -> list[np.ndarray[Any, Any]]:
    """Recordings by one festival voice, all in one run of the program."""
    speaker = jobs[0][0]
    group = _groups()[speaker.engine]
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"(voice_{speaker.name})"]
        entries: dict[str, str] = {}
        for number, (manner, sentence) in enumerate(jobs):
            words = [_for_festival(speaker.engine, word, entries) for word in sentence]
            text = _joined(words, manner, chance).replace('"', "")
            lines.append(f"(Parameter.set 'Duration_Stretch {1 / manner.speed:.2f})")
            lines.append(
                f'(utt.save.wave (utt.synth (Utterance Text "{text}")) "{folder}/{number}.wav" \'riff)'
            )
        added = [
            f'(lex.add.entry \'("{name}" nil ({_syllables(sounds)})))' for sounds, name in entries.items()
        ]
        script = Path(folder, "say.scm")
        script.write_text(
            "\n".join([lines[0], *added, *lines[1:]]),
            encoding=group.get("encoding", "ascii"),
            errors="replace",
        )
        _run(["festival", "-b", str(script)])
        files = [Path(folder, f"{number}.wav") for number in range(len(jobs))]
        return [_decoded(file.read_bytes() if file.exists() else b"") for file in files]


def _for_festival(engine: str, word: Word, entries: dict[str, str]) -> str:
    if not word.sounds:
        return plain(word.spelling)
    if engine == "festival.english":
        return entries.setdefault(word.sounds, _new_name(len(entries)))
    letters = _accents()["letters"][engine.partition(".")[2]]
    return "".join(letters[sound] for sound in word.sounds.split())


def _new_name(number: int) -> str:
    """A word that is in no lexicon."""
    return "xq" + "".join("abcdefghij"[int(digit)] for digit in str(number))


def _syllables(sounds: str) -> str:
    """ARPAbet as festival's syllables, the first of them stressed."""
    english = [_EXTENDED_TO_ENGLISH.get(sound, sound) for sound in sounds.split()]
    found = re.findall(r"(?:[^+\s]+\s)*?[^\s]+\+\s(?:[^+\s]+\s)*$|(?:[^+\s]+\s)*?[^\s]+\+\s", "".join(
        f"{sound}+ " if sound in _VOWELS else f"{sound} " for sound in english
    ))  # fmt: skip
    parts = found or [" ".join(english)]
    return " ".join(
        f"(({part.replace('+', '').strip().lower()}) {int(number == 0)})" for number, part in enumerate(parts)
    )


def _joined(words: Sequence[str], speaker: TrainingVoice, chance: random.Random, pause: str = ", ") -> str:
    text = words[0]
    for word in words[1:]:
        text += (pause if chance.random() < speaker.pauses else " ") + word
    return text


def _run(command: Sequence[str]) -> bytes:
    done = subprocess.run(command, check=False, capture_output=True, timeout=_PATIENCE_S)  # noqa: S603
    return done.stdout


def _decoded(wave: bytes) -> np.ndarray[Any, Any]:
    """A WAV file, cut."""
    if len(wave) < 100:
        return np.zeros(0, np.int16)
    return _cut(*soundfile.read(io.BytesIO(wave), dtype="float32"))


def _cut(audio: np.ndarray[Any, Any], rate: int) -> np.ndarray[Any, Any]:
    """Sound as int16 at 16 kHz, with the silence around it cut to a tenth of a second."""
    audio = soxr.resample(audio, rate, RATE) if rate != RATE else audio
    loud = np.flatnonzero(np.abs(audio) > 0.01 * np.abs(audio).max(initial=0))
    if not loud.size:
        return np.zeros(0, np.int16)
    around = RATE // 10
    audio = audio[max(0, loud[0] - around) : loud[-1] + around]
    return np.asarray(audio / max(1e-9, np.abs(audio).max()) * 20000, np.int16)


@cache
def _groups() -> dict[str, dict[str, Any]]:
    data = tomli.loads(Path(__file__).with_name("speakers.toml").read_text("utf-8"))
    festival = data.pop("festival")
    return data | {f"festival.{language}": group for language, group in festival.items()}


@cache
def _accents() -> dict[str, Any]:
    return tomli.loads(Path(__file__).with_name("accents.toml").read_text("utf-8"))
