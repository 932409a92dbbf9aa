# SPDX-License-Identifier: BSD-3-Clause
"""Event records of workers and launchers."""
import enum
import json
from dataclasses import asdict, dataclass, field
from typing import Any, Dict, Optional, Union

__all__ = ["Event", "EventMetadataValue", "EventSource", "NodeState", "RdzvEvent"]

EventMetadataValue = Union[str, int, float, bool, None]


class EventSource(str, enum.Enum):
    """Whether a worker or the launcher's agent reports the event."""
    AGENT = "AGENT"
    WORKER = "WORKER"


class NodeState(str, enum.Enum):
    """State of a node during rendezvous."""
    INIT = "INIT"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


@dataclass
class Event:
    """An event of a worker or launcher; str() gives its JSON."""
    name: str
    source: EventSource
    timestamp: int = 0
    metadata: Dict[str, Any] = field(default_factory=dict)

    def __str__(self):
        return self.serialize()

    @staticmethod
    def deserialize(data: Union[str, "Event"]):
        """Parses an event from JSON."""
        if isinstance(data, Event):
            return data
        values = json.loads(data)
        values["source"] = EventSource[values["source"]]
        return Event(**values)

    def serialize(self):
        """Returns the event as JSON."""
        return json.dumps(asdict(self))


@dataclass
class RdzvEvent:
    """An event of the rendezvous of launchers; str() gives its JSON."""
    name: str
    run_id: str
    message: str
    hostname: str
    pid: int
    node_state: NodeState
    master_endpoint: str = ""
    rank: Optional[int] = None
    local_id: Optional[int] = None
    error_trace: str = ""

    def __str__(self):
        return self.serialize()

    @staticmethod
    def deserialize(data):
        """Parses an event from JSON."""
        if isinstance(data, RdzvEvent):
            return data
        values = json.loads(data)
        values["node_state"] = NodeState[values["node_state"]]
        return RdzvEvent(**values)

    def serialize(self):
        """Returns the event as JSON."""
        return json.dumps(asdict(self))
