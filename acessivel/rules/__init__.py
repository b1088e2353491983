# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess itself: positions, legal moves, why others are illegal; the only room that imports `chess`."""
