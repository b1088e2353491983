# SPDX-License-Identifier: GPL-3.0-or-later
import pytest


@pytest.fixture
def save(tmp_path):
    """A folder for the journal of games."""
    return tmp_path / "games"
