# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions about the position and the game: answers written by hand, and properties against python-chess."""

from collections import Counter

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import all_told
from support.languages import LANGUAGES
from support.positions import positions

from acessivel.game.game import Game, Setup
from acessivel.messages.rendering import Renderer
from acessivel.queries import queries
from acessivel.rules.position import Position
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from braille import liblouis, patterns
from braille.notation import load_code
from voices.meaning import (
    ABOUT_THE_BOARD,
    QUESTIONS,
    Castling,
    Command,
    CommandName,
    MovePattern,
    Piece,
    Place,
    Side,
)
from voices.understanding.meanings import read
from voices.words.lexicon import FILES, RANKS, vocabulary

# White to move: the knight on c6 is pinned, e5 is attacked once and defended twice.
SPANISH = "e4 e5 Nf3 d6 Bb5 Nc6".split()
PASSING = "e4 Nf6 e5 d5".split()
TAKEN = "e4 d5 exd5 Qxd5 Ke2 Qxa2 Rxa2 Bg4".split()
SHUFFLED = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split()

# What is asked, after which moves, and the answer: typed and read in pt, en, de, es.
GOLDEN = {
    "attackers": (
        SPANISH,
        ("quem ataca e5", "E5 é atacada por: cavalo branco em f3."),
        ("what attacks e5", "E5 is attacked by: white knight on f3."),
        ("was greift e5 an", "E5 wird angegriffen von: weißer Springer auf f3."),
        ("qué ataca e5", "E5 está atacada por: caballo blanco en f3."),
    ),
    "attackers of an empty square": (
        SPANISH,
        ("o que ataca d4", "D4 é atacada por: cavalo branco em f3. D4 é atacada por: peão preto em e5, cavalo preto em c6."),
        ("attackers of d4", "D4 is attacked by: white knight on f3. D4 is attacked by: black pawn on e5, black knight on c6."),
        ("Angreifer d4", "D4 wird angegriffen von: weißer Springer auf f3. D4 wird angegriffen von: schwarzer Bauer auf e5, schwarzer Springer auf c6."),
        ("atacantes d4", "A d4 llegan: caballo blanco en f3. A d4 llegan: peón negro en e5, caballo negro en c6."),
    ),
    "defenders": (
        SPANISH,
        ("quem defende e5", "E5 é defendida por: cavalo preto em c6, peão preto em d6."),
        ("what defends e5", "E5 is defended by: black knight on c6, black pawn on d6."),
        ("wer deckt e5", "E5 wird gedeckt von: schwarzer Springer auf c6, schwarzer Bauer auf d6."),
        ("qué defiende e5", "E5 está defendida por: caballo negro en c6, peón negro en d6."),
    ),
    "pinned": (
        SPANISH,
        ("peças cravadas", "Cavalo preto em c6, peça cravada por bispo branco em b5."),
        ("what is pinned", "Black knight on c6, pinned by white bishop on b5."),
        ("was ist gefesselt", "Schwarzer Springer auf c6, gefesselt durch: weißer Läufer auf b5."),
        ("piezas clavadas", "Caballo negro en c6: pieza clavada por alfil blanco en b5."),
    ),
    "pinned none": (
        [],
        ("o que está cravado", "Nenhuma peça está cravada."),
        ("pinned pieces", "No piece is pinned."),
        ("gefesselte Figuren", "Keine Figur ist gefesselt."),
        ("qué está clavado", "Ninguna pieza está clavada."),
    ),
    "movers": (
        SPANISH,
        ("quem pode ir para d4", "As Brancas podem ir a d4: cavalo f3 d4, peão d2 d4."),
        ("what can move to d4", "White can move to d4: knight f3 d4, pawn d2 d4."),
        ("wer kann nach d4 ziehen", "Weiß kann nach d4 ziehen: Springer f3 d4, Bauer d2 d4."),
        ("qué puede ir a d4", "Las Blancas pueden ir a d4: caballo f3 d4, peón d2 d4."),
    ),
    "movers none": (
        SPANISH,
        ("o que pode ir h8", "As Brancas não podem ir a h8."),
        ("what can go to h8", "White cannot move to h8."),
        ("was kann nach h8", "Weiß kann nicht nach h8 ziehen."),
        ("quién puede ir h8", "Las Blancas no pueden ir a h8."),
    ),
    "pawns on a file": (
        SPANISH,
        ("peões na coluna e", "Peões em e: e4 Brancas, e5 Pretas."),
        ("pawns on file e", "Pawns on e: e4 White, e5 Black."),
        ("Bauern auf Linie e", "Bauern auf e: e4 Weiß, e5 Schwarz."),
        ("peones en columna e", "Peones en e: e4 Blancas, e5 Negras."),
    ),
    "no pawn on a file": (
        TAKEN,
        ("peões coluna d", "Peões em d: d2 Brancas."),
        ("pawns file d", "Pawns on d: d2 White."),
        ("Bauern Linie d", "Bauern auf d: d2 Weiß."),
        ("peones columna d", "Peones en d: d2 Blancas."),
    ),
    "opening": (
        "",
        ("que abertura", "Não conheço o nome desta abertura."),
        ("which opening", "I know no name of this opening."),
        ("welche Eröffnung", "Für diese Eröffnung kenne ich keinen Namen."),
        ("qué apertura", "No conozco el nombre de esta apertura."),
    ),
    "checks": (
        SPANISH,
        ("xeques possíveis", "Xeques possíveis, 1: bispo b5 toma c6 xeque."),
        ("possible checks", "Possible checks, 1: bishop b5 takes c6 check."),
        ("mögliche Schachgebote", "Mögliche Schachgebote, 1: Läufer b5 schlägt c6 Schach."),
        ("jaques posibles", "Jaques posibles, 1: alfil b5 toma c6 jaque."),
    ),
    "captures": (
        SPANISH,
        ("capturas possíveis", "Capturas possíveis, 2: bispo b5 toma c6, cavalo f3 toma e5."),
        ("possible captures", "Possible captures, 2: bishop b5 takes c6, knight f3 takes e5."),
        ("mögliche Schlagzüge", "Mögliche Schlagzüge, 2: Läufer b5 schlägt c6, Springer f3 schlägt e5."),
        ("capturas posibles", "Capturas posibles, 2: alfil b5 toma c6, caballo f3 toma e5."),
    ),
    "last moves": (
        SPANISH,
        ("últimos 2 lances", "2. cavalo g1 f3, peão d7 d6; 3. bispo f1 b5 xeque, cavalo b8 c6."),
        ("last two moves", "2. knight g1 f3, pawn d7 d6; 3. bishop f1 b5 check, knight b8 c6."),
        ("letzte zwei Züge", "2. Springer g1 f3, Bauer d7 d6; 3. Läufer f1 b5 Schach, Springer b8 c6."),
        ("últimas dos jugadas", "2. caballo g1 f3, peón d7 d6; 3. alfil f1 b5 jaque, caballo b8 c6."),
    ),
    "move at": (
        SPANISH,
        ("lance 2", "2, Brancas: cavalo g1 f3. 2, Pretas: peão d7 d6."),
        ("move number two", "2, White: knight g1 f3. 2, Black: pawn d7 d6."),
        ("Zug Nummer 2", "2, Weiß: Springer g1 f3. 2, Schwarz: Bauer d7 d6."),
        ("jugada dos", "2, Blancas: caballo g1 f3. 2, Negras: peón d7 d6."),
    ),
    "move that there is not": (
        SPANISH,
        ("lance vinte e três", "Não existe o lance 23: diga um número de 1 a 3."),
        ("move twenty-three", "There is no move 23: say a number from 1 to 3."),
        ("Zug dreiundzwanzig", "Einen Zug 23 gibt es nicht: Sagen Sie eine Nummer von 1 bis 3."),
        ("jugada número veintitrés", "No hay jugada 23: diga un número del 1 al 3."),
    ),
    "captured": (
        TAKEN,
        ("peças capturadas", "As Brancas capturaram: 1 dama, 1 peão. As Pretas capturaram: 2 peões."),
        ("captured pieces", "White has captured: 1 queen, 1 pawn. Black has captured: 2 pawns."),
        ("geschlagene Figuren", "Weiß hat geschlagen: 1 Dame, 1 Bauer. Schwarz hat geschlagen: 2 Bauern."),
        ("piezas capturadas", "Las Blancas han capturado: 1 dama, 1 peón. Las Negras han capturado: 2 peones."),
    ),
    "captured nothing": (
        SPANISH,
        ("peças tomadas", "As Brancas não capturaram nada. As Pretas não capturaram nada."),
        ("what was captured", "White has captured nothing. Black has captured nothing."),
        ("was ist geschlagen", "Weiß hat nichts geschlagen. Schwarz hat nichts geschlagen."),
        ("piezas tomadas", "Las Blancas no han capturado nada. Las Negras no han capturado nada."),
    ),
    "rights": (
        PASSING,
        ("direitos de roque", "As Brancas ainda têm direito de roque: roque pequeno, roque grande. As Pretas ainda têm direito de roque: roque pequeno, roque grande. En passant possível: peão e5 toma d6 en passant."),
        ("castling rights", "White keeps the right to castle: castle short, castle long. Black keeps the right to castle: castle short, castle long. En passant is possible: pawn e5 takes d6 en passant."),
        ("Rochaderechte", "Weiß hat noch das Recht zur Rochade: kurze Rochade, lange Rochade. Schwarz hat noch das Recht zur Rochade: kurze Rochade, lange Rochade. En passant ist möglich: Bauer e5 schlägt d6 en passant."),
        ("derechos de enroque", "Las Blancas conservan el derecho de enroque: enroque corto, enroque largo. Las Negras conservan el derecho de enroque: enroque corto, enroque largo. Se puede capturar al paso: peón e5 toma d6 al paso."),
    ),
    "rights lost": (
        TAKEN,
        ("direito de roque", "As Brancas não têm mais direito de roque. As Pretas ainda têm direito de roque: roque pequeno, roque grande. Não há en passant possível."),
        ("right to castle", "White has no right to castle left. Black keeps the right to castle: castle short, castle long. En passant is not possible."),
        ("Recht zur Rochade", "Weiß hat kein Recht zur Rochade mehr. Schwarz hat noch das Recht zur Rochade: kurze Rochade, lange Rochade. En passant ist nicht möglich."),
        ("derecho de enroque", "Las Blancas ya no tienen derecho de enroque. Las Negras conservan el derecho de enroque: enroque corto, enroque largo. No se puede capturar al paso."),
    ),
    "repetitions": (
        SHUFFLED,
        ("quantas repetições", "Esta posição já apareceu 3 vezes, contando esta."),
        ("how many repetitions", "This position has appeared 3 times, including now."),
        ("wie oft stand das", "Diese Stellung kam 3 Mal vor, dieses Mal mitgezählt."),
        ("cuántas veces", "Esta posición ha aparecido 3 veces, contando esta."),
    ),
    "no repetition": (
        SPANISH,
        ("quantas vezes", "Esta posição aparece pela primeira vez."),
        ("repetitions", "This is the first time that this position has appeared."),
        ("wie oft stand die Stellung", "Diese Stellung kommt zum ersten Mal vor."),
        ("cuántas repeticiones", "Esta posición aparece por primera vez."),
    ),
    "quiet moves": (
        [*SPANISH, "O-O"],
        ("lances sem captura", "Lances sem captura nem lance de peão: Brancas 2, Pretas 1."),
        ("quiet moves", "Moves without a capture or a pawn move: White 2, Black 1."),
        ("Züge ohne Schlagen", "Züge ohne Schlagen und ohne Bauernzug: Weiß 2, Schwarz 1."),
        ("jugadas sin captura", "Jugadas sin captura ni movimiento de peón: Blancas 2, Negras 1."),
    ),
    "turn": (
        SPANISH,
        ("quem joga", "Jogam as Brancas, lance 4."),
        ("whose turn", "White to move, move 4."),
        ("wer ist am Zug", "Weiß ist am Zug, Zug 4."),
        ("quién juega", "Juegan las Blancas, jugada 4."),
    ),
    "square": (
        SPANISH,
        ("casa b5", "B5: bispo, Brancas."),
        ("what is b5", "B5: bishop, White."),
        ("Feld b5", "B5: Läufer, Weiß."),
        ("casilla b5", "B5: alfil, Blancas."),
    ),
    "pieces": (
        SPANISH,
        ("onde estão os bispos", "Brancas: bispos c1, b5. Pretas: bispos c8, f8."),
        ("where are the bishops", "White: bishops c1, b5. Black: bishops c8, f8."),
        ("wo stehen die Läufer", "Weiß: Läufer c1, b5. Schwarz: Läufer c8, f8."),
        ("dónde están los alfiles", "Blancas: alfiles c1, b5. Negras: alfiles c8, f8."),
    ),
    "last move": (
        SPANISH,
        ("último lance", "3, Pretas: cavalo b8 c6."),
        ("last move", "3, Black: knight b8 c6."),
        ("letzter Zug", "3, Schwarz: Springer b8 c6."),
        ("última jugada", "3, Negras: caballo b8 c6."),
    ),
    "rank": (
        SPANISH,
        ("fileira 5", "Fileira 5: bispo branco em b5, peão preto em e5."),
        ("rank 5", "Rank 5: white bishop on b5, black pawn on e5."),
        ("Reihe 5", "Reihe 5: weißer Läufer auf b5, schwarzer Bauer auf e5."),
        ("fila 5", "Fila 5: alfil blanco en b5, peón negro en e5."),
    ),
    "file": (
        SPANISH,
        ("coluna b", "Coluna b: cavalo branco em b1, peão branco em b2, bispo branco em b5, peão preto em b7."),
        ("file b", "File b: white knight on b1, white pawn on b2, white bishop on b5, black pawn on b7."),
        ("Linie b", "Linie b: weißer Springer auf b1, weißer Bauer auf b2, weißer Läufer auf b5, schwarzer Bauer auf b7."),
        ("columna b", "Columna b: caballo blanco en b1, peón blanco en b2, alfil blanco en b5, peón negro en b7."),
    ),
    "legal": (
        SPANISH,
        ("lances d2", "Lances legais, 2: peão d2 d3, peão d2 d4."),
        ("moves d2", "Legal moves, 2: pawn d2 d3, pawn d2 d4."),
        ("Züge d2", "Mögliche Züge, 2: Bauer d2 d3, Bauer d2 d4."),
        ("jugadas d2", "Jugadas legales, 2: peón d2 d3, peón d2 d4."),
    ),
    "moves": (
        PASSING,
        ("lista de lances", "1. peão e2 e4, cavalo g8 f6; 2. peão e4 e5, peão d7 d5."),
        ("move list", "1. pawn e2 e4, knight g8 f6; 2. pawn e4 e5, pawn d7 d5."),
        ("Zugliste", "1. Bauer e2 e4, Springer g8 f6; 2. Bauer e4 e5, Bauer d7 d5."),
        ("lista de jugadas", "1. peón e2 e4, caballo g8 f6; 2. peón e4 e5, peón d7 d5."),
    ),
    "material": (
        TAKEN,
        ("material", "Brancas: 1 dama, 2 torres, 2 bispos, 2 cavalos, 6 peões; pontos: 37. Pretas: 2 torres, 2 bispos, 2 cavalos, 7 peões; pontos: 29. As Brancas têm 8 a mais."),
        ("material", "White: 1 queen, 2 rooks, 2 bishops, 2 knights, 6 pawns; points: 37. Black: 2 rooks, 2 bishops, 2 knights, 7 pawns; points: 29. White is ahead by 8."),
        ("Material", "Weiß: 1 Dame, 2 Türme, 2 Läufer, 2 Springer, 6 Bauern; Punkte: 37. Schwarz: 2 Türme, 2 Läufer, 2 Springer, 7 Bauern; Punkte: 29. Weiß führt, Punkte: 8."),
        ("material", "Blancas: 1 dama, 2 torres, 2 alfiles, 2 caballos, 6 peones; puntos: 37. Negras: 2 torres, 2 alfiles, 2 caballos, 7 peones; puntos: 29. Ventaja de las Blancas: 8."),
    ),
    "clock": (
        SPANISH,
        ("relógio", "Brancas: 5 minutos no relógio. Pretas: 5 minutos no relógio."),
        ("clock", "White has 5 minutes left. Black has 5 minutes left."),
        ("Uhr", "Weiß hat noch 5 Minuten. Schwarz hat noch 5 Minuten."),
        ("reloj", "Blancas: 5 minutos en el reloj. Negras: 5 minutos en el reloj."),
    ),
    "position": (
        [],
        ("posição", "Brancas: rei e3, dama d3. Pretas: rei e6. Jogam as Brancas, lance 1."),
        ("position", "White: king e3, queen d3. Black: king e6. White to move, move 1."),
        ("Stellung", "Weiß: König e3, Dame d3. Schwarz: König e6. Weiß ist am Zug, Zug 1."),
        ("posición", "Blancas: rey e3, dama d3. Negras: rey e6. Juegan las Blancas, jugada 1."),
    ),
}  # fmt: skip
# What is agreed beforehand, where that matters.
SETUPS = {"clock": {"clock": "5"}, "position": {"fen": "8/8/4k3/8/8/3QK3/8/8 w - - 0 1"}}
CASES = [(name, language) for name in GOLDEN for language in LANGUAGES]


