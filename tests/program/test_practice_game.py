# SPDX-License-Identifier: GPL-3.0-or-later
"""Practice against the real Stockfish: advice, taking back and the ritual, typed, aloud and on the display."""

import chess
import chess.pgn
import pytest
from support.brltty import VirtualBrltty, dots_to_cell, needs_brltty
from support.languages import LANGUAGES
from support.program import QUIET, Running, game_of, run, sans, script
from support.pulse import PrivatePulse
from support.talking import Talking, as_killed

from acessivel.devices.engine import find_engine
from voices.speakers.synthesis import synthesise

pytestmark = pytest.mark.skipif(find_engine() is None, reason="Stockfish is not installed")

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
# White, the engine, has one legal move, and then Black mates by the rook.
ONE_MOVE = "8/8/8/8/8/1k6/7r/K7 w - - 0 1"


def test_a_practice_game_with_all_that_practice_allows(tmp_path, save):
    options = ("--level", 1, "--ritual", "--fen", MATE_IN_ONE, *QUIET, "--save", save)
    with Talking(tmp_path, "practice", *options) as program:
        program.wait_for("nível 1: cerca de 350 Elo, uma estimativa")
        program.wait_for("Isto é um treino: você pode digitar dica")
        program.type("dica")
        program.wait_for("Pense em torre, Anna eins.")
        program.type("dica")
        program.wait_for("Dica: Turm Anna eins Anna acht Schachmatt.")
        program.type("avaliação")
        program.wait_for("Brancas: mate em um lance.")
        program.type("König Felix eins")
        program.type("sim")
        announced = program.wait_for("1, Pretas: ").split(": ")[1].rstrip(".")
        program.wait_for("Repita o lance.")
        program.type("Turm Anna acht")
        program.wait_for(f"O lance foi {announced}")
        program.wait_for("Repita o lance.")
        program.type(announced)
        program.wait_for("Jogam as Brancas, lance 2.")
        program.type("por que")
        program.wait_for("König Gustav eins Felix eins deixa escapar mate em um lance.")
        program.wait_for("Melhor seria Turm Anna eins Anna acht Schachmatt.")
        program.type("voltar lance")
        program.wait_for("Quer desfazer o seu último lance?")
        program.type("sim")
        program.wait_for(f"Desfeito: 1. König Gustav eins Felix eins, {announced}.")
        program.wait_for("Jogam as Brancas, lance 1.")
        program.type("Turm Anna acht")
        program.type("sim")
        program.wait_for("Fim da partida: vitória das Brancas, xeque-mate")
        program.type("por que")
        program.wait_for("Turm Anna eins Anna acht Schachmatt foi tão bom quanto qualquer outro lance.")
        program.close(status=0)
    assert sans(game_of(tmp_path, save)) == ["Ra8#"]


def test_a_practice_game_goes_on_as_one_with_its_repetition_owed(tmp_path, save):
    options = ("--ritual", "--colour", "black", "--fen", ONE_MOVE, *QUIET, "--save", save)
    with Talking(tmp_path, "practice", *options) as program:
        program.wait_for("Repita o lance.")
        program.type("Turm Hector eins")
        program.wait_for("Ouvi Turm Hector eins. O lance foi König Anna eins Bella eins.")
        program.wait_for("Repita o lance.")
        killed = as_killed(save)
    assert sans(game_of(tmp_path, killed)) == ["Kb1"]
    words = ("König Bella eins", "avaliação", "Turm Hector eins", "sim")
    lines, _ = run(tmp_path, "resume", *QUIET, "--save", killed, typed=script(*words))
    assert "Repita o lance." in lines
    assert "Pretas: mate em um lance." in lines
    assert sans(game_of(tmp_path, killed)) == ["Kb1", "Rh1#"]


