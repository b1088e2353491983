# SPDX-License-Identifier: GPL-3.0-or-later
"""Two exported networks -> one that hears with both: `python -m voices.network.pair ONE OTHER RESULT`.

What their last layers give is averaged. They err in different places, so that the mean is surer than either;
and it is still one last layer, on what both give it, which `adaptation.py` can correct.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx
from onnx import TensorProto, compose, helper

from voices.network.ear import HIDDEN, METADATA

_INPUT, _RESULT = "bands", "log_probabilities"
_PARTS = ("one", "other")


def pair(one: Path, other: Path, result: Path) -> None:
    """Write both as one network. Both must give their hidden layer (`hidden.py`) and have the same outputs.

    Raises ValueError if their outputs are not the same.
    """
    networks = [onnx.load(path) for path in (one, other)]
    names, others = (_names(network) for network in networks)
    if names != others:
        raise ValueError(f"{one} and {other} have different outputs")
    graphs = [
        compose.add_prefix(network, f"{part}/").graph for network, part in zip(networks, _PARTS, strict=True)
    ]
    for graph in graphs:
        for node in graph.node:
            node.input[:] = [_INPUT if name.endswith(f"/{_INPUT}") else name for name in node.input]
    both = helper.make_graph(
        [node for graph in graphs for node in graph.node] + _mean(),
        "pair",
        list(networks[0].graph.input),
        [_value(_RESULT, len(names)), _value(HIDDEN, sum(map(_width, networks)))],
        [weight for graph in graphs for weight in graph.initializer],
    )
    known = {"opset_imports": networks[0].opset_import, "ir_version": networks[0].ir_version}
    written = helper.make_model(both, **known)
    helper.set_model_props(written, {METADATA: "\n".join(names)})
    onnx.checker.check_model(written)
    onnx.save(written, result)


def _mean() -> list[onnx.NodeProto]:
    """The mean of the logarithms, normalised; and both hidden layers beside each other, halved."""
    half = helper.make_tensor("half", TensorProto.FLOAT, [], [0.5])
    results, hidden = ([f"{part}/{name}" for part in _PARTS] for name in (_RESULT, HIDDEN))
    return [
        helper.make_node("Constant", [], ["half"], value=half),
        helper.make_node("Add", results, ["sum"]),
        helper.make_node("Mul", ["sum", "half"], ["mean"]),
        helper.make_node("LogSoftmax", ["mean"], [_RESULT], axis=-1),
        helper.make_node("Concat", hidden, ["beside"], axis=2),
        helper.make_node("Mul", ["beside", "half"], [HIDDEN]),
    ]


def _value(name: str, width: int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "outputs", width])


def _names(network: onnx.ModelProto) -> list[str]:
    known = {prop.key: str(prop.value) for prop in network.metadata_props}
    return known[METADATA].split("\n")


def _width(network: onnx.ModelProto) -> int:
    hidden = next(one for one in network.graph.output if one.name == HIDDEN)
    return int(hidden.type.tensor_type.shape.dim[2].dim_value)


def main() -> None:
    """Read the command line, write the pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("one", "other", "result"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    pair(options.one, options.other, options.result)


if __name__ == "__main__":
    main()
