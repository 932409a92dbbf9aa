# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.agent: a package of names that are not available."""
from ...._parts import parts_of

__getattr__ = parts_of(__name__)
