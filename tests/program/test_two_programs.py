# SPDX-License-Identifier: GPL-3.0-or-later
"""Two installed programs play each other over pipes: what one announces is typed into the other, and confirmed.

Each has its own player, language and convention; nothing goes between them but the words of the announcements.
"""

import re

import pytest
from support.program import QUIET, Running, run

from acessivel.records.pgn import local_san
from voices.words.lexicon import vocabulary

# With en passant, a promotion that takes and gives check, castling by both sides, and mate.
GAME = "e4 Nf6 e5 d5 exd6 Nc6 dxc7 a6 cxd8=Q+ Nxd8 Nf3 e6 Bd3 Be7 O-O O-O Ng5 Nd5 Qh5 a5 Qxh7#".split()
PLAYED = re.compile(r"^\d+, [^:]+: (.+)\.$")


class Side:
    """A program, whose player types in his own language's letters."""

    def __init__(self, home, language, convention):
        home.mkdir()
        options = ("--opponent", "human", "--language", language, "--convention", convention)
        self.home, self.language = home, language
        self.yes = vocabulary(language).say("answer", "yes")
        self.program = Running(home, "play", *options, *QUIET)

    def announce(self, words):
        """Announce a move and confirm it: what the program then says of it, in its own words."""
        self.program.type(words)
        self.program.type(self.yes)
        before = len(self.program.lines)
        while True:
            line = self.program.wait_for("")
            if (found := PLAYED.match(line)) and len(self.program.lines) > before:
                return found[1]

    def stop(self):
        for words in (vocabulary(self.language).say("command", "stop"), self.yes):
            self.program.type(words)
        self.program.close(0)

    def record(self, path):
        run(self.home, "record", "1", "-o", path)
        return path


@pytest.mark.parametrize(
    ("white", "black"),
    [
        (("pt", "fide"), ("de", "fide")),
        (("en", "mixed"), ("es", "letters")),
        (("de", "nato"), ("pt", "fide")),
    ],
)
def test_two_programs_play_a_whole_game_by_what_they_tell_each_other(tmp_path, white, black):
    sides = [Side(tmp_path / "white", *white), Side(tmp_path / "black", *black)]
    for ply, san in enumerate(GAME):
        mover, other = sides[ply % 2], sides[1 - ply % 2]
        told = mover.announce(local_san(san, mover.language))
        # The other player hears it, makes it on his own board, and says yes.
        other.announce(told)
    for side in sides:
        side.stop()
    records = [side.record(tmp_path / f"{side.home.name}.pgn") for side in sides]
    lines, _ = run(tmp_path, "reconcile", *records, "--language", "en", "--speak", "off", "--braille", "off")
    assert lines[0] == f"The two records agree to their end: {len(GAME)} half-moves."
    for record in records:
        assert '[Result "1-0"]' in record.read_text("utf-8")
        assert "11. Qxh7# 1-0" in record.read_text("utf-8")
