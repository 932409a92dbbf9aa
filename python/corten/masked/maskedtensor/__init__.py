# SPDX-License-Identifier: BSD-3-Clause
"""torch.masked.maskedtensor: tensors with a mask."""
from .core import MaskedTensor, is_masked_tensor

__all__ = ["MaskedTensor", "is_masked_tensor"]
