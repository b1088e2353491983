# SPDX-License-Identifier: GPL-3.0-or-later
"""A grammar in JSGF -> an automaton that tells which words may follow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

_SIGNS = re.compile(r"<[^>]+>|[\[\]()|]|[^\s\[\]()|<>;]+")
States = frozenset[int]


@dataclass(frozen=True, slots=True)
class Automaton:
    """Sets of states: `start`, and by `next` the words that may follow each with where they lead."""

    start: States
    arcs: Sequence[Mapping[str, States]]
    final: int

    def next(self, states: States) -> Mapping[str, States]:
        """The words that may follow, with the states after them."""
        return _next(self, states)

    def ends(self, states: States) -> bool:
        """Whether what was said so far is whole."""
        return self.final in states

    def __hash__(self) -> int:
        return id(self)


@cache
def _next(automaton: Automaton, states: States) -> Mapping[str, States]:
    found: dict[str, frozenset[int]] = {}
    for state in states:
        for word, targets in automaton.arcs[state].items():
            found[word] = found.get(word, frozenset()) | targets
    return found


class _Builder:
    """Thompson's construction; the grammars have no recursion, so a rule is written out where it is used."""

    def __init__(self, rules: Mapping[str, Sequence[str]]) -> None:
        self._rules = rules
        self.words: list[tuple[int, str, int]] = []
        self.silent: list[tuple[int, int]] = []
        self.count = 0

    def state(self) -> int:
        self.count += 1
        return self.count - 1

    def rule(self, name: str, start: int) -> int:
        """Append a rule's automaton; returns where it ends."""
        end, rest = self._choice(list(self._rules[name]), start)
        if rest:
            raise ValueError(f"<{name}>: {rest[0]} is not expected")
        return end

    def _choice(self, signs: list[str], start: int) -> tuple[int, list[str]]:
        end = self.state()
        while True:
            at = start
            while signs and signs[0] not in "|)]":
                at, signs = self._item(signs, at)
            self.silent.append((at, end))
            if not signs or signs[0] != "|":
                return end, signs
            signs = signs[1:]

    def _item(self, signs: list[str], start: int) -> tuple[int, list[str]]:
        sign, rest = signs[0], signs[1:]
        if sign in "([":
            end, rest = self._choice(rest, start)
            if sign == "[":
                self.silent.append((start, end))
            return end, rest[1:]
        if sign[0] == "<":
            return self.rule(sign[1:-1], start), rest
        end = self.state()
        self.words.append((start, sign, end))
        return end, rest


@cache
def automaton(grammar: str) -> Automaton:
    """The automaton of a grammar's public rule; KeyError or ValueError for a grammar that is broken."""
    rules, public = {}, ""
    for line in grammar.splitlines():
        head, equals, body = line.partition("=")
        if equals:
            name = head.replace("public", "").strip()[1:-1]
            public = name if head.startswith("public") else public
            rules[name] = _SIGNS.findall(body)
    builder = _Builder(rules)
    start = builder.state()
    final = builder.rule(public, start)
    closures = _closures(builder)
    arcs: list[dict[str, States]] = [{} for _ in range(builder.count)]
    for source, word, target in builder.words:
        arcs[source][word] = arcs[source].get(word, frozenset()) | closures[target]
    return Automaton(closures[start], arcs, final)


def _closures(builder: _Builder) -> list[States]:
    """What can be reached from each state without a word."""
    ways: dict[int, list[int]] = {}
    for source, target in builder.silent:
        ways.setdefault(source, []).append(target)
    found = []
    for state in range(builder.count):
        reached, waiting = {state}, [state]
        while waiting:
            new = [target for target in ways.get(waiting.pop(), ()) if target not in reached]
            reached.update(new)
            waiting += new
        found.append(frozenset(reached))
    return found
