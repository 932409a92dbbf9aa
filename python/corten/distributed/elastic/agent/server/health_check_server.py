# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.elastic.agent.server.health_check_server: health checks of a launcher.

Not available in Corten: its functions and classes raise an error that says what to use instead.
"""
from ....._missing import missing_class, missing_function

__all__ = ["HealthCheckServer", "create_healthcheck_server"]

_INSTEAD = "torch.distributed.launcher.api.elastic_launch starts and watches processes"
HealthCheckServer = missing_class("torch.distributed.elastic.agent.server.health_check_server.HealthCheckServer", _INSTEAD)
create_healthcheck_server = missing_function("torch.distributed.elastic.agent.server.health_check_server.create_healthcheck_server", _INSTEAD)
