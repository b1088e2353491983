# SPDX-License-Identifier: GPL-3.0-or-later
"""A round of a tournament in a hall: seats, results into the file, live PGN, and a broadcast."""

import io
import itertools
import queue
from dataclasses import replace

import chess.pgn
import pytest
from support.broadcasts import FakeBroadcast
from support.trf import player

from acessivel.errors import UserError
from acessivel.hall.board import Hall, HallRecord
from acessivel.hall.broadcast import Broadcast
from acessivel.hall.desk import DeskNews
from acessivel.hall.entries import GameEnded, GameOpened, MoveMade
from acessivel.hall.live_pgn import answered, etag, illegal_tables, live_pgn, would_lose, write
from acessivel.hall.round_clerk import RoundClerk
from acessivel.hall.round_games import RoundGames, item, item_among
from acessivel.hall.round_keeper import RoundKeeper
from acessivel.hall.tournament_round import next_pairings, seats, with_games
from acessivel.messages.rendering import Renderer
from acessivel.online.client import Delays
from acessivel.storage import tournament_file
from acessivel.tournaments import trf
from acessivel.tournaments.rounds import boards, signs
from acessivel.tournaments.trf_edit import with_results, with_round

ORDER = ("buchholz",)
NAMES = ("Alves, Ana", "Brito, Bruno", "Costa, Carla", "Dias, David")
FILE = "\n".join((
    "012 Torneio da Casa", "022 Lisboa", f"132 {'':87}26/11/07", "142 3",
    *(player(at, name, [], "0.0") for at, name in enumerate(NAMES, 1)), "",
))  # fmt: skip
EVENT = with_round(trf.read(FILE), 1, [(1, 3), (4, 2)], None, ORDER)
SECOND = 1000


def game(table, *sans, white=None, black=None, score=None, reason="resigned", irregular=0, begins=0):
    """The records of a game of one move a second; the last `irregular` moves are not legal."""
    board = boards(EVENT, 1)[table - 1]
    opened = GameOpened(
        white or EVENT.players[board.white].name,
        black or EVENT.players[board.black].name,
        "90+30",
        "fide-2023",
        "pt",
    )
    entries = [opened]
    position = chess.Board()
    for ply, san in enumerate(sans, 1):
        legal = ply <= len(sans) - irregular
        uci = position.push_san(san).uci() if legal else "a1a1"
        colour = "white" if ply % 2 else "black"
        entries.append(MoveMade(ply, colour, uci, san, 5_400_000 - ply * 1500, not legal))
    if score:
        entries.append(GameEnded(score, reason))
    return [
        HallRecord(table, f"g{table}", at, begins + at * SECOND, entry) for at, entry in enumerate(entries)
    ]


def hall(*games):
    return Hall().with_records(itertools.chain(*games))


def read_all(text):
    file = io.StringIO(text)
    return list(iter(lambda: chess.pgn.read_game(file), None))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Round 1, table 1: Alves, Ana plays with White against Costa, Carla."),
        ("pt", "Rodada 1, mesa 1: Alves, Ana joga com as Brancas contra Costa, Carla."),
        ("de", "Runde 1, Tisch 1: Alves, Ana spielt mit Weiß gegen Costa, Carla."),
        ("es", "Ronda 1, mesa 1: Alves, Ana juega con las Blancas contra Costa, Carla."),
    ],
)
def test_each_table_is_told_who_plays_there(language, said):
    found = seats(EVENT, 1)
    assert [(each.white, each.black) for each in found.values()] == [
        (NAMES[0], NAMES[2]),
        (NAMES[3], NAMES[1]),
    ]
    assert Renderer(language).text(found[1].message) == said


def test_each_table_is_told_what_its_players_have_next():
    event = with_results(EVENT, 1, {board: signs("1-0") for board in boards(EVENT, 1)}, ORDER)
    event = with_round(event, 2, [(4, 1)], 2, ORDER)
    found = {table: Renderer("en").text(message) for table, message in next_pairings(event, 1).items()}
    assert found[1] == (
        "Round 2, table 1: Alves, Ana plays with Black against Dias, David, number 4. "
        "Round 2: Costa, Carla has no opponent."
    )


def test_where_all_rounds_are_paired_before_the_next_of_a_round_is_not_that_round():
    event = with_round(EVENT, 2, [(4, 1), (2, 3)], None, ORDER)
    found = {table: Renderer("en").text(message) for table, message in next_pairings(event, 1).items()}
    assert found[1] == (
        "Round 2, table 1: Alves, Ana plays with Black against Dias, David, number 4. "
        "Round 2, table 2: Costa, Carla plays with Black against Brito, Bruno, number 2."
    )


