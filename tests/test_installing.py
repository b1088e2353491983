# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make play` and `make test` install, with a Debian that only notes what it is asked."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts/install-system-packages"
PACKAGES = ROOT / "system-packages.txt"
SYSTEM = "bash env sed grep mkdir mv rm ln touch make sh cat".split()


class Machine:
    """A path with these programs alone: what a test makes of one, and those of the system that a script needs."""

    def __init__(self, folder):
        self._folder, self._log = folder / "bin", folder / "log"
        self.stamp = folder / "made/stamp"
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


def packages(machine, purpose):
    return machine.run(SCRIPT, PACKAGES, purpose, machine.stamp)


def names(end=""):
    text = PACKAGES.read_text("utf-8")
    lines = (text.partition(end)[0] if end else text).splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_a_game_needs_nothing_that_takes_the_place_of_the_sound_of_a_desktop(tmp_path):
    wanted = names("\n# for the tests alone\n")
    machine = debian(tmp_path, *names())
    status, _ = packages(machine, "play")
    assert (status, "pulseaudio" in wanted, "espeak-ng" in wanted) == (0, False, True)
    _, install = machine.done("apt-get")
    assert install.split()[-len(wanted) - 2 : -2] == wanted


@pytest.mark.parametrize("purpose", ["play", "test"])
def test_nothing_is_ever_removed(tmp_path, purpose):
    machine = debian(tmp_path, "stockfish")
    assert packages(machine, purpose)[0] == 0
    assert machine.done("apt-get") == [
        "apt-get update -qq",
        "apt-get install --no-install-recommends --no-remove stockfish -y -qq",
    ]


def test_the_tests_need_all(tmp_path):
    machine = debian(tmp_path, *names())
    assert packages(machine, "test")[0] == 0
    assert machine.done("apt-get")[1].split()[4:-2] == names()


@pytest.mark.parametrize("purpose", ["play", "test"])
def test_what_has_all_is_left_alone(tmp_path, purpose):
    machine = debian(tmp_path, root=False)
    assert packages(machine, purpose) == (0, "")
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
    ended, told = packages(machine, purpose)
    assert (ended, machine.stamp.exists()) == (status, False)
    assert f"As root, type: apt-get install --no-install-recommends --no-remove {missing}\n" in told


@pytest.mark.parametrize(
    ("missing", "tried"), [((), False), (("stockfish",), True)], ids=["all there", "not installed"]
)
def test_what_could_not_be_installed_is_tried_again(tmp_path, folder, missing, tried):
    machine = debian(tmp_path, *missing, apt="exit 100")
    prepared(machine, folder)
    before = len(machine.done("dpkg-query"))
    assert prepared(machine, folder)[0] == 0
    assert (len(machine.done("dpkg-query")) > before) == tried


@pytest.mark.parametrize(("missing", "told"), [("pulseaudio", True), ("stockfish", False)])
def test_where_the_tests_own_sound_cannot_be_installed_a_container_is_named(tmp_path, missing, told):
    machine = debian(tmp_path, missing, apt="exit 100")
    assert packages(machine, "test")[1].rstrip().endswith("such as a container.") == told


def test_who_may_install_as_root_does(tmp_path):
    machine = debian(tmp_path, "stockfish", root=False, sudo='exec "$@"')
    assert packages(machine, "play")[0] == 0
    assert machine.done("apt-get")[1].split()[4] == "stockfish"


def test_another_system_is_only_told(tmp_path):
    machine = Machine(tmp_path)
    status, told = packages(machine, "play")
    assert (status, "stockfish" in told, "pulseaudio" in told) == (0, True, False)


# A Python whose environments have only what shows which folder they were made for.
PYTHON = """
[ "$1" = .venv/bin/acessivel ] && exec bash "$@"
[ "$2" = venv ] || exit 0
for folder; do :; done
mkdir -p "$folder/bin"
ln -sf "$0" "$folder/bin/python"
echo "command = $0 -m venv --system-site-packages $PWD/$folder" >"$folder/pyvenv.cfg"
"""
OFFLINE = '[ "$2" = pip ] && exit 1\n'


@pytest.fixture
def folder(tmp_path):
    """One from which the program can be installed."""
    folder = tmp_path / "a folder"
    (folder / "scripts").mkdir(parents=True)
    for name in (
        "Makefile",
        "system-packages.txt",
        "scripts/install-system-packages",
        "scripts/install-environment",
    ):
        (folder / name).symlink_to(ROOT / name)
    (folder / "pyproject.toml").touch()
    return folder


def prepared(machine, folder, target="install", does=PYTHON):
    """How a target of the Makefile ends, what it tells, and what Python was asked for it."""
    python = machine.has("python3", does)
    before = len(machine.done("python3"))
    status, told = machine.run("make", "--no-print-directory", target, f"PYTHON={python}", cwd=folder)
    return status, told, machine.done("python3")[before:]


