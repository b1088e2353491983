# SPDX-License-Identifier: GPL-3.0-or-later
"""The confirmation loop: what is asked, and what an utterance leads to."""
