# SPDX-License-Identifier: BSD-3-Clause
"""Parts of the loader."""
from . import collate, fetch, pin_memory, worker

MP_STATUS_CHECK_INTERVAL = 5.0  # seconds after which a queue that says nothing is looked at
python_exit_status = False
