# SPDX-License-Identifier: BSD-3-Clause
"""Names that libraries import; no tensor is spread over processes."""
from .. import _refuse

compute_local_shape_and_global_offset = _refuse(
    "compute_local_shape_and_global_offset", "torch.distributed.tensor: no tensor can be spread over processes")
