# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.tensor._utils: only the names that libraries import; there are no sharded tensors."""
from ..._missing import missing_function

compute_local_shape_and_global_offset = missing_function(
    "torch.distributed.tensor._utils.compute_local_shape_and_global_offset",
    "tensors are not sharded: every process has the whole tensor, from offset 0")
