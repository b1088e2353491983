# SPDX-License-Identifier: GPL-3.0-or-later
"""What natural voices say for the training and its measures: whose voices they are, and each recording made once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from voices.network.corpus import Corpus, LabelledRecording, Recipe
from voices.network.natural import (
    held_out_answers,
    held_out_moves,
    natural_answers,
    natural_denials,
    natural_moves,
)
from voices.network.sentences import ANSWER_KINDS, COMMANDS, DENIAL_KINDS, MOVE_KINDS, TAUGHT_KINDS

ONE = LabelledRecording(np.ones(1600, np.int16), ("de:ja",), "wording", "kokoro/pm_alex")


@pytest.mark.parametrize(
    ("spoken", "kinds", "held_out"),
    [
        (held_out_moves, [MOVE_KINDS], True),
        (natural_moves, [TAUGHT_KINDS, COMMANDS], False),
        (natural_answers, [ANSWER_KINDS], False),
        (natural_denials, [DENIAL_KINDS], False),
        (held_out_answers, [ANSWER_KINDS], True),
    ],
)
def test_natural_voices_speak_once(
    spoken: Callable[[Path], Corpus],
    kinds: list[dict[str, int]],
    held_out: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Recipe] = []

    def make(recipe: Recipe, _parts: Path) -> Corpus:
        made.append(recipe)
        return Corpus([ONE])

    monkeypatch.setattr(Recipe, "made", make)
    for _ in range(2):
        assert [one.voice for one in spoken(tmp_path).spoken] == [ONE.voice] * len(kinds)
    assert [(one.held_out, one.engine, one.kinds) for one in made] == [
        (held_out, "kokoro", each) for each in kinds
    ]