def played(sans, **setup):
    state = State.new(Setup.of(convention="letters", practice=True, **setup))
    for san in sans:
        fact = next(f for f in state.game.position.legal if f.san.rstrip("+#") == san)
        state, _ = step(state, ev.Heard(words=(fact.uci,)))
        state, _ = step(state, ev.Heard(words=("ja",)))
    assert len(state.game.played) == len(sans)
    return state


def told(effects):
    return tuple(all_told(effects))


def asked(state, text):
    """The whole answer to what is typed, also where it comes in portions."""
    state, effects = step(state, ev.Heard(words=(text,)))
    *answer, last = told(effects)
    while last.key == "more_follows":
        state, effects = step(state, ev.Ordered(command=CommandName.MORE))
        *rest, last = told(effects)
        answer += rest
    return (*answer, last)


@pytest.mark.parametrize(("name", "language"), CASES)
def test_answers_written_by_hand(name, language):
    moves, *answers = GOLDEN[name]
    question, answer = answers[LANGUAGES.index(language)]
    renderer = Renderer(language, "letters")
    messages = asked(played(moves, language=language, **SETUPS.get(name, {})), question)
    assert " ".join(map(renderer.text, messages)) == answer


@pytest.mark.parametrize(("name", "language"), CASES)
def test_the_voice_the_screen_and_the_fingers_are_told_the_same(name, language):
    """What is shown, what is spoken and what is in the cells are read back as the same words, squares, moves."""
    moves, *answers = GOLDEN[name]
    state = played(moves, language=language, **SETUPS.get(name, {}))
    code, renderer = load_code(f"{language}8"), Renderer(language, "letters")
    before = [game.position for game in _games(state.game)]
    for message in asked(state, answers[LANGUAGES.index(language)][0]):
        for part in renderer.parts(message):
            cells = code.move(part.brief) if part.notation else code.text(part.brief)
            if part.notation:
                san = code.tokens.read(patterns.pattern(cells)).rstrip("+#")
                (shown,), (heard,) = (_moves(text, language) for text in (part.shown, part.spoken))
                assert shown == heard
                if isinstance(shown, Castling):
                    assert san == {Side.SHORT: "O-O", Side.LONG: "O-O-O"}[shown.side]
                else:
                    assert san in {f.san.rstrip("+#") for p in before for f in p.matching(shown)}
            else:
                assert liblouis.text(cells, code.table) == part.shown
                counted = COUNTED.get((language, part.shown), ())
                assert part.spoken in (part.shown, _spelt(part.shown, language), *counted)
        assert "".join(span.text for span in renderer.spans((message,))).strip()


