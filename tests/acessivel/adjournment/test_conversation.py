# SPDX-License-Identifier: GPL-3.0-or-later
"""The sealed move stays between the player and the envelope: the loop with a speaker that records the room."""

import json
import queue
import unicodedata
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType

import pytest
from support.envelopes import cheap
from support.happening import played_sans

from acessivel.adjournment import envelope
from acessivel.adjournment.conversation import Opening, Sealing
from acessivel.app import unsealing
from acessivel.app.activity import Hide, Reported, SpeechOver, Tell, TellLater, TimePassed, TypedText
from acessivel.app.game import GameActivity
from acessivel.app.loop import Loop
from acessivel.app.sealing import not_adjourned
from acessivel.app.venue import AtComputer
from acessivel.devices.braille_panel import BraillePanel
from acessivel.devices.devices import Devices, SpeechDone
from acessivel.devices.keyboard import EnterPressed, TypedLine
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.records import pgn
from acessivel.rules.position import Position
from acessivel.session.events import (
    Adjourned,
    MoveWritten,
    Proposed,
    SealingGivenUp,
    SpeechEnded,
    Started,
    Tick,
)
from acessivel.session.state import AdjournmentState, State
from acessivel.session.step import step
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import JournalError
from braille.window import Size
from voices.hearing.utterances import Utterance
from voices.speakers.speech import Speech

KEY = "a long passphrase"
SECRET = ("f3", "felix", "drei", "springer", "knight", "g1", "gustav")
WHEN = ("2099-11-22 15:00", "Funchal", KEY, KEY)


class Voice:
    """A speaker that keeps what it was to say."""

    name = "recorded"
    began = 0.0
    failed = False
    cut = False
    limits = MappingProxyType({})

    def __init__(self):
        self.said = []

    def speak(self, spans, on_end):
        self.said.append("".join(span.text for span in spans))
        on_end()

    def take(self, manner):
        self.manner = manner

    def hush(self):
        pass

    def close(self):
        pass


class BrailleCells:
    """A display that keeps what it showed."""

    name = "recorded"

    def __init__(self, size):
        self.size = size
        self.shown = []

    def show(self, cells):
        self.shown.append(tuple(cells))

    def close(self):
        pass


class Room:
    """The real loop, its journal and its envelopes; `voice`, `lines` and `cells` are what each channel told."""

    def __init__(self, folder, *, headphones=False, display=False, **setup):
        self.folder, self.lines, self.news, self.voice = folder, [], queue.SimpleQueue(), Voice()
        self.display = BrailleCells(Size(1, 80))
        self.setup = Setup.of(language="en", white="Ana", black="Bruno", **setup)
        on_spoken = lambda number: self.news.put(SpeechDone(number))  # noqa: E731
        self.devices = Devices(self.lines.append, Speech(self.voice, on_spoken), self.voice)
        self.devices.voice_is_private, self.devices.display_is_private = headphones, display
        self.devices.inputs = {"keyboard"}
        if display:
            self.devices.panel = BraillePanel(self.display, "en", "fide")
        self.journal = Journal(folder)
        stored = self.journal.begin(self.setup, "2026-01-01T00:00:00")
        self.number = stored.id
        self.app = self.begun(stored)

    def begun(self, stored):
        self.loop = Loop(self.devices, self.news)
        venue = AtComputer(lambda _: "resume", "acessivel record {} --save games".format)
        app = GameActivity(stored, self.journal, self.devices, self.news.put, venue)
        self.loop.begin(app)
        return app

    def type(self, *lines):
        for line in lines:
            self.loop.take(TypedLine(line))
            while not self.news.empty():
                self.loop.take(self.news.get())

    def resumed(self):
        """The same game in a new run."""
        self.lines.clear()
        self.app = self.begun(self.journal.load(self.number))
        return self

    @property
    def envelope(self):
        (path,) = (self.folder / "envelopes").iterdir()
        return path

    def kept(self):
        """Everything that is on the disk."""
        return b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture(autouse=True)
def _cheap(monkeypatch):
    cheap(monkeypatch)


def tells(texts, words=SECRET):
    return [word for word in words if any(word in text.lower() for text in texts)]


def test_without_headphones_or_display_the_move_is_typed_twice_and_told_to_nobody(tmp_path):
    room = Room(tmp_path, clock="60")
    room.voice.said.clear()
    room.lines.clear()
    room.type("adjourn", "yes", "0", "knight f3", "knight f3", *WHEN)
    assert tells([*room.voice.said, *room.lines]) == []
    assert not [
        secret for secret in (b"g1f3", b"Nf3", b"knight", b"Felix", KEY.encode()) if secret in room.kept()
    ]
    assert envelope.unseal(room.envelope.read_text(), KEY)[1] == "g1f3"
    assert "The move is sealed in" in room.lines[-2]


