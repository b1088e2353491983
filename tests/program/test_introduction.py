# SPDX-License-Identifier: GPL-3.0-or-later
"""The introduction in the installed program: once at a terminal, on request, never in a script."""

import signal
import wave

import pytest
from support.program import QUIET, run, script
from support.synthetic import espeak
from support.terminal import Player, PlayerOfAProcess

from acessivel.message import Message
from acessivel.messages.rendering import Renderer

PLAY = ("play", "--opponent", "human", "--language", "en", *QUIET)
LESSONS = ("e4", "yes", "Nh3", "correction", "Nf3", "yes", "where are the knights", "stop", "yes")
GAME = "Both players announce their moves here."


def test_it_comes_once_at_a_terminal_and_the_game_begins_after_it(tmp_path):
    with Player(tmp_path, *PLAY) as player:
        player.press("", "Type, then press Enter: Eva vier.")
        player.press("e4\n", "Nothing is played before that.")
        player.press("yes\n", "Now a mistake")
        player.press("stop\n", "Do you want to stop?")
        player.press("yes\n", GAME)
        assert "The introduction ends here." in player.seen
        player.press("e4\n", "Bauer Eva zwei Eva vier?")
        player.press("yes\n", "1, White: Bauer Eva zwei Eva vier.")
        assert "press Enter" not in player.seen.split(GAME)[1]
    with Player(tmp_path, *PLAY) as again:
        again.press("", GAME)
        assert "practice board" not in again.seen


def test_escape_leaves_it(tmp_path):
    with Player(tmp_path, *PLAY) as player:
        player.press("", "Type, then press Enter: Eva vier.")
        player.press("\x1b", GAME)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_who_ends_the_program_in_it_is_asked_nothing_and_plays_no_game(tmp_path, sign):
    with PlayerOfAProcess(tmp_path, *PLAY) as player:
        player.press("", "Type, then press Enter: Eva vier.")
        player._process.send_signal(sign)
        seen, status = player.read_to_end()
    assert (status, GAME in seen) == (0, False)


def test_it_is_never_in_the_way_of_a_script(tmp_path):
    said, _ = run(tmp_path, *PLAY, typed="")
    assert not any("practice board" in line for line in said)
    said, _ = run(tmp_path, *PLAY, "--introduction", "on", typed=script(*LESSONS, "d4", "yes"))
    assert "That is all you need." in said
    assert said.index(GAME) > said.index("That is all you need.")
    assert "1, White: Bauer David zwei David vier." in said


def test_it_can_be_asked_for_in_lines_and_in_braille_and_keeps_no_game(tmp_path):
    options = ("--language", "en", "--hear", "keyboard", "--speak", "off", "--braille", "terminal")
    said, _ = run(tmp_path, "introduction", *options, typed=script(*LESSONS))
    assert "That is all you need." in said
    assert "Do you want to stop? The practice game is not kept." in said
    assert not any(line.endswith("The game is kept.") for line in said)
    assert sum(any(0x2800 <= ord(c) <= 0x28FF for c in line) for line in said) > len(LESSONS)
    assert run(tmp_path, "games", "--language", "en")[0] == [
        "There are no games yet. Begin one with: acessivel play"
    ]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("yes", "correction", "where are the knights", "stop")),
        ("de", ("ja", "Korrektur", "wo stehen die Springer", "beenden")),
        ("pt", ("sim", "correção", "onde estão os cavalos", "parar")),
        ("es", ("sí", "corrección", "dónde están los caballos", "parar")),
    ],
)
def test_what_it_says_takes_no_more_than_two_minutes(tmp_path, language, words):
    yes, correction, knights, stop = words
    typed = script("e4", yes, "Nh3", correction, "Nf3", yes, knights, stop, yes)
    options = ("--language", language, "--hear", "keyboard", "--speak", "off", "--braille", "off")
    said, _ = run(tmp_path, "introduction", *options, typed=typed)
    said.append(Renderer(language).text(Message.of("longer_yes_tip")))  # where a microphone hears
    spoken = espeak(" ".join(said), tmp_path / "introduction.wav", voice=language)
    with wave.open(str(spoken)) as audio:
        assert 60 < audio.getnframes() / audio.getframerate() < 120  # seconds
