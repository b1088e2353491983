# SPDX-License-Identifier: GPL-3.0-or-later
"""`make bench-speaker`: how much better a person is heard after some announcements were learnt from.

Of each announcer of `make bench-people` the first announcements teach, the others are judged before and
after, with what is not legal and other talk.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial

from bench_people import EARS, SPLITS, Judged, judge, listen, network_of
from hearing_measures import share
from people_cases import SOUNDS, Case, make

from voices.hearing.decision import REPEAT
from voices.hearing.learning import taught
from voices.hearing.learnt import Learnt
from voices.hearing.utterances import speech
from voices.sound.source import read_wav

_COLUMNS = {
    "legal: right": ("legal", "right"), "asked about": ("legal", "listed"),
    "not understood": ("legal", "nothing"), "another move": ("legal", "move", "asked"),
    "not legal: repeated as legal": ("illegal", "move"),
    "other talk: for a move": ("garbage", "move", "asked"), "for something else": ("garbage", "other"),
}  # fmt: skip


def learnt_from(cases: Sequence[Case]) -> Learnt:
    """What announcements leave behind that were confirmed."""
    found = Learnt()
    for case in cases:
        audio = speech(read_wav(SOUNDS / case["file"]))
        found = found.with_recording(case["words"], case["language"], case["convention"], audio)
    return found


def announcers(cases: Sequence[Case]) -> Iterator[tuple[str, list[Case], list[Case]]]:
    """Each announcer in a convention: the announcements of legal moves, and all else that is said to him."""
    found: dict[tuple[str, ...], list[Case]] = defaultdict(list)
    for case in cases:
        if case["kind"] in ("legal", "illegal"):
            found[case["voice"], case["language"], case["convention"]].append(case)
    talk = [case for case in cases if case["kind"] == "garbage"]
    for who, said in found.items():
        legal = [case for case in said if case["kind"] == "legal"]
        others = [case for case in said if case["kind"] == "illegal"]
        yield ", ".join(who), legal, [*others, *(case for case in talk if case["convention"] == who[2])]


def heard(cases: Sequence[Case], learnt: Learnt) -> list[Judged]:
    """The cases as the program judges them, with what was learnt of the speaker."""
    network_of(None).correct(learnt.corrections)
    repeat = learnt.repeat_needed(REPEAT)
    return [judge(listen(case, "network", None), EARS[-1], repeat) for case in cases]


def yes(cases: Sequence[Judged]) -> str:
    """How much of all that is no yes would be taken for one while a question is open."""
    return share(sum(case["answered"] == "yes" for case in cases), len(cases))


def row(name: str, cases: Sequence[Judged]) -> str:
    """A line of the table."""
    counts = {kind: sum(case["kind"] == kind for case in cases) for kind, *_ in _COLUMNS.values()}
    shares = (
        share(sum(case["kind"] == kind and case["outcome"] in outcomes for case in cases), counts[kind])
        for kind, *outcomes in _COLUMNS.values()
    )
    return f"| {name} | {counts['legal']} | {' | '.join(shares)} | {yes(cases)} |"


def main() -> int:
    """Teach and judge each announcer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=0.5, help="the share of the cases that is made")
    parser.add_argument("--split", choices=SPLITS, default="test", help="the speakers")
    parser.add_argument("--learn", type=int, default=20, help="from how many announcements")
    parser.add_argument("--talk", type=int, default=120, help="how many pieces of other talk")
    options = parser.parse_args()
    cases = make(options.scale, options.split)
    talk = [case for case in cases if case["kind"] == "garbage"][: options.talk]
    cases = [case for case in cases if case["kind"] in ("legal", "illegal")] + talk
    columns = (*_COLUMNS, "any of these: for a yes")
    print(f"| | n | {' | '.join(columns)} |\n|---|---|{'---|' * len(columns)}")
    all_: dict[str, list[Judged]] = {"before": [], "after": []}
    for name, legal, others in announcers(cases):
        first, rest = legal[: options.learn], [*legal[options.learn :], *others]
        rest = list(map(partial(listen, name="pocketsphinx", weights=None), rest))
        learnt = taught(learnt_from(first), network_of(None).ears)
        for when, known in (("before", Learnt()), ("after", learnt)):
            judged = heard(rest, known)
            all_[when] += judged
            print(row(f"{name}, {when}", judged), flush=True)
    for when, judged in all_.items():
        print(row(f"all, {when}", judged))
    return 0


if __name__ == "__main__":
    sys.exit(main())
