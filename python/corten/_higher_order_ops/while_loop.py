# SPDX-License-Identifier: BSD-3-Clause
"""while_loop: repeats a function while a condition holds."""
__all__ = ["while_loop"]


def while_loop(cond_fn, body_fn, carried_inputs):
    """Replaces the carried values by body_fn(*values) while cond_fn(*values) is true; returns them."""
    while cond_fn(*carried_inputs):
        carried_inputs = body_fn(*carried_inputs)
    return carried_inputs
