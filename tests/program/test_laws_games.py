# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole games with claims, penalties and a flag fall, typed to the installed program."""

from __future__ import annotations

from support.program import QUIET, confirmed, game_of, run, sans, script
from support.talking import Talking

KNIGHTS = ("Nf3", "Nf6", "Ng1", "Ng8")


def play(home, save, typed, *options):
    fixed = ("--opponent", "human", "--language", "en", *QUIET, "--save", save)
    return run(home, "play", *fixed, *options, typed=typed)[0]


def test_a_standard_game_with_a_wrong_claim_an_offer_and_a_right_claim(tmp_path, save):
    typed = (
        confirmed("e4", "e5", yes="yes")
        + script("claim repetition", "yes", "no", "time")  # wrong; as an offer it is refused
        + script("touched knight", "g1", "yes", "Bc4", "Nf3", "yes", "Nf6", "yes", "Ng1", "yes", "Ng8", "yes")
        + confirmed(*KNIGHTS[:3], yes="yes")
        + script("draw", "yes", "claim repetition", "Ng8", "yes", "e4")
    )
    lines = play(tmp_path, save, typed, "--clock", "90+30")
    told = "\n".join(lines)
    assert "The claim is incorrect. Black gets 2 minutes more" in told
    assert "Article 9.5.3, FIDE Laws of 2018" in told
    assert "The touched piece on Gustav eins must be moved." in told
    assert "claimed: the same position three times (Article 9.5.2, FIDE Laws of 2018)." in told
    game = game_of(tmp_path, save)
    assert sans(game) == ["e4", "e5", *KNIGHTS, *KNIGHTS[:3]]
    assert game.headers["Result"] == "1/2-1/2"
    assert "(=)" in game.end().comment
    text, _ = run(tmp_path, "record", 1, "--format", "text", "--language", "en", "--save", save)
    assert any("The claim is incorrect." in line for line in text)


def test_a_standard_game_with_claims_right_and_wrong_penalties_and_a_flag_fall(tmp_path, save):
    options = ("--opponent", "human", "--language", "en", *QUIET, "--save", save, "--clock", "90")
    with Talking(tmp_path, "play", *options, "--strict", "--unsupervised") as program:
        for line in ("e4", "yes", "e5", "yes", "claim repetition", "yes", "no", "claim flag"):
            program.type(line)
        program.wait_for("The claim is incorrect. Black gets 2 minutes more")  # 9.5.3
        program.wait_for("No flag has fallen.")
        # An illegal move stands, until the opponent claims it, rightly; then there is none to claim.
        for line in ("Nf5", "g1", "yes", "claim illegal move", "yes", "claim illegal move", "yes"):
            program.type(line)
        program.wait_for(
            "White has completed an illegal move. Go back to the position before it. Black gets 2"
        )
        program.wait_for("There is no illegal move on the record.")
        for line in ("e3", "Nf3", "yes", "Nc6", "yes"):
            program.type(line)
        program.wait_for("The touched piece on Gustav eins must be moved.")  # 7.5.1, 4.3.1
        for line in ("arbiter", "yes", "2", "1", "2", "8 9", "5 8", "yes"):  # 89 minutes and 58 seconds less
            program.type(line)
        program.wait_for("Black wins, the flag has fallen (Article 6.9, FIDE Laws of 2018).")
        program.type("Bb5")
        program.wait_for("No more moves can be made")
        program.close(0)
    game = game_of(tmp_path, save)
    assert sans(game) == ["e4", "e5", "Nf3", "Nc6"]
    assert (game.headers["Result"], game.headers["Termination"]) == ("0-1", "time forfeit")
    assert 93 * 60 < game.end().clock() <= 94 * 60  # Black's two penalties
    text, _ = run(tmp_path, "record", 1, "--format", "text", "--language", "en", "--save", save)
    assert sum("gets 2 minutes more" in line for line in text) == 2


