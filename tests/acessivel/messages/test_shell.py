# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told to be typed can be typed: words as the system takes them, and the program where it lies."""

from types import SimpleNamespace

import pytest
from support.languages import LANGUAGES

from acessivel.message import Message
from acessivel.messages import shell
from acessivel.messages.rendering import Renderer

LIES = "/home/ana/my games/acessivel"


@pytest.mark.parametrize(
    ("system", "shown"),
    [
        ("posix", "'C:/My Python/python' -m pip install 'starlette>=1.3.1' a/b"),
        ("nt", '"C:/My Python/python" -m pip install "starlette>=1.3.1" a/b'),
    ],
)
def test_what_is_typed_is_quoted_as_the_system_takes_it(monkeypatch, system, shown):
    monkeypatch.setattr(shell, "os", SimpleNamespace(name=system))
    words = ["C:/My Python/python", "-m", "pip", "install", "starlette>=1.3.1", "a/b"]
    assert shell.typed(words) == shown


@pytest.fixture
def started(monkeypatch):
    """A program that is not on the path."""
    monkeypatch.setattr(shell.shutil, "which", lambda _: None)
    monkeypatch.setattr(shell.sys, "argv", [LIES])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("message", "typed"),
    [
        (Message.of("no_games"), "play"),
        (Message.of("boards_without_set", setting="strict"), "config set strict no"),
        (Message.of("bad_option", option="--foo", program="acessivel play"), "play --help"),
        (Message.of("bad_option", option="--foo", program="acessivel"), "--help"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.key,
)
@pytest.mark.usefixtures("started")
def test_the_program_of_a_sentence_can_be_typed_where_it_lies(language, message, typed):
    renderer = Renderer(language)
    assert f": '{LIES}' {typed}" in renderer.text(message)
    spoken = "".join(span.text for span in renderer.spans((message,)))
    assert f": acessivel {typed}" in spoken
    assert LIES not in spoken


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("started")
def test_a_second_command_of_a_sentence_can_be_typed_where_it_lies(language):
    message = Message.of("not_saved_damaged", command="acessivel record 1", program="acessivel play")
    assert f" '{LIES}' play --from " in Renderer(language).text(message)


@pytest.mark.usefixtures("started")
def test_the_program_can_be_typed_in_another_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shell.sys, "argv", [".venv/bin/acessivel"])
    assert shell.program() == f"{tmp_path}/.venv/bin/acessivel"


@pytest.mark.usefixtures("started")
def test_a_list_of_commands_is_one_of_names():
    message = Message.of("help_listed", name="play", text=Message.of("command_play"))
    assert Renderer("en").text(message).startswith("acessivel play: ")


@pytest.mark.usefixtures("started")
def test_what_has_only_imported_the_program_is_not_it(monkeypatch):
    monkeypatch.setattr(shell.sys, "argv", ["/usr/bin/pytest"])
    assert shell.program() == "acessivel"


@pytest.mark.usefixtures("started")
def test_a_program_on_the_path_is_typed_by_its_name(monkeypatch):
    monkeypatch.setattr(shell.shutil, "which", lambda _: "/usr/bin/acessivel")
    assert shell.program() == "acessivel"
