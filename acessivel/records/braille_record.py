# SPDX-License-Identifier: GPL-3.0-or-later
"""A game -> the paragraphs of its Braille record, and the game again from them; `chess.pgn` holds the game.

A record is the header, one tag a paragraph; an empty line; the moves, broken by comments (in braces) and by
diagrams (under a caption in brackets), with variations in parentheses; the result with its reason. An empty
line separates it from the next record. A comment's commands for programs, such as the time left, stand among
the moves, before its words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import chess
import chess.pgn

from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.queries import openings
from braille.diagram import diagram
from braille.notation import Code
from braille.pages import Found, Paragraph
from braille.patterns import BLANK
from braille.spelling import Spelling, SpellingError
from braille.tokens import BRACKETS, MARKS, OFFER, RESULTS, TokenError

_TAGS = {
    "Event": "tag_event",
    "Site": "tag_site",
    "Date": "tag_date",
    "Round": "tag_round",
    "White": "tag_white",
    "Black": "tag_black",
    "TimeControl": "tag_timecontrol",
    "Termination": "tag_termination",
    "Opening": "tag_opening",
}
# The values of PGN's tag Termination.
_ENDED = {
    "abandoned": "ended_abandoned",
    "adjudication": "ended_adjudication",
    "normal": "ended_normal",
    "rules infraction": "ended_rules_infraction",
    "time forfeit": "ended_time_forfeit",
    "unterminated": "ended_unterminated",
}
_AS_IT_IS = " (PGN)"  # follows what happens to be our word for another tag, or for another value
# What `chess.pgn` gives these tags where a file has none.
_UNKNOWN = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
_NAGS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}  # the numbers of PGN's annotation glyphs
_MARK_OF = {number: mark for mark, number in _NAGS.items()}
_COMMAND = re.compile(r"\[%[^\]]*\]")  # for programs: times, evaluations, arrows
_CLOCK = re.compile(r"\[%clk (\d+:\d\d:\d\d(?:\.\d+)?)\]", re.ASCII)
_ENDINGS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "dead_position",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold",
    chess.Termination.SEVENTYFIVE_MOVES: "seventyfive",
}


class RecordError(Exception):
    """A record that cannot be read, or a game that cannot be written; `message` says where and why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


class IllegalMoveError(RecordError):
    """A game continues with an illegal move; `game` has the moves before it, `number` counts from 1.

    `move`: what stands there, with English letters; `line`: where.
    """

    def __init__(self, message: Message, game: chess.pgn.Game, number: int, move: str, line: int) -> None:
        super().__init__(message)
        self.game = game
        self.number = number
        self.move = move
        self.line = line


@dataclass(frozen=True, slots=True)
class Kept:
    """A game, and the key of the sentence that says why it ended, if more is known than the game says."""

    game: chess.pgn.Game
    reason: str | None = None


def paragraphs(kept: Kept, code: Code, diagrams: Collection[int] = ()) -> Iterator[Paragraph | None]:
    """The record of a game, None being an empty line; diagrams after the half-moves with these numbers.

    A game that does not begin from the initial position has a diagram of its beginning too.
    """
    game = kept.game
    for tag, value in game.headers.items():
        if tag != "Result" and value != _UNKNOWN.get(tag):
            told = _worded(value, _values(tag), code.language)
            yield Paragraph.of_words(code.spelling.write(f"{_label(tag, code.language)}: {told}"))
    yield None
    yield from game.accept(_Writer(code, {*diagrams, *((0,) if "FEN" in game.headers else ())}))
    result = game.headers.get("Result", "*")
    words = [code.tokens.write(result if result in RESULTS else "*")]
    if key := kept.reason or ending(game):
        words.append(code.sentences.write(Renderer(code.language).text(Message.of(key))))
    yield Paragraph.of_words(BLANK.join(words))


def ending(game: chess.pgn.Game) -> str | None:
    """The key of the sentence that says why a game ended, as far as its last position or header shows."""
    if game.headers.get("Result", "*") == "*":
        return None
    if game.headers.get("Termination") == "time forfeit":
        return "end_flag"
    outcome = game.end().board().outcome()
    return f"end_{_ENDINGS[outcome.termination]}" if outcome else None


def _label(tag: str, language: str) -> str:
    return _worded(tag, _TAGS, language)


@cache
def _values(tag: str) -> Mapping[str, str]:
    """The values of a tag that are told in words, and the keys of these; an opening by its English name."""
    if tag == "Opening":
        return {catalogue("en")[key]: key for key in openings.names()}
    return _ENDED if tag == "Termination" else {}


def _worded(text: str, table: Mapping[str, str], language: str) -> str:
    """A tag, or its value, in the words of a language, if a table has a sentence for it."""
    if text in table:
        return catalogue(language)[table[text]]
    return text + _AS_IT_IS * (_bare(text) in _words(table, language))


def _unworded(text: str, table: Mapping[str, str], language: str) -> str:
    """What was worded so; other words stay, as those of older records in English."""
    words = _words(table, language)
    as_it_is = text.removesuffix(_AS_IT_IS) if _bare(text) in words else text
    return words.get(text, as_it_is)


