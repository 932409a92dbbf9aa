# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic: the parts of the launcher that scripts and libraries use."""
from ..._parts import parts_of

__getattr__ = parts_of(__name__)
