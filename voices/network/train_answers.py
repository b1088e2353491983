# SPDX-License-Identifier: GPL-3.0-or-later
"""The last stage of `make network`: recordings -> the network that hears yes and no -> `answers.onnx`.

It listens to large networks as well, which must be in the package. It is trained in stages, as they are
(`stages.py`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import onnx
import torch
from torch import nn

from voices.network.answers import BANDS as SOUND
from voices.network.answers import LONGEST_FRAMES, METADATA, classes, phrase
from voices.network.corpus import Corpus, LabelledRecording, Recipe
from voices.network.diphones import joined
from voices.network.ear import Ear, ears
from voices.network.examples import Example, Room, padded
from voices.network.features import BANDS
from voices.network.model import WIDTH as HIDDEN_WIDTH
from voices.network.model import write
from voices.network.natural import natural_answers, natural_denials
from voices.network.packed import in_bytes
from voices.network.sentences import ANSWER_KINDS, DENIAL_KINDS
from voices.network.stages import Machine, Pools, Training

WIDTH, KERNEL = 128, 5
_SEED = 24
_VOICES = Recipe(16000, _SEED, kinds=ANSWER_KINDS)
_DENIALS = Recipe(1600, 25, kinds=DENIAL_KINDS)
_PEOPLES_DENIALS = 600, 26  # recordings that are joined of people's sounds, and how they are drawn
_WORTH = 2  # how often each recording by natural voices counts
_ANSWERS = 0.45  # of the examples
# Of the answers, those that are joined from people's sounds; of all others, people's talk, and what is joined
# of it.
_PEOPLE, _TALK, _JOINED = 0.3, 0.4, 0.15
_BATCH, _POOL, _STAGE = 64, 12, 40
_STEPS = 16000, 12000
_LISTENING = 2  # large networks
_RATE, _AVERAGED = 2e-3, 0.998


class AnswerBlock(nn.Module):
    """A residual convolution over time."""

    def __init__(self, dilation: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv1d(WIDTH, WIDTH, KERNEL, padding=KERNEL // 2 * dilation, dilation=dilation),
            nn.BatchNorm1d(WIDTH), nn.ReLU(), nn.Dropout(0.1),
        )  # fmt: skip

    def forward(self, x: Any) -> Any:
        """(batch, channels, time) -> the same shape."""
        return x + self.layers(x)


class AnswerListener(nn.Module):
    """What is heard (batch, time, width) -> log-probabilities of the classes (batch, classes).

    What each 40 ms are like is weighed by how much they matter (attention), and by the loudest of it.
    """

    def __init__(self, stem: nn.Module, dilations: Sequence[int]) -> None:
        super().__init__()
        self.stem = stem
        self.blocks = nn.Sequential(*map(AnswerBlock, dilations))
        self.attention = nn.Conv1d(WIDTH, 4, 1)
        self.head = nn.Sequential(
            nn.Linear(5 * WIDTH, 2 * WIDTH), nn.ReLU(), nn.Dropout(0.2), nn.Linear(2 * WIDTH, len(classes()))
        )

    def forward(self, x: Any) -> Any:
        """See the class."""
        found = self.blocks(self.stem(x.transpose(1, 2)))
        weights = torch.softmax(self.attention(found), dim=2)
        seen = torch.matmul(found, weights.transpose(1, 2)).flatten(1)
        return torch.log_softmax(self.head(torch.cat([seen, found.amax(dim=2)], dim=1)).float(), dim=-1)


def sound_listener() -> AnswerListener:
    """Hears log mel bands (batch, frames, 40)."""
    stem = nn.Sequential(
        nn.Conv1d(BANDS, WIDTH, 5, stride=2, padding=2), nn.BatchNorm1d(WIDTH), nn.ReLU(),
        nn.Conv1d(WIDTH, WIDTH, 5, stride=2, padding=2), nn.BatchNorm1d(WIDTH), nn.ReLU(),
    )  # fmt: skip
    return AnswerListener(stem, (1, 1, 2, 2, 4))


def hidden_listener() -> AnswerListener:
    """Hears what a large network gives its last layer (batch, time, width)."""
    stem = nn.Sequential(nn.Dropout(0.1), nn.Conv1d(HIDDEN_WIDTH, WIDTH, 1), nn.BatchNorm1d(WIDTH), nn.ReLU())
    return AnswerListener(stem, (1, 1, 2))


class AnswerNetwork(nn.Module):
    """Listeners that learn each for itself, so that they are seldom mistaken in the same way.

    The geometric mean of what they say counts.
    """

    def __init__(self, sound: AnswerListener, hidden: Sequence[AnswerListener]) -> None:
        super().__init__()
        self.sound, self.hidden = sound, nn.ModuleList(hidden)

    def forward(self, bands: Any, *hidden: Any) -> Any:
        """What each listens to -> log-probabilities of the classes (batch, classes)."""
        said = self.each(bands, *hidden)
        return torch.log_softmax(torch.stack(said).mean(dim=0), dim=-1)

    def each(self, bands: Any, *hidden: Any) -> list[Any]:
        """What each of them says: log-probabilities of the classes (batch, classes)."""
        return [self.sound(bands), *(one(heard) for one, heard in zip(self.hidden, hidden, strict=True))]


class AnswerBatch(NamedTuple):
    """Padded features (batch, frames, 40), the number of the class of each, and what is heard in each.

    That is the input of the last layer of each large network that listens, padded too (batch, time, width).
    """

    bands: Any
    right: Any
    hidden: Sequence[Any] = ()


class AnswerRoom(Room):
    """Draws disturbed answers, and what is none, from both corpora endlessly.

    `heard_by`: the large networks that listen to them.
    """

    cut_start, cut_end = 0.0, 0.0  # without its start, a "ja" sounds like a "da"

    def __init__(self, corpus: Corpus, seed: int, people: Corpus, heard_by: Sequence[Ear] = ()) -> None:
        super().__init__(corpus, seed, behind=people)
        self._heard_by = heard_by
        self._names = [*self._numbers]
        self._classes = {tokens: number for number, tokens in enumerate(classes())}
        joined, talk = people.of("joined"), [*people.of("talk"), *people.of("word")]
        self._answers = [[one for one in some if self._class(one.labels)] for some in (corpus.spoken, joined)]
        self._others = [
            [one for one in some if not self._class(one.labels)] for some in (corpus.spoken, talk, joined)
        ]

    def _class(self, tokens: tuple[str, ...]) -> int:
        return self._classes.get(tokens, 0)

    def _draw(self) -> LabelledRecording:
        chance = self._chance
        if chance.random() < _ANSWERS:
            some = self._answers[int(chance.random() < _PEOPLE)]
        else:
            some = self._others[int(chance.choice(3, p=[1 - _TALK - _JOINED, _TALK, _JOINED]))]
        return some[int(chance.integers(0, len(some)))]

    def answers(self, number: int) -> list[AnswerBatch]:
        """Batches of similar length, none of it longer than what is judged; the same for the same number."""
        judged = (
            [one for one in some if 0 < len(one.bands) <= LONGEST_FRAMES]
            for some in self.alike(number, _BATCH, _POOL)
        )
        return [self._batch(some) for some in judged if some]

    def _batch(self, some: Sequence[Example]) -> AnswerBatch:
        right = [self._class(tuple(self._names[label] for label in one.labels)) for one in some]
        hidden = [padded([ear.listened(one.bands).hidden for one in some]) for ear in self._heard_by]
        return AnswerBatch(padded([one.bands for one in some]), torch.tensor(right), hidden)


def train(
    corpora: tuple[Corpus, Corpus], steps: Sequence[int], seed: int, kept: Path,
    machine: Machine | None = None,
) -> AnswerNetwork:  # fmt: skip
    """The listener to the sound alone, then all, so many batches each; it goes on from what is `kept`."""
    machine = machine or Machine()
    torch.manual_seed(seed)

    def learning(model: nn.Module, count: int) -> Training:
        return Training(model, count, _RATE, _AVERAGED, machine)

    alone, together = steps
    sound = sound_listener()
    _train(learning(sound, alone), kept, _pools(corpora, seed, tuple), lambda bands, _: [sound(bands)])
    network = AnswerNetwork(sound, [hidden_listener() for _ in listening()])
    _train(
        learning(network, together), kept.with_stem(f"{kept.stem}-all"), _pools(corpora, seed + 1, listening),
        lambda bands, hidden: network.each(bands, *hidden),
    )  # fmt: skip
    return network


def listening() -> tuple[Ear, ...]:
    """The large networks that it listens to; one more would add nothing (docs/hearing.md)."""
    return ears()[:_LISTENING]


def _pools(corpora: tuple[Corpus, Corpus], seed: int, opened: Callable[[], Sequence[Ear]]) -> Pools:
    """What is drawn for the training; the networks are opened in the process that draws."""
    corpus, people = corpora

    def room(stage: int) -> AnswerRoom:
        return AnswerRoom(corpus, seed * 1000 + stage, people, opened())

    return Pools(room, AnswerRoom.answers, _STAGE)


def _train(
    training: Training, kept: Path, pools: Pools, say: Callable[[Any, Sequence[Any]], Sequence[Any]]
) -> None:
    """Each of those who say something of a batch learns from it."""
    machine = training.machine

    def losses(one: AnswerBatch) -> tuple[Any, Any]:
        right = one.right.to(machine.device)
        with machine.in_half():
            said = say(one.bands.to(machine.device), [hidden.to(machine.device) for hidden in one.hidden])
        loss = sum(nn.functional.nll_loss(each, right) for each in said)
        return loss, loss

    training.run(kept, pools, losses)


def export(model: AnswerNetwork, path: Path) -> None:
    """Write a network as it is in the package, with its outputs' names and to whom it listens."""
    given = {SOUND: BANDS} | {ear.network: HIDDEN_WIDTH for ear in listening()}
    write(model, path, given, {"answers": {}}, {METADATA: "\n".join(map(phrase, classes()))})
    network = onnx.load(path)
    in_bytes(network.graph)
    onnx.save(network, path)


def recordings(folder: Path) -> tuple[Corpus, Corpus]:
    """What synthetic voices say, and what people do, whose recordings must be there; the rest is made."""
    voices = [*_VOICES.kept(folder / "answers.npz").spoken, *_DENIALS.kept(folder / "denials.npz").spoken]
    natural = [*natural_answers(folder).spoken, *natural_denials(folder).spoken] * _WORTH
    people, denials = Corpus.load(folder / "people.npz"), folder / "people-denials.npz"
    if not denials.exists():
        joined(people, *_PEOPLES_DENIALS, kinds=DENIAL_KINDS, alone=0.0).save(denials)
    return Corpus([*voices, *natural]), Corpus([*people.spoken, *Corpus.load(denials).spoken])


def main() -> None:
    """Make what is missing, train, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("build/network"))
    parser.add_argument("--steps", type=int, nargs=2, default=_STEPS, help="with one listener, and with all")
    Machine.add_to(parser)
    options = parser.parse_args()
    machine = Machine.of(options)
    corpora = recordings(options.folder)
    kept = options.folder / "answers-natural.pt"
    export(train(corpora, options.steps, _SEED, kept, machine), options.result)


if __name__ == "__main__":
    main()
