# SPDX-License-Identifier: GPL-3.0-or-later
"""Models fetched from a real server on this machine: what is on the disk after each way to go wrong."""

import contextlib
import dataclasses
import errno
import io
import json
import os
import shutil
import socket
import stat
import subprocess
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.models_site import LIST, SMALL_DE, SMALL_PT, Site, archive, entry, noise

from voices.models import archive as model_archive
from voices.models import download, store
from voices.models.archive import plan, unpack
from voices.models.catalogue import choose, fetch_list, is_name, parse_list
from voices.models.download import check_address
from voices.models.errors import ModelError
from voices.models.installed import find_vosk_model, is_model

SIZE = 300_000
GOOD = archive(acoustic=noise(SIZE))


@pytest.fixture(autouse=True)
def _no_proxies_of_the_machine(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def site():
    with Site() as running:
        yield running


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "models"


def listed(site, name=SMALL_PT, data=GOOD, **other):
    """The model of a site that offers it."""
    site.offer(name, data, **other)
    return choose(fetch_list(site.url(LIST)), name)


def install(model, folder, timeout_s=20.0):
    """Install, and the bytes of which the progress told."""
    told = []
    store.install(model, folder, lambda done, size: told.append((done, size)), timeout_s)
    return told


def refused(model, folder, kind, timeout_s=20.0):
    with pytest.raises(ModelError) as caught:
        install(model, folder, timeout_s)
    assert caught.value.kind == kind, caught.value
    return caught.value


def unwritten(model, folder, number):
    """The error where the system refuses to write, and for this reason."""
    error = refused(model, folder, "disk")
    assert error.__cause__.errno == number
    return error


def on_disk(folder):
    """Everything in a folder, hidden or not."""
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def part(folder, model):
    return folder / f"{model.name}.{model.md5}.part"


def test_a_model_is_downloaded_checked_unpacked_and_found(site, folder):
    told = install(listed(site), folder)
    assert on_disk(folder) == [SMALL_PT]
    assert (folder / SMALL_PT / "am/final.mdl").read_bytes() == noise(SIZE)
    assert find_vosk_model(None, "pt", [folder]) == folder / SMALL_PT
    assert store.installed(folder) == (SMALL_PT,)
    assert told[0] == (0, len(GOOD))
    assert told[-1] == (len(GOOD), len(GOOD))
    assert told == sorted(told)


@pytest.mark.parametrize("inner", ["", "model", "another name"])
def test_the_name_is_that_of_the_list_whatever_the_archive_calls_it(site, folder, inner):
    members = [(f"{inner}/final.mdl".lstrip("/"), b"a"), (f"{inner}/mfcc.conf".lstrip("/"), b"b")]
    install(listed(site, data=archive(*members, folder=None)), folder)
    assert on_disk(folder) == [SMALL_PT]
    assert is_model(folder / SMALL_PT)


def test_what_is_there_already_is_not_downloaded_again(site, folder):
    model = listed(site)
    install(model, folder)
    site.requests.clear()
    assert install(model, folder) == []
    assert site.requests == []
    assert on_disk(folder) == [SMALL_PT]


def test_a_broken_model_of_that_name_gives_way(site, folder):
    (folder / SMALL_PT / "am").mkdir(parents=True)
    (folder / SMALL_PT / "am/final.mdl").write_text("old")
    install(listed(site), folder)
    assert on_disk(folder) == [SMALL_PT]
    assert is_model(folder / SMALL_PT)


# Interrupted, and gone on with


def test_a_download_that_is_cut_goes_on_with_the_rest_alone(site, folder):
    model = listed(site)
    path = f"/{SMALL_PT}.zip"
    site.pages[path] = site.cut(GOOD, 100_000)
    refused(model, folder, "cut")
    assert on_disk(folder) == [part(folder, model).name]
    assert part(folder, model).read_bytes() == GOOD[:100_000]
    site.pages[path] = GOOD
    told = install(model, folder)
    assert site.asked(path) == [None, "bytes=100000-"]
    assert told[0] == (100_000, len(GOOD))
    assert on_disk(folder) == [SMALL_PT]
    assert (folder / SMALL_PT / "am/final.mdl").read_bytes() == noise(SIZE)


def test_a_server_without_ranges_is_read_from_the_beginning(site, folder):
    model = listed(site)
    path = f"/{SMALL_PT}.zip"
    site.pages[path] = site.cut(GOOD, 100_000)
    refused(model, folder, "cut")
    site.pages[path], site.ranges = GOOD, False
    told = install(model, folder)
    assert site.asked(path) == [None, "bytes=100000-"]
    assert told[0] == (0, len(GOOD))
    assert on_disk(folder) == [SMALL_PT]


@pytest.mark.parametrize("answer", ["another part", "another size", "no range", "refused"])
def test_a_wrong_part_is_not_taken(site, folder, answer):
    model = listed(site)
    folder.mkdir()
    part(folder, model).write_bytes(GOOD[:5000])

    def page(handler):
        if "Range" not in handler.headers:
            site.give(handler, GOOD)
        elif answer == "refused":
            handler.send_error(416)
        else:
            span = {
                "another part": f"bytes 4999-{len(GOOD) - 1}/{len(GOOD)}",
                "another size": f"bytes 5000-{len(GOOD)}/{len(GOOD) + 1}",
            }
            handler.send_response(206)
            if answer in span:
                handler.send_header("Content-Range", span[answer])
            handler.send_header("Content-Length", "5")
            handler.end_headers()
            handler.wfile.write(b"wrong")

    path = f"/{SMALL_PT}.zip"
    site.pages[path] = page
    install(model, folder)
    assert site.asked(path) == ["bytes=5000-", None]
    assert on_disk(folder) == [SMALL_PT]


def test_a_file_that_has_changed_in_the_list_begins_anew(site, folder):
    old = dataclasses.replace(listed(site), md5="0" * 32)
    folder.mkdir()
    part(folder, old).write_bytes(GOOD[:100_000])
    install(listed(site), folder)
    assert site.asked(f"/{SMALL_PT}.zip") == [None]
    assert on_disk(folder) == [SMALL_PT]


def test_a_part_that_was_damaged_begins_anew_by_itself(site, folder):
    model = listed(site)
    folder.mkdir()
    part(folder, model).write_bytes(bytes(100_000))
    install(model, folder)
    assert site.asked(f"/{SMALL_PT}.zip") == ["bytes=100000-", None]
    assert on_disk(folder) == [SMALL_PT]


@pytest.mark.parametrize("there", [len(GOOD), len(GOOD) + 1])
def test_a_part_that_is_whole_or_too_long(site, folder, there):
    model = listed(site)
    folder.mkdir()
    part(folder, model).write_bytes((GOOD + b"x")[:there])
    install(model, folder)
    assert site.asked(f"/{SMALL_PT}.zip") == ([] if there == len(GOOD) else [None])
    assert on_disk(folder) == [SMALL_PT]


def test_what_a_crash_has_left_is_swept_away_and_nothing_else(site, folder):
    for left in (f".{SMALL_PT}.unpacking", f".{SMALL_PT}.removed", f".{SMALL_DE}.unpacking", "my own"):
        (folder / left / "deep").mkdir(parents=True)
    install(listed(site), folder)
    assert on_disk(folder) == [f".{SMALL_DE}.unpacking", "my own", SMALL_PT]


def test_two_at_a_time_are_refused_and_the_first_goes_on(site, folder):
    model = listed(site)
    seen = []

    def progress(*_):
        if not seen:
            seen.append(refused(model, folder, "busy"))
            with pytest.raises(ModelError, match="busy"):
                store.remove(folder, model.name)

    store.install(model, folder, progress)
    assert seen
    assert on_disk(folder) == [SMALL_PT]


@pytest.mark.parametrize("moment", ["download", "unpacking"])
def test_ctrl_c_leaves_nothing_but_the_part(site, folder, moment, monkeypatch):
    model = listed(site)

    def interrupt(*_):
        raise KeyboardInterrupt

    if moment == "unpacking":
        monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        store.install(model, folder, interrupt if moment == "download" else lambda *_: None)
    # Nothing had come at the first moment: not even a part is left.
    assert on_disk(folder) == ([part(folder, model).name] if moment == "unpacking" else [])
    monkeypatch.undo()
    install(model, folder)
    assert on_disk(folder) == [SMALL_PT]


# The server and the network


def test_no_such_archive(site, folder):
    model = listed(site)
    del site.pages[f"/{SMALL_PT}.zip"]
    assert refused(model, folder, "http").facts["status"] == "404"
    assert on_disk(folder) == []


def test_a_server_in_trouble_keeps_what_has_come(site, folder):
    model = listed(site)
    folder.mkdir()
    part(folder, model).write_bytes(GOOD[:1000])
    site.pages[f"/{SMALL_PT}.zip"] = lambda handler: handler.send_error(500)
    assert refused(model, folder, "http").facts["status"] == "500"
    assert part(folder, model).read_bytes() == GOOD[:1000]


@pytest.mark.parametrize("after", [0, 50_000])
def test_a_server_that_hangs(site, folder, after):
    model = listed(site)
    site.pages[f"/{SMALL_PT}.zip"] = site.hang(GOOD, after)
    refused(model, folder, "timeout", timeout_s=0.3)
    assert on_disk(folder) == ([part(folder, model).name] if after else [])
    assert not after or part(folder, model).read_bytes() == GOOD[:after]


@pytest.mark.parametrize("what", ["archive", "list"])
def test_a_server_that_sends_a_byte_now_and_then(site, folder, what):
    model = listed(site)
    drip = site.drip(GOOD)
    if what == "archive":
        site.pages[f"/{SMALL_PT}.zip"] = drip
        refused(model, folder, "timeout", timeout_s=0.3)
        assert on_disk(folder) == [part(folder, model).name]  # what has come, to go on from
    else:
        site.pages[LIST] = drip
        with pytest.raises(ModelError) as caught:
            fetch_list(site.url(LIST), timeout_s=0.3)
        assert caught.value.kind == "timeout"


def test_a_server_that_does_not_even_begin_to_answer(site):
    site.pages[LIST] = site.silent
    with pytest.raises(ModelError) as caught:
        fetch_list(site.url(LIST), timeout_s=0.2)
    assert caught.value.kind == "timeout"


def test_nobody_listens(site, folder):
    model = listed(site)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # taken, and not listening
        refused(
            dataclasses.replace(model, address=f"http://127.0.0.1:{free.getsockname()[1]}/x.zip"),
            folder,
            "unreachable",
        )
    assert on_disk(folder) == []


def test_what_is_no_web_server(folder, site):
    model = listed(site)
    site.pages[f"/{SMALL_PT}.zip"] = lambda handler: handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")
    refused(model, folder, "unreachable")
    assert on_disk(folder) == []


@pytest.mark.parametrize("data", [GOOD[:-1], GOOD + b"x", b""])
def test_another_size_is_seen_before_the_download(site, folder, data):
    model = listed(site)
    site.pages[f"/{SMALL_PT}.zip"] = data
    refused(model, folder, "damaged")
    assert on_disk(folder) == []


def test_a_wrong_checksum_leaves_nothing(site, folder):
    model = listed(site)
    wrong = GOOD[:200] + bytes([GOOD[200] ^ 1]) + GOOD[201:]
    site.pages[f"/{SMALL_PT}.zip"] = wrong
    refused(model, folder, "damaged")
    assert on_disk(folder) == []


def test_a_redirect_is_followed_within_this_machine_and_not_out_of_it(site, folder):
    model = listed(site)

    def redirect(to):
        def page(handler):
            handler.send_response(302)
            handler.send_header("Location", to)
            handler.end_headers()

        return page

    path = f"/{SMALL_PT}.zip"
    for to in ("http://example.org/model.zip", "ftp://127.0.0.1/model.zip", "file:///etc/passwd"):
        site.pages[path] = redirect(to)
        with pytest.raises(ModelError) as caught:
            install(model, folder)
        assert caught.value.kind in ("insecure", "http")
        assert on_disk(folder) == []
    site.pages["/elsewhere"] = GOOD
    site.pages[path] = redirect("/elsewhere")
    install(model, folder)
    assert on_disk(folder) == [SMALL_PT]


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://alphacephei.com/vosk/models/model-list.json", True),
        ("http://127.0.0.1:8000/list.json", True),
        ("http://[::1]/list.json", True),
        ("http://localhost/list.json", True),
        ("http://alphacephei.com/list.json", False),
        ("http://127.0.0.1.example.org/list.json", False),
        ("http://127.0.0.1@example.org/list.json", False),
        ("http://localhost.example.org/list.json", False),
        ("http://10.0.0.1/list.json", False),
        ("ftp://127.0.0.1/list.json", False),
        ("file:///etc/passwd", False),
        ("https:///list.json", False),
        ("https://[::1/list.json", False),
        ("/list.json", False),
        ("", False),
    ],
)
def test_only_https_or_this_machine(address, good):
    if good:
        check_address(address)
        return
    with pytest.raises(ModelError) as caught:
        check_address(address)
    assert caught.value.kind == "insecure"


