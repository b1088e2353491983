# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel completion SHELL`: the lines with which a shell completes commands, options and their values."""

from __future__ import annotations

import argparse

import argcomplete
import argcomplete.shell_integration

from acessivel.commands.arguments import all_commands
from acessivel.commands.output import write_line


def run(options: argparse.Namespace) -> int:
    """Write the lines for a shell."""
    write_line(argcomplete.shell_integration.shellcode(["acessivel"], shell=options.shell))
    return 0


def complete() -> None:
    """Answer a shell that asks, in the environment, how its line can go on; ends the process."""
    argcomplete.autocomplete(all_commands(), always_complete_options="long")
