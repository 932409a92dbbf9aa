# SPDX-License-Identifier: BSD-3-Clause
"""Names of types that annotations for PyTorch's script compiler are made of."""
from typing import Any, Dict, List, Optional, Tuple, Union

from ..futures import Future

__all__ = ["Any", "BroadcastingList1", "BroadcastingList2", "BroadcastingList3", "Dict", "Future", "List", "Optional", "Tuple", "Union"]


class _Broadcasting:
    """A number, or a list of as many."""

    def __getitem__(self, types):
        return None


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = _Broadcasting()
