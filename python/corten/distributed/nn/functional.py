# SPDX-License-Identifier: BSD-3-Clause
"""Each of these needs a group of processes and says so."""
from .. import _refuse

__all__ = ["all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "gather", "reduce", "reduce_scatter", "scatter"]
globals().update({name: _refuse(name, "Default process group has not been initialized, please make sure to call init_process_group.")
                  for name in __all__})
