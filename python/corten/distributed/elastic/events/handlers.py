# SPDX-License-Identifier: BSD-3-Clause
"""Logging handlers for events, by name. Programs may add handlers to `_log_handlers`."""
import logging

__all__ = ["get_logging_handler"]

_log_handlers = {"console": logging.StreamHandler(), "dynamic_rendezvous": logging.NullHandler(), "null": logging.NullHandler()}


def get_logging_handler(destination="null"):
    """Returns the handler with this name: "null" drops events, "console" writes them to stderr."""
    return _log_handlers[destination]
