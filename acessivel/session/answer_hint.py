# SPDX-License-Identifier: GPL-3.0-or-later
"""Names a longer yes or no where a short one was perhaps missed, or a move repeated instead of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acessivel.dialogue.confirmation import AS_A_YES
from acessivel.dialogue.questions import ANSWERED_BY_YES, Confirm, Sure, answers
from acessivel.dialogue.turn import AnswerAlone, Turn
from acessivel.message import Message
from acessivel.session.events import Heard
from acessivel.session.state import State
from voices.grammar import grammar
from voices.meaning import Answer, Command, Reading


def given(state: State, event: Heard, turn: Turn, beside: Sequence[Reading]) -> Turn:
    """What was made of an utterance, with the longer answers after it if one is wanted and was perhaps said.

    That is so if what was spoken was not understood, and what it most likely was is an answer, or does as a
    yes does if it is typed, or it was the second in a row; and if the move or the command that is asked was
    only said again. The no is named too unless it was most likely a yes of the language: a "não" is often
    like the German one, and "not right" like "that's right".
    """
    missed = event.spoken and not event.words
    likely = beside[0].meaning if beside else None
    answer = likely if isinstance(likely, Answer) else None
    as_a_yes = isinstance(likely, Command) and likely.name in AS_A_YES
    perhaps = event.again or answer or as_a_yes if missed else _repeats(state, event, turn)
    if not perhaps or not isinstance(state.asking, ANSWERED_BY_YES) or answers(state.asking):
        return turn
    a_yes = as_a_yes or (answer is not None and answer.yes and not _may_be_no(state, event))
    no = (Message.of("longer_no"),) if missed and not a_yes else ()
    return replace(turn, say=(*turn.say, _hint(state), *no))


def _may_be_no(state: State, event: Heard) -> bool:
    """Whether a yes that was most likely said is not one of the language, or beside a no in its words."""
    words = state.setup.convention, state.setup.language
    yeses = grammar.yeses(*words)
    said = next((one for one in event.beside if one in yeses), "")
    noes = {*grammar.answers(*words)} - {*yeses}
    denied = any({*no.split()} & {*said.split()} for no in noes.intersection(event.beside))
    return denied or not yeses.get(said, True)


def _repeats(state: State, event: Heard, turn: Turn) -> bool:
    """Whether the move or the command that awaits its yes is asked again, as it was only said again."""
    asked, now = state.asking, turn.asking
    if isinstance(asked, Sure):
        return event.spoken and now == asked and isinstance(turn.do, AnswerAlone)
    again = isinstance(asked, Confirm) and isinstance(now, Confirm) and asked.fact == now.fact
    return event.spoken and again and turn.do is None


def _hint(state: State) -> Message:
    if state.confirm == "key":
        return Message.of("answer_by_key")
    # Enter at the keyboard is the talk key then.
    return Message.of("longer_yes_or_typed" if state.preferences.talk == "push" else "longer_yes")
