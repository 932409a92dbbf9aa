# SPDX-License-Identifier: BSD-3-Clause
"""Averages of gradients among all processes for some steps, and then among neighbours only (post-local SGD, Lin et al., 2018).

From then on the parameters have to be averaged now and then: see optim.PostLocalSGDOptimizer.
"""
from ....futures import Future
from ... import distributed_c10d as c10d
from .default_hooks import _average

__all__ = ["PostLocalSGDState", "post_localSGD_hook"]


class PostLocalSGDState:
    """process_group: of the first `start_localSGD_iter` steps, None for all. subgroup: of the later ones, None for this machine.
    post_local_gradient_allreduce: whether gradients are averaged in the later steps at all."""

    def __init__(self, process_group, subgroup, start_localSGD_iter, post_local_gradient_allreduce=True):
        self.process_group, self.subgroup, self.start_localSGD_iter = process_group, subgroup, start_localSGD_iter
        self.post_local_gradient_allreduce, self.iter = post_local_gradient_allreduce, 0

    def maybe_increase_iter(self, bucket):
        """Counts a step, with its last bucket."""
        self.iter += bucket.is_last()


def post_localSGD_hook(state, bucket):
    """Averages a bucket among the processes that the state says."""
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