@pytest.mark.parametrize(
    ("sans", "score", "reason", "expected"),
    [
        (("e4", "e5", "Nf3"), "1-0", "resigned", ("1", "0")),
        (("e4", "e5"), "1/2-1/2", "agreed", ("=", "=")),
        (("e4", "e5"), "0-0", "arbiter", ("0", "0")),
        (("e4",), "0-1", "left", ("-", "+")),
        ((), "1-0", "late", ("+", "-")),
        ((), "0-0", "late", ("-", "-")),
        ((), "1/2-1/2", "agreed", ("D", "D")),
    ],
)
def test_a_finished_game_goes_into_the_file(sans, score, reason, expected):
    event, odd = with_games(EVENT, 1, hall(game(1, *sans, score=score, reason=reason)), ORDER)
    assert odd == ()
    assert tuple(event.players[number].paired(1).sign for number in (1, 3)) == expected
    assert event.players[2].paired(1).kind == "paired"


def test_a_game_that_is_not_over_leaves_the_file_as_it_is():
    assert with_games(EVENT, 1, hall(game(1, "e4")), ORDER) == (EVENT, ())


@pytest.mark.parametrize("name", ["?", "", "ana alves", "Alves,Ana", "ALVES Ana"])
def test_a_name_may_be_unknown_at_the_table_or_written_otherwise(name):
    event, odd = with_games(EVENT, 1, hall(game(1, "e4", "e5", white=name or "?", score="1-0")), ORDER)
    assert (odd, event.players[1].points) == ((), 1.0)


def test_others_at_a_table_and_a_result_that_an_arbiter_has_written_stay_untouched():
    ours = with_results(EVENT, 1, {boards(EVENT, 1)[0]: signs("0-1")}, ORDER)
    played = hall(game(1, "e4", "e5", score="1-0"), game(2, "d4", "d5", white="Zé", score="1-0"))
    event, odd = with_games(ours, 1, played, ORDER)
    assert event == ours
    assert [Renderer("en").text(message) for message in odd] == [
        "The result of table 1 is another one in the tournament's file, which stays.",
        "At table 2 Zé and Brito, Bruno have played, whom the tournament does not expect there. The result is not written.",
    ]


@pytest.mark.parametrize(
    ("sans", "score", "reason", "won", "written"),
    [
        (("d4", "d5"), "1-0", "resigned", "White wins", "0-1"),
        (("d4", "d5"), "1/2-1/2", "agreed", "draw", "1/2-1/2"),
        ((), "0-1", "late", "Black wins by forfeit", "+-"),
    ],
)
@pytest.mark.parametrize("named", ["David Dias", "?"])
def test_of_reversed_colours_it_is_told_what_to_write(sans, score, reason, won, written, named):
    white, black = NAMES[1], NAMES[3]
    played = hall(game(2, *sans, white=white, black=named, score=score, reason=reason))
    event, odd = with_games(EVENT, 1, played, ORDER)
    assert event == EVENT
    assert " ".join(Renderer("en").text(message) for message in odd) == (
        f"At table 2 the colours were reversed: {white} had White against {black}, {won}. The result is not written. "
        f"In the tournament's file {black} has White: if the result counts, write it with event as --results 2={written}."
    )
    theirs = with_results(EVENT, 1, {boards(EVENT, 1)[1]: signs(written)}, ORDER)
    assert with_games(theirs, 1, played, ORDER) == (theirs, ())


def test_the_live_games_of_all_tables_with_their_clocks():
    text = live_pgn(EVENT, 1, hall(game(1, "e4", "e5", score="1-0"), game(2, "d4")))
    one, two = read_all(text)
    assert dict(one.headers) == {
        "Event": "Torneio da Casa", "Site": "Lisboa", "Date": "2026.11.07", "Round": "1.1", "White": "Alves, Ana",
        "Black": "Costa, Carla", "Result": "1-0", "Board": "1", "TimeControl": "5400+30", "Termination": "normal",
    }  # fmt: skip
    assert [node.clock() for node in one.mainline()] == [5398, 5397]
    assert (two.headers["Result"], two.headers["Termination"]) == ("*", "unterminated")
    assert "[%clk 1:29:58]" in text


@pytest.mark.parametrize(
    ("sans", "result", "shown", "why", "comment"),
    [
        (("e4", "e5"), "1/2-1/2", "1/2-1/2", "adjudication", "1-0 at the board"),
        ((), "-+", "0-1", "rules infraction", ""),
        ((), "--", "*", "rules infraction", "--"),
        (("e4", "e5"), "1/2-0", "*", "adjudication", "1/2-0 1-0 at the board"),
    ],
)
def test_a_result_that_counts_instead_of_what_was_played_is_in_the_live_games(
    sans, result, shown, why, comment
):
    known, played = {}, hall(game(1, *sans, score="1-0")) if sans else Hall()
    live_pgn(EVENT, 1, played, known)
    one, _ = read_all(live_pgn(EVENT, 1, played, known, {1: result}))
    assert (one.headers["Result"], one.headers["Termination"]) == (shown, why)
    assert (one.end().ply(), one.end().comment.rpartition("] ")[2]) == (len(sans), comment)


