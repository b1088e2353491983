# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel carries the data of all three packages, and a game can be played from it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.program import QUIET, confirmed, environment

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            folder,
            ROOT,
        ],
        check=True,
        capture_output=True,
    )
    return next(folder.glob("acessivel-*.whl"))


def test_the_wheel_holds_every_data_file(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    for room in ("acessivel", "braille", "voices"):
        for path in (ROOT / room).rglob("*"):
            if path.suffix in (".py", ".toml", ".typed"):
                assert str(path.relative_to(ROOT)) in held
    assert any(name.endswith("share/man/pt_BR/man1/acessivel.1") for name in held)
    assert not any(name.startswith("tests/") for name in held)


def test_a_game_is_played_from_the_wheel(wheel, tmp_path):
    target = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", target, wheel],
        check=True,
        capture_output=True,
    )
    env = environment(tmp_path, PYTHONPATH=str(target))
    where = subprocess.run(
        [sys.executable, "-c", "import acessivel, voices, braille; print(acessivel.__file__)"],
        env=env, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert where.stdout.startswith(str(target))
    done = subprocess.run(
        [sys.executable, "-m", "acessivel.cli", "play", "--opponent", "human", *QUIET, "--braille", "terminal"],
        input=confirmed("Eva vier", "e5"), env=env, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "1, Pretas: Bauer Eva sieben Eva fünf." in done.stdout.splitlines()
