# SPDX-License-Identifier: GPL-3.0-or-later
"""A file of cases: recordings, each in a position, perhaps with what is said in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from acessivel.app.speaker_fit import Labelled
from acessivel.commands.given_position import position_of
from acessivel.devices.recogniser import bad_recording, open_recogniser
from acessivel.errors import UserError, cannot_read
from acessivel.message import Message
from acessivel.rules.position import Position
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from voices.grammar import grammar
from voices.hearing.utterances import has_speech, hear, speech
from voices.meaning import Castling, MovePattern
from voices.packages import MissingPartError
from voices.recognisers import Recogniser
from voices.recognisers.network import NetworkRecogniser
from voices.sound.source import LONGEST_RECORDING_S, SoundError, TooLongError, read_wav
from voices.understanding.meanings import read_typed

_TEXTS = ("fen", "uci", "words", "language", "convention")
_JUDGES = 4  # one case in so many judges what was learnt from the others


@dataclass(frozen=True, slots=True)
class Case:
    """A recording and the position in which it was said; `uci` or `words`: what was said, "" if unknown.

    `says_nothing`: it is known that it means nothing.
    """

    file: Path
    position: Position
    uci: str = ""
    words: str = ""
    says_nothing: bool = False

    def audio(self) -> bytes:
        """The recording, mono s16le at 16 kHz. Raises UserError if it cannot be read."""
        try:
            return read_wav(self.file)
        except TooLongError as error:
            why = Message.of("sound_too_long", file=str(self.file), count=LONGEST_RECORDING_S // 60)
            raise UserError(why) from error
        except SoundError as error:
            raise UserError(bad_recording(str(self.file), error)) from error


def read_cases(path: Path, settings: Settings) -> list[Case]:
    """The cases of a JSON file, `[{"file": ..., "fen": ..., "uci": ..., "words": ...}, ...]`.

    An entry may name the "language" and the "convention" in which it was said. Raises UserError, naming the
    entry, if it is wrong or these are not those in use.
    """
    entries = _entries(path)
    cases = []
    for number, entry in enumerate(entries, 1):
        known = isinstance(entry, dict) and isinstance(entry.get("file"), str)
        if not known or not all(isinstance(entry.get(key), str | None) for key in _TEXTS):
            raise UserError(Message.of("bad_cases", file=str(path), entry=number))
        with _named(path, number):
            where = position_of(entry.get("fen"))
        used = {"language": settings.language, "convention": settings.convention}
        said_in = {name: entry.get(name) or value for name, value in used.items()}
        if said_in != used:
            raise UserError(Message.of("cases_said_in", file=str(path), entry=number, **said_in))
        said = entry.get("uci") or "", entry.get("words") or ""
        nothing = entry.get("words") == "" and not entry.get("uci")
        cases.append(Case(path.parent / entry["file"], where, *said, says_nothing=nothing))
    return cases


def _entries(path: Path) -> list[Any]:
    """The entries of the file, whatever they are. Raises UserError if it has none."""
    try:
        entries = json.loads(path.read_text("utf-8-sig"))  # Windows marks what it writes
    except OSError as error:
        raise cannot_read(error, str(path)) from error
    except (ValueError, RecursionError) as error:
        raise UserError(Message.of("not_cases", file=str(path))) from error
    if not isinstance(entries, list) or not entries:
        raise UserError(Message.of("not_cases", file=str(path)))
    return entries


@contextmanager
def _named(path: Path, number: int) -> Iterator[None]:
    """Name the entry in what is told of a mistake in it."""
    try:
        yield
    except UserError as error:
        named = Message.of("mistake_in_case", file=str(path), entry=number, mistake=error.message)
        raise UserError(named) from error


def labelled(settings: Settings, path: Path, learnt: Any) -> list[Labelled]:
    """The recordings of a file of cases, in the words in which they were most probably said.

    Every fourth judges; what means nothing is left out, and so is what was `learnt` from (a `Learnt`), which
    could judge nothing. Raises UserError if it is not known what was said, or none would judge, and
    MissingPartError without a recogniser.
    """
    cases = read_cases(path, settings)
    if all(case.says_nothing for case in cases):
        raise UserError(Message.of("cases_unlabelled", file=str(path), entry=1))
    convention, language = settings.convention, settings.language
    recogniser = _recogniser(settings)
    found: list[Labelled] = []
    known = False
    for number, case in enumerate(cases, 1):
        if case.says_nothing:
            continue
        legal = case.position.legal
        said = _phrases(case, convention, language)
        if not said:
            unknown = "cases_words" if case.words else "cases_move" if case.uci else "cases_unlabelled"
            said_so = {"words": case.words, "move": case.uci}
            raise UserError(Message.of(unknown, file=str(path), entry=number, **said_so))
        everything, expected = grammar.expectation((fact.meaning for fact in legal), convention, language)
        recogniser.expect(everything, said)
        with _named(path, number):
            audio = case.audio()
        if not has_speech(audio):
            silent = {"entry": number, "recording": case.file.name}
            raise UserError(Message.of("cases_silent", file=str(path), **silent))
        cut = speech(audio)
        taught = learnt.has(cut)
        known = known or taught
        if taught or any(cut == one.audio for one in found):
            continue  # it could judge nothing
        heard = [one for one in hear(recogniser, audio) if one.grammar == "expected"]
        best = max(heard, key=lambda one: one.score, default=None)
        words = best.words if best else said[0]
        judges = (len(found) + 1) % _JUDGES == 0
        found.append(Labelled(words, cut, tuple(expected), judges, case.position))
    recogniser.close()
    if known and not found:
        raise UserError(Message.of("cases_known", file=str(path)))
    if len(found) < _JUDGES:
        raise UserError(Message.of("cases_too_few", file=str(path), count=len(found), least=_JUDGES))
    return found


def _recogniser(settings: Settings) -> Recogniser:
    """One that tells which of several phrases was said: the network, the fastest, or whatever is there."""
    try:
        return NetworkRecogniser()
    except MissingPartError:
        return open_recogniser(replace(settings, profile=profiles.NONE))


def _phrases(case: Case, convention: str, language: str) -> tuple[str, ...]:
    """All that may have been said, as a recogniser writes it; none if that is unknown.

    Words that nobody says so, such as "Sf3", stand for all ways to announce what they mean.
    """
    known = grammar.pronunciations(convention, language)

    def sayable(phrases: Iterable[str]) -> tuple[str, ...]:
        return tuple(one for one in phrases if one and all(word in known for word in one.split()))

    if as_it_is := sayable([grammar.plain_phrase(case.words)] if case.words else []):
        return as_it_is
    moves = [fact.meaning for fact in case.position.legal if not case.words and fact.uci == case.uci]
    for reading in read_typed(case.words, language, convention):
        meant = reading.meaning
        if isinstance(meant, Castling) or (isinstance(meant, MovePattern) and meant.whole):
            moves.extend(fact.meaning for fact in case.position.matching(meant))
    return sayable(grammar.announcements(moves, convention, language))
