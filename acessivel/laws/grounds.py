# SPDX-License-Identifier: GPL-3.0-or-later
"""The grounds of a draw in the quickplay finish, which the dialogue asks for without knowing the rulings."""

from __future__ import annotations

from typing import Literal, get_args

Ground = Literal["cannot_win", "no_effort"]
GROUNDS: tuple[Ground, ...] = get_args(Ground)
