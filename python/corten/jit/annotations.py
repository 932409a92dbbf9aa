# SPDX-License-Identifier: BSD-3-Clause
"""torch.jit.annotations: type names for TorchScript annotations."""
from typing import Any, Dict, List, Optional, Tuple, Union

from ..futures import Future

__all__ = ["Any", "BroadcastingList1", "BroadcastingList2", "BroadcastingList3", "Dict", "Future", "List", "Optional", "Tuple", "Union"]


class _Broadcasting:
    """A type that accepts one value or a list of values, like BroadcastingList2[int]."""

    def __getitem__(self, types):
        return None


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = _Broadcasting()
