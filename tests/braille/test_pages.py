# SPDX-License-Identifier: GPL-3.0-or-later
"""Paragraphs on pages, by hand and by properties; BRF, PEF and Unicode files of them."""

import contextlib
import io
import random
import shutil
import subprocess
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import pef as official

from braille import brf, pef
from braille.diagram import diagram
from braille.notation import load_code
from braille.pages import Found, Paragraph, Sheet, layout, paginate, paragraphs, sheets
from braille.patterns import BLANK, UnreadableError, cells, pattern, read, write

ABOUT = pef.About("urn:x", "a <title> & more\x00", "pt")
words = st.text(alphabet="⠁⠃⠼⠿⠠", min_size=1, max_size=12)
units = st.lists(st.tuples(words) | st.tuples(words, words), min_size=1, max_size=12).map(tuple)
blocks = st.lists(st.none() | st.builds(Paragraph, units, st.booleans()), max_size=12)
sizes = st.builds(Sheet, st.integers(14, 45), st.integers(1, 30))


def lines_of(pages):
    return [line for page in pages for line in page]


def reread(pages):
    return list(paragraphs(enumerate(lines_of(pages), start=1)))


def test_a_page_by_hand():
    text = Paragraph.of_words("⠁⠁⠁⠁⠀⠃⠃⠃⠃⠀⠉⠉⠉⠉⠀⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠀⠑")
    assert list(paginate([text, None, text], Sheet(14, 6))) == [
        ("⠀" * 12 + "⠼⠁", "⠀⠀⠁⠁⠁⠁⠀⠃⠃⠃⠃", "⠉⠉⠉⠉", "⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙", "⠀⠀⠀⠀⠙⠙⠙⠙⠀⠑", ""),
        ("⠀" * 12 + "⠼⠃", "⠀⠀⠁⠁⠁⠁⠀⠃⠃⠃⠃", "⠉⠉⠉⠉", "⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙⠙", "⠀⠀⠀⠀⠙⠙⠙⠙⠀⠑"),
    ]


def test_a_unit_goes_to_the_next_line_as_a_whole_and_is_broken_only_between_its_parts():
    assert layout(Paragraph((("⠁⠁⠁⠁⠁⠁",), ("⠃⠃⠃⠀", "⠉⠉⠉⠉⠉"))), 14) == ["⠀⠀⠁⠁⠁⠁⠁⠁", "⠃⠃⠃⠀⠉⠉⠉⠉⠉"]
    assert layout(Paragraph((("⠁",), ("⠃⠃⠃⠃⠃⠃⠃⠃⠀", "⠉⠉⠉⠉⠉⠉⠉⠉"))), 14) == ["⠀⠀⠁⠀⠃⠃⠃⠃⠃⠃⠃⠃", "⠉⠉⠉⠉⠉⠉⠉⠉"]


def test_a_block_of_lines_stands_on_one_page():
    block = Paragraph((("⠁",), ("⠃",), ("⠉",)), lines=True)
    pages = list(paginate([Paragraph.of_words("⠿"), None, block], Sheet(20, 5)))
    assert [page[1:] for page in pages] == [("⠀⠀⠿", ""), ("⠀⠀⠁", "⠃", "⠉")]


def test_a_display_of_one_line_has_no_numbers():
    assert list(paginate([Paragraph.of_words("⠁⠀⠃"), None], Sheet(12, 1))) == [("⠀⠀⠁⠀⠃",), ("",)]


@settings(deadline=None)
@given(blocks, sizes)
def test_nothing_is_split_nor_too_long_and_all_comes_back(content, sheet):
    pages = list(paginate(content, sheet))
    assert all(len(line) <= sheet.width for line in lines_of(pages))
    assert all(0 < len(page) <= sheet.lines for page in pages)
    words = [set(line.split(BLANK)) for line in lines_of(pages)]
    found = reread(pages)
    assert len(found) == len(content)
    for paragraph, again in zip(content, found, strict=True):
        if paragraph is None:
            assert again is None
            continue
        whole = BLANK.join("".join(unit) for unit in paragraph.units)
        parted = BLANK.join(BLANK.join(unit) for unit in paragraph.units)
        assert again.text.replace(BLANK, "") == whole.replace(BLANK, "")
        assert set(again.text.split(BLANK)) <= set(whole.split(BLANK)) | set(parted.split(BLANK))
        for unit in paragraph.units:
            assert any("".join(unit) in line for line in words) or (
                len("".join(unit)) > sheet.width - 2
                and all(any(part in line for line in words) for part in unit)
            )


