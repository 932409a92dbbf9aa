# SPDX-License-Identifier: BSD-3-Clause
"""Example programs for torch.utils.benchmark."""
from ...._parts import parts_of

__getattr__ = parts_of(__name__)
