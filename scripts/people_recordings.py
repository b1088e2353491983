# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of people in Debian's packages: who says what in which file, and its sound (`people.toml`)."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import soundfile
import soxr
import tomli

from voices.packages import load
from voices.sound.source import RATE
from voices.words.files import languages
from voices.words.lexicon import FILES, RANKS, plain, vocabulary

FOLDER = Path("build/people")
Split = Literal["train", "fit", "test"]
Kind = Literal["letter", "digit", "nato", "reply", "like", "talk"]
# What a recording of a kind can say; talk can be anything.
_LABELS: Mapping[str, tuple[str, ...]] = {"letter": tuple(FILES), "digit": tuple(RANKS), "nato": tuple(FILES)}
_PATIENCE_S = 600
_FRAME = RATE // 100
# Softer than twice the softest tenth, within these shares of the loudest, is silence before and after a word.
_LOUD = 0.03, 0.1
_MARGIN = 3  # frames that are kept on each side


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording by one speaker: one word of a kind (`label` is "e" or "4"), or talk.

    `language` is that of the words, such as "pt_BR"; `text` are the words, "" if they are not known. A reply
    is a yes or a no of the language. A letter that is `like` one of other languages is labelled with its row
    in the table `alike`.
    """

    speaker: str
    language: str
    split: Split
    kind: Kind
    label: str
    text: str
    path: Path

    def audio(self) -> np.ndarray:
        """What is said, without the silence around it: mono int16 at 16 kHz."""
        return trimmed(decoded(self.path))


@dataclass(frozen=True, slots=True)
class Announcer:
    """Two speakers, or one, whose words for files and ranks are joined to announcements of a convention."""

    language: str
    convention: str
    files: str
    ranks: str

    @property
    def name(self) -> str:
        """Who speaks."""
        return " + ".join(dict.fromkeys((self.files, self.ranks)))


@cache
def script() -> dict[str, Any]:
    """What stands in `people.toml`."""
    return tomli.loads(Path(__file__).with_name("people.toml").read_text("utf-8"))


@cache
def recordings(split: Split | None = None) -> tuple[Recording, ...]:
    """Every recording of a split, or of all; the same sound of a speaker once. Unpacks what is missing."""
    found = (one for entry in script()["speaker"] for one in _of_entry(entry) if split in (None, one.split))
    return tuple({(one.speaker, one.kind, one.label, _digest(one.path)): one for one in found}.values())


def announcers(split: Split | None = None) -> tuple[Announcer, ...]:
    """Who announces in a split, or in all. Raises ValueError if only one of two speakers is of the test."""
    return tuple(one for one in _announcers() if split in (None, split_of(one)))


def split_of(announcer: Announcer) -> Split:
    """The split of both speakers; "train" if only one of them is that."""
    splits = {one.split for one in recordings() if one.speaker in (announcer.files, announcer.ranks)}
    if "test" in splits and len(splits) > 1:
        raise ValueError(f"{announcer.name}: one is of the test, and one is not")
    return "train" if "train" in splits else splits.pop()


@cache
def _announcers() -> tuple[Announcer, ...]:
    return tuple(Announcer(**entry) for entry in script()["announcer"])


def require(package: str) -> Path:
    """The folder of an unpacked package; it is downloaded if it is missing, which asks for no privilege.

    SystemExit where it cannot be had.
    """
    folder = FOLDER / "packages" / package
    if not folder.exists():
        half, debs = folder.with_name(f"{package}.half"), FOLDER / "debs"
        for made in (folder.parent, debs):
            made.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(half, ignore_errors=True)
        try:
            if not list(debs.glob(f"{package}_*.deb")):
                print(f"Downloading {package}.")
                subprocess.run(["apt-get", "download", package], cwd=debs, check=True, timeout=_PATIENCE_S)
            deb = max(debs.glob(f"{package}_*.deb"))
            subprocess.run(["dpkg-deb", "-x", str(deb), str(half)], check=True, timeout=_PATIENCE_S)
        except (OSError, subprocess.SubprocessError) as error:
            raise SystemExit(f"Debian's package {package} cannot be had or unpacked: {error}") from error
        half.rename(folder)
    return folder


def decoded(path: Path) -> np.ndarray:
    """Any recording as mono int16 at 16 kHz; FFmpeg reads what libsndfile cannot (G.722, GSM)."""
    if path.suffix in (".wav", ".ogg"):
        audio, rate = soundfile.read(path, dtype="float32", always_2d=True)
        sound = soxr.resample(audio.mean(axis=1), rate, RATE)
        return np.asarray(np.clip(sound * 32767, -32768, 32767), np.int16)
    av = load("av", "people")
    resampler = av.AudioResampler("s16", "mono", RATE)
    with av.open(str(path), format=path.suffix[1:]) as container:
        frames = [part for frame in container.decode(audio=0) for part in resampler.resample(frame)]
    samples = [frame.to_ndarray()[0] for frame in (*frames, *resampler.resample(None))]
    return np.concatenate(samples or [np.zeros(0, np.int16)])  # one file of the packages is empty


def trimmed(audio: np.ndarray) -> np.ndarray:
    """A recording without the silence before and after its sound."""
    frames = audio[: len(audio) // _FRAME * _FRAME].astype(np.float32).reshape(-1, _FRAME)
    if not frames.size:
        return audio
    level = np.sqrt(np.mean(np.square(frames - frames.mean()), axis=1))
    floor = np.clip(2 * np.quantile(level, 0.1), *(share * level.max() for share in _LOUD))
    loud = np.flatnonzero(level > floor)
    if not loud.size:
        return audio
    first, last = max(0, loud[0] - _MARGIN), loud[-1] + 1 + _MARGIN
    return audio[first * _FRAME : last * _FRAME]


def credits_() -> Iterator[str]:
    """A line for each package with its licence, its speakers and whom it is owed to."""
    by_package: dict[str, dict[str, int]] = {name: {} for name in script()["package"]}
    for one in recordings():
        package = one.path.relative_to(FOLDER / "packages").parts[0]
        by_package[package][one.speaker] = by_package[package].get(one.speaker, 0) + 1
    for name, speakers in by_package.items():
        about = script()["package"][name]
        counted = ", ".join(f"{speaker} {count}" for speaker, count in speakers.items())
        yield f"{name}: {about['licence']}, {about['credit']}; {counted}"


def _of_entry(entry: Mapping[str, Any]) -> Iterator[Recording]:
    for language in entry["languages"]:
        folder = require(entry["package"].replace("{language}", language))
        speaker = entry["name"].replace("{language}", language)
        misnamed = script()["misnamed"].get(speaker, {})
        labels = _LABELS | {"reply": _replies(language)}
        for kind in ("letter", "digit", "nato", "reply", "talk"):
            for pattern in entry.get(kind, ()):
                for path, label in _matching(folder, pattern.replace("{language}", language)):
                    if kind == "talk" and label not in entry.get("not", ()):
                        text = _text(entry.get("text", ""), path, label, language)
                        yield Recording(speaker, language, entry["split"], "talk", label, text, path)
                    elif (low := label.lower()) in set(labels.get(kind, ())) - set(misnamed.get(kind, "")):
                        yield Recording(speaker, language, entry["split"], kind, low, low, path)
        for label, name in script()["like"].get(speaker, {}).items() if "like" in entry else ():
            pattern = entry["like"].replace("{language}", language).replace("{}", name)
            for path in folder.glob(pattern):
                yield Recording(speaker, language, entry["split"], "like", label, "", path)


def _replies(language: str) -> tuple[str, ...]:
    """Every yes and no of a speaker's language, if the program has it."""
    known = language.partition("_")[0]
    phrases = vocabulary(known).all("answer") if known in languages() else ()
    return tuple(plain(phrase) for phrase, _ in phrases)


def _matching(folder: Path, pattern: str) -> Iterator[tuple[Path, str]]:
    """The files of a pattern with what its "{}" stands for, in the order of their names."""
    before, after = pattern.rpartition("/")[2].split("{}")
    exact = re.compile(f"{re.escape(before)}(.+){re.escape(after)}")
    for path in sorted(folder.glob(pattern.replace("{}", "*"))):
        if found := exact.fullmatch(path.name):
            yield path, found[1]


def _text(where: str, path: Path, label: str, language: str) -> str:
    if where == "stem":
        return label.rpartition("_")[2].replace("-", " ")
    if where != "beside" or not (beside := path.with_name(f"{label}.txt")).exists():
        return ""
    lines = beside.read_text("utf-8", "replace").splitlines()
    key = f"{language}.utf8="
    given = next((line.removeprefix(key) for line in lines if line.startswith(key)), "")
    return (lines[0] if language == "en" and lines else given).strip()


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
