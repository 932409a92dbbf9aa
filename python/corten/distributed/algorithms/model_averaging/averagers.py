# SPDX-License-Identifier: BSD-3-Clause
"""Averagers decide at which steps parameters are averaged across processes."""
import warnings
from abc import ABC, abstractmethod

from ... import distributed_c10d as c10d
from . import utils

__all__ = ["ModelAverager", "PeriodicModelAverager"]


class ModelAverager(ABC):
    """Base class. Call average_parameters after each optimizer step; the attribute `step` counts the calls."""

    def __init__(self, process_group=None):
        self.process_group, self.step = c10d._group_or_world(process_group), 0

    @abstractmethod
    def average_parameters(self, params):
        """Averages the parameters (an iterable, or the param_groups of an optimizer) if this step requires it."""


class PeriodicModelAverager(ModelAverager):
    """Averages every `period` steps, after `warmup_steps` steps during which gradients are averaged."""

    def __init__(self, period, warmup_steps=0, process_group=None):
        super().__init__(process_group)
        if warmup_steps < 0:
            raise ValueError("Arg ``warmup_steps`` must be a non-negative number.")
        if period < 1:
            raise ValueError("Arg ``period`` must be a positive value.")
        if period == 1:
            warnings.warn("When period is 1, no need to use model averaging because the communication cost of all-reducing parameters will "
                          "be no less than the cost of all-reducing gradients by DistributedDataParallel in the backward pass. Therefore, "
                          "only DistributedDataParallel should be used for this case.", stacklevel=2)
        self.period, self.warmup_steps = period, warmup_steps

    def average_parameters(self, params):
        """Averages the parameters (an iterable, or param_groups) if this step requires it, and counts the step."""
        if self.step >= self.warmup_steps and (self.step - self.warmup_steps) % self.period == 0:
            utils.average_parameters_or_parameter_groups(params, self.process_group)
        self.step += 1
