# SPDX-License-Identifier: GPL-3.0-or-later
"""Another game after the end of one: asked back, agreed as the last one, and a game of its own in the journal."""

import json

import pytest
from support.happening import played_ucis
from support.languages import LANGUAGES
from support.program import QUIET, run, script
from support.terminal import Player

from acessivel.messages.rendering import catalogue
from acessivel.storage.journal import Journal
from voices.meaning import CommandName
from voices.words.lexicon import vocabulary

MATE = ("f3", "e5", "g4", "Qh4")


def played(home, language, *lines, options=()):
    typed = script(*lines)
    options = ("--opponent", "human", "--language", language, "--save", home / "games", *options)
    return run(home, "play", *QUIET, *options, typed=typed)[0]


def games(home):
    return json.loads(run(home, "games", "--json", "--save", home / "games")[0][0])


def mated(yes):
    return [line for move in MATE for line in (move, yes)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [CommandName.NEW_GAME, CommandName.REMATCH])
def test_another_game_begins_after_the_end(tmp_path, language, name):
    words = vocabulary(language)
    yes, again = words.say("answer", "yes"), words.say("command", name)
    lines = played(
        tmp_path, language, again, *mated(yes), again, words.say("answer", "no"), again, yes, "e4", yes,
        options=("--clock", "5+3"),
    )  # fmt: skip
    sentences = catalogue(language)
    assert lines.index(sentences["new_game_not_yet"]) < lines.index(sentences[f"ask_{name}"])
    assert lines.count(sentences[f"ask_{name}"]) == 2
    first, second = games(tmp_path)
    assert (first["result"], second["result"]) == ("0-1", "*")
    journal = Journal(tmp_path / "games")
    before, after = (journal.load(number).state for number in (1, 2))
    journal.close()
    assert after.setup == before.setup.again(changed=name is CommandName.REMATCH)
    assert after.setup.timing.clock == "5+3"
    assert played_ucis(after) == ["e2e4"]


def test_a_position_that_was_drawn_is_drawn_anew_and_one_that_was_asked_for_stays(monkeypatch):
    from acessivel.commands import played_game
    from acessivel.game.game import Setup
    from acessivel.settings.settings import Settings

    monkeypatch.setattr(played_game.chess960, "drawn", lambda *_: "chess960:7")
    for variant, asked, follows in (
        ("standard", "standard", "standard"),
        ("chess960:518", "chess960:518", "chess960:518"),
        ("chess960:518", "chess960", "chess960:7"),
        ("chess960", "standard", "chess960"),
    ):
        setup = Setup.of(variant=variant)
        assert played_game._drawn_anew(setup, Settings(variant=asked)).beginning.variant == follows


def test_a_rematch_by_key_in_a_terminal(tmp_path):
    with Player(
        tmp_path, "play", "--opponent", "human", *QUIET, "--introduction", "off", "--save", tmp_path / "games"
    ) as player:
        player.press("", "Jogam as Brancas, lance 1")
        for move, told in zip(MATE, ("lance 1.", "lance 2.", "lance 2.", "xeque-mate"), strict=True):
            player.press(f"{move}\r", "?")
            player.press("s\r", told)
        player.press('\x1b"', "Quer jogar a revanche")
        player.press("\r", "Jogam as Brancas, lance 1")
        player.press("parar\r", "Quer parar?")
        player.press("\r", "acessivel resume 2")
        assert player.wait() == 0
