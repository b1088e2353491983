# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: runs the requested command; its exit status, and one clear line for an error.

A command is a module of `commands/` of the same name with `run(options) -> status`; it is imported only when
it is run, so that the first word comes soon.
"""

from __future__ import annotations

import gc

# Imported objects are never garbage, neither at the beginning nor at the end (`start`): looking for it would
# take a seventh of the time of a short command. All imports together make fewer objects than this.
gc.set_threshold(100_000)

import importlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from acessivel.errors import UserError, is_full, trace
from acessivel.message import Message

# ruff: noqa: E402
# ruff: noqa: PLC0415 - what only some runs need is imported where it is needed


def start() -> int:
    """Run the program as a process of its own, and return its exit status."""
    # The sums of the network are small: where others work too, several threads wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        return main()
    finally:
        gc.freeze()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0 done, 1 nothing to play with, 2 cannot be run like that."""
    arguments = sys.argv[1:] if arguments is None else arguments
    # Shutting the computer down, or closing the terminal, is like pressing Ctrl+C: the game is stored, and it
    # is said how to resume it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as with nohup
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed, as by <&-
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - until the end
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Whatever is typed or shown, a character that a terminal cannot encode must not end a game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        if "_ARGCOMPLETE" in os.environ:
            _complete()
        if list(arguments) == ["--version"]:
            return _version()
        return _run(arguments)
    except UserError as error:
        _tell(error.message, arguments)
        return 2
    except BrokenPipeError:
        # The reader of the output has gone: nothing more can be told, not even when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - it goes to the log
        if mistake := _mistake_in_words(error):
            _tell(mistake, arguments)
            return 2
        log = _logged(error)
        why = Message.of("output_full") if is_full(error) else Message.of("broken", file=str(log))
        _tell(why, arguments)
        return 1


def _run(arguments: Sequence[str]) -> int:
    from acessivel.commands.arguments import parse

    options = parse(arguments)
    command = importlib.import_module(f"acessivel.commands.{options.command}")
    status: int = command.run(options)
    return status


def _complete() -> None:
    from acessivel.commands.completion import complete

    complete()


def _version() -> int:
    from importlib.metadata import version

    sys.stdout.write(f"acessivel {version('acessivel')}\n")
    return 0


def _tell(message: Message, arguments: Sequence[str]) -> None:
    """Tell the user on standard error, in the language of the command line if its files can be used."""
    from acessivel.commands.arguments import language_of
    from acessivel.messages.rendering import Renderer

    try:
        text = Renderer(language_of(arguments)).text(message)
    except (LookupError, ValueError):  # a language of the user's own may be half made
        text = Renderer("en").text(message)
    sys.stderr.write(f"{text}\n")


def _mistake_in_words(error: Exception) -> Message | None:
    """What is wrong with a file of words, if that is the error."""
    from acessivel.commands.chosen_convention import mistake
    from voices.words.lexicon import VocabularyError

    return mistake(error) if isinstance(error, VocabularyError) else None


def _logged(error: Exception) -> Path:
    """The log file, if an unexpected error was written to it."""
    import logging

    from acessivel.commands import log

    path = log.start()
    logging.getLogger(__name__).error("unexpected %s", trace(error))
    return path


if __name__ == "__main__":
    sys.exit(start())