# A voice is given the word that agrees with what is counted.
COUNTED = {
    ("pt", "1"): ("um", "uma"),
    ("pt", "2"): ("dois", "duas"),
    ("de", "1"): ("ein", "eine"),
    ("es", "1"): ("un", "una"),
}


def _games(game):
    """The game after each of its moves, the last first."""
    return [game.back_to(plies, 0) for plies in range(len(game.played), -1, -1)]


def _moves(text, language):
    return {
        r.meaning
        for r in read(text, language, "letters")
        if r.likely and isinstance(r.meaning, MovePattern | Castling)
    }


def _spelt(place, language):
    """The name of a square, a file or a rank as it is spoken."""
    words = vocabulary(language)
    return " ".join(
        words.say("rank" if sign.isdigit() else "file", sign) for sign in place if sign in FILES + RANKS
    )


def test_every_question_has_an_answer_written_by_hand():
    asked_for = {
        reading.meaning.name
        for _, *answers in GOLDEN.values()
        for language, (question, _) in zip(LANGUAGES, answers, strict=True)
        for reading in read(question, language, "letters")[:1]
    }
    answered = {
        name
        for name in CommandName
        if queries.answer(Command(name, Piece.KING, Place("e", "4")), game_at(Position.start()), 0)
    }
    assert asked_for == answered


