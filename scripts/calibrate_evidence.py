# SPDX-License-Identifier: GPL-3.0-or-later
"""`make evidence`: fits `voices/hearing/evidence.toml` on voices and people that are new to the network."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from bench_people import hypotheses_of, listen
from hearing_cases import Said, answer, command, disturbed, illegal, languages, legal
from hearing_measures import Heard, Situation, aligned, heard, sounds_in, weighed
from people_recordings import FOLDER as PEOPLE
from scipy.optimize import minimize

from acessivel.dialogue.interpretation import doubt_of, meaning
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.hearing import decision, evidence
from voices.network.sentences import Sentence, Sentences
from voices.network.speakers import can_speak, draw_speaker, speak
from voices.recognisers import Hypothesis, Recogniser
from voices.recognisers.network import NetworkRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser

Case = dict[str, Any]
FOLDER = Path("build/evidence")
SETS = ("pocketsphinx", "network", "network+pocketsphinx", "alignment+network+pocketsphinx")
SHARES = {"legal": 38, "illegal": 22, "garbage": 14, "yes": 10, "no": 8, "command": 8}
# How often a question is open when something is said: it makes answers more probable, never certain.
_ASKED = {"yes": 0.8, "no": 0.8}
_ASKED_OTHERWISE = 0.4
_STRENGTH = 0.002  # of the penalty on large weights
# For people the cases of a kind weigh so much together; of their few yeses and noes the benchmark tells.
_PEOPLE_SHARES = {"legal": 38, "illegal": 22, "garbage": 14, "answer": 18}
# To ears that never doubt a move, one that is not legal, repeated as legal, costs more than asking again.
_UNDOUBTED_COSTS = {"illegal": 3.0}
# Of what is no yes, with a question open, taken for a yes of each kind; the margin is for what was not drawn.
# For a foreign one, which is rare itself, nothing is: what was mistaken for it was once a clear "no".
_FALSE_YES, _MARGIN = {"own": 0.0005, "foreign": 0.0}, 0.01
# A false yes plays a wrong move: it is held to cost five times what asking once more costs.
_LEAST_YES = 0.8
_UNFITTED_YES = 0.95
# Of what is announced and not legal: half of what may be repeated as a legal move, as few are drawn.
_FALSE_LEGAL = 0.005
_SEED = 7000
_HEAD = """# SPDX-License-Identifier: GPL-3.0-or-later
# Written by `make evidence`; the inputs are explained in docs/ears.md.
# For each set of recognisers: the weights of what they say, the probability that a yes of the language and a
# foreign one must have, and how probable what is not possible must be for a possible move to be doubted.
"""
_AT_ONCE = 50


def situations(seed: int, count: int, shares: Mapping[str, int] = SHARES) -> list[tuple[Said, Sentence]]:
    """What is said, with the sounds of each word; `shares`: of each kind."""
    chance, sentences, of = random.Random(seed), Sentences(seed), languages(random.Random(seed))
    found = []
    while len(found) < count:
        language = next(of)
        kind = chance.choices(list(shares), list(shares.values()))[0]
        if kind == "garbage":
            said = Said(kind, legal(chance, language).fen, "", language)
            found.append((said, sentences.garbage(language)))
            continue
        if kind in ("yes", "no"):
            said = answer(chance, language, kind)
        elif kind == "command":
            said = command(chance, language)
        else:
            said = (legal if kind == "legal" else illegal)(chance, language)
        found.append((said, sentences.phrase(said.words, language)))
    return found


def condition(chance: random.Random) -> str:
    """Like the benchmark's conditions, but not the same."""
    if chance.random() < 0.25:
        return "clean"
    if chance.random() < 0.15:
        return "reverb"
    kind = chance.choice(["white", "pink", "pink", "brown", "clicks", "music", "babble", "babble"])
    return f"{kind}:{chance.randint(4, 24)}"