def test_a_proxy_of_the_environment_is_used(site, monkeypatch):
    site.offer(SMALL_PT, GOOD)
    monkeypatch.setenv("http_proxy", site.url())
    assert fetch_list("http://127.0.0.1:9/model-list.json")[0].name == SMALL_PT
    assert site.requests[0][0] == "http://127.0.0.1:9/model-list.json"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of this machine that nobody trusts."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl")
    path = tmp_path_factory.mktemp("certificate") / "both.pem"
    key = path.with_name("key.pem")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1"
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", path]
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    path.write_text(path.read_text() + key.read_text())
    return path


def test_https_with_a_trusted_certificate_and_without(certificate, folder, monkeypatch):
    with Site(certificate) as site:
        site.offer(SMALL_PT, GOOD)
        with pytest.raises(ModelError) as caught:
            fetch_list(site.url(LIST))
        assert caught.value.kind == "untrusted"
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        install(choose(fetch_list(site.url(LIST)), "pt"), folder)
        assert on_disk(folder) == [SMALL_PT]


def test_no_way_leads_from_https_to_http(certificate, site, folder, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    def page(handler):
        handler.send_response(302)
        handler.send_header("Location", site.url(f"/{SMALL_PT}.zip"))
        handler.end_headers()

    site.offer(SMALL_PT, GOOD)
    with Site(certificate) as safe:
        model = listed(safe)
        safe.pages[f"/{SMALL_PT}.zip"] = page
        refused(model, folder, "insecure")
    assert site.requests == []
    assert on_disk(folder) == []


# The disk


def fail(number):
    def failing(*_, **__):
        raise OSError(number, os.strerror(number))

    return failing


def test_a_disk_that_runs_full_in_the_download(site, folder, monkeypatch):
    model = listed(site)
    blocks = []

    def write(file, block):
        if blocks:
            fail(errno.ENOSPC)()
        blocks.append(file.write(block))

    monkeypatch.setattr(download, "_write", write)
    assert unwritten(model, folder, errno.ENOSPC).facts == {"folder": str(folder)}
    assert on_disk(folder) == [part(folder, model).name]
    assert part(folder, model).read_bytes() == GOOD[: blocks[0]]
    monkeypatch.undo()
    install(model, folder)
    assert site.asked(f"/{SMALL_PT}.zip")[-1] == f"bytes={blocks[0]}-"
    assert on_disk(folder) == [SMALL_PT]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_disk_that_fails_in_the_unpacking(site, folder, monkeypatch, number):
    model = listed(site)
    monkeypatch.setattr(model_archive.os, "fsync", fail(number))
    unwritten(model, folder, number)
    assert on_disk(folder) == [part(folder, model).name]
    monkeypatch.undo()
    site.requests.clear()
    install(model, folder)
    assert site.requests == []  # what has come is whole
    assert on_disk(folder) == [SMALL_PT]


@pytest.mark.parametrize(("free", "left"), [(len(GOOD) - 1, False), (len(GOOD) + 10, True)])
def test_too_little_room_is_seen_before_anything_is_written(site, folder, monkeypatch, free, left):
    data = archive(acoustic=b"model" * 300)
    model = listed(site, data=GOOD if not left else data)
    room = free if not left else len(data)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9 - room, room))
    unwritten(model, folder, errno.ENOSPC)
    assert on_disk(folder) == ([part(folder, model).name] if left else [])
    assert len(site.asked(f"/{SMALL_PT}.zip")) == (1 if left else 0)


