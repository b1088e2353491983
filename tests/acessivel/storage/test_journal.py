# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of the games: what it is, who may read it, how it is read where nothing can be written, and how it is brought back."""

import errno
import io
import os
import shutil
import sqlite3
import stat

import pytest
from support.happening import played_sans
from support.journals import STARTED, as_first_version, database, first_version, played
from support.program import QUIET, confirmed, run

from acessivel.commands import doctor
from acessivel.game.game import Setup
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.settings.settings import Settings
from acessivel.storage import journal_file, private_files
from acessivel.storage.journal import Journal, reading
from acessivel.storage.journal_errors import JournalError, PlayedElsewhereError
from acessivel.storage.journal_file import FILE_NAME
from acessivel.storage.tape import Recorder, read_index

E4 = ("e4", "sim")


class Play:
    """A game in a folder, to which words are typed; what each writing returned."""

    def __init__(self, folder):
        self.journal, self.state, self.entries = Journal(folder), State.new(Setup()), 0
        self.game, self.anew = self.journal.create(Setup(), "2026-01-01T00:00:00"), []
        self.type()

    def type(self, *words):
        events = [ev.Heard(words=(word,)) for word in words] or [ev.Started()]
        for event in events:
            after, _ = step(self.state, event)
            self.anew.append(self.journal.append(self.game, self.entries, event, self.state, after))
            self.game = self.anew[-1] or self.game
            self.state, self.entries = after, self.entries + 1
        return self.anew[-len(events) :]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "games"


@pytest.fixture
def play(folder):
    begun = Play(folder)
    yield begun
    begun.journal.close()


def moves(folder, game=1):
    with reading(folder) as archive:
        stored = archive.load(game)
    assert stored.damage is None
    return played_sans(stored.state)


