# SPDX-License-Identifier: BSD-3-Clause
"""Where events go: logging handlers by name. Programs may add theirs to `_log_handlers`."""
import logging

__all__ = ["get_logging_handler"]

_log_handlers = {"console": logging.StreamHandler(), "dynamic_rendezvous": logging.NullHandler(), "null": logging.NullHandler()}


def get_logging_handler(destination="null"):
    """The handler of a name: "null", which forgets, "console", which writes to stderr."""
    return _log_handlers[destination]
