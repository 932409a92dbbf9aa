# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed._tensor: the old import path of torch.distributed.tensor."""
from .tensor import *  # noqa: F403
