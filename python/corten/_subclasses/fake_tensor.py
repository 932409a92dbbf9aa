# SPDX-License-Identifier: BSD-3-Clause
"""No tensor is a FakeTensor: the device "meta" has tensors without values."""
from .._C import Tensor

__all__ = ["FakeTensor", "FakeTensorMode", "is_fake"]


class FakeTensor(Tensor):
    """A tensor of a tracer."""

    def __new__(cls, *args, **kwargs):
        raise RuntimeError('there are no FakeTensors; tensors on the device "meta" have shapes and types without values')


class FakeTensorMode:
    """Refused."""

    def __init__(self, *args, **kwargs):
        FakeTensor()


def is_fake(x):
    """False."""
    return False