def game_at(position):
    return Game(position, position)


def squares(messages):
    values = [value for message in messages for _, value in message.values]
    pieces = [piece for value in values if isinstance(value, tuple) for piece in value]
    return sorted(str(dict(piece.values)["square"]) for piece in pieces)


def names(found):
    return sorted(map(chess.square_name, found))


SQUARES = st.sampled_from(chess.SQUARES)


@settings(deadline=None)
@given(positions(), SQUARES)
def test_what_attacks_and_what_defends(position, square):
    board, place = chess.Board(position.fen), Place(*chess.square_name(square))
    stands = board.piece_at(square)
    attackers, defenders = (
        queries.answer(Command(name, place=place), game_at(position), 0)
        for name in (CommandName.ATTACKERS, CommandName.DEFENDERS)
    )
    if stands:
        assert squares(attackers) == names(board.attackers(not stands.color, square))
        assert squares(defenders) == names(board.attackers(stands.color, square))
    else:
        both = board.attackers(True, square) | board.attackers(False, square)
        assert squares(attackers) == squares(defenders) == names(both)


@settings(deadline=None)
@given(positions())
def test_a_pinned_piece_is_one_whose_leaving_lets_a_line_piece_attack_its_king(position):
    board = chess.Board(position.fen)
    expected = []
    for square, piece in board.piece_map().items():
        if piece.piece_type == chess.KING:
            continue
        king, without = board.king(piece.color), board.copy()
        without.remove_piece_at(square)
        newly = without.attackers(not piece.color, king) - board.attackers(not piece.color, king)
        expected += [(chess.square_name(square), chess.square_name(by)) for by in newly]
    answer = queries.answer(Command(CommandName.PINNED), game_at(position), 0)
    found = [
        tuple(str(dict(dict(message.values)[name][0].values)["square"]) for name in ("stands", "by"))
        for message in answer
        if message.key == "pinned"
    ]
    assert sorted(found) == sorted(expected)


