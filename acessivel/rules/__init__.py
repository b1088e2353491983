# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess itself: positions, legal moves and why others are not; the core's only importer of `chess`."""
