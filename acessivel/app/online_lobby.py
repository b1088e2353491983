# SPDX-License-Identifier: GPL-3.0-or-later
"""Between the games online, as an activity: an opponent is found by voice, keys, display or page."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from acessivel.app import online_sentences as sentences
from acessivel.app.activity import (
    AdoptPreferences,
    Hide,
    Input,
    KeyPressed,
    ListLeft,
    Output,
    Prefer,
    Reported,
    Tell,
    TypedText,
    Uttered,
    View,
    asking_yes_or_no,
)
from acessivel.app.leaving import Leaving
from acessivel.app.numbered_lines import NumberedLines
from acessivel.app.online_reception import OnlineReception
from acessivel.devices.devices import Devices
from acessivel.dialogue.interpretation import Question
from acessivel.message import Message, Messages
from acessivel.online.answers import Challenge, OnlineGame
from acessivel.online.login import LoggedIn
from acessivel.online.reports import ChallengeCame, ChallengeGone, LobbyReport
from acessivel.online.terms import Terms
from acessivel.session.preferences import preference
from voices.grammar import grammar
from voices.hearing import decision
from voices.meaning import Command, CommandName
from voices.understanding import online_words
from voices.understanding.meanings import read_typed, yes_or_no
from voices.understanding.online_words import TIMES, OnlineOrder, OnlineWord, WantedGame
from voices.words.lexicon import Sounds

_DAYS = (1, 3, 7)
_LEVELS = range(1, 9)
_MOST = 9  # games, challenges or names in a list
HOME = "home"
_NAMED = ("names", "watch")  # the lists in which a name can be typed
_COLOURS = ("", "white", "black")
# What can be done only once it is known which games and challenges there are.
_OF_GAMES = (OnlineWord.NEXT_GAME, OnlineWord.GAMES)
_OF_WHAT_THERE_IS = (*_OF_GAMES, OnlineWord.ACCEPT, OnlineWord.DECLINE)

Act = Callable[[], Sequence[Output]]
OfTerms = Callable[[Terms], Messages]


@dataclass(frozen=True, slots=True)
class LobbyNews:
    """Wakes the lobby: something has been reported to it."""


@dataclass(frozen=True, slots=True)
class LobbyLine:
    """A line of a list: what it is called, what follows on its number, what it is about if not its name."""

    name: Message
    does: Act
    about: object = None


class OnlineLobby(NumberedLines):
    """Lists and orders with which games are sought, challenged for, accepted and taken up.

    It is run again after each game, and tells then what has been reported meanwhile. The game to be played is
    `reception.chosen`, the one to be watched `reception.watched`.
    """

    kind = "online"

    def __init__(  # noqa: PLR0913, PLR0917  # what it is opened with
        self,
        reception: OnlineReception,
        devices: Devices,
        words: tuple[str, str],
        wish: Terms,
        reported: deque[LobbyReport],
        opponents: Callable[[], Sequence[str]],
    ) -> None:
        """`wish`: what is wanted where nothing is said; `opponents`: the names of the last ones.

        What is put into `reported`, by any thread, is dealt with when `LobbyNews` is reported to the loop.
        """
        super().__init__(words)
        self.reception, self._devices, self._opponents = reception, devices, opponents
        self._wish, self._place = wish, HOME
        self._then: OfTerms = reception.seek
        self._asked = WantedGame()  # what was said of the game whose time is asked for
        self._sure: tuple[Message, Act] | None = None
        self._leaving = Leaving(*words)
        self._reported = reported
        self._opened = False
        self._input: Input | None = None  # that is being handled
        self._told_last: tuple[str, Sequence[object]] = "", ()  # a list, and what its lines were about
        self.first: OnlineOrder | None = None

    # As an activity

    @property
    def sounds(self) -> Sounds:
        """The pronunciations of the orders."""
        return online_words.words(self._words[0]).sounds

    @property
    def question(self) -> tuple[Message, ...]:
        """What the list is for, after what is under way."""
        under_way = self.reception.under_way
        asks = self._place if self.reception.logged_in or self._place != HOME else "account"
        return (*((under_way,) if under_way else ()), Message.of(f"lobby_ask_{asks}"))

    @property
    def names(self) -> Sequence[object]:
        """The lines of the present list."""
        return [line.name for line in self._lines()]

    def start(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # there is no clock
        """The list; after a game what has come meanwhile, and that there is a list."""
        reception = self.reception
        self.over, reception.chosen, reception.watched = False, None, None
        self._sure, self._place = None, HOME
        again, self._opened = self._opened, True
        news = self._news()
        if self.first and (done := self._begun()) is not None:
            return (*((Tell(news),) if news else ()), *done)
        if not again:
            return self._list(*news)
        return (Tell(news if self.first else (Message.of("lobby_again"), *news)),)

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:
        """Take a line, an order, an answer or a report."""
        self._input = input_
        if (left := self._leaving.handle(input_, self)) is not None:
            return left
        if self._sure and (answered := self._answered(input_, self._sure)) is not None:
            return answered
        match input_:
            case Reported(LobbyNews()):
                if self._place == "token":
                    return self._logging_in()
                news = self._news()
                done = self._begun() if self.first and not self.over else None
                return (*self._asking_on(news), *(done or ()))
            case TypedText(text, by=by) if self.may_choose(by):
                return self._typed(text)
            case Uttered() if input_.timely or self._devices.microphone.takes_early:
                said = self._heard(input_)
                return self.said(said) if said else self.again()
            case KeyPressed(CommandName.STOP):
                return self._leaving.ask()
            case KeyPressed(CommandName.HELP | CommandName.REPEAT):
                return self._list()
            case KeyPressed("cancel") | ListLeft():
                return self._back()
        return super().handle(input_, now_ms)

    def pending(self) -> tuple[Message, ...]:
        """Whether to leave or what to do, if that is asked; else what the list is for."""
        if self._leaving.question:
            return self._leaving.question
        return (self._sure[0],) if self._sure else super().pending()

    def view(self, told: Sequence[Message]) -> View:
        """The lines, or yes and no to what is asked."""
        view = super().view(told)
        return asking_yes_or_no(view, self.pending()) if self._leaving.question or self._sure else view

    @property
    def listed(self) -> tuple[Message, ...]:
        """What is asked; or the list, with what it is for."""
        return self.pending() if self._leaving.question or self._sure else super().listed

    def expectation(self) -> tuple[str, Sequence[str]]:
        """Orders, times and numbers."""
        language, convention = self._words
        asked = self._leaving.expectation()
        return asked or online_words.expectation(convention, language, len(self.lines))

    def said(self, text: str) -> Sequence[Output]:
        """What words lead to."""
        match online_words.read_order(text, *self._words):
            case OnlineOrder() as order:
                return self._ordered(order)
            case Command(CommandName.STOP):
                return self._leaving.ask()
            case Command(CommandName.HELP | CommandName.REPEAT):
                return self._list()
            case Command(name):
                return (Prefer(name),)
        return self.again()

    def chose(self, number: int) -> Sequence[Output]:
        """Go on with a line of the present list."""
        return self._lines()[number - 1].does()

    def leave(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002
        """Say what follows; without a game, withdraw what is under way."""
        reception = self.reception
        if reception.chosen:
            return (Tell((Message.of("lobby_game", opponent=sentences.opponent(reception.chosen)),)),)
        if reception.watched:
            return ()
        if reception.under_way:
            reception.cancel()
        return (Tell((Message.of("goodbye"),)),)

    # Reports

    def _news(self) -> Messages:
        """What is told of all that was reported; the lobby ends if a game has come."""
        told: Messages = ()
        while self._reported:
            report = self._reported.popleft()
            if isinstance(report, ChallengeCame) and self._is_gone(report.challenge.id):
                self.reception.missed(report.challenge)
                told += (Message.of("lobby_missed", challenge=sentences.challenge(report.challenge)),)
            else:
                told += self.reception.take(report)
        self.over = self.over or bool(self.reception.chosen or self.reception.watched)
        return told

    def _logging_in(self) -> Sequence[Output]:
        """Tell the news where a token can be pasted; the first list, once the browser has logged in."""
        enters = any(isinstance(report, LoggedIn) for report in self._reported)
        news = self._news()
        if enters and self.reception.logged_in:
            return (Hide(hidden=False), *self._show(HOME, *news))
        return self._asking_on(news)

    def _asking_on(self, news: Messages) -> Sequence[Output]:
        """Tell the news, and put the open question once more: else the answer would be one to the news."""
        asks = (self._leaving.question or self._sure) and not self.over
        return (Tell((*news, *(self.pending() if asks else ()))),) if news else ()

    def _is_gone(self, challenge_id: str) -> bool:
        """Whether a challenge that came during a game is over by now, as will be reported."""
        return any(isinstance(later, ChallengeGone) and later.id == challenge_id for later in self._reported)

    def _begun(self) -> Sequence[Output] | None:
        """Do what is ordered first; None if it must wait until it is known which games there are."""
        first = self.first
        if first is None or (first.word in _OF_WHAT_THERE_IS and self.reception.awaits):
            return None
        self.first = None
        known = first.word in _OF_GAMES and self.reception.logged_in
        return self._among_games(first.word) if known else self._ordered(first)

    def _among_games(self, word: OnlineWord | None) -> Sequence[Output]:
        """List the games as they have just been found, or go into the next one."""
        if word is OnlineWord.GAMES:
            return self._show("games")
        if waiting := self.reception.waiting:
            return self._told(self.reception.play(waiting[0]))
        return (Tell((Message.of("lobby_none_waits"),)),)

    def _told(self, told: Messages) -> Sequence[Output]:
        """Tell what something has led to, from the first list on."""
        self._place = HOME
        return (Tell(told),) if told else ()

    # What is typed, said or pressed

    def _typed(self, text: str) -> Sequence[Output]:
        """Take a line: an order, or else the name or the token where one is asked for."""
        name = text.strip()
        if command := preference(text, *self._words):
            return (Prefer(command),)
        if not name or name.isdigit() or online_words.read_order(name, *self._words):
            return self.said(text)
        if self._place == "token":
            return (Hide(hidden=False), *self._checking(name))
        return self._of_person(name) if self._place in _NAMED else self.said(text)

    def _checking(self, token: str) -> Sequence[Output]:
        self.reception.paste(token)
        return self._told((Message.of("lobby_checking"),))

    def _answered(self, input_: Input, question: tuple[Message, Act]) -> Sequence[Output] | None:
        """Do what was asked back, or not; None if this is no answer, which withdraws the question.

        An answer that began before the question was over may be one to the question before.
        """
        match input_:
            case KeyPressed("send" | "cancel" as action):
                yes: bool | None = action == "send"
            case TypedText(text, by=by) if self.may_choose(by):
                yes = yes_or_no(read_typed(text, *self._words))
            case Uttered() if input_.timely or self._devices.microphone.takes_early:
                said = self._heard(input_)
                if not said:
                    return self.again()
                yes = yes_or_no(read_typed(said, *self._words))
                if yes is not None and not input_.timely:
                    return (Tell((Message.of("answer_early"), question[0])),)
            case _:
                return None
        self._sure = None
        if yes is None:
            return None
        return question[1]() if yes else (Tell((Message.of("lobby_not_done"),)),)

    def _heard(self, spoken: Uttered) -> str:
        """What was said, in words, if that was understood surely enough."""
        language, convention = self._words
        decided = decision.decide(
            spoken.utterance.hypotheses,
            grammar.yeses(convention, language),
            lambda words: online_words.read_order(words, language, convention) or words,
            self._devices.least_yes,
            asked=grammar.answers(convention, language) if self._sure else self.expectation()[1],
            repeat=Question(repeat=self._devices.repeat).obey,  # an order is not always repeated
        )
        return decided.readings[0] if decided.readings and decided.sure else ""

    # Orders

    def _ordered(self, order: OnlineOrder) -> Sequence[Output]:
        """Do what was ordered; without an account only what leads to one."""
        kind, word, self.first = order.kind, order.word, None
        if word is None and kind == WantedGame():
            return self._numbered(order.number or 0)
        simple: dict[OnlineWord | None, Act] = {
            OnlineWord.LOG_IN: self._log_in,
            OnlineWord.LOG_OUT: self._log_out,
            OnlineWord.BACK: self._back,
            OnlineWord.CANCEL: lambda: self._told(self.reception.cancel()),
        }
        if word in simple:
            return simple[word]()
        if not self.reception.logged_in:
            return (Tell((Message.of("lobby_log_in_first"),)),)
        if word is None and not _timed(kind):
            return self._wished(self._terms(kind))
        match word:
            case None:
                if self._place == "kinds":
                    return self._agreed(self._then, self._of_asked(kind))
                return self._agreed(self.reception.seek, kind)
            case OnlineWord.SEEK | OnlineWord.LINK:
                then = self.reception.seek if word is OnlineWord.SEEK else self.reception.link
                number = order.number
                return self._agreed(then, kind if number is None else replace(kind, time=(number, 0)))
            case OnlineWord.COMPUTER:
                return self._levelled(order.number, kind)
            case OnlineWord.CHALLENGE:
                return self._challenged(order)
        return self._about_games(order)

    def _about_games(self, order: OnlineOrder) -> Sequence[Output]:
        """Do what is ordered about games and challenges that there are."""
        reception = self.reception
        match order.word:
            case OnlineWord.GAMES | OnlineWord.NEXT_GAME:
                self.first = order
                return self._told(reception.refresh())
            case OnlineWord.ACCEPT | OnlineWord.DECLINE:
                return self._with_challenge(order)
            case OnlineWord.WATCH if order.name:
                return self._told(reception.watch(order.name))
            case OnlineWord.WATCH:
                return self._show("watch")
        return self._show("challenges")

    def _agreed(self, then: OfTerms, kind: WantedGame) -> Sequence[Output]:
        """Go on with the kind of game that was said, or ask for its time."""
        if not _timed(kind):
            self._then, self._asked = then, kind
            return self._show("kinds")
        if kind.time is not None and not any(kind.time):
            way = "seek" if then == self.reception.seek else "challenge"
            return (Tell((Message.of(f"online_{way}_too_fast"),)),)
        terms = self._terms(kind)
        return self._surely(sentences.terms(terms), lambda: self._told(then(terms)))

    def _surely(self, what: Message, act: Act) -> Sequence[Output]:
        """Do it at once, or where it was heard after a yes."""
        if not isinstance(self._input, Uttered):
            return act()
        asked = Message.of("lobby_sure", what=what)
        self._sure = asked, act
        return (Tell((asked,)),)

    def _levelled(self, level: int | None, kind: WantedGame) -> Sequence[Output]:
        """Play the server's computer, once its level is known."""
        if level is None or level not in _LEVELS:
            return self._show("levels")
        return self._agreed(lambda terms: self.reception.computer(level, terms), kind)

    def _challenged(self, order: OnlineOrder) -> Sequence[Output]:
        """Challenge the player of a name, or of a number in the list of the last ones."""
        names = self._opponents()[:_MOST]
        number = order.number or 0
        name = order.name or (names[number - 1] if 0 < number <= len(names) else "")
        if not name:
            return self._show("names")
        return self._agreed(lambda terms: self.reception.challenge(name, terms), order.kind)

    def _of_person(self, name: str) -> Sequence[Output]:
        """Go on with a name that was typed or chosen."""
        if self._place == "watch":
            return self._told(self.reception.watch(name))
        return self._agreed(lambda terms: self.reception.challenge(name, terms), WantedGame())

    def _with_challenge(self, order: OnlineOrder) -> Sequence[Output]:
        """Accept or decline a challenge: the one of a number, of a name, or the only one."""
        found = self._meant(order)
        if len(found) != 1:
            return self._show("challenges")
        (challenge,) = found
        if order.word is OnlineWord.DECLINE:
            return self._told(self.reception.decline(challenge))
        if not challenge.playable:
            return (Tell((Message.of("lobby_elsewhere"),)),)
        told = sentences.challenge(challenge)
        return self._surely(told, lambda: self._told(self.reception.accept(challenge)))

    def _meant(self, order: OnlineOrder) -> Sequence[Challenge]:
        """The challenges that an order can be about; a number is that of the line in their list."""
        found, number, name = self.reception.challenges, order.number, order.name.casefold()
        place, told = self._told_last
        if number is not None and place == self._place == "challenges":
            line = told[number - 1 : number]
            return [one for one in found if OnlineOrder(order.word, name=one.id) in line]
        if number is not None:
            return found[number - 1 : number] if number > 0 else ()
        return [one for one in found if name in ("", one.id.casefold(), one.name.casefold())]

    def _wished(self, wish: Terms) -> Sequence[Output]:
        """Want this where nothing else is said, and whether it is rated in the next run too."""
        self._wish = wish
        preferences = self._devices.preferences
        kept = AdoptPreferences(preferences, "online_rated", wish.rated)
        return (kept, *self._list(Message.of("lobby_wish", what=sentences.wish(wish))))

    def _log_in(self) -> Sequence[Output]:
        self._place = "token"
        return (Hide(hidden=True), *self._list(*self.reception.log_in()))

    def _log_out(self) -> Sequence[Output]:
        return self._surely(Message.of("lobby_do_log_out"), lambda: self._told(self.reception.log_out()))

    def _back(self) -> Sequence[Output]:
        shown = (Hide(hidden=False),) if self._place == "token" else ()
        return (*shown, *self._show(HOME))

    def _terms(self, kind: WantedGame) -> Terms:
        """A kind of game, with the user's wishes where nothing was said."""
        minutes, increment = kind.time or (0, 0)
        return Terms(
            minutes=minutes,
            increment=increment,
            days=kind.days or 0,
            rated=self._wish.rated if kind.rated is None else kind.rated,
            colour=kind.colour or self._wish.colour,
            ratings=kind.ratings or self._wish.ratings,
        )

    # The lists

    def _show(self, place: str, *first: Message) -> Sequence[Output]:
        """Show a list."""
        self._place = place
        return self._list(*first)

    def _list(self, *first: Message) -> Sequence[Output]:
        """Tell the present list, or what is asked."""
        if not (self._leaving.question or self._sure):
            self._told_last = self._place, self._abouts
        return (Tell((*first, *self.listed)),)

    @property
    def _abouts(self) -> Sequence[object]:
        return [line.about or line.name for line in self._lines()]

    def _numbered(self, number: int) -> Sequence[Output]:
        """Go on with the line of a number, unless it is another by now than when the list was told.

        A list that was not told is told first.
        """
        place, told = self._told_last
        if place != self._place and self._unseen:
            return self._list()
        if place == self._place and told[number - 1 : number] != self._abouts[number - 1 : number]:
            return self._list(Message.of("lobby_changed"))
        return super()._numbered(number)

    @property
    def _unseen(self) -> bool:
        """Whether a number was said or typed here; on the display and on a page a shown line is meant."""
        match self._input:
            case Uttered() | TypedText(by=""):
                return True
        return False

    def _lines(self) -> Sequence[LobbyLine]:
        """The lines of the present list, the last of which leads back."""
        if self._place == HOME:
            return tuple(self._home())
        lists: dict[str, Callable[[], Iterator[LobbyLine]]] = {
            "kinds": self._kinds,
            "levels": self._levels,
            "names": self._people,
            "watch": self._people,
            "games": self._games,
            "challenges": self._challenges,
        }
        own = lists[self._place]() if self._place in lists else ()
        return (*own, LobbyLine(Message.of("start_back"), self._back))

    def _home(self) -> Iterator[LobbyLine]:
        reception = self.reception
        if not reception.logged_in:
            yield LobbyLine(Message.of("lobby_do_log_in"), self._log_in)
            yield LobbyLine(Message.of("start_leave"), self._end)
            return
        if reception.under_way:
            yield self._line("cancel", OnlineWord.CANCEL)
        yield self._line("seek", OnlineWord.SEEK)
        waiting = len(reception.waiting)
        yield self._line("games", OnlineWord.GAMES, count=len(reception.games), waiting=waiting)
        if reception.challenges:
            yield self._line("challenges", OnlineWord.CHALLENGES, count=len(reception.challenges))
        yield self._line("challenge", OnlineWord.CHALLENGE)
        yield self._line("computer", OnlineWord.COMPUTER)
        yield self._line("link", OnlineWord.LINK)
        yield self._line("watch", OnlineWord.WATCH)
        wish = replace(self._wish, rated=not self._wish.rated)
        rated = Message.of("lobby_rated" if self._wish.rated else "lobby_casual")
        yield LobbyLine(Message.of("lobby_do_rated", rated=rated), lambda: self._wished(wish), "rated")
        after = _COLOURS[(_COLOURS.index(self._wish.colour) + 1) % len(_COLOURS)]
        colour = replace(self._wish, colour=after)
        yield LobbyLine(sentences.colour_line(self._wish.colour), lambda: self._wished(colour), "colour")
        yield self._line("log_out", OnlineWord.LOG_OUT)
        yield LobbyLine(Message.of("start_leave"), self._end)

    def _line(self, what: str, word: OnlineWord, **values: object) -> LobbyLine:
        order = OnlineOrder(word)
        return LobbyLine(Message.of(f"lobby_do_{what}", **values), self._does(order), order)

    def _end(self) -> Sequence[Output]:
        self.over = True
        return ()

    def _kinds(self) -> Iterator[LobbyLine]:
        kinds = [WantedGame(time=(float(minutes), increment)) for minutes, increment in TIMES]
        kinds += [WantedGame(days=days) for days in _DAYS]
        for kind in kinds:
            yield LobbyLine(sentences.time(self._terms(kind)), self._of_kind(kind))

    def _of_kind(self, kind: WantedGame) -> Act:
        return lambda: self._agreed(self._then, self._of_asked(kind))

    def _of_asked(self, kind: WantedGame) -> WantedGame:
        """The time that was asked for, with what was said of the game before."""
        asked = self._asked
        return replace(
            kind,
            rated=asked.rated if kind.rated is None else kind.rated,
            colour=kind.colour or asked.colour,
            ratings=kind.ratings or asked.ratings,
        )

    def _levels(self) -> Iterator[LobbyLine]:
        for level in _LEVELS:
            order = OnlineOrder(OnlineWord.COMPUTER, number=level)
            yield LobbyLine(Message.of("lobby_level", level=level), self._does(order))

    def _people(self) -> Iterator[LobbyLine]:
        for name in self._opponents()[:_MOST]:
            yield LobbyLine(Message.of("lobby_unrated_person", name=name), self._of_name(name))

    def _of_name(self, name: str) -> Act:
        return lambda: self._of_person(name)

    def _games(self) -> Iterator[LobbyLine]:
        for game in sorted(self.reception.games, key=lambda game: not game.my_turn)[:_MOST]:
            yield LobbyLine(sentences.game_line(game), self._into(game), game.id)

    def _into(self, game: OnlineGame) -> Act:
        return lambda: self._told(self.reception.play(game))

    def _challenges(self) -> Iterator[LobbyLine]:
        """Each challenge twice: to accept it, if it can be played here, and to decline it."""
        for challenge in self.reception.challenges[:_MOST]:
            told = sentences.challenge(challenge)
            for word in (OnlineWord.ACCEPT, OnlineWord.DECLINE)[not challenge.playable :]:
                order = OnlineOrder(word, name=challenge.id)
                yield LobbyLine(Message.of(f"lobby_do_{word}", challenge=told), self._does(order), order)

    def _does(self, order: OnlineOrder) -> Act:
        return lambda: self._ordered(order)


def _timed(kind: WantedGame) -> bool:
    """Whether it was said how much time there is, or that there is no limit."""
    return kind.time is not None or kind.days is not None or kind.unlimited
