# SPDX-License-Identifier: GPL-3.0-or-later
"""`make network`: recordings -> the trained network -> `weights.onnx`; the same for the same seed.

It is trained in stages (`stages.py`), each with draws of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import nn

from voices.network.corpus import Corpus
from voices.network.examples import Batch, Room, SoundNumbers
from voices.network.model import Network, export, grown
from voices.network.natural import natural_answers, natural_moves
from voices.network.stages import Training, say
from voices.network.tokens import outputs

_SOUNDS_WEIGHT = 0.3  # the weight of an error in the sounds, relative to one in the words
_HELD_OUT, _HELD_OUT_SEED = 3000, 899  # recordings of the voices that are held out, and their seed
RATE_OF_LEARNING, _GROWN_RATE = 2e-3, 8e-4  # from nothing, and from a network that knows much
_AVERAGED = 0.999  # the stored weights are a running mean
_STAGE = 1000  # batches
_WORTH = 2  # how often each of the natural voices' moves counts; they are few
_MEASURED = 12  # batches with which a network that was exported is normalised again


class Losses:
    """What a batch teaches: how far the words and the sounds that a network hears are from what was said."""

    def __init__(self, model: Network) -> None:
        self._model = model
        self._loss = nn.CTCLoss(reduction="sum", zero_infinity=True)

    def of(self, one: Batch) -> tuple[Any, Any]:
        """The loss of the words, in nats a word, and that which is learnt from."""
        with torch.autocast("cpu", torch.bfloat16):  # half the time on processors that support it
            words, sounds = self._model.both(one.bands)
        words, sounds = words.transpose(0, 1), sounds.transpose(0, 1)[:, one.sounding]
        loss = self._loss(words, one.labels, one.lengths, one.label_lengths) / max(1, len(one.labels))
        unheard = self._loss(sounds, one.sounds, one.lengths[one.sounding], one.sound_lengths)
        return loss, loss + _SOUNDS_WEIGHT * unheard / max(1, len(one.sounds))


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
    say(f"parameters: {sum(p.numel() for p in model.parameters())}")
    training = Training(model, steps, _GROWN_RATE if start else RATE_OF_LEARNING, _AVERAGED)

    def draw(done: int, count: int) -> Iterator[Batch]:
        room = sources.room(seed * 1000 + done // _STAGE)
        yield from room.batches(count, done, 0 if start else steps)

    training.run(kept, _STAGE, draw, Losses(model).of)
    return model


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
    parser.add_argument("--natural", action="store_true", help="with natural voices among the synthetic ones")
    parser.add_argument("--people", type=Path, help="recordings of people (scripts/people_corpus.py)")
    parser.add_argument("--start", type=Path, help="an exported network to go on from")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    made = partial(Corpus.make, options.recordings, options.seed, held_out=False)
    corpus = Corpus.kept(options.folder / "train.npz", made)
    held_out = partial(Corpus.make, _HELD_OUT, options.seed + _HELD_OUT_SEED, held_out=True)
    Corpus.kept(options.folder / "held-out.npz", held_out)  # for `evaluate.py`
    if options.without:
        corpus = Corpus([one for one in corpus.spoken if not one.voice.startswith(options.without)])
    if options.natural:
        moves = [*natural_moves(options.folder).spoken] * _WORTH
        corpus = Corpus([*corpus.spoken, *moves, *natural_answers(options.folder).spoken])
    people = Corpus.load(options.people) if options.people else None
    kept = options.folder / f"{options.name}.pt"
    sources = Sources(corpus, people)
    model = train(sources, options.steps, options.seed, kept, options.start)
    export(model, options.folder / f"{options.name}.onnx")


if __name__ == "__main__":
    main()
