# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile
from support.pulse import PrivatePulse

from voices.sound.source import (
    BLOCK_BYTES,
    RATE,
    SoundError,
    is_recording,
    microphones,
    open_source,
    open_wav,
    read_wav,
)


def write_tone(
    path: Path, rate: int = RATE, channels: int = 1, subtype: str = "PCM_16", seconds: float = 1.0
) -> Path:
    """A tone of 440 Hz at half the full scale."""
    tone = 0.5 * np.sin(2 * np.pi * 440 * np.arange(round(rate * seconds)) / rate)
    soundfile.write(path, np.repeat(tone[:, None], channels, axis=1), rate, subtype=subtype)
    return path


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 44100, 48000, 96000])
@pytest.mark.parametrize(("channels", "subtype"), [(1, "PCM_16"), (2, "PCM_24"), (3, "FLOAT"), (1, "PCM_U8")])
def test_any_recording_becomes_the_same_mono_sound(
    tmp_path: Path, rate: int, channels: int, subtype: str
) -> None:
    samples = np.frombuffer(read_wav(write_tone(tmp_path / "tone.wav", rate, channels, subtype)), "<i2")
    assert RATE <= samples.size <= RATE + BLOCK_BYTES // 2
    spectrum = np.abs(np.fft.rfft(samples[:RATE]))
    assert spectrum.argmax() == 440
    assert np.abs(samples[2000:-2000]).max() == pytest.approx(16384, rel=0.02)


def test_blocks_are_whole(tmp_path: Path) -> None:
    source = open_source(str(write_tone(tmp_path / "tone.WAV", rate=44100, seconds=0.777)))
    assert source.waits
    assert {len(block) for block in source} == {BLOCK_BYTES}


def test_a_recording_can_be_read_twice_and_closed_in_between(tmp_path: Path) -> None:
    path = write_tone(tmp_path / "tone.wav")
    source = open_wav(path, realtime=True)
    assert not source.waits
    blocks = iter(source)
    next(blocks)
    source.close()
    assert list(blocks) == []
    assert read_wav(path)


def not_sound(folder: Path, name: str) -> Path:
    path = folder / f"{name}.wav"
    match name:
        case "folder":
            path.mkdir()
        case "empty":
            path.touch()
        case "text":
            path.write_text("This is no sound.\n" * 100)
        case "no frames":
            soundfile.write(path, np.zeros((0, 1)), RATE)
        case "cut header":
            path.write_bytes(write_tone(folder / "tone.wav").read_bytes()[:20])
        case "absurd rate":
            whole = bytearray(write_tone(folder / "tone.wav").read_bytes())
            whole[24:28] = (4_000_000_000).to_bytes(4, "little")
            path.write_bytes(whole)
        case "device":
            path.symlink_to("/dev/zero")
    return path


@pytest.mark.parametrize(
    "name", ["missing", "folder", "empty", "text", "no frames", "cut header", "absurd rate", "device"]
)
def test_what_is_no_sound_is_refused_with_a_reason(tmp_path: Path, name: str) -> None:
    path = not_sound(tmp_path, name)
    with pytest.raises(SoundError) as refused:
        open_wav(path, realtime=False)
    assert refused.value.reason
    assert "\n" not in refused.value.reason


