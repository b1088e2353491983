# SPDX-License-Identifier: GPL-3.0-or-later
"""Every activity in the one loop: the same devices come, go and fail, and each says so in its own words."""

import importlib
import inspect
import pkgutil
from dataclasses import replace
from threading import Event
from types import MappingProxyType

import pytest
from support.activities import (
    ACTIVITIES,
    Lines,
    drill,
    each,
    game,
    in_each_language,
    lessons,
    replay,
    stored,
    telling,
)
from support.played_devices import Table, Voice

from acessivel import app
from acessivel.app.activity import Activity, KeyPressed, TimePassed
from acessivel.app.demo import DemoActivity
from acessivel.app.game import GameActivity
from acessivel.app.venue import AtComputer
from acessivel.devices import devices
from acessivel.devices.keyboard import CharacterTyped, KeyboardEnded, TypedLine
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.rules import dead_positions
from acessivel.rules.position import Position
from acessivel.session.events import DeviceNews, Heard
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from acessivel.storage.journal_file import FILE_NAME
from braille import liblouis
from braille.displays import AltKey, Attached, Detached, NamedKey, Pressed
from braille.notation import load_code
from braille.window import Size
from voices.hearing.utterances import MicrophoneTrouble, SourceBack, SourceEnded, SourceFailed
from voices.sound.level import Trouble
from voices.words.lexicon import vocabulary

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)


def own(table, key, language):
    """The sentence about a device in the words of an activity, where it has its own."""
    kind = f"{key}_{table.activity.kind}"
    return Renderer(language).text(Message.of(kind if kind in catalogue(language) else key))


def shown(table):
    return table.display.cells


@each
@in_each_language
def test_a_display_that_goes_and_comes_back_is_told_on_screen_and_by_voice(table, make, language):
    it = table(make, language)
    before = shown(it)
    assert it.happen(Detached("gone"))[:1] == [own(it, "braille_lost", language)]
    assert it.happen(Detached("gone")) == []
    assert own(it, "braille_lost", language) in it.voice.said[-1]
    assert shown(it) == before  # what it showed it shows again
    assert it.happen(Attached(Size(1, 40)))[:1] == [own(it, "braille_back", language)]
    assert it.happen(Attached(Size(1, 20))) == []
    assert not it.activity.over


def subclasses(kind):
    """What is derived from a class, and from that in turn."""
    return {found for each in kind.__subclasses__() for found in (each, *subclasses(each))}


def test_no_activity_is_left_out_here(table):
    for module in pkgutil.iter_modules(app.__path__, f"{app.__name__}."):
        importlib.import_module(module.name)
    there = {found for found in subclasses(Activity) if not inspect.isabstract(found)}
    assert {type(table(make).activity) for make in ACTIVITIES} == there


@each
def test_only_a_game_says_that_the_game_goes_on_without_the_display(table, make):
    it = table(make)
    generic = Renderer("en").text(Message.of("braille_lost"))
    assert (own(it, "braille_lost", "en") == generic) == (it.activity.kind in {"game", "demo"})


@each
@in_each_language
@pytest.mark.parametrize("trouble", Trouble)
@pytest.mark.sweep
def test_a_microphone_that_is_not_right_is_told_on_every_channel(table, make, language, trouble):
    it = table(make, language)
    sentence = Renderer(language).text(Message.of(f"microphone_{trouble}"))
    before = shown(it)
    assert it.happen(MicrophoneTrouble(trouble))[:1] == [sentence]
    assert sentence in it.voice.said[-1]
    assert shown(it) != before


@each
@in_each_language
def test_a_microphone_that_is_gone_is_told_and_what_is_left_is_used(table, make, language):
    it = table(make, language)
    before = shown(it)
    assert it.happen(SourceFailed("gone"))[:1] == [own(it, "microphone_lost", language)]
    assert own(it, "microphone_lost", language) in it.voice.said[-1]
    assert shown(it) != before
    assert it.devices.preferences.talk == "none"
    assert not it.activity.over


