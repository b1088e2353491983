# SPDX-License-Identifier: GPL-3.0-or-later
"""For all tests: properties are not timed, since a busy machine is no mistake; the longest files come first."""

from hypothesis import settings

settings.register_profile("acessivel", deadline=None)
settings.load_profile("acessivel")


def pytest_collection_modifyitems(items):
    """The program's tests first: they take longest, and whoever gets the last one should not work alone."""
    items.sort(key=lambda item: "program" not in item.path.parts)
