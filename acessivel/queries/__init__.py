# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions about a game or a square -> the facts that answer them."""
