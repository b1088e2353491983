# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes to the pages: the present state of each role whenever it changes, and what is told, in order."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from acessivel.rules.position import BLACK, WHITE
from acessivel.session.pages import ROLES
from acessivel.web import page_text
from acessivel.web.access import SPECTATOR, Session

Json = Mapping[str, Any]
_REMEMBERED = 200  # of what was told to each role; a stream with more before it is too slow, and is ended
STREAMS = 100  # of all browsers together but those of spectators, who shut nobody out
STREAMS_OF_SPECTATORS = 60
STREAMS_OF_ONE = 4  # of one browser


@dataclass(frozen=True, slots=True)
class SeenOnPage:
    """What a page shows: the question with its answers, "" if nothing is asked, and what of a hall.

    `before`: as of `HallShown`.
    """

    question: str
    before: str = ""


UNKNOWN = SeenOnPage("?", "?")


@dataclass(eq=False, slots=True)
class PageStream:
    """One page that is open; what is to be sent to it. `wake` says that there is something."""

    session: Session
    says: deque[tuple[str, Json]] = field(default_factory=deque)
    stale: bool = True
    ended: bool = False
    sent: str = ""
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def end(self) -> None:
        """End it, after what is to be sent."""
        self.ended = True
        self.wake.set()


class Hub:
    """The open streams, and what is sent to them; used on the server's own loop only."""

    def __init__(self, state_of: Callable[[str], Json]) -> None:
        """`state_of` gives the present state for a role."""
        self._state_of = state_of
        self._epoch = secrets.token_hex(4)
        self._sequence = self._number = 0
        self._said: dict[str, deque[tuple[int, Json]]] = {role: deque(maxlen=_REMEMBERED) for role in ROLES}
        self._states: dict[str, str] = {}
        self._seen: dict[str, deque[tuple[str, SeenOnPage]]] = {
            role: deque(maxlen=_REMEMBERED) for role in ROLES
        }
        self.streams: set[PageStream] = set()

    def full(self, session: Session) -> bool:
        """Whether no further stream can be opened by this browser, or by any that may do as much."""
        watches = session.role == SPECTATOR
        alike = sum((stream.session.role == SPECTATOR) == watches for stream in self.streams)
        most = STREAMS_OF_SPECTATORS if watches else STREAMS
        return alike >= most or session.open >= STREAMS_OF_ONE

    def open(self, session: Session, last_id: str) -> PageStream:
        """A new stream; with the last id that its page has seen, it is told what it has missed since.

        A page that is loaded, and has seen nothing, gets what was told to its role, to look it up.
        """
        stream = PageStream(session)
        told = self._told(last_id) if last_id else 0
        said = [data for number, data in self._said[session.role] if number > told]
        if said:
            stream.says.append((self._id(), {"missed" if last_id else "kept": said}))
        self._states.pop(session.role, None)  # the clocks run on without a change
        self.streams.add(stream)
        session.open += 1
        stream.wake.set()
        return stream

    def close(self, stream: PageStream) -> None:
        """The page of a stream is gone."""
        if stream in self.streams:
            self.streams.discard(stream)
            stream.session.open -= 1

    def end(self, sessions: tuple[Session, ...]) -> None:
        """End the streams of these sessions, and send nothing more on them."""
        for stream in self.streams:
            if stream.session in sessions:
                stream.says.clear()
                stream.stale = False
                stream.end()

    def leave(self) -> None:
        """End all streams: the program is left."""
        for stream in self.streams:
            stream.says.append((self._id(), {"bye": True}))
            stream.end()

    def changed(self, sequence: int) -> None:
        """The present has changed; `sequence` is the number of the journal's last event."""
        self._sequence = sequence
        self._states.clear()
        for stream in self.streams:
            stream.stale = True
            stream.wake.set()

    def exchange(self) -> None:
        """The two players' pages have changed colours: what each was told and asked goes with it."""
        self._said[WHITE], self._said[BLACK] = self._said[BLACK], self._said[WHITE]
        self._seen[WHITE], self._seen[BLACK] = self._seen[BLACK], self._seen[WHITE]
        self.changed(self._sequence)

    def changed_for(self, role: str) -> None:
        """What the page of one role shows has changed."""
        self._states.pop(role, None)
        for stream in self.streams:
            if stream.session.role == role:
                stream.stale = True
                stream.wake.set()

    def say(self, texts: Mapping[str, Json], *, keep: bool = True) -> None:
        """Tell each of these roles something; `keep` it for who opens its page later."""
        self._number += 1
        for role, data in texts.items() if keep else ():
            self._said[role].append((self._number, data))
        for stream in self.streams:
            if stream.session.role in texts:
                stream.says.append((self._id(), texts[stream.session.role]))
                stream.wake.set()
                if len(stream.says) > _REMEMBERED:
                    self.end((stream.session,))

    def news(self, stream: PageStream) -> list[bytes]:
        """What is to be sent on a stream now."""
        stream.wake.clear()
        found = []
        while stream.says:
            id_, data = stream.says.popleft()
            name = next((one for one in ("missed", "kept", "bye") if one in data), "say")
            found.append(_event(name, id_, json.dumps(data)))
        if stream.stale:
            stream.stale = False
            role = stream.session.role
            state = self._state(role)
            if state != stream.sent:
                stream.sent = state
                self._number += 1
                self._seen[role].append((self._id(), shows(json.loads(state))))
                found.append(_event("state", self._id(), state))
        return found

    def _state(self, role: str) -> str:
        if role not in self._states:
            self._states[role] = json.dumps(self._state_of(role), ensure_ascii=False)
        return self._states[role]

    def seen_at(self, role: str, id_: str) -> SeenOnPage | None:
        """What the state with that id shows; None without an id, `UNKNOWN` if it is too old to be known."""
        return next((one for known, one in self._seen[role] if known == id_), UNKNOWN) if id_ else None

    def _id(self) -> str:
        return f"{self._epoch}-{self._sequence}-{self._number}"

    def _told(self, last_id: str) -> int:
        """The number of what a page was told last; the newest if its id is not of this run."""
        epoch, _, rest = last_id.partition("-")
        number = rest.rpartition("-")[2]
        ours = epoch == self._epoch and number.isascii() and number.isdigit() and len(number) < 16
        return int(number) if ours else self._number


def shows(state: Json) -> SeenOnPage:
    """What the state of a page shows."""
    asked = state["asked"]
    texts = [asked["text"], *(one["text"] for one in asked["answers"])] if asked else []
    question = " ".join(map(page_text.plain, texts))
    return SeenOnPage(question, state["before"])


def _event(name: str, id_: str, data: str) -> bytes:
    return f"event: {name}\nid: {id_}\ndata: {data}\n\n".encode()
