# SPDX-License-Identifier: GPL-3.0-or-later
"""A game adjourned and resumed through the installed program; nothing of the sealed move is anywhere in clear."""

import json
from datetime import datetime, timedelta

import pytest
from support.program import QUIET, confirmed, run, script
from support.terminal import Player

KEY = "uma senha comprida"
MOVE = "Springer Gustav eins Felix drei"
SECRETS = ("Springer", "Gustav eins", "Felix", "g1f3", "Nf3", "Cf3", KEY)


def soon():
    return f"{datetime.now() + timedelta(minutes=5):%Y-%m-%d %H:%M}"  # noqa: DTZ005


def play(home, save, typed, *options):
    lines, errors = run(home, "play", "--opponent", "human", *QUIET, "--save", save, *options, typed=typed)
    assert errors == []
    return lines


def resume(home, save, *typed):
    return run(home, "resume", *QUIET, "--save", save, typed=script(*typed))[0]


def sealing(move=MOVE, yes="sim", *, clock=False):
    session = ("0",) if clock else ()
    return script(
        "suspender a partida", yes, *session, move, move, soon(), "Funchal", "Ana", "Bruno", KEY, KEY
    )


def everything(folder):
    """What is in any file below a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).decode(
        "utf-8", "replace"
    )


def test_a_game_is_adjourned_and_goes_on_with_its_sealed_move(tmp_path, save):
    lines = play(tmp_path, save, confirmed("Eva vier", "Eva fünf") + sealing(clock=True), "--clock", "60")
    assert any(line.startswith("O lance está selado em ") for line in lines)
    assert lines[-2].endswith(f"acessivel resume 1 --save {save}")
    told = "\n".join(lines)
    assert [secret for secret in SECRETS if secret in told] == []
    # Neither the journal, nor the log, nor the envelope: every file that the program has written.
    assert [secret for secret in SECRETS if secret in everything(tmp_path)] == []
    (envelope,) = (save / "envelopes").iterdir()
    label = json.loads(envelope.read_text())["label"]
    assert (label["sealer"], label["move"], label["where"], label["offer"]) == ("white", 2, "Funchal", "")
    assert (label["white"], label["black"], label["sealed_by"]) == ("Ana", "Bruno", "Ana")
    assert label["fen"] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    lines = resume(tmp_path, save, "sim", "sim", "outra senha errada", KEY, "Springer Cesar sechs", "sim")
    assert any(line.startswith("Bruno, que deve responder pelas Pretas, está presente?") for line in lines)
    assert "O envelope não abre: a senha é outra, ou o envelope foi alterado." in lines
    assert "2, Brancas: Springer Gustav eins Felix drei." in lines
    assert "2, Pretas: Springer Bella acht Cesar sechs." in lines
    record, _ = run(tmp_path, "record", 1, "--save", save)
    moves = "\n".join(record)
    assert all(san in moves for san in ("1. e4", "e5", "2. Nf3", "Nc6"))


def test_the_answer_is_sealed_while_the_sealer_is_away_and_his_time_runs(tmp_path, save):
    play(tmp_path, save, confirmed("Eva vier", "Eva fünf") + sealing(clock=True), "--clock", "60")
    answer = ("suspender a partida", "sim", "Springer Cesar sechs", "Springer Cesar sechs", KEY, KEY)
    lines = resume(tmp_path, save, "sim", "não", KEY, *answer, "sim", KEY)
    told = "\n".join(lines)
    assert "as Pretas podem responder no tabuleiro, ou suspender a partida" in told
    assert "O tempo das Brancas está correndo." in told
    assert "Springer Cesar" not in told.split("O tempo das Brancas está correndo.", maxsplit=1)[0]
    assert "2, Pretas: Springer Bella acht Cesar sechs." in lines
    assert len(list((save / "envelopes").iterdir())) == 2


def test_an_envelope_is_told_whose_adjournment_is_not_in_the_journal(tmp_path, save):
    play(tmp_path, save, confirmed("Eva vier"))
    before = (save / "games.sqlite3").read_bytes()
    run(tmp_path, "resume", *QUIET, "--save", save, typed=sealing())
    (envelope,) = (save / "envelopes").iterdir()
    (save / "games.sqlite3").write_bytes(before)
    told = f"O lance está selado em {envelope}, mas a partida não ficou suspensa"
    assert any(line.startswith(told) for line in resume(tmp_path, save))


def test_adjourning_is_confirmed_and_can_be_given_up(tmp_path, save):
    typed = script("suspender", "não", "suspender", "sim", "") + confirmed("Eva vier")
    lines = play(tmp_path, save, typed)
    assert "Nada foi selado; a partida continua." in lines
    assert "1, Brancas: Bauer Eva zwei Eva vier." in lines
    assert not (save / "envelopes").exists()


def test_an_illegal_sealed_move_loses_at_the_resumption(tmp_path, save):
    play(
        tmp_path,
        save,
        sealing("Springer Eva vier", clock=True),
        "--clock",
        "60",
        "--laws",
        "fide-2001",
    )
    lines = resume(tmp_path, save, "sim", "sim", KEY)
    ruling = next(line for line in lines if "ilegal" in line)
    assert ruling.startswith("O lance secreto das Brancas é ilegal: a partida está perdida.")
    assert "A8" in ruling
    assert "2001" in ruling
    listed, _ = run(tmp_path, "games", "--save", save, "--json")
    (game,) = json.loads(listed[0])
    assert (game["result"], game["reason"], game["termination"]) == ("0-1", "sealed", "rules infraction")


def test_a_lost_envelope(tmp_path, save):
    play(tmp_path, save, sealing())
    (envelope,) = (save / "envelopes").iterdir()
    envelope.unlink()
    lines = resume(tmp_path, save, "sim", *("Eva vier", "sim"))
    assert any(line.startswith("Sem o envelope, a partida recomeça") for line in lines)
    assert "1, Brancas: Bauer Eva zwei Eva vier." in lines


def test_a_changed_envelope_does_not_open(tmp_path, save):
    play(tmp_path, save, sealing())
    (envelope,) = (save / "envelopes").iterdir()
    envelope.write_text(envelope.read_text().replace('"Funchal"', '"Lisboa"'))
    lines = resume(tmp_path, save, "sim", "sim", KEY)
    assert "O envelope não abre: a senha é outra, ou o envelope foi alterado." in lines


@pytest.mark.parametrize(
    ("language", "command", "yes", "asked", "sealed"),
    [
        ("pt", "suspender", "sim", "Quer suspender a partida?", "O lance está selado em "),
        ("en", "adjourn", "yes", "Adjourn the game?", "The move is sealed in "),
        ("de", "vertagen", "ja", "Partie vertagen?", "Der Zug ist abgegeben und liegt in "),
        ("es", "aplazar", "sí", "¿Aplazar la partida?", "La jugada está sellada en "),
    ],
)
def test_each_language(tmp_path, save, language, command, yes, asked, sealed):
    typed = script(command, yes, "Eva vier", "Eva vier", soon(), "Funchal", "Ana", "Bruno", KEY, KEY)
    lines = play(tmp_path, save, typed, "--language", language)
    assert asked in lines
    assert any(line.startswith(sealed) for line in lines)


def test_a_terminal_shows_neither_the_move_nor_the_passphrase(tmp_path, save):
    with Player(
        tmp_path, "play", "--opponent", "human", "--introduction", "off", *QUIET, "--save", save
    ) as player:
        player.press("", "Jogam as Brancas")
        for line, told in (
            ("suspender", "Quer suspender a partida?"),
            ("sim", "Digite o lance secreto"),
            (MOVE, "Digite o mesmo lance outra vez"),
            (MOVE, "Quando a partida"),
            ("2099-11-22 15:00", "Onde a partida"),
            ("Funchal", "joga com as Brancas"),
            ("Ana", "joga com as Pretas"),
            ("Bruno", "digite uma senha"),
            (KEY, "digite a senha outra vez"),
            (KEY, "O lance está selado"),
        ):
            player.press(f"{line}\r", told)
        text, status = player.read_to_end()
    assert status == 0
    assert "suspender" in text  # what is no secret is shown
    assert "Funchal" in text
    assert [secret for secret in SECRETS if secret in text] == []


def test_in_a_terminal_enter_alone_gives_up_and_leaves_the_game_adjourned_as_is_promised(tmp_path, save):
    """At other questions Enter says yes; here that would lose the sealed move with its envelope."""
    options = ("--opponent", "human", "--introduction", "off", *QUIET, "--save", save)
    with Player(tmp_path, "play", *options) as player:
        player.press("", "Jogam as Brancas")
        player.press("suspender\r", "Quer suspender a partida?")
        player.press("\r", "Digite o lance secreto")
        player.press("\r", "Nada foi selado; a partida continua.")
        player.press("parar\r", "Quer parar?")
        player.press("\r", "")
        player.read_to_end()
    play(tmp_path, save, sealing())
    (envelope,) = (save / "envelopes").iterdir()
    envelope.rename(tmp_path / "elsewhere.json")
    with Player(tmp_path, "resume", *QUIET, "--save", save) as player:
        player.press("", "O envelope está perdido de vez?")
        player.press("\r", "")
        _, status = player.read_to_end()
    assert status == 0
    (tmp_path / "elsewhere.json").rename(envelope)
    with Player(tmp_path, "resume", *QUIET, "--save", save) as player:
        player.press("", "está presente?")  # the game is adjourned, and its envelope is wanted
        player.press("\r", "")
        player.read_to_end()
