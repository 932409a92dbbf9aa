# SPDX-License-Identifier: BSD-3-Clause
"""vmap: makes a function of a batch from a function of one example.

The function runs once for each example, and vmap stacks the results. Derivatives work, because autograd records slices and stacks.
vmap refuses operations that one run for the whole batch would treat differently: a write to a captured tensor would be repeated
for each example, and the caller must choose whether examples share random numbers (Note [Guards], src/core/guard.h).
"""
import functools
import threading
from typing import NamedTuple

from .. import _C, Tensor, stack
from ..autograd.function import Function, _SingleLevelFunction
from ..utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_leaves, tree_unflatten

__all__ = ["vmap"]

_DERIVE, _MAP = 1, 2  # enum ct_guard_kind
_FREE, _REFUSED, _SAME = 0, 1, 2  # enum ct_guard_draws
_DRAWS = {"error": _REFUSED, "different": _FREE, "same": _SAME}
_thread = threading.local()  # .maps: the VmapInfo of each vmap that runs here


class VmapInfo(NamedTuple):
    """The first argument of a Function's vmap: the number of examples, and the `randomness` argument of vmap."""
    batch_size: int
    randomness: str


class guarded:
    """A context that runs a function under a transform: it may write to its inputs, but not to captured tensors."""

    def __init__(self, inputs, kind=_DERIVE, draws=_FREE):
        self.inputs, self.kind, self.draws = [x for x in inputs if isinstance(x, Tensor)], kind, draws

    def __enter__(self):
        self.levels = []
        _C._guard_enter(self.kind, self.draws)
        try:
            for x in self.inputs:
                self.levels.append(_C._guard_admit(x))
        except BaseException:  # if the level outlived the call, the thread could draw no more numbers
            self.__exit__()
            raise

    def __exit__(self, *error):
        try:
            while self.levels:
                _C._guard_admit(self.inputs[len(self.levels) - 1], self.levels.pop())
        finally:
            _C._guard_exit()


# ---- which dims ----

def _name(func):
    return getattr(func, "__name__", repr(func))


def _place(in_dim, arg, func, in_dims):
    """Return the dim to map over, counted from 0, or None for a shared argument."""
    if in_dim is None:
        return None
    if not isinstance(in_dim, int):
        raise ValueError(f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={in_dim} for an input but in_dim must be "
                         "either an integer dimension or None.")
    if not isinstance(arg, Tensor):
        raise ValueError(f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={in_dim} for an input but the input is of "
                         f"type {type(arg)}. We cannot vmap over non-Tensor arguments, please use None as the respective in_dim")
    if not -arg.dim() <= in_dim < arg.dim():
        raise ValueError(f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={in_dim} for some input, but that input is a "
                         f"Tensor of dimensionality {arg.dim()} so expected in_dim to satisfy -{arg.dim()} <= in_dim < {arg.dim()}.")
    return in_dim % arg.dim()


