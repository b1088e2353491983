# SPDX-License-Identifier: GPL-3.0-or-later
"""For all tests: how many examples a property is tried with, and what each test needs, as a marker."""

import gc
import inspect
import itertools
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType

import pytest
from hypothesis import settings

# Properties are not timed, since a busy machine is no mistake.
settings.register_profile("full", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "full"))

# Much of what is tested waits until its files are on the disk: kept in memory, they are there at once.
MEMORY, ENOUGH = Path("/dev/shm"), 2**31  # noqa: S108
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ENOUGH:
    os.environ.setdefault("TMPDIR", str(MEMORY))
    tempfile.tempdir = None

# As the program sets it for itself: threads that wait for each other take twice the time.
for library in ("OPENBLAS", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# Tests that a shell runs in the background ignore interrupts, and so would the programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Hardly anything that tests make is garbage: looking for it as often as usual takes a tenth of the time.
gc.set_threshold(100_000)

TESTS = Path(__file__).parent

# The name of what a test uses, itself or by its helpers and fixtures -> what it needs.
NEEDS = {
    "PrivatePulse": "sound",
    "synthesise": "sound",
    "TrainingVoice": "sound",
    "kokoro": "sound",
    "VirtualBrltty": "display",
    "PrivatePostgres": "postgres",
    "play_round": "postgres",
    "popen_uci": "engine",
    "find_engine": "engine",
    "sync_playwright": "browser",
    "Pages": "server",
    "uvicorn": "server",
    "ServerThread": "server",
    "PROGRAM": "process",
    "subprocess": "process",
    "run": "",  # of the program, in this process
}


# Which part of the cases of a sweep `make quick` tries: each fourth.
PART = 4


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let those tests begin first that take longest; with few examples, leave out most cases of a sweep."""
    items.sort(key=lambda item: item.get_closest_marker("unit") is not None)
    if os.environ.get("HYPOTHESIS_PROFILE") != "quick":
        return
    numbers: dict[str, Iterator[int]] = {}
    out = {
        item
        for item in items
        if item.get_closest_marker("sweep")
        and next(numbers.setdefault(item.nodeid.partition("[")[0], itertools.count())) % PART
    }
    items[:] = [item for item in items if item not in out]
    config.hook.pytest_deselected(items=list(out))


def pytest_collection_finish() -> None:
    """Look for no garbage among the tests."""
    gc.freeze()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test by what it needs, before the tests are chosen by their markers."""
    if not isinstance(item, pytest.Function):
        return
    needs = set().union(*map(_needs, (item.function, *_fixtures(item))))
    if TESTS / "program" in item.path.parents:
        needs.add("program")
    for name in needs or {"unit"}:
        item.add_marker(name)


def _fixtures(item: pytest.Function) -> Iterator[Callable[..., object]]:
    """The fixtures of a test, also those that it asks for by a parameter's value (`getfixturevalue`)."""
    params = item.callspec.params.values() if hasattr(item, "callspec") else ()
    waiting, seen = [*item.fixturenames, *(value for value in params if isinstance(value, str))], set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            for found in item.session._fixturemanager.getfixturedefs(name, item) or ():
                yield found.func
                waiting += found.argnames


@cache
def _needs(used: Callable[..., object] | type) -> frozenset[str]:
    """What a function or a class of the tests needs, and whatever it uses in turn."""
    found, waiting, seen = set(), [used], set()
    while waiting:
        part = inspect.unwrap(waiting.pop())
        if part in seen:
            continue
        seen.add(part)
        if inspect.isclass(part):
            waiting += filter(inspect.isfunction, vars(part).values())
        elif inspect.isfunction(part):
            for name in _names(part.__code__):
                other = part.__globals__.get(name)
                if name in NEEDS:
                    found.add(NEEDS[name])
                elif _ours(other):
                    waiting.append(other)
                elif inspect.ismodule(other) and other.__name__.startswith("support."):
                    of_module = (getattr(other, within, None) for within in part.__code__.co_names)
                    waiting += filter(_ours, of_module)
    return frozenset(found - {""})


def _names(code: CodeType) -> Iterator[str]:
    """The names that a function uses, and those within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _ours(used: object) -> bool:
    """Whether this is a function or a class of the tests."""
    found = inspect.isfunction(used) or inspect.isclass(used)
    return found and used.__module__.partition(".")[0] in {"tests", "support"}
