# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's browser, where there is one with windows."""

from __future__ import annotations

import os
import sys
import webbrowser


def open_address(address: str) -> None:
    """Open an address in the browser; elsewhere it would be one in the terminal, and nothing is done."""
    if sys.platform in ("win32", "darwin") or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        webbrowser.open(address)
