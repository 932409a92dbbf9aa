# SPDX-License-Identifier: BSD-3-Clause
"""Spectral normalisation with a hook, the older form of nn.utils.parametrizations.spectral_norm."""
from ... import contiguous_format, dot, mv, no_grad
from .. import functional as F
from ..modules import conv
from ..parameter import Parameter, UninitializedParameter

__all__ = ["SpectralNorm", "SpectralNormLoadStateDictPreHook", "SpectralNormStateDictHook", "remove_spectral_norm",
           "spectral_norm"]


class SpectralNorm:
    """The hook behind `spectral_norm`: divides a weight by its largest singular value before each call.

    The module keeps NAME_orig, the parameter, and NAME_u and NAME_v, approximate singular vectors.

    Args:
        name, n_power_iterations, dim, eps: as for `spectral_norm`.
    """

    _version = 1

    def __init__(self, name="weight", n_power_iterations=1, dim=0, eps=1e-12):
        if n_power_iterations <= 0:
            raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}")
        self.name, self.dim, self.n_power_iterations, self.eps = name, dim, n_power_iterations, eps

    def reshape_weight_to_matrix(self, weight):
        """Return the weight as a matrix with one row for each index along `dim`."""
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module, do_power_iteration):
        """Return the normalised weight; with do_power_iteration, improve the singular vectors first."""
        weight, u, v = (getattr(module, self.name + part) for part in ("_orig", "_u", "_v"))
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v = F.normalize(mv(matrix.t(), u), dim=0, eps=self.eps, out=v)
                    u = F.normalize(mv(matrix, v), dim=0, eps=self.eps, out=u)
                u, v = u.clone(memory_format=contiguous_format), v.clone(memory_format=contiguous_format)
        return weight / dot(u, mv(matrix, v))

    def remove(self, module):
        """Convert the current weight back to an ordinary parameter."""
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for part in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + part)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    def _solve_v_and_rescale(self, weight_mat, u, target_sigma):
        """Compute the vector v, missing from old state dicts, from u and the largest singular value."""
        from ...linalg import multi_dot
        v = multi_dot([weight_mat.t().mm(weight_mat).pinverse(), weight_mat.t(), u.unsqueeze(1)]).squeeze(1)
        return v.mul_(target_sigma / dot(u, mv(weight_mat, v)))

    @staticmethod
    def apply(module, name, n_power_iterations, dim, eps):
        """Attach the hook to a module and return it; RuntimeError if the parameter has one already."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        hook, weight = SpectralNorm(name, n_power_iterations, dim, eps), module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if isinstance(weight, UninitializedParameter):
            raise ValueError("The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run the dummy "
                             "forward before applying spectral normalization")
        with no_grad():
            u, v = (F.normalize(weight.new_empty(n).normal_(0, 1), dim=0, eps=eps)
                    for n in hook.reshape_weight_to_matrix(weight).size())
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)  # makes the attribute available before the first call
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(hook)
        module._register_state_dict_hook(SpectralNormStateDictHook(hook))
        module._register_load_state_dict_pre_hook(SpectralNormLoadStateDictPreHook(hook))
        return hook


class SpectralNormLoadStateDictPreHook:
    """Load hook: compute `v`, which state dicts before version 1 did not contain."""

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        fn, key = self.fn, prefix + self.fn.name
        version = local_metadata.get("spectral_norm", {}).get(fn.name + ".version")
        if version is not None and version >= 1:
            return
        whole = all(key + part in state_dict for part in ("_orig", "_u", "_v")) and key not in state_dict
        if version is None and whole:
            return  # saved without metadata
        missing = [key + part for part in ("_orig", "", "_u") if key + part not in state_dict]
        if missing:
            missing_keys.extend(missing if strict else [])
            return
        with no_grad():
            original = state_dict[key + "_orig"]
            sigma = (original / state_dict.pop(key)).mean()
            matrix = fn.reshape_weight_to_matrix(original)
            state_dict[key + "_v"] = fn._solve_v_and_rescale(matrix, state_dict[key + "_u"], sigma)


class SpectralNormStateDictHook:
    """Save hook: store the version in the metadata."""

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, module, state_dict, prefix, local_metadata):
        noted, key = local_metadata.setdefault("spectral_norm", {}), self.fn.name + ".version"
        if key in noted:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        noted[key] = self.fn._version


def _usual_dim(module):
    """Return the dimension of the outputs: 0, or 1 for transposed convolutions."""
    return int(isinstance(module, (conv.ConvTranspose1d, conv.ConvTranspose2d, conv.ConvTranspose3d)))


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divide a parameter by its largest singular value before each call (Miyato et al., 2018).

    Prefer nn.utils.parametrizations.spectral_norm; this older form uses a hook and stores the
    parameter as NAME_orig. In training each call makes `n_power_iterations` steps of the power
    method.

    Args:
        module: the module, which is changed and returned.
        name: name of its parameter. Default: "weight".
        n_power_iterations: steps in each call while training. Default: 1.
        eps: keeps vectors from being divided by zero. Default: 1e-12.
        dim: dimension of the outputs. Default: None, which means 1 for transposed convolutions and 0 otherwise.

    Example:
        >>> layer = nn.utils.spectral_norm(nn.Linear(4, 3))
        >>> [name for name, _ in layer.named_parameters()], [name for name, _ in layer.named_buffers()]
        (['bias', 'weight_orig'], ['weight_u', 'weight_v'])
    """
    SpectralNorm.apply(module, name, n_power_iterations, _usual_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module, name="weight"):
    """Undo `spectral_norm`: the normalised weight becomes an ordinary parameter. Returns the module.

    Args:
        module: the module; ValueError if it is not normalised.
        name: name of the parameter. Default: "weight".
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            break
    else:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    for hooks, kind in ((module._state_dict_hooks, SpectralNormStateDictHook),
                        (module._load_state_dict_pre_hooks, SpectralNormLoadStateDictPreHook)):
        for key, hook in list(hooks.items()):
            hook = getattr(hook, "hook", hook)
            if isinstance(hook, kind) and hook.fn.name == name:
                del hooks[key]
                break
    return module