def make(job: tuple[int, int]) -> list[Case]:
    """Cases with the hypotheses of pocketsphinx; the recordings are kept for the network."""
    seed, count = job
    chance, noises = random.Random(seed), np.random.default_rng(seed)
    spoken = []
    for said, sentence in situations(seed, count):
        while True:
            speaker = draw_speaker(chance, said.language, held_out=True)
            if can_speak(speaker, sentence):
                break
        spoken.append((said, speaker, sentence))
    recordings = speak([(speaker, sentence) for _, speaker, sentence in spoken], seed)
    speech = [one for one in recordings if one.size > 8000]
    cases = []
    for number, ((said, speaker, _), audio) in enumerate(zip(spoken, recordings, strict=True)):
        if audio.size < 1600:
            continue
        where = condition(chance)
        file = FOLDER / f"{seed}-{number}.raw"
        file.write_bytes(disturbed(audio, where, noises, speech).tobytes())
        recogniser = PocketsphinxRecogniser(grammar.pronunciations("fide", said.language))
        found = hypotheses(recogniser, said, file)
        recogniser.close()
        cases.append(
            asdict(said)
            | {"voice": speaker.voice, "condition": where, "file": str(file), "pocketsphinx": found}
            | {"asked": chance.random() < _ASKED.get(said.kind, _ASKED_OTHERWISE)}
        )
    return cases


def hypotheses(recogniser: Recogniser, said: Said, file: Path) -> list[Heard]:
    """What a recogniser makes of a recording in its position."""
    return heard(recogniser, file.read_bytes(), Situation(said.fen, "fide", said.language))


def add_network(case: Case) -> Case:
    """The case with the hypotheses of the network too."""
    if "split" in case:
        return listen(case, "network", _weights)
    global _network  # noqa: PLW0603
    if _network is None:
        _network = NetworkRecogniser(_weights)
    said = Said(*(case[name] for name in ("kind", "fen", "words", "language", "moves")))
    file = Path(case["file"])
    found = hypotheses(_network, said, file)
    known = (*case["pocketsphinx"], *found)
    sounds = sounds_in(file.read_bytes(), "fide", said.language)
    return case | {
        "network": found,
        "weighed": weighed(_network, known),
        "alignment": aligned(sounds, known),
    }


_network: NetworkRecogniser | None = None
_weights: Path | None = None


def asked(case: Case) -> Collection[str]:
    """The phrases that answer the question that is open in a case, if there is one."""
    return case.get("answers") or grammar.answers(*_spoken_in(case)) if case["asked"] else ()


def _spoken_in(case: Case) -> tuple[str, str]:
    """The convention and the language; synthetic voices speak in FIDE's."""
    return case.get("convention", "fide"), case["language"]


def inputs(case: Case, names: str) -> tuple[list[dict[str, float]], list[bool]]:
    """The features of every outcome (phrases, no words, other words), and which of them are right."""
    found = [Hypothesis(*h) for h in hypotheses_of(case, names)]
    candidates, nothing = evidence.features(found, asked(case))
    means = _meaning(case)
    right = [bool(case["words"]) and means(words) == means(case["words"]) for words in candidates]
    unlisted = bool(case["words"]) and not any(right)
    return [*candidates.values(), *nothing], [*right, not case["words"], unlisted]


def _meaning(case: Case) -> Callable[[str], Hashable]:
    """What words mean in a case's position, as in the program."""
    convention, language = _spoken_in(case)
    return partial(meaning, position=Position.start(case["fen"]), convention=convention, language=language)


def can_doubt(names: str) -> bool:
    """Whether a set of recognisers is ever sure enough that a move can be doubted: only with the network."""
    return "network" in names


