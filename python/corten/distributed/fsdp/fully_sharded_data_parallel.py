# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.fsdp.fully_sharded_data_parallel: the old import path of torch.distributed.fsdp."""
from . import *  # noqa: F403
