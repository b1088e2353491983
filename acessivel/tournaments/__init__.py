# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament that another program pairs: reading its file, its standings and tie-breaks."""
