# SPDX-License-Identifier: GPL-3.0-or-later
"""What the READMEs and docs claim is so."""

import re
import runpy

import pytest
import tomli
from support.happening import all_told
from support.pages import LANGUAGES, READMES, ROOT, blocks, items, phrases, section, spans, text
from support.program import PROGRAM, QUIET, run, run_process

from acessivel.clock.time_control import TimeControl
from acessivel.commands.options import COMMANDS
from acessivel.devices import keys
from acessivel.game.game import Setup
from acessivel.game.levels import levels
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.settings.options import in_words
from acessivel.settings.settings import SETTINGS, load
from voices.meaning import CommandName
from voices.sound import earcons
from voices.understanding import desk_words, replay_steps
from voices.understanding.desk_words import DeskOrder, DeskWord
from voices.understanding.meanings import read
from voices.words.files import conventions

LACKED_BY_PRACTICE = COMMANDS["play"].keys() - COMMANDS["practice"].keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_transcript_is_a_real_one(tmp_path, language):
    (transcript,) = blocks(READMES[language].read_text("utf-8"), f"transcript {language}")
    lines = transcript.splitlines()
    typed = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    options = ("--opponent", "human", "--language", language, *QUIET)
    said, _ = run(tmp_path, "play", *options, typed=typed, PATH=f"{PROGRAM.parent}:/usr/bin:/bin")
    assert said == [line for line in lines if not line.startswith("> ")]


