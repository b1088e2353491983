# SPDX-License-Identifier: GPL-3.0-or-later
"""A game as an activity: inputs -> events -> `step` -> journal -> effects -> outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from acessivel.adjournment.conversation import Sealing, Told
from acessivel.app.activity import (
    Activity,
    AdoptPreferences,
    DeviceChanged,
    Hide,
    Input,
    InputEnded,
    KeyFelt,
    KeyPressed,
    ListLeft,
    Output,
    Pointed,
    Refresh,
    Reported,
    Sound,
    SpeechOver,
    Tell,
    TellLater,
    TimePassed,
    TypedText,
    Uttered,
    View,
)
from acessivel.app.confirmed_speech import ConfirmedSpeech
from acessivel.app.game_time import GameTime
from acessivel.app.hearing import HeardQuestion, Hearing, says_yes
from acessivel.app.interruption import deferred
from acessivel.app.requests import Requests
from acessivel.app.sealing import SealTalk
from acessivel.app.talk import IN_TALK, Host, Talk
from acessivel.app.unsealing import OpenTalk
from acessivel.app.venue import (
    AT_COMPUTER,
    AtComputer,
    AtServer,
    CommandAbout,
    InHall,
    OnPracticeBoard,
    Venue,
)
from acessivel.devices.board_cursor import BoardCursor
from acessivel.devices.command_explanation import explained
from acessivel.devices.devices import Devices
from acessivel.dialogue import questions
from acessivel.dialogue.interpretation import Context, Question, beside
from acessivel.dialogue.questions import NOTHING, Asking, Sure
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.message import Duration, Message, ToType
from acessivel.messages.rendering import Renderer
from acessivel.queries import queries
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session import long_answers, preferences, two_boards
from acessivel.session.effects import Effect
from acessivel.session.events import Event
from acessivel.session.state import State
from acessivel.session.step import asked, expectation, step, wakes_in
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import JournalError, PlayedElsewhereError
from acessivel.storage.stored_game import Stored
from voices.meaning import Command, CommandName
from voices.words.lexicon import vocabulary

_RETRY_MS = 1000  # how often to retry what could not be journalled
_CLOCK_KEPT_MS = 5000  # how much of a running clock a crash can lose, and how old a shown one can be
_BY_THE_USER = (ev.Heard, ev.SquarePointed, ev.Ordered, ev.Explored, ev.Returned)
_DAMAGED = "reason_damaged"
_ANSWERS = {"send": "yes", "cancel": "no"}  # what these keys say to an open question
_EXPLORING = (ev.Explored, ev.Returned)  # where they leave the game as it was, nothing is journalled


class GameActivity(Activity):
    """One game from its first event in this run to its last; journals an event before telling its effects."""

    journals = True

    def __init__(
        self,
        stored: Stored,
        journal: Journal,
        devices: Devices,
        report: Callable[[object], None],
        venue: Venue = AT_COMPUTER,
    ) -> None:
        """Play on from a stored game; `report` takes the engine's answers."""
        self.kind = "lessons" if isinstance(venue, OnPracticeBoard) else "game"
        self.state = stored.state
        self.number = stored.id
        self.next: Setup | None = None  # what was agreed for the game that is to follow
        self.exchanged = False  # two persons change colours for it
        self.goes_online = False  # games at a server follow
        self.moved = False  # the one move was made that was wanted at a server
        self._entries = stored.entries
        self._started = stored.started
        self._journal = journal
        self._devices = devices
        self._venue = venue
        self._cursor = BoardCursor()
        self._talk: Talk | None = None
        self._by = ""  # the role on whose page the input was typed that is being handled
        self._sound = b""  # of the utterance that is being handled
        self._hearing = Hearing()
        self._speech = ConfirmedSpeech()
        self._question = HeardQuestion()
        self._put: Asking = NOTHING  # the question that was told last, if nothing has been told after it
        self._unsaved: tuple[Event, ...] = ()
        self._trouble: Message | None = None  # why the last event could not be journalled
        self._beneath: Asking | None = None  # the open question beneath one to stop that is not journalled
        self._begun = False
        self._kept_here = True
        self._requests = Requests(devices, venue, report)
        self._time = GameTime()
        self._now_ms = 0
        self._stood = self.state  # before the input that is being handled
        self._ticked_ms = 0
        self._outputs: list[Output] = []
        self._news: tuple[Message, ...] = ()  # of keeping and clocks, to be told before all else

    @property
    def words(self) -> tuple[str, str]:
        """The words of the game, in which its record is written; they can change during the game."""
        return self.state.setup.language, self.state.setup.convention

    def start(self, now_ms: int) -> Sequence[Output]:
        """Begin, or continue a stored game. Raises JournalError if that cannot be journalled."""
        self._now_ms = self._ticked_ms = self._time.come(now_ms)
        begin = ev.Resumed if self._entries else ev.Started
        if begin is ev.Started and "display" in self._devices.inputs and not self._practises:
            self._outputs.append(TellLater(Message.of("welcome_routing")))
        how = {} if self._entries else {"brief": self._devices.keeps_waiting}
        how["hall"] = isinstance(self._venue, InHall)
        with deferred():
            self._happen(begin(confirm=self._devices.microphone.confirm, **how))
            self._begun = True
            self._happen(self._mannered)
        return self._told()

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:
        """Apply an input to the game, or to the conversation about its sealed move."""
        self._now_ms, self._stood = self._time.come(now_ms), self.state
        self._by = input_.by if isinstance(input_, TypedText) else ""
        self._notice_sleep()
        with deferred():
            if self._voice_changed:
                self._apply(self._mannered)
            taken = self._taken(input_)
            self._hearing.happened(input_, told=bool(self._outputs))
        return self._told() if taken else None

    def long_answer(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """The first portion; the rest is for whoever asks on, and no part of the journal.

        In a conversation about an envelope all of it: a line that asks on would be sealed as the move.
        """
        if self._talk:
            return messages
        self.state, _ = long_answers.tell(self.state, messages, *self.pending())
        return self.state.told.last

    def stumbled(self) -> Sequence[Output]:
        """As always; but what happened before the error has happened, and is told."""
        unchanged = self.state is self._stood
        self._tell((Message.of("went_wrong" if unchanged else "went_wrong_telling"), *self.pending()))
        return self._told()

    def _told(self) -> Sequence[Output]:
        outputs, self._outputs = self._outputs, []
        news, self._news = self._news, ()
        if any(isinstance(output, Tell) for output in outputs):
            outputs = [*map(TellLater, news), *outputs]
        elif news:
            outputs.append(Tell((*news, *self.pending())))
        if told := [output for output in outputs if isinstance(output, Tell)]:
            asks = not told[-1].private and {*self.pending()} <= {*told[-1].messages}
            self._put = self.state.asking if asks else NOTHING
            if self._question.asking and any(says_yes(output.messages, *self.words) for output in told):
                self._question = HeardQuestion()
        return outputs

    @property
    def busy(self) -> bool:
        """Whether the engine thinks or a mate is looked for: lines typed ahead are about what comes of it."""
        return self._requests.thinking or self.state.mate.seeking is not None

    @property
    def _practises(self) -> bool:
        return isinstance(self._venue, OnPracticeBoard)

    @property
    def listens(self) -> bool:
        """Not while a sealed move is entered: speech would reveal it, so it is typed."""
        return self._talk is None

    @property
    def wants_lines(self) -> bool:
        """Whether a sealed move is entered, which an empty line gives up."""
        return self._talk is not None and not self._talk.yes_or_no

    def expectation(self) -> tuple[str, Sequence[str]]:
        """What can be said in this state."""
        return expectation(self.state)

    def view(self, told: Sequence[Message]) -> View:  # noqa: ARG002  # the same whatever is told
        """The game, with the square under the board cursor."""
        view = View(
            self.state,
            self._cursor.square,
            sequence=self._entries,
            started=self._started,
            clocks_stand=self._time.stands,
        )
        return self._talk.shown(view) if self._talk else view

    def pending(self) -> tuple[Message, ...]:
        """The open question, as the room may be told it."""
        return () if two_boards.is_private(self.state) else questions.question(self.state.asking)

    def on_clock(self, now_ms: int) -> int:
        """The game's time: it stands still while nothing can be journalled, except at a server."""
        return self._time.at(now_ms)

    def wakes_in_ms(self, now_ms: int, *, quiet: bool) -> int:
        """In time for the clock's next announcement, and for the next time that it is journalled."""
        if self._trouble:
            return _RETRY_MS
        now_ms = self.on_clock(now_ms)
        due = wakes_in(self.state, now_ms, quiet=quiet and not self._talk)
        kept = max(0, self._ticked_ms + _CLOCK_KEPT_MS - now_ms)  # however much else happens meanwhile
        return kept if due is None else min(due, kept)

    def leave(self, now_ms: int) -> Sequence[Output]:
        """Journal the clock, and say how to resume; nothing if the game could not even begin."""
        self.over, self._now_ms = True, self._time.come(now_ms)
        if not self._begun:
            return ()
        self._put_back()
        if self._kept_here:
            self._apply(ev.Tick())
        if told := self._farewell():
            self._tell(told)
        return self._told()

    def _farewell(self) -> tuple[Message, ...]:
        """What is told at the end, where nothing follows that tells it."""
        match self._venue:
            case OnPracticeBoard(lessons):
                return lessons.farewell
            case AtServer(resume_command=command):
                return self._kept(command)
            case AtComputer(resume_command=command) | InHall(resume_command=command):
                follows = self.next or self.goes_online or self._devices.list_follows
                return (*self._kept(command), *(() if follows else (Message.of("goodbye"),)))

    def _kept(self, resume_command: CommandAbout) -> tuple[Message, ...]:
        """How to go on with the game, after making sure that it stands in its file; or why it does not."""
        try:
            if self._kept_here:
                self._tell_written_anew(self._journal.secure(self.number))
        except PlayedElsewhereError:
            pass  # then it stands there, with more moves
        except JournalError as error:
            return (Message.of("kept_not", reason=error.reason),)
        if self._trouble and (self._unsaved or self._trouble.key == _DAMAGED):
            return self._not_kept(self._trouble)
        if self.state.game.result or self.moved:
            return ()
        if self._devices.list_follows:
            return (Message.of("kept_listed"),)
        return (Message.of("kept", command=resume_command(self.number)),)

    def _not_kept(self, why: Message) -> tuple[Message, ...]:
        """Why the last that has happened does not stand in the file, and what that means for an envelope."""
        return (Message.of("kept_not", reason=why), *self._not_adjourned)

    @property
    def _not_adjourned(self) -> tuple[Message, ...]:
        """What it means for an envelope that its adjournment does not stand in the file."""
        adjourned = (event for event in self._unsaved if isinstance(event, ev.Adjourned))
        return tuple(Message.of("adjourned_not_kept", file=event.envelope) for event in adjourned)

    @property
    def _mannered(self) -> ev.Mannered:
        """How the devices speak, tell, sound and listen now."""
        preferred = self._devices.preferences
        return ev.Mannered(
            **asdict(preferred.voice),
            verbosity=preferred.verbosity,
            earcons=preferred.earcons,
            talk=preferred.talk,
            listens=preferred.listens,
            rates=preferred.rates,
            pitches=preferred.pitches,
            voiced=preferred.voiced,
        )

    @property
    def _voice_changed(self) -> bool:
        """Whether another voice speaks now, with other limits than the game knows."""
        known, now = self.state.preferences, self._devices.preferences
        return (known.rates, known.pitches) != (now.rates, now.pitches)

    # Inputs -> events

    def _taken(self, input_: Input) -> bool:  # noqa: PLR0912  # one row for each input
        """Handle an input; returns whether there was anything to do."""
        match input_:
            case TypedText():
                self._typed(input_)
            case Uttered():
                self._spoken(input_)
            case KeyPressed(action):
                return self._act(action)
            case KeyFelt() if _goes_by_itself(self.state):  # who reads on has not heard enough
                self._apply(ev.SpeechEnded(heard=False))
            case Pointed(square) if not self._talk:
                self._by_user(ev.SquarePointed(square=square))
            case ListLeft():
                self._by_user(ev.Returned())
            case TimePassed(quiet):
                self._ticked_ms = self._now_ms
                self._apply(ev.Tick(quiet=quiet and not self._talk))
            case SpeechOver(heard):
                if heard and self._put == self.state.asking:  # what comes of it has not been said yet
                    self._question = self._question.said(self._put, self._devices.microphone.turn)
                self._apply(ev.SpeechEnded(heard=heard))
            case DeviceChanged(key):
                self._apply(ev.DeviceNews(key=key))
                self._page_gone(key.removeprefix("web_left_"))
            case Reported(Event() as event):
                self._reported(event)
            case InputEnded(last=False) if self._talk and not self._typed_for(self._talk):
                self._cut_off(self._talk)
            case InputEnded() | Reported() | Pointed() | KeyFelt():
                return False
        return True

    def _reported(self, event: Event) -> None:
        """Take what the engine or a server has done; it is shown, even if there is no word about it."""
        self._requests.answered(event)
        self._apply(event)
        if not self._outputs:
            self._outputs.append(Refresh())

    def _typed(self, line: TypedText) -> None:
        """Take a line; an empty one of a script goes on with a long answer, and is no yes."""
        if self._talk:
            self._answer(self._talk, line.text, line.by)
            return
        event = self._cursor.act("send", self.state) if not line.text else None
        self._by_user(event or ev.Heard(words=(line.text,), key=line.key, by=line.by, faced=line.faced))

    def _act(self, action: str) -> bool:
        """What a key asks or orders, or answers to an open question that no display shows."""
        if self._talk:
            return self._act_in_talk(self._talk, action)
        event = self._cursor.act(action, self.state)
        asks = self.state.asking != NOTHING
        if event is None and action in _ANSWERS and not self._devices.panel:
            if asks:
                event = ev.Heard(words=(self._word(action),), key=True)
            elif action == "send":
                event = ev.Heard(words=("",))
        if event:
            self._by_user(event)
        elif action == "cancel" and self._practises and not asks:
            self.over = True
            return True
        return event is not None

    def _act_in_talk(self, talk: Talk, action: str) -> bool:
        """Answer the conversation, or tell the clocks and what it asks; nothing else is possible then."""
        if action in IN_TALK and not talk.to:
            told = queries.answer(Command(CommandName(action)), self.state.game, self._now_ms) or ()
            question = talk.question
            self._tell_some(replace(question, messages=(*told, *question.messages)))
        elif (answer := talk.answer_of(action)) is not None:
            self._answer(talk, self._word(answer) if answer else "")
        else:
            return False
        return True

    def _word(self, action: str) -> str:
        """The word for the answer that a key gives."""
        return vocabulary(self.state.setup.language).say("answer", _ANSWERS[action])

    def _spoken(self, spoken: Uttered) -> None:
        """Take a spoken answer only if it answers the open question."""
        if not (spoken.timely or self._devices.microphone.takes_early):
            return
        language, convention = self.words
        question = Question(asked(self.state), self._devices.least_yes, self._devices.repeat)
        if isinstance(self.state.asking, questions.Making | questions.Repeating):  # a move is the answer
            question = replace(question, repeat=question.obey)
        where = Context(self.state.announced_in, convention, language, question)
        situation = (self.state.asking, self.state.speaker)
        decided, again = self._hearing.decided(spoken.utterance, where, situation, self._now_ms)
        self._outputs.extend(map(TellLater, self._hearing.advice(spoken.utterance, self._devices)))
        heard = {preferences.preference(words, language, convention) for words in decided.readings}
        if self._devices.only_voice and not heard.isdisjoint(preferences.UNHEARD):
            self._tell((Message.of("listening_needed"), *self.pending()))
            return
        self._sound = spoken.utterance.audio
        self._speech.heard(decided, self._sound, self.state)
        # Over a loudspeaker the yes may be the program's own.
        knows = self._devices.microphone.hears_player_alone and self._question.precedes(spoken.utterance)
        early = not (spoken.timely or knows)
        self._by_user(
            ev.Heard(
                words=decided.readings,
                sure=decided.sure,
                doubted=decided.doubted,
                spoken=True,
                early=early,
                again=again,
                beside=beside(decided, where),
            )
        )
        self._sound = b""

    def _by_user(self, event: Event) -> None:
        """Apply what the user did with a key or in words; the board cursor follows."""
        self._cursor.follow(event)
        self._apply(event)

    # Events -> the journal and the state

    def _apply(self, event: Event) -> None:
        """Apply an event; if it cannot be journalled, say so and leave the state unchanged.

        The user can repeat an announcement; other events are retried until they are journalled, but not while
        it is asked whether to stop, which could not be journalled either.
        """
        by_user = isinstance(event, _BY_THE_USER)
        if self._beneath is not None and not by_user:
            self._unsaved = _last_of_each_kind((*self._unsaved, event))
            return
        if self._beneath is not None and self._goes_without_journal(event):
            return
        events, self._unsaved = (*self._unsaved, event), ()
        for number, each in enumerate(events):
            try:
                self._happen(each)
            except PlayedElsewhereError as error:
                self.over, self._kept_here = True, False
                self._tell((error.reason,))
                return
            except JournalError as error:
                to_drop = _BY_THE_USER if self._clock_runs else (*_BY_THE_USER, ev.Tick)
                self._unsaved = _last_of_each_kind([e for e in events[number:] if not isinstance(e, to_drop)])
                self._refused(event, error.reason)
                return

    def _refused(self, event: Event, reason: Message) -> None:
        """Answer what needs no journal; else say that an event cannot be journalled, by itself only once."""
        again, self._trouble = self._trouble is not None, reason
        if not self.state.at_server:
            self._now_ms = self.state.now_ms
            self._time.stand(self._now_ms)
        why, before = self._not_saved(reason), len(self._outputs)
        by_user = isinstance(event, _BY_THE_USER)
        if by_user and self._goes_without_journal(event):
            if not again:
                self._outputs.insert(before, TellLater(why))
        elif by_user or not again or isinstance(event, ev.Adjourned):
            self._tell((why, *self._not_adjourned, *self.pending()))

    def _goes_without_journal(self, event: Event) -> bool:
        """Answer what changes nothing, and let the player leave; returns whether it was that."""
        after, effects = step(self.state, replace(event, at=self._now_ms))
        self._put_back()
        stood = self.state
        if leaves := [effect for effect in effects if isinstance(effect, ef.Leave)]:
            self._end(*leaves)
            return True
        if self._practises or not _only_tells(stood, after):
            return False
        self.state = replace(stood, asking=after.asking, told=after.told)
        self._beneath = stood.asking if after.asking != stood.asking else None
        for effect in effects:
            self._do(effect)
        return True

    def _put_back(self) -> None:
        """Let the state be that of the journal: without the question whether to stop."""
        if self._beneath is not None:
            self.state, self._beneath = replace(self.state, asking=self._beneath), None

    def _not_saved(self, reason: Message) -> Message:
        """Why nothing has happened; from a damaged file the game can be taken elsewhere."""
        if reason.key != _DAMAGED or isinstance(self._venue, OnPracticeBoard):
            return Message.of("not_saved", reason=reason)
        if self._devices.list_follows:
            return Message.of("not_saved_damaged_listed")
        play = "acessivel play --opponent human" if self.state.setup.opponent == "human" else "acessivel play"
        return Message.of("not_saved_damaged", command=self.record_command, program=play)

    @property
    def record_command(self) -> ToType | str:
        """What to type for the record of the game; "" on a practice board."""
        return "" if isinstance(self._venue, OnPracticeBoard) else self._venue.record_command(self.number)

    def _happen(self, event: Event) -> None:
        """Journal an event, then act on it. Raises JournalError if it cannot be journalled."""
        event = replace(event, at=self._now_ms)
        after, effects = step(self.state, event)
        if isinstance(self._venue, OnPracticeBoard):
            after, effects = self._venue.lessons.taught(self.state, event, after, effects)
        unchanged = after == replace(self.state, now_ms=after.now_ms)
        if unchanged and isinstance(event, _EXPLORING):
            for effect in effects:
                self._do(effect)
            return
        tries_again = self._trouble and self._trouble.key != _DAMAGED and isinstance(event, ev.Tick)
        if unchanged and not (effects or self._clock_is_due(event) or tries_again):
            return
        self._rehearse(after, effects)
        before = self.state
        anew = self._journal.append(self.number, self._entries, event, before, after)
        if self._trouble:
            self._go_on_keeping()
        self.state, self._entries, self._trouble = after, self._entries + 1, None
        self._tell_written_anew(anew)
        if isinstance(self._venue, InHall):
            self._venue.outbox.happened(before, event, after)
        if not any(isinstance(effect, ef.Again) for effect in effects):  # then it has not been handled yet
            self._tape(before, event)
        waits = isinstance(event, (*_BY_THE_USER, ev.SpeechEnded, ev.Tick, ev.Mannered))
        self._question = self._question.changed(after.asking) if waits else HeardQuestion()
        confirmed = self._speech.happened(before, after)
        if confirmed and self._devices.teacher and not self._practises:
            self._devices.teacher.teach(confirmed)
        if _adjourns(before) != _adjourns(after):
            self._conceal()
        self._leave_talk()
        for effect in effects:
            self._do(effect)
        if isinstance(event, ev.ServerTold):
            self._outputs.append(Refresh())
            by_move = isinstance(self._venue, AtServer) and self._venue.one_move
            self.moved = by_move and _has_moved(before, after)
            self.over = self.over or self.moved

    def _go_on_keeping(self) -> None:
        """Let the game's time go on where it stood, and say that."""
        self._time.go_on()
        stood = self._clock_runs and not self.state.at_server
        self._news += (Message.of("kept_again"), *((Message.of("clocks_stood"),) if stood else ()))

    def _notice_sleep(self) -> None:
        """Say that clocks which ran have stood still while the computer slept; a server's have not."""
        slept_s = self._time.slept_s()
        if slept_s and self._clock_runs and not self.state.at_server:
            shown_s = slept_s // 60 * 60 if slept_s >= 60 else slept_s
            slept = Message.of("computer_slept", time=Duration(1000 * shown_s))
            self._news += (slept, Message.of("clocks_stood"))

    def _rehearse(self, after: State, effects: Sequence[Effect]) -> None:
        """Put what would be said into words: what cannot be said must not happen either."""
        verbosity = after.preferences.verbosity
        renderer = Renderer(after.setup.language, after.setup.convention, verbosity)
        for effect in effects:
            if isinstance(effect, ef.Say):
                renderer.spans(effect.messages)

    def _tell_written_anew(self, anew: int | None) -> None:
        """Say that the game had to be written anew, perhaps with another number, if it had."""
        if anew is None:
            return
        self._outputs.append(TellLater(Message.of("kept_anew", folder=str(self._journal.folder), id=anew)))
        if self._devices.recorder and anew != self.number:
            self._devices.recorder.go_on_as(anew)
        self.number = anew

    def _tape(self, before: State, event: Event) -> None:
        """Record the sound of what is announced; a failure is told with what is told next."""
        if self._devices.recorder:
            spoken = isinstance(event, ev.Heard) and event.spoken
            trouble = self._devices.recorder.happened(before, self.state, self._sound if spoken else b"")
            if trouble:
                self._outputs.append(TellLater(trouble))

    def _clock_is_due(self, event: Event) -> bool:
        """Whether the elapsed time must be journalled: every few seconds, and at the end."""
        passed_ms = event.at - self.state.now_ms
        return self._clock_runs and (self.over or passed_ms >= _CLOCK_KEPT_MS)

    @property
    def _clock_runs(self) -> bool:
        clock = self.state.game.clock
        return bool(clock and clock.running)

    # Effects -> outputs, and requests to others

    def _do(self, effect: Effect) -> None:
        match effect:
            case ef.Say(messages, private=private, unasked=unasked, to=to):
                self._outputs.append(Tell(messages, private, unasked, to))
            case ef.Explain():
                self._explain(effect)
            case ef.FlagFell():
                if not self.state.setup.two_boards:  # there the room is told when it is claimed
                    self._outputs.append(Sound(("flag",)))
                self._outputs.append(Refresh())
            case ef.Again(event):
                self._happen(event)
            case ef.AskServer() | ef.AskEngine() | ef.AskEngineForDraw() | ef.AskEngineForAdvice():
                self._requests.ask(effect, self.state, self._now_ms)
            case ef.SeekMate():
                self._requests.seek_mate(self.state)
            case ef.Seal() | ef.Unseal():
                self._seal(effect)
            case ef.Adopt(setting, value):
                self._outputs.append(AdoptPreferences(self.state.preferences, setting, value))
            case ef.OrderPages(command, role):
                self._outputs.append(effect)
                if command is CommandName.WEB_REVOKE:
                    self._page_gone(role)
            case ef.PlayAgain() | ef.PlayOnline() | ef.Leave():
                self._end(effect)

    def _end(self, effect: ef.PlayAgain | ef.PlayOnline | ef.Leave) -> None:
        """End this run of the game; what follows is known then."""
        match effect:
            case ef.PlayAgain(changed):
                self.next = self.state.setup.again(changed=changed)
                self.exchanged = changed and self.state.two_persons
            case ef.PlayOnline() if why := self._offline():
                self._tell((why, *self.pending()))
                return
            case ef.PlayOnline():
                self.goes_online = True
        self.over = True
        self._leave_talk()

    def _offline(self) -> Message | None:
        """Why no games at a server can follow; None if they can."""
        match self._venue:
            case AtComputer(check_online=check) if check:
                try:
                    check()
                except UserError as error:
                    return error.message
                return None
            case _:
                return Message.of("online_not_from_here")

    def _explain(self, asked: ef.Explain) -> None:
        command = Command(asked.command, choice=asked.choice)
        told = explained(command, *self.words, self._devices.bindings, self.state.setup.rulebook.laws)
        self._tell((*told, *asked.question))

    def _tell(self, messages: tuple[Message, ...]) -> None:
        self._outputs.append(Tell(messages))

    # The conversation about a sealed move, which must never reach the journal

    def _seal(self, effect: ef.Seal | ef.Unseal) -> None:
        """Begin the conversation: on the page that has asked for it, or wherever the envelope is opened."""
        host = Host(self.number, self._journal.folder, self._tell_some, self._apply)
        if isinstance(effect, ef.Unseal):
            self._begin(OpenTalk(host, self.state, leave=self._give_up))
            return
        sealing = Sealing.of(
            self.state.setup,
            self.state.game.position,
            private=bool(self._by) or self._devices.private,
            answered=self.state.adjournment.away,
        )
        talk = SealTalk(host, sealing, self._by)
        if self._typed_for(talk):
            self._begin(talk)
        else:
            self._cut_off(talk)

    def _typed_for(self, talk: Talk) -> bool:
        """Whether a line can be typed where a conversation is held."""
        return bool(talk.to) or not self._devices.inputs.isdisjoint({"keyboard", "display"})

    def _cut_off(self, talk: Talk) -> None:
        """Let a conversation end, or be held elsewhere, for which nothing can be typed."""
        state = replace(self.state, now_ms=self._now_ms)
        talk.cut_off(state, pages="page" in self._devices.inputs)
        self._leave_talk()

    def _begin(self, talk: Talk) -> None:
        """Give typed lines to a conversation from now on: of one page, or of the first that may hold it."""
        self._talk = talk
        talk.begin()
        self._leave_talk()

    def _answer(self, talk: Talk, text: str, by: str = "") -> None:
        """Take a line, if it comes from where the conversation is held."""
        if refused := talk.refused(text, by):
            if talk.is_for_the_game(text, by, self.state):
                self._by_user(ev.Heard(words=(text,), by=by))
            else:
                self._outputs.append(refused)
            return
        self._apply(ev.Tick())
        if self._talk is talk:
            talk.answer(text, replace(self.state, now_ms=self._now_ms, by=by))
        self._leave_talk()

    def _page_gone(self, role: str) -> None:
        """Give up what was asked on the page of that role, or ask it elsewhere."""
        if role and self._talk and self._talk.to == role:
            self._talk.abandoned(replace(self.state, now_ms=self._now_ms))
            self._leave_talk()

    def _leave_talk(self) -> None:
        """End the conversation when it, the game, its run, or the position in which a move is sealed is over.

        What is being typed by then answers nothing.
        """
        if self._talk is None:
            return
        talk, game = self._talk, self.state.game
        if talk.over or self.over or game.result or not talk.is_about(game.position):
            if not talk.over:
                self._outputs.extend(TellLater(message) for message in talk.broken_off)
            self._talk = None
            self._conceal()

    def _conceal(self) -> None:
        """Hide typed text while the conversation asks for it, and from the word that leads to it on.

        What was typed ahead is dropped, as it was not asked for.
        """
        self._outputs.append(Hide(self._talk.hidden if self._talk else _adjourns(self.state)))

    def _tell_some(self, told: Told) -> None:
        """Tell the room; or in private: the headphones and the Braille display, never the screen."""
        to = self._talk.to if self._talk else None
        self._leave_talk()
        self._conceal()  # before anybody can type the answer
        self._outputs.append(Tell(told.messages, told.private, to=to or ""))

    def _give_up(self) -> None:
        self.over = True


def _goes_by_itself(state: State) -> bool:
    """Whether a move is asked about that needs no yes if nothing is said against it."""
    return isinstance(state.asking, questions.Confirm) and state.asking.sure


def _adjourns(state: State) -> bool:
    """Whether it is asked if the game is to be adjourned."""
    return isinstance(state.asking, Sure) and state.asking.command is CommandName.ADJOURN


def _last_of_each_kind(events: Sequence[Event]) -> tuple[Event, ...]:
    """The last event of each kind, in the order in which these have happened."""
    found: dict[type[Event], Event] = {}
    for event in events:
        found.pop(type(event), None)
        found[type(event)] = event
    return tuple(found.values())


def _only_tells(before: State, after: State) -> bool:
    """Whether an event tells something, or asks whether to stop, and lets at most a waiting clock run."""
    game = replace(after.game, clock=before.game.clock)
    told_only = ("waits", "rung", "completed")
    clocks = replace(before.clocks, **{name: getattr(after.clocks, name) for name in told_only})
    same = replace(before, now_ms=after.now_ms, told=after.told, clocks=clocks, asking=after.asking)
    same = replace(same, unheard=after.unheard, hurried=after.hurried)  # whether an answer came too early
    stops = isinstance(after.asking, Sure) and after.asking.command is CommandName.STOP
    return replace(after, game=game) == same and (stops or after.asking == before.asking)


def _has_moved(before: State, after: State) -> bool:
    """Whether the last move is a new one of the player's, made while he is there, and the game goes on."""
    last = after.game.played[len(before.game.played) :][-1:]
    return (
        before.online.joined
        and bool(last)
        and last[0].fact.colour == after.setup.colour
        and not after.game.result
    )
