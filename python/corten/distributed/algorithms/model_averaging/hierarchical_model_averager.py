# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.algorithms.model_averaging.hierarchical_model_averager: averages over groups of several sizes.

Corten does not have this; each name says what to use instead.
"""
from ...._missing import missing_class

__all__ = ["HierarchicalModelAverager"]

_INSTEAD = "use averagers.PeriodicModelAverager"
HierarchicalModelAverager = missing_class("torch.distributed.algorithms.model_averaging.hierarchical_model_averager.HierarchicalModelAverager", _INSTEAD)