REFUSED = {
    "pt": ("voltar lance", "dica", "avaliação", "por que", "Isso só existe no treino"),
    "en": ("take back", "hint", "evaluation", "why", "That is for practice only"),
    "de": ("Zug zurück", "Tipp", "Bewertung", "warum", "Das gibt es nur beim Üben"),
    "es": ("retirar jugada", "pista", "evaluación", "por qué", "Eso solo existe en la práctica"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("options", [("--opponent", "human"), ("--level", 1)])
def test_play_refuses_it_whatever_the_settings_say(tmp_path, save, language, options):
    *words, refusal = REFUSED[language]
    lines, errors = run(
        tmp_path, "play", *options, "--language", language, *QUIET, "--save", save, typed=script(*words)
    )
    assert errors == []
    assert sum(line.startswith(refusal) for line in lines) == len(words)


def test_no_setting_makes_a_game_practice(tmp_path, save):
    config = tmp_path / ".config/acessivel/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("practice = true\n")
    _, errors = run(tmp_path, "play", *QUIET, "--save", save, status=2)
    assert "practice" in errors[0]
    _, errors = run(tmp_path, "play", "--practice", *QUIET, "--save", save, status=2)
    assert len(errors) == 1


def test_without_an_engine_there_is_no_advice_and_one_sentence_says_so(tmp_path, save):
    config = tmp_path / ".config/acessivel/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('engine = "/no/such/engine"\n')
    typed = script("dica", "e4", "sim", "voltar lance", "sim")
    lines, errors = run(tmp_path, "practice", *QUIET, "--save", save, typed=typed)
    assert errors == []
    assert "O computador não responde: agora não há conselho." in lines


@needs_brltty
def test_the_engine_s_move_is_repeated_on_the_display(tmp_path, save):
    with VirtualBrltty(25, 10) as display:
        options = ("--ritual", "--colour", "black", "--fen", ONE_MOVE, "--save", save)
        devices = ("--hear", "keyboard", "--speak", "off", "--braille", "brlapi")
        with Running(tmp_path, "practice", *options, *devices, **display.env) as program:
            program.wait_for("Repita o lance.")
            display.wait_for(lambda cells: cells[:1] == (dots_to_cell("18"),))  # the number of the first rank
            for square, answer in (
                (chess.A1, "De Anna eins. Para onde foi?"),
                (chess.A2, "O lance foi König Anna eins Bella eins"),
                (chess.A1, "De Anna eins. Para onde foi?"),
                (chess.B1, "Jogam as Pretas, lance 1."),
                (chess.H2, "Turm Hector zwei. Que casa?"),
                (chess.H1, "Turm Hector zwei Hector eins?"),
            ):
                display.press(f"ROUTE {key_over(square)}")
                program.wait_for(answer)
            display.press("KEY_ENTER")
            program.wait_for("Fim da partida")
            program.type("parar")
            program.type("sim")
            program.close(status=0)
    assert sans(game_of(tmp_path, save)) == ["Kb1", "Rh1#"]


def key_over(square):
    """The routing key over a square: Black's board stands at the left of 25 columns, two for each file after the number."""
    return 25 * chess.square_rank(square) + 2 * (8 - chess.square_file(square))


@needs_brltty
def test_the_engine_s_move_is_repeated_aloud(tmp_path, save):
    with PrivatePulse() as pulse:
        env = {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
        options = ("--ritual", "--colour", "black", "--fen", ONE_MOVE, "--save", save)
        devices = ("--hear", "pocketsphinx", "--speak", "off", "--braille", "off")
        with Running(tmp_path, "practice", *options, *devices, **env) as program:
            program.wait_for("Repita o lance.")
            for speed in (140, 120, 160, 110, 130):
                synthesise("König Bella eins", tmp_path / "said.wav", "de", speed=speed)
                pulse.play_into_microphone(tmp_path / "said.wav")
                if "Jogam as Pretas, lance 1." in program.wait_for(""):
                    break
                program.wait_for("Repita o lance.")
            else:
                raise AssertionError(program.lines)
            program.type("Turm Hector eins")
            program.type("sim")
            program.wait_for("Fim da partida")
            program.type("parar")
            program.type("sim")
            program.close(status=0)
    assert sans(game_of(tmp_path, save)) == ["Kb1", "Rh1#"]
