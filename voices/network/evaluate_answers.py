# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m voices.network.evaluate_answers`: how a yes is heard by natural voices that taught nothing."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection
from pathlib import Path

import numpy as np

from voices.grammar import grammar
from voices.network.answers import AnswerEar, phrase
from voices.network.corpus import Corpus
from voices.network.ear import ears
from voices.network.hearings import FOR_ANSWERS, hearings
from voices.network.natural import held_out_answers
from voices.network.vocal_tract import normalised
from voices.sound.disturbance import add_noise, noise
from voices.sound.source import RATE
from voices.words.files import languages

_SNR_DB, _QUIET_DB = 10.0, 45.0
# The probability of all yeses together, in round figures: what the program asks of one depends on all ears.
_SURE = 0.9


def yeses() -> set[str]:
    """Every yes of every language, in plain spelling."""
    return {yes for language in languages() for yes in grammar.yeses("fide", language)}


def counted(answers: AnswerEar, corpus: Corpus, kind: str, yes: Collection[str]) -> Counter[str]:
    """How many yeses and other recordings there are, and how many of each are surely held for a yes.

    `kind`: of the noise that stands 10 dB below what is said; if it is "" that of a microphone, 45 dB below.
    """
    listening = [ear for ear in ears() if ear.network in answers.listens_to]
    chance, found = np.random.default_rng(1), Counter[str]()
    speech = [one.audio for one in corpus.spoken]
    for one in corpus.spoken:
        audio = np.pad(one.audio.astype(np.float32), (RATE // 2, RATE))
        audio = add_noise(audio, noise("white", audio.size, chance), _QUIET_DB)
        if kind:
            audio = add_noise(audio, noise(kind, audio.size, chance, speech), _SNR_DB)
        bands = normalised(audio.clip(-32768, 32767).astype(np.int16))
        each = [
            (again, {ear.network: ear.listened(again).hidden for ear in listening})
            for again in hearings(bands)[:FOR_ANSWERS]
        ]
        heard = answers.heard(each, answers.phrases)
        is_yes = "yes" if phrase(one.labels) in yes else "other"
        found[is_yes] += 1
        found[f"{is_yes} sure"] += (
            sum(np.exp(score) for words, score in heard.items() if words in yes) >= _SURE
        )
    return found


def main() -> int:
    """Print a line for each noise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("build/network"))
    options = parser.parse_args()
    corpus = held_out_answers(options.folder)
    for kind in ("", "pink", "white", "babble"):
        found = counted(AnswerEar(options.answers), corpus, kind, yeses())
        sure, false = (f"{100 * found[f'{one} sure'] / max(1, found[one]):.1f}" for one in ("yes", "other"))
        sys.stdout.write(
            f"{kind or 'clean'}: surely held for a yes {sure} % of {found['yes']}, {false} % of "
            f"{found['other']} that are none\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
