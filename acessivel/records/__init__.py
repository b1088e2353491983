# SPDX-License-Identifier: GPL-3.0-or-later
"""Games on paper and in files: PGN, Braille records, scoresheets; read, written, compared, replayed."""
