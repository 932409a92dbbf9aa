# SPDX-License-Identifier: BSD-3-Clause
"""torch.random: the default generator's seed and state."""
import contextlib

from ._C import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state

__all__ = ["fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state", "thread_safe_generator"]


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type=None):
    """A block after which the stream of random numbers goes on as if the block had drawn none."""
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


def thread_safe_generator():
    """The generator of a thread that loads data, or None: then functions draw from the default one."""
    return None