@pytest.mark.parametrize("page", ["README.md", "commands.md"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_are_those_of_the_program(language, page):
    listed = [re.match(r"`acessivel (\w+)", item) for item in items(text(page, language))]
    assert {match[1] for match in listed if match} == set(COMMANDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_that_the_commands_are_listed_with_are_theirs(language):
    listed = [item for item in items(text("commands.md", language)) if item.startswith("`acessivel ")]
    for item in listed:
        command = re.match(r"`acessivel (\w+)", item)[1]
        given = {span.split()[0].lstrip("-") for span in spans(item) if span.startswith("-")}
        # The recording of a game is made by `play`, and `practice` lacks some of the options of `play`.
        others = {"tape": {"tape"}, "practice": LACKED_BY_PRACTICE}.get(command, set())
        assert given - {"o"} <= set(COMMANDS[command]) | others, item
        assert "o" not in given or "output" in COMMANDS[command]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_of_play_that_practice_lacks_are_named(language):
    (practice,) = (item for item in items(text("commands.md", language)) if "`acessivel practice`" in item)
    assert {span[2:] for span in spans(practice) if span[:2] == "--"} == LACKED_BY_PRACTICE


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_of_a_game_are_those_of_the_program(language):
    options = re.findall(r"^\| `--(.*?)` \|", section(text("options.md", language), 0), re.MULTILINE)
    assert {option.split()[0] for option in options} == set(COMMANDS["play"])
    for option in COMMANDS["play"].values():
        if option.setting and isinstance(option.allowed, tuple) and option.allowed:
            assert f"{option.name} " + "\\|".join(option.allowed) in options
    own = in_words("FILE.toml", catalogue(language))
    assert "convention " + "\\|".join((*conventions(), own)) in options


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tables_of_options_are_written_from_the_table_in_the_program(language):
    page = runpy.run_path(str(ROOT / "scripts/option_tables.py"))["page"]
    assert text("options.md", language) == page(text("options.md", language), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_conventions_are_those_of_the_program(language):
    rows = re.findall(r"^\| `(\w+)` \|", text("announcing.md", language), re.MULTILINE)
    assert set(rows) == set(conventions())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_editions_are_those_of_the_program(language):
    rows = re.findall(r"^\| `([\w-]+)` \|", text("laws.md", language), re.MULTILINE)
    assert set(rows) == set(SETTINGS["laws"].allowed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_time_controls_are_understood(language):
    rows = re.findall(r"^\| `(.*?)` \|", text("clocks.md", language), re.MULTILINE)
    assert len(rows) == 9
    assert all(notation == "none" or TimeControl.parse(notation) for notation in rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sounds_are_those_of_the_program(language):
    assert set(spans(text("voice.md", language))) >= set(earcons.KNOWN)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_strength_of_each_level_is_told(language):
    row = next(line for line in text("practice.md", language).splitlines() if line.startswith("| Elo, "))
    assert [int(cell) for cell in row.split("|")[2:-1]] == [level.elo for level in levels().values()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settings_example_can_be_loaded(tmp_path, language):
    (example,) = blocks(text("setup.md", language), "toml")
    path = tmp_path / "config.toml"
    path.write_text(example)
    settings = load(path)
    assert {name: getattr(settings, name) for name in tomli.loads(example)} == tomli.loads(example)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_of_own_keys_can_be_loaded(tmp_path, language):
    (example,) = blocks(text("display.md", language), "toml")
    path = tmp_path / keys.FILE_NAME
    path.write_text(example)
    assert keys.load(path=path) != keys.load()


# The pages' sections, counted from 0, whose lists name what can be said in a game.
SAID = [
    *(("questions.md", number) for number in range(-1, 6)),
    ("practice.md", 2),
    ("laws.md", 1),
    ("clocks.md", 1),
    ("adjournment.md", 0),
    ("web.md", 2),
    ("online.md", 2),
    ("tournaments.md", 2),
    ("tournaments.md", 3),
]


def said(language):
    """What is named there; `(=)` is what the record has."""
    for page, number in SAID:
        yield from (words for words in phrases(section(text(page, language), number)) if words != "(=)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_that_can_be_said_are_understood_and_none_is_left_out(language):
    named = set()
    for words in said(language):
        readings = read(words, language)
        assert readings, words
        assert type(readings[0].meaning).__name__ == "Command", words
        named.add(readings[0].meaning.name)
    assert read("made" if language == "en" else "lance feito", language)[0].meaning.name == CommandName.MADE
    elsewhere = {CommandName.MADE, CommandName.CLAIM_ILLEGAL}  # two-boards.md, and laws.md in a sentence
    assert set(CommandName) - named <= elsewhere


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_readme_names_is_understood(language):
    listed = phrases(section(READMES[language].read_text("utf-8"), 3))
    assert len(listed) > 20
    for words in listed:
        kinds = [type(reading.meaning).__name__ for reading in read(words, language)][:1]
        assert kinds in (["Command"], ["Castling"], ["MovePattern"]), words


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_missing_is_asked_for_in_these_words(language):
    listed = re.findall(
        r'`([^`]+)` .*? "(.*?)"', "\n".join(items(section(text("announcing.md", language), 2)))
    )
    assert [words for words, _ in listed] == ["Springer drei", "Springer", "Eva"]
    for words, question in listed:
        state, _ = step(State.new(Setup(language=language)), ev.Started())
        _, effects = step(state, ev.Heard(words=(words,)))
        told = all_told(effects)
        assert any(Renderer(language).text(message).endswith(question) for message in told), words


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_that_makes_a_letter_sure_is_understood(language):
    listed = [words for words in spans(section(text("announcing.md", language), 4)) if " " in words]
    assert len(listed) >= 6
    assert all(read(words, language) for words in listed)
    assert not read({"en": "b as in Anna", "pt": "bê de Anna"}[language], language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_that_step_through_a_game_are_understood(language):
    listed = [words for words in phrases(section(text("records.md", language), 5)) if ".toml" not in words]
    steps = [replay_steps.read_step(words, language, "fide") for words in listed]
    assert {stepped.step for stepped in steps} == set(replay_steps.ReplayStep)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_order_of_the_desk_is_named_with_its_keys_and_understood(language):
    bindings = keys.load(place="hall")
    rows = re.findall(r"^\| (.+?) \| (.*?) ?\| (.+) \|$", section(text("hall.md", language), 1), re.MULTILINE)
    named = []
    for said, pressed, does in rows[2:]:
        phrases = re.split(r", (?:or |ou )?", said)
        orders = [desk_words.read_order(words, language, "fide") for words in phrases]
        assert all(isinstance(order, DeskOrder) for order in orders), said
        names = [key.lower().replace("+", "-") for key in re.findall(r"F\d+|Alt\+.", pressed)]
        assert names == [key for order in orders for key in bindings.keys.get(f"hall_{order.word}", ())], said
        for words in re.findall(r'"(.+?)"|`(.+?)`', does):
            assert isinstance(desk_words.read_order("".join(words), language, "fide"), DeskOrder), words
        named += [order.word for order in orders if order.word]
    assert named == list(DeskWord)


def test_make_play_without_a_terminal_ends_well(tmp_path):
    said, errors = run_process(tmp_path, "play", *QUIET, typed="")
    assert any("acessivel resume" in line for line in said)
    assert errors == []
