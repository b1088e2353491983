# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel read`: how a typed utterance is understood."""

from __future__ import annotations

import argparse
import dataclasses
import time

from acessivel.commands.given_position import position_of
from acessivel.commands.output import write_line
from acessivel.commands.run_settings import settings_of
from acessivel.dialogue.outcome import Understood, in_words, understand
from acessivel.messages.rendering import Renderer
from voices.understanding.meanings import LONGEST


def run(options: argparse.Namespace) -> int:
    """Tell what the words mean in the position, and how many ms that took. Raises UserError for a bad FEN."""
    settings = settings_of(options)
    position = position_of(options.fen)
    renderer = Renderer(settings.language, settings.convention)
    began = time.perf_counter()
    found = understand((" ".join(options.words)[: LONGEST + 1],), position, renderer)
    ms = {"read": round((time.perf_counter() - began) * 1000, 3)}
    write_line(_as_json(dataclasses.replace(found, ms=ms)) if options.json else in_words(found, renderer))
    return 0


def _as_json(found: Understood) -> str:
    import json  # noqa: PLC0415 - words are asked for more often

    return json.dumps(dataclasses.asdict(found), ensure_ascii=False)
