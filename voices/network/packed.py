# SPDX-License-Identifier: GPL-3.0-or-later
"""An exported network -> the one in the package: weights in 8 bits, and what its last layer is given.

`python -m voices.network.packed EXPORTED.onnx RESULT.onnx`
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from voices.network.ear import HIDDEN

_MOST = 127  # of 8 bits with a sign


def packed(path: Path, result: Path) -> None:
    """Write a large network as it is in the package; `adaptation.py` needs what its last layer is given."""
    network = onnx.load(path)
    _expose(network.graph)
    in_bytes(network.graph)
    onnx.checker.check_model(network)
    onnx.save(network, result)


def _expose(graph: Any) -> None:
    """Let a network also give what its last convolution is given, as (1, time, width)."""
    if any(output.name == HIDDEN for output in graph.output):
        return
    head = [node for node in graph.node if node.op_type == "Conv"][-1]
    width = next(list(one.dims)[1] for one in graph.initializer if one.name.startswith(head.input[1]))
    graph.node.append(helper.make_node("Transpose", [head.input[0]], [HIDDEN], perm=[0, 2, 1]))
    graph.output.append(helper.make_tensor_value_info(HIDDEN, onnx.TensorProto.FLOAT, [1, "outputs", width]))


def in_bytes(graph: Any) -> None:
    """Store weights that are kept in 16 bits in 8, with a scale for each row.

    They stay so in memory, where they would take 32 bits, and are widened each time that they are used.
    """
    stored = {one.name: one for one in graph.initializer}
    for place, node in enumerate(graph.node):
        if node.op_type == "Cast" and node.input[0] in stored:
            half, name = stored[node.input[0]], node.output[0]
            graph.initializer.remove(half)
            parts = _scaled(numpy_helper.to_array(half).astype(np.float32))
            names = [f"{name}.{part}" for part in ("bytes", "scales")]
            for part, array in zip(names, parts, strict=True):
                graph.initializer.append(numpy_helper.from_array(array, part))
            graph.node[place].CopyFrom(helper.make_node("DequantizeLinear", names, [name], axis=0))


def _scaled(weights: Any) -> tuple[Any, Any]:
    """Weights (rows, ...) as whole numbers (int8) of the same shape, and the scale of each row."""
    rows = np.abs(weights).reshape(len(weights), -1).max(axis=1)
    scales = np.where(rows > 0, rows / _MOST, 1).astype(np.float32)
    return np.rint((weights.T / scales).T).astype(np.int8), scales


if __name__ == "__main__":
    packed(Path(sys.argv[1]), Path(sys.argv[2]))
