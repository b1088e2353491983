# SPDX-License-Identifier: GPL-3.0-or-later
"""The scores that a game can end with, each with its sentence."""

from __future__ import annotations

from collections.abc import Mapping

RESULTS: Mapping[str, str] = {
    "1-0": "result_white",
    "0-1": "result_black",
    "1/2-1/2": "result_draw",
    "0-0": "result_lost",
}
