# SPDX-License-Identifier: GPL-3.0-or-later
"""The one loop: device news -> events -> `step` -> journal -> effects -> devices."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterable
from dataclasses import asdict, replace

from acessivel.adjournment.conversation import Sealing, Told
from acessivel.app.lessons import Lessons
from acessivel.app.sealing import OpenTalk, SealTalk, Talk
from acessivel.devices.board_cursor import Fingers
from acessivel.devices.braille_panel import Chosen
from acessivel.devices.command_explanation import explained
from acessivel.devices.devices import Devices, SpeechDone
from acessivel.devices.keyboard import KeyboardEnded, TypedLine
from acessivel.devices.private_voice import PrivateVoice
from acessivel.devices.voice_watchdog import Saying
from acessivel.dialogue.interpretation import Question, decide
from acessivel.dialogue.questions import NOTHING
from acessivel.errors import reason
from acessivel.message import Message
from acessivel.messages import earcon_cues
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session.events import Effect, Event
from acessivel.session.state import State
from acessivel.session.step import asked, expectation, step, wakes_in
from acessivel.settings import changed_settings
from acessivel.settings.settings import file_path
from acessivel.storage.journal import Journal, JournalError, PlayedElsewhereError, Stored
from braille import displays
from voices.hearing import utterances
from voices.meaning import CommandName
from voices.sound.level import Trouble
from voices.words.lexicon import vocabulary

_FAREWELL_S = 10.0  # how long the last sentence may take
_RETRY_S = 1.0  # how often to try to keep what could not be kept
_CLOCK_KEPT_S = 5.0  # what a crash can take from a running clock
_BY_THE_USER = (ev.Heard, ev.SquarePointed, ev.Ordered, ev.Explored, ev.Returned)
_FROM_ENGINE = (ev.EngineMoved, ev.EngineFailed, ev.EngineJudged, ev.EngineCompared)
_EXPLORING = (ev.Explored, ev.Returned)  # leave the game as it was: nothing to keep
_OF_THE_DISPLAY = frozenset({"braille_lost", "braille_back"})  # it shows what it showed before
_TROUBLES = {
    Trouble.DEAD: "microphone_dead",
    Trouble.QUIET: "microphone_quiet",
    Trouble.CLIPPING: "microphone_clipping",
}

News = Event | TypedLine | KeyboardEnded | SpeechDone | utterances.Event | displays.Event


class App:
    """One game from its first event in this run to the last, with the devices that there are."""

    def __init__(
        self,
        stored: Stored,
        journal: Journal,
        devices: Devices,
        news: queue.SimpleQueue[News],
        resume_command: str,
    ) -> None:
        """Play on from a stored game; `resume_command` is what to type to go on with it another time."""
        self._state = stored.state
        self._game = stored.id
        self._entries = stored.entries
        self._journal = journal
        self._devices = devices
        self._attention = devices.attention
        self._fingers = Fingers()
        self._news = news
        self._resume_command = resume_command
        self._lessons: Lessons | None = None
        self._sound = b""  # of the utterance that is being dealt with
        self._talk: Talk | None = None
        self._renderer = self._new_renderer(devices.manners.verbosity)
        if devices.panel:
            devices.panel.adopt(self._renderer, devices.bindings)
        self._heard_in = self._words
        self._began = time.monotonic()
        self._missing = devices.missing
        self._unsaved: tuple[Event, ...] = ()
        self._kept_here = True
        self._display_lost = False
        self._saying = Saying(devices)
        self._thinking = False
        self._typing_waits = False
        self._leaving = False

    def run(self) -> None:
        """As `play`, and give every device back."""
        try:
            self.play()
        finally:
            self._devices.close()

    def play(self, lessons: Lessons | None = None) -> None:
        """Play until the user stops, or every input has ended; the game is kept either way.

        With `lessons` it is the practice board of the introduction. JournalError when not even the beginning
        can be kept.
        """
        self._lessons = lessons
        try:
            begin = ev.Resumed if self._entries else ev.Started
            self._happen(begin(confirm=self._attention.confirm))
            manners = self._devices.manners
            self._happen(
                ev.Mannered(
                    **asdict(manners.voice),
                    verbosity=manners.verbosity,
                    earcons=manners.earcons,
                    talk=manners.talk,
                )
            )
            while not self._leaving:
                self._wait()
        except KeyboardInterrupt:
            pass
        finally:
            self._farewell()

    def _wait(self) -> None:
        """Deal with the next news, or with the passing of time."""
        if self._saying.left_s == 0:
            self._voice_lost()
        try:
            news = self._news.get(timeout=self._patience_s())
        except queue.Empty:
            self._handle(ev.Tick(quiet=self._quiet))
        else:
            self._dispatch(news)

    def _patience_s(self) -> float:
        """How long to wait for news: not past what the clock has to tell, nor when it is to be kept."""
        if self._unsaved:
            return _RETRY_S
        due = wakes_in(self._state, self._now(), quiet=self._quiet)
        return _CLOCK_KEPT_S if due is None else min(due / 1000 + 0.005, _CLOCK_KEPT_S)

    @property
    def _quiet(self) -> bool:
        """Whether nothing is being said, heard or typed that the clock would disturb."""
        panel = self._devices.panel
        whisper = self._devices.whisper
        told = whisper and whisper.speaking
        busy = told or self._talk or self._attention.hearing or (panel and panel.typing)
        return not (self._saying.now or busy)

    def _dispatch(self, news: News) -> None:
        match news:
            case Event():
                self._thinking = self._thinking and not isinstance(news, _FROM_ENGINE)
                self._handle(news)
            case TypedLine(text):
                self._saying.hush()
                self._typing_waits = True
                if self._talk:
                    self._answer(self._talk, text)
                elif not text and self._attention.has_talk_key:
                    self._attention.press()
                else:
                    self._typed(text)
            case SpeechDone(number):
                self._speech_done(number)
            case displays.Pressed(key):
                self._pressed(key)
            case displays.Attached() | displays.Detached():
                self._display_news(news)
            case KeyboardEnded():
                self._input_ended("keyboard")
            case _:
                self._from_microphone(news)
        self._go_on()

    def _from_microphone(self, news: utterances.Event) -> None:
        match news:
            case utterances.Utterance() | utterances.SpeechBegan() | utterances.MicrophoneTrouble() if (
                self._attention.deaf
            ):
                pass
            case utterances.Utterance() if self._talk:
                pass  # what is said aloud is no secret
            case utterances.Utterance():
                self._heard(news)
            case utterances.SpeechBegan():
                self._saying.hush()
            case utterances.MicrophoneTrouble(trouble):
                self._handle(ev.DeviceNews(key=_TROUBLES[trouble]))
            case utterances.SourceFailed():
                self._attention.lost()
                self._handle(ev.DeviceNews(key="microphone_lost"))
                self._input_ended("microphone")
            case utterances.SourceEnded():
                self._attention.lost()
                self._input_ended("microphone")

    def _pressed(self, key: displays.Key) -> None:
        if self._devices.whisper:  # a key of one player does not silence what the other is told
            self._devices.whisper.hush()
        else:
            self._saying.hush()
        panel, action = self._devices.panel, self._devices.bindings.action(key)
        if panel and panel.typing and action in ("send", "cancel"):
            action = None  # of what was typed, not of the square under the fingers or of a long answer
        if not self._act(action) and panel:
            found = panel.press(key)
            if isinstance(found, Chosen):
                self._act(found.action)
            elif found:
                self._by_user(found)

    def _typed(self, text: str) -> None:
        """A line; an empty one is the enter key, for the square under the fingers or a long answer."""
        event = self._fingers.act("send", self._state) if not text else None
        self._by_user(event or ev.Heard(words=(text,)))

    def _act(self, action: str | None) -> bool:
        """Do what a key does, unless it is for the display alone; returns whether it was done."""
        if action == "talk":
            self._attention.press()
            return True
        if action == "keys":
            self._tell_keys()
            return True
        event = self._fingers.act(action, self._state)
        if event is None and action == "cancel" and not self._devices.panel and self._state.asking != NOTHING:
            event = ev.Heard(words=(vocabulary(self._state.setup.language).say("answer", "no"),))
        if event:
            self._by_user(event)
        elif action == "cancel" and self._lessons and self._state.asking == NOTHING:
            self._leave()
            return True
        return event is not None

    def _by_user(self, event: Event) -> None:
        """Something that the user did with a key or in words: the fingers follow."""
        if self._talk:
            if isinstance(event, ev.Heard):
                self._answer(self._talk, *event.words)
            return
        self._fingers.follow(event)
        self._handle(event)

    def _tell_keys(self) -> None:
        """The list of the keys; on the display each line can be pressed."""
        lines = tuple(self._devices.bindings.lines())
        self._tell((Message.of("keys_routing"), *(message for _, message in lines)))
        if self._devices.panel:
            self._devices.panel.show_keys(lines)

    def _heard(self, utterance: utterances.Utterance) -> None:
        """An answer counts only for the question that it was an answer to."""
        timely = self._attention.heard(utterance)
        if timely or self._attention.headphones:
            setup, position = self._state.setup, self._state.announced_in
            decided = decide(
                utterance.hypotheses,
                position,
                setup.convention,
                setup.language,
                Question(asked(self._state), self._devices.least_yes),
            )
            self._sound = utterance.audio
            self._by_user(ev.Heard(words=decided.readings, sure=decided.sure, spoken=True, early=not timely))
            self._sound = b""

    def _handle(self, event: Event) -> None:
        """Let an event happen, unless it cannot be kept: then say so, and let nothing have happened.

        What the user says can be said again; what comes by itself is tried again until it is kept.
        """
        events, self._unsaved = (*self._unsaved, event), ()
        for number, each in enumerate(events):
            try:
                self._happen(each)
            except PlayedElsewhereError as error:
                self._leaving, self._kept_here = True, False
                self._tell((error.reason,))
                return
            except JournalError as error:
                by_itself = (e for e in events[number:] if not isinstance(e, _BY_THE_USER))
                self._unsaved = tuple({type(e): e for e in by_itself}.values())
                if len(events) == 1 or isinstance(event, _BY_THE_USER):
                    self._tell((Message.of("not_saved", reason=error.reason),))
                return

    def _happen(self, event: Event) -> None:
        """Durable in the journal first, then acted on; JournalError when it cannot be kept."""
        event = replace(event, at=self._now())
        after, effects = step(self._state, event)
        if self._lessons:
            after, effects = self._lessons.taught(self._state, event, after, effects)
        unchanged = after == replace(self._state, now_ms=after.now_ms)
        if unchanged and isinstance(event, _EXPLORING):
            for effect in effects:
                self._do(effect)
            return
        if unchanged and not effects and not self._clock_is_due(event):
            return
        self._journal.append(self._game, self._entries, event, self._state, after)
        self._entries += 1
        self._tape(event, after)
        self._state = after
        for effect in effects:
            self._do(effect)
        if isinstance(event, ev.Tick) and self._devices.panel:
            self._devices.panel.refresh(self._state)

    def _tape(self, event: Event, after: State) -> None:
        """Keep the sound of what is announced; that it cannot be kept is told with what is told next."""
        if self._devices.recorder:
            spoken = isinstance(event, ev.Heard) and event.spoken
            trouble = self._devices.recorder.happened(self._state, after, self._sound if spoken else b"")
            self._missing = (*self._missing, *((trouble,) if trouble else ()))

    def _clock_is_due(self, event: Event) -> bool:
        """Whether the time that has run is to be kept: every few seconds, and at the end."""
        clock = self._state.game.clock
        passed_ms = event.at - self._state.now_ms
        return bool(clock and clock.running) and (self._leaving or passed_ms >= _CLOCK_KEPT_S * 1000)

    def _do(self, effect: Effect) -> None:
        match effect:
            case ev.Say(messages, private=True, unasked=unasked):
                self._tell_alone(messages, unasked=unasked)
            case ev.Say(messages):
                self._sound_out(earcon_cues.of(messages))
                self._tell(messages)
            case ev.Explain(command, question):
                self._explain(CommandName(command), question)
            case ev.FlagFell():
                self._flag_fell()
            case ev.Again(event):
                self._happen(event)
            case ev.AskEngine() | ev.AskEngineForDraw() | ev.AskEngineForAdvice():
                self._ask_engine(effect)
            case ev.Seal():
                devices = self._devices
                private = bool(devices.private_voice or devices.private_display or devices.whisper)
                setup, position = self._state.setup, self._state.game.position
                sealing = Sealing.of(setup, position, private=private, answered=self._state.away)
                talk = SealTalk(sealing, self._game, self._journal.folder, self._tell_some, self._handle)
                self._begin(talk)
            case ev.Unseal():
                self._begin(OpenTalk(self._game, self._state, self._tell_some, self._handle, self._leave))
            case ev.Adopt(setting, value):
                self._adopt()
                if setting:
                    self._keep(setting, value)
            case ev.Leave():
                self._leave()

    def _flag_fell(self) -> None:
        if not self._state.setup.two_boards:  # there the room hears of it when it is claimed
            self._sound_out(("flag",))
        if self._devices.panel:
            self._devices.panel.refresh(self._state)

    def _ask_engine(self, effect: ev.AskEngine | ev.AskEngineForDraw | ev.AskEngineForAdvice) -> None:
        match effect, self._devices.opponent:
            case ev.AskEngine() | ev.AskEngineForAdvice(), None:
                self._news.put(ev.EngineFailed())
            case _, None:
                self._news.put(ev.EngineAnswered(accepts=False))
            case ev.AskEngine(), opponent:
                self._thinking = True
                opponent.ask_move(self._state.game, self._now())
            case ev.AskEngineForAdvice(about, ply), opponent:
                self._thinking = True
                opponent.ask_advice(self._state.game, about, ply)
            case _, opponent:
                opponent.ask_draw(self._state.game, engine_colour(self._state))

    def _sound_out(self, names: Iterable[str]) -> None:
        """The earcons among these that the player wants."""
        self._devices.sound([name for name in names if name in self._state.manners.earcons])

    @property
    def _words(self) -> tuple[str, str]:
        """The language and the convention that are spoken now."""
        return self._state.setup.language, self._state.setup.convention

    def _new_renderer(self, verbosity: str) -> Renderer:
        return Renderer(*self._words, verbosity)

    def _adopt(self) -> None:
        """Speak, tell, show and listen as the state says now."""
        self._renderer = self._new_renderer(self._state.manners.verbosity)
        self._devices.adopt(self._state.manners, self._renderer)

    def _keep(self, setting: str, value: int | str) -> None:
        """Keep what was changed for the next run; that it cannot be kept is told with what is told next."""
        try:
            changed_settings.keep(file_path(), setting, value)
        except OSError as error:
            self._missing = (*self._missing, Message.of("setting_not_kept", reason=reason(error, "writing")))

    def _hear_anew(self) -> None:
        """After a change of language or convention, which is told while the recogniser is made."""
        if self._heard_in != self._words:
            self._heard_in = self._words
            if not self._devices.hear_in(*self._words):
                self._attention.lost()
                self._handle(ev.DeviceNews(key="hearing_lost"))
                self._input_ended("microphone")

    def _explain(self, command: CommandName, question: tuple[Message, ...]) -> None:
        setup, bindings = self._state.setup, self._devices.bindings
        told = explained(command, setup.language, setup.convention, bindings, setup.laws)
        self._tell((*told, *question))

    def _leave(self) -> None:
        self._leaving = True

    def _begin(self, talk: Talk) -> None:
        """From now on what is typed belongs to a conversation that the journal must not know."""
        self._talk = talk
        talk.begin()
        self._conceal()

    def _answer(self, talk: Talk, text: str) -> None:
        self._handle(ev.Tick())
        if not self._state.game.result:
            talk.answer(text, replace(self._state, now_ms=self._now()))
        self._conceal()

    def _conceal(self) -> None:
        """Hide what is typed as long as the conversation asks for it; end it when it is over."""
        if self._talk and (self._talk.over or self._state.game.result):
            self._talk = None
        hidden = bool(self._talk and self._talk.hidden)
        if self._devices.keyboard and not self._devices.keyboard.hide(hidden=hidden):
            self._tell((Message.of("typing_seen"),))

    def _tell_some(self, told: Told) -> None:
        """Tell the room; or in private: the headphones and the Braille display, never the screen."""
        self._conceal()  # before anybody can type the answer
        if told.private:
            self._tell_alone(told.messages)
        else:
            self._tell(told.messages)

    def _tell_alone(self, messages: tuple[Message, ...], *, unasked: bool = False) -> None:
        """Tell one player alone, never the screen; or say in the room that nothing here is private."""
        devices = self._devices
        if not (devices.private_display or devices.private_voice or devices.whisper):
            if not unasked:
                self._tell((Message.of("private_nowhere"),))
            return
        if devices.private_display:
            self._show(messages)
        if devices.whisper:
            self._whisper(devices.whisper, messages)
        else:
            self._attention.told()
        if devices.private_voice:
            self._speak(messages)

    def _whisper(self, voice: PrivateVoice, messages: tuple[Message, ...]) -> None:
        voice.say(self._renderer.spans(messages))
        if voice.lost:
            self._devices.whisper = None
            voice.close()
            self._news.put(ev.DeviceNews(key="private_voice_lost"))

    def _tell(self, messages: Iterable[Message]) -> None:
        """The same messages on the screen, on the display and by voice; first of all, what is missing."""
        told, self._missing = (*self._missing, *messages), ()
        for message in told:
            self._devices.write(self._renderer.text(message))
        self._show(told)
        self._attention.told()
        self._speak(told)

    def _show(self, told: tuple[Message, ...]) -> None:
        if self._devices.panel and not _OF_THE_DISPLAY.intersection(message.key for message in told):
            self._devices.panel.show(self._state, told, self._fingers.square)

    def _speak(self, told: tuple[Message, ...]) -> None:
        if not self._saying.say(self._renderer.spans(told)):
            self._voice_lost()

    def _voice_lost(self) -> None:
        self._saying.lost()
        self._news.put(ev.DeviceNews(key="speech_lost"))

    def _speech_done(self, number: int) -> None:
        if self._saying.ended(number):
            self._handle(ev.SpeechEnded())

    def _go_on(self) -> None:
        """Let the inputs go on that were waiting for the program."""
        if self._thinking:
            return
        if self._typing_waits and self._devices.keyboard:
            self._typing_waits = False
            self._devices.keyboard.proceed()
        if self._talk:
            return
        self._hear_anew()
        self._attention.listen(lambda: expectation(self._state), speaking=self._saying.now)

    def _display_news(self, news: displays.Attached | displays.Detached) -> None:
        was_lost, self._display_lost = self._display_lost, isinstance(news, displays.Detached)
        if isinstance(news, displays.Attached) and self._devices.panel:
            self._devices.panel.resize(news.size)
        if was_lost != self._display_lost:
            self._handle(ev.DeviceNews(key="braille_lost" if self._display_lost else "braille_back"))

    def _input_ended(self, name: str) -> None:
        """Leave when nothing is left that a move could come from."""
        self._devices.inputs.discard(name)
        if not self._devices.inputs:
            self._leaving = True

    def _farewell(self) -> None:
        """Say how to go on, and let that be spoken to its end."""
        self._leaving = True
        if self._kept_here:
            self._handle(ev.Tick())
        kept = () if self._state.game.result else (Message.of("kept", command=self._resume_command),)
        self._tell(self._lessons.farewell if self._lessons else (*kept, Message.of("goodbye")))
        until = time.monotonic() + _FAREWELL_S
        others: list[News] = []
        while self._saying.now and time.monotonic() < until:
            try:
                news = self._news.get(timeout=max(0.0, until - time.monotonic()))
            except (queue.Empty, KeyboardInterrupt):
                break
            if isinstance(news, SpeechDone) and self._saying.ended(news.number):
                break
            others.append(news)
        for news in others:  # what is typed already belongs to the game after the introduction
            self._news.put(news)

    def _now(self) -> int:
        return round((time.monotonic() - self._began) * 1000)


def engine_colour(state: State) -> str:
    """The side that the engine plays; only in a game against it."""
    return next(colour for colour in ("white", "black") if colour not in state.setup.persons)