def test_a_disk_that_takes_a_little_at_a_time_gets_all_of_it():
    taken = bytearray()

    class Slow:
        def write(self, block):
            taken.extend(block[:3])
            return len(block[:3])

    download._write(Slow(), b"all of it")
    assert taken == b"all of it"


@pytest.mark.parametrize(("where", "number"), [("touch", errno.EACCES), ("mkdir", errno.EROFS)])
def test_where_nothing_can_be_written(site, folder, monkeypatch, where, number):
    model = listed(site)
    monkeypatch.setattr(Path, where, fail(number))
    unwritten(model, folder, number)
    assert on_disk(folder) == []


def test_where_a_file_is_in_the_way(site, folder):
    folder.write_text("mine")
    unwritten(listed(site), folder, errno.EEXIST)
    assert folder.read_text() == "mine"


# Archives


def member(name, mode=0o100644, **other):
    info = zipfile.ZipInfo("placeholder")
    info.filename = info.orig_filename = name
    info.external_attr = mode << 16
    for key, value in other.items():
        setattr(info, key, value)
    return info


HOSTILE = {
    "above": [(member("../outside"), b"x")],
    "above, deep": [(member(f"{SMALL_PT}/../../outside"), b"x")],
    "absolute": [(member("/opt/outside"), b"x")],
    "a drive": [(member("C:/outside"), b"x")],
    "backslashes": [(member("..\\outside"), b"x")],
    "an empty part": [(member(f"{SMALL_PT}//outside"), b"x")],
    "a dot": [(member("./outside"), b"x")],
    "a space at the end": [(member("outside "), b"x")],
    "a line end": [(member("out\nside"), b"x")],
    "a link": [(member("link", stat.S_IFLNK | 0o777), b"/etc/passwd")],
    "a link and a file in it": [(member("link", stat.S_IFLNK | 0o777), b"/opt"), (member("link/outside"), b"x")],
    "a device": [(member("device", stat.S_IFBLK | 0o666), b"")],
    "a pipe": [(member("pipe", stat.S_IFIFO | 0o666), b"")],
    "one name for two": [(member(f"{SMALL_PT}/am/FINAL.mdl"), b"x")],
    "accents for two": [(member("caf\u00e9"), b"x"), (member("cafe\u0301"), b"y")],
    "a file in a file": [(member("file"), b"x"), (member("file/outside"), b"y")],
    "a file for a folder": [(member("a/b"), b"x"), (member("a"), b"y")],
    "a bomb": [(member("bomb", compress_type=zipfile.ZIP_DEFLATED), bytes(1_000_000))],
    "rare packing": [(member("rare", compress_type=zipfile.ZIP_LZMA), b"x")],
    "a path too deep": [(member("/".join(["a"] * 3000)), b"x")],
    "a path too long": [(member("/".join(["a" * 200] * 3)), b"x")],
    "a name that turns the writing round": [(member("model\u202efpx.mdl"), b"x")],
    "a name with a hidden sign": [(member("mo\u200bdel"), b"x")],
    "ten thousand files": [(member(f"{number}"), b"") for number in range(10_001)],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_archive_is_refused_whole(site, folder, kind):
    model = listed(site, data=archive(*HOSTILE[kind]))
    error = refused(model, folder, "unsafe")
    assert error.facts["member"]
    assert on_disk(folder) == []
    assert on_disk(folder.parent) == ["models"]
    assert not Path("/opt/outside").exists()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_name_twice_is_refused(site, folder):
    refused(listed(site, data=archive((member(f"{SMALL_PT}/am/final.mdl"), b"other"))), folder, "unsafe")
    assert on_disk(folder) == []


def test_an_encrypted_archive_is_refused(site, folder):
    data = bytearray(archive())
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 1
    refused(listed(site, data=bytes(data)), folder, "unsafe")
    assert on_disk(folder) == []


def broken(kind):
    match kind:
        case "no archive":
            return noise(5000)
        case "nothing":
            return b"\n"
        case "cut":
            return GOOD[: len(GOOD) // 2]
        case "a byte within":
            at = GOOD.index(noise(SIZE)[1000:1010])
            return GOOD[:at] + b"damaged!!!" + GOOD[at + 10 :]
        case "its list":
            at = GOOD.rindex(b"PK\x01\x02")
            return GOOD[:at] + b"PX" + GOOD[at + 2 :]
        case "no model":
            return archive((f"{SMALL_PT}/README", b"hello"), folder=None)
        case "empty":
            return archive(folder=None)
        case "half a model":
            return archive((f"{SMALL_PT}/am/final.mdl", b"model"), folder=None)


@pytest.mark.parametrize(
    "kind", ["no archive", "nothing", "cut", "a byte within", "its list", "no model", "empty", "half a model"]
)
def test_what_is_no_archive_or_no_model(site, folder, kind):
    refused(listed(site, data=broken(kind)), folder, "no_model")
    assert on_disk(folder) == []


def test_rights_in_the_archive_do_not_count(site, folder):
    data = archive((member(f"{SMALL_PT}/tool", 0o106777), b"#!/bin/sh\n"))
    install(listed(site, data=data), folder)
    assert stat.S_IMODE((folder / SMALL_PT / "tool").stat().st_mode) & 0o7111 == 0


def test_a_lie_about_the_size_unpacks_to_no_more(tmp_path):
    """The declared size is what the limits go by: a member that holds more is broken, and stops there."""
    data = bytearray(
        archive((member("more", compress_type=zipfile.ZIP_DEFLATED), bytes(100_000)), folder=None)
    )
    central = data.index(b"PK\x01\x02")
    data[central + 24 : central + 28] = (10).to_bytes(4, "little")
    with pytest.raises(ModelError) as caught:
        unpack(io.BytesIO(bytes(data)), len(data), tmp_path / "goal")
    assert caught.value.kind == "no_model"
    assert sum(path.stat().st_size for path in (tmp_path / "goal").iterdir()) <= 10


names = st.text(st.sampled_from("ab/.\\: \0~Å\u202e"), min_size=1, max_size=8)


@settings(deadline=None)
@given(st.lists(st.tuples(names, st.sampled_from([0, 0o100644, 0o120777, 0o040755])), max_size=4))
def test_whatever_its_members_are_called_nothing_comes_out_of_the_goal(members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as writer:
        for name, mode in dict(members).items():
            writer.writestr(member(name, mode), b"x" if not name.endswith("/") else b"")
    with tempfile.TemporaryDirectory() as folder:
        goal = Path(folder, "in", "goal")
        goal.parent.mkdir()
        with contextlib.suppress(ModelError):
            unpack(packed, len(packed.getvalue()), goal)
        assert on_disk(Path(folder)) == ["in"]
        assert on_disk(goal.parent) in ([], ["goal"])
        found = [path for path in goal.rglob("*") if not path.is_dir()] if goal.exists() else []
        assert all(
            path.is_file() and not path.is_symlink() and path.read_bytes() in (b"x", b"") for path in found
        )


TINY = archive(("words.txt", b"one two"))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(TINY) - 1), st.integers(0, 255)), max_size=4))
def test_whatever_bytes_are_wrong_it_is_a_model_error(changes):
    data = bytearray(TINY)
    for place, value in changes:
        data[place] = value
    with tempfile.TemporaryDirectory() as folder:
        with contextlib.suppress(ModelError):
            unpack(io.BytesIO(data), len(data), Path(folder, "goal"))
        assert on_disk(Path(folder)) in ([], ["goal"])


