# SPDX-License-Identifier: BSD-3-Clause
"""torch._functorch.vmap: helpers of vmap that libraries call for their own containers."""
import functools

from .._C import Tensor  # noqa: F401
from .._c_parts._functorch import _add_batch_dim, is_batchedtensor  # noqa: F401
from .._missing import missing_function
from ..func import vmap  # noqa: F401
from ..utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_map_, tree_unflatten  # noqa: F401

in_dims_t = out_dims_t = int | tuple | None
_INSTEAD = "use torch.func.vmap; the results of the examples are stacked"
_maybe_remove_batch_dim, _unwrap_batched, _create_batched_inputs, _process_batched_inputs = (
    missing_function(f"torch._functorch.vmap.{name}", _INSTEAD)
    for name in ("_maybe_remove_batch_dim", "_unwrap_batched", "_create_batched_inputs", "_process_batched_inputs"))


def _get_name(func):
    """Returns the name of a function for error texts."""
    if hasattr(func, "__name__"):
        return func.__name__
    return f"functools.partial({_get_name(func.func)}, ...)" if isinstance(func, functools.partial) else repr(func)


def _validate_and_get_batch_size(flat_in_dims, flat_args):
    """Returns the batch size; raises ValueError unless all mapped tensors agree on it."""
    sizes = [arg.size(dim) for dim, arg in zip(flat_in_dims, flat_args) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped "
                         "dimension")
    return sizes[0]
