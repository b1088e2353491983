# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel replay`: a game that was played, at the voice, the keys and the display."""

from __future__ import annotations

import argparse
import queue
import sys
from collections.abc import Callable
from typing import Any

from acessivel.devices.board_cursor import Fingers
from acessivel.devices.braille_panel import Chosen
from acessivel.devices.devices import Devices, SpeechDone, open_devices
from acessivel.devices.keyboard import KeyboardEnded, TypedLine
from acessivel.devices.keys import REPLAY
from acessivel.devices.voice_watchdog import Saying
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.records import readers, replayed_game
from acessivel.records.braille_record import RecordError
from acessivel.records.pgn_files import recorded
from acessivel.records.replayed_game import Replay, Told
from acessivel.rules.chess960 import FREE, STANDARD
from acessivel.rules.position import BadFenError
from acessivel.session import events as ev
from acessivel.session import practice
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Stored
from braille import displays
from braille.patterns import UnreadableError
from voices.hearing import evidence, utterances
from voices.meaning import Command, CommandName, Piece, Place
from voices.understanding import replay_steps
from voices.understanding.replay_steps import Step, Stepped

Write = Callable[[str], None]


def run(options: argparse.Namespace, settings: Settings, load: Callable[[int], Stored], write: Write) -> int:
    """Step through the game until the reader stops; UserError for a record that cannot be read."""
    replay, more = _record(options, settings, load)
    news: queue.SimpleQueue[Any] = queue.SimpleQueue()
    devices = open_devices(settings, news.put, write, sys.stdin, replay=True)
    Reading(replay, devices, news, settings).run(more)
    return 0


def _record(
    options: argparse.Namespace, settings: Settings, load: Callable[[int], Stored]
) -> tuple[Replay, Told]:
    """The game that was asked for, from its beginning; with a word about others in its file."""
    try:
        stored = load(int(options.source)) if options.source.isdecimal() else None
        advises = stored is None or bool(stored.state.game.result) or practice.advises(stored.state)
        found = (
            readers.of_journal(stored)
            if stored
            else readers.from_file(options.source, options.code, settings.language)
        )
        kept, more = readers.numbered(found, options.game, options.source)
        game = kept.game
        setup = Setup(
            language=settings.language,
            convention=settings.convention,
            fen=game.headers.get("FEN"),
            variant=FREE if game.board().chess960 else STANDARD,
            white=game.headers.get("White", "?"),
            black=game.headers.get("Black", "?"),
        )
        replay = Replay.of(setup, recorded(game), game.headers.get("Result", "*"), advises=advises)
    except RecordError as error:
        raise UserError(error.message) from error
    except UnreadableError as error:
        raise UserError(readers.unreadable(error, options.source)) from error
    except BadFenError as error:
        raise UserError(Message.of("bad_fen", fen=str(setup.fen)[:100])) from error
    return replay, (Message.of("replay_more"),) if more else ()


