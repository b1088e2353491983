# SPDX-License-Identifier: GPL-3.0-or-later
"""The mean of the weights of exported networks: `python -m voices.network.average RESULT.onnx ONE.onnx ...`.

They must be of one line of training, each gone on from one before it. What one has forgotten while it learnt
another thing, the mean still knows: it hears better than each, and better than the mean of what they say at
each moment, since they do not say a word at the same one. The mean knows the words that all of them know.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from voices.network.ear import METADATA

Array = np.ndarray[Any, Any]


def average(paths: Sequence[Path], result: Path) -> None:
    """Write the mean. Raises ValueError if the networks are not of one shape, but for their words."""
    networks = [onnx.load(path) for path in paths]
    mean = networks[0]
    words = [word for word in _words(mean) if all(word in _words(each) for each in networks)]
    stored = [_for_words(each, words) for each in networks]
    shapes = [{name: (array.shape, array.dtype) for name, array in each.items()} for each in stored]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError("the networks are not of one shape")
    for one in mean.graph.initializer:
        arrays = [each[one.name] for each in stored]
        if np.issubdtype(arrays[0].dtype, np.floating):
            both = np.mean([array.astype(np.float64) for array in arrays], axis=0)
            one.CopyFrom(numpy_helper.from_array(both.astype(arrays[0].dtype), one.name))
    onnx.helper.set_model_props(mean, {METADATA: "\n".join(words)})
    onnx.save(mean, result)


def _words(network: onnx.ModelProto) -> list[str]:
    """What its outputs stand for."""
    named = next(one.value for one in network.metadata_props if one.key == METADATA)
    return str(named).split("\n")


def _for_words(network: onnx.ModelProto, words: Sequence[str]) -> dict[str, Array]:
    """Its weights, with just the rows of its last layer for these words."""
    known = {word: place for place, word in enumerate(_words(network))}
    rows = [known[word] for word in words]
    stored = {one.name: numpy_helper.to_array(one) for one in network.graph.initializer}
    return {
        name: array[rows] if name.startswith("head.") and len(array) == len(known) else array
        for name, array in stored.items()
    }


def main() -> None:
    """Read the command line, write the mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result", type=Path)
    parser.add_argument("networks", type=Path, nargs="+")
    options = parser.parse_args()
    average(options.networks, options.result)


if __name__ == "__main__":
    main()
