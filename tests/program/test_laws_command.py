# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel laws` by the installed program: in lines, aloud, on a Braille display, and as JSON."""

import json

import pytest
from support.brltty import VirtualBrltty, needs_brltty
from support.program import Running, run
from support.pulse import Ear, PrivatePulse

from braille.notation import load_code

QUIET = ("--speak", "off", "--braille", "off")


def laws(home, *arguments, **more):
    return run(home, "laws", *arguments, **more)


def test_without_a_topic_it_lists_the_topics(tmp_path):
    (edition, topics, how), _ = laws(tmp_path, "--language", "en", *QUIET)
    assert edition == "Edition: FIDE Laws of 2018."
    assert "illegal move" in topics
    assert "quickplay" not in topics
    assert how.endswith("acessivel laws TOPIC --edition fide-2018")


def test_a_topic_by_its_name_in_the_language(tmp_path):
    lines, _ = laws(tmp_path, "peça", "tocada", "--edition", "fide-2001", "--language", "pt", *QUIET)
    assert lines[0] == (
        "Quem toca em peças suas joga a primeira que possa ser jogada. Artigo 4.3a, Leis da FIDE de 2001."
    )


def test_as_json(tmp_path):
    lines, _ = laws(tmp_path, "adjust", "--edition", "fide-2009", "--language", "en", "--json")
    said = "The player to move may adjust pieces, after saying so. Article 4.2, FIDE Laws of 2009."
    assert [json.loads(line) for line in lines] == [
        {"edition": "fide-2009", "topic": "adjust", "rules": [said]}
    ]
    lines, _ = laws(tmp_path, "--json")
    assert "tempo" in json.loads(lines[0])["topics"]


@pytest.mark.parametrize(
    "arguments", [("no", "such", "thing"), ("--edition", "fide-1999"), ("illegal", "--editions", "fide-2009")]
)
def test_what_cannot_be_done_is_one_sentence(tmp_path, arguments):
    lines, errors = laws(tmp_path, *arguments, "--language", "en", *QUIET, status=2)
    assert lines == []
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("language", "asked", "near"),
    [("en", "touched piece", "touch"), ("en", "touched", "touch"), ("pt", "peças tocadas", "peça tocada")],
)
def test_a_topic_that_is_not_there_names_those_that_are_near(tmp_path, language, asked, near):
    _, (error,) = laws(tmp_path, asked, "--language", language, *QUIET, status=2)
    assert asked in error
    assert near in error.split(":", 1)[1]


def test_what_is_like_nothing_names_nothing(tmp_path):
    _, (error,) = laws(tmp_path, "bandeirola", "--language", "pt", *QUIET, status=2)
    assert error == "Não existe o tema bandeirola. Para saber os temas: acessivel laws"


def test_the_settings_name_the_edition(tmp_path):
    folder = tmp_path / ".config" / "acessivel"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('laws = "escolar-br"\nlanguage = "en"\n', "utf-8")
    lines, _ = laws(tmp_path, "check", *QUIET)
    assert lines == ["A check must be announced. Section Término da partida, Brazilian school rules."]


def test_a_mistake_in_the_table_of_keys_is_told(tmp_path):
    folder = tmp_path / ".config" / "acessivel"
    folder.mkdir(parents=True)
    (folder / "keys.toml").write_text("[keys", "utf-8")
    lines, errors = laws(tmp_path, "check", *QUIET, status=2)
    assert lines == []
    assert len(errors) == 1
    assert "keys.toml" in errors[0]


def test_in_unicode_braille(tmp_path):
    lines, _ = laws(tmp_path, "dead", "--language", "en", "--speak", "off", "--braille", "terminal")
    dead, stalemate, *cells = lines
    assert dead.endswith("Article 5.2.2, FIDE Laws of 2018.")
    assert stalemate.endswith("Article 5.2.1, FIDE Laws of 2018.")
    assert cells
    assert all(0x2800 <= ord(cell) <= 0x28FF for row in cells for cell in row)


@needs_brltty
@pytest.mark.parametrize("by_display", [True, False])
def test_on_a_display_it_pans_and_stays_until_enter(tmp_path, by_display):
    said = load_code("en8").text("The player to move may adjust pieces")
    with VirtualBrltty() as display:
        command = ("laws", "adjust", "--language", "en", "--speak", "off", "--braille", "brlapi")
        with Running(tmp_path, *command, **display.env) as program:
            program.wait_for("Enter ends.")
            first = display.wait_for(lambda cells: cells[:20] == said[:20])
            display.press("FWINRT")
            display.wait_for(lambda cells: any(cells) and cells != first)
            assert program.process.poll() is None
            display.press("KEY_ENTER") if by_display else program.type("")
            assert program.process.wait(30) == 0


def test_it_is_told_aloud(tmp_path):
    command = ("laws", "dead", "--language", "en", "--speak", "pyttsx3", "--braille", "off")
    with PrivatePulse() as pulse, Ear(pulse) as ear:
        env = {name: pulse.env[name] for name in ("PULSE_SERVER", "PULSE_CLIENTCONFIG", "XDG_RUNTIME_DIR")}
        with Running(tmp_path, *command, **env):
            ear.wait_for_sound()
    assert ear.loudest > 0.05


def test_a_test_that_meets_an_unexpected_error_shows_where_it_came_from(tmp_path, monkeypatch):
    monkeypatch.setattr("acessivel.commands.laws.run", lambda _: 1 // 0)
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        run(tmp_path, "laws")
