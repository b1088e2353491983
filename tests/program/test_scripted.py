# SPDX-License-Identifier: GPL-3.0-or-later
"""Games played through a pipe, with nothing but a keyboard."""

import json
import os
import re
import resource
import shlex
import subprocess

import pytest
from support.program import (
    PROGRAM,
    QUIET,
    SAMPLE_FEN,
    SAMPLE_SAN,
    SAMPLE_WORDS,
    Running,
    confirmed,
    environment,
    game_of,
    run,
    run_process,
    sans,
    script,
)
from support.talking import Talking, as_killed


def play(home, save, typed, *options, **more):
    return run(home, "play", "--opponent", "human", *QUIET, "--save", save, *options, typed=typed, **more)


def test_the_sample_game_typed_in_fide_words(tmp_path, save):
    options = ("--opponent", "human", *QUIET, "--save", save)
    lines, errors = run_process(tmp_path, "play", *options, typed=confirmed(*SAMPLE_WORDS, yes="ja"))
    assert errors == []
    assert "Springer Gustav eins Felix drei?" in lines
    assert "6, Brancas: Bauer Eva fünf schlägt David sechs en passant." in lines
    assert lines[-2].endswith(f"acessivel resume 1 --save {save}")
    game = game_of(tmp_path, save)
    assert sans(game) == SAMPLE_SAN
    assert game.end().board().fen() == SAMPLE_FEN


def test_the_sample_game_typed_in_notation(tmp_path, save):
    moves = "e4 e5 Cf3 Cf6 d4 exd4 e5 Ce4 Dxd4 d5 exd6 Cxd6 Bg5 Cc6 De3+ Be7 Cbd2 0-0 0-0-0 Te8 Rb1".split()
    play(tmp_path, save, confirmed(*moves))
    assert sans(game_of(tmp_path, save)) == SAMPLE_SAN


@pytest.mark.parametrize(
    ("language", "yes", "played"),
    [
        ("pt", "sim", "1, Brancas: Bauer Eva zwei Eva vier."),
        ("en", "yes", "1, White: Bauer Eva zwei Eva vier."),
        ("de", "ja", "1, Weiß: Bauer Eva zwei Eva vier."),
        ("es", "sí", "1, Blancas: Bauer Eva zwei Eva vier."),
    ],
)
def test_each_language(tmp_path, save, language, yes, played):
    lines, _ = play(tmp_path, save, confirmed("Eva vier", yes=yes), "--language", language)
    assert played in lines


def test_the_letters_convention(tmp_path, save):
    lines, _ = play(tmp_path, save, confirmed("cavalo f3"), "--convention", "letters")
    assert "Cavalo g1 f3?" in lines
    assert "1, Brancas: cavalo g1 f3." in lines


def test_silence_and_empty_lines_never_play(tmp_path, save):
    play(tmp_path, save, script("Eva vier", "", "", "   "))
    assert sans(game_of(tmp_path, save)) == []


def test_a_refusal_gives_its_reason_and_changes_nothing(tmp_path, save):
    lines, _ = play(tmp_path, save, script("Springer Felix fünf", "sim", "0-0"))
    assert "Springer Felix fünf não é possível: o lance de cavalo não chega a Felix fünf." in lines
    assert "Kurze Rochade não é possível: há uma peça no meio, em Felix eins." in lines
    assert sans(game_of(tmp_path, save)) == []


def test_a_game_ends_with_mate_and_is_recorded(tmp_path, save):
    lines, _ = play(tmp_path, save, confirmed("f3", "e5", "g4", "Dh4"))
    assert "2, Pretas: Dame David acht Hector vier Schachmatt." in lines
    assert "Fim da partida: vitória das Pretas, xeque-mate (Artigo 5.1.1, Leis da FIDE de 2018)." in lines
    assert lines[-1] == "Até logo."
    game = game_of(tmp_path, save)
    assert game.headers["Result"] == "0-1"
    assert game.headers["Termination"] == "normal"
    text, _ = run(tmp_path, "record", 1, "--format", "text", "--save", save)
    assert text[2:] == [
        "1. f3 e5",
        "2. g4 Dh4#",
        "0-1 Fim da partida: vitória das Pretas, xeque-mate (Artigo 5.1.1, Leis da FIDE de 2018).",
    ]


