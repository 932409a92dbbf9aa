# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.annotate: says the type of a value to a tracer."""
__all__ = ["annotate"]


def annotate(val, type):
    """The value itself; `type` is for tracers, of which there are none."""
    return val
