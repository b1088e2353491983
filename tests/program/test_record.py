# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel record` as a user runs it: every form there and back, whole files or none, one sentence for a mistake."""

import io
import os
import random
import re
import shutil
import subprocess

import chess
import chess.pgn
import pytest
from support import pages
from support import pef as official
from support.call import call
from support.languages import LANGUAGES
from support.program import PROGRAM, QUIET, SAMPLE_SAN, SAMPLE_WORDS, confirmed, environment, run, script

from braille import brf
from braille.notation import code_names
from braille.pages import sheets

pytest.importorskip("louis", reason="liblouis is not installed")

MATE = '[Event "?"]\n[Site "?"]\n[Date "2026.11.21"]\n[Round "?"]\n[White "Anna"]\n[Black "Bo"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'
TWO = MATE + "\n" + MATE.replace("Anna", "Cesar").replace("1-0", "*").replace(" 4. Qxf7#", "")


@pytest.fixture
def home(tmp_path):
    (tmp_path / "two.pgn").write_text(TWO)
    return tmp_path


def record(home, source, *options, language="en", status=0):
    return run(home, "record", home / source, "--language", language, *options, status=status)


def games(path):
    with path.open() as file:
        return list(iter(lambda: chess.pgn.read_game(file), None))


@pytest.mark.parametrize(
    ("form", "suffix", "code"),
    [("brf", "brf", "uk"), ("brf", "brf", "de6"), ("pef", "pef", "pt6"), ("pef", "pef", "figurine"), ("unicode", "txt", "pt8")],
)  # fmt: skip
def test_pgn_to_braille_and_back(home, form, suffix, code):
    options = ("--code", code, "--sheet", "a4", "--diagram", "0,5")
    _, errors = record(home, "two.pgn", "--format", form, *options, "-o", home / f"out.{suffix}")
    assert not errors
    if form == "pef":
        official.check((home / "out.pef").read_bytes())
    lines, _ = record(home, f"out.{suffix}", "--code", code)
    assert "\n".join(lines).strip() == TWO.strip()
    assert sorted(path.name for path in home.glob("out*")) == [f"out.{suffix}"]


def test_a_game_of_the_journal_with_its_clock_and_its_reason(tmp_path):
    save = tmp_path / "games"
    said = confirmed(*SAMPLE_WORDS, yes="ja") + script("resign", "yes")
    play = ("--opponent", "human", "--language", "en", "--clock", "15+5", "--hear", "keyboard")
    run(tmp_path, "play", *play, "--speak", "off", "--braille", "off", "--save", save, typed=said)
    wanted, _ = run(tmp_path, "record", 1, "--save", save)
    out = tmp_path / "game.brf"
    run(tmp_path, "record", 1, "--save", save, "--format", "brf", "--code", "uk", "-o", out)
    again, _ = run(tmp_path, "record", out, "--code", "uk")
    played = chess.pgn.read_game(io.StringIO("\n".join(again)))
    assert [node.san() for node in played.mainline()] == SAMPLE_SAN
    assert "\n".join(again).strip() == "\n".join(wanted).strip()
    with out.open("rb") as file:
        last = [line for _, line in brf.read(file)][-1]
    assert last == "⠀⠀⠼⠁⠤⠼⠚⠀⠠⠗⠑⠎⠊⠛⠝⠁⠞⠊⠕⠝"  # 1-0 Resignation


def test_a_game_of_the_journal_in_another_language(tmp_path):
    save = ("--save", tmp_path / "games")
    said = confirmed("e4", "e5", "Nf3", yes="yes") + script("resign", "yes")
    run(tmp_path, "play", "--opponent", "human", "--language", "en", *QUIET, *save, typed=said)
    for language, move, sentence in (
        ((), "2. Nf3", "1-0 The game is over: White wins"),
        (("--language", "pt"), "2. Cf3", "1-0 Fim da partida: vitória das Brancas"),
    ):
        lines, _ = run(tmp_path, "record", 1, "--format", "text", *save, *language)
        assert lines[3] == move
        assert lines[-1].startswith(sentence)


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.brf", "brf"), ("a.PEF", "pef"), ("a.txt", "text"), ("a.pgn", "pgn"), ("a", "pgn")],
)
def test_a_file_has_the_form_that_its_name_says_unless_another_is_asked_for(home, tmp_path, name, form):
    record(home, "two.pgn", "-o", tmp_path / name)
    record(home, "two.pgn", "--format", form, "-o", tmp_path / "asked")
    assert (tmp_path / name).read_bytes() == (tmp_path / "asked").read_bytes()
    record(home, "two.pgn", "--format", "pgn", "-o", tmp_path / name)
    assert (tmp_path / name).read_text("utf-8").strip() == TWO.strip()


