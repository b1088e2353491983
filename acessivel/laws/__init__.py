# SPDX-License-Identifier: GPL-3.0-or-later
"""The Laws: the editions as data, and an arbiter's rulings as pure functions."""
