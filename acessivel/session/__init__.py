# SPDX-License-Identifier: GPL-3.0-or-later
"""The core: `step(state, event) -> (state, effects)`, with a module for each thing that can happen."""