def test_nothing_is_written_before_all_is_checked(tmp_path):
    data = archive((member("../outside"), b"x"))
    with pytest.raises(ModelError):
        unpack(io.BytesIO(data), len(data), tmp_path / "goal")
    assert on_disk(tmp_path) == []
    assert plan([], 0) == ()


# The list


def test_the_list_as_the_site_has_it():
    data = [
        entry("vosk-model-small-en-us-0.15"),
        entry("vosk-model-pt-fb-v0.1.1-20220516_2113"),
        entry("vosk-model-small-pt-0.2", obsolete="true"),
        entry("vosk-model-small-pt-0.3", licence="Apache 2.0"),
        entry("vosk-model-small-de-0.15", license="Apache 2.0"),
        entry("vosk-model-spk-0.4", lang="all", type="spk"),
    ]
    models = {model.name: model for model in parse_list(json.dumps(data).encode())}
    assert list(models) == [entry_["name"] for entry_ in data[:-1]]
    assert models["vosk-model-small-pt-0.2"].obsolete
    assert not models["vosk-model-small-pt-0.3"].obsolete
    assert [models[name].licence for name in models] == ["", "", "", "Apache 2.0", "Apache 2.0"]


def test_the_best_small_model_for_a_language():
    names = (
        "vosk-model-small-en-in-0.4", "vosk-model-en-us-0.42", "vosk-model-small-en-us-0.3", "vosk-model-small-en-us-0.15",
        "vosk-model-small-pt-0.3", "vosk-model-pt-0.9", "vosk-model-es-0.42",
    )  # fmt: skip
    data = [entry(name) for name in names]
    data += [
        entry("vosk-model-small-en-gb-0.99", lang="en-gb"),
        entry("vosk-model-small-pt-0.4", obsolete="true"),
    ]
    models = parse_list(json.dumps(data).encode())
    assert choose(models, "en").name == "vosk-model-small-en-us-0.15"
    assert choose(models, "en-gb").name == "vosk-model-small-en-gb-0.99"
    assert choose(models, "pt").name == "vosk-model-small-pt-0.3"
    assert choose(models, "vosk-model-small-pt-0.4").obsolete
    for wanted, kind in [
        ("es", "no_language"),
        ("e", "unknown"),
        ("vosk-model-xx", "unknown"),
        ("../../x", "unknown"),
    ]:
        with pytest.raises(ModelError) as caught:
            choose(models, wanted)
        assert caught.value.kind == kind


