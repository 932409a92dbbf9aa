# SPDX-License-Identifier: BSD-3-Clause
"""torch.accelerator.random: random number generators of the accelerator."""
from .. import cuda
from ._utils import device_index as _index

__all__ = ["get_rng_state", "get_rng_state_all", "initial_seed"]


def initial_seed(device=None, /):
    """Returns the initial seed of a device's generator."""
    return cuda.random._generator(_index(device)).initial_seed()


def get_rng_state(device=None, /):
    """Returns the state of a device's generator as a uint8 tensor."""
    return cuda.random._generator(_index(device)).get_state()


def get_rng_state_all():
    """Returns the generator states of all devices."""
    return [get_rng_state(i) for i in range(cuda.device_count())]
