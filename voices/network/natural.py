# SPDX-License-Identifier: GPL-3.0-or-later
"""What natural voices (Kokoro's) say: answers that teach, and what measures; each made once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from voices.network.corpus import Corpus
from voices.network.sentences import ANSWER_KINDS, COMMANDS, MOVE_KINDS, TAUGHT_KINDS

# How many recordings, and the seed: what they say is not what the synthetic voices say.
_ANSWERS, _ANSWERS_SEED = 3600, 770
_MOVES, _MOVES_SEED = 2800, 880
_COMMANDS, _COMMANDS_SEED = 1600, 881
_HELD_OUT, _HELD_OUT_SEED = 400, 990


def natural_answers(folder: Path) -> Corpus:
    """Answers, and what is like them."""
    return _kept(folder / "natural.npz", _ANSWERS, _ANSWERS_SEED, ANSWER_KINDS)


def natural_moves(folder: Path) -> Corpus:
    """Commands, announcements and other speech."""
    moves = _kept(folder / "natural-moves.npz", _MOVES, _MOVES_SEED, TAUGHT_KINDS)
    commands = _kept(folder / "natural-commands.npz", _COMMANDS, _COMMANDS_SEED, COMMANDS)
    return Corpus([*moves.spoken, *commands.spoken])


def held_out_answers(folder: Path) -> Corpus:
    """The same by voices that teach nothing, for `evaluate_answers.py`."""
    return _kept(folder / "held-out-natural.npz", _HELD_OUT, _HELD_OUT_SEED, ANSWER_KINDS, held_out=True)


def held_out_moves(folder: Path) -> Corpus:
    """Commands, announcements and other speech by the same voices, for `evaluate.py`."""
    return _kept(folder / "held-out-moves.npz", _HELD_OUT, _HELD_OUT_SEED, MOVE_KINDS, held_out=True)


def _kept(path: Path, count: int, seed: int, kinds: Mapping[str, int], *, held_out: bool = False) -> Corpus:
    return Corpus.kept(
        path, lambda: Corpus.make(count, seed, held_out=held_out, kinds=kinds, engine="kokoro")
    )
