# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages as a device of the one loop: they show what it tells, and what is typed there comes to it."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from acessivel.devices.installation import install
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages import earcon_cues
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import COLOURS, other
from acessivel.session.effects import OrderPages
from acessivel.session.pages import ROLES, for_the_room
from acessivel.settings.settings import Settings
from acessivel.web import asked, downloads, hall_view, page_text, view
from acessivel.web.access import Session
from acessivel.web.hall_view import ARBITERS
from acessivel.web.hub import Json, SeenOnPage, shows
from acessivel.web.present import Live, Present
from voices.meaning import Answer, Command, CommandName, Number
from voices.packages import MissingPartError, load
from voices.understanding import desk_words
from voices.understanding.desk_words import DeskOrder
from voices.understanding.meanings import read_typed

_STANDING: list[Pages] = []
_WAITING = 16  # lines of one role that the program has not come to yet
_GONE_S = 15.0  # after which a page that does not come back is gone: a phone sleeps now and then
_ANSWERING = tuple(map(Command, (CommandName.PRESS, CommandName.ACCEPT, CommandName.MADE)))
# What is told in other words where the program cannot be left.
_STAYING = {
    "after_over": "after_over_page",
    "after_signing": "after_signing_page",
    "nothing_asked_over": "nothing_asked_over_page",
}
_URGENT_CUES = frozenset({"check", "refusal", "low_time"})
_URGENT = ("arbiter", "flag", "illegal", "over", "web_")


@dataclass(frozen=True, slots=True)
class PageTyped:
    """A line was typed on the page of a role; `seen`: what that showed, None if not said.

    `sure`: a move that is not to be asked about. `hidden`: it was not to be seen when it was typed.
    `faced`: it is a player's, and the other one has a page too.
    """

    role: str
    text: str
    seen: SeenOnPage | None = None
    sure: bool = False
    hidden: bool = False
    faced: bool = False


@dataclass(frozen=True, slots=True)
class PageNews:
    """A page was opened or is gone: the sentence that says so; `quiet` if it can wait."""

    message: Message
    quiet: bool


