# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked on the page of a role: the open question, if that role is told it, and what can answer it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from acessivel.dialogue.disambiguation import unique_squares
from acessivel.dialogue.questions import (
    ANNOUNCING,
    NOTHING,
    TAKES_YES,
    Arbitrated,
    Asking,
    Choose,
    Confirm,
    Difference,
    Repeating,
    answers,
    question,
)
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import COLOURS
from acessivel.session.answers import asked
from acessivel.session.state import State
from acessivel.web import hall_view, page_text
from acessivel.web.present import Present, TalkShown
from voices.grammar.distinct import in_words
from voices.meaning import Castling, CommandName, Meaning, MovePattern, Number, PieceNamed
from voices.speakers import Span
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

_MOST_ANSWERS = 20  # that a page offers as buttons; others are typed


def of(present: Present, role: str) -> Mapping[str, Any] | None:
    """The open question with what can answer it, for who may answer."""
    renderer, state = present.renderer, present.played
    if present.talk and role not in present.talk.beside:
        return _asked_in_talk(renderer, present.talk, role)
    if state is None:
        return _asked_outside(present, role)
    pending = present.pending or question(state.asking)  # with two boards the room is not told each question
    if not pending or role == "spectator" or not (may_answer(state, role) and is_told(state, role)):
        return None
    move = state.asking.fact.uci if isinstance(state.asking, Confirm) else ""
    return _question(renderer, pending, _typed(renderer, _answers(renderer, state.asking)), move)


def _asked_in_talk(renderer: Renderer, talk: TalkShown, role: str) -> Mapping[str, Any] | None:
    """What is asked in the conversation, for who holds it, with a button for what an empty line does."""
    holds = role in talk.to
    if role == "spectator" or not (holds or role == talk.resigns):
        return None
    answers = _typed(renderer, _words_of_answers(renderer) if talk.yes_or_no else ())
    gives_up = [{"text": renderer.text(talk.gives_up), "types": ""}] if holds else []
    shown = _question(renderer, talk.question, (*answers, *gives_up))
    return {**shown, "by_enter": holds and talk.by_enter}


def _asked_outside(present: Present, role: str) -> Mapping[str, Any] | None:
    """The open question where no game is played; lines are chosen on the page of both sides alone."""
    renderer, hall = present.renderer, present.hall
    if role == "spectator" or not present.pending or (hall and role not in hall_view.ARBITERS):
        return None
    pending = [one for one in present.pending if hall or one not in present.choices]
    if not hall and present.choices and role != "both":
        return _question(renderer, pending, ())
    if present.yes_or_no:
        return _question(renderer, pending, _typed(renderer, _words_of_answers(renderer)))
    answers = [Span(one, renderer.language) for one in hall.answers] if hall else []
    return _question(renderer, pending, _typed(renderer, answers) if hall else _choices(present))


def _question(
    renderer: Renderer, pending: Iterable[Message], answers: Iterable[Mapping[str, Any]], move: str = ""
) -> Mapping[str, Any]:
    return {"text": page_text.of(renderer, pending), "answers": list(answers), "move": move}


def _typed(renderer: Renderer, words: Iterable[Span]) -> Iterator[Mapping[str, Any]]:
    """Answers that are typed as they are called."""
    for one in words:
        called = Span(capital(one.text), one.language)
        yield {"text": page_text.marked([called], renderer.language), "types": one.text}


def _choices(present: Present) -> Iterator[Mapping[str, str]]:
    for message, typed in present.choices.items():
        yield {"text": present.renderer.text(message), "types": typed}


def _answers(renderer: Renderer, asking: Asking) -> list[Span]:
    """The words that answer a question, as they are typed; none for one that is answered by a move."""
    yes, no = _words_of_answers(renderer)
    match asking:
        case Repeating():
            return []
        case Arbitrated():
            arbiter = phrasing(renderer.convention, renderer.language).example(CommandName.ARBITER)
            return [Span(arbiter, renderer.language)]
        case Difference():
            options = (in_words(one, renderer.convention, renderer.language) for one in asking.options)
            return [*options, no]
    most = len(unique_squares(asking.facts)) if isinstance(asking, Choose) else _MOST_ANSWERS
    found = list(dict.fromkeys(_in_its_language(renderer, meaning) for meaning in answers(asking)))
    asks = isinstance(asking, TAKES_YES) and not found
    return [*([yes] if asks else found[:most]), no]


def _in_its_language(renderer: Renderer, meaning: Meaning) -> Span:
    """What is typed for a meaning; what is announced is in the language of the announcements."""
    announced = isinstance(meaning, MovePattern | Castling | PieceNamed | Number)
    words = phrasing(renderer.convention, renderer.language)
    return Span(worded(renderer, meaning), words.language if announced else renderer.language)


def _words_of_answers(renderer: Renderer) -> list[Span]:
    words = vocabulary(renderer.language)
    return [Span(words.say("answer", word), renderer.language) for word in ("yes", "no")]


def worded(renderer: Renderer, meaning: Meaning) -> str:
    """What is typed for a meaning."""
    return phrasing(renderer.convention, renderer.language).meaning(meaning, spoken=False)


def may_answer(state: State, role: str) -> bool:
    """Whether a role may answer the open question; all may answer one that is put to nobody alone."""
    who = asked(state)
    if role in ("both", "assistant"):
        return who != "arbiter" or role == "assistant"
    if role == "arbiter":
        return who == "arbiter" or (not who and state.asking != NOTHING)
    return role in COLOURS and (who in ("", role) or not state.two_persons)


def is_told(state: State, role: str) -> bool:
    """Whether a role is told the open question: an announcement that is only begun is its player's own."""
    if not isinstance(state.asking, ANNOUNCING):
        return True
    if state.setup.two_boards and role in ("both", "assistant"):
        return isinstance(state.asking, Confirm)
    return may_answer(state, role)


def capital(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
