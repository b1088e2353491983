# SPDX-License-Identifier: GPL-3.0-or-later
"""A grammar in JSGF -> an automaton with the words that may follow, and the probability of what is said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

_RULE = re.compile(r"(public\s+)?<([^<>]+)>\s*=(.*)", re.DOTALL)
_CLOSING = {"(": ")", "[": "]"}
_SIGNS = re.compile(r"<[^>]+>|[\[\]()|]|[^\s\[\]()|<>;]+")
States = frozenset[int]
# States with the weights of the ways to them. All alternatives of a rule are equally probable, and leaving an
# optional part out is one of them; a sentence's weight, over all ways to say it, is its probability.
Weights = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Automaton:
    """Sets of states: `start`, and in `next` the words that may follow each, with the states they lead to."""

    begun: Weights
    arcs: Sequence[Mapping[str, Weights]]
    final: int

    @property
    def start(self) -> States:
        """The states before the first word."""
        return frozenset(self.begun)

    def next(self, states: States) -> Mapping[str, States]:
        """The words that may follow, with the states after them."""
        return _next(self, states)

    def ends(self, states: States) -> bool:
        """Whether what was said so far is complete."""
        return self.final in states

    def __hash__(self) -> int:
        return id(self)


@cache
def _next(automaton: Automaton, states: States) -> Mapping[str, States]:
    found: dict[str, frozenset[int]] = {}
    for state in states:
        for word, targets in automaton.arcs[state].items():
            found[word] = found.get(word, frozenset()).union(targets)
    return found


class _Builder:
    """Thompson's construction; the grammars have no recursion, so each rule is expanded where it is used."""

    def __init__(self, rules: Mapping[str, Sequence[str]]) -> None:
        self._rules = rules
        self.words: list[tuple[int, str, int]] = []
        self.silent: list[tuple[int, int, float]] = []
        self.count = 0

    def state(self) -> int:
        self.count += 1
        return self.count - 1

    def rule(self, name: str, start: int) -> int:
        """Append a rule's automaton; returns where it ends."""
        if name not in self._rules:
            raise ValueError(f"there is no rule <{name}>")
        end, rest = self._choice(list(self._rules[name]), start)
        if rest:
            raise ValueError(f"<{name}>: {rest[0]} is not expected")
        return end

    def _choice(self, signs: list[str], start: int, *, optional: bool = False) -> tuple[int, list[str]]:
        end, ends = self.state(), [start] if optional else []
        while True:
            at = start
            while signs and signs[0] not in "|)]":
                at, signs = self._item(signs, at)
            ends.append(at)
            if not signs or signs[0] != "|":
                self.silent += [(at, end, 1 / len(ends)) for at in ends]
                return end, signs
            signs = signs[1:]

    def _item(self, signs: list[str], start: int) -> tuple[int, list[str]]:
        sign, rest = signs[0], signs[1:]
        if sign in "([":
            end, rest = self._choice(rest, start, optional=sign == "[")
            if rest[:1] != [_CLOSING[sign]]:
                raise ValueError(f"{sign} is not closed")
            return end, rest[1:]
        if sign[0] == "<":
            return self.rule(sign[1:-1], start), rest
        end = self.state()
        self.words.append((start, sign, end))
        return end, rest


@cache
def automaton(grammar: str) -> Automaton:
    """The automaton of a grammar's public rule. Raises ValueError if the grammar is broken."""
    rules, public = _rules(grammar)
    builder = _Builder(rules)
    start = builder.state()
    final = builder.rule(public, start)
    closures = _closures(builder)
    arcs: list[dict[str, Weights]] = [{} for _ in range(builder.count)]
    for source, word, target in builder.words:
        arcs[source][word] = _added(arcs[source].get(word, {}), closures[target])
    return Automaton(closures[start], arcs, final)


def _rules(grammar: str) -> tuple[dict[str, list[str]], str]:
    """The tokens of each rule, and the name of the public one."""
    rules, public = {}, ""
    *statements, rest = map(str.strip, grammar.split(";"))
    for statement in statements:
        if statement.startswith(("#JSGF ", "grammar ")):
            continue
        found = _RULE.fullmatch(statement)
        if not found:
            raise ValueError(f"{statement} is not a rule")
        public = found[2] if found[1] else public
        rules[found[2]] = _SIGNS.findall(found[3])
    if rest or not public:
        raise ValueError(f"{rest} is not ended by ;" if rest else "no rule is public")
    return rules, public


def _closures(builder: _Builder) -> list[Weights]:
    """The states that can be reached from each state without a word."""
    ways: dict[int, list[tuple[int, float]]] = {}
    for source, target, weight in builder.silent:
        ways.setdefault(source, []).append((target, weight))

    @cache
    def reached(state: int) -> Weights:
        found: Weights = {state: 1.0}
        for target, weight in ways.get(state, ()):
            found = _added(found, reached(target), weight)
        return found

    return [reached(state) for state in range(builder.count)]


def _added(one: Weights, other: Weights, times: float = 1.0) -> Weights:
    found = dict(one)
    for state, weight in other.items():
        found[state] = found.get(state, 0.0) + times * weight
    return found
