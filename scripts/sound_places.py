# SPDX-License-Identifier: GPL-3.0-or-later
"""Where each sound stands in a recording whose words are known, as pocketsphinx aligns them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from pocketsphinx import Decoder, get_model_path

from voices.sound.source import RATE

_MARGIN = np.zeros(RATE // 10, np.int16)  # the search expects silence at both ends
_MARGIN_FRAMES = 10
_SILENCE = "SIL"

Places = tuple[tuple[int, int], ...]


def places(audio: np.ndarray[Any, Any], words: Sequence[Sequence[str]]) -> Places:
    """The first frame (of 10 ms) of each sound of the words, and the first after it; () if none fit."""
    decoder = _decoder()
    for sounds in words:
        if decoder.lookup_word("_".join(sounds)) is None:
            decoder.add_word("_".join(sounds), " ".join(sounds), True)
    decoder.set_align_text(" ".join("_".join(sounds) for sounds in words))
    samples = np.concatenate([_MARGIN, audio, _MARGIN]).tobytes()
    _listen(decoder, samples)
    if decoder.hyp() is None:
        return ()
    try:
        decoder.set_alignment()
        _listen(decoder, samples)
    except RuntimeError:  # too short for its sounds
        return ()
    found = [sound for word in decoder.get_alignment() for sound in word if sound.name != _SILENCE]
    if [sound.name for sound in found] != [sound for word in words for sound in word]:
        return ()
    last = len(audio) * 100 // RATE
    starts = [max(0, one.start - _MARGIN_FRAMES) for one in found]
    ends = [min(last, one.start + one.duration - _MARGIN_FRAMES) for one in found]
    spans = tuple(zip(starts, ends, strict=True))
    return spans if all(start < end for start, end in spans) else ()


def _listen(decoder: Any, samples: bytes) -> None:
    decoder.start_utt()
    decoder.process_raw(samples, full_utt=True)
    decoder.end_utt()


@cache
def _decoder() -> Any:
    model = get_model_path("en-us/en-us")
    return Decoder(
        hmm=model, lm=None, dict=None, loglevel="FATAL", bestpath=False, remove_noise=False,
        beam=1e-100, wbeam=1e-100, pbeam=1e-100,
    )  # fmt: skip