def weights_of(
    cases: Sequence[Case], people: float, talk: float, costs: Mapping[str, float] = MappingProxyType({})
) -> list[float]:
    """What each case weighs in the fit: one for a synthetic voice, times what its kind costs.

    The people together weigh `people` times as much as the synthetic voices together, each kind of what they
    say by its share; `talk` multiplies the share of their other talk: the more, the more of it is refused.
    """
    counts = Counter(case["kind"] for case in cases if "split" in case)
    shares = {kind: _PEOPLE_SHARES[kind] * (talk if kind == "garbage" else 1) for kind in counts}
    whole = people * (len(cases) - counts.total() or len(cases)) / max(1, sum(shares.values()))
    return [
        costs.get(c["kind"], 1.0) * (whole * shares[c["kind"]] / counts[c["kind"]] if "split" in c else 1.0)
        for c in cases
    ]


def fit(cases: Sequence[Case], names: str, costs: Sequence[float]) -> dict[str, float]:
    """The weights of greatest likelihood for a set of recognisers; `costs` are what each case weighs."""
    data = [inputs(case, names) for case in cases]
    every = sorted({name for outcomes, _ in data for found in outcomes for name in found})
    rows = [
        (np.array([[found.get(name, 0.0) for name in every] for found in outcomes]), np.array(right), cost)
        for (outcomes, right), cost in zip(data, costs, strict=True)
    ]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = 0.0, np.zeros_like(weights)
        for matrix, right, cost in rows:
            utility = matrix @ weights
            shares = np.exp(utility - utility.max())
            shares /= shares.sum()
            mass = shares[right].sum() + 1e-12
            total -= cost * np.log(mass)
            slope -= cost * (matrix.T @ (shares * right / mass - shares))
        return total / len(rows) + _STRENGTH * weights @ weights, slope / len(rows) + 2 * _STRENGTH * weights

    found = minimize(loss, np.zeros(len(every)), jac=True, method="L-BFGS-B")
    print(f"{names}: {len(rows)} cases, log loss {found.fun:.3f}")
    return dict(zip(every, map(float, found.x), strict=True))


def yes_thresholds(cases: Sequence[Case], names: str, weights: dict[str, float]) -> tuple[float, float]:
    """For a yes of the language, and for a foreign one.

    Each is above the most probable one that was none, but for a share of `_FALSE_YES`, and never below
    `_LEAST_YES`; the foreign one not below the other. A question is open each time: that is when a yes does
    something.
    """
    model = evidence.EvidenceModel(weights, yes=1.0, foreign_yes=1.0)
    false: dict[str, list[float]] = {kind: [] for kind in _FALSE_YES}
    true: dict[str, list[float]] = {kind: [] for kind in _FALSE_YES}
    for case in cases:
        found = [Hypothesis(*h) for h in hypotheses_of(case, names)]
        yeses = grammar.yeses(*_spoken_in(case))
        open_ = case.get("answers") or grammar.answers(*_spoken_in(case))
        said = evidence.weigh(found, _meaning(case), model, open_)
        for one in said[:1]:
            if one.words in yeses:
                is_own, probability = decision.judged_yes(one, yeses, found)
                kind = "own" if is_own else "foreign"
                (true if case["kind"] == "yes" else false)[kind].append(probability)
    others = sum(case["kind"] != "yes" for case in cases)
    thresholds = []
    for kind, share in _FALSE_YES.items():
        allowed = int(share * others)
        nearest = [*sorted(false[kind], reverse=True), *[0.0] * (allowed + 1)]
        thresholds.append(max(_LEAST_YES, *thresholds, min(0.99, nearest[allowed] + _MARGIN)))
        heard = sum(probability >= thresholds[-1] for probability in true[kind])
        print(f"  {kind} yes from {thresholds[-1]:.5f} on: {heard} of the {len(true[kind])} that come first")
        print(f"  nearest that were none: {[round(one, 3) for one in nearest[:4]]}")
    own, foreign = thresholds
    return own, foreign


