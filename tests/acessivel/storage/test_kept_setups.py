# SPDX-License-Identifier: GPL-3.0-or-later
"""What was agreed for a game stays readable in the journals that users have."""

import json
import sqlite3

import pytest

from acessivel.game.game import Beginning, Players, Rulebook, Setup, Timing
from acessivel.game.imported import Before
from acessivel.storage.journal import Journal
from acessivel.storage.journal_file import FILE_NAME

# As written before the fields were grouped.
FLAT = """{"language": "de", "convention": "letters", "opponent": "engine", "colour": "black", "level": 5,
"clock": "90+30", "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "white": "Ana", "black": "Rui", "demo": true,
"laws": "fide-2009", "tempo": "standard", "strict": true, "supervised": false, "draw_from_move": 30,
"variant": "chess960", "alarms": "5,1", "practice": true, "default_time": 30,
"before": {"moves": ["e1h1"], "left_ms": [5400000], "times": [5400000, 5000000], "tags": [["Event", "Rook"]]},
"ritual": true, "two_boards": true, "claim_flag": "both"}"""
AGREED = Setup(
    language="de",
    convention="letters",
    opponent="engine",
    colour="black",
    level=5,
    practice=True,
    ritual=True,
    two_boards=True,
    demo=True,
    players=Players("Ana", "Rui"),
    beginning=Beginning(
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "chess960",
        Before(("e1h1",), (5_400_000,), (5_400_000, 5_000_000), (("Event", "Rook"),)),
    ),
    timing=Timing("90+30", "5,1", default_time=30, claim_flag="both"),
    rulebook=Rulebook("fide-2009", "standard", strict=True, supervised=False, draw_from_move=30),
)


def kept(journal, text):
    """The setup that a journal reads from the text that it keeps."""
    number = journal.create(Setup(), "2026-01-01T12:00:00")
    with sqlite3.connect(journal.folder / FILE_NAME) as db:
        db.execute("UPDATE game SET setup = ? WHERE id = ?", (text, number))
    return journal.load(number).state.setup


@pytest.fixture
def journal(tmp_path):
    opened = Journal(tmp_path)
    yield opened
    opened.close()


def test_a_game_of_an_older_program_loads_as_it_was_agreed(journal):
    assert kept(journal, FLAT) == AGREED


def test_what_an_older_or_newer_program_kept_besides_does_no_harm(journal):
    assert kept(journal, '{"language": "en", "clock": "5", "tomorrow": [1]}') == Setup(
        language="en", timing=Timing("5")
    )


def test_it_is_kept_in_the_same_form(journal):
    number = journal.create(AGREED, "2026-01-01T12:00:00")
    with sqlite3.connect(journal.folder / FILE_NAME) as db:
        (text,) = db.execute("SELECT setup FROM game WHERE id = ?", (number,)).fetchone()
    found = json.loads(text)
    assert len(found.pop("mark")) == 16
    assert found == json.loads(FLAT) | {"lessons": False, "drill": False}
    assert journal.load(number).state.setup == AGREED


def test_each_name_stands_once():
    flat = AGREED.flat()
    assert Setup.of(**flat | {"before": AGREED.beginning.before}) == AGREED
    with pytest.raises(TypeError):
        Setup.of(tomorrow=1)
