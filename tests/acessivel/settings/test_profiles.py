# SPDX-License-Identifier: GPL-3.0-or-later
import errno
import io
import json
import os
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from support.languages import LANGUAGES

from acessivel.app.enrolment import Recording
from acessivel.app.enrolment_prompts import ROUNDS, Prompt, prompts
from acessivel.app.speaker_fit import Fitted
from acessivel.commands import doctor, profile
from acessivel.commands.arguments import parse
from acessivel.commands.device_settings import _with_profile
from acessivel.commands.enrol import _prepare, _store
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings import changed_settings, profiles
from acessivel.settings.settings import Settings, file_path, load
from acessivel.storage import kept_recordings, private_files
from voices.grammar.grammar import everything, pronunciations
from voices.grammar.jsgf import automaton
from voices.hearing.decision import REPEAT
from voices.hearing.learnt import Learnt
from voices.hearing.profile import Profile
from voices.sound.source import read_wav
from voices.understanding.meanings import read
from voices.words.files import conventions

ANSWERS = {"pt": ("sim", "nao"), "en": ("yes", "no"), "de": ("ja", "nein"), "es": ("si", "no")}
ANA = Profile("ana", date(2026, 11, 21), -60.0, 0.9, {"eva": ("IY V AH",)})


def settings(folder, profile=""):
    return Settings(language="en", save=str(folder), profile=profile)


def test_the_profile_of_a_run_is_that_named_or_the_default_or_none(tmp_path):
    assert profiles.load(settings(tmp_path)) is None
    for name in ("ana", "default"):
        profiles.store(settings(tmp_path), Profile(name, ANA.made, -60.0, 0.9, ANA.pronunciations))
    assert profiles.load(settings(tmp_path, "ana")) == ANA
    assert profiles.load(settings(tmp_path)).name == "default"
    assert profiles.load(settings(tmp_path, "none")) is None
    for name in ("bob", "../ana", "Ana "):
        with pytest.raises(UserError) as refused:
            profiles.load(settings(tmp_path, name))
        sentence = Renderer("en").text(refused.value.message)
        assert sentence.startswith(
            f"There is no profile called {name}; there are: ana, default. To make one: "
        )
        assert sentence.endswith(f" enrol --save {tmp_path} --profile NAME")


@pytest.mark.parametrize(("language", "place"), [("en", "at line 2."), ("pt", "aqui: linha 2.")])
def test_a_line_that_cannot_be_read_is_named(tmp_path, language, place):
    profiles.store(settings(tmp_path), ANA)
    file = tmp_path / "profiles/ana.toml"
    file.write_text("made = 2026-11-21\nyes = = 1\n")
    told = Renderer(language).text(profiles.broken(settings(tmp_path, "ana")))
    assert place in told
    assert told.endswith(f" profile reset --profile ana --save {tmp_path}")


def test_a_profile_that_cannot_be_read_is_not_used(tmp_path):
    profiles.store(settings(tmp_path), ANA)
    assert profiles.broken(settings(tmp_path, "ana")) is None
    (tmp_path / "profiles/ana.toml").write_bytes(b"\xff")
    assert profiles.load(settings(tmp_path, "ana")) is None
    assert profiles.needed(settings(tmp_path, "ana")) == (0.0, REPEAT)
    assert profiles.broken(settings(tmp_path, "ana"))


@pytest.fixture
def all_works(monkeypatch):
    parts = "keyboard microphone pocketsphinx vosk voice liblouis display engine folder".split()
    for part in parts:
        found = doctor.Finding(part, True, Message.of("goodbye"))
        monkeypatch.setattr(doctor, f"_{part}", lambda used, f=found: (profiles.load(used), f)[1])


@pytest.mark.usefixtures("all_works")
def test_the_doctor_goes_on_with_a_profile_that_cannot_be_read(tmp_path):
    profiles.store(settings(tmp_path), ANA)
    assert all(one.works for one in doctor.examine(settings(tmp_path, "ana")))
    (tmp_path / "profiles/ana.toml").write_bytes(b"")
    *others, last = doctor.examine(settings(tmp_path, "ana"))
    assert all(one.works for one in others)
    assert (last.works, last.message) == (False, profiles.broken(settings(tmp_path, "ana")))


@pytest.mark.usefixtures("all_works")
def test_the_doctor_tells_of_what_was_learnt_and_cannot_be_read(tmp_path):
    profiles.store(settings(tmp_path), ANA)
    profiles.learnt_path(settings(tmp_path), "ana").write_bytes(b"PK")
    *others, last = doctor.examine(settings(tmp_path, "ana"))
    assert all(one.works for one in others)
    assert (last.works, last.message) == (False, profiles.damaged(settings(tmp_path, "ana")))


@pytest.mark.usefixtures("all_works")
def test_the_doctor_goes_on_without_a_profile_of_the_settings_that_is_gone(tmp_path):
    *others, last = doctor.examine(settings(tmp_path, "ana"))
    assert len(others) == 9
    assert all(one.works for one in others)
    assert (last.works, last.message) == (False, profiles.gone(settings(tmp_path, "ana")))
    assert f"not in {tmp_path}/profiles." in Renderer("en").text(last.message)


