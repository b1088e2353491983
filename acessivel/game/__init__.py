# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of one game as a value, and the engine's playing strength."""
