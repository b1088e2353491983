# SPDX-License-Identifier: GPL-3.0-or-later
"""A game at a server in the real loop: two programs play each other, and everything stands in their journals."""

from dataclasses import replace

import pytest
from support.happening import played_ucis
from support.played_devices import Table

from acessivel.app.activity import TimePassed
from acessivel.app.game import GameActivity
from acessivel.app.venue import AtServer
from acessivel.devices.keyboard import CharacterTyped, TypedLine
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.records.pgn import pgn
from acessivel.rules.position import BLACK, COLOURS, WHITE, Position, other
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import JournalError
from braille.displays import AltKey, NamedKey, Pressed
from voices.hearing.utterances import Utterance
from voices.recognisers import Hypothesis

STARTED = "2026-11-22T12:00:00+00:00"


class ServerGame:
    """One game at a server: does what it is asked for, and tells both players how it stands, when they are there."""

    def __init__(self):
        self.moves, self.status, self.winner = [], "started", ""
        self.draw = self.takeback = ""
        self.asked, self.players = [], {}

    def joins(self, colour, report):
        self.players[colour] = report
        report(self.told(fresh=True))

    def told(self, *, fresh=False):
        return ev.ServerTold(
            moves=tuple(self.moves), white_ms=900_000, black_ms=900_000, status=self.status, winner=self.winner,
            draw=self.draw, takeback=self.takeback, fresh=fresh,
        )  # fmt: skip

    def ask(self, colour, asked):
        self.asked.append((colour, asked))
        refused = getattr(self, f"_{asked.request}")(colour, asked)
        if refused:
            self.players[colour](ev.ServerRefused(request=asked.request, reason=refused))
        for report in self.players.values():
            report(self.told(fresh=bool(refused)))

    @property
    def position(self):
        position = Position.start()
        for uci in self.moves:
            position = position.after(uci)
        return position

    def _move(self, colour, asked):
        position = self.position
        if self.status != "started" or position.turn != colour or asked.uci not in position.legal_ucis:
            return "Not your turn, or game already over"
        self.moves.append(asked.uci)
        self.draw = colour if asked.draw else ""
        if ending := self.position.ending(frozenset()):
            self.status, self.winner = "mate" if ending.reason == "checkmate" else "draw", colour
        return ""

    def _draw_yes(self, colour, _):
        if self.draw == other(colour):
            self.status, self.draw = "draw", ""
        else:
            self.draw = colour

    def _draw_no(self, *_):
        self.draw = ""

    def _takeback_yes(self, colour, _):
        if self.takeback == other(colour):
            self.moves = self.moves[: -1 if self.position.turn == colour else -2]
            self.takeback = ""
        else:
            self.takeback = colour

    def _takeback_no(self, *_):
        self.takeback = ""

    def _resign(self, colour, _):
        self.status, self.winner = "resign", other(colour)

    def _abort(self, *_):
        self.status = "aborted"


def agreed(colour, **setup):
    return Setup.of(
        **{
            "opponent": "online", "colour": colour, "language": "en", "convention": "letters", "white": "Ana", "black": "Bob",
            "server": "https://lichess.org/", "game_id": "abcd1234", "rated": True, "speed": "rapid", "clock": "15+10",
            "white_rating": 1500, "black_rating": 1600, **setup,
        }
    )  # fmt: skip


def begun(folder, server, colour, **setup):
    """A player's program, with its journal."""
    folder.mkdir(exist_ok=True)
    journal, setup = Journal(folder), agreed(colour, **setup)
    stored = journal.begin(setup, STARTED)
    return joining(journal, stored, server)


def joining(journal, stored, server, *, one_move=False):
    colour = stored.state.setup.colour
    venue = AtServer(lambda asked: server.ask(colour, asked), one_move=one_move)
    table = Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report, venue))
    table.journal = journal
    server.joins(colour, table.reports.put)
    table.settle()
    return table


@pytest.fixture
def server():
    return ServerGame()


@pytest.fixture
def players(tmp_path, server):
    return {colour: begun(tmp_path / colour, server, colour) for colour in COLOURS}


def types(table, *lines):
    for line in lines:
        table.happen(TypedLine(line))


