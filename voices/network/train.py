# SPDX-License-Identifier: GPL-3.0-or-later
"""`make network`: recordings -> the trained network -> `weights.onnx`; the same for the same seed."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from voices.network.corpus import Corpus, LabelledRecording
from voices.network.ear import METADATA
from voices.network.features import BANDS, features
from voices.network.tokens import BLANK, FILLER, outputs, pronunciations
from voices.sound.disturbance import NOISES, add_noise, echoed, noise, room
from voices.sound.source import RATE

WIDTH, KERNEL, DILATIONS = 224, 5, (1, 1, 2, 1, 2, 1, 1)
_SOUNDS_AFTER = 4  # blocks: after these the sounds are predicted during training
_SOUNDS_WEIGHT = 0.3  # the weight of an error in the sounds, relative to one in the words
STRIDE = 4  # frames of 10 ms for one output of the network
BATCH = 32
_HELD_OUT, _HELD_OUT_SEED = 3000, 899  # recordings of the voices that are held out, and their seed
RATE_OF_LEARNING = 2e-3
_POOL = 24  # batches that are sorted by length together
_AVERAGED = 0.999  # the stored weights are a running mean
_NOISE_S = 40
_MIXED = ("white", "pink", "pink", "brown", "hum", "clicks", "music", *["babble"] * 5)
_TRACKS = {"babble": 16}
# The first fifth of the training is gentler: noise is weaker by up to this, in dB.
_GENTLE, _GENTLE_DB = 0.2, 20.0


class Gate(nn.Module):
    """Scales each channel by a function of the mean of all channels over the recording."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(WIDTH, WIDTH // 8), nn.ReLU(), nn.Linear(WIDTH // 8, WIDTH), nn.Sigmoid()
        )

    def forward(self, x: Any) -> Any:
        """(batch, channels, time) -> the same shape."""
        return x * self.layers(x.mean(dim=2)).unsqueeze(2)


class Block(nn.Module):
    """A residual convolution over time."""

    def __init__(self, dilation: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv1d(WIDTH, WIDTH, KERNEL, padding=KERNEL // 2 * dilation, dilation=dilation),
            nn.BatchNorm1d(WIDTH), nn.ReLU(), Gate(),
        )  # fmt: skip

    def forward(self, x: Any) -> Any:
        """(batch, channels, time) -> the same shape."""
        return x + self.layers(x)


class Network(nn.Module):
    """Log mel bands (batch, frames, 40) -> log-probabilities of the outputs (batch, frames / 4, outputs).

    During training its middle also predicts the sounds, which many words share.
    """

    def __init__(self, count: int, sounds: int) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv1d(BANDS, WIDTH, 5, stride=2, padding=2), nn.BatchNorm1d(WIDTH), nn.ReLU(),
            nn.Conv1d(WIDTH, WIDTH, 5, stride=2, padding=2), nn.BatchNorm1d(WIDTH), nn.ReLU(),
        )  # fmt: skip
        self.lower = nn.Sequential(*(Block(dilation) for dilation in DILATIONS[:_SOUNDS_AFTER]))
        self.upper = nn.Sequential(*(Block(dilation) for dilation in DILATIONS[_SOUNDS_AFTER:]))
        self.sounds = nn.Conv1d(WIDTH, sounds, 1)
        self.head = nn.Conv1d(WIDTH, count, 1)

    def forward(self, x: Any) -> Any:
        """See the class."""
        return self.both(x)[0]

    def both(self, x: Any) -> tuple[Any, Any]:
        """What the class says, and the log-probabilities of the sounds (batch, frames / 4, sounds)."""
        middle = self.lower(self.stem(x.transpose(1, 2)))
        return _log_softmax(self.head(self.upper(middle))), _log_softmax(self.sounds(middle))


def _log_softmax(logits: Any) -> Any:
    return torch.log_softmax(logits.float().transpose(1, 2), dim=-1)


