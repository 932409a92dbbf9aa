# SPDX-License-Identifier: BSD-3-Clause
"""Starting processes that work together, from Python; run.py is the command."""
from .api import LaunchConfig, elastic_launch, launch_agent

__all__ = ["LaunchConfig", "elastic_launch", "launch_agent"]
