# SPDX-License-Identifier: BSD-3-Clause
"""Device arguments of torch.accelerator."""
from .. import _C


def device_index(device):
    """Returns the index of a device given as an int, str or torch.device; the current one for None or a device without an index."""
    from . import current_accelerator, current_device_index
    if isinstance(device, int):
        return device
    device = _C.device(device) if isinstance(device, str) else device
    if device is None:
        return current_device_index()
    kind = current_accelerator()
    if kind is None:
        raise RuntimeError("Accelerator expected")
    if kind.type != device.type:
        raise ValueError(f"{device.type} doesn't match the current accelerator {kind}.")
    return current_device_index() if device.index is None else device.index
