# SPDX-License-Identifier: GPL-3.0-or-later
"""Valid inputs, mutated: what people say and press in a game, and files of every kind; each case by its seed.

A target is a function of a source of chance and an empty folder; it raises if the program breaks.
"""

import contextlib
import logging
import shutil
import sqlite3
import tempfile
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest

from acessivel import cli
from acessivel.adjournment import envelope
from acessivel.app.drill import DrillActivity
from acessivel.app.game import GameActivity
from acessivel.app.loop import Loop
from acessivel.app.replay import ReplayActivity
from acessivel.commands.cases import read_cases
from acessivel.devices.keyboard import TypedLine
from acessivel.dialogue.questions import Making
from acessivel.drills import announcements, blindfold, colours, files, squares, tactics, targets
from acessivel.drills.round import Round
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.laws.editions import editions
from acessivel.records.pgn_files import games, recorded
from acessivel.records.replayed_game import Replay
from acessivel.session.state import State
from acessivel.settings.settings import Settings
from acessivel.storage.journal import FILE_NAME, Journal
from braille.displays import AltKey, Attached, Character, Detached, Dots, NamedKey, Pressed, RoutingKey
from braille.window import Size
from support.call import call
from support.played_devices import Table
from support.program import PROGRAM, QUIET, environment
from support.trf import NEW, SWISS, TEAMS
from voices.meaning import Answer, Command, CommandName
from voices.understanding.meanings import read, read_typed
from voices.words.files import conventions, languages
from voices.words.lexicon import vocabulary
from voices.words.phrasing import phrasing

Target = Callable[[Random, Path], None]

PGN = """[Event "Open"]
[White "Müller, Ana"]
[Black "Rui"]
[TimeControl "40/5400+30:1800+30"]
[Result "1-0"]

1. e4 {[%clk 1:29:30] Good start.} e5 (1... c5 2. Nf3 (2. c3 -- 3. d4) 2... d6) 2. Bc4 $1 Nc6 3. Qh5 g6? 4. Qf3
Nf6 5. Ne2 Bg7 6. O-O O-O 7. d3 d6 8. a4 a5 9. b4 axb4 10. c3 bxc3 11. a5 Bg4 12. a6 Bxf3 13. axb7 Bxe2 14. bxa8=Q+ Qxa8 1-0

[Variant "Chess960"]
[SetUp "1"]
[FEN "bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN w KQkq - 0 1"]
[Result "*"]

1. e4 e5 2. Ng3 Ng6 *
"""
FEN = "r3k2r/ppp2ppp/2n5/3pP3/8/2N5/PPP2PPP/R3K2R w KQkq d6 0 9"
EPD = (
    f'{FEN.rsplit(" ", 2)[0]} bm exd6; id "one";\n4k3/8/4q3/8/8/8/5KPP/R7 w - - bm Re1; pv Re1 Qxe1+ Kxe1;\n'
)
CONFIG = 'language = "en"\nhear = "keyboard"\nspeak = "off"\nbraille = "off"\nconvention = "nato"\nclock = "90+30s"\nlevel = 3\n'
KEYS = '[keys]\nsend = ["enter"]\nclock_white = ["alt-w"]\nhelp = ["f1", "alt-h"]\n'
CASES = '[{"file": "one.wav", "fen": null}, {"file": "two.wav", "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "language": "de"}]'
# What turns up where nobody expects it.
ODD = (
    "", " ", "\n", "\0", "\x1b[31m", "\u200b", "\u202e", "\ufeff", "é", "e\u0301", "ß", "İ", "⠁", "⠿", "️", "𝔢", "-", "--", "0000", "(", ")",
    "{", "}", "[", "]", "<", ">", '"', "'", "\\", ";", ":", ".", "...", "!", "?", "$999", "%", "#", "=", "=K", "+", "++", "0", "1", "9", "12",
    "88", "00", "-1", "1e999", "NaN", "99999999999999999999", "null", "true", "None", "\t", "\r", "\f", "x" * 300, "Variant", "FEN", "*",
)  # fmt: skip


