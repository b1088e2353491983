# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing at a server with Lichess's Board API: one more driver, whose reports are values and events."""