def test_what_an_arbiter_has_written_is_live_no_sooner_than_the_end_of_its_game(tmp_path):
    path = tmp_path / "t.trf"
    tables = boards(EVENT, 1)
    theirs = with_results(EVENT, 1, {tables[0]: signs("0-1"), tables[1]: signs("+-")}, ORDER)
    path.write_text(theirs.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER, delay_ms=10 * SECOND)

    def live(records, now_ms):
        keeper.follow(records, now_ms)
        return [one.headers["Result"] for one in read_all(keeper.live_text)]

    assert live(game(1, "e4", "e5", score="1-0"), 3 * SECOND) == ["*", "1-0"]
    assert live((), 20 * SECOND) == ["0-1", "1-0"]
    path.write_text(with_results(theirs, 1, {tables[0]: signs("1-0"), tables[1]: signs("*")}, ORDER).text)
    assert live((), 21 * SECOND) == ["1-0", "*"]
    assert "at the board" not in keeper.live_text


def test_no_name_ends_its_tag():
    event = trf.read(FILE.replace("Alves, Ana ", 'Alves "A\\" '))
    event = with_round(event, 1, [(1, 3), (4, 2)], None, ORDER)
    assert "[White \"Alves 'A/'\"]" in live_pgn(event, 1, Hall())


def test_a_table_that_has_not_begun_and_one_with_others_have_no_moves():
    one, two = read_all(live_pgn(EVENT, 1, hall(game(2, "d4", white="Zé"))))
    assert (one.headers["White"], two.headers["White"]) == ("Alves, Ana", "Dias, David")
    assert [len(list(each.mainline())) for each in (one, two)] == [0, 0]


def test_after_an_illegal_move_that_stood_the_rest_is_a_comment():
    played = hall(game(1, "e4", "e5", "Ke3", "d5", irregular=2, score="0-0"))
    (one, _) = read_all(live_pgn(EVENT, 1, played))
    assert not one.errors
    assert one.end().ply() == 2
    assert "Ke3 d5 0-0" in one.end().comment
    # PGN has no result for a game that both have lost.
    assert one.headers["Result"] == "*"
    assert illegal_tables(EVENT, 1, played) == (1,)


@pytest.mark.parametrize("uci", ["a1a1", "e2e5", "x", "e7e8q"])
def test_what_no_position_allows_harms_no_other_table(uci):
    wrong = HallRecord(1, "g1", 1, 1, MoveMade(1, "white", uci, "?"))
    one, two = read_all(live_pgn(EVENT, 1, hall(game(1)[:1], [wrong], game(2, "d4"))))
    assert (one.end().ply(), one.comment, two.end().ply()) == (0, "?", 1)


def test_a_game_from_another_position_and_without_a_clock():
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    opened = GameOpened(NAMES[0], NAMES[2], "none", "fide-2023", "pt", fen=fen)
    records = [
        HallRecord(1, "g1", 0, 0, opened),
        HallRecord(1, "g1", 1, 1, MoveMade(1, "white", "e2e4", "e4")),
    ]
    one = read_all(live_pgn(EVENT, 1, hall(records)))[0]
    assert (one.headers["FEN"], one.headers["TimeControl"], one.end().ply()) == (fen, "-", 1)


def test_a_game_of_chess960_begins_from_its_own_position():
    opened = GameOpened(NAMES[0], NAMES[2], "none", "fide-2023", "pt", variant="chess960:5")
    moves = [MoveMade(1, "white", "g2g3", "g3"), MoveMade(2, "black", "g7g6", "g6")]
    records = [HallRecord(1, "g1", at, at, entry) for at, entry in enumerate([opened, *moves])]
    one = read_all(live_pgn(EVENT, 1, hall(records)))[0]
    assert one.headers["FEN"] == chess.Board.from_chess960_pos(5).fen()
    assert one.end().ply() == 2


@pytest.mark.parametrize(
    ("date", "told"),
    [
        ("26/11/07", "2026.11.07"),
        ("2026/11/07", "2026.11.07"),
        ("07.11.26", "2026.09.21"),
        ("", "2026.09.21"),
    ],
)
def test_the_date_is_that_of_the_round_or_of_the_game(date, told):
    event = replace(EVENT, dates=(date,))
    one = read_all(live_pgn(event, 1, hall(game(1, "e4", begins=1_790_000_000_000))))[0]
    assert one.headers["Date"] == told


def test_who_has_the_file_already_gets_it_only_once():
    status, headers, body = answered("1. e4 *", "")
    assert (status, headers["ETag"], body) == (200, etag("1. e4 *"), b"1. e4 *")
    assert answered("1. e4 *", f'"x", W/{headers["ETag"]}')[0] == 304
    assert answered("1. e4 e5 *", headers["ETag"])[0] == 200


def test_the_file_is_written_only_if_it_says_anything_new(tmp_path):
    path = tmp_path / "live.pgn"
    assert write(path, "a") is True
    assert write(path, "a") is False
    assert write(path, "b") is True
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        (live_pgn(EVENT, 1, Hall()), False),
        ('\ufeff\n[Event "Torneio"]\n', False),
        ("", False),
        (FILE, True),
        ("[1, 2]", True),
        ("a letter", True),
    ],
)
def test_only_a_file_of_games_is_written_anew(tmp_path, text, lost):
    path = tmp_path / "live.pgn"
    assert not would_lose(path)
    path.write_text(text, "utf-8")
    assert would_lose(path) is lost
    assert not would_lose(tmp_path)


