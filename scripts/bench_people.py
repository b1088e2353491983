# SPDX-License-Identifier: GPL-3.0-or-later
"""`make bench-people`: how well people are heard, by speaker and convention, and what other talk becomes."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import two_tries
from hearing_measures import Situation, aligned, heard, outcome, share, sounds_in, weighed
from people_cases import SOUNDS, Case, make, open_question, said_again
from people_recordings import FOLDER, credits_

from acessivel.dialogue.interpretation import Context, Question, decide
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.hearing.decision import REPEAT, Decided
from voices.hearing.evidence import Weighed
from voices.hearing.utterances import speech
from voices.recognisers import Hypothesis
from voices.recognisers.network import NetworkRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound.source import read_wav

SPLITS = ("test", "fit", "train")
STAGES = ("made", "pocketsphinx", "network", "again")
EARS = ("pocketsphinx", "network", "network+pocketsphinx", "alignment+network+pocketsphinx")
# Of the first reading, above which it would be accepted.
_THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9)
_AT_ONCE = 20
_REPLIES = "yes", "no"
_KEPT = (
    FOLDER / "pocketsphinx"
)  # what it has heard, by the sound and all that it listened for; it takes longest

Judged = dict[str, Any]


def listen(case: Case, name: str, weights: Path | None) -> Case:
    """The case with what one recogniser makes of it; the network also weighs what pocketsphinx has heard."""
    audio = read_wav(SOUNDS / case["file"])
    where = Situation(case["fen"], case["convention"], case["language"], open_question(case))
    if name == "network":
        network = network_of(weights)
        found = heard(network, audio, where)
        known = (*case["pocketsphinx"], *found)
        sounds = sounds_in(audio, case["convention"], case["language"])
        return case | {
            name: found,
            "weighed": weighed(network, known),
            "alignment": aligned(sounds, known),
        }
    words = grammar.pronunciations(case["convention"], case["language"])
    given = repr((speech(audio), where.expectation(), sorted(words.items())))
    kept_in = _KEPT / f"{hashlib.sha256(given.encode()).hexdigest()[:24]}.json"
    if not kept_in.exists():
        # A fresh one, which nothing before has taught about the channel.
        recogniser = PocketsphinxRecogniser(words)
        kept_in.write_text(json.dumps(heard(recogniser, audio, where)), encoding="utf-8")
        recogniser.close()
    return case | {name: json.loads(kept_in.read_text("utf-8"))}


def listen_again(case: Case, weights: Path | None) -> Case:
    """The case with what is heard if an announcement that was not understood, or other talk, goes on."""
    if case["kind"] in ("answer", *_REPLIES) or decide(_heard_in(case, EARS[-1]), *_where(case)).readings:
        return case
    second = said_again(case)
    for name in EARS[:2]:
        second = listen(second, name, weights)
    return case | {"second": {name: second[name] for name in (*EARS[:2], "weighed", "alignment")}}


def _where(case: Case) -> tuple[Position, str, str]:
    return Position.start(case["fen"]), case["convention"], case["language"]


@cache
def network_of(weights: Path | None) -> NetworkRecogniser:
    """The network that `listen` hears with."""
    return NetworkRecogniser(weights)


def judge(case: Case, ears: str, repeat: float = REPEAT) -> Judged:
    """What the program does: the `outcome`, that of the first reading alone, and its probability.

    `answered` is the outcome of the same sound while a question is open, `twice` what comes of an
    announcement that was refused and is said again. `repeat`: how probable a reading must be to be repeated.
    """
    found, words = _heard_in(case, ears), case["words"]
    position, *spoken = _where(case)
    asked = case.get("answers", ()) if case["asked"] else ()
    where = Context(position, *spoken, Question(asked, repeat=repeat))
    answering = Context(position, *spoken, Question(asked or grammar.answers(*spoken), repeat=repeat))
    decided = decide(found, position, *spoken, where.question)
    once = outcome(decided, words, where)
    twice = {"right": "right", "listed": "offered", "move": "wrong", "asked": "wrong"}.get(once, "refused")
    if second := case.get("second"):
        without = Context(position, *spoken)
        twice = two_tries.twice(found, _heard_in(second, ears), without, case["moves"])
    first: Weighed | None = decided.weighed[0] if decided.weighed else None
    return case | {
        "outcome": once,
        "twice": twice,
        "answered": outcome(decide(found, position, *spoken, answering.question), words, answering),
        "first": outcome(Decided((first.words,) if first else ()), words, where),
        "probability": first.probability if first else 0.0,
    }


def _heard_in(case: Case, ears: str) -> list[Hypothesis]:
    return [Hypothesis(*h) for h in hypotheses_of(case, ears)]


def hypotheses_of(case: Case, ears: str) -> list[Any]:
    """What these ears have heard."""
    names = ears.split("+")
    return [h for name in (*names, *(["weighed"] if len(names) > 1 else ())) for h in case.get(name, ())]


def table(
    title: str, rows: Mapping[str, Sequence[Judged]], columns: Mapping[str, Callable[[Judged], bool]]
) -> None:
    """A line a group: how many cases and recordings, and the share of each column with its interval."""
    print(f"\n### {title}\n\n| | n | {' | '.join(columns)} |\n|---|---|{'---|' * len(columns)}")
    for name, cases in rows.items():
        shares = (share(sum(map(holds, cases)), len(cases)) for holds in columns.values())
        print(f"| {name} | {len(cases)} | {' | '.join(shares)} |")


def _is(name: str, *values: str) -> Callable[[Judged], bool]:
    return lambda case: case[name] in values


def grouped(cases: Sequence[Judged], *names: str) -> dict[str, list[Judged]]:
    """The cases by what these fields say, the largest groups of the test first, and all of each split."""
    found: dict[str, list[Judged]] = {}
    for case in sorted(cases, key=lambda case: case["split"]):
        for key in (", ".join(case[name] for name in ("split", *names)), f"{case['split']}, all"):
            found.setdefault(key, []).append(case)
    return dict(sorted(found.items()))


def report(cases: Sequence[Judged]) -> None:
    """Everything that is claimed."""
    _report_announced(cases)
    _report_replies(_of(cases, *_REPLIES))
    _report_talk([case for case in cases if case["kind"] not in _REPLIES])
    _report_twice(cases)
    for split in SPLITS:
        if found := [case for case in cases if case["split"] == split]:
            curve(found, split)


_WHO = "voice", "language", "convention"


def _of(cases: Sequence[Judged], *kinds: str) -> list[Judged]:
    return [case for case in cases if case["kind"] in kinds]


def _report_announced(cases: Sequence[Judged]) -> None:
    """Announcements and answers at the first try."""
    legal, illegal, answered = (_of(cases, kind) for kind in ("legal", "illegal", "answer"))
    right = {"first reading right": _is("first", "right"), "accepted, right": _is("outcome", "right")}
    nothing = {"not understood": _is("outcome", "nothing")}
    accepted = {
        **right,
        "asked about": _is("outcome", "listed"),
        "another move": _is("outcome", "move", "asked"),
        "something else": _is("outcome", "other", "yes"),
        **nothing,
    }
    asked = {"a legal move asked about": _is("outcome", "asked", "listed")}
    refused = {"repeated as a legal move": _is("outcome", "move"), **right, **asked, **nothing}
    table("Legal announcements, %", grouped(legal, *_WHO), accepted)
    table("The same, by the manner", grouped(legal, "manner"), accepted)
    table("One word in answer to a question, %", grouped(answered, "voice", "convention"), accepted)
    table("Announcements that are not legal, %", grouped(illegal, *_WHO), refused)


def _report_replies(replies: Sequence[Judged]) -> None:
    """Yes and no in answer to a question about a move."""
    taken = {
        "right": _is("outcome", "right"),
        "a no for a yes": lambda case: case["kind"] == "no" and case["outcome"] == "yes",
        "not understood": _is("outcome", "nothing"),
    }
    table("Yes and no, %", grouped(replies, "voice", "words"), taken)
    table("The same, by the condition", grouped(replies, "condition"), taken)


def _report_talk(cases: Sequence[Judged]) -> None:
    """What other talk is taken for, and all that is no yes for one."""
    false = {"for a yes, if a question is open": _is("answered", "yes")}
    taken = {
        "for a move": _is("outcome", "move", "asked"),
        "for something else": _is("outcome", "other", "yes"),
        **false,
    }
    table("Other talk taken, %", grouped(_of(cases, "garbage"), "convention"), taken)
    table("The same, by the language that is spoken", grouped(_of(cases, "garbage"), "manner"), taken)
    table("What is no yes, taken for one, %", grouped(cases, "kind"), false)


def _report_twice(cases: Sequence[Judged]) -> None:
    """What is refused and said again."""
    settled = {
        "right at once": _is("outcome", "right"),
        "right or offered within two tries": _is("twice", "right", "offered"),
        "another move within two tries": _is("twice", "wrong"),
    }
    wrong = {"repeated as a legal move within two tries": _is("twice", "wrong")}
    table("Legal announcements, said again if refused, %", grouped(_of(cases, "legal"), *_WHO), settled)
    table("Not legal and other talk, the same, %", grouped(_of(cases, "illegal", "garbage"), "kind"), wrong)


def curve(cases: Sequence[Judged], split: str) -> None:
    """What other thresholds of a repetition would do."""
    counted = Counter(case["kind"] for case in cases)
    columns = {
        "legal: right": ("legal", "right"), "another move": ("legal", "move"),
        "not legal: repeated as legal": ("illegal", "move"), "answers: right": ("answer", "right"),
        "other talk: for a move": ("garbage", "move"), "for something else": ("garbage", "other"),
    }  # fmt: skip
    print(f"\n### From which probability on a reading is repeated: {split}, %\n")
    print(f"| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for threshold in _THRESHOLDS:
        reached = Counter((c["kind"], c["first"]) for c in cases if c["probability"] >= threshold)
        shares = (share(reached[column], counted[column[0]]) for column in columns.values())
        print(f"| {threshold:.2f} | {' | '.join(shares)} |")


def _kept(stage: str) -> Path:
    return FOLDER / f"{stage}.json"


def _judged(options: argparse.Namespace) -> list[Judged]:
    """The cases with what is heard, from the stage that is taken over on; none without the network."""
    first = STAGES.index(options.reuse) + 1 if options.reuse else 0
    cases: list[Case] = json.loads(_kept(options.reuse).read_text("utf-8")) if options.reuse else []
    _KEPT.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(options.processes) as pool:
        for stage in STAGES[first : STAGES.index(options.until) + 1]:
            if stage == "made":
                cases = make(options.scale, options.split)
            else:
                hears = listen_again if stage == "again" else partial(listen, name=stage)
                cases = list(pool.map(partial(hears, weights=options.weights), cases, chunksize=_AT_ONCE))
            _kept(stage).write_text(json.dumps(cases), encoding="utf-8")
        for split in SPLITS:
            if part := [case for case in cases if case["split"] == split]:
                (FOLDER / f"heard-{split}.json").write_text(json.dumps(part), encoding="utf-8")
        if STAGES.index(options.until) < STAGES.index("network"):
            return []
        return list(pool.map(partial(judge, ears=options.ears), cases, chunksize=_AT_ONCE))


def main() -> int:
    """Join the announcements, hear them and other talk, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="the share of the cases that is made")
    parser.add_argument("--split", choices=SPLITS, help="the speakers (all)")
    parser.add_argument("--reuse", choices=STAGES, help="up to where the last run is taken over")
    parser.add_argument("--until", choices=STAGES, default=STAGES[-1], help="where to end")
    parser.add_argument("--weights", type=Path, help="another network than the package's")
    parser.add_argument("--ears", choices=EARS, default=EARS[-1], help="who hears")
    parser.add_argument("--processes", type=int, help="how many at once (all cores)")
    options = parser.parse_args()
    for line in credits_():
        print(line)
    if judged := _judged(options):
        report(judged)
    return 0


if __name__ == "__main__":
    sys.exit(main())
