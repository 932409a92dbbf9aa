# SPDX-License-Identifier: BSD-3-Clause
"""Weight normalisation with a hook, the deprecated form of nn.utils.parametrizations.weight_norm."""
import warnings

from ... import norm_except_dim
from ..parameter import Parameter, UninitializedParameter

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]


def _weight_norm(v, g, dim=0):
    """Return the tensor with the direction of v and the lengths g."""
    return v * (g / norm_except_dim(v, 2, dim))


class WeightNorm:
    """The hook behind `weight_norm`: computes a weight from its length NAME_g and direction NAME_v before each call.

    Args:
        name, dim: as for `weight_norm`.
    """

    def __init__(self, name, dim):
        self.name, self.dim = name, -1 if dim is None else dim

    def compute_weight(self, module):
        """Compute the weight from its length and direction."""
        return _weight_norm(getattr(module, self.name + "_v"), getattr(module, self.name + "_g"), self.dim)

    @staticmethod
    def apply(module, name, dim):
        """Attach the hook to a module and return it; warns that this form is deprecated."""
        warnings.warn("`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
                      FutureWarning, stacklevel=3)
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
        hook, weight = WeightNorm(name, dim), getattr(module, name)
        if isinstance(weight, UninitializedParameter):
            raise ValueError("The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy "
                             "forward before applying weight normalization")
        del module._parameters[name]
        module.register_parameter(name + "_g", Parameter(norm_except_dim(weight, 2, hook.dim).data))
        module.register_parameter(name + "_v", Parameter(weight.data))
        setattr(module, name, hook.compute_weight(module))
        module.register_forward_pre_hook(hook)
        return hook

    def remove(self, module):
        """Make the current weight an ordinary parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + "_g"], module._parameters[self.name + "_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module, name="weight", dim=0):
    """Separate the length of a weight from its direction (Salimans and Kingma, 2016).

        weight = g * v / norm(v)

    Deprecated: it warns; use nn.utils.parametrizations.weight_norm. g and v become the parameters
    NAME_g and NAME_v.

    Args:
        module: the module, which is changed and returned.
        name: name of its parameter. Default: "weight".
        dim: the dimension whose indices have separate lengths; None uses one length for the whole weight.
            Default: 0.
    """
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module, name="weight"):
    """Undo `weight_norm`: the weight becomes an ordinary parameter. Returns the module.

    Args:
        module: the module; ValueError if it is not normalised.
        name: name of the parameter. Default: "weight".
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
