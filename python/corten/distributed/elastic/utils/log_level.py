# SPDX-License-Identifier: BSD-3-Clause
"""Default log level of the launcher."""

__all__ = ["get_log_level"]


def get_log_level():
    """Returns "WARNING", the level of loggers from get_logger unless the environment variable LOGLEVEL overrides it."""
    return "WARNING"