def doubt_threshold(cases: Sequence[Case], names: str, weights: dict[str, float]) -> float:
    """So low that of what is not legal only a share of `_FALSE_LEGAL` becomes a legal move without a doubt.

    Where no move is doubted it is 1.
    """
    if not can_doubt(names):
        return 1.0
    model = evidence.EvidenceModel(weights, yes=1.0, foreign_yes=1.0)
    doubts: dict[str, list[float]] = {"legal": [], "illegal": []}
    counts = Counter(case["kind"] for case in cases)
    for case in cases:
        if case["kind"] in doubts:
            means = _meaning(case)
            found = [Hypothesis(*h) for h in hypotheses_of(case, names)]
            said = evidence.weigh(found, means, model, asked(case))
            likely = next((one.words for one in said[:1] if one.probability >= decision.REPEAT), "")
            if isinstance(means(likely), frozenset):
                doubts[case["kind"]].append(doubt_of(said, means))
    illegal = sorted(doubts["illegal"])
    allowed = int(_FALSE_LEGAL * counts["illegal"])
    threshold = illegal[allowed] if len(illegal) > allowed else 1.0
    asks = sum(doubt >= threshold for doubt in doubts["legal"])
    print(f"  doubted from {threshold:.3f} on: {asks} of {len(doubts['legal'])} legal moves")
    return threshold


def write(models: dict[str, tuple[dict[str, float], tuple[float, float], float]]) -> None:
    """`voices/hearing/evidence.toml`."""
    lines = [_HEAD]
    for names, (weights, yeses, doubt) in models.items():
        vosk = names if "alignment" in names else names.replace("pocketsphinx", "vosk")
        for name in dict.fromkeys((names, vosk)):
            yes, foreign = yeses
            if name != names:
                lines.append(
                    "# Not fitted, as no model of Vosk can be had here: as for pocketsphinx, a yes from 0.95."
                )
                yes, foreign = (max(one, _UNFITTED_YES) for one in yeses)
            lines += [
                f'["{name}"]', f"yes = {yes:.5f}", f"foreign_yes = {foreign:.5f}", f"doubt = {doubt:.4f}",
                f'["{name}".weights]',
            ]  # fmt: skip
            lines += [f"{key} = {value:.4f}" for key, value in weights.items()] + [""]
    Path("voices/hearing/evidence.toml").write_text("\n".join(lines), encoding="utf-8")


def main() -> None:
    """Make the recordings, hear them, fit, write."""
    global _weights  # noqa: PLW0603
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--weights", type=Path, help="another network than the package's")
    parser.add_argument("--reuse", choices=("pocketsphinx", "network"), help="whose hearing is taken over")
    parser.add_argument(
        "--speakers", nargs="*", default=["fit"], help="the splits of people.toml that are used"
    )
    parser.add_argument("--people", type=float, default=1.0, help="what people weigh, beside the voices' 1")
    parser.add_argument("--talk", type=float, default=1.0, help="how much more their other talk weighs")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / "cases.json"
    _weights = options.weights
    with ProcessPoolExecutor() as pool:
        if not options.reuse:
            jobs = [(_SEED + number, _AT_ONCE) for number in range(options.cases // _AT_ONCE)]
            cases = [case for part in pool.map(make, jobs) for case in part]
            kept.write_text(json.dumps(cases), encoding="utf-8")
        both = FOLDER / "heard.json"
        if options.reuse != "network":
            made = json.loads(kept.read_text("utf-8"))
            for split in options.speakers:
                people = json.loads((PEOPLE / f"heard-{split}.json").read_text("utf-8"))
                made += [case for case in people if case["kind"] in _PEOPLE_SHARES]
            cases = list(pool.map(add_network, made, chunksize=20))
            both.write_text(json.dumps(cases), encoding="utf-8")
        cases = json.loads(both.read_text("utf-8"))
    models = {}
    for names in SETS:
        costs = {} if can_doubt(names) else _UNDOUBTED_COSTS
        weights = fit(cases, names, weights_of(cases, options.people, options.talk, costs))
        models[names] = (
            weights, yes_thresholds(cases, names, weights), doubt_threshold(cases, names, weights)
        )  # fmt: skip
    write(models)


if __name__ == "__main__":
    sys.exit(main())