@settings(deadline=None)
@given(st.lists(st.text(alphabet="⠁⠃⠿", min_size=1, max_size=200), min_size=1), sizes)
def test_words_longer_than_a_line_come_back(text, sheet):
    joined = BLANK.join(text)
    (found,) = reread(paginate([Paragraph.of_words(joined)], sheet))
    assert found.text == joined
    for place in range(len(joined)):
        line = lines_of(paginate([Paragraph.of_words(joined)], sheet))[found.line(place) - 1]
        assert joined[place] in line or joined[place] == BLANK


@pytest.mark.parametrize("indent", [1, 3])
def test_a_line_that_begins_where_none_does(indent):
    with pytest.raises(UnreadableError) as caught:
        list(paragraphs([(7, "⠀⠀⠁"), (8, BLANK * indent + "⠁")]))
    assert (caught.value.line, caught.value.kind) == (8, "indent")


def test_a_paragraph_knows_the_lines_of_its_cells():
    assert list(paragraphs([(3, "⠀⠀⠁⠁"), (4, "⠃"), (5, "⠀⠀⠀⠀⠉"), (6, ""), (7, "⠀⠀⠀⠀⠀⠀⠼⠁")])) == [
        Found("⠁⠁⠀⠃⠉", ((0, 3), (2, 4), (4, 5))), None,
    ]  # fmt: skip


def test_the_sheets_that_have_a_name():
    assert sheets()["brazil"] == Sheet(34, 28)
    assert sheets()["a4"] == sheets()["letter"] == Sheet(40, 25)
    assert {(sheet.width, sheet.lines) for name, sheet in sheets().items() if name.startswith("line")} == {
        (width, 1) for width in (12, 14, 20, 40, 80)
    }
    assert next(iter(sheets())) == "brazil"


@pytest.mark.parametrize(("width", "lines"), [(11, 5), (12, 0), (1001, 5), (40, 1001), (-1, -1)])
def test_what_is_no_sheet(width, lines):
    with pytest.raises(ValueError, match="no sheet"):
        Sheet(width, lines)


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
SPARSE = "r3k2r/8/8/3Pp3/8/8/8/R3K2R"


