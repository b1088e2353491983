# SPDX-License-Identifier: GPL-3.0-or-later
"""When the loop listens, and which answers count: the real loop with a voice and a listener that are played here."""

from dataclasses import replace

import pytest
from support.activities import Lines
from support.played_devices import Table

from acessivel.app import hearing as app_hearing
from acessivel.app.activity import DeviceChanged, Prefer, TimePassed, TypedText
from acessivel.app.game import GameActivity
from acessivel.app.replay import ReplayActivity
from acessivel.app.venue import AtComputer
from acessivel.devices import microphone
from acessivel.devices.keyboard import EnterPressed, KeyboardEnded, TypedLine
from acessivel.game.game import Setup
from acessivel.records.pgn_files import Recorded
from acessivel.records.replayed_game import Replay
from acessivel.session import events as ev
from acessivel.settings import changed_settings
from acessivel.settings.settings import file_path
from acessivel.storage.journal import Journal
from braille import displays, liblouis
from voices.hearing.decision import Decided
from voices.hearing.utterances import (
    LoudspeakerUnheard,
    MicrophoneTrouble,
    SoundCame,
    SourceBack,
    SourceFailed,
    SpeechBegan,
)
from voices.meaning import CommandName
from voices.sound.earcons import NAMES, READY
from voices.sound.level import Trouble
from voices.speakers.manner import Manner
from voices.understanding import replay_steps

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)


class Game(Table):
    """A game between two persons in the real loop, one step after the other."""

    def __init__(self, folder, language="en", **microphone):
        self.journal = Journal(folder)
        setup = Setup.of(language=language)
        stored = self.journal.begin(setup, "2026-01-01T00:00:00")
        super().__init__(
            lambda loop: GameActivity(
                stored, self.journal, loop.devices, loop.report, AtComputer(lambda _: "resume")
            ),
            language,
            **microphone,
        )

    @property
    def moves(self):
        return [move.fact.uci for move in self.activity.state.game.played]


@pytest.fixture(autouse=True)
def _understood(monkeypatch):
    """What is said is heard: the weighing of evidence has its own tests."""
    monkeypatch.setattr(app_hearing, "decide", lambda hypotheses, *_, **__: Decided((hypotheses[0].words,)))


@pytest.fixture
def game(tmp_path):
    return lambda *language, **microphone: Game(tmp_path, *language, **microphone)


EARLY = "Answer only when you have heard or read the whole question."
QUESTION = "Bauer Eva zwei Eva vier?"
PLAYED = "1, White: Bauer Eva zwei Eva vier."


# Half-duplex


def test_nobody_listens_while_the_program_speaks(game):
    table = game()
    assert table.speaks
    assert table.ear.turn is None
    table.spoken()
    assert table.ear.turn is not None
    assert table.heard("eva vier") == [QUESTION]
    assert table.ear.turn is None
    table.spoken()
    assert PLAYED in table.heard("ja")
    assert table.moves == ["e2e4"]


def test_an_utterance_from_before_the_last_message_is_dropped(game):
    table = game()
    table.spoken()
    began = table.ear.turn
    table.happen(TypedLine("e4"))
    table.spoken()
    assert table.heard("ja", turn=began) == []
    assert table.moves == []
    assert table.ear.turn not in (None, began)


def test_a_typed_line_stops_the_voice_and_its_yes_always_counts(game):
    table = game()
    assert table.happen(TypedLine("e4")) == [QUESTION]
    assert table.speaks
    assert PLAYED in table.happen(TypedLine("yes"))


# Headphones


def test_with_headphones_the_voice_is_stopped_as_soon_as_somebody_speaks(game):
    table = game(headphones=True)
    assert table.speaks
    began = table.ear.turn
    assert began is not None
    table.happen(SpeechBegan())
    assert not table.speaks
    assert table.heard("eva vier", turn=began) == [QUESTION]


@pytest.mark.parametrize("answer", ["ja", "yes", "nein", "no"])
@pytest.mark.parametrize("ends", ["while it speaks", "after it was stopped", "after it has ended"])
def test_an_answer_that_began_before_the_question_was_over_is_none(game, answer, ends):
    table = game(headphones=True)
    table.spoken()
    table.heard("eva vier")
    began = table.ear.turn
    if ends == "after it was stopped":
        table.happen(SpeechBegan())
    elif ends == "after it has ended":
        table.spoken()
    assert table.heard(answer, turn=began) == [EARLY, QUESTION]
    assert table.moves == []
    # The question was put again; now it is heard to its end.
    table.spoken()
    assert PLAYED in table.heard("ja")


def test_the_answer_to_a_question_that_was_heard_once_counts_before_it_is_heard_again(game):
    table = game(headphones=True)
    table.spoken()
    table.heard("eva vier")
    table.spoken()
    assert table.heard("clock") == ["This game has no clock.", QUESTION]
    began = table.ear.turn
    table.happen(SpeechBegan())
    assert PLAYED in table.heard("ja", turn=began)


