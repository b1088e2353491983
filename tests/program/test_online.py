# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program plays at a fake server: against another one, killed and resumed, by correspondence."""

import pytest
from support.lichess import FakeLichess
from support.online_program import log_in, online
from support.program import run

# Mate in four, with the words of each move.
GAME = (
    ("e4", "e2e4"), ("e5", "e7e5"), ("Bc4", "f1c4"), ("Nc6", "b8c6"), ("Qh5", "d1h5"), ("Nf6", "g8f6"), ("Qxf7", "h5f7"),
)  # fmt: skip


@pytest.fixture
def lichess():
    with FakeLichess(heartbeat_s=0.2) as fake:
        yield fake


def announce(program, words):
    """Announce a move and confirm it."""
    program.type(words)
    program.wait_for("?")
    program.type("yes")
    program.wait_for("Sent: ")


def test_two_programs_play_each_other_from_the_search_to_mate(tmp_path, lichess):
    for name in ("Ana", "Bob"):
        log_in(tmp_path / name, lichess, name)
    with online(tmp_path / "Ana", lichess, "seek", "15+10", "--side", "white") as ana:
        lichess.until(lambda: lichess.seeks)
        with online(tmp_path / "Bob", lichess) as bob:
            bob.wait_for("Logged in as Bob.")
            bob.type("play online fifteen ten")
            sides = [ana, bob]
            for side in sides:
                side.wait_for("Online game: you play")
            if lichess.games and next(iter(lichess.games.values())).players["white"].name != "Ana":
                sides.reverse()
            for number, (words, _) in enumerate(GAME):
                announce(sides[number % 2], words)
                if number < len(GAME) - 1:
                    sides[1 - number % 2].wait_for(
                        f"{number // 2 + 1}, {'Black' if number % 2 else 'White'}: "
                    )
            for side in sides:
                assert "mate" in side.wait_for("mate")
                side.type("stop")
                side.type("yes")
                side.wait_for("Online.")
                side.type("stop")
                side.type("yes")
                side.close(0)
    (game,) = lichess.games.values()
    assert [uci for _, uci in GAME] == lichess.moves(game.id)
    records = [run(tmp_path / name, "record", "1")[0] for name in ("Ana", "Bob")]
    moves = [[line for line in record if not line.startswith("[")] for record in records]
    assert moves[0] == moves[1]
    assert moves[0][-1].endswith("1-0"), moves
