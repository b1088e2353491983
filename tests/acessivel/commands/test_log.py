# SPDX-License-Identifier: GPL-3.0-or-later
"""The log's claim on standard error, which is the process's and not a thread's."""

import logging
import os
import sys
import threading

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
