# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m voices.network.evaluate`: how much of what is said is found word for word, voice by voice."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

from voices.grammar import grammar
from voices.network.corpus import SHARES, Corpus, LabelledRecording
from voices.network.ear import Ear, EarExpectation
from voices.network.natural import held_out_moves
from voices.network.tokens import FILLER
from voices.sound.disturbance import add_noise, noise

_PINK_DB = 10.0  # that speech is louder than pink noise


def is_found(ear: Ear, one: LabelledRecording, snr_db: float | None, chance: np.random.Generator) -> bool:
    """Whether what was said is the best phrase of the full grammar, and more probable than other speech.

    `snr_db`: how much louder it is than pink noise; None without any.
    """
    audio = one.audio.astype(np.float32)
    if snr_db is not None:
        audio = add_noise(audio, noise("pink", audio.size, chance), snr_db)
    said = [label.partition(":") for label in one.labels]
    # German words are said in every language.
    language = next((own for own, _, _ in said if own in SHARES and own != "de"), "de")
    heard = _everything(ear, language).heard(ear.listen(audio), 1)
    best, score = heard.said[0] if heard.said else ("", heard.filler)
    return best == " ".join(word for _, _, word in said) and score > heard.filler


@cache
def _everything(ear: Ear, language: str) -> EarExpectation:
    return ear.expect(grammar.everything("fide", language), ())


def main() -> int:
    """Print a line a voice: how many recordings, and the shares found clean and in pink noise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("corpus", type=Path, nargs="?", help="natural voices' if there is none")
    parser.add_argument("--folder", type=Path, default=Path("build/network"), help="where those are kept")
    parser.add_argument("--kind", default="announcement", help="which kind of sentence (`sentences.py`)")
    parser.add_argument("--engine", default="", help="only the voices of an engine")
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    ear, chance = Ear(options.weights), np.random.default_rng(1)
    corpus = Corpus.load(options.corpus) if options.corpus else held_out_moves(options.folder)
    whole = [
        one
        for one in corpus.of(options.kind)
        if FILLER not in one.labels and one.voice.startswith(options.engine)
    ]
    found: dict[str, Counter[str]] = {}
    for one in whole[: options.count]:
        for group in (one.voice, "all"):
            counts = found.setdefault(group, Counter())
            counts["n"] += 1
        for condition, snr_db in (("clean", None), ("pink", _PINK_DB)):
            if is_found(ear, one, snr_db, chance):
                found[one.voice][condition] += 1
                found["all"][condition] += 1
    for group, counts in sorted(found.items()):
        shares = (100 * counts[condition] / counts["n"] for condition in ("clean", "pink"))
        clean, pink = shares
        sys.stdout.write(f"{group}: n {counts['n']}, clean {clean:.1f} %, pink 10 dB {pink:.1f} %\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