@each
@in_each_language
@pytest.mark.parametrize("talk", ["hands-free", "push"])
def test_a_microphone_that_is_back_is_told_and_opens_as_before(table, make, language, talk):
    it = table(make, language, push_to_talk=talk == "push")
    it.happen(SourceFailed("gone"))
    key = "microphone_back_push" if talk == "push" else "microphone_back"
    assert it.happen(SourceBack())[:1] == [Renderer(language).text(Message.of(key))]
    assert it.devices.preferences.talk == it.microphone.talk == talk
    assert "microphone" in it.devices.inputs
    assert it.happen(SourceBack()) == []


@each
@in_each_language
def test_a_voice_that_fails_is_told_on_screen_and_in_braille(table, make, language, monkeypatch):
    monkeypatch.setattr(DemoActivity, "_go_on", lambda _: ())  # without a voice it would play to its end
    it = table(make, language)
    it.voice.fails = True
    before = shown(it)
    told = it.happen(Detached("gone"))
    assert Renderer(language).text(Message.of("speech_lost")) in told
    assert shown(it) != before
    assert it.devices.speaker is not it.voice
    assert not it.activity.over


def test_a_voice_that_fails_where_there_is_no_display_names_none(table):
    it = table(game)
    it.devices.panel, it.voice.fails = None, True
    assert Renderer("en").text(Message.of("speech_lost_screen")) in it.happen(MicrophoneTrouble(Trouble.DEAD))


def test_a_voice_that_can_be_opened_anew_says_what_the_one_before_could_not(table):
    it = table(game)
    again, it.voice.fails = Voice(), True
    it.devices.open_voice = lambda: again
    told = it.happen(Detached("gone"))
    assert told == [own(it, "braille_lost", "en"), *told[1:]]
    assert again.said[-1].startswith(told[0])
    assert Renderer("en").text(Message.of("speech_lost")) not in told


@pytest.mark.parametrize(
    "report", [Detached("gone"), DeviceNews(key="engine_slow")], ids=["device", "engine"]
)
@pytest.mark.parametrize("words", ["e4", "material"], ids=["question", "answer"])
def test_what_news_interrupts_is_said_after_it_and_a_question_once(table, report, words):
    it = table(game)
    it.happen(TypedLine(words))
    interrupted = it.voice.said[-1]
    news = it.happen(report)[0]
    assert it.voice.said[-1].split() == [*news.split(), *interrupted.split()]
    it.spoken()
    it.happen(MicrophoneTrouble(Trouble.DEAD))
    assert (interrupted in it.voice.said[-1]) == (words == "e4")  # only a question is put again


def test_what_was_stopped_is_not_said_after_news(table):
    it = table(game)
    it.happen(TypedLine("material"))
    stopped = it.voice.said[-1]
    it.loop._watchdog.hush()
    it.loop.take(Detached("gone"))
    assert stopped not in it.voice.said[-1]


@each
def test_an_open_question_is_put_again_after_what_came_between(table, make):
    it = table(make)
    pending = [Renderer("en").text(message) for message in it.activity.pending()]
    assert it.happen(MicrophoneTrouble(Trouble.DEAD))[1:] == pending


@each
@in_each_language
def test_it_speaks_faster_when_asked_and_says_so_in_the_new_manner(table, make, language):
    it = table(make, language)
    told = it.happen(TypedLine(vocabulary(language).say("command", "faster")))
    assert Renderer(language).text(Message.of("voice_rate", percent=115)) in told
    assert (it.devices.preferences.voice.rate, it.voice.manner.rate) == (115, 115)


@pytest.mark.parametrize("make", [game, lessons, drill, replay], ids=lambda make: make.__name__)
def test_what_the_voice_of_the_run_can_is_known_everywhere(table, make):
    def limited(folder, language):
        made = make(folder, language)

        def begun(loop):
            known = {"rates": (50, 100), "pitches": (100, 150), "voiced": False}
            loop.devices.preferences = replace(loop.devices.preferences, **known)
            return made(loop)

        return begun

    it = table(limited)
    off = Renderer("en").text(Message.of("voice_off"))
    for line, now in (("faster", "Rate"), ("deeper voice", "Pitch")):
        assert it.happen(TypedLine(line))[:2] == [f"That is the limit. {now}: 100 percent.", off]


