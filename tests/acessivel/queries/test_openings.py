# SPDX-License-Identifier: GPL-3.0-or-later
"""The name of the opening: the last position that has one, whatever the order of the moves."""

import re
from pathlib import Path

import pytest
import tomli
from support.languages import LANGUAGES

from acessivel.game.game import Game, Setup
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.queries import openings
from acessivel.records.pgn import pgn
from acessivel.rules.position import Position
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from voices.understanding.meanings import read

TABLE = tomli.loads(Path(openings.__file__).with_name("openings.toml").read_text("utf-8"))
RUY_LOPEZ = "e2e4 e7e5 g1f3 b8c6 f1b5"
ASKED = {
    "pt": "que abertura é esta",
    "en": "which opening is this",
    "de": "welche Eröffnung ist das",
    "es": "qué apertura es esta",
}
NAMED = {
    "pt": "A abertura é Ruy López, C60.", "en": "The opening is Ruy Lopez, C60.",
    "de": "Die Eröffnung heißt Spanische Partie, C60.", "es": "La apertura es Apertura Española, C60.",
}  # fmt: skip


def game(moves, **setup):
    made = Game.new(Setup.of(**setup))
    for uci in moves.split():
        made = made.play(made.position.fact(uci), 0)
    return made


@pytest.mark.parametrize("key", TABLE)
def test_each_line_is_legal_and_is_named_at_its_end(key):
    found = openings.opening(game(TABLE[key]["moves"]))
    assert (found.key, found.eco) == (key, TABLE[key]["eco"])
    assert re.fullmatch(r"[A-E]\d\d", found.eco)
    for language in LANGUAGES:
        assert catalogue(language)[f"opening_{key}"]


@pytest.mark.parametrize(
    ("moves", "key"),
    [
        ("g1f3 g8f6 c2c4 e7e6 d2d4 b7b6", "queens_indian"),  # transposed
        ("d2d4 e7e6 e2e4 d7d5 b1c3 f8b4", "french_winawer"),
        (
            "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 f1e2 e7e5 d4b3 f8e7",
            "sicilian_najdorf",
        ),  # long after
        ("a2a3 h7h6", None),
        ("", None),
    ],
)
def test_the_last_known_position_names_it(moves, key):
    found = openings.opening(game(moves))
    assert (found and found.key) == key


def test_a_game_from_another_position_has_the_name_of_one_that_it_reaches_only():
    assert openings.opening(game("e2e4", fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")) is None
    assert openings.opening(game("c7c5", fen=Position.start().after("e2e4").fen)).key == "sicilian"


def played(language, **setup):
    state = State.new(Setup.of(language=language, **setup))
    for uci in RUY_LOPEZ.split():
        state, _ = step(state, ev.Heard(words=(uci,)))
        state, _ = step(
            state, ev.Heard(words=({"pt": "sim", "en": "yes", "de": "ja", "es": "sí"}[language],))
        )
    assert len(state.game.played) == 5
    return state


def told(state, words):
    state, effects = step(state, ev.Heard(words=(words,)))
    renderer = Renderer(state.setup.language)
    return state, [renderer.text(message) for effect in effects for message in effect.messages]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_told_in_practice(language):
    state = played(language, practice=True)
    assert told(state, ASKED[language])[1] == [NAMED[language]]
    assert [reading.meaning.name for reading in read(ASKED[language], language)] == ["opening"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_game_it_is_refused_until_the_end(language):
    state = played(language)
    assert told(state, ASKED[language])[1] == [Renderer(language).text(openings.Message.of("practice_only"))]
    state, _ = step(state, ev.Ordered(command="resign"))
    state, _ = step(state, ev.Heard(words=({"pt": "sim", "en": "yes", "de": "ja", "es": "sí"}[language],)))
    assert state.game.result
    assert NAMED[language] in told(state, ASKED[language])[1]


def test_the_record_of_a_finished_game_names_it_in_english_as_pgn_does():
    state = played("pt")
    assert "ECO" not in pgn(state.setup, state.game, "2026-01-02T03:04:05")
    state, _ = step(state, ev.Ordered(command="resign"))
    state, _ = step(state, ev.Heard(words=("sim",)))
    record = pgn(state.setup, state.game, "2026-01-02T03:04:05")
    assert '[ECO "C60"]' in record
    assert '[Opening "Ruy Lopez"]' in record
