# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.device_mesh: n-dimensional grids of ranks.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from .._missing import missing_class, missing_function

__all__ = ["DeviceMesh", "init_device_mesh"]

_INSTEAD = "make the groups of rows and columns with torch.distributed.new_subgroups_by_enumeration"
DeviceMesh = missing_class("torch.distributed.device_mesh.DeviceMesh", _INSTEAD)
init_device_mesh = missing_function("torch.distributed.device_mesh.init_device_mesh", _INSTEAD)