class Pages:
    """The pages of all roles; what happens on them goes to `report`."""

    def __init__(
        self,
        report: Callable[[PageTyped | PageNews], None],
        renderer: Renderer,
        *,
        port: int,
        lan: bool = False,
    ) -> None:
        """Serve the pages at a port, or the next free one, also to the local network with `lan`.

        Raises MissingPartError without the extra `web`, and OSError if no port is free.
        """
        for package in ("ifaddr", "segno", "starlette", "uvicorn"):
            load(package, "web")
        from acessivel.web.server import WebServer  # noqa: PLC0415 - the extra may be missing

        self._report = report
        self._present = Present("", renderer)
        self._undone: list[PageTyped | PageNews] = []  # reported, and not dealt with yet
        self._earlier: tuple[PageTyped, ...] = ()  # of these, by players who have changed colours since
        self._reporting = threading.RLock()  # a report can be dealt with at once
        # On the page of a role: the role and the link of another.
        self._shown: dict[str, tuple[str, str]] = {}
        self._live: Live | None = None
        self._server = WebServer(self, ROLES, port=port, lan=lan)

    def links(self, roles: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """The links of these roles."""
        links = self._server.links()
        return {role: links[role] for role in roles}

    def lines(self, roles: Iterable[str]) -> Iterator[str]:
        """The links of these roles as they are written, one a line, or that they lead nowhere else."""
        for role, links in self.links(roles).items():
            name = self._present.renderer.text(Message.of(f"web_role_{role}"))
            yield from (f"{name}: {link}" for link in links)
        if self._server.lan and not self._server.lan_addresses:
            yield self.sentence("no_network")

    def show(self, present: Present) -> None:
        """Show the present on every page, if it has changed."""
        before, self._present = self._present, present
        if before.state is not present.state or _words(before) != _words(present):
            self._server.soon(self._server.hub.changed, present.sequence)

    def tell(
        self,
        messages: Iterable[Message],
        present: Present,
        roles: Iterable[str] = ROLES,
        *,
        private: bool = False,
    ) -> None:
        """Tell these roles something; an announcement that is only begun is told its own player.

        What a hall's desk tells is for arbiters alone. What is `private` while a move is sealed is not told
        again to who opens the page later.
        """
        told = tuple(messages)
        state = present.played
        texts: dict[str, Json] = {}
        for role in roles if not present.hall else set(roles).intersection(ARBITERS):
            knows = state is None or asked.is_told(state, role)
            worded = _staying(told) if state and for_the_room(state, role, CommandName.STOP) else told
            heard = tuple(one for one in worded if knows or not one.key.startswith("ask_"))
            if heard:
                texts[role] = {
                    "text": page_text.of(present.renderer, heard),
                    "urgent": _urgent(heard),
                    "language": present.renderer.language,
                }
        keep = not (private and present.talk)
        self._server.soon(partial(self._server.hub.say, texts, keep=keep))

    def obey(self, order: OrderPages, write: Callable[[str], None]) -> tuple[Message, ...]:
        """Do what a command says, and return what is told of it.

        Links and codes are written, and shown on the page where they were ordered.
        """
        role = order.role
        self._shown.pop(order.by, None)
        if not role or order.command is CommandName.WEB:
            return (Message.of("web_holders", holders=tuple(self._holders())), Message.of("web_how"))
        name = Message.of(f"web_role_{role}")
        if order.command is CommandName.WEB_REVOKE:
            if self.stand and order.by == role:  # nobody may see the screen with the new link
                return (Message.of("web_revoke_own", role=name),)
            self._server.revoke(role)
        here, *in_the_network = self.links([role])[role]
        link = next(iter(in_the_network), here)
        shown_by = [by for by, (shown, _) in self._shown.items() if shown == role]
        for by in [*shown_by, *([order.by] if order.by else [])]:
            self._shown[by] = role, link
            self._server.soon(self._server.hub.changed_for, by)
        if order.command is CommandName.WEB_CODE:
            for line in qr_code(link).splitlines():
                write(line)
        for line in self.lines([role]):
            write(line)
        return (Message.of(f"{order.command}_done", role=name),)

    def _holders(self) -> Iterator[Message]:
        """Each role that there is with its number, and how many pages of it are open."""
        here = [session.role for session in self._server.access.sessions if session.told]
        for number, role in enumerate(ROLES, 1):
            if self._is_of_no_hall(role):
                continue
            name = Message.of(f"web_role_{role}")
            yield Message.of("web_holder", number=number, role=name, count=here.count(role))

    def outdated(self, line: PageTyped, present: Present) -> Message | None:
        """That a line answers another question, or is about another table or case, than its page has shown.

        One that was not to be seen is for nothing else, whatever it says: it would be told and kept.
        """
        before = hall_view.before(present.hall, line.role)
        now = shows({"asked": asked.of(present, line.role), "before": before})
        was, of_question = line.seen or now, Message.of("web_outdated")
        if line.hidden:
            return None if was.question == now.question and present.hidden else of_question
        language, convention = present.renderer.language, present.renderer.convention
        if was.question != now.question:
            meanings = [reading.meaning for reading in read_typed(line.text, language, convention)]
            if any(isinstance(one, Answer | Number) or one in _ANSWERING for one in meanings):
                return of_question
        if not present.hall or was.before == now.before:
            return None
        order = desk_words.read_order(line.text, language, convention)
        about_it = isinstance(order, DeskOrder) and order.word in desk_words.OF_THE_TABLE
        return Message.of("web_outdated_table") if about_it else None

    def yes_to(self, line: PageTyped, present: Present) -> str:
        """The yes to what is asked about a line that needs no question; "" if that is not asked."""
        shown = asked.of(present, line.role) if line.sure else None
        return shown["answers"][0]["types"] if shown and shown["move"] == line.text != "" else ""

    @staticmethod
    def is_meant(line: PageTyped, present: Present) -> bool:
        """Whether a line means anything: an empty one only where its page offers what it does."""
        shown = asked.of(present, line.role)
        return bool(line.text or (shown and any(not one["types"] for one in shown["answers"])))

    def exchange(self) -> bool:
        """Let the two players' pages change colours; returns whether one is open.

        What was typed on them before is still of who has typed it.
        """
        self._server.at_once(self._exchange)
        return any(one.told and one.role in COLOURS for one in self._server.access.sessions)

    def as_now(self, line: PageTyped) -> PageTyped:
        """A line with the colour that its player has now."""
        earlier = any(one is line for one in self._earlier)
        return replace(line, role=_exchanged(line.role)) if earlier else line

    def dealt_with(self, report: PageTyped | PageNews) -> None:
        """A report has been handled: its page may send another."""
        with self._reporting:
            self._undone = [one for one in self._undone if one is not report]

    @property
    def stand(self) -> bool:
        """Whether these pages stay open when a command ends."""
        return self in _STANDING

    def report_to(self, report: Callable[[PageTyped | PageNews], None]) -> None:
        """Report what happens to another loop from now on, and first what the last one has not handled."""
        with self._reporting:
            self._report = report
            for undone in self._undone:
                report(undone)

    def release(self) -> None:
        """A command ends: close the pages, unless they stand."""
        if not self.stand:
            self.close()

    def close(self) -> None:
        """End every stream, and the server."""
        self._server.close()

    def offer_live(self, live: Live) -> None:
        """Answer who asks for the games of a hall as they go on."""
        self._live = live

    # What the server asks, in its own thread

    def live(self, if_none_match: str) -> tuple[int, Mapping[str, str], bytes] | None:
        """The games of a hall as they go on, if there are any."""
        return self._live(if_none_match) if self._live else None

    def state_of(self, role: str) -> Json:
        """The present, as that role may see it."""
        shown = {
            **view.of(self._present, role),
            "page": self._server.access.page(role),
            "link": self._link(role),
        }
        live = [{"text": "PGN", "url": "/live.pgn"}] if self._live else []
        return shown | {"records": [*shown["records"], *live]}

    def _link(self, by: str) -> Json | None:
        """The link that is shown on the page of a role, with the rows of its code."""
        if by not in self._shown:
            return None
        role, link = self._shown[by]
        name = self._present.renderer.text(Message.of(f"web_role_{role}"))
        rows = load("segno", "web").make(link, error="m").matrix_iter(border=4)
        return {"role": name, "url": link, "code": ["".join(map(str, row)) for row in rows]}

    @property
    def language(self) -> str:
        """The language of the game."""
        return self._present.renderer.language

    def sentence(self, key: str) -> str:
        """A sentence in the language of the game."""
        return self._present.renderer.text(Message.of(f"web_{key}"))

    def record(self, role: str, name: str) -> bytes | None:
        """The record of the game as a file of that name, if there is one for that role."""
        return downloads.record(self._present, role, name)

    def type(self, role: str, text: str, seen: SeenOnPage | None, *, sure: bool, hidden: bool) -> str:
        """Take a typed line, unless the role may type none, or too many of its lines are waiting."""
        line = text.strip()
        if role == "spectator":
            return "only_looks"
        if self._is_of_no_hall(role):
            return "not_in_hall"
        with self._reporting:
            waiting = [one for one in self._undone if isinstance(one, PageTyped) and one.role == role]
        if len(waiting) >= _WAITING:
            return "too_fast"
        sessions = self._server.access.sessions
        faced = role in COLOURS and any(one.told and one.role == other(role) for one in sessions)
        self._happened(PageTyped(role, line, seen, sure, hidden, faced))
        return ""

    def _is_of_no_hall(self, role: str) -> bool:
        """Whether it is a player's role, and a hall is shown, in which nobody has it."""
        return self._present.hall is not None and role in COLOURS

    def _exchange(self) -> None:
        with self._reporting:
            before = (one for one in self._undone if isinstance(one, PageTyped))
            self._earlier = tuple(one for one in before if not any(one is early for early in self._earlier))
        shown = self._shown.items()
        self._shown = {_exchanged(by): (_exchanged(role), link) for by, (role, link) in shown}
        self._server.exchange()

    def came(self, session: Session) -> None:
        """Say who has opened a page, once; a link that is shown has served then, but for one to watch."""
        if session.told:
            return
        session.told = True
        served = session.role if session.role != "spectator" else ""
        for by in [by for by, (role, _) in self._shown.items() if role == served]:
            del self._shown[by]
            self._server.hub.changed_for(by)
        self._say("joined", session)

    def went(self, session: Session) -> None:
        """Say who is gone, unless the page comes back within a moment, or was ended by us."""
        self._server.later(_GONE_S, self._gone, session)

    def _gone(self, session: Session) -> None:
        if session.told and not session.open:
            session.told = False
            if self._server.access.session(session.cookie):
                self._say("left", session)

    def _say(self, what: str, session: Session) -> None:
        message = Message.of(f"web_{what}_{session.role}")
        self._happened(PageNews(message, quiet=session.role == "spectator"))

    def _happened(self, report: PageTyped | PageNews) -> None:
        """Report something, and remember it until it is dealt with: nothing is lost between two loops."""
        with self._reporting:
            self._undone.append(report)
            self._report(report)


@contextlib.contextmanager
def standing(settings: Settings) -> Iterator[Pages]:
    """Pages that stay open from one command to the next: `open_pages` gives these until they are closed.

    Raises UserError if there can be none.
    """
    pages = open_pages(settings, lambda _: None)
    if isinstance(pages, Message):
        raise UserError(pages)
    _STANDING.append(pages)
    try:
        yield pages
    finally:
        _STANDING.remove(pages)
        pages.close()


def open_pages(settings: Settings, report: Callable[[PageTyped | PageNews], None]) -> Pages | Message:
    """The pages that stand, or those of the settings, or why there are none."""
    for pages in _STANDING:
        pages.report_to(report)
        return pages
    renderer = Renderer(settings.language, settings.convention)
    try:
        return Pages(report, renderer, port=settings.web_port, lan=settings.web_lan)
    except MissingPartError:
        return Message.of("missing_web", how=install("web"))
    except OSError:
        return Message.of("missing_web_port", port=settings.web_port)


def qr_code(link: str) -> str:
    """A link as a QR code of blocks, for a terminal."""
    code = io.StringIO()
    load("segno", "web").make(link, error="m").terminal(code, compact=True)
    return code.getvalue().rstrip("\n")


def _exchanged(role: str) -> str:
    return other(role) if role in COLOURS else role


def _staying(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages without how to leave the program."""
    return tuple(replace(one, key=_STAYING.get(one.key, one.key)) for one in messages)


def _urgent(messages: tuple[Message, ...]) -> bool:
    """Whether it must be told at once: a check, a refusal, a flag, the arbiter, who comes and goes."""
    return bool(_URGENT_CUES.intersection(earcon_cues.of(messages))) or any(
        message.key.startswith(_URGENT) for message in messages
    )


def _words(present: Present) -> tuple[object, ...]:
    return (
        present.kind,
        present.renderer,
        present.pending,
        present.hidden,
        present.choices,
        present.stored,
        present.hall,
        present.yes_or_no,
        present.talk,
        present.clocks_stand,
    )
