# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said in a test of hearing, each in a position: announcements legal and not, answers, other talk."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.meaning import Castling, Move, MovePattern, Piece, Place
from voices.sound.disturbance import add_noise, echoed, noise, room
from voices.sound.source import RATE
from voices.understanding.meanings import read_heard

CONDITIONS = ("clean", "pink:20", "pink:10", "white:10", "babble:20", "babble:10", "babble:5", "reverb")
_CASTLING_FENS = (
    "r3k2r/pppq1ppp/2np1n2/4p3/4P3/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 0 9",
    "r3k2r/ppp2ppp/2n1bn2/3qp3/8/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 4 10",
)
_PROMOTION_FENS = (
    "3r1n2/2P1P1P1/7k/8/8/K7/1p1p1p2/2N1R3 w - - 0 50",
    "3r1n2/2P1P1P1/7k/8/8/K7/1p1p1p2/2N1R3 b - - 0 50",
)


@dataclass(frozen=True, slots=True)
class Said:
    """What is said in a position, with the legal moves that it means (UCI), if any."""

    kind: str  # legal, illegal, garbage, yes, no, command, taken back
    fen: str
    words: str
    language: str
    moves: tuple[str, ...] = ()


def position(chance: random.Random) -> Position:
    """A position after a random game; now and then one where castling or promotion is possible."""
    special = chance.random()
    if special < 0.16:
        return Position.start(chance.choice(_CASTLING_FENS if special < 0.08 else _PROMOTION_FENS))
    found = Position.start()
    for _ in range(chance.randrange(4, 60)):
        if not (moves := found.legal_ucis):
            break
        found = found.after(chance.choice(moves))
    return found if found.legal_ucis else position(chance)


def draw_move(chance: random.Random, where: Position) -> Move:
    """A legal move; castling and promotions more often than their share."""
    rare = [f for f in where.legal if isinstance(f.meaning, Castling) or f.meaning.promotion]
    return chance.choice(rare if rare and chance.random() < 0.5 else where.legal).meaning


def legal(chance: random.Random, language: str) -> Said:
    """An announcement of a legal move in one of its spoken forms."""
    where = position(chance)
    words = chance.choice(grammar.announcements([draw_move(chance, where)], "fide", language))
    found = meant(where, words, language)
    return Said("legal", where.fen, words, language, found) if found else legal(chance, language)


def illegal(chance: random.Random, language: str) -> Said:
    """An announcement that is no legal move: half of them differ by one word from one that is."""
    where = position(chance)
    move = draw_move(chance, where if chance.random() < 0.5 else position(chance))
    if isinstance(move, MovePattern):
        changes = [
            {"target": Place(chance.choice("abcdefgh"), move.target.rank)},
            {"target": Place(move.target.file, chance.choice("12345678"))},
        ]
        changes += [{"piece": piece, "promotion": None} for piece in Piece]
        move = replace(move, **chance.choice(changes))  # type: ignore[arg-type]
    words = chance.choice(grammar.announcements([move], "fide", language))
    if meant(where, words, language) or not read_heard(words, language):
        return illegal(chance, language)
    return Said("illegal", where.fen, words, language)


def answer(chance: random.Random, language: str, kind: str) -> Said:
    """A yes or a no, in German or in the language, but no denial."""
    yeses, denials = grammar.yeses("fide", language), grammar.denials("fide", language)
    drawn = [words for words in grammar.answers("fide", language) if words not in denials]
    words = [one for one in drawn if (one in yeses) == (kind == "yes")]
    return Said(kind, position(chance).fen, chance.choice(words), language)


def command(chance: random.Random, language: str) -> Said:
    """A command of the language."""
    words = chance.choice(grammar.commands(language))
    return Said("command", legal(chance, language).fen, words, language)


def meant(where: Position, words: str, language: str) -> tuple[str, ...]:
    """The legal moves that words can mean (UCI, sorted)."""
    said = (reading.meaning for reading in read_heard(words, language) if reading.likely)
    moves = {f.uci for m in said if isinstance(m, MovePattern | Castling) for f in where.matching(m)}
    return tuple(sorted(moves))


def disturbed(
    audio: np.ndarray, condition: str, chance: np.random.Generator, speech: Sequence[np.ndarray]
) -> np.ndarray:
    """A recording (int16) with half a second around it, in a condition such as "pink:10" or "reverb"."""
    quiet = np.zeros(RATE // 2, np.float32)
    sound = np.concatenate([quiet, audio.astype(np.float32), quiet, quiet])
    kind, _, level = condition.partition(":")
    if kind == "reverb":
        sound = echoed(sound, room(chance, 0.6))
    # No microphone is silent: clean is 45 dB above its own noise.
    sound = add_noise(sound, noise("white", sound.size, chance), 45)
    if level:
        sound = add_noise(sound, noise(kind, sound.size, chance, speech), float(level))
    loudest = float(np.abs(sound).max(initial=1))
    return (sound * (12000 / loudest)).astype(np.int16)


def languages(chance: random.Random) -> Iterator[str]:
    """Users' languages, without end."""
    while True:
        yield chance.choice(["de", "pt", "pt", "en", "es"])
