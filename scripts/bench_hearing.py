# SPDX-License-Identifier: GPL-3.0-or-later
"""`make bench-hearing`: how well announcements are heard, beside other ways to hear the same audio."""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import bench_voices
import numpy as np
import two_tries
from hearing_cases import CONDITIONS, Said, answer, command, disturbed, illegal, legal, position
from hearing_measures import aligned, kept, outcome, share, sounds_in, weighed
from people_cases import joined as together
from people_recordings import trimmed
from soundfile import write as write_wav

from acessivel.dialogue import interpretation
from acessivel.dialogue.confirmation import AS_A_YES
from acessivel.dialogue.interpretation import Context, Question
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.hearing.decision import Decided
from voices.hearing.utterances import hear
from voices.meaning import Command
from voices.network.sentences import Sentences
from voices.phones import edits
from voices.recognisers import Hypothesis, Recogniser
from voices.recognisers.network import NetworkRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound.disturbance import noise
from voices.sound.source import RATE, read_wav
from voices.understanding.meanings import read_heard

FOLDER = Path("build/bench-hearing")
COUNTS = {
    "legal": 1200, "illegal": 500, "garbage": 300, "yes": 150, "no": 150, "command": 200, "taken back": 160,
}  # fmt: skip
MOVES = 10_000  # of the simulated player
# Clean sound is what most users have, and its target is the strictest.
SHARES = (3, 1, 2, 1, 1, 2, 1, 1)
REFUSABLE = ("legal", "illegal", "garbage")  # what is said again if it was not understood
NOISY = ("pink:10", "white:10", "babble:10", "babble:5")
_RIGHT, _ELSE = ("right", "listed"), ("move", "asked", "yes", "other")
_AT_ONCE = 40
_TRIES = 5  # announcements of one move before a simulated player types it

Case = dict[str, Any]


def make(job: tuple[int, str, int]) -> list[Case]:
    """Some recordings of a kind, with what is said in them."""
    seed, kind, count = job
    chance, noises = random.Random(seed), np.random.default_rng(seed)
    talk = bench_voices.script()["talk"]
    speech = [
        bench_voices.speak(text, language, chance)[0] for language in talk for text in talk[language][:8]
    ]
    cases = []
    for number in range(count):
        language, condition = chance.choice(list(talk)), chance.choices(CONDITIONS, SHARES)[0]
        said, audio, voice = _say(kind, language, chance, noises)
        file = FOLDER / f"{kind}-{seed}-{number}.wav"
        write_wav(file, disturbed(audio, condition, noises, speech), RATE, subtype="PCM_16")
        cases.append({
            "file": file.name, "fen": said.fen, "kind": kind, "words": said.words, "moves": said.moves,
            "language": language, "condition": condition, "voice": voice,
        })  # fmt: skip
    return cases


def _say(
    kind: str, language: str, chance: random.Random, noises: np.random.Generator
) -> tuple[Said, np.ndarray, str]:
    if kind == "garbage":
        said = Said(kind, position(chance).fen, "", language)
        if chance.random() < 0.2:
            track = noise(
                chance.choice(["clicks", "music", "hum"]), int(chance.uniform(0.5, 3) * RATE), noises
            )
            return said, (track * 3000).astype(np.int16), "noise"
        return said, *bench_voices.speak(
            chance.choice(bench_voices.script()["talk"][language]), language, chance
        )
    if kind == "taken back":
        said = answer(chance, language, "yes")
        return replace(said, kind=kind, words=""), *_taken_back(said.words, language, chance)
    if kind in ("yes", "no"):
        said = answer(chance, language, kind)
    elif kind == "command":
        said = command(chance, language)
    else:
        said = (legal if kind == "legal" else illegal)(chance, language)
    return said, *bench_voices.speak(_text(said), language, chance)


def _taken_back(yes: str, language: str, chance: random.Random) -> tuple[np.ndarray, str]:
    """A yes and, after a gap, words that take it back, by the same voice, and its name."""
    audio, voice = bench_voices.speak(bench_voices.spoken(yes, language), language, chance)
    more, _ = bench_voices.speak(
        chance.choice(bench_voices.script()["taken_back"][language]), language, chance, voice
    )
    return together([trimmed(audio), trimmed(more)], chance).astype(np.int16), voice


def _text(said: Said) -> str:
    """What a voice reads: its own language's words as they are written."""
    if said.kind == "command":
        return " ".join(word.spelling for word in Sentences(0).phrase(said.words, said.language))
    return bench_voices.spoken(said.words, said.language)