@pytest.mark.parametrize(
    ("name", "placement", "lines"),
    [
        # Empty squares in low digits; the two, and the three, empty ranks are 16 and 24 squares.
        ("uk", START, "⠷⠮⠧⠿⠥⠧⠮⠷ ⠯⠯⠯⠯⠯⠯⠯⠯ ⠒⠆ ⠏⠏⠏⠏⠏⠏⠏⠏ ⠗⠎⠇⠟⠅⠇⠎⠗"),
        ("uk", SPARSE, "⠷⠒⠥⠆⠷ ⠂⠖ ⠒⠏⠯⠒ ⠆⠲ ⠗⠒⠅⠆⠗"),
        ("uk", "8/8/8/8/8/8/8/8", "⠖⠲"),
        # Drawn: the rank, then dot 3 for a white square, dots 3 6 for a black one; Black's letters have dot 6.
        ("pt6", SPARSE, "⠼⠓⠾⠤⠄⠤⠷⠤⠄⠾ ⠼⠛⠤⠄⠤⠄⠤⠄⠤⠄ ⠼⠋⠄⠤⠄⠤⠄⠤⠄⠤ ⠼⠑⠤⠄⠤⠏⠯⠄⠤⠄ ⠼⠙⠄⠤⠄⠤⠄⠤⠄⠤ ⠼⠉⠤⠄⠤⠄⠤⠄⠤⠄ ⠼⠃⠄⠤⠄⠤⠄⠤⠄⠤ ⠼⠁⠞⠄⠤⠄⠗⠄⠤⠞"),
        ("es6", "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR", "⠼⠓⠾⠩⠡⠹⠷⠡⠩⠾ ⠼⠛⠤⠄⠤⠄⠤⠄⠤⠄ ⠼⠋⠄⠤⠄⠤⠄⠤⠄⠤ ⠼⠑⠤⠄⠤⠄⠤⠄⠤⠄ ⠼⠙⠄⠤⠄⠤⠄⠤⠄⠤ ⠼⠉⠤⠄⠤⠄⠤⠄⠤⠄ ⠼⠃⠄⠤⠄⠤⠄⠤⠄⠤ ⠼⠁⠞⠉⠁⠙⠗⠁⠉⠞"),
        ("de6", "rnbqkbnr/p7/8/8/8/8/8/RNBQKBNR", "⠳⠾⠮⠧⠹⠥⠧⠮⠾ ⠻⠣⠄⠤⠄⠤⠄⠤⠄ ⠫⠄⠤⠄⠤⠄⠤⠄⠤ ⠱⠤⠄⠤⠄⠤⠄⠤⠄ ⠹⠄⠤⠄⠤⠄⠤⠄⠤ ⠩⠤⠄⠤⠄⠤⠄⠤⠄ ⠣⠄⠤⠄⠤⠄⠤⠄⠤ ⠡⠞⠎⠇⠙⠅⠇⠎⠞"),
        # Figures and letters of eight dots: dot 7 is White.
        ("figurine", "rnbqkbnr/p7/8/8/8/8/P7/RNBQKBNR", "⠳⠞⠎⠇⠙⠅⠇⠎⠞ ⠻⠃⠄⠤⠄⠤⠄⠤⠄ ⠫⠄⠤⠄⠤⠄⠤⠄⠤ ⠱⠤⠄⠤⠄⠤⠄⠤⠄ ⠹⠄⠤⠄⠤⠄⠤⠄⠤ ⠩⠤⠄⠤⠄⠤⠄⠤⠄ ⠣⡃⠤⠄⠤⠄⠤⠄⠤ ⠡⡞⡎⡇⡙⡅⡇⡎⡞"),
        ("pt8", "rnbqkbnr/p7/8/8/8/8/P7/RNBQKBNR", "⢓⠞⠉⠃⠙⠗⠃⠉⠞ ⢛⠏⠄⠤⠄⠤⠄⠤⠄ ⢋⠄⠤⠄⠤⠄⠤⠄⠤ ⢑⠤⠄⠤⠄⠤⠄⠤⠄ ⢙⠄⠤⠄⠤⠄⠤⠄⠤ ⢉⠤⠄⠤⠄⠤⠄⠤⠄ ⢃⡏⠤⠄⠤⠄⠤⠄⠤ ⢁⡞⡉⡃⡙⡗⡃⡉⡞"),
    ],
)  # fmt: skip
def test_positions_by_hand(name, placement, lines):
    pytest.importorskip("louis", reason="liblouis is not installed")
    assert diagram(placement, load_code(name)) == tuple(lines.split(" "))


six_dots = st.text(alphabet=[chr(0x2800 + cell) for cell in range(64)], max_size=40).map(
    lambda line: line.rstrip(BLANK)
)
eight_dots = st.text(alphabet=[chr(0x2800 + cell) for cell in range(256)], max_size=40)


def files(of):
    return st.lists(st.lists(of, min_size=1, max_size=5), max_size=4)


def unwritten(reader, blocks):
    return [line for _, line in reader(io.BytesIO(b"".join(blocks)))]


@settings(deadline=None)
@given(files(six_dots))
def test_brf_comes_back_also_in_small_letters(pages):
    written = list(brf.write(pages))
    assert unwritten(brf.read, written) == lines_of(pages)
    assert unwritten(brf.read, [block.lower() for block in written]) == lines_of(pages)
    assert unwritten(brf.read, [block.replace(b"\r\n", b"\n") for block in written]) == lines_of(pages)


@settings(deadline=None)
@given(files(eight_dots))
def test_pef_and_unicode_come_back(pages):
    assert unwritten(pef.read, pef.write(pages, Sheet(40, 5), ABOUT, 8)) == lines_of(pages)
    assert unwritten(read, write(pages)) == lines_of(pages)


@settings(deadline=None)
@given(files(eight_dots))
def test_pef_keeps_to_the_schema(pages):
    tree = official.check(b"".join(pef.write(pages or [["⠁"]], Sheet(40, 7), ABOUT, 8)))
    assert tree.findtext(".//{*}title") == "a <title> & more"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b"application/x-pef+xml", b"text/xml"), (b'version="2008-1"', b""), (b'cols="40"', b""), (b'rows="5"', b'rows="0"'),
        (b"<row>", b"<row>x"), (b'duplex="false"', b'duplex="no"'), (b"<dc:identifier>urn:x</dc:identifier>", b""),
    ],
)  # fmt: skip
def test_the_schema_refuses_what_is_no_pef(right, wrong):
    data = b"".join(pef.write([["⠁"]], Sheet(40, 5), ABOUT, 6))
    assert right in data
    official.check(data)
    with pytest.raises(official.Invalid):
        official.check(data.replace(right, wrong))


