# SPDX-License-Identifier: GPL-3.0-or-later
"""What an engine thinks of a position -> sentences: who is better, and what a move has lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from acessivel.message import Message
from acessivel.rules.position import BLACK, WHITE, Fact, Position

_EQUAL_CP = 40  # a tempo or two
_PAWN_CP = 80  # from here on it is about a pawn
_FINE_CP = 50  # a smaller gain by another move is hardly noticeable
_WON_CP = 1000  # beyond that more pawns change nothing
_MATE_CP = 100_000
_LONGEST = 3  # half-moves of a refutation that a listener can follow


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of a position: centipawns for White, or the moves to a mate (negative: by Black); best play.

    `mate` is 0 if none is found; `line` is in UCI, and empty if no move is possible.
    """

    cp: int = 0
    mate: int = 0
    line: tuple[str, ...] = ()

    def worth(self, colour: str) -> int:
        """The value for a side, in centipawns; a mate counts more the nearer it is."""
        sign = 1 if colour == WHITE else -1
        if not self.mate:
            return sign * max(-_WON_CP, min(self.cp, _WON_CP))
        return sign * (_MATE_CP - abs(self.mate)) * (1 if self.mate > 0 else -1)

    def mates(self, colour: str) -> bool:
        """Whether a side can force mate."""
        return self.mate > 0 if colour == WHITE else self.mate < 0


def evaluation(judged: Judgement) -> Message:
    """Which side is better, and by about how much."""
    colour = WHITE if judged.worth(WHITE) > 0 else BLACK
    if judged.mate:
        return Message.of("eval_mate", colour=colour, count=abs(judged.mate))
    ahead = abs(judged.cp)
    if ahead < _EQUAL_CP:
        return Message.of("eval_equal")
    if ahead < _PAWN_CP:
        return Message.of("eval_little", colour=colour)
    return Message.of("eval_pawns", colour=colour, count=_pawns(ahead))


def explanation(move: Fact, before: Position, best: Judgement, after: Judgement) -> tuple[Message, ...]:
    """What a move has lost against the best one, which that is, and how it is punished; says if it was fine.

    `best` judges the position before the move, `after` the one that it led to.
    """
    better = facts(before, best.line[:1])
    lost = _lost(move, best, after)
    if lost is None or not better or better[0].uci == move.uci:
        return (_no_loss(move, better),)
    told = [lost, Message.of("why_better", move=better[0])]
    reply = facts(before.after(move.uci), after.line[:_LONGEST])
    if reply and not best.mates(move.colour):  # the better alternative says enough
        told.append(Message.of("why_reply", moves=reply))
    return tuple(told)


def _no_loss(move: Fact, better: Sequence[Fact]) -> Message:
    if not better or better[0].uci == move.uci:
        return Message.of("why_best", move=move)
    return Message.of("why_fine", move=move, better=better[0])


def _lost(move: Fact, best: Judgement, after: Judgement) -> Message | None:
    """What a move has lost for its player; None if it is negligible."""
    mine, loss = move.colour, best.worth(move.colour) - after.worth(move.colour)
    if loss < _FINE_CP or (best.mates(mine) and after.mates(mine)):
        return None
    if after.mate and not after.mates(mine):
        if best.mate and not best.mates(mine):
            return None
        return Message.of("why_mated", move=move, count=abs(after.mate))
    if best.mates(mine):
        return Message.of("why_missed", move=move, count=abs(best.mate))
    return Message.of("why_lost", move=move, count=_pawns(loss))


def facts(position: Position, line: Sequence[str]) -> tuple[Fact, ...]:
    """The moves of a line in UCI, as far as they are legal."""
    found: list[Fact] = []
    for uci in line:
        fact = next((fact for fact in position.legal if fact.uci == uci), None)
        if fact is None:
            break
        found.append(fact)
        position = position.after(uci)
    return tuple(found)


def _pawns(cp: int) -> int:
    return max(1, round(cp / 100))