def test_a_promotion_is_asked_for_its_piece(tmp_path, save):
    fen = "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"
    lines, _ = play(tmp_path, save, script("Eva acht", "sim", "Turm", "sim"), "--fen", fen)
    assert "Bauer Eva sieben Eva acht. Promove a que peça?" in lines
    game = game_of(tmp_path, save)
    assert sans(game) == ["e8=R"]
    assert game.headers["FEN"] == fen


def test_what_is_missing_of_an_announcement_is_asked_for_in_german(tmp_path, save):
    typed = script(
        "Springer drei", "Felix", "ja", "Springer", "Cesar sechs", "ja", "Springer Felix fünf", "Cesar", "vier", "ja",
        "Springer", "nein", "ja", "Eva schlägt", "Eva", "fünf", "ja",
    )  # fmt: skip
    lines, _ = play(tmp_path, save, typed, "--language", "de")
    questions = [line for line in lines if "?" in line]
    assert questions == [
        "Springer drei. Linie?",
        "Springer Gustav eins Felix drei?",
        "Springer. Welches Feld?",
        "Springer Bella acht Cesar sechs?",
        "Cesar. Reihe?",
        "Bauer Cesar zwei Cesar vier?",
        "Springer. Welches Feld?",
        "Eva. Reihe?",
        "Bauer Eva sieben Eva fünf?",
    ]
    assert "Springer Felix fünf geht nicht: Mit Springer ist Felix fünf nicht zu erreichen." in lines
    assert "Eva schlägt geht nicht: Mit Bauer ist nichts zu schlagen." in lines
    assert sans(game_of(tmp_path, save)) == ["Nf3", "Nc6", "c4", "e5"]


def test_what_is_missing_of_an_announcement_is_asked_for_in_portuguese(tmp_path, save):
    typed = script(
        "cavalo três", "efe", "sim", "d", "cinco", "sim", "cavalo dê", "sim", "peão e", "seis", "sim", "cavalo c",
        "não", "sim", "cavalo", "casa e4", "correção", "sim",
    )  # fmt: skip
    lines, _ = play(tmp_path, save, typed)
    assert [line for line in lines if "?" in line] == [
        "Springer drei. Que coluna?",
        "Springer Gustav eins Felix drei?",
        "David. Que fileira?",
        "Bauer David sieben David fünf?",
        "Quer dizer Springer Felix drei David vier?",
        "Bauer Eva. Que fileira?",
        "Bauer Eva sieben Eva sechs?",
        "Springer Cesar. Que fileira?",
        "Springer. Que casa?",
        "Springer. Que casa?",
    ]
    assert sans(game_of(tmp_path, save)) == ["Nf3", "d5", "Nd4", "e6"]


def test_two_moves_are_told_apart_by_a_word_in_portuguese(tmp_path, save):
    fen = "4k3/8/8/8/8/2N5/8/K5N1 w - - 0 1"
    lines, _ = play(
        tmp_path, save, script("cavalo e2", "torre", "dois", "não", "cavalo e2", "gê", "sim"), "--fen", fen
    )
    assert [line for line in lines if "?" in line] == [
        "Springer Eva zwei. De que coluna: Cesar, Gustav?",
        "Qual deles? Digite o número: 1, Springer Cesar drei Eva zwei, 2, Springer Gustav eins Eva zwei.",
        "Springer Gustav eins Eva zwei?",
        "Springer Eva zwei. De que coluna: Cesar, Gustav?",
        "Springer Gustav eins Eva zwei?",
    ]
    assert sans(game_of(tmp_path, save)) == ["Nge2"]


def test_a_question_for_a_part_is_still_open_after_a_crash(tmp_path, save):
    with Talking(tmp_path, "play", "--opponent", "human", *QUIET, "--save", save) as program:
        program.type("Springer")
        program.wait_for("Springer. Que casa?")
        killed = as_killed(save)
    lines, _ = run(tmp_path, "resume", *QUIET, "--save", killed, typed=script("Felix drei", "sim"))
    assert lines[3:5] == ["Springer. Que casa?", "Springer Gustav eins Felix drei?"]
    assert sans(game_of(tmp_path, killed)) == ["Nf3"]


def test_the_clock_is_in_the_record(tmp_path, save):
    play(tmp_path, save, confirmed("e4", "e5"), "--clock", "15+5")
    game = game_of(tmp_path, save)
    assert game.headers["TimeControl"] == "900+5"
    assert [900 < node.clock() <= 910 for node in game.mainline()] == [True, True]


