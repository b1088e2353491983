# SPDX-License-Identifier: GPL-3.0-or-later
"""The arbiter's desk of a hall as an activity: by voice, keys, display and page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from acessivel.app.activity import (
    Activity,
    Input,
    KeyPressed,
    ListLeft,
    Output,
    Pointed,
    Prefer,
    Refresh,
    Reported,
    SpeechOver,
    Tell,
    TimePassed,
    TypedText,
    Uttered,
    View,
)
from acessivel.app.desk_page import DeskPages
from acessivel.app.leaving import Leaving
from acessivel.devices.board_cursor import BoardCursor
from acessivel.devices.devices import Devices
from acessivel.devices.keys import HALL, actions, orders
from acessivel.dialogue import arbiter_menu
from acessivel.hall import desk_news, desk_orders, desk_sentences
from acessivel.hall.desk import Announces, Decides, Desk, DeskNews, DeskStep, DeskSure, Wish
from acessivel.hall.desk_link import StoreNews
from acessivel.hall.round_clerk import BroadcastNews, RoundNews
from acessivel.hall.store import Proposal, Taken
from acessivel.message import Duration, Message, Messages
from acessivel.messages.rendering import Renderer
from acessivel.queries import exploration
from acessivel.session import events as ev
from acessivel.session import long_answers
from acessivel.session.state import State
from acessivel.web.hall_view import ARBITERS
from voices.grammar import grammar
from voices.hearing import decision
from voices.hearing.evidence import Weighed
from voices.meaning import PREFERENCES, QUESTIONS, Command, CommandName, Place
from voices.understanding import desk_words
from voices.understanding.desk_words import DeskOrder, DeskWord
from voices.understanding.meanings import read_typed, yes_or_no
from voices.words.lexicon import Sounds, vocabulary

_PATIENCE_MS = 2000  # after which what is urgent is told into what is being said
_TICK_MS = 1000  # between two looks at clocks that run
# An order of so many words is hardly heard where something else was said, so it needs to be less probable: of
# 1,071 orders by synthetic voices 63 more were right, and no more of them wrong, or heard in other talk.
_LONG_ORDER, _LEAST_OF_LONG = 4, 0.4


class DeskActivity(Activity):
    """One arbiter at his desk: what the hall tells comes to him, what he decides goes to its tables."""

    kind = "hall"

    def __init__(  # noqa: PLR0913  # whose desk, on what devices, of which hall
        self,
        by: str,
        words: tuple[str, str],
        devices: Devices,
        wish: Callable[[Wish], None],
        unsent: Callable[[], bool] = lambda: False,
        *,
        confirm: str = "any",
        delay_ms: int = 0,
    ) -> None:
        """`by`: the arbiter's name; `words`: his language and convention. `wish` asks the store for a thing.

        `unsent`: whether the store lacks such a thing. `confirm`: what may say yes, as of `session.State`;
        `delay_ms`: how much later everybody else may see.
        """
        self._desk = Desk(by, words)
        self._words, self._devices, self._wish, self._confirm = words, devices, wish, confirm
        self._unsent, self._delay_ms = unsent, delay_ms
        self._leaving = Leaving(*words)
        self._cursor = BoardCursor()
        self._shown = DeskPages(words, delay_ms)
        self._last: Messages = ()
        self._rest: Messages = ()
        self._heard_ms = 0  # when the last news came, on the loop's clock
        self._since_ms: int | None = None  # since when something waits to be told
        self._lost = self._round_over = False
        self._following: Mapping[int, Message] = MappingProxyType({})

    @property
    def words(self) -> tuple[str, str]:
        """The arbiter's language and convention."""
        return self._words

    @property
    def sounds(self) -> Sounds:
        """The pronunciations of what is said at the desk."""
        return desk_words.words(self._words[0]).sounds

    def start(self, now_ms: int) -> Sequence[Output]:
        """Whose desk it is, and what can be said."""
        self._heard_ms = now_ms
        language, table = self._words[0], desk_words.example(DeskWord.TABLE, self._words[0], 1)
        says = {word.value: desk_words.example(word, language) for word in (DeskWord.NEXT, DeskWord.QUEUE)}
        opening = Message.of("desk_opening", by=self._desk.by)
        return self._tell((opening, Message.of("desk_how", table=table, **says)))

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:
        """Tell what comes from the hall, or do what the arbiter says."""
        outputs = self._leaving.handle(input_, self)
        if outputs is None:
            outputs = self._handled(input_, now_ms)
        return outputs

    def _handled(self, input_: Input, now_ms: int) -> Sequence[Output] | None:  # one for each kind
        match input_:
            case Reported(value):
                return self._reported(value, now_ms)
            case TimePassed(quiet):
                return self._time(now_ms, quiet=quiet)
            case SpeechOver():
                return None
            case TypedText(text, by=by):
                if by not in ("", *ARBITERS):
                    return ()
                return self._said(text, now_ms)
            case Uttered():
                return self._heard(input_, now_ms)
            case KeyPressed(action):
                return self._pressed(action, now_ms)
            case Pointed(square):
                return self._at_board(ev.SquarePointed(square=square), now_ms)
            case ListLeft():
                return self._yes_or_no(yes=False) if self._desk.asked else self._tell(self._last)
        return None

    # What the hall tells

    def _reported(self, value: object, now_ms: int) -> Sequence[Output] | None:
        match value:
            case DeskNews() as news:
                first = not self._desk.ready
                self._desk = desk_news.informed(self._desk, news)
                self._heard_ms = now_ms
                self._shown.informed(self._desk, news)
                if first:
                    return self._tell(desk_sentences.summary(self._desk))
                if self._desk.has_news and self._since_ms is None:
                    self._since_ms = now_ms
                return (Refresh(),)
            case Proposal() as proposal:
                self._desk = desk_news.sent(self._desk, proposal)
                return ()
            case Taken() as taken:
                return self._done(desk_news.took(self._desk, taken))
            case RoundNews() as news:
                return self._round_news(news)
            case BroadcastNews(told):
                return self._tell((*told, *self.pending()))
            case StoreNews() as news:
                return self._store_news(news)
        return None

    def _round_news(self, news: RoundNews) -> Sequence[Output]:
        """Know who sits where, let the tables know what comes next, and tell what is odd or over."""
        self._desk = replace(
            self._desk,
            seats=news.seats,
            counted=news.games,
            results=news.results,
            unbegun=news.unbegun,
            coming=news.coming,
        )
        told = news.told
        newly = news.over and not self._round_over
        if newly and news.last:
            told += (Message.of("last_round_over", round=news.number),)
        elif newly and news.coming == news.number + 1:
            pair = desk_words.example(DeskWord.PAIR, self._words[0])
            told += (Message.of("round_over", round=news.number, pair=pair),)
        self._round_over = news.over
        if news.next != self._following:
            self._following = news.next
            for wish in desk_orders.next_paired(self._desk, news.next):
                self._wish(wish)
        return self._tell((*told, *self.pending())) if told else (Refresh(),)

    def _store_news(self, news: StoreNews) -> Sequence[Output]:
        changed, self._lost = news.lost != self._lost, news.lost
        told = [Message.of("desk_not_sent")] if news.unsent else []
        if news.late:
            told.append(Message.of("desk_late"))
        if changed:
            told.append(Message.of("desk_store_lost" if news.lost else "desk_store_back"))
        return self._tell((*told, *self.pending())) if told else ()

    def _time(self, now_ms: int, *, quiet: bool) -> Sequence[Output]:
        """Tell what came up once nothing else is being said, or what is urgent after a moment."""
        if self._since_ms is None or not (quiet or self._overdue(now_ms)):
            return ()
        self._since_ms = None
        self._desk, told = desk_news.told_news(self._now(now_ms))
        return (Tell(told),) if told else ()  # whole: what comes up is not left behind "more"

    def _overdue(self, now_ms: int) -> bool:
        waited = now_ms - self._since_ms if self._since_ms is not None else 0
        return self._desk.urgent and waited >= _PATIENCE_MS

    def wakes_in_ms(self, now_ms: int, *, quiet: bool) -> int | None:
        """When something that came up can be told; else each second while a clock is shown."""
        if self._since_ms is not None and quiet:
            return 0
        if self._since_ms is not None and self._desk.urgent:
            return max(0, self._since_ms + _PATIENCE_MS - now_ms)
        game = self._desk.game
        return _TICK_MS if game and game.clocks.running else None

    def _now(self, now_ms: int) -> Desk:
        """The desk with the hall's clock as it is now."""
        return replace(self._desk, now_ms=self._desk.now_ms + max(0, now_ms - self._heard_ms))

    # What the arbiter says

    def _heard(self, spoken: Uttered, now_ms: int) -> Sequence[Output]:
        """Take what was said; what answers a question only if that can have been heard."""
        language, convention = self._words
        asked = self._desk.asked is not None
        if asked and not (spoken.timely or self._devices.microphone.takes_early):
            return ()
        answers = (
            *grammar.answers(convention, language),
            *desk_words.answers(self._desk.expects(), convention, language),
        )
        decided = decision.decide(
            spoken.utterance.hypotheses,
            grammar.yeses(convention, language),
            lambda words: desk_words.read_order(words, language, convention) or words,
            self._devices.least_yes,
            answers if asked else (),
            _LEAST_OF_LONG,
        )
        if not (decided.readings and decided.sure and self._is_sure(decided.weighed[0])):
            return self._tell((Message.of("not_understood"), *self.pending()), keep=False)
        text = decided.readings[0]
        if asked and yes_or_no(read_typed(text, *self._words)) is not None and not spoken.timely:
            return self._tell((Message.of("answer_early"), *self.pending()), keep=False)
        if self._confirm == "key" and text in grammar.yeses(convention, language) and self._commits:
            return self._tell((Message.of("desk_yes_by_key"), *self.pending()), keep=False)
        return self._said(text, now_ms)

    def _is_sure(self, heard: Weighed) -> bool:
        """Whether what was heard is probable enough."""
        if heard.probability >= decision.REPEAT:
            return True
        read = desk_words.read_order(heard.words, *self._words)
        return isinstance(read, DeskOrder) and bool(read.word) and len(heard.words.split()) >= _LONG_ORDER

    @property
    def _commits(self) -> bool:
        """Whether a yes would send something."""
        asked = self._desk.asked
        return isinstance(asked, DeskSure) or (isinstance(asked, Decides) and not asked.deciding.missing)

    def _said(self, text: str, now_ms: int) -> Sequence[Output]:
        asked = self._desk.asked
        if isinstance(asked, Decides) and (score := arbiter_menu.score_written(asked.deciding, text)):
            return self._ordered(DeskOrder(number=score), now_ms)
        match desk_words.read_order(text, *self._words):
            case DeskOrder() as order:
                return self._ordered(order, now_ms)
            case Command() as command:
                return self._asked(command, now_ms)
        yes = yes_or_no(read_typed(text, *self._words))
        if yes is not None:
            return self._yes_or_no(yes=yes)
        return self._tell((Message.of("not_understood"), *self.pending()), keep=False)

    def _pressed(self, action: str, now_ms: int) -> Sequence[Output] | None:
        """A key of the table, a line of the display, or the board under the fingers."""
        if action in HALL:
            return self._ordered(DeskOrder(HALL[action]), now_ms)
        if action in ("send", "cancel") and self._desk.asked and not self._cursor.square:
            return self._yes_or_no(yes=action == "send")
        if action == "send" and self._rest:
            return self._asked(Command(CommandName.MORE), now_ms)
        state = self._desk.state
        if state and (event := self._cursor.act(action, state)):
            return self._at_board(event, now_ms)
        if order := orders().get(action):
            return self._asked(order, now_ms)
        return None if action in actions() else self._said(action, now_ms)

    def _ordered(self, order: DeskOrder, now_ms: int) -> Sequence[Output]:
        self._cursor = BoardCursor()
        return self._done(desk_orders.ordered(self._now(now_ms), order))

    def _yes_or_no(self, *, yes: bool) -> Sequence[Output]:
        return self._done(desk_orders.answered(self._desk, yes=yes))

    def _done(self, step: DeskStep) -> Sequence[Output]:
        """Ask the store for what is wished, and tell what there is to be told."""
        self._desk, told, wishes = step
        for wish in wishes:
            self._wish(wish)
        return self._tell(told) if told else (Refresh(),)

    def _asked(self, command: Command, now_ms: int) -> Sequence[Output]:
        """Answer a question about the game at the table, or about the desk."""
        match command.name:
            case CommandName.STOP:
                self._leaving.ask()
                return (Tell((*self._undone(), *self.pending())),)
            case name if name in PREFERENCES:
                return (Prefer(name),)
            case CommandName.REPEAT:
                return self._tell(self._last or self.pending())
            case CommandName.MORE:
                more = self._rest or (Message.of("more_not"),)
                return self._tell((*more, *self.pending()))
            case CommandName.HELP:
                return self._tell(self._help())
        desk = self._now(now_ms)
        told = desk_orders.asked_about(desk, command) or (Message.of("not_understood"),)
        return self._tell((*told, *self.pending()))

    def _undone(self) -> Iterator[Message]:
        """What is lost if he stops now."""
        if self._unsent():
            yield Message.of("desk_unsent")
        if self._desk.seats and self._shown.held:
            yield Message.of("desk_delayed", time=Duration(self._delay_ms))

    def _at_board(self, event: ev.Event, now_ms: int) -> Sequence[Output]:
        """What a key or the board cursor asks about the game at the table."""
        state = self._desk.state
        if state is None:
            return self._tell((desk_orders.which_table(self._desk),), keep=False)
        self._cursor.follow(event)
        match event:
            case ev.Explored(what=what, square=square):
                return self._tell(exploration.told(what, Place(*square), state.game, 0), keep=False)
            case ev.SquarePointed(square=square):
                return self._tell(exploration.told("square", Place(*square), state.game, 0), keep=False)
            case ev.Ordered():
                return self._asked(event.meaning, now_ms)
        return self._tell(self._last)

    def _help(self) -> Messages:
        if self._desk.asked:
            return Message.of("desk_help_asked"), *self.pending()
        language = self._words[0]
        orders = tuple(desk_words.example(word, language) for word in DeskWord)
        questions = tuple(name for name in CommandName if name in QUESTIONS)
        return Message.of("desk_help", orders=orders), Message.of("desk_help_game", questions=questions)

    def _tell(self, messages: Messages, *, keep: bool = True) -> Sequence[Output]:
        """Tell as much as fits into a portion, and that there is more; `keep`: it can be repeated."""
        told = self.long_answer(messages)
        if keep:
            self._last = told
        return (Tell(told),)

    # What the loop asks

    def expectation(self) -> tuple[str, Sequence[str]]:
        """Orders, the numbers of the tables or of what is asked, and questions."""
        language, convention = self._words
        tables = tuple(sorted(self._desk.hall.tables.keys() | self._desk.seats.keys()))
        most = max(self._desk.expects(), default=0)
        return self._leaving.expectation() or desk_words.expectation(convention, language, tables, most)

    def pending(self) -> Messages:
        """What is asked."""
        return self._leaving.question or desk_sentences.question(self._desk)

    def long_answer(self, messages: Messages) -> Messages:
        """The first portion; an open question is not divided from its list."""
        if self._desk.asked:
            self._rest = ()
            return messages
        told, self._rest = long_answers.first(messages, Renderer(*self._words))
        return (*told, *((Message.of("more_follows"),) if self._rest else ()))

    def view(self, told: Sequence[Message]) -> View:  # noqa: ARG002  # the same whatever is told
        """The board of the table, what waits, and what can be pressed."""
        desk, lines = self._desk, desk_sentences.lines(self._desk)
        return self._leaving.shown(
            View(
                self._state(),
                self._cursor.square,
                self._actions(),
                lines=lines or (Message.of("desk_quiet"),),
                hall=self._shown.hall(desk, self._answers()),
            )
        )

    def _state(self) -> State | None:
        """The game at the table with what is asked about it; nothing while something is asked about all."""
        desk = self._desk
        match desk.asked:
            case DeskSure() | Announces():
                return None
            case Decides(deciding=deciding) if desk.state:
                return replace(desk.state, asking=deciding)
        return desk.state

    def _actions(self) -> Mapping[Message, str]:
        """The table of each case, the number of each line, and the yes of a question."""
        desk, language = self._desk, self._words[0]
        at = {**desk_sentences.tables_of(desk)} | {case.message: case.table for case in desk.waiting}
        actions = {
            message: desk_words.example(DeskWord.TABLE, language, table) for message, table in at.items()
        }
        match desk.asked:
            case DeskSure(question):
                actions[question] = self._yes(yes=True)
            case Announces():
                lines = desk_sentences.question(desk)[1:]
                actions |= {line: str(number) for number, line in enumerate(lines, 1)}
        return MappingProxyType(actions)

    def _answers(self) -> tuple[str, ...]:
        """The words that answer what is asked, for the page."""
        asked = self._desk.asked
        if asked is None:
            return ()
        numbers = tuple(map(str, self._desk.expects()))[:20]
        yes = () if numbers else (self._yes(yes=True),)
        return (*yes, *numbers, self._yes(yes=False))

    def _yes(self, *, yes: bool) -> str:
        return vocabulary(self._words[0]).say("answer", "yes" if yes else "no")

    def leave(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002
        """Goodbye."""
        return (Tell((Message.of("goodbye"),)),)
