# SPDX-License-Identifier: GPL-3.0-or-later
"""What was learnt of one speaker: samples of what he said, how sure they were, and the networks' corrections.

It is one file of numpy's. No sound is in it, only the mel bands that the network is given.
"""

from __future__ import annotations

import io
import tokenize
import zipfile
import zlib
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from voices.network.adaptation import Correction
from voices.network.features import BANDS
from voices.network.rehearsal import packed
from voices.network.vocal_tract import normalised

# The newest count: a voice and its microphone change.
MOST_SAMPLES = 60
_MOST_READINGS = 100
_LONGEST = 800  # frames of 10 ms; no announcement takes longer
_FORMAT = 2  # in 1 the mel bands were not those of a speaker's vocal tract: all is learnt anew
_ENOUGH_READINGS = 20
_LEAST_REPEAT = 0.35  # less would let other talk be repeated as a move
# A corrected network is surer, also of what was not said: from 0.55 on it repeats no more of what is not
# legal as legal than without a correction.
_CORRECTED_REPEAT, _LEAST_CORRECTED = 0.55, 0.5
_ABOVE_WRONG = 0.05
# What numpy and zipfile raise for a file that something has happened to.
_DAMAGED = (
    ValueError, TypeError, LookupError, ArithmeticError, OSError, EOFError, RuntimeError, MemoryError,
    SyntaxError, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip

Array = np.ndarray[Any, Any]


class LearntError(ValueError):
    """A file that `Learnt.written` has not written, or a later version of it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A confirmed announcement: its words, as a recogniser writes them, and its mel bands, as of `packed`."""

    words: str
    language: str
    convention: str
    bands: Array = field(repr=False, compare=False)

    @classmethod
    def of(cls, words: str, language: str, convention: str, bands: Array) -> Sample:
        """A sample of mel bands (frames, 40)."""
        return cls(words, language, convention, packed(bands))


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt of a speaker, the oldest first.

    `readings`: how probable first readings were, and whether they were right. `corrections`: one for each
    network that has learnt something, and hears better with it.
    """

    samples: tuple[Sample, ...] = ()
    readings: tuple[tuple[float, bool], ...] = ()
    corrections: tuple[Correction, ...] = ()

    def with_sample(self, sample: Sample) -> Learnt:
        """The same with one sample more, without the oldest if there are too many."""
        if not 0 < len(sample.bands) <= _LONGEST:
            return self
        return replace(self, samples=(*self.samples, sample)[-MOST_SAMPLES:])

    def with_recording(self, words: str, language: str, convention: str, audio: bytes) -> Learnt:
        """The same with the sample of a recording (mono s16le, 16 kHz)."""
        bands = normalised(np.frombuffer(audio, "<i2"))
        return self.with_sample(Sample.of(words, language, convention, bands))

    def has(self, audio: bytes) -> bool:
        """Whether a recording (mono s16le, 16 kHz) is among the samples."""
        bands = packed(normalised(np.frombuffer(audio, "<i2")))
        return any(np.array_equal(bands, one.bands) for one in self.samples)

    def with_reading(self, probability: float, right: bool) -> Learnt:
        """The same with one first reading more."""
        return replace(self, readings=(*self.readings, (probability, right))[-_MOST_READINGS:])

    def repeat_needed(self, general: float) -> float:
        """How probable a reading of this speaker must be to be repeated; `general`: without a correction.

        Less after many readings, but then more than any that was wrong.
        """
        most, least = (_CORRECTED_REPEAT, _LEAST_CORRECTED) if self.corrections else (general, _LEAST_REPEAT)
        if len(self.readings) < _ENOUGH_READINGS:
            return most
        wrong = (probability for probability, right in self.readings if not right and probability < most)
        return min(most, max(least, max(wrong, default=0.0) + _ABOVE_WRONG))

    def written(self) -> bytes:
        """The file."""
        found: dict[str, Any] = {
            "format": np.int64(_FORMAT),
            "texts": np.array([_line(one) for one in self.samples], np.str_),
            "ends": np.cumsum([len(one.bands) for one in self.samples], dtype=np.int64),
            "bands": np.concatenate([np.zeros((0, BANDS), np.int8), *(one.bands for one in self.samples)]),
            "readings": np.array(self.readings, np.float64).reshape(-1, 2),
        }
        found["networks"] = np.array([one.network for one in self.corrections], np.str_)
        for number, one in enumerate(self.corrections):
            found[f"outputs{number}"] = np.array(one.outputs, np.str_)
            found[f"weights{number}"] = one.weights.astype(np.float16)
            found[f"biases{number}"] = one.biases.astype(np.float32)
        file = io.BytesIO()
        np.savez_compressed(file, **found)
        return file.getvalue()

    @classmethod
    def read(cls, data: bytes) -> Learnt:
        """Read what `written` made. Raises LearntError for anything else."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as found:
                return cls._of(found)
        except _DAMAGED as error:
            raise LearntError(str(error)) from error

    @classmethod
    def _of(cls, found: Any) -> Learnt:
        if (version := int(found["format"])) < _FORMAT:
            return cls()
        if version > _FORMAT:
            raise LearntError(str(version))
        bands, ends = found["bands"], found["ends"]
        if bands.shape[1:] != (BANDS,) or bands.dtype != np.int8 or not np.isfinite(found["readings"]).all():
            raise LearntError("samples")
        parts = np.split(bands, ends[:-1]) if len(ends) else []
        texts = [str(text).split("\t") for text in found["texts"]]
        samples = tuple(
            Sample(words, language, convention, part)
            for (words, language, convention), part in zip(texts, parts, strict=True)
        )
        readings = tuple((float(probability), bool(right)) for probability, right in found["readings"])
        # Before there were several networks, one was corrected: it will learn again.
        networks = [str(name) for name in found["networks"]] if "networks" in found else []
        return cls(samples, readings, tuple(_correction(found, *one) for one in enumerate(networks)))


def _line(sample: Sample) -> str:
    return f"{sample.words}\t{sample.language}\t{sample.convention}"


def _correction(found: Any, number: int, network: str) -> Correction:
    outputs = tuple(str(name) for name in found[f"outputs{number}"])
    weights, biases = found[f"weights{number}"].astype(np.float32), found[f"biases{number}"]
    finite = np.isfinite(weights).all() and np.isfinite(biases).all()
    if weights.shape[:1] != biases.shape or len(outputs) != len(biases) or not finite:
        raise LearntError("correction")
    return Correction(network, outputs, weights, biases)
