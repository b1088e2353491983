# SPDX-License-Identifier: GPL-3.0-or-later
"""Words -> what they can mean."""
