# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of the game that is played, to be downloaded from a page: PGN, and Braille for embossers."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.records import braille_record, pgn, readers
from acessivel.storage.stored_game import Stored
from acessivel.web import view
from acessivel.web.present import Present
from braille import brf, pages, pef


def record(present: Present, role: str, name: str) -> bytes | None:
    """The file of that name, as of `view.records`; None if there is none, or this game cannot be written."""
    stored = present.recorded
    if stored is None or name not in view.records(present, role):
        return None
    if name.endswith(".pgn"):
        return pgn.pgn(stored.state.setup, stored.state.game, stored.started).encode()
    try:
        return b"".join(_braille(stored, present.renderer, name))
    except braille_record.RecordError:
        return None


def _braille(stored: Stored, renderer: Renderer, name: str) -> Iterator[bytes]:
    """The record on the first sheet of the list, in the six dots of the language."""
    code = readers.code_of(None, renderer.language)
    sheet = next(iter(pages.sheets().values()))
    games = readers.of_journal(stored)
    found = (paragraph for game in games for paragraph in braille_record.paragraphs(game, code, frozenset()))
    if name.endswith(".brf"):
        return brf.write(pages.paginate(found, sheet))
    title = renderer.text(Message.of("record_title", source=name))
    about = pef.About(uuid.uuid4().urn, title, code.language)
    return pef.write(pages.paginate(found, pef.page(sheet, code.dots)), sheet, about, code.dots)
