# SPDX-License-Identifier: BSD-3-Clause
"""torch._dynamo.config: compiler settings that programs change; they are stored without effect."""
import contextlib

cache_size_limit = recompile_limit = 8
accumulated_cache_size_limit = accumulated_recompile_limit = 256
suppress_errors = verbose = capture_scalar_outputs = capture_dynamic_output_shape_ops = False
automatic_dynamic_shapes = assume_static_by_default = inline_inbuilt_nn_modules = optimize_ddp = True
skip_fwd_side_effects_in_bwd_under_checkpoint = False


def patcher(settings):
    """Returns the function `patch` for a module of settings."""
    @contextlib.contextmanager
    def patch(arg1=None, arg2=None, **changes):
        """Changes settings temporarily, as a context manager or decorator."""
        changes.update({arg1: arg2} if isinstance(arg1, str) else arg1 or {})
        before = {name: settings[name] for name in changes if name in settings}
        settings.update(changes)
        try:
            yield
        finally:
            for name in changes:
                settings.pop(name)
            settings.update(before)
    return patch


patch = patcher(globals())
