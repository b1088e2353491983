# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel event` as a user runs it, on files made by the columns of the format."""

import json

import pytest
from support.brltty import VirtualBrltty, needs_brltty
from support.program import Running, run
from support.trf import SWISS, TEAMS, player, team

SILENT = ("--speak", "off", "--braille", "off")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "torneio.trf"
    path.write_text(SWISS, encoding="utf-8")
    return path


def event(home, file, *options, **more):
    return run(home, "event", file, *SILENT, *options, **more)


def test_the_standings_of_the_players(tmp_path, file):
    lines, errors = event(tmp_path, file)
    assert errors == []
    # The values are worked out in tests/acessivel/swiss/test_standings.py.
    assert lines == [
        "Festa do Desporto Escolar: jogadores depois de 3 rodadas. Desempates, por ordem: resultado entre os empatados, Buchholz corrigido, Buchholz completo, Sonneborn-Berger, vitórias.",
        "1. Esteves, Eva, pontos 3; -; 2,5; 3,5; 3,5; 3",
        "2. Alves, Ana, pontos 2; -; 4; 4,5; 2; 2",
        "3. Brito, Bruno, pontos 1,5; -; 4; 4,5; 1,25; 1",
        "4. Dias, David, pontos 1,5; -; 3; 3,5; 1,25; 1",
        "5. Costa, Carla, pontos 0,5; -; 4; 5; 0,5; 0",
    ]


@pytest.mark.parametrize(
    ("options", "first", "last"),
    [
        ((), "1. Gama, pontos 5; 5; 2; 3; 5; 8", "4. Delta, pontos 2; 2; -; 1; 5; 8"),
        (
            ("--system", "round-robin"),
            "1. Gama, pontos 5; 2; 1; 3; 4,5; 4,5",
            "4. Delta, pontos 2; -; 0; 1; 1,5; 1",
        ),
    ],
)
def test_the_standings_of_the_teams(tmp_path, options, first, last):
    file = tmp_path / "equipas.trf"
    file.write_text(TEAMS, encoding="utf-8")
    lines, _ = event(tmp_path, file, *options)
    at = next(number for number, line in enumerate(lines) if line.startswith("Equipes depois de 2 rodadas."))
    assert lines[at + 1] == first
    assert lines[at + 4] == last
    assert any("Swiss-Manager" in line for line in lines[at:]) is bool(options)


@pytest.mark.parametrize(
    ("options", "language", "said"),
    [
        # Alves 2, Costa 0.5, Dias 1.5; Brito 1.5, Esteves 3
        ((), "en", ["All players of each team count.", "1. Escola B, points 4.5", "2. Escola A, points 4"]),
        (("--pupils", "1"), "pt", ["contam: 1, os melhores.", "1. Escola B, pontos 3", "2. Escola A, pontos 2"]),
        (("--pupils", "3"), "de", ["die zählen: 3, die besten.", "1. Escola B, Punkte 4,5", "2. Escola A, Punkte 4"]),
        (("--pupils", "2"), "es", ["que cuentan: 2, los mejores.", "1. Escola B, puntos 4,5", "2. Escola A, puntos 3,5"]),
    ],
)  # fmt: skip
def test_the_teams_of_an_individual_tournament_add_what_their_best_players_won(
    tmp_path, options, language, said
):
    file = tmp_path / "escolas.trf"
    file.write_text("\n".join((SWISS, team("Escola A", 1, 3, 4), team("Escola B", 2, 5))), encoding="utf-8")
    lines, _ = event(tmp_path, file, "--language", language, *options)
    assert lines[-3].endswith(said[0])
    assert lines[-2:] == said[1:]
    data = json.loads(event(tmp_path, file, "--json", *options)[0][0])
    assert [line["tie_breaks"] for line in data["teams"]] == [{}, {}]


def test_the_system_is_what_the_file_says(tmp_path):
    file = tmp_path / "equipas.trf"
    file.write_text(TEAMS.replace("Team: Swiss-System", "Team: Round-Robin"), encoding="utf-8")
    lines, _ = event(tmp_path, file)
    assert "1. Gama, pontos 5; 2; 1; 3; 4,5; 4,5" in lines


def paired(home, *last_rounds):
    file = home / "emparceirado.trf"
    first = [[(2, "w", "1")], [(1, "b", "0")], [("0000", "-", "U")]]
    points = ("1.0", "0.0", "1.0")
    names = ("Alves,Ana", "Brito,Bruno", "Costa,Carla")
    lines = [
        player(
            number,
            names[number - 1],
            [*first[number - 1], *([last] if last else [])],
            points[number - 1],
            "2010/05/17",
        )
        for number, last in enumerate(last_rounds, 1)
    ]
    file.write_text("\n".join(["042 2022/11/05", *lines]), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("language", "who", "pairing", "place"),
    [
        ("pt", "Ana", "Rodada 2, mesa 1: Alves, Ana joga com as Pretas contra Costa, Carla, número 3.", "Alves, Ana está no lugar 1 com 1 ponto depois de 1 rodada."),
        ("en", "3", "Round 2, table 1: Costa, Carla plays with White against Alves, Ana, number 1.", "Costa, Carla is in place 1 with 1 point after 1 round."),
        ("de", "alves", "Runde 2, Tisch 1: Alves, Ana spielt mit Schwarz gegen Costa, Carla, Nummer 3.", "Alves, Ana steht nach 1 Runde mit 1 Punkt auf Platz 1."),
        ("es", "bruno", "Ronda 2: Brito, Bruno no tiene rival.", "Brito, Bruno está en el puesto 3 con 0 puntos después de 1 ronda."),
    ],
)  # fmt: skip
def test_my_next_pairing_and_colour_my_place_and_my_age_group(tmp_path, language, who, pairing, place):
    file = paired(tmp_path, (3, "b", " "), ("0000", "-", "Z"), (1, "w", " "))
    lines, _ = event(tmp_path, file, "--player", who, "--language", language, "--cycle", "2")
    assert lines[0] == pairing
    assert lines[1] == place
    assert lines[-1].rstrip(".").endswith("Infantis")
    assert "2022/2023" in lines[-1]


