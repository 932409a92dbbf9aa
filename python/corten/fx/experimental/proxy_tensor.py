# SPDX-License-Identifier: BSD-3-Clause
"""Names around tensors that record what happens to them: none does."""
from ..._missing import missing_function

__all__ = ["get_proxy_mode", "make_fx"]


def get_proxy_mode():
    """None."""
    return None


make_fx = missing_function("torch.fx.experimental.proxy_tensor.make_fx", "call the function itself; nothing traces it into a graph")
