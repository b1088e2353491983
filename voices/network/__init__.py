# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own acoustic network: its training data, its training, its weights, and recognition with it.

To recognise: `ear` (with `features`, `scoring`). To train: `train` (with `sentences`, `speakers`, `corpus`
and `voices.sound.disturbance`), which needs the extra `training` and the voices named in `speakers.toml`.
"""
