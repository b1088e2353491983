# SPDX-License-Identifier: GPL-3.0-or-later
"""The key of a table as a file: which table, its secret, and the certificate by which it knows its hall."""

from __future__ import annotations

import json
import ssl
from dataclasses import dataclass
from pathlib import Path

import tomli

from acessivel.storage import private_files

_ROOM = 8192  # bytes that a key needs at most


@dataclass(frozen=True, slots=True)
class TableKey:
    """The key of a table; `certificate`: PEM of the hall's own one, "" if a known authority has signed it."""

    table: int
    key: str
    certificate: str = ""


def prepare(path: Path) -> None:
    """Make sure that there is a file of its owner alone, with room for a key. Raises OSError."""
    private_files.make_file(path)
    private_files.restrict(path)
    with path.open("ab") as file:
        size = file.tell()
        file.write(bytes(_ROOM))
        file.truncate(size)


def write(path: Path, key: TableKey) -> None:
    """Write a key to a file that only its owner may read. Raises OSError."""
    prepare(path)
    text = f"table = {key.table}\nkey = {json.dumps(key.key)}\n"
    if key.certificate:
        text += f'certificate = """\n{key.certificate}"""\n'
    path.write_text(text, "utf-8")


def read(path: Path) -> TableKey:
    """Read the key in a file. Raises OSError, and ValueError if there is none in it."""
    found = tomli.loads(path.read_text("utf-8"))
    table, key, certificate = found.get("table"), found.get("key"), found.get("certificate", "")
    if not (isinstance(table, int) and isinstance(key, str) and isinstance(certificate, str)):
        raise ValueError(path.name)  # noqa: TRY004  # of a file, as any other mistake in it
    return TableKey(table, key, certificate)


def context(key: TableKey) -> ssl.SSLContext:
    """How a table makes sure that it talks to its hall: by that one certificate, whatever its address is."""
    if not key.certificate:
        return ssl.create_default_context()
    made = ssl.create_default_context(cadata=key.certificate)
    made.check_hostname = False
    return made
