# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions about the game through the whole program: typed in four languages, by keys, and on a display."""

import numpy as np
import pytest
import soundfile
from support.brltty import VirtualBrltty, needs_brltty
from support.program import Running, confirmed, run, script
from support.talking import Talking

from braille import liblouis
from braille.notation import load_code
from voices.speakers.synthesis import synthesise

PLAY = ("play", "--opponent", "human", "--hear", "keyboard", "--speak", "off", "--convention", "letters")
GAME = ("e4", "e5", "Nf3", "d6", "Bb5", "Nc6")
# What is typed, and the line that must come.
QUESTIONS = {
    "pt": {
        "quem ataca e5": "E5 é atacada por: cavalo branco em f3.",
        "quem defende e5": "E5 é defendida por: cavalo preto em c6, peão preto em d6.",
        "peças cravadas": "Cavalo preto em c6, peça cravada por bispo branco em b5.",
        "quem pode ir para d4": "As Brancas podem ir a d4: cavalo f3 d4, peão d2 d4.",
        "últimos 1 lances": "3. bispo f1 b5 xeque, cavalo b8 c6.",
        "lance 2": "2, Brancas: cavalo g1 f3.",
        "peças capturadas": "As Brancas não capturaram nada.",
        "direitos de roque": "As Brancas ainda têm direito de roque: roque pequeno, roque grande.",
        "quantas repetições": "Esta posição aparece pela primeira vez.",
        "lances sem captura": "Lances sem captura nem lance de peão: Brancas 1, Pretas 1.",
        "capturas possíveis": "Isso só existe no treino: acessivel practice.",
        "continua": "Não há mais nada a dizer.",
    },
    "en": {
        "what attacks e5": "E5 is attacked by: white knight on f3.",
        "pawns on file e": "Pawns on e: e4 White, e5 Black.",
        "move number 2": "2, White: knight g1 f3.",
        "possible checks": "That is for practice only: acessivel practice. Competition does not allow it.",
        "go on": "There is no more to tell.",
    },
    "de": {
        "Rochaderechte": "Weiß hat noch das Recht zur Rochade: kurze Rochade, lange Rochade.",
        "was greift e5 an": "E5 wird angegriffen von: weißer Springer auf f3.",
        "letzte 2 Züge": "2. Springer g1 f3, Bauer d7 d6; 3. Läufer f1 b5 Schach, Springer b8 c6.",
        "weiter": "Mehr gibt es dazu nicht zu sagen.",
    },
    "es": {
        "quién defiende e5": "E5 está defendida por: caballo negro en c6, peón negro en d6.",
        "jugada dos": "2, Blancas: caballo g1 f3.",
        "piezas clavadas": "Caballo negro en c6: pieza clavada por alfil blanco en b5.",
        "continúa": "No hay nada más que decir.",
    },
}
YES = {"pt": "sim", "en": "yes", "de": "ja", "es": "sí"}
RATE = 22_050
MORE = "Há mais: digite continua."


@pytest.mark.parametrize("language", QUESTIONS)
def test_typed_questions_are_answered(tmp_path, language):
    asked = QUESTIONS[language]
    typed = confirmed(*GAME, yes=YES[language]) + script(*asked)
    options = ("--braille", "off", "--save", tmp_path / "games", "--language", language)
    said, errors = run(tmp_path, *PLAY, *options, typed=typed)
    assert errors == []
    at = 0
    for line in asked.values():
        at = said.index(line, at) + 1


def test_a_long_answer_waits_for_enter_and_is_dropped_by_a_move(tmp_path):
    options = ("--braille", "off", "--save", tmp_path / "games", "--language", "pt")
    with Talking(tmp_path, *PLAY, *options) as program:
        program.wait_for("Jogam as Brancas, lance 1.")
        program.type("posição")
        assert program.wait_for("Brancas: ").startswith("Brancas: rei e1, dama d1")
        program.wait_for(MORE)
        program.type("")
        assert program.wait_for(": peões").startswith("Brancas: peões a2, b2")
        program.wait_for(MORE)
        program.type("repete")
        assert program.wait_for(": peões").startswith("Brancas: peões a2, b2")
        program.wait_for(MORE)
        program.type("e4")
        program.wait_for("Peão e2 e4?")
        program.type("continua")
        program.wait_for("Não há mais nada a dizer.")
        program.wait_for("Peão e2 e4?")
        program.type("sim")
        program.wait_for("1, Brancas: peão e2 e4.")


@needs_brltty
def test_enter_on_the_display_shows_the_next_portion_and_the_screen_says_the_same(tmp_path):
    code = load_code("pt8")

    def shown(cells, word):
        return word in liblouis.text(cells, code.table).casefold()

    options = ("--braille", "brlapi", "--save", tmp_path / "games", "--language", "pt")
    with VirtualBrltty(80) as display, Running(tmp_path, *PLAY, *options, **display.env) as program:
        display.wait_for(lambda cells: shown(cells, "na linha braille"))
        program.type("posição")
        display.wait_for(lambda cells: shown(cells, "brancas: rei e1, dama d1, torres a1, h1"))
        display.press("KEY_ENTER")
        display.wait_for(lambda cells: shown(cells, "brancas: peões a2, b2, c2, d2, e2, f2, g2, h2"))
        assert program.wait_for("Brancas: peões") == "Brancas: peões a2, b2, c2, d2, e2, f2, g2, h2."
        display.press("KEY_ENTER")
        display.wait_for(lambda cells: shown(cells, "pretas: bispos"))


@pytest.mark.parametrize(
    ("language", "spoken", "answers"),
    [
        ("en", ["pinned pieces", "board", "continue"], ["No piece is pinned.", "White: king e1", "Black: king e8"]),
        ("es", ["piezas clavadas", "posición", "continúa"], ["Ninguna pieza está clavada.", "Blancas: rey e1", "Blancas: peones"]),
    ],
)  # fmt: skip
def test_spoken_questions_are_answered_and_more_is_told_when_it_is_asked_for(
    tmp_path, language, spoken, answers
):
    sounds = [np.zeros(RATE, "float32")]
    for words in spoken:
        synthesise(words, tmp_path / "utterance.wav", language)
        sounds += [
            soundfile.read(tmp_path / "utterance.wav", dtype="float32")[0],
            np.zeros(2 * RATE, "float32"),
        ]
    recording = tmp_path / "recording.wav"
    soundfile.write(recording, np.concatenate(sounds), RATE)
    options = ("--braille", "off", "--save", tmp_path / "games", "--language", language)
    heard = (
        "play",
        "--opponent",
        "human",
        "--speak",
        "off",
        "--convention",
        "letters",
        "--hear",
        "pocketsphinx",
    )
    said, errors = run(tmp_path, *heard, *options, "--microphone", recording)
    assert errors == []
    for answer in answers:
        assert any(line.startswith(answer) for line in said), said
