# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of conventions and languages (`*.toml`), how they sound, and how a meaning is put into them."""
