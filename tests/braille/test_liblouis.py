# SPDX-License-Identifier: GPL-3.0-or-later
"""Text in cells by the real liblouis."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from braille import liblouis

pytest.importorskip("louis", reason="liblouis is not installed")

TABLES = ("pt-pt-comp8.ctb", "en-us-comp8.ctb", "de-de-comp8.ctb", "Es-Es-G0.utb")


def braille(text, table):
    return "".join(chr(0x2800 + cell) for cell in liblouis.cells(text, table))


@pytest.mark.parametrize("table", TABLES)
def test_a_letter_is_its_dots_and_a_capital_has_dot_7_more(table):
    # c = 14 = bits 0 and 3; C = 147.
    assert liblouis.cells("c", table) == (0b0000_1001,)
    assert liblouis.cells("C", table) == (0b0100_1001,)


@pytest.mark.parametrize(
    ("table", "digits"),
    [
        ("pt-pt-comp8.ctb", "⢁⢃⢉⢙⢑⢋⢛⢓"),  # the letters a to h with dot 8
        ("en-us-comp8.ctb", "⠂⠆⠒⠲⠢⠖⠶⠦"),  # the letters a to h a row lower
        ("de-de-comp8.ctb", "⠡⠣⠩⠹⠱⠫⠻⠳"),  # the letters a to h with dot 6
        ("Es-Es-G0.utb", "⠡⠣⠩⠹⠱⠫⠻⠳"),
    ],
)
def test_the_digits_of_the_ranks(table, digits):
    assert braille("12345678", table) == digits


def test_a_dash_is_dots_36_and_a_space_is_blank():
    assert braille("a - b", "pt-pt-comp8.ctb") == "⠁⠀⠤⠀⠃"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("ж", "?"),
        ("♔", "?"),
        ("😀", "?"),
        ("ḿ", "m"),
        ("ﬁ", "fi"),
        ("x\u0302", "x"),  # an accent that no letter has
        ("\x00", " "),
        ("\t", " "),
        ("\u2003", " "),
        ("\ud800", " "),
    ],
)
def test_what_a_table_does_not_know_is_written_plainly(table, written, instead):
    assert liblouis.cells(f"a{written}b", table) == liblouis.cells(f"a{instead}b", table)


def test_an_accent_is_the_same_in_both_spellings():
    assert liblouis.cells("e\u0301", "pt-pt-comp8.ctb") == liblouis.cells("\u00e9", "pt-pt-comp8.ctb")
    assert liblouis.cells("ção", "pt-pt-comp8.ctb") != liblouis.cells("cao", "pt-pt-comp8.ctb")


def test_dashes_and_quotation_marks_of_books():
    assert braille("“a” — ’b’", "en-us-comp8.ctb") == braille("'a' - 'b'", "en-us-comp8.ctb")


@given(text=st.text(), table=st.sampled_from(TABLES))
def test_any_text_gives_cells_and_no_escapes(text, table):
    cells = liblouis.cells(text, table)
    assert all(0 <= cell <= 255 for cell in cells)
    # The longest plain form of a character in Unicode is 18 characters long.
    assert len(cells) <= 18 * len(text)


def test_nothing_has_no_cells():
    assert liblouis.cells("", TABLES[0]) == ()


def test_a_long_text_is_not_cut():
    assert len(liblouis.cells("Cf3 " * 50_000, TABLES[0])) == 200_000


def test_a_table_that_is_not_there_is_refused_without_noise(capfd):
    with pytest.raises(ValueError, match=r"no table nowhere\.ctb"):
        liblouis.cells("a", "nowhere.ctb")
    assert capfd.readouterr() == ("", "")


def test_the_version_is_numbers():
    assert all(part.isdigit() for part in liblouis.version().split("."))


_CROWD = """
import concurrent.futures
from braille import liblouis
wanted = {t: liblouis.cells("12.Dxd4+ exd6", t) for t in %r}
def work(number):
    tables = list(wanted)
    for i in range(400):
        table = tables[(i + number) %% len(tables)]
        assert liblouis.cells("12.Dxd4+ exd6", table) == wanted[table]
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    list(pool.map(work, range(8)))
"""


def test_many_threads_at_once():
    # In a process of its own, because liblouis would crash it.
    subprocess.run([sys.executable, "-c", _CROWD % (TABLES,)], check=True, timeout=60)


def test_a_namesake_without_the_library_is_named_as_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "louis", type(sys)("louis"))  # as PyPI's empty package
    monkeypatch.setattr(liblouis, "_louis", liblouis._louis.__wrapped__)
    with pytest.raises(liblouis.LiblouisMissingError):
        liblouis.version()


def test_nothing_is_loaded_by_import():
    code = "import sys, braille.board, braille.displays.brlapi; sys.exit('louis' in sys.modules or 'brlapi' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
