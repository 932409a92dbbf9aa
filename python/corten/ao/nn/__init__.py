# SPDX-License-Identifier: BSD-3-Clause
"""torch.ao.nn: layers of quantized networks; Corten has those that compute in floating point."""
from ..._parts import parts_of

__all__ = ["quantized"]
__getattr__ = parts_of(__name__)
