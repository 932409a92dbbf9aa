# SPDX-License-Identifier: BSD-3-Clause
"""Names of torch.distributed.algorithms that libraries mention."""
from .join import Join, Joinable, JoinHook

__all__ = ["Join", "JoinHook", "Joinable"]
