# SPDX-License-Identifier: GPL-3.0-or-later
"""Games in Braille and back: by hand, whole files of every kind, and every mistake with its game and line."""

import contextlib
import io
import random
import re
import unicodedata
from pathlib import Path

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from acessivel.game.game import Game, Setup
from acessivel.message import Message
from acessivel.messages.rendering import catalogue
from acessivel.records import braille_record, pgn, pgn_files
from acessivel.records.braille_record import Kept, RecordError
from braille import brf, patterns
from braille.notation import code_names, load_code
from braille.pages import Sheet, paginate, paragraphs
from voices.words.files import languages

pytest.importorskip("louis", reason="liblouis is not installed")

CODES = code_names()
SHEETS = [Sheet(34, 28), Sheet(40, 25), Sheet(12, 1), Sheet(12, 5), Sheet(80, 1)]
SAMPLE = """\
[Event "Clube de Xadrez, 3ª edição"]
[Site "São Paulo"]
[Date "2026.11.21"]
[Round "3.1"]
[White "Müller, José"]
[Black "Łukasz O'Neil"]
[Result "1-0"]
[TimeControl "40/7200:900+30"]
[Local "another tag's name in Portuguese"]
[Date_ "as wanted"]

{before the first move} 1. e4 {[%clk 1:29:58]} 1... e5 $2 {[%clk 1:29:55] then words}
( 1... c5 2. Nf3 ( 2. c3 $14 d5 ) 2... d6 {within} ) ( {at the start} 1... e6 ) 2. Nf3 $1 Nf6 $4 3. d4 $3
exd4 $5 4. e5 $6 Ne4 5. Qxd4 d5 6. exd6 {(=)} Nxd6 7. Bg5 Nc6 8. Qe3+ Be7 9. Nbd2 O-O 10. O-O-O Re8 11. Kb1 1-0

[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]

*

[Event "from a position"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A  B"]
[Black ""]
[Result "0-1"]
[FEN "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 40"]
[SetUp "1"]

40... a1=Q+ 41. Kd2 h1=N 42. a8=R+ Kd7 43. h8=B Qd1+ 0-1

[Event "Chess960"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "C"]
[Black "D"]
[Result "1/2-1/2"]
[FEN "rnbbnkrq/pppppppp/8/8/8/8/PPPPPPPP/RNBBNKRQ w GAga - 0 1"]
[SetUp "1"]
[Variant "Chess960"]

1. O-O O-O 2. e4 ( 2. -- e5 ) 2... e5 1/2-1/2
"""


def games_of(pgn):
    return list(pgn_files.games(io.BytesIO(pgn.encode())))


def blocks(games, code, diagrams=()):
    for number, game in enumerate(games):
        if number:
            yield None
        yield from braille_record.paragraphs(Kept(game), code, diagrams)


def lines(games, code, sheet=SHEETS[0], diagrams=()):
    return [line for page in paginate(blocks(games, code, diagrams), sheet) for line in page]


def read_back(text, code):
    return list(braille_record.games(paragraphs(enumerate(text, start=1)), code))


@pytest.mark.parametrize("sheet", SHEETS, ids=str)
@pytest.mark.parametrize("name", CODES)
def test_games_come_back_move_for_move_with_their_headers_and_results(name, sheet):
    code, games = load_code(name), games_of(SAMPLE)
    text = lines(games, code, sheet, diagrams={0, 3, 7})
    assert all(len(line) <= sheet.width for line in text)
    again = read_back(text, code)
    assert len(again) == len(games) == 4
    for game, other in zip(games, again, strict=True):
        assert dict(other.headers) == dict(game.headers)
        assert exported(other) == exported(game)


def exported(game):
    """The moves, variations, marks, times, offers and comments."""
    return game.accept(chess.pgn.StringExporter(columns=None, headers=False))


def commented(comment, name):
    """A comment on 1.e4 after its way through a record in a code, on the narrowest sheet."""
    game = chess.pgn.Game()
    game.add_main_variation(chess.Move.from_uci("e2e4"), comment=comment)
    (again,) = read_back(lines([game], load_code(name), Sheet(12, 1)), load_code(name))
    return again.next().comment


