# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's settings and what was changed in play, and the profiles of speakers."""
