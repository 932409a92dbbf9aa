# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.agent.server.local_elastic_agent: the agent for workers on this machine.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ....._missing import missing_class

__all__ = ["LocalElasticAgent"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
LocalElasticAgent = missing_class("torch.distributed.elastic.agent.server.local_elastic_agent.LocalElasticAgent", _INSTEAD)