def test_an_environment_is_made_once(tmp_path, folder):
    machine = debian(tmp_path)
    status, told, asked = prepared(machine, folder)
    assert (status, len(asked), "takes some minutes" in told) == (0, 2, True)
    assert prepared(machine, folder)[2] == []


@pytest.mark.parametrize("copied", [False, True])
def test_an_environment_of_another_folder_is_made_anew(tmp_path, folder, copied):
    machine = debian(tmp_path)
    prepared(machine, folder)
    other = tmp_path / "other"
    if copied:
        shutil.copytree(folder, other, symlinks=True)
    else:
        folder.rename(other)
    status, _, asked = prepared(machine, other)
    assert (status, asked[0]) == (0, "python3 -m venv --system-site-packages .venv")
    assert prepared(machine, other)[2] == []
    assert not (other / ".venv.before").exists()


def test_an_environment_behind_a_link_is_that_of_its_folder(tmp_path, folder):
    machine = debian(tmp_path)
    prepared(machine, folder)
    (folder / ".venv").rename(tmp_path / "large disk")
    (folder / ".venv").symlink_to(tmp_path / "large disk")
    config = tmp_path / "large disk/pyvenv.cfg"
    config.write_text(f"command = python3 -m venv {tmp_path}/large disk\n", "utf-8")
    assert prepared(machine, folder)[2] == []


def test_a_folder_that_is_reached_by_another_path_keeps_its_environment(tmp_path, folder):
    machine = debian(tmp_path)
    prepared(machine, folder)
    (tmp_path / "mounted").symlink_to(folder)
    config = folder / ".venv/pyvenv.cfg"
    config.write_text(f"command = python3 -m venv {tmp_path}/mounted/.venv\n", "utf-8")
    assert prepared(machine, folder)[2] == []


@pytest.mark.parametrize("failing", ["pip", "venv"])
def test_a_moved_folder_plays_with_what_was_there_without_a_network(tmp_path, folder, failing):
    machine = debian(tmp_path)
    prepared(machine, folder)
    (folder / ".venv/bin/acessivel").symlink_to(machine.has("acessivel"))
    other = folder.rename(tmp_path / "other")
    fails = f'[ "$2" = {failing} ] && exit 1\n'
    assert prepared(machine, other, "play", fails + PYTHON)[0] == 0
    assert "acessivel play" in machine.done("acessivel")
    assert f"{folder}/.venv" in (other / ".venv/pyvenv.cfg").read_text("utf-8")
    assert prepared(machine, other)[2][0] == "python3 -m venv --system-site-packages .venv"


def test_an_environment_that_was_laid_aside_by_what_was_killed_comes_back(tmp_path, folder):
    machine = debian(tmp_path)
    prepared(machine, folder)
    (folder / ".venv").rename(folder / ".venv.before")
    (folder / ".venv.before/kept").touch()
    assert prepared(machine, folder, does=OFFLINE + PYTHON)[0] == 2
    assert (folder / ".venv/kept").exists()
    assert not (folder / ".venv.before").exists()


@pytest.mark.parametrize(
    ("target", "works", "status"), [("play", True, 0), ("play", False, 2), ("check", True, 2)]
)
def test_without_a_network_only_a_game_goes_on_with_what_was_there(tmp_path, folder, target, works, status):
    machine = debian(tmp_path)
    prepared(machine, folder)
    (folder / ".venv/bin/acessivel").symlink_to(machine.has("acessivel", "" if works else "exit 1"))
    (folder / ".venv/.installed").unlink()
    ended, told, _ = prepared(machine, folder, target, OFFLINE + PYTHON)
    assert ended == status
    assert "See that the internet can be reached" in told
    assert ("acessivel play" in machine.done("acessivel")) == (status == 0)


def test_who_waits_for_the_environment_is_told_that_it_goes_on(tmp_path, folder):
    os.mkfifo(tmp_path / "pip")
    python = debian(tmp_path).has("python3", f'[ "$2" = pip ] && read -r <{tmp_path}/pip\n{PYTHON}')
    env = {"PATH": str(tmp_path / "bin"), "TOLD_EVERY_S": "0.01"}
    with subprocess.Popen(
        [ROOT / "scripts/install-environment", python, ".venv", "test"],
        cwd=folder, env=env, text=True, stdout=subprocess.PIPE,
    ) as script:  # fmt: skip
        assert [script.stdout.readline() for _ in range(2)][1] == "It is still being prepared.\n"
        (tmp_path / "pip").write_text("\n", "utf-8")
        assert script.stdout.readlines()[-1] == "It is ready.\n"
    assert script.returncode == 0
