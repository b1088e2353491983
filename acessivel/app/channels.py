# SPDX-License-Identifier: GPL-3.0-or-later
"""All that tells what an activity puts out, from the same messages: screen, voice, display, pages, sounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from acessivel.app.activity import (
    Activity,
    AdoptPreferences,
    DeviceChanged,
    Hide,
    Output,
    Prefer,
    Quote,
    Refresh,
    Sound,
    Tell,
    TellLater,
)
from acessivel.app.interrupted_speech import InterruptedSpeech
from acessivel.devices.devices import Devices
from acessivel.devices.private_voice import PrivateVoice
from acessivel.devices.voice_watchdog import VoiceWatchdog
from acessivel.errors import reason
from acessivel.game.game import Game
from acessivel.message import Message, Messages
from acessivel.messages import earcon_cues
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.session import effects as ef
from acessivel.session import preferences
from acessivel.session.pages import ROLES
from acessivel.settings import changed_settings
from acessivel.settings.settings import file_path
from acessivel.web.driver import Pages
from acessivel.web.present import Present
from voices.meaning import CommandName
from voices.speakers import Span

# Sentences that each activity can have in its own words: "braille_lost_drill".
_OWN_WORDS = frozenset({"braille_lost", "microphone_lost", "ask_stop"})
_OF_THE_DISPLAY = ("braille_lost", "braille_back")  # it shows its former content
_NO_PAGES = (Message.of("web_none"),)


class Channels:
    """Tells what one activity after another puts out, on the channels that there are."""

    def __init__(
        self,
        devices: Devices,
        pages: Pages | None,
        watchdog: VoiceWatchdog,
        report: Callable[[object], None],
        now: Callable[[], int],
    ) -> None:
        """`report` is told of a voice that fails; `now`: ms since the activity was begun."""
        self._devices, self._pages, self._watchdog = devices, pages, watchdog
        self._report, self._now = report, now
        self._to_tell: tuple[Message, ...] = ()

    def begin(self, activity: Activity) -> None:
        """Tell what this activity puts out from now on."""
        self._activity = activity
        self._hidden = False
        self.asked = True  # whether what is told now answers the user
        self.speech = InterruptedSpeech()
        self.words = activity.words
        self.adapt()

    def adapt(self) -> None:
        """Word what is told for the inputs that there are: it is asked to type if no microphone hears."""
        self._render(self._devices.preferences)
        if self._devices.panel:
            self._devices.panel.adopt(self._renderer, self._devices.bindings)

    def _render(self, preferred: preferences.Preferences) -> None:
        typed = "microphone" not in self._devices.inputs or not preferred.listens
        self._renderer = Renderer(*self.words, preferred.verbosity, typed=typed)

    @property
    def game(self) -> Game | None:
        """The game as it stands, but for the time; None where none is played."""
        state = self._activity.view(()).state
        return replace(state.game, clock=None) if state else None

    def tell_first(self, *messages: Message) -> None:
        """Tell messages before what is told next, unless they are to be told so already."""
        self._to_tell = tuple(dict.fromkeys((*self._to_tell, *messages)))

    def do(self, outputs: Sequence[Output]) -> None:
        """Carry out what the activity puts out."""
        for output in outputs:
            match output:
                case Tell(messages, private=True, to=role) if role:
                    self._tell_pages(self._own(messages), (role,), private=True)
                case Tell(messages, private=True, unasked=unasked):
                    self._tell_alone(self._own(messages), unasked=unasked)
                case Tell(messages):
                    self._sound(earcon_cues.of(messages))
                    self.tell(messages)
                case TellLater(message):
                    self.tell_first(message)
                case Quote(line, spans):
                    self._devices.write(line)
                    self._saying = ()
                    self._say(spans)
                case Sound(names):
                    self._sound(names)
                case Refresh():
                    self.refresh()
                case AdoptPreferences():
                    self._adopt(output)
                case Prefer(command):
                    self._prefer(command)
                case Hide(hidden):
                    self._hide(hidden=hidden)
                case ef.OrderPages():
                    told = self._pages.obey(output, self._devices.write) if self._pages else _NO_PAGES
                    self.tell((*told, *self._activity.pending()))

    def _own(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The sentences of `_OWN_WORDS` in the activity's own words, if it has some."""
        sentences = catalogue(self._renderer.language)
        own = {message: f"{message.key}_{self._activity.kind}" for message in messages}
        return tuple(
            Message.of(own[message]) if message.key in _OWN_WORDS and own[message] in sentences else message
            for message in messages
        )

    def tell(self, messages: Sequence[Message], *, listed: bool = False) -> None:
        """The same messages on the screen, on the display and by voice, after what is to be told first.

        `listed`: they stand in the display's own list, which is shown instead.
        """
        told, self._to_tell = self._own((*self._to_tell, *messages)), ()
        for message in told:
            self._devices.write(self._renderer.text(message))
        if not listed:
            self._show(told)
        elif self._devices.panel:
            self._devices.panel.show_list()
        self._devices.microphone.told(asked=self.asked)
        self._tell_pages(told)
        self._say_all(told)

    def _tell_pages(
        self, messages: Sequence[Message], roles: Sequence[str] = ROLES, *, private: bool = False
    ) -> None:
        """Tell the pages of these roles; `private` as in `Tell`."""
        if self._pages:
            self._pages.tell(messages, self.present(), roles, private=private)

    def show_pages(self) -> None:
        """Show the present on the pages."""
        if self._pages:
            self._pages.show(self.present())

    def present(self) -> Present:
        """What the pages show now."""
        view = self._activity.view(())
        return Present(
            self._activity.kind,
            self._renderer,
            self._pending,
            view.state,
            sequence=view.sequence,
            now=lambda: self._activity.on_clock(self._now()),
            hidden=self._hidden,
            started=view.started,
            choices=view.actions,
            stored=view.stored,
            hall=view.hall,
            yes_or_no=view.yes_or_no,
            talk=view.talk,
            clocks_stand=view.clocks_stand,
        )

    def _tell_alone(self, messages: tuple[Message, ...], *, unasked: bool) -> None:
        """Tell one player alone, never the screen; or say in the room that nothing here is private."""
        devices, state = self._devices, self._activity.view(()).state
        if unasked and state:  # a player hears his own clock
            self._tell_pages(messages, (state.game.position.turn,))
        if not devices.private:
            if not unasked:
                self.tell((Message.of("private_nowhere"),))
            return
        if devices.display_is_private:
            self._show(messages)
        if devices.private_voice:
            devices.private_voice.say(self._renderer.spans(messages))
            if devices.private_voice.lost:
                self.private_voice_lost(devices.private_voice)
        if devices.voice_is_private:
            devices.microphone.told(asked=self.asked)
            self._say_all(messages)

    def private_voice_lost(self, voice: PrivateVoice) -> None:
        """Go on without this private voice, and say so."""
        self._devices.private_voice = None
        voice.close()
        if self._devices.private:
            self._report(DeviceChanged("private_voice_lost"))
        else:
            self.tell((Message.of("private_voice_gone"), Message.of("private_nowhere")))

    def _show(self, told: Sequence[Message]) -> None:
        panel = self._devices.panel
        if panel is None or any(message.key.startswith(_OF_THE_DISPLAY) for message in told):
            return
        view = self._activity.view(told)
        if view.state or view.lines or view.commands is not None:
            panel.show(
                view.state,
                told,
                view.explored,
                {**view.actions, **view.answers},
                lines=view.lines,
                commands=view.commands,
                asked=self.asked,
            )
        else:
            panel.tell(told)

    def refresh(self) -> None:
        """Show the present on the display, whatever was told last."""
        panel, view = self._devices.panel, self._activity.view(())
        if panel and view.lines:
            panel.stand(view.lines, {**view.actions, **view.answers})
        if panel and view.state:
            panel.refresh(view.state)

    def _say_all(self, told: tuple[Message, ...]) -> None:
        """Say messages, with what they interrupt and must not be lost: of questions only the open one."""
        interrupts = self._watchdog.now and self._watchdog.heard
        said = self.speech.with_interrupted(told, self._pending, interrupts=interrupts)
        self._say(self._renderer.spans(said))

    @property
    def _pending(self) -> Messages:
        return self._own(self._activity.pending())

    def tell_again(self, why: Message) -> None:
        """Say what was said last once more, after why."""
        self.tell(tuple(dict.fromkeys((why, *self.speech.still_true(self._pending)))))

    def tell_interrupted(self) -> None:
        """Tell what the news that was told last has interrupted: it was to be said after that."""
        if self.speech.interrupted:
            self.tell((*self.speech.interrupted, *self._activity.pending()))

    def _say(self, spans: Sequence[Span]) -> None:
        if not self._watchdog.say(spans):
            self.voice_lost()

    def voice_lost(self) -> None:
        """Open the voice anew; where that does not help, go on without it, and say so."""
        if not self._watchdog.lost():
            self._report(DeviceChanged("speech_lost" if self._devices.panel else "speech_lost_screen"))

    def _sound(self, names: Sequence[str]) -> None:
        """Play those of these earcons that the user wants."""
        self._devices.sound(
            [name for name in names if name in self._devices.preferences.earcons], lambda: None
        )

    def _adopt(self, adopt: AdoptPreferences) -> None:
        self.words = self._activity.words
        self._render(adopt.preferences)
        self._devices.adopt(adopt.preferences, self._renderer)
        chosen = adopt.setting != "talk" or not self._devices.only_voice  # else nothing but hands-free goes
        if adopt.setting and chosen:
            self._keep(adopt.setting, adopt.value)

    def _prefer(self, command: CommandName) -> None:
        """Change how it speaks, tells, sounds and listens, and confirm that in the new way."""
        if command in preferences.UNHEARD and self._devices.only_voice:
            self.tell((Message.of("listening_needed"), *self._activity.pending()))
        elif change := preferences.change(self._devices.preferences, command):
            kept = [
                AdoptPreferences(change.preferences, adopt.setting, adopt.value) for adopt in change.adopt
            ]
            self.do((*kept, Tell((*change.told, *self._activity.pending()))))

    def _keep(self, setting: str, value: int | str) -> None:
        """Keep a changed preference for the next run; a failure is told with what is told next."""
        try:
            changed_settings.keep(file_path(), setting, value)
        except OSError as error:
            self.tell_first(Message.of("setting_not_kept", reason=reason(error, "writing")))

    def _hide(self, *, hidden: bool) -> None:
        """Hide typed text, or show it again; say so if it cannot be hidden."""
        changed, self._hidden = hidden != self._hidden, hidden
        seen = self._devices.keyboard and not self._devices.keyboard.hide(hidden=hidden)
        if self._devices.panel:
            self._devices.panel.hide(hidden=hidden)
        if changed and seen:
            self.tell((Message.of("typing_seen"),))