def test_text_and_pgn_of_a_file(home):
    lines, _ = record(home, "two.pgn", "--format", "text", language="pt")
    assert lines[:6] == ["Anna - Bo", "2026.11.21", "1. e4 e5", "2. Bc4 Cc6", "3. Dh5 Cf6", "4. Dxf7#"]
    assert lines[6:8] == ["1-0", ""]
    lines, _ = record(home, "two.pgn")
    assert "\n".join(lines).strip() == TWO.strip()


@pytest.mark.parametrize(("language", "code"), [("pt", "pt6"), ("en", "uk"), ("de", "de6"), ("es", "es6")])
def test_the_code_and_the_sheet_that_nobody_asked_for(home, language, code):
    plain, _ = record(home, "two.pgn", "--format", "unicode", language=language)
    asked, _ = record(
        home, "two.pgn", "--format", "unicode", "--code", code, "--sheet", "brazil", language=language
    )
    assert plain == asked
    assert max(map(len, plain)) == 34


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_record_is_read_in_the_code_in_which_the_language_writes(home, language):
    record(home, "two.pgn", "--format", "brf", "-o", home / "out.brf", language=language)
    lines, _ = record(home, "out.brf", language=language)
    assert "\n".join(lines).strip() == TWO.strip()


@pytest.mark.parametrize(
    ("options", "width"), [(("--sheet", "line12"), 12), (("--width", "20", "--lines", "4"), 20)]
)
def test_sheets_of_ones_own(home, options, width):
    command = ["acessivel", "record", str(home / "two.pgn"), "--format", "unicode", "--code", "uk", *options]
    status, told, _ = call(command, b"", environment(home))
    assert status == 0
    data = told.decode()
    pages = data.split("\f")
    assert all(page.count("\n") <= (1 if width == 12 else 4) for page in pages)
    assert max(len(line) for page in pages for line in page.split("\n")) <= width


@pytest.mark.skipif(not shutil.which("lou_translate"), reason="lou_translate is not installed")
def test_liblouis_reads_the_record_as_it_was_written(home):
    record(home, "two.pgn", "--format", "brf", "--code", "uk", "-o", home / "out.brf")
    data = (home / "out.brf").read_bytes().replace(b"\f", b"").replace(b"\r", b"").replace(b"\\", b"\\\\")
    done = subprocess.run(
        ["lou_translate", "--backward", "en-us-brf.dis,unicode-braille.utb"],
        input=data,
        capture_output=True,
        check=True,
    )
    lines, _ = record(home, "two.pgn", "--format", "unicode", "--code", "uk")
    shown = [line for line in lines if line]  # form feeds end lines too
    assert [line for line in done.stdout.decode().splitlines() if line] == shown


MISTAKES = [
    ("gone.pgn", (), "gone.pgn"), ("two.doc", (), "two.doc"), ("empty.pgn", (), "."), ("bad.pgn", (), "Ke5"),
    ("two.pgn", ("--format", "brf", "--code", "pt8"), "pt8"), ("two.pgn", ("--format", "brf", "--width", "11"), "11"),
    ("two.pgn", ("--format", "brf", "--code", "nato"), "--code"), ("two.pgn", ("--diagram", "x"), "--diagram"),
    ("two.pgn", ("--format", "brf", "--diagram", "7,999"), "999"), ("two.pgn", ("--sheet", "a5"), "--sheet"), ("two.pgn", ("-o", "no/such/folder/x.brf"), "no/such/folder/x.brf"),
    ("cut.brf", ("--code", "uk"), "1"), ("whole.brf", ("--code", "pt6"), "pt6"), ("bytes.brf", (), "1"), ("bytes.pef", (), "1"),
    ("two.pgn", ("-o", f"{__file__}/x.brf"), "x.brf"), ("two.pgn", ("--format", "brf", "--lines", "0"), "0"),
    ("two.pgn", ("--format", "brf", "--width", "0"), "0"), ("bytes.txt", (), "1"), ("folder.pgn", (), "folder.pgn"), ("shifted.brf", ("--code", "uk"), "3"),
]  # fmt: skip