def run(target: str, seed: int) -> None:
    """Try one case of a target. Raises whatever breaks the program, or AssertionError."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cli, "_logged", _raised)
            patch.setattr(Loop, "_stumble", lambda _, error: _raised(error))
            patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
            TARGETS[target](Random(f"{target} {seed}"), folder)  # noqa: S311
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _raised(error: BaseException) -> Path:
    raise Broken("".join(traceback.format_exception(error))) from error


class Broken(BaseException):
    """An error of the program."""


# What is said and pressed


def _game(rng: Random, folder: Path) -> None:
    """A game between two people: anything is typed, spoken, pressed; time passes."""
    language = rng.choice(languages())
    setup = Setup.of(
        language=language,
        convention=rng.choice(conventions()),
        clock=rng.choice(("none", "none", "5", "90+30s", "40/90+30+30s@1", "1", "3+2d")),
        laws=rng.choice(editions()),
        strict=rng.random() < 0.3,
        two_boards=rng.random() < 0.2,
        supervised=rng.random() < 0.5,
        variant=rng.choice(("standard", "standard", "chess960:0", "chess960:959")),
        fen=rng.choice((None, None, None, FEN, "8/P6k/8/8/8/8/p6K/8 w - - 98 70")),
    )
    if setup.beginning.fen:
        setup = Setup.of(**(setup.flat() | {"variant": "standard"}))
    journal = Journal(folder)
    stored = journal.begin(setup, "2026-01-01T00:00:00")
    number = stored.id
    table = Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report), language)
    for _ in range(40):
        _step(rng, table)
        if table.activity.over:
            break
    table.loop._farewell = lambda: None
    again = journal.load(number).state
    assert again.game.played == table.activity.state.game.played, "the journal tells another game"
    assert again.game.position == table.activity.state.game.position
    journal.close()


def _step(rng: Random, table: Table) -> None:
    """One thing that happens; only what is plainly a yes makes a move."""
    state = table.activity.state
    before, line = len(state.game.played), ""
    if rng.random() < 0.15:
        table.loop._began -= rng.choice((0.1, 3, 70, 4000))
    match rng.random():
        case chance if chance < 0.75:
            line = _utterance(rng, state)
            table.happen(TypedLine(line))
        case chance if chance < 0.8 and table.ear.turn is not None:
            line = _utterance(rng, state)
            table.heard(line)
        case chance if chance < 0.95:
            table.happen(Pressed(_key(rng)))
            return  # Enter and the routing keys are a yes too
        case chance if chance < 0.97:
            table.happen(Detached("gone"))
            table.happen(Attached(Size(1, rng.choice((8, 20, 40, 80)))))
        case _:
            table.spoken()
    said_in = state.setup.language, state.setup.convention
    meanings = {one.meaning for reads in (read, read_typed) for one in reads(line.strip(), *said_in)}
    done = isinstance(state.asking, Making)  # with two boards, the opponent may repeat the move that is made
    yes = any(isinstance(one, Answer) and one.yes for one in meanings)
    says_yes = yes or Command(CommandName.PRESS) in meanings or (done and meanings)
    assert len(table.activity.state.game.played) == before or says_yes, f"{line!r} has made a move"


def _key(rng: Random) -> object:
    return rng.choice((
        rng.choice(list(NamedKey)), AltKey(rng.choice("abcdefghijklmnopqrstuvwxyzABCDEFGHJKLT0123456789+-*/()?.,")),
        RoutingKey(rng.choice((0, 1, 5, 10, 39, 79, 500))), Character(rng.choice("e4NOxy1 ?\x00é")), Dots(rng.randrange(256)),
    ))  # fmt: skip


def _utterance(rng: Random, state: State) -> str:
    """A line that somebody may type: a move, an answer, a command, words; often with a slip in it."""
    language = state.setup.language if rng.random() < 0.85 else rng.choice(languages())
    convention = state.setup.convention if rng.random() < 0.7 else rng.choice(conventions())
    words = vocabulary(language)
    legal = state.game.position.legal
    match rng.random():
        case chance if chance < 0.3:
            line = words.say("answer", "yes" if rng.random() < 0.8 else "no")
        case chance if chance < 0.55 and legal:
            fact = rng.choice(legal)
            said = phrasing(convention, language).move(fact.meaning, spoken=rng.random() < 0.5)
            line = rng.choice((fact.uci, fact.san, said, said, said))
        case chance if chance < 0.75:
            line = rng.choice([phrase for phrase, _, _ in words.commands()])
            for slot in ("piece", "square", "file", "rank", "number"):
                line = line.replace(f"{{{slot}}}", rng.choice(_words(language, slot)))
        case chance if chance < 0.85:
            line = rng.choice(
                (
                    "12",
                    "45",
                    "1",
                    "8",
                    "0",
                    "h",
                    "e",
                    "e2",
                    "e9",
                    "i4",
                    "Nd",
                    "x",
                    "ex",
                    "0-0",
                    "=Q",
                    "90",
                    "2099-11-22 15:00",
                )
            )
        case _:
            kinds = ("file", "rank", "piece", "castling", "mark", "count", "answer")
            line = " ".join(rng.choice(_words(language, rng.choice(kinds))) for _ in range(rng.randint(1, 4)))
    return _mutated(rng, line) if rng.random() < 0.25 else line


@cache
def _words(language: str, kind: str) -> tuple[str, ...]:
    words = vocabulary(language)
    if kind == "square":
        return ("e4", "a1", "h8", *(f"{file} {rank}" for file in _words(language, "file") for rank in "18"))
    return tuple(phrase for phrase, _ in words.all("count" if kind == "number" else kind)) or ("4",)


def _replay(rng: Random, folder: Path) -> None:
    """A record that is stepped through."""
    del folder
    language = rng.choice(languages())
    game = next(games(_Bytes(PGN)))
    replay = Replay.of(Setup.of(language=language), recorded(game))
    table = Table(lambda _: ReplayActivity(replay, (language, "fide")), language)
    steps = (
        "",
        "forward",
        "back",
        "variation 1",
        "main line",
        "move 3",
        "move 99",
        "next capture",
        "comment",
        "end",
    )
    for _ in range(30):
        if rng.random() < 0.3:
            table.happen(Pressed(_key(rng)))
        line = rng.choice(steps) if rng.random() < 0.5 else _utterance(rng, table.activity._replay.state)
        table.happen(TypedLine(_mutated(rng, line) if rng.random() < 0.2 else line))
        if table.activity.over:
            break


def _drill(rng: Random, folder: Path) -> None:
    """A round of each drill."""
    del folder
    language = rng.choice(languages())
    played, tasks = files.own_games(), files.own_exercises()
    drills = (
        lambda: colours.questions(rng),
        lambda: squares.questions(rng, language),
        lambda: targets.questions(rng, rng.choice(list(targets.PIECES.values()))),
        lambda: announcements.questions(rng, played),
        lambda: blindfold.questions(rng, played),
        lambda: tactics.questions(rng, tasks),
    )
    round_ = Round(rng.choice(drills)(), 10)
    table = Table(lambda loop: DrillActivity(round_, loop.devices, (language, "fide"), lambda: ()), language)
    start = State.new(Setup.of(language=language))
    for _ in range(30):
        if rng.random() < 0.3:
            table.happen(Pressed(_key(rng)))
        table.happen(TypedLine(_utterance(rng, start)))
        if table.activity.over:
            break


# Files


def _mutated(rng: Random, text: str, most: int = 3) -> str:
    """A text with some slips: signs left out, doubled, exchanged, or others among them."""
    for _ in range(rng.randint(1, most)):
        at, to = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
        to = min(to, at + rng.choice((1, 1, 2, 8, 10_000)))
        match rng.randrange(6):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:at] + text[at:to] * rng.choice((2, 2, 3, 50)) + text[to:]
            case 2:
                text = text[:at] + rng.choice(ODD) + text[at:]
            case 3:
                text = text[:at] + rng.choice(ODD) + text[to:]
            case 4:
                text = text[:at] + text[at:to][::-1] + text[to:]
            case 5 if text:
                sign = rng.choice(text)
                text = text[:at] + sign + text[min(at + 1, len(text)) :]
    return text


def _written(rng: Random, path: Path, text: str, most: int = 3) -> Path:
    """A file with a mutated text, now and then with bytes that are no text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = _mutated(rng, text, most).encode(errors="surrogatepass")
    if rng.random() < 0.15:
        at = rng.randint(0, len(data))
        data = data[:at] + rng.randbytes(rng.randint(1, 4)) + data[at:]
    path.write_bytes(data)
    return path


