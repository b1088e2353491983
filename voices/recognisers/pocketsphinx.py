# SPDX-License-Identifier: GPL-3.0-or-later
"""pocketsphinx with its own acoustic model: three passes at once: everything, the expected, any sounds.

After an utterance it also says how well the sounds of each phrase fit that any recogniser has proposed.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voices.packages import load
from voices.recognisers import Grammar, Hypothesis
from voices.recognisers.graph import Graph, graph_of_grammar, graph_of_phrases, words_of
from voices.sound.source import RATE

# Frame scores of different grammars are comparable only with compallsen. With our own dictionary a
# decoder costs 6 MB and 10 ms instead of 46 MB and 90 ms, so that each pass can have one.
SETTINGS = {
    "lm": None,
    "bestpath": False,
    "topn": 8,
    "lw": 1.0,
    "compallsen": True,
    "pl_window": 0,  # a look ahead that these searches do not use
    "loglevel": "FATAL",
    # Where the estimate of the channel begins; each utterance improves it. The library's own guess (40,3,-1)
    # makes the first utterance fail more often than not.
    "cmninit": "52,-8,-0.6,4,-11,-2,-9,2.5,-3,-0.8,1.7,-7.5,9",
}
# The library stores scores in 1024 steps of a logarithm to the base 1.0001, and returns 1.0001 ** score.
NATS = 1024
# Sound cleaner than the model's training data is recognised worse: with white noise 35 dB below the loudest
# block, 95 % of the legal announcements of synthetic voices were right instead of 85 %.
_COMFORT = 10 ** (-35 / 20)
_COMFORT_SAMPLES = RATE
_ORDINARY_LOUDNESS = 3000.0
_FORGETTING = 0.995  # what is left of a loudness after each block
_FRAME_BYTES = RATE // 100 * 2
_SILENT = frozenset({"SIL", "+NSN+"})
_SILENCE = "<sil>"
# Only announcements may adapt the channel: after noise, other words were heard as "ja".
_LEARNABLE_FRAMES = 60
_LEARNABLE_WORDS = 2
# Frames: nobody draws words out longer; a steady noise is heard as one endless word.
_LONGEST_WORD = 120
_SILENCE_AROUND = 80  # most of it before what is said (`Endpointer`)


class PocketsphinxRecogniser:
    """Recognises words with known pronunciations (word -> ARPAbet variants such as "AA N AH").

    Takes about 45 MB and 50 ms to make, and 1 MB for each second of an utterance. Raises MissingPartError if
    pocketsphinx is not installed.
    """

    name = "pocketsphinx"
    unknown_words = ()  # a word without sounds cannot be in its grammars

    def __init__(self, pronunciations: Mapping[str, Sequence[str]]) -> None:
        library = load("pocketsphinx", "voice")
        self._numpy = load("numpy", "voice")
        self._noise = self._numpy.random.default_rng(0).standard_normal(_COMFORT_SAMPLES)
        self._noise_at = 0
        self._loudness = self._loudness_before = _ORDINARY_LOUDNESS
        self._fed = 0  # bytes of the utterance
        library.set_loglevel("FATAL")
        self._pronunciations = pronunciations
        self._alignment: Any = load("voices.recognisers.alignment", "voice")
        folder = Path(library.get_model_path(), "en-us", "en-us")
        self._model: Any = load("voices.recognisers.acoustic_model", "voice").acoustic_model(folder)
        self._senone_scores: Any = load("voices.recognisers.senone_scores", "voice").open_senone_scores()
        self._scores: Any = None  # of the last utterance
        with tempfile.TemporaryDirectory() as written:
            dictionary = Path(written, "words.dict")
            dictionary.write_text(_dictionary(pronunciations), encoding="utf-8")
            self._decoders: dict[Grammar, Any] = {
                grammar: library.Decoder(dict=str(dictionary), **SETTINGS) for grammar in ("all", "expected")
            }
        written_to = self._senone_scores and self._senone_scores.folder
        self._decoders["filler"] = _decoder_of_sounds(library, written_to)
        self._searches: dict[Grammar, str] = {}
        self._channel: dict[Grammar, str] = {}
        self._active: list[Grammar] = ["filler"]
        self._everything = ""
        self._expected: tuple[str, ...] = ()

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        """Set both grammars. Raises ValueError if a word has no pronunciation, or a grammar is broken."""
        if everything != self._everything:
            self._activate("all", graph_of_grammar(everything))
            self._everything = everything
        if tuple(expected) != self._expected:
            if expected:
                self._activate("expected", graph_of_phrases(expected))
            self._expected = tuple(expected)
        used: dict[Grammar, object] = {"all": self._everything, "expected": self._expected, "filler": True}
        self._active = [grammar for grammar, given in used.items() if given]

    def start(self) -> None:
        """Begin an utterance; the estimate of the channel is carried over from the one before."""
        for grammar in self._active:
            self._channel[grammar] = self._decoders[grammar].get_cmn()
            if grammar == "filler":
                self._begin_scores()
            self._decoders[grammar].start_utt()
        self._loudness_before = self._loudness
        self._fed = 0

    def feed(self, block: bytes) -> None:
        """Take mono s16le audio at 16 kHz; computing takes about a fifth of its duration."""
        self._fed += len(block)
        audible = self._with_noise(block)
        for grammar in self._active:
            self._decoders[grammar].process_raw(audible, False, False)

    def heard_so_far(self) -> str:
        """The result so far of the pass over everything; the word being spoken may be missing or wrong."""
        best = self._decoders["all"].hyp() if "all" in self._active else None
        return best.hypstr if best is not None else ""

    def finish(self) -> tuple[Hypothesis, ...]:
        """End the utterance in a few ms; the best hypothesis of each grammar that fits, if there is any."""
        for grammar in self._active:
            self._decoders[grammar].end_utt()
        speech = _speech_frames(self._decoders["filler"])
        scores = self._senone_scores and self._senone_scores.take(self._model.senones)
        found = tuple(self._best(speech)) if speech else ()
        best = next((h for h in found if h.worded), None)
        words = len(best.words.split()) if best else 0
        if speech < _LEARNABLE_FRAMES or words < _LEARNABLE_WORDS:
            self._forget()
        pauses = _pauses(self._decoders[best.grammar]) if best else 0
        if self._fed // _FRAME_BYTES - pauses > words * _LONGEST_WORD + _SILENCE_AROUND:
            found = tuple(h for h in found if h.grammar == "filler")
        self._scores = scores if found else None
        return found

    def weigh(self, phrases: Iterable[str]) -> tuple[Hypothesis, ...]:
        """How well the sounds of phrases fit the last utterance, as "aligned", in nats for the whole of it.

        Phrases with words without a pronunciation are left out. It takes a few ms for each phrase.
        """
        known = [one for one in phrases if one and self._pronunciations.keys() >= set(one.split())]
        if self._scores is None or not known:
            return ()
        found = self._alignment.align(self._model, self._scores, known, self._pronunciations)
        return tuple(
            Hypothesis(words, "aligned", score, "alignment")
            for words, score in zip(known, found, strict=True)
        )

    def close(self) -> None:
        """Release the decoders, and what they have heard."""
        self._decoders.clear()
        self._active.clear()
        self._scores = None
        if self._senone_scores:
            self._senone_scores.close()

    def _begin_scores(self) -> None:
        """Let the scores of the utterance be written; where that fails, go on without them."""
        if not self._senone_scores:
            return
        try:
            self._senone_scores.begin()
        except OSError:  # the folder was swept away, or there is no room
            self._senone_scores.close()
            self._senone_scores = None
            self._decoders["filler"] = _decoder_of_sounds(load("pocketsphinx", "voice"), None)
            self._decoders["filler"].set_cmn(self._channel["filler"])

    def _best(self, speech: int) -> Iterator[Hypothesis]:
        """The best hypothesis of each grammar, everything first, scored over the frames of speech."""
        for grammar in self._active:
            best = self._decoders[grammar].hyp()
            if best is not None and best.score > 0:
                yield Hypothesis(best.hypstr, grammar, math.log(best.score) * NATS / speech)

    def _forget(self) -> None:
        """Undo what the last utterance changed in the estimates of channel and loudness."""
        self._loudness = self._loudness_before
        for grammar in self._active:
            self._decoders[grammar].set_cmn(self._channel[grammar])

    def _with_noise(self, block: bytes) -> bytes:
        numpy = self._numpy
        samples = numpy.frombuffer(block, dtype="<i2").astype("float64")
        loudness = float(numpy.sqrt(numpy.mean(samples**2))) if samples.size else 0.0
        self._loudness = max(loudness, self._loudness * _FORGETTING)
        self._noise_at += samples.size
        noise = self._noise.take(numpy.arange(samples.size) + self._noise_at, mode="wrap")
        noisy = (samples + noise * self._loudness * _COMFORT).clip(-32768, 32767)
        return bytes(noisy.astype("<i2"))

    def _activate(self, grammar: Grammar, graph: Graph) -> None:
        if unknown := words_of(graph) - self._pronunciations.keys():
            raise ValueError(f"no pronunciation of: {', '.join(sorted(unknown))}")
        if not graph[2]:
            raise ValueError("nothing can be said")
        decoder, name = self._decoders[grammar], self._free_name(grammar)
        decoder.add_fsg(name, decoder.create_fsg(name, *graph))
        decoder.activate_search(name)
        self._searches[grammar] = name

    def _free_name(self, grammar: Grammar) -> str:
        """An unused name for a new search: replacing the active one under its own name crashes."""
        return "two" if self._searches.get(grammar) == "one" else "one"


def _decoder_of_sounds(library: Any, folder: str | None) -> Any:
    """A decoder of any sounds, which writes the scores of all senones to a folder, if there is one."""
    decoder = library.Decoder(dict=None, senlogdir=folder, **SETTINGS)
    decoder.add_allphone_file("sounds", None)
    decoder.activate_search("sounds")
    return decoder


def _speech_frames(decoder: Any) -> int:
    """How many frames of the utterance the phone loop takes for speech: neither silence nor noise."""
    spoken = (part for part in decoder.seg() or () if part.word not in _SILENT and part.word[0] not in "<(")
    return sum(part.end_frame - part.start_frame + 1 for part in spoken)


def _pauses(decoder: Any) -> int:
    """How many frames of silence there are between the words of the best hypothesis."""
    parts = [part for part in decoder.seg() or () if part.end_frame > part.start_frame]
    said = [at for at, part in enumerate(parts) if part.word != _SILENCE]
    between = parts[said[0] : said[-1]] if said else []
    return sum(part.end_frame - part.start_frame + 1 for part in between if part.word == _SILENCE)


def _dictionary(pronunciations: Mapping[str, Sequence[str]]) -> str:
    lines = (
        f"{word} {sounds}" if number == 1 else f"{word}({number}) {sounds}"
        for word, variants in pronunciations.items()
        for number, sounds in enumerate(variants, 1)
    )
    return "\n".join(lines) + "\n"