def speaks(table, *utterances):
    for words in utterances:
        while table.speaks:
            table.spoken()
        heard = tuple(
            Hypothesis(words, grammar, 0.0, ear)
            for ear in ("pocketsphinx", "network")
            for grammar in ("all", "expected")
        )
        table.happen(Utterance(heard, 0.0, table.ear.turn, b"sound"))


def moves_of(table):
    return played_ucis(table.activity.state)


def shows(table, san):
    """Whether a move stands on the display."""
    cells = bytes(table.devices.panel._content.code.move(san))
    return cells in bytes(table.display.cells)


def settle(players):
    for table in players.values():
        table.settle()


def test_two_programs_play_each_other_by_voice_and_keyboard_and_keep_the_same_game(players, server):
    white, black = players[WHITE], players[BLACK]
    for own, reply in (("f3", "e five"), ("g4", "queen h four")):
        types(white, own, "yes")
        settle(players)
        speaks(black, reply, "yes")
        settle(players)
    assert server.moves == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert moves_of(white) == moves_of(black) == server.moves
    assert {table.activity.state.game.result.score for table in players.values()} == {"0-1"}
    assert any("You lost" in line for line in white.lines)
    assert any("You won" in line for line in black.lines)
    for table in players.values():
        stored = table.journal.load(table.activity.number)
        assert stored.state.game.played == table.activity.state.game.played
        record = pgn(stored.state.setup, stored.state.game, stored.started)
        for tag in (
            '[Event "Rated rapid game"]', '[Site "https://lichess.org/abcd1234"]', '[White "Ana"]', '[WhiteElo "1500"]',
            '[BlackElo "1600"]', '[Result "0-1"]', '[TimeControl "900+10"]', "2. g4",
        ):  # fmt: skip
            assert tag in record


@pytest.mark.parametrize("kept", [True, False])
def test_by_correspondence_it_ends_with_the_players_move_and_tells_only_what_was_not_kept(
    tmp_path, server, monkeypatch, kept
):
    journal, setup = Journal(tmp_path), agreed(WHITE, clock="none", days=3)
    stored = journal.begin(setup, STARTED)
    table = joining(journal, stored, server, one_move=True)
    types(table, "e4")
    assert (table.activity.over, table.activity.moved) == (False, False)
    types(table, "yes")
    table.settle()
    assert (table.activity.over, table.activity.moved) == (True, True)
    if not kept:
        monkeypatch.setattr(journal, "secure", lost)
    told = [message.key for output in table.activity.leave(0) for message in output.messages]
    assert told == ([] if kept else ["kept_not"])


def test_by_correspondence_a_game_in_which_the_opponent_is_to_move_can_be_entered(tmp_path, server):
    server.moves = ["e2e4"]
    journal, setup = Journal(tmp_path), agreed(WHITE, clock="none", days=3)
    table = joining(journal, journal.begin(setup, STARTED), server, one_move=True)
    assert moves_of(table) == ["e2e4"]
    assert (table.activity.over, table.activity.moved) == (False, False)


def lost(_):
    raise JournalError(Message.of("reason_full"))


def test_the_opponents_move_is_said_and_shown_as_an_engines_is(players):
    white, black = players[WHITE], players[BLACK]
    types(white, "e4", "yes")
    settle(players)
    assert black.voice.said[-1].strip() == "1, White: pawn e two e four."
    assert white.voice.said[-1].strip() == "Sent: pawn e two e four."
    assert shows(white, "e4")
    assert shows(black, "e4")


def test_all_that_is_asked_for_gets_there_and_comes_back(players, server):
    white, black = players[WHITE], players[BLACK]
    types(white, "e4", "yes")
    settle(players)
    types(black, "e5", "yes")
    settle(players)
    types(white, "take back", "yes")
    settle(players)
    while black.speaks:
        black.spoken()
    types(black, "yes")
    settle(players)
    assert server.moves == moves_of(white) == moves_of(black) == []
    types(white, "draw", "yes")
    settle(players)
    while black.speaks:
        black.spoken()
    types(black, "no")
    settle(players)
    assert any("refused" in line for line in white.lines)
    types(black, "abort the match", "yes")
    settle(players)
    for table in players.values():
        assert table.activity.state.game.result.reason == "aborted"
        (listed,) = table.journal.games()
        assert (listed.result, listed.reason, listed.termination) == ("*", "aborted", "abandoned")
        assert table.journal.unfinished() == ()


