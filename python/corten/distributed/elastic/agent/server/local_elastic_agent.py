# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.agent.server.local_elastic_agent: the workers of one machine.

Corten does not have this; each name says what to use instead.
"""
from ....._missing import missing_class

__all__ = ["LocalElasticAgent"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
LocalElasticAgent = missing_class("torch.distributed.elastic.agent.server.local_elastic_agent.LocalElasticAgent", _INSTEAD)
