# SPDX-License-Identifier: GPL-3.0-or-later
"""A hall of tables that are played in this process, and arbiters at their desks, over a real store."""

import math
import time

from acessivel.app.activity import TimePassed
from acessivel.app.desk import DeskActivity
from acessivel.devices import keys
from acessivel.devices.keyboard import TypedLine
from acessivel.hall import desk_link, entries, key_file
from acessivel.hall.board import Hall
from acessivel.hall.http_table import HttpTable
from acessivel.hall.sqlite import SqliteHall
from acessivel.hall.store import PushedEntry
from acessivel.messages import wire
from acessivel.session import events as ev
from braille.displays import NamedKey, Pressed, RoutingKey
from braille.notation import load_code
from support.halls import ToldGame
from support.played_devices import Table
from voices.hearing.utterances import Utterance
from voices.recognisers import Hypothesis


class TableRoom:
    """Tables by their numbers, each with its link to the hall."""

    def __init__(self):
        self.tables, self._links, self._pushed, self._seen = {}, {}, {}, {}
        self.gone = set()  # the tables that are cut off

    def link(self, number):
        """What a table reaches its hall by."""
        raise NotImplementedError

    def table(self, number, **setup):
        """A table at which a game begins."""
        game = ToldGame(
            number, f"{number:x}", **{"clock": "90", "language": "en", "laws": "fide-2018"} | setup
        )
        self._links[number] = self.link(number)
        self.tables[number], self._pushed[number], self._seen[number] = game, 0, 0
        self.push()
        return game

    def push(self):
        """Let every table tell what has happened, and take what arbiters have proposed."""
        for number, game in self.tables.items():
            if number in self.gone:
                continue
            link = self._links[number]
            self._send(number)
            for proposal in link.proposals(game.game, self._seen[number]):
                self._seen[number] = proposal.id
                decision = proposal.decision
                message = wire.to_json(decision.message) if decision.message else ""
                game.happen(
                    ev.Proposed(
                        id=proposal.id, by=proposal.by, what=decision.what, given=decision.given, about=decision.about,
                        plies=decision.plies, message=message, ago_ms=proposal.ago_ms,
                        at=game.state.now_ms,
                    )
                )  # fmt: skip
            self._send(number)
            link.alive()

    def _send(self, number):
        game = self.tables[number]
        new = game.records[self._pushed[number] :]
        pushed = [PushedEntry(one.number, entries.to_json(one.entry)) for one in new]
        self._links[number].append(game.game, pushed)
        self._pushed[number] += len(new)


class HallRoom(TableRoom):
    """A hall in this process, over a real store; `now_ms` is its clock."""

    def __init__(self, folder):
        super().__init__()
        self.now_ms = 1_000_000_000
        self.store = SqliteHall(folder, lambda: self.now_ms / 1000)

    def link(self, number):
        return self.store.table(number, self.store.make_key(number))


class FarRoom(TableRoom):
    """Tables of a hall that another process serves at an address; `keys` is the folder of their keys."""

    def __init__(self, address, keys):
        super().__init__()
        self._address, self._keys = address, keys

    def link(self, number):
        return HttpTable(self._address, key_file.read(self._keys / f"table-{number}.key"))

    def until(self, holds):
        """Let the tables take what comes from the desk, until something holds."""
        for _ in range(100):
            self.push()
            if holds():
                return
            time.sleep(0.05)  # between two questions to the hall, as a table has them
        raise AssertionError("it never holds")

    def close(self):
        for link in self._links.values():
            link.close()


