# SPDX-License-Identifier: BSD-3-Clause
"""torch.masked.maskedtensor: tensors that carry a mask."""
from .core import MaskedTensor, is_masked_tensor

__all__ = ["MaskedTensor", "is_masked_tensor"]
