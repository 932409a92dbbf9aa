# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn.parallel.comm, the older name of torch.cuda.comm."""
from ...cuda.comm import __all__  # noqa: F401
from ...cuda.comm import *  # noqa: F403
