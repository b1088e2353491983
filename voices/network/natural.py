# SPDX-License-Identifier: GPL-3.0-or-later
"""What natural voices (Kokoro's) say: answers that teach, and what measures; each made once."""

from __future__ import annotations

from pathlib import Path

from voices.network.corpus import Corpus, Recipe
from voices.network.sentences import ANSWER_KINDS, COMMANDS, DENIAL_KINDS, MOVE_KINDS, TAUGHT_KINDS

# What they say is not what the synthetic voices say: other seeds.
_ENGINE = "kokoro"
_ANSWERS = Recipe(3600, 770, kinds=ANSWER_KINDS, engine=_ENGINE)
_DENIALS = Recipe(600, 771, kinds=DENIAL_KINDS, engine=_ENGINE)
_MOVES = Recipe(2800, 880, kinds=TAUGHT_KINDS, engine=_ENGINE)
_COMMANDS = Recipe(1600, 881, kinds=COMMANDS, engine=_ENGINE)
_HELD_OUT_ANSWERS = Recipe(400, 990, held_out=True, kinds=ANSWER_KINDS, engine=_ENGINE)
_HELD_OUT_MOVES = Recipe(400, 990, held_out=True, kinds=MOVE_KINDS, engine=_ENGINE)


def natural_answers(folder: Path) -> Corpus:
    """Answers, and what is like them."""
    return _ANSWERS.kept(folder / "natural.npz")


def natural_denials(folder: Path) -> Corpus:
    """What has the words of a yes and is none, beside answers, for the network that hears answers alone."""
    return _DENIALS.kept(folder / "natural-denials.npz")


def natural_moves(folder: Path) -> Corpus:
    """Commands, announcements and other speech."""
    moves = _MOVES.kept(folder / "natural-moves.npz").spoken
    return Corpus([*moves, *_COMMANDS.kept(folder / "natural-commands.npz").spoken])


def held_out_answers(folder: Path) -> Corpus:
    """The same by voices that teach nothing, for `evaluate_answers.py`."""
    return _HELD_OUT_ANSWERS.kept(folder / "held-out-natural.npz")


def held_out_moves(folder: Path) -> Corpus:
    """Commands, announcements and other speech by the same voices, for `evaluate.py`."""
    return _HELD_OUT_MOVES.kept(folder / "held-out-moves.npz")
