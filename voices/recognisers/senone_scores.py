# SPDX-License-Identifier: GPL-3.0-or-later
"""The scores of all senones of an utterance, which pocketsphinx writes to a file: here memory, no disk."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from voices.recognisers.acoustic_model import HEADER_ENDS

_LONGEST_HEADER = 4096


class SenoneScores:
    """What a decoder writes with `senlogdir` set to `folder`: about 1 MB for each second of sound.

    The decoder opens a file in the folder, which leads to memory of this process: what was heard is never on
    a disk, and the decoder, which does not survive a full disk, always has room. Raises OSError if there is
    no place for the folder.
    """

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="acessivel-")
        self._memory = os.memfd_create("senones")
        self._release = weakref.finalize(self, _release, self._memory, self.folder)
        self._link: Path | None = None
        self._utterances = 0

    def begin(self) -> None:
        """Right before each utterance of the decoder, which numbers them from 0. Raises OSError."""
        link = Path(self.folder, f"{self._utterances:09d}.sen")
        link.symlink_to(f"/proc/self/fd/{self._memory}")
        if self._link:
            self._link.unlink(missing_ok=True)
        self._link, self._utterances = link, self._utterances + 1

    def take(self, senones: int) -> Any:
        """The scores, as costs, of the utterance that has ended: (frames of 10 ms, senones).

        The library leaves out the last five frames. None if there are no others. The memory is free then.
        """
        data = os.pread(self._memory, os.fstat(self._memory).st_size, 0)
        os.ftruncate(self._memory, 0)
        ends = data.find(HEADER_ENDS, 0, _LONGEST_HEADER)
        frames = np.frombuffer(data, "<i2", offset=ends + len(HEADER_ENDS) + 4) if ends >= 0 else np.empty(0)
        # Each frame begins with the number of its senones.
        return frames.reshape(-1, senones + 1)[:, 1:] if frames.size else None

    def close(self) -> None:
        """Release the memory; it is also released with this object."""
        self._release()


def open_senone_scores() -> SenoneScores | None:
    """None where they cannot be had: on systems other than Linux, and without a place for temporary files."""
    try:
        has_memory = hasattr(os, "memfd_create") and Path("/proc/self/fd").is_dir()
        return SenoneScores() if has_memory else None
    except OSError:
        return None


def _release(memory: int, folder: str) -> None:
    os.close(memory)
    shutil.rmtree(folder, ignore_errors=True)
