# SPDX-License-Identifier: GPL-3.0-or-later
"""Braille cells; knows nothing of games in progress."""