def _bare(text: str) -> str:
    while text.endswith(_AS_IT_IS):
        text = text.removesuffix(_AS_IT_IS)
    return text


def _words(table: Mapping[str, str], language: str) -> dict[str, str]:
    return {catalogue(language)[key]: text for text, key in table.items()}


def _plain(text: str) -> str:
    """A comment's words with one space between them, in letters that have their accents."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _sentence(text: str, spelling: Spelling) -> str:
    """A comment; a word that the code does not have stays in Braille patterns."""
    return " ".join(_word(word, spelling) for word in text.split(BLANK))


def _word(cells: str, spelling: Spelling) -> str:
    try:
        return spelling.read(cells)
    except SpellingError:
        return cells


class _Writer(chess.pgn.BaseVisitor[list[Paragraph]]):
    """Collects the paragraphs of the moves while `chess.pgn` walks through a game."""

    def __init__(self, code: Code, diagrams: Collection[int]) -> None:
        self._code = code
        self._write = code.tokens.write
        self._diagrams = diagrams
        self._done: list[Paragraph] = []
        self._units: list[tuple[str, ...]] = []
        self._numbered = False  # whether Black's next move needs no number
        self._takes_mark = self._takes_offer = False  # whether the last unit is a move without one
        self._depth = self._plies = 0
        self._due: tuple[chess.Board, tuple[str, ...]] | None = None

    def visit_board(self, board: chess.Board) -> None:
        if not board.move_stack and 0 in self._diagrams:
            self._draw(board, ())

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self._draw_due()
        number = ""
        if board.turn == chess.WHITE or not self._numbered:
            number = self._write(f"{board.fullmove_number}{'.' if board.turn == chess.WHITE else '...'}")
        san = board.san(move) + (" e.p." if board.is_en_passant(move) else "")
        self._units.append((number, self._write(san)) if number else (self._write(san),))
        self._numbered = self._takes_mark = self._takes_offer = True
        if not self._depth:
            self._plies += 1
            if self._plies in self._diagrams:
                after = board.copy(stack=False)
                after.push(move)
                self._due = after, (number, self._write(san))

    def visit_nag(self, nag: int) -> None:
        if (mark := _MARK_OF.get(nag)) and self._takes_mark:
            self._units[-1] = (*self._units[-1], self._write(mark))
            self._takes_mark = False
        else:
            self._units.append((self._write(f"${nag}"),))
            self._takes_mark = self._takes_offer = False

    def visit_comment(self, comment: str) -> None:
        sentence = _plain(_COMMAND.sub(" ", comment))
        if sentence == OFFER or sentence.startswith(f"{OFFER} "):  # at the move, before its time
            move = self._units.pop() if self._takes_offer else ()
            self._units.append((*move, self._write(OFFER)))
            self._takes_offer = False
            sentence = sentence.removeprefix(OFFER).strip()
        for command in _COMMAND.findall(comment):
            time = _CLOCK.fullmatch(command)
            cells = self._write(time[1] if time else _plain(command))
            self._units += ((word,) for word in cells.split(BLANK))
            self._takes_offer = False
        if sentence:
            self._draw_due()
            self._end_paragraph()
            bracket = self._code.bracket
            cells = self._code.sentences.write(sentence)
            self._done.append(Paragraph.of_words(f"{bracket('{')}{cells}{bracket('}')}"))

    def begin_variation(self) -> None:
        self._draw_due()
        self._depth += 1
        self._bracket("(")

    def end_variation(self) -> None:
        self._depth -= 1
        self._bracket(")")

    def end_game(self) -> None:
        self._draw_due()
        self._end_paragraph()

    def result(self) -> list[Paragraph]:
        return self._done

    def _bracket(self, bracket: str) -> None:
        self._units.append((self._write(bracket),))
        self._numbered = self._takes_mark = self._takes_offer = False

    def _end_paragraph(self) -> None:
        if self._units:
            self._done.append(Paragraph(tuple(self._units)))
        self._units = []
        self._numbered = self._takes_mark = self._takes_offer = False

    def _draw_due(self) -> None:
        if self._due:
            board, move = self._due
            self._due = None
            self._draw(board, move)

    def _draw(self, board: chess.Board, move: tuple[str, ...]) -> None:
        """A diagram under the move that led to it."""
        self._end_paragraph()
        bracket = self._code.bracket
        lines = tuple((line,) for line in diagram(board.board_fen(), self._code))
        self._done.append(Paragraph(((bracket("["), *move, bracket("]")), *lines), lines=True))


def games(found: Iterable[Found | None], code: Code) -> Iterator[chess.pgn.Game]:
    """The games in a file's paragraphs, one at a time. Raises RecordError with game and line of a mistake."""
    reader = _Reader(code)
    line = 0
    for paragraph in found:
        line = paragraph.line() if paragraph else line
        if paragraph is None:
            reader.empty_line()
        elif game := reader.paragraph(paragraph):
            yield game
    if reader.within or not reader.game:
        early = Message.of("record_ends_early", game=reader.game, line=line)
        raise RecordError(early if reader.within else Message.of("record_empty"))


