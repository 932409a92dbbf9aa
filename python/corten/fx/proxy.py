# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.proxy: the types that annotations of tracers mention."""
from . import Proxy, Tracer

__all__ = ["Proxy", "Tracer"]
