# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own acoustic networks: training data, training, weights, and recognition with them.

To recognise: `ear` (with `features`, `scoring`), and `answers` for yes and no alone. To train: `train` and
`train_answers` (with `sentences`, `speakers`, `natural`, `corpus` and `voices.sound.disturbance`), which need
the extra `training` and the voices named in `speakers.toml`. To measure: `evaluate`, `evaluate_answers`.
"""
