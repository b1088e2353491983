# SPDX-License-Identifier: GPL-3.0-or-later
"""For all tests: properties are not timed, since a busy machine is no mistake."""

from hypothesis import settings

settings.register_profile("acessivel", deadline=None)
settings.load_profile("acessivel")
