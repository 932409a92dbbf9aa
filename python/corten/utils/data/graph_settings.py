# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.data.graph_settings: configure sharding and shuffling for all pipes that a pipe is built from."""
import inspect
import warnings

import corten

from .datapipes.iter._children import SHARDING_PRIORITIES
from .graph import traverse_dps

__all__ = ["apply_random_seed", "apply_sharding", "apply_shuffle_seed", "apply_shuffle_settings", "get_all_graph_pipes"]


def get_all_graph_pipes(graph):
    """Return the pipes of a graph, each once.

    Args:
        graph: the result of traverse_dps().
    """
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
    """Make pipes with sharding (sharding_filter) yield the share of one process.

    Args:
        datapipe: the last pipe; it is returned.
        num_of_instances: the number of processes.
        instance_id: the number of this process.
        sharding_group: the group of processes that share the items. Default: SHARDING_PRIORITIES.DEFAULT
    """
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
    """Switch shuffling on or off in all pipes that have it.

    Args:
        datapipe: the last pipe.
        shuffle: True or False; None changes nothing. If no pipe shuffles, True warns and appends one that does. Default:
            None

    Returns the last pipe.
    """
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
    """Seed each pipe that has set_seed.

    Args:
        datapipe: the last pipe; it is returned.
        rng: the generator that the seeds are drawn from.
    """
    for pipe in get_all_graph_pipes(traverse_dps(datapipe)):
        if _has(pipe, "set_seed"):
            pipe.set_seed(int(corten.empty((), dtype=corten.int64).random_(generator=rng).item()))
    return datapipe


def apply_shuffle_seed(datapipe, rng):
    """Return apply_random_seed(datapipe, rng); deprecated.

    Args:
        datapipe, rng: as for apply_random_seed.
    """
    warnings.warn("`apply_shuffle_seed` is deprecated since 1.12 and will be removed in the future releases. Please use `apply_random_seed` "
                  "instead.", FutureWarning, stacklevel=2)
    return apply_random_seed(datapipe, rng)