def test_a_game_against_the_engine(tmp_path, save):
    typed = confirmed("e4", "d4") + script("último lance", "abandono", "sim")
    lines, _ = run(tmp_path, "play", *QUIET, "--level", 1, "--save", save, typed=typed)
    assert sum("Pretas: " in line for line in lines) >= 3
    assert "Fim da partida: vitória das Pretas, abandono (Artigo 5.1.2, Leis da FIDE de 2018)." in lines
    games, _ = run(tmp_path, "games", "--json", "--save", save)
    listed = json.loads(games[0])
    keys = {"id", "started", "white", "black", "result", "plies", "reason", "termination", "damaged"}
    assert [set(game) for game in listed] == [keys]
    assert (listed[0]["reason"], listed[0]["termination"]) == ("resignation", "normal")
    assert (listed[0]["black"], listed[0]["result"], listed[0]["plies"]) == ("Stockfish 1", "0-1", 4)


def test_black_against_the_engine(tmp_path, save):
    lines, _ = run(
        tmp_path, "play", *QUIET, "--colour", "black", "--level", 1, "--save", save, typed="quem joga\n"
    )
    assert any(line.startswith("1, Brancas: ") for line in lines)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_without_input_or_output_it_ends_as_it_would(tmp_path, save, closed):
    command = shlex.join(map(str, (PROGRAM, "play", "--opponent", "human", *QUIET, "--save", save)))
    done = subprocess.run(
        ["sh", "-c", f"{command} {closed}"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(tmp_path), timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == b""


def test_without_an_engine_both_sides_are_announced(tmp_path, save):
    config = tmp_path / ".config/acessivel/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('engine = "/no/such/engine"\n')
    lines, _ = run(tmp_path, "play", *QUIET, "--save", save, typed=confirmed("e4", "e5"))
    mend = "acessivel config set engine ARQUIVO"
    assert sum("/no/such/engine" in line and line.endswith(mend) for line in lines) == 1
    assert "1, Pretas: Bauer Eva sieben Eva fünf." in lines


def test_killed_in_mid_game_and_resumed(tmp_path, save):
    with Running(tmp_path, "play", "--opponent", "human", *QUIET, "--save", save) as program:
        for line in ("e4", "sim", "Springer Felix sechs"):
            program.type(line)
        program.wait_for("Springer Gustav acht Felix sechs?")
        program.kill()
    lines, _ = run(tmp_path, "resume", *QUIET, "--save", save, typed=script("sim"))
    # It goes on with the very question that was open.
    assert lines[:4] == [
        "A partida continua de onde parou.",
        "1, Brancas: Bauer Eva zwei Eva vier.",
        "Jogam as Pretas, lance 1.",
        "Springer Gustav acht Felix sechs?",
    ]
    assert sans(game_of(tmp_path, save)) == ["e4", "Nf6"]


def test_told_to_end_in_mid_game_it_says_how_to_go_on(tmp_path, save):
    with Running(tmp_path, "play", "--opponent", "human", *QUIET, "--save", save) as program:
        for line in ("e4", "sim"):
            program.type(line)
        program.wait_for("Jogam as Pretas, lance 1.")
        program.process.terminate()
        program.wait_for("A partida está guardada. Para continuar: ")
        program.close(0)
    assert sans(game_of(tmp_path, save)) == ["e4"]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", r"1: \d{4}-\d\d-\d\d \d\d:\d\d, Jogador against Jogador, not finished, 1 move"),
        ("pt", r"1: \d\d/\d\d/\d{4} \d\d:\d\d, Jogador contra Jogador, não terminada, 1 lance"),
        ("es", r"1: \d\d/\d\d/\d{4} \d\d:\d\d, Jogador contra Jogador, sin terminar, 1 jugada"),
        ("de", r"1: \d\d\.\d\d\.\d{4} \d\d:\d\d, Jogador gegen Jogador, nicht beendet, 1 Zug"),
    ],
)
def test_the_games_are_listed_with_the_date_as_it_is_written(tmp_path, save, language, line):
    run(tmp_path, "play", "--opponent", "human", *QUIET, "--save", save, typed=confirmed("e4", "e5"))
    (listed,), _ = run(tmp_path, "games", "--save", save, "--language", language)
    assert re.fullmatch(line, listed)