def test_over_a_loudspeaker_it_does_not_as_the_program_may_have_said_it_but_where_that_is_unheard(game):
    for found, told in ((False, [EARLY, QUESTION]), (True, [PLAYED])):
        table = game(interruptible=True, finds_out=True)
        if found:
            table.happen(LoudspeakerUnheard())
        table.spoken()
        table.heard("eva vier")
        table.spoken()
        table.heard("clock")
        began = table.ear.turn
        table.happen(SpeechBegan())
        assert table.heard("ja", turn=began)[: len(told)] == told


def test_nor_does_it_where_the_program_says_what_is_a_yes(game):
    table = game(headphones=True)
    table.spoken()
    table.heard("eva vier")
    table.spoken()
    assert table.heard("xyzzy")[-1].startswith("For yes, say I confirm")
    began = table.ear.turn
    table.happen(SpeechBegan())
    assert table.heard("i confirm", turn=began) == [EARLY, QUESTION]
    table.spoken()
    assert PLAYED in table.heard("i confirm")


def test_but_not_of_a_question_that_was_stopped_by_a_key_however_much_was_heard_since(game):
    table = game(headphones=True)
    table.spoken()
    table.heard("eva vier")
    table.happen(displays.Pressed(displays.NamedKey.CURSOR_UP))  # feels the board
    assert table.speaks
    table.spoken()
    assert table.happen(displays.Pressed(displays.NamedKey.ESCAPE)) == [QUESTION]
    began = table.ear.turn
    table.happen(SpeechBegan())
    assert table.heard("ja", turn=began) == [EARLY, QUESTION]
    assert table.moves == []


def test_a_move_that_had_a_no_and_is_heard_again_is_offered_in_the_game(game):
    table = game()
    table.spoken()
    for words in ("anna vier", "nein"):
        table.heard(words)
        table.spoken()
    assert table.heard("anna vier")[0] == "I heard Bauer Anna zwei Anna vier again."


def test_so_it_is_of_a_move_alone(game):
    table = game(headphones=True)
    table.spoken()
    table.heard("resign")
    table.spoken()
    assert table.heard("clock") == ["This game has no clock.", "White: do you want to resign?"]
    began = table.ear.turn
    table.happen(SpeechBegan())
    assert table.heard("yes", turn=began) == [EARLY, "White: do you want to resign?"]
    assert table.activity.state.game.result is None


def test_nor_does_it_count_after_anything_but_the_players_words(game):
    table = game(headphones=True)
    table.spoken()
    table.heard("eva vier")
    table.spoken()
    table.happen(MicrophoneTrouble(Trouble.DEAD))
    began = table.ear.turn
    assert table.heard("ja", turn=began)[0] == EARLY
    assert table.moves == []


def test_but_not_if_the_voice_was_stopped_before_the_question_was_over(game):
    table = game(headphones=True)
    table.spoken()
    table.heard("eva vier")
    table.happen(SpeechBegan())
    assert table.heard("clock") == ["This game has no clock.", QUESTION]
    assert table.heard("ja") == [EARLY, QUESTION]
    assert table.moves == []


def test_nor_if_it_began_before_that_and_is_understood_after_something_else(game):
    table = game(headphones=True)
    table.spoken()
    table.heard("eva vier")
    began = table.ear.turn
    table.spoken()
    table.happen(TypedLine("clock"))
    assert table.heard("ja", turn=began) == [EARLY, QUESTION]
    assert table.moves == []


def test_nor_if_another_question_came_between(game):
    table = game(headphones=True)
    table.spoken()
    for move in ("eva vier", "david vier"):
        table.heard(move)
        table.spoken()
    assert table.heard("eva vier") == [QUESTION]
    assert table.heard("ja") == [EARLY, QUESTION]
    assert table.moves == []


def test_the_answer_to_an_older_question_is_none(game):
    table = game(headphones=True)
    table.spoken()
    table.heard("eva vier")
    table.spoken()
    began = table.ear.turn
    table.happen(TypedLine("d4"))
    assert table.heard("ja", turn=began) == [EARLY, "Bauer David zwei David vier?"]
    assert table.moves == []


def test_an_announcement_or_a_command_counts_also_when_it_interrupts(game):
    table = game(headphones=True)
    table.spoken()
    table.heard("eva vier")
    table.happen(SpeechBegan())
    assert table.heard("david vier") == ["Bauer David zwei David vier?"]
    table.happen(SpeechBegan())
    assert table.heard("clock") == ["This game has no clock.", "Bauer David zwei David vier?"]
    table.spoken()
    table.heard("ja")
    assert table.moves == ["d2d4"]


def test_an_early_yes_does_not_resign_either(game):
    table = game(headphones=True)
    table.heard("resign")
    assert table.heard("yes") == [EARLY, "White: do you want to resign?"]
    assert table.activity.state.game.result is None
    table.spoken()
    assert table.heard("yes")[0].startswith("The game is over")


def test_an_early_yes_to_nothing_is_as_any_other(game):
    table = game(headphones=True)
    assert table.heard("ja")[0].startswith("Nothing has been asked")


