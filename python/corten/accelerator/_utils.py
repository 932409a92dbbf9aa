# SPDX-License-Identifier: BSD-3-Clause
"""Which GPU the functions of torch.accelerator mean."""
from .. import _C


def device_index(device):
    """The number of a device given as a number, text or torch.device; of None or a kind alone, that of the current one."""
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
