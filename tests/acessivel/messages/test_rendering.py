# SPDX-License-Identifier: GPL-3.0-or-later
import re
from pathlib import Path

import pytest
from support.catalogues import fields
from support.languages import LANGUAGES
from support.program import run

import acessivel
from acessivel.dialogue.questions import topic_list
from acessivel.hall.cases import KINDS
from acessivel.message import Duration, Message, ToType
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.rules.position import Position
from braille.notation import load_code
from voices.meaning import Command, CommandName, Distinct, MovePattern, Piece, Place, Wording
from voices.words.files import conventions

FACT = Position.start().matching(MovePattern(Place("f", "3"), Piece.KNIGHT))[0]
WORDS = {
    "help",
    "yes",
    "no",
    "stop",
    "correction",
    "arbiter",
    "more",
    "hint",
    "evaluate",
    "why",
    "take_back",
    "web_revoke",
    "web_code",
}
SAMPLES = {
    "question": CommandName.PIECES,
    "move": FACT, "moves": (FACT, FACT), "heard": MovePattern(Place("f", "5"), Piece.KNIGHT), "square": Place("e", "4"),
    "squares": (Place("e", "4"), Place("d", "5")), "place": Place("e"), "piece": Piece.QUEEN, "colour": "black",
    "pieces": (Message.of("standing", piece=Piece.KING, squares=(Place("e", "1"),)),), "number": 7, "count": 3, "lines": 1, "width": 2, "before": 1,
    "points": 9, "level": 4, "id": 12, "time": Duration(3_661_000), "reason": Message.of("refuse_promotion"),
    "result": Message.of("result_draw"), "choices": (Message.of("choice", number=1, move=FACT),),
    "commands": (Message.of("help_command", command=CommandName.CLOCK),), "command": CommandName.HELP, "better": FACT, "elo": 800,
    "playing": 4, "over": 2,
}  # fmt: skip


@pytest.mark.parametrize("convention", conventions())
def test_what_is_shown_in_stretches_is_what_is_shown_and_the_fide_words_are_german(convention):
    renderer = Renderer("en", convention)
    messages = [Message.of("played", colour="white", number=1, move=FACT), Message.of("ask_move", move=FACT)]
    shown = renderer.shown(messages)
    assert "".join(span.text for span in shown) == " ".join(map(renderer.text, messages))
    german = [span.text for span in shown if span.language == "de"]
    wanted = {
        "fide": ["Springer Gustav eins Felix drei. Springer Gustav eins Felix drei?"],
        "mixed": [" Gustav eins Felix drei.", " Gustav eins Felix drei?"],
    }
    assert german == wanted.get(convention, [])


def test_the_catalogues_have_the_same_sentences_with_the_same_values():
    first = catalogue("pt")
    for language in LANGUAGES:
        other = catalogue(language)
        assert list(other) == list(first), language
        for key, template in first.items():
            assert fields(other[key]) == fields(template), (
                language,
                key,
            )


def test_every_sentence_is_used_and_every_used_one_is_there():
    sources = "\n".join(path.read_text("utf-8") for path in Path(acessivel.__file__).parent.rglob("*.py"))
    used = set(re.findall(r'"([a-z0-9_]+)"', sources))
    made = (
        "option_",
        "outcome_",
        "page_",
        "piece_",
        "web_",
        "start_",
        "lobby_",
        "about_",
        "also_",
        "placeholder_",
        "drill_called_",
        "man_",
        "command_",
        "colour_",
        "ask_",
        "end_",
        "damaged_",
        "part_",
        "words_",
        "slot_",
        "does_",
        "more_",
        "replay_no_",
        "replay_nag_",
        "bad_position_",
        "braille_lost_",
        "microphone_",
        "brief_",
        "full_",
        "voice_",
        "language_",
        "convention_",
        "key_",
        "menu_",
        "lesson_",
        "opening_",
        "spoken_",
        "typed_",
        "lobby_ask_",
        "lobby_do_",
        "lobby_reason_",
        "lobby_logged_in_",
        "online_request_",
        "online_rating_",
        "reply_",
        "topic_",
        "edition_",
        "replay_no_",
        "replay_nag_",
        "desk_brief_",
        "desk_what_",
        "hall_says_",
        *(f"desk_{kind}" for kind in KINDS),
    )
    for key in catalogue("pt"):
        assert key in used or key.startswith(made), key
    for key in re.findall(r'Message\.of\(\s*"([a-z0-9_]+)"', sources):
        assert key in catalogue("pt"), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
