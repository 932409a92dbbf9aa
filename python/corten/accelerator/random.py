# SPDX-License-Identifier: BSD-3-Clause
"""torch.accelerator.random: the random numbers of the GPU, of whatever kind."""
from .. import cuda
from ._utils import device_index as _index

__all__ = ["get_rng_state", "get_rng_state_all", "initial_seed"]


def initial_seed(device=None, /):
    """The seed of a GPU's generator."""
    return cuda.random._generator(_index(device)).initial_seed()


def get_rng_state(device=None, /):
    """The state of a GPU's generator, as a tensor of bytes."""
    return cuda.random._generator(_index(device)).get_state()


def get_rng_state_all():
    """The states of all GPUs' generators."""
    return [get_rng_state(i) for i in range(cuda.device_count())]
