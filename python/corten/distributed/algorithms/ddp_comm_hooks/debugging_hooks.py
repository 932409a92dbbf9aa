# SPDX-License-Identifier: BSD-3-Clause
"""A hook that communicates nothing, to measure the cost of communication. Parameters of the ranks then diverge."""
from ....futures import Future

__all__ = ["noop_hook"]


def noop_hook(_, bucket):
    """Returns a completed future with the local gradients."""
    future = Future()
    future.set_result(bucket.buffer())
    return future
