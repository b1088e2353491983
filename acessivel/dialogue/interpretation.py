# SPDX-License-Identifier: GPL-3.0-or-later
"""What a recogniser hears in a recording -> the readings of the words, in a position."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from acessivel.dialogue import disambiguation
from acessivel.dialogue.confirmation import AS_A_YES
from acessivel.rules.position import Fact, Position
from voices.grammar import distinct, grammar
from voices.hearing import decision, evidence, said_again
from voices.hearing.decision import Decided
from voices.hearing.evidence import Weighed
from voices.hearing.utterances import hear
from voices.meaning import Answer, Castling, Command, MovePattern, Number, Piece, PieceNamed, Place
from voices.recognisers import Hypothesis, Recogniser
from voices.understanding.meanings import read_heard
from voices.words.phrasing import phrasing

# A reading that is less probable is nothing that the ears take for what was said.
_FAINT = 0.001
_MOST_FAINT = 3
_MOST_ALIKE = 2
# A legal move is asked about from here on, not refused: a wrong question costs a no, and mostly one word.
_ASK = 0.3
# What is never done at once: a legal move, as of `meaning`, another one, and their parts.
_REPEATED = (frozenset, MovePattern, Castling, PieceNamed)


@dataclass(frozen=True, slots=True)
class Question:
    """The phrases that answer the open question, and how probable readings of this speaker must be.

    `least_yes`: a yes at least; `repeat`: any other reading, to be repeated.
    """

    answers: Collection[str] = ()
    least_yes: float = 0.0
    repeat: float = decision.REPEAT

    @property
    def obey(self) -> float:
        """How probable what is done at once must be: as of any speaker at least, as nothing repeats it."""
        return max(self.repeat, decision.REPEAT)


NO_QUESTION = Question()


@dataclass(frozen=True, slots=True)
class Context:
    """In which position and in which words something is said, and what it may answer."""

    position: Position
    convention: str
    language: str
    question: Question = NO_QUESTION


def hear_words(
    recogniser: Recogniser, audio: bytes, position: Position, convention: str, language: str
) -> Decided:
    """The readings of a recording (mono s16le, 16 kHz) of one utterance in a position."""
    hypotheses = hear_in(recogniser, audio, position, convention, language)
    return decide(hypotheses, position, convention, language)


def hear_in(
    recogniser: Recogniser, audio: bytes, position: Position, convention: str, language: str
) -> tuple[Hypothesis, ...]:
    """The hypotheses of a recogniser that expects the moves of a position."""
    moves = (fact.meaning for fact in position.legal)
    recogniser.expect(*grammar.expectation(moves, convention, language))
    return hear(recogniser, audio)


def decide(
    hypotheses: Sequence[Hypothesis],
    position: Position,
    convention: str,
    language: str,
    question: Question = NO_QUESTION,
) -> Decided:
    """The readings of what was heard; all ways to announce the same move in the position are one reading.

    While nothing is asked, a legal move that is not sure enough to be repeated is doubted, unless these ears
    are not known well enough to doubt anything. So is one beside a move that is not legal, where that would
    be refused: who announced the latter loses a word by the question, who did not would hear of a move that
    nobody announced.
    """
    meant, yes = _meanings(position, convention, language), grammar.yeses(convention, language)
    heard = partial(decision.decide, hypotheses, yes, meant, question.least_yes, question.answers)
    decided = heard(question.repeat)
    if decided.readings and not isinstance(meant(decided.readings[0]), _REPEATED):
        decided = heard(question.obey)
    decided = _heeded(decided, meant)
    legal = next((one for one in decided.weighed if isinstance(meant(one.words), frozenset)), None)
    if not legal:
        return decided
    first, most = decided.weighed[0], evidence.model(evidence.recognisers(hypotheses)).doubt
    if first is legal and first.words in decided.readings:
        return replace(decided, doubted=decided.sure and doubt_of(decided.weighed, meant) >= most)
    refused = bool(decided.readings) and decided.sure and _is_not_legal(meant(first.words))
    asks = legal.probability >= _ASK and most < 1 and not question.answers
    if asks and (refused or first is legal):
        return replace(decided, readings=(legal.words,), doubted=True)
    return decided


def _heeded(decided: Decided, meant: Callable[[str], Hashable]) -> Decided:
    """What is taken of it: only moves and their parts are offered for choice, and nothing but a yes is one.

    Much is like a "press" or an "accept", and no ear tells that apart as surely as it does a yes.
    """
    means = [meant(words) for words in decided.readings]
    first = means[0] if means else None
    as_a_yes = isinstance(first, Command) and first.name in AS_A_YES
    if as_a_yes or (not decided.sure and isinstance(first, Answer | Command)):
        return replace(decided, readings=(), sure=True)
    if decided.sure:
        return decided
    said = zip(decided.readings, means, strict=True)
    offered = tuple(words for words, each in said if not isinstance(each, Answer | Command))
    return replace(decided, readings=offered)


def is_settled(decided: Decided, question: Question) -> bool:
    """Whether one utterance says enough, so that what was refused before adds nothing to it."""
    said = (one.probability for one in decided.weighed if one.words in decided.readings[:1])
    unsure = decided.doubted and next(said) < question.repeat
    return bool(decided.readings) and not unsure


def doubt_of(weighed: Sequence[Weighed], meant: Callable[[str], Hashable]) -> float:
    """How probable it is that a move was announced that is not legal, or something that nobody proposed."""
    return 1 - sum(one.probability for one in weighed if not _is_not_legal(meant(one.words)))


def _is_not_legal(meant: Hashable) -> bool:
    """Whether something is a whole announcement of a move that the position does not allow."""
    return isinstance(meant, Castling) or (isinstance(meant, MovePattern) and meant.whole)


def decide_again(before: Decided, decided: Decided, where: Context) -> Decided:
    """The readings of two utterances in the same context, neither of which was understood alone."""
    meant = _meanings(where.position, where.convention, where.language)

    def offers(words: str) -> bool:
        """Whether it is or begins a legal move, or can answer the open question."""
        match meant(words):
            case frozenset():
                return True
            case MovePattern() as move if not move.whole:
                return bool(where.position.matching(move))
            case Number() | PieceNamed():
                return bool(where.question.answers)
        return False

    def begun(words: str) -> tuple[MovePattern, ...]:
        """An announcement without the rank of its square, and without the file."""
        match meant(words):
            case frozenset() as legal:
                move = where.position.fact(min(legal)).meaning
            case MovePattern() as move if move.whole and not move.any_piece:
                pass
            case _:
                return ()
        if isinstance(move, Castling):
            return ()
        places = Place(move.target.file), Place(rank=move.target.rank)
        return tuple(MovePattern(place, move.piece or Piece.PAWN) for place in places)

    sense = said_again.Sense(grammar.yeses(where.convention, where.language), meant, offers, begun)
    return said_again.decide(before, decided, sense)


def _meanings(position: Position, convention: str, language: str) -> Callable[[str], Hashable]:
    """What words mean: the legal moves (UCI) that they announce, else a meaning, else the words."""
    return cache(partial(meaning, position=position, convention=convention, language=language))


def meaning(words: str, position: Position, convention: str, language: str) -> Hashable:
    """What words mean in a position, the same for all ways to say it: its legal moves (UCI), if any."""
    said = [reading.meaning for reading in read_heard(words, language, convention) if reading.likely]
    moves = [m for m in said if isinstance(m, Castling) or (isinstance(m, MovePattern) and m.whole)]
    return frozenset(f.uci for move in moves for f in position.matching(move)) or next(iter(said), words)


def beside(decided: Decided, where: Context) -> tuple[str, ...]:
    """What else may have been said: the other readings, however improbable, then what sounds like the first.

    The latter are moves that differ from it in one word, those first whose words are nearest.
    """
    others = (one for one in decided.weighed if one.words not in decided.readings)
    faint = [one.words for one in others if one.probability >= _FAINT]
    words = phrasing(where.convention, where.language)
    alike = [words.without_check(fact.meaning, spoken=True) for fact in _sounding_like(decided, where)]
    return tuple(dict.fromkeys((*faint[:_MOST_FAINT], *alike[:_MOST_ALIKE])))


def _sounding_like(decided: Decided, where: Context) -> list[Fact]:
    """The legal moves that differ from the one that was heard in a single part, nearest in sound first.

    From castling it is the other one.
    """
    position, *words = where.position, where.convention, where.language
    heard = meaning(decided.readings[0], position, *words) if decided.readings else None
    if not isinstance(heard, frozenset) or len(heard) != 1:
        return []
    fact, found = position.fact(*heard), []
    if isinstance(fact.meaning, Castling):
        castlings = (other for other in position.legal if isinstance(other.meaning, Castling))
        return [other for other in castlings if other != fact]
    for other in position.legal:
        part = disambiguation.only_difference(fact, other)
        one = part and disambiguation.part_of(fact.meaning, part)
        two = part and disambiguation.part_of(other.meaning, part)
        if one and two:
            found.append((distinct.unlike(one, two, *words), other))
    return [other for _, other in sorted(found, key=lambda pair: pair[0])]
