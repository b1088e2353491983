# SPDX-License-Identifier: GPL-3.0-or-later
"""`make network`: recordings -> the trained network -> `weights.onnx`; the same for the same seed.

It is trained in stages, each with draws of its own. After each stage all is kept, so that an interruption
costs no more than a stage, and changes nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from voices.network.corpus import Corpus
from voices.network.examples import Batch, Room, SoundNumbers
from voices.network.model import Network, export, grown
from voices.network.tokens import outputs

_SOUNDS_WEIGHT = 0.3  # the weight of an error in the sounds, relative to one in the words
_HELD_OUT, _HELD_OUT_SEED = 3000, 899  # recordings of the voices that are held out, and their seed
RATE_OF_LEARNING, _GROWN_RATE = 2e-3, 8e-4  # from nothing, and from a network that knows much
_AVERAGED = 0.999  # the stored weights are a running mean
_STAGE = 1000  # batches
_MEASURED = 12  # batches with which a network that was exported is normalised again


class _Stream(torch.utils.data.IterableDataset[Any]):
    def __init__(self, room: Room, *batches: int) -> None:
        self._room, self._batches = room, batches

    def __iter__(self) -> Iterator[Batch]:
        torch.set_num_threads(1)
        yield from self._room.batches(*self._batches)


class Training:
    """A network on its way: what is kept between stages."""

    def __init__(self, model: Network, steps: int, rate: float) -> None:
        self.model, self.step, self._steps = model, 0, steps
        self._averaged = torch.optim.swa_utils.AveragedModel(
            model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(_AVERAGED), use_buffers=True
        )
        self._optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(self._optimiser, rate, steps, pct_start=0.1)
        self._loss = nn.CTCLoss(reduction="sum", zero_infinity=True)
        self._parts: tuple[Any, ...] = (model, self._averaged, self._optimiser, self._schedule)

    def save(self, path: Path) -> None:
        """Keep all that goes on; what was kept before stays until it is written."""
        half = path.with_suffix(".half")
        torch.save([self.step, *(part.state_dict() for part in self._parts)], half)
        half.replace(path)

    def load(self, path: Path) -> None:
        """Go on from what was kept."""
        self.step, *states = torch.load(path)
        for part, state in zip(self._parts, states, strict=True):
            part.load_state_dict(state)

    def learn(self, one: Batch) -> float:
        """One step; the loss of the words, in nats a word."""
        with torch.autocast("cpu", torch.bfloat16):  # half the time on processors that support it
            words, sounds = self.model.both(one.bands)
        words, sounds = words.transpose(0, 1), sounds.transpose(0, 1)[:, one.sounding]
        loss = self._loss(words, one.labels, one.lengths, one.label_lengths) / max(1, len(one.labels))
        unheard = self._loss(sounds, one.sounds, one.lengths[one.sounding], one.sound_lengths)
        self._optimiser.zero_grad()
        (loss + _SOUNDS_WEIGHT * unheard / max(1, len(one.sounds))).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self._optimiser.step()
        self._schedule.step()
        self._averaged.update_parameters(self.model)
        self.step += 1
        return float(loss.detach())

    def finished(self) -> Network:
        """The running mean."""
        self.model.load_state_dict(self._averaged.module.state_dict())
        self.model.eval()
        return self.model


@dataclass(frozen=True, slots=True)
class Sources:
    """What is learnt from: recordings by synthetic voices, and by people, if any."""

    corpus: Corpus
    people: Corpus | None = None

    def room(self, seed: int) -> Room:
        """Where their examples are drawn."""
        return Room(self.corpus, seed, self.people)


def train(sources: Sources, steps: int, seed: int, kept: Path, start: Path | None = None) -> Network:
    """The network after that many batches; it goes on from `kept`, or begins from `start` or from nothing."""
    torch.manual_seed(seed)
    model = _first(sources, seed, start)
    _say(f"parameters: {sum(p.numel() for p in model.parameters())}")
    training = Training(model, steps, _GROWN_RATE if start else RATE_OF_LEARNING)
    if kept.exists():
        training.load(kept)
    began, mean, first = time.monotonic(), 0.0, training.step
    while training.step < steps:
        room = sources.room(seed * 1000 + training.step // _STAGE)
        stage = _Stream(room, min(_STAGE, steps - training.step), training.step, 0 if start else steps)
        loader = torch.utils.data.DataLoader(stage, batch_size=None, num_workers=1, prefetch_factor=8)
        model.train()
        for one in loader:
            loss = training.learn(one)
            mean = mean * 0.98 + loss * 0.02 if mean else loss
            if training.step % 100 == 0:
                spent = (time.monotonic() - began) / (training.step - first)
                _say(f"step {training.step} of {steps}: loss {mean:.3f}, {spent:.2f} s a step")
        training.save(kept)
    return training.finished()


def _first(sources: Sources, seed: int, start: Path | None) -> Network:
    names, sounds = outputs(), SoundNumbers().count
    if not start:
        return Network(len(names), sounds)
    return grown(start, names, sounds, [one.bands for one in sources.room(seed).batches(_MEASURED)])


def main() -> None:
    """Make what is missing, train, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/network"))
    parser.add_argument("--name", default="weights", help="the file that is written, without .onnx")
    parser.add_argument("--recordings", type=int, default=36000)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--without", default="", help="leave out the voices of an engine")
    parser.add_argument("--people", type=Path, help="recordings of people (scripts/people_corpus.py)")
    parser.add_argument("--start", type=Path, help="an exported network to go on from")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    path = options.folder / "train.npz"
    if not path.exists():
        Corpus.make(options.recordings, options.seed, held_out=False).save(path)
    held_out = options.folder / "held-out.npz"
    if not held_out.exists():
        Corpus.make(_HELD_OUT, options.seed + _HELD_OUT_SEED, held_out=True).save(held_out)
    corpus = Corpus.load(path)
    if options.without:
        corpus = Corpus([one for one in corpus.spoken if not one.voice.startswith(options.without)])
    people = Corpus.load(options.people) if options.people else None
    kept = options.folder / f"{options.name}.pt"
    sources = Sources(corpus, people)
    model = train(sources, options.steps, options.seed, kept, options.start)
    export(model, options.folder / f"{options.name}.onnx")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
