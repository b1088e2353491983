# SPDX-License-Identifier: GPL-3.0-or-later
"""The arbiters' desk as a program: a whole round by the Braille display alone; its keys; its pages."""

import argparse
import re
import shlex
import socket
import subprocess
import sys
import urllib.request

import psycopg
import pytest
from support import postgres
from support.brltty import VirtualBrltty, free_port, needs_brltty
from support.broadcasts import FakeBroadcast
from support.desks import DisplayReader, FarRoom
from support.pairing_engines import engine
from support.program import QUIET, Running, environment, run
from support.trf import player

from acessivel.commands import hall
from acessivel.hall import key_file
from acessivel.hall.sqlite import SqliteHall
from acessivel.message import Message
from acessivel.messages import shell
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.settings.settings import Settings
from acessivel.tournaments import trf
from acessivel.tournaments.regulation import regulation
from acessivel.tournaments.trf_edit import with_round

MINUTE = 60_000
ENGLISH = ("--language", "en", "--speak", "off")


@pytest.fixture
def keys(tmp_path, save):
    """The folder with the keys of three tables."""
    told, _ = run(tmp_path, "hall", "key", "1-3", "--save", save, "--language", "en", *QUIET[2:])
    assert [line.partition(":")[0] for line in told[:3]] == ["Table 1", "Table 2", "Table 3"]
    return save / "hall"


def desk(tmp_path, save, *options, port, **more):
    hall = ("hall", "--save", save, "--arbiter", "Eva", "--hall-port", port, "--hear", "keyboard")
    return Running(tmp_path, *hall, *ENGLISH, *options, **more)


def told_at(game):
    return [message.key for message in game.state.told.last]


@needs_brltty
def test_a_whole_round_is_led_by_the_display_alone(tmp_path, save, keys):  # a round is long
    port = free_port()
    with (
        VirtualBrltty(40) as display,
        desk(tmp_path, save, "--braille", "brlapi", port=port, **display.env),
    ):
        reader = DisplayReader(display)
        reader.wait_for("0 tables")
        room = FarRoom(f"https://127.0.0.1:{port}", keys)
        first = room.table(1, laws="fide-2009").say("e4", "yes")
        second, third = room.table(2), room.table(3, white="Ana", black="Rui")
        room.push()
        # The round is announced at all tables.
        reader.choose("announce")
        reader.route("the round begins now")
        reader.find("announce this at 3 tables")
        reader.enter()
        room.until(lambda: all("hall_says_begin" in told_at(game) for game in room.tables.values()))
        # A call, which is taken on.
        second.say("arbiter", "no")
        room.push()
        reader.route("table 2 calls")
        reader.choose("i take it")
        room.until(lambda: not second.state.hall.called)
        # A claim, which is decided.
        first.happen(ev.Tick(at=89 * MINUTE)).say("claim draw", "yes")
        room.push()
        reader.route("1 decision")
        reader.choose("decide")
        reader.route("1 2 3")
        reader.find("reject the claim?")
        reader.enter()
        room.until(lambda: not first.state.arbiter.pending)
        assert first.state.game.result is None
        # A flag, and a result that the arbiter declares.
        third.happen(ev.Tick(at=91 * MINUTE))
        room.push()
        reader.route("3 over")
        reader.choose("settled")
        reader.choose("all tables")
        reader.find("2 still playing")
        reader.choose("who has not finished")
        reader.find("2 tables still play")
        reader.choose("what waits")
        second.say("arbiter", "no")
        room.push()
        reader.route("2 call")
        reader.choose("decide")
        reader.route("4 5 6")
        reader.find("the result: 1, white")
        reader.route("1 2 3")
        reader.find("is this the result")
        reader.enter()
        room.until(lambda: second.state.game.result)
        assert Message.of("declared", result=Message.of("result_black")) in [
            note.message for note in second.state.game.notes
        ]
        # All is over: the results.
        reader.choose("results")
        reader.find("table 3: ana against rui")
        room.close()