# The confirming key


@pytest.mark.parametrize(
    ("language", "yes", "refusal"),
    [
        ("en", "yes", "A spoken yes does not count here: type yes and press Enter, or press Enter on the Braille display."),
        ("pt", "sim", "Aqui um sim falado não vale: digite sim e aperte Enter, ou aperte Enter na linha Braille."),
    ],
)  # fmt: skip
def test_only_a_key_confirms_where_that_is_wanted(game, language, yes, refusal):
    table = game(language, confirm="key")
    table.spoken()
    table.heard("eva vier")
    table.spoken()
    for spoken in (yes, "ja"):
        assert table.heard(spoken) == [refusal, QUESTION]
        table.spoken()
    assert table.moves == []
    table.happen(TypedLine(yes))
    assert table.moves == ["e2e4"]
    table.spoken()
    table.heard("eva fuenf")
    table.happen(displays.Pressed(displays.NamedKey.ENTER))
    assert table.moves == ["e2e4", "e7e5"]
    assert table.journal.load(1).state.game == table.activity.state.game


def test_a_spoken_no_still_refuses_where_only_a_key_confirms(game):
    table = game(confirm="key")
    table.spoken()
    table.heard("eva vier")
    table.spoken()
    assert table.heard("no") == ["Not played.", "Bauer vier. Which file?", "Or announce the move again."]


# The same move again


def test_the_same_move_spoken_again_is_no_yes_and_is_asked_in_its_difference(game):
    table = game()
    table.spoken()
    table.heard("springer felix drei")
    table.spoken()
    assert table.heard("springer felix drei") == ["Springer, or Bauer?"]
    assert table.voice.said[-1] == "Springer,  or  Bauer?"
    assert table.moves == []
    table.spoken()
    assert table.heard("springer") == ["Springer Gustav eins Felix drei?"]
    table.spoken()
    again = table.heard("springer felix drei")
    assert again == ["Springer Gustav eins Felix drei?", "For yes, say I confirm or press Enter."]
    table.spoken()
    assert table.moves == []
    table.heard("i confirm")
    assert table.moves == ["g1f3"]
    # What was beside each utterance is in the journal, so that the game replays as it was played.
    assert table.journal.load(1).state == table.activity.state


def test_a_move_that_is_typed_again_is_only_asked_again(game):
    table = game()
    table.spoken()
    table.heard("springer felix drei")
    for _ in range(2):
        assert table.happen(TypedLine("Nf3")) == ["Springer Gustav eins Felix drei?"]
    assert table.moves == []


# Push-to-talk


@pytest.mark.parametrize("key", [EnterPressed(), TypedLine(""), displays.Pressed(displays.NamedKey.INSERT)])
def test_the_talk_key_begins_and_ends_an_utterance(game, key):
    table = game(push_to_talk=True)
    table.spoken()
    assert table.ear.turn is None
    assert table.happen(key) == []
    began = table.ear.turn
    assert began is not None
    assert table.ear.held_open
    assert table.happen(key) == []
    assert table.ear.released
    assert table.heard("eva vier", turn=began) == [QUESTION]
    table.spoken()
    assert table.ear.turn is None
    table.happen(key)
    assert PLAYED in table.heard("ja")


def test_the_talk_key_stops_the_voice(game):
    table = game(push_to_talk=True)
    assert table.speaks
    table.happen(EnterPressed())
    assert not table.speaks
    assert table.ear.turn is not None


def test_whatever_is_told_closes_the_microphone(game):
    table = game(push_to_talk=True)
    table.spoken()
    table.happen(EnterPressed())
    table.happen(TypedLine("e4"))
    table.spoken()
    assert table.ear.turn is None
    # The next press opens it again, and does not close it.
    table.happen(EnterPressed())
    assert table.ear.turn is not None
    assert not table.ear.released


def test_the_press_that_was_to_end_what_is_no_longer_heard_tells_what_was_told_meanwhile(game):
    table = game(push_to_talk=True)
    for words in ("e4", "yes", "e5", "yes"):
        table.happen(TypedLine(words))
    table.spoken()
    table.happen(EnterPressed())
    for words in ("draw", "yes"):
        table.loop._input(TypedText(words, by="black"))
    assert table.ear.turn is None
    lost = "I did not hear you, because I had to say something meanwhile."
    told = table.happen(EnterPressed())
    assert told == [lost, "White: do you accept the draw?"]
    assert table.voice.said[-1].split() == " ".join(told).split()
    assert table.ear.turn is None
    table.spoken()
    assert table.happen(EnterPressed()) == []
    assert table.ear.turn is not None


def test_that_it_was_not_heard_is_shown_to_who_reads_on(game):
    table = game(push_to_talk=True, size=(1, 40))
    table.happen(TypedLine("board"))
    table.spoken()
    for _ in range(4):
        table.happen(displays.Pressed(displays.NamedKey.RIGHT))
    table.happen(displays.Pressed(displays.NamedKey.INSERT))
    table.happen(DeviceChanged("private_voice_lost"))
    assert not table.shows("private")
    table.happen(displays.Pressed(displays.NamedKey.INSERT))
    assert table.shows("I did not hear you")


