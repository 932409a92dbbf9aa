# SPDX-License-Identifier: BSD-3-Clause
"""Function transforms: derivatives, vmap, and modules as functions of their parameters."""
from .derivatives import functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp
from .modules import debug_unwrap, functional_call, rearrange, replace_all_batch_norm_modules_, stack_module_state
from .vmap import vmap

__all__ = ["debug_unwrap", "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize",
           "rearrange", "replace_all_batch_norm_modules_", "stack_module_state", "vjp", "vmap"]


from .._parts import parts_of  # noqa: E402

__getattr__ = parts_of(__name__)
