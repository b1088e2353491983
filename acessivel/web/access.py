# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may see and do what: a key for each role, and a session for each browser that has given one."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from acessivel.rules.position import BLACK, COLOURS, WHITE, other

PLAYERS = (*COLOURS, "both")
SPECTATOR = "spectator"
_KEY_BYTES = 32  # of a key and of a cookie: 256 bits
_TRIES_A_SECOND = 5
_ADDRESSES = 256  # that are remembered for the rate of their tries
_SESSIONS = 60  # of one role, at a time


@dataclass(slots=True)
class Session:
    """A browser that has given the key of a role; `open` counts its streams.

    `page`: the name of the page that this key opens, whatever its role becomes. `told`: it has been said
    aloud that it is there.
    """

    role: str
    page: str
    cookie: str = field(repr=False, default_factory=lambda: secrets.token_urlsafe(_KEY_BYTES))
    open: int = 0
    told: bool = False


class RefusedError(Exception):
    """A browser may not enter; `key` is that of the sentence that says why."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Access:
    """The keys of the roles and the sessions; `now` returns the time in seconds.

    Changed in the server's thread only, but for `renew`; keys and sessions are read in any.
    """

    def __init__(self, roles: Iterable[str], now: Callable[[], float]) -> None:
        self.keys = {role: secrets.token_urlsafe(_KEY_BYTES) for role in roles}
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()
        self._now = now

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Every session, the oldest first."""
        return tuple(self._sessions.values())

    def session(self, cookie: str) -> Session | None:
        """The session of a cookie, if it is one."""
        return self._sessions.get(cookie)

    def may_try(self, address: str) -> bool:
        """Whether an address may give a key now: at most five a second."""
        tries = self._tries.setdefault(address, deque(maxlen=_TRIES_A_SECOND))
        self._tries.move_to_end(address)
        if len(self._tries) > _ADDRESSES:
            self._tries.popitem(last=False)
        if len(tries) == _TRIES_A_SECOND and self._now() - tries[0] < 1:
            return False
        tries.append(self._now())
        return True

    def enter(self, key: str, cookie: str = "", *, take: bool = False) -> tuple[Session, tuple[Session, ...]]:
        """The session of a browser that gives a key, and those that end by it.

        A player's page has one holder: another browser gets it if the first one is gone, or with `take`.
        Raises RefusedError if the key is wrong, the page is held, or too many of that role are there.
        """
        role = self._role(key)
        before = self._sessions.get(cookie)
        if before and before.role == role:
            return before, ()
        held = [one for one in self._sessions.values() if one.role == role and role in PLAYERS]
        if any(one.open for one in held) and not take:
            raise RefusedError("held")
        ended = [*held, *([before] if before else [])]
        for one in ended:
            self._sessions.pop(one.cookie, None)
        alike = [one for one in self._sessions.values() if one.role == role]
        if len(alike) >= _SESSIONS:
            gone = next((one for one in alike if not one.open), None)  # the oldest that no browser has open
            if gone is None:
                raise RefusedError("full")
            del self._sessions[gone.cookie]
        session = Session(role, self.page(role))
        self._sessions[session.cookie] = session
        return session, tuple(ended)

    def page(self, role: str) -> str:
        """The name of the page that is a role's now; it tells nothing of its key."""
        return hashlib.sha256(self.keys[role].encode()).hexdigest()[:16]

    def exchange(self) -> None:
        """Let the two players' links and sessions change colours."""
        self.keys[WHITE], self.keys[BLACK] = self.keys[BLACK], self.keys[WHITE]
        for session in self._sessions.values():
            if session.role in COLOURS:
                session.role = other(session.role)

    def renew(self, role: str) -> None:
        """Give a role a new key; in any thread."""
        self.keys[role] = secrets.token_urlsafe(_KEY_BYTES)

    def end(self, role: str) -> tuple[Session, ...]:
        """End the sessions of a role, and return them."""
        ended = tuple(one for one in self._sessions.values() if one.role == role)
        for one in ended:
            del self._sessions[one.cookie]
        return ended

    def _role(self, key: str) -> str:
        """The role of a key, without telling by the time how much of it is right. Raises RefusedError."""
        given = key.encode()
        found = [role for role, own in self.keys.items() if hmac.compare_digest(own.encode(), given)]
        if not found:
            raise RefusedError("wrong_key")
        return found[0]
