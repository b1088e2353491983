# SPDX-License-Identifier: GPL-3.0-or-later
"""Speech models of Vosk: those on this machine, and those that can be fetched."""
