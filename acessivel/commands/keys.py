# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel keys`: the keys of the display and the keyboard, and what they do, in lines or as JSON."""

from __future__ import annotations

import argparse
import json

from acessivel.commands.device_settings import bindings
from acessivel.commands.output import write_line
from acessivel.commands.run_settings import settings_of
from acessivel.messages.rendering import Renderer


def run(options: argparse.Namespace) -> int:
    """List the keys. Raises UserError if the user's table of keys has a mistake."""
    settings = settings_of(options)
    renderer = Renderer(settings.language)
    table = bindings(settings)
    lines = [(action, renderer.text(message)) for action, message in table.lines()]
    if options.json:
        found = [{"command": a, "keys": table.keys[a], "text": text} for a, text in lines]
        write_line(json.dumps(found, ensure_ascii=False))
        return 0
    for text in (renderer.text(table.routing), *(text for _, text in lines)):
        write_line(text)
    return 0