QUICK = Delays(pauses=(0,), too_many=0.01)


@pytest.fixture
def lichess():
    with FakeBroadcast() as fake:
        yield fake


@pytest.fixture
def push(lichess):
    broadcast = Broadcast(lichess.round_id, "t", lichess.url, QUICK)
    yield broadcast.push
    broadcast.close()


def texts(messages):
    return [Renderer("en").text(message) for message in messages]


def test_games_are_pushed_once_and_again_if_there_is_news(lichess, push):
    first = live_pgn(EVENT, 1, hall(game(1, "e4")))
    assert push(first) == push(first) == ()
    assert lichess.pushes == 1
    assert push(live_pgn(EVENT, 1, hall(game(1, "e4", "e5", score="1-0")))) == ()
    assert lichess.games["1.1"].end().ply() == 2
    assert set(lichess.games) == {"1.1", "1.2"}


def test_a_game_with_an_illegal_move_is_pushed_up_to_it(lichess, push):
    assert push(live_pgn(EVENT, 1, hall(game(1, "e4", "e5", "Ke3", irregular=1)))) == ()
    assert lichess.games["1.1"].end().ply() == 2


def test_a_game_that_the_server_does_not_take_is_told_with_its_table(lichess, push):
    wrong = live_pgn(EVENT, 1, hall(game(1, "e4"))).replace("e4", "e5")
    (told,) = texts(push(wrong))
    assert told.startswith("The broadcast has not taken the game at table 1:")
    assert "1.2" in lichess.games


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((401, "No such token"), "The broadcast's token is not allowed to push: No such token. It needs the right study:write."),
        ((404, "Not found"), "The broadcast has no round abcdEFGH."),
        ((400, "The round has an upstream source"), "The broadcast refuses the games: The round has an upstream source."),
        ((503, "down"), "The broadcast cannot be reached now. The games follow when it is back."),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_told_and_the_games_follow_later(lichess, push, answer, said):
    lichess.answers.append(answer)
    text = live_pgn(EVENT, 1, hall(game(1, "e4")))
    assert texts(push(text)) == [said]
    lichess.answers.append(answer)
    assert push(text) == ()  # it is told once
    assert texts(push(text)) == ["The broadcast is reached again, and has all games."]
    assert lichess.games["1.1"].end().ply() == 1
    assert push(text) == ()


def test_after_each_push_in_vain_the_next_waits_longer(lichess):
    broadcast = Broadcast(lichess.round_id, "t", lichess.url, Delays(pauses=(0, 3, 6)))
    pauses = [broadcast.pause_s]
    lichess.answers += [(503, "down")] * 3
    for _ in range(4):
        broadcast.push(live_pgn(EVENT, 1, hall(game(1, "e4"))))
        pauses.append(broadcast.pause_s)
    assert pauses == [0, 3, 6, 6, 0]
    broadcast.close()


def test_asked_too_often_it_waits_and_pushes_again(lichess, push):
    lichess.answers.append((429, "too many"))
    assert push(live_pgn(EVENT, 1, hall(game(1, "e4")))) == ()
    assert lichess.pushes == 2


def test_only_as_many_games_as_the_server_takes_are_pushed(lichess, push):
    event = trf.read("\n".join(player(number, f"P{number}", [], "0.0") for number in range(1, 207)))
    event = with_round(event, 1, [(at, at + 103) for at in range(1, 104)], None, ORDER)
    assert texts(push(live_pgn(event, 1, Hall()))) == [
        "The broadcast takes 100 games; the other tables are left out."
    ]
    assert len(lichess.games) == 100


def test_a_token_travels_encrypted_or_not_at_all():
    with pytest.raises(UserError):
        Broadcast("abcdEFGH", "t", "http://lichess.example")
    with pytest.raises(ValueError, match="push"):
        Broadcast("../push", "t")


def test_a_round_is_kept(tmp_path):
    """Results into the file at once, live games after the delay, and what is odd told once."""
    path, live = tmp_path / "t.trf", tmp_path / "live.pgn"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(
        tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER, live, delay_ms=10 * SECOND
    )
    one, two = game(1, "e4", "e5", score="1-0"), game(2, "d4", "d5", "Kd3", irregular=1)
    assert keeper.follow([*two, *one], 3 * SECOND) == ()
    assert trf.read(path.read_text()).players[1].points == 1.0
    assert "e4" not in live.read_text()
    assert keeper.follow((), 11 * SECOND) == ()
    assert "1. e4" in live.read_text()
    assert texts(keeper.follow((), 13 * SECOND)) == [
        "Table 2: an illegal move has stood. The live games and the broadcast end there at that table."
    ]
    games = io.StringIO(live.read_text())
    first, second = chess.pgn.read_game(games), chess.pgn.read_game(games)
    assert first.headers["Result"] == "1-0"
    assert second.end().ply() == 2
    # An arbiter corrects the other table's result by hand: what the game says later does not overwrite it.
    event = trf.read(path.read_text())
    path.write_text(with_results(event, 1, {boards(event, 1)[1]: signs("1-0")}, ORDER).text)
    ended = HallRecord(2, "g2", 4, 14 * SECOND, GameEnded("0-1", "illegal"))
    assert texts(keeper.follow([ended], 15 * SECOND)) == [
        "The result of table 2 is another one in the tournament's file, which stays."
    ]
    assert keeper.follow((), 30 * SECOND) == ()
    assert trf.read(path.read_text()).players[4].points == 1.0


