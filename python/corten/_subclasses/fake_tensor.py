# SPDX-License-Identifier: BSD-3-Clause
"""torch._subclasses.fake_tensor: Corten has no FakeTensor; the device "meta" has tensors without data."""
from .._C import Tensor
from .._missing import missing_class

__all__ = ["FakeTensor", "FakeTensorMode", "is_fake"]

_INSTEAD = 'use tensors on the device "meta", which have shapes and types without values'
FakeTensor = missing_class("torch._subclasses.fake_tensor.FakeTensor", _INSTEAD, Tensor)
FakeTensorMode = missing_class("torch._subclasses.fake_tensor.FakeTensorMode", _INSTEAD)


def is_fake(x):
    """Returns False: no tensor is a FakeTensor."""
    return False
