# SPDX-License-Identifier: GPL-3.0-or-later
"""Vosk with a model from a folder: one pass over all words, with the expected phrases favoured."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from voices.models.installed import is_model
from voices.packages import MissingPartError, load
from voices.recognisers import Grammar, Hypothesis
from voices.sound.source import RATE

_UNKNOWN = "[unk]"
_ALTERNATIVES = 5
_FRAME_BYTES = RATE // 100 * 2
_RULE_OR_WORD = re.compile(r"<[^>]*>|[^\W_]+")


class VoskRecogniser:
    """Recognises speech with the model in `model_path`. Raises MissingPartError for what is missing.

    `spellings` maps a plainly written word of the grammars to how a model may write it ("nao": ["não"]);
    umlauts are found without it; `unknown_words` are the words in use that the model lacks.
    """

    name = "vosk"

    def __init__(self, model_path: Path, spellings: Mapping[str, Sequence[str]] | None = None) -> None:
        library = load("vosk", "vosk")
        if not model_path.is_dir():
            raise MissingPartError(f"There is no folder {model_path} with a Vosk model.")
        if not is_model(model_path):
            raise MissingPartError(f"{model_path} is not a Vosk model: final.mdl or mfcc.conf is missing.")
        library.SetLogLevel(-1)
        # The library raises plain Exception, and logs the reason.
        try:
            self._model = library.Model(model_path=str(model_path))
            self._recogniser: Any = library.KaldiRecognizer(self._model, RATE)
        except Exception as error:
            raise MissingPartError(f"The Vosk model {model_path} cannot be loaded: {error}.") from error
        self._recogniser.SetMaxAlternatives(_ALTERNATIVES)
        self._spellings = dict(spellings or {})
        self._plain: dict[str, str] = {}
        self._everything = ""
        self._expected: tuple[str, ...] = ()
        self._length = 0
        self.unknown_words = tuple(word for word in self._spellings if self._spell(word) is None)

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        """Set the phrases and words; the model must be one with a dynamic graph (a "small" one)."""
        if (everything, tuple(expected)) == (self._everything, self._expected):
            return
        self._everything, self._expected = everything, tuple(expected)
        phrases = dict.fromkeys((*expected, *words_of_grammar(everything)))
        known = [spelled for phrase in phrases if (spelled := self._spell(phrase)) is not None]
        self._recogniser.SetGrammar(json.dumps([*known, _UNKNOWN], ensure_ascii=False))

    def start(self) -> None:
        """Begin an utterance."""
        self._recogniser.Reset()
        self._length = 0

    def feed(self, block: bytes) -> None:
        """Take mono s16le audio at 16 kHz."""
        self._recogniser.AcceptWaveform(block)
        self._length += len(block)

    def heard_so_far(self) -> str:
        """The words so far, in the grammars' spelling."""
        return parse_partial(self._recogniser.PartialResult(), self._plain)

    def finish(self) -> tuple[Hypothesis, ...]:
        """End the utterance: its alternatives, best first."""
        frames = max(1, self._length // _FRAME_BYTES)
        return parse_result(self._recogniser.FinalResult(), frames, self._expected, self._plain)

    def close(self) -> None:
        """Release the model."""
        self._recogniser = self._model = None

    def _spell(self, phrase: str) -> str | None:
        """The phrase in the model's spelling; None if the model lacks a word."""
        spelled = []
        for word in phrase.split():
            known = next(filter(self._knows, self._forms(word)), None)
            if known is None:
                return None
            self._plain[known] = word
            spelled.append(known)
        return " ".join(spelled)

    def _knows(self, word: str) -> bool:
        return bool(self._model.vosk_model_find_word(word) >= 0)

    def _forms(self, word: str) -> Iterable[str]:
        yield from self._spellings.get(word, ())
        yield word
        yield word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü")


def words_of_grammar(jsgf: str) -> tuple[str, ...]:
    """The words of a grammar's rules, each once."""
    bodies = (line.partition("=")[2] for line in jsgf.splitlines() if "=" in line)
    found = (token for body in bodies for token in _RULE_OR_WORD.findall(body) if not token.startswith("<"))
    return tuple(dict.fromkeys(found))


def parse_partial(result: str, plain: Mapping[str, str]) -> str:
    """Vosk's JSON within an utterance -> words; `plain` gives the grammar's word for the model's."""
    return " ".join(plain.get(word, word) for word in json.loads(result).get("partial", "").split())


def parse_result(
    result: str, frames: int, expected: Sequence[str], plain: Mapping[str, str]
) -> tuple[Hypothesis, ...]:
    """Vosk's JSON -> hypotheses; `plain` gives the grammar's word for the model's."""
    hypotheses = []
    for alternative in json.loads(result).get("alternatives", ()):
        words = " ".join(plain.get(word, word) for word in alternative["text"].split())
        score = float(alternative["confidence"]) / frames
        if _UNKNOWN in words or not words:
            hypotheses.append(Hypothesis(words, "filler", score, "vosk"))
        else:
            grammar: Grammar = "expected" if words in expected else "all"
            hypotheses.append(Hypothesis(words, grammar, score, "vosk"))
    return tuple(hypotheses)
