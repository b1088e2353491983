# SPDX-License-Identifier: GPL-3.0-or-later
"""A file or folder that one program has for itself while it is open."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    import fcntl


def lock(opened: int, *, waits: bool) -> None:
    """Have an open file or folder for this program alone, until it is closed.

    Raises BlockingIOError while another program has it, unless this one `waits`. Nothing happens where there
    are no locks: on Windows, and on some network disks.
    """
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except BlockingIOError:
        raise
    except OSError:
        return
