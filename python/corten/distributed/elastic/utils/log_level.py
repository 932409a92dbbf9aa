# SPDX-License-Identifier: BSD-3-Clause
"""How much the launcher logs."""

__all__ = ["get_log_level"]


def get_log_level():
    """ "WARNING", the level of loggers that get_logger makes unless LOGLEVEL says otherwise."""
    return "WARNING"
