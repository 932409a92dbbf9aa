# SPDX-License-Identifier: BSD-3-Clause
"""The parts of torch.utils.benchmark under the names of PyTorch's files."""
from ...._parts import parts_of

__getattr__ = parts_of(__name__)