class Reading:
    """A reader at a record: news of the devices -> steps and questions -> what is told."""

    def __init__(
        self, replay: Replay, devices: Devices, news: queue.SimpleQueue[Any], settings: Settings
    ) -> None:
        self._replay = replay
        self._devices = devices
        self._news = news
        self._language, self._convention = settings.language, settings.convention
        self._renderer = Renderer(settings.language, settings.convention)
        self._last = max((node.fact.number for node in replay.nodes if node.fact), default=0)
        self._fingers = Fingers()
        self._saying = Saying(devices)
        self._display_lost = False
        self._leaving = False

    def run(self, first: Told = ()) -> None:
        """Read until the reader stops, or every input has ended."""
        try:
            self._replay, told = replayed_game.opening(self._replay)
            self._tell((*self._devices.missing, *first, *told))
            while not self._leaving:
                self._go_on()
                self._wait()
            self._tell((Message.of("goodbye"),))
            while self._saying.left_s:
                self._wait()
        except KeyboardInterrupt:
            pass
        finally:
            self._devices.close()

    def _wait(self) -> None:
        try:
            news = self._news.get(timeout=self._saying.left_s)
        except queue.Empty:
            self._voice_lost()
        else:
            self._dispatch(news)

    def _go_on(self) -> None:
        """Let the inputs go on that were waiting for the program."""
        if self._devices.keyboard:
            self._devices.keyboard.proceed()
        self._devices.attention.listen(
            lambda: replay_steps.expectation(self._convention, self._language, self._last),
            speaking=self._saying.now,
        )

    def _dispatch(self, news: object) -> None:
        attention = self._devices.attention
        match news:
            case TypedLine("") if attention.has_talk_key:
                attention.press()
            case TypedLine(text):
                self._saying.hush()
                self._said(text) if text else self._act("send")
            case displays.Pressed(key):
                self._saying.hush()
                self._pressed(key)
            case displays.Attached() | displays.Detached():
                self._display_news(news)
            case SpeechDone(number):
                self._saying.ended(number)
            case utterances.SpeechBegan():
                self._saying.hush()
            case utterances.Utterance():
                self._heard(news)
            case utterances.SourceFailed() | utterances.SourceEnded():
                attention.lost()
                self._input_ended("microphone")
            case KeyboardEnded():
                self._input_ended("keyboard")

    def _display_news(self, news: displays.Attached | displays.Detached) -> None:
        was_lost, self._display_lost = self._display_lost, isinstance(news, displays.Detached)
        if isinstance(news, displays.Attached) and self._devices.panel:
            self._devices.panel.resize(news.size)
        if was_lost != self._display_lost:
            message = Message.of("braille_lost" if self._display_lost else "braille_back")
            self._devices.write(self._renderer.text(message))
            self._speak((message,))

    def _heard(self, utterance: utterances.Utterance) -> None:
        """A spoken step; nothing here commits to anything, so the most probable one is taken."""
        self._devices.attention.heard(utterance)
        decided = evidence.decide(
            utterance.hypotheses,
            meaning=lambda words: replay_steps.read_step(words, self._language, self._convention) or words,
        )
        self._said(decided.readings[0] if decided.readings else "")

    def _said(self, text: str) -> None:
        match replay_steps.read_step(text, self._language, self._convention):
            case Stepped() as step:
                self._stepped(step)
            case Command() as command:
                self._asked(command)
            case None:
                self._tell((Message.of("not_understood"),))

    def _pressed(self, key: displays.Key) -> None:
        panel, action = self._devices.panel, self._devices.bindings.action(key)
        typed = panel and panel.typing and action in ("send", "cancel", "erase")
        if panel and (typed or not self._act(action)):
            self._happened(panel.press(key))

    def _act(self, action: str | None) -> bool:
        """Do what a key does, unless it is for the display alone; returns whether it was done."""
        action, _, number = (action or "").partition(" ")
        step = REPLAY.get(action)
        if self._fingers.square is None and action in ("send", "erase"):
            step = Step.NEXT if action == "send" else Step.BACK
        if step:
            self._stepped(Stepped(step, int(number) if number else None))
        elif action == "talk":
            self._devices.attention.press()
        elif action == "keys":
            self._tell_keys()
        elif event := self._fingers.act(action, self._replay.state):
            self._happened(event)
        else:
            return False
        return True

    def _happened(self, event: ev.Event | Chosen | None) -> None:
        """What the display or the fingers mean."""
        match event:
            case Chosen(action):
                self._act(action)
                return
            case ev.Heard(words=words):
                self._said(words[0])
            case ev.Explored(what=what, square=square):
                self._tell(replayed_game.felt(self._replay, what, square))
            case ev.SquarePointed(square=square):
                self._tell(replayed_game.felt(self._replay, "square", square))
            case ev.Ordered(command=name, piece=piece, square=square, colour=colour):
                self._asked(
                    Command(CommandName(name), Piece(piece) if piece else None, Place(*square), colour)
                )
            case ev.Returned():
                self._replay, told = replayed_game.here(self._replay)
                self._tell(told)
        if event:
            self._fingers.follow(event)

    def _stepped(self, step: Stepped) -> None:
        self._fingers = Fingers()
        self._replay, told = replayed_game.stepped(self._replay, step)
        self._tell(told)

    def _asked(self, command: Command) -> None:
        if command.name is CommandName.STOP:
            self._leaving = True
            return
        self._replay, told = replayed_game.asked(self._replay, command)
        self._tell(told)

    def _tell_keys(self) -> None:
        lines = tuple(self._devices.bindings.lines())
        self._tell(tuple(message for _, message in lines))
        if self._devices.panel:
            self._devices.panel.show_keys(lines)

    def _tell(self, told: Told) -> None:
        """The same on the screen, on the display and by voice; a variation can be pressed there."""
        for message in told:
            self._devices.write(self._renderer.text(message))
        if self._devices.panel:
            variations = {
                message: f"replay_variation {dict(message.values)['number']}"
                for message in told
                if message.key == "replay_variation"
            }
            self._devices.panel.show(self._replay.state, told, self._fingers.square, variations)
        self._devices.attention.told()
        self._speak(told)

    def _speak(self, told: Told) -> None:
        if not self._saying.say(self._renderer.spans(told)):
            self._voice_lost()

    def _voice_lost(self) -> None:
        self._saying.lost()
        self._tell((Message.of("speech_lost"),))

    def _input_ended(self, name: str) -> None:
        """Leave when nothing is left that a step could come from."""
        self._devices.inputs.discard(name)
        self._leaving = not self._devices.inputs
