# SPDX-License-Identifier: GPL-3.0-or-later
"""Time controls, the clock as a value, and the alarms that it gives."""