@pytest.mark.parametrize(
    ("command", "hear", "of"),
    [
        ("play", "keyboard", "none"),
        ("doctor", "auto", "ana"),
        ("play", "auto", None),
        ("hear", "keyboard", None),
    ],
)
def test_a_profile_of_the_settings_that_is_gone_keeps_nobody_from_what_needs_none(
    tmp_path, command, hear, of
):
    options = parse([command, *["a.wav"] * (command == "hear"), "--save", str(tmp_path)])
    asked = replace(settings(tmp_path, "ana"), hear=hear)
    if of:
        assert _with_profile(asked, options).profile == of
    else:
        with pytest.raises(UserError) as refused:
            _with_profile(asked, options)
        assert refused.value.message == profiles.gone(asked)
    options.profile = "ana"  # named here and now, that is a mistake
    with pytest.raises(profiles.NoProfileError):
        _with_profile(asked, options)


@pytest.mark.parametrize("kept", ["", "ana"])
def test_who_removes_the_profile_of_the_settings_is_told_how_to_go_on(tmp_path, monkeypatch, capsys, kept):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = str(tmp_path / "games")
    for name, value in (("profile", kept), ("save", folder), ("language", "en")):
        changed_settings.keep(file_path(), name, value)
    profiles.store(settings(folder), ANA)
    profile.run(parse(["profile", "reset", "--profile", "ana"]))
    told = [Renderer("en").text(profiles.gone(load()))] if kept else []
    assert capsys.readouterr().out.splitlines()[1:] == told


def test_a_profile_takes_the_place_of_the_old_one_whole(tmp_path):
    profiles.store(settings(tmp_path), ANA)
    profiles.store(settings(tmp_path), Profile("ana", ANA.made, -50.0, 0.9, {}))
    assert profiles.load(settings(tmp_path, "ana")).noise_db == -50.0
    assert [file.name for file in (tmp_path / "profiles").iterdir()] == ["ana.toml"]


@pytest.mark.parametrize("writes", [0, 1])
def test_a_profile_and_what_was_learnt_are_stored_both_or_not_at_all(tmp_path, monkeypatch, writes):
    profiles.store(settings(tmp_path), ANA, Learnt())
    left = iter(range(writes))

    def full(_):
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        profiles.store(settings(tmp_path), replace(ANA, yes=0.99), Learnt().with_reading(0.4, True))
    assert profiles.load(settings(tmp_path, "ana")) == ANA
    assert profiles.learnt(settings(tmp_path, "ana")) == Learnt()
    assert {file.name for file in (tmp_path / "profiles").iterdir()} == {"ana.toml", "ana.npz"}


def test_what_was_learnt_is_stored_beside_the_profile_for_its_owner_alone(tmp_path):
    assert profiles.learnt(settings(tmp_path)) is None
    learnt = Learnt().with_reading(0.4, True)
    profiles.store_learnt(settings(tmp_path), "ana", learnt)
    profiles.store(settings(tmp_path), replace(ANA, name="bob"))
    assert profiles.names(settings(tmp_path)) == ("ana", "bob")
    assert profiles.load(settings(tmp_path, "ana")) is None  # nothing but that was learnt
    assert profiles.learnt(settings(tmp_path, "ana")) == learnt
    assert profiles.learnt(settings(tmp_path, "bob")) is None
    assert profiles.learnt(settings(tmp_path, "none")) is None
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "profiles").iterdir()} == {0o600}


def test_what_cannot_be_read_was_not_learnt(tmp_path):
    profiles.store_learnt(settings(tmp_path), "ana", Learnt())
    profiles.learnt_path(settings(tmp_path), "ana").write_bytes(b"PK")
    assert profiles.learnt(settings(tmp_path, "ana")) is None


def test_how_probable_the_readings_of_a_speaker_must_be(tmp_path):
    assert profiles.needed(settings(tmp_path)) == (0.0, REPEAT)
    learnt = Learnt()
    for _ in range(30):
        learnt = learnt.with_reading(0.45, True)
    profiles.store_learnt(settings(tmp_path), "ana", learnt)
    profiles.store(settings(tmp_path), replace(ANA, yes=0.97))
    assert profiles.needed(settings(tmp_path, "ana")) == (0.97, 0.35)


def test_a_profile_is_removed_whole(tmp_path):
    profiles.store(settings(tmp_path), ANA)
    profiles.store_learnt(settings(tmp_path), "ana", Learnt())
    for part in ("ana.npz.part", "ana.npz.4711.part"):
        (tmp_path / "profiles" / part).write_bytes(b"of a run that was killed")
    profiles.remove(settings(tmp_path), "ana")
    assert profiles.names(settings(tmp_path)) == ()
    assert [*(tmp_path / "profiles").iterdir()] == []
    profiles.remove(settings(tmp_path), "ana")


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "profiles").write_text("a file")
    with pytest.raises(UserError) as refused:
        _store(settings(tmp_path), Fitted(ANA, None, None, None), (), None)
    assert str(tmp_path / "profiles") in Renderer("en").text(refused.value.message)


