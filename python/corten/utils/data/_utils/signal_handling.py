# SPDX-License-Identifier: BSD-3-Clause
"""Functions with which PyTorch's loaders notice that a worker died; empty, since Corten's loader watches its workers itself."""
__all__ = []


def _set_worker_signal_handlers():
    """Do nothing: a fault ends the worker, and its loader reports it."""


def _set_SIGCHLD_handler():
    """Do nothing: the loader watches its workers while it waits."""


def _set_worker_pids(loader_id, pids):
    """Do nothing: the loader knows its workers."""


def _remove_worker_pids(loader_id):
    """Do nothing: the loader forgets its workers by itself."""


def _error_if_any_worker_fails():
    """Do nothing: the loader raises if a worker fails."""
