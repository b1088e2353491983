# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the pairing engine that the user has: bbpPairings, or JaVaFo in Java."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings.settings import user_path
from acessivel.tournaments.pairing import Task

_NAMES = ("bbpPairings", "bbpPairings.exe", "javafo")
_TIME_LIMIT_S = 300  # some thousand players take bbpPairings minutes
_IMPOSSIBLE = 1  # bbpPairings' status if no pairing is possible


def pair(engine: str, task: Task) -> str:
    """The answer of an engine: `engine` is the path of a program or of a .jar, "" for one that is installed.

    Raises UserError if there is none, it is not made for this tournament, or it does not pair the round.
    """
    program = engine or next((name for name in _NAMES if shutil.which(name)), "")
    if program.startswith("~"):
        program = str(user_path(program))
    if not program or not (shutil.which(program) or Path(program).is_file()):
        raise UserError(Message.of("pairing_no_engine", program=program or _NAMES[0]))
    with tempfile.TemporaryDirectory(prefix="acessivel-") as folder:
        file, answer = Path(folder, "round.trf"), Path(folder, "pairs.txt")
        file.write_text(task.text, encoding="utf-8", newline="")
        done = _run(_call(program, task, str(file), str(answer)))
        text = answer.read_text("utf-8", "replace") if answer.is_file() else ""
    if done.returncode == _IMPOSSIBLE and not _is_javafo(program):
        raise UserError(Message.of("pairing_impossible", round=task.round))
    if done.returncode or not text.strip():
        said = " ".join(done.stderr.split() or done.stdout.split())[:300]
        raise UserError(Message.of("pairing_failed", program=Path(program).name, text=said or "-"))
    return text


def _is_javafo(program: str) -> bool:
    return "javafo" in Path(program).name.lower() or program.lower().endswith(".jar")


def _call(program: str, task: Task, file: str, answer: str) -> list[str]:
    """The command line. Raises UserError for a system that the engine does not know."""
    if not _is_javafo(program):
        if task.baku:  # old versions would not read line 192, and pair without a word
            raise UserError(Message.of("pairing_baku"))
        return [program, f"--{task.system}", file, "-p", answer]
    if task.system != "dutch":
        raise UserError(Message.of("pairing_system", system=task.system))
    start = ["java", "-ea", "-jar", program] if program.lower().endswith(".jar") else [program]
    return [*start, file, *(["-b"] if task.baku else []), "-p", answer]


def _run(call: list[str]) -> subprocess.CompletedProcess[str]:
    """Run an engine to its end. Raises UserError if it cannot be started, or takes too long."""
    try:
        return subprocess.run(  # noqa: S603 - the engine that the user has named
            call,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_TIME_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UserError(Message.of("pairing_slow", program=call[0], count=_TIME_LIMIT_S // 60)) from error
    except OSError as error:
        raise UserError(Message.of("pairing_no_engine", program=call[0])) from error