def test_a_folder_in_which_nothing_can_be_written_is_refused_before_anybody_speaks():
    with pytest.raises(UserError) as refused:
        _prepare(Path("/proc/self"))
    assert "/proc/self" in Renderer("en").text(refused.value.message)


def test_so_is_one_on_a_full_disk(tmp_path, monkeypatch):
    class Full(io.BytesIO):
        def write(self, _):
            raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(private_files, "TemporaryFile", lambda **_: Full())
    with pytest.raises(UserError) as refused:
        _prepare(tmp_path / "new")
    assert str(tmp_path / "new") in Renderer("en").text(refused.value.message)


def test_what_was_learnt_counts_as_nothing_where_nobody_may_look_for_it(tmp_path, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(errno.EACCES, "not allowed")

    for looks in ("stat", "read_bytes"):
        monkeypatch.setattr(Path, looks, refused)
    assert profiles.learnt(settings(tmp_path)) is None
    assert profiles.is_damaged(settings(tmp_path))


def test_without_a_profile_no_recording_is_kept(tmp_path):
    (tmp_path / "profiles").write_text("a file")
    folder = tmp_path / "recordings"
    folder.mkdir()
    said = Recording(Prompt("ja", "ja"), 1, bytes(640))
    with pytest.raises(UserError):
        _store(settings(tmp_path), Fitted(ANA, None, None, None), (said,), folder)
    assert [*folder.iterdir()] == []


def test_of_recordings_that_cannot_all_be_kept_none_is(tmp_path):
    (tmp_path / "2-eva-vier.wav").mkdir()
    with pytest.raises(OSError, match="2-eva-vier"):
        kept_recordings.keep(tmp_path, [("1", "ja", bytes(640)), ("2", "eva vier", bytes(640))], "de", "fide")
    assert [file.name for file in tmp_path.iterdir()] == ["2-eva-vier.wav"]


def test_no_recording_takes_the_place_of_another(tmp_path):
    (tmp_path / "notes.wav").touch()
    assert not kept_recordings.are_in(tmp_path)
    (tmp_path / "1-ja.wav").touch()
    assert kept_recordings.are_in(tmp_path)


def test_the_recordings_of_a_speaker_are_listed_and_private(tmp_path):
    assert not kept_recordings.are_in(tmp_path)
    (tmp_path / "1-ja.wav").touch(0o644)
    kept_recordings.keep(tmp_path, [("1", "ja", bytes(640)), ("2", "eva vier", bytes(640))], "de", "fide")
    assert kept_recordings.are_in(tmp_path)
    cases = json.loads((tmp_path / "cases.json").read_text("utf-8"))
    assert [(case["file"], case["words"]) for case in cases] == [
        ("1-ja.wav", "ja"),
        ("2-eva-vier.wav", "eva vier"),
    ]
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    assert read_wav(tmp_path / "1-ja.wav")[:640] == bytes(640)


def test_the_profile_may_stand_in_the_settings_file(tmp_path):
    (tmp_path / "config.toml").write_text('profile = "ana"\n')
    assert load(tmp_path / "config.toml").profile == "ana"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
def test_each_round_has_every_file_and_rank_and_piece_in_phrases_that_can_be_heard(convention, language):
    words = pronunciations(convention, language)
    sentences = automaton(everything(convention, language))
    rounds = [prompts(convention, language, round_) for round_ in ROUNDS]
    for asked in rounds:
        german = ["ja", "nein"] if convention in ("fide", "mixed") else []
        answers = [one.words for one in asked[10:]]
        assert answers == list(dict.fromkeys((*german, *ANSWERS[language])))
        targets = [one.said.target for one in asked if hasattr(one.said, "target")]
        assert sorted(target.file for target in targets) == list("abcdefgh")
        assert sorted(target.rank for target in targets) == list("12345678")
        assert len({one.said.piece for one in asked if hasattr(one.said, "target")}) == 6
        for one in asked:
            states = sentences.start
            for word in one.words.split():
                assert word in words
                states = sentences.next(states).get(word, frozenset())
            assert sentences.ends(states), one.words
            assert read(one.words, language, convention)
    assert {w for one in rounds[0] for w in one.words.split()} == {
        w for one in rounds[1] for w in one.words.split()
    }
    assert len({one.words for one in rounds[0]} & {one.words for one in rounds[1]}) == len(rounds[0]) - 8


@pytest.mark.parametrize(
    ("level", "text"),
    [
        (-58, "2 %; the room is at -58 dB, at the enrolment it was at -60 dB"),
        (
            -45,
            "2 %; but the room is at -45 dB, at the enrolment it was at -60 dB: you are heard better in a quieter room",
        ),
    ],
)
def test_the_self_test_compares_the_room_with_that_of_the_enrolment(level, text):
    assert Renderer("en").text(doctor._room("2 %", level, ANA)) == text
    assert doctor._room("2 %", level, None) == "2 %"
