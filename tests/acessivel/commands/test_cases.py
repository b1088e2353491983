# SPDX-License-Identifier: GPL-3.0-or-later
"""What was said in a recording, in whatever words it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from acessivel.app.enrolment import opened_microphone
from acessivel.commands.cases import Case, _phrases
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.rules.position import Position
from acessivel.settings.settings import Settings

CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("words", "convention", "language", "phrases"),
    [
        ("Eva vier", "fide", "de", {"eva vier"}),
        ("Ja", "fide", "de", {"ja"}),
        ("xyzzy", "fide", "de", set()),
        ("Sf", "fide", "de", set()),  # the beginning of a move is none
    ],
)
def test_words_that_are_said_so_are_taken_as_they_are(words, convention, language, phrases):
    assert set(_phrases(Case(Path("a.wav"), Position.start(), words=words), convention, language)) == phrases


@pytest.mark.parametrize(
    ("words", "fen", "convention", "language", "among"),
    [
        ("Sf3", None, "fide", "de", "springer felix drei"),
        ("0-0", CASTLES, "fide", "de", "kurze rochade"),
        ("knight g1 f3", None, "letters", "en", "knight f three"),
        ("pawn e2 e4", None, "letters", "en", "e four"),
        ("cavalo f três", None, "letters", "pt", "cavalo efe tres"),
    ],
)
def test_a_move_that_nobody_says_so_stands_for_all_ways_to_announce_it(
    words, fen, convention, language, among
):
    case = Case(Path("a.wav"), Position.start(fen), words=words)
    found = _phrases(case, convention, language)
    assert among in found
    moved = _phrases(Case(Path("a.wav"), case.position, uci="a2a3"), convention, language)
    assert not set(found) & set(moved)


@pytest.mark.parametrize(
    ("content", "key"), [(None, "no_sound_file"), (b"", "bad_sound"), (b"RIFF", "bad_sound")]
)
def test_a_recording_that_is_there_is_not_told_to_be_missing(tmp_path, content, key):
    file = tmp_path / "a.wav"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UserError) as refused:
        Case(file, Position.start()).audio()
    assert refused.value.message == Message.of(key, file=str(file))
    settings = Settings(microphone=str(file))
    with pytest.raises(UserError) as refused:
        opened_microphone(settings)
    assert refused.value.message == Message.of(key, file=str(file))
