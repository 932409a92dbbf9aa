# SPDX-License-Identifier: BSD-3-Clause
"""PostLocalSGDOptimizer: an optimizer that periodically averages parameters across processes."""
import warnings

from ...optim import Optimizer

__all__ = ["PostLocalSGDOptimizer"]


class PostLocalSGDOptimizer(Optimizer):
    """Runs a step of `optim`, then lets `averager` (see algorithms.model_averaging.averagers) average the parameters if due.

    Use it with the communication hook post_localSGD_hook.
    """

    def __init__(self, optim, averager):
        self.optim, self.averager, self.param_groups = optim, averager, optim.param_groups

    @property
    def state(self):
        """The state of the wrapped optimizer."""
        return self.optim.state

    def __repr__(self):
        return repr(self.optim)

    def state_dict(self):
        """Returns the state of the wrapped optimizer, plus the number of steps as "step"."""
        return {**self.optim.state_dict(), "step": self.averager.step}

    def load_state_dict(self, state_dict):
        """Restores a state from state_dict()."""
        self.optim.load_state_dict(state_dict)
        if "step" not in state_dict:
            warnings.warn("Loaded state dict does not contain a step counter for an averager. Setting step counter to 0.", stacklevel=2)
        self.averager.step = state_dict.get("step", 0)

    def step(self):
        """Performs an optimizer step, then averages the parameters if due."""
        self.optim.step()
        self.averager.average_parameters(params=self.param_groups)

    def zero_grad(self, set_to_none=True):
        """Sets gradients to None, or to zero with set_to_none=False."""
        self.optim.zero_grad(set_to_none=set_to_none)

    def add_param_group(self, param_group):
        """Adds a parameter group to the wrapped optimizer."""
        self.optim.add_param_group(param_group)