class _Bytes:
    """A file in memory."""

    def __init__(self, text: str) -> None:
        self._lines = iter(text.encode().splitlines(keepends=True))

    def readline(self, _: int = -1) -> bytes:
        return next(self._lines, b"")


def _called(folder: Path, *words: object, typed: str = "") -> None:
    """Run a command: it does what is asked, or refuses in one sentence."""
    code, _, errors = call([str(PROGRAM), *map(str, words)], typed.encode(), environment(folder))
    assert code in (0, 2), (code, words, errors.decode(errors="replace"))
    assert b"Traceback" not in errors, errors.decode(errors="replace")
    assert code == 0 or errors.strip(), f"{words} refused without a word"


_TYPED = "e4\nyes\nforward\ne\nyes\nblack\nstop\nyes\n"
_ON_A_RECORD = (
    ("record", "FILE", "--format", "pgn"),
    ("record", "FILE", "--format", "text"),
    ("record", "FILE", "--format", "unicode", "--language", "de"),
    ("record", "FILE", "--format", "brf", "--diagram", "0"),
    ("replay", "FILE", *QUIET),
    ("play", "--opponent", "human", *QUIET, "--introduction", "off", "--from", "FILE"),
    ("play", "--opponent", "human", *QUIET, "--introduction", "off", "--from", "FILE", "--at", "2"),
    ("reconcile", "FILE", "FILE", *QUIET[2:]),
)
_ON_GAMES = tuple(("practice", drill, *QUIET, "--from", "FILE") for drill in ("follow", "repeat", "tactics"))


