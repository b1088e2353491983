# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's settings, the preferences changed during play, and the profiles of speakers."""
