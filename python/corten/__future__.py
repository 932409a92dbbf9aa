# SPDX-License-Identifier: BSD-3-Clause
"""torch.__future__: how `Module.to`, `half`, `cuda` and `load_state_dict` replace parameters.

Both switches are off, as in PyTorch, which may make one the default in a later version.
"""

__all__ = ["get_overwrite_module_params_on_conversion", "get_swap_module_params_on_conversion",
           "set_overwrite_module_params_on_conversion", "set_swap_module_params_on_conversion"]

_overwrite = _swap = False


def set_overwrite_module_params_on_conversion(value):
    """Sets whether conversions of a module create new Parameter objects (True) or replace the data of the old ones (False).

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
    """Returns the value of set_overwrite_module_params_on_conversion; initially False."""
    return _overwrite


def set_swap_module_params_on_conversion(value):
    """Sets whether conversions and `load_state_dict` use `torch.utils.swap_tensors`.

    Then a Parameter object stays the same even if its memory, class or device changes, so references to it in optimizers and
    other modules remain valid.

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
    """Returns the value of set_swap_module_params_on_conversion; initially False."""
    return _swap