@pytest.mark.parametrize("make", [game, lessons, drill, replay], ids=lambda make: make.__name__)
def test_a_voice_that_takes_the_place_of_another_goes_as_far_as_it_can_itself(table, make):
    it = table(make)
    slow = Voice()
    slow.limits = {"rate": (50, 115)}
    it.devices.open_voice = lambda: slow
    it.voice.limits = {"rate": (50, 100)}
    it.devices.preferences = it.devices.limited(it.devices.preferences)
    assert "That is the limit. Rate: 100 percent." in it.happen(TypedLine("faster"))
    it.voice.fails = True
    assert "Rate: 100 percent." in " ".join(it.happen(TypedLine("faster")))
    assert "Rate: 115 percent." in it.happen(TypedLine("faster"))
    assert "That is the limit. Rate: 115 percent." in it.happen(TypedLine("faster"))


def test_the_voice_that_is_opened_tells_what_it_can(monkeypatch):
    class Slow(Voice):
        limits = MappingProxyType({"rate": (50, 100)})

    monkeypatch.setattr(devices, "SpeechdSpeaker", Slow)
    monkeypatch.setattr(devices, "open_keyboard", lambda *_: Lines())
    settings = Settings(hear="keyboard", braille="off", opponent="human", speak="speechd")
    for wanted, known in (settings, ((50, 100), (), True)), (replace(settings, speak="off"), ((), (), False)):
        opened = devices.open_devices(wanted, lambda _: None, lambda _: None, None)
        found = opened.preferences
        assert (found.rates, found.pitches, found.voiced) == known


@each
def test_keys_change_volume_and_sentences_too(table, make):
    it = table(make)
    it.happen(Pressed(AltKey("/")))
    assert it.devices.preferences.voice.volume < 100
    it.happen(Pressed(AltKey("(")))
    assert it.devices.preferences.verbosity == "brief"


@pytest.mark.parametrize("make", [game, lessons, drill, replay], ids=lambda make: make.__name__)
def test_a_refusal_sounds_everywhere_and_not_where_sounds_are_off(table, make):
    it = table(make)
    it.happen(TypedLine("xyzzy"))
    assert it.sounds == ["refusal"]
    it.happen(TypedLine("sounds"))
    it.happen(TypedLine("xyzzy"))
    assert it.sounds == ["refusal"]


@each
def test_a_line_lets_one_line_follow_and_nothing_else_does(table, make):
    it = table(make)
    it.happen(CharacterTyped())
    it.happen(Detached("gone"))
    it.happen(Attached(Size(1, 40)))
    it.happen(MicrophoneTrouble(Trouble.DEAD))
    it.happen(TypedLine("faster"))
    assert it.devices.keyboard.permits == 2


@each
@pytest.mark.parametrize(
    "report",
    [TypedLine("faster"), Pressed(NamedKey.RIGHT), CharacterTyped()],
    ids=["line", "key", "character"],
)
def test_a_line_and_a_key_stop_the_voice(table, make, report):
    it = table(make)
    assert it.speaks
    ends = []
    it.voice.hush = lambda: ends.append(it.voice.on_end) or it.voice.end()
    it.loop.take(report)
    assert ends


@pytest.mark.parametrize("make", [game, lessons, drill, replay, telling], ids=lambda make: make.__name__)
def test_it_ends_when_no_input_is_left(table, make):
    it = table(make)
    for report in (SourceEnded(), KeyboardEnded()):
        it.happen(report)
        assert not it.activity.over
        assert not it.loop._ended
    it.devices.inputs.discard("display")
    it.happen(KeyboardEnded())
    assert it.activity.over or it.loop._ended


@each
@pytest.mark.parametrize("key", [Pressed(NamedKey.ENTER), CharacterTyped()], ids=["key", "character"])
def test_it_ends_by_telling_so_to_the_end_of_the_speech_and_a_key_ends_that(tmp_path, monkeypatch, make, key):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    it = Table(make(tmp_path, "en"), "en")
    while not it.reports.empty():
        it.reports.get()
    it.activity.over = True
    it.reports.put(TypedLine("for what comes after"))
    it.reports.put(key)
    it.loop._farewell()
    assert not it.speaks
    assert it.reports.get() == TypedLine("for what comes after")


def test_the_list_of_the_keys_can_be_pressed_where_the_activity_has_no_own(table):
    it = table(replay)
    told = it.happen(Pressed(NamedKey.F1))
    assert Renderer("en").text(Message.of("keys_routing")) in told