def test_a_round_that_is_not_paired_yet(tmp_path):
    lines, _ = event(tmp_path, paired(tmp_path, None, None, None), "--player", "2")
    assert lines[0] == "A rodada 2 ainda não está emparceirada para Brito, Bruno."


def test_after_the_last_round_no_other_is_awaited(tmp_path, file):
    file.write_text(f"{SWISS}\nXXR 3", encoding="utf-8")
    lines, _ = event(tmp_path, file, "--player", "2")
    assert lines[0] == "A rodada 3 é a última: Brito, Bruno não tem mais partidas."


def test_the_age_group_in_another_season_and_in_both_cycles(tmp_path, file):
    lines, _ = event(tmp_path, file, "--player", "1", "--season", "2023")
    assert (
        lines[-1]
        == "Categoria de Alves, Ana em 2023/2024: primeiro ciclo Sub 10, segundo ciclo e seguintes Infantis 1."
    )
    lines, _ = event(tmp_path, file, "--player", "eva")
    assert (
        lines[-1]
        == "O arquivo não tem o ano de nascimento de Esteves, Eva: não é possível dizer a categoria."
    )


@pytest.mark.parametrize(
    ("begins", "season"),
    [
        ("2022/11/05", "2022/2023"), ("2022/9/3", "2022/2023"), ("2022-08-31", "2021/2022"), ("2022.10", "2022/2023"),
        ("05.11.2022", "2022/2023"), ("28. 07. 2005", "2004/2005"), ("3/9/2022", "2022/2023"),
    ],
)  # fmt: skip
def test_the_season_of_a_date_as_programs_write_it(tmp_path, file, begins, season):
    file.write_text(SWISS.replace("2023/05/06", begins), encoding="utf-8")
    lines, _ = event(tmp_path, file, "--player", "1")
    assert f"Categoria de Alves, Ana em {season}: " in lines[-1]


def test_half_points_have_the_decimal_sign_of_the_language(tmp_path, file):
    lines, _ = event(tmp_path, file, "--pairings", "--round", "3")
    assert lines[-1] == "Brito, Bruno fica sem adversário, pontos 0,5."
    file.write_text(SWISS.replace(" 1.5 ", " 2.5 ", 1))
    _, errors = event(tmp_path, file, status=2)
    assert ": os pontos são 2,5, mas os resultados somam 1,5." in errors[0]


def test_as_json_for_other_programs(tmp_path, file):
    lines, _ = event(tmp_path, file, "--json")
    data = json.loads(lines[0])
    assert (data["event"], data["rounds"], data["teams"]) == ("Festa do Desporto Escolar", 3, [])
    assert data["players"][0]["tie_breaks"]["direct_encounter"] is None
    assert list(data["players"][0]["tie_breaks"].values())[1:] == [2.5, 3.5, 3.5, 3.0]


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (None, (), "{file}: não existe."),
        ("", (), "{file}, linha 1: não há nenhum jogador (código 001). Exporte o arquivo outra vez do programa de emparceiramento."),
        (SWISS.replace("  5 b -", "  5 b ?"), (), "{file}, linha 4: a rodada 2 não tem adversário, cor e resultado nas colunas certas. Exporte o arquivo outra vez do programa de emparceiramento."),
        (TEAMS.replace(team("Beta", 3, 4), team("Beta", 3, 8)), (), "{file}, linha 14: o jogador 8 está em duas equipes. Exporte o arquivo outra vez do programa de emparceiramento."),
        (SWISS, ("--player", "9"), "Nenhum jogador 9 está no arquivo; indique o número inicial ou uma parte do nome."),
        (SWISS, ("--player", "zz"), "Nenhum jogador zz está no arquivo; indique o número inicial ou uma parte do nome."),
        (SWISS, ("--player", "es,"), "Vários jogadores combinam com es,: 1 Alves, Ana, 5 Esteves, Eva. Indique o número inicial."),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_one_sentence(tmp_path, text, options, sentence):
    file = tmp_path / "x.trf"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    lines, errors = event(tmp_path, file, *options, status=2)
    assert lines == []
    assert len(errors) == 1
    assert errors[0].endswith(sentence.format(file=file)) or (text is None and str(file) in errors[0])


def test_a_file_that_windows_wrote(tmp_path):
    file = tmp_path / "x.trf"
    file.write_bytes(
        SWISS.replace("Alves,Ana", "Conceição,Zé")
        .replace("Conceição,Zé".ljust(36), "Conceição,Zé".ljust(33))
        .encode("cp1252")
    )
    lines, _ = event(tmp_path, file)
    assert any("Conceição, Zé" in line for line in lines)


@needs_brltty
def test_it_stands_on_the_display_until_enter(tmp_path, file):
    with (
        VirtualBrltty(40, 1) as display,
        Running(
            tmp_path, "event", file, "--player", "1", "--speak", "off", "--braille", "brlapi", **display.env
        ) as program,
    ):
        shown = display.wait_for(any)
        display.press("FWINRT")
        display.wait_for(lambda cells: any(cells) and cells != shown)
        program.type("")
        program.close(status=0)


def test_the_help_names_the_program_that_pairs(tmp_path):
    lines, _ = run(tmp_path, "event", "--help")
    assert "Swiss-Manager" in " ".join(lines)
