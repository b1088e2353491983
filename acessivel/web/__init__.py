# SPDX-License-Identifier: GPL-3.0-or-later
"""The board in a browser: one more driver of the loop, for everybody who has a link."""
