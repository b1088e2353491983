# SPDX-License-Identifier: GPL-3.0-or-later
"""The arbiter's passphrase: its one form on all keyboards, and whether it is too easily guessed."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import tomli

from acessivel.message import Message

LEAST = 8  # characters
_LEAST_VARIED = 5  # different characters
_AROUND = string.digits + string.punctuation + " "


def normal(passphrase: str) -> str:
    """A passphrase in Unicode's composed form: keyboards send "é" as one sign or as two."""
    return unicodedata.normalize("NFC", passphrase)


def weakness(passphrase: str, known: Iterable[str]) -> Message | None:
    """Why a passphrase cannot be taken; `known`: what everybody can read on the envelope.

    It has few signs, or few different ones, runs along the alphabet or a keyboard, or is a usual or known
    word with digits.
    """
    if len(passphrase) < LEAST:
        return Message.of("passphrase_short", count=LEAST)
    easy = tomli.loads(Path(__file__).with_name("passphrases.toml").read_text("utf-8"))
    text = passphrase.casefold()
    steps = {ord(after) - ord(before) for before, after in pairwise(text)}
    rows = (row for row in easy["rows"] for row in (row, row[::-1]))
    word = text.strip(_AROUND)
    usual = not word or word in easy["words"] or word in (name.casefold().strip(_AROUND) for name in known)
    varied = len(set(text)) >= _LEAST_VARIED and len(steps) > 1
    if usual or not varied or any(text in row for row in rows):
        return Message.of("passphrase_easy")
    return None
