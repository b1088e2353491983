# SPDX-License-Identifier: GPL-3.0-or-later
"""How people write the score of a game -> the spelling of PGN."""

from __future__ import annotations

DASHES = dict.fromkeys("‐‑‒–—−", "-")  # signs of print -> that of PGN
_SIGNS = {"½": "1/2", "0.5": "1/2", "0,5": "1/2", ":": "-", **DASHES}
_SHORT = {"=": "1/2-1/2", "1/2": "1/2-1/2", "+/-": "+-", "-/+": "-+", "-/-": "--"}


def usual(score: str) -> str:
    """A score as PGN writes it, or "+-" of a forfeit; what is none comes back nearly as it was."""
    text = score.strip().replace(" ", "")
    for sign, written in _SIGNS.items():
        text = text.replace(sign, written)
    return _SHORT.get(text, text)
