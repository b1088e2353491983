# SPDX-License-Identifier: GPL-3.0-or-later
"""Training step by step, in stages that are kept: an interruption costs at most one, and changes nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

_LARGEST_SLOPE = 5.0  # of a step
_TOLD = 100  # steps


class Training:
    """A network on its way.

    `rate`: of learning, at its highest; `averaged`: how much of the running mean, which is what is stored,
    stays in each step.
    """

    def __init__(self, model: nn.Module, steps: int, rate: float, averaged: float) -> None:
        self.model, self.step, self._steps = model, 0, steps
        self._averaged = torch.optim.swa_utils.AveragedModel(
            model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(averaged), use_buffers=True
        )
        self._optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(self._optimiser, rate, steps, pct_start=0.1)
        self._parts: tuple[Any, ...] = (model, self._averaged, self._optimiser, self._schedule)

    def run(
        self, kept: Path, stage: int, draw: Callable[[int, int], Iterator[Any]],
        losses: Callable[[Any], tuple[Any, Any]],
    ) -> None:  # fmt: skip
        """All steps that are left, kept after each `stage` of them; then the model is the running mean.

        `draw(first, count)`: the batches of so many steps, the same whenever they are drawn. `losses(batch)`:
        that which is told, and that which is learnt from.
        """
        self._load(kept)
        began, told, first = time.monotonic(), 0.0, self.step
        while self.step < self._steps:
            count = min(stage, self._steps - self.step)
            batches = torch.utils.data.DataLoader(
                _Stage(draw, self.step, count), batch_size=None, num_workers=1, prefetch_factor=8,
                multiprocessing_context="fork",
            )  # fmt: skip
            self.model.train()
            for one in batches:
                shown, learnt = losses(one)
                self._learn(learnt)
                loss = float(shown.detach())
                told = told * 0.98 + loss * 0.02 if told else loss
                if self.step % _TOLD == 0:
                    spent = (time.monotonic() - began) / (self.step - first)
                    say(f"step {self.step} of {self._steps}: loss {told:.3f}, {spent:.2f} s a step")
            self._save(kept)
        self.model.load_state_dict(self._averaged.module.state_dict())
        self.model.eval()

    def _save(self, path: Path) -> None:
        """Keep all that goes on; what was kept before stays until it is written."""
        half = path.with_suffix(".half")
        torch.save([self.step, torch.get_rng_state(), *(part.state_dict() for part in self._parts)], half)
        half.replace(path)

    def _load(self, path: Path) -> None:
        """Go on from what was kept, if anything was."""
        if not path.exists():
            return
        self.step, chance, *states = torch.load(path)
        torch.set_rng_state(chance)
        for part, state in zip(self._parts, states, strict=True):
            part.load_state_dict(state)

    def _learn(self, loss: Any) -> None:
        """One step down a loss."""
        self._optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), _LARGEST_SLOPE)
        self._optimiser.step()
        self._schedule.step()
        self._averaged.update_parameters(self.model)
        self.step += 1


class _Stage(torch.utils.data.IterableDataset[Any]):
    """Batches that are drawn beside the training, by one process."""

    def __init__(self, draw: Callable[[int, int], Iterator[Any]], first: int, count: int) -> None:
        self._draw, self._first, self._count = draw, first, count

    def __iter__(self) -> Iterator[Any]:
        torch.set_num_threads(1)
        yield from self._draw(self._first, self._count)


def say(line: str) -> None:
    """Tell how it goes, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
