# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m voices.network.evaluate`: how many announcements are found word for word, voice by voice."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from voices.grammar import grammar
from voices.network.corpus import Corpus, LabelledRecording
from voices.network.ear import Ear
from voices.sound.disturbance import add_noise, noise

_PINK_DB = 10.0  # that speech is louder than pink noise


def is_found(ear: Ear, one: LabelledRecording, snr_db: float | None, chance: np.random.Generator) -> bool:
    """Whether the best phrase of the full grammar is what was said, in pink noise or without."""
    audio = one.audio.astype(np.float32)
    if snr_db is not None:
        audio = add_noise(audio, noise("pink", audio.size, chance), snr_db)
    expectation = ear.expect(grammar.everything("fide", "de"), ())
    said = expectation.heard(ear.listen(audio), 1).said
    return bool(said) and said[0][0] == " ".join(label.partition(":")[2] for label in one.labels)


def main() -> int:
    """Print a line a voice: how many announcements, and the shares found clean and in pink noise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--engine", default="", help="only the voices of an engine")
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    ear, chance = Ear(options.weights), np.random.default_rng(1)
    whole = [
        one
        for one in Corpus.load(options.corpus).spoken
        if one.kind == "announcement" and "*" not in one.labels and one.voice.startswith(options.engine)
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
