# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.algorithms.model_averaging.hierarchical_model_averager: averaging within nested groups of ranks.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ...._missing import missing_class

__all__ = ["HierarchicalModelAverager"]

_INSTEAD = "use averagers.PeriodicModelAverager"
HierarchicalModelAverager = missing_class("torch.distributed.algorithms.model_averaging.hierarchical_model_averager.HierarchicalModelAverager", _INSTEAD)
