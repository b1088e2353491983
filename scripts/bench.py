# SPDX-License-Identifier: GPL-3.0-or-later
"""`make bench`: how long a player waits, and how much memory the program takes; prints percentiles."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import wave
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import chess.engine  # noqa: E402
import chess.pgn  # noqa: E402
from support.brltty import VirtualBrltty  # noqa: E402
from support.browser import Browser, Stream  # noqa: E402
from support.program import PROGRAM, QUIET, Running, environment  # noqa: E402

from acessivel.devices.braille_panel import BraillePanel  # noqa: E402
from acessivel.devices.engine import find_engine  # noqa: E402
from acessivel.game.game import Setup  # noqa: E402
from acessivel.rules import dead_positions  # noqa: E402
from acessivel.rules.position import Position  # noqa: E402
from acessivel.session import effects as ef  # noqa: E402
from acessivel.session import events as ev  # noqa: E402
from acessivel.session.state import State  # noqa: E402
from acessivel.session.step import step  # noqa: E402
from acessivel.storage.journal import Journal  # noqa: E402
from braille.displays.brlapi import BrlapiDisplay  # noqa: E402
from voices.grammar import grammar  # noqa: E402
from voices.hearing import decision  # noqa: E402
from voices.hearing.endpointer import Patience  # noqa: E402
from voices.hearing.utterances import Listener, Utterance  # noqa: E402
from voices.recognisers.joined import JoinedRecogniser  # noqa: E402
from voices.recognisers.network import NetworkRecogniser  # noqa: E402
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser  # noqa: E402
from voices.sound.source import open_wav  # noqa: E402
from voices.speakers.synthesis import synthesise  # noqa: E402
from voices.words.phrasing import phrasing  # noqa: E402

WORDS = ("fide", "pt")


def report(name: str, unit: str, values: Iterable[float]) -> None:
    """One line: median, 95th percentile, most."""
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    middle, most = statistics.median(ordered), ordered[-1]
    print(f"{name}: median {middle:.1f}, 95 % {p95:.1f}, most {most:.1f} {unit} ({len(ordered)})")


def commit_to_cells(moves: int = 200) -> list[float]:
    """From the confirmation of a move to its cells on the virtual display, journal and all, in ms."""
    spent = []
    with tempfile.TemporaryDirectory() as folder, VirtualBrltty(40) as brltty:
        display = BrlapiDisplay(lambda _: None, brltty.host, "none")
        panel = BraillePanel(display, "pt", "fide")
        journal = Journal(Path(folder))
        state, entries = State.new(Setup()), 0
        game = journal.create(state.setup, "2026-01-01")
        for _ in range(moves):
            if not state.game.position.legal or state.game.result:
                state = State.new(Setup())
                game, entries = journal.create(state.setup, "2026-01-01"), 0
            fact = state.game.position.legal[entries * 7 % len(state.game.position.legal)]
            words = phrasing(*WORDS).move(fact.meaning, spoken=True)
            asked, _ = step(state, ev.Heard(words=(words,)))
            journal.append(game, entries, ev.Heard(words=(words,)), state, asked)
            shown = brltty.cells
            began = time.perf_counter()
            played, effects = step(asked, ev.Heard(words=("ja",)))
            journal.append(game, entries + 1, ev.Heard(words=("ja",)), asked, played)
            for effect in effects:
                if isinstance(effect, ef.Say):
                    panel.show(played, effect.messages)
            brltty.wait_for(lambda cells, before=shown: cells != before)
            spent.append((time.perf_counter() - began) * 1000)
            state, entries = played, entries + 2
        panel.close()
        journal.close()
    return spent


def _follow_with_silence(recording: Path, seconds: int = 2) -> None:
    """So that the silence ends the utterance, not the end of the file, which comes without warning."""
    with wave.open(str(recording)) as file:
        settings, audio = file.getparams(), file.readframes(file.getnframes())
    with wave.open(str(recording), "wb") as file:
        file.setparams(settings)
        file.writeframes(audio + bytes(settings.framerate * settings.sampwidth * seconds))


def utterance_to_decision(count: int = 20) -> list[float]:
    """From the end of the utterance (found after the silence that ends it) to the decision, in ms."""
    import queue  # noqa: PLC0415

    recogniser = JoinedRecogniser(PocketsphinxRecogniser(grammar.pronunciations(*WORDS)), NetworkRecogniser())
    expectation = grammar.expectation((fact.meaning for fact in Position.start().legal), *WORDS)
    spent = []
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "utterance.wav"
        synthesise("Springer Gustav eins Felix drei", recording)
        _follow_with_silence(recording)
        for _ in range(count):
            news: queue.SimpleQueue[object] = queue.SimpleQueue()
            listener = Listener(open_wav(recording, realtime=True), recogniser, news.put)
            listener.expect(*expectation)
            listener.resume()
            while not isinstance(heard := news.get(timeout=30), Utterance):
                pass
            began = time.perf_counter()
            words = decision.decide(heard.hypotheses, grammar.yeses("fide", "pt")).readings
            step(State.new(Setup()), ev.Heard(words=words))
            spent.append(heard.decision_ms + (time.perf_counter() - began) * 1000)
            listener.close()
    recogniser.close()
    return spent


def start_to_ready(runs: int = 5) -> tuple[list[float], list[float]]:
    """From the start of the program to its readiness, in ms, and its resident memory then, in MB."""
    spent, memory = [], []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        recording = home / "silence.wav"
        synthesise("Springer Gustav eins Felix drei", recording)
        options = ("--opponent", "human", "--hear", "pocketsphinx", "--microphone", recording)
        for _ in range(runs):
            began = time.perf_counter()
            with Running(
                home, "play", *options, "--speak", "off", "--braille", "off", "--save", home / "games"
            ) as program:
                program.wait_for("Jogam as Brancas")
                spent.append((time.perf_counter() - began) * 1000)
                program.wait_for("?")
                memory.append(resident_mb(program.process.pid))
    return spent, memory


def long_game(plies: int = 800, runs: int = 5) -> tuple[list[float], list[float]]:
    """To go on with a game of so many half-moves, and to write its record: processor time in ms."""
    chance = random.Random(1)
    resumed, recorded = [], []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        journal = Journal(home)
        state = State.new(Setup.of(clock="90+30"))
        game, entries = journal.create(state.setup, "2026-01-01"), 0
        while len(state.game.played) < plies:
            # No capture, and a pawn's move only when it must be: so that nothing ends the game.
            quiet = [fact for fact in state.game.position.legal if "x" not in fact.san]
            pieces = [fact for fact in quiet if fact.san[0].isupper()]
            pawns = [fact for fact in quiet if fact.san[0].islower()]
            late = state.game.position.quiet_plies() > 120
            fact = chance.choice((pawns if late else pieces) or pawns or state.game.position.legal)
            for words in (phrasing(*WORDS).move(fact.meaning, spoken=True), "ja"):
                event = ev.Heard(words=(words,), at=entries * 500)
                after, _ = step(state, event)
                journal.append(game, entries, event, state, after)
                state, entries = after, entries + 1
        journal.close()
        for _ in range(runs):
            resumed.append(processor_ms(home, "resume", str(game), *QUIET, "--save", folder))
            recorded.append(processor_ms(home, "record", str(game), "--save", folder))
    return resumed, recorded


def processor_ms(home: Path, *arguments: str) -> float:
    """The processor time of the program, in ms."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [PROGRAM, *arguments], env=environment(home), input=b"", stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def games_through_brf(*, annotated: bool, count: int = 10_000) -> tuple[float, float, list[float]]:
    """A PGN file of games to BRF, and back: games per second, and the memory at each 1,000 games, in MB.

    `annotated`: with the time after each move, and with variations, marks and comments at each fifth.
    """
    memory: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "games.pgn").write_text(f"{_game_of_80_plies(annotated=annotated)}\n\n" * count)
        spent = []
        for options in (
            ("games.pgn", "--format", "brf", "-o", "games.brf"),
            ("games.brf", "-o", "again.pgn"),
        ):
            began = time.perf_counter()
            with subprocess.Popen(
                [PROGRAM, "record", *options, "--code", "uk"],
                cwd=home, env=environment(home), stderr=subprocess.PIPE,
            ) as program:  # fmt: skip
                memory += [resident_mb(program.pid) for _ in program.stderr or ()]
            spent.append(time.perf_counter() - began)
        there, back = spent
        return count / there, count / back, memory


