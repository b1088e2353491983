# SPDX-License-Identifier: GPL-3.0-or-later
"""No punctuation mark that follows a move is read as another square."""

from itertools import pairwise

import pytest

from acessivel.devices.braille_content import Content, ToldMessage
from acessivel.dialogue.questions import NOTHING, Confirm
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import Position
from braille import liblouis
from braille.notation import code_names, load_code
from voices.meaning import MovePattern, Piece, Place

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)

KNIGHT = MovePattern(Place("d", "2"), Piece.KNIGHT)
MESSAGES = [
    Message.of("ask_rank", heard=MovePattern(Place("e"))),
    Message.of("ask_rank", heard=MovePattern(Place("f"), Piece.KNIGHT)),
    Message.of("ask_from_file", heard=KNIGHT, choices=(Place("b"), Place("f"))),
]


@pytest.mark.parametrize("code", [*map(load_code, code_names())], ids=lambda code: code.name)
@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.key)
def test_a_file_alone_is_followed_by_no_cell_of_a_rank(code, message):
    content = Content(Renderer(code.language, "fide"), code)
    told = dict(message.values)
    files = [place.file for place in told.get("choices", ())]
    files += [heard.target.file for heard in (told.get("heard"),) if heard and not heard.target.rank]
    for line in (content.question(message, NOTHING), content.told(ToldMessage(message))):
        cells = tuple(line.cells)
        for file in filter(None, files):
            written = code.move(file)[-1]
            after = [other for one, other in pairwise(cells) if one == written]
            assert not {*code.ranks}.intersection(after), (message.key, file)


@pytest.mark.parametrize("name", ["pt6", "es6", "uk"])
def test_a_square_needs_no_blank_before_its_mark(name):
    code = load_code(name)
    move = Position.start().fact("e2e4")
    line = Content(Renderer(code.language, "fide"), code).question(
        Message.of("ask_move", move=move), Confirm(move)
    )
    assert 0 not in tuple(line.cells)[1:-1]


@pytest.mark.parametrize("name", ["pt6", "es6", "uk"])
def test_no_mark_in_what_is_sealed_is_read_as_a_rank(name):
    code = load_code(name)
    told = ToldMessage(Message.of("ask_sealed", words="a,-b: c? d."), "answer_yes")
    cells = Content(Renderer(code.language, "fide"), code).told(told).cells
    files = [code.move(file)[0] for file in "abcd"]
    assert not any(one in files and other in code.ranks for one, other in pairwise(cells))
