# SPDX-License-Identifier: BSD-3-Clause
"""Loaders notice by themselves that a worker has ended, so that these functions, which PyTorch's loaders call, have nothing to do."""
__all__ = []


def _set_worker_signal_handlers():
    """Faults in a worker end it, and its loader says so."""


def _set_SIGCHLD_handler():
    """The loader looks at its workers while it waits."""


def _set_worker_pids(loader_id, pids):
    """The loader knows its workers."""


def _remove_worker_pids(loader_id):
    """The loader forgets its workers."""


def _error_if_any_worker_fails():
    """The loader itself raises when one has failed."""
