# SPDX-License-Identifier: GPL-3.0-or-later
"""People's words joined to what could be announced: `PeopleWords.draw`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from voices.network.corpus import Corpus, LabelledRecording
from voices.network.tokens import owner, token
from voices.sound.source import RATE
from voices.words.files import conventions, languages
from voices.words.lexicon import plain, vocabulary

# What is joined, and how often; a piece is a synthetic voice's, since no person's is known.
_FORMS: dict[tuple[str, ...], float] = {
    ("file", "rank"): 0.36, ("file", "rank", "file", "rank"): 0.14, ("file",): 0.16, ("rank",): 0.12,
    ("piece", "file", "rank"): 0.14, ("file", "file", "rank"): 0.04, ("rank", "rank"): 0.02,
    ("file", "file"): 0.02,
}  # fmt: skip
_SAME_SPEAKER = 0.6  # the share of the joined words that one person says, where that person can
_OVERLAP_S, _LONGEST_GAP_S = 0.04, 0.28  # between two words that are joined
_LOUD = 20000  # the loudest sample of each word


class PeopleWords:
    """Words for files and ranks by people, each a recording of its own, and how they are joined."""

    def __init__(self, people: Corpus, synthetic: Corpus) -> None:
        self._words: dict[str, list[LabelledRecording]] = {"file": [], "rank": []}
        place = _places()
        for one in people.of("word"):
            self._words[place[one.labels[0]]].append(one)
        made = [one for one in people.of("joined") if len(one.labels) == 1]
        alone = [*made, *(one for one in synthetic.spoken if len(one.labels) == 1)]
        self._words["piece"] = [one for one in alone if place.get(one.labels[0]) == "piece"]
        # Nobody's ranks are known in some languages: what is made of people's sounds is every second one.
        ranks = [one for one in made if place.get(one.labels[0]) == "rank"]
        self._words["rank"] *= max(1, len(ranks) // max(1, len(self._words["rank"])))
        self._words["rank"] += ranks

    def draw(self, chance: np.random.Generator) -> LabelledRecording:
        """Some words joined, with the silence that people make between words, or without any."""
        forms = list(_FORMS)
        form = forms[int(chance.choice(len(forms), p=np.array(list(_FORMS.values()))))]
        speaker, words = "", []
        for place in form:
            drawn = self._one(chance, place, speaker)
            speaker = speaker or (drawn.voice if place != "piece" else "")
            words.append(drawn)
        labels = tuple(label for one in words for label in one.labels)
        return LabelledRecording(_joined(chance, [one.audio for one in words]), labels, "people", speaker)

    def _one(self, chance: np.random.Generator, place: str, speaker: str) -> LabelledRecording:
        """A word; of a speaker, if that speaker says some for this place and it is not another's turn."""
        every = self._words[place]
        if speaker and place != "piece" and chance.random() < _SAME_SPEAKER:
            every = [one for one in every if one.voice == speaker] or every
        return every[int(chance.integers(0, len(every)))]


def _places() -> dict[str, str]:
    """Which word (its token) names a file, a rank or a piece."""
    return {
        token(owner(words), plain(phrase)): section
        for words in map(vocabulary, dict.fromkeys((*languages(), *conventions())))
        for section in ("file", "rank", "piece")
        for phrase, _ in words.all(section)
        if " " not in phrase
    }


def _joined(chance: np.random.Generator, parts: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """Recordings one after the other; a gap below nothing lets their ends overlap."""
    whole = np.zeros(0, np.float32)
    for part in parts:
        loud = part.astype(np.float32) * (_LOUD / max(1, int(np.abs(part.astype(np.int32)).max(initial=1))))
        loud *= 10 ** (chance.uniform(-4, 0) / 20)
        gap = int(chance.uniform(-_OVERLAP_S, _LONGEST_GAP_S) * RATE) if whole.size else 0
        if gap >= 0:
            whole = np.concatenate([whole, np.zeros(gap, np.float32), loud])
        else:
            over = min(-gap, whole.size, loud.size)
            whole[whole.size - over :] += loud[:over]
            whole = np.concatenate([whole, loud[over:]])
    return np.clip(whole, -32768, 32767).astype(np.int16)
