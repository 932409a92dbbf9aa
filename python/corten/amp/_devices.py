# SPDX-License-Identifier: BSD-3-Clause
"""torch.cpu.amp and torch.cuda.amp: the older names of autocast and GradScaler, each for one device type."""
import functools
import sys
import types

from .. import bfloat16, float16
from . import autocast_mode, grad_scaler

_TYPES = {"cpu": bfloat16, "cuda": float16}


def of_device(kind):
    """Create the module torch.KIND.amp and register it, so that `import` finds it.

    Args:
        kind: the device type, "cpu" or "cuda".
    """
    name = f"{__package__.rsplit('.', 1)[0]}.{kind}.amp"
    module = types.ModuleType(name, f"Mixed precision on the {kind} device.")

    class autocast(autocast_mode.autocast):
        """torch.autocast for this device type; see torch.autocast.

        Args:
            enabled: False switches autocast off within the block. Default: True
            dtype: the smaller dtype. Default: float16 on a GPU, bfloat16 on the CPU
            cache_enabled: whether a parameter is cast once for the whole block. Default: True
        """

        def __init__(self, enabled=True, dtype=_TYPES[kind], cache_enabled=True):
            super().__init__(kind, dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)

    class GradScaler(grad_scaler.GradScaler):
        """torch.amp.GradScaler for this device type; see torch.amp.GradScaler for the arguments."""

        def __init__(self, init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
            super().__init__(kind, init_scale=init_scale, growth_factor=growth_factor, backoff_factor=backoff_factor,
                             growth_interval=growth_interval, enabled=enabled)

    module.autocast, module.GradScaler = autocast, GradScaler
    module.custom_fwd = functools.partial(autocast_mode.custom_fwd, device_type=kind)
    module.custom_bwd = functools.partial(autocast_mode.custom_bwd, device_type=kind)
    module.__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]
    if kind == "cuda":
        module.amp_definitely_not_available = lambda: not sys.modules[f"{name.rpartition('.')[0]}"].is_available()
    module.__path__ = []  # marks it as a package
    sys.modules[name] = module
    for old, names in (("autocast_mode", ("autocast", "custom_bwd", "custom_fwd")), ("grad_scaler", ("GradScaler", "OptState"))):
        part = types.ModuleType(f"{name}.{old}", f"The older module of {' and '.join(names)}.")
        for one in names:
            setattr(part, one, getattr(module, one, None) or getattr(grad_scaler, one))
        part.__all__ = list(names)
        setattr(module, old, part)
        sys.modules[part.__name__] = part
    return module