def test_with_headphones_it_is_repeated_there_and_not_on_the_screen(tmp_path):
    room = Room(tmp_path, headphones=True)
    room.lines.clear()
    room.type("adjourn", "yes", "knight f3")
    assert "knight f3" in room.voice.said[-1]
    room.type("yes", *WHEN)
    assert tells(room.lines) == []
    assert b"g1f3" not in room.kept()


def test_with_a_display_it_is_repeated_there_and_not_in_the_room(tmp_path):
    room = Room(tmp_path, display=True)
    room.voice.said.clear()
    room.lines.clear()
    before = len(room.display.shown)
    room.type("adjourn", "yes")
    asked = len(room.display.shown)
    room.type("knight f3")
    assert len(room.display.shown) > asked > before
    assert tells([*room.voice.said, *room.lines]) == []
    room.type("no", "knight c3", "yes", *WHEN)
    assert tells([*room.voice.said, *room.lines], (*SECRET, "c3", "cesar")) == []
    assert envelope.unseal(room.envelope.read_text(), KEY)[1] == "b1c3"


def test_without_the_library_nothing_can_be_sealed_and_the_game_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(envelope, "available", lambda: False)
    room = Room(tmp_path)
    room.type("adjourn", "yes")
    assert "needs the library that encrypts it" in room.lines[-1]
    room.type("e4", "yes")
    assert len(room.app.state.game.played) == 1


def test_what_is_said_aloud_seals_nothing_and_a_display_can_type_it(tmp_path):
    room = Room(tmp_path, headphones=True)
    room.type("adjourn", "yes")
    room.loop.take(Utterance((), 0))
    room.loop._input(TypedText("knight c3"))
    assert "knight c3" in room.voice.said[-1]
    room.loop._input(TypedText("yes"))
    room.type(*WHEN)
    assert envelope.unseal(room.envelope.read_text(), KEY)[1] == "b1c3"
    assert b"knight" not in room.kept()


def test_the_sealers_clock_runs_until_the_move_is_confirmed_and_then_nobodys(tmp_path):
    """A1a, 2001; guideline 1a, 2009: the player seals his move, and only then stops his clock."""
    room = Room(tmp_path, clock="60")
    room.type("e4", "yes")
    assert room.app.state.game.clock.running == "black"
    room.type("adjourn", "yes", "0", "e5")
    assert room.app.state.game.clock.running == "black"
    room.type("e5")
    assert room.app.state.game.clock.running is None
    left_ms = room.app.state.game.clock.left("black", 0)
    room.loop._began -= 7200  # the arbiter takes two hours
    room.type("2099-11-22 15:00", "Funchal", KEY, KEY)
    assert room.app.state.game.clock.running is None
    assert room.app.state.game.clock.left("black", 0) == left_ms
    label = envelope.label(room.envelope.read_text())
    assert (label.white, label.black, label.sealer, label.sealed_by, label.move) == (
        "Ana",
        "Bruno",
        "black",
        "Bruno",
        1,
    )
    assert (label.fen, label.when, label.where) == (
        room.app.state.game.position.fen,
        "2099-11-22T15:00",
        "Funchal",
    )
    assert label.black_used_ms >= 0
    room.loop.take(SpeechDone(99))
    assert room.resumed().app.state.game.clock.running is None


def test_the_clock_runs_again_when_a_confirmed_move_is_not_sealed_after_all(tmp_path):
    room = Room(tmp_path, clock="60")
    room.type("e4", "yes", "adjourn", "yes", "0", "e5", "e5", "")
    assert "Nothing is sealed; the game goes on." in room.lines
    assert room.app.state.game.clock.running == "black"
    room.type("adjourn", "yes", "0", "e5", "e5")
    room.loop._input(SpeechOver(heard=True))
    assert room.app.state.game.clock.running is None
    room.resumed().type("e5", "yes")  # the program was ended before the envelope was closed
    assert room.app.state.game.clock.running == "white"


def test_the_time_after_a_move_that_is_not_sealed_after_all_counts_as_used():
    state = State.new(Setup.of(language="en", opponent="human", clock="60"))
    for event in (Started(), SpeechEnded(heard=True, at=0)):
        state, _ = step(state, event)
    state = replace(state, game=state.game.let_run(0))
    for event in (MoveWritten(at=60_000), Tick(at=600_000), SealingGivenUp(at=1_200_000)):
        state, _ = step(state, event)
    clock = state.game.clock
    assert clock.running == "white"
    assert clock.left("white", 1_200_000) == 3_600_000 - 1_200_000
    # Not while an arbiter has stopped the clocks.
    state = replace(state, game=state.game.pause(1_200_000), clocks=replace(state.clocks, stopped=True))
    before = state.game.clock.left("white", 1_200_000)
    for event in (MoveWritten(at=1_200_000), SealingGivenUp(at=1_300_000)):
        state, _ = step(state, event)
    assert state.game.clock.left("white", 1_300_000) == before