def test_what_was_heard_to_its_end_is_not_told_again_by_the_press_that_opens_after_it(game):
    table = game(push_to_talk=True)
    table.spoken()
    table.happen(EnterPressed())
    for words in ("draw", "yes"):
        table.loop._input(TypedText(words, by="black"))
    table.spoken()
    assert table.happen(EnterPressed()) == []
    assert table.ear.turn is not None


def test_without_push_to_talk_the_talk_key_does_nothing_and_an_empty_line_says_nothing(game):
    table = game()
    table.spoken()
    assert table.happen(displays.Pressed(displays.NamedKey.INSERT)) == []
    assert not table.ear.released
    assert table.happen(TypedLine("")) == ["Nothing has been asked. Announce a move, or say help."]


def test_an_empty_line_is_no_talk_key_once_the_microphone_is_gone(game):
    table = game(push_to_talk=True)
    table.happen(SourceFailed("gone"))
    assert table.happen(TypedLine("")) == ["Nothing has been asked. Announce a move, or type help."]


def test_a_microphone_that_is_back_hears_when_all_is_said_and_what_was_chosen_meanwhile_holds(game):
    table = game(push_to_talk=True)
    table.happen(SourceFailed("gone"))
    table.happen(TypedLine("slower"))  # a preference that adopts them all
    table.happen(SourceBack())
    table.spoken()
    assert table.ear.turn is None
    table.happen(EnterPressed())
    assert table.ear.held_open


def test_a_microphone_is_not_back_where_the_language_cannot_be_heard(game):
    table = game()
    table.devices.hear_in = lambda *_: False
    table.happen(TypedLine("convention letters"))
    table.happen(SourceFailed("gone"))
    assert table.happen(SourceBack()) == []
    assert table.devices.preferences.talk == "none"


# The microphone


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (Trouble.DEAD, "The microphone gives only silence: switch it on, or turn it up in the system's sound settings."),
        (Trouble.QUIET, "Your voice is very quiet: come closer to the microphone, or turn it up in the system's sound settings."),
        (Trouble.CLIPPING, "The microphone is too loud and distorts: move away a little, or turn it down in the system's sound settings."),
    ],
)  # fmt: skip
def test_trouble_with_the_microphone_is_told_and_the_question_put_again(game, trouble, sentence):
    table = game()
    table.spoken()
    table.heard("eva vier")
    assert table.happen(MicrophoneTrouble(trouble)) == [sentence, QUESTION]
    assert table.speaks
    table.spoken()
    assert PLAYED in table.heard("ja")


def test_the_clock_may_speak_up_only_when_nobody_else_does(game):
    table = game()
    assert not table.loop.quiet  # the welcome is being spoken
    table.spoken()
    assert table.loop.quiet
    table.ear.hearing = True
    assert not table.loop.quiet
    table.ear.hearing = False
    table.devices.keyboard = Lines()
    assert table.loop.quiet
    table.devices.keyboard.typing = True
    assert not table.loop.quiet
    table.devices.keyboard.typing = False
    table.devices.panel.press(displays.Character("e"), 0)
    assert not table.loop.quiet


# A player's lines on his page, beside who hears them in the room


MOVE, TURN = "1, Black: Bauer Eva sieben Eva fünf.", "White to move, move 2."
OFFER = "White: do you accept the draw?"


def said_of_page(table, *lines, by="black"):
    """What the voice says of each line on a player's page, of which none is said to its end."""
    for line in lines:
        table.loop._input(TypedText(line, by=by))
        yield " ".join(table.voice.said[-1].split())


def test_a_move_on_a_page_is_said_again_where_that_players_own_next_line_cuts_it_off(game):
    table = game()
    for line in ("e4", "yes"):
        table.happen(TypedLine(line))
    table.spoken()
    _, move, draw, offer = said_of_page(table, "e5", "yes", "draw", "yes")
    assert move == f"{MOVE} {TURN}"
    assert draw == f"{MOVE} {TURN} Black: do you want to offer a draw?"
    assert offer == f"{MOVE} {TURN} {OFFER}"
    (clock,) = said_of_page(table, "clock")
    assert clock.startswith(f"{MOVE} {TURN}")
    assert clock.endswith(f"This game has no clock. {OFFER}")


def test_what_a_player_has_asked_on_his_page_is_not_nor_what_another_line_cuts_off(game):
    table = game()
    for line in ("e4", "yes"):
        table.happen(TypedLine(line))
    table.spoken()
    *_, rank, question, move = said_of_page(table, "board", "rank 1", "e5", "yes")
    assert rank.startswith("Rank eins:")
    assert question == "Bauer Eva sieben Eva fünf?"
    assert move == f"{MOVE} {TURN}"
    assert list(said_of_page(table, "Nf3", by="white")) == ["Springer Gustav eins Felix drei?"]


# Changed in mid-game