def test_every_sentence_is_rendered_for_eye_ear_and_finger(language, convention):
    # Thousands of sentences, so one test for all: a test each would cost more than what it tests.
    renderer, code = Renderer(language, convention), load_code(f"{language}8")
    for key, sentence in catalogue(language).items():
        names = fields(sentence) - WORDS
        message = Message.of(key, **{name: SAMPLES.get(name, "x") for name in names})
        text = renderer.text(message)
        assert text, key
        assert not any(part in text for part in ("{", "Message(", "\n")), (key, text)
        assert all(span.language in LANGUAGES for span in renderer.spans((message,))), key
        for part in renderer.parts(message):
            cells = code.move(part.brief) if part.notation else code.text(part.brief)
            assert cells or not part.brief, (key, part)


@pytest.mark.parametrize(
    ("language", "convention", "text", "spoken"),
    [
        (
            "pt",
            "fide",
            "Springer Gustav eins Felix drei?",
            [("Springer Gustav eins Felix drei?", "de"), (" ", "pt")],
        ),
        ("pt", "letters", "Cavalo g1 f3?", [("cavalo gê um efe três? ", "pt")]),
        ("en", "letters", "Knight g1 f3?", [("knight g one f three? ", "en")]),
        ("de", "letters", "Springer g1 f3?", [("Springer g eins f drei? ", "de")]),
        ("es", "letters", "¿Caballo g1 f3?", [("¿caballo ge uno efe tres? ", "es")]),
        ("pt", "nato", "Cavalo Golf um Foxtrot três?", [("cavalo Golf um Foxtrot três? ", "pt")]),
        (
            "en",
            "mixed",
            "Knight Gustav eins Felix drei?",
            [("knight", "en"), (" Gustav eins Felix drei?", "de"), (" ", "en")],
        ),
        ("de", "mixed", "Springer Gustav eins Felix drei?", [("Springer Gustav eins Felix drei? ", "de")]),
    ],
)
def test_one_fact_three_renderings(language, convention, text, spoken):
    renderer = Renderer(language, convention)
    message = Message.of("ask_move", move=FACT)
    assert renderer.text(message) == text
    heard = [(span.text, span.language) for span in renderer.spans((message,))]
    assert heard == [span for span in spoken if any(c.isalnum() for c in span[0])]
    brief = [part.brief for part in renderer.parts(message) if part.notation]
    assert brief == ["Nf3"]


@pytest.mark.parametrize(
    ("language", "convention", "file", "shown", "spoken"),
    [
        ("en", "letters", "a", "a2", "eh two"),  # not the article
        ("de", "letters", "a", "a2", "a zwei"),
        ("pt", "nato", "e", "Echo dois", "Eco dois"),
        ("es", "nato", "e", "Echo dos", "Eco dos"),
        ("en", "nato", "e", "Echo two", "Echo two"),
        ("pt", "nato", "c", "Charlie dois", "Tchárli dois"),
    ],
)
def test_a_voice_is_given_a_word_as_it_reads_it_right_and_nobody_else(
    language, convention, file, shown, spoken
):
    (part,) = Renderer(language, convention)._value(Place(file, "2"), "")
    assert (part.shown, part.spoken, part.brief) == (shown, spoken, f"{file}2")


@pytest.mark.parametrize(
    ("language", "convention", "text", "spoken"),
    [
        ("pt", "letters", "Quem ataca e4", [("quem ataca é quatro ", "pt")]),
        ("pt", "fide", "Quem ataca Eva vier", [("quem ataca", "pt"), (" Eva vier ", "de")]),
        ("en", "letters", "What attacks e4", [("what attacks e four ", "en")]),
    ],
)
def test_an_example_is_spoken_as_it_must_be_said(language, convention, text, spoken):
    wording = Wording(CommandName.ATTACKERS, "", 0)
    for told in (CommandName.ATTACKERS, Command(CommandName.ATTACKERS), wording):
        message, renderer = Message.of("help_command", command=told), Renderer(language, convention)
        assert renderer.text(message) == text
        assert [(span.text, span.language) for span in renderer.spans((message,))] == spoken


@pytest.mark.parametrize(
    ("language", "ways"),
    [("pt", "Diga: onde estão cavalos, onde está cavalo, peças cavalo."), ("en", "Say: where are knights, where is knight.")],
)  # fmt: skip
def test_one_piece_is_asked_for_in_the_singular(language, ways):
    told = tuple(Wording(CommandName.PIECES, "", number) for number in range(ways.count(",") + 1))
    assert Renderer(language).text(Message.of("help_say", ways=told)) == ways


