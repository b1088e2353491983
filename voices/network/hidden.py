# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds the input of the last layer to an exported network's outputs, which `adaptation.py` needs.

`python -m voices.network.hidden FILE.onnx`; a file that has it already stays as it is.
"""

from __future__ import annotations

import sys
from pathlib import Path

import onnx

from voices.network.ear import HIDDEN


def expose(path: Path) -> None:
    """Let a network also give what its last convolution is given, as (1, time, width)."""
    network = onnx.load(path)
    graph = network.graph
    if any(output.name == HIDDEN for output in graph.output):
        return
    head = [node for node in graph.node if node.op_type == "Conv"][-1]
    width = next(list(one.dims)[1] for one in graph.initializer if one.name.startswith(head.input[1]))
    graph.node.append(onnx.helper.make_node("Transpose", [head.input[0]], [HIDDEN], perm=[0, 2, 1]))
    graph.output.append(
        onnx.helper.make_tensor_value_info(HIDDEN, onnx.TensorProto.FLOAT, [1, "outputs", width])
    )
    onnx.checker.check_model(network)
    onnx.save(network, path)


if __name__ == "__main__":
    expose(Path(sys.argv[1]))
