# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of cells <-> PEF, the Portable Embosser Format 2008-1 (XML), one page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO
from xml.parsers import expat
from xml.sax.saxutils import escape

from braille.pages import Sheet
from braille.patterns import UnreadableError

_NAMESPACE = "http://www.daisy.org/ns/2008/pef"
_BLOCK = 1 << 16
_DEEPEST = 64  # elements within one another: pages take six, what a file says about itself a few
_LONGEST = 10_000  # cells of a row: a longer one is no page of Braille, and would fill the memory


@dataclass(frozen=True, slots=True)
class About:
    """What a PEF file says about itself: its identifier, its title, its language."""

    identifier: str
    title: str
    language: str


def page(sheet: Sheet, dots: int) -> Sheet:
    """What a sheet holds: each row of eight dots has a gap of a dot's height, of which a row takes four."""
    return Sheet(sheet.width, sheet.lines * 4 // 5) if _gap(sheet, dots) else sheet


def _gap(sheet: Sheet, dots: int) -> int:
    """The gap after each row, in heights of a dot; the only row of a display needs none."""
    return int(dots == 8 and sheet.lines > 1)


def write(pages: Iterable[Iterable[str]], sheet: Sheet, about: About, dots: int) -> Iterator[bytes]:
    """Write one volume, printed on one side, of pages that are as `page` says."""
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<pef version="2008-1" xmlns="{_NAMESPACE}">\n'
        '<head><meta xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        "<dc:format>application/x-pef+xml</dc:format>\n"
        f"<dc:identifier>{_xml(about.identifier)}</dc:identifier>\n"
        f"<dc:title>{_xml(about.title)}</dc:title>\n"
        f"<dc:language>{_xml(about.language)}</dc:language>\n"
        "</meta></head>\n"
        f'<body><volume cols="{sheet.width}" rows="{sheet.lines}" rowgap="{_gap(sheet, dots)}"'
        ' duplex="false">\n<section>\n'
    ).encode()
    for page in pages:
        rows = "".join(f"<row>{line}</row>\n" for line in page)
        yield f"<page>\n{rows}</page>\n".encode()
    yield b"</section></volume></body>\n</pef>\n"


def _xml(text: str) -> str:
    """Text that XML can contain: control characters are left out."""
    return escape("".join(sign for sign in text if sign.isprintable()))


def read(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """The rows in Braille patterns, each with its line number in the file.

    Raises UnreadableError ("xml") if the file is not PEF, ("character") if a row has anything but Braille. A
    document type is refused: PEF has none, and its declarations could fill the memory.
    """
    rows = _Rows()
    while block := file.read(_BLOCK):
        yield from rows.feed(block, last=False)
    yield from rows.feed(b"", last=True)


class _Rows:
    """Finds the rows in the blocks of a file."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._say
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._depth = 0
        self._row: list[str] | None = None
        self._length = 0
        self._is_pef = False
        self._found: list[tuple[int, str]] = []

    def feed(self, block: bytes, *, last: bool) -> list[tuple[int, str]]:
        """The rows that end in this block."""
        try:
            self._parser.Parse(block, last)
        except UnreadableError:
            raise
        except (expat.ExpatError, ValueError, LookupError) as error:  # the last two for what it is encoded in
            raise UnreadableError(self._parser.CurrentLineNumber, "xml") from error
        found, self._found = self._found, []
        return found

    def _begin(self, name: str, _: dict[str, str]) -> None:
        self._is_pef = self._is_pef or name == f"{_NAMESPACE} pef"
        self._depth += 1
        if not self._is_pef or self._depth > _DEEPEST:
            self._refuse()
        if name == f"{_NAMESPACE} row":
            self._row, self._length = [], 0

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == f"{_NAMESPACE} row" and self._row is not None:
            text, self._row = "".join(self._row), None
            if any(not "⠀" <= cell <= "⣿" for cell in text):
                raise UnreadableError(self._parser.CurrentLineNumber, "character")
            self._found.append((self._parser.CurrentLineNumber, text))

    def _say(self, text: str) -> None:
        if self._row is not None:
            self._row.append(text)
            self._length += len(text)
            if self._length > _LONGEST:
                raise UnreadableError(self._parser.CurrentLineNumber, "long")

    def _refuse(self, *_: object) -> None:
        raise UnreadableError(self._parser.CurrentLineNumber, "xml")
