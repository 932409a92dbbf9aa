# SPDX-License-Identifier: BSD-3-Clause
"""torch._C._functorch: questions about tensors that torch.func's transforms wrap. Here such tensors are plain ones."""
from .._missing import missing_function

_INSTEAD = "use torch.func.vmap; tensors in a mapped function are plain slices"
_add_batch_dim, _remove_batch_dim, _vmap_increment_nesting, _vmap_decrement_nesting, _grad_increment_nesting, _grad_decrement_nesting = (
    missing_function(f"torch._C._functorch.{name}", _INSTEAD)
    for name in ("_add_batch_dim", "_remove_batch_dim", "_vmap_increment_nesting", "_vmap_decrement_nesting", "_grad_increment_nesting",
                 "_grad_decrement_nesting"))


def is_batchedtensor(tensor):
    """Whether a tensor is a batch that looks like one example: none is."""
    return False


is_functorch_wrapped_tensor = is_gradtrackingtensor = is_functionaltensor = is_legacy_batchedtensor = is_batchedtensor


def get_unwrapped(tensor):
    """The tensor in a wrapped one."""
    raise RuntimeError("No wrappers present!")


def maybe_get_level(tensor):
    """The transform that wraps a tensor, -1 if none does."""
    return -1


maybe_get_bdim = maybe_get_level


def peek_interpreter_stack():
    """The innermost transform that wraps tensors, or None."""
    return None


maybe_current_level = peek_interpreter_stack
