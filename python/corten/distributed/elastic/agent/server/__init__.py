# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.agent.server: agents that start and monitor the workers of torchrun.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ....._missing import missing_class
from ....._parts import parts_of

__all__ = ["ElasticAgent", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
(ElasticAgent, SimpleElasticAgent, Worker, WorkerGroup, WorkerSpec, WorkerState) = (
    missing_class(f"torch.distributed.elastic.agent.server.{name}", _INSTEAD) for name in (
        "ElasticAgent", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"))

__getattr__ = parts_of(__name__)
