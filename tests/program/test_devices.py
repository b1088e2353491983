# SPDX-License-Identifier: GPL-3.0-or-later
"""Devices that are missing, break or come back in play: real PulseAudio, pocketsphinx, brltty, espeak-ng, Stockfish."""

import contextlib
import queue
import subprocess
import threading

import numpy as np
import pytest
import soundfile
from support.brltty import VirtualBrltty, needs_brltty
from support.program import PROGRAM, Running, confirmed, environment, game_of, run, sans, without_patience
from support.pulse import Ear, PrivatePulse

from acessivel.rules.position import Position
from braille import board
from braille.notation import load_code
from voices.speakers.synthesis import synthesise

QUIET = ("--speak", "off", "--braille", "off")
BY_KEYBOARD = ("--opponent", "human", "--hear", "keyboard", "--speak", "off")
RATE = 22_050
CODE = load_code("pt8")


@pytest.fixture(scope="module")
def pulse():
    with PrivatePulse() as server:
        yield server


def sound_env(pulse):
    return {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}


def settle(home, text):
    config = home / ".config/acessivel/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(text)


def said_once(lines, *texts):
    """One line, and one only, has all the texts."""
    return sum(all(text in line for text in texts) for line in lines) == 1


class SoundNews:
    """What PulseAudio says of the streams that come and go, as it happens: ("new", "sink-input", "3")."""

    def __init__(self, pulse):
        self._pulse = pulse
        self._process = subprocess.Popen(
            ["pactl", "subscribe"], env=pulse.env, stdout=subprocess.PIPE, text=True
        )
        self._news = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._subscribe()

    def _read(self):
        for line in self._process.stdout:
            _, event, _, kind, number = line.replace("'", "").split()
            self._news.put((event, kind, number))

    def _subscribe(self):
        """Each question to the server is a client that comes and goes: once told of one, it tells of all."""
        for _ in range(100):
            self._pulse.playing()
            with contextlib.suppress(queue.Empty):
                self._news.get(timeout=0.1)
                return
        raise AssertionError("PulseAudio tells nothing")

    def wait_for(self, event, kind, number=None):
        """The number of the next stream of a kind of which this is told, or of the one with that number."""
        while True:
            found = self._news.get(timeout=30)
            if found[:2] == (event, kind) and number in (None, found[2]):
                return found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()
        self._reader.join(5)
        self._process.stdout.close()


# The microphone and the recogniser


def test_without_a_microphone_the_keyboard_plays(tmp_path, save):
    typed = confirmed("Eva vier", "Eva fünf")
    lines, errors = run(
        tmp_path, "play", "--opponent", "human", "--hear", "pocketsphinx", *QUIET, "--save", save, typed=typed
    )
    assert errors == []
    assert said_once(lines, "microfone")
    assert sans(game_of(tmp_path, save)) == ["e4", "e5"]


def test_a_sound_server_that_dies_in_play_is_said_once_and_the_game_goes_on(tmp_path, save):
    options = ("--opponent", "human", "--hear", "pocketsphinx", *QUIET, "--save", save)
    with PrivatePulse() as server, SoundNews(server) as news:
        with Running(tmp_path, "play", *options, **sound_env(server)) as program:
            news.wait_for("new", "source-output")
            program.wait_for("Jogam as Brancas, lance 1")
            program.type("Eva vier")
            program.wait_for("Bauer Eva zwei Eva vier?")
            server.stop()
            program.wait_for("O microfone parou. Digite os lances, por favor.")
            program.type("sim")
            program.wait_for("1, Brancas: ")
            program.type("Eva fünf")
            program.type("sim")
            program.wait_for("1, Pretas: ")
            program.process.stdin.close()
            program.wait_for("acessivel resume 1")
            program.close(status=0)
        # Nobody speaks into it before: that it is silent may be said too.
        assert said_once(program.lines, "microfone parou")
        assert without_patience(program.errors) == []  # what PortAudio writes is for the log
    assert sans(game_of(tmp_path, save)) == ["e4", "e5"]


