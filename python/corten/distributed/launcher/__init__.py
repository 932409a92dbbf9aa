# SPDX-License-Identifier: BSD-3-Clause
"""Launching several processes from Python; distributed/run.py is the command-line version."""
from .api import LaunchConfig, elastic_launch, launch_agent

__all__ = ["LaunchConfig", "elastic_launch", "launch_agent"]