def _game_of_80_plies(*, annotated: bool) -> chess.pgn.Game:
    chance = random.Random(1)
    position = Position.start()
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    for ply in range(80):
        fact, other = chance.sample(position.legal, 2)
        if annotated and ply % 5 == 0:
            comment = "A better plan was 13.Qc2! (+0.35), which FIDE's rules allow."
            node.add_variation(chess.Move.from_uci(other.uci), comment=comment)
        position = position.after(fact.uci)
        node = node.add_main_variation(chess.Move.from_uci(fact.uci))
        if annotated:
            node.set_clock(5400 - 30 * ply)
        if annotated and ply % 5 == 0:
            node.nags.add(1)
            node.comment += " White plays on the queen side, and Black has to find 12...Nf6 now."
    return game


def random_games(chance: random.Random) -> Iterator[chess.Board]:
    """Positions of games whose moves are drawn by lot, one a game, the game still going on."""
    while True:
        board, plies = chess.Board(), chance.randint(2, 320)
        while len(board.move_stack) < plies and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
        if not board.is_game_over():
            yield board


def engine_games(chance: random.Random) -> Iterator[chess.Board]:
    """Positions of games that Stockfish plays against itself as weak players do, eight a game."""
    program = find_engine()
    if program is None:
        return
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        while True:
            board, met = chess.Board(), []
            skills = [chance.choice((0, 0, 1, 3, 5, 8)) for _ in chess.COLORS]
            for _ in range(chance.randint(2, 8)):  # so that no two games are alike
                board.push(chance.choice(list(board.legal_moves) or [chess.Move.null()]))
            while board.is_valid() and not board.is_game_over() and len(met) < 260:
                engine.configure({"Skill Level": skills[board.turn]})
                board.push(engine.play(board, chess.engine.Limit(nodes=200)).move or chess.Move.null())
                met += [] if board.is_game_over() else [board.copy(stack=False)]
            yield from chance.sample(met, min(8, len(met)))