def test_a_sound_server_that_is_back_is_used_again(tmp_path, save):
    options = ("--opponent", "human", "--hear", "pocketsphinx", *QUIET, "--save", save)
    with PrivatePulse() as server, SoundNews(server) as news:
        with Running(tmp_path, "play", *options, **sound_env(server)) as program:
            news.wait_for("new", "source-output")
            program.wait_for("Jogam as Brancas, lance 1")
            server.stop()
            program.wait_for("O microfone parou. Digite os lances, por favor.")
            server.start()
            program.wait_for("O microfone voltou.")
            server.play_into_microphone(recorded_game(tmp_path, "Eva vier"))
            program.wait_for("Bauer Eva zwei Eva vier?")
            program.type("sim")
            program.wait_for("1, Brancas: ")
            program.type("parar")
            program.type("sim")
            program.wait_for("acessivel resume 1")
            program.close(status=0)
        assert without_patience(program.errors) == []
    assert sans(game_of(tmp_path, save)) == ["e4"]


def test_a_microphone_of_a_wrong_name_is_told_each_time_with_those_that_there_are(pulse, tmp_path, save):
    options = ("--opponent", "human", "--hear", "pocketsphinx", "--microphone", "no such thing", *QUIET)
    for _ in range(2):
        lines, _ = run(tmp_path, "play", *options, "--save", save, **sound_env(pulse))
        assert said_once(lines, "Não existe o microfone no such thing", "pulse")


@pytest.mark.parametrize("kind", ["missing", "no model"])
def test_a_vosk_model_that_is_none_is_said_with_what_to_do(tmp_path, save, kind):
    model = tmp_path / "model"
    if kind == "no model":
        (model / "am").mkdir(parents=True)
        (model / "README").write_text("not a model\n")
    settle(tmp_path, f'vosk_model = "{model}"\n')
    options = ("--opponent", "human", "--hear", "vosk", *QUIET, "--save", save)
    lines, errors = run(tmp_path, "play", *options, typed=confirmed("e4", "e5"))
    assert errors == []
    assert said_once(lines, "Vosk")
    assert said_once(lines, "Vosk", str(model), "acessivel config set vosk_model PASTA")
    assert sans(game_of(tmp_path, save)) == ["e4", "e5"]


@pytest.mark.parametrize("kind", ["missing", "text", "empty", "folder"])
def test_a_recording_that_is_none_is_said_once(tmp_path, save, kind):
    recording = tmp_path / f"{kind}.wav"
    match kind:
        case "text":
            recording.write_text("Bauer Eva zwei Eva vier\n")
        case "empty":
            recording.touch()
        case "folder":
            recording.mkdir()
    options = ("--opponent", "human", "--hear", "pocketsphinx", *QUIET, "--save", save)
    lines, errors = run(tmp_path, "play", *options, "--microphone", recording, typed=confirmed("e4", "e5"))
    assert errors == []
    assert sum("microfone" in line or str(recording) in line for line in lines) == 1
    assert sans(game_of(tmp_path, save)) == ["e4", "e5"]


def recorded_game(folder, *utterances):
    """The utterances in one recording, each followed by 1.2 s of silence."""
    pause = np.zeros(round(1.2 * RATE), dtype="float32")
    pieces = [pause]
    for utterance in utterances:
        synthesise(utterance, folder / "utterance.wav", "de")
        sound, rate = soundfile.read(folder / "utterance.wav", dtype="float32")
        assert rate == RATE
        pieces += [sound, pause]
    recording = folder / "game.wav"
    soundfile.write(recording, np.concatenate(pieces), RATE)
    return recording


def test_a_recording_plays_a_game_to_its_end(tmp_path, save):
    recording = recorded_game(
        tmp_path,
        "Bauer Eva zwei Eva vier",
        "ja",
        "Springer Bella acht Cesar sechs",
        "ja",
        "Springer Gustav eins Felix drei",
        "ja",
        "Bauer David sieben David fünf",
    )
    options = ("--opponent", "human", "--hear", "pocketsphinx", *QUIET, "--save", save)
    done = subprocess.run(
        [PROGRAM, "play", *options, "--microphone", recording],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=120, env=environment(tmp_path), check=False, encoding="utf-8",
    )  # fmt: skip
    assert (done.returncode, without_patience(done.stderr)) == (0, [])
    # The last announcement was repeated, but nobody said yes.
    assert "Bauer David sieben David fünf?" in done.stdout.splitlines()
    assert "acessivel resume 1" in done.stdout
    assert sans(game_of(tmp_path, save)) == ["e4", "Nc6", "Nf3"]


# The Braille display


def rank_words(*moves, columns=39):
    """The eight ranks of the board after some moves, as the display shows them, with the cursor."""
    position = Position.start()
    for move in moves:
        position = position.after(move)
    cursor = moves[-1][2:4] if moves else None
    return [
        bytes(rank.cells) for rank in board.ranks(position.placement, CODE, cursor=cursor, columns=columns)
    ]


