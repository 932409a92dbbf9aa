# SPDX-License-Identifier: BSD-3-Clause
"""Pruning: set some elements, or channels, of parameters to zero permanently.

A pruned parameter NAME becomes the parameter NAME_orig and the buffer NAME_mask; a hook multiplies both before each call and
stores the product as the attribute NAME. Pruning a parameter again prunes the elements that remain.
"""
from abc import ABC, abstractmethod
from collections.abc import Iterable
from numbers import Integral, Real

from ... import contiguous_format, kthvalue, ones_like, rand, rand_like, topk, zeros_like
from .convert_parameters import parameters_to_vector


class BasePruningMethod(ABC):
    """Base of pruning methods: the hook that applies a mask before each call.

    Derive from it, set PRUNING_TYPE to "unstructured", "structured" or "global" (which elements
    `compute_mask` gets to see when a tensor is pruned again), and define `compute_mask`.
    """

    _tensor_name = None

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t, default_mask):
        """Compute the new mask, with 0 for every element to prune; subclasses define it.

        Args:
            t: the tensor, or its importance scores.
            default_mask: the current mask.
        """

    def apply_mask(self, module):
        """Return the pruned tensor: the original times its mask.

        Args:
            module: the module that holds both.
        """
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        original = getattr(module, self._tensor_name + "_orig")
        return getattr(module, self._tensor_name + "_mask").to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prune a parameter of a module, in addition to earlier pruning, and return the hook.

        Args:
            module: the module.
            name: name of the parameter.
            args, kwargs: arguments of the class.
            importance_scores: a tensor of the same shape whose elements rank those of the
                parameter. Default: None, the parameter itself.
        """
        method = cls._joined(module, name, cls(*args, **kwargs))
        original = getattr(module, name)
        if importance_scores is not None and importance_scores.shape != original.shape:
            raise AssertionError(f"importance_scores should have the same shape as parameter {name} of {module}, got "
                                 f"{importance_scores.shape} vs {original.shape}")
        scores = original if importance_scores is None else importance_scores
        again = isinstance(method, PruningContainer)
        if again:
            mask = getattr(module, name + "_mask").detach().clone(memory_format=contiguous_format)
        else:
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            mask = ones_like(original)
        try:
            module.register_buffer(name + "_mask", method.compute_mask(scores, default_mask=mask))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if not again:
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
            raise
        return method

    @staticmethod
    def _joined(module, name, method):
        """Return the method itself, or a container of the earlier methods and this one."""
        method._tensor_name = name
        known = [key for key, hook in module._forward_pre_hooks.items()
                 if isinstance(hook, BasePruningMethod) and hook._tensor_name == name]
        if len(known) > 1:
            raise AssertionError(f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a "
                                 "PruningContainer.")
        if not known:
            return method
        old = module._forward_pre_hooks.pop(known[0])
        container = old if isinstance(old, PruningContainer) else PruningContainer(old)
        container.add_pruning_method(method)
        return container

    def prune(self, t, default_mask=None, importance_scores=None):
        """Prune a tensor that is not part of a module: return it times its mask.

        Args:
            t: the tensor.
            default_mask: a mask to start from. Default: None, ones.
            importance_scores: a tensor that ranks the elements. Default: None, `t`.
        """
        if importance_scores is not None and importance_scores.shape != t.shape:
            raise AssertionError(f"importance_scores should have the same shape as tensor t, got {importance_scores.shape} vs "
                                 f"{t.shape}")
        scores = t if importance_scores is None else importance_scores
        mask = ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=mask)

    def remove(self, module):
        """Convert the pruned tensor back to an ordinary parameter; the zeros stay.

        Args:
            module: the module.
        """
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters.pop(name + "_orig")
        original.data = weight.data
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several pruning methods applied to one tensor, in order.

    Pruning a parameter for the second time creates one.

    Args:
        args: the methods, all for the same parameter.
    """

    def __init__(self, *args):
        self._pruning_methods = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        """Add a method for the same parameter at the end.

        Args:
            method: a BasePruningMethod, or None. TypeError or ValueError for others.
        """
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to "
                             f"PruningContainer {self}. Found '{method._tensor_name}'")
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        """Return the mask after the last method, which sees only the elements that earlier masks kept.

        Args:
            t: the tensor.
            default_mask: the mask so far.
        """
        method = self._pruning_methods[-1]
        left = self._left_by(method, t, default_mask)
        mask = default_mask.to(dtype=t.dtype)
        mask[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(dtype=mask.dtype)
        return mask

    @staticmethod
    def _left_by(method, t, mask):
        """Return the index of the elements that a method may prune."""
        if method.PRUNING_TYPE == "unstructured":
            return mask == 1
        if method.PRUNING_TYPE == "global":
            return (slice(None),) * t.dim()
        if method.PRUNING_TYPE != "structured":
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        if not hasattr(method, "dim"):
            raise AttributeError('Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.')
        dim = method.dim + t.dim() if method.dim < 0 else method.dim
        if dim < 0:
            raise IndexError(f"Index is out of bounds for tensor with dimensions {t.dim()}")
        kept = mask.sum(dim=[d for d in range(t.dim()) if d != dim]) != 0
        return tuple(kept if d == dim else slice(None) for d in range(t.dim()))


# ---- methods ----

class Identity(BasePruningMethod):
    """Pruning method that prunes nothing but creates the mask."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        """Return the current mask, with 0 for the elements that this method prunes."""
        return default_mask

    @classmethod
    def apply(cls, module, name):
        """Prune a parameter of a module with this method and return the hook; the other arguments are those of the class."""
        return super().apply(module, name)


class _Unstructured(BasePruningMethod):
    """Base of methods that prune single elements; `_pick` selects them."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def compute_mask(self, t, default_mask):
        """The mask so far, with 0 for what this method prunes."""
        count = _compute_nparams_toprune(self.amount, t.nelement())
        _validate_pruning_amount(count, t.nelement())
        mask = default_mask.clone(memory_format=contiguous_format)
        if count != 0:
            mask.view(-1)[self._pick(t, count)] = 0
        return mask


class RandomUnstructured(_Unstructured):
    """Pruning method: random elements.

    Usually called as `random_unstructured`.

    Args:
        amount: how much to prune: an int is a number of elements, a float from 0 to 1 a fraction. For a
            parameter that is already pruned, it refers to the remaining elements.
    """

    @staticmethod
    def _pick(t, count):
        return topk(rand_like(t).view(-1), k=count).indices

    @classmethod
    def apply(cls, module, name, amount):
        """Prune a parameter of a module by this method and return the hook; `amount` and the like are those of the class."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(_Unstructured):
    """Pruning method: the elements of smallest magnitude.

    Usually called as `l1_unstructured`.

    Args:
        amount: how many to prune: an int is a number, a float from 0 to 1 a fraction. For a
            parameter that is pruned already, it counts what is left.
    """

    @staticmethod
    def _pick(t, count):
        return topk(t.abs().view(-1), k=count, largest=False).indices

    @classmethod
    def apply(cls, module, name, amount, importance_scores=None):
        """Prune a parameter of a module by this method and return the hook; `amount` and the like are those of the class."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class _Structured(BasePruningMethod):
    """Base of methods that prune whole channels, the slices of dimension `dim`."""

    PRUNING_TYPE = "structured"

    def _count(self, t):
        """Return the number of channels, and the number of channels to prune."""
        if t.dim() <= 1:
            raise ValueError("Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                             f"{t.shape} with {t.dim()} dims")
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        size = t.shape[self.dim]
        count = _compute_nparams_toprune(self.amount, size)
        _validate_pruning_amount(count, size)
        return size, count

    def _mask(self, t, default_mask, kept):
        mask, where = zeros_like(t), [slice(None)] * t.dim()
        where[self.dim] = kept
        mask[tuple(where)] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask


class RandomStructured(_Structured):
    """Pruning method: random channels.

    Usually called as `random_structured`.

    Args:
        amount: how many to prune: an int is a number, a float from 0 to 1 a fraction. For a
            parameter that is pruned already, it counts what is left.
        dim: dimension of the channels. Default: -1.
    """

    def __init__(self, amount, dim=-1):
        _validate_pruning_amount_init(amount)
        self.amount, self.dim = amount, dim

    def compute_mask(self, t, default_mask):
        """The mask so far, with 0 for what this method prunes."""
        size, count = self._count(t)
        if count == 0:
            return default_mask
        chance = rand(size)
        return self._mask(t, default_mask, chance > kthvalue(chance, k=count).values)

    @classmethod
    def apply(cls, module, name, amount, dim=-1):
        """Prune a parameter of a module by this method and return the hook; `amount` and the like are those of the class."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_Structured):
    """Pruning method: the channels of smallest norm.

    Usually called as `ln_structured`.

    Args:
        amount: how many to prune: an int is a number, a float from 0 to 1 a fraction. For a
            parameter that is pruned already, it counts what is left.
        n: exponent of the norm, or a name such as "fro".
        dim: dimension of the channels. Default: -1.
    """

    def __init__(self, amount, n, dim=-1):
        _validate_pruning_amount_init(amount)
        self.amount, self.n, self.dim = amount, n, dim

    def compute_mask(self, t, default_mask):
        """The mask so far, with 0 for what this method prunes."""
        size, count = self._count(t)
        kept = topk(_compute_norm(t, self.n, self.dim), k=size - count, largest=True).indices
        return default_mask if count == 0 else self._mask(t, default_mask, kept)

    @classmethod
    def apply(cls, module, name, amount, n, dim, importance_scores=None):
        """Prune a parameter of a module by this method and return the hook; `amount` and the like are those of the class."""
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """Pruning method: the elements where a given mask is 0.

    Usually called as `custom_from_mask`.

    Args:
        mask: a tensor of the parameter's shape.
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        """The mask so far, with 0 for what this method prunes."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}")
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module, name, mask):
        """Prune a parameter of a module by this method and return the hook; `amount` and the like are those of the class."""
        return super().apply(module, name, mask=mask)


# ---- as functions ----

def identity(module, name):
    """Give a parameter a mask of ones, as if it were pruned.

    A later pruning of the parameter then adds to this mask.

    Args:
        module: the module, which is changed and returned.
        name: name of the parameter.
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Prune random elements of a parameter.

    Args:
        module: the module, which is changed and returned.
        name: name of the parameter.
        amount: how many to prune: an int is a number, a float from 0 to 1 a fraction. For a
            parameter that is pruned already, it counts what is left.

    Example:
        >>> layer = nn.utils.prune.random_unstructured(nn.Linear(4, 2), "weight", amount=3)
        >>> (layer.weight == 0).sum()
        tensor(3)
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """Prune the elements of a parameter with the smallest magnitudes.

    Args:
        module: the module, which is changed and returned.
        name: name of the parameter.
        amount: how many to prune: an int is a number, a float from 0 to 1 a fraction. For a
            parameter that is pruned already, it counts what is left.
        importance_scores: a tensor of the same shape that ranks the elements instead. Default:
            None.

    Example:
        >>> layer = nn.Linear(4, 1, bias=False)
        >>> with torch.no_grad():
        ...     _ = layer.weight.copy_(torch.tensor([[0.1, -2., 3., -0.4]]))
        >>> nn.utils.prune.l1_unstructured(layer, "weight", amount=0.5).weight.tolist()
        [[0.0, -2.0, 3.0, -0.0]]
        >>> [name for name, _ in layer.named_parameters()], [name for name, _ in layer.named_buffers()]
        (['weight_orig'], ['weight_mask'])
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Prune random channels of a parameter.

    Args:
        module: the module, which is changed and returned.
        name: name of the parameter.
        amount: how many to prune: an int is a number, a float from 0 to 1 a fraction. For a
            parameter that is pruned already, it counts what is left.
        dim: dimension of the channels.

    Example:
        >>> layer = nn.utils.prune.random_structured(nn.Linear(4, 3), "weight", amount=1, dim=0)
        >>> (layer.weight == 0).all(1).sum()
        tensor(1)
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Prune the channels of a parameter with the smallest norms.

    Args:
        module: the module, which is changed and returned.
        name: name of the parameter.
        amount: how many to prune: an int is a number, a float from 0 to 1 a fraction. For a
            parameter that is pruned already, it counts what is left.
        n: exponent of the norm, or a name such as "fro".
        dim: dimension of the channels.
        importance_scores: a tensor of the same shape that ranks the elements instead. Default:
            None.

    Example:
        >>> layer = nn.Linear(2, 3, bias=False)
        >>> with torch.no_grad():
        ...     _ = layer.weight.copy_(torch.tensor([[1., 1.], [0.1, 0.2], [3., 0.]]))
        >>> nn.utils.prune.ln_structured(layer, "weight", amount=1, n=2, dim=0).weight.tolist()
        [[1.0, 1.0], [0.0, 0.0], [3.0, 0.0]]
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    """Prune the elements of a parameter where a given mask is 0.

    Args:
        module: the module, which is changed and returned.
        name: name of the parameter.
        mask: a tensor of the parameter's shape, of zeros and ones.

    Example:
        >>> layer = nn.Linear(3, 1, bias=False)
        >>> _ = nn.init.ones_(layer.weight)
        >>> nn.utils.prune.custom_from_mask(layer, "weight", torch.tensor([[1., 0., 1.]])).weight.tolist()
        [[1.0, 0.0, 1.0]]
    """
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prune elements of several parameters as if they were one tensor.

    Less important layers thus lose more elements, whereas `l1_unstructured` prunes the same share of each.

    Args:
        parameters: an iterable of pairs (module, name).
        pruning_method: a class with PRUNING_TYPE "unstructured", such as L1Unstructured; others
            raise TypeError.
        importance_scores: a dict from such pairs to tensors that rank the elements. Default: None.
        kwargs: arguments of the class, such as `amount`.

    Example:
        >>> a, b = nn.Linear(2, 1, bias=False), nn.Linear(2, 1, bias=False)
        >>> _ = nn.init.constant_(a.weight, 5.), nn.init.constant_(b.weight, 1.)
        >>> nn.utils.prune.global_unstructured([(a, "weight"), (b, "weight")], nn.utils.prune.L1Unstructured, amount=0.5)
        >>> a.weight.tolist(), b.weight.tolist()
        ([[5.0, 5.0]], [[0.0, 0.0]])
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    parameters = list(parameters)
    all_scores = parameters_to_vector([scores.get((module, name), getattr(module, name)) for module, name in parameters])
    all_masks = parameters_to_vector([getattr(module, name + "_mask", ones_like(getattr(module, name)))
                                      for module, name in parameters])
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError('Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
                        f"{pruning_method} of type {method.PRUNING_TYPE}")
    container.add_pruning_method(method)
    mask, start = container.compute_mask(all_scores, all_masks), 0
    for module, name in parameters:
        param = getattr(module, name)
        custom_from_mask(module, name, mask=mask[start:start + param.numel()].view_as(param))
        start += param.numel()


def remove(module, name):
    """Convert a pruned tensor back to an ordinary parameter; the zeros stay. Returns the module.

    Args:
        module: the module, which is changed and returned.
        name: name of the parameter; ValueError if it is not pruned.
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module):
    """Return whether any parameter of a module or its submodules is pruned.

    Args:
        module: the module.
    """
    return any(isinstance(hook, BasePruningMethod) for part in module.modules() for hook in part._forward_pre_hooks.values())


# ---- amounts ----

def _validate_pruning_amount_init(amount):
    """Raise TypeError or ValueError unless `amount` is a fraction or a number of elements."""
    if not isinstance(amount, Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or (not isinstance(amount, Integral) and amount > 1.0):
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def _validate_pruning_amount(amount, tensor_size):
    """Raise ValueError if there are fewer elements than should be pruned."""
    if isinstance(amount, Integral) and amount > tensor_size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={tensor_size}")


def _compute_nparams_toprune(amount, tensor_size):
    """Return the number of elements for `amount`."""
    return amount if isinstance(amount, Integral) else round(amount * tensor_size)


def _compute_norm(t, n, dim):
    """Return the norm of each slice of dimension `dim`."""
    from ...linalg import matrix_norm, vector_norm
    dims = [d for d in range(t.dim()) if d != dim % t.dim()]
    if n == "nuc" or (n == "fro" and len(dims) == 2):
        return matrix_norm(t, ord=n, dim=dims if len(dims) == 2 else (-2, -1))
    return vector_norm(t, ord=2 if n == "fro" else n, dim=dims)
