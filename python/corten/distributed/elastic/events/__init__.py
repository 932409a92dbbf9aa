# SPDX-License-Identifier: BSD-3-Clause
"""Events of programs: record(event, "console") writes one to stderr as JSON. Corten's launcher records none itself."""
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
    """Gives an event to the handler of a name."""
    _logger(destination).info(event.serialize())


def record_rdzv_event(event):
    """Gives an event to the handler "dynamic_rendezvous", which forgets it unless a program has set another."""
    _logger("dynamic_rendezvous").info(event.serialize())


def construct_and_record_rdzv_event(run_id, message, node_state, name="", hostname="", pid=None, master_endpoint="", local_id=None,
                                    rank=None):
    """record_rdzv_event of an event that names the caller, this machine and this process."""
    if isinstance(get_logging_handler("dynamic_rendezvous"), logging.NullHandler):
        return
    caller = sys._getframe(1).f_code
    trace = traceback.format_exc() if node_state == NodeState.FAILED else ""
    record_rdzv_event(RdzvEvent(f"{os.path.basename(caller.co_filename)}:{name or caller.co_name}", run_id, message,
                                hostname or socket.getfqdn(), pid or os.getpid(), node_state, master_endpoint, rank, local_id, trace))


__getattr__ = parts_of(__name__)
