# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.agent.server.api: base classes of worker agents.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ....._missing import missing_class

__all__ = ["ElasticAgent", "RunResult", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
(ElasticAgent, RunResult, SimpleElasticAgent, Worker, WorkerGroup, WorkerSpec, WorkerState) = (
    missing_class(f"torch.distributed.elastic.agent.server.api.{name}", _INSTEAD) for name in (
        "ElasticAgent", "RunResult", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"))
