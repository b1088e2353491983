# SPDX-License-Identifier: GPL-3.0-or-later
"""After the end the players sign the scoresheet (8.7), and every record says who has."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import all_told
from support.languages import LANGUAGES
from support.spoken_game import Game

from acessivel.dialogue.questions import Signing
from acessivel.game.game import Setup
from acessivel.laws import topics
from acessivel.laws.editions import edition
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.records import braille_record, pgn, pgn_files
from acessivel.records.braille_record import Kept
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.storage.journal import Journal
from braille import pages, patterns
from braille.notation import load_code
from voices.words.lexicon import vocabulary


def hear(state, *words, **how):
    effects = ()
    for said in words:
        state, _ = step(state, ev.SpeechEnded(heard=True))
        state, effects = step(state, ev.Heard(words=(said,), **how))
    return state, all_told(effects)


def keys(messages):
    """The sentences; of a cited one its own."""
    return [
        dict(message.values)["sentence"].key if message.key == "ruling" else message.key
        for message in messages
    ]


def resigned(**setup):
    state, _ = step(State.new(Setup.of(**setup)), ev.Started())
    return (
        hear(state, "e4", "sim", "abandono", "sim")[0]
        if setup.get("opponent") != "engine"
        else hear(state, "abandono", "sim")[0]
    )


def test_two_persons_sign_one_after_the_other_white_first():
    state, told = hear(resigned(), "assinar a planilha")
    assert keys(told) == ["over", "ask_sign"]
    assert dict(told[1].values)["colour"] == "white"
    state, told = hear(state, "sim")
    assert keys(told) == ["signed", "ask_sign"]
    assert state.game.signed == ("white",)
    assert dict(told[1].values)["colour"] == "black"
    state, told = hear(state, "sim")
    assert keys(told) == ["signed"]
    assert state.game.signed == ("white", "black")
    assert keys(hear(state, "assinar a planilha")[1]) == ["sign_done"]


@pytest.mark.parametrize(
    ("language", "unsigned", "signed"),
    [
        ("en", "To confirm the result, say sign the scoresheet; to play again, new game or rematch; to leave, stop.", "To play again, say new game or rematch; to leave, stop."),
        ("de", "Zum Unterschreiben sagen Sie unterschreiben; um noch einmal zu spielen, neue Partie oder Revanche; zum Aufhören: beenden.", "Um noch einmal zu spielen, sagen Sie neue Partie oder Revanche; zum Aufhören: beenden."),
        ("pt", "Para assinar o resultado, diga assinar a planilha; para jogar outra vez, nova partida ou revanche; para sair, parar.", "Para jogar outra vez, diga nova partida ou revanche; para sair, parar."),
        ("es", "Para firmar el resultado, diga firmar la planilla; para jugar otra vez, nueva partida o revancha; para salir, parar.", "Para jugar otra vez, diga nueva partida o revancha; para salir, parar."),
    ],
)  # fmt: skip
def test_whoever_hears_that_the_game_is_over_hears_what_can_be_done(language, unsigned, signed):
    state, told = hear(resigned(), "quem joga")
    assert keys(told) == ["over", "after_over"]
    assert Renderer(language).text(told[-1]) == unsigned
    state, _ = hear(state, "assinatura", "sim", "sim")
    _, told = hear(state, "quem joga")
    assert keys(told) == ["over", "after_signing"]
    assert Renderer(language).text(told[-1]) == signed


def test_who_refuses_does_not_keep_the_other_from_signing():
    state, told = hear(resigned(), "assinar a planilha", "não")
    assert keys(told) == ["sign_not", "ask_sign"]
    state, _ = hear(state, "sim")
    assert state.game.signed == ("black",)
    state, _ = hear(state, "assinar a planilha")
    assert state.asking == Signing(("white",), "1-0")


@pytest.mark.parametrize("colour", ["white", "black"])
def test_against_the_engine_only_the_person_signs(colour):
    state, _ = step(State.new(Setup(opponent="engine", colour=colour)), ev.Started())
    state, _ = hear(state, "abandono", "sim", "assinar a planilha", "sim")
    assert state.game.signed == (colour,)


def test_who_has_taken_a_mate_back_signs_the_next_one_anew():
    game = Game(opponent="engine", practice=True, fen="7k/8/6K1/8/8/8/8/3Q4 w - - 0 1").moves("Qd8")
    game.orders("sign").says("yes")
    assert game.state.game.signed == ("white",)
    game.orders("take_back").says("yes")
    assert game.state.game.signed == ()
    game.moves("Qd8").orders("sign").says("yes")
    assert game.state.game.signed == ("white",)
    assert game.keys == ["ruling"]


def test_before_the_end_nobody_signs_and_the_question_stays():
    state, _ = step(State.new(Setup()), ev.Started())
    state, told = hear(state, "e4", "assinar a planilha")
    assert keys(told) == ["sign_not_yet", "ask_move"]
    assert not state.game.signed


def test_a_command_that_is_refused_leaves_the_question_and_puts_it_again():
    state, asked = hear(resigned(), "assinar a planilha")
    state, told = hear(state, "empate")
    assert told[1:] == asked[-1:]
    assert hear(state, "repetir")[1] == told


def test_a_spoken_yes_signs_only_where_it_may_confirm():
    state, _ = step(State.new(Setup()), ev.Started(confirm="key"))
    state, _ = hear(state, "abandono", "sim", "assinar a planilha")
    assert keys(hear(state, "sim", spoken=True)[1]) == ["answer_by_key", "ask_sign"]
    assert hear(state, "sim")[0].game.signed == ("white",)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_each_language_sign(language):
    words = vocabulary(language)
    state, _ = step(State.new(Setup(language=language)), ev.Started())
    yes = words.say("answer", "yes")
    state, _ = hear(state, words.say("command", "resign"), yes, words.say("command", "sign"), yes, yes)
    assert state.game.signed == ("white", "black")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_record_says_who_has_signed(language):
    state = resigned(language=language)
    state, _ = hear(state, vocabulary(language).say("command", "sign"), "ja", "nein")
    note = Renderer(language).text(state.game.notes[-1].message)
    colour = Renderer(language).text(Message.of("colour_white"))
    text = pgn.pgn(state.setup, state.game, "2026-01-01")
    assert note in " ".join(text.split())
    assert "8.7" in note
    assert note in pgn.text(state.setup, state.game, "2026-01-01")
    (game,) = pgn_files.games(io.BytesIO(text.encode()))
    code = load_code(f"{language}8")
    found = pages.paginate(braille_record.paragraphs(Kept(game), code, frozenset()), pages.Sheet(40, 25))
    sheets = b"".join(patterns.write(found)).decode()
    assert patterns.pattern(code.text(colour)) in sheets


@pytest.mark.parametrize(
    ("name", "article"),
    [("fide-2001", "8.7"), ("fide-2009", "8.7"), ("fide-2014", "8.7"), ("fide-2018", "8.7")],
)
def test_the_rule_is_told_with_its_article(name, article):
    assert edition(name).article("sign") == article
    assert "rule_sign" in keys(topics.rule("record", edition(name)))


def test_the_school_rules_say_nothing_of_it():
    _, told = hear(resigned(laws="escolar-br"), "assinar a planilha", "sim")
    assert told[0].key == "signed"


WORDS = ("e4", "sim", "não", "abandono", "empate", "assinar a planilha", "engano", "d5", "ja")


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14))
def test_no_order_of_words_signs_an_unfinished_game_or_changes_a_result(words):
    state, _ = step(State.new(Setup()), ev.Started())
    for word in words:
        before = state
        state, _ = hear(state, word)
        assert not state.game.signed or state.game.result
        assert not before.game.result or state.game.result == before.game.result


def test_a_signature_is_replayed_from_the_journal(tmp_path):
    journal = Journal(tmp_path)
    state = State.new(Setup())
    number = journal.create(state.setup, "2026-01-01")
    events = [ev.Started(), *(ev.Heard(words=(w,)) for w in ("abandono", "sim", "assinar a planilha", "sim"))]
    for n, event in enumerate(events):
        after, _ = step(state, event)
        journal.append(number, n, event, state, after)
        state = after
    assert journal.load(number).state.game.signed == state.game.signed == ("white",)
    journal.close()
