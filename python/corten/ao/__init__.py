# SPDX-License-Identifier: BSD-3-Clause
"""torch.ao: quantization. Modules with stubs run unquantized; other names say what to use instead."""
from . import quantization

__all__ = ["quantization"]


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
