# SPDX-License-Identifier: BSD-3-Clause
"""torch.ao.nn: layers of quantized networks, of which only those are here that compute with floating-point numbers."""
from ..._parts import parts_of

__all__ = ["quantized"]
__getattr__ = parts_of(__name__)