def test_the_list_of_games_says_results_in_words_and_leaves_out_what_was_not_begun(tmp_path, save):
    for typed in (
        "",
        confirmed("f3", "e5", "g4", "Dama h4 mate"),
        "",
        script("abandono", "sim"),
        confirmed("e4", "e5", "d4"),
    ):
        run(tmp_path, "play", "--opponent", "human", *QUIET, "--save", save, typed=typed)
    lines, _ = run(tmp_path, "games", "--save", save, "--language", "en")
    assert [(line.split(":")[0], *line.split(", ")[2:]) for line in lines] == [
        ("2", "Black wins", "2 moves"),
        ("4", "Black wins", "0 moves"),
        ("5", "not finished", "2 moves"),
    ]
    (listed,), _ = run(tmp_path, "games", "--json", "--save", save)
    assert [(game["id"], game["result"], game["plies"]) for game in json.loads(listed)] == [
        (1, "*", 0), (2, "0-1", 4), (3, "*", 0), (4, "0-1", 0), (5, "*", 3),
    ]  # fmt: skip


def test_the_engine_is_killed_in_mid_game_and_started_anew(tmp_path, save):
    with Running(tmp_path, "play", "--level", 1, *QUIET, "--save", save) as program:
        program.type("e4")
        program.type("sim")
        program.wait_for("Pretas: ")
        children = subprocess.run(
            ["pgrep", "-P", str(program.process.pid)], capture_output=True, text=True, check=False
        )
        for pid in children.stdout.split():
            os.kill(int(pid), 9)
        program.type("Bauer d3")
        program.type("sim")
        program.wait_for("não respondeu")
        program.wait_for("Pretas: ")
        program.close(status=0)
    assert len(sans(game_of(tmp_path, save))) == 4


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "--level", "9"),
        ("play", "--colour", "green"),
        ("play", "--clock", "15:00"),
        ("play", "--fen", "nonsense"),
        ("play", "--unknown"),
        ("play", "--talk", "loud"),
        ("play", "--confirm", "maybe"),
        ("play", "--pause", "x"),
        ("play", "--pause", "nan"),
        ("play", "--pause", "5.1"),
        ("play", "--silence", "0.4"),
        ("play", "--save", "/proc/no/such/folder"),
        ("resume", "77"),
        ("resume",),
        ("record", "77"),
        ("record", "x"),
        ("read", "e4", "--fen", "8/8 w"),
        ("hear", "/no/such/file.wav"),
        ("nonsense",),
        (),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(tmp_path, arguments):
    lines, errors = run(tmp_path, *arguments, status=2)
    assert lines == []
    assert len(errors) == 1
    assert not errors[0].startswith("usage")


def test_a_wrong_settings_file_is_named(tmp_path):
    config = tmp_path / ".config/acessivel/config.toml"
    config.parent.mkdir(parents=True)
    for text in (
        "level = 99", "colour = 3", "unknown = 1", "not toml", 'language = "xx"', "pause = 5.1", "pause = true",
        'silence = "0.5"', "silence = 0", "silence = nan", 'talk = "loud"', 'headphones = "yes"', 'confirm = "no"',
    ):  # fmt: skip
        config.write_text(text)
        _, errors = run(tmp_path, "play", status=2)
        assert len(errors) == 1
        assert str(config) in errors[0]


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", b"level = 2\nnot toml", "Line 2 of the settings in {file} cannot be read. Write a setting as name = value, or remove the line."),
        ("de", b"level = 2\n\xff = 1\n", "Zeile 2 der Einstellungen in {file} lässt sich nicht lesen. Schreiben Sie eine Einstellung als Name = Wert, oder entfernen Sie die Zeile."),
        ("pt", b"levels = 2", "Não existe a configuração levels. Remova-a de {file}."),
        ("es", b"level = 9", "El ajuste level = 9 en {file} no es posible. Puede ser: 1-8. Corrija la línea, o elimínela."),
        ("en", b"headphones = 1", "The setting headphones = 1 in {file} is not possible. It can be: true, false. Correct the line, or remove it."),
        ("de", b"level = true", "Die Einstellung level = true in {file} ist nicht möglich. Möglich ist: eine ganze Zahl. Berichtigen Sie die Zeile, oder entfernen Sie sie."),
        ("pt", b"talk = 2", "A configuração talk = 2 em {file} não pode ser assim. Pode ser: hands-free, push. Corrija a linha, ou remova-a."),
    ],
)  # fmt: skip
def test_a_mistake_in_the_settings_is_told_with_what_to_do(tmp_path, language, text, told):
    config = tmp_path / ".config/acessivel/config.toml"
    config.parent.mkdir(parents=True)
    config.write_bytes(text)
    _, errors = run(tmp_path, "play", "--language", language, status=2)
    assert errors == [told.format(file=config)]


