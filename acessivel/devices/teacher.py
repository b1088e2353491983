# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets the ears learn from confirmed announcements, in a thread of its own while nobody speaks."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from acessivel.errors import trace
from acessivel.settings import profiles
from acessivel.settings.settings import Settings, SettingsError
from acessivel.settings.settings import load as stored
from voices.hearing.decision import REPEAT
from voices.hearing.utterances import Listener
from voices.packages import MissingPartError, load

_LOG = logging.getLogger(__name__)
_EVERY = 5  # new samples, before the network learns anew
_WAIT_S = 0.05  # before it is looked again whether somebody speaks


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What a confirmed move teaches.

    `said`: the words of each utterance that announced it, with the sound (mono s16le, 16 kHz); `readings`:
    how probable the first readings were, and whether they were right.
    """

    language: str
    convention: str
    said: Sequence[tuple[str, bytes]] = field(repr=False)
    readings: Sequence[tuple[float, bool]]


class _ClosedError(Exception):
    """The program ends."""


class Teacher:
    """Keeps what is learnt of the speaker of a run; the listener hears with it from the next utterance on.

    The file has the last word: what another program removes, adds or forbids meanwhile holds at once.
    """

    def __init__(
        self, settings: Settings, listener: Listener, need: Callable[[float], None] = lambda _: None
    ) -> None:
        """`need` is told how probable a reading must be to be repeated, when that has changed."""
        self._need = need
        self._settings = settings
        self._listener = listener
        self._lessons: queue.SimpleQueue[Confirmed | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._name = settings.profile or profiles.DEFAULT
        self._knew = profiles.learnt_version(settings, self._name) is not None
        self._wish = _wish()
        self._thread = threading.Thread(target=self._run, name="teacher", daemon=True)
        self._thread.start()

    def teach(self, confirmed: Confirmed) -> None:
        """Learn from a confirmed move, soon."""
        self._lessons.put(confirmed)

    def close(self) -> None:
        """Store what was told to learn, and end; what takes long is left for another time."""
        self._closed.set()
        self._lessons.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            self._learn()
        except (MissingPartError, OSError) as error:
            _LOG.warning("nothing more is learnt: %s", error)
        except Exception as error:  # noqa: BLE001 - the game goes on as it would without
            _LOG.error("nothing more is learnt: %s", trace(error))

    def _learn(self) -> None:
        name, knew, new = self._name, self._knew, 0
        while confirmed := self._lessons.get():
            known = self._known()
            if known is not None and knew and not known.samples:  # removed, whether or not it learns anew
                self._hear_with(known)
                knew = False
            if known is None or _wish() not in ("on", self._wish):
                continue
            learnt, knew = _with(known, confirmed), True
            profiles.store_learnt(self._settings, name, learnt)
            new += len(confirmed.said)
            if new < _EVERY or self._closed.is_set():
                continue
            new, file = 0, profiles.learnt_version(self._settings, name)
            with contextlib.suppress(_ClosedError):
                learnt = self._taught(learnt)
                if profiles.learnt_version(self._settings, name) == file:
                    profiles.store_learnt(self._settings, name, learnt)
                    self._hear_with(learnt)

    def _known(self) -> Any:
        """What is stored now; nothing learnt if nothing is.

        None if it cannot be read: `acessivel profile` tells it, and nothing takes its place.
        """
        if profiles.learnt_version(self._settings, self._name):
            return profiles.learnt(self._settings)
        return load("voices.hearing.learnt", "voice").Learnt()

    def _hear_with(self, learnt: Any) -> None:
        self._listener.correct(learnt.corrections)
        self._need(learnt.repeat_needed(REPEAT))

    def _taught(self, learnt: Any) -> Any:
        """The same with a correction for each network with which the listener hears."""
        ears = self._listener.ears
        if not ears:
            return learnt
        learning = load("voices.hearing.learning", "voice")
        return learning.taught(learnt, ears, self._wait_while_somebody_speaks)

    def _wait_while_somebody_speaks(self) -> None:
        while self._listener.hearing and not self._closed.is_set():
            self._closed.wait(_WAIT_S)
        if self._closed.is_set():
            raise _ClosedError


def _wish() -> str:
    """What the settings say now of learning; "" if they cannot be read."""
    try:
        return stored().learn
    except SettingsError:
        return ""


def _with(learnt: Any, confirmed: Confirmed) -> Any:
    """What was learnt, with the samples and readings of one move."""
    for words, audio in confirmed.said:
        learnt = learnt.with_recording(words, confirmed.language, confirmed.convention, audio)
    for probability, right in confirmed.readings:
        learnt = learnt.with_reading(probability, right)
    return learnt
