# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of a lobby or a game that are waited for, and delays that tests can wait for."""

import queue

from acessivel.online.client import Delays

# What else takes seconds takes hundredths of one here, but a busy machine keeps a server waiting.
SOON = Delays(quiet=2, pauses=(0, 0.05, 0.1), too_many=0.1, offline=0.05, lasted=5, outcome=0.3)


class Reports:
    """Takes what is reported, from any thread, and gives it in order."""

    def __init__(self):
        self.all, self._news = [], queue.Queue()

    def __call__(self, report):
        self.all.append(report)
        self._news.put(report)

    def next(self, kind, passing=True):
        """The next report of a kind; others before it are passed over, or else wrong."""
        while True:
            report = self._next()
            if isinstance(report, kind):
                return report
            assert passing, report

    def until(self, fits):
        """Reports up to the first that fits."""
        while not fits(report := self._next()):
            pass
        return report

    def _next(self):
        try:
            return self._news.get(timeout=15)
        except queue.Empty:
            raise AssertionError(self.all) from None
