# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import importlib
import json
import stat
import unicodedata
from types import SimpleNamespace

import pytest
from support.envelopes import cheap

from acessivel.adjournment import envelope
from acessivel.adjournment.envelope import EnvelopeError, Label

LABEL = Label(
    game=3,
    white="Ana",
    black="Bruno",
    fen="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    white_used_ms=61_000,
    black_used_ms=None,
    sealer="black",
    sealed_by="Bruno",
    move=1,
    offer="white",
    when="2026-11-22T15:00",
    where="Funchal, São João",
    identity="00" * 16,
)
KEY = "a long passphrase"


@pytest.fixture(scope="module", autouse=True)
def _cheap():
    with pytest.MonkeyPatch.context() as patch:
        cheap(patch)
        yield


def test_the_seven_items_stand_outside_and_the_move_inside():
    text = envelope.seal(LABEL, "b8c6", KEY)
    outside = json.loads(text)["label"]
    # A2, 2001; guideline 2, 2009: names, position, times used, name of the sealer, number of the move, offer, when and where.
    assert outside == dataclasses.asdict(LABEL)
    assert envelope.label(text) == LABEL
    assert envelope.unseal(text, KEY) == (LABEL, "b8c6")
    assert "b8c6" not in text


def test_an_envelope_takes_the_place_of_no_other(tmp_path):
    path = tmp_path / "envelope-1-1-white.json"
    written = [envelope.write(path, text) for text in ("one", "another", "a third")]
    assert [each.name for each in written] == [
        "envelope-1-1-white.json",
        "envelope-1-1-white-1.json",
        "envelope-1-1-white-2.json",
    ]
    assert [each.read_text() for each in written] == ["one", "another", "a third"]
    assert sorted(tmp_path.iterdir()) == sorted(written)


def test_two_envelopes_of_one_move_differ_and_a_long_move_looks_like_a_short_one():
    one, other, long = (
        envelope.seal(LABEL, move, KEY) for move in ("e4", "e4", "knight from b 8 to c 6, check")
    )
    assert json.loads(one)["sealed"]["move"] != json.loads(other)["sealed"]["move"]
    assert len(one) == len(long)


@pytest.mark.parametrize("key", ["A long passphrase", "a long passphrase ", ""])
def test_another_passphrase_opens_nothing(key):
    with pytest.raises(EnvelopeError, match="envelope_closed"):
        envelope.unseal(envelope.seal(LABEL, "b8c6", KEY), key)


@pytest.mark.parametrize("item", [field.name for field in dataclasses.fields(Label)])
def test_no_item_can_be_changed(item):
    data = json.loads(envelope.seal(LABEL, "b8c6", KEY))
    old = data["label"][item]
    data["label"][item] = old + 1 if isinstance(old, int) else 1 if old is None else f"{old}x"
    with pytest.raises(EnvelopeError, match="envelope_closed"):
        envelope.unseal(json.dumps(data), KEY)


def changed(change):
    data = json.loads(envelope.seal(LABEL, "b8c6", KEY))
    change(data)
    return json.dumps(data)


def twice(item):
    """An envelope in which an item stands a second time, as another reader may take it."""
    text = envelope.seal(LABEL, "b8c6", KEY)
    start = text.index(item.partition(":")[0])
    return f"{text[:start]}{item}, {text[start:]}"


@pytest.mark.parametrize(
    "text",
    [
        lambda: "",
        lambda: "{}",
        lambda: "[]",
        lambda: "[" * 100_000,
        lambda: changed(lambda data: data.update(format=2)),
        lambda: changed(lambda data: data["label"].update(move="1")),
        lambda: changed(lambda data: data["label"].update(more=1)),
        lambda: changed(lambda data: data["label"].pop("fen")),
        lambda: changed(lambda data: data.update(more=1)),
        lambda: changed(lambda data: data["sealed"].update(more=1)),
        lambda: changed(lambda data: data["label"].update(where="\ud800")),
        lambda: changed(lambda data: data.update(sealed=[])),
        lambda: changed(lambda data: data.update(label=None)),
        lambda: twice('"where": "Lisboa"'),
        lambda: twice('"format": 1'),
        lambda: changed(lambda data: data["sealed"].update(cost=2**9)),
        lambda: changed(lambda data: data["sealed"].update(cost=3 * 2**10)),
        lambda: changed(lambda data: data["sealed"].update(cost=-(2**10))),
        lambda: changed(lambda data: data["sealed"].update(cost=2**20)),
        lambda: changed(lambda data: data["sealed"].update(cost=2**40)),
        lambda: changed(lambda data: data["sealed"].update(cost=True)),
        lambda: changed(lambda data: data["sealed"].update(salt="AA==")),
        lambda: changed(lambda data: data["sealed"].update(move="not base64!")),
    ],
)
def test_what_is_no_envelope_is_refused(text):
    with pytest.raises(EnvelopeError, match="envelope_damaged"):
        envelope.unseal(text(), KEY)