@settings(deadline=None)
@given(positions(), SQUARES)
def test_what_can_move_to_a_square_stands_there_afterwards(position, square):
    board = chess.Board(position.fen)
    expected = set()
    for move in board.legal_moves:
        board.push(move)
        arrived = board.color_at(square) is (not board.turn)
        board.pop()
        if arrived and board.color_at(square) is not board.turn:
            expected.add(move.uci()[:4])
    place = Place(*chess.square_name(square))
    (message,) = queries.answer(Command(CommandName.MOVERS, place=place), game_at(position), 0)
    assert [fact.squares for fact in facts(message)] == list(dict.fromkeys(f.squares for f in facts(message)))
    assert {fact.squares for fact in facts(message)} == expected


def facts(message):
    return dict(message.values).get("moves", ())


@settings(deadline=None)
@given(positions())
def test_the_checks_and_captures_that_are_possible(position):
    board, game = chess.Board(position.fen), game_at(position)
    (checks,) = queries.answer(Command(CommandName.CHECKS), game, 0)
    (captures,) = queries.answer(Command(CommandName.CAPTURES), game, 0)
    assert {f.uci for f in facts(checks)} == {m.uci() for m in board.legal_moves if board.gives_check(m)}
    assert {f.uci for f in facts(captures)} == {m.uci() for m in board.legal_moves if board.is_capture(m)}
    for message in (checks, captures):
        assert dict(message.values).get("count", 0) == len(facts(message))


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), max_size=60))
def test_how_often_the_position_stood_and_how_many_quiet_moves(choices):
    """Both sides move few pieces to and fro, so that positions come again."""
    position = Position.start("r3k2r/8/8/8/8/7p/P7/R3K2R w KQkq - 0 1")
    board, seen, quiet = chess.Board(position.fen), Counter(), []
    seen[board._transposition_key()] += 1
    for choice in choices:
        moves = sorted(board.legal_moves, key=lambda m: (m.from_square in (chess.E1, chess.E8), m.uci()))[:4]
        move = moves[choice % len(moves)]
        zeroes = board.is_capture(move) or board.piece_type_at(move.from_square) == chess.PAWN
        quiet = [] if zeroes else [*quiet, board.turn]
        board.push(move)
        seen[board._transposition_key()] += 1
        position = position.after(move.uci())
        if not position.legal:
            return
    game = game_at(position)
    (stood,) = queries.answer(Command(CommandName.REPETITIONS), game, 0)
    assert dict(stood.values).get("count", 1) == seen[board._transposition_key()]
    (made,) = queries.answer(Command(CommandName.QUIET_MOVES), game, 0)
    assert dict(made.values) == {"white": quiet.count(True), "black": quiet.count(False)}