def test_an_empty_line_gives_up_and_the_game_goes_on(tmp_path):
    room = Room(tmp_path)
    room.type("adjourn", "yes", "knight f3", "")
    assert not (tmp_path / "envelopes").exists()
    room.type("e4", "yes")
    assert len(room.app.state.game.played) == 1


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("written", "sealed"),
    [
        ("knight f3", "g1f3"),
        ("knight e4", "knight e4"),  # illegal
        ("g1f6", "g1f6"),
        ("knight 3", "knight 3"),  # ambiguous
        ("hm", "hm"),  # no move
    ],
)
def test_whatever_is_written_is_sealed(tmp_path, strict, written, sealed):
    """A8, 2001; guideline 8, 2009: an ambiguous, false or illegal move can be sealed."""
    room = Room(tmp_path, strict=strict)
    room.lines.clear()
    room.type("adjourn", "yes", written, written, *WHEN)
    assert envelope.unseal(room.envelope.read_text(), KEY)[1] == sealed
    assert tells(room.lines, ("eva", "knight", "springer")) == []


@pytest.mark.parametrize("private", [False, True])
def test_the_sealer_is_not_told_whether_the_move_can_be_played(private):
    asked = Sealing.of(BASE.setup, Position.start(), private=private)
    legal, *others = (asked.answered(text)[1] for text in ("Nf3", "Nf6", "Na8", "hm"))
    words = [[(m.key, {**dict(m.values), "words": ""}) for m in told.messages] for told in (legal, *others)]
    assert all(one == words[0] for one in words)
    assert {told.private for told in others} == {legal.private}


def test_a_sealed_move_that_would_not_fit_into_the_envelope_is_typed_again():
    asked = Sealing.of(BASE.setup, Position.start(), private=True)
    again, told = asked.answered("a" * 101)
    assert (again, told.messages[0].key) == (asked, "seal_too_long")


def test_a_flag_that_falls_meanwhile_ends_the_game_and_the_sealing(tmp_path):
    room = Room(tmp_path, clock="60")
    room.type("e4", "yes", "adjourn", "yes", "0", "e5")
    room.loop._began -= 3700  # an hour and a minute later
    room.type("e5")
    assert room.app.state.game.result.reason == "flag"
    room.type("2099-11-22 15:00", "Funchal")
    assert not (tmp_path / "envelopes").exists()


def test_a_flag_that_falls_while_nothing_is_typed_ends_the_sealing_too(tmp_path):
    room = Room(tmp_path, clock="60")
    room.type("e4", "yes", "adjourn", "yes", "0", "e5")
    outputs = room.app.handle(TimePassed(quiet=True), 3_700_000)
    told = next(output for output in outputs if isinstance(output, Tell))
    assert queries.over(room.app.state.game) in told.messages
    before = outputs[: outputs.index(told)]  # the line that is being typed is dropped before anything is told
    assert Hide(hidden=False) in before
    assert TellLater(Message.of("nothing_sealed")) in before
    assert room.app.listens


def test_an_arbiter_who_ends_the_game_meanwhile_ends_the_sealing_too(tmp_path):
    room = Room(tmp_path, clock="60", strict=True)
    room.type("adjourn", "yes", "0", "e4", "e4", "2099-11-22 15:00", "Funchal")
    ends = Proposed(id=1, by="arbiter", what="result", given=(2,))
    outputs = room.app.handle(Reported(ends), 1000)
    assert room.app.state.game.result.score == "0-1"
    assert TellLater(Message.of("nothing_sealed")) in outputs
    assert Hide(hidden=False) in outputs
    assert not (tmp_path / "envelopes").exists()


def test_an_arbiter_who_restores_a_position_meanwhile_ends_the_sealing_too(tmp_path):
    room = Room(tmp_path, clock="60")
    room.type("e4", "yes", "e5", "yes", "adjourn", "yes", "0", "bishop c4")
    restores = Proposed(id=1, by="arbiter", what="restore", given=(1, 1), plies=2)
    outputs = room.app.handle(Reported(restores), 1000)
    assert len(room.app.state.game.played) == 0
    assert TellLater(Message.of("nothing_sealed")) in outputs
    assert Hide(hidden=False) in outputs
    assert room.app.listens