def _places(func, in_dims, args):
    """Return (leaves of args, their structure, the mapped dim of each leaf, the number of examples)."""
    leaves, shape = tree_flatten(args)
    where = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(f"{where}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, got: "
                         f"{type(in_dims)}.")
    if not leaves:
        raise ValueError(f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over "
                         "a function with no inputs. The latter is unsupported.")
    flat = _broadcast_to_and_flatten(in_dims, shape, is_leaf=lambda x: x is None)
    if flat is None:
        raise ValueError(f"{where}: in_dims is not compatible with the structure of `inputs`. "
                         f"in_dims has structure {tree_flatten(in_dims)[1]} but inputs has structure {shape}.")
    flat = [_place(d, arg, func, in_dims) for d, arg in zip(flat, leaves)]
    sizes = [arg.size(d) for d, arg in zip(flat, leaves) if d is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if len(set(sizes)) > 1:
        raise ValueError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped "
                         "dimension")
    return leaves, shape, flat, sizes[0]


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """Return a function that applies func to every slice of its arguments along a dim, and stacks the results.

    vmap(f)(x) equals stack([f(row) for row in x]). Write f for one example and let vmap add the batch; with grad it gives
    gradients per example.

    Args:
        func: a function that returns tensors.
        in_dims: the dim of each argument that counts the examples: an int for all of them, or a tuple with an int or None
            per argument (nested like the arguments). None passes the whole argument to every example. Keyword arguments
            are never mapped. Default: 0
        out_dims: where the dim of examples goes in each result: an int, or a nest of ints. None returns a result once; it
            must be the same for all examples. Default: 0
        randomness: what random numbers in func do: raise an "error", be "different" or the "same" for all examples.
            Default: "error"
        chunk_size: accepted for compatibility: PyTorch computes that many examples at once, Corten one. Default: None

    func runs once per example in a Python loop, so this is convenient, not faster. Control flow that depends on values works. A
    write to a tensor that func captured raises RuntimeError.

        >>> x = torch.tensor([[1., 2.], [3., 4.]])
        >>> torch.vmap(torch.dot, in_dims=(0, None))(x, torch.tensor([10., 1.]))
        tensor([12., 34.])
        >>> per_example = torch.vmap(torch.func.grad(lambda w, row: (w * row).sum() ** 2), in_dims=(None, 0))
        >>> per_example(torch.tensor([1., 0.]), x)  # one gradient for each row
        tensor([[ 2.,  4.],
                [18., 24.]])
    """
    if randomness not in _DRAWS:
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        leaves, shape, flat, size = _places(func, in_dims, args)
        maps = _thread.__dict__.setdefault("maps", [])
        maps.append(VmapInfo(1, randomness))
        _watch(1)
        try:
            results = []
            with _Repeats(randomness) as repeats, guarded([x for x, d in zip(leaves, flat) if d is not None], _MAP, _DRAWS[randomness]):
                for i in range(max(size, 1)):
                    repeats.next()
                    parts = [x if d is None else x.select(d, i) if size else x.new_zeros(x.shape[:d] + x.shape[d + 1:])
                             for d, x in zip(flat, leaves)]
                    results.append(func(*tree_unflatten(parts, shape), **kwargs))
        finally:
            maps.pop()
            _watch(-1)
        return _together(results, out_dims, func, size)
    return wrapped


_running = [0]  # the number of running vmaps, in all threads


def _watch(more):
    """Make autograd.Functions call _by_rule while any vmap runs."""
    _running[0] += more
    _C._intercept_functions(_by_rule if _running[0] else None)


class _Repeats:
    """With randomness "same", resets the generators before each example."""

    def __init__(self, randomness):
        self.states, self.same = None, randomness == "same"

    def __enter__(self):
        return self

    def next(self):
        if not self.same:
            return
        from .. import cuda, get_rng_state, set_rng_state
        if self.states is None:
            self.states = get_rng_state(), cuda.get_rng_state_all() if cuda.is_available() else None
            return
        set_rng_state(self.states[0])
        if self.states[1] is not None:
            cuda.set_rng_state_all(self.states[1])
        _C._guard_repeat()

    def __exit__(self, *error):
        return None


def _together(results, out_dims, func, size):
    leaves, shape = tree_flatten(results[0])
    if not all(isinstance(d, int) or d is None for d in tree_leaves(out_dims, is_leaf=lambda x: x is None)):
        raise ValueError(f"vmap({_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python collection of ints "
                         "representing where in the outputs the vmapped dimension should appear.")
    dims = _broadcast_to_and_flatten(out_dims, shape, is_leaf=lambda x: x is None)
    if dims is None or any(isinstance(d, tuple) for d in dims):
        raise ValueError(f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
                         f"`outputs`. out_dims has structure {tree_flatten(out_dims)[1]} but outputs has structure {shape}.")
    for leaf, d in zip(leaves, dims):
        if not isinstance(leaf, Tensor) and d is not None:
            raise ValueError(f"vmap({_name(func)}, ...): `{_name(func)}` must only return Tensors, got type {type(leaf)}. Did you mean to "
                             "set out_dims= to None for output?")
    columns = zip(*(tree_flatten(r)[0] for r in results))
    return tree_unflatten([_shared(column, func) if d is None else _stacked(column, d, size) for column, d in zip(columns, dims)], shape)


