# SPDX-License-Identifier: BSD-3-Clause
"""Names of grids of processes, which cannot be made yet."""
from . import _refuse

__all__ = ["DeviceMesh", "init_device_mesh"]

init_device_mesh = _refuse("init_device_mesh", "torch.distributed.device_mesh: no mesh of processes can be made")


class DeviceMesh:
    """A grid of processes."""

    def __init__(self, *args, **kwargs):
        init_device_mesh()
