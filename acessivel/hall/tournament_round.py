# SPDX-License-Identifier: GPL-3.0-or-later
"""A round of a tournament in a hall: who is expected at its tables, and what their games make of its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from acessivel.hall.board import Hall, TableGame
from acessivel.message import Message, Messages
from acessivel.tournaments.announcements import next_pairing
from acessivel.tournaments.rounds import Board, boards, signs, spoken, told
from acessivel.tournaments.tournament import Entrant, Tournament
from acessivel.tournaments.trf_edit import with_results
from voices.words.lexicon import plain

_NOT_THERE = frozenset({"late", "left"})  # a game that ended so before both had moved is lost by forfeit
_NAMELESS = frozenset({"", "?"})
_NONE = signs("*")
_FORFEITS = {"1-0": "+-", "0-1": "-+", "0-0": "--"}

WrittenResults = Mapping[Board, tuple[str, tuple[str, str]]]
"""The game and the signs of the results that were written here."""
NOTHING: WrittenResults = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Seats:
    """Who is expected at a table, and the sentence that tells them so."""

    white: str
    black: str
    message: Message


def seats(event: Tournament, number: int) -> Mapping[int, Seats]:
    """Who is expected at each table in a round."""
    found = {}
    for board in boards(event, number):
        white, black = event.players[board.white].name, event.players[board.black].name
        said = Message.of("round_seats", round=number, table=board.table, white=white, black=black)
        found[board.table] = Seats(white, black, said)
    return found


def next_pairings(event: Tournament, number: int) -> Mapping[int, Message]:
    """For each table of a round, what its two players have next: what "my next pairing" tells there."""
    return {
        board.table: Message.of(
            "next_pairings",
            white=next_pairing(event, event.players[board.white], number),
            black=next_pairing(event, event.players[board.black], number),
        )
        for board in boards(event, number)
    }


def counted(event: Tournament, number: int, hall: Hall) -> Mapping[int, TableGame]:
    """The game that counts at each table of a round: the first that is over, else the one that is played.

    `hall`: the games of the round alone. A game of others than the file expects at the table counts nowhere.
    """
    at_tables, found = hall.by_table, {}
    for board in boards(event, number):
        white, black = event.players[board.white], event.players[board.black]
        games = [game for game in at_tables.get(board.table, ()) if sit_there(game, white, black)]
        if games:
            found[board.table] = next((game for game in games if game.over), games[-1])
    return found


def results(event: Tournament, number: int) -> Mapping[int, str]:
    """The results of a round that the file has, by their tables."""
    found = {board.table: told(*_signs(event, board, number)) for board in boards(event, number)}
    return {table: result for table, result in found.items() if result != "*"}


def overruled(event: Tournament, number: int, hall: Hall, shown: Hall) -> Mapping[int, str]:
    """The results in the file that those who follow do not see by the games; by their tables.

    `shown`: what they see of the hall. That a game has ended otherwise is seen no sooner than its end.
    """
    games, seen = counted(event, number, hall), counted(event, number, shown)
    found = {}
    for table, result in results(event, number).items():
        game = games.get(table)
        if game and game.over and (played(game) == result or not (table in seen and seen[table].over)):
            continue
        found[table] = result
    return found


def with_games(
    event: Tournament, number: int, hall: Hall, tie_breaks: Sequence[str], written: WrittenResults = NOTHING
) -> tuple[Tournament, Messages]:
    """A tournament with the results of the games that are over, and what is odd about them.

    A result that the file has already stays: an arbiter has written it. Only what was `written` here before
    follows its game, and is taken back if that goes on; where somebody else has taken it back, it is written
    again only if the game goes on or ends otherwise. Of others than the file expects at a table nothing is
    written, nor of what the same two play there after their game.
    """
    found: dict[Board, tuple[str, str]] = {}
    odd: list[Message] = []
    games = counted(event, number, hall)
    for board in boards(event, number):
        game = games.get(board.table)
        if game is None:
            continue
        stands = _signs(event, board, number)
        ours = written.get(board) == (game.game, stands)
        if not game.over:
            if ours:
                found[board] = _NONE
            continue
        mine = _made(game)
        taken_back = stands == _NONE and written.get(board) == (game.game, mine)
        if (stands == _NONE and not taken_back) or (ours and stands != mine):
            found[board] = mine
        elif told(*stands) != told(*mine):
            odd.append(Message.of("round_other_result", table=board.table))
    odd += _others(event, number, hall, games)
    return (with_results(event, number, found, tie_breaks) if found else event), tuple(odd)


def _others(event: Tournament, number: int, hall: Hall, games: Mapping[int, TableGame]) -> Iterator[Message]:
    """Which games are over that do not count: of other players, with reversed colours, or one more."""
    at_tables = hall.by_table
    for board in boards(event, number):
        white, black = event.players[board.white], event.players[board.black]
        for game in at_tables.get(board.table, ()):
            if not game.over or game is games.get(board.table) or game.opened is None:
                continue
            if sit_there(game, white, black):
                yield Message.of("round_another_game", table=board.table)
            elif sit_there(game, black, white):
                result = _result(game)
                score = told(*reversed(signs(result)))
                if score != told(*_signs(event, board, number)):
                    names = {"white": black.name, "black": white.name}
                    yield Message.of(
                        "round_reversed", table=board.table, **names, result=spoken(result), score=score
                    )
            else:
                names = {"white": game.opened.white or "white", "black": game.opened.black or "black"}
                yield Message.of("round_other_players", table=board.table, **names)


def with_written(
    known: WrittenResults, before: Tournament, after: Tournament, number: int, hall: Hall
) -> WrittenResults:
    """What was written here, once one tournament was made of another; what has been changed since is not.

    What somebody has taken back since was, until its game goes on.
    """
    found, games = {}, counted(after, number, hall)
    for board in boards(after, number):
        was, stands = _signs(before, board, number), _signs(after, board, number)
        game = games.get(board.table)
        if game and stands not in (was, _NONE):
            found[board] = game.game, stands
        elif board in known and (
            known[board][1] == stands or (was == stands == _NONE and game and game.over)
        ):
            found[board] = known[board]
    return MappingProxyType(found)


def _signs(event: Tournament, board: Board, number: int) -> tuple[str, str]:
    """The signs of White and Black that a tournament has at a board."""
    return event.players[board.white].paired(number).sign, event.players[board.black].paired(number).sign


def sit_there(game: TableGame, white: Entrant, black: Entrant) -> bool:
    """Whether these two play: by the words of their names, in any order, or without a name."""
    opened = game.opened
    return opened is not None and _is(opened.white, white.name) and _is(opened.black, black.name)


def named(game: TableGame) -> bool:
    """Whether the table knows the names of both players."""
    return game.opened is not None and not _NAMELESS & {game.opened.white, game.opened.black}


def _is(name: str, expected: str) -> bool:
    return name in _NAMELESS or name_words(name) == name_words(expected)


def name_words(name: str) -> list[str]:
    """The words of a name, whatever their order and their capitals."""
    return sorted(plain(name).replace(",", " ").split())


def played(game: TableGame) -> str:
    """The result of a game as the file would have it, "*" for none."""
    return told(*_made(game))


def _made(game: TableGame) -> tuple[str, str]:
    """The signs of a game that is over."""
    return signs(_result(game), plies=len(game.moves))


def _result(game: TableGame) -> str:
    """The result of a game, as the file has it."""
    score = game.ended.score
    absent = game.ended.reason in _NOT_THERE and len(game.moves) < 2
    return _FORFEITS.get(score, score) if absent else score
