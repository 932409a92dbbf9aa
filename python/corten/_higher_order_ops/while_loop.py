# SPDX-License-Identifier: BSD-3-Clause
"""A loop."""
__all__ = ["while_loop"]


def while_loop(cond_fn, body_fn, carried_inputs):
    """body_fn of what it gave before, as long as cond_fn of it holds."""
    while cond_fn(*carried_inputs):
        carried_inputs = body_fn(*carried_inputs)
    return carried_inputs
