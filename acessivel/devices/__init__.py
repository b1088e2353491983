# SPDX-License-Identifier: GPL-3.0-or-later
"""The drivers, and the modules that turn keys and words into events."""