def test_a_prepared_move_goes_at_once_after_the_reply(players, server):
    white, black = players[WHITE], players[BLACK]
    types(white, "e4", "yes")
    settle(players)
    types(white, "Nf3", "yes")
    types(black, "e5", "yes")
    settle(players)
    assert server.moves == ["e2e4", "e7e5", "g1f3"]


def test_after_a_crash_at_any_moment_the_game_goes_on_where_the_server_has_it(tmp_path, server):
    black = begun(tmp_path / "black", server, BLACK)
    lines = [("e4", "yes"), ("Nf3", "yes"), ("Bb5", "yes")]
    white = begun(tmp_path / "white", server, WHITE)
    for (own, yes), reply in zip(lines, ("e5", "Nc6", "a6"), strict=True):
        for line in (own, yes):
            types(white, line)
            before = white.activity.state
            white.journal.close()
            journal = Journal(tmp_path / "white")
            stored = journal.load(1)
            assert stored.state.game.played == before.game.played
            assert stored.state.online.confirmed == before.online.confirmed
            white = joining(journal, stored, server)
        settle({WHITE: white, BLACK: black})
        types(black, reply, "yes")
        settle({WHITE: white, BLACK: black})
    assert server.moves == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
    assert moves_of(white) == moves_of(black) == server.moves
    assert [asked.request for _, asked in server.asked] == ["move"] * 6


def test_what_was_played_while_the_program_was_away_is_in_the_journal(tmp_path, server):
    server.moves = ["e2e4", "e7e5", "g1f3"]
    black = begun(tmp_path / "black", server, BLACK)
    assert moves_of(black) == server.moves
    (listed,) = black.journal.games()
    assert listed.plies == 3
    assert moves_of(black) == [
        move.fact.uci for move in black.journal.load(black.activity.number).state.game.played
    ]


def test_a_lost_connection_is_told_and_the_move_waits_for_it(players, server):
    white = players[WHITE]
    assert any("no connection" in line for line in white.happen(ev.DeviceNews(key=ev.SERVER_LOST)))
    types(white, "e4", "yes")
    assert server.asked == []
    white.happen(ev.DeviceNews(key=ev.SERVER_BACK))
    server.joins(WHITE, white.reports.put)
    settle(players)
    assert server.moves == ["e2e4"]


def test_a_rematch_is_for_the_lobby_to_ask_for(players, server):
    white = players[WHITE]
    server.ask(BLACK, ef.AskServer("resign"))
    settle(players)
    types(white, "rematch", "yes")
    assert white.activity.over
    assert (white.activity.next.colour, white.activity.next.online.game_id) == (BLACK, "")


class HeardTeacher:
    def __init__(self):
        self.taught = []

    def teach(self, confirmed):
        self.taught.append(confirmed)


@pytest.mark.parametrize(("confirm", "count"), [("always", 1), ("unsure", 0)])
def test_a_yes_to_a_move_that_is_sent_teaches_and_nothing_else_does(tmp_path, server, confirm, count):
    white = begun(tmp_path / "white", server, WHITE, online_confirm=confirm)
    white.devices.teacher = HeardTeacher()
    speaks(white, "e four")
    if confirm == "always":
        speaks(white, "yes")
    else:
        white.spoken()
        white.activity.state = replace(
            white.activity.state, online=replace(white.activity.state.online, goes_at=0)
        )
        white.happen(TimePassed(quiet=True))
    white.settle()
    assert server.moves == ["e2e4"]
    assert len(white.devices.teacher.taught) == count


