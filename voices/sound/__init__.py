# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of audio: from a microphone or file, to files and loudspeakers."""
