# SPDX-License-Identifier: GPL-3.0-or-later
"""The game, the dialogue, the records and the program."""
