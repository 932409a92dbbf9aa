# SPDX-License-Identifier: BSD-3-Clause
"""Settings that programs make in passing; nobody reads them."""
from types import SimpleNamespace

from .._dynamo.config import patcher

triton, cpp = SimpleNamespace(cudagraphs=False, unique_kernel_names=True), SimpleNamespace(threads=-1)
fx_graph_cache = coordinate_descent_tuning = epilogue_fusion = shape_padding = max_autotune = freezing = force_fuse_int_mm_with_mul = False
patch = patcher(globals())