# Numbers, punctuation, moves and capitals, as people write them in comments.
COMMENTS = [
    "A good move, is it? Carlsen (2850) played 12 Nf3!", "Magnus joga bem; e agora? 3 peças!", "3,5 +0.13 1/2 -1.5 1.000,25",
    "o passo possível: assinaram a clássica", "Cf3+ e Txf7#, depois 12...Dxe7!? (+0,35)", "12.Lc4 (unten) und 12...Lc5?!",
    "Buena jugada. ¿Y ahora? ¡3 piezas: gana Miguel!", "Ein schöner Zug; Weiß verliert… – oder — nicht? 5 €",
    "FIDE e DGT2000, FIDEs, McDONALD, ÉTÉ, A B", '"eins" „zwei“ “three” ‘four’ ‚fünf‘ «seis» »sieben« ‹acht›',
    "O'Neil’s 1º lance, 3ª linha, ½ ponto", "você. está. (você)", "--fen -- ? ?! !? (!) (=) ...) f(x) e4(!)", "a/b 1-0 @x #2 50% 3d 3,b 3A",
    "Ж 漢 🙂 ♘f3 ⩲ ± → \u2060", "{ [ ] ( ) < > = * & _ ^ ~ ` | \\", "⠿⠿ ⠇",
]  # fmt: skip


@pytest.mark.parametrize("comment", COMMENTS)
@pytest.mark.parametrize("name", CODES)
def test_what_a_comment_says_comes_back_letter_for_letter(name, comment):
    assert commented(comment, name) == comment


def told():
    """The words of every sentence and page that the program has, in all its languages."""
    sentences = [text for language in languages() for text in catalogue(language).values()]
    pages = [page.read_text("utf-8") for page in Path("docs").rglob("*.md")]
    return sorted(set(" ".join((*sentences, *pages)).replace("}", "").split()))


WORDS = told()
NUMBERS = st.from_regex(r"[+-]?[0-9]{1,4}([.,:/][0-9]{1,3})?[.,;:)?!%]?", fullmatch=True)
SIGNS = sorted(set("".join(WORDS)))


@pytest.mark.parametrize("name", CODES)
@pytest.mark.sweep
def test_every_word_that_the_program_tells_comes_back(name):
    spelling = load_code(name).sentences
    assert [word for word in WORDS if spelling.read(spelling.write(word)) != word] == []


@pytest.mark.parametrize("name", CODES)
@settings(deadline=None, max_examples=examples(60))
@given(
    words=st.lists(
        st.sampled_from(WORDS) | NUMBERS | st.text(SIGNS, min_size=1, max_size=6), min_size=1, max_size=12
    )
)
def test_any_sentence_comes_back(name, words):
    comment = unicodedata.normalize("NFC", " ".join(words))
    if not re.search(r"\[%[^\]]*\]", comment) and comment.strip() != "(=)":
        assert commented(comment, name) == comment
        assert not any(unicodedata.category(sign) == "Cc" for sign in commented(comment, name))


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("ended", ["unterminated", "time forfeit", "tempo esgotado", "normal (PGN)", "death"])
def test_how_a_game_ended_and_its_opening_are_worded_in_the_language_and_come_back(name, ended):
    game, code = games_of('[White "A"]\n[Opening "Open Game"]\n\n1. e4 *\n')[0], load_code(name)
    game.headers["Termination"] = ended
    text = lines([game], code)
    back = read_back(text, code)[0].headers
    assert (back["Termination"], back["Opening"]) == (ended, "Open Game")
    language = catalogue(code.language)
    if ended in ("unterminated", "time forfeit"):
        told = f"{language['tag_termination']}: {language['ended_' + ended.replace(' ', '_')]}"
        assert any(code.spelling.write(told) in line for line in text)
    told = code.spelling.write(f"{language['tag_opening']}: {language['opening_open_game']}")
    assert any(told in line for line in text)


@pytest.mark.parametrize(
    "named", ["Italian Game", "Sicilian", "Abertura Italiana", "Jogo Aberto", "Jogo Aberto (PGN)", "?"]
)
@pytest.mark.parametrize("name", CODES)
def test_any_name_of_an_opening_comes_back(name, named):
    game, code = games_of(f'[White "A"]\n[Opening "{named}"]\n\n1. e4 *\n')[0], load_code(name)
    assert read_back(lines([game], code), code)[0].headers["Opening"] == named


