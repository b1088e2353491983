# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of docs/architecture.md, made from the code: `make architecture`; a test holds them fresh."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from acessivel.dialogue import answer_table, confirmation, questions
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.questions import Asking, Choose, Confirm, Difference, Missing, Nothing, Promote
from acessivel.dialogue.turn import Binding, Deed, Turn
from acessivel.rules.position import COLOURS, Position
from acessivel.session import effects, events
from voices.meaning import (
    Answer,
    Castling,
    Command,
    CommandName,
    Meaning,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Place,
    Reading,
    Side,
)

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "architecture.md"
_PROGRAM = ROOT / "acessivel"
_SAME, _BEFORE = "the same again", "what was asked before"
_WORDS: Mapping[type[Meaning], str] = {
    Number: "a number",
    PieceNamed: "a piece",
    MovePattern: "a square, a file or a move",
    Castling: "castling",
    Command: "a command",
}

# Positions in which everything can be asked.
_START = Position.start()
_KNIGHTS = Position.start("4k3/8/8/8/8/5N2/8/KN6 w - - 0 1")  # both can go to d2
_BEHIND = Position.start("6k1/2P5/8/8/8/8/2P5/K7 w - - 0 1")  # one of two pawns on a file can promote
_PAWNS = Position.start("3r4/2P1P1k1/8/8/8/8/8/K7 w - - 0 1")  # both can take and promote
_TAKERS = Position.start("8/8/8/3p4/7k/2N5/Q7/K3R3 w - - 0 1")  # queen and knight can take on d5
_THREE = Position.start("8/8/8/3p4/7k/2N5/Q7/K2R4 w - - 0 1")  # queen, rook and knight can take on d5
_FOUR = Position.start("8/8/8/3p4/5N1k/2N5/Q7/K2R4 w - - 0 1")  # another knight too
_QUEEN_OR_PAWN = Position.start("3r4/2P5/8/8/7k/8/8/K2Q4 w - - 0 1")  # both can take on d8
_QUEENS = Position.start("8/2k5/8/1Q6/8/Q3Q3/8/K6Q w - - 0 1")
_E4, _D4, _E3 = (_START.fact(uci) for uci in ("e2e4", "d2d4", "e2e3"))
_F3, _H3 = (_START.fact(uci) for uci in ("g1f3", "g1h3"))
_TWO_KNIGHTS = _KNIGHTS.matching(MovePattern(Place("d", "2"), Piece.KNIGHT))
_TWO_PAWNS = _PAWNS.matching(MovePattern(Place("d", "8"), Piece.PAWN))
_PROMOTIONS = _PAWNS.matching(MovePattern(Place("c", "8"), Piece.PAWN))
_KNIGHT, _PAWN = MovePattern(Place(), Piece.KNIGHT), MovePattern(Place("c"), Piece.PAWN)
_QUEEN = MovePattern(Place("e"), Piece.QUEEN)
_E, _G = MovePattern(Place("e")), MovePattern(Place("g"))
_ONE_ROOK = Position.start("4k3/8/8/8/K7/8/6P1/1R6 w - - 0 1")
_TWO_PIECES = _TAKERS.matching(MovePattern(Place("d", "5"), capture=True))
_THREE_PIECES = _THREE.matching(MovePattern(Place("d", "5"), capture=True))
_G1, _B1 = Place("g", "1"), Place("b", "1")
# Each question as it can stand, with a position that it stands in: each row of the loop needs one.
_ASKED: Sequence[tuple[Asking, Position]] = (
    (Confirm(_E4), _START),
    (Confirm(_E4, (_D4,)), _START),
    (Confirm(_E4, alike=(_D4,)), _START),
    (Confirm(_E4, alike=(_E3,)), _START),
    (Confirm(_TWO_KNIGHTS[0], alike=_TWO_KNIGHTS[1:]), _KNIGHTS),
    (Confirm(_THREE_PIECES[0], alike=_THREE_PIECES[1:2]), _THREE),
    (Confirm(_PROMOTIONS[0], alike=_PROMOTIONS[1:]), _PAWNS),
    (Difference((_E4, _D4)), _START),
    (Difference((_F3, _H3)), _START),
    (Difference((_E4, _E3)), _START),
    (Difference(_TWO_KNIGHTS), _KNIGHTS),
    (Difference(_THREE_PIECES[:2]), _THREE),
    (Difference((_FOUR.fact("a2d5"), _FOUR.fact("d1d5"))), _FOUR),
    (Difference((_QUEEN_OR_PAWN.fact("d1d8"), _QUEEN_OR_PAWN.fact("d1d7"))), _QUEEN_OR_PAWN),
    (Difference(_PROMOTIONS[:2]), _PAWNS),
    (Difference((_BEHIND.fact("c2c3"), _BEHIND.fact("c2c4"))), _BEHIND),
    (Choose(_TWO_KNIGHTS), _KNIGHTS),
    (Choose(_TWO_KNIGHTS, listed=True), _KNIGHTS),
    (Choose(_TWO_PAWNS), _PAWNS),
    (Choose(_TWO_PIECES), _TAKERS),
    (Missing(_KNIGHT, _START.matching(_KNIGHT)), _START),
    (Missing(_QUEEN, _QUEENS.matching(_QUEEN)), _QUEENS),
    (Missing(_E, _START.matching(_E)), _START),
    (Missing(_G, _ONE_ROOK.matching(_G)), _ONE_ROOK),
    (Missing(_KNIGHT, _KNIGHTS.matching(_KNIGHT)), _KNIGHTS),
    (Missing(_PAWN, _PAWNS.matching(_PAWN)), _PAWNS),
    (Promote(_PROMOTIONS), _PAWNS),
    (questions.Sure(CommandName.RESIGN, Confirm(_D4)), _START),
    (questions.Offered("white"), _START),
    (questions.TakingBack("white"), _START),
    (questions.Replying(("hello", "luck"), Confirm(_D4)), _START),
    (questions.Making(_E4), _START),
    (questions.Making(Position.start("4k3/8/8/8/8/8/8/4K2R w K - 0 1").legal[0]), _START),
    (questions.Claiming(CommandName.CLAIM_FIFTY), _START),
    (questions.Grounds(), _START),
    (questions.Touching(Piece.KNIGHT, (_G1,)), _START),
    (questions.Touching(Piece.KNIGHT, (_B1, _G1)), _START),
    (questions.Topics(("touch", "draw"), Confirm(_D4)), _START),
    (questions.Numbering(1, 5, Confirm(_D4)), _START),
    (questions.Stopped(), _START),
    (Deciding(5), _START),
    (Deciding(5, "warn"), _START),
    (Deciding(5, "warn", (1,)), _START),
    (questions.Signing(COLOURS, "1-0"), _START),
    (questions.Signing(COLOURS[1:], "1-0"), _START),
)