@pytest.mark.parametrize(("planned", "last", "coming"), [(1, True, 0), (3, False, 2)])
def test_a_round_that_is_over_is_the_last_one_or_another_is_to_be_paired(tmp_path, planned, last, coming):
    path, reports = tmp_path / "t.trf", queue.SimpleQueue()
    path.write_text(EVENT.text.replace("142 3", f"142 {planned}"))
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)
    clerk = RoundClerk(keeper, 1, reports.put)
    clerk.informed(DeskNews(9 * SECOND, (*game(1, "e4", score="1-0"), *game(2, "d4", score="0-1"))))
    while not (news := reports.get(timeout=20)).over:
        pass
    assert (news.last, news.coming) == (last, coming)
    clerk.close()


def test_a_name_that_is_corrected_in_the_file_is_the_one_in_the_live_games(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)
    keeper.follow(game(1, "e4", white="?"), 3 * SECOND)
    assert "Alves, Ana" in keeper.live_text
    path.write_text(path.read_text().replace("Alves, Ana", "Alvez, Ana"))
    keeper.follow((), 4 * SECOND)
    assert "Alvez, Ana" in keeper.live_text


def test_a_file_that_cannot_be_read_is_told_once_and_its_results_follow(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)
    path.unlink()
    assert (
        keeper.follow(game(1, "e4", "e5", score="1-0"), 0) == ()
    )  # another program may be writing it just now
    assert [message.key for message in keeper.follow((), 0)] == ["cannot_read"]
    assert keeper.follow((), 1) == ()
    path.write_text(EVENT.text)
    assert keeper.follow((), 2) == ()
    assert trf.read(path.read_text()).rounds == 0
    assert trf.read(path.read_text()).players[1].points == 1.0


def test_a_result_is_taken_back_if_its_game_goes_on_and_the_next_one_is_written(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)

    def then(at, *entries):
        records = [HallRecord(1, "g1", at + n, (at + n) * SECOND, entry) for n, entry in enumerate(entries)]
        return texts(keeper.follow(records, 99 * SECOND))

    keeper.follow(game(2, "d4", "d5", score="1/2-1/2"), 0)
    before = path.read_bytes()
    keeper.follow(game(1, "e4", "e5", score="1-0"), 0)
    assert trf.read(path.read_text()).players[1].points == 1.0
    assert then(4, GameEnded("*")) == []
    assert path.read_bytes() == before
    assert then(5, GameEnded("0-1", "resigned")) == []
    assert trf.read(path.read_text()).players[3].points == 1.0
    # The arbiter corrects it in his own program: from then on it is his, whatever the game says.
    theirs = with_results(trf.read(path.read_text()), 1, {boards(EVENT, 1)[0]: signs("1/2-1/2")}, ORDER).text
    path.write_text(theirs)
    keeper.follow((), 99 * SECOND)
    then(6, GameEnded("*"), GameEnded("1-0", "resigned"))
    assert path.read_text() == theirs


def test_a_result_stays_if_another_game_is_begun_at_its_table(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)
    keeper.follow(game(1, "e4", "e5", score="1-0"), 0)
    keeper.follow([replace(one, game="g9") for one in game(1, "d4", begins=60 * SECOND)], 99 * SECOND)
    assert trf.read(path.read_text()).players[1].points == 1.0


def test_what_others_write_into_the_file_is_taken_up(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)
    keeper.follow([*game(1, "e4", "e5", score="1-0"), *game(2, "d4", "d5", score="1-0")], 0)
    assert keeper.stored.event.rounds == 1
    event = with_round(trf.read(path.read_text()), 2, [(4, 1), (2, 3)], None, ORDER)
    path.write_text(event.text)
    assert keeper.follow((), 1) == ()
    assert keeper.stored.event == event


def test_what_another_program_writes_in_the_same_moment_is_not_overwritten(tmp_path, monkeypatch):
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)
    theirs = with_results(EVENT, 1, {boards(EVENT, 1)[1]: signs("0-1")}, ORDER).text

    def meanwhile(*values):
        path.write_text(theirs)
        return with_games(*values)

    with monkeypatch.context() as patch:
        patch.setattr("acessivel.hall.round_keeper.with_games", meanwhile)
        assert keeper.follow(game(1, "e4", "e5", score="1-0"), 0) == ()
    assert path.read_text() == theirs
    assert keeper.follow((), 1) == ()
    found = trf.read(path.read_text())
    assert [found.players[number].paired(1).sign for number in (1, 2)] == ["1", "1"]


