# SPDX-License-Identifier: GPL-3.0-or-later
"""The program from its command line with pages: their links, and what is told when there can be none."""

import re
import socket
import sys

import pytest
from support.program import QUIET as DEVICES_OFF
from support.program import run

QUIET = (*DEVICES_OFF, "--language", "en", "--introduction", "off")
STOP = "stop\nyes\n"


def links(lines):
    return {found[1]: found[2] for line in lines if (found := re.fullmatch(r"([\w ]+): (http://\S+)", line))}


def test_the_links_are_written_at_the_start_one_a_line_and_nothing_without_the_option(tmp_path):
    lines, _ = run(tmp_path, "play", "--opponent", "human", "--web", *QUIET, typed=STOP)
    found = links(lines)
    assert list(found) == ["White", "Black", "Both sides", "Assistant", "Arbiter", "Spectator"]
    assert all(re.fullmatch(r"http://127\.0\.0\.1:\d+/#k=[\w-]{22,}", link) for link in found.values())
    assert "The game is also in the browser: the links are on the screen." in lines
    lines, _ = run(tmp_path, "play", "--opponent", "human", *QUIET, typed=STOP)
    assert not links(lines)


def test_with_two_boards_no_page_is_of_both_sides(tmp_path):
    lines, _ = run(tmp_path, "play", "--opponent", "human", "--two-boards", "--web", *QUIET, typed=STOP)
    assert "Both sides" not in links(lines)


def test_another_port_is_taken_if_the_wanted_one_is(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        lines, _ = run(
            tmp_path, "play", "--opponent", "human", "--web", "--web-port", str(port), *QUIET, typed=STOP
        )
    assert f":{port}/" not in links(lines)["White"]


def test_the_game_goes_on_without_the_packages_of_the_pages(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "starlette", None)
    lines, _ = run(tmp_path, "play", "--opponent", "human", "--web", *QUIET, typed="e4\nyes\n" + STOP)
    assert any(line.startswith("The pages in the browser need more packages.") for line in lines)
    assert any(line.startswith("1, White:") for line in lines)


@pytest.mark.parametrize(
    "command", [("practice", "colours", "--questions", "1"), ("introduction",)], ids=lambda c: c[0]
)
def test_drills_and_lessons_have_pages_too(tmp_path, command):
    lines, _ = run(tmp_path, *command, "--web", *QUIET[:-2], typed=STOP)
    assert list(links(lines)) == ["Both sides", "Spectator"]
