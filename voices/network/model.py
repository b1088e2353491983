# SPDX-License-Identifier: GPL-3.0-or-later
"""The network itself: its layers, how it is written as ONNX, and how it grows from one that was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from voices.network.ear import METADATA
from voices.network.features import BANDS
from voices.network.tokens import outputs

WIDTH, KERNEL, DILATIONS = 224, 5, (1, 1, 2, 1, 2, 1, 1)
STRIDE = 4  # frames of 10 ms for one output of the network
_SOUNDS_AFTER = 4  # blocks: after these the sounds are predicted during training


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
        words = self.head(self.upper(self._middle(x)))
        return torch.log_softmax(words.float().transpose(1, 2), dim=-1)

    def both(self, x: Any) -> tuple[Any, Any]:
        """Log-probabilities of the outputs and of the sounds, each (time, batch, ...), as CTC takes them."""
        middle = self._middle(x)
        return _in_time(self.head, self.upper(middle)), _in_time(self.sounds, middle)

    def _middle(self, x: Any) -> Any:
        return self.lower(self.stem(x.transpose(1, 2)))


def _in_time(layer: nn.Conv1d, x: Any) -> Any:
    """(batch, channels, time) -> log-probabilities (time, batch, outputs), each moment by itself."""
    if x.requires_grad:
        x.register_hook(torch.Tensor.contiguous)  # what is learnt below takes twice the time otherwise
    logits = nn.functional.linear(x.permute(2, 0, 1), layer.weight.squeeze(2), layer.bias)
    return torch.log_softmax(logits.float(), dim=-1)


def export(model: Network, path: Path) -> None:
    """Write the network as ONNX with the names of its outputs."""
    results = {"log_probabilities": {1: "outputs"}}
    write(model, path, {"bands": BANDS}, results, {METADATA: "\n".join(outputs())})


def write(
    model: nn.Module, path: Path, given: Mapping[str, int], results: Mapping[str, Mapping[int, str]],
    notes: dict[str, str],
) -> None:  # fmt: skip
    """Write a network as ONNX, for any length of time, with notes.

    `given`: what it is given, each (1, time, width) with its width. `results`: what it gives, each with those
    of its dimensions that are of any length.
    """
    examples = tuple(torch.zeros(1, 200, width) for width in given.values())
    lengths = {name: {1: f"{name}_length"} for name in given}
    torch.onnx.export(
        model, examples, str(path), input_names=list(given), output_names=list(results),
        dynamic_axes={**lengths, **results}, dynamo=False,
    )  # fmt: skip
    written = _halved(onnx.load(path))
    onnx.helper.set_model_props(written, notes)
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


def grown(path: Path, names: Sequence[str], sounds: int, batches: Iterable[Any]) -> Network:
    """A network that goes on from one that was exported, with more outputs; the sounds are learnt anew.

    Exported, it has lost what normalises a batch: that is measured again on batches (batch, frames, bands).
    """
    written = onnx.load(path)
    known = {prop.key: prop.value for prop in written.metadata_props}[METADATA].split("\n")
    model = Network(len(names), sounds)
    with torch.no_grad():
        _fill(model, _weights(written.graph), [names.index(name) for name in known])
        _normalise(model, batches)
    return model


def _weights(graph: Any) -> tuple[list[Any], dict[str, Any]]:
    """The weights and biases of the convolutions in their order, and all others by name."""
    stored = {one.name.removesuffix(".half"): onnx.numpy_helper.to_array(one) for one in graph.initializer}
    tensors = {name: torch.from_numpy(np.array(array, np.float32)) for name, array in stored.items()}
    return [
        (tensors[node.input[1]], tensors[node.input[2]]) for node in graph.node if node.op_type == "Conv"
    ], tensors


def _fill(model: Network, weights: tuple[list[Any], dict[str, Any]], places: Sequence[int]) -> None:
    convolutions, named = weights
    layers = [layer for layer in _convolutions(model) if layer is not model.sounds]
    for layer, (weight, bias) in zip(layers[:-1], convolutions[:-1], strict=True):
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    # What is new begins as the mean of all that is known: always less probable than most of it.
    head: Any = model.head
    weight, bias = convolutions[-1]
    head.weight.copy_(weight.mean(dim=0))
    head.bias.copy_(bias.mean())
    head.weight[places], head.bias[places] = weight, bias
    for name, parameter in model.named_parameters():
        if name in named and not name.startswith("head."):
            parameter.copy_(named[name])


def _convolutions(model: Network) -> list[Any]:
    """All convolutions, from below, the outputs last."""
    inner = [m for part in (model.stem, model.lower, model.upper) for m in part.modules()]
    return [*(m for m in inner if isinstance(m, nn.Conv1d)), model.sounds, model.head]


def _normalise(model: Network, batches: Iterable[Any]) -> None:
    """Let each normalisation give back what it takes away, measured one after the other on all batches."""
    kept = list(batches)
    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm1d)]
    model.eval()
    seen: dict[Any, list[Any]] = {norm: [] for norm in norms}
    hooks = [norm.register_forward_hook(lambda norm, given, _: seen[norm].append(given[0])) for norm in norms]
    for x in kept:
        model(x)
    for hook in hooks:
        hook.remove()
    for norm, given in seen.items():
        values = torch.cat([one.transpose(0, 1).flatten(1) for one in given], dim=1)
        mean, variance = values.mean(dim=1), values.var(dim=1)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.copy_(mean)
