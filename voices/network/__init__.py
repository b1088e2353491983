# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own acoustic network: how its data are made, its training, its weights, and how it hears.

To hear: `ear` (with `features`, `scoring`). To train: `train` (with `sentences`, `speakers`, `corpus` and
`voices.sound.disturbance`), which needs the extra `training` and the voices named in `speakers.toml`.
"""
