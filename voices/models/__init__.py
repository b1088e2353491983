# SPDX-License-Identifier: GPL-3.0-or-later
"""Speech models for Vosk: those on this machine, and those that can be downloaded."""