def test_a_changed_secret_does_not_open():
    def flip(data):
        secret = data["sealed"]["move"]
        data["sealed"]["move"] = ("B" if secret[0] == "A" else "A") + secret[1:]

    with pytest.raises(EnvelopeError, match="envelope_closed"):
        envelope.unseal(changed(flip), KEY)


def test_the_file_is_its_owners_alone_and_whole(tmp_path):
    path = tmp_path / "envelopes" / "envelope.json"
    text = envelope.seal(LABEL, "b8c6", KEY)
    envelope.write(path, text)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert envelope.read(path) == text
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(EnvelopeError, match="envelope_missing"):
        envelope.read(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(EnvelopeError, match="envelope_damaged"):
        envelope.read(tmp_path / "bytes.json")


def test_a_move_that_is_too_long_is_refused():
    with pytest.raises(ValueError, match="long"):
        envelope.seal(LABEL, "x" * (envelope.LONGEST_MOVE + 1), KEY)


# As it was written before envelopes had an identity, on a keyboard that sends an accent as a sign of its own.
OLD = """{"format": 1, "label": {"game": 3, "white": "Ana", "black": "Bruno",
"fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "white_used_ms": 61000, "black_used_ms": null,
"sealer": "black", "sealed_by": "Bruno", "move": 1, "offer": "white", "when": "2026-11-22T15:00",
"where": "Funchal, São João"},
"sealed": {"cost": 16384, "salt": "Wxv+Ql4h3MKySa+l2nwdvA==", "nonce": "a3tI2GNei57+zu7R", "move": "IDG3oBcgXxX86iX8rTcfUFdsibIV4nXSnGUG0MsxwRYURqq7CnLkcuQb2hGjUBWWoW08XmJlwCAHZkAO5NghgpHsQSXgFWt9WCg4rgk81o83sJ6jHeO7oMnuz5NxBqM29xTYfUuIuL9ZoAuJXirHhNG3sMIRlA8iFjM9jvRltxH31QjwJw+HQXo6qfIOUPTPqK8sj79sYx0rJ1SxSMA+LuGpOfzlwy2hwhwhQTZSNNDBSr3i3CROJHF10r3kjDxrqXfXPnP5g0v/FGeTqHQtCFS9oI54omucJxH/3OrlJovPwiMZbBMiIfuO1jR1dpIQ/sh5d27TrTHVqXDCd3XbmaW+a87gX050UmWqjJ3J8xIUhdal1NRJLUCY0drRVp63S2+J8IebU2vDfl4laAgwJdCnByqBtuwKVnP/Ozg1eOeOCU7e0KujX4U8vk7ZLrDihQnYHwdIDutjLRZkFH/JyX/Q6t9P6krRcWRwOjwNM766TN5AYvEjFyGsV3QhOeJcv0J+aKDdEqFln2S8i4s+VgDN+z1wPPDaCXiuduX99AvFNxpDNcAW1BsPXobuPwPWDFBSxfog7JYd/RdImABFqUtWXAb7ZZmWbYwNRt9V9Iq35hzDmg0odpJ5cRO2L2Am1ybMj7fyYgsm6bG3ROveQvLgkcrLrnuUuSkad/umy+0cgHulSTgmZg+jpZh+47+K"}}"""


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_an_old_envelope_still_opens(form):
    label, move = envelope.unseal(OLD, unicodedata.normalize(form, "café à tarde"))
    assert (label, move) == (dataclasses.replace(LABEL, identity=""), "b8c6")


@pytest.mark.parametrize("sealed_in", ["NFC", "NFD"])
@pytest.mark.parametrize("opened_in", ["NFC", "NFD"])
def test_an_accent_is_the_same_on_every_keyboard(sealed_in, opened_in):
    text = envelope.seal(LABEL, "b8c6", unicodedata.normalize(sealed_in, "café à tarde"))
    assert envelope.unseal(text, unicodedata.normalize(opened_in, "café à tarde")) == (LABEL, "b8c6")


def test_too_little_memory_is_said(monkeypatch):
    text = envelope.seal(LABEL, "b8c6", KEY)

    def derive(*_):
        raise MemoryError

    scrypt = importlib.import_module("cryptography.hazmat.primitives.kdf.scrypt")
    monkeypatch.setattr(scrypt, "Scrypt", lambda **_: SimpleNamespace(derive=derive))
    for use in (lambda: envelope.unseal(text, KEY), lambda: envelope.seal(LABEL, "b8c6", KEY)):
        with pytest.raises(EnvelopeError, match="envelope_memory"):
            use()


def test_what_a_crash_has_left_is_swept_away(tmp_path):
    for name in ("envelope-3-1-black.part", "envelope-3-1-black.json", "envelope-30-1-black.part"):
        (tmp_path / name).write_text("{}")
    envelope.sweep(tmp_path, 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "envelope-3-1-black.json",
        "envelope-30-1-black.part",
    ]
    envelope.sweep(tmp_path / "none", 3)