class Room:
    """Draws disturbed examples from a corpus endlessly."""

    def __init__(self, corpus: Corpus, seed: int) -> None:
        # Answers twice as often as they were spoken: nothing must be recognised more reliably than a yes.
        self._spoken = [*corpus.spoken, *(one for one in corpus.spoken if one.kind == "answer")]
        self._gentle_db = 0.0
        self._chance = np.random.default_rng(seed)
        self._numbers = {token: number for number, token in enumerate(outputs())}
        speech = [one.audio for one in self._spoken[:4000]]
        length = _NOISE_S * RATE
        self._noises = {
            kind: [noise(kind, length, self._chance, speech) for _ in range(_TRACKS.get(kind, 2))]
            for kind in NOISES
        }
        self._rooms = [room(self._chance, self._chance.uniform(0.1, 0.9)) for _ in range(200)]

    def batches(self, count: int) -> Iterator[tuple[Any, Any, Any, Any]]:
        """Batches of similar length: features, their lengths, labels, their lengths."""
        made = 0
        while made < count:
            self._gentle_db = _GENTLE_DB * max(0.0, 1 - made / (_GENTLE * count))
            examples = sorted((self.example() for _ in range(_POOL * BATCH)), key=lambda one: len(one[0]))
            starts = self._chance.permutation(range(0, len(examples), BATCH))
            for start in starts[: count - made]:
                yield batch(examples[start : start + BATCH])
                made += 1

    def example(self) -> tuple[Any, list[int]]:
        """Features and labels of one disturbed utterance."""
        chance = self._chance
        if chance.random() < 0.04:
            kind = str(chance.choice(NOISES))
            return self._features(self._noise(kind, int(chance.uniform(0.4, 3) * RATE))), []
        one = self._draw()
        audio, labels = self._spoke(one), [*one.labels]
        if chance.random() < 0.15 and audio.size < 3 * RATE:
            other = self._draw()
            gap = np.zeros(int(chance.uniform(0.05, 1.5) * RATE), np.float32)
            audio = np.concatenate([audio, gap, self._spoke(other)])
            joined = labels[-1:] == ["*"] == [*other.labels][:1]
            labels += other.labels[1:] if joined else other.labels
        # What the program hears has some silence around it, sometimes much: an answer is mostly silence.
        before, after = chance.uniform(0, 1.2 if chance.random() < 0.3 else 0.5, 2) * RATE
        audio = np.concatenate([np.zeros(int(before), np.float32), audio, np.zeros(int(after), np.float32)])
        return self._features(self._disturbed(audio)), [self._numbers[label] for label in labels]

    def _draw(self) -> LabelledRecording:
        return self._spoken[int(self._chance.integers(0, len(self._spoken)))]

    def _spoke(self, one: LabelledRecording) -> Any:
        """The recording at another speed and pitch, sometimes with its start or end cut."""
        chance = self._chance
        audio = one.audio.astype(np.float32) / 32768
        if chance.random() < 0.7:
            factor = chance.uniform(0.87, 1.15)
            audio = np.interp(np.arange(0, audio.size - 1, factor), np.arange(audio.size), audio)
        if chance.random() < 0.15:
            audio = audio[int(chance.uniform(0.1, 0.17) * RATE) :]
        if chance.random() < 0.05:
            audio = audio[: -int(chance.uniform(0.1, 0.15) * RATE)]
        return audio.astype(np.float32)

    def _disturbed(self, audio: Any) -> Any:
        chance = self._chance
        if chance.random() < 0.35:
            audio = echoed(audio, self._rooms[int(chance.integers(0, len(self._rooms)))])
        quiet = chance.random() < 0.22
        snr = chance.uniform(25, 60) if quiet else chance.uniform(1, 24) + self._gentle_db
        kind = str(chance.choice(_MIXED))
        mixed = add_noise(audio, self._noise(kind, audio.size), snr)
        if chance.random() < 0.05:
            top = float(np.abs(mixed).max(initial=1e-9)) * chance.uniform(0.2, 0.7)
            mixed = mixed.clip(-top, top)
        return mixed

    def _noise(self, kind: str, samples: int) -> Any:
        track = self._noises[kind][int(self._chance.integers(0, len(self._noises[kind])))]
        start = int(self._chance.integers(0, track.size))
        return np.take(track, np.arange(start, start + samples), mode="wrap")

    def _features(self, audio: Any) -> Any:
        chance = self._chance
        found = features(audio, warp=chance.uniform(0.86, 1.16) if chance.random() < 0.7 else 1.0)
        if chance.random() < 0.5 and len(found) > 1:
            found = self._another_mouth(found)
        if chance.random() < 0.3 and len(found) > 40:
            at = int(chance.integers(0, BANDS - 6))
            found[:, at : at + int(chance.integers(1, 6))] = 0
        if chance.random() < 0.05:
            found[:, 27:] = found[:, 27:].min(initial=0)  # a telephone
        return np.asarray(found, np.float32)

    def _another_mouth(self, found: Any) -> Any:
        """Formants shifted by up to a band or so, each part of the spectrum alone, and an uneven tempo."""
        shift = self._chance.normal(0, 0.6, 5)
        bands = np.arange(BANDS) + np.interp(np.arange(BANDS), np.linspace(0, BANDS - 1, 5), shift)
        found = _between(found.T, bands.clip(0, BANDS - 1)).T
        tempo = np.interp(
            np.arange(len(found)), np.linspace(0, len(found), 6), self._chance.normal(0, 0.12, 6)
        )
        times = np.cumsum(np.exp(tempo))
        return _between(found, times[times < len(found) - 1])


