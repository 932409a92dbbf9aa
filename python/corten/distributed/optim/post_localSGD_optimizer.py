# SPDX-License-Identifier: BSD-3-Clause
"""An optimizer after whose steps the parameters of all processes are averaged now and then."""
import warnings

from ...optim import Optimizer

__all__ = ["PostLocalSGDOptimizer"]


class PostLocalSGDOptimizer(Optimizer):
    """Steps `optim`, then lets `averager` (algorithms.model_averaging.averagers) average the parameters when it is time to.

    Goes with the hook post_localSGD_hook of DistributedDataParallel.
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
        """That of the optimizer, with the number of steps as "step"."""
        return {**self.optim.state_dict(), "step": self.averager.step}

    def load_state_dict(self, state_dict):
        """Takes back what state_dict() gave."""
        self.optim.load_state_dict(state_dict)
        if "step" not in state_dict:
            warnings.warn("Loaded state dict does not contain a step counter for an averager. Setting step counter to 0.", stacklevel=2)
        self.averager.step = state_dict.get("step", 0)

    def step(self):
        """A step of this process, and an average of all when it is time to."""
        self.optim.step()
        self.averager.average_parameters(params=self.param_groups)

    def zero_grad(self, set_to_none=True):
        """Removes the gradients, or sets them to zero."""
        self.optim.zero_grad(set_to_none=set_to_none)

    def add_param_group(self, param_group):
        """Adds a group of parameters."""
        self.optim.add_param_group(param_group)
