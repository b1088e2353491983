# SPDX-License-Identifier: GPL-3.0-or-later
"""Help on everything, from the tables: by `acessivel help TOPIC`, and in a game by "help" and its name."""

import contextlib
import io
import json

import pytest
from support.languages import LANGUAGES

from acessivel.commands import help as help_command
from acessivel.commands.arguments import parse
from acessivel.commands.options import COMMANDS
from acessivel.devices import keys
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.laws.editions import TOPICS, edition
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.session import command_help
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from voices.meaning import Command, CommandName
from voices.understanding.meanings import read
from voices.words.files import choices
from voices.words.phrasing import phrasing


def told(language, *topic, convention="fide", **more):
    """The lines of `acessivel help TOPIC`."""
    options = parse(["help", *topic, "--json", "--language", language, "--convention", convention])
    vars(options).update(more)
    with contextlib.redirect_stdout(io.StringIO()) as written:
        assert help_command.run(options) == 0
    return json.loads(written.getvalue())["lines"]


def refused(*topic, language="en"):
    with pytest.raises(UserError) as error:
        told(language, *topic)
    return Renderer(language).text(error.value.message)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CommandName)
@pytest.mark.sweep
def test_there_is_help_on_all_that_can_be_said_by_its_words_and_by_key(language, name):
    words = phrasing("letters", language)
    chosen = choices(name) or ("",)
    for choice, way in [(one, said) for one in chosen for said in words.examples(name, one)]:
        lines = " ".join(told(language, way, convention="letters"))
        assert way in lines
        for label in keys.load().labels(command_help.action(name, choice)):
            assert Renderer(language).text(label).lower() in lines.lower()


@pytest.mark.parametrize(
    ("language", "words", "does"),
    [
        ("en", "web revoke", "By its key: who has a page."),
        ("en", "web code", "By its key: who has a page."),
        ("en", "pawns by file", "the pawns, file by file"),
        ("de", "Bauern nach Linien", "die Bauern, Linie für Linie"),
        ("es", "peones por columna", "los peones, columna por columna"),
        ("pt", "peões por coluna", "os peões, coluna por coluna"),
    ],
)
def test_where_words_and_their_key_do_not_do_the_same_both_are_told(language, words, does):
    assert does in " ".join(told(language, words))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_there_is_help_on_each_command_of_the_program_with_its_options(language, command):
    lines = told(language, command)
    texts = catalogue(language)
    assert texts[f"command_{command}"] in lines[0]
    assert len(lines) >= 1 + len(COMMANDS[command])
    for option in COMMANDS[command].values():
        assert any(texts[option.explanation] in line for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_names_every_topic_and_each_that_it_names_is_one(language):
    lines = told(language)
    for name in COMMANDS:
        assert name in lines[0]
    for name in CommandName:
        for choice in choices(name) or ("",):
            example = phrasing("fide", language).example(name, choice)
            assert any(example in line for line in lines[1:-1])
            assert told(language, example)


def test_what_draw_is():
    assert told("en", "draw") == [
        "Draw: offers a draw.",
        "Make your move first, then offer; the opponent answers yes or no, or refuses by moving.",
        "Say: draw, offer draw, offer a draw, I offer a draw.",
        "Key: Alt+D.",
        "See Article 9.1.2.1, FIDE Laws of 2018.",
    ]
    assert told("en", "Offer", "draw") == told("en", "draw")
    assert "FIDE Laws of 2009" in told("en", "draw", laws="fide-2009")[-1]


def test_every_article_of_a_command_is_one_of_the_laws():
    assert set(command_help.ARTICLES.values()) <= TOPICS


@pytest.mark.parametrize(
    ("laws", "article"),
    [("fide-2001", "6.8a"), ("fide-2009", "6.7a"), ("fide-2014", "6.2a"), ("fide-2018", "6.2.1")],
)
def test_the_article_on_pressing_the_clock_is_that_of_the_duty(laws, article):
    assert edition(laws).rules().cite(command_help.ARTICLES[CommandName.PRESS]) == (article, laws)


def test_accents_and_capitals_do_not_matter():
    assert told("pt", "POSICAO") == told("pt", "posição")
    assert told("de", "korrektur")[0].startswith("Korrektur: ")


def test_laws_is_a_command_and_can_be_said():
    lines = told("en", "laws")
    assert lines[0].startswith("To type: acessivel laws. ")
    assert any(line.startswith("Rules: ") for line in lines)


def test_an_unknown_topic_names_the_nearest_in_one_sentence():
    assert refused("drew").startswith("There is no help on drew. There is help on: draw")
    assert "acessivel help" in refused("zzzzzzz")
    assert "clock, clock," not in refused("clok")


def test_the_nearest_topics_are_told_as_they_are_written():
    assert "peões" in refused("peoes", language="pt")
    assert "Züge Springer" in refused("zuege springr", language="de")
    assert "leis do xadrez" in refused("xadrex", language="pt")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CommandName)
