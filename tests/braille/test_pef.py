# SPDX-License-Identifier: GPL-3.0-or-later
"""PEF files that are none, or that ask for more than a file of pages may."""

import io

import pytest

from braille import pef
from braille.patterns import UnreadableError

PEF = 'xmlns="http://www.daisy.org/ns/2008/pef"'


def kind(data):
    with pytest.raises(UnreadableError) as caught:
        list(pef.read(io.BytesIO(data)))
    return caught.value.kind


@pytest.mark.parametrize(
    "encoding", ["utf-7", "rot13", "undefined", "idna", "punycode", "hex", "no-such", "utf-16", "zlib"]
)
def test_a_file_in_no_encoding_of_xml_is_no_pef(encoding):
    assert kind(f'<?xml version="1.0" encoding="{encoding}"?><pef {PEF}><row>⠀</row></pef>'.encode()) == "xml"


@pytest.mark.parametrize("name", ["row", "page", "x"])
def test_elements_in_one_another_are_followed_to_a_depth_only(name):
    whole = io.BytesIO(f"<pef {PEF}>".encode() + f"<{name}>".encode() * 5_000_000)
    with pytest.raises(UnreadableError) as caught:
        list(pef.read(whole))
    assert caught.value.kind == "xml"
    assert whole.tell() < 1 << 17  # the rest need not be read


def test_a_row_without_end_is_no_row():
    assert kind(f"<pef {PEF}><row>{'⠁' * 100_000}</row></pef>".encode()) == "long"


def test_what_a_file_says_about_itself_may_be_as_deep_as_any():
    about = "<a>" * 40 + "</a>" * 40
    assert list(pef.read(io.BytesIO(f"<pef {PEF}><head>{about}</head><row>⠁</row></pef>".encode()))) == [
        (1, "⠁")
    ]
