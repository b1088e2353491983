# SPDX-License-Identifier: GPL-3.0-or-later
"""How recordings are made for the training: the same ones for the same seed, also after an interruption."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from voices.network import corpus
from voices.network.corpus import LabelledRecording, Recipe
from voices.network.sentences import Sentence
from voices.network.speakers import TrainingVoice

RECIPE = Recipe(400, 3)  # of two parts
PARTS = (3000, 3001)


def as_compared(spoken: Sequence[LabelledRecording]) -> list[tuple[object, ...]]:
    return [(one.audio.tolist(), one.labels, one.kind, one.voice) for one in spoken]


class Voices:
    """Says the number of a seed for each sentence, tells in a folder which seeds it was asked for, and may fail."""

    def __init__(self, told: Path) -> None:
        self._told = told
        self.fails_at = 0

    def speak(self, jobs: Sequence[tuple[TrainingVoice, Sentence]], seed: int) -> list[np.ndarray]:
        if seed == self.fails_at:
            raise ChildProcessError
        (self._told / f"{seed}").touch(exist_ok=False)
        return [np.full(1600, seed, np.int16) for _ in jobs]

    def asked_for(self) -> list[int]:
        """The seeds since it was asked last."""
        seeds = sorted(int(one.name) for one in self._told.iterdir())
        for seed in seeds:
            (self._told / f"{seed}").unlink()
        return seeds


@pytest.fixture
def voices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Voices:
    told = tmp_path / "told"
    told.mkdir()
    found = Voices(told)
    monkeypatch.setattr(corpus, "speak", found.speak)
    return found


def test_an_interruption_costs_only_what_was_not_yet_made(tmp_path: Path, voices: Voices) -> None:
    whole = RECIPE.made().spoken
    assert voices.asked_for() == [*PARTS]
    folder = tmp_path / "network"
    folder.mkdir()
    path = folder / "train.npz"
    voices.fails_at = PARTS[1]
    with pytest.raises(ChildProcessError):
        RECIPE.kept(path)
    assert not path.exists()
    assert voices.asked_for() == [PARTS[0]]
    voices.fails_at = 0
    assert as_compared(RECIPE.kept(path).spoken) == as_compared(whole)
    assert voices.asked_for() == [PARTS[1]]
    assert [*folder.iterdir()] == [path]  # nothing of the parts is left
    RECIPE.kept(path)
    assert not voices.asked_for()