def document(text: str) -> str:
    """The document with each part between its marks made anew."""
    for name, made in _PARTS.items():
        begin, end = f"<!-- {name}: made by scripts/architecture.py -->\n", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"no place for the {name}")
        text = f"{before}{begin}\n{made()}\n{end}{after}"
    return text


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def _text(kind: Any) -> str:
    """The docstring in one line."""
    return re.sub(r"\s+", " ", inspect.cleandoc(kind.__doc__ or ""))


def _fields(kind: Any) -> str:
    own = (each for each in fields(kind) if each.name != "at")
    return "; ".join(f"`{each.name}`: {each.type}" for each in own) or "-"


def _rooms() -> str:
    tree = ast.parse((ROOT / "tests" / "test_architecture.py").read_text("utf-8"))
    floors = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FLOORS"
    )
    rows = []
    for name in reversed(floors):
        room = _PROGRAM / name
        path = room / "__init__.py" if room.is_dir() else room.with_suffix(".py")
        job = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        rows.append((f"`{name}{'/' if room.is_dir() else '.py'}`", job.partition("\n")[0]))
    return _table(("room", "its one job"), rows)


_HAPPENING = ("acessivel.session.events", "acessivel.session.effects")


def _makers() -> Mapping[str, set[str]]:
    """A kind of event or effect -> the modules that make one."""
    made: dict[str, set[str]] = {}
    kinds = {*events.EVENTS, *(kind.__name__ for kind in get_args(effects.Effect))}
    for path in sorted(_PROGRAM.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        names, modules = _imported(tree)
        for called in _called(tree):
            match called:
                case ast.Name(id=name) if name in names & kinds:
                    pass
                case ast.Attribute(value=ast.Name(id=module), attr=name) if module in modules:
                    pass
                case _:
                    continue
            made.setdefault(name, set()).add(f"`{path.relative_to(_PROGRAM).with_suffix('')}`")
    return made


def _called(tree: ast.Module) -> Iterator[ast.expr]:
    """What a module calls, also where one of two kinds is chosen first."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node.func
        elif isinstance(node, ast.IfExp):
            yield from (node.body, node.orelse)


def _imported(tree: ast.Module) -> tuple[set[str], set[str]]:
    """What a module has from those of events and effects, and the names that it has for all of one."""
    names, modules = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in _HAPPENING:
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "acessivel.session":
            modules |= {a.asname or a.name for a in node.names if f"{node.module}.{a.name}" in _HAPPENING}
    return names, modules


def _followers() -> Mapping[str, str]:
    """A kind of event -> the function of the session that deals with it, from the `match` of its step."""
    tree = ast.parse((_PROGRAM / "session" / "step.py").read_text("utf-8"))
    step = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "_happened")
    found = {}
    for case in (case for node in ast.walk(step) if isinstance(node, ast.Match) for case in node.cases):
        kinds = [node.cls for node in ast.walk(case.pattern) if isinstance(node, ast.MatchClass)]
        calls = (ast.unparse(n.func) for line in case.body for n in ast.walk(line) if isinstance(n, ast.Call))
        skipped = ("replace", "with_engine", "Say")
        dealt = next((call for call in calls if call not in skipped), "")
        for kind in kinds:
            found[ast.unparse(kind)] = f"`{dealt if '.' in dealt else f'step.{dealt}'}`"
    return found


def _events() -> str:
    makers, followers = _makers(), _followers()
    return _table(
        ("event", "what", "fields", "made by", "dealt with by"),
        (
            (
                f"`{name}`",
                _text(kind),
                _fields(kind),
                ", ".join(sorted(makers.get(name, ()))) or "-",
                followers.get(name, "-"),
            )
            for name, kind in events.EVENTS.items()
        ),
    )


def _effects() -> str:
    makers = _makers()
    return _table(
        ("effect", "what follows", "fields", "made by"),
        (
            (f"`{k.__name__}`", _text(k), _fields(k), ", ".join(sorted(makers.get(k.__name__, ()))) or "-")
            for k in get_args(effects.Effect)
        ),
    )


def _questions() -> str:
    return _table(("question", "what is asked"), ((f"`{k.__name__}`", _text(k)) for k in get_args(Asking)))


def _deeds() -> str:
    binding = get_args(Binding)
    return _table(
        ("deed", "what is done", "for good"),
        ((f"`{kind.__name__}`", _text(kind), "yes" if kind in binding else "no") for kind in get_args(Deed)),
    )


Outcome = tuple[str, str]  # the next question, and what is done
Row = tuple[str, str, tuple[Outcome, ...]]  # asked, answered with, what that can lead to


def meanings(position: Position) -> Iterator[Meaning]:
    """What can be said in a position, and can be an answer."""
    yield from (Answer(yes=True), Answer(yes=False))
    yield from map(Number, range(13))
    yield from map(PieceNamed, Piece)
    yield from (MovePattern(Place(file)) for file in "abcdefgh")
    yield from (MovePattern(Place(file, rank)) for file in "abcdefgh" for rank in "12345678")
    yield from map(Castling, Side)
    yield from (fact.meaning for fact in position.legal)


def in_words(meaning: Meaning) -> str:
    """What kind of answer a meaning is."""
    if isinstance(meaning, Answer):
        return "yes" if meaning.yes else "no"
    return _WORDS[type(meaning)]


def outcome(asking: Asking, turn: Turn) -> Outcome:
    """What a turn leads to, seen from what was asked before it."""
    following = type(turn.asking).__name__
    if turn.asking == asking:
        following = _SAME
    elif turn.asking == getattr(asking, "before", None):
        following = _BEFORE
    return following, type(turn.do).__name__ if turn.do else ""


def loop() -> Sequence[Row]:
    """What each answer leads to, found by giving it; ValueError for a row of the table that nothing shows."""
    found: dict[tuple[str, str], dict[Outcome, None]] = {}
    shown = set()
    for asking, position in _ASKED:
        for meaning in meanings(position):
            turn = answer_table.answered(asking, meaning, position)
            if turn:
                row = found.setdefault((type(asking).__name__, in_words(meaning)), {})
                row[outcome(asking, turn)] = None
                shown.add((type(asking), type(meaning)))
    rows = answer_table.ANSWERS.keys() | answer_table.ANSWERS_ON_THE_BOARD.keys()
    if hidden := rows - shown - {(questions.Making, Castling)}:
        raise ValueError(f"no answer shows {hidden}")
    return tuple((*key, tuple(outcomes)) for key, outcomes in found.items())


def _repeated() -> Row:
    """What the move that is asked leads to if it is spoken again; each is asked once in what it differs."""
    found: dict[Outcome, None] = {}
    for settled in (False, True):
        asking, beside = Confirm(_E4, settled=settled), [Reading(_D4.meaning)]
        turn = confirmation.respond(asking, [[Reading(_E4.meaning)]], _START, beside=beside)
        found[type(turn.asking).__name__, ""] = None
    return Confirm.__name__, "the same move, spoken again", tuple(found)


def _whatever_is_asked() -> Sequence[Row]:
    """What a move and a command lead to that answer nothing."""
    moves: dict[Outcome, None] = {}
    for position in (_START, _KNIGHTS, _PAWNS):
        for meaning in meanings(position):
            if isinstance(meaning, MovePattern | Castling | PieceNamed):
                turn = confirmation.respond(questions.NOTHING, [[Reading(meaning)]], position)
                moves[type(turn.asking).__name__, ""] = None
    commands: dict[Outcome, None] = {}
    for name in CommandName:
        turn = confirmation.respond(Confirm(_E4), [[Reading(Command(name))]], _START)
        commands[outcome(Confirm(_E4), turn)] = None
    return (
        ("anything", "a move that is no answer", tuple(moves)),
        ("anything", "a command", tuple(commands)),
        ("anything", "what is not understood", ((_SAME, ""),)),
    )


def _confirmation() -> str:
    rows = (
        (asked if asked == "anything" else f"`{asked}`", said, "; or ".join(map(_told, outcomes)))
        for asked, said, outcomes in (*loop(), _repeated(), *_whatever_is_asked())
    )
    return _table(("asked", "answered with", "leads to"), rows)


def _told(outcome: Outcome) -> str:
    following, done = outcome
    named = following if " " in following else f"`{following}`"
    return f"{named}, and does `{done}`" if done else named


def _diagram() -> str:
    """The same for the eye; what asks the same again is left out."""
    edges: dict[tuple[str, str], list[str]] = {}
    for asked, said, outcomes in (*loop(), _repeated()):
        for following, done in outcomes:
            if following != _SAME:
                place = "Before" if following == _BEFORE else following
                edges.setdefault((asked, place), []).append(f"{said}, {done}" if done else said)
    (_, _, moves), *_ = _whatever_is_asked()
    for following, _ in moves:
        if following != Nothing.__name__:
            edges.setdefault((Nothing.__name__, following), []).append("a move")
    lines = [f"    {a} --> {b}: {' / '.join(dict.fromkeys(said))}" for (a, b), said in edges.items()]
    named = f'    state "{_BEFORE}" as Before'
    return "\n".join(["```mermaid", "stateDiagram-v2", "    [*] --> Nothing", named, *lines, "```\n"])


_PARTS: Mapping[str, Callable[[], str]] = {
    "rooms": _rooms,
    "events": _events,
    "questions": _questions,
    "confirmation loop": _confirmation,
    "diagram": _diagram,
    "deeds": _deeds,
    "effects": _effects,
}

if __name__ == "__main__":
    DOCUMENT.write_text(document(DOCUMENT.read_text("utf-8")), "utf-8")