def test_a_mistake_is_told_in_the_language_that_the_settings_name(tmp_path):
    config = tmp_path / ".config/acessivel/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('level = 99\nlanguage = "de"\n')
    _, errors = run(tmp_path, "play", status=2)
    assert [error.split()[:2] for error in errors] == [["Die", "Einstellung"]]


def test_the_settings_file_is_used_and_the_command_line_wins(tmp_path, save):
    config = tmp_path / ".config/acessivel/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(
        f'language = "en"\nopponent = "human"\nhear = "keyboard"\nspeak = "off"\nbraille = "off"\nsave = "{save}"\n'
    )
    lines, _ = run(tmp_path, "play", typed=confirmed("e4", yes="yes"))
    assert "1, White: Bauer Eva zwei Eva vier." in lines
    lines, _ = run(tmp_path, "play", "--language", "es", typed=confirmed("e4"))
    assert "1, Blancas: Bauer Eva zwei Eva vier." in lines


def test_noise_huge_lines_and_control_characters_lose_nothing(tmp_path, save):
    noise = b"e4\n\xff\xfe\x00\x07\x1b[31m\n" + b"x" * 3_000_000 + b"\n" + b"Eva vier " * 100_000 + b"\nsim\n"
    options = ("--opponent", "human", *QUIET, "--save", save)
    lines, _ = run(tmp_path, "play", *options, typed=noise)
    assert all("\x1b" not in line for line in lines)
    assert sum(line.startswith("Não entendi") for line in lines) == 3
    assert sans(game_of(tmp_path, save)) == ["e4"]


def test_a_full_disk_is_said_and_nothing_is_played(tmp_path, save):
    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    typed = confirmed(*SAMPLE_WORDS) + script(*["relógio"] * 400) + confirmed("Eva vier")
    done = subprocess.run(
        [PROGRAM, "play", "--opponent", "human", *QUIET, "--save", str(save)],
        input=typed.encode(), capture_output=True, timeout=120, env=environment(tmp_path), preexec_fn=no_room, check=False,
    )  # fmt: skip
    output = done.stdout.decode()
    assert done.returncode == 0, done.stderr.decode()
    assert "Não foi possível guardar a partida" in output
    assert "Traceback" not in done.stderr.decode()
    assert sans(game_of(tmp_path, save)) == SAMPLE_SAN[: len(sans(game_of(tmp_path, save)))]


def test_everything_missing_is_named_once_and_the_game_goes_on(tmp_path, save):
    # Nothing of sound, Braille or an engine on this machine: an empty PATH, no sound server, no brltty.
    typed = confirmed("e4", "e5")
    lines, _ = run(tmp_path, "play", "--save", save, typed=typed, PATH="/nonexistent", BRLAPI_AUTH="none")
    assert sum("microfone" in line for line in lines) == 1
    assert sum("Não há linha Braille" in line for line in lines) == 1
    assert sum("Não há alto-falante" in line for line in lines) == 1
    assert "1, Brancas: Bauer Eva zwei Eva vier." in lines


@pytest.mark.parametrize(
    ("words", "language", "question"),
    [
        ("Springer drei", "de", "Springer drei. Linie?"),
        ("Springer", "de", "Springer. Welches Feld?"),
        ("Springer Felix", "de", "Meinen Sie Springer Gustav eins Felix drei?"),
        ("knight three", "en", "Springer drei. Which file?"),
        ("peão e", "pt", "Bauer Eva. Que fileira?"),
        ("caballo tres", "es", "Springer drei. ¿Qué columna?"),
    ],
)
def test_what_is_read_of_an_incomplete_announcement_is_its_question(tmp_path, words, language, question):
    lines, _ = run(tmp_path, "read", words, "--json", "--language", language)
    found = json.loads(lines[0])
    assert (found["outcome"], found["moves"], found["repeat"]) == ("incomplete", [], question)


