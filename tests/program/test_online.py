# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program plays at a fake server: against another one, killed and resumed, by correspondence."""

import contextlib

import chess
import chess.pgn
import pytest
from support.brltty import VirtualBrltty, needs_brltty
from support.hands import Hands, ends_with, shows
from support.lichess import FakeLichess
from support.online_program import KEYRING, WORDS, log_in, online
from support.program import QUIET, Running, game_of, run
from support.pulse import PrivatePulse

from braille.notation import load_code
from voices.speakers.synthesis import synthesise

# Mate in four, with the words of each move.
GAME = (
    ("e4", "e2e4"), ("e5", "e7e5"), ("Bc4", "f1c4"), ("Nc6", "b8c6"), ("Qh5", "d1h5"), ("Nf6", "g8f6"), ("Qxf7", "h5f7"),
)  # fmt: skip
# A quiet beginning, for games that go on.
MOVES = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 e8g8 b1d2 a7a6 c4b3 c5a7".split()


def played(home, number=1):
    """The moves of a record, in UCI."""
    return [move.uci() for move in game_of(home, number=number).mainline_moves()]


@pytest.fixture
def lichess():
    with FakeLichess(heartbeat_s=0.2) as fake:
        yield fake


def announce(program, words):
    """Announce a move and confirm it."""
    program.type(words)
    program.wait_for("?")
    program.type("yes")


def stands(lichess, game, *moves):
    """Wait until these are the moves at the server."""
    lichess.until(lambda: lichess.moves(game) == list(moves))


def test_two_programs_play_each_other_from_the_search_to_mate(tmp_path, lichess):
    for name in ("Ana", "Bob"):
        log_in(tmp_path / name, lichess, name)
    with online(tmp_path / "Ana", lichess, "seek", "15+10", "--side", "white") as ana:
        lichess.until(lambda: lichess.seeks)
        with online(tmp_path / "Bob", lichess) as bob:
            bob.wait_for("Logged in as Bob.")
            bob.type("play online fifteen ten")
            sides = [ana, bob]
            for side in sides:
                side.wait_for("Online game: you play")
            if lichess.games and next(iter(lichess.games.values())).players["white"].name != "Ana":
                sides.reverse()
            for number, (words, _) in enumerate(GAME):
                announce(sides[number % 2], words)
                if number < len(GAME) - 1:
                    sides[1 - number % 2].wait_for(
                        f"{number // 2 + 1}, {'Black' if number % 2 else 'White'}: "
                    )
            for side in sides:
                assert "mate" in side.wait_for("mate")
                side.type("stop")
                side.type("yes")
                side.wait_for("Online.")
                side.type("stop")
                side.type("yes")
                side.close(0)
    (game,) = lichess.games.values()
    assert [uci for _, uci in GAME] == lichess.moves(game.id)
    records = [run(tmp_path / name, "record", "1")[0] for name in ("Ana", "Bob")]
    moves = [[line for line in record if line and not line.startswith("[")] for record in records]
    assert moves[0] == moves[1]
    assert moves[0][-1].endswith("1-0"), moves


@pytest.mark.parametrize("over", [False, True])
def test_a_game_on_this_computer_leads_online_and_is_kept(tmp_path, lichess, over):
    log_in(tmp_path, lichess, "Ana")
    settings = tmp_path / ".config/acessivel/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'online_server = "{lichess.url}"\n')
    with Running(tmp_path, "play", "--opponent", "human", *QUIET, *WORDS, **KEYRING) as program:
        announce(program, "e4")
        program.wait_for("Black to move")
        if over:
            for line in ("resign", "yes"):
                program.type(line)
            program.wait_for("wins")
            program.type("play online")
        else:
            program.type("play online")
            program.wait_for("Do you want to play online? This game is kept.")
            program.type("yes")
            program.wait_for("acessivel resume 1")
        program.wait_for("Logged in as Ana.")
        program.type("play online fifteen ten")
        lichess.until(lambda: lichess.seeks)
        for line in ("stop", "yes"):
            program.type(line)
        program.close(0)
    assert played(tmp_path) == ["e2e4"]


