# SPDX-License-Identifier: BSD-3-Clause
"""Replacing tensors of modules by name."""
from ..._C import Tensor

__all__ = ["swap_tensor"]

_MISSING = object()


def swap_tensor(module, name, tensor, allow_missing=False):
    """Replace a parameter, buffer or attribute of a module with a tensor or None, and return the old value.

    Args:
        module: the module.
        name: its name, without dots.
        tensor: the replacement.
        allow_missing: whether the name may be new; otherwise AttributeError. Default: False.
    """
    from ..modules.module import Module
    if not isinstance(module, Module):
        raise TypeError(f"{module} is not an instance of torch.nn.Module")
    if tensor is not _MISSING and tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    if "." in name:
        raise KeyError('tensor name can\'t contain "."')
    if name == "":
        raise KeyError('tensor name can\'t be empty string ""')
    for held in (module._parameters, module._buffers):
        if name in held:
            before = held[name]
            if tensor is _MISSING:
                del held[name]
            else:
                held[name] = tensor
            return before
    before = getattr(module, name, _MISSING)
    if before is _MISSING and not allow_missing:
        raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
    if before is not _MISSING and before is not None and not isinstance(before, Tensor):
        raise TypeError(f"attribute `{name}`: {before} is not an instance of torch.Tensor")
    if tensor is not _MISSING:
        setattr(module, name, tensor)
    elif before is not _MISSING:
        delattr(module, name)
    return before
