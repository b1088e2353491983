# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament that another program pairs: its file read, its standings and tie-breaks told."""
