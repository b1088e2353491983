# SPDX-License-Identifier: GPL-3.0-or-later
"""`make fuzz`: mutated inputs for some minutes; prints each crash with what repeats it."""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support import fuzz  # noqa: E402

_LONGEST_S = 120  # for one case: what takes longer hangs


class Hang(BaseException):
    """A case takes too long."""


def main() -> int:
    """Try cases until the time is over; returns 1 if one has broken the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--target", choices=list(fuzz.TARGETS), action="append", help="only these")
    parser.add_argument("--first", type=int, default=None, help="the first seed; the time of day otherwise")
    parser.add_argument("--seed", type=int, help="one case alone, with its traceback")
    options = parser.parse_args()
    targets = options.target or list(fuzz.TARGETS)
    if options.seed is not None:
        for target in targets:
            fuzz.run(target, options.seed)
        return 0
    first = int(time.time()) * 1000 if options.first is None else options.first
    jobs = max(1, min(options.jobs, os.cpu_count() or 1))
    until = time.monotonic() + 60 * options.minutes
    print(f"first seed {first}, {jobs} processes, {options.minutes:g} minutes", flush=True)
    context = multiprocessing.get_context("fork")
    with context.Pool(jobs) as pool:
        done = pool.starmap(_work, [(targets, first + job, jobs, until) for job in range(jobs)], 1)
    tried = sum((cases for cases, _ in done), Counter())
    broken = {place: case for _, crashes in done for place, case in crashes.items()}
    print(f"{sum(tried.values())} cases, {len(broken)} kinds of crashes; of each target: {dict(tried)}")
    return int(bool(broken))


def _work(targets: list[str], seed: int, step: int, until: float) -> tuple[Counter[str], dict[str, str]]:
    """Try one seed after the other; each place of a crash is printed once."""
    faulthandler.enable()
    signal.signal(signal.SIGALRM, _hangs)
    tried: Counter[str] = Counter()
    crashes: dict[str, str] = {}
    while time.monotonic() < until:
        for target in targets:
            tried[target] += 1
            signal.alarm(_LONGEST_S)
            try:
                fuzz.run(target, seed)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - this is what is looked for
                signal.alarm(0)
                _report(error, f"make fuzz ARGS='--target {target} --seed {seed}'", crashes)
            signal.alarm(0)
        seed += step
    return tried, crashes


def _report(error: BaseException, case: str, crashes: dict[str, str]) -> None:
    cause = error.__cause__ if isinstance(error, fuzz.Broken) and error.__cause__ else error
    frames = traceback.extract_tb(cause.__traceback__)
    place = f"{type(cause).__name__} {frames[-1].filename}:{frames[-1].lineno}"
    if isinstance(cause, AssertionError):
        place += str(cause)[:60]
    if place not in crashes:
        crashes[place] = case
        print(f"\n{case}\n{''.join(traceback.format_exception(cause))}", flush=True)


def _hangs(*_: object) -> None:
    raise Hang


if __name__ == "__main__":
    sys.exit(main())
