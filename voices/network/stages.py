# SPDX-License-Identifier: GPL-3.0-or-later
"""Training step by step, in stages that are kept: an interruption costs at most one, and changes nothing."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

import torch
from torch import nn

_LARGEST_SLOPE = 5.0  # of a step
_TOLD = 100  # steps
_AHEAD = 2  # pools that each process has drawn before they are asked for


@dataclass(frozen=True, slots=True)
class Machine:
    """What the training runs on: torch's name of the device, its threads, and how many processes draw.

    What is drawn does not depend on them.
    """

    device: str = "cpu"
    threads: int = 2
    drawing: int = 1

    @classmethod
    def add_to(cls, parser: argparse.ArgumentParser) -> None:
        """The options for it."""
        usual = cls()
        parser.add_argument("--device", default=usual.device, help="where it is trained, as torch calls it")
        parser.add_argument("--threads", type=int, default=usual.threads)
        parser.add_argument("--drawing", type=int, default=usual.drawing, help="processes that draw examples")

    @classmethod
    def of(cls, options: argparse.Namespace) -> Machine:
        """What the options say; torch is told how many threads it has, and has as many files as it may."""
        torch.set_num_threads(options.threads)
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]  # each array that is drawn comes in a file
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        return cls(options.device, options.threads, options.drawing)

    def in_half(self) -> torch.autocast:
        """Where a network is computed in numbers of 16 bits: on a processor that takes half the time."""
        return torch.autocast("cpu", torch.bfloat16, self.device == "cpu")


@dataclass(slots=True)
class Pools(torch.utils.data.Dataset[Sequence[Any]]):
    """Batches that are drawn together, endlessly; each pool is the same whenever it is drawn.

    `opened(number)`: where the pools of a stage are drawn; `drawn(room, pool)`: the batches of one. `stage`:
    how many pools are drawn in one room, and kept together.
    """

    opened: Callable[[int], Any]
    drawn: Callable[[Any, int], Sequence[Any]]
    stage: int
    _room: tuple[int, Any] = field(default=(-1, None), init=False)

    def __getitem__(self, pool: int) -> Sequence[Any]:
        number = pool // self.stage
        if self._room[0] != number:
            self._room = (number, self.opened(number))
        return self.drawn(self._room[1], pool)


class Training:
    """A network on its way.

    `rate`: of learning, at its highest; `averaged`: how much of the running mean, which is what is stored,
    stays in each step.
    """

    def __init__(
        self, model: nn.Module, steps: int, rate: float, averaged: float, machine: Machine | None = None
    ) -> None:
        self.machine = machine or Machine()
        self.model, self.step, self._pool, self._steps = model.to(self.machine.device), 0, 0, steps
        self._averaged = torch.optim.swa_utils.AveragedModel(
            model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(averaged), use_buffers=True
        )
        self._optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01, fused=True)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(self._optimiser, rate, steps, pct_start=0.1)
        self._parts: tuple[Any, ...] = (model, self._averaged, self._optimiser, self._schedule)

    def run(self, kept: Path, pools: Pools, losses: Callable[[Any], tuple[Any, Any]]) -> None:
        """All steps that are left, kept after each stage of pools; then the model is the running mean.

        `losses(batch)`: that which is told, and that which is learnt from.
        """
        self._load(kept)
        began, told, first = time.monotonic(), None, self.step
        self.model.train()
        for some in self._drawn(pools):
            for one in islice(some, self._steps - self.step):
                shown, learnt = losses(one)
                self._learn(learnt)
                told = shown.detach() if told is None else told.lerp(shown.detach(), 0.02)
                if self.step % _TOLD == 0:
                    spent = (time.monotonic() - began) / (self.step - first)
                    say(f"step {self.step} of {self._steps}: loss {float(told):.3f}, {spent:.3f} s a step")
            self._pool += 1
            if self._pool % pools.stage == 0 or self.step == self._steps:
                self._save(kept)
            if self.step == self._steps:
                break
        self.model.load_state_dict(self._averaged.module.state_dict())
        self.model.eval().cpu()

    def _drawn(self, pools: Pools) -> Any:
        """Pools from the next one on, drawn beside the training, whose own chance that leaves as it is."""
        if self.step == self._steps:
            return ()
        return torch.utils.data.DataLoader(
            pools, batch_size=None, sampler=_From(self._pool), num_workers=self.machine.drawing,
            prefetch_factor=_AHEAD, multiprocessing_context="fork", generator=torch.Generator(),
        )  # fmt: skip

    def _save(self, path: Path) -> None:
        """Keep all that goes on; what was kept before stays until it is written."""
        half = path.with_suffix(".half")
        states = [part.state_dict() for part in self._parts]
        torch.save([self.step, self._pool, torch.get_rng_state(), *states], half)
        half.replace(path)

    def _load(self, path: Path) -> None:
        """Go on from what was kept, if anything was."""
        if not path.exists():
            return
        self.step, self._pool, chance, *states = torch.load(path, map_location="cpu")
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


class _From(torch.utils.data.Sampler[int]):
    """All numbers from one on."""

    def __init__(self, first: int) -> None:
        self._first = first

    def __iter__(self) -> Iterator[int]:
        return count(self._first)


def say(line: str) -> None:
    """Tell how it goes, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