@pytest.mark.parametrize("confirmed", [False, True])
def test_killed_in_the_middle_it_goes_on_where_the_game_stands(tmp_path, lichess, confirmed):
    log_in(tmp_path, lichess, "Ana")
    game = lichess.start("Ana", "Bob")
    with online(tmp_path, lichess) as program:
        program.wait_for("Online game: you play White against Bob")
        announce(program, "e4")
        stands(lichess, game, "e2e4")
        lichess.act("Bob", "move", game, "e7e5")
        program.wait_for("1, Black: ")
        program.type("Nf3")
        program.wait_for("Knight g1 f3?")
        if confirmed:
            program.type("yes")
            program.wait_for("Sent: ")
        program.kill()
    lichess.until(lambda: not lichess.listening("Ana", game))
    if confirmed:
        lichess.act("Bob", "move", game, "b8c6") if "g1f3" in lichess.moves(game) else None
    with Running(tmp_path, "resume", *QUIET, **KEYRING) as program:
        program.wait_for("White to move" if lichess.games[game].turn == "white" else "Black to move")
        if "g1f3" not in lichess.moves(game):
            if not confirmed:
                announce(program, "Nf3")
            lichess.until(lambda: "g1f3" in lichess.moves(game))
        program.type("resign")
        program.type("yes")
        program.wait_for("Black wins")
        for line in ("stop", "yes", "stop", "yes"):
            program.type(line)
        program.close(0)
    assert played(tmp_path) == lichess.moves(game)
    assert lichess.moves(game).count("g1f3") == 1


def test_after_a_game_that_was_resumed_a_rematch_is_asked_for_too(tmp_path, lichess):
    log_in(tmp_path, lichess, "Ana")
    lichess.user("Bob")
    game = lichess.start("Ana", "Bob")
    with online(tmp_path, lichess) as program:
        program.wait_for("Online game: you play White against Bob")
        program.kill()
    with Running(tmp_path, "resume", *QUIET, **KEYRING) as program:
        program.wait_for("White to move")
        lichess.act("Bob", "resign", game)
        program.wait_for("You won")
        program.type("rematch")
        program.type("yes")
        program.wait_for("Bob is challenged: 15+10, casual, you play Black.")
        program.kill()


class Reader(Hands):
    """A player who has nothing but the display: lines are read in its cells, and pressed by its routing keys."""

    CODE = load_code("pt8")

    @contextlib.contextmanager
    def news(self):
        """Meanwhile something happens that is shown by itself: from its beginning, wherever the reader was."""
        before = self.display.cells
        yield
        self.display.wait_for(lambda cells: cells != before)
        self.panned = False

    def choose(self, line):
        """Press the line that ends with this."""
        word = self.CODE.text(line)
        self.route(self.find(lambda cells: ends_with(cells, word)))


@needs_brltty
def test_a_whole_game_by_the_keys_of_a_display_alone(tmp_path, lichess):
    log_in(tmp_path, lichess, "Ana")
    devices = ("--hear", "keyboard", "--speak", "off", "--braille", "brlapi")
    with (
        VirtualBrltty(40) as display,
        online(tmp_path, lichess, devices=devices, words=("--language", "pt"), **display.env) as program,
    ):
        program.process.stdin.close()  # nobody types
        hands = Reader(display, "conta")
        hands.choose("procurar")
        hands.choose("15+10")
        lichess.until(lambda: lichess.seeks)
        game = lichess.start("Ana", "Bob")
        for number, (_, uci) in enumerate(GAME):
            if number % 2:
                with hands.news():
                    lichess.act("Bob", "move", game, uci)
                hands.feel(chess.Move.from_uci(uci))
            else:
                hands.move(uci)
        hands.find(lambda cells: shows(cells, "xeque-mate") or None)
    assert lichess.moves(game) == [uci for _, uci in GAME]
    assert played(tmp_path) == lichess.moves(game)


def test_games_by_correspondence_go_on_for_a_week(tmp_path, lichess):
    """Each day the program is begun anew, and each game that waits is played in turn until none does."""
    log_in(tmp_path, lichess, "Ana")
    others = {"Bob": "white", "Carl": "white", "Dora": "black"}
    games = {
        name: lichess.start(*(("Ana", name) if colour == "white" else (name, "Ana")), days=3)
        for name, colour in others.items()
    }
    for day in range(7):
        for name, game in games.items():
            if lichess.games[game].turn != others[name]:
                lichess.act(name, "move", game, MOVES[len(lichess.moves(game))])
        with online(tmp_path, lichess, "next") as program:
            for _ in games:
                told = program.wait_for("The game begins, against ")
                name = next(name for name in games if name in told)
                played_there = lichess.moves(games[name])
                program.wait_for("to move")
                announce(program, MOVES[len(played_there)])
                stands(lichess, games[name], *played_there, MOVES[len(played_there)])
            program.wait_for("No game waits for your move.")
            program.type("stop")
            program.type("yes")
            program.close(0)
        lichess.advance(24 * 3600)
        assert [len(lichess.moves(game)) for game in games.values()] == [
            2 * day + 1,
            2 * day + 1,
            2 * day + 2,
        ]
    records = [played(tmp_path, number) for number in (1, 2, 3)]
    assert sorted(records) == sorted(lichess.moves(game) for game in games.values())


