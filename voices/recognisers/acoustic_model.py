# SPDX-License-Identifier: GPL-3.0-or-later
"""pocketsphinx's acoustic model, read from its files: the states of each sound between two others.

A sound (ARPAbet) is a hidden Markov model of three states. Which states (senones) they are depends on the
sounds around it and on where in the word it stands. The library tells neither, so its file `mdef`, which
describes itself in its first thousand bytes, is read here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

Where = Literal["inside", "first", "last", "alone"]  # in a word
_WHERE: tuple[Where, ...] = ("inside", "first", "last", "alone")
SILENCE = "SIL"
_NODE_BYTES = 8  # of the tree of contexts, for which there is an index here
_PHONE = np.dtype([("sequence", "<i4"), ("transitions", "<i4"), ("context", "u1", 4)])
HEADER_ENDS = b"endhdr\n"  # of the library's other files; then four bytes tell their order
_NEVER = 1e-30


class AcousticModel:
    """The model in a folder. Raises OSError without its files, ValueError if they are something else."""

    def __init__(self, folder: Path) -> None:
        data = (folder / "mdef").read_bytes()
        if not data.startswith(b"BMDF"):
            raise ValueError(f"{folder / 'mdef'} is no definition of an acoustic model")
        at = 12 + struct.unpack_from("<i", data, 8)[0]
        counts = struct.unpack_from("<10i", data, at)
        sounds, phones, states, _, self.senones, _, sequences, _, nodes, _ = counts
        at += 40
        names = data[at : at + 8 * sounds].split(b"\0")[:sounds]
        self._number = {name.decode("ascii"): number for number, name in enumerate(names)}
        at += -(-sum(len(name) + 1 for name in names) // 4) * 4 + nodes * _NODE_BYTES
        known = np.frombuffer(data, _PHONE, phones, at)
        self._sequence = known["sequence"]
        at += known.nbytes + 4
        self._states = np.frombuffer(data, "<u2", sequences * states, at).reshape(-1, states)
        keys = _key(*known["context"][sounds:].astype(np.int32).T)
        order = np.argsort(keys)
        self._keys, self._phones = keys[order], (order + sounds).astype(np.int32)
        self._transitions = _transitions(folder / "transition_matrices")

    @cache  # noqa: B019 - there is one model, and there are some thousand contexts
    def states(self, sound: str, before: str, after: str, where: Where) -> tuple[int, ...]:
        """The senones of a sound; those of the most similar context if the model does not have this one."""
        for key in self._contexts(sound, before, after, where):
            at = int(np.searchsorted(self._keys, key))
            if at < len(self._keys) and self._keys[at] == key:
                return self._senones(int(self._phones[at]))
        return self._senones(self._number[sound])

    @cache  # noqa: B019
    def transitions(self, sound: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The logarithms of the probabilities that each state stays a frame more, and that it ends."""
        rows = self._transitions[self._number[sound]]
        return tuple(map(float, rows.diagonal())), tuple(map(float, rows.diagonal(1)))

    def _senones(self, phone: int) -> tuple[int, ...]:
        return tuple(map(int, self._states[self._sequence[phone]]))

    def _contexts(self, sound: str, before: str, after: str, where: Where) -> Iterator[int]:
        """The context, the same elsewhere in a word, then with silence for the sounds of other words."""
        alone = (
            SILENCE if where in ("first", "alone") else before,
            SILENCE if where in ("last", "alone") else after,
        )
        for around in dict.fromkeys(((before, after), alone)):
            for place in (where, *(one for one in _WHERE if one != where)):
                yield int(_key(_WHERE.index(place), *(self._number[name] for name in (sound, *around))))


@cache
def acoustic_model(folder: Path) -> AcousticModel:
    """The model in a folder, read once: it takes 20 ms and 6 MB."""
    return AcousticModel(folder)


def _key(where: Any, sound: Any, before: Any, after: Any) -> Any:
    """One number for a context; sounds have numbers below 256."""
    return ((where * 256 + sound) * 256 + before) * 256 + after


def _transitions(file: Path) -> Any:
    """Logarithms: (sounds, states, states and the end)."""
    data = file.read_bytes()
    at = data.index(HEADER_ENDS) + len(HEADER_ENDS) + 4
    *shape, count = struct.unpack_from("<4i", data, at)
    counts = np.frombuffer(data, "<f4", count, at + 16).reshape(shape)
    return np.log(counts / counts.sum(-1, keepdims=True) + _NEVER)
