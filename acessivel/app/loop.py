# SPDX-License-Identifier: GPL-3.0-or-later
"""The one loop: device reports -> inputs of an activity -> its outputs -> the devices."""

from __future__ import annotations

import contextlib
import logging
import queue
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TextIO

from acessivel.app.activity import (
    NO_SOUNDS,
    Activity,
    DeviceChanged,
    Input,
    InputEnded,
    KeyFelt,
    KeyPressed,
    ListLeft,
    Output,
    Pointed,
    Reported,
    SpeechOver,
    Tell,
    TimePassed,
    TypedText,
    Uttered,
    about_pages,
)
from acessivel.app.channels import Channels
from acessivel.app.interrupted_speech import Cause
from acessivel.app.patience import patiently
from acessivel.devices import missing_devices
from acessivel.devices.braille_content import Chosen
from acessivel.devices.devices import Devices, SpeechDone, open_devices
from acessivel.devices.keyboard import CharacterTyped, EnterPressed, Interrupted, KeyboardEnded, TypedLine
from acessivel.devices.microphone import PlayTone, TonePlayed
from acessivel.devices.voice_watchdog import VoiceWatchdog
from acessivel.errors import trace
from acessivel.message import Message
from acessivel.session import events as ev
from acessivel.session import preferences
from acessivel.settings.settings import Settings
from acessivel.web.driver import PageNews, Pages, PageTyped, open_pages
from acessivel.web.present import Live
from braille import displays
from voices.hearing import utterances
from voices.meaning import CommandName
from voices.sound import earcons
from voices.sound.level import Trouble
from voices.words.lexicon import Sounds

_AFTER_STUMBLE_MS = 1000  # before what failed by itself may happen again
_LOG = logging.getLogger(__name__)
_BY_THE_USER = (TypedText, Uttered, KeyPressed, Pointed, ListLeft)
_MARGIN_S = 0.005  # after the moment that an activity waits for


@contextlib.contextmanager
def open_loop(  # noqa: PLR0913  # what it is opened with, and where that is told
    settings: Settings,
    write: Callable[[str], None],
    keys: TextIO | None,
    *,
    place: str = "",
    sounds: Sounds = NO_SOUNDS,
    optional: Iterable[str] = (),
) -> Iterator[Loop]:
    """A loop with the devices of the settings, released at the end; `place` as in `open_devices`.

    `sounds` are those of the activity that is run first; `optional` as in `missing_devices.news`.
    """
    reports: queue.SimpleQueue[Any] = queue.SimpleQueue()
    with contextlib.ExitStack() as stack:
        with patiently(settings, aloud=True):
            devices = open_devices(settings, reports.put, write, keys, place=place, sounds=sounds)
        stack.callback(devices.close)
        pages = open_pages(settings, reports.put) if settings.web or settings.web_lan else None
        if isinstance(pages, Pages):
            stack.callback(pages.release)
            if pages.stand:  # who has only a browser plays there
                devices.inputs.add("page")
        loop = Loop(devices, reports, pages if isinstance(pages, Pages) else None)
        missing = missing_devices.news(devices, settings, optional)
        loop.tell_first(*missing, *((pages,) if isinstance(pages, Message) else ()))
        yield loop


@dataclass(frozen=True, slots=True)
class _Addressed:
    """A report to one activity."""

    activity: Activity
    value: object


def _is_chat(report: object) -> bool:
    """Whether somebody at a server has written to the players, which is in no hurry."""
    return isinstance(report.value if isinstance(report, _Addressed) else report, ev.Chatted)