def tree(folder):
    """The files of a folder with their bytes."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# The file itself


def test_a_copy_of_the_one_file_made_in_play_has_every_move(play, folder, tmp_path):
    for number, word in enumerate(("e4", "sim", "e5", "sim", "d4", "sim")):
        play.type(word)
        copied = tmp_path / str(number)
        copied.mkdir()
        shutil.copy(folder / FILE_NAME, copied)
        assert moves(copied) == played_sans(play.state)
        assert (copied / FILE_NAME).stat().st_size > 0


def test_a_move_is_on_the_disk_before_it_is_announced(play):
    assert play.journal._db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    assert play.journal._db.execute("PRAGMA journal_mode").fetchone() == ("truncate",)


def test_only_its_owner_may_read_what_is_kept(tmp_path, folder):
    usual = os.umask(0o022)
    try:
        run(tmp_path, "play", "--opponent", "human", *QUIET, "--save", folder, typed=confirmed("e4"))
        pytest.importorskip("soundfile")
        recorder = Recorder(folder, 1, begins=True)
        state = State.new(Setup())
        for word in E4:
            after, _ = step(state, ev.Heard(words=(word,)))
            recorder.happened(state, after, b"\0" * 3200)
            state = after
        parts = folder / "tape-1.parts"
        assert stat.S_IMODE(parts.stat().st_mode) == 0o700
        recorder.close()
    finally:
        os.umask(usual)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert {name for name, mode in modes.items() if mode != 0o600} == set()
    assert {FILE_NAME, "tape-1.jsonl", "tape-1.flac"} <= modes.keys()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    logs = list((tmp_path / ".local" / "state").rglob("*.log"))
    assert [stat.S_IMODE(path.stat().st_mode) for path in (*logs, *(path.parent for path in logs))] == [
        0o600,
        0o700,
    ]
    assert read_index(folder, 1)


def test_a_file_that_others_could_read_is_closed_to_them_and_their_folder_is_left_as_it_is(play, folder):
    play.journal.close()
    folder.chmod(0o755)
    (folder / FILE_NAME).chmod(0o644)
    Journal(folder).close()
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_a_file_that_its_owner_may_only_read_gets_no_more_rights(play, folder):
    play.journal.close()
    (folder / FILE_NAME).chmod(0o444)
    Journal(folder).close()
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o400


def only_read(monkeypatch):
    """The file of the games, as SQLite opens it where it may only be read."""
    connected = journal_file._connected
    monkeypatch.setattr(journal_file, "_connected", lambda path, _: connected(path, "ro"))


def full_disk(monkeypatch):
    class Full(io.BytesIO):
        def write(self, _):
            raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(private_files, "TemporaryFile", lambda **_: Full())


@pytest.mark.usefixtures("play")
@pytest.mark.parametrize("trouble", [only_read, full_disk])
def test_the_doctor_says_where_no_game_can_be_kept(folder, monkeypatch, trouble):
    settings = Settings(save=str(folder))
    before = sorted(folder.iterdir())
    assert doctor._folder(settings).works
    assert sorted(folder.iterdir()) == before
    trouble(monkeypatch)
    found = doctor._folder(settings)
    assert (found.works, dict(found.message.values)["remedy"].key) == (False, "remedy_folder")


FOREIGN = {
    "tables of its own": "CREATE TABLE bookmark (url)",
    "a table of our name": "CREATE TABLE game (id, name); CREATE TABLE entry (id, text)",
    "a number of its own": "PRAGMA application_id = 7",
    "a version of its own": "PRAGMA user_version = 3",
    "a log of its own": "PRAGMA journal_mode = WAL; CREATE TABLE bookmark (url)",
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("command", ["play", "games", "record", "resume"])
def test_a_file_of_another_program_is_refused_and_stays_as_it_is(tmp_path, folder, statements, command):
    folder.mkdir()
    with database(folder) as db:
        db.executescript(statements)
    before = tree(folder)
    options = {"play": ("--opponent", "human", *QUIET), "record": ("1",), "resume": QUIET, "games": ()}[
        command
    ]
    _, errors = run(tmp_path, command, *options, "--save", folder, status=2)
    assert len(errors) == 1
    assert f"{FILE_NAME} ali é de outro programa" in errors[0]
    assert before.items() <= tree(folder).items()


@pytest.mark.parametrize(
    "command", [("play", "--opponent", "human", *QUIET), ("games",), ("record", "1"), ("resume", *QUIET)]
)
def test_a_newer_version_is_refused_in_one_sentence(tmp_path, play, folder, command):
    play.journal.close()
    with database(folder) as db:
        db.execute("PRAGMA user_version = 99")
    before = tree(folder)
    _, errors = run(tmp_path, *command, "--save", folder, status=2)
    assert len(errors) == 1
    assert "uma versão mais nova" in errors[0]
    assert tree(folder) == before


def test_a_journal_of_the_first_programs_is_brought_up_to_date_and_goes_on(tmp_path, play, folder):
    play.type(*E4, "e5", "sim")
    play.journal.close()
    as_first_version(folder, 1)
    assert moves(folder) == ["e4", "e5"]
    with database(folder) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (0,)
    run(tmp_path, "resume", *QUIET, "--save", folder, typed=confirmed("d4"))
    assert moves(folder) == ["e4", "e5", "d4"]
    with database(folder) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (0x61636573,)
        assert db.execute("PRAGMA user_version").fetchone() == (journal_file.VERSION,)
    assert not (folder / f"{FILE_NAME}-wal").exists()


def test_a_file_that_a_kill_left_without_tables_becomes_a_journal(folder):
    folder.mkdir()
    (folder / FILE_NAME).touch()
    with reading(folder) as archive:
        assert archive.games() == ()
    journal = Journal(folder)
    played(journal, *E4)
    journal.close()
    assert moves(folder) == ["e4"]


# Reading never needs writing


def test_reading_makes_nothing(tmp_path, folder):
    for command, status in ((("games",), 0), (("record", 1), 2), (("resume", *QUIET), 2)):
        run(tmp_path, *command, "--save", folder, status=status)
    assert not folder.exists()


def test_reading_writes_nothing(tmp_path, play, folder):
    play.type(*E4)
    before = tree(folder)
    run(tmp_path, "games", "--save", folder)
    run(tmp_path, "record", 1, "--save", folder)
    run(tmp_path, "reconcile", 1, 1, "--speak", "off", "--braille", "off", "--save", folder)
    run(tmp_path, "replay", 1, *QUIET, "--save", folder, typed="parar\n")
    assert tree(folder) == before


def left_by_a_crash(folder, copied, mode):
    """A copy of a journal in the midst of a transaction: with a log, or with a rollback journal to be applied."""
    copied.mkdir()
    with database(folder) as db:
        db.execute(f"PRAGMA journal_mode = {mode}")
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute("CREATE TABLE more (text)")
        db.executemany("INSERT INTO more VALUES (?)", [("x" * 3000,)] * 50)
        if mode == "WAL":
            db.execute("DROP TABLE more")
            db.execute("COMMIT")
        for path in folder.iterdir():
            if not path.name.endswith("-shm"):
                shutil.copy(path, copied)
    assert len(list(copied.iterdir())) == 2


@pytest.mark.parametrize("mode", ["WAL", "TRUNCATE"])
@pytest.mark.parametrize("writable", [True, False])
def test_what_a_crash_left_is_read_where_nothing_can_be_written(
    tmp_path, play, folder, mode, writable, monkeypatch
):
    play.type(*E4)
    play.journal.close()
    if mode == "WAL":
        as_first_version(folder, 1)
    copied = tmp_path / "copied"
    left_by_a_crash(folder, copied, mode)
    before = tree(copied)
    if not writable:
        # For root every folder can be written: SQLite is told so, as the system tells it anyone else.
        connected = journal_file._connected

        def refused(path, how):
            if path.parent == copied:
                raise at_fault
            return connected(path, how)

        at_fault = sqlite3.OperationalError("unable to open database file")
        at_fault.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        monkeypatch.setattr(journal_file, "_connected", refused)
    assert moves(copied) == ["e4"]
    assert before.items() <= tree(copied).items()


# Taken away in play


def removed(folder):
    shutil.rmtree(folder)


def without_its_file(folder):
    (folder / FILE_NAME).unlink()


def renamed(folder):
    folder.rename(folder.with_name(f"elsewhere-{folder.stat().st_ino}"))


def emptied(folder):
    (folder / FILE_NAME).write_bytes(b"")


def replaced(folder):
    (folder / FILE_NAME).unlink()
    Journal(folder).close()


TAKEN = (removed, without_its_file, renamed, emptied, replaced)


@pytest.mark.parametrize("take", TAKEN)
def test_a_game_whose_file_is_taken_away_is_written_anew(play, folder, take):
    play.type(*E4)
    take(folder)
    assert play.type("e5") == [1]
    assert play.type("sim") == [None]
    assert moves(folder) == ["e4", "e5"]
    take(folder)
    assert play.journal.secure(1) == 1
    assert play.journal.secure(1) is None
    assert moves(folder) == ["e4", "e5"]


def test_an_older_copy_put_in_place_is_completed(play, folder):
    play.type(*E4)
    older = (folder / FILE_NAME).read_bytes()
    play.type("e5", "sim")
    without_its_file(folder)
    (folder / FILE_NAME).write_bytes(older)
    assert play.type("d4") == [1]
    play.type("sim")
    assert moves(folder) == ["e4", "e5", "d4"]


def test_a_whole_copy_put_in_place_is_used_without_a_word(play, folder):
    play.type(*E4)
    shutil.copy(folder / FILE_NAME, folder / "copy")
    (folder / "copy").replace(folder / FILE_NAME)
    assert play.type("e5", "sim") == [None, None]
    assert moves(folder) == ["e4", "e5"]


def test_another_game_with_its_number_is_spared(play, folder):
    play.type(*E4)
    without_its_file(folder)
    other = Journal(folder)
    assert played(other, "d4", "sim") == 1
    assert play.type("e5", "sim") == [2, None]
    assert (moves(folder, 1), moves(folder, 2)) == (["d4"], ["e4", "e5"])
    other.close()


def test_where_it_cannot_be_written_anew_nothing_is_played_until_it_can(play, folder):
    play.type(*E4)
    removed(folder)
    folder.write_text("in the way")
    for _ in range(2):
        with pytest.raises(JournalError) as refused:
            play.type("e5")
        assert refused.value.reason.key == "reason_no_folder"
    with pytest.raises(JournalError):
        play.journal.secure(1)
    folder.unlink()
    assert play.type("e5", "sim") == [1, None]
    assert moves(folder) == ["e4", "e5"]


def test_no_other_damage_passes_for_another_window(play, folder):
    play.type(*E4)
    other = Journal(folder)
    stored = other.load(1)
    other.append(1, stored.entries, ev.Tick(), stored.state, stored.state)
    other.close()
    with pytest.raises(PlayedElsewhereError):
        play.type("e5")
    with pytest.raises(PlayedElsewhereError):
        play.journal.secure(1)


def test_no_two_games_have_the_same_name_and_each_keeps_its_own(tmp_path, folder):
    """Whatever was agreed, in the same second, in a copy of the journal too; one of an older program as well."""
    first_version(folder, ('{"language": "en"}', []))
    names = []
    for each in (folder, tmp_path / "copy"):
        journal = Journal(each)
        journal.load(1)
        names.append([journal.name(1), *(journal.name(journal.create(Setup.of(), STARTED)) for _ in "12")])
        journal.close()
        if each == folder:
            shutil.copytree(folder, tmp_path / "copy")
    found = [name for one in names for name in one]
    assert len({*found}) == len(found) - 1
    assert names[0][0] == names[1][0] == "dd4e252ca0b50995"
    journal = Journal(folder)
    for number, name in enumerate(names[0], 1):
        journal.load(number)
        assert journal.name(number) == name
    journal.close()
