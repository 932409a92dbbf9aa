# SPDX-License-Identifier: BSD-3-Clause
"""The `reduction` argument of losses: PyTorch's codes for it, and the deprecated `size_average` and `reduce`."""
import warnings

_KINDS = {"none": 0, "mean": 1, "elementwise_mean": 1, "sum": 2}


def get_enum(reduction):
    """Return the code of a reduction in the operators: 0 none, 1 mean, 2 sum.

    Args:
        reduction: "none", "mean", "sum", or "elementwise_mean", which is deprecated and warns.
            Anything else raises ValueError.
    """
    if reduction not in _KINDS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=2)
    return _KINDS[reduction]


def legacy_get_string(size_average, reduce, emit_warning=True):
    """Translate the deprecated `size_average` and `reduce` into a reduction.

    Args:
        size_average: False means "sum", True or None means "mean".
        reduce: False means "none" and wins over `size_average`; True or None changes nothing.
        emit_warning: whether to warn about the deprecation. Default: True.
    """
    average = size_average is None or size_average
    kind = "none" if reduce is not None and not reduce else "mean" if average else "sum"
    if emit_warning:
        warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{kind}' instead.", stacklevel=2)
    return kind


def legacy_get_enum(size_average, reduce, emit_warning=True):
    """Like `legacy_get_string`, but return the code of `get_enum`."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