def test_an_older_record_with_english_words_is_read_as_it_was():
    tags = '[White "A"]\n[Termination "time forfeit"]\n[Opening "Open Game"]\n\n1. e4 *\n'
    game, code = games_of(tags)[0], load_code("pt6")
    changed = lines([game], code)
    for ours, older in (("tempo esgotado", "time forfeit"), ("Jogo Aberto", "Open Game")):
        before, changed = (
            changed,
            [line.replace(*map(code.spelling.write, (ours, older))) for line in changed],
        )
        assert changed != before
    back = read_back(changed, code)[0].headers
    assert (back["Termination"], back["Opening"]) == ("time forfeit", "Open Game")


def test_spaces_and_accents_apart_are_those_of_a_line_of_braille():
    assert commented("one\n two\u00a0 three Jose\u0301", "uk") == "one two three José"


def test_what_the_code_does_not_have_stays_in_braille():
    game, code = games_of('[White "A"]\n\n1. e4 {xx yy} *\n')[0], load_code("uk")
    text = [line.replace("⠽⠽", "⠯⠽⠯") for line in lines([game], code)]
    assert read_back(text, code)[0].next().comment == "xx ⠯⠽⠯"


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize(
    ("written", "comes_back"),
    [
        ("[%eval 0.17]", "[%eval 0.17]"),
        ("[%eval #-3,24]", "[%eval #-3,24]"),
        ("[%cal Gc2c3,Rd4d5] [%csl Ra1]", "[%cal Gc2c3,Rd4d5] [%csl Ra1]"),
        ("[%emt 0:00:05]", "[%emt 0:00:05]"),
        ("[%clk 1:02:03]", "[%clk 1:02:03]"),
        ("[%clk 1:02:03.5]", "[%clk 1:02:03.5]"),
        ("[%clk 5:03]", "[%clk 5:03]"),
        # The commands come first, so that the time stands beside the move.
        ("(0.17 → 0.59) Nf6! [%eval 0.59] [%clk 0:09:50]", "[%eval 0.59] [%clk 0:09:50] (0.17 → 0.59) Nf6!"),
        ("[%clk 0:10:00] (=)", "(=) [%clk 0:10:00]"),
        ("(=) [%eval 0.1] and words", "(=) [%eval 0.1] and words"),
        ("(=)", "(=)"),
    ],
)
def test_commands_for_programs_come_back(name, written, comes_back):
    assert commented(written, name) == comes_back


@pytest.mark.parametrize("name", CODES)
def test_commands_and_marks_wherever_they_stand_come_back(name):
    code = load_code(name)
    (game,) = games_of(
        '[White "A"]\n\n{[%csl Ga1] first} 1. e4 $1 $3 $14 {[%eval 0.1]} ( {[%cal Ga1a2]} 1. d4 $14 $2 {(=)} ) 1... e5 {words} '
        "2. Nf3 {[%eval 0.2] [%clk 0:01:00] more} *\n"
    )
    (again,) = read_back(lines([game], code, diagrams={1, 3}), code)
    assert exported(again) == exported(game)


@pytest.mark.parametrize("name", CODES)
def test_tags_of_any_value_come_back(name):
    tags = {
        "BlackElo": "?",
        "WhiteElo": "",
        "EventDate": "????.??.??",
        "Event": "",
        "Site": "-",
        "Annotator": ' "x" ',
    }
    game, code = chess.pgn.Game(), load_code(name)
    game.headers.update({**tags, "White": "A"})
    (again,) = read_back(lines([game], code), code)
    assert dict(again.headers) == dict(game.headers)
    assert tags.items() <= dict(again.headers).items()


