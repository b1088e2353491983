# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a network that was written as ONNX."""

from __future__ import annotations

from typing import Any

import onnxruntime


def opened(network: bytes) -> Any:
    """A session of one thread: other ears listen beside it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])


def note(session: Any, name: str) -> list[str]:
    """The lines of a note in the file of a network."""
    lines: str = session.get_modelmeta().custom_metadata_map[name]
    return lines.split("\n")
