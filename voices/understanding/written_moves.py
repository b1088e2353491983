# SPDX-License-Identifier: GPL-3.0-or-later
"""Written notation (SAN, long form, UCI, 0-0) -> the moves it can mean, by the letters of each language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from voices.meaning import (
    Castling,
    Check,
    Meaning,
    Move,
    MovePattern,
    Piece,
    PieceNamed,
    Place,
    Reading,
    Side,
)
from voices.words.lexicon import FILES, Lexicon, spellings, words_of
from voices.words.lexicon import lexicon as lexicon_of

_ENDING = r"\s*(?P<ep>e\.?\s?p\.?)?\s*(?P<check>\+\+?|#|‡)?\s*[!?]{0,2}\s*$"
_MOVE = re.compile(
    r"^(?P<piece>[A-Z♔-♟])?\s*(?P<ofile>[a-h])?(?P<orank>[1-8])?\s*(?P<capture>[x:×])?-?\s*"
    r"(?P<tfile>[a-h])\s?(?P<trank>[1-8])\s*(?:[=(/]?\s*(?P<promotion>[A-Za-z♔-♟])\)?)?" + _ENDING
)
_PAWN_TAKES = re.compile(r"^(?P<ofile>[a-h])(?P<capture>[x:×])?(?P<tfile>[a-h])" + _ENDING)
_PART = re.compile(r"^(?P<piece>[A-Z♔-♟])\s*(?P<capture>[x:×])?\s*(?:(?P<file>[a-h])|(?P<rank>[1-8]))?$")
_SQUARE_FIRST = re.compile(r"[a-h]\s*[1-8]")
_CASTLING = re.compile(r"^(?P<short>[0Oo]\s?-?\s?[0Oo])(?P<long>\s?-?\s?[0Oo])?" + _ENDING)
_CHECKS = {None: Check.NONE, "+": Check.CHECK, "++": Check.CHECK, "#": Check.MATE, "‡": Check.MATE}


def read(text: str, lexicon: Lexicon) -> Iterator[Reading]:
    """Every move that a text in notation can mean, best first; check and mate may be words ("Qh5 check").

    Capital letters are pieces and small ones files, as in SAN; other capitalisation ("nf3", "E4") is read
    too, but where it is ambiguous ("bc4"), the careless reading is not likely. Nor is "Cf" likely to be a
    pawn capture if it can be a knight that goes to the f-file. A small file before its rank is no piece
    ("d 2 d 4").
    """
    text = _with_signs(text, lexicon.language)
    careful = list(_readings(text, lexicon))
    yield from careful
    part = list(read_part(text, lexicon))
    lowered = text.lower()
    capitals = () if _SQUARE_FIRST.match(lowered) else (lowered[:1].upper() + lowered[1:],)
    for careless in (lowered, *capitals):
        if careless != text:
            for reading in _readings(careless, lexicon):
                meaning = reading.meaning
                takes = isinstance(meaning, MovePattern) and not meaning.target.complete
                yield Reading(meaning, reading.likely and not careful and not (takes and part))


def _with_signs(text: str, language: str) -> str:
    """A text with signs for the words of a promotion, a check or mate: "cxd8 queen check" -> "cxd8q+"."""
    move, check = without_check(text, language)
    if found := _promotion_words(language).match(move):
        move = f"{found['move']}{str(found.lastgroup).lower()}"
    return f"{move}{check}"


def without_check(text: str, language: str) -> tuple[str, Check]:
    """A text without the words of a check or mate at its end, and which of the two they are."""
    found = None if text.isalnum() else _check_words(language).search(text)
    if not found:
        return text, Check.NONE
    return text[: found.start()], Check.MATE if found["mate"] else Check.CHECK


@cache
def _check_words(language: str) -> re.Pattern[str]:
    """The words of a check or mate, those of FIDE and of the language, at the end of a text after others."""
    return re.compile(rf"[\s,;]+(?:{_either('mark', ('mate', 'check'), language)})[\s.!]*$", re.IGNORECASE)


@cache
def _promotion_words(language: str) -> re.Pattern[str]:
    """A capture by a pawn in notation with the words of the piece that it becomes."""
    pieces = _either("piece", (Piece.QUEEN, Piece.ROOK, Piece.BISHOP, Piece.KNIGHT), language)
    capture = r"(?P<move>[a-h][1-8]?[x:×]?[a-h][18])"
    return re.compile(rf"{capture}[\s=,]+(?:{pieces})[\s.!]*$", re.IGNORECASE)


def _either(section: str, values: tuple[str, ...], language: str) -> str:
    """The words for one of some values, as a group of its name each; those of FIDE and of the language."""
    said = {
        value: sorted(
            {
                r"[\s-]+".join(map(re.escape, spelled))
                for words in lexicon_of(language).likely
                for phrase in words.phrases.get(section, {}).get(value, ())
                for spelled in product(*map(spellings, words_of(phrase)))
            },
            key=len,
            reverse=True,
        )
        for value in values
    }
    return "|".join(f"(?P<{value}>{'|'.join(phrases)})" for value, phrases in said.items())


def read_part(text: str, lexicon: Lexicon) -> Iterator[Meaning]:
    """A piece by its capital letter, alone or with a part of its square: "N", "Nf", "N3", "Nx".

    A letter that is also a file counts as a piece only if the language in use has it.
    """
    found = _PART.match(text)
    if not found:
        return
    letter, target = found["piece"], Place(found["file"], found["rank"])
    own = any(letter in words.letters.values() for words in lexicon.likely)
    for piece, likely in lexicon.pieces_for(letter):
        if likely and (own or letter.lower() not in FILES):
            if target == Place() and not found["capture"]:
                yield PieceNamed(piece)
            else:
                yield MovePattern(target, piece, capture=bool(found["capture"]))


def _readings(text: str, lexicon: Lexicon) -> Iterator[Reading]:
    if found := _CASTLING.match(text):
        yield Reading(Castling(Side.LONG if found["long"] else Side.SHORT, _CHECKS[found["check"]]))
    elif found := _PAWN_TAKES.match(text):
        yield Reading(
            MovePattern(
                Place(found["tfile"]),
                Piece.PAWN,
                Place(found["ofile"]),
                capture=True,
                en_passant=bool(found["ep"]),
                check=_CHECKS[found["check"]],
            )
        )
    elif found := _MOVE.match(text):
        yield from _moves(found, lexicon)


def _pieces(letter: str | None, lexicon: Lexicon) -> tuple[tuple[Piece | None, bool], ...]:
    return lexicon.pieces_for(letter.upper()) if letter else ((None, True),)


def _moves(found: re.Match[str], lexicon: Lexicon) -> Iterator[Reading]:
    origin = Place(found["ofile"], found["orank"])
    for piece, piece_likely in _pieces(found["piece"], lexicon):
        for promotion, promotion_likely in _promotions(found, lexicon):
            yield Reading(
                MovePattern(
                    Place(found["tfile"], found["trank"]),
                    piece,
                    origin,
                    capture=bool(found["capture"]),
                    promotion=promotion,
                    en_passant=bool(found["ep"]),
                    check=_CHECKS[found["check"]],
                ),
                piece_likely and promotion_likely,
            )


def _promotions(found: re.Match[str], lexicon: Lexicon) -> tuple[tuple[Piece | None, bool], ...]:
    letter = found["promotion"]
    if letter and letter.islower() and letter in "qrbn":
        # UCI writes the promotion as a small English letter; in the user's language it may be another piece.
        uci = Piece(letter.upper())
        own = [
            (piece, False) for piece, likely in lexicon.pieces_for(letter.upper()) if likely and piece != uci
        ]
        return ((uci, True), *own)
    return _pieces(letter, lexicon)


def write(move: Move) -> str:
    """An announcement in notation with English letters, as far as it was said: "Ng1f3", "exd6", "O-O"."""
    if isinstance(move, Castling):
        return ("O-O" if move.side is Side.SHORT else "O-O-O") + move.check
    told = move.origin != Place() or move.target != Place()
    piece = "" if move.piece is None or (move.piece is Piece.PAWN and told) else move.piece
    capture = "x" if move.capture else ""
    promotion = f"={move.promotion}" if move.promotion else ""
    return f"{piece}{move.origin}{capture}{move.target}{promotion}{move.check}"
