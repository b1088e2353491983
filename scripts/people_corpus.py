# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of people to train the network with: words for files and ranks, other talk with its sounds."""

from __future__ import annotations

import argparse
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path

import tomli
from people_recordings import Recording, recordings, script
from sound_places import places

from voices.network.corpus import Corpus, LabelledRecording
from voices.network.diphones import joined
from voices.network.tokens import FILLER, owner, token
from voices.sound.source import RATE
from voices.words.files import languages
from voices.words.lexicon import plain, vocabulary, words_of

_SECTIONS = {"letter": "file", "nato": "file", "digit": "rank"}
_LONGEST_S = 9.0
_JOINED, _SEED = 16000, 7  # sentences that are made of people's sounds, and how they are drawn
# So many seconds a sound are speech; what has more or fewer is not what the text says.
_SOUND_S = (0.035, 0.25)
Words = tuple[tuple[str, ...], ...]  # the sounds of each
_VOICES = {"en": "en-us", "en_GB": "en-gb", "fr": "fr-fr", "pt_BR": "pt-br"}


def corpus() -> Corpus:
    """All that may be trained on, in a fixed order, and what is made of it."""
    found = [one for one in recordings("train") if one.kind != "reply" and _is_no_known_word(one)]
    with ProcessPoolExecutor() as pool:
        labelled = pool.map(_labelled, found, _spoken(found), chunksize=50)
        heard = [one for some in labelled for one in some]
    return Corpus([*heard, *joined(Corpus(heard), _JOINED, _SEED).spoken])


def _labelled(one: Recording, spoken: Words) -> list[LabelledRecording]:
    """The recording, once for each word that it may be; with the places of its sounds if they are known."""
    audio = one.audio()
    if not RATE // 10 < audio.size < _LONGEST_S * RATE:
        return []
    if one.kind != "talk":
        return [LabelledRecording(audio, (word,), "word", one.speaker) for word in _words(one)]
    sounds = tuple(sound for word in spoken for sound in word)
    if not sounds or not _SOUND_S[0] <= len(audio) / RATE / len(sounds) <= _SOUND_S[1]:
        return [LabelledRecording(audio, (FILLER,), "talk", one.speaker)]
    where = places(audio, spoken)
    return [LabelledRecording(audio, (FILLER,), "talk", one.speaker, sounds, where)]


def _words(one: Recording) -> list[str]:
    """The tokens of a word that names a file or a rank."""
    if one.kind == "like":
        return list(script()["alike"][one.label])
    words = vocabulary("nato" if one.kind == "nato" else one.language.partition("_")[0])
    return [token(owner(words), plain(words.phrases[_SECTIONS[one.kind]][one.label][0]))]


def _is_no_known_word(one: Recording) -> bool:
    """Whether it is no talk that happens to be a word which is listened for, such as the syllable "be"."""
    language = one.language.partition("_")[0]
    if one.kind != "talk" or language not in languages():
        return True
    return not all(plain(word) in vocabulary(language).sounds for word in words_of(one.text) or ("?",))


def _spoken(found: Sequence[Recording]) -> Iterator[Words]:
    """The sounds of each word that espeak-ng makes of the texts; nothing where a text is not known."""
    known: dict[tuple[str, str], Words] = {}
    texts = sorted({(one.language, line) for one in found if (line := _line(one))})
    for language, group in groupby(texts, key=lambda text: text[0]):
        keys = list(group)
        spoken = _ipa([line for _, line in keys], _VOICES.get(language, language))
        known |= zip(keys, (tuple(filter(None, map(_arpabet, line.split()))) for line in spoken), strict=True)
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
    for arpabet, listed in tomli.loads(Path(__file__).with_name("ipa.toml").read_text("utf-8"))["ipa"].items()
    for ipa in listed
}


def main() -> int:
    """Write the corpus, and say how much it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    options = parser.parse_args()
    found = corpus()
    found.save(options.path)
    for kind in ("word", "talk", "joined"):
        some = [one for one in found.spoken if one.kind == kind]
        seconds = sum(one.audio.size for one in some) / RATE
        speakers, sounding = {one.voice for one in some}, [one for one in some if one.sounds]
        placed = sum(bool(one.places) for one in sounding)
        count = f"{len(speakers)} speakers, {len(sounding)} with sounds, {placed} with their places"
        print(f"{kind}: {len(some)} recordings, {seconds / 60:.0f} minutes, {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