FIRST_OVER = with_results(EVENT, 1, {board: signs("1-0") for board in boards(EVENT, 1)}, ORDER)
SECOND_ROUND = with_round(FIRST_OVER, 2, [(4, 1), (2, 3)], None, ORDER)


def named_as(records, table, name, white, black, begins):
    """The records of a game as those of another one: at a table, under a name, with players."""
    return [
        replace(
            one,
            table=table,
            game=name,
            at_ms=begins + one.at_ms,
            entry=replace(one.entry, white=white, black=black)
            if isinstance(one.entry, GameOpened)
            else one.entry,
        )
        for one in records
    ]


def kept_in_round_two(tmp_path, *games, event=SECOND_ROUND, paired_ms=100 * SECOND):
    """What a keeper of round 2 makes of some games: the results of both tables, the live games, what is told."""
    path = tmp_path / "t.trf"
    path.write_text(event.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(2, lambda *_: paired_ms), ORDER)
    told = keeper.follow(list(itertools.chain(*games)), 500 * SECOND)
    found = trf.read(path.read_text())
    signs_of = [found.players[board.white].paired(2).sign.strip() for board in boards(found, 2)]
    return signs_of, [one.end().ply() for one in read_all(keeper.live_text)], texts(told)


OLD = game(1, "e4", "e5", score="1-0")
NEW_GAME = game(1, "d4", "d5", "c4", score="0-1")


def test_the_games_of_the_round_before_are_not_those_of_this_one(tmp_path):
    before = [named_as(OLD, table, f"a{table}", "", "", 0) for table in (1, 2)]
    now = named_as(NEW_GAME, 2, "b2", "", "", 200 * SECOND)
    assert kept_in_round_two(tmp_path, *before, now) == (["", "0"], [0, 3], [])


@pytest.mark.parametrize(
    ("names", "result", "told"),
    [
        ((NAMES[3], NAMES[0]), "0", []),
        (("", ""), "", ["At table 1 a game is over that was already being played when round 2 was paired. Its result is not written. If it counts, write it with event."]),
    ],
)  # fmt: skip
def test_a_game_that_was_played_when_the_round_was_paired_counts_if_its_players_are_named(
    tmp_path, names, result, told
):
    found = kept_in_round_two(tmp_path, named_as(NEW_GAME, 1, "b1", *names, 97 * SECOND))
    assert (found[0], found[2]) == ([result, ""], told)


@pytest.mark.parametrize(
    ("names", "ended", "result", "told"),
    [
        (("", ""), 97, "", ["At table 1 a game was already over when a desk first led round 1. Its result is not written. If it counts, write it with event."]),
        (("", ""), 97 - 13 * 3600, "", []),
        (("Zé", ""), 97, "", []),
        ((NAMES[0], NAMES[2]), 97, "1", []),
    ],
)  # fmt: skip
def test_a_game_that_was_over_when_the_first_round_was_led_is_told_if_it_may_count(
    tmp_path, names, ended, result, told
):
    """After a desk that led another round by a slip."""
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    slip = RoundKeeper(tournament_file.load(path), RoundGames(2, lambda *_: 0), ORDER)
    records = named_as(OLD, 1, "a1", *names, (14 * 3600 + ended) * SECOND)
    now_ms = (14 * 3600 + 100) * SECOND
    assert texts(slip.follow(records, now_ms)) == ["Round 2 is not paired yet."]
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: now_ms), ORDER)
    assert texts(keeper.follow(records, now_ms)) == told
    assert trf.read(path.read_text()).players[1].paired(1).sign.strip() == result


@pytest.mark.parametrize(
    ("paired", "noted", "tables"),
    [
        (500, 0, [2]),  # by a desk that comes late
        (400, 0, []),  # while a desk was there
        (500, None, [1, 2]),  # in a hall that knows nothing of the round before
        (500, 350, []),  # round 1 was paired after all these games
    ],
)
def test_a_game_that_was_over_when_a_later_round_was_led_is_told_if_the_round_before_is_not_its_own(
    tmp_path, paired, noted, tables
):
    path = tmp_path / "t.trf"
    path.write_text(SECOND_ROUND.text)
    noted_ms = None if noted is None else noted * SECOND
    games = RoundGames(2, lambda *_: paired * SECOND, lambda *_: noted_ms)
    keeper = RoundKeeper(tournament_file.load(path), games, ORDER)
    records = [
        *named_as(OLD, 1, "a1", "", "", 10 * SECOND),
        *named_as(OLD, 2, "a2", "", "", 10 * SECOND),
        *named_as(NEW_GAME, 2, "b2", "", "", 300 * SECOND),
        *named_as(NEW_GAME, 1, "b1", "Zé", "", 300 * SECOND),
    ]
    wanted = [
        f"At table {table} a game was already over when a desk first led round 2. Its result is not written. "
        "If it counts, write it with event."
        for table in tables
    ]
    assert texts(keeper.follow(records, 500 * SECOND)) == wanted
    assert keeper.follow(records, 501 * SECOND) == ()


