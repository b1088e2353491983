# SPDX-License-Identifier: GPL-3.0-or-later
"""What an utterance can mean: a move, castling, an answer, a number, a piece, a command (no board)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Piece(StrEnum):
    """The six pieces, by their English letters."""

    KING = "K"
    QUEEN = "Q"
    ROOK = "R"
    BISHOP = "B"
    KNIGHT = "N"
    PAWN = "P"


class Side(StrEnum):
    """The two ways to castle."""

    SHORT = "short"
    LONG = "long"


class Check(StrEnum):
    """What a move does to the king, with its sign in SAN."""

    NONE = ""
    CHECK = "+"
    MATE = "#"


class CommandName(StrEnum):
    """Everything that can be asked or ordered; its words are in `words/languages/*.toml`."""

    REPEAT = "repeat"
    CORRECTION = "correction"
    LAST_MOVE = "last_move"
    TURN = "turn"
    CLOCK = "clock"
    POSITION = "position"
    PIECES = "pieces"
    SQUARE = "square"
    RANK = "rank"
    FILE = "file"
    LEGAL = "legal"
    MATERIAL = "material"
    MOVES = "moves"
    HELP = "help"
    DRAW = "draw"
    RESIGN = "resign"
    STOP = "stop"
    TAKE_BACK = "take_back"
    HINT = "hint"
    EVALUATE = "evaluate"
    WHY = "why"
    TOUCHED = "touched"
    ADJUST = "adjust"
    CLAIM_THREEFOLD = "claim_threefold"
    CLAIM_FIFTY = "claim_fifty"
    CLAIM_FLAG = "claim_flag"
    CLAIM_DRAW = "claim_draw"
    CLAIM_ILLEGAL = "claim_illegal"
    PRESS = "press"
    ADJOURN = "adjourn"
    ARBITER = "arbiter"
    LAWS = "laws"
    CLOCK_STOP = "clock_stop"
    SIGN = "sign"
    PAWNS = "pawns"
    ATTACKERS = "attackers"
    DEFENDERS = "defenders"
    PINNED = "pinned"
    MOVERS = "movers"
    CHECKS = "checks"
    CAPTURES = "captures"
    LAST_MOVES = "last_moves"
    MOVE_AT = "move_at"
    CAPTURED = "captured"
    RIGHTS = "rights"
    REPETITIONS = "repetitions"
    QUIET_MOVES = "quiet_moves"
    OPENING = "opening"
    MORE = "more"
    FASTER = "faster"
    SLOWER = "slower"
    HIGHER = "higher"
    LOWER = "lower"
    LOUDER = "louder"
    SOFTER = "softer"
    MORE_WORDS = "more_words"
    FEWER_WORDS = "fewer_words"
    SOUNDS = "sounds"
    HANDS_FREE = "hands_free"
    PUSH_TO_TALK = "push_to_talk"
    STOP_LISTENING = "stop_listening"
    LISTEN = "listen"
    LANGUAGE = "language"
    CONVENTION = "convention"
    MADE = "made"
    ACCEPT = "accept"
    NEW_GAME = "new_game"
    REMATCH = "rematch"
    WEB = "web"
    WEB_REVOKE = "web_revoke"
    WEB_CODE = "web_code"
    ABORT = "abort"
    CLAIM_VICTORY = "claim_victory"
    CHAT = "chat"
    CHAT_ALOUD = "chat_aloud"
    NEXT_PAIRING = "next_pairing"
    PLAY_ONLINE = "play_online"


# What changes how the program speaks, tells, sounds and listens: available everywhere, and no part of a game.
PREFERENCES = frozenset(
    {
        CommandName.FASTER,
        CommandName.SLOWER,
        CommandName.HIGHER,
        CommandName.LOWER,
        CommandName.LOUDER,
        CommandName.SOFTER,
        CommandName.MORE_WORDS,
        CommandName.FEWER_WORDS,
        CommandName.SOUNDS,
        CommandName.HANDS_FREE,
        CommandName.PUSH_TO_TALK,
        CommandName.STOP_LISTENING,
        CommandName.LISTEN,
    }
)
# Questions about the board, not the score: the opponent may not hear what a player asks about it.
ABOUT_THE_BOARD = frozenset(
    {
        CommandName.POSITION,
        CommandName.PIECES,
        CommandName.SQUARE,
        CommandName.RANK,
        CommandName.FILE,
        CommandName.LEGAL,
        CommandName.MATERIAL,
        CommandName.PAWNS,
        CommandName.ATTACKERS,
        CommandName.DEFENDERS,
        CommandName.PINNED,
        CommandName.MOVERS,
        CommandName.CHECKS,
        CommandName.CAPTURES,
        CommandName.CAPTURED,
        CommandName.RIGHTS,
        CommandName.REPETITIONS,
        CommandName.QUIET_MOVES,
    }
)
# What can be asked about a game that nobody here is playing: all other commands need one in progress.
QUESTIONS = ABOUT_THE_BOARD | {
    CommandName.REPEAT,
    CommandName.LAST_MOVE,
    CommandName.TURN,
    CommandName.CLOCK,
    CommandName.MOVES,
    CommandName.HELP,
    CommandName.STOP,
    CommandName.LAST_MOVES,
    CommandName.OPENING,
    CommandName.MORE,
}


@dataclass(frozen=True, slots=True)
class Place:
    """A square, or the part of it that was said: file "a" to "h", rank "1" to "8"."""

    file: str | None = None
    rank: str | None = None

    @property
    def complete(self) -> bool:
        """Whether both parts are known."""
        return self.file is not None and self.rank is not None

    def __str__(self) -> str:
        return (self.file or "") + (self.rank or "")


@dataclass(frozen=True, slots=True)
class MovePattern:
    """A move as far as it was said; with every part filled in, it is a full announcement.

    Without a piece it means a pawn, unless `any_piece`. `capture` false means that no capture was said, not
    that there is none.
    """

    target: Place
    piece: Piece | None = None
    origin: Place = field(default_factory=Place)
    capture: bool = False
    promotion: Piece | None = None
    en_passant: bool = False
    check: Check = Check.NONE

    @property
    def any_piece(self) -> bool:
        """Whether any piece will do: what is on its first square ("g1 f3"), or what takes ("takes d4").

        What is promoted or takes en passant is a pawn.
        """
        takes = self.capture and self.origin == Place() and not (self.promotion or self.en_passant)
        return self.piece is None and (self.origin.complete or takes)

    @property
    def whole(self) -> bool:
        """Whether no part is missing: "knight f" lacks a rank; for a pawn that takes, "exd" is enough."""
        if self.target.complete:
            return self.origin.complete or not self.any_piece
        takes = self.capture and self.origin.file and self.target.file
        return bool(takes) and self.piece in (None, Piece.PAWN) and not self.any_piece

    @property
    def file_alone(self) -> bool:
        """Whether only a file was said, which also answers questions."""
        return self.target.file is not None and self == MovePattern(Place(self.target.file))


@dataclass(frozen=True, slots=True)
class Castling:
    """Kurze or Lange Rochade."""

    side: Side
    check: Check = Check.NONE


@dataclass(frozen=True, slots=True)
class Answer:
    """Yes or no; `colour`: of whom it was said to be ("white", "black"), "" if that was not said."""

    yes: bool
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number alone, said digit by digit: the choice from a numbered list, a move's number, a time."""

    value: int