@pytest.mark.parametrize("dots", [6, 8])
@pytest.mark.parametrize("sheet", [Sheet(40, lines) for lines in (1, 2, 5, 25, 28)], ids=str)
def test_full_pages_fit_the_sheet_with_the_gaps_between_their_rows(sheet, dots):
    page = pef.page(sheet, dots)
    full = [["⠁"] * page.lines]
    tree = official.check(b"".join(pef.write(full, sheet, ABOUT, dots)))
    assert tree.find(".//{*}volume").get("rows") == str(sheet.lines)
    if sheet.lines > 1:
        with pytest.raises(AssertionError):
            official.check(b"".join(pef.write([[*full[0], "⠁"]], sheet, ABOUT, dots)))


def test_brf_by_hand():
    # Nf3 with its capital in English Braille: dot 6 is a comma, a low digit that digit, the full cell an equals sign.
    assert b"".join(brf.write([["⠠⠝⠋⠒⠀⠿", ""], ["⠼⠁"]])) == b",NF3 =\r\n\r\n\f#A\r\n\f"


@pytest.mark.skipif(not shutil.which("lou_translate"), reason="lou_translate is not installed")
def test_liblouis_reads_the_same_cells_from_brf():
    chance = random.Random(3)  # noqa: S311  # the same cells each time
    alphabet = [chr(0x2800 + cell) for cell in range(1, 64)]
    lines = ["".join(alphabet), *("".join(chance.choices(alphabet, k=34)) for _ in range(200))]
    data = b"".join(brf.write([lines])).replace(b"\f", b"").replace(b"\r", b"")
    done = subprocess.run(
        ["lou_translate", "--backward", "en-us-brf.dis,unicode-braille.utb"],
        input=data.replace(b"\\", b"\\\\"),  # a backslash begins an escape of lou_translate
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().splitlines() == lines


def test_brf_has_no_seventh_dot():
    with pytest.raises(brf.EightDotsError):
        list(brf.write([["⡀"]]))


@pytest.mark.parametrize(
    ("reader", "data", "line", "kind"),
    [
        (brf.read, b"ABC\r\nAB\x80\r\n", 2, "character"), (brf.read, b"A\tB", 1, "character"), (brf.read, b"A\x00", 1, "character"),
        (brf.read, b"A" * 20_000, 1, "long"), (brf.read, "⠁".encode(), 1, "character"),
        (read, b"\n\nABC", 3, "character"), (read, b"\xff\xfe", 1, "character"), (read, "⠁\n⠁é".encode(), 2, "character"),
        (pef.read, b"", 1, "xml"), (pef.read, b"no xml", 1, "xml"), (pef.read, b"<html/>", 1, "xml"),
        (pef.read, b'<pef xmlns="http://www.daisy.org/ns/2008/pef"><row>\n', 2, "xml"),
        (pef.read, b'<pef xmlns="http://www.daisy.org/ns/2008/pef">\n<row>x</row></pef>', 2, "character"),
        (pef.read, b'<!DOCTYPE pef [<!ENTITY a "aaaa">]><pef xmlns="http://www.daisy.org/ns/2008/pef"/>', 1, "xml"),
    ],
)  # fmt: skip
def test_files_that_are_not_what_they_should_be(reader, data, line, kind):
    with pytest.raises(UnreadableError) as caught:
        list(reader(io.BytesIO(data)))
    assert (caught.value.line, caught.value.kind) == (line, kind)


@pytest.mark.parametrize("reader", [brf.read, read, pef.read])
@settings(deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(reader, data):
    with contextlib.suppress(UnreadableError):
        list(paragraphs(reader(io.BytesIO(data))))


def test_the_memory_for_pages_does_not_grow():
    def peak(count):
        content = (Paragraph.of_words("⠁⠃⠉⠀" * 50 + "⠁") for _ in range(count))
        tracemalloc.start()
        for block in pef.write(paginate(content, Sheet(34, 28)), Sheet(34, 28), ABOUT, 6):
            assert block
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(10)  # what is imported and compiled only once
    assert peak(3000) < peak(100) + 100_000


def test_patterns():
    assert pattern((0, 1, 255)) == "⠀⠁⣿"
    assert cells("⠀⠁⣿") == (0, 1, 255)
    with pytest.raises(ValueError, match="not Braille"):
        cells("a")
