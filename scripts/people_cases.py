# SPDX-License-Identifier: GPL-3.0-or-later
"""What people say in positions: announcements joined from their words, answers, yes and no, other talk."""

from __future__ import annotations

import hashlib
import random
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import soxr
from hearing_cases import CONDITIONS, disturbed, draw_move, position
from people_recordings import FOLDER, Announcer, Recording, Split, announcers, recordings, split_of
from soundfile import write as write_wav

from acessivel.dialogue.interpretation import meaning
from acessivel.dialogue.questions import Missing, answers
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.meaning import Castling, Meaning, Move, MovePattern, Piece, Place
from voices.sound.source import RATE
from voices.words.files import languages
from voices.words.lexicon import FILES, RANKS, vocabulary

Case = dict[str, Any]
Words = Mapping[str, Sequence[Recording]]  # a word in plain spelling -> its recordings

SOUNDS = FOLDER / "cases"
ANNOUNCED = 100  # legal ones an announcer, and as many that are not
POSITIONS = 2  # in which each recording of a letter or a digit answers a question
TALK = 2400  # pieces of other talk
REPLIES = 4  # of each recording of a yes or a no in each condition
_BEHIND = 10  # each so manieth piece of talk is heard behind a reply
_LONGEST_TALK_S = 8.0
_CONVENTIONS = ("fide", "letters", "nato")
# Of 100 announcements: the square, the file and the square, the square of origin and the square.
_FORMS = {2: 50, 3: 20, 4: 30}
_PAWNS = 0.6  # of the announcements are of pawns; a piece has no recorded name, so that its squares are said
_RUN_TOGETHER = 0.3  # of the announcements have no gaps
_GAP_S = 0.04, 0.25
_OVERLAP_S = 0.02, 0.06
_SPEED = 0.92, 1.08  # of what is said again, and of a reply
_ASKED = 0.4  # of other talk comes while a question is open
_LEVEL = 2500.0  # of each word, so that no word is louder than the next
_SEED = 11


def make(scale: float = 1.0, split: Split | None = None) -> list[Case]:
    """Every case, or a share of them, the first of a longer run; of a split or of all. Sounds in `SOUNDS`."""
    SOUNDS.mkdir(parents=True, exist_ok=True)
    made = (some(scale, split) for some in (_announcements, _answers, _replies, _talk))
    return [_with_file(case) for case in chain.from_iterable(made)]


def _with_file(case: Case) -> Case:
    """A case with its sound in a file, named after what is in it."""
    said = case.pop("audio").astype(np.float32)
    seed = zlib.crc32(said.tobytes())
    behind = _behind() if case["condition"].startswith("babble") else ()
    audio = disturbed(said, case["condition"], np.random.default_rng(seed), behind)
    file = f"{hashlib.sha256(audio.tobytes()).hexdigest()[:16]}.wav"
    write_wav(SOUNDS / file, audio, RATE, subtype="PCM_16")
    return case | {"file": file}


def said_again(case: Case) -> Case:
    """The case as it may be said once more: the words joined anew, at another speed; or more other talk."""
    chance = random.Random(case["file"])
    if case["kind"] == "garbage":
        talk = [one for one in recordings() if one.speaker == case["voice"] and one.kind == "talk"]
        return _with_file(
            case | {"audio": _levelled(chance.choice(talk).audio())[: int(_LONGEST_TALK_S * RATE)]}
        )
    by = case["voice"], case["language"], case["convention"]
    announcer = next(one for one in announcers() if (one.name, one.language, one.convention) == by)
    words = _words(announcer)
    parts = [chance.choice(words[word]).audio() for word in case["words"].split()]
    audio = joined(parts, chance, chance.random() < _RUN_TOGETHER)
    return _with_file(case | {"audio": _paced(audio, chance)})


def _paced(audio: np.ndarray, chance: random.Random) -> np.ndarray:
    """The same a little faster or slower."""
    return np.asarray(soxr.resample(audio, RATE * chance.uniform(*_SPEED), RATE))


@cache
def _behind() -> tuple[np.ndarray, ...]:
    """People's talk of which babble is made; nothing was trained on it."""
    talk = [one for one in recordings() if one.kind == "talk" and one.split != "train"]
    return tuple(one.audio() for one in talk[::_BEHIND])


def open_question(case: Case) -> tuple[Meaning, ...]:
    """What answers the question that is open in a case, besides yes and no."""
    if not case["rest"]:
        return ()
    rest = case["rest"]
    said = MovePattern(Place(rest) if rest in FILES else Place(rank=rest), Piece(case["piece"]))
    return answers(Missing(said, Position.start(case["fen"]).matching(said)))


