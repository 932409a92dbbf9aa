# SPDX-License-Identifier: BSD-3-Clause
"""torch._inductor.config: code generator settings, which are stored without effect."""
from types import SimpleNamespace

from .._dynamo.config import patcher

triton, cpp = SimpleNamespace(cudagraphs=False, unique_kernel_names=True), SimpleNamespace(threads=-1)
fx_graph_cache = coordinate_descent_tuning = epilogue_fusion = shape_padding = max_autotune = freezing = force_fuse_int_mm_with_mul = False
patch = patcher(globals())
