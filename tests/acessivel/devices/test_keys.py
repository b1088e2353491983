# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of keys: complete, without double bindings, changed by the user in one place."""

import json
from pathlib import Path

import pytest
import tomli
from support.languages import LANGUAGES
from support.program import run

from acessivel.devices import keys
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.queries.exploration import TELLING
from acessivel.session import command_help
from braille.displays import AltKey, Character, Dots, NamedKey, OtherKey, RoutingKey
from voices.meaning import CommandName, Piece
from voices.words.lexicon import split_command, vocabulary


@pytest.fixture
def file(tmp_path):
    return tmp_path / "keys.toml"


def test_every_command_of_the_dialogue_has_a_key_or_is_in_the_list_of_a_display(tmp_path):
    bindings = keys.load(path=tmp_path / "none.toml")
    assert set(bindings.keys) == set(keys.actions())
    listed = {action for section in command_help.sections().values() for action in section}
    assert {action for action, names in bindings.keys.items() if not names} <= listed
    for name in CommandName:
        if name is CommandName.PIECES:
            assert {
                keys.PIECE_ACTIONS[action] for action in bindings.keys if action in keys.PIECE_ACTIONS
            } == set(Piece)
        else:
            assert name in (*(order.name for order in keys.orders().values()), *TELLING)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_asks_about_nothing(language):
    """What is always about something has keys of its own: for a square `TELLING`, for a piece `PIECE_ACTIONS`."""
    said = vocabulary(language).phrases["command"]
    about = {
        order.name
        for order in keys.orders().values()
        if not order.choice and all(split_command(phrase)[1] for phrase in said[order.name])
    }
    assert about == {CommandName.TOUCHED}  # of the piece under the cursor


@pytest.mark.parametrize("push", [False, True])
@pytest.mark.parametrize("place", ["", *keys.OF_PLACES])
def test_no_key_does_two_things(tmp_path, push, place):
    bindings = keys.load(push=push, place=place, path=tmp_path / "none.toml")
    bound = [key for names in bindings.keys.values() for key in names]
    assert len(bound) == len(set(bound))
    assert bindings.keys["faster"]
    assert bindings.of_the_place == tuple(keys.OF_PLACES.get(place, ()))
    assert all(bindings.keys[action] for action in bindings.of_the_place)


def test_the_talk_key_is_the_cursor_only_where_one_must_be_pressed(tmp_path):
    none = tmp_path / "none.toml"
    assert keys.load(path=none).action(NamedKey.CURSOR_DOWN) == "square_down"
    assert keys.load(push=True, path=none).action(NamedKey.CURSOR_DOWN) == "talk"
    assert keys.load(push=True, path=none).keys["square_down"]


def test_the_user_s_file_takes_a_key_for_another_command(file):
    file.write_text('[keys]\nclock = ["f2", "alt-c"]\nmaterial = []\nresign = ["brltty-csrtrk"]\n')
    bindings = keys.load(path=file)
    assert bindings.action(NamedKey.F2) == "clock"
    assert bindings.action(NamedKey.F8) is None
    assert bindings.action(AltKey("r")) == "repeat"
    assert bindings.action(AltKey("R")) == "pieces_rook"
    assert bindings.action(OtherKey("csrtrk")) == "resign"
    for key in RoutingKey(3), Character("a"), Dots(1):
        assert bindings.action(key) is None


@pytest.mark.parametrize(
    ("text", "sentence", "named"),
    [
        ("[keys", "keys_not_toml", "1"),
        ("\N{LATIN SMALL LETTER E WITH ACUTE}".encode("latin-1"), "keys_not_toml", "1"),
        ("clock = ['f2']\n", "keys_no_table", "keys.toml"),
        ("keys = 3\n", "keys_no_table", "keys.toml"),
        ("[keys]\n[push]\n", "keys_no_table", "keys.toml"),
        ("[keys]\nfly = ['f2']\n", "keys_unknown_command", "fly"),
        ("[keys]\nclock = 'f2'\n", "keys_no_list", "clock"),
        ("[keys]\nclock = ['f13']\n", "keys_unknown_key", "f13"),
        ("[keys]\nclock = [3]\n", "keys_unknown_key", "3"),
        ("[keys]\nclock = ['alt-']\n", "keys_unknown_key", "alt-"),
        ("[keys]\nclock = ['f2']\nturn = ['f2']\n", "keys_twice", "f2"),
        ("[keys]\nclock = ['f2', 'f2']\n", "keys_twice", "f2"),
    ],
)
def test_a_mistake_is_one_sentence(file, text, sentence, named):
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(keys.KeysError) as error:
        keys.load(path=file)
    assert error.value.message.key == sentence
    for language in LANGUAGES:
        text = Renderer(language).text(error.value.message)
        assert named in text
        assert str(file) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_that_is_a_folder_is_told_in_the_words_of_the_language(file, language):
    file.mkdir()
    with pytest.raises(keys.KeysError) as error:
        keys.load(path=file)
    renderer = Renderer(language)
    assert renderer.text(Message.of("reason_folder")).lower() in renderer.text(error.value.message).lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_key_is_listed_with_what_it_does(tmp_path, language):
    lines, errors = run(tmp_path, "keys", "--language", language)
    assert errors == []
    assert len(lines) == 1 + len(keys.actions())
    listed, _ = run(tmp_path, "keys", "--language", language, "--json")
    found = json.loads("\n".join(listed))
    assert [entry["command"] for entry in found] == list(keys.actions())
    assert [entry["text"] for entry in found] == lines[1:]
    own = keys.load(path=tmp_path / "none.toml")
    assert {entry["command"]: tuple(entry["keys"]) for entry in found} == own.keys


def test_the_program_refuses_a_table_with_a_mistake_before_a_game(tmp_path):
    folder = tmp_path / ".config/acessivel"
    folder.mkdir(parents=True)
    (folder / "keys.toml").write_text("[keys]\nfly = ['f2']\n")
    for command in ("keys",), ("play", "--save", str(tmp_path / "games")):
        lines, errors = run(tmp_path, *command, status=2)
        assert lines == []
        assert len(errors) == 1
        assert "fly" in errors[0]
    assert not (tmp_path / "games").exists()


def test_the_program_s_table_says_each_command_once():
    table = tomli.loads(Path(keys.__file__).with_name(keys.FILE_NAME).read_text("utf-8"))
    assert set(table["keys"]) == set(keys.actions())
    assert set(table["push"]) <= set(table["keys"])
