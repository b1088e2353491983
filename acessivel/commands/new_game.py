# SPDX-License-Identifier: GPL-3.0-or-later
"""What is agreed for a new game, from the settings of this run."""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from pathlib import Path

from acessivel.app.patience import patiently
from acessivel.clock import alarms
from acessivel.clock.time_control import ClockNotationError, TimeControl
from acessivel.commands.given_position import position_of
from acessivel.commands.run_settings import loaded
from acessivel.devices.engine import find_engine
from acessivel.errors import UserError
from acessivel.game.game import Players, Setup
from acessivel.message import Message
from acessivel.messages.rendering import catalogue
from acessivel.records import import_game
from acessivel.rules import chess960
from acessivel.rules.position import COLOURS
from acessivel.settings.settings import SETTINGS, Settings


def asked_for(options: argparse.Namespace, settings: Settings, *, practice: bool) -> Setup:
    """What is agreed for a new game, perhaps one from a file. Raises UserError if it cannot be played."""
    agreed = setup(settings, practice=practice)
    if options.origin:
        with patiently(settings, aloud=True):
            agreed = import_game.continued(agreed, settings, options)
    elif options.at or options.game:
        program = f"acessivel {options.command}"
        raise UserError(Message.of("missing_argument", option="--from FILE", program=program))
    if why := _in_vain(options, agreed):
        raise UserError(why)
    return agreed


def _in_vain(options: argparse.Namespace, agreed: Setup) -> Message | None:
    """What an option that was typed needs and this game has not; what stands in the files is no matter."""
    clock = TimeControl.parse(agreed.timing.clock)
    if options.strict and (agreed.opponent != "human" or clock is None):
        return Message.of("strict_needs")
    flag = vars(options).get("claim_flag")  # a game for practice has no such option
    return Message.of("claim_flag_needs") if flag not in (None, "none") and not agreed.two_boards else None


def named(agreed: Setup, white: str | None, black: str | None) -> Setup:
    """The same with the names that were given."""
    players = Players(white or agreed.players.white, black or agreed.players.black)
    return replace(agreed, players=players)


def _variant(settings: Settings) -> str:
    """The variant of a new game, with its initial position drawn if none is given."""
    try:
        if not settings.fen:
            return chess960.drawn(settings.variant, random.SystemRandom())
        if settings.variant not in (chess960.STANDARD, chess960.FREE):
            chess960.number(settings.variant)
            raise UserError(Message.of("variant_and_fen"))
    except chess960.BadVariantError as error:
        raise UserError(Message.of("bad_variant", text=settings.variant)) from error
    begins = position_of(settings.fen, settings.variant)
    return chess960.FREE if begins.chess960 else chess960.STANDARD


def setup(settings: Settings, *, practice: bool) -> Setup:
    """What is agreed for a new game; without an engine both sides are announced.

    Raises UserError if it cannot be played like that. With two boards the clock speaks up only if alarms
    other than the default are set.
    """
    if settings.two_boards and (why := _two_boards_refused(settings)):
        raise UserError(why)
    variant = _variant(settings)
    check_clock(settings)
    colour = random.choice(COLOURS) if settings.colour == "random" else settings.colour  # noqa: S311
    program = find_engine(settings.engine or None) if settings.opponent == "engine" else None
    agreed = {name: getattr(settings, name) for name, option in SETTINGS.items() if option.agreed}
    usual_alarms = settings.alarms == SETTINGS["alarms"].default
    agreed |= {
        "opponent": "engine" if program else "human",
        "colour": colour,
        "fen": settings.fen or None,
        "variant": variant,
        "alarms": "none" if settings.two_boards and usual_alarms else settings.alarms,
        **_names(settings, colour, program),
    }
    return Setup.of(**agreed, practice=practice)


def check_clock(settings: Settings) -> None:
    """Raise UserError if the clock or the alarms cannot be read."""
    try:
        TimeControl.parse(settings.clock)
    except ClockNotationError as error:
        raise UserError(Message.of("bad_clock", text=settings.clock)) from error
    try:
        alarms.parse(settings.alarms)
    except alarms.AlarmNotationError as error:
        raise UserError(Message.of("bad_alarms", text=settings.alarms)) from error


def _names(settings: Settings, colour: str, program: str | None) -> dict[str, str]:
    """The players by colour: the person, and the engine if there is one against it."""
    names = dict.fromkeys(COLOURS, settings.name or catalogue(settings.language)["player"])
    if program:
        names["black" if colour == "white" else "white"] = (
            f"{Path(program).stem.capitalize()} {settings.level}"
        )
    return names


def _two_boards_refused(settings: Settings) -> Message | None:
    """Why a game on two boards cannot begin with these settings; None if it can.

    What stands in the files is not on the command line: there it cannot be left out.
    """
    # An illegal move that stands until it is found cannot be requested for the other board; and making a
    # move there repeats it.
    barred = next((name for name in ("strict", "ritual") if getattr(settings, name)), "")
    alone = settings.opponent != "human"
    if not (alone or barred):
        return None
    stored = loaded()
    if barred and getattr(stored, barred):
        return Message.of("boards_without_set", setting=barred)
    if stored.two_boards:
        return Message.of("boards_set")
    return Message.of("boards_need_human") if alone else Message.of("boards_without", option=f"--{barred}")