# Somebody who was not understood says it again, slower or in another voice: words a minute, pitch.
WAYS = ((140, 50), (120, 45), (160, 55), (110, 60), (130, 35))
# What Black says, and how the program repeats it.
SPOKEN = {
    "e7e5": ("Eva fünf", "Bauer Eva sieben Eva fünf?"),
    "b8c6": ("Springer Cesar sechs", "Springer Bella acht Cesar sechs?"),
    "g8f6": ("Springer Felix sechs", "Springer Gustav acht Felix sechs?"),
}


class Speaker:
    """A player who has nothing but a microphone."""

    def __init__(self, pulse, program, folder):
        self.pulse, self.program, self.folder = pulse, program, folder

    def say(self, words, language, told):
        """Say something until the program tells this; what else it asks is denied."""
        for speed, pitch in WAYS:
            self._speak(words, language, speed, pitch)
            while told not in (line := self._answer()):
                if line.startswith("I did not understand"):
                    break
                if line.endswith("?") and not line.startswith("What"):
                    self._speak("nein", "de", speed, pitch)
                    break
            else:
                return
        raise AssertionError(f"{words} was not understood; said: {self.program.lines[-10:]}")

    def _answer(self):
        """The next line; who hears none has perhaps spoken before the microphone was open."""
        try:
            return self.program.wait_for("")
        except AssertionError:
            return "I did not understand"

    def _speak(self, words, language, speed, pitch):
        recording = self.folder / "utterance.wav"
        synthesise(words, recording, language, speed=speed, pitch=pitch)
        self.pulse.play_into_microphone(recording)


def test_one_plays_by_voice_alone_against_one_at_a_keyboard(tmp_path, lichess):
    for name in ("Ana", "Bob"):
        log_in(tmp_path / name, lichess, name)
    heard = ("--hear", "pocketsphinx", "--speak", "off", "--braille", "off")
    english = ("--language", "en")
    with (
        PrivatePulse() as pulse,
        online(
            tmp_path / "Ana", lichess, "--side", "black", devices=heard, words=english, **sound(pulse)
        ) as ana,
        online(tmp_path / "Bob", lichess) as bob,
    ):
        speaker = Speaker(pulse, ana, tmp_path)
        ana.wait_for("leave the program")
        speaker.say("play online fifteen ten", "en", "15+10, casual, you play Black?")
        speaker.say("yes", "en", "Looking for an opponent: 15+10")
        bob.type("play online 15+10")
        bob.wait_for("to move")
        (game,) = lichess.games
        for number, (words, uci) in enumerate(GAME):
            if uci in SPOKEN:
                ana.wait_for(f"{number // 2 + 1}, White: ")
                said, repeated = SPOKEN[uci]
                speaker.say(said, "de", repeated)
                speaker.say("ja", "de", "Sent: ")
                bob.wait_for(f"{number // 2 + 1}, Black: ")
            else:
                announce(bob, words)
        for side in (ana, bob):
            side.wait_for("mate")
    assert lichess.moves(game) == [uci for _, uci in GAME]
    assert played(tmp_path / "Ana") == played(tmp_path / "Bob") == lichess.moves(game)


@needs_brltty
def test_one_plays_by_voice_alone_against_one_at_a_display(tmp_path, lichess):
    for name in ("Ana", "Bob"):
        log_in(tmp_path / name, lichess, name)
    heard = ("--hear", "pocketsphinx", "--speak", "off", "--braille", "off")
    felt = ("--hear", "keyboard", "--speak", "off", "--braille", "brlapi")
    with (
        PrivatePulse() as pulse,
        VirtualBrltty(40) as display,
        online(
            tmp_path / "Ana",
            lichess,
            "--side",
            "black",
            devices=heard,
            words=("--language", "en"),
            **sound(pulse),
        ) as ana,
        online(tmp_path / "Bob", lichess, devices=felt, words=("--language", "pt"), **display.env) as bob,
    ):
        bob.process.stdin.close()  # nobody types
        hands = Reader(display, "conta")
        speaker = Speaker(pulse, ana, tmp_path)
        ana.wait_for("leave the program")
        speaker.say("play online fifteen ten", "en", "15+10, casual, you play Black?")
        speaker.say("yes", "en", "Looking for an opponent: 15+10")
        hands.choose("procurar")
        hands.choose("15+10")
        for number, (_, uci) in enumerate(GAME):
            if uci in SPOKEN:
                ana.wait_for(f"{number // 2 + 1}, White: ")
                said, repeated = SPOKEN[uci]
                speaker.say(said, "de", repeated)
                with hands.news():
                    speaker.say("ja", "de", "Sent: ")
                hands.feel(chess.Move.from_uci(uci))
            else:
                hands.move(uci)
        ana.wait_for("mate")
        hands.find(lambda cells: shows(cells, "xeque-mate") or None)
    (game,) = lichess.games
    assert lichess.moves(game) == [uci for _, uci in GAME]
    assert played(tmp_path / "Ana") == played(tmp_path / "Bob") == lichess.moves(game)


def sound(pulse):
    return {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
