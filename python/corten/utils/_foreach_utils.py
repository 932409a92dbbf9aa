# SPDX-License-Identifier: BSD-3-Clause
"""Grouping of tensors for torch._foreach_... calls: one call handles tensors of one device and dtype."""

__all__ = []


def _get_foreach_kernels_supported_devices():
    """Returns the device types other than CPU with multi-tensor kernels."""
    return ["cuda", "xpu", "mtia", "privateuseone"]


def _get_fused_kernels_supported_devices():
    """Returns the device types with fused optimizer kernels."""
    return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


def _device_has_foreach_support(device):
    return device.type in (*_get_foreach_kernels_supported_devices(), "cpu")


def _has_foreach_support(tensors, device):
    from .._C import Tensor
    return _device_has_foreach_support(device) and all(t is None or type(t) is Tensor for t in tensors)


def _group_tensors_by_device_and_dtype(tensorlistlist, with_indices=False):
    """Groups lists of tensors by the device and dtype of the first list's tensors.

    Returns {(device, dtype): (the sublists of these tensors, their indices)}. Every list is as long as the first, or empty;
    entries may be None. Without `with_indices` the indices are empty.
    """
    first, groups = tensorlistlist[0], {}
    for i, tensor in enumerate(first):
        lists, places = groups.setdefault((tensor.device, tensor.dtype), ([[] for _ in tensorlistlist], []))
        for target, source in zip(lists, tensorlistlist):
            if source:
                target.append(source[i])
        if with_indices:
            places.append(i)
    return groups
