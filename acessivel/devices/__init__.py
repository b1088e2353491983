# SPDX-License-Identifier: GPL-3.0-or-later
"""The drivers, and what turns keys and words into events."""
