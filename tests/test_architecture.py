# SPDX-License-Identifier: GPL-3.0-or-later
"""The house keeps its doors: who imports whom, and that an import touches no device."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("acessivel", "braille", "voices")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
TRACKED = subprocess.run(
    ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout.split()
NO_TEXT = ("LICENSE", "py.typed", ".onnx")
FILES = [ROOT / name for name in TRACKED if not name.endswith(NO_TEXT)]


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_voices_and_braille_import_neither_the_game_nor_each_other():
    for path in MODULES:
        room = path.relative_to(ROOT).parts[0]
        if room != "acessivel":
            found = {name.split(".")[0] for name in imports(path)} & set(ROOMS)
            assert found <= {room}, path


def test_chess_is_imported_only_where_the_design_says():
    users = {
        str(path.relative_to(ROOT / "acessivel"))
        for path in MODULES
        if any(name.split(".")[0] == "chess" for name in imports(path))
    }
    # The rules, and what proves a position dead; the engine's protocol and PGN, which are parts of the same library.
    assert users == {
        "rules/position.py",
        "rules/dead_positions.py",
        "devices/engine.py",
        "records/pgn.py",
        "records/braille_record.py",
        "records/pgn_files.py",
        "drills/files.py",
    }


@pytest.mark.parametrize("package", ["louis", "brlapi"])
def test_each_c_library_has_one_user(package):
    texts = {
        path.name
        for path in MODULES
        if f'"{package}"' in path.read_text("utf-8") and "import_module" in path.read_text("utf-8")
    }
    assert len(texts) == 1


def test_importing_the_program_loads_no_device_library():
    code = (
        "import sys, acessivel.cli\n"
        "print([m for m in ('louis', 'brlapi', 'sounddevice', 'soundfile', 'pocketsphinx', 'vosk', 'pyttsx3', 'speechd',"
        " 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_file_names_its_licence(path):
    assert "SPDX-License-Identifier: GPL-3.0-or-later" in "\n".join(path.read_text("utf-8").splitlines()[:3])