@settings(deadline=None)
@given(positions())
def test_the_rights_are_those_of_the_fen(position):
    board = chess.Board(position.fen)
    white, black, passing = queries.answer(Command(CommandName.RIGHTS), game_at(position), 0)
    for message, colour in ((white, chess.WHITE), (black, chess.BLACK)):
        sides = [move.side for move in dict(message.values).get("moves", ())]
        kept = [board.has_kingside_castling_rights(colour), board.has_queenside_castling_rights(colour)]
        assert sides == [side for side, has in zip(("short", "long"), kept, strict=True) if has]
    assert (passing.key == "passing") == board.has_legal_en_passant()


@settings(deadline=None, max_examples=examples(50))
@given(st.lists(st.integers(0, 10_000), max_size=80))
def test_what_was_captured_is_what_is_missing_on_the_board(choices):
    game = Game.new(Setup())
    for choice in choices:
        if game.result:
            break
        game = game.play(game.position.legal[choice % len(game.position.legal)], 0)
    answer = queries.answer(Command(CommandName.CAPTURED), game, 0)
    for message, taker, victim in zip(answer, ("white", "black"), ("black", "white"), strict=True):
        values = dict(message.values)
        assert values["colour"] == taker
        missing = sum(
            len(game.start.where(victim, piece)) - len(game.position.where(victim, piece)) for piece in Piece
        )
        assert sum(dict(each.values)["count"] for each in values.get("pieces", ())) == missing


