# SPDX-License-Identifier: BSD-3-Clause
"""skip_init: modules without initial values."""
from ..modules.module import Module

__all__ = ["skip_init"]


def skip_init(module_cls, *args, **kwargs):
    """Create a module whose parameters have memory but undefined values.

    This saves the time of drawing random numbers for large layers whose values are then loaded from a
    file.

    Args:
        module_cls: the class, which must take a `device` argument, otherwise RuntimeError.
        args, kwargs: arguments of its constructor; `device` is the device of the parameters.
            Default: the CPU.

    Example:
        >>> layer = nn.utils.skip_init(nn.Linear, 5, 2)
        >>> layer.weight.shape
        torch.Size([2, 5])
    """
    import inspect
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    device = kwargs.pop("device", "cpu")
    return module_cls(*args, **kwargs, device="meta").to_empty(device=device)