@pytest.fixture
def mannered(game, tmp_path, monkeypatch):
    """A game that knows how it listens; what is kept goes into a folder of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def begin(**microphone):
        table = game(**microphone)
        talk = table.microphone.talk
        table.activity._happen(
            ev.Mannered(rate=100, pitch=100, volume=100, verbosity="normal", earcons=NAMES, talk=talk)
        )
        table.spoken()
        return table

    return begin


STOPPED = "I have stopped listening. To be heard again, type listen again, or use its key; F1 tells the keys."


@pytest.mark.parametrize("how", [{}, {"headphones": True}])
def test_stopped_it_hears_nothing_until_a_typed_word_brings_it_back(mannered, how):
    table = mannered(**how)
    assert table.heard("stop listening") == [STOPPED]
    assert table.ear.turn is None
    table.spoken()
    assert table.ear.turn is None
    # What was under way when it was stopped counts no more, nor does it stop the voice.
    table.happen(TypedLine("e4"))
    assert table.happen(SpeechBegan()) == []
    assert table.speaks
    table.spoken()
    assert table.heard("ja", turn=table.microphone._told) == []
    assert table.happen(MicrophoneTrouble(Trouble.DEAD)) == []  # it may have been switched off
    assert table.moves == []
    assert table.ear.measured == 0
    assert table.happen(TypedLine("listen"))[0] == "I listen whenever I am not speaking."
    assert table.ear.measured == 1  # whether it is switched off now is told
    table.spoken()
    assert table.ear.turn is not None
    assert PLAYED in table.heard("ja")


@pytest.mark.parametrize("words", ["stop listening", "push to talk"])
def test_it_goes_on_listening_where_nothing_else_is_left(mannered, words):
    table = mannered()
    table.devices.inputs = {"microphone"}
    needed = "I must go on listening like this: nothing can be typed here."
    assert table.heard(words) == [needed]
    table.spoken()
    assert table.heard("eva vier") == [QUESTION]
    table.spoken()
    assert table.heard(words) == [needed, QUESTION]
    assert table.activity.state.preferences.listens
    assert table.microphone.talk == "hands-free"
    table.loop._channels.do([Prefer(CommandName(words.replace(" ", "_")))])  # where no game is played
    assert table.lines[-2:] == [needed, QUESTION]
    assert table.microphone.talk == "hands-free"


def test_a_microphone_that_can_come_back_is_waited_for_where_nothing_else_is_left(mannered):
    table = mannered()
    table.devices.inputs = {"microphone"}
    table.happen(SourceFailed("gone", can_return=True))
    assert not table.loop._ended
    table.happen(SourceBack())
    table.spoken()
    assert table.heard("eva vier") == [QUESTION]
    table.happen(SourceFailed("gone"))
    assert table.loop._ended


FREE = "I listen whenever I am not speaking."


@pytest.mark.parametrize(("how", "before"), [({}, ["stop listening"]), ({"push_to_talk": True}, [])])
def test_it_listens_again_once_nothing_else_is_left(mannered, how, before):
    table = mannered(**how)
    table.devices.inputs = {"keyboard", "microphone"}
    for line in (*before, "e4"):
        table.happen(TypedLine(line))
    assert table.happen(KeyboardEnded()) == [FREE, QUESTION]
    assert not changed_settings.beside(file_path()).exists()  # nobody has chosen that
    table.spoken()
    assert PLAYED in table.heard("ja")
    assert table.activity.state.preferences.talk == "hands-free"
    assert table.activity.state.preferences.listens


def test_so_it_does_where_the_microphone_is_back_after_all_else_has_ended(mannered):
    table = mannered()
    table.devices.inputs = {"keyboard", "microphone"}
    table.happen(TypedLine("stop listening"))
    table.happen(SourceFailed("gone", can_return=True))
    table.happen(KeyboardEnded())
    table.spoken()
    assert table.happen(SourceBack()) == ["The microphone is back.", FREE]
    assert table.voice.said[-1].strip() == f"The microphone is back. {FREE}"
    table.spoken()
    assert table.heard("eva vier") == [QUESTION]


def test_what_is_being_said_then_is_said_again_and_nothing_where_it_listens_already(mannered):
    table = mannered(push_to_talk=True)
    table.devices.inputs = {"keyboard", "microphone"}
    for line in ("e4", "yes"):
        table.happen(TypedLine(line))
    table.happen(KeyboardEnded())
    assert " ".join(table.voice.said[-1].split()).startswith(PLAYED)
    assert FREE in table.voice.said[-1]
    table = mannered()
    table.devices.inputs = {"keyboard", "microphone"}
    assert table.happen(KeyboardEnded()) == []


def test_stopped_it_asks_to_type(mannered):
    table = mannered()
    table.happen(TypedLine("stop listening"))
    assert table.happen(TypedLine("xyzzy")) == ["I did not understand. Please type it again."]
    table.happen(TypedLine("listen again"))
    assert table.happen(TypedLine("xyzzy")) == ["I did not understand. Please say it again."]


def test_stopped_it_stays_in_the_next_game(mannered):
    table = mannered()
    table.happen(TypedLine("stop listening"))
    stored = table.journal.begin(Setup.of(language="en"), "2026-01-01T00:00:00")
    at = AtComputer(lambda _: "resume")
    table.activity = GameActivity(stored, table.journal, table.devices, table.loop.report, at)
    table.loop.begin(table.activity)
    table.happen(TypedLine("faster"))
    table.spoken()
    assert table.ear.turn is None
    table.happen(TypedLine("listen again"))
    table.spoken()
    assert table.heard("eva vier") == [QUESTION]


def test_a_microphone_that_is_back_is_listened_to_as_was_said_last(mannered):
    table = mannered()
    table.happen(TypedLine("stop listening"))
    table.happen(SourceFailed("gone"))
    assert table.happen(SourceBack()) == [STOPPED, "The microphone is back."]
    table.happen(SourceFailed("gone"))
    table.happen(TypedLine("listen again"))
    assert table.happen(SourceBack()) == ["The microphone is back."]
    table.spoken()
    assert table.heard("eva vier") == [QUESTION]


def test_stopped_it_has_no_talk_key(mannered):
    table = mannered(push_to_talk=True)
    table.happen(TypedLine("stop listening"))
    table.spoken()
    assert table.happen(displays.Pressed(displays.NamedKey.INSERT)) == []
    assert table.ear.turn is None
    table.happen(TypedLine("listen"))
    table.spoken()
    assert table.ear.turn is None
    table.happen(displays.Pressed(displays.NamedKey.INSERT))
    assert table.ear.turn is not None


def test_the_way_to_talk_changes_with_its_keys_and_is_kept(mannered):
    table = mannered()
    table.heard("push to talk")
    table.spoken()
    assert table.ear.turn is None
    table.happen(displays.Pressed(displays.NamedKey.CURSOR_DOWN))
    assert table.ear.turn is not None
    table.heard("hands free")
    table.spoken()
    assert table.ear.turn is not None
    assert table.happen(displays.Pressed(displays.NamedKey.CURSOR_DOWN))  # feels the board again
    assert changed_settings.beside(file_path()).read_text() == 'talk = "hands-free"\n'


def test_who_types_that_he_will_talk_by_key_is_not_heard_without_it_even_with_headphones(mannered):
    table = mannered(headphones=True)
    table.spoken()
    assert table.ear.turn is not None
    table.happen(TypedLine("push to talk"))
    assert table.ear.turn is None


def test_a_table_of_keys_that_was_broken_meanwhile_leaves_the_keys_as_they_are(mannered):
    table = mannered()
    (file_path().parent).mkdir(parents=True)
    file_path().with_name("keys.toml").write_text("[keys")
    table.heard("push to talk")
    table.spoken()
    table.happen(EnterPressed())  # Enter opens the microphone all the same
    assert table.ear.turn is not None


def test_the_voice_takes_the_new_manner_before_it_tells_of_it(mannered):
    table = mannered()
    taken = []
    table.voice.take = lambda manner: taken.append((manner, len(table.lines)))
    before = len(table.lines)
    assert table.heard("faster") == ["Rate: 115 percent."]
    assert taken == [(Manner(rate=115), before)]


def test_what_cannot_be_kept_is_told_and_holds_for_this_run(mannered):
    table = mannered()
    file_path().parent.parent.mkdir(parents=True)
    file_path().parent.write_text("a file where the folder should be")
    told = table.heard("faster")
    assert told[-1] == "Rate: 115 percent."
    assert told[0].startswith("This could not be kept: ")
    assert table.activity.state.preferences.voice.rate == 115


def test_the_language_changes_for_voice_display_and_ear(mannered):
    table = mannered()
    heard_in, spoken = [], []
    table.devices.hear_in = lambda *words: heard_in.append(words) or True
    table.voice.speak = lambda spans, on_end: spoken.append({span.language for span in spans}) or on_end()
    cells = table.devices.panel._display.cells
    assert table.heard("language german") == ["Do you want to go on in German?"]
    assert heard_in == []
    assert table.heard("yes") == ["Jetzt auf Deutsch."]
    assert heard_in == [("de", "fide", {})]
    assert spoken == [{"en"}, {"de"}]
    assert table.devices.panel._display.cells != cells
    assert table.devices.panel._content.code.name == "de8"
    table.spoken()
    table.heard("eva vier")
    assert table.lines[-1] == QUESTION
    table.heard("ja")
    assert table.lines[-1] == "Schwarz ist am Zug, Zug 1."
    assert heard_in == [("de", "fide", {})]


def test_another_activity_is_heard_with_its_own_sounds(mannered):
    table = mannered()
    heard_in = []
    table.devices.hear_in = lambda *words: heard_in.append(words) or True
    replay = ReplayActivity(Replay.of(Setup.of(language="en"), [Recorded("", 0)]), ("en", "fide"))
    table.loop.begin(replay)
    table.settle()
    assert heard_in == [("en", "fide", replay_steps.words("en").sounds)]
    table.loop.begin(table.activity)
    table.settle()
    assert heard_in[1:] == [("en", "fide", {})]


def test_where_the_new_words_cannot_be_heard_the_game_goes_on_typed(mannered):
    table = mannered()
    table.devices.inputs.add("keyboard")
    table.devices.hear_in = lambda *_: False
    assert table.happen(TypedLine("convention nato")) == [
        "Announcements are now in: NATO words.",
        "I cannot hear in this language and convention: please type.",
    ]
    table.spoken()
    assert table.ear.turn is None
    assert not table.activity.over
    assert table.happen(TypedLine("listen")) == ["I have nothing to listen with: please type."]


@pytest.mark.parametrize("unplugged", [False, True])
def test_it_hears_again_once_what_is_said_can_be_heard_again(mannered, unplugged):
    table = mannered()
    table.devices.hear_in = lambda language, *_: language != "es"
    table.happen(TypedLine("language Spanish"))
    assert "microphone" not in table.devices.inputs
    if unplugged:
        table.happen(SourceFailed("gone"))
    back = "The microphone is back."
    assert (back in table.happen(TypedLine("idioma inglés"))) is not unplugged
    if unplugged:
        assert table.happen(SourceBack()) == [back]
    assert "microphone" in table.devices.inputs
    table.spoken()
    assert table.heard("eva vier") == [QUESTION]


def test_earcons_are_played_with_their_sentences_and_only_those_that_are_wanted(mannered):
    table = mannered()
    played = []
    table.devices.sound = lambda names, _: played.extend(names)
    table.happen(TypedLine("e5"))
    assert played == ["refusal"]
    table.happen(TypedLine("sounds"))
    table.happen(TypedLine("e5"))
    assert played == ["refusal"]


# The tone that says that it listens


@pytest.fixture
def toned(game, monkeypatch):
    """A game with the tone, whose time is the test's own: `pass_s` lets it pass."""
    now = [1000.0]
    monkeypatch.setattr(microphone.time, "monotonic", lambda: now[0])

    def begin(**how):
        table = game(**how)
        table.devices.preferences = replace(table.devices.preferences, earcons=(READY,))
        table.sounds.clear()
        return table

    def pass_s(table, seconds):
        now[0] += seconds
        table.happen(TimePassed(quiet=True))

    return begin, pass_s