class Loop:
    """Runs activities one after another on the same devices: only the loop knows queue, time and devices."""

    def __init__(self, devices: Devices, reports: queue.SimpleQueue[Any], pages: Pages | None = None) -> None:
        """`reports` is the queue of what devices, `pages` and threads of the activities report.

        By `report` they put something there; `tell_first` tells messages before what is told next.
        """
        self.devices = devices
        self._pages = pages
        self._lines: deque[PageTyped] = deque()  # typed on pages, and not handled yet
        self.report = reports.put
        self._reports = reports
        self._watchdog = VoiceWatchdog(devices)
        self._channels = Channels(devices, pages, self._watchdog, self.report, self._now)
        self.tell_first = self._channels.tell_first
        self._chat: list[object] = []  # which waits
        self._display_lost = self._typed = False
        self._gone: utterances.SourceFailed | utterances.SourceEnded | None = None  # until the source is back
        self._unhearable = False  # what would be said now
        self._began = time.monotonic()
        self._heard_in: tuple[str, str, Sounds] | None = None  # None: as the devices were opened

    def run(self, activity: Activity) -> bool:
        """Run an activity until it is over, no input is left, or Ctrl+C; then tell its farewell.

        Returns whether another can follow: not after Ctrl+C, nor where no input is left.
        """
        interrupted = True
        try:
            self.begin(activity)
            while not (activity.over or self._ended):
                self._wait()
            interrupted = False
        except KeyboardInterrupt:
            pass
        finally:
            self._farewell()
        return not (interrupted or self._ended)

    def report_to(self, activity: Activity, value: object) -> None:
        """Report something to an activity alone: where another runs by then, it is dropped."""
        self.report(_Addressed(activity, value))

    def begin(self, activity: Activity) -> None:
        """Start an activity, and begin to listen."""
        self._activity = activity
        self._began = time.monotonic()
        self._ended = self._stumbles = False
        self._channels.begin(activity)
        self._heard_in = self._heard_in or self._to_hear
        self._channels.do(activity.start(self._now()))
        self._go_on()
        self._channels.show_pages()

    def take(self, report: object) -> None:
        """Handle one report of a device or a thread, and let the inputs go on; no chat while one speaks."""
        now: list[object] = []
        (self._chat if _is_chat(report) else now).append(report)
        if not self.devices.microphone.hearing:
            now, self._chat = now + self._chat, []
        for each in now:
            self._guarded(partial(self._dispatch, each))
        self._guarded(self._go_on)
        self._guarded(self._channels.show_pages)

    def offer_pages(self, roles: Sequence[str], key: str = "web_open") -> None:
        """Write the links of these roles, and say by a sentence that they are there; nothing without pages.

        Nothing is said where one of them is open for all that is begun.
        """
        if self._pages is None or self._pages.stand:
            return
        for line in self._pages.lines(roles):
            self.devices.write(line)
        self.tell_first(Message.of(key))

    def exchange_pages(self) -> None:
        """Let the pages of two players change colours with them, and say so."""
        if self._pages and self._pages.exchange():
            self.tell_first(Message.of("web_exchanged"))

    def offer_live(self, live: Live) -> None:
        """Let everybody who reaches the pages have the games of a hall, as they go on."""
        if self._pages:
            self._pages.offer_live(live)

    def read_keys(self, keys: TextIO) -> None:
        """Read lines or keys from a terminal or a pipe from now on."""
        self.devices.read_keys(keys, self.report)

    def _now(self) -> int:
        return round((time.monotonic() - self._began) * 1000)

    # Reports -> inputs

    def _wait(self) -> None:
        """Handle the next report, or the passing of time; a voice that does not finish counts as lost."""
        try:
            report = self._reports.get(timeout=self._patience_s())
        except queue.Empty:
            private_voice = self.devices.private_voice
            if self._watchdog.left_s == 0:
                self._channels.voice_lost()
            elif private_voice and private_voice.left_s == 0:
                self._channels.private_voice_lost(private_voice)
            else:
                self.take(TimePassed(quiet=self.quiet))
        else:
            self.take(report)

    def _patience_s(self) -> float | None:
        """How long to wait: for the voice and the tone to end, and no longer than the activity waits."""
        try:
            due_ms = self._activity.wakes_in_ms(self._now(), quiet=self.quiet)
        except Exception as error:  # noqa: BLE001 - no error of a game may end it
            self._stumble(error)
            due_ms = 0
        if due_ms is not None and self._stumbles:  # what fails by itself fails again at once
            due_ms = max(due_ms, _AFTER_STUMBLE_MS)
        due_s = None if due_ms is None else due_ms / 1000 + _MARGIN_S
        tone_s = self.devices.microphone.left_s if self._may_listen else None
        private_s = self.devices.private_voice.left_s if self.devices.private_voice else None
        waits = (self._watchdog.left_s, private_s, tone_s, due_s)
        return min((seconds for seconds in waits if seconds is not None), default=None)

    def _stumble(self, error: Exception) -> None:
        """Log an error of the program, without its words: they can be the user's."""
        self._stumbles = True
        _LOG.error("unexpected %s", trace(error))

    def _guarded(self, do: Callable[[], None]) -> None:
        """Do something that may tell; if it fails by an error of the program, say so and go on.

        The system's errors pass: standard output is full, or nobody reads it any more.
        """
        try:
            do()
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - no error of a game may end it
            self._stumble(error)
            with contextlib.suppress(Exception):
                self._channels.tell((Message.of("went_wrong_telling"),))

    @property
    def quiet(self) -> bool:
        """Whether nothing is being said, heard or typed that a clock would disturb."""
        panel, keyboard, voice = self.devices.panel, self.devices.keyboard, self.devices.private_voice
        typing, told = any(each and each.typing for each in (panel, keyboard)), voice and voice.speaking
        return not (self._watchdog.now or told or typing or self.devices.microphone.hearing)

    def _dispatch(self, report: object) -> None:  # noqa: PLR0912  # one row for each report
        """Give a report to what deals with its kind; one of no kind known here is the activity's own."""
        match report:
            case TypedLine() | EnterPressed() | CharacterTyped():
                self._from_keyboard(report)
            case PageTyped() | PageNews():
                self._from_page(report)
            case Interrupted():
                pass  # it has raised KeyboardInterrupt, or does so now
            case KeyboardEnded():
                self._input_ended("keyboard")
            case SpeechDone(number):
                if self._watchdog.ended(number):
                    if self._watchdog.heard:
                        self.devices.microphone.said_to_its_end()
                    self._input(SpeechOver(heard=self._watchdog.heard))
            case displays.Pressed(key):
                self._pressed(key)
            case displays.Attached() | displays.Detached():
                self._display_changed(report)
            case DeviceChanged() | TimePassed():
                self._input(report)
            case (
                utterances.Utterance()
                | utterances.SpeechBegan()
                | utterances.MicrophoneTrouble()
                | utterances.SoundCame()
                | utterances.LoudspeakerUnheard()
                | utterances.SourceFailed()
                | utterances.SourceBack()
                | utterances.SourceEnded()
                | TonePlayed()
            ):
                self._from_microphone(report)
            case _Addressed(activity, value):
                if activity is self._activity:
                    self._input(Reported(value))
            case _:
                self._input(Reported(report))

    def _from_keyboard(self, report: TypedLine | EnterPressed | CharacterTyped) -> None:
        self._typed = self._typed or not isinstance(report, CharacterTyped)
        match report:
            case CharacterTyped():
                self._watchdog.hush()
                self._input(KeyFelt())
            case TypedLine(text) if text or not self._talks:
                self._watchdog.hush()
                self._input(TypedText(text))
            case _:
                self._entered()

    def _from_page(self, report: PageTyped | PageNews) -> None:
        """A line waits for the activity; who only watches is told of with what is told next."""
        match report:
            case PageTyped():
                self._lines.append(report)
                return
            case PageNews(message, quiet=True):
                self.tell_first(message)
            case PageNews(message):
                self._input(DeviceChanged(message.key))
        if self._pages:
            self._pages.dealt_with(report)

    def _input(self, input_: Input, cause: Cause | None = None) -> bool:
        """Give the activity an input; returns whether it meant anything, to the activity or here.

        `cause`: what it is to what is being said, if that is not as of its kind.
        """
        if isinstance(input_, DeviceChanged):
            self.devices.preferences = preferences.after(
                self.devices.preferences, ev.DeviceNews(key=input_.key)
            )
        by = input_.by if isinstance(input_, TypedText) else ""
        before = self._channels.game if by else None
        self._channels.asked = isinstance(input_, _BY_THE_USER) and not by
        speech = self._channels.speech
        speech.cause, speech.by = cause or Cause.of(input_), by
        outputs = self._handled(input_)
        speech.acted = bool(by) and self._channels.game != before
        if outputs is None:
            outputs = self._usual(input_)
        self._channels.do(outputs or ())
        if isinstance(input_, TimePassed):
            self._channels.refresh()
        return outputs is not None

    def _handled(self, input_: Input) -> Sequence[Output] | None:
        """What the activity makes of an input; if it fails, it says so, but by itself only once."""
        try:
            ordered = () if self._activity.journals else about_pages(input_, self._channels.words)
            outputs = ordered or self._activity.handle(input_, self._now())
        except Exception as error:  # noqa: BLE001 - no error of a game may end it
            again = self._stumbles and isinstance(input_, TimePassed)
            self._stumble(error)
            told = self._activity.stumbled()
            return () if again else told
        self._stumbles = False
        return outputs

    def _usual(self, input_: Input) -> Sequence[Output] | None:
        """The default for an input that the activity does not handle; None if there is none."""
        match input_:
            case DeviceChanged(key):
                return (Tell((Message.of(key), *self._activity.pending())),)
            case InputEnded(last=last):
                self._ended = self._ended or last
                return ()
            case KeyPressed("keys"):
                self._tell_keys()
                return ()
        return None

    def _tell_keys(self) -> None:
        """The list of the keys, in portions where there are some; on the display all that can be done."""
        lines = (message for _, message in self.devices.bindings.lines())
        routing = (self.devices.bindings.routing,) if self.devices.panel else ()
        self._channels.tell(self._activity.long_answer((*routing, *lines)), listed=True)

    def _from_microphone(self, report: utterances.HearingEvent | TonePlayed) -> None:
        microphone = self.devices.microphone
        match report:
            case TonePlayed():
                microphone.tone_played(report)
            case utterances.SourceFailed():
                microphone.lost()
                self._gone = report
                self._input(DeviceChanged("microphone_lost"))
                self._input_ended("microphone")
            case utterances.SourceBack():
                self._gone = None
                self._hear_again()
            case utterances.SourceEnded():
                microphone.lost()
                self._gone = report
                self._input_ended("microphone")
            case _ if microphone.deaf:
                pass
            case utterances.MicrophoneTrouble(trouble):
                self._input(DeviceChanged(f"microphone_{trouble}"))
                if trouble is Trouble.DEAD:
                    microphone.warned()
            case utterances.SoundCame() if microphone.warns and self._watchdog.now:
                self._watchdog.hush()
                self._channels.tell_interrupted()
            case utterances.LoudspeakerUnheard():
                microphone.loudspeaker_unheard()
            case utterances.SpeechBegan() if self._activity.listens:
                if self._watchdog.now and microphone.interrupts():
                    self._watchdog.hush()
            case utterances.Utterance() if self._activity.listens:
                self._input(Uttered(report, microphone.heard(report)))

    def _hear_again(self) -> None:
        """Listen once more, and say so, if there is sound again and what is said now can be heard."""
        if self._gone or self._unhearable or not self.devices.microphone.back():
            return
        self.devices.inputs.add("microphone")
        self._channels.adapt()
        if self.devices.microphone.deaf and not self.devices.only_voice:
            self.tell_first(Message.of("listening_stopped"))
        pushed = self.devices.microphone.talk == "push"
        self._input(DeviceChanged("microphone_back_push" if pushed else "microphone_back"))
        self._stay_in_reach()

    @property
    def _talks(self) -> bool:
        """Whether Enter opens and closes the microphone; so does an empty line of a pipe."""
        return self._activity.listens and self.devices.microphone.has_talk_key

    def _entered(self) -> None:
        """Enter at the keyboard is the talk key, an empty line, or the same key as on a display."""
        if self._talks:
            self._watchdog.hush()
            self._talk()
        elif self._activity.wants_lines:
            self._watchdog.hush()
            self._input(TypedText(""))
        else:
            self._pressed(displays.NamedKey.ENTER)

    def _pressed(self, key: displays.Key) -> None:
        """Do what the table says for a key, or treat it as the display's own: panning, typing, pointing."""
        if self.devices.private_voice:  # one player's key does not silence what the other is told
            self.devices.private_voice.hush()
        else:
            self._watchdog.hush()
        self._input(KeyFelt())
        panel, action = self.devices.panel, self.devices.bindings.action(key)
        if panel and action and panel.takes(action):
            action = None
        if not (action and self._act(action)) and panel:
            self._meant(panel.press(key, self._now()))

    def _act(self, action: str) -> bool:
        """Do what an action says; returns whether it means anything beyond the display."""
        if action == "talk":
            self._talk()
            return True
        return self._input(KeyPressed(action))

    def _talk(self) -> None:
        """Open or close the microphone; if it was closed by what was told meanwhile, tell that again."""
        if self.devices.microphone.press():
            self._channels.asked = True
            self._channels.tell_again(Message.of("talk_lost"))

    def _meant(self, found: ev.Event | Chosen | None) -> None:
        """Handle what was pressed or typed on the display."""
        match found:
            case Chosen(action):
                if not self._act(action) and self.devices.panel:
                    self.devices.panel.does_nothing()
            case ev.Heard(words=words, key=key):
                self._input(TypedText(words[0], key))
            case ev.SquarePointed(square=square):
                if not self._input(Pointed(square)) and self.devices.panel:
                    self.devices.panel.does_nothing()
            case ev.Returned():
                self._input(ListLeft())

    def _display_changed(self, report: displays.Attached | displays.Detached) -> None:
        was_lost, self._display_lost = self._display_lost, isinstance(report, displays.Detached)
        if isinstance(report, displays.Attached) and self.devices.panel:
            self.devices.panel.resize(report.size)
        if was_lost != self._display_lost:
            self._input(DeviceChanged("braille_lost" if self._display_lost else "braille_back"))

    def _input_ended(self, source: str) -> None:
        self.devices.inputs.discard(source)
        self._channels.adapt()
        # Who closes the keyboard meanwhile wants to leave.
        returns = isinstance(self._gone, utterances.SourceFailed) and self._gone.can_return
        awaited = source == "microphone" and returns
        self._input(InputEnded(source, last=not (self.devices.inputs or awaited)))
        self._stay_in_reach()

    def _stay_in_reach(self) -> None:
        """Listen whenever that can be, where nothing but the voice is left: nothing else could ask for it."""
        microphone, listens = self.devices.microphone, self._activity.listens
        if self.devices.only_voice and listens and (microphone.deaf or microphone.has_talk_key):
            self._input(KeyPressed(CommandName.HANDS_FREE), Cause.BESIDE)

    # What has waited for the activity goes on

    def _go_on(self) -> None:
        """Let the inputs continue that were waiting for the activity."""
        while self._lines and self._pages and not (self._activity.busy or self._activity.over):
            self._typed_on_page(self._pages, self._lines.popleft())
        if self._typed and self.devices.keyboard:
            self._typed = not self.devices.keyboard.proceed(busy=self._activity.busy)
        self.devices.microphone.speaks(now=self._watchdog.now)
        if self._may_listen:
            self._hear_anew()
            self.devices.microphone.listen(
                self._activity.expectation, speaking=self._watchdog.now, tone=self._tone
            )

    def _typed_on_page(self, pages: Pages, line: PageTyped) -> None:
        """A line of a page is one of that player; an empty one means something only if the page offers it."""
        reported, line = line, pages.as_now(line)
        try:
            if outdated := pages.outdated(line, self._channels.present()):
                told = (outdated, *self._activity.pending())
                self._channels.do((Tell(told, private=True, to=line.role),))
            elif pages.is_meant(line, self._channels.present()):
                self._input(TypedText(line.text, by=line.role, faced=line.faced))
                if yes := pages.yes_to(line, self._channels.present()):
                    self._input(TypedText(yes, by=line.role))
        finally:
            pages.dealt_with(reported)

    @property
    def _may_listen(self) -> bool:
        return self._activity.listens and not self._activity.busy

    @property
    def _to_hear(self) -> tuple[str, str, Sounds]:
        """The language, the convention and the further sounds in which something can be said now."""
        return (*self._channels.words, self._activity.sounds)

    def _hear_anew(self) -> None:
        """Switch the recogniser after a change of what can be said in, which is told meanwhile."""
        if self._heard_in == self._to_hear:
            return
        self._heard_in, was_unhearable = self._to_hear, self._unhearable
        self._unhearable = not self.devices.hear_in(*self._to_hear)
        if was_unhearable:
            self._hear_again()
        elif self._unhearable:
            self.devices.microphone.lost()
            self._input(DeviceChanged("hearing_lost"))
            self._input_ended("microphone")

    @property
    def _tone(self) -> PlayTone | None:
        """How to play the tone that says that it listens, if the user wants it."""
        if earcons.READY not in self.devices.preferences.earcons:
            return None
        return lambda over: self.devices.sound((earcons.READY,), lambda: self.report(over))

    # The end

    def _farewell(self) -> None:
        """Let the activity finish, and its last words be spoken to their end; a key ends that too."""
        self._guarded(lambda: self._channels.do(self._activity.leave(self._now())))
        others: list[object] = []
        while self._watchdog.left_s:
            try:
                report = self._reports.get(timeout=self._watchdog.left_s)
            except (queue.Empty, KeyboardInterrupt):
                break
            match report:
                case SpeechDone(number):
                    self._watchdog.ended(number)
                case displays.Pressed() | CharacterTyped():
                    self._watchdog.hush()
                case _:  # typed text already belongs to what comes after
                    others.append(report)
        for report in others:
            self.report(report)
