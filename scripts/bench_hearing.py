# SPDX-License-Identifier: GPL-3.0-or-later
"""`make bench-hearing`: how synthetic voices announcing random legal moves are heard, in clean sound."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from acessivel.rules import Position
from acessivel.utterance import hear_words
from voices import grammar
from voices.hearing import read
from voices.meaning import Castling, MovePattern, Place
from voices.phrasing import phrasing
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound import read_wav
from voices.synthesis import synthesise

WORDS = ("fide", "pt")
# German voices, and voices of other languages that read the German words.
VOICES = ("de", "de+m3", "de+f2", "pt-br", "es", "en-us")
COUNT = 60
SPEEDS = (120, 140, 160)


def position(chance: random.Random) -> Position:
    """A position after a random game."""
    found = Position.start()
    for _ in range(chance.randrange(4, 60)):
        if not found.legal:
            break
        found = found.after(chance.choice(found.legal).uci)
    return found if found.legal else position(chance)


def moves(words: str, where: Position) -> set[str]:
    """The legal moves that words can mean, in UCI."""
    said = (reading.meaning for reading in read(words, WORDS[1]) if reading.likely)
    return {
        fact.uci for move in said if isinstance(move, MovePattern | Castling) for fact in where.matching(move)
    }


def measure(voice: str) -> Counter[str]:
    """How the first reading of each announcement came out; the full form and the short one in turn."""
    chance = random.Random(voice)  # noqa: S311
    recogniser = PocketsphinxRecogniser(grammar.pronunciations(*WORDS))
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "utterance.wav"
        for number in range(COUNT):
            where = position(chance)
            meaning = chance.choice(where.legal).meaning
            if number % 2 and isinstance(meaning, MovePattern):
                meaning = replace(meaning, origin=Place())
            words = phrasing(*WORDS).move(meaning, spoken=True)
            synthesise(words, recording, voice, speed=chance.choice(SPEEDS))
            heard = hear_words(recogniser, read_wav(recording), where, *WORDS)
            if not heard:
                outcomes["not understood"] += 1
                continue
            found = moves(heard[0], where)
            right = found == moves(words, where)
            outcomes["right" if right else "another legal move" if found else "not legal"] += 1
    recogniser.close()
    return outcomes


def main() -> None:
    """Print one line a voice."""
    with ProcessPoolExecutor() as pool:
        for voice, outcomes in zip(VOICES, pool.map(measure, VOICES), strict=True):
            print(
                f"{voice}: " + ", ".join(f"{name} {count}" for name, count in sorted(outcomes.items())),
                flush=True,
            )


if __name__ == "__main__":
    main()
