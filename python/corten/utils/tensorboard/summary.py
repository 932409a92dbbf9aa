# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.tensorboard.summary: functions that build summaries, each as bytes for FileWriter.add_summary."""
from .plugins import custom_scalars, hparams, mesh, pr_curve, pr_curve_raw
from .records import scalar, text

__all__ = ["custom_scalars", "hparams", "mesh", "pr_curve", "pr_curve_raw", "scalar", "text"]
