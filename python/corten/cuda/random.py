# SPDX-License-Identifier: BSD-3-Clause
"""torch.cuda.random: the generators of GPUs."""
from .. import _C
from . import _index, device_count, init, is_available

__all__ = ["get_rng_state", "get_rng_state_all", "initial_seed", "manual_seed", "manual_seed_all", "seed", "seed_all",
           "set_rng_state", "set_rng_state_all"]


def _generator(device="cuda"):
    init()
    return _C._cuda_default_generator(_index(device))


def manual_seed(seed):
    """Sets the seed of the current GPU's generator."""
    if is_available():
        _generator().manual_seed(int(seed))


def manual_seed_all(seed):
    """Sets the seed of every GPU's generator."""
    _C._cuda_manual_seed_all(int(seed))


def seed():
    """Seeds the current GPU's generator from the system."""
    return _generator().seed()


def seed_all():
    """Seeds every GPU's generator from the system."""
    _C._cuda_manual_seed_all(_generator().seed())


def initial_seed():
    """The seed of the current GPU's generator."""
    return _generator().initial_seed()


def get_rng_state(device="cuda"):
    """The state of a GPU's generator."""
    return _generator(device).get_state()


def set_rng_state(new_state, device="cuda"):
    """Sets the state of a GPU's generator."""
    _generator(device).set_state(new_state)


def get_rng_state_all():
    """The states of all GPUs' generators."""
    return [get_rng_state(i) for i in range(device_count())]


def set_rng_state_all(new_states):
    """Sets the states of all GPUs' generators."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)
