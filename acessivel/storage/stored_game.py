# SPDX-License-Identifier: GPL-3.0-or-later
"""A game as it stands in the journal -> its state, replayed as far as it can be read."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from acessivel.dialogue.questions import NOTHING
from acessivel.game.game import Game, Note, Result, Setup
from acessivel.game.imported import Before
from acessivel.message import Message
from acessivel.session.events import Event, from_json
from acessivel.session.state import DrawState, State, TouchState
from acessivel.session.step import step
from acessivel.storage import chain
from acessivel.storage.chain import Damage, Entry
from voices.meaning import MovePattern, Place
from voices.words.files import languages
from voices.words.lexicon import VocabularyError

_log = logging.getLogger(__name__)
Happening = tuple[State, Event, State]
"""An event, between the states before and after it."""
_OF_THE_RECORD = ("language", "white", "black", "fen", "variant", "before")


@dataclass(frozen=True, slots=True)
class Stored:
    """A game of the journal: when it began (ISO 8601) and its present state.

    With a `damage` that is the state before it, and the game cannot go on.
    """

    id: int
    started: str
    state: State
    entries: int
    damage: Damage | None = None


@dataclass(slots=True)
class GameRows:
    """A game as it stands in the file; `count`: how many entries it should have, those that are gone too."""

    started: str
    setup: str
    origin: bytes
    entries: list[Entry] = field(default_factory=list)
    count: int = 0

    @property
    def head(self) -> bytes:
        """The last link."""
        return self.entries[-1].link if self.entries else self.origin


def replayed(game: int, kept: GameRows, convention: str | None) -> Stored:
    """A game as far as it can be read; where it is damaged, a note in the record says so.

    Raises VocabularyError if the words of its convention are gone, and no other is given.
    """
    state, damage = _agreed(kept, convention)
    entries, torn = chain.sound(kept.origin, kept.entries, kept.count)
    read = 0
    try:
        for _, _, after in happenings(state, entries):
            state, read = after, read + 1
    except VocabularyError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is made of, the moves before it are there
        _log.info("entry %d of game %d: %s", read, game, type(error).__name__)
        torn = Damage("unreadable", entries[read].number)
    if found := torn or damage:
        state = replace(state, game=_noted(state.game, found))
    return Stored(game, _date(kept.started), state, len(kept.entries), found)


def happened(kept: GameRows) -> Iterator[Happening]:
    """What has happened in a whole game. Raises VocabularyError if the words of its convention are gone."""
    yield from happenings(_begun(setup_of(kept.setup), None), kept.entries)


def happenings(state: State, entries: Iterable[Entry]) -> Iterator[Happening]:
    """Each event of a game that began with this state, with the states before and after it.

    Raises whatever comes of an entry that cannot be read.
    """
    for entry in entries:
        event = from_json(entry.event)
        before, state = state, _as_recorded(state, step(state, event)[0], entry)
        yield before, event, state


def setup_of(text: str) -> Setup:
    """What was agreed, as the journal stores it; fields that this version does not know are ignored.

    Raises ValueError, or another error of the wrong kind of value, if it cannot be read.
    """
    known = Setup(opponent="online").flat().keys()
    data = {key: value for key, value in json.loads(text).items() if key in known}
    return Setup.of(**data | {"before": Before.of(data["before"]) if data.get("before") else None})


def result_of(text: str | None) -> Result | None:
    """A result as the journal stores it, if there is one. Raises an error as `setup_of` does."""
    return Result(**json.loads(text)) if text else None


def change_of(before: State, after: State) -> str | None:
    """The moves that were made, in UCI, or how many moves were taken back: "-1".

    Those that a server tells after an interruption can be several at once: "e2e4 e7e5".
    """
    added = len(after.game.played) - len(before.game.played)
    if added < 0:
        return str(added)
    made = after.game.played[len(before.game.played) :]
    return " ".join(move.fact.uci for move in made) or None


def _agreed(kept: GameRows, convention: str | None) -> tuple[State, Damage | None]:
    """The state before the first entry; if what was agreed is lost, from what is left of it."""
    changed = chain.origin(kept.started, kept.setup) != kept.origin
    try:
        return _begun(setup_of(kept.setup), convention), Damage("changed") if changed else None
    except VocabularyError:
        raise
    except Exception as error:  # noqa: BLE001 - the moves are still there
        _log.info("what was agreed: %s", type(error).__name__)
    return _begun(_salvaged(kept.setup), convention), Damage("changed" if changed else "unreadable")


def _begun(setup: Setup, convention: str | None) -> State:
    """A game before its first move; one whose language is gone continues in English."""
    language = setup.language if setup.language in languages() else "en"
    return State.new(replace(setup, language=language, convention=convention or setup.convention))


def _salvaged(text: str) -> Setup:
    """What the record needs of what was agreed, as far as it can be read: players and initial position."""
    kept: dict[str, object] = {}
    try:
        data = json.loads(text)
        for name in _OF_THE_RECORD:
            tried = kept | {name: data[name]} if name in data else kept
            if _possible(tried):
                kept = tried
    except (ValueError, TypeError):
        pass
    return setup_of(json.dumps(kept))


def _possible(values: dict[str, object]) -> bool:
    texts = all(isinstance(value, str) for name, value in values.items() if name not in ("fen", "before"))
    try:
        State.new(setup_of(json.dumps(values)))
    except Exception:  # noqa: BLE001 - whatever it is made of
        return False
    return texts


def _noted(game: Game, damage: Damage) -> Game:
    note = Note(
        0 if damage.entry is None else len(game.played), Message.of("note_damaged", damage=damage.message)
    )
    return replace(game, notes=(*game.notes, note))


def _date(started: str) -> str:
    """When a game began; the first of all days if that cannot be read."""
    try:
        datetime.fromisoformat(started or "2000-01-01")
    except ValueError:
        return "0001-01-01T00:00:00"
    return started


def _as_recorded(before: State, after: State, entry: Entry) -> State:
    """The replayed state with the recorded move and result: a newer program may read events differently.

    Where the move is another one, what was offered, touched or announced before is over.

    Raises ValueError if the move cannot be made.
    """
    recorded = result_of(entry.result)
    if change_of(before, after) != entry.move:
        game = _moved(before, entry.move, after.now_ms)
        after = replace(after, game=game, asking=NOTHING, draw=DrawState(), touch=TouchState())
    if after.game.result != recorded:
        after = replace(after, game=replace(after.game, result=recorded), asking=NOTHING)
    return after


def _moved(before: State, move: str | None, now_ms: int) -> Game:
    """A game after the recorded moves, or after moves were taken back."""
    if before.game.announced and before.game.announced.uci == move:
        return before.game.made(now_ms)
    game = replace(before.game, announced=None)
    if not move:
        return game
    if move.startswith("-"):
        return game.back_to(len(game.played) + int(move), now_ms)
    *first, move = move.split(" ")
    for uci in first:
        game = game.shown(game.position.fact(uci), None)
    try:
        return game.play(game.position.fact(move), now_ms)
    except ValueError:
        if not before.setup.rulebook.strict:  # only there an illegal move stands
            raise
    squares = MovePattern(Place(*move[2:4]), origin=Place(*move[:2]))
    (fact,) = (fact for fact in game.position.irregular(squares) if fact.uci == move)
    return game.play(fact, now_ms)
