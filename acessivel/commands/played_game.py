# SPDX-License-Identifier: GPL-3.0-or-later
"""A game at the devices, stored in the journal: a new one, or one that is resumed."""

from __future__ import annotations

import random
import sys
from dataclasses import replace

from acessivel.adjournment import envelope
from acessivel.app import introduction
from acessivel.app.game import GameActivity
from acessivel.app.loop import Loop, open_loop
from acessivel.app.patience import patiently
from acessivel.app.sealing import not_adjourned
from acessivel.app.talk import envelopes
from acessivel.app.venue import AtComputer, InHall
from acessivel.commands import online
from acessivel.commands.output import write_line
from acessivel.commands.stored_games import created, open_journal, user_errors
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.hall import joining, last_hall
from acessivel.message import Message, Messages, ToType
from acessivel.rules import chess960
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from acessivel.storage.stored_game import Stored
from acessivel.storage.tape import Recorder


def begin(setup: Setup, settings: Settings, first: tuple[Message, ...] = ()) -> int:
    """Play a new game, after telling `first`, and those that follow it; returns its number."""
    joining.joined(settings)  # before a game is begun that cannot be played as requested
    journal = open_journal(settings)
    with user_errors(settings), patiently(settings, aloud=True):
        stored = created(setup, journal)
    go_on(stored, journal, settings, first)
    return stored.id


def go_on(stored: Stored, journal: Journal, settings: Settings, first: tuple[Message, ...] = ()) -> None:
    """Play a game of the journal, and those that follow, until the player leaves; closes the journal."""
    envelope.sweep(envelopes(settings.folder), stored.id)
    try:
        hall, trouble = _hall(stored, settings)
        with open_loop(settings, write_line, sys.stdin) as loop, user_errors(settings):
            loop.offer_pages(_roles(stored.state.setup))
            teaches = not stored.entries and introduction.wanted(settings, stored.state.setup)
            if teaches and not introduction.introduce(settings, loop):
                return
            loop.tell_first(*first, *not_adjourned(stored, journal), *trouble)
            game = _played(stored, journal, settings, loop, hall)
            while game.next:
                again = created(_drawn_anew(game.next, settings), journal)
                if game.exchanged:
                    loop.exchange_pages()
                game = _played(again, journal, settings, loop, hall)
            if game.goes_online:
                online.follow(journal, replace(as_agreed(settings, game.state.setup), opponent="human"), loop)
    finally:
        journal.close()


def _hall(stored: Stored, settings: Settings) -> tuple[joining.Joined | None, Messages]:
    """The table in the hall of the settings, else that at which the game was played last.

    What is wrong with that one is told, and the game goes on without it. Raises UserError for the other.
    """
    if settings.hall or not stored.state.hall.joined:
        return joining.joined(settings), ()
    try:
        return joining.joined(last_hall.recalled(settings, stored.id)), ()
    except UserError as error:
        return None, (error.message,)


def _roles(setup: Setup) -> tuple[str, ...]:
    """Whose pages there are: of those who play, of both sides at one board, and of those around it."""
    both = ("both",) if len(setup.persons) > 1 and not setup.two_boards else ()
    return (*setup.persons, *both, "assistant", "arbiter", "spectator")


def _drawn_anew(setup: Setup, settings: Settings) -> Setup:
    """A game that follows, from another initial position of Chess960 if no position was asked for."""
    if setup.beginning.variant in (chess960.STANDARD, chess960.FREE, settings.variant):
        return setup
    drawn = chess960.drawn(chess960.FREE, random.SystemRandom())
    return replace(setup, beginning=replace(setup.beginning, variant=drawn))


def _played(
    stored: Stored,
    journal: Journal,
    settings: Settings,
    loop: Loop,
    hall: joining.Joined | None,
) -> GameActivity:
    """Play one game, of which the hall is told; returns it, with what follows."""
    if settings.tape:
        if loop.devices.recorder:
            loop.devices.recorder.close()
        loop.devices.recorder = Recorder(settings.folder, stored.id, begins=not stored.entries)
        loop.tell_first(Message.of("tape_runs", command=command("tape", stored.id, settings)))

    def resume(number: int) -> ToType:
        return command("resume", number, settings)

    def record(number: int) -> ToType:
        return command("record", number, settings)

    with joining.told(hall, journal, stored) as outbox:
        here = InHall(outbox, resume, record) if outbox else None
        venue = here or AtComputer(resume, record, online.check_packages)
        game = GameActivity(stored, journal, loop.devices, loop.report, venue)
        if outbox:
            outbox.start(lambda event: loop.report_to(game, event))
        loop.run(game)
    return game


def as_agreed(settings: Settings, setup: Setup) -> Settings:
    """The settings of this run with what was agreed for a game."""
    return replace(
        settings,
        opponent=setup.opponent,
        language=setup.language,
        convention=setup.convention,
        level=setup.level,
    )