@pytest.fixture(scope="module")
def mistaken(tmp_path_factory):
    """A folder of files that cannot be read; the sentences in the other languages are rendered elsewhere."""
    folder = tmp_path_factory.mktemp("mistaken")
    (folder / "two.pgn").write_text(TWO)
    whole = folder / "whole.brf"
    record(folder, "two.pgn", "--format", "brf", "--code", "uk", "-o", whole)
    (folder / "cut.brf").write_bytes(whole.read_bytes()[:100])
    (folder / "shifted.brf").write_bytes(b"\r\n\r\n ,:ITE3 ,A\r\n")
    (folder / "empty.pgn").write_text("")
    (folder / "bad.pgn").write_text(MATE.replace("Nc6", "Ke5"))
    for name in ("bytes.brf", "bytes.pef", "bytes.txt"):
        (folder / name).write_bytes(bytes(range(256)))
    (folder / "folder.pgn").mkdir()
    return folder


@pytest.mark.parametrize(
    ("number", "source", "options", "named"), [(n, *case) for n, case in enumerate(MISTAKES)]
)
def test_what_cannot_be_done_is_one_sentence(mistaken, number, source, options, named):
    language = LANGUAGES[number % len(LANGUAGES)]
    lines, errors = record(mistaken, source, *options, language=language, status=2)
    assert lines == []
    assert len(errors) == 1
    assert named in errors[0]


@pytest.mark.parametrize("digits", ["9" * 20, "9" * 5000])
@pytest.mark.parametrize("command", ["record", "replay"])
def test_more_digits_than_any_game_has_are_no_number(tmp_path, command, digits):
    _, errors = run(tmp_path, command, digits, "--language", "en", status=2)
    assert len(errors) == 1
    assert digits in errors[0]


def test_a_record_can_have_the_longest_name(home):
    out = home / f"{'x' * 251}.pgn"
    record(home, "two.pgn", "-o", out)
    assert games(out)


@pytest.mark.parametrize(
    ("options", "width", "most"), [((), 34, 28), (("--sheet", "a4"), 40, 25), (("--width", "20", "--lines", "5"), 20, 5)]
)  # fmt: skip
def test_the_bytes_of_many_pages_of_brf(home, options, width, most):
    many(home / "many.pgn", 12)
    out = home / "out.brf"
    record(home, "many.pgn", "--format", "brf", "--code", "uk", *options, "-o", out)
    data = out.read_bytes()
    # North American Braille ASCII: the signs from blank to low line; lines end in CR LF, each page in a form feed.
    assert set(data) <= {*range(0x20, 0x60), *b"\r\n\f"}
    *sheets, rest = data.split(b"\f")
    assert rest == b""
    assert len(sheets) > 3
    for number, page in enumerate(sheets, start=1):
        *lines, rest = page.split(b"\r\n")
        assert rest == b""
        assert 1 < len(lines) <= most
        assert all(len(line) <= width and not line.endswith(b" ") for line in lines)
        digits = "".join("JABCDEFGHI"[int(digit)] for digit in str(number))
        assert lines[0] == f"#{digits}".rjust(width).encode()
    assert b"\r" not in data.replace(b"\r\n", b"")
    assert b"\n" not in data.replace(b"\r\n", b"")


def test_pages_of_eight_dots_leave_room_for_the_gaps_between_their_rows(home):
    many(home / "many.pgn", 12)
    record(home, "many.pgn", "--format", "pef", "--code", "pt8", "-o", home / "out.pef")
    tree = official.check((home / "out.pef").read_bytes())
    assert max(len(page) for page in tree.iter("{*}page")) == 22


