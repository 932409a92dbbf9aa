# SPDX-License-Identifier: BSD-3-Clause
"""Names of tensors without values that PyTorch's tracer uses; here they are those of the device "meta"."""
from .fake_tensor import FakeTensor, FakeTensorMode

__all__ = ["FakeTensor", "FakeTensorMode"]
