# SPDX-License-Identifier: BSD-3-Clause
"""torch._C._functorch: queries about the wrapper tensors of torch.func transforms, which Corten does not use."""
from .._missing import missing_function

_INSTEAD = "use torch.func.vmap; tensors in a mapped function are plain slices"
_add_batch_dim, _remove_batch_dim, _vmap_increment_nesting, _vmap_decrement_nesting, _grad_increment_nesting, _grad_decrement_nesting = (
    missing_function(f"torch._C._functorch.{name}", _INSTEAD)
    for name in ("_add_batch_dim", "_remove_batch_dim", "_vmap_increment_nesting", "_vmap_decrement_nesting", "_grad_increment_nesting",
                 "_grad_decrement_nesting"))


def is_batchedtensor(tensor):
    """Returns False: there are no wrapper tensors for batches."""
    return False


is_functorch_wrapped_tensor = is_gradtrackingtensor = is_functionaltensor = is_legacy_batchedtensor = is_batchedtensor


def get_unwrapped(tensor):
    """Raises RuntimeError: there are no wrapper tensors."""
    raise RuntimeError("No wrappers present!")


def maybe_get_level(tensor):
    """Returns -1: no transform wraps a tensor."""
    return -1


maybe_get_bdim = maybe_get_level


def peek_interpreter_stack():
    """Returns None: there is no stack of interpreters."""
    return None


maybe_current_level = peek_interpreter_stack