@pytest.mark.parametrize("name", sorted(queries.BOARD_ADVICE))
def test_what_helps_to_find_a_move_is_answered_in_practice_only(name):
    for practice in (False, True):
        state = State.new(Setup(practice=practice))
        messages = told(step(state, ev.Ordered(command=name))[1])
        assert [m.key for m in messages] == [f"{name}_none" if practice else "practice_only"]


def test_the_moves_that_are_made_are_no_secret_and_what_is_on_the_board_is():
    public = {
        CommandName.TURN, CommandName.CLOCK, CommandName.LAST_MOVE, CommandName.MOVES, CommandName.LAST_MOVES,
        CommandName.MOVE_AT, CommandName.OPENING,
    }  # fmt: skip
    questions = {
        name
        for name in CommandName
        if queries.answer(Command(name, Piece.KING, Place("e", "4")), game_at(Position.start()), 0)
    }
    assert questions - ABOUT_THE_BOARD == public
    assert questions >= ABOUT_THE_BOARD


def test_a_replay_answers_every_question_but_for_a_move_by_its_number_which_is_a_step_there():
    manners = {CommandName.REPEAT, CommandName.HELP, CommandName.STOP, CommandName.MORE}
    assert queries._QUERIES.keys() - {CommandName.MOVE_AT} == QUESTIONS - manners