# The header in literary Braille with capital signs; 3-1 paragraphs; low digits; the result, why, a page's number.
GOLDEN = {
    "uk": """\
⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠼⠁
⠀⠀⠠⠺⠓⠊⠞⠑⠒⠀⠠⠁⠝⠝⠁
⠀⠀⠠⠃⠇⠁⠉⠅⠒⠀⠠⠃⠕

⠀⠀⠂⠀⠑⠲⠀⠑⠢⠀⠆⠀⠇⠉⠲⠀⠎⠉⠖
⠒⠀⠟⠓⠢⠀⠎⠋⠖⠜⠦
⠀⠀⠸⠣⠠⠝⠕⠞⠀⠛⠕⠲⠸⠜
⠀⠀⠲⠀⠟⠰⠋⠶⠜⠍
⠀⠀⠨⠣⠲⠀⠟⠰⠋⠶⠜⠍⠨⠜
⠷⠂⠧⠿⠥⠧⠂⠷
⠯⠯⠯⠯⠂⠟⠯⠯
⠆⠮⠆⠮⠆
⠲⠯⠒
⠆⠇⠂⠏⠒
⠦
⠏⠏⠏⠏⠂⠏⠏⠏
⠗⠎⠇⠂⠅⠂⠎⠗
⠀⠀⠼⠁⠤⠼⠚⠀⠠⠉⠓⠑⠉⠅⠍⠁⠞⠑""",
    "pt6": """\
⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠼⠁
⠀⠀⠨⠃⠗⠁⠝⠉⠁⠎⠒⠀⠨⠁⠝⠝⠁
⠀⠀⠨⠏⠗⠑⠞⠁⠎⠒⠀⠨⠃⠕

⠀⠀⠂⠄⠑⠲⠀⠑⠢⠀⠆⠄⠨⠃⠉⠲
⠨⠉⠉⠖⠀⠒⠄⠨⠙⠓⠢⠀⠨⠉⠋⠖⠠⠢
⠀⠀⠐⠇⠨⠝⠕⠞⠀⠛⠕⠄⠸⠂
⠀⠀⠲⠄⠨⠙⠭⠋⠶⠐⠖⠖
⠀⠀⠷⠄⠲⠄⠨⠙⠭⠋⠶⠐⠖⠖⠠⠾
⠼⠓⠾⠤⠣⠹⠷⠣⠄⠾
⠼⠛⠯⠯⠯⠯⠤⠙⠯⠯
⠼⠋⠄⠤⠩⠤⠄⠩⠄⠤
⠼⠑⠤⠄⠤⠄⠯⠄⠤⠄
⠼⠙⠄⠤⠃⠤⠏⠤⠄⠤
⠼⠉⠤⠄⠤⠄⠤⠄⠤⠄
⠼⠃⠏⠏⠏⠏⠄⠏⠏⠏
⠼⠁⠞⠉⠃⠄⠗⠄⠉⠞
⠀⠀⠼⠁⠤⠼⠚⠀⠨⠭⠑⠟⠥⠑⠤⠍⠁⠞⠑""",
}
MATE = '[White "Anna"]\n[Black "Bo"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 $2 {Not go.} 4. Qxf7# 1-0\n'


@pytest.mark.parametrize("name", GOLDEN)
def test_a_record_by_hand(name):
    assert lines(games_of(MATE), load_code(name), Sheet(20, 25), diagrams={7}) == GOLDEN[name].splitlines()


def random_game(seed, plies=60, *, chess960=False):
    chance = random.Random(seed)  # noqa: S311  # the same games each time
    board = chess.Board.from_chess960_pos(chance.randrange(960)) if chess960 else chess.Board()
    game = chess.pgn.Game()
    game.setup(board)
    node = game
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = chance.choice(moves)
        for other in chance.sample(moves, min(len(moves), chance.choice([0, 0, 0, 1, 2]))):
            if other != move and chance.random() < 0.3:
                node.add_variation(other, nags=[chance.choice([1, 5, 14])])
        node = node.add_main_variation(move)
        board.push(move)
    game.headers["Result"] = board.result()
    return game