def test_a_rapid_game_in_which_only_the_players_call_the_flag(tmp_path, save):
    typed = (
        confirmed("e4", "e5", yes="yes")
        + script("claim fifty moves", "yes", "no")  # wrong: 3 minutes for Black (9.5b)
        + script("Nf5", "g1", "yes", "claim illegal move", "yes")  # right: 2 minutes (A.4c, 7.4b)
        + confirmed("Nf3", "Nc6", yes="yes")
        + script("claim flag", "arbiter", "yes", "2", "1", "2", "1 5", "0", "yes")  # all that White has
        + script("Bb5", "no", "claim flag", "Bb5")
    )
    options = ("--clock", "15", "--laws", "fide-2009", "--strict", "--unsupervised")
    lines = play(tmp_path, save, typed, *options)
    told = "\n".join(lines)
    assert "The claim is incorrect. Black gets 3 minutes more" in told
    assert (
        "White has completed an illegal move. Go back to the position before it. Black gets 2 minutes" in told
    )
    # The flag is down, and play goes on until a player says so (A.4d).
    fallen = next(number for number, line in enumerate(lines) if line == "White has 0 seconds left.")
    assert any("No flag has fallen." in line for line in lines[:fallen])
    assert any("Läufer" in line for line in lines[fallen:])
    assert (
        "The game is over: Black wins, the flag has fallen (Article 6.9, FIDE Laws of 2009)."
        in lines[fallen:]
    )
    game = game_of(tmp_path, save)
    assert sans(game) == ["e4", "e5", "Nf3", "Nc6"]
    assert (game.headers["Result"], game.headers["Termination"]) == ("0-1", "time forfeit")
    assert 19 * 60 < game.end().clock() <= 20 * 60


def test_a_rapid_game_with_an_illegal_move_a_missed_promotion_and_the_arbiter(tmp_path, save):
    fen = "4k3/1P6/8/8/8/8/4p3/4K3 w - - 0 1"
    typed = script(
        "Ke3", "yes",  # two squares: completed, found, taken back
        "b8",  # the king is touched, and must move
        "Kxe2", "yes", "Kd7", "yes",
        "arbiter", "yes", "2", "1", "2", "1", "0", "yes",  # a minute less for White
        "b8", "press",  # and the second illegal move
    )  # fmt: skip
    lines = play(tmp_path, save, typed, "--clock", "15", "--strict", "--fen", fen)
    told = "\n".join(lines)
    assert "White has completed an illegal move." in told
    assert "must be moved" in told
    # It would lose, but Black has nothing left to mate with (7.5.5, 2018).
    assert "raw, illegal moves, but the opponent cannot mate (Article 7.5.5" in told
    game = game_of(tmp_path, save)
    assert sans(game)[:2] == ["Kxe2", "Kd7"]
    assert game.headers["Result"] == "1/2-1/2"


def test_a_blitz_game_ends_with_a_flag_that_falls(tmp_path, save):
    options = ("--opponent", "human", "--language", "en", *QUIET, "--save", save, "--clock", "0.1")
    with Talking(tmp_path, "play", *options) as program:
        for line in ("e4", "yes", "claim flag", "claim fifty moves", "yes", "no", "e5", "yes", "Nf3", "yes"):
            program.type(line)
        program.wait_for("No flag has fallen.")
        program.wait_for("White gets 1 minute more")  # B.2, 2018
        program.wait_for("White wins, the flag has fallen (Article 6.9, FIDE Laws of 2018).")
        program.type("Nc6")
        program.wait_for("No more moves can be made")
        program.close(0)
    game = game_of(tmp_path, save)
    assert sans(game) == ["e4", "e5", "Nf3"]
    assert (game.headers["Result"], game.headers["Termination"]) == ("1-0", "time forfeit")


def test_a_blitz_game_in_which_a_player_claims_the_flag_that_nobody_points_out(tmp_path, save):
    options = ("--opponent", "human", "--language", "en", *QUIET, "--save", save, "--clock", "1")
    with Talking(tmp_path, "play", *options, "--laws", "fide-2001") as program:
        for line in ("e4", "yes", "claim repetition", "yes", "no", "e5", "yes", "claim flag"):
            program.type(line)
        program.wait_for(
            "The claim is incorrect. White gets 3 minutes more"
        )  # 9.5b: Black has too little to halve
        program.wait_for("No flag has fallen.")
        program.type("Nf3")
        program.type("yes")
        for line in ("arbiter", "yes", "2", "2", "2", "5", "0", "yes"):  # all that Black has
            program.type(line)
        program.wait_for("Black has 0 seconds left.")
        # It is down, and nothing follows until a player claims it (B6, C1; 2001).
        program.type("claim flag")
        program.wait_for(
            "The game is over: White wins, the flag has fallen (Article 6.10, FIDE Laws of 2001)."
        )
        program.close(0)
    game = game_of(tmp_path, save)
    assert sans(game) == ["e4", "e5", "Nf3"]
    assert (game.headers["Result"], game.headers["Termination"]) == ("1-0", "time forfeit")
