# SPDX-License-Identifier: BSD-3-Clause
"""torch.fx.annotate: type annotations for the tracer."""
__all__ = ["annotate"]


def annotate(val, type):
    """Returns the value unchanged; `type` is information for a tracer."""
    return val
