# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel introduction`: the lessons, on request."""

from __future__ import annotations

import argparse
import dataclasses
import sys

from acessivel.app import introduction
from acessivel.app.loop import open_loop
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.output import write_line
from acessivel.commands.stored_games import user_errors


def run(options: argparse.Namespace) -> int:
    """Teach until all is done or the player leaves."""
    settings = dataclasses.replace(device_settings_of(options), opponent="human")
    with open_loop(settings, write_line, sys.stdin) as loop, user_errors(settings):
        loop.offer_pages(("both", "spectator"))
        introduction.introduce(settings, loop)
    return 0
