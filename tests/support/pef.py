# SPDX-License-Identifier: GPL-3.0-or-later
"""What PEF 2008-1 allows, as a RELAX NG schema of our own: the official one's rules for what it holds, put shortly.

Stricter in one thing: nothing of another namespace may stand in it, for we write nothing of the kind.
"""

import math

from lxml import etree

PEF = "http://www.daisy.org/ns/2008/pef"
Invalid = etree.DocumentInvalid
_XSD = "http://www.w3.org/2001/XMLSchema-datatypes"


def _element(name, content, namespace=PEF):
    return f'<element name="{name}" ns="{namespace}">{content}</element>'


def _attribute(name, kind):
    return f'<attribute name="{name}"><data type="{kind}"/></attribute>'


def _dublin_core(name, content='<data type="string"/>'):
    return _element(name, content, "http://purl.org/dc/elements/1.1/")


def _at(occurrence, *elements):
    return "".join(f"<{occurrence}>{element}</{occurrence}>" for element in elements)


_GAP = _at("optional", _attribute("rowgap", "nonNegativeInteger"))
_ROW = _element("row", _GAP + '<data type="string"><param name="pattern">[&#x2800;-&#x28FF;]*</param></data>')
_PAGE = _element("page", _GAP + _at("zeroOrMore", _ROW))
_SIZES = (_attribute("cols", "positiveInteger"), _attribute("rows", "positiveInteger"))
_DUPLEX = _attribute("duplex", "boolean")
_SECTION = _element("section", _at("optional", *_SIZES, _DUPLEX) + _GAP + _at("oneOrMore", _PAGE))
_VOLUME = _element(
    "volume",
    "".join(_SIZES) + _attribute("rowgap", "nonNegativeInteger") + _DUPLEX + _at("oneOrMore", _SECTION),
)
_DATE = '<data type="string"><param name="pattern">[0-9]{4}-[0-9]{2}-[0-9]{2}</param></data>'
_MANY = ("creator", "subject", "publisher", "contributor", "type", "source", "relation", "coverage", "rights")
_META = _element(
    "meta",
    "<interleave>"
    + _dublin_core("format", "<value>application/x-pef+xml</value>")
    + _dublin_core("identifier")
    + _at("optional", _dublin_core("title"), _dublin_core("description"), _dublin_core("date", _DATE))
    + _at("zeroOrMore", *map(_dublin_core, _MANY), _dublin_core("language", '<data type="language"/>'))
    + "</interleave>",
)
_ROOT = _element(
    "pef",
    '<attribute name="version"><value>2008-1</value></attribute>'
    + _element("head", _META)
    + _element("body", _at("oneOrMore", _VOLUME)),
)
SCHEMA = etree.RelaxNG(
    etree.fromstring(
        f'<grammar xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="{_XSD}"><start>{_ROOT}</start></grammar>'
    )
)


def check(data):
    """Hold a file to the schema, and its rows and pages to the size that it names, as the schema's rules 1 and 2 ask.

    Rule 1: the gaps of a page's rows count as well, in heights of a dot, of which a row has four.
    """
    tree = etree.fromstring(data)
    SCHEMA.assertValid(tree)
    for volume in tree.iter(f"{{{PEF}}}volume"):
        for page in volume.iter(f"{{{PEF}}}page"):
            gaps = len(page) * int(volume.get("rowgap"))
            assert len(page) + math.ceil(gaps / 4) <= int(volume.get("rows"))
            assert all(len(row.text or "") <= int(volume.get("cols")) for row in page)
    return tree