class _Reader:
    """Drives the builder of `chess.pgn` with the paragraphs; `game` counts the games so far."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self.game = 0
        self.within = False
        self._named = False  # whether the header has named White, as each header does
        self._line = 0
        self._boards: list[chess.Board] = []  # of the main line and the variations around the next move

    def empty_line(self) -> None:
        """The end of the header, if it is being read."""
        if self.within and not self._boards:
            if not self._named:
                raise self._error("record_no_header", self._line, code=self._code.name)
            self._builder.end_headers()
            self._boards = [self._start()]

    def paragraph(self, found: Found) -> chess.pgn.Game | None:
        """Take a paragraph; returns the game if this is its last one."""
        self._line = found.line()
        if not self.within:
            self.game += 1
            self.within = True
            self._boards = []
            self._builder: chess.pgn.GameBuilder[chess.pgn.Game] = chess.pgn.GameBuilder()
            self._builder.begin_game()
            self._named = False
            self._headers = self._builder.begin_headers()
        if not self._boards:
            self._header(found)
        elif found.text.startswith(self._code.bracket("{")):
            self._comment(found.text)
        elif not self._is_caption(found.text):
            return self._moves(found)
        return None

    def _is_caption(self, text: str) -> bool:
        """Whether a diagram stands under this, and no command for programs begins a line of moves."""
        return text.startswith(self._code.bracket("[")) and not self._code.tokens.command(text)

    def _start(self) -> chess.Board:
        try:
            board = self._builder.result().board()
        except ValueError:  # no FEN, or an unknown variant
            board = None
        if type(board) is not chess.Board:
            raise RecordError(Message.of("record_no_position", game=self.game))
        return board

    def _header(self, found: Found) -> None:
        try:
            label, _, value = self._code.spelling.read(found.text).partition(":")
        except SpellingError as error:
            raise self._wrong(found.text, found.line()) from error
        language, value = self._code.language, value.removeprefix(" ")
        tag = _unworded(label, _TAGS, language)
        try:
            self._headers[tag] = _unworded(value, _values(tag), language)
        except ValueError as error:  # no valid tag name
            raise self._wrong(found.text, found.line()) from error
        self._named = self._named or tag == "White"

    def _comment(self, text: str) -> None:
        text = text.removeprefix(self._code.bracket("{")).removesuffix(self._code.bracket("}"))
        self._builder.visit_comment(_sentence(text, self._code.sentences))

    def _moves(self, found: Found) -> chess.pgn.Game | None:
        first = found.text.split(BLANK, 1)[0]
        for result in RESULTS:
            if first == self._code.tokens.write(result):
                return self._end(result, found)
        try:
            for token, place in self._code.tokens.scan(found.text):
                self._token(token, found.line(place))
        except TokenError as error:
            raise self._wrong(error.cells, found.line(error.place)) from error
        return None

    def _end(self, result: str, found: Found) -> chess.pgn.Game:
        if len(self._boards) > 1:
            raise self._error("record_bracket", found.line())
        self._headers["Result"] = result
        self.within = False
        return self._builder.result()

    def _token(self, token: str, line: int) -> None:
        board = self._boards[-1]
        if token == BRACKETS[0]:
            if not board.move_stack:
                raise self._error("record_bracket", line)
            self._builder.begin_variation()
            self._boards.append(board.copy())
            self._boards[-1].pop()
        elif token == BRACKETS[1]:
            if len(self._boards) == 1:
                raise self._error("record_bracket", line)
            self._boards.pop()
            self._builder.end_variation()
        elif token[0].isdigit() and token.endswith("."):
            if token != f"{board.fullmove_number}{'.' if board.turn == chess.WHITE else '...'}":
                raise self._error("record_number", line, number=token)
        elif token.startswith("["):
            self._builder.visit_comment(token)
        elif ":" in token:
            self._builder.visit_comment(f"[%clk {token}]")
        elif token.startswith("$"):
            self._builder.visit_nag(int(token[1:]))
        else:
            self._move(token, line)

    def _move(self, token: str, line: int) -> None:
        """A move with its annotations, or an annotation alone."""
        san = token.removesuffix(OFFER)
        mark = next((mark for mark in MARKS if san.endswith(mark)), "")
        san = san.removesuffix(mark).removesuffix(" e.p.")
        if san:
            board = self._boards[-1]
            try:
                move = board.parse_san(san)
            except ValueError as error:
                wrong = self._error("record_illegal", line, move=san)
                if len(self._boards) == 1:
                    game = self._builder.result()
                    raise IllegalMoveError(wrong.message, game, self.game, san, line) from error
                raise wrong from error
            self._builder.visit_move(board, move)
            board.push(move)
        if mark:
            self._builder.visit_nag(_NAGS[mark])
        if token.endswith(OFFER):
            self._builder.visit_comment(OFFER)

    def _wrong(self, text: str, line: int) -> RecordError:
        return self._error("record_wrong_code", line, word=text[:20], code=self._code.name)

    def _error(self, key: str, line: int, **values: object) -> RecordError:
        return RecordError(Message.of(key, game=self.game, line=line, **values))
