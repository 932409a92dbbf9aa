# SPDX-License-Identifier: BSD-3-Clause
"""Internals of DataLoader."""
import importlib.util

from . import collate, fetch, pin_memory, signal_handling, worker  # noqa: F401

HAS_NUMPY = importlib.util.find_spec("numpy") is not None

MP_STATUS_CHECK_INTERVAL = 5.0  # seconds; read by programs, Corten does not poll
python_exit_status = False