def say_again(case: Case) -> Case:
    """The case with what both ears hear "second", if it was refused: the same voice in the same condition.

    Its speed and pitch are drawn anew; after other talk follows other talk.
    """
    if case["kind"] not in REFUSABLE or joined(case | {"asked": False}).readings:
        return case
    chance, noises = random.Random(case["file"]), np.random.default_rng(list(case["file"].encode()))
    if case["kind"] == "garbage":
        _, audio, _ = _say("garbage", case["language"], chance, noises)
    else:
        text = bench_voices.spoken(case["words"], case["language"])
        audio, _ = bench_voices.speak(text, case["language"], chance, case["voice"])
    again = case | {"file": f"again-{case['file']}", "hypotheses": []}
    sound = disturbed(audio, case["condition"], noises, _talkers())
    write_wav(FOLDER / again["file"], sound, RATE, subtype="PCM_16")
    for name in ("pocketsphinx", "network"):
        again = listen(again, name)
    return case | {"second": again["hypotheses"]}


@cache
def _talkers() -> list[np.ndarray]:
    """Speech to make babble of."""
    chance, talk = random.Random(0), bench_voices.script()["talk"]
    return [bench_voices.speak(text, language, chance)[0] for language in talk for text in talk[language][:8]]


def listen(case: Case, name: str) -> Case:
    """The case with what one recogniser makes of it, and what that took."""
    audio = read_wav(FOLDER / case["file"])
    moves = (fact.meaning for fact in Position.start(case["fen"]).legal)
    recogniser = _recogniser(name, case["language"])
    recogniser.expect(*grammar.expectation(moves, "fide", case["language"]))
    sounds = sounds_in(audio, "fide", case["language"]) if name == "network" else None
    began = time.process_time()
    found = [*case.get("hypotheses", ()), *kept(hear(recogniser, audio))]
    if sounds:
        found += [*weighed(_network(), found), *aligned(sounds, found)]
    spent = time.process_time() - began
    if name == "pocketsphinx":
        recogniser.close()
    return case | {
        "seconds": len(audio) / 2 / RATE,
        "hypotheses": found,
        "spent": case.get("spent", {}) | {name: spent},
    }


def _recogniser(name: str, language: str) -> Recogniser:
    """A fresh pocketsphinx, which nothing before has taught about the channel, or the network."""
    if name == "network":
        return _network()
    return PocketsphinxRecogniser(grammar.pronunciations("fide", language))


@cache
def _network() -> NetworkRecogniser:
    weights = os.environ.get("ACESSIVEL_WEIGHTS")
    return NetworkRecogniser(Path(weights) if weights else None)


# Each way to hear: what it decides on.
def everything_alone(case: Case) -> Decided:
    """The grammar of all announcements, by pocketsphinx."""
    return _best(case, "all")


def nearest_legal(case: Case) -> Decided:
    """The expected phrase whose sounds are nearest to what pocketsphinx heard."""
    heard = _best(case, "all")
    if not heard.readings:
        return heard
    sounds = grammar.pronunciations("fide", case["language"])
    moves = (fact.meaning for fact in Position.start(case["fen"]).legal)
    phrases = grammar.expectation(moves, "fide", case["language"])[1]
    target = _sounds(heard.readings[0], sounds)
    return Decided((min(phrases, key=lambda phrase: edits(target, _sounds(phrase, sounds))),))


def legal_alone(case: Case) -> Decided:
    """The grammar of what is possible, by pocketsphinx."""
    return _best(case, "expected")


def network_alone(case: Case) -> Decided:
    """The network without pocketsphinx."""
    return _weighed(case, "network")


def pocketsphinx_weighed(case: Case) -> Decided:
    """What pocketsphinx hears, as the program uses it where onnxruntime cannot be had."""
    return _weighed(case, "pocketsphinx")


def joined(case: Case) -> Decided:
    """What the program does."""
    return _weighed(case, "alignment", "network", "pocketsphinx")


WAYS = (everything_alone, nearest_legal, legal_alone, pocketsphinx_weighed, network_alone, joined)


def _best(case: Case, of: str) -> Decided:
    found = [h for h in case["hypotheses"] if h[3] == "pocketsphinx" and h[1] == of]
    return Decided((max(found, key=lambda h: h[2])[0],)) if found else Decided()


def _weighed(case: Case, *names: str) -> Decided:
    heard = [Hypothesis(*h) for h in case["hypotheses"]]
    of_others = () if len(names) > 1 else ("weighed", "untrained")
    found = [h for h in heard if h.recogniser in names and h.grammar not in of_others]
    where = Position.start(case["fen"])
    return interpretation.decide(found, where, "fide", case["language"], Question(_open_answers(case)))


def _open_answers(case: Case) -> tuple[str, ...]:
    """The answers to the question that is open, if there is one."""
    return grammar.answers("fide", case["language"]) if case["asked"] else ()


def _sounds(words: str, sounds: Any) -> tuple[str, ...]:
    return tuple(sound for word in words.split() for sound in sounds[word][0].split())


