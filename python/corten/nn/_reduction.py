# SPDX-License-Identifier: BSD-3-Clause
"""What becomes of the losses of a batch: PyTorch's numbers for it, and the old way to say it."""
import warnings

_KINDS = {"none": 0, "mean": 1, "elementwise_mean": 1, "sum": 2}


def get_enum(reduction):
    """The number of a reduction."""
    if reduction not in _KINDS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=2)
    return _KINDS[reduction]


def legacy_get_string(size_average, reduce, emit_warning=True):
    """The reduction that the arguments `size_average` and `reduce` of old programs mean."""
    average = size_average is None or size_average
    kind = "none" if reduce is not None and not reduce else "mean" if average else "sum"
    if emit_warning:
        warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{kind}' instead.", stacklevel=2)
    return kind


def legacy_get_enum(size_average, reduce, emit_warning=True):
    """The same as a number."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
