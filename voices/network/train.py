# SPDX-License-Identifier: GPL-3.0-or-later
"""`make network`: recordings -> a trained network -> `build/network/NAME.onnx`; the same for the same seed.

It is trained in stages (`stages.py`), each with draws of its own.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from voices.network.corpus import Corpus, Recipe
from voices.network.examples import POOL, Batch, Room, SoundNumbers
from voices.network.model import Network, export, grown
from voices.network.natural import natural_answers, natural_moves
from voices.network.stages import Machine, Pools, Training, say
from voices.network.tokens import outputs

_SOUNDS_WEIGHT = 0.3  # the weight of an error in the sounds, relative to one in the words
_HELD_OUT, _HELD_OUT_SEED = 3000, 899  # recordings of the voices that are held out, and their seed
RATE_OF_LEARNING, _GROWN_RATE = 2e-3, 8e-4  # from nothing, and from a network that knows much
_AVERAGED = 0.999  # the stored weights are a running mean
_GENTLE = 0.2  # the share of the training, from its start, that is gentler
_STAGE = 40  # pools of batches
_MEASURED = 12  # batches with which a network that was exported is normalised again
_WORTH = 2  # how often each of the natural voices' moves counts; they are few


class Losses:
    """What a batch teaches: how far the words and the sounds that a network hears are from what was said."""

    def __init__(self, model: Network, machine: Machine) -> None:
        self._model, self._machine, self._device = model, machine, machine.device
        self._loss = nn.CTCLoss(reduction="sum", zero_infinity=True)

    def of(self, one: Batch) -> tuple[Any, Any]:
        """The loss of the words, in nats a word, and that which is learnt from."""
        with self._machine.in_half():
            words, sounds = self._model.both(one.bands.to(self._device))
        loss = self._far(words, one.labels, one.lengths, one.label_lengths)
        sounds = sounds[:, one.sounding.to(self._device)]
        unheard = self._far(sounds, one.sounds, one.lengths[one.sounding], one.sound_lengths)
        return loss, loss + _SOUNDS_WEIGHT * unheard

    def _far(self, heard: Any, said: Any, lengths: Any, said_lengths: Any) -> Any:
        """CTC's loss, of log-probabilities (time, batch, outputs).

        It is found among the outputs that are said in the batch, which takes a tenth of the time, and how
        probable these are together at each moment is added.
        """
        blank = torch.zeros(1, dtype=torch.long)
        outputs, places = torch.cat([blank, said]).unique(return_inverse=True)
        among = heard[..., outputs.to(self._device)]
        together = among.logsumexp(dim=-1)
        far = self._loss(among - together[..., None], places[1:].to(self._device), lengths, said_lengths)
        lasting = torch.arange(len(heard))[:, None] < lengths
        return (far - together[lasting.to(self._device)].sum()) / max(1, len(said))


@dataclass(frozen=True, slots=True)
class Sources:
    """What is learnt from: recordings by synthetic voices, and by people, if any."""

    corpus: Corpus
    people: Corpus | None = None

    def pools(self, seed: int, gentle: float = 0.0) -> Pools:
        """The batches of a training; in the first so many of them noise is weaker."""

        def opened(stage: int) -> Room:
            return Room(self.corpus, seed * 1000 + stage, self.people)

        def drawn(room: Room, pool: int) -> list[Batch]:
            return room.pool(pool, max(0.0, 1 - pool * POOL / gentle) if gentle else 0.0)

        return Pools(opened, drawn, _STAGE)


@dataclass(frozen=True, slots=True)
class Course:
    """So many batches, drawn by the seed, from an exported network or from nothing."""

    steps: int
    seed: int
    start: Path | None = None


def train(sources: Sources, course: Course, kept: Path, machine: Machine | None = None) -> Network:
    """The network after its course; it goes on from `kept`, if anything is."""
    machine = machine or Machine()
    torch.manual_seed(course.seed)
    pools = sources.pools(course.seed, 0 if course.start else _GENTLE * course.steps)
    model = _first(pools, course.start)
    say(f"parameters: {sum(p.numel() for p in model.parameters())}")
    rate = _GROWN_RATE if course.start else RATE_OF_LEARNING
    Training(model, course.steps, rate, _AVERAGED, machine).run(kept, pools, Losses(model, machine).of)
    return model


def _first(pools: Pools, start: Path | None) -> Network:
    names, sounds = outputs(), SoundNumbers().count
    if not start:
        return Network(len(names), sounds)
    return grown(start, names, sounds, [one.bands for one in pools[0][:_MEASURED]])


def main() -> None:
    """Make what is missing; train and export, if there is a name for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/network"))
    parser.add_argument("--name", help="the file that is written, without .onnx; without it there is none")
    parser.add_argument("--recordings", type=int, default=36000)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", default="", help="leave out the voices of an engine")
    parser.add_argument("--natural", action="store_true", help="with natural voices among the synthetic ones")
    parser.add_argument("--people", type=Path, help="recordings of people (scripts/people_corpus.py)")
    parser.add_argument("--start", type=Path, help="an exported network to go on from")
    Machine.add_to(parser)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    corpus = Recipe(options.recordings, options.seed).kept(options.folder / "train.npz")
    held_out = Recipe(_HELD_OUT, options.seed + _HELD_OUT_SEED, held_out=True)
    held_out.kept(options.folder / "held-out.npz")  # for `evaluate.py`
    if options.without:
        corpus = Corpus([one for one in corpus.spoken if not one.voice.startswith(options.without)])
    if options.natural:
        moves = [*natural_moves(options.folder).spoken] * _WORTH
        corpus = Corpus([*corpus.spoken, *moves, *natural_answers(options.folder).spoken])
    if not options.name:
        return
    people = Corpus.load(options.people) if options.people else None
    kept = options.folder / f"{options.name}.pt"
    sources = Sources(corpus, people)
    course = Course(options.steps, options.seed, options.start)
    model = train(sources, course, kept, Machine.of(options))
    export(model, options.folder / f"{options.name}.onnx")


if __name__ == "__main__":
    main()
