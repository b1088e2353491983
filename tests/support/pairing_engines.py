# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairing engines for the tests: programs with the command lines and answers of bbpPairings and JaVaFo."""

import sys
from pathlib import Path

_ENGINE = """#!{python}
# It keeps what it was asked, and answers what it was told to.
import pathlib, sys
args = sys.argv[1:]
here = pathlib.Path({folder!r})
(here / "asked.txt").write_text("\\n".join(args))
(here / "asked.trf").write_bytes(pathlib.Path(next(a for a in args if a.endswith(".trf"))).read_bytes())
if {status}:
    print({text!r}, file=sys.stderr)
    sys.exit({status})
pathlib.Path(args[args.index("-p") + 1]).write_text({text!r})
"""


def engine(folder: Path, text: str, status: int = 0, name: str = "bbpPairings") -> Path:
    """A program that answers with a text and a status; what it was asked lies beside it in asked.txt and asked.trf."""
    path = folder / name
    path.write_text(_ENGINE.format(python=sys.executable, folder=str(folder), text=text, status=status))
    path.chmod(0o755)
    return path
