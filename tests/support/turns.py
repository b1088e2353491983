# SPDX-License-Identifier: GPL-3.0-or-later
"""What turns of the dialogue have led to."""

from acessivel.dialogue.turn import PlayMove


def confirmed(turn):
    """The move that a turn plays; None when it plays none."""
    return turn.do.fact if isinstance(turn.do, PlayMove) else None
