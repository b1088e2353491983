# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a network that was written as ONNX."""

from __future__ import annotations

import os
from typing import Any

# It would send its maker what it runs on and for how long, once it is loaded: so nothing else may load it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

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
