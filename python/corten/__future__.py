# SPDX-License-Identifier: BSD-3-Clause
"""torch.__future__: how `Module.to`, `half`, `cuda` and `load_state_dict` exchange parameters; two switches of PyTorch that may
become the default one day."""

__all__ = ["get_overwrite_module_params_on_conversion", "get_swap_module_params_on_conversion",
           "set_overwrite_module_params_on_conversion", "set_swap_module_params_on_conversion"]

_overwrite = _swap = False


def set_overwrite_module_params_on_conversion(value):
    """Whether conversions of a module put new Parameter objects into it (True) or new memory into the old ones (False).

        >>> net = torch.nn.Linear(2, 2)
        >>> before = net.weight
        >>> torch.__future__.set_overwrite_module_params_on_conversion(True)
        >>> net.double().weight is before
        False
        >>> torch.__future__.set_overwrite_module_params_on_conversion(False)
    """
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion():
    """What set_overwrite_module_params_on_conversion was given last; False at first."""
    return _overwrite


def set_swap_module_params_on_conversion(value):
    """Whether conversions and `load_state_dict` use `torch.utils.swap_tensors`: Parameter objects stay the same whatever
    becomes of their memory, their class or their device, so that optimizers and other modules keep them.

        >>> net = torch.nn.Linear(2, 2)
        >>> before = net.weight
        >>> torch.__future__.set_swap_module_params_on_conversion(True)
        >>> net.double().weight is before
        True
        >>> torch.__future__.set_swap_module_params_on_conversion(False)
    """
    global _swap
    _swap = value


def get_swap_module_params_on_conversion():
    """What set_swap_module_params_on_conversion was given last; False at first."""
    return _swap
