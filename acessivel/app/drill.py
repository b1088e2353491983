# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop of a drill: device news -> replies -> the round -> what is told on every device."""

from __future__ import annotations

import queue
from collections.abc import Sequence

from acessivel.devices.devices import Devices, SpeechDone
from acessivel.devices.keyboard import KeyboardEnded, TypedLine
from acessivel.devices.voice_watchdog import Saying
from acessivel.dialogue.interpretation import Question as Asked
from acessivel.dialogue.interpretation import decide
from acessivel.drills.question import Question, Reply
from acessivel.drills.round import Round
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import BLACK, WHITE, Position
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.settings.settings import Settings
from braille import displays
from voices.grammar import grammar
from voices.hearing import utterances
from voices.meaning import Answer, Command, CommandName, MovePattern, Place
from voices.understanding.meanings import read

News = TypedLine | KeyboardEnded | SpeechDone | utterances.Event | displays.Event


class Drilling:
    """Asks the questions of a round by voice, screen and Braille, and takes the replies from each of them."""

    def __init__(
        self, round_: Round, devices: Devices, news: queue.SimpleQueue[News], settings: Settings
    ) -> None:
        self._round = round_
        self._devices = devices
        self._attention = devices.attention
        self._news = news
        self._settings = settings
        self._renderer = Renderer(settings.language, settings.convention, devices.manners.verbosity)
        self._saying = Saying(devices)
        self._typing_waits = False
        self._origin: Place | None = None  # of the move that is being pointed at

    def run(self) -> None:
        """Ask until the round is over, the user leaves, or no reply can come any more."""
        self._devices.adopt(self._devices.manners, self._renderer)
        try:
            self._tell((*self._devices.missing, *self._round.begin()))
            self._listen()
            while not self._round.over:
                self._wait()
        except KeyboardInterrupt:
            self._round.leave()

    def finish(self, messages: Sequence[Message]) -> None:
        """Tell the last sentences to their end, and give the devices back."""
        try:
            self._tell(messages)
            while self._saying.now:
                news = self._news.get(timeout=self._saying.left_s)
                if isinstance(news, SpeechDone) and self._saying.ended(news.number):
                    return
        except (queue.Empty, KeyboardInterrupt):
            pass
        finally:
            self._devices.close()

    def _wait(self) -> None:
        """Deal with the next news; a voice that does not come to an end is lost."""
        try:
            news = self._news.get(timeout=self._saying.left_s)
        except queue.Empty:
            self._voice_lost()
        else:
            self._dispatch(news)
        self._listen()

    def _dispatch(self, news: News) -> None:
        match news:
            case TypedLine(text):
                self._saying.hush()
                self._typing_waits = True
                if text:
                    self._typed(text)
                elif self._attention.has_talk_key:
                    self._attention.press()
                else:
                    self._act("send")
            case displays.Pressed(key):
                self._saying.hush()
                self._pressed(key)
            case displays.Attached(size):
                if self._devices.panel:
                    self._devices.panel.resize(size)
            case SpeechDone(number):
                self._saying.ended(number)
            case KeyboardEnded():
                self._input_ended("keyboard")
            case _:
                self._from_microphone(news)

    def _from_microphone(self, news: utterances.Event | displays.Event) -> None:
        match news:
            case utterances.Utterance():
                self._heard(news)
            case utterances.SpeechBegan():
                self._saying.hush()
            case utterances.MicrophoneTrouble(trouble):
                self._tell((Message.of(f"microphone_{trouble}"),))
            case utterances.SourceFailed() | utterances.SourceEnded():
                self._attention.lost()
                if isinstance(news, utterances.SourceFailed):
                    self._tell((Message.of("microphone_lost"),))
                self._input_ended("microphone")

    def _pressed(self, key: displays.Key) -> None:
        panel, action = self._devices.panel, self._devices.bindings.action(key)
        if not (panel and panel.typing and action in ("send", "cancel")) and self._act(action):
            return
        found = panel.press(key) if panel else None
        if isinstance(found, ev.SquarePointed):
            self._point(Place(*found.square))
        elif isinstance(found, ev.Heard):
            self._typed(*found.words)

    def _point(self, square: Place) -> None:
        """A square that was pointed at; where a move is asked for, its origin and then its target."""
        question = self._round.question
        origin, self._origin = self._origin, None
        if question is None or question.position is None:
            self._say(Reply((MovePattern(square),)))
        elif origin is None:
            self._origin = square
            self._tell((Message.of("drill_from", square=square), *question.ask))
        else:
            self._say(Reply((MovePattern(square, origin=origin),)))

    def _act(self, action: str | None) -> bool:
        """Do what a key does, unless it is for the display alone; returns whether it was done."""
        question = self._round.question
        if action == "talk":
            self._attention.press()
        elif action == "keys":
            self._say(Reply((Command(CommandName.HELP),)))
        elif action in ("send", "cancel") and (question is None or question.yes_or_no):
            self._say(Reply((Answer(action == "send"),)))
        elif action in frozenset(CommandName) - {CommandName.SQUARE, CommandName.RANK, CommandName.FILE}:
            self._say(Reply((Command(CommandName(action)),)))
        else:
            return False
        return True

    def _typed(self, text: str) -> None:
        self._say(self._reply(text))

    def _reply(self, words: str) -> Reply:
        """The likely meanings of words in the convention of the question; the others only without one."""
        found = read(words, self._settings.language, self._convention)
        likely = tuple(reading.meaning for reading in found if reading.likely)
        return Reply(likely or tuple(reading.meaning for reading in found), words)

    def _heard(self, utterance: utterances.Utterance) -> None:
        """A reply counts only for the question that it was one to, and when it was heard for sure."""
        timely = self._attention.heard(utterance)
        if not (timely or self._attention.headphones):
            return
        question = self._round.question
        position = (question and question.position) or Position.start()
        words = grammar.in_words(
            question.answers if question else (), self._convention, self._settings.language
        )
        asked = Asked((*grammar.answers(self._settings.language), *words), self._devices.least_yes)
        decided = decide(utterance.hypotheses, position, self._convention, self._settings.language, asked)
        if decided.readings and decided.sure:
            self._say(self._reply(decided.readings[0]), spoken=True)
        else:
            self._tell((Message.of("not_understood"),))

    def _say(self, reply: Reply, *, spoken: bool = False) -> None:
        self._origin = None
        if told := self._round.say(reply, spoken=spoken):
            self._tell(told)

    @property
    def _convention(self) -> str:
        usual = self._settings.convention
        return self._round.question.convention(usual) if self._round.question else usual

    def _listen(self) -> None:
        """Let the inputs go on that were waiting."""
        if self._typing_waits and self._devices.keyboard:
            self._typing_waits = False
            self._devices.keyboard.proceed()
        self._attention.listen(self._expectation, speaking=self._saying.now)

    def _expectation(self) -> tuple[str, tuple[str, ...]]:
        question = self._round.question
        answers = question.answers if question else ()
        return grammar.expectation((), self._convention, self._settings.language, answers)

    def _tell(self, messages: Sequence[Message]) -> None:
        """The same messages on the screen, on the display and by voice."""
        for message in messages:
            self._devices.write(self._renderer.text(message))
        if self._devices.panel:
            self._show(messages, self._round.question)
        self._attention.told()
        if not self._saying.say(self._renderer.spans(messages)):
            self._voice_lost()

    def _show(self, messages: Sequence[Message], question: Question | None) -> None:
        """On the display, with the board where the question has one."""
        panel = self._devices.panel
        if panel is None:
            return
        if question is None or not question.board:
            panel.tell(messages)
            return
        position = question.position or Position.start()
        setup = Setup(
            language=self._settings.language,
            convention=self._settings.convention,
            fen=position.fen,
            opponent="engine",
            colour=BLACK if position.turn == BLACK else WHITE,
        )
        panel.show(State.new(setup), messages)

    def _voice_lost(self) -> None:
        """Go on without the voice."""
        self._saying.lost()
        self._devices.write(self._renderer.text(Message.of("speech_lost")))

    def _input_ended(self, name: str) -> None:
        self._devices.inputs.discard(name)
        if not self._devices.inputs:
            self._round.leave()
