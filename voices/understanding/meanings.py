# SPDX-License-Identifier: GPL-3.0-or-later
"""Words -> every meaning they can have, best first; no piece, file or rank word is ever dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, product
from typing import Literal, NamedTuple

from voices.meaning import (
    Answer,
    Castling,
    Command,
    Meaning,
    MovePattern,
    Number,
    Place,
    Reading,
)
from voices.understanding import written_moves, written_signs
from voices.understanding.letter_help import without_help
from voices.understanding.lexeme_meaning import PARTS, TYPED_PARTS, WHOLE, Builders, meaning_of
from voices.understanding.lexemes import SIGNS, Lexeme, Phrases, each_spelling, phrases
from voices.understanding.plain_yes import answers, says_yes
from voices.words import conventions, files
from voices.words.lexicon import (
    FILES,
    fold,
    lexicon,
    spellings,
    vocabulary,
    words_of,
)

LONGEST = 200  # characters; the longest announcement has about 80
_SHORTEST_CAPTURE = 2  # letters: "cd"
_FILE_ALONE = re.compile(r"(?P<piece>(?:\w\s+|[♔-♟]\s*)?)(?P<file>[a-h])\s+(?P<square>[a-h]\s?[1-8].*)")
# A capital alone before words, in which files are no capitals.
_LETTER_ALONE = re.compile(r"(?P<letter>[A-Z])[\s.]+(?!.*\b[A-H][1-8]?\b).+")
_MOST_COMBINATIONS = 500  # ways to understand the words of one utterance

_DROPPED = ""  # the sign of a word that could have meant something
# What can be dropped: fillers that mean nothing else, any filler, or any but a file (`_is_a_file`).
_Drop = Literal["fillers", "any", "typed"]


class _How(NamedTuple):
    """How words are read: with the language and convention in use, as they were `typed` or heard."""

    language: str
    convention: str
    typed: bool


def read(text: str, language: str, convention: str = conventions.DEFAULT) -> tuple[Reading, ...]:
    """Every meaning of what was written, in notation or words, best first; empty if it has none.

    The words of the convention in use and those of `language` come first, then those of the other
    conventions, then the other languages: each is likely only if the earlier ones have no meaning for them.
    "no" is an answer in English, but a filler in Portuguese. An incomplete announcement counts only if the
    words mean nothing else. A yes counts only if it is plainly one (`plain_yes.py`), since it plays a move.
    """
    if len(text) > LONGEST:
        return ()
    how = _How(language, convention, typed=True)
    found = _readings(text, how) or tuple(_introduced(text, how))
    return _with_plain_yes(found, text, how)


def read_heard(text: str, language: str, convention: str = conventions.DEFAULT) -> tuple[Reading, ...]:
    """As `read` for what was spoken, words alone: "be" is the letter b, and no pawn that takes on e."""
    if len(text) > LONGEST:
        return ()
    how = _How(language, convention, typed=False)
    return _with_plain_yes(_in_words(written_signs.cleaned(text), how, {}), text, how)


def read_typed(text: str, language: str, convention: str = conventions.DEFAULT) -> tuple[Reading, ...]:
    """As `read` for what was typed in a dialogue, where it may be an answer too.

    What means nothing else can be an answer that is only typed: "y" or "ok" for yes. A capital is one too,
    beside the piece that it names, but no yes if that is a piece in the user's own language: it may begin a
    move, and a yes plays one. Two letters that are a capture by a pawn are perhaps the name of one letter:
    "be" in three languages.
    """
    found = read(text, language, convention)
    found += tuple(_typed_answer(text.strip(), language, known=bool(found)))
    if len(text.strip()) == _SHORTEST_CAPTURE and text.strip().isalpha():
        known = {reading.meaning for reading in found}
        spoken = (reading.meaning for reading in read_heard(text, language, convention))
        found += tuple(Reading(meaning, likely=False) for meaning in spoken if meaning not in known)
    return found


def yes_or_no(readings: Iterable[Reading]) -> bool | None:
    """Whether what was read is a yes or a no; None if it is neither."""
    return next((one.meaning.yes for one in readings if isinstance(one.meaning, Answer)), None)


def _typed_answer(text: str, language: str, *, known: bool) -> Iterator[Reading]:
    """The answer that is only typed; `known`: the text means something else, too."""
    own = {letter for words in lexicon(language).likely for letter in words.letters.values()}
    for value in ("yes", "no"):
        written = fold(text) in map(fold, vocabulary(language).typed.get(value, ()))
        if written and (not known or (text.isupper() and not (value == "yes" and text in own))):
            yield Reading(Answer(value == "yes"))


def _with_plain_yes(found: tuple[Reading, ...], text: str, how: _How) -> tuple[Reading, ...]:
    """The readings without a yes that is not plainly one."""
    if any(map(_is_yes, found)) and not says_yes(text, how.language, typed=how.typed):
        return tuple(reading for reading in found if not _is_yes(reading))
    return found


def _is_yes(reading: Reading) -> bool:
    return isinstance(reading.meaning, Answer) and reading.meaning.yes


def _readings(text: str, how: _How) -> tuple[Reading, ...]:
    """Every meaning of what was written: in notation, or else in words."""
    text = written_signs.as_notation(text)
    known = lexicon(how.language)
    found: dict[Meaning, bool] = {}
    for written in (text, *_without_filler(text, how)):
        for reading in written_moves.read(written, known):
            found.setdefault(reading.meaning, reading.likely)
    if any(found.values()) and not text.isdigit():  # "00" may be a number, too
        return _sorted(found)
    readings = _in_words(text, how, found, written_moves.read_part(text, known))
    if written_signs.no_whole_number(text):
        return tuple(reading for reading in readings if not _has_number(reading.meaning))
    return readings


def _without_filler(text: str, how: _How) -> Iterator[str]:
    """What is typed in notation without the file that may only lead to the square: "T a f5" in Spanish."""
    found = _FILE_ALONE.fullmatch(text)
    if found and (found["file"],) in phrases((how.language,), typed=True).fillers:
        yield found["piece"] + found["square"]


def _introduced(text: str, how: _How) -> Iterator[Reading]:
    """The moves and orders after a word that only introduces them: "move Nf3", "and draw".

    The name of a file, as "e" in Portuguese, introduces no move: there it is a part of one.
    """
    first, _, rest = written_signs.cleaned(text).partition(" ")
    word = fold(first.rstrip(":,"))
    if word in map(fold, vocabulary(how.language).typed.get("before", ())):
        for reading in _readings(rest, how):
            is_move = isinstance(reading.meaning, MovePattern | Castling)
            if isinstance(reading.meaning, Command) or (is_move and word not in FILES):
                yield reading


def _in_words(
    text: str, how: _How, found: dict[Meaning, bool], parts: Iterable[Meaning] = ()
) -> tuple[Reading, ...]:
    """Every meaning of words, besides what they may be in notation (`found`), or begin there (`parts`)."""
    text = "" if how.typed and written_signs.are_unknown(text) else text
    whole = _with_words(found, text, how, WHOLE)
    if len(whole) > len(found):
        return _sorted(whole)
    builders = TYPED_PARTS if how.typed else PARTS
    begun = _with_words(dict.fromkeys(parts, True), text, how, builders)
    # The side of castling was not said, so either one is a guess.
    return _sorted(
        found | {part: likely and not isinstance(part, Castling) for part, likely in begun.items()}
    )


def _with_words(found: dict[Meaning, bool], text: str, how: _How, builders: Builders) -> dict[Meaning, bool]:
    """What is `found`, and what the words of a text mean by the builders.

    A typed capital that stands alone before words is the piece whose letter it is in the language, or else a
    file, and hardly a word: "D para d4" is a move of the queen or of the pawn on d.
    """
    literally, lettered = dict(found), dict(found)
    _add(literally, _split(text), how, builders)
    own, alone = vocabulary(how.language), _LETTER_ALONE.fullmatch(text) if how.typed else None
    file = text[0].lower() if alone else ""
    for piece, sign in own.letters.items():
        if alone and sign == text[0]:
            _add(lettered, _split(f"{own.phrases['piece'][piece][0]} {text[1:]}"), how, builders)
    pieces = {m: likely for m, likely in lettered.items() if m in found or not _is_square(m, file)}
    if len(pieces) == len(found):
        return literally
    files = {m: likely and _begins_with(m, file) for m, likely in literally.items() if m not in pieces}
    return pieces | files


def _is_square(meaning: Meaning, letter: str) -> bool:
    """Whether a letter and the rank after it were a square: "B 2 b 4"."""
    origin = meaning.origin if isinstance(meaning, MovePattern) else Place()
    return letter in FILES and origin.rank is not None and origin.file is None


def _begins_with(meaning: Meaning, file: str) -> bool:
    return isinstance(meaning, MovePattern) and file == (meaning.origin.file or meaning.target.file)


def _has_number(meaning: Meaning) -> bool:
    return isinstance(meaning, Number) or (isinstance(meaning, Command) and meaning.number is not None)


def _add(found: dict[Meaning, bool], words: tuple[str, ...], how: _How, builders: Builders) -> None:
    """Add what the words mean by the builders, with whether that is likely."""
    for group in _groups(how.language, how.convention):
        known = any(found.values())
        for own, names in group:
            left = without_help(words, own, how.convention) or ()
            table = phrases((*names, own), typed=how.typed)
            if not how.typed:
                readings = _understand(left, table, builders)
            elif own in _used_languages(how.language, how.convention):
                readings = _understand_typed(left, table, builders)
            else:
                readings = _understand_foreign(left, table, builders, _noes(how.language))
            for reading in readings:
                meaning = _of_no_shade(reading.meaning, left, own) if how.typed else reading.meaning
                found.setdefault(meaning, reading.likely and not known)


def _of_no_shade(meaning: Meaning, words: tuple[str, ...], language: str) -> Meaning:
    """An answer without the side that only a shade of the squares named: "sí, claro" is a yes of anybody."""
    if isinstance(meaning, Answer) and meaning.colour:
        shades = {
            spelled for shade in vocabulary(language).typed.get("shade", ()) for spelled in spellings(shade)
        }
        return replace(meaning, colour="") if shades & {*words} else meaning
    return meaning


@cache
def _used_languages(language: str, convention: str) -> frozenset[str]:
    """The own language, and that of the words of a convention."""
    words = conventions.convention(convention, language).vocabularies
    return frozenset({language, *(vocabulary.language for vocabulary in words)})


@cache
def _noes(language: str) -> frozenset[tuple[str, ...]]:
    return frozenset(spelled for no in answers(language, "no") for spelled in each_spelling(words_of(no)))


@cache
def _groups(language: str, convention: str) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]:
    """The vocabularies to read by, in groups that are tried in turn: each a language with conventions."""
    used = tuple(
        w.name for w in conventions.convention(convention, language).vocabularies if w.name != language
    )
    every = files.conventions()
    others = tuple((other, every) for other in files.languages() if other != language)
    return ((language, used),), ((language, every),), others


def _sorted(found: dict[Meaning, bool]) -> tuple[Reading, ...]:
    return tuple(sorted((Reading(m, likely) for m, likely in found.items()), key=lambda r: not r.likely))


def _split(text: str) -> tuple[str, ...]:
    """The words of an utterance, split where several are written together ("g1", "g1f3", "exd8", "15").

    A capital before a square may be a piece, and is no file: "Cxd8" is no pawn's capture.
    """
    text = re.sub(r"\b([a-h]?[1-8]?)x([a-h][1-8]?)\b", r"\1 x \2", text)
    text = re.sub(r"\b([a-h1-8])(?=[a-h][1-8]\b)", r"\1 ", text)
    text = re.sub(r"\be\.?\s?p\.", " en passant ", fold(text))
    text = re.sub(r"(?<=[^\W\d_])['’](?=[^\W\d_])", "", text)
    text = re.sub(r"\b\d{2,4}\b", lambda number: " ".join(number[0]), text)
    text = re.sub(r"\b([a-h])([1-8])(?=\b|[a-h][1-8]\b)", r" \1 \2 ", text)
    text = re.sub(r"\b([a-h])([1-8])\b", r" \1 \2 ", text)
    return words_of(text)


def _understand(words: tuple[str, ...], table: Phrases, builders: Builders) -> Iterator[Reading]:
    """The readings in some vocabularies; a filler that is also a word is kept if that makes sense."""
    strict = [meaning for meaning, _ in _meanings(words, table, builders, drop="fillers")]
    yield from (Reading(meaning) for meaning in strict)
    for meaning, _ in _meanings(words, table, builders, drop="any"):
        if meaning not in strict:
            yield Reading(meaning, likely=not strict)


def _understand_typed(words: tuple[str, ...], table: Phrases, builders: Builders) -> Iterator[Reading]:
    """The same for what was typed: "torre a d1" may be the rook of the a-file, or the rook that goes to d1.

    No file is dropped before its rank, nor between words that do not lead to the square together with it
    ("torre a para d1", "torre da a d1"), and no word twice in a row. A reading that drops one more word than
    another counts as well, one that drops two more does not.
    """
    found = [
        *_meanings(words, table, builders, drop="fillers"),
        *_meanings(words, table, builders, drop="typed"),
    ]
    needed = frozenset.intersection(*(dropped for _, dropped in found)) if found else frozenset()
    more: dict[Meaning, int] = {}
    for meaning, dropped in found:
        more[meaning] = min(more.get(meaning, len(words)), len(dropped - needed))
    fewest = min(more.values(), default=0)
    yield from (Reading(meaning) for meaning, count in more.items() if count <= max(fewest, 1))


def _understand_foreign(
    words: tuple[str, ...], table: Phrases, builders: Builders, noes: frozenset[tuple[str, ...]]
) -> Iterator[Reading]:
    """The same in a language that is not in use: what its fillers mean in that which is, nobody knows.

    So a reading that drops one is not likely, and a no of the language in use is never dropped.
    """
    whole = _meanings(words, table._replace(fillers=frozenset()), builders, drop="fillers")
    likely = {meaning for meaning, _ in whole}
    for reading in _understand_typed(words, table._replace(fillers=table.fillers - noes), builders):
        yield Reading(reading.meaning, reading.meaning in likely)


def _meanings(
    words: tuple[str, ...], table: Phrases, builders: Builders, *, drop: _Drop
) -> Iterator[tuple[Meaning, frozenset[str]]]:
    """What the words can mean, with where those stood that were dropped and can mean something."""
    for lexemes in islice(_combinations(words, table, drop), _MOST_COMBINATIONS):
        kept = tuple(lexeme for lexeme in lexemes if lexeme.sign != _DROPPED)
        meaning = meaning_of(kept, builders)
        if meaning is not None:
            yield meaning, frozenset(lexeme.value for lexeme in lexemes if lexeme.sign == _DROPPED)


def _combinations(words: tuple[str, ...], table: Phrases, drop: _Drop) -> Iterator[tuple[Lexeme, ...]]:
    """Every way to read the words as meaningful phrases; fillers mean nothing."""
    if not words:
        yield ()
        return
    for length in range(min(table.longest, len(words)), 0, -1):
        phrase, rest = words[:length], words[length:]
        heads: list[tuple[Lexeme, ...]] = [(lexeme,) for lexeme in table.meanings.get(phrase, ())]
        dropped = (Lexeme(_DROPPED, str(len(words))),)
        if phrase in table.fillers:
            if not heads:
                heads.append(())
            elif drop == "any" or (drop == "typed" and not _is_a_file(heads, rest, table)):
                heads.append(dropped)
        if heads:
            tails = list(islice(_combinations(rest, table, drop), _MOST_COMBINATIONS))
            for head, tail in product(heads, tails):
                both = head in ((), dropped) and tail[:1] == (Lexeme(_DROPPED, str(len(rest))),)
                in_vain = phrase == rest[:length] or phrase in table.before_file
                if not (both and drop == "typed" and in_vain):
                    yield head + tail


def _is_a_file(heads: Sequence[tuple[Lexeme, ...]], rest: tuple[str, ...], table: Phrases) -> bool:
    """Whether a word must be the file that it can be: before a rank, or a word to which no filler leads."""
    ranks = (lexeme.sign == SIGNS["rank"] for lexeme in table.meanings.get(rest[:1], ()))
    file = any(head[0].sign == SIGNS["file"] for head in heads)
    return file and (rest[:1] in table.after_file or any(ranks))
