# SPDX-License-Identifier: BSD-3-Clause
"""torch.onnx.operators: functions that treat shapes as tensors, which an export keeps dynamic."""
from .._inner_names import _reshape_from_tensor as reshape_from_tensor_shape, _shape_as_tensor as shape_as_tensor  # noqa: F401

__all__ = ["reshape_from_tensor_shape", "shape_as_tensor"]
