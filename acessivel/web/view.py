# SPDX-License-Identifier: GPL-3.0-or-later
"""What a page shows: a state of the game -> its words and squares, as one role may see them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from acessivel.devices.keys import OF_PLACES, said
from acessivel.errors import UserError
from acessivel.game.game import Game
from acessivel.message import Duration, Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.queries import queries
from acessivel.records import readers
from acessivel.rules.position import BLACK, COLOURS, WHITE
from acessivel.session import command_help, practice
from acessivel.session.moves import barred
from acessivel.session.pages import ROLES, for_the_room
from acessivel.session.state import State
from acessivel.web import asked, hall_view, page_text
from acessivel.web.asked import capital, worded
from acessivel.web.page_text import PageText
from acessivel.web.present import Present
from braille import liblouis
from voices.meaning import Command, CommandName, MovePattern, Piece
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

SQUARES = tuple(f"{file}{rank}" for rank in "87654321" for file in "abcdefgh")
_OF_THE_PAGE = "page_"  # how the keys of the page's own words begin
_BRAILLE = ("brf", "pef")  # of the records to be downloaded
_OF_THE_ARBITER = (
    "arbiter",
    "clock_stop",
    "clock",
    "last_move",
    "turn",
    "moves",
    "last_moves",
    "laws",
    "help",
)
_SECTIONS = ("game", "questions", "laws")
_OF_A_DRILL = (CommandName.REPEAT, CommandName.HELP, CommandName.STOP)


def of(present: Present, role: str) -> Mapping[str, Any]:
    """All that the page of a role shows, as it goes to the page."""
    renderer, state, played = present.renderer, present.state, present.played
    shown: dict[str, Any] = {
        "language": renderer.language,
        "role": role,
        "title": _title(present, role),
        "words": words(renderer.language),
        "turned": False,
        "squares": None,
        "may_move": False,
        "moves": {},
        "promotions": [],
        "asked": asked.of(present, role),
        "moves_made": [],
        "last": "",
        "clocks": None,
        "clock": None,
        "status": "",
        "menu": list(_menu(present, role)),
        "over": False,
        "hidden": present.hidden and role != "spectator",
        "records": [
            {"text": name.rpartition(".")[2].upper(), "url": f"/record/{name}"}
            for name in records(present, role)
        ],
        "captured": "",
        "tables": list(hall_view.tables(renderer, present.hall, role)) if present.hall else [],
        "before": hall_view.before(present.hall, role),
    }
    if present.hall and role not in hall_view.ARBITERS:
        state = None  # who follows sees nothing before its time
    if state:
        shown |= _board(renderer, state, role)
    if played:
        shown |= _game(present, played, role)
    elif state:
        shown["clocks"] = _noted(renderer, _left(state.game))
    if state and present.hall and (table := present.hall.at):
        shown |= {
            "status": hall_view.status(renderer, table),
            "clocks": _noted(renderer, table.left),
        }
    return shown


def records(present: Present, role: str) -> tuple[str, ...]:
    """The names of the files of the record that a role can download, with day and hour of the game."""
    stored = present.recorded
    if stored is None or not (present.played or role == "both"):
        return ()
    began = "".join(f"-{part}" for part in re.findall(r"\d+", stored.started)[:5])
    formats = ("pgn", *(_BRAILLE if _writes_braille(present.renderer.language) else ()))
    return tuple(f"acessivel{began}.{each}" for each in formats)


def _writes_braille(language: str) -> bool:
    """Whether a record can be written in Braille here."""
    try:
        liblouis.version()
        readers.code_of(None, language)
    except (liblouis.LiblouisMissingError, UserError):
        return False
    return True


def words(language: str) -> Mapping[str, str]:
    """The page's own words, without what their keys have in common."""
    texts = catalogue(language)
    return {key.removeprefix(_OF_THE_PAGE): texts[key] for key in texts if key.startswith(_OF_THE_PAGE)}


def _title(present: Present, role: str) -> str:
    if present.kind == "start":
        return present.renderer.text(Message.of("web_title_start"))
    return present.renderer.text(Message.of("web_title", role=Message.of(f"web_role_{role}")))


# The board


def _board(renderer: Renderer, state: State, role: str) -> Mapping[str, Any]:
    game = state.game
    from_black = state.setup.from_black or (role == BLACK and state.two_persons)
    return {
        "turned": from_black,
        "squares": list(_squares(renderer.language, game)),
        "last": page_text.of(renderer, [queries.played(game)]),
        "captured": _captured(renderer, game),
    }


def _squares(language: str, game: Game) -> Iterator[Mapping[str, Any]]:
    texts, position = catalogue(language), game.position
    last = game.last.squares if game.last else ""
    marked = {last[:2], last[2:4]}
    for name in SQUARES:
        stands = position.at(name)
        what = f"piece_{stands[0]}_{stands[1].name.lower()}" if stands else "web_empty"
        letter = (stands[1] if stands[0] == WHITE else stands[1].lower()) if stands else ""
        in_check = stands == (position.turn, Piece.KING) and position.in_check
        marks = [*(["last"] if name in marked else []), *(["check"] if in_check else [])]
        yield {"name": name, "piece": str(letter), "says": f"{name}, {texts[what]}", "marks": marks}


# The game


