# SPDX-License-Identifier: BSD-3-Clause
"""Names of the inner modules of torch.func that libraries import."""
from .._parts import parts_of

__getattr__ = parts_of(__name__)
