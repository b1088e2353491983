# SPDX-License-Identifier: GPL-3.0-or-later
"""The envelope of an adjourned game: seven items in clear, the sealed move under the arbiter's passphrase.

The key is derived from the passphrase by scrypt (RFC 7914), which makes guessing expensive; AES-256-GCM then
hides the move and authenticates the seven items: if one of them is changed, the envelope cannot be opened.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import importlib.util
import json
import os
import secrets
import unicodedata
from dataclasses import asdict, dataclass, fields
from itertools import chain, count
from pathlib import Path
from typing import Any

from acessivel.adjournment.passphrase import normal

_FORMAT = 1
_COST = 2**17  # scrypt's n: 128 MiB and some tenths of a second for each guess
_LEAST_COST = 2**14  # of an envelope: who seals cannot make it easy to guess
_MOST_COST = 2**18  # the most that an envelope may ask of this machine, unauthenticated as yet: 256 MiB
_BLOCK = 8  # scrypt's r
_SALT = 16  # bytes
_NONCE = 12  # bytes
_KEY = 32  # bytes
_IDENTITY = 16  # bytes
_PADDED = 512  # bytes: short and long moves look alike from outside
_OUTER, _SEALED = {"format", "label", "sealed"}, {"cost", "salt", "nonce", "move"}
LONGEST_MOVE = 100  # characters


class EnvelopeError(Exception):
    """An envelope that cannot be used; `kind` is the key of the sentence that says so."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Label:
    """What stands on the envelope (A2, 2001; guideline 2, 2009), beside the game's number in the journal.

    `fen`: the position just before the sealed move. `white_used_ms`, `black_used_ms`: the times used, in ms;
    None without a clock. `sealer`: the colour, `move`: the number of the sealed move. `offer`: the colour
    whose offer of a draw was open, or "". `when`: ISO 8601 in local time, to the minute; `where`: free text.
    `identity`: that of the adjournment in the journal, random; "" in an envelope from before there was one.
    """

    game: int
    white: str
    black: str
    fen: str
    white_used_ms: int | None
    black_used_ms: int | None
    sealer: str
    sealed_by: str
    move: int
    offer: str
    when: str
    where: str
    identity: str = ""


def new_identity() -> str:
    """An identity that no other adjournment has."""
    return secrets.token_hex(_IDENTITY)


def available() -> bool:
    """Whether the encryption library is installed."""
    return importlib.util.find_spec("cryptography") is not None


def seal(label: Label, move: str, passphrase: str) -> str:
    """An envelope as text.

    Raises ValueError if the move is longer than `LONGEST_MOVE`, EnvelopeError if there is too little memory.
    """
    if len(move) > LONGEST_MOVE:
        raise ValueError("too long a move")
    salt, nonce = secrets.token_bytes(_SALT), secrets.token_bytes(_NONCE)
    outside = _outside(label)
    hidden = _cipher(normal(passphrase), salt, _COST).encrypt(
        nonce, move.encode().ljust(_PADDED, b"\0"), _bytes(outside)
    )
    sealed = {"cost": _COST, **{k: _text(v) for k, v in (("salt", salt), ("nonce", nonce), ("move", hidden))}}
    return json.dumps({"format": _FORMAT, "label": outside, "sealed": sealed}, ensure_ascii=False, indent=1)


def label(text: str) -> Label:
    """What stands on an envelope, not yet authenticated. Raises EnvelopeError if it is no envelope."""
    return _parts(text)[0]


def unseal(text: str, passphrase: str) -> tuple[Label, str]:
    """What stands on an envelope, and its move. Raises EnvelopeError if it cannot be opened."""
    outside, cost, salt, nonce, hidden = _parts(text)
    closed = importlib.import_module("cryptography.exceptions").InvalidTag
    # Old envelopes have the passphrase as the keyboard of the day sent it.
    forms = (normal(passphrase), passphrase, unicodedata.normalize("NFD", passphrase))
    for form in dict.fromkeys(forms):
        with contextlib.suppress(closed):
            cipher = _cipher(form, salt, cost)
            move: bytes = cipher.decrypt(nonce, hidden, _bytes(_outside(outside)))
            return outside, move.rstrip(b"\0").decode()
    raise EnvelopeError("envelope_closed")


