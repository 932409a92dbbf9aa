# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.agent.server.api: what starts and watches the workers of torchrun.

Corten does not have this; each name says what to use instead.
"""
from ....._missing import missing_class

__all__ = ["ElasticAgent", "RunResult", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
(ElasticAgent, RunResult, SimpleElasticAgent, Worker, WorkerGroup, WorkerSpec, WorkerState) = (
    missing_class(f"torch.distributed.elastic.agent.server.api.{name}", _INSTEAD) for name in (
        "ElasticAgent", "RunResult", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"))