@settings(deadline=None, max_examples=examples(25))
@given(
    seeds=st.lists(st.integers(0, 10**6), min_size=1, max_size=3), name=st.sampled_from(CODES), chess960=st.booleans(),
    sheet=st.builds(Sheet, st.integers(12, 60), st.integers(1, 30)), diagrams=st.sets(st.integers(0, 60), max_size=3),
)  # fmt: skip
def test_random_games_come_back_and_no_move_is_split(seeds, name, chess960, sheet, diagrams):
    code = load_code(name)
    games = [random_game(seed, chess960=chess960) for seed in seeds]
    text = lines(games, code, sheet, diagrams)
    assert all(len(line) <= sheet.width for line in text)
    again = read_back(text, code)
    assert [exported(game) for game in again] == [exported(game) for game in games]
    assert [dict(game.headers) for game in again] == [dict(game.headers) for game in games]
    for game in games:
        board = game.board()
        for move in game.mainline_moves():
            cells = code.tokens.write(board.san_and_push(move))
            assert any(cells in line for line in text)


def mistake(text, code="uk"):
    with pytest.raises(RecordError) as caught:
        read_back(text, load_code(code))
    return caught.value.message.key, dict(caught.value.message.values)


def test_mistakes_in_a_record_name_the_game_and_the_line():
    good = lines(games_of(MATE), load_code("uk"), Sheet(20, 25))
    assert read_back(good, load_code("uk"))
    place = next(number for number, line in enumerate(good) if "⠒⠀⠟⠓⠢" in line)

    def changed(old, new):
        return [*good[:place], good[place].replace(old, new), *good[place + 1 :]]

    assert mistake(changed("⠟⠓⠢", "⠟⠓⠦")) == ("record_illegal", {"game": 1, "line": place + 1, "move": "Qh8"})
    assert mistake(changed("⠟⠓⠢", "⠟⠿⠢")) == (
        "record_wrong_code", {"game": 1, "line": place + 1, "word": "⠟⠿⠢", "code": "uk"},
    )  # fmt: skip
    assert mistake(changed("⠒⠀⠟", "⠲⠀⠟")) == ("record_number", {"game": 1, "line": place + 1, "number": "4."})
    assert mistake(changed("⠒⠀⠟⠓⠢", "⠐⠜")) == ("record_bracket", {"game": 1, "line": place + 1})
    assert mistake(good[:place]) == ("record_ends_early", {"game": 1, "line": place})
    assert mistake([*good, "", *good[:place]]) == (
        "record_ends_early",
        {"game": 2, "line": len(good) + 1 + place},
    )
    assert mistake([*good[:-1], "⠀⠀⠐⠣⠀⠲⠀⠟⠰⠋⠶⠜⠍", good[-1]])[0] == "record_bracket"
    assert mistake([]) == ("record_empty", {})
    assert mistake(["⠀⠀⠠⠉⠒⠀⠠⠁", "", *good[4:]])[0] == "record_no_header"
    fen = load_code("uk").spelling.write("FEN: nonsense")
    assert mistake(["⠀⠀⠠⠺⠓⠊⠞⠑⠒⠀⠠⠁", f"⠀⠀{fen}", "", *good[4:]]) == ("record_no_position", {"game": 1})


@pytest.mark.parametrize("name", CODES)
def test_a_record_is_not_taken_for_another_code(name):
    text = lines(games_of(SAMPLE), load_code(name))
    twins = {
        "de8": "figurine",
        "figurine": "de8",
    }  # the same German letters: what they differ in is the board's table
    for other in CODES:
        if other not in (name, twins.get(name)):
            assert mistake(text, other)[0] in ("record_wrong_code", "record_no_header", "record_illegal")


@pytest.mark.parametrize(
    ("pgn", "key", "values"),
    [
        ("", "record_empty", {}), ("nonsense\nand more\n", "no_pgn", {}), ("\x00\x01\n" * 5, "no_pgn", {}),
        ('[White "A"]\n\n1. e4 e5\n2. Ke3 1-0\n', "bad_pgn", {"game": 1, "line": 4, "move": "Ke3"}),
        (MATE + "\n" + MATE.replace("Qxf7#", "Qxf8#"), "bad_pgn", {"game": 2, "line": 11, "move": "Qxf8"}),
        ('[FEN "8/8 w"]\n\n1. e4 *\n', "from_bad_position", {"number": 1}),
        ('[Variant "Foo"]\n\n1. Cf3 *\n', "other_variant", {"game": 1, "variant": "Foo"}),
        ('[White "A"]\n[Variant "Atomic"]\n\n1. e4 *\n', "other_variant", {"game": 1, "variant": "Atomic"}),
        ("x" * (1 << 20) + "\n", "no_pgn", {"line": 1}),
    ],
)  # fmt: skip
def test_mistakes_in_pgn_name_the_game_and_the_line(pgn, key, values):
    with pytest.raises(RecordError) as caught:
        games_of(pgn)
    assert caught.value.message.key == key
    assert values.items() <= dict(caught.value.message.values).items()


