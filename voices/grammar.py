# SPDX-License-Identifier: GPL-3.0-or-later
"""The meanings possible -> what a recogniser listens for: everything, and what is expected now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from voices.lexicon import Vocabulary, fold, plain, split_command, vocabulary, words_of
from voices.meaning import Castling, Check, MovePattern, Piece, Place
from voices.phrasing import Phrasing

_ANNOUNCEMENT = {
    "square": "<file> <rank>",
    "origin": "<file> | <rank> | <square>",
    # Noise after an announcement sounds like a piece: only a pawn on its last rank becomes one.
    "last_square": "<file> <last_rank>",
    "becomes": "[<promotion>] <piece>",
    "to": "<square> [<en_passant>] | <last_square> <becomes>",
    "move": "[<piece>] [<origin>] [<capture>] <to> [<checks>]",
    "castle": "<castling> [<checks>]",
}


@cache
def vocabularies(convention: str, language: str) -> tuple[Vocabulary, ...]:
    """What can be announced aloud: the FIDE words always, the language's letters when they are in use."""
    fide, own = vocabulary("fide"), vocabulary(language)
    return (fide, own) if convention == "letters" else (fide,)


def pronunciations(convention: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """The recogniser's dictionary: each word in plain spelling with its ARPAbet pronunciations."""
    sounds: dict[str, tuple[str, ...]] = {}
    for words in (*vocabularies(convention, language), vocabulary(language)):
        for word, variants in words.sounds.items():
            sounds[word] = tuple(dict.fromkeys((*sounds.get(word, ()), *variants)))
    return sounds


def spellings(convention: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """How the words of the dictionary are really spelled: "nao" -> ("não",)."""
    found: dict[str, tuple[str, ...]] = {}
    for words in (*vocabularies(convention, language), vocabulary(language)):
        for section in words.phrases:
            for phrase, _ in words.all(section):
                for word in map(fold, words_of(split_command(phrase)[0])):
                    found[plain(word)] = tuple(dict.fromkeys((*found.get(plain(word), ()), word)))
    return found


def expectation(
    moves: Iterable[MovePattern | Castling], convention: str, language: str
) -> tuple[str, tuple[str, ...]]:
    """What a recogniser is given: the grammar of everything, and the phrases possible now."""
    phrases = (*announcements(moves, convention, language), *answers(language), *commands(language))
    return everything(convention, language), phrases


@cache
def everything(convention: str, language: str) -> str:
    """All announcements, answers, numbers and commands as one grammar in JSGF 1.0."""
    spoken = vocabularies(convention, language)
    own = vocabulary(language)
    rules = {
        **{section: _values(spoken, section) for section in ("file", "rank", "piece", "castling")},
        **{mark: _values(spoken, "mark", mark) for mark in ("capture", "check", "mate", "en_passant")},
        "last_rank": " | ".join(_values(spoken, "rank", rank) for rank in "18"),
        "checks": "<check> | <mate>",
        "promotion": _values(spoken, "mark", "promotion"),
        "asked_piece": " | ".join(
            filter(None, (_values((*spoken, own), "piece"), _values((own,), "plural")))
        ),
        **_ANNOUNCEMENT,
        "answer": " | ".join(answers(language)),
        "command": " | ".join(_command_rules(own)),
    }
    rules = {name: body for name, body in rules.items() if body}
    if "promotion" not in rules:
        rules["becomes"] = "<piece>"
    utterance = "<move> | <castle> | <answer> | <rank> | <piece> | <command>"
    lines = [f"<{name}> = {body};" for name, body in rules.items()]
    return "\n".join(["#JSGF V1.0;", "grammar everything;", *lines, f"public <utterance> = {utterance};", ""])


def answers(language: str) -> tuple[str, ...]:
    """Every spoken "yes" and "no": the German ones of the announcements and the language's own."""
    phrases = _sounding((vocabulary("fide"), vocabulary(language)), "answer")
    return tuple(dict.fromkeys(map(plain_phrase, phrases)))


def yeses(language: str) -> tuple[str, ...]:
    """Every spoken "yes", which must be surer than other words."""
    phrases = _sounding((vocabulary("fide"), vocabulary(language)), "answer", "yes")
    return tuple(dict.fromkeys(map(plain_phrase, phrases)))


def commands(language: str) -> tuple[str, ...]:
    """Every spoken command that needs no piece or place."""
    phrases = map(split_command, _sounding((vocabulary(language),), "command"))
    return tuple(dict.fromkeys(plain_phrase(literal) for literal, slots in phrases if not slots))


def announcements(moves: Iterable[MovePattern | Castling], convention: str, language: str) -> tuple[str, ...]:
    """Every spoken form of the given moves (fully known ones), short and long, with and without "takes"."""
    moves = tuple(moves)
    phrases = (
        plain_phrase(phrase)
        for words in vocabularies(convention, language)
        for move in moves
        for phrase in _forms(move, words)
    )
    return tuple(dict.fromkeys(phrases))


def plain_phrase(phrase: str) -> str:
    """A phrase as the recogniser writes it: plain words with single blanks."""
    return " ".join(map(plain, words_of(phrase)))


def _sounding(spoken: Iterable[Vocabulary], section: str, value: str | None = None) -> Iterator[str]:
    """The phrases of a section, those left out that have a word with no known pronunciation."""
    for words in spoken:
        for phrase, name in words.all(section):
            literal, _ = split_command(phrase)
            if value in (None, name) and all(plain(word) in words.sounds for word in words_of(literal)):
                yield phrase


def _values(spoken: Iterable[Vocabulary], section: str, value: str | None = None) -> str:
    """The phrases of a section as alternatives of a rule."""
    return " | ".join(dict.fromkeys(map(plain_phrase, _sounding(spoken, section, value))))


def _command_rules(own: Vocabulary) -> Iterator[str]:
    for phrase in _sounding((own,), "command"):
        literal, slots = split_command(phrase)
        rules = ("<asked_piece>" if slot == "piece" else f"<{slot}>" for slot in slots)
        yield " ".join((plain_phrase(literal), *rules))


def _forms(move: MovePattern | Castling, words: Vocabulary) -> Iterator[str]:
    checks = [""]
    if move.check is not Check.NONE:
        checks += [words.say("mark", "check" if move.check is Check.CHECK else "mate")]
    if isinstance(move, Castling):
        forms = words.phrases["castling"][move.side]
    else:
        aloud = Phrasing(words, words, by_letter=False)
        forms = tuple(aloud.without_check(form, spoken=True) for form in _patterns(move))
    yield from (f"{form} {check}" for form in forms for check in checks)


def _patterns(move: MovePattern) -> Iterator[MovePattern]:
    """Shorter ways to announce a move: less of the origin, no piece, no "takes", no "en passant"."""
    origins = (Place(), Place(file=move.origin.file), Place(rank=move.origin.rank), move.origin)
    for origin in origins:
        for piece in dict.fromkeys((move.piece, None)):
            if piece is None and move.piece is not Piece.PAWN and not origin.complete:
                continue
            for capture in {False, move.capture}:
                for en_passant in {False, move.en_passant}:
                    yield replace(move, piece=piece, origin=origin, capture=capture, en_passant=en_passant)
