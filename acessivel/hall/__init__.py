# SPDX-License-Identifier: GPL-3.0-or-later
"""A hall of many tables: what each tells of its game, where that is kept, and what the arbiter sends back."""