def test_the_tone_is_played_before_it_listens_and_is_not_heard_itself(toned):
    begin, pass_s = toned
    table = begin()
    assert table.sounds == []  # the welcome is being spoken
    table.spoken()
    assert table.sounds == [READY]
    assert table.ear.turn is None
    table.sound_ends()
    table.settle()
    assert table.ear.turn is None  # the room still sounds
    assert 0 < table.microphone.left_s <= 0.06
    pass_s(table, 0.06)
    assert table.heard("eva vier") == [QUESTION]
    assert table.ear.turn is None
    table.spoken()
    assert table.sounds == [READY, READY]


def test_without_being_asked_for_there_is_no_tone(game):
    table = game()
    table.spoken()
    assert table.sounds == []
    assert table.ear.turn is not None


def test_a_tone_that_does_not_end_leaves_it_deaf_for_no_more_than_a_second(toned):
    begin, pass_s = toned
    table = begin()
    table.spoken()
    assert table.loop._patience_s() <= 1
    pass_s(table, 0.9)
    assert table.ear.turn is None
    pass_s(table, 0.1)
    assert table.ear.turn is not None
    assert table.microphone.left_s is None


def test_the_end_of_an_older_tone_is_not_that_of_the_present_one(toned):
    begin, pass_s = toned
    table = begin()
    table.spoken()
    older_ends = table.sound_ends
    table.happen(TypedLine("e4"))
    table.spoken()
    older_ends()
    table.settle()
    pass_s(table, 0.5)
    assert table.ear.turn is None
    table.sound_ends()
    table.settle()
    pass_s(table, 0.1)
    assert table.ear.turn is not None


