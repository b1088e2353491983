# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of FIDE's Tournament Report File, by the columns of C.04 annex 2."""


def player(number, name, rounds, points, born="2010/05/17"):
    """A player's line; a round is (opponent, colour, result), None for one without a pairing."""
    line = f"001 {number:>4} m    {name:<33} {'':>4} POR {'':>11} {born:<10} {points:>4} {'':>4}"
    for opponent, colour, result in (each or ("0000", "-", "Z") for each in rounds):
        line += f"  {opponent:>4} {colour} {result}"
    return line


def team(name, *numbers):
    return f"013 {name:<32}" + " ".join(f"{number:>4}" for number in numbers)


# Five players, three rounds: a bye, a game lost by forfeit, a half-point bye.
SWISS = "\r\n".join((
    "012 Festa do Desporto Escolar",
    "042 2023/05/06",
    "092 Individual: Swiss-System",
    player(1, "Alves,Ana", [(2, "w", "1"), (5, "b", "-"), (3, "w", "1")], "2.0", "2015/02/01"),
    player(2, "Brito,Bruno", [(1, "b", "0"), (3, "w", "1"), ("0000", "-", "H")], "1.5", "2010/05/17"),
    player(3, "Costa,Carla", [(4, "w", "="), (2, "b", "0"), (1, "b", "0")], "0.5", "2008/12/31"),
    player(4, "Dias,David", [(3, "b", "="), ("0000", "-", "U"), (5, "w", "0")], "1.5", "2005/01/01"),
    player(5, "Esteves,Eva", [("0000", "-", "U"), (1, "w", "+"), (4, "b", "1")], "3.0", ""),
))  # fmt: skip

# Four teams of two, two rounds; Delta did not come to the first.
TEAMS = "\n".join((
    "012 Taça das Escolas",
    "092 Team: Swiss-System",
    player(1, "A,Um", [(3, "w", "1"), (5, "b", "=")], "1.5"),
    player(2, "A,Dois", [(4, "b", "="), (6, "w", "=")], "1.0"),
    player(3, "B,Um", [(1, "b", "0"), (7, "w", "1")], "1.0"),
    player(4, "B,Dois", [(2, "w", "="), (8, "b", "0")], "0.5"),
    player(5, "C,Um", [(7, "w", "+"), (1, "w", "=")], "1.5"),
    player(6, "C,Dois", [(8, "b", "+"), (2, "b", "=")], "1.5"),
    player(7, "D,Um", [(5, "b", "-"), (3, "b", "0")], "0.0"),
    player(8, "D,Dois", [(6, "w", "-"), (4, "w", "1")], "1.0"),
    team("Alfa", 1, 2),
    team("Beta", 3, 4),
    team("Gama", 5, 6),
    team("Delta", 7, 8),
))  # fmt: skip

# Six players, two of five rounds in TRF26: three points for a win, a bye agreed for the third round, one point taken
# from the last player, accelerations, a pair that must not meet, what FIDE has and this program does not know, and
# a remark. The order of the columns is that of the format's published table.
NEW = "\r\n".join((
    "012 Torneio da Casa",
    "022 Lisboa",
    "032 POR",
    "042 2026/11/07",
    f"132 {'':87}26/11/07  26/11/08",
    "142 5",
    "152 B",
    "162  W 3.0    D 1.0    P 3.0",
    "172 POR NIDOF",
    "182 Arbiter Two",
    "192 FIDE_DUTCH_2025",
    "202 BH/C1,BH,SB",
    "222 5400+30",
    "### SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR",
    player(1, "Alves,Ana", [(4, "b", "1"), (2, "w", "=")], "4.0"),
    player(2, "Brito,Bruno", [(5, "w", "1"), (1, "b", "=")], "4.0"),
    player(3, "Costa,Carla", [(6, "b", "0"), (5, "w", "+")], "3.0"),
    player(4, "Dias,David", [(1, "w", "0"), (6, "b", "1")], "3.0"),
    player(5, "Esteves,Eva", [(2, "b", "0"), (3, "b", "-")], "0.0"),
    player(6, "Faria,Filipa", [(3, "w", "1"), (4, "w", "0")], "2.0"),
    "POR    1    A Alves,Ana                         1890 LIS        12345 2010/05/17",
    "240 H   3    5",
    "250       1.0   1   2    1    3",
    "260   1   5    1    6",
    f"299 {'':7}  {'-1.0':>4}  {'':3} {6:>4}",
    "987 a record of tomorrow",
    "",
))  # fmt: skip
