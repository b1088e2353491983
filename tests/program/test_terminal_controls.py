# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file has in it steers no terminal: no escape, no other control, no change of the writing's direction."""

import re
import unicodedata

import pytest
from support.program import QUIET, run
from support.terminal import Player

PLAIN = ("--language", "en")
# What the line that is being typed is drawn with.
DRAWN = re.compile(r"\x1b\[0m \x08|\r?\x1b\[(?:\?(?:1|7|12|25|2004)[hl]|\d*[A-DJ]|0m)\r?")
ESCAPES = "\x1b[31m\x1b]0;PWN\x07\x1b]52;c;cHdu\x07\x9b2J\x85\u202eabc\u2066\u200f\x08\x7f\r"
PGN = f'[Event "x{ESCAPES}"]\n[White "A{ESCAPES}"]\n\n1. e4 {{see {ESCAPES} there}} e5 (1... c5 {{{ESCAPES}}}) *\n'


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "escapes.pgn"
    path.write_text(PGN, "utf-8", newline="")
    return path


def steering(text):
    """The signs of a text that a terminal takes for more than signs."""
    text = re.sub("\r+\n", "\n", text)  # the terminal's own
    return [sign for sign in text if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp")]


@pytest.mark.parametrize(
    "command",
    [
        ("record", "FILE"),
        ("record", "FILE", "--format", "text"),
        ("record", "FILE", "--format", "unicode"),
        ("record", "FILE", "--format", "brf"),
        ("record", "FILE", "--format", "pef"),
        ("reconcile", "FILE", "FILE", *QUIET[2:]),
        ("read", "--json", f"e4 {ESCAPES.replace(chr(0), '')}"),
        (f"no{ESCAPES}", "FILE"),
        ("record", f"no{ESCAPES}.pgn"),
        ("laws", f"no{ESCAPES}"),
        ("models", "get", f"no{ESCAPES}"),
    ],
    ids=lambda command: " ".join(command[:1] + command[2:])[:30].encode("ascii", "ignore").decode(),
)
def test_no_command_lets_a_file_or_a_name_steer_the_terminal(tmp_path, file, command):
    with Player(tmp_path, *(file if word == "FILE" else word for word in command), *PLAIN) as player:
        seen, _ = player.read_to_end()
    assert seen
    assert steering(seen) == []


@pytest.mark.parametrize("form", ["pgn", "text", "brf"])
def test_the_terminal_shows_the_record_that_a_pipe_gets(tmp_path, form):
    path = tmp_path / "plain.pgn"
    path.write_text('[White "Ana Müller"]\n\n1. e4 e5 {gut} 2. Nf3 *\n')
    piped, _ = run(tmp_path, "record", path, "--format", form, *PLAIN)
    with Player(tmp_path, "record", path, "--format", form, *PLAIN) as player:
        seen, status = player.read_to_end()
    assert status == 0
    assert [line for line in seen.splitlines() if line] == [line for line in piped if line.strip("\f")]


def test_a_pipe_and_a_file_get_the_record_as_it_is(tmp_path, file):
    lines, _ = run(tmp_path, "record", file)
    assert "\x1b[31m\x1b]0;PWN\x07" in "\n".join(lines)
    run(tmp_path, "record", file, "-o", tmp_path / "copy.pgn")
    assert "\u202e" in (tmp_path / "copy.pgn").read_text("utf-8")


@pytest.mark.parametrize(
    "command", [("replay",), ("play", "--opponent", "human", "--introduction", "off", "--from")]
)
def test_nor_does_a_game_that_is_read_or_played_on(tmp_path, file, command):
    with Player(tmp_path, *command, file, *PLAIN, *QUIET) as player:
        player.press("", "White" if "play" in command else "Initial position.")
        player.press("forward\n", ".\r\n")
        player.press("\x04", "Goodbye.")
        seen, _ = player.read_to_end()
    assert steering(DRAWN.sub("", seen)) == []
