# SPDX-License-Identifier: BSD-3-Clause
"""Which tensors go together in one call of torch._foreach_...: those of a device and a type."""

__all__ = []


def _get_foreach_kernels_supported_devices():
    """Kinds of devices other than the CPU that have kernels for lists of tensors."""
    return ["cuda", "xpu", "mtia", "privateuseone"]


def _get_fused_kernels_supported_devices():
    """Kinds of devices that have kernels for whole steps of optimizers."""
    return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


def _device_has_foreach_support(device):
    return device.type in (*_get_foreach_kernels_supported_devices(), "cpu")


def _has_foreach_support(tensors, device):
    from .._C import Tensor
    return _device_has_foreach_support(device) and all(t is None or type(t) is Tensor for t in tensors)


def _group_tensors_by_device_and_dtype(tensorlistlist, with_indices=False):
    """{(device, dtype): (the lists with the tensors of these, their places)}; the first list says what each place is.

    Lists are as long as the first, or empty; their tensors may be None. Without with_indices the places are left out.
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
