# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said: phrases and grammars for a recogniser, and what sounds alike in them."""
