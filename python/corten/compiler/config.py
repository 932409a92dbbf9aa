# SPDX-License-Identifier: BSD-3-Clause
"""torch.compiler.config: settings of torch.compile, which are stored without effect."""
from .._dynamo.config import patcher

job_id = cache_key_tag = None
dynamic_shapes = assume_static_by_default = automatic_dynamic_shapes = True
recompile_limit, accumulated_recompile_limit, verbose = 8, 256, False
force_disable_caches = False
patch = patcher(globals())