def _stacked(column, d, size):
    together = stack(list(column), d)
    return together if size else together.narrow(d, 0, 0)


def _shared(column, func):
    """Return the value that every example returned; raise an error if they differ."""
    first = column[0]
    for other in column[1:]:
        if isinstance(first, Tensor) and first is not other and not (first.shape == other.shape and bool((first == other).all())):
            raise ValueError(f"vmap({_name(func)}, ...): `{_name(func)}` can not return a BatchedTensor when out_dim is None")
    return first


# ---- custom rules ----

_MORE = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"


def _by_rule(cls, args, kwargs):
    """Handle apply() of a Function: if a vmap is running, use the Function's own vmap rule."""
    if not getattr(_thread, "maps", None):
        return NotImplemented
    own = cls.vmap is not Function.vmap
    if getattr(cls, "_under_transforms", False):  # an internal Function, whose result does not depend on the example
        return NotImplemented
    if cls.setup_context is _SingleLevelFunction.setup_context:
        raise RuntimeError("In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must "
                           f"override the setup_context staticmethod. {_MORE}")
    if own and cls.generate_vmap_rule:
        raise RuntimeError(f"You tried to vmap over {cls.__name__}, but it has both generate_vmap_rule=True and an overridden vmap "
                           f"staticmethod. Please set generate_vmap_rule=False or delete the overridden vmap staticmethod to avoid "
                           f"ambiguity. {_MORE}")
    if not own and not cls.generate_vmap_rule:
        raise RuntimeError(f"You tried to vmap over {cls.__name__}, but it does not have vmap support. Please override and implement the "
                           f"vmap staticmethod or set generate_vmap_rule=True. {_MORE}")
    if not own or kwargs:
        return NotImplemented
    return apply_rule(cls.vmap, args, {})


def apply_rule(rule, args, kwargs):
    """Call rule(info, in_dims, *args) for the running example, as a batch of one.

    Returns NotImplemented if no argument is mapped, or if a derivative is taken inside the vmap: that uses the function's own
    backward.
    """
    maps = getattr(_thread, "maps", None)
    if not maps or _C._guard_kind() != _MAP:
        return NotImplemented
    leaves, shape = tree_flatten(args)
    inside = [isinstance(x, Tensor) and _C._guard_inside(x) for x in leaves]
    if not any(inside):
        return NotImplemented
    in_dims = tree_unflatten([0 if mapped else None for mapped in inside], shape)
    batch = tree_unflatten([x.unsqueeze(0) if mapped else x for x, mapped in zip(leaves, inside)], shape)
    info = maps.pop()
    try:
        answer = rule(info, in_dims, *batch, **kwargs)
    finally:
        maps.append(info)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise RuntimeError("Expected the vmap staticmethod to have two returns, an output and out_dims with pytree structure compatible "
                           f"with the output. Got a {type(answer)} instead")
    output, out_dims = answer
    outputs, out_shape = tree_flatten(output)
    dims = _broadcast_to_and_flatten(out_dims, out_shape, is_leaf=lambda x: x is None)
    if dims is None:
        raise RuntimeError("Expected the vmap staticmethod to return an output and out_dims with compatible pytree structure. Got "
                           f"out_dims with structure {tree_flatten(out_dims)[1]} and outputs with structure {out_shape}")
    return tree_unflatten([x if d is None or not isinstance(x, Tensor) else x.select(d, 0) for x, d in zip(outputs, dims)], out_shape)
