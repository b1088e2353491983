# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs with the devices: the loop, and what it runs: games, drills, replays, lessons, enrolment."""
