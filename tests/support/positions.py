# SPDX-License-Identifier: GPL-3.0-or-later
"""Random legal positions for property tests."""

from hypothesis import strategies as st

from acessivel.rules.position import Position

# Positions rich in promotions, castling, en passant and pins, which random games seldom reach.
_STARTS = (
    None,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2k5/8/1Q6/8/Q3Q3/8/K6Q w - - 0 1",
)


@st.composite
def positions(draw, most_moves=60):
    """A position after a random legal game from one of several starts."""
    position = Position.start(draw(st.sampled_from(_STARTS)))
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=most_moves)):
        if not (moves := position.legal_ucis):
            break
        position = position.after(moves[choice % len(moves)])
    return position