@dataclass(frozen=True, slots=True)
class PieceNamed:
    """A piece alone, as the answer to "which piece?", or the beginning of an announcement.

    `colour`: its side ("white", "black"), "" if that was not said. `check`: what it gives, made of a pawn.
    """

    piece: Piece
    colour: str = ""
    check: Check = Check.NONE


@dataclass(frozen=True, slots=True)
class ColourNamed:
    """A colour alone ("white", "black"), as the answer to a question about a side or a square."""

    colour: str


@dataclass(frozen=True, slots=True)
class Command:
    """A question or an order, with the piece, place, side ("white", "black") or number that it is about.

    `choice`: the language or the convention that is chosen, by its name ("pt", "nato"). `about`: the command
    that help is wanted on, perhaps with its choice.
    """

    name: CommandName
    piece: Piece | None = None
    place: Place = field(default_factory=Place)
    colour: str = ""
    number: int | None = None
    about: CommandName | None = None
    choice: str = ""


Move = MovePattern | Castling
Meaning = MovePattern | Castling | Answer | Number | PieceNamed | ColourNamed | Command


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of an utterance.

    `likely` is false for what the words mean only in another language or in careless writing, and for each of
    the two ways to castle if none was said: such a reading is offered as a question, and only if no likely
    one is legal.
    """

    meaning: Meaning
    likely: bool = True


@dataclass(frozen=True, slots=True)
class Called:
    """A language or a convention, to be told by its name: what a `CommandName` chooses, such as "pt"."""

    chosen: CommandName
    name: str


@dataclass(frozen=True, slots=True)
class Wording:
    """One of the ways to say a command, by its place among them, to be told with an example."""

    name: CommandName
    choice: str
    number: int


@dataclass(frozen=True, slots=True)
class Distinct:
    """A file, a rank or a piece, to be told in words that nobody takes for those of the `others`."""

    said: Place | Piece
    others: tuple[Place | Piece, ...]
