# SPDX-License-Identifier: BSD-3-Clause
"""torch._functorch: internal names of torch.func that libraries import."""
from .._parts import parts_of

__getattr__ = parts_of(__name__)