def _file(
    name: str, text: Callable[[Path], str], commands: tuple[tuple[str, ...], ...], most: int = 3
) -> Target:
    def target(rng: Random, folder: Path) -> None:
        path = _written(rng, folder / name, text(folder), most)
        words = [str(path) if word == "FILE" else word for word in rng.choice(commands)]
        _called(folder, *words, typed=_TYPED)

    return target


@cache
def _in_braille(form: str) -> str:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    try:
        (folder / "game.pgn").write_text(PGN.split("[Variant", maxsplit=1)[0], "utf-8")
        done = folder / f"game.{form}"
        _called(
            folder,
            "record",
            folder / "game.pgn",
            "--format",
            {"txt": "unicode"}.get(form, form),
            "-o",
            done,
            "--language",
            "pt",
        )
        return done.read_bytes().decode()
    finally:
        shutil.rmtree(folder)


def _config(rng: Random, folder: Path) -> None:
    _written(rng, folder / ".config/acessivel/config.toml", CONFIG)
    _called(
        folder,
        *rng.choice((("play", "--opponent", "human", *QUIET), ("games",), ("keys",), ("config",))),
        typed=_TYPED,
    )


def _keys(rng: Random, folder: Path) -> None:
    _written(rng, folder / ".config/acessivel/keys.toml", KEYS)
    _called(folder, *rng.choice((("keys",), ("play", "--opponent", "human", *QUIET))), typed=_TYPED)


def _convention(rng: Random, folder: Path) -> None:
    text = Path(__file__).parents[2].joinpath("voices/words/nato.toml").read_text("utf-8")
    path = _written(rng, folder / "mine.toml", text)
    if rng.random() < 0.5:
        _called(folder, "read", "--convention", path, "e4", *("--language", "en"))
    else:
        _called(folder, "play", "--opponent", "human", *QUIET, "--convention", path, typed=_TYPED)


def _cases(rng: Random, folder: Path) -> None:
    with contextlib.suppress(UserError):
        read_cases(_written(rng, folder / "cases.json", CASES), Settings(language="de"))


