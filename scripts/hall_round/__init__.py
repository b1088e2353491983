# SPDX-License-Identifier: GPL-3.0-or-later
"""A round of many tables over a real PostgreSQL, with all that can go wrong; says what arrives, and how soon.

Each table is a process with the program's own session, journal and outbox, and so is the desk. Servers, desk
and tables are killed, connections cut and held up; at the end the hall must know of each game what its
journal knows. Without trouble it measures from the journal's commit at a table to the desk's knowledge, and,
of what is urgent, to the cells of an arbiter's display and to his voice, by the program's own desk.
"""
