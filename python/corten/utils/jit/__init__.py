# SPDX-License-Identifier: BSD-3-Clause
"""torch.utils.jit: tools for TorchScript."""
from ..._parts import parts_of

__getattr__ = parts_of(__name__)
