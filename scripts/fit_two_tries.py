# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits how two refused utterances are joined: `Joining` in `voices/hearing/said_again.py`.

The voices are held out from the network's training, and are not those of the benchmark. Each announcement
that is refused is said once more by the same voice in the same noise, a little faster or slower, higher or
deeper; other talk is followed by other talk.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from itertools import product, starmap
from pathlib import Path
from typing import Any

import numpy as np
from calibrate_evidence import hypotheses, situations
from hearing_cases import Said, disturbed
from hearing_measures import aligned, weighed
from two_tries import twice

from acessivel.dialogue.interpretation import Context, decide, meaning
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.hearing.decision import Decided
from voices.hearing.said_again import FITTED, Joining, join
from voices.network.speakers import can_speak, draw_speaker, speak
from voices.recognisers import Hypothesis
from voices.recognisers.network import NetworkRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser

FOLDER = Path("build/two-tries")
_KINDS = {"legal": 64, "illegal": 20, "garbage": 14, "command": 2}
_SEED = 50_000
_AT_ONCE = 50
_PRIORS = (-6, -5, -4, -3, -2)
_SHARES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 1.0)
_UNHEARD = (0.001, 0.003, 0.005, 0.01, 0.02)
Case = dict[str, Any]
Pair = tuple[Case, Decided, Decided]


def make(seed: int, network: NetworkRecogniser) -> Iterator[Case]:
    """Cases with what both ears hear "first", and what they hear "second" if the first was refused."""
    chance, noises = random.Random(seed), np.random.default_rng(seed)
    drawn = []
    for said, sentence in situations(seed, _AT_ONCE, _KINDS):
        voices = iter(partial(draw_speaker, chance, said.language, held_out=True), None)
        drawn.append((said, next(voice for voice in voices if can_speak(voice, sentence)), sentence))
    talk = [sentence for said, _, sentence in drawn if said.kind == "garbage"]
    recordings = speak([(voice, sentence) for _, voice, sentence in drawn], seed)
    speech = [one for one in recordings if one.size > 8000]
    for (said, voice, sentence), audio in zip(drawn, recordings, strict=True):
        noise = _noise(chance)
        case = asdict(said) | {"voice": voice.voice, "condition": noise}
        if audio.size < 1600:
            continue
        case["first"] = _heard(said, disturbed(audio, noise, noises, speech), network)
        if not decided(case, "first").readings:
            speed, pitch = voice.speed * chance.uniform(0.9, 1.08), voice.pitch * chance.uniform(0.93, 1.08)
            other = chance.choice(talk) if said.kind == "garbage" else sentence
            again = replace(voice, speed=speed, pitch=pitch)
            if can_speak(again, other):
                second = speak([(again, other)], seed + 1)[0]
                case["second"] = _heard(said, disturbed(second, noise, noises, speech), network)
        yield case


def _noise(chance: random.Random) -> str:
    """A condition in which a good part is refused."""
    if chance.random() < 0.12:
        return chance.choice(["clean", "reverb", "reverb"])
    kind = chance.choice(["white", "pink", "pink", "brown", "babble", "babble", "babble"])
    return f"{kind}:{chance.randint(0, 9)}"


def _heard(said: Said, audio: np.ndarray, network: NetworkRecogniser) -> list[tuple[str, str, float, str]]:
    file = FOLDER / "said.raw"
    file.write_bytes(audio.tobytes())
    words = PocketsphinxRecogniser(grammar.pronunciations("fide", said.language))
    found = [*hypotheses(words, said, file), *hypotheses(network, said, file)]
    return [*found, *weighed(network, found), *aligned(words, found)]


def decided(case: Case, which: str) -> Decided:
    """What one of the two utterances says alone."""
    heard = [Hypothesis(*one) for one in case[which]]
    return decide(heard, Position.start(case["fen"]), "fide", case["language"])


def tried(case: Case, *, joined: bool) -> str:
    """What comes of the second try."""
    where = Context(Position.start(case["fen"]), "fide", case["language"])
    first, second = ([Hypothesis(*one) for one in case[which]] for which in ("first", "second"))
    return twice(first, second, where, case["moves"], joined=joined)


def loss(cases: Sequence[Pair], using: Joining) -> float:
    """The mean of minus the logarithm of what was said, over pairs that were refused."""
    total = 0.0
    for case, first, second in cases:
        where = Position.start(case["fen"])
        meant = cache(partial(meaning, position=where, convention="fide", language=case["language"]))
        joined = join(first, second, meant, using)
        said = meant(case["words"]) if case["words"] else None
        right = [one.probability for one in joined if meant(one.words) == said]
        share = right[0] if right else 1 - sum(one.probability for one in joined)
        total -= math.log(max(share, 1e-4))
    return total / len(cases)


def report(cases: Sequence[Case]) -> None:
    """The best values of the grid, and what comes of the refused announcements with those in use."""
    found = [(case, decided(case, "first"), decided(case, "second")) for case in cases if "second" in case]
    pairs = [one for one in found if not (one[1].readings or one[2].readings)]
    print(f"{len(cases)} cases, {len(found)} refused, {len(pairs)} of them twice")
    losses = {using: loss(pairs, using) for using in starmap(Joining, product(_PRIORS, _SHARES, _UNHEARD))}
    for using in sorted(losses, key=losses.__getitem__)[:10]:
        print(f"{losses[using]:.4f} {using}")
    print(f"in use: {loss(pairs, FITTED):.4f} {FITTED}")
    for joined in (False, True):
        counts = Counter((case["kind"], tried(case, joined=joined)) for case, _, _ in pairs)
        print(f"second try, {'joined' if joined else 'alone'}: {dict(sorted(counts.items()))}")


def main() -> int:
    """Make the recordings, hear them, fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=700)
    parser.add_argument("--reuse", action="store_true", help="take over what was heard in the last run")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / "heard.json"
    if not options.reuse:
        network = NetworkRecogniser()
        seeds = range(_SEED, _SEED + options.cases // _AT_ONCE)
        cases = [case for seed in seeds for case in make(seed, network)]
        kept.write_text(json.dumps(cases), encoding="utf-8")
    report(json.loads(kept.read_text("utf-8")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