BROKEN_LISTS = [
    b"", b"<html>", b"null", b"{}", b"5", b'"models"', b"[]", b"[1, null, [], {}]", b"\xff\xfe", b"[" * 100_000, b"[{}]" * 2,
]  # fmt: skip


@pytest.mark.parametrize("data", BROKEN_LISTS)
def test_what_is_no_list(site, data):
    site.pages[LIST] = data
    with pytest.raises(ModelError) as caught:
        fetch_list(site.url(LIST))
    assert caught.value.kind == "bad_list"


def test_a_list_without_end(site):
    site.pages[LIST] = json.dumps([entry(SMALL_PT)]).encode() + b" " * (5 << 20)
    with pytest.raises(ModelError) as caught:
        fetch_list(site.url(LIST))
    assert caught.value.kind == "bad_list"


def test_a_list_that_is_cut(site):
    data = json.dumps([entry(SMALL_PT)]).encode()
    site.pages[LIST] = site.cut(data, 20)
    with pytest.raises(ModelError) as caught:
        fetch_list(site.url(LIST))
    assert caught.value.kind == "cut"


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "../../x"}, {"name": "vosk-model-../x"}, {"name": "/opt/x"}, {"name": "vosk-model-pt\0"}, {"name": "vosk-model-pt\n"},
        {"name": "vosk-model-pt."}, {"name": "vosk-model-pt..x"}, {"name": "vosk-model-*"}, {"name": ""}, {"name": 5},
        {"name": "vosk-model-" + "x" * 200}, {"name": ["vosk-model-small-pt-0.3"]}, {"md5": "x"}, {"md5": "../" * 8}, {"md5": None},
        {"size": "5"}, {"size": 0}, {"size": -1}, {"size": True}, {"size": 1.5}, {"size": 10**15}, {"lang": "../x"}, {"lang": None},
        {"url": None}, {"type": 1}, {"version": 3}, {"lang_text": {}}, {"lang_text": "x" * 10_000},
    ],
)  # fmt: skip
def test_an_entry_that_breaks_the_form_is_left_out_and_the_others_stay(wrong):
    data = [entry(SMALL_PT) | wrong, entry(SMALL_DE)]
    assert [model.name for model in parse_list(json.dumps(data).encode())] == [SMALL_DE]


