# SPDX-License-Identifier: GPL-3.0-or-later
"""Every message in the source names a sentence that there is, and gives it what it tells: all of it, and only that."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from support.catalogues import fields
from support.languages import LANGUAGES

import acessivel
from acessivel.messages.rendering import VERBOSITIES, catalogue
from voices.meaning import CommandName

ROOT = Path(acessivel.__file__).parent
SAID = {"yes", "no", "longer_yes", "longer_no", *CommandName}  # the sentence has these words by itself
# Families whose keys are made with a value, where every sentence is given the same.
WHOLE = ("does_", "option_", "part_", "slot_", "topic_", "microphone_", "replay_nag_", "voice_words_")


class Calls(ast.NodeVisitor):
    """The calls of `Message.of` in a module: the keys that each can have (None: out of reach), and its values."""

    def __init__(self, source):
        self.module = ast.parse(source)
        self.tables = {
            target.id: node.value
            for node in self.module.body
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        }
        self.functions = []
        self.found = []
        self.visit(self.module)

    def visit_FunctionDef(self, node):
        self.functions.append(node)
        self.generic_visit(node)
        self.functions.pop()

    def visit_Call(self, node):
        self.generic_visit(node)
        if ast.unparse(node.func) == "Message.of":
            names = [keyword.arg for keyword in node.keywords]
            self.found.append((node.lineno, self.keys(node.args[0]), set(names) - {None}, None in names))

    def keys(self, node):
        """The keys that an expression can be, an f-string as its pattern; None when they cannot be told."""
        match node:
            case ast.Constant(str() as key):
                return {key}
            case ast.JoinedStr(parts):
                return {
                    re.compile(
                        "".join(re.escape(p.value) if isinstance(p, ast.Constant) else "(.+)" for p in parts)
                    )
                }
            case ast.IfExp(body=one, orelse=other) if self.keys(one) and self.keys(other):
                return self.keys(one) | self.keys(other)
            case ast.Subscript(value=ast.Name(table)) if table in self.tables:
                return self.values(table)
            case ast.Call(func=ast.Attribute(ast.Name(table), "get"), args=[_, other]) if (
                table in self.tables
            ):
                return self.values(table) | self.keys(other)
            case ast.Name(name) if self.functions:
                return self.keys(self.assigned(name))
        return None

    def values(self, table):
        return {value.value for value in self.tables[table].values if isinstance(value, ast.Constant)}

    def assigned(self, name) -> ast.expr | None:
        """What is assigned to a name in the function, where that is done once."""
        stored, found = 0, None
        for node in ast.walk(self.functions[-1]):
            match node:
                case ast.Assign(targets=[ast.Name(target)], value=value) if target == name:
                    found = value
                case ast.Name(target, ctx=ast.Store()) | ast.arg(target) if target == name:
                    stored += 1
        return found if stored == 1 else None


@cache
def calls():
    """Every message in the source: where, the keys that it can have, and its values."""
    return [
        (f"{path.relative_to(ROOT)}:{line}", keys, given, more)
        for path in sorted(ROOT.rglob("*.py"))
        for line, keys, given, more in Calls(path.read_text("utf-8")).found
    ]


def told(key, language):
    """What a sentence tells, in its shorter and longer forms too."""
    texts = catalogue(language)
    forms = [key, *(f"{verbosity}_{key}" for verbosity in VERBOSITIES)]
    return set().union(*(fields(texts[form]) for form in forms if form in texts))


def faults(key, given, more, language, others=()):
    """What is wrong with the values of a message; `more` come from elsewhere, `others` are keys that it may have."""
    if key not in catalogue(language):
        return [f"{key} is no sentence"]
    needed = told(key, language)
    told_by_others = set().union(*(told(other, language) for other in others if other in catalogue(language)))
    wrong = [f"{key} does not tell {name}" for name in given - needed - told_by_others]
    return wrong + [f"{key} needs {name}" for name in needed - SAID - given if not more]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_message_is_given_what_its_sentence_tells_and_only_that(language):
    wrong = [
        f"{place}: {fault}"
        for place, keys, given, more in calls()
        for key in keys or ()
        if isinstance(key, str)
        for fault in faults(
            key, given, more, language, others=[other for other in keys if isinstance(other, str)]
        )
    ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_whose_key_is_made_with_a_value_fits_the_sentences_of_its_family(language):
    for place, keys, given, more in calls():
        for pattern in (key for key in keys or () if isinstance(key, re.Pattern)):
            family = [key for key in catalogue(language) if pattern.fullmatch(key)]
            fitting = [key for key in family if not faults(key, given, more, language)]
            assert fitting, place
            if pattern.pattern.startswith(WHOLE):
                assert fitting == [key for key in family if not key.endswith("_now")], place


def test_most_messages_are_in_reach():
    assert len(calls()) > 600
    assert sum(keys is None for _, keys, _, _ in calls()) < len(calls()) / 20


def test_the_check_finds_what_is_missing_and_what_is_too_much():
    assert faults("played", {"number", "colour"}, False, "en") == ["played needs move"]
    assert faults("played", {"number", "colour", "move", "file"}, False, "en") == [
        "played does not tell file"
    ]
    assert faults("playd", set(), False, "en") == ["playd is no sentence"]
    calls = Calls(
        'T = {1: "a", 2: "b"}\ndef f(x):\n    key = "c" if x else f"d_{x}"\n    Message.of(key, n=1)\n    Message.of(T[x])\n    Message.of(x)\n'
    )
    assert [(keys, given) for _, keys, given, _ in calls.found] == [
        ({"c", re.compile("d_(.+)")}, {"n"}), ({"a", "b"}, set()), (None, set()),
    ]  # fmt: skip