@pytest.mark.parametrize(
    ("language", "words", "line"),
    [
        ("en", "Eva vier", "Move: Bauer Eva zwei Eva vier e2e4"),
        ("de", "Springer drei", "Unvollständig: Springer drei. Linie?"),
        ("es", "Eva fünf", "No es legal: Eva fünf no es posible: así no hay jugada de peón a Eva fünf."),
        ("pt", "blabla", "Não entendido: Não entendi. Diga outra vez, por favor."),
        ("pt", "ja", "Resposta: sim"),
        ("en", "clock", "Command: clock"),
    ],
)
def test_what_is_typed_is_told_in_a_line_of_the_language(tmp_path, language, words, line):
    assert run(tmp_path, "read", words, "--language", language)[0] == [line]
    # Without quotation marks a shell makes several arguments of it.
    assert run(tmp_path, "read", *words.split(), "--language", language)[0] == [line]


def test_read_as_json(tmp_path):
    lines, _ = run(tmp_path, "read", "Springer Gustav eins Felix drei", "--json")
    found = json.loads(lines[0])
    assert found.pop("ms").keys() == {"read"}
    assert found == {
        "words": "Springer Gustav eins Felix drei",
        "outcome": "move",
        "moves": ["g1f3"],
        "repeat": "Springer Gustav eins Felix drei",
        "reason": "",
    }


@pytest.mark.parametrize(
    ("words", "fen", "outcome", "moves"),
    [
        ("Eva vier", None, "move", ["e2e4"]),
        ("Springer Eva zwei", "4k3/8/8/8/8/2N5/8/K5N1 w - - 0 1", "choice", ["c3e2", "g1e2"]),
        ("Eva acht", "8/4P1k1/8/8/8/8/8/K7 w - - 0 1", "promotion", ["e7e8q", "e7e8r", "e7e8b", "e7e8n"]),
        ("Eva fünf", None, "illegal", []),
        ("relógio", None, "command", []),
        ("ja", None, "answer", []),
        ("blah blah", None, "not-understood", []),
        ("", None, "not-understood", []),
        ("Springer drei", None, "incomplete", []),
        ("Springer Felix", None, "incomplete", []),
        ("Springer", None, "incomplete", []),
        ("Eva", None, "incomplete", []),
        ("Eva zwei", None, "incomplete", []),
        ("Turm", None, "illegal", []),
        ("Springer Eva", None, "illegal", []),
        ("drei", None, "answer", []),
        ("Re2", "4k3/4r3/8/8/8/8/8/K3R3 w - - 0 1", "choice", ["e1e2"]),
    ],
)
def test_outcomes(tmp_path, words, fen, outcome, moves):
    lines, _ = run(tmp_path, "read", words, "--json", *(("--fen", fen) if fen else ()))
    found = json.loads(lines[0])
    assert (found["outcome"], found["moves"]) == (outcome, moves)
    assert bool(found["reason"]) == (outcome in ("illegal", "not-understood"))


@pytest.mark.parametrize(
    ("words", "options", "asked", "left"),
    [
        (("draw", "yes", "yes"), (), "White is asked", "*"),
        (("claim repetition", "yes", "yes"), (), "Black is asked", "*"),
        (("draw", "yes", "yes", "accept"), (), "White is asked", "1/2-1/2"),
        (("resign", "yes", "sign the scoresheet", "yes", "yes"), (), "Black is asked", "0-1"),
        (("Nf3", "yes", "yes"), ("--two-boards",), "Black is asked", "*"),
    ],
)
def test_a_doubled_yes_answers_for_no_other_player(tmp_path, save, words, options, asked, left):
    made = ("made",) if options else ()
    begun = ("e4", "yes", *made, "e5", "yes", *made)
    lines = play(tmp_path, save, script(*begun, *words), "--language", "en", *options)[0]
    assert sum(asked in line for line in lines) == 1
    game = game_of(tmp_path, save)
    assert game.headers["Result"] == left
    assert sans(game) == ["e4", "e5"]
    assert not any("Black signs" in line or "Black has signed" in line for line in lines)


def test_what_is_missing_is_not_told_before_the_next_game_but_by_the_doctor(tmp_path, save):
    def microphone(*arguments):
        lines, _ = run(tmp_path, *arguments, PATH="/nonexistent", BRLAPI_AUTH="none")
        return sum("microfone" in line.lower() for line in lines)

    assert microphone("play", "--save", save) == 1
    assert microphone("play", "--save", save) == 0
    assert microphone("doctor", "--save", save) == 1
