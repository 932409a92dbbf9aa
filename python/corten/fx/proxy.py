# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.proxy: types for annotations of tracers."""
from . import Proxy, Tracer

__all__ = ["Proxy", "Tracer"]
