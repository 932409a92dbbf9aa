# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.tensorboard.summary: the summaries that other writers build on. Each is the bytes that FileWriter.add_summary
takes."""
from .plugins import custom_scalars, hparams, mesh, pr_curve, pr_curve_raw
from .records import scalar, text

__all__ = ["custom_scalars", "hparams", "mesh", "pr_curve", "pr_curve_raw", "scalar", "text"]