def outcome_of(case: Case, decided: Decided) -> str:
    """What is told of a case; of a list the first that is offered counts."""
    where = Context(Position.start(case["fen"]), "fide", case["language"], Question(_open_answers(case)))
    return outcome(decided, case["words"], where, whole_list=False)


def table(
    title: str,
    cases: Sequence[Case],
    groups: Callable[[Case], Iterable[str]],
    *counted: str,
    outcomes: str = "outcomes",
) -> None:
    """A line a group, a column a way: the share of these outcomes."""
    print(f"\n{title}\n| | n | {' | '.join(way.__name__ for way in WAYS)} |\n|---|---|{'---|' * len(WAYS)}")
    found: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for case in cases:
        for group in groups(case):
            for way in WAYS:
                found[group][way.__name__][case[outcomes][way.__name__]] += 1
    for group, ways in found.items():
        of = sum(next(iter(ways.values())).values())
        shares = (share(sum(ways[way.__name__][one] for one in counted), of) for way in WAYS)
        print(f"| {group} | {of} | {' | '.join(shares)} |")


def judge(case: Case) -> Case:
    """The case with the outcome of each way: as it is said, and in answer to a question."""
    found = {}
    for name, asked in (("outcomes", case["kind"] in ("yes", "no")), ("in_answer", True)):
        said = case | {"asked": asked}
        found[name] = {way.__name__: outcome_of(said, way(said)) for way in WAYS}
    return case | found


def play(cases: Sequence[Case], seed: int) -> None:
    """A player who answers truthfully: each move is announced until it is confirmed, in one condition.

    Every announcement is a recording of an announcement of a legal move, drawn by chance among those of the
    condition, and every answer a recording of a yes or a no; what the program made of them is what happens.
    """
    chance = random.Random(seed)
    drawn: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in cases:
        drawn[case["kind"], case["condition"]].append(case)
    # A small benchmark has no answers in some condition.
    whole = [every for every in CONDITIONS if all(drawn[kind, every] for kind in ("legal", "yes", "no"))]
    shares = [SHARES[CONDITIONS.index(condition)] for condition in whole]
    tries: dict[str, list[int]] = defaultdict(list)
    wrong = unconfirmed = 0
    for _ in range(MOVES if whole else 0):
        condition = chance.choices(whole, shares)[0]
        announced, committed = 0, False
        while not committed and announced < _TRIES:
            announced += 1
            heard = chance.choice(drawn["legal", condition])["outcomes"]["joined"]
            asks = heard in (*_RIGHT, "move", "asked")
            committed = asks and _confirms(heard, drawn, condition, chance)
            wrong += committed and heard not in _RIGHT
        unconfirmed += not committed
        tries[condition].append(announced)
    print(f"\nA simulated player, {MOVES} moves: wrong moves committed {wrong}, typed at last {unconfirmed}")
    for condition in whole:
        count = len(tries[condition])
        print(f"announcements a move, {condition}: {sum(tries[condition]) / count:.2f} (n = {count})")


def _confirms(
    heard: str, drawn: Mapping[tuple[str, str], Sequence[Case]], condition: str, chance: random.Random
) -> bool:
    """Whether a move is committed after its repetition; an answer that is not understood is said again."""
    kind = "yes" if heard in _RIGHT else "no"
    for _ in range(_TRIES):
        answered = chance.choice(drawn[kind, condition])["outcomes"]["joined"]
        if answered != "nothing":
            return answered == "yes" or (kind == "yes" and answered in _RIGHT)
    return kind == "yes"  # by a key, which always answers


def second_tries(cases: Sequence[Case]) -> None:
    """What comes of what was refused and said again, each utterance alone and both joined."""
    print("\nRefused and said again: what comes of the second try, %")
    print(
        "| | n | alone: right | offered | wrong | joined: right | offered | wrong |\n|---|---|" + "---|" * 6
    )
    for kind in REFUSABLE:
        again = [case for case in cases if case["kind"] == kind and "second" in case]
        shares = []
        for both in (False, True):
            found = Counter(_second_try(case, both=both) for case in again)
            shares += [share(found[name], len(again)) for name in ("right", "offered", "wrong")]
        print(f"| {kind} | {len(again)} | {' | '.join(shares)} |")


def _second_try(case: Case, *, both: bool) -> str:
    where = Context(Position.start(case["fen"]), "fide", case["language"])
    first, second = ([Hypothesis(*h) for h in case[name]] for name in ("hypotheses", "second"))
    return two_tries.twice(first, second, where, case["moves"], joined=both)


def resources(cases: Sequence[Case]) -> None:
    """What it costs."""
    seconds = sum(case["seconds"] for case in cases)
    for name in ("pocketsphinx", "network"):
        print(f"real-time factor of {name}: {sum(case['spent'][name] for case in cases) / seconds:.3f}")
    late = sorted(case["spent"]["network"] * 1000 for case in cases)
    within = f"95 % within {late[int(0.95 * len(late))]:.0f} ms"
    print(f"the network and the alignment after the end of speech: {within}")
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"memory of a process of the benchmark, which has everything: {most:.0f} MB at most")


