# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.random: the random number generators of GPUs. Each GPU has its own."""
from .. import _C
from . import _index, device_count, init, is_available

__all__ = ["get_rng_state", "get_rng_state_all", "initial_seed", "manual_seed", "manual_seed_all", "seed", "seed_all",
           "set_rng_state", "set_rng_state_all"]


def _generator(device="cuda"):
    init()
    return _C._cuda_default_generator(_index(device))


def manual_seed(seed):
    """Seed the generator of the current GPU; without a GPU do nothing. torch.manual_seed seeds the CPU and all GPUs.

    Args:
        seed: an int.
    """
    if is_available():
        _generator().manual_seed(int(seed))


def manual_seed_all(seed):
    """Seed the generators of all GPUs; without a GPU do nothing.

    Args:
        seed: an int.
    """
    _C._cuda_manual_seed_all(int(seed))


def seed():
    """Seed the generator of the current GPU from the system's randomness; return the seed."""
    return _generator().seed()


def seed_all():
    """Seed the generators of all GPUs with one seed from the system's randomness."""
    _C._cuda_manual_seed_all(_generator().seed())


def initial_seed():
    """Return the seed of the current GPU's generator."""
    return _generator().initial_seed()


def get_rng_state(device="cuda"):
    """Return the state of a GPU's generator, a uint8 tensor on the CPU.

    Args:
        device: a device, its name or its index. Default: "cuda", for the current one
    """
    return _generator(device).get_state()


def set_rng_state(new_state, device="cuda"):
    """Set the state of a GPU's generator.

    Args:
        new_state: a state from get_rng_state().
        device: a device, its name or its index. Default: "cuda", for the current one
    """
    _generator(device).set_state(new_state)


def get_rng_state_all():
    """Return the states of all GPUs' generators, as a list."""
    return [get_rng_state(i) for i in range(device_count())]


def set_rng_state_all(new_states):
    """Set the states of all GPUs' generators.

    Args:
        new_states: a list of states, in the order of the GPUs.
    """
    for i, state in enumerate(new_states):
        set_rng_state(state, i)
