# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess itself: positions, legal moves, why others are illegal; the core's only importer of `chess`."""