def test_a_diagram_that_one_game_of_a_file_has_is_drawn_there(home):
    lines, errors = record(home, "two.pgn", "--format", "unicode", "--code", "uk", "--diagram", "7")
    assert errors == []
    assert sum("⠨⠣" in line for line in lines) == 1


def test_pgn_goes_through_standard_input_and_output(home):
    lines, errors = run(home, "record", "-", "--language", "en", typed=TWO)
    assert "\n".join(lines).strip() == TWO.strip()
    assert errors == []
    out = home / "out.brf"
    run(home, "record", "-", "--format", "brf", "--code", "uk", "-o", out, "--language", "en", typed=TWO)
    lines, _ = record(home, "out.brf", "--code", "uk")
    assert "\n".join(lines).strip() == TWO.strip()


@pytest.mark.parametrize("text", ["", "nonsense", "\x00\x01"])
def test_standard_input_without_a_game_is_one_sentence(home, text):
    lines, errors = run(home, "record", "-", "--language", "en", typed=text, status=2)
    assert (lines, len(errors)) == ([], 1)


def test_a_failure_leaves_neither_a_new_file_nor_a_changed_one(home):
    out = home / "out.brf"
    out.write_text("what was there")
    before = set(home.iterdir())
    (home / "two.pgn").write_text(TWO + "\n" + MATE.replace("Nc6", "Ke5"))
    _, errors = record(home, "two.pgn", "--format", "brf", "-o", out, status=2)
    assert "3" in errors[0]
    assert out.read_text() == "what was there"
    assert {path for path in home.iterdir() if path.name.endswith(".part")} == set()
    assert before <= set(home.iterdir())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")  # noqa: PTH110
def test_a_full_disk_is_told(home):
    for options in (("-o", "/dev/full"), ()):
        with open("/dev/full", "wb") as full:  # noqa: PTH123
            done = subprocess.run(
                [PROGRAM, "record", home / "two.pgn", "--language", "en", "--format", "brf", *options],
                stdout=full, stderr=subprocess.PIPE, env=environment(home), check=False,
            )  # fmt: skip
        assert done.returncode == 2
        assert done.stderr.decode().count("\n") == 1
        assert "no room left" in done.stderr.decode()
    assert os.path.exists("/dev/full")  # noqa: PTH110


def many(path, count):
    chance = random.Random(count)  # noqa: S311  # the same games each time
    board = chess.Board()
    for _ in range(30):
        board.push(chance.choice(list(board.legal_moves)))
    game = chess.pgn.Game.from_board(board)
    game.headers["Result"] = "*"
    with path.open("w") as file:
        for number in range(count):
            game.headers["White"] = f"Player {number}"
            print(game, end="\n\n", file=file)


def peak_kb(home, *arguments):
    """The most memory that a run of the program had resident."""
    process = subprocess.Popen(
        [PROGRAM, *map(str, arguments)],
        env=environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    with process.stderr:
        errors = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, errors
    return usage.ru_maxrss, errors


def test_the_memory_for_many_games_does_not_grow(tmp_path):
    peaks = []
    for count in (20, 1200):
        many(tmp_path / "many.pgn", count)
        out = tmp_path / "many.brf"
        options = ("--format", "brf", "--code", "uk", "--language", "en", "-o", out)
        there, errors = peak_kb(tmp_path, "record", tmp_path / "many.pgn", *options)
        back, _ = peak_kb(tmp_path, "record", out, "--code", "uk", "--language", "en")
        peaks.append((there, back))
    said = [line for line in errors.splitlines() if not line.startswith("One moment")]
    assert said == ["Games so far: 1000"]
    assert peaks[1][0] < peaks[0][0] + 3000
    assert peaks[1][1] < peaks[0][1] + 3000


@pytest.mark.parametrize("language", pages.LANGUAGES)
def test_the_page_of_records_names_every_form_code_and_sheet(language):
    text = pages.text("records.md", language)
    assert "--format pgn|text|brf|pef|unicode" in text
    rows = [line for line in text.splitlines() if re.match(r"\| `[^|]*\| [68] \|", line)]
    assert {
        name for row in rows for name in row.split("|")[1].replace("`", "").replace(" ", "").split(",")
    } == set(code_names())
    assert all(re.search(rf"`(--sheet )?{name}`", text) for name in sheets())
