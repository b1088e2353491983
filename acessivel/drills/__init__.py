# SPDX-License-Identifier: GPL-3.0-or-later
"""Drills: questions and verdicts on them, without a device."""
