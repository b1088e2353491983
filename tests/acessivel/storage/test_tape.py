# SPDX-License-Identifier: GPL-3.0-or-later
"""The tape of a game goes on with it, and with no other game that has had its number."""

import pytest

from acessivel.game.game import Setup
from acessivel.session.events import Heard
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.storage.tape import Recorder, read_index, sound_of

pytest.importorskip("soundfile")
SECOND = b"\0" * 32_000


def recorded(folder, *moves, begins, game=1):
    recorder, state = Recorder(folder, 1, begins=begins), State.new(Setup(language="en"))
    if game != 1:
        recorder.go_on_as(game)
    for word in (word for move in moves for word in (move, "yes")):
        after, _ = step(state, Heard(words=(word,)))
        assert recorder.happened(state, after, SECOND) is None
        state = after
    recorder.close()


def happens(recorder, state, word, sound=SECOND):
    """What is said to this, and the state after it."""
    after, _ = step(state, Heard(words=(word,)))
    return recorder.happened(state, after, sound), after


def rows(folder):
    return [(line.san, line.status, line.start) for line in read_index(folder, 1)]


def moves(folder, game=1):
    return [line.san for line in read_index(folder, game) if line.status == "played"]


def test_a_game_that_goes_on_continues_its_tape(tmp_path):
    recorded(tmp_path, "e4", begins=True)
    recorded(tmp_path, "d4", begins=False)
    assert moves(tmp_path) == ["e4", "d4"]
    assert read_index(tmp_path, 1)[-1].end == 4


def test_a_new_game_with_the_number_of_an_older_one_has_a_tape_of_its_own(tmp_path):
    recorded(tmp_path, "e4", begins=True)
    before = sound_of(tmp_path, 1).read_bytes()
    for apart in (1, 2):
        recorded(tmp_path, "d4", "d5", begins=True)
        assert moves(tmp_path) == ["d4", "d5"]
        assert read_index(tmp_path, 1)[0].start == 0
        assert moves(tmp_path, f"1-{apart}") == (["e4"] if apart == 1 else ["d4", "d5"])
    assert sound_of(tmp_path, "1-1").read_bytes() == before


def test_so_has_a_game_that_gets_another_number(tmp_path):
    recorded(tmp_path, "e4", begins=True)
    recorded(tmp_path, "d4", begins=False, game=2)
    recorded(tmp_path, "c4", begins=False, game=2)
    assert [moves(tmp_path, game) for game in (1, 2, "2-1")] == [["e4"], ["c4"], ["d4"]]


def test_a_move_that_was_made_while_nothing_was_recorded_is_played(tmp_path):
    recorder, state = Recorder(tmp_path, 1, begins=True), State.new(Setup(language="en"))
    _, state = happens(recorder, state, "e4")
    recorder.close()
    state, _ = step(state, Heard(words=("yes",)))
    recorder = Recorder(tmp_path, 1, begins=False)
    _, state = happens(recorder, state, "e5")
    assert rows(tmp_path) == [("e4", "announced", 0), ("e4", "played", None), ("e5", "announced", 1)]


def test_what_happens_is_kept_without_its_sound_where_that_cannot_be_kept(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "full")

    recorder, state = Recorder(tmp_path, 1, begins=True), State.new(Setup(language="en"))
    _, state = happens(recorder, state, "e4")
    with monkeypatch.context() as patched:
        patched.setattr(recorder._tape, "add", full)
        told, state = happens(recorder, state, "yes")
    assert told.key == "tape_not_kept"
    happens(recorder, state, "e5")
    assert [line.lost for line in read_index(tmp_path, 1)] == [False, True, False]
    assert rows(tmp_path) == [("e4", "announced", 0), ("e4", "played", None), ("e5", "announced", 1)]


def test_a_line_that_could_not_be_kept_is_kept_later(tmp_path):
    recorder, state = Recorder(tmp_path, 1, begins=True), State.new(Setup(language="en"))
    _, state = happens(recorder, state, "e4", b"")
    kept, index = (tmp_path / "tape-1.jsonl").read_bytes(), tmp_path / "tape-1.jsonl"
    index.unlink()
    index.mkdir()
    told, state = happens(recorder, state, "yes", b"")
    assert told
    index.rmdir()
    index.write_bytes(kept)
    happens(recorder, state, "e5", b"")
    assert [row[:2] for row in rows(tmp_path)] == [("e4", "announced"), ("e4", "played"), ("e5", "announced")]
