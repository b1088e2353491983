# SPDX-License-Identifier: GPL-3.0-or-later
"""A short run of `make fuzz`, the same cases each time."""

import pytest
from support import fuzz
from support.examples import examples

SEEDS = 8


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_no_mutated_input_breaks_the_program(target):
    _try(target, range(examples(SEEDS)))


@pytest.mark.parametrize(
    ("target", "where"),
    [
        ("game", "acessivel.app.game.step"),
        ("game", "acessivel.app.game.expectation"),
        ("replay", "acessivel.records.replayed_game.asked"),
        ("drill", "acessivel.drills.round.Round.say"),
        ("pgn", "acessivel.records.pgn_files.games"),
        ("trf", "acessivel.tournaments.trf.read"),
        ("envelope", "acessivel.adjournment.envelope._parts"),
        ("cases", "acessivel.commands.cases.position_of"),
    ],
)
def test_an_error_of_the_program_is_seen(target, where, monkeypatch):
    def fails(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(where, fails)
    with pytest.raises((fuzz.Broken, ZeroDivisionError)):
        _try(target, range(20))


def _try(target, seeds):
    for seed in seeds:
        fuzz.run(target, seed)


def test_a_case_is_the_same_each_time(monkeypatch):
    written = []
    monkeypatch.setattr(
        fuzz, "_called", lambda folder, *_, **__: written.append((folder / "game.pgn").read_bytes())
    )
    _try("pgn", (3, 3))
    assert written[0] == written[1] != fuzz.PGN.encode()