@pytest.mark.parametrize(
    "key",
    [*(Pressed(NamedKey(key)) for key in ("left", "right", "up", "f1")), CharacterTyped()],
    ids=["left", "right", "up", "f1", "character"],
)
@pytest.mark.parametrize("repeated", [True, False], ids=["repeated", "while repeated"])
def test_any_key_keeps_back_a_sure_move(tmp_path, server, key, repeated):
    white = begun(tmp_path / "white", server, WHITE, online_confirm="unsure")
    speaks(white, "e four")
    if repeated:
        white.spoken()
        assert white.activity.state.online.goes_at is not None
    white.happen(key)
    white.spoken()
    white.activity.state = replace(white.activity.state, now_ms=white.activity.state.now_ms + 60_000)
    white.happen(TimePassed(quiet=True))
    assert server.moves == []
    types(white, "yes")
    settle({WHITE: white})
    assert server.moves == ["e2e4"]


def test_what_comes_by_itself_cuts_off_nothing_that_nobody_has_asked_for(players, server):
    white = players[WHITE]
    types(white, "e4", "yes")
    white.spoken()
    report = white.reports.put

    def said(event):
        report(event)
        white.settle()
        return white.voice.said[-1].split(". ")

    server.moves.append("e7e5")
    assert said(server.told())[0].strip() == "1, Black: pawn e seven e five"
    server.draw = BLACK
    assert [part.strip() for part in said(server.told())] == [
        "1, Black: pawn e seven e five",
        "White: do you accept the draw?",
    ]
    gone = said(ev.OpponentGone(gone=True, claim_ms=60_000))
    assert gone[0].strip() == "1, Black: pawn e seven e five"
    assert gone[-1].strip() == "White: do you accept the draw?"
    server.draw, server.status, server.winner = "", "resign", WHITE
    told = " ".join(said(server.told()))
    assert "do you accept" not in told  # it is not asked any more
    assert said(ev.RatingChanged(rating=1508, change=8))[0].strip() == "1, Black: pawn e seven e five"
    assert "The game is over: White wins" in white.voice.said[-1]
    assert white.voice.said[-1].strip().endswith("Your rating is now 1508, up 8.")


def test_chat_waits_until_nobody_speaks(tmp_path, server):
    white = begun(tmp_path / "white", server, WHITE, online_chat=True)
    white.spoken()
    turn, white.ear.hearing = white.ear.turn, True
    for line in ("Hello!", "Good luck!"):
        assert white.happen(ev.Chatted(by="Bob", text=line)) == []
    assert white.ear.turn == turn
    white.ear.hearing = False
    said = white.happen(Utterance((), 0.0, turn))
    assert said == [
        "I did not understand. Please say it again.",
        "Bob writes: Hello!",
        "Bob writes: Good luck!",
    ]
    assert [white.voice.said[-1].index(line) for line in said] == sorted(
        map(white.voice.said[-1].index, said)
    )


def test_an_answer_to_the_user_gives_way_to_the_opponents_move(players, server):
    white = players[WHITE]
    types(white, "e4", "yes")
    white.spoken()
    types(white, "position")
    server.moves.append("e7e5")
    white.reports.put(server.told())
    white.settle()
    assert white.voice.said[-1].strip() == "1, Black: pawn e seven e five."


def test_keys_give_the_commands_of_an_online_game(players, server):
    white = players[WHITE]
    white.happen(Pressed(AltKey("{")))
    assert any(line.startswith("Replies: 1, Hello!") for line in white.lines)
    types(white, "no")
    white.happen(Pressed(AltKey("\\")))
    types(white, "yes")
    settle(players)
    assert server.status == "aborted"


def test_a_clock_that_is_at_zero_here_shows_no_fallen_flag_until_the_server_says_so(players, server):
    white = players[WHITE]
    server.moves = ["e2e4", "e7e5"]
    told = replace(server.told(), white_ms=0, black_ms=60_000)
    white.happen(told)
    assert bytes((0xFF, 0xFF, 0xFF)) not in bytes(white.display.cells)
    assert white.activity.state.game.result is None
    lines = white.happen(replace(told, status="outoftime", winner=BLACK))
    assert any("the flag has fallen" in line for line in lines)


def test_what_is_not_made_sounds_like_a_refusal(players, server):
    white = players[WHITE]
    types(white, "e4", "yes")
    settle(players)
    types(white, "exd5", "yes")
    server.moves.append("e7e5")
    white.happen(server.told())
    assert "refusal" in white.sounds
    types(white, "hint")
    assert white.lines[-1] == "Online games allow no help."