def _announcements(scale: float, split: Split | None) -> Iterator[Case]:
    for announcer in announcers(split):
        words = _words(announcer)
        for kind in ("legal", "illegal"):
            chance = random.Random(f"{_SEED} {kind} {announcer}")
            for _ in range(round(ANNOUNCED * scale)):
                where, phrase = _announcement(kind, chance, announcer, words)
                run_together = chance.random() < _RUN_TOGETHER
                parts = [chance.choice(words[word]).audio() for word in phrase.split()]
                yield _case(
                    kind, where, split=split_of(announcer), voice=announcer.name, words=phrase,
                    language=announcer.language, convention=announcer.convention,
                    manner="run together" if run_together else "with gaps",
                    moves=_moves(phrase, where, announcer), audio=joined(parts, chance, run_together),
                )  # fmt: skip


def _announcement(
    kind: str, chance: random.Random, announcer: Announcer, words: Words
) -> tuple[Position, str]:
    """A position and a phrase that can be joined from the words."""
    while True:
        where = position(chance)
        move = _draw(chance, where if kind == "legal" or chance.random() < 0.5 else position(chance))
        if kind == "illegal" and isinstance(move, MovePattern):
            move = _otherwise(chance, move)
        found = _form(chance, [p for p in _phrases(move, announcer) if set(p.split()) <= set(words)], words)
        if found and bool(_moves(found, where, announcer)) == (kind == "legal"):
            return where, found


def _draw(chance: random.Random, where: Position) -> Move:
    pawns = [fact.meaning for fact in where.legal if getattr(fact.meaning, "piece", None) is Piece.PAWN]
    return chance.choice(pawns) if pawns and chance.random() < _PAWNS else draw_move(chance, where)


def _otherwise(chance: random.Random, move: MovePattern) -> MovePattern:
    """The move with another file, or another rank, of the square where it goes."""
    if chance.random() < 0.5:
        return replace(move, target=Place(chance.choice(FILES), move.target.rank))
    return replace(move, target=Place(move.target.file, chance.choice(RANKS)))


def _phrases(move: Move, announcer: Announcer) -> tuple[str, ...]:
    if isinstance(move, Castling):
        return ()
    return grammar.announcements([move], announcer.convention, announcer.language)


def _form(chance: random.Random, phrases: Sequence[str], words: Words) -> str | None:
    """One of the phrases that begin with a file, of a length by its share."""
    split = {phrase: phrase.split() for phrase in phrases}
    fitting = [p for p in phrases if len(split[p]) in _FORMS and words[split[p][0]][0].kind != "digit"]
    shares = [_FORMS[len(split[phrase])] for phrase in fitting]
    return chance.choices(fitting, shares)[0] if fitting else None


def _moves(phrase: str, where: Position, announcer: Announcer) -> tuple[str, ...]:
    """The legal moves that a phrase means (UCI, sorted)."""
    found = meaning(phrase, where, announcer.convention, announcer.language)
    return tuple(sorted(found)) if isinstance(found, frozenset) else ()


def joined(parts: Sequence[np.ndarray], chance: random.Random, run_together: bool = False) -> np.ndarray:
    """Words one after the other at one level (float32), with gaps between them or with ends that overlap."""
    whole = np.zeros(0, np.float32)
    for part in map(_levelled, parts):
        if not whole.size:
            whole = part
        elif run_together:
            length = min(int(chance.uniform(*_OVERLAP_S) * RATE), len(whole), len(part))
            fade = np.linspace(0, 1, length, dtype=np.float32)
            mixed = whole[-length:] * (1 - fade) + part[:length] * fade
            whole = np.concatenate([whole[:-length], mixed, part[length:]])
        else:
            gap = np.zeros(int(chance.uniform(*_GAP_S) * RATE), np.float32)
            whole = np.concatenate([whole, gap, part])
    return whole


def _levelled(audio: np.ndarray) -> np.ndarray:
    sound = audio.astype(np.float32)
    return sound * np.float32(_LEVEL / max(1.0, float(np.sqrt(np.mean(np.square(sound))))))


def _answers(scale: float, split: Split | None) -> Iterator[Case]:
    """Letters and digits in answer to "Which file?" and "Which rank?", in the speaker's language if known."""
    for recording in recordings(split):
        user = _users_language(recording.language)
        chance = random.Random(f"{_SEED} {recording.path}")
        if recording.kind in ("reply", "talk") or (user is None and recording.kind != "nato"):
            continue
        convention = "nato" if recording.kind == "nato" else "letters"
        for _ in range(max(1, round(POSITIONS * scale))):
            language = user or chance.choice(languages())
            where, piece, rest = _asking(chance, recording.label)
            case = _case(
                "answer", where, split=recording.split, voice=recording.speaker, language=language,
                convention=convention, manner=recording.kind, asked=True, piece=piece.value, rest=rest,
            )  # fmt: skip
            said = _word(recording, language)
            phrases = grammar.in_words(open_question(case), convention, language)
            yeses = grammar.yeses(convention, language)  # no answer to "Which file?"
            yield case | {
                "words": said, "audio": _levelled(recording.audio()),
                "answers": [*(a for a in grammar.answers(convention, language) if a not in yeses), *phrases],
            }  # fmt: skip


