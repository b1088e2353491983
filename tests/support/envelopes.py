# SPDX-License-Identifier: GPL-3.0-or-later
"""Envelopes that cost little: how much to derive a key costs is part of the file, and the tests need not pay it."""

from acessivel.adjournment import envelope


def cheap(patch):
    """Let envelopes be sealed and opened at a sixteenth of the least cost."""
    for name in ("_COST", "_LEAST_COST"):
        patch.setattr(envelope, name, 2**10)
