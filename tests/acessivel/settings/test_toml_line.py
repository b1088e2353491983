# SPDX-License-Identifier: GPL-3.0-or-later
"""A line of TOML has whatever stands in a name or a path."""

import tomli
from hypothesis import given
from hypothesis import strategies as st

from acessivel.settings.toml_line import toml_line

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.one_of(TEXTS, st.integers(-(10**9), 10**9), st.booleans()))
def test_any_value_comes_back(value):
    assert tomli.loads(toml_line("name", value)) == {"name": value}