def _replies(scale: float, split: Split | None) -> Iterator[Case]:
    """Each yes and no in answer to a question about a move, in each condition."""
    for recording in recordings(split):
        language = _users_language(recording.language)
        if recording.kind != "reply" or not language:
            continue
        chance = random.Random(f"{_SEED} {recording.path}")
        for condition in CONDITIONS * max(1, round(REPLIES * scale)):
            convention = chance.choice(_CONVENTIONS)
            kind = "yes" if recording.label in grammar.yeses(convention, language) else "no"
            yield _case(
                kind, position(chance), split=recording.split, voice=recording.speaker, language=language,
                convention=convention, manner=recording.kind, condition=condition, asked=True,
                words=recording.label, answers=grammar.answers(convention, language),
                audio=_paced(_levelled(recording.audio()), chance),
            )  # fmt: skip


def _asking(chance: random.Random, label: str) -> tuple[Position, Piece, str]:
    """A position, a piece and the part of its square that was heard; the label is a possible answer."""
    while True:
        where = position(chance)
        moves = (fact.meaning for fact in where.legal)
        squares = {(m.piece, m.target) for m in moves if isinstance(m, MovePattern) and m.piece}
        fitting = [
            (piece, rest)
            for piece, target in sorted(squares, key=str)
            for rest in (target.file if label in RANKS else target.rank,)
            if rest and label in (target.file, target.rank)
            if sum(one is piece and rest in (to.file, to.rank) for one, to in squares) > 1
        ]
        if fitting:
            return where, *chance.choice(fitting)


def _talk(scale: float, split: Split | None) -> Iterator[Case]:
    """Other talk, as many pieces of each speaker as there are; words that can be understood are none."""
    chance = random.Random(_SEED)
    by_speaker: dict[str, list[Recording]] = {}
    for recording in recordings():
        if recording.kind == "talk" and not _is_understood(recording):
            by_speaker.setdefault(recording.speaker, []).append(recording)
    for found in by_speaker.values():
        chance.shuffle(found)
    in_turn = [one for turn in range(TALK) for found in by_speaker.values() for one in found[turn : turn + 1]]
    for recording in in_turn[: round(TALK * scale)]:
        language = _users_language(recording.language) or chance.choice(languages())
        convention, where, asked = chance.choice(_CONVENTIONS), position(chance), chance.random() < _ASKED
        if split not in (None, recording.split):
            continue
        audio = recording.audio()
        if not RATE // 10 <= len(audio) <= _LONGEST_TALK_S * RATE:
            continue
        yield _case(
            "garbage", where, split=recording.split, voice=recording.speaker, language=language,
            convention=convention, manner=recording.language, asked=asked, audio=_levelled(audio),
        )  # fmt: skip


def _is_understood(recording: Recording) -> bool:
    """Whether talk is what is listened for, as the syllable "be", which is a letter, or too short to tell."""
    language = _users_language(recording.language)
    if recording.speaker.startswith("klettres") and len(recording.path.stem) < 3:
        return True
    known = grammar.pronunciations("letters", language) if language else {}
    words = re.findall(r"\w+", grammar.plain_phrase(recording.text)) if recording.text else []
    return bool(words) and all(word in known for word in words)


def _case(kind: str, where: Position, **more: object) -> Case:
    """A case of a kind in a position, with what else is known of it."""
    known: Case = {"words": "", "moves": (), "condition": "clean", "asked": False, "rest": ""}
    return known | {"kind": kind, "fen": where.fen} | more


def _words(announcer: Announcer) -> Words:
    """The words that an announcer has."""
    files = "nato" if announcer.convention == "nato" else "letter"
    found: dict[str, list[Recording]] = {}
    for one in recordings():
        if (one.speaker, one.kind) in ((announcer.files, files), (announcer.ranks, "digit")):
            word = _word(one, announcer.language)
            found.setdefault(word, []).append(one)
    return found


def _word(recording: Recording, language: str) -> str:
    """The word of a letter or a digit, as the recogniser writes it."""
    files = vocabulary("nato" if recording.kind == "nato" else language)
    if recording.kind == "digit":
        return grammar.plain_phrase(vocabulary(language).say("rank", recording.label))
    return grammar.plain_phrase(files.say("file", recording.label))


def _users_language(language: str) -> str | None:
    """The program's language in which a speaker of a language announces; None if it has none."""
    found = language.partition("_")[0]
    return found if found in languages() else None