def test_a_game_of_the_break_is_not_told_where_the_desk_itself_has_the_round_paired(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(FIRST_OVER.text)
    games = RoundGames(2, lambda *_: 500 * SECOND, lambda *_: 0)
    keeper = RoundKeeper(tournament_file.load(path), games, ORDER)
    keeper.follow(
        [*named_as(OLD, 1, "a1", "", "", 10 * SECOND), *named_as(NEW_GAME, 1, "b1", "", "", 300 * SECOND)], 0
    )
    keeper.pair(lambda event: (with_round(event, 2, [(4, 1), (2, 3)], None, ORDER), ()))
    assert keeper.follow((), 500 * SECOND) == ()


def test_that_a_round_is_not_paired_is_told_once_and_its_games_count_once_it_is(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(FIRST_OVER.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(2, lambda *_: 10 * SECOND), ORDER)
    assert texts(keeper.follow((), 1 * SECOND)) == ["Round 2 is not paired yet."]
    keeper.pair(lambda event: (with_round(event, 2, [(4, 1), (2, 3)], None, ORDER), ()))
    assert keeper.follow(named_as(NEW_GAME, 1, "b1", "", "", 30 * SECOND), 99 * SECOND) == ()
    assert trf.read(path.read_text()).players[4].paired(2).sign == "0"


def test_what_is_begun_between_the_pairing_and_the_desk_of_the_new_round_is_of_that_round(tmp_path):
    since = {}

    def paired_ms(now_ms):
        return lambda _, number: since.setdefault(number, now_ms)

    path = tmp_path / "t.trf"
    path.write_text(FIRST_OVER.text)
    before = RoundKeeper(tournament_file.load(path), RoundGames(1, paired_ms(10 * SECOND)), ORDER)
    before.pair(lambda event: (with_round(event, 2, [(4, 1), (2, 3)], None, ORDER), ()))
    before.follow((), 20 * SECOND)
    after = RoundKeeper(tournament_file.load(path), RoundGames(2, paired_ms(90 * SECOND)), ORDER)
    assert after.follow(named_as(NEW_GAME, 1, "b1", "", "", 30 * SECOND), 99 * SECOND) == ()
    assert trf.read(path.read_text()).players[4].paired(2).sign == "0"


def test_a_game_of_named_players_counts_also_if_it_was_over_before_the_desk_was_there(tmp_path):
    one, _ = boards(SECOND_ROUND, 2)
    names = [SECOND_ROUND.players[number].name for number in (one.white, one.black)]
    assert kept_in_round_two(tmp_path, named_as(NEW_GAME, 1, "b1", *names, 0))[0] == ["0", ""]


def test_a_table_of_the_round_is_known_to_have_begun_none_of_its_games(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(SECOND_ROUND.text)
    since = []
    games = RoundGames(2, lambda *_: since[0] if since else None)
    keeper = RoundKeeper(tournament_file.load(path), games, ORDER)
    keeper.follow([one for table in (1, 2) for one in named_as(OLD, table, f"a{table}", "", "", 0)], 0)
    assert keeper.unbegun == frozenset()
    since.append(100 * SECOND)
    keeper.follow(named_as(NEW_GAME, 2, "b2", "", "", 200 * SECOND), 500 * SECOND)
    assert keeper.unbegun == {1}


def test_players_who_meet_again_have_not_ended_their_second_game_with_their_first(tmp_path):
    again = with_round(FIRST_OVER, 2, [(board.white, board.black) for board in boards(EVENT, 1)], None, ORDER)
    names = [again.players[number].name for number in (boards(again, 2)[0].white, boards(again, 2)[0].black)]
    found = kept_in_round_two(tmp_path, named_as(OLD, 1, "a1", *names, 0), event=again)
    assert found == (["", ""], [0, 0], [])


def test_as_long_as_nobody_knows_since_when_the_round_is_paired_no_game_counts(tmp_path):
    found = kept_in_round_two(tmp_path, named_as(NEW_GAME, 1, "b1", "", "", 200 * SECOND), paired_ms=None)
    assert found == (["", ""], [], [])


def test_the_games_of_the_next_round_are_not_those_of_this_one(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)
    keeper.follow([*game(1, "e4", "e5", score="1-0"), *game(2, "d4", "d5", score="1-0")], 10 * SECOND)
    path.write_text(with_round(trf.read(path.read_text()), 2, [(4, 1), (2, 3)], None, ORDER).text)
    keeper.follow((), 20 * SECOND)
    keeper.follow((), 21 * SECOND)
    new = named_as(NEW_GAME, 1, "b1", "", "", 30 * SECOND)
    assert keeper.follow(new, 50 * SECOND) == ()
    assert [one.end().ply() for one in read_all(keeper.live_text)] == [2, 2]


def test_the_tables_in_play_keep_their_numbers_when_another_program_corrects_the_round_before(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(SECOND_ROUND.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(2, lambda *_: 0), ORDER)
    other = with_results(EVENT, 1, {board: signs("0-1") for board in boards(EVENT, 1)}, ORDER)
    path.write_text(with_round(other, 2, [(4, 1), (2, 3)], None, ORDER).text)
    keeper.follow(named_as(NEW_GAME, 1, "b1", "", "", 10 * SECOND), 20 * SECOND)
    found = trf.read(path.read_text())
    assert boards(found, 2) == boards(SECOND_ROUND, 2)
    assert [found.players[number].paired(2).sign for number in (4, 1, 2, 3)] == ["0", "1", " ", " "]


def test_a_round_of_another_tournament_with_the_same_names_has_a_time_of_its_own():
    name, undated = item("t.trf", EVENT, 1), EVENT.text.replace("26/11/07", "")
    assert name == item("t.trf", FIRST_OVER, 1) == item("t.trf", SECOND_ROUND, 1)
    others = (
        with_round(trf.read(FILE), 1, [(1, 3), (2, 4)], None, ORDER),
        trf.read(EVENT.text.replace("26/11/07", "26/11/14")),
        trf.read(undated),
        trf.read(undated.replace("Dias, David", "Dinis, Dora")),
    )
    assert len({name, item("t.trf", SECOND_ROUND, 2), *(item("t.trf", other, 1) for other in others)}) == 6


def test_a_round_keeps_its_time_if_a_name_is_corrected():
    corrected = trf.read(SECOND_ROUND.text.replace("Dias, David", "Diaz, David"))
    assert item("t.trf", corrected, 2) == item("t.trf", SECOND_ROUND, 2)


def test_a_round_of_others_with_the_same_pairs_and_date_has_a_time_of_its_own():
    def renamed(**names):
        text = EVENT.text
        for name in NAMES:
            new = names.get(name.partition(",")[0], name)
            text = text.replace(f"{name:<16}", f"{new:<16}")
        return trf.read(text)

    others = renamed(Alves="Eanes, Eva", Brito="Faria, Hugo", Costa="Gil, Gabriela")
    corrected = renamed(Dias="Diaz, David", Brito="Bruno Brito")
    first = item_among([], "t.trf", EVENT, 1)
    second = item_among([first], "t.trf", others, 1)
    assert second != first
    both = [item_among([], "t.trf", SECOND_ROUND, 2), second, first]
    assert item_among(both, "t.trf", EVENT, 1) == item_among(both, "t.trf", corrected, 1) == first
    assert item_among(both, "t.trf", others, 1) == second
    # An older version has noted it without the names.
    older = item("t.trf", EVENT, 1)
    assert item_among([older], "t.trf", corrected, 1) == older


def test_the_first_game_that_two_end_at_their_table_counts_and_another_one_is_told(tmp_path):
    """Also where the desk hears of both at once."""
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)
    first = game(1, "e4", "e5", score="1-0", begins=1)
    again = [replace(one, game="again") for one in game(1, "d4", "d5", "c4", score="0-1", begins=60 * SECOND)]
    assert keeper.follow([*again[:-1], *first], 99 * SECOND) == ()
    found = trf.read(path.read_text())
    assert (found.players[1].points, found.players[3].points, keeper.games) == (1.0, 0.0, {1: "g1"})
    assert texts(keeper.follow(again[-1:], 99 * SECOND)) == [
        "At table 1 the players have ended another game. The result of their first one counts."
    ]
    assert path.read_text() == found.text
    assert read_all(keeper.live_text)[0].end().ply() == 2


def test_a_game_of_others_before_does_not_count_for_those_whom_the_round_expects():
    others = game(1, "e4", "e5", white="Ze", score="1-0")
    real = [replace(one, game="g2") for one in game(1, "d4", "d5", score="0-1", begins=60 * SECOND)]
    event, odd = with_games(EVENT, 1, hall(others, real), ORDER)
    assert event.players[3].points == 1.0
    assert [message.key for message in odd] == ["round_other_players"]


def test_a_result_that_somebody_takes_back_stays_away_until_its_game_goes_on(tmp_path):
    path = tmp_path / "t.trf"
    path.write_text(EVENT.text)
    keeper = RoundKeeper(tournament_file.load(path), RoundGames(1, lambda *_: 0), ORDER)

    def then(at, *entries):
        records = [HallRecord(1, "g1", at + n, (at + n) * SECOND, entry) for n, entry in enumerate(entries)]
        return texts(keeper.follow(records, 99 * SECOND)), trf.read(path.read_text()).players[1].paired(
            1
        ).sign

    keeper.follow(game(1, "e4", "e5", score="1-0"), 0)
    path.write_text(EVENT.text)
    told = ["The result of table 1 is another one in the tournament's file, which stays."]
    assert then(4) == (told, " ")
    keeper.follow(game(2, "d4", "d5", score="1/2-1/2"), 0)
    assert then(4) == ([], " ")
    assert then(4, GameEnded("*")) == ([], " ")
    assert then(5, GameEnded("1-0", "resigned")) == ([], "1")
