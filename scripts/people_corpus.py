# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of people to train the network with: words for files and ranks, other talk with its sounds."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path

import numpy as np
from people_recordings import Recording, recordings

from voices.network.corpus import Corpus, LabelledRecording
from voices.network.tokens import FILLER, owner, token
from voices.sound.source import RATE
from voices.words.files import languages
from voices.words.lexicon import plain, vocabulary, words_of

_SECTIONS = {"letter": "file", "nato": "file", "digit": "rank"}
_LONGEST_S = 9.0
# So many seconds a sound are speech; what has more or fewer is not what the text says.
_SOUND_S = (0.035, 0.25)
_VOICES = {"en": "en-us", "en_GB": "en-gb", "fr": "fr-fr", "pt_BR": "pt-br"}


def corpus() -> Corpus:
    """All that may be trained on, in a fixed order."""
    found = [one for one in recordings("train") if _is_no_known_word(one)]
    with ProcessPoolExecutor() as pool:
        audio = pool.map(Recording.audio, found, chunksize=50)
        sounds = _sounds(found)
        heard = [_labelled(*one) for one in zip(found, audio, sounds, strict=True)]
    return Corpus([one for one in heard if RATE // 10 < one.audio.size < _LONGEST_S * RATE])


def _labelled(one: Recording, audio: np.ndarray, sounds: tuple[str, ...]) -> LabelledRecording:
    seconds = len(audio) / RATE
    if (word := _word(one)) is not None:
        return LabelledRecording(audio, (word,), "word", one.speaker)
    fits = bool(sounds) and _SOUND_S[0] <= seconds / len(sounds) <= _SOUND_S[1]
    return LabelledRecording(audio, (FILLER,), "talk", one.speaker, sounds if fits else ())


def _word(one: Recording) -> str | None:
    """The token of a word that names a file or a rank; None for anything else, and in other languages."""
    language = one.language.partition("_")[0]
    if one.kind == "talk" or (one.kind != "nato" and language not in languages()):
        return None
    words = vocabulary("nato" if one.kind == "nato" else language)
    return token(owner(words), plain(words.phrases[_SECTIONS[one.kind]][one.label][0]))


def _is_no_known_word(one: Recording) -> bool:
    """Whether it is no talk that happens to be a word which is listened for, such as the syllable "be"."""
    language = one.language.partition("_")[0]
    if one.kind != "talk" or language not in languages():
        return True
    return not all(plain(word) in vocabulary(language).sounds for word in words_of(one.text) or ("?",))


def _sounds(found: Sequence[Recording]) -> Iterator[tuple[str, ...]]:
    """What espeak-ng makes of the texts, as ARPAbet; nothing where a text is not known."""
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    texts = sorted({(one.language, line) for one in found if (line := _line(one))})
    for language, group in groupby(texts, key=lambda text: text[0]):
        keys = list(group)
        spoken = _ipa([line for _, line in keys], _VOICES.get(language, language))
        known |= zip(keys, map(_arpabet, spoken), strict=True)
    return (known.get((one.language, _line(one)), ()) for one in found)


def _line(one: Recording) -> str:
    """The words of a text on one line: a mark would make espeak-ng begin another."""
    return " ".join(words_of(one.text))


def _ipa(lines: Sequence[str], voice: str) -> list[str]:
    """What espeak-ng says in each line; an empty line between two keeps them apart."""
    command = ["espeak-ng", "-q", "--ipa", "-v", voice]
    done = subprocess.run(command, input="\n\n".join(lines), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[::2]


def _arpabet(ipa: str) -> tuple[str, ...]:
    """The sounds of `ipa.toml`, the longest match first; what does not stand there is left out."""
    text = unicodedata.normalize("NFD", ipa)
    found: list[str] = []
    at = 0
    while at < len(text):
        size = next((n for n in (3, 2, 1) if text[at : at + n] in _IPA), 0)
        found += _IPA.get(text[at : at + size], "").split()
        at += size or 1
    return tuple(found)


_IPA: dict[str, str] = {
    unicodedata.normalize("NFD", ipa): arpabet
    for arpabet, listed in tomllib.loads(Path(__file__).with_name("ipa.toml").read_text("utf-8"))[
        "ipa"
    ].items()
    for ipa in listed
}


def main() -> int:
    """Write the corpus, and say how much it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    options = parser.parse_args()
    found = corpus()
    found.save(options.path)
    for kind in ("word", "talk"):
        some = [one for one in found.spoken if one.kind == kind]
        seconds = sum(one.audio.size for one in some) / RATE
        speakers, sounding = {one.voice for one in some}, [one for one in some if one.sounds]
        count = f"{len(speakers)} speakers, {len(sounding)} with sounds"
        print(f"{kind}: {len(some)} recordings, {seconds / 60:.0f} minutes, {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
