# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.experimental.proxy_tensor: names of PyTorch's proxy tensors, which Corten does not have."""
from ..._missing import missing_function

__all__ = ["get_proxy_mode", "make_fx"]


def get_proxy_mode():
    """Returns None: there is no tracing mode."""
    return None


make_fx = missing_function("torch.fx.experimental.proxy_tensor.make_fx", "call the function itself; nothing traces it into a graph")
