# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make play` and `make test` install, with a Debian that only notes what it is asked."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts/install-system-packages"
PACKAGES = ROOT / "system-packages.txt"
SYSTEM = "bash env sed grep mkdir rm cat touch make sh".split()


class Machine:
    """A path with these programs alone: what a test makes of one, and those of the system that a script needs."""

    def __init__(self, folder):
        self._folder, self._log = folder / "bin", folder / "log"
        self._folder.mkdir()
        self._log.touch()
        for name in SYSTEM:
            found = next(path for each in ("/bin", "/usr/bin") if (path := Path(each, name)).exists())
            (self._folder / name).symlink_to(found)

    def has(self, name, does="exit 0"):
        path = self._folder / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>{self._log}\n{does}\n', "utf-8")
        path.chmod(0o755)
        return path

    def run(self, *command, cwd=ROOT):
        """Its exit status, and what it tells."""
        env = {"PATH": str(self._folder), "HOME": str(self._folder)}
        done = subprocess.run(
            [*map(str, command)],
            cwd=cwd, env=env, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return done.returncode, done.stdout

    def done(self, name):
        """What a program was asked."""
        return [line for line in self._log.read_text("utf-8").splitlines() if line.startswith(f"{name} ")]


def debian(tmp_path, *missing, root=True, sudo=None, apt="exit 0"):
    machine = Machine(tmp_path)
    there = "\n".join(f'[ "$4" = {name} ] && exit 1' for name in missing)
    machine.has("dpkg-query", f"{there}\necho 'install ok installed'")
    machine.has("id", f"echo {0 if root else 1000}")
    machine.has("apt-get", apt)
    if sudo:
        machine.has("sudo", sudo)
    return machine


def names(end=""):
    text = PACKAGES.read_text("utf-8")
    lines = (text.partition(end)[0] if end else text).splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_a_game_needs_nothing_that_takes_the_place_of_the_sound_of_a_desktop(tmp_path):
    wanted = names("\n# for the tests alone\n")
    machine = debian(tmp_path, *names())
    status, _ = machine.run(SCRIPT, PACKAGES, "play")
    assert (status, "pulseaudio" in wanted, "espeak-ng" in wanted) == (0, False, True)
    _, install = machine.done("apt-get")
    assert install.split()[-len(wanted) - 2 : -2] == wanted


@pytest.mark.parametrize("purpose", ["play", "test"])
def test_nothing_is_ever_removed(tmp_path, purpose):
    machine = debian(tmp_path, "stockfish")
    assert machine.run(SCRIPT, PACKAGES, purpose)[0] == 0
    assert machine.done("apt-get") == [
        "apt-get update -qq",
        "apt-get install --no-install-recommends --no-remove stockfish -y -qq",
    ]


def test_the_tests_need_all(tmp_path):
    machine = debian(tmp_path, *names())
    assert machine.run(SCRIPT, PACKAGES, "test")[0] == 0
    assert machine.done("apt-get")[1].split()[4:-2] == names()


@pytest.mark.parametrize("purpose", ["play", "test"])
def test_what_has_all_is_left_alone(tmp_path, purpose):
    machine = debian(tmp_path, root=False)
    assert machine.run(SCRIPT, PACKAGES, purpose) == (0, "")
    assert not machine.done("apt-get")


@pytest.mark.parametrize(
    ("root", "sudo", "apt"),
    [(False, None, "exit 0"), (False, "exit 1", "exit 0"), (True, None, "exit 100")],
    ids=["no sudo", "not allowed", "no network"],
)
@pytest.mark.parametrize(
    ("purpose", "missing", "status"),
    [("play", "stockfish", 0), ("play", "python3-venv", 1), ("test", "stockfish", 1)],
)
def test_what_cannot_be_installed_ends_only_what_cannot_do_without(
    tmp_path, root, sudo, apt, purpose, missing, status
):
    machine = debian(tmp_path, missing, root=root, sudo=sudo, apt=apt)
    ended, told = machine.run(SCRIPT, PACKAGES, purpose)
    assert ended == status
    assert f"As root, type: apt-get install --no-install-recommends --no-remove {missing}\n" in told


def test_who_may_install_as_root_does(tmp_path):
    machine = debian(tmp_path, "stockfish", root=False, sudo='exec "$@"')
    assert machine.run(SCRIPT, PACKAGES, "play")[0] == 0
    assert machine.done("apt-get")[1].split()[4] == "stockfish"


def test_another_system_is_only_told(tmp_path):
    machine = Machine(tmp_path)
    status, told = machine.run(SCRIPT, PACKAGES, "play")
    assert (status, "stockfish" in told, "pulseaudio" in told) == (0, True, False)
