# SPDX-License-Identifier: BSD-3-Clause
"""The same names as torch.distributed.fsdp's."""
from ..fsdp import *  # noqa: F403