def test_a_folder_that_cannot_be_written_is_told_and_tried_again(tmp_path):
    room = Room(tmp_path)
    (tmp_path / "envelopes").write_text("in the way")
    room.type("adjourn", "yes", "e4", "e4", *WHEN)
    assert "cannot be written" in room.lines[-2]
    (tmp_path / "envelopes").unlink()
    room.type(KEY, KEY)
    assert envelope.unseal(room.envelope.read_text(), KEY)[1] == "e2e4"


def adjourned(tmp_path, *moves, written="knight f3", **setup):
    room = Room(tmp_path, clock="60", **setup)
    for move in moves:
        room.type(move, "yes")
    soon = datetime.now().astimezone() + timedelta(minutes=5)
    session = () if setup.get("laws") == "escolar-br" else ("0",)  # it knows no session
    room.type("adjourn", "yes", *session, written, written, f"{soon:%Y-%m-%d %H:%M}", "here", KEY, KEY)
    return room.resumed()


def test_the_envelope_opens_when_the_player_who_answers_is_there(tmp_path):
    room = adjourned(tmp_path)
    assert room.lines[-1].startswith("Is Bruno, who must answer for Black, present?")
    assert room.app.state.game.clock.running is None
    room.type("yes", "yes", "not the passphrase", KEY)
    assert "does not open" in "\n".join(room.lines)
    state = room.app.state
    assert played_sans(state) == ["Nf3"]
    assert state.game.clock.running == "black"
    assert state.adjournment.sealed is None
    room.type("e5", "yes")
    assert len(room.app.state.game.played) == 2
    # The journal replays to the same.
    assert room.journal.load(room.number).state.game.played == room.app.state.game.played


def test_an_open_offer_of_a_draw_stands_on_the_envelope_and_after_the_resumption(tmp_path):
    room = Room(tmp_path, laws="fide-2001")
    room.type("draw", "yes")
    offered = room.app.state.asking
    room.type("adjourn", "yes", "knight f3", "knight f3", *WHEN)
    assert envelope.label(room.envelope.read_text()).offer == "white"
    room.resumed().type("yes", "yes", KEY)
    assert len(room.app.state.game.played) == 1
    assert room.app.state.asking == offered
    room.type("yes")
    assert room.app.state.game.result.score == "1/2-1/2"


def test_what_only_the_arbiter_can_decide_waits_for_him(tmp_path):
    room = adjourned(tmp_path, written="hm", laws="escolar-br")
    room.type("yes", "yes", KEY)
    assert "the arbiter decides" in "\n".join(room.lines)
    assert room.app.state.game.result is None
    assert room.app.state.arbiter.pending is not None
    assert room.app.state.game.clock.running is None


def test_the_time_of_the_player_who_is_not_there_runs(tmp_path):
    room = adjourned(tmp_path)
    room.type("no")
    assert room.app.state.game.clock.running == "black"
    room.loop._began -= 600  # ten minutes
    room.type("yes")
    clock = room.app.state.game.clock
    assert clock.running is None
    assert 600_000 <= 3_600_000 - clock.left("black", room.loop._now()) < 660_000
    room.type(KEY)
    assert room.app.state.game.clock.running == "black"


def test_who_is_not_there_can_lose_on_time(tmp_path):
    room = adjourned(tmp_path)
    room.type("no")
    room.loop._began -= 3601
    room.type("yes")
    assert (room.app.state.game.result.score, room.app.state.game.result.reason) == ("1-0", "flag")


def test_a_faulty_sealed_move_loses(tmp_path):
    room = adjourned(tmp_path, written="knight e4")
    room.type("yes", "yes", KEY)
    assert (room.app.state.game.result.score, room.app.state.game.result.reason) == ("0-1", "sealed")
    assert "White sealed: knight e4." in room.lines
    assert "is illegal: the game is lost" in "\n".join(room.lines)
    assert "White sealed: knight e4." in pgn.text(room.app.state.setup, room.app.state.game, "2026-01-01")
    assert room.journal.games()[0].result == "0-1"


def test_an_envelope_of_another_game_with_the_same_number_position_and_date_is_refused(tmp_path):
    one, other = adjourned(tmp_path / "one"), adjourned(tmp_path / "other")
    other.envelope.write_text(one.envelope.read_text())
    other.type("yes", "yes", KEY)
    assert "belongs to another game or adjournment" in other.lines[-2]
    label, move = envelope.unseal(one.envelope.read_text(), KEY)
    other.envelope.write_text(envelope.seal(replace(label, identity=""), move, KEY))  # as an old one
    other.resumed().type("yes", "yes", KEY)
    assert "belongs to another game or adjournment" in other.lines[-2]


def test_an_adjournment_from_before_there_were_identities_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(envelope, "new_identity", lambda: "")
    room = adjourned(tmp_path)
    assert "identity" not in json.loads(room.envelope.read_text())["label"]
    room.type("yes", "yes", KEY)
    assert len(room.app.state.game.played) == 1


