# SPDX-License-Identifier: GPL-3.0-or-later
"""The sealed move: the conversation about it, and its envelope."""
