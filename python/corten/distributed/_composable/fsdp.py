# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed._composable.fsdp: the old import path of torch.distributed.fsdp."""
from ..fsdp import *  # noqa: F403