def test_in_a_game_help_is_said_with_the_name_of_a_command(language, name):
    words = phrasing("fide", language)
    for choice in choices(name) or ("",):
        said = f"{words.example(CommandName.HELP)} {words.example(name, choice)}"
        meanings = [reading.meaning for reading in read(said, language) if reading.likely]
        assert meanings == [Command(CommandName.HELP, about=name, choice=choice)]


@pytest.mark.parametrize(("language", "words"), [("pt", "ajuda convenção"), ("en", "help convention")])
def test_in_a_game_help_on_a_command_with_a_choice_explains_each(language, words):
    _, effects = step(State.new(Setup(language=language)), ev.Heard(words=(words,)))
    assert [effect.command for effect in effects if isinstance(effect, ef.Explain)] == ["convention"]
    lines = " ".join(told(language, *words.split()[1:]))
    assert all(
        phrasing("fide", language).example(CommandName.CONVENTION, one) in lines
        for one in choices(CommandName.CONVENTION)
    )


@pytest.mark.parametrize("practice", [False, True])
def test_in_a_game_help_lists_what_can_be_said_in_it(practice):
    state, effects = step(
        State.new(Setup(language="en", practice=practice)), ev.Ordered(command=CommandName.HELP)
    )
    listed = []
    while effects[0].messages[-1].key == "more_follows":
        listed += effects[0].messages
        state, effects = step(state, ev.Ordered(command=CommandName.MORE))
    names = [
        dict(each.values)["command"]
        for message in (*listed, *effects[0].messages)
        if message.key == "help_section"
        for each in dict(message.values)["commands"]
    ]
    advice = {
        CommandName.HINT, CommandName.EVALUATE, CommandName.WHY, CommandName.CHECKS, CommandName.CAPTURES,
        CommandName.TAKE_BACK, CommandName.OPENING,
    }  # fmt: skip
    after_the_end = {CommandName.SIGN, CommandName.NEW_GAME, CommandName.REMATCH}
    at_a_server = {
        CommandName.ABORT, CommandName.CLAIM_VICTORY, CommandName.CHAT, CommandName.CHAT_ALOUD,
    }  # fmt: skip
    in_a_hall = {CommandName.NEXT_PAIRING}
    barred = after_the_end | at_a_server | in_a_hall | (set() if practice else advice)
    barred |= {CommandName.PLAY_ONLINE} if practice else set()
    said = [name for name in CommandName if name not in barred]
    assert len(names) == len(set(names))
    assert set(names) == {Command(name, choice=choice) for name in said for choice in choices(name) or ("",)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", ["fide", "letters"])
def test_help_tells_a_newcomer_first_how_to_announce_then_the_sections_of_the_display(language, convention):
    told = command_help.overview(CommandName, convention)
    words = ["help_words"] if convention == "fide" else []
    assert [message.key for message in told] == ["help", *words, *["help_section"] * 4]
    renderer = Renderer(language, convention)
    sections = [renderer.text(message) for message in told if message.key == "help_section"]
    assert [section.partition(":")[0] for section in sections] == [
        renderer.text(Message.of(f"menu_{section}")).rstrip(":") for section in command_help.sections()
    ]
    first = [dict(dict(told[-4].values)["commands"][n].values)["command"].name for n in range(4)]
    assert first == ["sign", "new_game", "rematch", "resign"]
    assert phrasing(convention, language).example(CommandName.CONVENTION, "letters") in sections[-1]
    if words:
        changes = phrasing(convention, language).example(CommandName.CONVENTION, "letters")
        assert changes in renderer.text(told[1])
        assert read(changes, language)[0].meaning == Command(CommandName.CONVENTION, choice="letters")


def test_help_on_a_command_does_nothing_else_and_puts_the_open_question_again():
    state, _ = step(State.new(Setup(language="en")), ev.Started())
    state, asked = step(state, ev.Heard(words=("e4",)))
    after, effects = step(state, ev.Heard(words=("help resign",)))
    assert effects == (ef.Explain("resign", asked[-1].messages),)
    assert (after.game.result, after.asking) == (None, state.asking)


def test_two_commands_in_a_row_are_no_help():
    assert read("resign help", "en") == ()
    assert read("draw resign", "en") == ()


def test_on_what_is_no_command_there_is_the_rule():
    assert "Article 4.4.1" in told("en", "castling")[0]
    assert "castling" in refused("castlin")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("typed", "names"), [([], "play"), (["paly"], "play"), (["qqq"], "help")])
def test_without_a_command_or_with_a_wrong_one_the_user_hears_what_to_type(language, typed, names):
    with pytest.raises(UserError) as error:
        parse(typed)
    assert names in Renderer(language).text(error.value.message)
