# SPDX-License-Identifier: GPL-3.0-or-later
"""What the benchmarks of hearing and the fitting of the evidence have in common: listening, and figures."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from acessivel.dialogue.interpretation import Context, meaning
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.hearing.decision import Decided
from voices.hearing.utterances import hear
from voices.meaning import Meaning
from voices.recognisers import Hypothesis, Recogniser, Second
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser

Heard = tuple[str, str, float, str]  # a hypothesis, for a file


@dataclass(frozen=True, slots=True)
class Situation:
    """Where something is said: the position, the words in use, and what answers the open question."""

    fen: str
    convention: str
    language: str
    asked: tuple[Meaning, ...] = ()

    def expectation(self) -> tuple[str, tuple[str, ...]]:
        """What a recogniser listens for."""
        moves = (fact.meaning for fact in Position.start(self.fen).legal)
        return grammar.expectation(moves, self.convention, self.language, self.asked)


def heard(recogniser: Recogniser, audio: bytes, situation: Situation) -> list[Heard]:
    """What a recogniser makes of a recording of one utterance."""
    recogniser.expect(*situation.expectation())
    return kept(hear(recogniser, audio))


def sounds_in(audio: bytes, convention: str, language: str) -> PocketsphinxRecogniser:
    """Pocketsphinx after a recording of one utterance, in which it has looked for any sounds."""
    recogniser = PocketsphinxRecogniser(grammar.pronunciations(convention, language))
    hear(recogniser, audio)
    return recogniser


def aligned(sounds: PocketsphinxRecogniser, hypotheses: Iterable[Heard]) -> list[Heard]:
    """How well all phrases fit the sounds that have been heard in a recording, which are forgotten then.

    Nothing where pocketsphinx has proposed nothing, as in the program.
    """
    known = list(hypotheses)
    found = weighed(sounds, known) if any(name == sounds.name for *_, name in known) else []
    sounds.close()
    return found


def weighed(recogniser: Second, hypotheses: Iterable[Heard]) -> list[Heard]:
    """What a recogniser that has heard a recording says of what all have proposed."""
    return kept(recogniser.weigh(proposed(hypotheses)))


def proposed(hypotheses: Iterable[Heard]) -> tuple[str, ...]:
    """The phrases of kept hypotheses, each once."""
    read = (Hypothesis(*one) for one in hypotheses)
    return tuple(dict.fromkeys(one.words for one in read if one.worded))


def kept(hypotheses: Iterable[Hypothesis]) -> list[Heard]:
    """Hypotheses as they are kept in a file."""
    return [(h.words, h.grammar, h.score, h.recogniser) for h in hypotheses]


def outcome(decided: Decided, words: str, where: Context, *, whole_list: bool = True) -> str:
    """What comes of an utterance of these words, "" for none, before anything is asked back.

    right: repeated; listed: asked about, alone or in a list, of which only the first counts if not
    `whole_list`; move: another legal move is repeated; asked: such a one is asked about; yes: one that was
    not said; other: something else is understood; nothing.
    """
    if not decided.readings:
        return "nothing"
    means = partial(meaning, position=where.position, convention=where.convention, language=where.language)
    offered = [means(one) for one in decided.readings]
    if not decided.sure and not where.question.answers:
        # While nothing is asked, a list is offered for choice: the legal moves alone, if there are any.
        offered = [one for one in offered if isinstance(one, frozenset)] or offered
    counted = offered if whole_list and not decided.sure else offered[:1]
    repeated = decided.sure and not decided.doubted
    if words and means(words) in counted:
        return "right" if repeated else "listed"
    if decided.readings[0] in grammar.yeses(where.convention, where.language):
        return "yes"
    if not isinstance(offered[0], frozenset):
        return "other"
    return "move" if repeated else "asked"


def share(part: int, of: int) -> str:
    """A percentage with its 95 % interval (Wilson)."""
    if not of:
        return "-"
    z, p = 1.96, part / of
    middle = (p + z * z / 2 / of) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / 4 / of / of) / (1 + z * z / of)
    return f"{100 * p:.1f} ({100 * max(0, middle - half):.1f}-{100 * min(1, middle + half):.1f})"
