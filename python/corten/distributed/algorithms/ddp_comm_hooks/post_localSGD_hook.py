# SPDX-License-Identifier: BSD-3-Clause
"""Post-local SGD (Lin et al., 2018): average gradients globally for some steps, then only within a subgroup.

After the switch, parameters have to be averaged periodically: see optim.PostLocalSGDOptimizer.
"""
from ....futures import Future
from ... import distributed_c10d as c10d
from .default_hooks import _average

__all__ = ["PostLocalSGDState", "post_localSGD_hook"]


class PostLocalSGDState:
    """State of post_localSGD_hook.

    process_group: group of the first `start_localSGD_iter` steps; None for all processes.
    subgroup: group of the later steps; None for the processes of this machine.
    post_local_gradient_allreduce: whether to average gradients within the subgroup in the later steps.
    """

    def __init__(self, process_group, subgroup, start_localSGD_iter, post_local_gradient_allreduce=True):
        self.process_group, self.subgroup, self.start_localSGD_iter = process_group, subgroup, start_localSGD_iter
        self.post_local_gradient_allreduce, self.iter = post_local_gradient_allreduce, 0

    def maybe_increase_iter(self, bucket):
        """Counts one step when `bucket` is the last of its backward pass."""
        self.iter += bucket.is_last()


def post_localSGD_hook(state, bucket):
    """Averages a bucket over the group that the state selects for the current step."""
    if state.iter < state.start_localSGD_iter:
        state.maybe_increase_iter(bucket)
        return _average(state.process_group, bucket.buffer())
    if not state.post_local_gradient_allreduce:
        future = Future()
        future.set_result(bucket.buffer())
        return future
    if state.subgroup is None:
        state.subgroup, _ = c10d.new_subgroups()
    return _average(state.subgroup, bucket.buffer())