def test_names_are_names_of_folders():
    assert is_name("vosk-model-pt-fb-v0.1.1-20220516_2113")
    for name in (
        "",
        ".",
        "..",
        "vosk-model",
        "vosk-model-",
        "vosk-model-a/b",
        "vosk-model-á",
        "VOSK-model-a",
        "vosk-model-a.part/..",
    ):
        assert not is_name(name)


# Removed


def test_a_model_is_removed_and_nothing_else(site, folder):
    for name in (SMALL_PT, SMALL_DE):
        install(listed(site, name), folder)
    store.remove(folder, SMALL_PT)
    assert on_disk(folder) == [SMALL_DE]
    with pytest.raises(ModelError) as caught:
        store.remove(folder, SMALL_PT)
    assert caught.value.kind == "not_installed"


def test_what_is_left_of_a_download_is_removed_too(site, folder):
    model = listed(site)
    site.pages[f"/{SMALL_PT}.zip"] = site.cut(GOOD, 1000)
    refused(model, folder, "cut")
    store.remove(folder, SMALL_PT)
    assert on_disk(folder) == []


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../mine", "mine", "/opt", "vosk-model-small-pt-0.3/am", "vosk-model-*"]
)
def test_nothing_but_models_can_be_removed(site, folder, name):
    install(listed(site), folder)
    (folder.parent / "mine").mkdir()
    (folder / "mine").mkdir()
    with pytest.raises(ModelError) as caught:
        store.remove(folder, name)
    assert caught.value.kind == "not_installed"
    assert on_disk(folder) == ["mine", SMALL_PT]
    assert on_disk(folder.parent) == ["mine", "models"]
    assert is_model(folder / SMALL_PT)


def test_of_a_link_only_the_link_is_removed(folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    folder.mkdir()
    (folder / SMALL_PT).symlink_to(tmp_path / "elsewhere")
    store.remove(folder, SMALL_PT)
    assert on_disk(folder) == []
    assert (tmp_path / "elsewhere").is_dir()


def test_a_model_is_out_of_sight_before_it_is_deleted(site, folder, monkeypatch):
    install(listed(site), folder)
    monkeypatch.setattr(shutil, "rmtree", fail(errno.EIO))
    with pytest.raises(ModelError) as caught:
        store.remove(folder, SMALL_PT)
    assert caught.value.kind == "disk"
    assert on_disk(folder) == [f".{SMALL_PT}.removed"]
    assert store.installed(folder) == ()
    monkeypatch.undo()
    install(listed(site), folder)
    assert on_disk(folder) == [SMALL_PT]


def test_no_folder_has_no_models(folder):
    assert store.installed(folder) == ()