def test_a_letter_that_is_told_apart_is_read_aloud_as_elsewhere():
    (part,) = Renderer("en", "letters")._value(Distinct(Place("a"), (Place("h"),)), "")
    assert part.shown.split() == ["a", *part.spoken.split()[1:]]
    assert part.spoken.startswith("eh ")


def test_punctuation_is_spoken_with_what_it_ends():
    message = Message.of("on_square", square=Place("e", "4"), piece=Piece.KNIGHT, colour="white")
    heard = [(span.text, span.language) for span in Renderer("en").spans((message,))]
    assert heard == [("Eva vier:", "de"), (" knight, White. ", "en")]


@pytest.mark.parametrize(
    ("ms", "portuguese", "english"),
    [
        (0, "0 segundo", "0 seconds"),
        (999, "0 segundo", "0 seconds"),
        (1_000, "1 segundo", "1 second"),
        (61_000, "1 minuto 1 segundo", "1 minute 1 second"),
        (300_000, "5 minutos", "5 minutes"),
        (7_325_000, "2 horas 2 minutos 5 segundos", "2 hours 2 minutes 5 seconds"),
    ],
)
def test_times_are_sentences(ms, portuguese, english):
    message = Message.of("time_left", colour="white", time=Duration(ms))
    assert Renderer("pt").text(message) == f"Brancas: {portuguese} no relógio."
    assert Renderer("en").text(message) == f"White has {english} left."


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_has_to_be_typed_as_it_is_keeps_its_case_at_the_beginning_of_a_sentence(language):
    ends = Message.of("reconcile_ends", file="casa.pgn", colour="white", number=3)
    assert Renderer(language).text(ends).startswith("casa.pgn ")
    assert Renderer(language).text(Message.of("drill_listed", drill="squares", text="x")) == "squares: x"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("pt", "1. Pretas: peão e7 e5; 2. cavalo g1 f3."),
        ("en", "1. Black: pawn e7 e5; 2. knight g1 f3."),
        ("de", "1. Schwarz: Bauer e7 e5; 2. Springer g1 f3."),
        ("es", "1. Negras: peón e7 e5; 2. caballo g1 f3."),
    ],
)
def test_a_line_that_begins_with_a_move_of_black_says_so(language, line):
    king_pawn = Position.start().matching(MovePattern(Place("e", "4"), Piece.PAWN))[0]
    position = Position.start().made(king_pawn)
    reply = position.matching(MovePattern(Place("e", "5"), Piece.PAWN))[0]
    knight = position.made(reply).matching(MovePattern(Place("f", "3"), Piece.KNIGHT))[0]
    message = Message.of("move_list", moves=(reply, knight))
    assert Renderer(language, "letters").text(message) == line


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_number_in_a_list_of_topics_is_parted_from_the_topic_before_it(language):
    text = Renderer(language).text(topic_list(("castling", "flag")))
    assert re.search(r": 1, [^,;]+; 2, [^,;]+\.$", text)


@pytest.mark.parametrize(
    ("language", "spoken", "typed"),
    [("pt", "diga", "digite"), ("en", "say", "type"), ("de", "sagen", "tippen"), ("es", "diga", "escriba")],
)
def test_where_nobody_listens_words_are_to_be_typed(language, spoken, typed):
    for key in "welcome", "after_over", "not_understood":
        said = Renderer(language).text(Message.of(key)).casefold()
        written = Renderer(language, typed=True).text(Message.of(key)).casefold()
        assert spoken in said
        assert typed not in said
        assert typed in written
        assert spoken not in written.replace("sagen sie einen zug an", "").split()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["kept", "tape_runs"])
def test_a_command_is_read_in_full_and_spoken_without_its_paths(language, key):
    command = ToType("/opt/a b/acessivel resume 1 --save '/home/anna/chess games'", "acessivel resume 1")
    message, renderer = Message.of(key, command=command), Renderer(language)
    spoken = " ".join(span.text for span in renderer.spans((message,)))
    assert "acessivel resume 1" in spoken
    assert "/" not in spoken
    assert "--save" not in spoken
    assert command.text in renderer.text(message)
    assert command.text in "".join(part.brief for part in renderer.parts(message))


@pytest.mark.parametrize(
    "arguments",
    [
        ("record", "white"),
        ("play", "white"),
        ("profile", "--profile", "white"),
        ("config", "get", "white"),
    ],
)
def test_what_somebody_calls_white_is_told_as_it_is_written(tmp_path, arguments):
    _, errors = run(tmp_path, *arguments, "--language", "de", status=2)
    assert "white" in " ".join(errors)
    assert "Weiß" not in " ".join(errors)