def after_a_move(games: int = 30) -> list[float]:
    """How long it takes after each move to find out whether the position is dead, in ms."""
    chance, spent = random.Random(1), []
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 200:
            board.push(chance.choice(list(board.legal_moves)))
            began = time.perf_counter()
            dead_positions.is_dead(board)
            spent.append((time.perf_counter() - began) * 1000)
    return spent


def at_the_flag(
    boards: Iterator[chess.Board], count: int = 1250
) -> tuple[list[float], list[float], int, int]:
    """Whether White can mate, and Black, in so many positions.

    The ms and the positions looked at until the answer; how many answers were open at once, and for good.
    """
    spent, looked, at_once, for_good = [], [], 0, 0
    for board in itertools.islice(boards, count):
        for colour in chess.COLORS:
            began = time.process_time()
            found = dead_positions.search(board, colour, dead_positions.AT_ONCE)
            spent.append((time.process_time() - began) * 1000)
            looked.append(float(found.positions))
            open_ = found.verdict == "undecided"
            at_once += open_
            for_good += (
                open_ and dead_positions.can_mate(board, colour, dead_positions.THOROUGHLY) == "undecided"
            )
    return spent, looked, at_once, for_good


def resident_mb(pid: int) -> float:
    """The resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


def played_on_pages(spectators: int = 20, moves: int = 40, pause_s: float = 1.0) -> tuple[list[float], float]:
    """From the commit of a move, told on the screen, to its squares at one of so many spectators, in ms.

    Also how much of one core the program takes meanwhile, in percent: a move each second, a fast blitz game.
    """
    spent: list[float] = []
    quiet = ("--speak", "off", "--braille", "off", "--hear", "keyboard", "--language", "en")
    with tempfile.TemporaryDirectory() as home, contextlib.ExitStack() as stack:
        played = ("play", "--opponent", "human", "--introduction", "off", "--web", "--clock", "5+3", *quiet)
        program = stack.enter_context(Running(home, *played))
        pages = {}
        while "Spectator" not in pages:
            role, _, link = program.wait_for("http://").partition(": ")
            pages[role] = link
        both, *watching = (_page(stack, pages[role]) for role in ("Both sides", *["Spectator"] * spectators))
        for browser in watching[1:]:
            threading.Thread(target=_read, args=(browser.streams[0],), daemon=True).start()
        seen = watching[0].streams[0]
        board = chess.Board()
        began_s, began_ms = time.perf_counter(), _processor_ms(program.process.pid)
        for number in range(moves):
            time.sleep(pause_s)
            move = list(board.legal_moves)[number * 7 % board.legal_moves.count()]
            uci = move.uci()
            both.type(uci)
            both.streams[0].state(lambda state, uci=uci: (state["asked"] or {}).get("move") == uci)
            both.type("yes")
            program.wait_for(f"{board.fullmove_number}, {'White' if board.turn else 'Black'}:")
            began = time.perf_counter()
            board.push(move)
            seen.state(lambda state, made=number + 1: _half_moves(state) == made)
            spent.append((time.perf_counter() - began) * 1000)
        used = _processor_ms(program.process.pid) - began_ms
        return spent, used / ((time.perf_counter() - began_s) * 10)


def _page(stack: contextlib.ExitStack, link: str) -> Browser:
    """A browser with the page of a link, which is open."""
    browser = Browser(link)
    stack.callback(browser.close)
    while browser.enter() != 204:  # keys are taken at most five times a second
        time.sleep(0.2)
    browser.follow().state()
    return browser


def _read(stream: Stream) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        while stream.event():
            pass


def _half_moves(state: dict[str, Any]) -> int:
    return sum(bool(line[colour]) for line in state["moves_made"] for colour in ("white", "black"))


def _processor_ms(pid: int) -> float:
    """The processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Run every measurement."""
    report("Commit of a move to the cells on the display", "ms", commit_to_cells())
    print(f"(An utterance ends after {Patience().silence} s of silence; the decision is counted from there.)")
    report("End of the utterance to the decision", "ms", utterance_to_decision())
    spent, percent = played_on_pages()
    report("Commit of a move to its squares on the page of one of 20 spectators", "ms", spent)
    print(f"Meanwhile, with a move each second, the program takes {percent:.1f} % of a core")
    ready, memory = start_to_ready()
    report("Start to ready, with pocketsphinx and the network", "ms", ready)
    report("Resident memory with pocketsphinx and the network", "MB", memory)
    report("Whether a position is dead, after a move", "ms", after_a_move())
    for games, boards in (("random moves", random_games), ("Stockfish at low levels", engine_games)):
        spent, looked, at_once, for_good = at_the_flag(boards(random.Random(1)))
        if spent:
            report(f"Whether a side can still mate, games of {games}, processor time", "ms", spent)
            report("Positions looked at for it", "positions", looked)
            print(f"Undecided at once: {at_once}, after a thorough search: {for_good}, of {len(spent)}")
    resumed, recorded = long_game()
    report("To go on with a game of 800 half-moves, processor time", "ms", resumed)
    report("To write its record, processor time", "ms", recorded)
    for annotated in (False, True):
        there, back, memory = games_through_brf(annotated=annotated)
        kind = "annotated games" if annotated else "games without comments"
        print(f"PGN to BRF and back, {kind}: {there:.0f} and {back:.0f} games per second")
        report("Resident memory meanwhile, at each 1,000 games", "MB", memory)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