class DisplayReader:
    """Somebody who has only a Braille display: reads it, pans it, and presses its routing keys."""

    def __init__(self, display, language="en"):
        self._display, self._language = display, language

    @property
    def text(self):
        return written(self._display.cells, self._language)

    def wait_for(self, text):
        """Wait until the display shows some words, without a key."""
        self._display.wait_for(lambda cells: text in written(cells, self._language), 20)

    def find(self, text):
        """Pan from the beginning until some words are read; returns the first place of them that is shown."""
        read = ""
        for key in ("HOME", *["FWINRT"] * 60):
            if text in read + self.text:
                return max(0, (read + self.text).index(text) - len(read))
            before, read = self._display.cells, f"{self.text.rstrip()} " if key != "HOME" else ""
            self._display.press(key)
            with self._display._changed:
                self._display._changed.wait_for(lambda before=before: self._display.cells != before, 1)
        raise AssertionError((text, self.text))

    def route(self, text):
        """Press the routing key over some words, or over the second of some numbers, and wait for the change."""
        place = self.find(text) + (2 if text[1] == " " else 1)  # not over a blank
        before = self._display.cells
        self._display.press(f"ROUTE {place}")
        self._display.wait_for(lambda cells: cells != before)

    def choose(self, text):
        """Open the list of all that can be done by the last cell of the first row, and choose a line."""
        self._display.press(f"ROUTE {self._display.columns - 1}")
        self.wait_for("next case, what waits")
        self.route(text)

    def type(self, text):
        """Type on the display's own keyboard, and send it."""
        for letter in text:
            self._display.press(f"PASSCHAR {ord(letter)}")
        self.enter()

    def enter(self):
        self._display.press("KEY_ENTER")


class Arbiter(Table):
    """An arbiter at his desk: the real loop with devices that are played, and the real store without threads."""

    def __init__(self, room, by="Eva", language="en", **how):
        self.room, self.by, self._language, self._hall = room, by, language, Hall()
        self._how = {name: how.pop(name) for name in ("confirm", "delay_ms") if name in how}
        super().__init__(self._desk, language, **how)
        self.news()

    def _desk(self, loop):
        loop.devices.bindings = keys.load(place="hall")
        return DeskActivity(self.by, (self._language, "fide"), loop.devices, self._wished, **self._how)

    def _wished(self, wish):
        if done := desk_link.fulfil(self.room.store, self.by, wish):
            self.reports.put(done)

    def news(self):
        """What the desk tells of the tables' news, once it says nothing else."""
        self.spoken()
        before = len(self.lines)
        self.news_in_between()
        self.wait()
        return self.lines[before:]

    def news_in_between(self):
        """Let the desk know of the tables' news, which it has not told yet."""
        self.room.push()
        found = desk_link.news(self.room.store, self.by, self._hall.cursor)
        self._hall = self._hall.with_records(found.records)
        self.loop.take(found)

    def key(self, key):
        """What the desk tells when a key of the display is pressed."""
        told = self.happen(Pressed(key))
        self.spoken()
        return told

    @property
    def shown(self):
        """What the display shows, as text."""
        return written(self.display.cells, self._language)

    def read(self, text):
        """Pan from the beginning until the display shows some words."""
        self.key(NamedKey.HOME)
        for _ in range(20):
            if text in self.shown:
                return
            self.key(NamedKey.RIGHT)
        raise AssertionError((text, self.shown))

    def route(self, text):
        """Press the routing key over some words that the display shows."""
        return self.key(RoutingKey(self.shown.index(text)))

    def wait(self):
        """Let the time pass for which the desk waits, if it waits to tell something."""
        if self.activity.wakes_in_ms(self.loop._now(), quiet=self.loop.quiet) == 0:
            self.happen(TimePassed(quiet=self.loop.quiet))
        self.settle()

    def say(self, *lines):
        """What the desk tells of the last of some lines that are typed."""
        for line in lines:
            told = self.happen(TypedLine(line))
            self.spoken()
        return told

    def hear(self, *words, early=False):
        """What the desk tells of the last of some words that are spoken to it, each after it has ended.

        `early`: while it still speaks, which it can take with headphones only.
        """
        for said in words:
            if not early:
                self.spoken()
            turn, self.ear.turn = self.ear.turn, None
            shares = (said, "all", 0.98), ("", "filler", 0.02)
            heard = (
                Hypothesis(words, grammar, math.log(share), "network") for words, grammar, share in shares
            )
            told = self.happen(Utterance(tuple(heard), 0.0, turn))
        return told


def written(cells, language):
    """Cells of computer Braille as the text that they stand for; capitals as small letters."""
    code = load_code(f"{language}8")
    letters = {code.text(letter)[0]: letter for letter in map(chr, range(33, 127)) if not letter.isupper()}
    capitals = {code.text(letter)[0]: letter.lower() for letter in map(chr, range(65, 91))}
    return "".join((letters | capitals).get(cell, " ") for cell in cells)
