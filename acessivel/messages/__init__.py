# SPDX-License-Identifier: GPL-3.0-or-later
"""A message -> what is read, heard and felt; a folder of sentences for each language."""
