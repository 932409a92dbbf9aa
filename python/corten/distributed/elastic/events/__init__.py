# SPDX-License-Identifier: BSD-3-Clause
"""Events: record(event, "console") writes an event to stderr as JSON. Corten's launcher records none itself."""
import logging
import os
import socket
import sys
import traceback

from ...._parts import parts_of
from .api import Event, EventMetadataValue, EventSource, NodeState, RdzvEvent
from .handlers import get_logging_handler

__all__ = ["Event", "EventMetadataValue", "EventSource", "NodeState", "RdzvEvent", "construct_and_record_rdzv_event",
           "get_logging_handler", "record", "record_rdzv_event"]

_loggers = {}


def _logger(destination):
    if destination not in _loggers:
        logger = _loggers[destination] = logging.getLogger(f"torchelastic-events-{destination}")
        logger.setLevel(os.environ.get("LOGLEVEL", "INFO"))
        logger.propagate = False
        logger.addHandler(get_logging_handler(destination))
    return _loggers[destination]


def record(event, destination="null"):
    """Sends an event to the named handler."""
    _logger(destination).info(event.serialize())


def record_rdzv_event(event):
    """Sends an event to the handler "dynamic_rendezvous", which drops it unless the program installs another."""
    _logger("dynamic_rendezvous").info(event.serialize())


def construct_and_record_rdzv_event(run_id, message, node_state, name="", hostname="", pid=None, master_endpoint="", local_id=None,
                                    rank=None):
    """Builds a rendezvous event with the caller, host name and process id, and records it."""
    if isinstance(get_logging_handler("dynamic_rendezvous"), logging.NullHandler):
        return
    caller = sys._getframe(1).f_code
    trace = traceback.format_exc() if node_state == NodeState.FAILED else ""
    record_rdzv_event(RdzvEvent(f"{os.path.basename(caller.co_filename)}:{name or caller.co_name}", run_id, message,
                                hostname or socket.getfqdn(), pid or os.getpid(), node_state, master_endpoint, rank, local_id, trace))


__getattr__ = parts_of(__name__)