def ranks_shown(cells, columns=40):
    """The ranks on a display with the board on its left, in columns."""
    return [bytes(row(cells, number, columns)[:17]) for number in range(8)]


def said_shown(cells, columns=40):
    """The words on a display with the board on its left."""
    return [
        word for number in range(len(cells) // columns) for word in words(row(cells, number, columns)[18:-1])
    ]


def words(cells):
    """The words in cells."""
    return [word for word in bytes(cells).split(b"\0") if word]


def row(cells, number, columns=40):
    return cells[number * columns : (number + 1) * columns]


@needs_brltty
def test_a_display_that_goes_away_and_comes_back_shows_the_board_again(tmp_path, save):
    with (
        VirtualBrltty(40, 9) as display,
        Running(
            tmp_path, "play", *BY_KEYBOARD, "--braille", "brlapi", "--save", save, **display.env
        ) as program,
    ):
        for line in ("Eva vier", "sim"):
            program.type(line)
        program.wait_for("1, Brancas: ")
        shown = rank_words("e2e4")
        display.wait_for(lambda cells: ranks_shown(cells) == shown)
        display.kill()
        program.wait_for("A linha Braille se desligou.")
        # The game goes on meanwhile; what is asked waits for the display.
        program.type("Eva fünf")
        program.wait_for("Bauer Eva sieben Eva fünf?")
        display.start()
        program.wait_for("A linha Braille voltou.")
        display.wait_for(lambda cells: ranks_shown(cells) == shown)
        program.type("sim")
        program.wait_for("1, Pretas: ")
        display.wait_for(lambda cells: ranks_shown(cells) == rank_words("e2e4", "e7e5"))
        for line in ("parar", "sim"):
            program.type(line)
        program.wait_for("acessivel resume 1")
        program.close(status=0)
    assert said_once(program.lines, "se desligou")
    assert said_once(program.lines, "voltou.")
    assert sans(game_of(tmp_path, save)) == ["e4", "e5"]


def test_without_brltty_the_display_is_named_once_with_the_command(tmp_path, save):
    lines, errors = run(
        tmp_path, "play", *BY_KEYBOARD, "--braille", "brlapi", "--save", save, typed=confirmed("e4", "e5")
    )
    assert errors == []
    assert said_once(lines, "linha Braille")
    assert said_once(lines, "linha Braille", "brltty")
    assert sans(game_of(tmp_path, save)) == ["e4", "e5"]


@needs_brltty
@pytest.mark.parametrize(("columns", "rows"), [(12, 1), (20, 1), (80, 1), (40, 9)])
def test_panning_shows_the_exchange_and_the_whole_board(tmp_path, save, columns, rows):
    exchange = words(CODE.text("Cf5 não é possível: o lance de cavalo não chega a f5. 1.e4"))
    ranks = rank_words("e2e4", columns=39 if rows > 8 else None)
    own = words(CODE.text("a78 b78 c78 d78 e78 f78 g78 h78"))
    whole = exchange if rows > 8 else exchange + own + ranks
    with (
        VirtualBrltty(columns, rows) as display,
        Running(
            tmp_path, "play", *BY_KEYBOARD, "--braille", "brlapi", "--save", save, **display.env
        ) as program,
    ):
        for line in ("Eva vier", "sim", "Springer Felix fünf"):
            program.type(line)
        program.wait_for("Springer Felix fünf não é possível")
        feel = said_shown if rows > 8 else lambda cells: words(cells[:-1])
        page = display.wait_for(lambda cells: exchange[0] in feel(cells))
        seen = feel(page)
        while len(seen) < len(whole):
            assert seen == whole[: len(seen)]
            display.press("FWINRT")
            page = display.wait_for(lambda cells, before=page: cells != before)
            seen += feel(page)
        assert seen == whole
        assert rows == 1 or ranks_shown(page) == ranks
        assert len(page) == columns * rows
        display.press("HOME")
        display.wait_for(lambda cells: feel(cells)[:1] == whole[:1])
        for line in ("parar", "sim"):
            program.type(line)
        program.close(status=0)


@needs_brltty
def test_a_routing_key_says_what_is_on_its_square(tmp_path, save):
    with (
        VirtualBrltty(40, 9) as display,
        Running(
            tmp_path, "play", *BY_KEYBOARD, "--braille", "brlapi", "--save", save, **display.env
        ) as program,
    ):
        program.wait_for("Jogam as Brancas, lance 1")
        display.wait_for(lambda cells: ranks_shown(cells) == rank_words())
        line = board.ranks(Position.start().placement, CODE, columns=39)[6]
        display.press(f"ROUTE {6 * 40 + line.marks.index('e2')}")
        assert program.wait_for("Eva zwei") == "Eva zwei: peão, Brancas."
        told = words(CODE.text("e2? e34 e2: peão, Brancas."))
        display.wait_for(lambda cells: said_shown(cells) == told)
        for line in ("parar", "sim"):
            program.type(line)
        program.close(status=0)


class Keys:
    """A player who types on the display's own keyboard, and feels each character before the next."""

    def __init__(self, display, program):
        self._display, self._program = display, program

    def say(self, text, answer):
        """Type, send it with the enter key, and wait for the answer."""
        for length, character in enumerate(text, 1):
            self._display.press(f"PASSCHAR {ord(character)}")
            typed = words(CODE.text(text[:length]))
            self._display.wait_for(lambda cells, typed=typed: said_shown(cells)[: len(typed)] == typed)
        self.enter(answer)

    def enter(self, answer):
        self._display.press("KEY_ENTER")
        self._program.wait_for(answer)


@needs_brltty
def test_a_whole_game_on_the_keys_of_the_display(tmp_path, save):
    with (
        VirtualBrltty(40, 9) as display,
        Running(
            tmp_path, "play", *BY_KEYBOARD, "--braille", "brlapi", "--save", save, **display.env
        ) as program,
    ):
        program.wait_for("Jogam as Brancas, lance 1")
        keys = Keys(display, program)
        moves = []
        for typed, uci, told in (
            ("f3", "f2f3", "1, Brancas: "),
            ("e5", "e7e5", "1, Pretas: "),
            ("g4", "g2g4", "2, Brancas: "),
            ("Dh4", "d8h4", "2, Pretas: Dame David acht Hector vier Schachmatt."),
        ):
            keys.say(typed, "?")
            keys.enter(told)
            moves.append(uci)
            ranks = rank_words(*moves)
            display.wait_for(lambda cells, ranks=ranks: ranks_shown(cells) == ranks)
        program.wait_for("Fim da partida: vitória das Pretas, xeque-mate")
        keys.say("parar", "Quer parar?")
        keys.enter("Até logo.")
        program.close(status=0)
    game = game_of(tmp_path, save)
    assert (sans(game), game.headers["Result"]) == (["f3", "e5", "g4", "Qh4#"], "0-1")


# The voice


def test_the_voice_sounds_and_a_typed_line_stops_it(pulse, tmp_path, save):
    options = ("--opponent", "human", "--hear", "keyboard", "--speak", "pyttsx3", "--braille", "off")
    with (
        Ear(pulse) as ear,
        Running(tmp_path, "play", *options, "--save", save, **sound_env(pulse)) as program,
    ):
        ear.wait_for_sound()
        program.type("ajuda")
        helped = program.wait_for("Anuncie um lance e responda")
        helped += program.wait_for("As palavras são alemãs")
        before = ear.sounding
        ear.wait_for_sound()
        program.type("Eva vier")
        program.wait_for("Bauer Eva zwei Eva vier?")
        ear.wait_for_sound()
        ear.wait_for_silence()
        heard = ear.sounding - before
        program.type("sim")
        program.wait_for("1, Brancas: ")
    # The first portion of the help, spoken to its end, would have been longer than all that was heard since.
    synthesise(helped, tmp_path / "help.wav", "pt", speed=200)
    assert heard < soundfile.info(tmp_path / "help.wav").duration
    assert sans(game_of(tmp_path, save)) == ["e4"]


def test_without_speech_dispatcher_the_voice_is_named_once(tmp_path, save):
    options = ("--opponent", "human", "--hear", "keyboard", "--speak", "speechd", "--braille", "off")
    lines, errors = run(tmp_path, "play", *options, "--save", save, typed=confirmed("e4", "e5"))
    assert errors == []
    assert said_once(lines, "Não há voz")
    assert sans(game_of(tmp_path, save)) == ["e4", "e5"]


# The doctor

PARTS = (
    "Teclado",
    "Microfone",
    "Reconhecedor pocketsphinx",
    "Reconhecedor Vosk",
    "Voz",
    "Tradução para Braille",
    "Linha Braille",
    "Motor de xadrez",
    "Pasta das partidas",
)


def doctor_without_input(home, *, status, **more):
    """What the doctor finds, as a process that nobody can type to."""
    done = subprocess.run(
        [PROGRAM, "doctor"], stdin=subprocess.DEVNULL, capture_output=True, timeout=120, env=environment(home, **more), check=False, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == status
    return findings_of(done.stdout.splitlines(), without_patience(done.stderr), status)


def doctor(home, **more):
    """What the doctor finds when lines can be typed."""
    return findings_of(*run(home, "doctor", **more), 0)


def findings_of(lines, errors, status):
    """Each part once, with its finding."""
    assert errors == []
    *findings, verdict = lines
    found = {}
    for part in PARTS:
        (found[part],) = [line.partition(": ")[2] for line in findings if line.startswith(part)]
    assert len(findings) == len(PARTS)
    assert verdict.startswith("Não se pode jogar" if status else "Pode-se jogar")
    return found


def test_the_doctor_finds_nothing_to_play_with(tmp_path):
    settle(tmp_path, 'engine = "/no/such/engine"\n')
    found = doctor_without_input(tmp_path, status=1, PATH="/nonexistent")
    missing = {part for part, finding in found.items() if finding.startswith("não funciona. ")}
    assert missing == {
        "Teclado", "Microfone", "Reconhecedor Vosk", "Voz", "Linha Braille", "Motor de xadrez",
    }  # fmt: skip
    remedies = [found[part].removeprefix("não funciona. ") for part in missing]
    assert all(remedies)
    for part, package in (
        ("Linha Braille", "brltty"),
        ("Motor de xadrez", "/no/such/engine não pode ser usado"),
        ("Motor de xadrez", "acessivel config set engine ARQUIVO"),
        ("Reconhecedor Vosk", "acessivel config set vosk_model PASTA"),
    ):
        assert package in found[part]


def test_the_doctor_is_content_with_a_keyboard(tmp_path):
    found = doctor(tmp_path, PATH="/nonexistent")
    assert found["Teclado"].startswith("funciona")
    assert found["Microfone"].startswith("não funciona")


def test_the_doctor_listens_to_a_recording_in_place_of_a_microphone(tmp_path):
    silence = np.zeros(RATE, dtype="float32")
    soundfile.write(
        tmp_path / "good.wav", np.concatenate([silence, np.tile([0.1, -0.1], RATE), silence]), RATE
    )
    lines, _ = run(tmp_path, "doctor", "--microphone", tmp_path / "good.wav")
    assert said_once(lines, "Microfone: funciona")


def test_the_doctor_and_help_name_the_outputs_where_that_of_the_settings_is_gone(pulse, tmp_path):
    settle(tmp_path, 'room_output = "gone"\n')
    sentence = "Não existe a saída gone. As que existem: "
    for command in (("doctor",), ("help", "draw")):
        lines, errors = run(tmp_path, *command, **sound_env(pulse))
        assert said_once([*lines, *errors], sentence, "speaker")


def test_the_doctor_hears_that_no_sound_can_be_heard(tmp_path):
    # espeak-ng and aplay are there, but no sound server and no sound card.
    found = doctor(tmp_path)
    assert found["Voz"].startswith("não funciona")


@needs_brltty
def test_the_doctor_finds_everything_that_works(pulse, tmp_path):
    generator = np.random.default_rng(64)
    soundfile.write(tmp_path / "hum.wav", 0.2 * generator.uniform(-1, 1, 60 * 16_000), 16_000)
    with VirtualBrltty(40, 9) as display, SoundNews(pulse) as news:
        feeding = subprocess.Popen(["paplay", "--device=mic_feed", tmp_path / "hum.wav"], env=pulse.env)
        try:
            news.wait_for("new", "sink-input")
            found = doctor_without_input(tmp_path, status=0, **sound_env(pulse), **display.env)
        finally:
            feeding.kill()
            feeding.wait()
    working = {part for part, finding in found.items() if finding.startswith("funciona, ")}
    assert working == set(PARTS) - {"Teclado", "Reconhecedor Vosk"}
    assert "springer gustav eins felix drei" in found["Reconhecedor pocketsphinx"]
    assert found["Linha Braille"] == "funciona, 9 x 40."
    assert "pulse" in found["Microfone"]
    assert "stockfish" in found["Motor de xadrez"]
