# SPDX-License-Identifier: GPL-3.0-or-later
"""The list on a Braille display: all that can be answered, ordered, asked and set, by routing keys."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from acessivel.devices import keys
from acessivel.devices.braille_content import Chosen, Content, ToldMessage
from acessivel.devices.keys import Bindings
from acessivel.dialogue.questions import NOTHING
from acessivel.message import Message
from acessivel.session import command_help, practice
from acessivel.session.events import Heard
from acessivel.session.state import State
from braille.window import BLANK, Line
from voices.meaning import CommandName
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

HOW = 0  # the section that says what routing keys do
FIRST = 1  # the one with what can be answered and done
# What only moves the window or edits what is typed: nothing that a routing key could do.
_OF_THE_DISPLAY = frozenset({*keys.SHOWING, "send", "cancel", "erase", "keys"})


def sections(
    content: Content,
    bindings: Bindings,
    state: State | None,
    commands: Collection[CommandName] | None,
    lines: Iterable[ToldMessage],
) -> Iterator[list[Line]]:
    """The sections in order: what routing keys do, answers and orders, questions, settings, the keys.

    `commands`: what can be ordered and asked, None where the state says it; then `lines` are the answers.
    """
    possible = {action for action in bindings.keys if _possible(action, state, commands)}
    yield [content.plain(bindings.routing)]
    game, *others = command_help.sections().items()
    steps = [_step(content, action) for action in bindings.of_the_place]
    answers = _answers(content, state) if commands is None else map(content.told, lines)
    yield [content.row([*answers, *steps, *_labels(content, possible, game[1])])]
    for section, actions in others:
        if labels := list(_labels(content, possible, actions)):
            yield [content.plain(Message.of(f"menu_{section}")) + BLANK + content.row(labels)]
    pressed = bindings.keys if commands is None else {*possible, *keys.SHOWING, *keys.TYPING}
    yield [_key(content, action, line) for action, line in bindings.lines() if action in pressed]


def _answers(content: Content, state: State | None) -> list[Line]:
    """Yes and no, if something is asked, naming who is; for yes the words between which a question asks."""
    if state is None or state.asking == NOTHING:
        return []
    options = [Heard(words=(word,)) for word in content.options(state.asking)]
    usual = *(options or [content.answer(yes=True)]), content.answer(yes=False)
    answers = content.named(state.asking) or usual
    return [content.text(heard.words[0], heard) for heard in answers]


def _labels(content: Content, possible: Collection[str], actions: Iterable[str]) -> Iterator[Line]:
    """The actions that are possible, by what is said for them or, if that needs more words, what they do."""
    for action in actions:
        if action in possible:
            yield content.text(_label(content, action), Chosen(action))


def _possible(action: str, state: State | None, commands: Collection[CommandName] | None) -> bool:
    order = keys.orders().get(action)
    if commands is not None:
        return (order.name if order else action) in commands
    return state is None or order is None or order.name in practice.commands(state)


def _label(content: Content, action: str) -> str:
    renderer, order = content.renderer, keys.orders().get(action)
    if order and (order.choice or "{" not in vocabulary(renderer.language).say("command", order.name)):
        return phrasing(renderer.convention, renderer.language).example(order.name, order.choice)
    does = "".join(part.brief for part in renderer.parts(keys.does(action)))
    return does.rstrip(".")


def _step(content: Content, action: str) -> Line:
    """What can be done only here, such as a step through a finished game, as it is said."""
    return content.text(keys.said(action, content.renderer.language), Chosen(action))


def _key(content: Content, action: str, line: Message) -> Line:
    """The keys of an action, and what they do."""
    return content.text(content.renderer.text(line), None if action in _OF_THE_DISPLAY else Chosen(action))