def _between(rows: Any, at: Any) -> Any:
    """Rows interpolated between two others."""
    low = np.minimum(at.astype(int), len(rows) - 2)
    part = (at - low)[:, None]
    return rows[low] * (1 - part) + rows[low + 1] * part


def batch(examples: Sequence[tuple[Any, list[int]]]) -> tuple[Any, Any, Any, Any]:
    """Padded features, output lengths, concatenated labels, label lengths; too short ones are left out."""
    kept = [(x, y) for x, y in examples if -(-len(x) // STRIDE) >= _needed(y)]
    longest = max(len(x) for x, _ in kept)
    padded = np.zeros((len(kept), longest, BANDS), np.float32)
    for number, (x, _) in enumerate(kept):
        padded[number, : len(x)] = x
    lengths = torch.tensor([-(-len(x) // STRIDE) for x, _ in kept])
    flat = torch.tensor([label for _, y in kept for label in y], dtype=torch.long)
    return torch.from_numpy(padded), lengths, flat, torch.tensor([len(y) for _, y in kept])


def _needed(labels: Sequence[int]) -> int:
    return max(1, len(labels) + sum(one == other for one, other in pairwise(labels)))


class _Stream(torch.utils.data.IterableDataset[Any]):
    def __init__(self, corpus: Corpus, seed: int, count: int) -> None:
        self._corpus, self._seed, self._count = corpus, seed, count

    def __iter__(self) -> Iterator[Any]:
        worker = torch.utils.data.get_worker_info()
        number, of = (worker.id, worker.num_workers) if worker else (0, 1)
        torch.set_num_threads(1)
        yield from Room(self._corpus, self._seed + number).batches(self._count // of)


class OutputSounds:
    """The sounds of the outputs: each word's first pronunciation, filler as a sound of its own."""

    def __init__(self) -> None:
        spoken = {word: known[0].split() for word, known in pronunciations().items()}
        spoken |= {BLANK: [], FILLER: [FILLER]}
        sounds = sorted({sound for word in spoken.values() for sound in word})
        numbers = {sound: number for number, sound in enumerate(sounds, 1)}
        self.count = len(sounds) + 1  # with CTC's blank
        self._of = [[numbers[sound] for sound in spoken[word]] for word in outputs()]

    def of(self, labels: Any, lengths: Any) -> tuple[Any, Any]:
        """Concatenated labels of words with their lengths -> those of the sounds."""
        words = iter(labels.tolist())
        spelt = [[sound for _ in range(n) for sound in self._of[next(words)]] for n in lengths.tolist()]
        flat = torch.tensor([sound for one in spelt for sound in one], dtype=torch.long)
        return flat, torch.tensor([len(one) for one in spelt])


def train(corpus: Corpus, steps: int, seed: int) -> Network:
    """The network after that many batches."""
    torch.manual_seed(seed)
    spelling = OutputSounds()
    model = Network(len(outputs()), spelling.count)
    _say(f"parameters: {sum(p.numel() for p in model.parameters())}")
    averaged = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(_AVERAGED), use_buffers=True
    )
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE_OF_LEARNING, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE_OF_LEARNING, steps, pct_start=0.1)
    loss_of = nn.CTCLoss(reduction="sum", zero_infinity=True)
    loader = torch.utils.data.DataLoader(
        _Stream(corpus, seed, steps), batch_size=None, num_workers=1, prefetch_factor=8
    )
    began, mean = time.monotonic(), 0.0
    for step, (x, lengths, labels, label_lengths) in enumerate(loader, 1):
        with torch.autocast("cpu", torch.bfloat16):  # half the time on processors that support it
            words, sounds = model.both(x)
        loss = loss_of(words.transpose(0, 1), labels, lengths, label_lengths) / max(1, len(labels))
        mean = loss.item() if step == 1 else 0.98 * mean + 0.02 * loss.item()
        spelt, spelt_lengths = spelling.of(labels, label_lengths)
        unheard = loss_of(sounds.transpose(0, 1), spelt, lengths, spelt_lengths) / max(1, len(labels))
        optimiser.zero_grad()
        (loss + _SOUNDS_WEIGHT * unheard).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        averaged.update_parameters(model)
        if step % 100 == 0:
            _say(f"step {step} of {steps}: loss {mean:.3f}, {time.monotonic() - began:.0f} s")
    model.load_state_dict(averaged.module.state_dict())
    model.eval()
    return model


def export(model: Network, path: Path) -> None:
    """Write the network as ONNX, for any length of time, with the names of its outputs."""
    torch.onnx.export(
        model, (torch.zeros(1, 200, BANDS),), str(path),
        input_names=["bands"], output_names=["log_probabilities"],
        dynamic_axes={"bands": {1: "frames"}, "log_probabilities": {1: "outputs"}}, dynamo=False,
    )  # fmt: skip
    written = _halved(onnx.load(path))
    onnx.helper.set_model_props(written, {METADATA: "\n".join(outputs())})
    onnx.save(written, path)


def _halved(network: Any) -> Any:
    """The network with its weights stored in 16 bits, half the size; they are widened on loading."""
    graph = network.graph
    wide = [one for one in graph.initializer if one.data_type == onnx.TensorProto.FLOAT and len(one.dims) > 1]
    for one in wide:
        name = f"{one.name}.half"
        half = onnx.numpy_helper.to_array(one).astype(np.float16)
        graph.initializer.remove(one)
        graph.initializer.append(onnx.numpy_helper.from_array(half, name))
        widen = onnx.helper.make_node("Cast", [name], [one.name], to=onnx.TensorProto.FLOAT)
        graph.node.insert(0, widen)
    return network


def main() -> None:
    """Make what is missing, train, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/network"))
    parser.add_argument("--recordings", type=int, default=36000)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--without", default="", help="leave out the voices of an engine")
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
    model = train(corpus, options.steps, options.seed)
    name = f"without-{options.without}.onnx" if options.without else "weights.onnx"
    export(model, options.folder / name)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
