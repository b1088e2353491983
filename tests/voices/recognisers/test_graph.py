# SPDX-License-Identifier: GPL-3.0-or-later
"""The graph of what can be said: the sentences, their probabilities, and that it is small."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.languages import LANGUAGES

from voices.grammar import grammar
from voices.grammar.jsgf import automaton
from voices.recognisers.graph import END, Graph, graph_of_grammar, graph_of_phrases
from voices.words.files import conventions

phrases = st.lists(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=20
)
# A part of a grammar in JSGF, with the sentences that it stands for and their probabilities.
Part = tuple[str, dict[str, float]]


def in_a_row(parts: Sequence[Part]) -> Part:
    found: dict[str, float] = {}
    for ways in product(*(sentences.items() for _, sentences in parts)):
        said, probability = " ".join(words for words, _ in ways if words), 1.0
        for _, share in ways:
            probability *= share
        found[said] = found.get(said, 0) + probability
    return " ".join(text for text, _ in parts), found


def one_of(parts: Sequence[Part], *, optional: bool) -> Part:
    found = {"": 1 / (len(parts) + 1)} if optional else {}
    for _, sentences in parts:
        for words, share in sentences.items():
            found[words] = found.get(words, 0) + share / (len(parts) + optional)
    text = " | ".join(text for text, _ in parts)
    return (f"[{text}]" if optional else f"({text})"), found


def longer(parts: st.SearchStrategy[Part]) -> st.SearchStrategy[Part]:
    several = st.lists(parts, min_size=1, max_size=3)
    return st.one_of(
        several.map(in_a_row),
        several.map(lambda found: one_of(found, optional=False)),
        several.map(lambda found: one_of(found, optional=True)),
    )


parts = st.recursive(st.sampled_from("abc").map(lambda word: (word, {word: 1.0})), longer, max_leaves=8)


def sentences(graph: Graph) -> dict[str, float]:
    """What the graph accepts, with the probability of each; no word may lead to two states."""
    start, end, arcs = graph
    ways: dict[int, dict[str, tuple[int, float]]] = {}
    for source, target, share, *word in arcs:
        said = str(word[0]) if word else ""
        assert said not in ways.setdefault(source, {})
        ways[source][said] = target, share
    found: dict[str, float] = {}

    def follow(state: int, words: tuple[str, ...], probability: float) -> None:
        if state == end:
            found[" ".join(words)] = probability
        for said, (target, share) in ways.get(state, {}).items():
            follow(target, (*words, said) if said else words, probability * share)

    follow(start, (), 1.0)
    return found


@given(phrases)
def test_the_phrases_and_nothing_else(phrases: Sequence[str]) -> None:
    every = set(phrases)
    assert sentences(graph_of_phrases(phrases)) == pytest.approx(dict.fromkeys(every, 1 / len(every)))


def test_endings_are_shared() -> None:
    endings = [f"{first} x y z" for first in ("a", "b", "c")]
    assert len(graph_of_phrases(endings)[2]) == 3 + 3


@given(parts)
def test_the_sentences_of_a_grammar_with_their_probabilities(part: Part) -> None:
    text, wanted = part
    jsgf = f"#JSGF V1.0;\ngrammar g;\n<part> = {text};\npublic <all> = x <part>;\n"
    expected = {f"x {said}".strip(): share for said, share in wanted.items()}
    assert sentences(graph_of_grammar(jsgf)) == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
@pytest.mark.sweep
def test_everything_that_can_be_said_is_a_small_graph_with_the_same_sentences(
    convention: str, language: str
) -> None:
    everything = grammar.everything(convention, language, digits=True)
    wanted = automaton(everything)
    start, end, arcs = graph_of_grammar(everything)
    assert end == END != start
    ways: dict[int, dict[str, int]] = {}
    for source, target, share, *word in arcs:
        assert 0 < share <= 1
        ways.setdefault(source, {})[str(word[0]) if word else ""] = target
    assert len(ways) < 300
    waiting, seen = [(start, wanted.start)], set()
    while waiting:
        state, states = here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        after = wanted.next(states)
        assert ways.get(state, {}).keys() - {""} == after.keys()
        assert (state == END or "" in ways.get(state, {})) == wanted.ends(states)
        waiting += [(ways[state][word], then) for word, then in after.items()]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("public <all> = (a | b;", "not closed"),
        ("public <all> = [a | b);", "not closed"),
        ("public <all> = a | (b;", "not closed"),
        ("public <all> = a);", "not expected"),
        ("public <all> = <b>;", "no rule <b>"),
        ("public <all> = a;\nb;", "not a rule"),
        ("public <all> = a", "not ended"),
        ("<all> = a;", "public"),
        ("", "public"),
    ],
)
def test_a_broken_grammar_is_refused_with_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        graph_of_grammar(f"#JSGF V1.0;\ngrammar g;\n{text}")


def test_a_rule_may_stand_on_several_lines_and_several_on_one() -> None:
    jsgf = "#JSGF V1.0;\ngrammar g;\npublic <all> = <a> |\n  b; <a> =\n a;\n"
    assert sentences(graph_of_grammar(jsgf)) == {"a": 0.5, "b": 0.5}


def test_what_is_hardly_probable_can_be_said() -> None:
    depth = 40
    jsgf = f"#JSGF V1.0;\ngrammar g;\npublic <all> = {'[' * depth}a{']' * depth} b;\n"
    assert sentences(graph_of_grammar(jsgf)).keys() == {"b", "a b"}
