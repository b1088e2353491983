# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of audio -> utterances -> probable readings, for any speaker or a known one."""
