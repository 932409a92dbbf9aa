# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.device_mesh: grids of processes. Corten does not have this; each name says what to use instead."""
from .._missing import missing_class, missing_function

__all__ = ["DeviceMesh", "init_device_mesh"]

_INSTEAD = "make the groups of rows and columns with torch.distributed.new_subgroups_by_enumeration"
DeviceMesh = missing_class("torch.distributed.device_mesh.DeviceMesh", _INSTEAD)
init_device_mesh = missing_function("torch.distributed.device_mesh.init_device_mesh", _INSTEAD)
