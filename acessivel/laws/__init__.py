# SPDX-License-Identifier: GPL-3.0-or-later
"""The Laws: the editions as data, and the rulings of an arbiter as pure functions."""
