# SPDX-License-Identifier: BSD-3-Clause
"""vmap: a function of one example as a function of a batch. The function runs once for each, and the results are stacked, which is
right for every function; derivatives go through, since slices and stacks are recorded."""
import functools

from .. import Tensor, stack
from ..utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_unflatten

__all__ = ["vmap"]


def _name(func):
    return getattr(func, "__name__", repr(func))


def _place(in_dim, arg, func, in_dims):
    """The dim to map over, from 0 on; None: the argument is shared."""
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


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """func over a dim of its arguments; results are stacked along out_dims."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        leaves, shape = tree_flatten(args)
        if not args:
            raise ValueError(f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over "
                             "a function with no inputs. The latter is unsupported.")
        dims = in_dims if not isinstance(in_dims, list) else tuple(in_dims)
        flat = _broadcast_to_and_flatten(dims, shape, is_leaf=lambda x: x is None)
        if flat is None:
            raise ValueError(f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure of inputs. "
                             f"in_dims has structure {tree_flatten(in_dims)[1]} but inputs has structure {shape}.")
        flat = [_place(d, arg, func, in_dims) for d, arg in zip(flat, leaves)]
        named = {k: (0 if isinstance(v, Tensor) else None) for k, v in kwargs.items()}
        sizes = {arg.size(d) for d, arg in zip(flat, leaves) if d is not None} | {v.size(0) for k, v in kwargs.items() if named[k] == 0}
        if not sizes:
            raise ValueError(f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): at least one input must be mapped over")
        if len(sizes) > 1:
            raise ValueError("vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                             f"{[arg.size(d) for d, arg in zip(flat, leaves) if d is not None]} for the mapped dimension")
        results = []
        for i in range(sizes.pop()):
            _draw(randomness, i)
            parts = [arg if d is None else arg.select(d, i) for d, arg in zip(flat, leaves)]
            more = {k: v.select(0, i) if named[k] == 0 else v for k, v in kwargs.items()}
            results.append(func(*tree_unflatten(parts, shape), **more))
        return _together(results, out_dims, func)
    return wrapped


_state = []


def _draw(randomness, i):
    """With randomness "same" every example sees the same random numbers."""
    if randomness != "same":
        return
    from .. import get_rng_state, set_rng_state
    if i == 0:
        _state[:] = [get_rng_state()]
    else:
        set_rng_state(_state[0])


def _together(results, out_dims, func):
    leaves, shape = tree_flatten(results[0])
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise ValueError(f"vmap({_name(func)}, ...): `{_name(func)}` must only return Tensors, got type {type(leaf)}. Did you mean to set "
                             "out_dims= to None for output?")
    dims = _broadcast_to_and_flatten(out_dims, shape, is_leaf=lambda x: x is None)
    if dims is None:
        raise ValueError(f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of outputs. "
                         f"out_dims has structure {tree_flatten(out_dims)[1]} but outputs has structure {shape}.")
    columns = zip(*(tree_flatten(r)[0] for r in results))
    return tree_unflatten([column[0] if d is None else stack(list(column), d) for column, d in zip(columns, dims)], shape)