def _game(present: Present, state: State, role: str) -> Mapping[str, Any]:
    renderer, now_ms = present.renderer, max(state.now_ms, present.now())
    game, result = state.game, state.game.result
    may_move = _may_move(state, role)
    legal = [fact.uci for fact in state.moves_in.legal] if may_move else []
    return {
        "may_move": may_move,
        "moves": {start: _targets(legal, start) for start in dict.fromkeys(uci[:2] for uci in legal)},
        "promotions": sorted({uci[:4] for uci in legal if len(uci) > 4}),
        "moves_made": list(_moves_made(renderer, game)),
        "clocks": _clocks(renderer, state, now_ms),
        "clock": _clock(state, now_ms, stands=present.clocks_stand),
        "status": renderer.text(queries.over(game) if result else queries.turn(game)),
        "over": result is not None,
    }


def _may_move(state: State, role: str) -> bool:
    """Whether a role can announce a move now; against the engine every player's page is that of the one."""
    if barred(state) or state.engines_turn or state.adjournment.sealed:
        return False
    one = role in COLOURS and not state.two_persons
    return one or role in ("both", "assistant", state.moves_in.turn)


def _targets(legal: Iterable[str], start: str) -> list[str]:
    return list(dict.fromkeys(uci[2:4] for uci in legal if uci.startswith(start)))


def _moves_made(renderer: Renderer, game: Game) -> Iterator[Mapping[str, PageText]]:
    """The moves with their numbers, one line for both sides."""
    line: dict[str, PageText] = {}
    for played in game.played:
        fact = played.fact
        if line and fact.colour == WHITE:
            yield line
            line = {}
        line = line or {"number": f"{fact.number}.", WHITE: "", BLACK: ""}
        line[fact.colour] = page_text.of(renderer, [Message.of("web_move", move=fact)])
    if line:
        yield line


def _captured(renderer: Renderer, game: Game) -> PageText:
    """The last capture, "" if there was none."""
    facts = (played.fact for played in reversed(game.played))
    last = next((one for one in facts if isinstance(one.meaning, MovePattern) and one.meaning.capture), None)
    told = last and Message.of("played", colour=last.colour, number=last.number, move=last)
    return page_text.of(renderer, [told]) if told else ""


def _clocks(renderer: Renderer, state: State, now_ms: int) -> Mapping[str, str] | None:
    """What each side has left, in words."""
    if state.game.clock is None:
        return None
    told = {colour: queries.time_left(state.game.clock, colour, now_ms) for colour in COLOURS}
    return {colour: renderer.text(message) for colour, message in told.items()}


def _left(game: Game) -> Mapping[str, int]:
    """What each side had left after its last move, in ms, where that was noted."""
    return {one.fact.colour: one.left_ms for one in game.played if one.left_ms is not None}


def _noted(renderer: Renderer, left: Mapping[str, int]) -> Mapping[str, str] | None:
    """Times of clocks that are not here, in words."""
    told = {colour: Message.of("web_time", time=Duration.left(ms)) for colour, ms in left.items()}
    return (
        {colour: renderer.text(told[colour]) if colour in told else "" for colour in COLOURS}
        if told
        else None
    )


def _clock(state: State, now_ms: int, *, stands: bool) -> Mapping[str, Any] | None:
    """What each side has left, in ms, whose time runs, and how much of a delay is still free."""
    clock = state.game.clock
    if clock is None:
        return None
    return {
        "running": "" if stands else clock.running or "",
        "free": clock.free(now_ms),
        **{colour: clock.left(colour, now_ms) for colour in COLOURS},
    }


# What can be done


def _menu(present: Present, role: str) -> Iterator[Mapping[str, str]]:
    """What can be ordered and asked by a role, in words that can be typed."""
    language, state = present.renderer.language, present.played
    if role == "spectator" or (present.choices and not (present.state or present.hall)):
        return
    if (present.hall and role not in hall_view.ARBITERS) or present.talk:
        return
    if state:
        for name in _commands(state, role):
            yield _entry(present, name)
        if role in ("both", "assistant") and state.two_persons:
            yield from _links(present.renderer)
    for action in OF_PLACES.get(present.kind, ()):
        words_said = said(action, language)
        yield {"text": capital(words_said), "types": words_said, "does": ""}
    if not state:
        for name in _OF_A_DRILL:
            yield _entry(present, name)


def _commands(state: State, role: str) -> Iterator[CommandName]:
    """The commands that need no square and no piece, in the order of the list on a display."""
    possible = {str(name): name for name in practice.commands(state) if not for_the_room(state, role, name)}
    lines = (line for section in _SECTIONS for line in command_help.sections()[section])
    for line in _OF_THE_ARBITER if role == "arbiter" else lines:
        if line in possible and "{" not in vocabulary(state.setup.language).say("command", line):
            yield possible[line]


def _links(renderer: Renderer) -> Iterator[Mapping[str, str]]:
    """To show the links of the players and of those who watch, for their own devices."""
    for role in (*COLOURS, "spectator"):
        said = worded(renderer, Command(CommandName.WEB_CODE, number=ROLES.index(role) + 1))
        does = Message.of("web_code_of", role=Message.of(f"web_role_{role}"))
        yield {"text": capital(said), "types": said, "does": renderer.text(does)}


def _entry(present: Present, name: CommandName) -> Mapping[str, str]:
    renderer = present.renderer
    said = phrasing(renderer.convention, renderer.language).example(name)
    return {"text": capital(said), "types": said, "does": _does(present, name)}


def _does(present: Present, name: CommandName) -> str:
    """What a command does here; to stop keeps a game, and elsewhere does something else."""
    key, own = f"does_{name}", f"web_{name}_{present.kind}"
    if own in catalogue(present.renderer.language):
        key = own
    elif name is CommandName.STOP and present.kind != "game":
        return ""
    return present.renderer.text(Message.of(key))