def _envelope(rng: Random, folder: Path) -> None:
    """An envelope opens as it was sealed, or not at all."""
    text = _sealed()
    path = _written(rng, folder / "envelope.json", text, 2)
    with contextlib.suppress(envelope.EnvelopeError):
        opened = envelope.unseal(envelope.read(path), "a long passphrase")
        assert opened == envelope.unseal(text, "a long passphrase")


@cache
def _sealed() -> str:
    label = envelope.Label(
        3, "Ana", "Rui", FEN, 61_000, None, "white", "Ana", 9, "", "2026-11-22T15:00", "São João", "00" * 16
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(envelope, "_COST", 2**14)
        return envelope.seal(label, "e5d6", "a long passphrase")


def _journal(rng: Random, folder: Path) -> None:
    """A file of games in which something has changed."""
    save = folder / "games"
    journal = Journal(save)
    setup = Setup.of(language="en", clock="90+30s")
    stored = journal.begin(setup, "2026-01-01T00:00:00")
    table = Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report), "en")
    for line in ("e4", "yes", "e5", "yes", "Nf3", "yes"):
        table.happen(TypedLine(line))
    journal.close()
    (_spoiled_row if rng.random() < 0.6 else _spoiled_bytes)(rng, save / FILE_NAME)
    words = rng.choice(
        (("games",), ("record", "1"), ("replay", "1", *QUIET), ("resume", "1", *QUIET), ("resume", *QUIET))
    )
    _called(folder, *words, "--save", save, typed="stop\nyes\n")


# Where something may have changed: how its rows are read, and how one of them is written.
_COLUMNS = (
    ("SELECT number, event FROM entry", "UPDATE entry SET event = ? WHERE number = ?"),
    ("SELECT number, move FROM entry", "UPDATE entry SET move = ? WHERE number = ?"),
    ("SELECT id, setup FROM game", "UPDATE game SET setup = ? WHERE id = ?"),
    ("SELECT id, started FROM game", "UPDATE game SET started = ? WHERE id = ?"),
)


def _spoiled_row(rng: Random, path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        for (drop,) in db.execute(
            "SELECT 'DROP TRIGGER ' || name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            db.execute(drop)
        rows, change = rng.choice(_COLUMNS)
        row, old = rng.choice(db.execute(rows).fetchall())
        db.execute(change, (_mutated(rng, old or "e2e4"), row))
        db.commit()


def _spoiled_bytes(rng: Random, path: Path) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(rng.randint(1, 5)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    path.write_bytes(bytes(data[: rng.randint(1, len(data))] if rng.random() < 0.3 else data))


_BRAILLE = {
    f"braille-{form}": _file(f"game.{form}", lambda _, form=form: _in_braille(form), _ON_A_RECORD)
    for form in ("brf", "pef", "txt")
}
TARGETS: dict[str, Target] = {
    "game": _game,
    "replay": _replay,
    "drill": _drill,
    "pgn": _file("game.pgn", lambda _: PGN, _ON_A_RECORD + _ON_GAMES),
    **_BRAILLE,
    "fen": _file("game.fen", lambda _: FEN, _ON_A_RECORD[5:6]),
    "epd": _file("game.epd", lambda _: EPD, (*_ON_A_RECORD[5:6], _ON_GAMES[2])),
    "trf": _file(
        "event.trf",
        lambda _: SWISS,
        (("event", "FILE", *QUIET[2:]), ("event", "FILE", "--player", "1", *QUIET[2:])),
    ),
    "trf26": _file(
        "event.trf",
        lambda _: NEW,
        (
            ("event", "FILE", "--pairings", *QUIET[2:]),
            ("event", "FILE", "--trf", "16", *QUIET[2:]),
        ),
    ),
    "trf-teams": _file("event.trf", lambda _: TEAMS, (("event", "FILE", *QUIET[2:]),)),
    "config": _config,
    "keys": _keys,
    "convention": _convention,
    "cases": _cases,
    "envelope": _envelope,
    "journal": _journal,
}
logging.getLogger("chess").setLevel(logging.CRITICAL)
