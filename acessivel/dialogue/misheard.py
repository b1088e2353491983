# SPDX-License-Identifier: GPL-3.0-or-later
"""What was perhaps misheard: a move that is spoken again while it is asked, and a no to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acessivel.dialogue import disambiguation
from acessivel.dialogue.offer import offer
from acessivel.dialogue.questions import (
    ANNOUNCING,
    NOTHING,
    Asking,
    Choose,
    Confirm,
    Difference,
    Missing,
    Promote,
    Sure,
    question,
)
from acessivel.dialogue.turn import PlayMove, Turn
from acessivel.message import Message
from acessivel.rules.position import Fact, Position
from voices.meaning import Answer, Check, Meaning, Number

_ANNOUNCED: tuple[disambiguation.MovePart, ...] = ("file", "rank", "piece")  # in every announcement


def told_apart(asking: Asking, turn: Turn, beside: tuple[Fact, ...]) -> Turn:
    """What an announcement leads to, with what the ears may have taken for it; nothing if it was typed.

    Who says the same move again while it is asked was perhaps misheard, and a sound that is mistaken once is
    mistaken twice: so that is never a yes, and in what the move differs is asked, once. A move that has just
    had a no is not asked again either, but its part may be named, or the whole of it where it is asked in
    what it differs; it is, after it was told that it was heard.
    """
    now = turn.asking
    asking = asking.before if isinstance(asking, Sure) else asking
    if isinstance(now, Missing) and isinstance(asking, Missing):
        return replace(turn, asking=replace(now, denied=asking.denied))
    if not isinstance(now, Confirm | Choose) or not beside:
        return turn
    if isinstance(now, Choose):
        again = isinstance(asking, Confirm) and asking.fact in now.facts
        return _difference(now.facts, now.check) if again and disambiguation.difference(now.facts) else turn
    named = isinstance(asking, Difference) and now.fact in asking.facts
    if isinstance(asking, ANNOUNCING) and now.fact in asking.denied and not named:
        return _insisted(asking, now)
    again = isinstance(asking, Confirm) and asking.fact == now.fact
    heard, settled, denied = now.others, False, now.denied
    if isinstance(asking, Confirm) and again:
        both_times = (fact for fact in beside if fact in asking.alike)
        heard = (*now.others, *asking.others, *both_times, *asking.alike)
        settled, denied = asking.settled, asking.denied
    elif isinstance(asking, Choose | Difference) and now.fact in asking.facts:
        settled, denied = _settles(asking), asking.denied
    alike = tuple(fact for fact in dict.fromkeys((*heard, *beside)) if fact not in (now.fact, *denied))
    other = next((fact for fact in alike if disambiguation.can_be_asked((now.fact, fact))), None)
    if again and not settled and other:
        return _difference((now.fact, other), now.check, denied)
    return replace(turn, asking=replace(now, alike=alike, settled=settled, denied=denied))


def answered_in_part(asking: Asking, turn: Turn, *, spoken: bool, announced: bool) -> Turn:
    """A move that the answer to a question leads to, with what had a no; if spoken, with what may follow one.

    That is the other moves that were asked for. `announced`: the answer announces a move by itself. One that
    has just had a no is not asked again if that was spoken, as it may have been misheard again.
    """
    now = turn.asking
    if not isinstance(asking, Choose | Difference | Missing | Promote):
        return turn
    if not isinstance(now, ANNOUNCING) or now.denied:  # after a no it has what is denied
        return turn
    denied = asking.denied
    if not isinstance(now, Confirm):
        return replace(turn, asking=replace(now, denied=denied))
    if spoken and announced and isinstance(asking, Missing) and now.fact in denied:
        return _insisted(asking, now)
    alike = tuple(fact for fact in asking.facts if spoken and fact not in (now.fact, *denied))
    if isinstance(asking, Missing) and disambiguation.missing(asking.said, asking.facts) == "square":
        alike = ()  # too many, of which nobody has named a part
    return replace(turn, asking=replace(now, alike=alike, settled=_settles(asking), denied=denied))


def _settles(asking: Asking) -> bool:
    """Whether it asks in words that cannot be mistaken: in what the moves differ, or which castling it is."""
    castlings = isinstance(asking, Choose) and disambiguation.all_castle(asking.facts)
    return castlings or isinstance(asking, Difference)


def _insisted(asking: Confirm | Choose | Difference | Missing | Promote, now: Confirm) -> Turn:
    """A move that had a no is heard again: it was misheard again, or whoever said no wants it after all.

    A word tells which: between two moves it is in what they differ; where a part is asked for, that of this
    move is one that can be said again. Where no word tells them apart, the number does, or of many its yes.
    """
    if isinstance(asking, Confirm):
        if now.fact == asking.fact:
            return Turn(asking, question(asking))
        return _difference((now.fact, asking.fact), now.check, asking.denied)
    following = asking if now.fact in asking.facts else _with(asking, now)
    heard = () if isinstance(following, Confirm) else (Message.of("heard_again", move=now.fact),)
    return Turn(following, (*heard, *question(following)))


def _with(asking: Choose | Difference | Missing | Promote, now: Confirm) -> Asking:
    """The question with one more move to choose from: in the same words, or by number; or for its yes."""
    facts, denied = (*asking.facts, now.fact), tuple(one for one in asking.denied if one != now.fact)
    if not isinstance(asking, Difference) and _tells(asking, now.fact):
        return replace(asking, facts=facts, denied=denied)
    if len(disambiguation.unique_squares(facts)) > disambiguation.LONGEST_LIST:
        return replace(now, doubtful=True, denied=denied)
    return Choose(facts, listed=True, check=now.check, denied=denied)


def _tells(asking: Choose | Missing | Promote, fact: Fact) -> bool:
    """Whether a move differs from the others in one part alone: that which is asked for, if any is."""
    part = disambiguation.only_difference(fact, asking.facts[0])
    match asking:
        case Missing(said, facts):
            return part is not None and part == disambiguation.missing(said, facts)
        case Promote():
            return part == "promotion"
    return part is not None and asking.telling in (None, part, f"which_{part}")


def _difference(facts: tuple[Fact, ...], check: Check, denied: tuple[Fact, ...] = ()) -> Turn:
    """In what the moves differ; of those that no single word tells apart, as of castlings, the number."""
    asking: Asking = Difference(facts, check, denied)
    if not disambiguation.difference(facts):
        asking = Choose(facts, check=check, denied=denied)
    return Turn(asking, question(asking))


def confirm_answered(asking: Confirm, answer: Answer, position: Position) -> Turn:
    """A yes plays the move; after a no the next reading is asked, or the part that was perhaps misheard."""
    if answer.yes:
        return Turn(NOTHING, do=PlayMove(asking.fact))
    denied = (*asking.denied, asking.fact)
    if asking.others:
        following = Confirm(
            asking.others[0], asking.others[1:], check=asking.check, alike=asking.alike, denied=denied
        )
        return Turn(following, question(following))
    other = next((fact for fact in asking.alike if fact not in denied), None)
    if other is None:
        return Turn(NOTHING, (Message.of("say_again"),))
    part = disambiguation.only_difference(asking.fact, other)
    left = _differing(asking.fact, part, denied, position) if part else (other,)
    return _asked_instead(asking, left, denied)


def _differing(
    fact: Fact, part: disambiguation.MovePart, denied: Sequence[Fact], position: Position
) -> tuple[Fact, ...]:
    """The legal moves that differ from one in this part alone, without those that had a no."""
    others = (other for other in position.legal if other not in denied)
    return tuple(other for other in others if disambiguation.only_difference(fact, other) == part)


def _asked_instead(asked: Confirm, left: tuple[Fact, ...], denied: tuple[Fact, ...]) -> Turn:
    """After a no: ask for the part that was perhaps misheard, of which these moves are left."""
    if not left:
        return Turn(NOTHING, (Message.of("say_again"),))
    said = disambiguation.common((asked.fact, *left), asked.check)
    if len(left) == 1:
        alike = tuple(fact for fact in asked.alike if fact not in (*left, *denied))
        asking: Asking = Confirm(left[0], doubtful=True, check=asked.check, alike=alike, denied=denied)
    elif said and disambiguation.missing(said, left):
        asking = Missing(said, left, denied)
    else:
        asking = offer(left, check=asked.check).asking
        asking = replace(asking, denied=denied) if isinstance(asking, Choose | Promote) else asking
    return Turn(asking, (Message.of("not_that_move"), *question(asking), Message.of("or_announce")))


def difference_answered(asking: Difference, answer: Answer, position: Position) -> Turn:
    """A yes tells no difference; a no means neither: another word for the same part."""
    if answer.yes:
        return Turn(asking, question(asking))
    denied = tuple(dict.fromkeys((*asking.denied, *asking.facts)))
    left = _differing(asking.facts[0], asking.part, denied, position)
    return _asked_instead(Confirm(asking.facts[0], check=asking.check), left, denied)


def word_of_difference(
    asking: Difference, word: disambiguation.TellingWord, position: Position
) -> Turn | None:
    """Take the word that tells the moves apart, or one that corrects a part; None if it is something else."""
    chosen = disambiguation.named(asking.facts, asking.part, word)
    chosen = chosen or _corrected(asking.facts[0], (asking.part, *_ANNOUNCED), word, position)
    if not chosen:
        return None
    return offer(chosen, check=asking.check)


def word_of_denied(asking: Asking, word: Meaning) -> Turn | None:
    """Take a word for the part that is asked for, of a move that had a no; None if it is something else."""
    if not isinstance(asking, Choose | Promote) or not isinstance(word, disambiguation.TellingWord):
        return None
    numbers = isinstance(asking, Choose) and not asking.telling and isinstance(word, Number)
    if numbers or disambiguation.singled_out(asking.facts, word):
        return None
    for fact in asking.denied:
        part = disambiguation.only_difference(fact, asking.facts[0])
        if part and _tells(asking, fact) and disambiguation.named((fact,), part, word):
            return offer((fact,), check=asking.check)
    return None


def word_of_another_part(asking: Asking, word: Meaning, position: Position) -> Turn | None:
    """Take a word that corrects another part of the move that had a no than the one which is asked for.

    The ears may have taken it for another move than those that are left. What a pawn becomes is corrected so
    too where it is asked in what two moves differ. None if it is something else.
    """
    if not isinstance(word, disambiguation.TellingWord):
        return None
    match asking:
        case Missing(said, _, (*_, denied)):
            check = said.check
        case Difference((denied, *_), check):
            pass
        case _:
            return None
    chosen = _corrected(denied, ("promotion", *_ANNOUNCED), word, position)
    left = tuple(fact for fact in chosen if fact not in asking.denied)
    return offer(left, check=check) if left else None


def _corrected(
    fact: Fact, parts: Sequence[disambiguation.MovePart], word: disambiguation.TellingWord, position: Position
) -> tuple[Fact, ...]:
    """The legal moves that a move is with the word for the first of these parts that it can be."""
    said = (disambiguation.instead(fact.meaning, part, word) for part in parts)
    return next((found for move in said if move and (found := position.matching(move))), ())
