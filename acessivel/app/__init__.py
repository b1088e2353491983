# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs with the devices: the loop of a game, drills, replays, lessons, enrolment."""
