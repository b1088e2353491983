# SPDX-License-Identifier: GPL-3.0-or-later
"""The log's claim on standard error, which is the process's and not a thread's."""

import logging
import os
import sys
import threading

import pytest

from acessivel.commands import log


def test_a_run_in_a_thread_leaves_standard_error_to_its_process(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stderr", sys.__stderr__)  # as between two tests, where nothing is captured
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    before = os.fstat(2).st_ino
    thread = threading.Thread(target=log.start)
    thread.start()
    thread.join()
    assert sys.stderr is sys.__stderr__
    assert os.fstat(2).st_ino == before


@pytest.mark.parametrize("size", [1_000_000, 1_000_001])
def test_a_long_log_becomes_the_earlier_one(tmp_path, monkeypatch, size):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    path = tmp_path / "acessivel" / "log" / "acessivel.log"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * size)
    path.with_name("acessivel.log.1").write_text("the one before")
    for _ in range(2):  # once it is open it stays where it is
        assert log.start() == path
    earlier = path.with_name("acessivel.log.1").read_bytes()
    assert (path.stat().st_size, len(earlier)) == ((size, 14) if size <= 1_000_000 else (0, size))
    for handler in logging.getLogger().handlers:
        handler.close()


def test_a_log_is_not_taken_away_from_who_writes_to_it(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    monkeypatch.setattr(logging.getLogger(), "handlers", [logging.NullHandler()])
    path = tmp_path / "acessivel" / "log" / "acessivel.log"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * 2_000_000)
    log.start()
    assert [each.name for each in path.parent.iterdir()] == ["acessivel.log"]