def test_too_little_memory_for_the_envelope_is_told_and_the_passphrase_asked_again(tmp_path, monkeypatch):
    room = adjourned(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(envelope, "unseal", no_memory)
        room.type("yes", "yes", KEY)
    assert "There is not enough memory for the envelope: close other programs." in room.lines
    room.type(KEY)
    assert len(room.app.state.game.played) == 1


def no_memory(*_):
    raise envelope.EnvelopeError("envelope_memory")


def test_too_little_memory_to_seal_is_told_and_the_passphrase_asked_again(tmp_path, monkeypatch):
    room = Room(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(envelope, "seal", no_memory)
        room.type("adjourn", "yes", "e4", "e4", *WHEN)
    assert "There is not enough memory for the envelope: close other programs." in room.lines
    room.type("12345678", KEY, unicodedata.normalize("NFD", KEY))
    assert any(line.startswith("This passphrase is easy to guess") for line in room.lines)
    assert envelope.unseal(room.envelope.read_text(), KEY)[1] == "e2e4"


def test_the_envelope_of_an_earlier_game_with_the_same_number_stays(tmp_path):
    adjourned(tmp_path)
    (tmp_path / "games.sqlite3").rename(tmp_path / "earlier.sqlite3")
    other = adjourned(tmp_path, written="d4")
    assert [path.name for path in sorted((tmp_path / "envelopes").iterdir())] == [
        "envelope-1-1-white-1.json",
        "envelope-1-1-white.json",
    ]
    other.type("yes", "yes", KEY)
    assert played_sans(other.app.state) == ["d4"]


def test_the_envelope_is_found_beside_games_that_were_moved(tmp_path):
    adjourned(tmp_path / "one")
    (tmp_path / "one").rename(tmp_path / "other")
    room = Room(tmp_path / "other", clock="60")
    room.number = 1
    room.resumed().type("yes", "yes", KEY)
    assert played_sans(room.app.state) == ["Nf3"]


def is_full(*_):
    raise JournalError(Message.of("reason_full"))


def farewell(room, now_ms):
    (told,) = (output for output in room.app.leave(now_ms) if isinstance(output, Tell))
    return told.messages


def test_an_adjournment_that_could_not_be_kept_is_told_at_the_end(tmp_path, monkeypatch):
    room = Room(tmp_path)
    room.type("adjourn", "yes", "e4", "e4", *WHEN[:-1])
    monkeypatch.setattr(room.journal, "append", is_full)
    room.type(KEY)
    assert not room.app.over
    assert farewell(room, 9000) == (
        Message.of("kept_not", reason=Message.of("reason_full")),
        Message.of("adjourned_not_kept", file=str(room.envelope)),
        Message.of("goodbye"),
    )


def test_an_envelope_is_told_whose_adjournment_is_not_kept(tmp_path, monkeypatch):
    room = Room(tmp_path)
    room.type("adjourn", "yes", "e4", "e4", *WHEN[:-1])
    with monkeypatch.context() as patch:
        patch.setattr(room.journal, "append", is_full)
        room.type(KEY)
    told = lambda: not_adjourned(room.journal.load(room.number), room.journal)  # noqa: E731
    assert told() == (Message.of("adjourned_not_kept", file=str(room.envelope)),)
    assert not_adjourned(replace(room.journal.load(room.number), entries=0), room.journal) == ()
    room.resumed().type("adjourn", "yes", "e4", "e4", *WHEN)
    assert told() == ()


def test_the_envelope_of_an_adjournment_is_not_told_in_its_position_again(tmp_path):
    room = adjourned(tmp_path)
    stored = room.journal.load(room.number)
    again = replace(stored, state=replace(stored.state, adjournment=AdjournmentState()))
    for _ in ("its own", "unreadable"):
        assert not_adjourned(stored, room.journal) == not_adjourned(again, room.journal) == ()
        room.envelope.write_text("damaged")


def test_what_waits_for_room_on_the_disk_happens_in_its_order(tmp_path, monkeypatch):
    room = Room(tmp_path, clock="60")
    with monkeypatch.context() as patch:
        patch.setattr(room.journal, "append", is_full)
        for event in (MoveWritten(), SealingGivenUp(), MoveWritten()):
            room.app.handle(Reported(event), 1000)
    room.app.handle(TimePassed(quiet=True), 2000)
    assert room.app.state.adjournment.written
    assert room.app.state.game.clock.running is None


def test_a_game_is_not_said_to_be_kept_whose_clock_is_not(tmp_path, monkeypatch):
    room = Room(tmp_path, clock="1")
    room.type("e4", "yes")
    monkeypatch.setattr(room.journal, "append", is_full)
    room.app.handle(TimePassed(quiet=True), 63_000)
    assert [message.key for message in farewell(room, 64_000)] == ["kept_not", "goodbye"]


@pytest.mark.parametrize(("opponent", "play"), [("engine", "play"), ("human", "play --opponent human")])
def test_in_play_a_damaged_file_is_told_with_how_to_go_on_elsewhere(tmp_path, monkeypatch, opponent, play):
    room = Room(tmp_path, opponent=opponent)
    room.type("e4", "yes")

    def is_damaged(*_):
        raise JournalError(Message.of("reason_damaged"))

    with monkeypatch.context() as patch:
        patch.setattr(room.journal, "append", is_damaged)
        room.type("e5")
        assert room.lines[-1].startswith(
            "The file of the games is damaged, and nothing more can be kept in it"
        )
        assert room.lines[-1].endswith(
            f"record {room.number} --save games -o game.pgn, then acessivel {play} --from game.pgn --save another-folder"
        )
        room.devices.inputs.add("page")
        room.type("e5")
        assert "Download the record of this game on its page now" in room.lines[-1]
    assert farewell(room, 9000)[0] == Message.of("kept_not", reason=Message.of("reason_damaged"))


@pytest.mark.parametrize("how", ["gone", "changed", "another"])
def test_without_its_envelope_the_sealer_says_the_move(tmp_path, how):
    room = adjourned(tmp_path)
    path = room.envelope
    if how == "gone":
        path.unlink()
        room.resumed()
    elif how == "changed":
        path.write_text("{}")
        room.type("yes", "yes", KEY)
    else:
        label, move = envelope.unseal(path.read_text(), KEY)
        path.write_text(envelope.seal(envelope.Label(**{**_fields(label), "game": 9}), move, KEY))
        room.type("yes", "yes", KEY)
    assert room.lines[-1].startswith("Is the envelope lost for good?")
    room.type("yes")
    assert "The envelope is lost" in "\n".join(room.lines)
    room.type("d4", "yes")
    assert played_sans(room.app.state) == ["d4"]


def _fields(label):
    return {name: getattr(label, name) for name in label.__dataclass_fields__}


def test_who_adjourns_before_the_session_ends_has_used_what_is_left_of_it(tmp_path):
    room = Room(tmp_path, clock="60")
    room.type("adjourn", "yes", "soon", "20", "knight f3", "knight f3", *WHEN)
    assert any(line.startswith("Type a number of minutes") for line in room.lines)
    clock = room.app.state.game.clock
    assert 39 * 60_000 < clock.left("white", 0) <= 40 * 60_000  # A1b, 2001; guideline 1b, 2009
    assert envelope.label(room.envelope.read_text()).white_used_ms >= 20 * 60_000
    assert envelope.label(room.envelope.read_text()).black_used_ms == 0


def test_who_has_not_so_much_time_left_loses_on_time(tmp_path):
    room = Room(tmp_path, clock="60")
    room.type("adjourn", "yes", "61", "knight f3", "knight f3", *WHEN)
    assert (room.app.state.game.result.score, room.app.state.game.result.reason) == ("0-1", "flag")


def replied(tmp_path):
    """White has sealed and is away; Black answers into a new envelope."""
    room = adjourned(tmp_path)
    room.type("yes", "no", KEY)
    assert "Black may answer on the board, or adjourn to seal the answer." in "\n".join(room.lines)
    assert room.app.state.game.clock.running == "black"
    room.lines.clear()
    room.type("adjourn", "yes", "knight c6", "knight c6", KEY, KEY)
    return room


def test_the_answer_to_a_sealed_move_can_be_sealed_while_the_sealer_is_away(tmp_path):
    room = replied(tmp_path)  # A9c, 2001; guideline 9c, 2009
    assert not any("the clocks are stopped" in line for line in room.lines)
    assert not room.app.over
    assert tells(room.lines, ("c6", "knight")) == []
    state = room.app.state
    assert played_sans(state) == ["Nf3"]
    assert state.game.clock.running == "white"
    assert room.lines[-1].startswith("White's clock is running. Type yes when Ana arrives.")
    room.type("yes")
    assert room.app.state.game.clock.running is None
    room.type(KEY)
    state = room.app.state
    assert played_sans(state) == ["Nf3", "Nc6"]
    assert (state.game.clock.running, state.adjournment.sealed, state.adjournment.away) == (
        "white",
        None,
        None,
    )
    assert room.journal.load(room.number).state.game.played == state.game.played


def test_the_time_of_the_absent_sealer_runs_in_a_new_run_too_and_can_run_out(tmp_path):
    room = replied(tmp_path).resumed()
    assert room.lines[-1].startswith("White's clock is running.")
    assert room.app.state.game.clock.running == "white"
    room.loop._began -= 3601
    room.type("yes")
    assert (room.app.state.game.result.score, room.app.state.game.result.reason) == ("0-1", "flag")


def test_who_is_alone_may_also_answer_on_the_board(tmp_path):
    room = adjourned(tmp_path)
    room.type("yes", "no", KEY, "e5", "yes")
    assert played_sans(room.app.state) == ["Nf3", "e5"]
    assert room.app.state.adjournment.away is None
    assert room.app.state.game.clock.running == "white"


def test_an_empty_line_leaves_the_game_adjourned(tmp_path):
    room = adjourned(tmp_path)
    room.type("")
    assert room.app.over
    assert room.journal.load(room.number).state.adjournment.sealed is not None


BASE = Opening(
    Setup.of(language="en", white="Ana", black="Bruno"),
    Adjourned(envelope="e.json", when="2026-11-22T15:00", where="here", white="Ana", black="Bruno"),
    "white",
    timedelta(hours=1),
    datetime(2026, 11, 22, 16, 1),  # noqa: DTZ001
)


@pytest.mark.parametrize(
    ("answers", "late"),
    [
        (("yes", "yes", "yes"), "black"),
        (("yes", "yes", "no", "yes"), "white"),
        (("yes", "yes", "no", "no"), ""),
        (("yes", "no", "yes"), "white"),  # he is not there yet, and more than an hour late
        (("yes", "no", "no"), ""),
        (("no", "yes"), "black"),
    ],
)
def test_over_an_hour_after_the_time_it_is_asked_who_came_late(answers, late):
    opening = BASE
    for answer in answers:
        opening, _ = opening.answered(answer)
    assert (opening.stage, opening.late, opening.late_ms) == ("passphrase", late, 3_660_000)


def test_who_counts_as_late_is_told_before_the_envelope_is_opened():
    opening, told = replace(BASE, stage="sealer_late").answered("yes")
    assert [message.key for message in told.messages] == ["counts_as_late", "unseal_passphrase"]
    assert told.messages[0].values[0] == ("colour", "white")
    assert opening.retried("envelope_closed")[1].messages[1:] == told.messages


def test_lateness_is_not_asked_about_where_no_rule_is_about_it():
    opening = replace(BASE, setup=Setup.of(language="en", laws="escolar-br"))
    for answer in ("yes", "no"):
        opening, _ = opening.answered(answer)
    assert (opening.stage, opening.late, opening.away) == ("passphrase", "", True)


def test_a_time_that_is_past_is_refused():
    asked = Sealing(BASE.setup, Position.start(), private=False, stage="when", now=BASE.now)
    again, told = asked.answered("2026-11-22 16:01")
    assert (again, [message.key for message in told.messages]) == (asked, ["seal_past"])
    assert asked.answered("2026-11-22 16:02")[0].stage == "where"


def test_enter_pressed_twice_decides_nothing_about_lateness(tmp_path, monkeypatch):
    room = adjourned(tmp_path)
    hours_later = unsealing.time_of_day() + timedelta(hours=2)
    monkeypatch.setattr(unsealing, "time_of_day", lambda: hours_later)
    room.type("yes", "yes")
    assert room.lines[-1].startswith("Is Bruno, Black, more than 1 hour late?")
    room.loop.take(EnterPressed())
    assert room.app.over
    assert room.journal.load(room.number).state.adjournment.sealed is not None


def test_a_past_time_is_asked_for_again(tmp_path):
    room = Room(tmp_path)
    room.type("adjourn", "yes", "e4", "e4", "2026-01-01 15:00")
    assert room.lines[-1] == "That time is already past: type when the game resumes."
    room.type(*WHEN)
    assert room.app.state.adjournment.sealed.when == "2099-11-22T15:00"


@pytest.mark.parametrize("answers", [(), ("yes",), ("no",)])
def test_stop_leaves_the_game_adjourned_at_each_question(tmp_path, answers):
    room = adjourned(tmp_path)
    room.type(*answers, "stop")
    assert room.app.over
    assert room.journal.load(room.number).state.adjournment.sealed is not None


def test_the_clock_can_be_asked_while_a_player_is_awaited(tmp_path):
    room = adjourned(tmp_path)
    room.type("no")
    asked = room.lines[-1]
    assert asked == (
        "Black's clock is running. Type yes when Bruno arrives. Enter alone leaves the game adjourned."
    )
    room.lines.clear()
    room.type("clock", "repeat", "hm")
    assert room.lines[0].startswith("White has ")
    assert room.lines[1].startswith("Black has ")
    assert room.lines[2:] == [asked, asked, "Answer yes or no.", asked]
    room.loop.take(EnterPressed())
    assert room.app.over


@pytest.mark.parametrize("clock", ["none", "60"])
def test_no_clock_is_told_of_that_does_not_run(tmp_path, clock):
    room = Room(tmp_path, clock=clock)
    room.type("adjourn", "yes", *(("0",) if clock != "none" else ()), "e4", "e4", *WHEN)
    lines = list(room.lines)
    room.resumed().type("no", "yes", KEY)
    told = " ".join([*lines, *room.lines])
    sentences = ("the clocks are stopped", "Black's clock is running. Type yes")
    assert [sentence in told for sentence in sentences] == [clock != "none"] * 2
    assert ("Black's clock is running." in room.lines) == (clock != "none")
    assert "sealed move is played." in told


@pytest.mark.parametrize(
    ("answers", "score"),
    [
        (("resign", "yes"), "0-1"),
        (("resign", "no", "yes"), "1-0"),
        (("yes", "draw", "yes"), "1/2-1/2"),
        (("no", "draw", "no", "resign", "no", "no", "draw", "yes"), "1/2-1/2"),
        (("draw", "no"), None),
    ],
)
def test_an_adjourned_game_can_end_before_its_envelope_is_opened(tmp_path, answers, score):
    room = adjourned(tmp_path, "e4", "e5")
    room.type(*answers)
    state = room.app.state
    assert (state.game.result and state.game.result.score) == score
    assert played_sans(state) == ["e4", "e5"]
    assert (state.adjournment.sealed is None) == bool(score)
    assert room.app.listens == bool(score)
    assert room.journal.load(room.number).state.game.result == state.game.result


def test_it_ends_by_no_draw_before_both_have_moved_and_by_nothing_while_lateness_is_open(tmp_path):
    room = adjourned(tmp_path)
    room.type("draw")
    assert room.lines[-2].startswith("A draw can be agreed only when both have made a move.")
    late = replace(BASE, stage="present")
    assert not late.may_end
    assert replace(late, now=late.now - timedelta(minutes=2)).may_end


def test_that_nothing_ends_it_while_lateness_is_open_is_told_and_after_two_noes_it_can_end(
    tmp_path, monkeypatch
):
    room = adjourned(tmp_path, "e4", "e5")
    hours_later = unsealing.time_of_day() + timedelta(hours=2)
    monkeypatch.setattr(unsealing, "time_of_day", lambda: hours_later)
    for answers in ((), ("yes", "yes"), ("no",)):
        room.type(*answers, "resign")
        assert room.lines[-2].startswith("Nobody can resign, nor agree to a draw, while a player")
    room.type("no", "a wrong passphrase")
    assert room.lines[-2].startswith("The envelope does not open")
    room.type("draw", "no", "resign", "yes")
    assert room.app.state.game.result.score == "0-1"


def test_who_counts_as_late_does_not_resign_or_agree_to_a_draw_instead(tmp_path, monkeypatch):
    room = adjourned(tmp_path, "e4", "e5")
    hours_later = unsealing.time_of_day() + timedelta(hours=2)
    monkeypatch.setattr(unsealing, "time_of_day", lambda: hours_later)
    room.type("yes", "yes", "yes", "draw")
    assert any(line.startswith("Nobody can resign") for line in room.lines[-3:])
    room.type(KEY)
    assert room.app.state.game.result.reason == "late"


def test_a_game_whose_envelope_is_gone_can_end_however_late_it_is(tmp_path, monkeypatch):
    room = adjourned(tmp_path, "e4", "e5")
    room.envelope.unlink()
    hours_later = unsealing.time_of_day() + timedelta(hours=2)
    monkeypatch.setattr(unsealing, "time_of_day", lambda: hours_later)
    room.resumed().type("draw", "yes")
    assert room.app.state.game.result.score == "1/2-1/2"


def test_a_player_on_his_page_resigns_for_himself_alone(tmp_path):
    room = adjourned(tmp_path, "e4", "e5")
    for line in ("resign", "no", "draw"):
        outputs = room.app.handle(TypedText(line, by="black"), room.loop._now())
        told = [output for output in outputs if isinstance(output, Tell)]
    assert told[-1].messages[0].key == "agreed_by_both"
    assert room.app._talk._opening.stage == "present"
    room.app.handle(TypedText("resign", by="black"), room.loop._now())
    room.app.handle(TypedText("yes", by="black"), room.loop._now())
    assert room.app.state.game.result.score == "1-0"


def test_the_conversations_tell_no_secret_when_they_are_printed():
    sealed = Sealing(BASE.setup, Position.start(), private=False)
    for line in ("knight f3", "knight f3", "2099-11-22 15:00", "here", KEY):
        sealed, _ = sealed.answered(line)
    assert tells([repr(sealed).lower()], ("g1f3", "knight", KEY)) == []