def test_pgn_in_latin_1_and_with_a_mark_of_utf_8():
    (game,) = pgn_files.games(io.BytesIO('[White "José"]\n\n1. e4 *\n'.encode("latin-1")))
    assert game.headers["White"] == "José"
    (game,) = pgn_files.games(io.BytesIO('[White "José"]\n\n1. e4 {“a…” — 3 €} *\n'.encode("cp1252")))
    assert game.next().comment == "“a…” — 3 €"
    (game,) = pgn_files.games(io.BytesIO('\ufeff[White "José"]\n\n1. e4 *\n'.encode()))
    assert game.headers["White"] == "José"


def test_variations_of_any_depth():
    text = "1. e4 " + "( 1. d4 " * 3000 + ") " * 3000 + "*"
    game = games_of(text)[0]
    assert len(read_back(lines([game], load_code("uk")), load_code("uk"))) == 1


def test_an_offer_and_a_ruling_stand_in_the_record():
    setup = Setup.of(language="en", white="Anna", black="Bo")
    game = Game.new(setup)
    for san in ("e4", "e5"):
        game = game.play(next(fact for fact in game.position.legal if fact.san == san), 0)
        game = game.draw_noted("white") if san == "e4" else game.noted(Message.of("no_moves"))
    (kept,) = games_of(pgn.pgn(setup, game, "2026-11-21"))
    sentence = catalogue("en")["no_moves"]
    assert [node.comment for node in kept.mainline()] == ["(=)", sentence]
    assert "1. e4(=) e5" in pgn.text(setup, game, "2026-11-21").splitlines()
    (again,) = read_back(lines([kept], load_code("uk")), load_code("uk"))
    assert [node.comment for node in again.mainline()] == ["(=)", sentence]


def test_an_offer_at_a_move_with_a_remark_stands_at_the_move():
    setup = Setup.of(language="en", clock="5")
    game = Game.new(setup)
    game = game.noted(Message.of("no_moves")).draw_noted("white")
    game = game.play(next(fact for fact in game.position.legal if fact.san == "e4"), 0)
    game = game.noted(Message.of("no_moves"))
    (kept,) = games_of(pgn.pgn(setup, game, "2026-11-21"))
    (again,) = read_back(lines([kept], load_code("uk")), load_code("uk"))
    said = " ".join(again.next().comment.split())
    assert said == f"(=) [%clk 0:05:00] {catalogue('en')['no_moves']}"


def test_a_game_of_chess960_names_its_position():
    setup = Setup.of(variant="chess960:1")
    (kept,) = games_of(pgn.pgn(setup, Game.new(setup), "2026-11-21"))
    assert kept.headers["Variant"] == "Chess960"
    assert kept.board().chess960_pos() == 1


@settings(deadline=None, max_examples=examples(60))
@given(text=st.lists(st.text(alphabet=[chr(0x2800 + cell) for cell in range(64)], max_size=34), max_size=12))
def test_any_braille_is_read_or_refused(text):
    with contextlib.suppress(RecordError, patterns.UnreadableError):
        read_back(text, load_code("pt6"))


@settings(deadline=None, max_examples=examples(60))
@given(place=st.integers(0, 10_000), change=st.binary(min_size=1, max_size=3))
def test_a_damaged_file_gives_games_or_one_error(place, change):
    data = b"".join(brf.write(paginate(blocks(games_of(MATE), load_code("uk")), Sheet(34, 28))))
    place %= len(data)
    damaged = data[:place] + change + data[place + len(change) :]
    with contextlib.suppress(RecordError, patterns.UnreadableError):
        list(braille_record.games(paragraphs(brf.read(io.BytesIO(damaged))), load_code("uk")))
