# SPDX-License-Identifier: BSD-3-Clause
"""Programs that show how torch.utils.benchmark is used."""
from ...._parts import parts_of

__getattr__ = parts_of(__name__)
