# SPDX-License-Identifier: BSD-3-Clause
"""Parts of the loader."""
import importlib.util

from . import collate, fetch, pin_memory, signal_handling, worker  # noqa: F401

HAS_NUMPY = importlib.util.find_spec("numpy") is not None

MP_STATUS_CHECK_INTERVAL = 5.0  # seconds after which a queue that says nothing is looked at
python_exit_status = False