def report(cases: Sequence[Case]) -> None:
    """Everything that is claimed."""

    def of(*kinds: str) -> list[Case]:
        return [case for case in cases if case["kind"] in kinds]

    def by_condition(case: Case) -> tuple[str, ...]:
        return case["condition"], "all"

    def by_quiet(case: Case) -> tuple[str, ...]:
        return ("clean" if case["condition"] == "clean" else "not clean",)

    def by_accent(case: Case) -> tuple[str, ...]:
        return (case["language"], f"{case['language']}, clean")[: 1 + (case["condition"] == "clean")]

    clean = [case for case in of("legal") if case["condition"] == "clean"]
    table("Legal announcements: first reading right, %", of("legal"), by_condition, *_RIGHT)
    table("The same, by accent", of("legal"), by_accent, *_RIGHT)
    table("The same, by voice, clean", clean, lambda case: (case["voice"],), *_RIGHT)
    table("Legal announcements: repeated, right, %", of("legal"), by_condition, "right")
    table("Legal announcements: first reading another legal move, %", of("legal"), by_quiet, "move", "asked")
    table("Not legal: repeated as a legal move, %", of("illegal"), by_condition, "move")
    table("The same, asked about, %", of("illegal"), by_condition, "asked")
    table("Other talk and noise: taken for a move, %", of("garbage"), lambda _: ("all",), "move", "asked")
    others = of("legal", "illegal", "garbage", "no", "command")
    title = "No yes, said in answer to a question: taken for a yes, %"
    table(title, others, lambda case: (case["kind"], "all"), "yes", outcomes="in_answer")
    title = "A yes that is taken back in the same breath: taken for a yes, %"
    table(title, of("taken back"), lambda _: ("all",), "yes", outcomes="in_answer")
    table("Yes and no: right, %", of("yes", "no"), by_condition, *_RIGHT)
    commands = [case for case in of("command") if not _is_as_a_yes(case)]
    table("Commands: understood, %", commands, by_condition, *_RIGHT)
    table("Commands: taken for anything else, %", commands, lambda _: ("all",), *_ELSE)
    second_tries(cases)
    play(cases, 1)
    resources(cases)


def _is_as_a_yes(case: Case) -> bool:
    """Whether a command does as a yes does, which is not taken from speech."""
    readings = read_heard(case["words"], case["language"], "fide")
    return any(isinstance(one.meaning, Command) and one.meaning.name in AS_A_YES for one in readings)


STAGES = ("made", "pocketsphinx", "network", "again")


def main() -> int:
    """Make the recordings, hear them, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="the share of the recordings that is made")
    parser.add_argument("--kinds", choices=COUNTS, nargs="+", default=[*COUNTS], help="what is said (all)")
    parser.add_argument("--seed", type=int, default=0, help="other recordings, by which nothing was chosen")
    parser.add_argument("--reuse", choices=STAGES, help="up to where the last run is taken over")
    parser.add_argument("--until", choices=STAGES, default="again", help="where to end")
    options = parser.parse_args()
    bench_voices.require()
    FOLDER.mkdir(parents=True, exist_ok=True)
    first = STAGES.index(options.reuse) + 1 if options.reuse else 0
    kept_at = partial(_kept, seed=options.seed)
    cases: list[Case] = json.loads(kept_at(options.reuse).read_text("utf-8")) if options.reuse else []
    with ProcessPoolExecutor() as pool:
        for stage in STAGES[first : STAGES.index(options.until) + 1]:
            if stage == "made":
                cases = [case for part in pool.map(make, _jobs(options)) for case in part]
            elif stage == "again":
                cases = list(pool.map(say_again, cases, chunksize=20))
            else:
                cases = list(pool.map(partial(listen, name=stage), cases, chunksize=20))
            kept_at(stage).write_text(json.dumps(cases), encoding="utf-8")
        judged = list(pool.map(judge, cases, chunksize=20)) if options.until == "again" else []
    if judged:
        report(judged)
    return 0


def _kept(stage: str, seed: int) -> Path:
    return FOLDER / (f"{stage}-{seed}.json" if seed else f"{stage}.json")


def _jobs(options: argparse.Namespace) -> list[tuple[int, str, int]]:
    wanted = {kind: round(COUNTS[kind] * options.scale) for kind in COUNTS if kind in options.kinds}
    parts = [(kind, start) for kind, count in wanted.items() for start in range(0, count, _AT_ONCE)]
    return [
        (seed, kind, min(_AT_ONCE, wanted[kind] - start))
        for seed, (kind, start) in enumerate(parts, options.seed)
    ]


if __name__ == "__main__":
    sys.exit(main())