@needs_brltty
def test_the_desk_is_left_by_the_display(tmp_path, save):
    with (
        VirtualBrltty(40) as display,
        desk(tmp_path, save, "--braille", "brlapi", port=free_port(), **display.env) as program,
    ):
        reader = DisplayReader(display)
        reader.wait_for("0 tables")
        reader.type("stop")
        reader.find("do you want to stop?")
        reader.enter()
        reader.wait_for("goodbye")
        program.close(status=0)


def test_the_keys_of_tables_are_made_listed_and_revoked(tmp_path, save, keys):
    def hall(*arguments, status=0):
        return run(
            tmp_path, "hall", *arguments, "--save", save, "--language", "en", *QUIET[2:], status=status
        )

    assert hall("keys")[0] == ["Tables with a key: 1, 2, 3."]
    assert hall("revoke", "2")[0] == ["The key of table 2 is no longer good."]
    assert hall("keys")[0] == ["Tables with a key: 1, 3."]
    assert (keys / "table-1.key").stat().st_mode & 0o077 == 0
    before = (keys / "table-1.key").read_text()
    hall("key", "1", "12", "-o", tmp_path / "own")
    assert (tmp_path / "own/table-1.key").read_text() != before
    assert hall("keys")[0] == ["Tables with a key: 1, 3, 12."]


def test_no_key_that_counts_is_ended_by_a_range_and_what_is_ended_is_told(tmp_path, save, keys):
    def hall(*arguments):
        return run(tmp_path, "hall", *arguments, "--save", save, "--language", "en", *QUIET[2:])[0]

    def files():
        return {path.name: path.read_bytes() for path in keys.glob("table-*.key")}

    before = files()
    (kept,) = hall("key", "2-3")
    assert kept.startswith(
        "These tables have a key already, and keep it: 2, 3. For a new one, name a table alone: "
    )
    assert kept.endswith(f"acessivel hall key 2 --save {save}")
    assert files() == before
    assert [line.partition(".")[0].partition(":")[0] for line in hall("key", "1-4")[:2]] == [
        "Table 4", "These tables have a key already, and keep it",
    ]  # fmt: skip
    told = hall("key", "2-4", "2")
    assert told[0] == f"Table 2: {keys / 'table-2.key'}. Its old key no longer counts."
    assert {name for name, text in files().items() if before.get(name) != text} == {
        "table-2.key",
        "table-4.key",
    }
    assert hall("revoke", "4", "98-99") == [
        "The key of table 4 is no longer good.",
        "Tables without a key: 98, 99.",
    ]


