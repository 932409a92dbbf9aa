# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.data.graph_settings: tells all pipes that a pipe is made of how to divide and shuffle their items."""
import inspect
import warnings

import corten

from .datapipes.iter._children import SHARDING_PRIORITIES
from .graph import traverse_dps

__all__ = ["apply_random_seed", "apply_sharding", "apply_shuffle_seed", "apply_shuffle_settings", "get_all_graph_pipes"]


def get_all_graph_pipes(graph):
    """The pipes of a graph (traverse_dps), each once."""
    found = {}

    def collect(graph):
        for number, (pipe, below) in graph.items():
            if number not in found:
                found[number] = pipe
                collect(below)
    collect(graph)
    return list(found.values())


def _has(pipe, *names):
    return all(inspect.ismethod(getattr(pipe, name, None)) for name in names)


def apply_sharding(datapipe, num_of_instances, instance_id, sharding_group=SHARDING_PRIORITIES.DEFAULT):
    """Pipes that divide their items (sharding_filter) give the part of process `instance_id` of `num_of_instances`."""
    def walk(graph, above):
        for pipe, below in graph.values():
            here = above
            if _has(pipe, "apply_sharding"):
                if above is not None:
                    raise RuntimeError("Sharding twice on a single pipeline is likely unintended and will cause data loss. Sharding already "
                                       f"applied to {above} while trying to apply to {pipe}")
                more = {} if len(inspect.signature(pipe.apply_sharding).parameters) < 3 else {"sharding_group": sharding_group}
                pipe.apply_sharding(num_of_instances, instance_id, **more)
                here = pipe
            walk(below, here)
    walk(traverse_dps(datapipe), None)
    return datapipe


def apply_shuffle_settings(datapipe, shuffle=None):
    """Switches the shuffling of all pipes that have it; shuffle=True adds a pipe that shuffles if there is none, and warns."""
    if shuffle is None:
        return datapipe
    shufflers = [pipe for pipe in get_all_graph_pipes(traverse_dps(datapipe)) if _has(pipe, "set_shuffle", "set_seed")]
    if not shufflers and shuffle:
        warnings.warn("`shuffle=True` was set, but the datapipe does not contain a `Shuffler`. Adding one at the end. Be aware that the "
                      "default buffer size might not be sufficient for your task.", stacklevel=2)
        datapipe = datapipe.shuffle()
        shufflers = [datapipe]
    for pipe in shufflers:
        pipe.set_shuffle(shuffle)
    return datapipe


def apply_random_seed(datapipe, rng):
    """Gives each pipe that has set_seed a seed of a generator."""
    for pipe in get_all_graph_pipes(traverse_dps(datapipe)):
        if _has(pipe, "set_seed"):
            pipe.set_seed(int(corten.empty((), dtype=corten.int64).random_(generator=rng).item()))
    return datapipe


def apply_shuffle_seed(datapipe, rng):
    """apply_random_seed by its older name."""
    warnings.warn("`apply_shuffle_seed` is deprecated since 1.12 and will be removed in the future releases. Please use `apply_random_seed` "
                  "instead.", FutureWarning, stacklevel=2)
    return apply_random_seed(datapipe, rng)
