# SPDX-License-Identifier: GPL-3.0-or-later
"""One line of TOML: a name and its value."""

from __future__ import annotations


def toml_line(name: str, value: object) -> str:
    """A text, a number or a switch under a bare name; a string of JSON is one of TOML but for one sign."""
    import json  # noqa: PLC0415 - most runs change nothing

    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{name} = {text}\n"