def test_a_key_stays_good_as_long_as_a_new_one_cannot_be_written(tmp_path, save, keys):
    (tmp_path / "own/table-2.key").mkdir(parents=True)
    told, errors = run(
        tmp_path, "hall", "key", "1", "2", "3", "-o", tmp_path / "own", "--save", save, "--language", "en", *QUIET[2:],
        status=2,
    )  # fmt: skip
    assert [line.partition(":")[0] for line in told] == ["Table 1"]
    assert "table-2.key" in errors[-1]
    hall = SqliteHall(save / "hall")
    for number, path in ((1, tmp_path / "own/table-1.key"), (2, keys / "table-2.key")):
        hall.check(number, key_file.read(path).key)
    hall.close()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("key",), "Which tables? For example: acessivel hall key 1-20"),
        (("key", "1-"), "1- names no tables: type 12, or 1-20."),
        (("key", "20-1"), "20-1 names no tables: type 12, or 1-20."),
        (("key", "1-99999"), "1-99999 names no tables: type 12, or 1-20."),
        (
            ("keys", "--hall", "https://127.0.0.1:1"),
            "A desk reaches its hall at an address like postgresql://...",
        ),
        (
            ("keys", "--hall", "postgresql://eva:secret@127.0.0.1:1/hall"),
            "The hall at postgresql://127.0.0.1:1/hall",
        ),
        (("--tournament", "none.trf"), "none.trf"),
        (
            ("make",),
            "On which server? For example: acessivel hall make --hall postgresql://postgres@server/hall",
        ),
        (("make", "--hall", "https://eva:secret@127.0.0.1/hall"), "https://127.0.0.1/hall is none."),
        (("arbiter", "eva", "--hall", "postgresql://x:secret@127.0.0.1:1/hall"), "cannot be reached"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(tmp_path, save, arguments, told):
    _, errors = run(tmp_path, "hall", *arguments, "--save", save, "--language", "en", *QUIET[2:], status=2)
    assert told in errors[-1]
    assert "secret" not in " ".join(errors)


@pytest.mark.parametrize("arguments", [(), ("keys",), ("key", "1")])
def test_an_address_for_tables_in_the_settings_is_told_with_what_takes_it_away(tmp_path, save, arguments):
    settings = ("--language", "en", *QUIET[2:])
    run(tmp_path, "config", "set", "hall", "https://192.168.1.5:8710")
    _, errors = run(tmp_path, "hall", *arguments, "--save", save, *settings, status=2)
    assert errors[-1] == (
        "In your settings hall is https://192.168.1.5:8710, the address for a table. Without it, the desk has its hall "
        "on this computer: acessivel config reset hall"
    )
    run(tmp_path, "config", "reset", "hall")
    (none,) = run(tmp_path, "hall", "keys", "--save", save, *settings)[0]
    assert none.startswith("No table has a key yet. To make some: ")
    assert none.endswith(f"acessivel hall key 1-20 --save {save}")


@pytest.mark.parametrize(
    ("networks", "taken", "told"),
    [
        (("192.168.1.5",), False, ["hall_join"]),
        (("192.168.1.5", "10.42.0.1"), True, ["hall_join", "hall_join_or", "hall_port_taken"]),
        ((), False, ["hall_join", "hall_no_network"]),
    ],
)
def test_tables_are_told_where_the_hall_is(tmp_path, monkeypatch, networks, taken, told):
    monkeypatch.setattr("acessivel.web.server_thread._lan_addresses", lambda: networks)
    options = argparse.Namespace(hall_port=free_port())
    with socket.socket() as other:
        if taken:
            other.bind(("", options.hall_port))
            other.listen()
        with hall._opened(Settings(save=str(tmp_path)), options, serves=True) as opened:
            found = list(hall._how_to_join(opened, Settings(save=str(tmp_path))))
    assert [message.key for message in found] == [*told, "hall_no_keys"]
    values = [dict(message.values) for message in found]
    addresses = [one["address"].rpartition(":") for one in values if "address" in one]
    assert [address for address, *_ in addresses] == [
        f"https://{name}" for name in networks or ("127.0.0.1",)
    ]
    assert (int(addresses[0][2]) != options.hall_port) is taken
    monkeypatch.setattr(shell.sys, "argv", ["/home/eva/acessivel"])
    monkeypatch.setattr(shell.shutil, "which", lambda _: None)
    assert ": acessivel play --opponent human --hall https://" in Renderer("en").text(found[0])


def test_a_hall_on_a_server_is_made_with_its_logins(tmp_path):
    def hall(*arguments, status=0):
        return run(tmp_path, "hall", *arguments, "--language", "en", *QUIET[2:], status=status)

    with postgres.server() as server:
        with psycopg.connect(server.admin) as admin:
            admin.execute("ALTER ROLE postgres PASSWORD 'secret'")
        superuser = "--hall", server.url("open", "postgres", "secret")
        shown = f"postgresql://127.0.0.1:{server.port}/open"
        told, _ = hall("make", *superuser)
        assert told[0].startswith(f"The hall at {shown} is ready.")
        assert hall("make", *superuser)[0] == told  # nothing is made twice
        for name in ("eva", "rui"):
            line, told = hall("arbiter", name, *superuser)[0]
            assert told.startswith(f"The login {name} is made.")
            *_, own = shlex.split(line)
            assert hall("key", "1", "-o", tmp_path / name, "--hall", own)[0][0].startswith("Table 1")
        assert hall("keys", "--hall", own)[0] == ["Tables with a key: 1."]
        viewer = hall("viewer", "site", *superuser)[0][0]
        with psycopg.connect(viewer) as public:
            assert public.execute("SELECT * FROM hall.board").fetchall() == []
        for arguments, why in (
            (("make", "--hall", own), f"The server at {shown} does not let this login make that"),
            (("arbiter", "ana", "--hall", own), f"The server at {shown} does not let this login make that"),
            (("make", "--hall", server.url("open", "postgres", "wrong")), f"The server at {shown} does not let"),
            (("make", "--hall", server.url("postgres", "postgres", "secret")), "The name postgres will not do here"),
            (("arbiter", "postgres", *superuser), "The name postgres will not do here"),
            (("arbiter", *superuser), "Whose login?"),
        ):  # fmt: skip
            assert hall(*arguments, status=2)[1][-1].startswith(why)


def test_the_desk_says_how_tables_join_and_tells_what_they_do(tmp_path, save, keys):
    port = free_port()
    with desk(tmp_path, save, "--braille", "off", port=port) as program:
        joins = program.wait_for("To join, a table types")
        assert re.search(rf"acessivel play --opponent human --hall https://\S+:{port} --hall-key FILE", joins)
        program.wait_for("Nothing waits.")
        room = FarRoom(f"https://127.0.0.1:{port}", keys)
        room.table(1).say("arbiter", "no")
        room.push()
        program.wait_for("Table 1 calls the arbiter.")
        program.type("next")
        program.wait_for("Table 1 calls the arbiter.")
        program.type("stop the table")
        program.wait_for("Sent to table 1.")
        room.until(lambda: room.tables[1].state.clocks.stopped)
        program.wait_for("Table 1 has applied it: stop the clocks.")
        program.type("stop")
        program.type("yes")
        program.close(status=0)
        room.close()


NAMES = ("Alves, Ana", "Braga, Bia", "Costa, Caio", "Dias, Davi")


def a_round(file):
    """Write the file of a tournament whose first round is paired: 1 against 3, and 4 against 2."""
    event = trf.read("\n".join(player(number, name, [], "0.0") for number, name in enumerate(NAMES, 1)))
    file.write_text(with_round(event, 1, [(1, 3), (4, 2)], None, regulation().individual).text)
    return file


def test_a_round_of_a_tournament_s_file_is_announced_kept_and_followed(tmp_path, save, keys):
    file, live, port = a_round(tmp_path / "open.trf"), tmp_path / "live.pgn", free_port()
    options = ("--braille", "off", "--tournament", file, "--live", live)
    with desk(tmp_path, save, *options, port=port) as program:
        link = program.wait_for("Spectator: ").partition(": ")[2]
        program.wait_for("Nothing waits.")
        room = FarRoom(f"https://127.0.0.1:{port}", keys)
        game = room.table(1, white=NAMES[0], black=NAMES[2])
        room.push()
        program.type("announce")
        program.wait_for("7, who sits where in this round")
        program.type("7")
        program.wait_for("Tell 1 table who sits there?")
        program.type("yes")
        room.until(lambda: "round_seats" in told_at(game))
        game.happen(ev.Tick(at=91 * MINUTE))
        room.until(lambda: trf.read(file.read_text()).players[3].points == 1.0)
        room.until(lambda: '[Result "0-1"]' in live.read_text())
        with urllib.request.urlopen(f"{link.partition('#')[0]}live.pgn") as answer:  # noqa: S310  # ours
            assert '[Result "0-1"]' in answer.read().decode()
        program.type("stop")
        program.type("yes")
        program.close(status=0)
        room.close()


def round_of(version, line_end="\r\n"):
    """The lines of a file whose first round is paired as in `a_round`, with what this program does not know."""
    cells = [(3, "w", " "), (4, "b", " "), (1, "b", " "), (2, "w", " ")]
    players = [
        player(number, name, [cell], "0.0")
        for number, (name, cell) in enumerate(zip(NAMES, cells, strict=True), 1)
    ]
    head = {16: ["XXR 3", "XXC white1"], 26: ["142 3", "152 W", "192 FIDE_DUTCH_2025"]}[version]
    return line_end.join(["012 Café\xa0 ", *head, "### SSSS  remark ", *players, "987 of tomorrow\t", ""])


@pytest.mark.parametrize(("version", "program"), [(16, "bbpPairings"), (26, "bbpPairings"), (16, "javafo")])
def test_when_the_last_game_is_over_the_next_round_is_paired_and_told_at_the_tables(
    tmp_path, save, keys, version, program
):
    file, port = tmp_path / "open.trf", free_port()
    file.write_bytes(round_of(version).encode())
    before = file.read_bytes().split(b"\r\n")
    pairs = engine(tmp_path, "2\n3 4\n2 1\n", name=program)
    options = ("--tournament", file, "--pairing-engine", pairs, "--braille", "off")
    with desk(tmp_path, save, *options, port=port) as running:
        running.wait_for("Nothing waits.")
        room = FarRoom(f"https://127.0.0.1:{port}", keys)
        first = room.table(1, white=NAMES[0], black=NAMES[2])
        second = room.table(2, white=NAMES[3], black=NAMES[1]).say("e4", "yes")
        first.happen(ev.Tick(at=91 * MINUTE))
        room.until(lambda: trf.read(file.read_bytes().decode()).players[3].points == 1.0)
        running.type("pair the next round")
        running.wait_for("Have round 2 paired?")
        running.type("yes")
        running.wait_for("Round 1 is not over. Without a result: tables 2.")
        second.happen(ev.Tick(at=91 * MINUTE))
        room.push()
        running.wait_for(
            "Round 1 is over: all its results are in the file. To pair the next one, type pair the next"
        )
        running.type("pair the next round")
        running.type("yes")
        running.wait_for("Round 2 is being paired.")
        running.wait_for("Round 2 is paired.")
        running.wait_for("Table 1: Costa, Caio with White against Dias, Davi.")
        room.until(lambda: all(game.state.hall.pairing for game in room.tables.values()))
        assert "Costa, Caio plays with White against Dias, Davi" in told(first.say("my next pairing"))
        assert "Braga, Bia plays with White against Alves, Ana" in told(second.say("my next pairing"))
        running.type("stop")
        running.type("yes")
        running.close(status=0)
        room.close()
    after = file.read_bytes().split(b"\r\n")
    assert len(after) == len(before)
    for one, other in zip(before, after, strict=True):
        assert (one == other) != one.startswith(b"001"), (one, other)
    assert trf.read(file.read_bytes().decode()).paired_rounds == 2


def told(game):
    return " ".join(Renderer("en").text(message) for message in game.state.told.last)


def test_the_games_of_a_round_are_pushed_to_a_broadcast(tmp_path, save, keys):
    """Up to an illegal move that stood; while the line is lost nothing else waits, and then all follows."""
    port, token = free_port(), tmp_path / "token"
    token.write_text("t\n")
    with FakeBroadcast() as lichess:
        file, where = a_round(tmp_path / "open.trf"), f"{lichess.url}/broadcast/x/round-1/{lichess.round_id}"
        options = ("--tournament", file, "--broadcast", where, "--token", token, "--server", lichess.url)
        with desk(tmp_path, save, "--braille", "off", *options, port=port) as program:
            program.wait_for("Nothing waits.")
            room = FarRoom(f"https://127.0.0.1:{port}", keys)
            first = room.table(1, white=NAMES[0], black=NAMES[2]).say("e4", "yes")
            second = room.table(2, white=NAMES[3], black=NAMES[1], strict=True, supervised=False)
            second.say("d4", "yes", "d5", "yes", "d4 d6", "yes", "e6", "yes")
            room.until(lambda: "1.2" in lichess.games and lichess.games["1.1"].end().ply() == 1)
            program.wait_for("Table 2: an illegal move has stood. The live games and the broadcast end there")
            room.until(lambda: lichess.games["1.2"].end().ply() == 2)
            assert "d6" in lichess.games["1.2"].end().comment
            lichess.answers.append((503, "down"))
            first.happen(ev.Tick(at=91 * MINUTE))
            room.push()
            program.wait_for("The broadcast cannot be reached now. The games follow when it is back.")
            room.until(lambda: trf.read(file.read_text()).players[1].points == 1.0)
            program.wait_for("The broadcast is reached again, and has all games.")
            assert lichess.games["1.1"].headers["Result"] == "1-0"
            program.type("stop")
            program.type("yes")
            program.close(status=0)
            room.close()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--token", "other"), "The broadcast's token is not allowed to push: No such token. It needs"),
        (("--broadcast", "abcdefgh"), "The broadcast has no round abcdefgh."),
        (("--server", "http://127.0.0.1:1"), "The broadcast cannot be reached now."),
    ],
)
def test_a_broadcast_that_does_not_take_the_games_is_told_in_one_sentence(tmp_path, save, options, told):
    with FakeBroadcast() as lichess:
        for name, text in (("token", "t"), ("other", "u")):
            (tmp_path / name).write_text(text)
        given = {"--broadcast": lichess.round_id, "--token": "token", "--server": lichess.url} | dict(
            [options]
        )
        given["--token"] = tmp_path / given["--token"]
        more = [each for option in given.items() for each in option]
        file = a_round(tmp_path / "open.trf")
        with desk(
            tmp_path, save, "--braille", "off", "--tournament", file, *more, port=free_port()
        ) as program:
            program.wait_for(told)
            program.type("stop")
            program.type("yes")
            program.close(status=0)
        assert program.errors == ""
        assert sum("The broadcast" in line for line in program.lines) == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--broadcast", "abcdEFGH"), "need the tournament's file: --tournament FILE.trf"),
        (("--live", "live.pgn"), "need the tournament's file: --tournament FILE.trf"),
        (("--round", "2"), "need the tournament's file: --tournament FILE.trf"),
        (("--broadcast", "abcdEFGH", "--tournament", "open.trf"), "--token FILE"),
        (("--broadcast", "abcdEFGH", "--tournament", "open.trf", "--token", "empty"), "--token FILE"),
        (("--broadcast", "abcdEFGH", "--tournament", "open.trf", "--token", "none"), "none"),
        (("--broadcast", "abc", "--tournament", "open.trf", "--token", "token"), "No broadcast has a round abc: "),
        (("--live", "open.trf", "--tournament", "open.trf"), "open.trf is no file of games in PGN, and stays as it is"),
    ],
)  # fmt: skip
def test_what_a_round_lacks_is_said_before_anything_begins(tmp_path, save, monkeypatch, options, told):
    monkeypatch.chdir(tmp_path)
    a_round(tmp_path / "open.trf")
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "token").write_text("t")
    _, errors = run(tmp_path, "hall", *options, "--save", save, "--language", "en", *QUIET[2:], status=2)
    assert told in errors[-1]


def test_a_desk_needs_the_packages_of_a_broadcast_only_for_that(tmp_path, save):
    def hall(*arguments, without="httpx"):
        code = f"import sys; sys.modules['{without}'] = None; from acessivel import cli; sys.exit(cli.main(sys.argv[1:]))"
        given = [sys.executable, "-c", code, "hall", *arguments, "--save", save, *ENGLISH, "--braille", "off"]
        done = subprocess.run(given, env=environment(tmp_path), capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    (tmp_path / "token").write_text("t")
    broadcast = ("--broadcast", "abcdEFGH", "--token", tmp_path / "token")
    assert hall("key", "1").startswith("Table 1: ")
    assert hall("key", "2", without="cryptography").startswith("A hall needs more packages.")
    assert "more packages" in hall("--tournament", a_round(tmp_path / "open.trf"), *broadcast)
