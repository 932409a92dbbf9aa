# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.agent.server: what starts and watches the workers of torchrun.

Corten does not have this; each name says what to use instead.
"""
from ....._missing import missing_class
from ....._parts import parts_of

__all__ = ["ElasticAgent", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
(ElasticAgent, SimpleElasticAgent, Worker, WorkerGroup, WorkerSpec, WorkerState) = (
    missing_class(f"torch.distributed.elastic.agent.server.{name}", _INSTEAD) for name in (
        "ElasticAgent", "SimpleElasticAgent", "Worker", "WorkerGroup", "WorkerSpec", "WorkerState"))

__getattr__ = parts_of(__name__)
