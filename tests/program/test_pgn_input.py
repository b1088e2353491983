# SPDX-License-Identifier: GPL-3.0-or-later
"""Games that lie in no file: PGN from standard input, and from the real clipboard of a screen of its own."""

import os
import shutil
import subprocess

import pytest
from support.program import PROGRAM, QUIET, environment, run

PGN = '[White "Ana"]\n[Black "Rui"]\n\n1. e4 e5 2. Nf3 *\n'
needs_a_screen = pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xclip")), reason="there is no Xvfb or no xclip"
)


@pytest.fixture
def clipboard():
    """A screen of its own; gives the environment of a program on it."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as number:
            yield {"DISPLAY": f":{number.readline().strip()}"}
    finally:
        server.terminate()
        server.wait(30)


def owner_of(screen):
    return subprocess.Popen(
        ["xclip", "-selection", "clipboard", "-quiet"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **screen},
        text=True,
    )


@pytest.mark.parametrize("command", [("record", "-"), ("record", "-", "--format", "text")])
def test_a_game_from_standard_input_is_written(tmp_path, command):
    lines, _ = run(tmp_path, *command, "--language", "en", typed=PGN)
    assert "Nf3" in " ".join(lines)


def test_two_records_are_compared_one_of_them_from_standard_input(tmp_path):
    (tmp_path / "b.pgn").write_text(PGN, "utf-8")
    lines, _ = run(tmp_path, "reconcile", "-", tmp_path / "b.pgn", "--language", "en", *QUIET, typed=PGN)
    assert lines[0].startswith("The two records agree")


@needs_a_screen
def test_a_game_is_read_from_the_clipboard(tmp_path, clipboard):
    with owner_of(clipboard) as owner:
        owner.stdin.write(PGN)
        owner.stdin.close()
        owner.stderr.readline()  # it waits for who asks
        done = subprocess.run(
            [PROGRAM, "record", "clipboard", "--language", "en"],
            capture_output=True,
            text=True,
            env=environment(tmp_path, **clipboard),
            check=True,
        )
        assert "1. e4 e5 2. Nf3 *" in done.stdout
        owner.terminate()


@needs_a_screen
def test_an_empty_clipboard_is_told(tmp_path, clipboard):
    done = subprocess.run(
        [PROGRAM, "record", "clipboard", "--language", "en"],
        check=False,
        capture_output=True,
        text=True,
        env=environment(tmp_path, **clipboard),
    )
    assert (done.returncode, done.stderr) == (2, "The clipboard is empty: copy a game in PGN first.\n")


def test_without_a_screen_there_is_no_clipboard(tmp_path):
    lines, (error,) = run(
        tmp_path, "record", "clipboard", "--language", "en", status=2, DISPLAY="", WAYLAND_DISPLAY="", PATH=""
    )
    assert lines == []
    assert error.startswith("The clipboard cannot be reached.")
