# SPDX-License-Identifier: GPL-3.0-or-later
"""The languages that the program comes with, in the order of the tests' tables of expectations."""

LANGUAGES = ("pt", "en", "de", "es")