def write(path: Path, text: str) -> Path:
    """Write an envelope to disk, completely or not at all, readable by its owner only. Raises OSError.

    Returns its path: with a number, if another envelope has that name.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = path.with_suffix(".part")
    with contextlib.suppress(FileNotFoundError):
        begun.unlink()
    try:
        with os.fdopen(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        path = _free(path)
        begun.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            begun.unlink()
        raise
    return path


def _free(path: Path) -> Path:
    """This path, or the first one with a number that no file has: "envelope-3-1-white-1.json"."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(1))
    return next(each for each in chain((path,), numbered) if not each.exists())


def sweep(folder: Path, game: int) -> None:
    """Delete what a crash while sealing has left of envelopes of a game; a failure does no harm."""
    with contextlib.suppress(OSError):
        for begun in folder.glob(f"envelope-{game}-*.part"):
            begun.unlink()


def of_game(folder: Path, game: int) -> dict[Path, Label]:
    """What stands on the envelopes of a game that can be read."""
    found = {}
    for path in sorted(folder.glob(f"envelope-{game}-*.json")):
        with contextlib.suppress(EnvelopeError):
            found[path] = label(read(path))
    return {path: each for path, each in found.items() if each.game == game}


def read(path: Path) -> str:
    """The envelope in a file. Raises EnvelopeError if it is missing or cannot be read."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError as error:
        raise EnvelopeError("envelope_missing") from error
    except (OSError, UnicodeDecodeError) as error:
        raise EnvelopeError("envelope_damaged") from error


def _cipher(passphrase: str, salt: bytes, cost: int) -> Any:
    """AES-GCM with the key that scrypt derives from a passphrase. Raises EnvelopeError without the memory."""
    scrypt = importlib.import_module("cryptography.hazmat.primitives.kdf.scrypt").Scrypt
    aes = importlib.import_module("cryptography.hazmat.primitives.ciphers.aead").AESGCM
    try:
        key = scrypt(salt=salt, length=_KEY, n=cost, r=_BLOCK, p=1).derive(passphrase.encode())
    except MemoryError as error:
        raise EnvelopeError("envelope_memory") from error
    return aes(key)


def _parts(text: str) -> tuple[Label, int, bytes, bytes, bytes]:
    """Label, cost, salt, nonce and encrypted move, each checked for its type, and nothing else.

    Who reads the file sees what the program reads: no key stands there twice, and none that it does not know.
    """
    try:
        data = json.loads(text, object_pairs_hook=_once)
        sealed = data["sealed"]
        outside = Label(**data["label"])
        binary = tuple(base64.b64decode(sealed[key], validate=True) for key in ("salt", "nonce", "move"))
        whole = (
            (data.keys(), sealed.keys()) == (_OUTER, _SEALED)
            and data["format"] == _FORMAT
            and bool(_bytes(_outside(outside)))  # as UTF-8, which has no half of a character
            and all(_is_kind(getattr(outside, field.name), str(field.type)) for field in fields(Label))
            and (len(binary[0]), len(binary[1])) == (_SALT, _NONCE)
            and type(sealed["cost"]) is int
            and sealed["cost"].bit_count() == 1
            and _LEAST_COST <= sealed["cost"] <= _MOST_COST
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EnvelopeError("envelope_damaged") from error
    if not whole:
        raise EnvelopeError("envelope_damaged")
    return outside, sealed["cost"], *binary


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises ValueError if a key stands there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _outside(label: Label) -> dict[str, Any]:
    """The label as it stands in the file: without an identity, if it is from before there was one."""
    return {name: value for name, value in asdict(label).items() if name != "identity" or value}


def _is_kind(value: object, kind: str) -> bool:
    """Whether a JSON value has an annotated type: "int", "str" or "int | None"."""
    name = "None" if value is None else type(value).__name__
    return name in kind.split(" | ")


def _bytes(outside: dict[str, Any]) -> bytes:
    """The seven items as the bytes that the cipher authenticates."""
    return json.dumps(outside, ensure_ascii=False, sort_keys=True).encode()


def _text(binary: bytes) -> str:
    return base64.b64encode(binary).decode()
