# SPDX-License-Identifier: BSD-3-Clause
"""torch._subclasses: names of PyTorch's fake tensors; in Corten the device "meta" has tensors without data."""
from .fake_tensor import FakeTensor, FakeTensorMode

__all__ = ["FakeTensor", "FakeTensorMode"]