def test_with_headphones_nothing_is_waited_for(toned):
    begin, _ = toned
    table = begin(headphones=True)
    assert table.sounds == []
    table.spoken()
    assert table.sounds == [READY]
    assert table.ear.turn == table.microphone._told


def test_the_talk_key_is_answered_by_the_tone_at_each_press_that_opens(toned):
    begin, pass_s = toned
    table = begin(push_to_talk=True)
    table.spoken()
    assert table.sounds == []
    for presses in (1, 2):
        table.happen(EnterPressed())
        assert table.sounds == [READY] * presses
        assert table.ear.turn is None
        table.sound_ends()
        table.settle()
        pass_s(table, 0.1)
        assert table.ear.turn is not None
        assert table.ear.held_open
        table.happen(EnterPressed())
        assert table.ear.released
        assert table.sounds == [READY] * presses
        table.heard("nothing")
        table.spoken()


def test_closed_again_during_the_tone_the_microphone_stays_closed(toned):
    begin, pass_s = toned
    table = begin(push_to_talk=True)
    table.spoken()
    table.happen(EnterPressed())
    table.happen(EnterPressed())
    table.sound_ends()
    table.settle()
    pass_s(table, 1)
    assert table.ear.turn is None


def test_a_microphone_that_is_lost_during_the_tone_is_waited_for_no_more(toned):
    begin, _ = toned
    table = begin()
    table.spoken()
    table.happen(SourceFailed("gone"))
    assert table.microphone.left_s is None


