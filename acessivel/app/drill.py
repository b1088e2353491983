# SPDX-License-Identifier: GPL-3.0-or-later
"""A round of a drill as an activity: replies by voice, keys and display -> the round -> what is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType

from acessivel.app.activity import (
    Activity,
    Input,
    InputEnded,
    KeyPressed,
    Output,
    Pointed,
    Prefer,
    Tell,
    TellLater,
    TypedText,
    Uttered,
    View,
    asking_yes_or_no,
)
from acessivel.app.hearing import Hearing
from acessivel.app.leaving import Leaving
from acessivel.devices.devices import Devices
from acessivel.devices.keys import orders
from acessivel.dialogue.interpretation import Context
from acessivel.dialogue.interpretation import Question as Asked
from acessivel.drills.announcements import PromotionQuestion
from acessivel.drills.question import DrillQuestion, Reply
from acessivel.drills.round import Round
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.queries.exploration import TELLING
from acessivel.rules.position import BLACK, WHITE, Position
from acessivel.session.state import State
from voices.grammar import grammar
from voices.meaning import (
    PREFERENCES,
    Answer,
    Command,
    CommandName,
    Meaning,
    MovePattern,
    Piece,
    PieceNamed,
    Place,
)
from voices.understanding import piece_answers
from voices.understanding.meanings import read_heard, read_typed

# A key about a square on the board is one of a game; about the pawns it can ask without a square.
_OF_A_DRILL = frozenset(CommandName) - TELLING.keys() | {CommandName.PAWNS}


def _key(piece: Piece) -> str:
    """What a routing key over a piece in the row of answers does."""
    return f"piece_{piece.name.lower()}"


_PIECES = {_key(piece): piece for piece in Piece}


class DrillActivity(Activity):
    """Asks the questions of a round, and takes the replies to each of them."""

    kind = "drill"

    def __init__(
        self,
        round_: Round,
        devices: Devices,
        words: tuple[str, str],
        finish: Callable[[], tuple[Message, ...]],
    ) -> None:
        """`words`: the user's language and convention; `finish` stores the score and says so."""
        self._round = round_
        self._devices = devices
        self._language, self._usual = words
        self._finish = finish
        self._leaving = Leaving(*words)
        self._hearing = Hearing()
        self._origin: Place | None = None  # the origin of a move that is being pointed at

    @property
    def words(self) -> tuple[str, str]:
        """The user's; a question may be asked and answered in another convention."""
        return self._language, self._usual

    def start(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # a drill has no clock
        """The first question."""
        told = self._round.begin()
        self.over = self._round.over
        return (Tell(told),)

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:
        """Take a reply, however it is given."""
        outputs = self._leaving.handle(input_, self)
        if outputs is None:
            outputs = self._handled(input_, now_ms)
        self._hearing.happened(input_, told=bool(outputs))
        self.over = self.over or self._round.over
        return outputs

    def _handled(self, input_: Input, now_ms: int) -> Sequence[Output] | None:
        match input_:
            case KeyPressed("send"):
                return self._answer(yes=True)
            case KeyPressed("cancel"):
                return self._answer(yes=False)
            case TypedText(text):
                return self._say(self._reply(text, spoken=False))
            case Uttered():
                return self._spoken(input_, now_ms)
            case Pointed(square):
                return self._point(Place(*square))
            case KeyPressed(action) if piece := _PIECES.get(action):
                return self._say(Reply((PieceNamed(piece),)))
            case KeyPressed("keys"):
                return self._command(CommandName.HELP)
            case KeyPressed(action) if action in _OF_A_DRILL:
                return self._command(CommandName(action))
            case KeyPressed(action) if order := orders().get(action):
                return self._say(Reply((order,)))
            case InputEnded(last=True):
                self.over = True
                return ()
        return None

    def leave(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002
        """Store the score of what was answered, and say so."""
        return (Tell((*self._finish(), Message.of("goodbye"))),)

    def expectation(self) -> tuple[str, Sequence[str]]:
        """What can answer the open question, in the words of its answers."""
        leaving = self._leaving.expectation()
        return leaving or grammar.expectation((), self._convention, self._language, self._answers)

    def pending(self) -> tuple[Message, ...]:
        """The question."""
        return self._leaving.question or self._round.repeat()

    def view(self, told: Sequence[Message]) -> View:  # noqa: ARG002
        """The board, if the question has one, seen by the side to move; yes and no where they answer it."""
        question = self._round.question
        commands = (self._round.commands | PREFERENCES | {CommandName.STOP}) & _OF_A_DRILL
        view = self._leaving.shown(replace(self._board(question), commands=commands))
        if question is None or self._leaving.question:
            return view
        return asking_yes_or_no(view, question.ask) if question.yes_or_no else self._with_pieces(view)

    def _with_pieces(self, view: View) -> View:
        """What the display shows, with the pieces in a row where one of them is the answer."""
        named = {
            Message.of("drill_piece", piece=answer.piece): _key(answer.piece)
            for answer in self._answers
            if isinstance(answer, PieceNamed)
        }
        return replace(view, answers=MappingProxyType(named), lines=tuple(named)) if named else view

    def _board(self, question: DrillQuestion | None) -> View:
        if question is None or not question.board:
            return View()
        position = question.position or Position.start()
        setup = Setup.of(
            language=self._language,
            convention=self._usual,
            fen=position.fen,
            opponent="engine",
            colour=BLACK if position.turn == BLACK else WHITE,
        )
        return View(State.new(setup))

    @property
    def _convention(self) -> str:
        return self._round.question.convention(self._usual) if self._round.question else self._usual

    @property
    def _answers(self) -> tuple[Meaning, ...]:
        return self._round.question.answers if self._round.question else ()

    def _answer(self, *, yes: bool) -> Sequence[Output] | None:
        """The key for yes or no, if that answers the question, or ends a round that is closing."""
        question = self._round.question
        return self._say(Reply((Answer(yes),))) if question is None or question.yes_or_no else None

    def _point(self, square: Place) -> Sequence[Output]:
        """Take a pointed square; if a move is asked for, its origin and then its target.

        The origin again takes it back; a king castles by its rook's square too.
        """
        question = self._round.question
        origin, self._origin = self._origin, None
        if question is None or question.position is None:
            return self._say(Reply((MovePattern(square),)))
        if origin is None:
            self._origin = square
            return (Tell((Message.of("drill_from", square=square), *question.ask)),)
        if origin == square:
            return (Tell(question.ask),)
        castling = question.position.castling(origin, square)
        return self._say(Reply((castling.meaning if castling else MovePattern(square, origin=origin),)))

    def _command(self, name: CommandName) -> Sequence[Output]:
        return self._say(Reply((Command(name),)))

    def _reply(self, words: str, *, spoken: bool) -> Reply:
        """The likely meanings of words in the convention of the question; unlikely ones only without them."""
        how = self._language, self._convention
        asks = isinstance(self._round.question, PromotionQuestion)
        pieces = piece_answers.read(words, *how, spoken=spoken) if asks else ()
        found = pieces or (read_heard if spoken else read_typed)(words, *how)
        likely = tuple(reading.meaning for reading in found if reading.likely)
        return Reply(likely or tuple(reading.meaning for reading in found), words)

    def _spoken(self, spoken: Uttered, now_ms: int) -> Sequence[Output]:
        """Take a spoken reply only if it answers the open question, and was clearly heard."""
        if not (spoken.timely or self._devices.microphone.takes_early):
            return ()
        question = self._round.question
        position = (question and question.position) or Position.start()
        words = grammar.in_words(self._answers, self._convention, self._language)
        asked = Asked((*grammar.answers(self._convention, self._language), *words), self._devices.least_yes)
        where = Context(position, self._convention, self._language, asked)
        decided, _ = self._hearing.decided(spoken.utterance, where, question, now_ms)
        if not (decided.readings and decided.sure):
            advice = self._hearing.advice(spoken.utterance, self._devices)
            return (*map(TellLater, advice), Tell((Message.of("not_understood"),)))
        reply = self._reply(decided.readings[0], spoken=True)
        if question and not spoken.timely and not isinstance(next(iter(reply.meanings), None), Command):
            return (Tell((Message.of("answer_early"), *self.pending())),)
        return self._say(reply, spoken=True)

    def _say(self, reply: Reply, *, spoken: bool = False) -> Sequence[Output]:
        """The verdict; commands about voice, sentences and sounds are no reply."""
        first = reply.meanings[0] if reply.meanings else None
        if isinstance(first, Command) and first.name in PREFERENCES:
            return (Prefer(first.name),)
        if isinstance(first, Command) and first.name is CommandName.STOP:
            return self._leaving.ask()
        self._origin = None
        told = self._round.say(reply, spoken=spoken)
        return (Tell(told),) if told else ()
