# SPDX-License-Identifier: GPL-3.0-or-later
"""An activity in the real loop."""

import pytest
from support.activities import Lines
from support.played_devices import Table


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")

    def play(make, language="en", **attention):
        found = Table(make(tmp_path, language), language, **attention)
        found.devices.keyboard = Lines()
        return found

    return play
