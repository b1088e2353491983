# SPDX-License-Identifier: GPL-3.0-or-later
"""Decides whether what was heard so far of an utterance can be all of it."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from voices.grammar.jsgf import Automaton, automaton

_PUBLIC_RULE = re.compile(r"^public <\w+> = (.*);$", re.MULTILINE)
_MOVES = frozenset({"<move>", "<castle>", "<part>"})


def is_complete(words: str, everything: str, expected: Collection[str]) -> bool:
    """Whether the words are a complete utterance, and no longer one begins with them.

    `everything` (JSGF) and `expected` are what a recogniser was given. Of moves only the expected ones count,
    because a grammar lets nearly every square continue; answers, numbers, pieces and commands count as the
    grammar has them: "legal moves" waits for the piece that may follow.
    """
    if not words or any(phrase.startswith(f"{words} ") for phrase in expected):
        return False
    whole, goes_on = _beside_moves(words, everything)
    return not goes_on and (whole or words in expected)


def _beside_moves(words: str, everything: str) -> tuple[bool, bool]:
    """Whether the words are complete in the grammar without its moves, and whether they can continue."""
    sentences = _without_moves(everything)
    if sentences is None:
        return False, False
    states = sentences.start
    for word in words.split():
        states = sentences.next(states).get(word, frozenset())
    return sentences.ends(states), bool(sentences.next(states))


@cache
def _without_moves(everything: str) -> Automaton | None:
    found = _PUBLIC_RULE.search(everything)
    kept = [rule for rule in found[1].split(" | ") if rule not in _MOVES] if found else []
    if found is None or not kept:
        return None
    return automaton(everything[: found.start(1)] + " | ".join(kept) + everything[found.end(1) :])
