# SPDX-License-Identifier: BSD-3-Clause
"""Loggers of the launcher."""
import inspect
import logging
import os

from .log_level import get_log_level

__all__ = ["get_logger"]


def get_logger(name=None):
    """Returns a logger that writes to stderr at the level in LOGLEVEL; `name` defaults to the caller's module."""
    if name is None:
        name = inspect.currentframe().f_back.f_globals.get("__name__", "torch.distributed.elastic")
    logger = logging.getLogger(name)
    logger.setLevel(os.environ.get("LOGLEVEL", get_log_level()))
    return logger