# A microphone that gives only silence


DEAD = "The microphone gives only silence: switch it on, or turn it up in the system's sound settings."


def test_what_is_said_over_the_warning_of_silence_is_heard(game):
    table = game()
    table.spoken()
    assert table.happen(MicrophoneTrouble(Trouble.DEAD)) == [DEAD]
    began = table.ear.turn
    assert began is not None  # it hears no loudspeaker either
    table.happen(SoundCame())
    assert not table.speaks
    assert table.heard("eva vier", turn=began) == [QUESTION]


def test_a_yes_over_the_warning_of_silence_does_not_count_and_the_question_is_put_again(game):
    table = game()
    table.spoken()
    table.heard("eva vier")
    table.spoken()
    table.happen(MicrophoneTrouble(Trouble.DEAD))
    assert table.heard("ja") == [EARLY, QUESTION]
    assert table.moves == []


def test_what_the_warning_has_interrupted_is_told_when_sound_stops_it(game):
    table = game()
    table.spoken()
    table.happen(TypedLine("e4"))
    played = table.happen(TypedLine("yes"))
    assert table.happen(MicrophoneTrouble(Trouble.DEAD)) == [DEAD]
    table.happen(SoundCame())
    assert table.voice.said[-1].split()[:2] == played[0].split()[:2] == ["1,", "White:"]
    table.spoken()
    said = len(table.voice.said)
    table.happen(SoundCame())
    assert len(table.voice.said) == said


def test_sound_that_comes_stops_nothing_but_the_warning(game):
    table = game()
    table.spoken()
    table.happen(MicrophoneTrouble(Trouble.DEAD))
    table.happen(TypedLine("e4"))
    assert table.speaks
    assert table.ear.turn is None
    table.happen(SoundCame())
    assert table.speaks


# Whether the microphone hears the loudspeaker


def interrupted(table, words="eva vier"):
    """Speak over what the program says; returns what it says to that."""
    began = table.ear.turn
    table.happen(SpeechBegan())
    assert not table.speaks
    return table.heard(words, turn=began)


def test_a_microphone_that_does_not_hear_the_loudspeaker_lets_the_player_speak_over_the_welcome(game):
    table = game(finds_out=True)
    assert table.speaks
    assert table.ear.turn is None
    table.happen(LoudspeakerUnheard())
    assert table.speaks
    assert interrupted(table) == [QUESTION]
    assert table.heard("ja") == [EARLY, QUESTION]
    table.spoken()
    assert PLAYED in table.heard("ja")


def test_each_message_is_another_by_which_the_loudspeaker_may_be_heard(game):
    table = game()
    before = table.ear.messages
    table.happen(TypedLine("e4"))
    assert table.ear.messages == before + 1


def test_where_it_is_not_to_be_found_out_nothing_changes(game):
    table = game()
    table.happen(LoudspeakerUnheard())
    assert table.ear.turn is None
    assert table.happen(SpeechBegan()) == []
    assert table.speaks


def test_with_the_talk_key_only_the_key_opens_the_microphone(game):
    table = game(finds_out=True, push_to_talk=True)
    table.happen(LoudspeakerUnheard())
    assert table.ear.turn is None


def test_a_program_that_interrupts_itself_twice_stops_listening_while_it_speaks(game):
    table = game(finds_out=True)
    table.happen(LoudspeakerUnheard())
    interrupted(table)
    assert table.ear.turn is not None
    interrupted(table, "david vier")
    assert table.speaks
    assert table.ear.turn is None
    table.spoken()
    assert table.heard("eva vier") == [QUESTION]
    table.happen(LoudspeakerUnheard())  # found out anew
    assert table.ear.turn is not None


def test_a_player_who_interrupts_later_goes_on_being_heard(game, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(microphone.time, "monotonic", lambda: now[0])
    table = game(finds_out=True)
    table.happen(LoudspeakerUnheard())
    for words in ("eva vier", "david vier", "eva vier", "david vier"):
        now[0] += 2
        interrupted(table, words)
        assert table.ear.turn is not None
    table.spoken()
    for words in ("eva vier", "david vier", "eva vier", "david vier", "eva vier"):
        now[0] += 2
        interrupted(table, words)
        assert table.ear.turn is not None


def test_a_slow_voice_that_goes_on_interrupting_itself_stops_that_too(game, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(microphone.time, "monotonic", lambda: now[0])
    table = game(finds_out=True)
    table.happen(LoudspeakerUnheard())
    for _ in range(6):
        assert table.ear.turn is not None
        now[0] += 2
        interrupted(table, "david vier")
    assert table.speaks
    assert table.ear.turn is None
