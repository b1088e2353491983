# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound and spoken words; knows nothing of games in progress."""
