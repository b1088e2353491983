# SPDX-License-Identifier: GPL-3.0-or-later
"""The scores that a game can end with, each with its sentence, and the endings as PGN tells them apart."""

from __future__ import annotations

from collections.abc import Mapping

from acessivel.rules.position import BLACK, WHITE

RESULTS: Mapping[str, str] = {
    "1-0": "result_white",
    "0-1": "result_black",
    "1/2-1/2": "result_draw",
    "0-0": "result_lost",
}

# What ended a game -> PGN's tag Termination, for what is not "normal".
_TERMINATIONS: Mapping[str, str] = {
    "flag": "time forfeit",
    "flag_no_mate": "time forfeit",
    "flags": "time forfeit",
    "illegal": "rules infraction",
    "illegal_no_mate": "rules infraction",
    "illegal_position": "rules infraction",
    "late": "rules infraction",
    "sealed": "rules infraction",
    "sealed_no_mate": "rules infraction",
    "left": "abandoned",
    "abandoned": "abandoned",
    "aborted": "abandoned",
    "no_start": "abandoned",
    "cheat": "rules infraction",
    "arbiter": "adjudication",
}


def termination(reason: str | None) -> str:
    """PGN's tag Termination for the reason of a result; None: the game is not over."""
    return _TERMINATIONS.get(reason, "normal") if reason else "unterminated"


# The side that won; a draw and a game that both have lost have none.
WINNERS: Mapping[str, str] = {"1-0": WHITE, "0-1": BLACK}
