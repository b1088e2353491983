# SPDX-License-Identifier: GPL-3.0-or-later
"""What outlives a run: the journal of all games, and the tape of one."""