@in_each_language
def test_the_list_of_the_keys_puts_the_open_question_again_in_the_words_of_the_activity(table, language):
    it = table(lessons, language)
    stop = vocabulary(language).say("command", "stop")
    assert own(it, "ask_stop", language) in it.happen(TypedLine(stop))
    told = it.happen(Pressed(NamedKey.F1))
    assert own(it, "ask_stop", language) in told
    assert Renderer(language).text(Message.of("ask_stop")) not in told


def test_what_cannot_be_kept_is_told_with_what_is_told_next(table, monkeypatch):
    it = table(drill)

    def full(*_):
        raise OSError(28, "full")

    monkeypatch.setattr("acessivel.settings.changed_settings.keep", full)
    told = it.happen(TypedLine("faster"))
    assert told[0].startswith("This could not be kept: ")


def test_what_was_preferred_in_the_introduction_holds_for_the_game_after_it(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    it = Table(lessons(tmp_path, "en"), "en")
    it.happen(TypedLine("faster"))
    after = game(tmp_path / "after", "en")(it.loop)
    it.loop.begin(after)
    assert after.state.preferences.voice.rate == 115


def test_the_list_of_the_keys_begins_with_its_first_sentence_on_the_display(table):
    it = table(replay)
    shown = []
    it.display.show = shown.append
    it.happen(Pressed(NamedKey.F1))
    sentence = load_code("en8").text(Renderer("en").text(Message.of("keys_routing")))
    assert all(cells[:40] == sentence[:40] for cells in shown)


def test_the_time_is_looked_at_every_five_seconds_however_many_keys_are_pressed(table):
    """Otherwise the clock on the display stands still, and a crash can lose more of it."""
    activity = table(game).activity
    activity.handle(TimePassed(quiet=False), 10_000)
    for now_ms in range(11_000, 15_000, 500):
        activity.handle(KeyPressed("pan_right"), now_ms)
        assert activity.wakes_in_ms(now_ms, quiet=True) <= 15_000 - now_ms


@in_each_language
def test_a_game_that_was_written_anew_is_told_on_every_channel(table, language, tmp_path, monkeypatch):
    it = table(game, language)
    brailled = []
    monkeypatch.setattr(it.devices.panel, "show", lambda _state, told, *_, **__: brailled.extend(told))
    (tmp_path / FILE_NAME).unlink()
    message = Message.of("kept_anew", folder=str(tmp_path), id=1)
    sentence = Renderer(language).text(message)
    assert it.happen(TypedLine("e4"))[0] == sentence
    assert sentence in it.voice.said[-1]
    assert message in brailled
    assert sentence not in it.happen(TypedLine("e4"))


def test_a_mate_that_is_hard_to_find_is_looked_for_while_lines_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(dead_positions, "AT_ONCE", 3)
    searched = Event()
    search = Position.can_mate

    def can_mate(position, colour, *, thoroughly=False):
        return searched.wait(60) and "yes" if thoroughly else search(position, colour)

    monkeypatch.setattr(Position, "can_mate", can_mate)
    journal = Journal(tmp_path)
    setup = Setup.of(language="en", clock="90", fen="8/2Qk4/1K6/8/8/8/8/8 b - - 0 1", strict=True)
    it = Table(
        lambda loop: GameActivity(
            stored(journal, setup), journal, loop.devices, loop.report, AtComputer("resume {}".format)
        )
    )
    it.devices.keyboard = lines = Lines()
    it.spoken()
    for line in ("press", "Kxc7"):
        it.happen(TypedLine(line))
        it.spoken()
    permits = lines.permits
    assert it.happen(TypedLine("yes")) == ["One moment: the arbiter checks whether White can still mate."]
    assert lines.permits == permits  # what is typed now is not read before the answer
    assert it.happen(Pressed(AltKey("x"))) is not None  # and the devices are served meanwhile
    searched.set()
    told = it.happen(it.reports.get(timeout=60))
    assert any("White wins" in line or "1-0" in line for line in told), told
    assert lines.permits == permits + 1
    journal.close()


@pytest.mark.parametrize("report", [TypedLine("yes"), Pressed(NamedKey.ENTER)], ids=["line", "key"])
def test_a_doubled_answer_or_enter_accepts_no_draw_for_the_opponent(table, report):
    it = table(game)
    for line in ("e4", "yes", "e5", "yes", "draw"):
        it.happen(TypedLine(line))
    it.spoken()
    it.happen(report)
    for _ in range(100):
        told = it.happen(report)  # it stops the voice, which has not said the question to its end
        assert told == [
            "That does not count: White is asked, and can answer White yes or White no.",
            "White: do you accept the draw?",
        ]
    it.happen(Pressed(NamedKey.RIGHT))
    assert not it.speaks
    assert it.happen(report) == told
    it.spoken()
    agreed = it.happen(report)
    if report == TypedLine("yes"):
        assert agreed[0].startswith("The game is over: draw, by agreement")
    else:  # the same key answers only for one
        assert agreed == told
        assert it.happen(TypedLine("White yes"))[0].startswith("The game is over: draw, by agreement")


@in_each_language
def test_a_game_without_a_microphone_asks_to_type_and_names_the_display_s_keys(table, language):
    it = table(game, language)
    assert it.lines[0] == Renderer(language).text(Message.of("welcome_routing"))
    refused = Message.of("not_understood")
    assert Renderer(language).text(refused) in it.happen(TypedLine("xyzzy"))
    it.happen(SourceEnded())
    assert Renderer(language, typed=True).text(refused) in it.happen(TypedLine("xyzzy"))


class Alone:
    """A private voice whose output is gone."""

    lost = speaking = False
    left_s = None

    def say(self, _):
        self.lost = True

    def take(self, manner):
        pass

    def hush(self):
        pass

    def close(self):
        pass


@pytest.fixture
def boards(table, tmp_path):
    """A game of two people on two boards."""
    setup, journal = Setup.of(language="en", opponent="human", two_boards=True), Journal(tmp_path)

    def make(loop):
        return GameActivity(
            stored(journal, setup), journal, loop.devices, loop.report, AtComputer("resume {}".format)
        )

    return table(lambda *_: make)


@pytest.mark.parametrize("display", [True, False])
def test_a_private_voice_that_is_lost_names_the_display_only_where_that_is_private(boards, display):
    it = boards
    it.devices.private_voice, it.devices.display_is_private = Alone(), display
    told = it.happen(TypedLine("position"))
    keys = ("private_voice_lost",) if display else ("private_voice_gone", "private_nowhere")
    assert told[: len(keys)] == [Renderer("en").text(Message.of(key)) for key in keys]
    assert it.devices.private_voice is None


def test_a_private_voice_that_does_not_finish_is_lost(boards):
    voice = boards.devices.private_voice = Alone()
    boards.spoken()
    voice.speaking, voice.left_s = True, 0.0
    assert not boards.loop.quiet
    boards.loop._wait()
    boards.spoken()
    assert boards.devices.private_voice is None
    assert Renderer("en").text(Message.of("private_nowhere")) in boards.lines
    assert boards.loop.quiet


def test_what_one_player_reads_in_braille_alone_lets_the_other_finish_an_announcement(boards):
    boards.devices.display_is_private = True
    boards.spoken()
    turn, lines = boards.ear.turn, len(boards.lines)
    boards.happen(Pressed(NamedKey.CURSOR_DOWN))
    assert (boards.ear.turn, boards.lines[lines:]) == (turn, [])
    assert boards.heard("eva vier", turn) == ["Bauer Eva zwei Eva vier?"]


def test_the_sound_of_what_was_said_as_the_flag_fell_is_taped_once(table, tmp_path):
    setup, journal = Setup.of(language="en", opponent="human", clock="5"), Journal(tmp_path)
    taped = []

    class Tape:
        def happened(self, _, after, sound):
            taped.append((sound, after.game.result is not None))

    def make(loop):
        loop.devices.recorder = Tape()
        return GameActivity(
            stored(journal, setup), journal, loop.devices, loop.report, AtComputer("resume {}".format)
        )

    it = table(lambda *_: make)
    it.spoken()
    it.happen(TypedLine("e4"))
    it.activity._now_ms, it.activity._sound = 400_000, b"yes"
    it.activity._apply(Heard(words=("yes",), spoken=True))
    assert [each for each in taped if each[0]] == [(b"yes", True)]