def test_a_recording_cut_off_within_its_sound_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = write_tone(tmp_path / "tone.wav").read_bytes()
    (tmp_path / "cut.wav").write_bytes(whole[: len(whole) // 2])
    assert read_wav(tmp_path / "cut.wav")


def test_not_a_number_is_silence(tmp_path: Path) -> None:
    for value in (np.nan, np.inf, -np.inf, 1e300, -1e300):  # a warning would be an error here
        soundfile.write(tmp_path / "odd.wav", np.full((44_100, 2), value), 44_100, subtype="DOUBLE")
        assert len(read_wav(tmp_path / "odd.wav")) >= 2 * RATE
    soundfile.write(tmp_path / "nan.wav", np.full(RATE, np.nan), RATE, subtype="FLOAT")
    assert not any(read_wav(tmp_path / "nan.wav"))


def test_a_long_recording_is_not_one_utterance(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "long.wav", np.zeros(8000 * 301), 8000)
    with pytest.raises(SoundError, match="longer than 5 minutes"):
        read_wav(tmp_path / "long.wav")


def test_what_counts_as_a_recording(tmp_path: Path) -> None:
    (tmp_path / "take1").touch()
    assert is_recording("game.WAV")
    assert is_recording(str(tmp_path / "take1"))
    assert not is_recording("USB Headset")
    assert not is_recording("3")


@pytest.mark.parametrize("package", ["soundfile", "numpy", "soxr"])
def test_a_missing_package_is_named(tmp_path: Path, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_tone(tmp_path / "tone.wav", rate=8000)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SoundError, match=package):
        open_wav(path, realtime=False)


MICROPHONE = """
import sys
from voices.sound.source import open_microphone, SoundError
try:
    microphone = open_microphone(sys.argv[1] or None)
    if sys.argv[2] == "line":
        print("open", flush=True)
        sys.stdin.readline()
        microphone.close()
    for number, block in enumerate(microphone):
        if number == 0:
            print("open", flush=True)
        if any(block):
            print("sound", flush=True)
            if sys.argv[2] == "once":
                microphone.close()
except SoundError as error:
    print("refused:", error.reason, flush=True)
else:
    print("closed", flush=True)
"""


# The time of the first wait passes while the program is stopped, as with Ctrl+Z.
STOPPED = """
import queue
class Queue(queue.SimpleQueue):
    stopped = True
    def get(self, block=True, timeout=None):
        if self.stopped:
            self.stopped = False
            raise queue.Empty
        return super().get(block, timeout)
queue.SimpleQueue = Queue
"""


def microphone(
    env: dict[str, str], device: str = "", until: str = "once", before: str = ""
) -> subprocess.Popen[str]:
    # A process of its own, because PortAudio finds its devices when it is loaded.
    command = [sys.executable, "-c", before + MICROPHONE, device, until]
    return subprocess.Popen(
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def test_a_microphone_gives_sound_until_it_is_closed(tmp_path: Path) -> None:
    with PrivatePulse() as pulse, microphone(pulse.env) as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        pulse.play_into_microphone(write_tone(tmp_path / "tone.wav"))
        assert process.stdout.readline() == "sound\n"
        assert process.stdout.readline() == "closed\n"


def test_a_microphone_that_goes_away_says_so() -> None:
    with PrivatePulse() as pulse, microphone(pulse.env, until="end") as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        pulse.stop()
        assert process.stdout.readline().startswith("refused: The microphone has")


def test_a_microphone_is_there_after_the_program_was_stopped_for_a_while(tmp_path: Path) -> None:
    with PrivatePulse() as pulse, microphone(pulse.env, before=STOPPED) as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        pulse.play_into_microphone(write_tone(tmp_path / "tone.wav"))
        assert process.stdout.readline() == "sound\n"


def test_the_program_ends_though_the_sound_server_hangs() -> None:
    with PrivatePulse() as pulse, microphone(pulse.env, until="line") as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        with pulse.hanging():
            print(file=process.stdin, flush=True)
            assert process.wait(30) == 0


def test_no_such_microphone() -> None:
    with PrivatePulse() as pulse:
        for device in ("no such thing", "77", "9" * 14, "9" * 5000):
            with microphone(pulse.env, device) as process:
                assert process.stdout
                assert f"refused: The microphone {device} cannot be opened" in process.stdout.readline()


def test_microphones_that_cannot_be_listed_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    assert microphones() == ()


def test_microphones_of_one_name_are_told_apart_by_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    sounddevice = pytest.importorskip("sounddevice")
    named = (("USB", 1), ("Speaker", 0), ("Headset", 2), ("USB", 1))
    devices = [{"name": name, "max_input_channels": channels} for name, channels in named]
    monkeypatch.setattr(sounddevice, "query_devices", lambda: devices)
    assert microphones() == ("0: USB", "Headset", "3: USB")


def test_no_sound_server(tmp_path: Path) -> None:
    env = os.environ | {"PULSE_SERVER": f"unix:{tmp_path}/nothing", "PULSE_CLIENTCONFIG": "/dev/null"}
    with microphone(env) as process:
        assert process.stdout
        assert process.stdout.readline().startswith("refused: No microphone can be opened")
