# SPDX-License-Identifier: GPL-3.0-or-later
"""Stepping through a recorded game, its variations and comments, as values: no device, no dialogue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from acessivel.game.game import Game, PlayedMove, Setup
from acessivel.game.results import RESULTS
from acessivel.message import Duration, Message, Messages
from acessivel.messages.rendering import Renderer
from acessivel.queries import exploration, queries
from acessivel.records.pgn_files import Recorded
from acessivel.rules.position import COLOURS, NULL_MOVE, Fact, Position
from acessivel.session import command_help, long_answers
from acessivel.session.state import State
from voices.meaning import QUESTIONS, Castling, Command, CommandName, Place
from voices.understanding.replay_steps import REPLAY_COMMANDS, ReplayStep, Stepped, words

_NAGS = range(1, 7)  # PGN's glyphs ! ? !! ?? !? ?! by their numbers


@dataclass(frozen=True, slots=True)
class Node:
    """A position of the record: the move that led there, what is written about it.

    `fact` is None at the start, and where a side passes: `passes` is its colour.

    `parent` and `children` are indices in the tree; the first child continues the same line, the others are
    variations. `left_ms`: what the player had left after the move, if recorded.
    """

    position: Position
    fact: Fact | None = None
    left_ms: int | None = None
    parent: int = 0
    children: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    nags: tuple[int, ...] = ()
    passes: str = ""


@dataclass(frozen=True, slots=True)
class Replay:
    """A record and the reader's place in it; `last`: what was said there, `rest`: what is still to be said.

    `advises`: whether advice about the position is allowed, as it is not on a game still in progress.
    `goes_on`: more moves may come.
    """

    setup: Setup
    nodes: tuple[Node, ...]
    result: str = "*"
    at: int = 0
    last: Messages = ()
    rest: Messages = ()
    advises: bool = True
    goes_on: bool = False

    @classmethod
    def of(
        cls,
        setup: Setup,
        moves: Sequence[Recorded],
        result: str = "*",
        *,
        advises: bool = True,
        goes_on: bool = False,
    ) -> Replay:
        """A record from the beginning that its setup describes.

        Raises BadFenError as `Position.start` does.
        """
        nodes = tuple(_nodes(moves, Position.start(setup.beginning.fen, setup.beginning.variant)))
        return cls(setup, nodes, result, advises=advises, goes_on=goes_on)

    @property
    def here(self) -> Node:
        """The position that the reader has reached."""
        return self.nodes[self.at]

    @property
    def state(self) -> State:
        """The game up to here, as a session would have it: for questions, board cursor and display."""
        moves = [PlayedMove(node.fact, node.left_ms) for node in self.path if node.fact]
        return State(self.setup, Game(self.nodes[0].position, self.here.position, tuple(moves)))

    @property
    def path(self) -> tuple[Node, ...]:
        """The positions from the start to here."""
        at, path = self.at, [self.here]
        while at:
            at = self.nodes[at].parent
            path.append(self.nodes[at])
        return tuple(reversed(path))

    @property
    def siblings(self) -> tuple[int, ...]:
        """The alternatives to the move made here; the first is that of the line."""
        return () if not self.at else self.nodes[self.here.parent].children

    def line(self) -> Iterator[int]:
        """The nodes that follow here in the same line."""
        at = self.at
        while self.nodes[at].children:
            at = self.nodes[at].children[0]
            yield at

    def before(self) -> Iterator[int]:
        """The nodes before here, nearest first."""
        at = self.at
        while at:
            at = self.nodes[at].parent
            yield at


def _nodes(moves: Sequence[Recorded], start: Position) -> Iterator[Node]:
    """The tree as a list, each position after its parent."""
    children: dict[int, list[int]] = defaultdict(list)
    for at, move in enumerate(moves[1:], 1):
        children[move.parent].append(at)
    positions: list[Position] = []
    for at, move in enumerate(moves):
        fact, passes, position = None, "", start
        if move.uci == NULL_MOVE:
            passes = positions[move.parent].turn
            position = positions[move.parent].passed()
        elif at:
            fact = positions[move.parent].fact(move.uci)
            position = positions[move.parent].made(fact)
        positions.append(position)
        nags = tuple(nag for nag in move.nags if nag in _NAGS)
        written = (tuple(children[at]), move.comments, nags)
        yield Node(position, fact, move.left_ms, move.parent, *written, passes)


def at_end(replay: Replay) -> Replay:
    """The record with its reader at the end of the main line."""
    return replace(replay, at=[0, *replace(replay, at=0).line()][-1])


def grown(replay: Replay, newer: Replay) -> tuple[Replay, Messages]:
    """The same game as it stands now; to a reader at its end what has been played since is told."""
    if replay.here.children:
        return replace(newer, at=min(replay.at, len(newer.nodes) - 1), last=replay.last, rest=replay.rest), ()
    end = at_end(newer)
    if end.at <= replay.at and newer.goes_on:  # moves were taken back, or there is nothing new
        return (end, ()) if end.at == replay.at else _arrived(end, end.at)
    first = [_made(replace(end, at=at)) for at in range(replay.at + 1, end.at)]
    return _arrived(end, end.at, *first)


def opening(replay: Replay) -> tuple[Replay, Messages]:
    """The players, the length and the result; then what is written before the first move."""
    count = sum(1 for _ in replay.line())
    result = _result(replay)
    white, black = replay.setup.players.white, replay.setup.players.black
    told = Message.of("replay_opening", white=white, black=black, count=count, result=result)
    said = {step.value: _said(replay, step) for step in (ReplayStep.NEXT, ReplayStep.BACK, ReplayStep.MOVE)}
    return _arrived(replay, replay.at, told, Message.of("replay_how", **said))


def _said(replay: Replay, step: ReplayStep) -> str:
    """The word that asks for a step."""
    return words(replay.setup.language).phrases[step][0]


def _result(replay: Replay) -> Message:
    return Message.of(RESULTS.get(replay.result, "replay_unfinished"))


def stepped(replay: Replay, step: Stepped) -> tuple[Replay, Messages]:
    """Go where a step leads, and say what is there; if it leads nowhere, say so and stay."""
    match step.step:
        case ReplayStep.NEXT:
            return _to(replay, next(replay.line(), None), "replay_at_end")
        case ReplayStep.BACK:
            return _to(replay, next(replay.before(), None), "replay_at_start")
        case ReplayStep.START:
            return _arrived(replay, 0)
        case ReplayStep.END:
            return _arrived(replay, [replay.at, *replay.line()][-1])
        case ReplayStep.MOVE:
            return _jumped(replay, step.number or 0)
        case ReplayStep.VARIATION:
            return _into(replay, step.number)
        case ReplayStep.MAIN_LINE:
            return _out(replay)
        case ReplayStep.COMMENT:
            return _again(replay, _written(replay.here) or (Message.of("replay_no_comment"),))
        case (
            ReplayStep.NEXT_CAPTURE
            | ReplayStep.PREVIOUS_CAPTURE
            | ReplayStep.NEXT_CHECK
            | ReplayStep.PREVIOUS_CHECK
        ):
            return _found(replay, step.step)


def asked(replay: Replay, command: Command) -> tuple[Replay, Messages]:
    """Answer a question about the position here."""
    game = replay.state.game
    match command.name:
        case CommandName.REPEAT:
            return replay, replay.last
        case CommandName.CLOCK:
            return _again(replay, _clocks(replay))
        case CommandName.HELP:
            return portion(replay, (_help(replay),))
        case CommandName.MORE:
            return portion(replay, replay.rest or (Message.of("more_not"),))
        case name if name in queries.ENGINE_ADVICE or (name in queries.BOARD_ADVICE and not replay.advises):
            return _again(replay, (Message.of("practice_only"),))
        case name if name not in QUESTIONS:
            return _again(replay, (Message.of("replay_not_here"),))
    return portion(replay, queries.answer(command, game, 0) or ())


def portion(replay: Replay, told: Messages) -> tuple[Replay, Messages]:
    """As much as fits into a portion; the rest is kept for later."""
    told, rest = long_answers.first(told, Renderer(replay.setup.language, replay.setup.convention))
    more = (Message.of("more_follows"),) if rest else ()
    return _again(replace(replay, rest=rest), (*told, *more))


def _help(replay: Replay) -> Message:
    """Everything that can be said."""
    steps = tuple(_said(replay, step) for step in ReplayStep)
    refused = frozenset() if replay.advises else queries.BOARD_ADVICE
    asked = (name for name in CommandName if name in REPLAY_COMMANDS - refused)
    return Message.of("replay_help", commands=(*steps, *command_help.named(asked)))


def felt(replay: Replay, what: str, square: str) -> Messages:
    """What is said about a square under the board cursor, as of `exploration.told`."""
    return exploration.told(what, Place(*square), replay.state.game, 0)


def here(replay: Replay) -> tuple[Replay, Messages]:
    """Say again where the reader is."""
    return _arrived(replay, replay.at)


def _again(replay: Replay, told: Messages) -> tuple[Replay, Messages]:
    return replace(replay, last=told), told


def _to(replay: Replay, at: int | None, nowhere: str) -> tuple[Replay, Messages]:
    if at is None:
        return _again(replay, (Message.of(nowhere),))
    return _arrived(replay, at)


def _arrived(replay: Replay, at: int, *first: Message) -> tuple[Replay, Messages]:
    """Arrive at a position: the move that led there, what is written about it, the variations, the result."""
    replay = replace(replay, at=at, rest=())
    node = replay.here
    told = [*first, _made(replay), *_written(node), *_variations(replay)]
    if not node.children and at and not replay.goes_on:
        ended = "replay_end" if replay.result in RESULTS else "replay_stops"
        told.append(Message.of(ended if _in_main_line(replay) else "replay_line_end", result=_result(replay)))
    return _again(replay, tuple(told))


def _made(replay: Replay) -> Message:
    """The move that led here."""
    node = replay.here
    if node.passes:
        return Message.of("replay_passed", number=_number(replay, replay.at), colour=node.passes)
    return queries.played(replay.state.game) if node.fact else Message.of("replay_start")


def _number(replay: Replay, at: int) -> int:
    """The number of the move that led to a position; 0 for the start."""
    return replay.nodes[replay.nodes[at].parent].position.fullmove if at else 0


def _written(node: Node) -> Messages:
    """The annotation glyphs and comments of a move."""
    signs = (Message.of(f"replay_nag_{nag}") for nag in node.nags)
    return (*signs, *(Message.of("replay_comment", text=text) for text in node.comments))


def _variations(replay: Replay) -> Messages:
    """The alternatives to the move made here, each with its number."""
    nodes = [(number, replay.nodes[at]) for number, at in enumerate(_others(replay), 1)]
    moves = [(number, node.fact or Message.of("replay_passes", colour=node.passes)) for number, node in nodes]
    return tuple(Message.of("replay_variation", number=number, move=move) for number, move in moves)


def _others(replay: Replay) -> tuple[int, ...]:
    """The variations that can be entered here: only from the move of the line that they replace."""
    first, *others = replay.siblings or (0,)
    return tuple(others) if first == replay.at else ()


def _in_main_line(replay: Replay) -> bool:
    return replay.at in {0, *replace(replay, at=0).line()}


def _jumped(replay: Replay, number: int) -> tuple[Replay, Messages]:
    """Go to the first move of a number in the line where the reader is; 0 is the start."""
    if not number:
        return _arrived(replay, 0)
    line = (*reversed(tuple(replay.before())), replay.at, *replay.line())
    at = next((at for at in line if _number(replay, at) == number), None)
    if at is None:
        return _again(replay, (Message.of("replay_no_move", number=number, last=_number(replay, line[-1])),))
    return _arrived(replay, at)


def _into(replay: Replay, number: int | None) -> tuple[Replay, Messages]:
    others = _others(replay)
    if not others:
        return _again(replay, (Message.of("replay_no_variation"),))
    if number is None and len(others) > 1:
        return _again(
            replay,
            (
                Message.of("replay_which_variation", variation=_said(replay, ReplayStep.VARIATION)),
                *_variations(replay),
            ),
        )
    if not 1 <= (number or 1) <= len(others):
        return _again(replay, (Message.of("no_such_choice", count=len(others)),))
    return _arrived(replay, others[(number or 1) - 1])


def _out(replay: Replay) -> tuple[Replay, Messages]:
    """Go back to the move of the game that this variation replaces, out of all variations around it."""
    left = [
        siblings[0]
        for at in (replay.at, *replay.before())
        if (siblings := replace(replay, at=at).siblings) and siblings[0] != at
    ]
    return _to(replay, left[-1] if left else None, "replay_in_main_line")


def _found(replay: Replay, step: ReplayStep) -> tuple[Replay, Messages]:
    """The nearest capture or check, forward in this line or back towards the start."""
    forward = step in (ReplayStep.NEXT_CAPTURE, ReplayStep.NEXT_CHECK)
    places = replay.line() if forward else (at for at in replay.before() if at)
    wanted = _takes if step in (ReplayStep.NEXT_CAPTURE, ReplayStep.PREVIOUS_CAPTURE) else _checks
    at = next((at for at in places if wanted(replay.nodes[at].fact)), None)
    return _to(replay, at, f"replay_no_{step}")


def _takes(fact: Fact | None) -> bool:
    return fact is not None and not isinstance(fact.meaning, Castling) and fact.meaning.capture


def _checks(fact: Fact | None) -> bool:
    return fact is not None and bool(fact.meaning.check)


def _clocks(replay: Replay) -> Messages:
    """What each side had left after its last move, if recorded."""
    left = {node.fact.colour: node.left_ms for node in replay.path if node.fact and node.left_ms is not None}
    times = [(colour, ms) for colour in COLOURS if (ms := left.get(colour)) is not None]
    told = tuple(Message.of("time_left", colour=colour, time=Duration.left(ms)) for colour, ms in times)
    return told or (Message.of("replay_no_clock"),)
