# SPDX-License-Identifier: BSD-3-Clause
"""Default timeouts of collectives and rendezvous."""
from datetime import timedelta

__all__ = ["default_pg_nccl_timeout", "default_pg_timeout"]

default_pg_timeout, default_pg_nccl_timeout = timedelta(minutes=30), timedelta(minutes=10)
