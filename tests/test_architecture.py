# SPDX-License-Identifier: GPL-3.0-or-later
"""The house keeps its doors: who imports whom, and that an import touches no device."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("acessivel", "braille", "voices")
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}
TRACKED = subprocess.run(
    ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout.split()
NO_TEXT = ("LICENSE", "py.typed", ".onnx", ".npz", ".png")
# An error named without a verb, "...; UserError." or "ValueError when ...": "Raises UserError if ..." says it.
BARE_ERROR = re.compile(r"(?:^|[.;]\s+)[A-Z]\w*Error\b")

# The rooms of the program from the ground up: a room imports from those before it, never from one behind it.
FLOORS = (
    "message", "errors", "rules", "clock", "messages", "laws", "settings", "game", "tournaments", "queries", "dialogue",
    "session", "adjournment", "storage", "records", "drills", "online", "devices", "web", "hall", "app", "commands", "cli",
)  # fmt: skip
# What no room of the core may reach, not even by way of others.
CORE = ("rules", "clock", "laws", "game", "queries", "dialogue", "session")
OUTSIDE = ("settings", *FLOORS[FLOORS.index("session") + 1 :])
# Arrows that would run down, and are forbidden all the same: from, to, why.
NEVER = (
    ("tournaments", "game", "a tournament is counted from its file, not from a game"),
    ("drills", "storage", "a drill needs no journal"),
    ("drills", "session", "a drill is no game"),
    ("adjournment", "settings", "what a sealed move needs is agreed in the game"),
    ("messages", "clock", "a message brings its facts along"),
    ("storage", "settings", "who opens the journal says where it is"),
)
# The chess library: the rules, and what proves a position dead; the engine's protocol and PGN are parts of it.
USES_CHESS = {
    "acessivel.rules.position",
    "acessivel.rules.dead_positions",
    "acessivel.rules.prepared_moves",
    "acessivel.rules.mating_plans",
    "acessivel.rules.unwinnable",
    "acessivel.devices.engine",
    "acessivel.records.pgn",
    "acessivel.records.braille_record",
    "acessivel.records.pgn_files",
    "acessivel.records.pgn_lines",
    "acessivel.drills.files",
    "acessivel.hall.live_pgn",
}


def imported(name):
    """The full names of what a module imports: a module of ours where there is one, else as it is written."""
    for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES else node.module


@cache
def imports():
    """Each module, and what it imports."""
    return {name: set(imported(name)) for name in MODULES}


def room(name):
    """The room of a module: "acessivel.laws" of "acessivel.laws.editions"."""
    return ".".join(name.split(".")[:2])


def arrows(key):
    """Who imports whom, by what `key` makes of a module's name; within one place there is none."""
    found = {}
    for name, others in imports().items():
        for other in others & MODULES.keys():
            if key(name) != key(other):
                found.setdefault(key(name), {}).setdefault(key(other), []).append(f"{name} imports {other}")
    return found


@cache
def room_arrows():
    """Which rooms import from which, and where."""
    return arrows(room)


def circles(graph):
    """Each arrow back to where a walk along the arrows came from."""
    found, done = [], set()

    def walk(place, way):
        if place in way:
            found.append([*way[way.index(place) :], place])
        elif place not in done:
            for after in graph.get(place, ()):
                walk(after, [*way, place])
            done.add(place)

    for place in graph:
        walk(place, [])
    return found


def test_voices_and_braille_import_neither_the_game_nor_each_other():
    for name, others in imports().items():
        package = name.split(".")[0]
        if package != "acessivel":
            assert {other.split(".")[0] for other in others} & set(PACKAGES) <= {package}, name


def test_the_top_holds_rooms_and_little_else():
    top = {path.name for path in (ROOT / "acessivel").iterdir() if path.is_file()}
    assert top == {"__init__.py", "cli.py", "message.py", "errors.py", "py.typed"}
    assert {
        room(name).removeprefix("acessivel.") for name in MODULES if name.startswith("acessivel.")
    } == set(FLOORS)


def test_arrows_run_down():
    floor = {f"acessivel.{name}": number for number, name in enumerate(FLOORS)}
    wrong = [
        arrow
        for source, targets in room_arrows().items()
        for target, found in targets.items()
        for arrow in found
        if source in floor and floor.get(target, -1) > floor[source]
    ]
    assert not wrong


@pytest.mark.parametrize(("source", "target", "why"), NEVER)
def test_no_arrow_where_none_may_be(source, target, why):
    assert not room_arrows().get(f"acessivel.{source}", {}).get(f"acessivel.{target}"), why


def test_no_circle_between_rooms_nor_modules():
    assert not circles(room_arrows())
    assert not circles(arrows(lambda name: name))


@pytest.mark.parametrize("name", CORE)
def test_the_core_reaches_no_device_no_file_and_no_command(name):
    reached, more = set(), {f"acessivel.{name}"}
    while more:
        reached |= more
        more = {other for one in more for other in room_arrows().get(one, ())} - reached
    assert not reached & {f"acessivel.{outside}" for outside in OUTSIDE}


def test_nobody_but_the_command_line_imports_commands():
    users = {source for source, targets in room_arrows().items() if "acessivel.commands" in targets}
    assert users <= {"acessivel.cli"}


def test_chess_is_imported_only_where_the_design_says():
    users = {
        name for name, others in imports().items() if any(other.split(".")[0] == "chess" for other in others)
    }
    assert users == USES_CHESS


@pytest.mark.parametrize("package", ["louis", "brlapi"])
def test_each_c_library_has_one_user(package):
    texts = {name: path.read_text("utf-8") for name, path in MODULES.items()}
    users = [name for name, text in texts.items() if f'"{package}"' in text and "import_module" in text]
    assert len(users) == 1


def definitions(name):
    """The classes and the types with a name of their own at the top of a module, and what they are."""
    for node in ast.parse(MODULES[name].read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            yield node.name.lstrip("_"), name
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            alias = target.id.lstrip("_") if isinstance(target, ast.Name) else ""
            if alias[:1].isupper() and not alias.isupper():
                yield alias, ast.unparse(node.value)


def test_a_class_name_has_one_meaning():
    meanings = {}
    for module in MODULES:
        for name, meaning in definitions(module):
            meanings.setdefault(name, set()).add(meaning)
    assert not {name for name, found in meanings.items() if len(found) > 1}


def docstrings(name):
    """The docstrings of a module with their lines, those behind fields as well."""
    for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, node.value.value


def test_a_docstring_says_in_a_sentence_which_error_is_raised():
    assert not [
        f"{name}:{line} {text}"
        for name in MODULES
        for line, text in docstrings(name)
        if isinstance(text, str) and BARE_ERROR.search(text)
    ]


def test_importing_the_program_loads_no_device_library():
    code = (
        "import sys, acessivel.cli\n"
        "print([m for m in ('louis', 'brlapi', 'sounddevice', 'soundfile', 'pocketsphinx', 'vosk', 'pyttsx3', 'speechd',"
        " 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_each_file_names_its_licence():
    texts = {name: (ROOT / name).read_text("utf-8") for name in TRACKED if not name.endswith(NO_TEXT)}
    first = {name: "\n".join(text.splitlines()[:3]) for name, text in texts.items()}
    assert not [
        name for name, lines in first.items() if "SPDX-License-Identifier: GPL-3.0-or-later" not in lines
    ]
