# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock of the installed program: its notation, what it tells by itself, and a flag that is heard and felt."""

import numpy as np
import pytest
import soundfile
from support.brltty import VirtualBrltty, needs_brltty
from support.program import QUIET, Running, confirmed, game_of, run
from support.pulse import PrivatePulse
from support.talking import Talking

from voices.sound import earcons

BY_KEYBOARD = ("--opponent", "human", "--hear", "keyboard")
FULL = 0xFF


@pytest.mark.parametrize(
    ("control", "header", "least"),
    [
        ("90/40+30+30s", "40/5400+30:1800+30", 5400 + 30 + 20),
        ("25+10b", "1500+10d", 1490),
        ("25+10d", "1500+10d", 1500),
        ("1/1+2", "1/60:120", 120 + 30),
    ],
)
def test_every_kind_of_clock_is_in_the_record(tmp_path, save, control, header, least):
    typed = confirmed("Eva vier", "Eva fünf")
    run(tmp_path, "play", *BY_KEYBOARD, *QUIET, "--clock", control, "--save", save, typed=typed)
    game = game_of(tmp_path, save)
    assert game.headers["TimeControl"] == header
    moves = list(game.mainline())
    assert [move.san() for move in moves] == ["e4", "e5"]
    assert all(move.clock() >= least for move in moves)


def test_a_clock_in_periods_tells_how_many_moves_are_left_in_it(tmp_path, save):
    typed = confirmed("Eva vier", "Eva fünf") + "relógio\ncontinua\n"
    lines, _ = run(tmp_path, "play", *BY_KEYBOARD, *QUIET, "--clock", "90/40+30", "--save", save, typed=typed)
    assert sum("lances a fazer nesse tempo: 39" in line for line in lines) == 2
    assert not any("89:" in line or "90:" in line for line in lines)


@pytest.mark.parametrize(
    ("option", "value", "names"),
    [
        ("--clock", "90/40+", "90/40+30+30s"),
        ("--clock", "0+5d", "15+5"),
        ("--alarms", "5 minutes", "5m,2m,30s"),
    ],
)
def test_a_wrong_notation_is_refused_in_one_sentence(tmp_path, save, option, value, names):
    lines, errors = run(tmp_path, "play", *BY_KEYBOARD, *QUIET, option, value, "--save", save, status=2)
    assert lines == []
    assert len(errors) == 1
    assert names in errors[0]
    assert value in errors[0]
    assert not save.exists()


def test_alarms_are_told_once_each_in_words_and_the_settings_file_may_set_them(tmp_path, save):
    config = tmp_path / ".config/acessivel/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('alarms = "3s,2s,1s"\n')
    with Talking(tmp_path, "play", *BY_KEYBOARD, *QUIET, "--clock", "0.0667", "--save", save) as program:
        program.wait_for("Jogam as Brancas, lance 1")
        program.wait_for("Brancas: ainda 3 segundos.")
        program.wait_for("Brancas: ainda 2 segundos.")
        program.wait_for("Brancas: ainda 1 segundo.")
        program.wait_for("a seta caiu")
        program.close()
    assert sum("ainda" in line for line in program.lines) == 3
    assert game_of(tmp_path, save).headers["Result"] == "0-1"


def test_no_alarm_disturbs_an_announcement(tmp_path, save):
    options = (*BY_KEYBOARD, *QUIET, "--clock", "0.0667", "--alarms", "3s,2s", "--save", save)
    with Talking(tmp_path, "play", *options) as program:
        program.type("Eva vier")
        program.wait_for("Bauer Eva zwei Eva vier?")
        program.wait_for("a seta caiu")
        program.close()
    assert not any("ainda" in line for line in program.lines)


@needs_brltty
def test_a_fallen_flag_is_felt_at_the_beginning_of_the_braille_line(tmp_path, save):
    options = (*BY_KEYBOARD, "--speak", "off", "--clock", "0.05", "--save", save)
    with (
        VirtualBrltty(40, 1) as display,
        Running(tmp_path, "play", *options, "--braille", "brlapi", **display.env) as program,
    ):
        program.wait_for("Jogam as Brancas, lance 1")
        assert FULL not in display.cells
        display.wait_for(lambda cells: cells[:4] == (FULL, FULL, FULL, 0))
        program.wait_for("a seta caiu")
        program.type("parar")
        program.type("sim")
        program.close(status=0)


def test_a_fallen_flag_is_heard(tmp_path, save):
    options = (*BY_KEYBOARD, "--speak", "pyttsx3", "--braille", "off", "--clock", "0.02", "--save", save)
    heard = tmp_path / "heard.wav"
    with PrivatePulse() as pulse:
        sound = {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
        with pulse.record_speaker(heard), Running(tmp_path, "play", *options, **sound) as program:
            program.wait_for("Jogam as Brancas, lance 1")
            program.type("relógio")  # silence the welcome: the clock starts
            program.wait_for("a seta caiu")
            program.process.stdin.close()
            program.close(status=0)
    played, rate = soundfile.read(heard, always_2d=True)
    assert _likeness(played.mean(axis=1), rate) > 0.5


def _likeness(played, rate):
    """How much the best stretch of a recording is like the sound of the flag: 1 when it is nothing else."""
    tone = np.frombuffer(earcons.sound("flag"), "<i2").astype(float)
    count = len(tone) * rate // 48_000
    tone = np.interp(np.arange(count) * 48_000 / rate, np.arange(len(tone)), tone)
    tone /= np.linalg.norm(tone)
    size = 1 << (len(played) + len(tone)).bit_length()
    found = np.fft.irfft(np.fft.rfft(played, size) * np.conj(np.fft.rfft(tone, size)), size)[: len(played)]
    energy = np.concatenate(([0.0], np.cumsum(played**2)))
    ends = np.minimum(np.arange(len(played)) + len(tone), len(played))
    loud = np.sqrt(energy[ends] - energy[: len(played)])
    return (np.abs(found) / np.maximum(loud, 0.01)).max()
